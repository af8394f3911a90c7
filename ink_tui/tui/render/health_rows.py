"""The health tab as rows: verdict, faults, the bytes of the selected one, what follows. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.verdict import Verdict
from ink_tui.model.words import Mark
from ink_tui.tui.render.cells import wrap
from ink_tui.tui.render.hex_rows import hex_rows
from ink_tui.tui.render.lines import wrap_pieces
from ink_tui.tui.render.rows import BLANK, Columns, Piece, Role, Row
from ink_tui.tui.render.state_pieces import own_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.model.health import Health, HealthFault, HexWindow, Quiet, Remark
    from ink_tui.tui.render.glyphs import Glyphs

TEXT_WIDTH = 88
LABEL = 12
"""Cells of the labels before the three sentences."""

RULE_KEY = "rule"
RULE_COLUMNS = Columns(mark=0)
"""The hair line begins where marks begin."""

_VERDICT_ROLES = {
    Verdict.CLEAN: Role.SUCCESS,
    Verdict.REPAIRABLE: Role.WARNING,
    Verdict.INSPECT: Role.WARNING,
    Verdict.REFUSE: Role.ERROR,
}


def health_rows(
    health: Health,
    quiet: Quiet | None,
    selected: str | None,
    windows: Sequence[HexWindow],
    cells: int,
    glyphs: Glyphs,
) -> list[Row]:
    """Return all rows of the health tab.

    Args:
        health: What is said of the session.
        quiet: Who wrote last; `None` while that is not known.
        selected: Key of the fault whose bytes and consequences are shown.
        windows: The bytes of that fault; empty until they are read.
        cells: Width of the pane.
        glyphs: The set to draw with.
    """
    rows = [*_verdict(health, cells, glyphs), BLANK]
    if health.healthy:
        sentence = [Piece(f"{glyphs.done} ", Role.SUCCESS), Piece(health.all_clear)]
        rows = _wrapped("text:clear", sentence, cells)
    for fault in health.faults:
        rows.append(_fault(fault, glyphs, selected))
        if fault.seen:
            rows.append(_seen(fault, glyphs))
    if quiet is not None:
        rows.append(_quiet(quiet, glyphs))
    if health.remark is not None:
        rows.extend(_remark(health.remark, cells, glyphs))
    shown = next((fault for fault in health.faults if fault.key == selected), None)
    if shown is None:
        return rows
    rule = Piece(glyphs.rule * max(0, cells - 2), Role.HAIR)
    rows.append(Row(RULE_KEY, text=(rule,), selectable=False))
    dump = hex_rows(shown, windows, health.size, cells, glyphs)
    if dump:
        rows.extend([*dump, BLANK])
    if shown.longer:
        rows.extend([*_wrapped("text:longer", [Piece(shown.longer)], cells), BLANK])
    follows = shown.follows
    for label, sentence_text in (
        ("Ink itself", follows.agent),
        ("Repair", follows.repair),
        ("Fork", follows.fork),
    ):
        rows.extend(_labelled(label, sentence_text, cells))
    return rows


def _verdict(health: Health, cells: int, glyphs: Glyphs) -> list[Row]:
    role = Role.SUCCESS if health.live else _VERDICT_ROLES[health.verdict]
    mark = (
        glyphs.live
        if health.live
        else {Role.SUCCESS: glyphs.done, Role.WARNING: glyphs.decide}.get(role, glyphs.failed)
    )
    pieces = [
        Piece(f"{mark} ", role, bold=True),
        Piece(health.headline, role, bold=True),
        Piece(f"   {health.reason}"),
    ]
    return _wrapped("text:verdict", pieces, cells)


def _fault(fault: HealthFault, glyphs: Glyphs, selected: str | None) -> Row:
    looks = {
        Mark.DECIDE: (glyphs.decide, Role.WARNING),
        Mark.DAMAGED: (glyphs.damaged, Role.WARNING),
        Mark.FAILED: (glyphs.failed, Role.ERROR),
        Mark.LIVE: (glyphs.live, Role.SUCCESS),
        Mark.NONE: (glyphs.separator, Role.DIM),
    }
    mark, role = looks[fault.mark]
    span = fault.fault.span
    line = f"line {span.line:,}" if span is not None else ""
    byte = f"byte {fault.start:,}" if span is not None or fault.appends_at is not None else ""
    place = f" {glyphs.separator} ".join(part for part in (line, byte) if part)
    return Row(
        fault.key,
        mark=(Piece(mark, role, bold=True),),
        text=(Piece(fault.text, bold=fault.key == selected),),
        note=(Piece(place, Role.MUTED),),
        note_short=(Piece(line or byte, Role.MUTED),),
    )


def _seen(fault: HealthFault, glyphs: Glyphs) -> Row:
    return Row(
        f"text:seen:{fault.key}",
        text=(Piece(own_words(fault.seen, glyphs), Role.MUTED),),
        selectable=False,
    )


def _quiet(quiet: Quiet, glyphs: Glyphs) -> Row:
    mark, role = {
        Mark.LIVE: (glyphs.live, Role.SUCCESS),
        Mark.DECIDE: (glyphs.decide, Role.WARNING),
    }.get(quiet.mark, (glyphs.done, Role.SUCCESS))
    return Row(
        "text:quiet",
        mark=(Piece(mark, role),),
        text=(Piece(quiet.text, Role.MUTED),),
        selectable=False,
    )


def _remark(remark: Remark, cells: int, glyphs: Glyphs) -> list[Row]:
    mark, role = {Mark.DECIDE: (glyphs.decide, Role.WARNING)}.get(
        remark.mark, (glyphs.separator, Role.DIM)
    )
    said = Row(
        "text:remark",
        mark=(Piece(mark, role, bold=True),),
        text=(Piece(remark.text),),
        note=(Piece(remark.note, Role.MUTED),),
        selectable=False,
    )
    lines = wrap(remark.command, max(8, min(cells - 4, TEXT_WIDTH)))
    return [
        said,
        *(
            Row(f"text:remark{number}", text=(Piece(line, Role.MUTED),), selectable=False)
            for number, line in enumerate(lines)
        ),
    ]


def _wrapped(key: str, pieces: list[Piece], cells: int) -> list[Row]:
    """Return pieces over as many rows as they take; a first piece of two cells is a mark."""
    marked = len(pieces) > 1 and pieces[0].text[1:] == " "
    body = pieces[1:] if marked else pieces
    lines = wrap_pieces(body, max(8, min(cells - 4, TEXT_WIDTH)))
    return [
        Row(
            f"{key}{number}",
            mark=tuple(pieces[:1]) if marked and number == 0 else (),
            text=line,
            selectable=False,
        )
        for number, line in enumerate(lines)
    ]


def _labelled(label: str, text: str, cells: int) -> list[Row]:
    lines = wrap(text, max(8, min(cells - 4 - LABEL, TEXT_WIDTH - LABEL)))
    return [
        Row(
            f"text:{label}{number}",
            text=(
                Piece(f"{label if number == 0 else '':<{LABEL}}", Role.MUTED),
                Piece(line),
            ),
            selectable=False,
        )
        for number, line in enumerate(lines)
    ]
