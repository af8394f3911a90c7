"""Find inside one session: what is typed, what it found, and where tree and transcript show it.

A hit is one place in one text of a record, as `ink_tui.model.matching` counts them: places that
touch are one. Hits go in the order of the tree, so that the next one is the next one down.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from ink_tui.model.outline_rows import NO_OUTLINE, RowKind
from ink_tui.model.passages import Kind
from ink_tui.model.query import PatternTerm, Query, WordTerm, format_query, parse
from ink_tui.model.transcript import (
    EMPTY,
    CompactionBody,
    OrphanBody,
    SummaryBody,
    TextBody,
    ThinkingBody,
    ToolBody,
    TurnBody,
    UserBody,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ink_tui.model.entries import EntryId
    from ink_tui.model.outline_rows import Outline
    from ink_tui.model.transcript import Block, Transcript

PATTERN = "re:"
"""What a regular expression begins with in the field."""

_NO_ROWS = frozenset({RowKind.HEADING, RowKind.FOLD, RowKind.HIDDEN, RowKind.RESUME, RowKind.FORK})
_ROW_KINDS = {
    Kind.THINKING: RowKind.THINKING,
    Kind.ASSISTANT: RowKind.ASSISTANT,
    Kind.USER: RowKind.USER,
    Kind.NAME: RowKind.NAME,
}
_BODIES: Mapping[Kind, tuple[type, ...]] = {
    Kind.USER: (UserBody,),
    Kind.ASSISTANT: (TextBody,),
    Kind.THINKING: (ThinkingBody,),
    Kind.SUMMARY: (CompactionBody, SummaryBody),
    Kind.CALL: (ToolBody,),
    Kind.RESULT: (ToolBody, OrphanBody),
}


def find_query(typed: str) -> Query:
    """Return what is looked for: the text as it is typed, or the pattern behind `re:`.

    Case counts as everywhere: a text in small letters is found in any case. An empty query looks
    for nothing; a pattern that is none has its problem in words.
    """
    if typed.startswith(PATTERN):
        pattern = typed.removeprefix(PATTERN)
        return parse(format_query(Query((PatternTerm(pattern),)))) if pattern else Query()
    return Query((WordTerm(typed),)) if typed.strip() else Query()


@dataclass(frozen=True, slots=True)
class FoundText:
    """One text of a record in which something was found."""

    kind: Kind
    entry_id: EntryId | None
    """Its record; `None` for the header and for records without an id."""
    offset: int
    """First byte of its record in the file."""
    line: int
    """Physical line of its record, 1-based."""
    count: int
    """Hits in it, at least 1."""
    starts: tuple[int, ...] = ()
    """Where the hits start, in characters; empty for short texts."""
    words: tuple[str, ...] = ()
    """What stands there, each once."""
    call_id: str = ""
    kept: bool = False
    """A copy that a compaction kept."""
    row: str | None = None
    """Key of the tree's row that stands for it."""
    block: str | None = None
    """Key of the transcript's block that shows it."""
    step: int = 0
    """Position in reading order of the record that block comes from, 1-based; 0 without one."""
    before: int = 0
    """Hits in the texts of the same kind that the same block shows before it."""
    nth: int = 0
    """Which one of the found texts of its record, 0-based."""

    @property
    def identity(self) -> tuple[int, int]:
        """What stays the same while the file grows."""
        return (self.offset, self.nth)


@dataclass(frozen=True, slots=True)
class Spot:
    """One hit."""

    text: FoundText
    nth: int
    """Which one of its text, 0-based."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Everything that was found in a session, in the order of its tree."""

    texts: tuple[FoundText, ...] = ()
    ends: tuple[int, ...] = ()
    """For each text, how many hits there are up to its end."""
    rows: Mapping[str, int] = field(default_factory=dict)
    """Hits by the key of the row that stands for them."""
    row_words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    inside: Mapping[str, int] = field(default_factory=dict)
    """Hits by the keys of the foldable rows that hold their rows."""
    block_words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What was found in a block of the transcript, by its key."""
    steps: tuple[int, ...] = ()
    """Positions of the transcript's records in which something was found, in order."""
    places: tuple[int, ...] = ()
    """For each text, the place of its row in the tree; -1 for those above all rows."""

    @property
    def total(self) -> int:
        """How many hits there are."""
        return self.ends[-1] if self.ends else 0

    def spot(self, number: int) -> Spot:
        """Return a hit by its number, 0-based; `IndexError` where there is none."""
        if not 0 <= number < self.total:
            raise IndexError(number)
        at = bisect_right(self.ends, number)
        return Spot(self.texts[at], number - (self.ends[at - 1] if at else 0))

    def number_of(self, spot: Spot) -> int | None:
        """Return the number of a hit, also of one found before the session grew."""
        for text, end in zip(self.texts, self.ends, strict=True):
            if text.identity == spot.text.identity:
                return end - text.count + min(spot.nth, text.count - 1)
        return None

    def first_from(self, place: int) -> int:
        """Return the number of the first hit at a place of the tree or below it, else the first.

        Args:
            place: Index of a row of the tree.
        """
        for at, text in enumerate(self.texts):
            if self.places[at] >= place:
                return self.ends[at] - text.count
        return 0


NOTHING = Finding()


def placed(
    found: Iterable[FoundText], outline: Outline = NO_OUTLINE, transcript: Transcript = EMPTY
) -> Finding:
    """Return what was found with the rows and blocks that show it; linear in all three.

    Args:
        found: The texts, in file order.
        outline: The tree of the session, as far as it is read.
        transcript: The branch that the transcript shows.
    """
    rows, blocks = _Rows(outline), _Blocks(transcript)
    texts: list[tuple[int, FoundText]] = []
    before: dict[tuple[str, Kind], int] = {}
    of_record: Counter[int] = Counter()
    for text in found:
        row = rows.of(text)
        block = blocks.of(text)
        earlier, key, step = 0, None, 0
        if block is not None:
            key, step = block.key, _step(block, text)
            earlier = before.get((key, text.kind), 0)
            before[key, text.kind] = earlier + text.count
        place = -1 if text.offset < rows.first_offset else len(outline.rows)
        if row is not None:
            place = outline.places[row]
        nth = of_record[text.offset]
        of_record[text.offset] += 1
        shown = replace(text, row=row, block=key, step=step, before=earlier, nth=nth)
        texts.append((place, shown))
    texts.sort(key=lambda each: each[0])  # stable: file order inside a row
    return _summed(texts, outline)


def _summed(texts: list[tuple[int, FoundText]], outline: Outline) -> Finding:
    rows: dict[str, int] = {}
    inside: dict[str, int] = {}
    row_words: dict[str, dict[str, None]] = {}
    block_words: dict[str, dict[str, None]] = {}
    for _place, text in texts:
        if text.block is not None:
            block_words.setdefault(text.block, {}).update(dict.fromkeys(text.words))
        if text.row is None:
            continue
        rows[text.row] = rows.get(text.row, 0) + text.count
        row_words.setdefault(text.row, {}).update(dict.fromkeys(text.words))
    for key, count in rows.items():
        row = outline.row(key)
        while row is not None and row.inside is not None:
            inside[row.inside] = inside.get(row.inside, 0) + count
            row = outline.row(row.inside)
    return Finding(
        texts=tuple(text for _place, text in texts),
        ends=tuple(accumulate(text.count for _place, text in texts)),
        rows=rows,
        row_words={key: tuple(words) for key, words in row_words.items()},
        inside=inside,
        block_words={key: tuple(words) for key, words in block_words.items()},
        steps=tuple(sorted({text.step for _place, text in texts if text.step})),
        places=tuple(place for place, _text in texts),
    )


class _Rows:
    """The rows of a tree by the line of their record."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._at: dict[int, list[int]] = {}
        for number, row in enumerate(outline.rows):
            if row.kind in _NO_ROWS:
                continue
            for span in (row.span, row.result_span):
                if span is not None:
                    self._at.setdefault(span.offset, []).append(number)
        self.first_offset = min(self._at, default=0)
        """Where the first record starts that has a row; what stands before it comes first."""

    def of(self, text: FoundText) -> str | None:
        """Return the key of the row that stands for a text."""
        rows = [self._outline.rows[at] for at in self._at.get(text.offset, ())]
        named = [row for row in rows if not row.only_all] or rows
        if text.call_id:
            called = (row for row in named if row.call and row.call.call_id == text.call_id)
            answered = (row for row in named if row.result and row.result.call_id == text.call_id)
            row = next(called, None) or next(answered, None)
            if row is not None:
                return row.key
        wanted = _ROW_KINDS.get(text.kind)
        of_kind = next((row for row in named if row.kind is wanted), None)
        if of_kind is not None or named:
            return (of_kind or named[0]).key
        return self._outline.by_entry.get(text.entry_id) if text.entry_id is not None else None


class _Blocks:
    """The blocks of a transcript by the record that they show."""

    def __init__(self, transcript: Transcript) -> None:
        self._of: dict[EntryId, list[Block]] = {}
        for block in transcript.blocks:
            if isinstance(block.body, TurnBody):
                continue
            answer = block.body.result_entry if isinstance(block.body, ToolBody) else None
            for entry_id in {block.entry_id, answer}:
                if entry_id is not None:
                    self._of.setdefault(entry_id, []).append(block)

    def of(self, text: FoundText) -> Block | None:
        """Return the block that shows a text."""
        blocks = self._of.get(text.entry_id, []) if text.entry_id is not None else []
        fitting = [block for block in blocks if _shows(block, text)]
        if len(fitting) > 1:
            fitting = [block for block in fitting if _holds(block, text.words)] or fitting
        return next(iter(fitting or blocks), None)


def _step(block: Block, text: FoundText) -> int:
    """Return the position of the record of a text: that of a result is its own."""
    body = block.body
    if isinstance(body, ToolBody) and body.result_step is not None and text.kind is Kind.RESULT:
        return body.result_step
    return block.step


def _shows(block: Block, text: FoundText) -> bool:
    body = block.body
    if not isinstance(body, _BODIES.get(text.kind, (object,))):
        return False
    if isinstance(body, ToolBody) and text.call_id:
        return body.call.call_id == text.call_id
    if isinstance(body, OrphanBody) and text.call_id:
        return body.result.call_id == text.call_id
    return True


def _holds(block: Block, words: tuple[str, ...]) -> bool:
    body = block.body
    said = body.text if isinstance(body, TextBody | ThinkingBody | SummaryBody) else ""
    return any(word in said for word in words)
