"""Places that draw contexts from other records, compactions and messages by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.keymap import DEFAULT_KEYMAP
from ink_tui.model.compaction_sides import after_blocks, compactions_of, sides_of
from ink_tui.model.lens import lens_at
from ink_tui.model.message_blocks import blocks_of
from ink_tui.tui.render.compaction_rows import after_lines, before_lines, before_rows, top_line
from ink_tui.tui.render.context_rows import columns_of, context_rows
from ink_tui.tui.render.glyphs import UNICODE
from ink_tui.tui.render.message_lines import message_head
from ink_tui.tui.render.rows import lay_out
from ink_tui.tui.render.transcript_look import Depth, Fold
from ink_tui.tui.render.transcript_rows import lay_out_block

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ink_tui.model.compaction_sides import Sides
    from ink_tui.model.transcript import Block
    from ink_tui.tui.render.rows import Piece, Row
    from tests.reliability.subject import Subject

    Drawn = tuple[tuple[Piece, ...], int]


def _lines(lines: Iterable[Sequence[Piece]], cells: int) -> Iterator[Drawn]:
    for line in lines:
        yield tuple(line), cells


def _rows(rows: Iterable[Row], cells: int) -> Iterator[Drawn]:
    for row in rows:
        yield from _lines(lay_out(row, cells, columns_of(row)), cells)


def _blocks(blocks: Iterable[Block], subject: Subject) -> Iterator[Drawn]:
    for block in blocks:
        for line in lay_out_block(block, Fold(Depth.WHOLE), subject.look):
            yield line.pieces, subject.cells


def _lens(subject: Subject) -> Iterator[Drawn]:
    diagnosis, last = subject.diagnosis, None
    for entry_id in diagnosis.session.nodes:
        lens = lens_at(diagnosis.session, diagnosis.branch, entry_id, last)
        assert lens is not None
        rows = context_rows(lens.table, subject.look, room=6, unfolded=False, place=lens.place)
        yield from _rows(rows, subject.cells)
        last = lens


def _sides(subject: Subject) -> Iterator[Sides]:
    session = subject.diagnosis.session
    for entry_id in compactions_of(session):
        sides = sides_of(session, entry_id)
        assert sides is not None
        yield sides


def _before(subject: Subject) -> Iterator[Drawn]:
    for sides in _sides(subject):
        cells = subject.cells
        yield top_line(sides, cells, UNICODE, DEFAULT_KEYMAP, subject.look), cells
        yield from _lines(before_lines(sides, cells, UNICODE, lit=True), cells)
        yield from _rows(before_rows(sides, UNICODE), cells)


def _after(subject: Subject) -> Iterator[Drawn]:
    for sides in _sides(subject):
        yield from _lines(after_lines(sides, subject.cells, UNICODE, lit=False), subject.cells)
        yield from _blocks(after_blocks(sides.entry, {}).blocks, subject)


def _messages(subject: Subject) -> Iterator[Drawn]:
    context = subject.diagnosis.context
    items = context.messages if context is not None else ()
    for at, item in enumerate(items, 1):
        head = message_head(item, at, len(items), subject.cells, UNICODE)
        yield from _lines(head, subject.cells)
        yield from _blocks(blocks_of(item.message, f"m{at}"), subject)


CONTEXT_DRAWN: dict[str, Callable[[Subject], Iterator[Drawn]]] = {
    "context from each record": _lens,
    "before a compaction": _before,
    "after a compaction": _after,
    "messages by themselves": _messages,
}
