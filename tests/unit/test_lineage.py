"""Copies of a session: found by their headers, shown in its tree, told of in their overview."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.entries import EntryId
from ink_tui.model.lineage import MOST_FORKS, ForkLink, forks_of, same_forks
from ink_tui.model.outline import build_outline
from ink_tui.model.outline_rows import FilterMode, Outline, OutlineRow, RowKind
from ink_tui.model.outline_view import visible_rows
from ink_tui.model.row_making import row_of
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.render.lines import brought_to
from ink_tui.tui.render.rows import lay_out
from ink_tui.tui.render.session_detail import session_detail
from ink_tui.tui.render.transcript_look import Look
from ink_tui.tui.render.tree_rows import tree_columns, tree_row
from tests.conftest import NOON
from tests.every_kind import summarised
from tests.session_rows import DEMO, HOUR, NOON_MS, session_row
from tests.sessions import HEADER, answer, entry, line, read, session, user

if TYPE_CHECKING:
    from ink_tui.model.listing import SessionRow

ORIGINAL = "11111111-1111-4111-8111-111111111111"


def copy_of(entry: str | None, name: str = "another try", age: int = 3 * HOUR) -> SessionRow:
    row = session_row(name, DEMO, age)
    return replace(row, forked_from=ORIGINAL, forked_at=entry)


def branched() -> bytes:
    """A trunk of three records, and a branch of one that was left after the first."""
    return session(
        user("a1", None, "go"),
        answer("b1", "a1", "left", second=2),
        answer("a2", "a1", "went", second=3),
        answer("a3", "a2", "on", second=4),
    )


def outline_with(data: bytes, *rows: SessionRow) -> Outline:
    return build_outline(read(data), forks=forks_of(ORIGINAL, rows))


def links(rows: tuple[OutlineRow, ...]) -> list[OutlineRow]:
    return [row for row in rows if row.kind is RowKind.FORK]


def test_header_to_row() -> None:
    header = {**HEADER, "forkedFrom": {"id": "o", "entry": "e4"}}
    row = row_of(read(line(header) + user("a1", None, "go")), "/x")
    assert (row.forked_from, row.forked_at) == ("o", "e4")
    row = row_of(read(line({**HEADER, "forkedFrom": {"id": "o"}}) + user("a1", None, "go")), "/x")
    assert (row.forked_from, row.forked_at) == ("o", None)


def test_copies_are_found_by_the_header_newest_first() -> None:
    old, new = copy_of("a2", "old", 9 * HOUR), copy_of("a2", "new", HOUR)
    other = replace(copy_of("a2", "of another"), forked_from="somebody else")
    found = forks_of(ORIGINAL, [old, copy_of("a1", "first"), other, new, copy_of(None, "unsaid")])
    assert {entry: [link.title for link in found[entry]] for entry in found} == {
        "a2": ["new", "old"],
        "a1": ["first"],
    }
    assert forks_of(None, [old]) == {}


def test_only_other_copies_or_titles_are_a_change() -> None:
    one = forks_of(ORIGINAL, [copy_of("a2", "x")])
    assert same_forks(one, {EntryId("a2"): (replace(one[EntryId("a2")][0], last_ms=1),)})
    assert not same_forks(one, forks_of(ORIGINAL, [copy_of("a3", "x")]))
    assert not same_forks(one, {EntryId("a2"): (replace(one[EntryId("a2")][0], title="y"),)})
    assert not same_forks(one, {})


def test_a_copy_stands_below_its_record() -> None:
    outline = outline_with(branched(), copy_of("a2"), copy_of("a3", "at the end"))
    shown = visible_rows(outline)
    said = [(row.kind, row.text) for row in shown if not row.stub]
    at = said.index((RowKind.FORK, "another try"))
    assert said[at - 1] == (RowKind.ASSISTANT, "went")
    assert said[at + 1] == (RowKind.ASSISTANT, "on")
    assert said[at + 2] == (RowKind.FORK, "at the end")
    assert said[at + 3][0] is RowKind.RESUME
    assert (
        outline.by_entry[EntryId("a2")] == build_outline(read(branched())).by_entry[EntryId("a2")]
    )


def test_a_copy_of_a_branch_is_inside_it() -> None:
    outline = outline_with(branched(), copy_of("b1"))
    assert not links(visible_rows(outline))
    stub = next(row for row in outline.rows if row.stub)
    assert stub.foldable
    assert stub.count == 1
    (link,) = links(visible_rows(outline, {stub.key}))
    assert link.depth == 1


def test_a_copy_of_a_summarised_record_folds_with_it() -> None:
    data = session(
        user("m1", None, "go"),
        *summarised(9),
        entry("compaction", "k1", "z8", 200, summary="S", retainedTail=[], tokensBefore=900),
        answer("a1", "k1", "on", second=201),
    )
    plain = build_outline(read(data))
    fold = next(row for row in visible_rows(plain) if row.kind is RowKind.FOLD)
    folded = next(row for row in plain.rows if row.inside == fold.key and row.entry_id is not None)
    assert folded.entry_id is not None
    outline = outline_with(data, copy_of(folded.entry_id))
    seen = visible_rows(outline)
    assert not links(seen)
    same = next(row for row in seen if row.kind is RowKind.FOLD)
    assert same.count == fold.count
    (link,) = links(visible_rows(outline, {same.key}))
    assert link.dim


@pytest.mark.parametrize(
    ("mode", "shown"),
    [
        (FilterMode.DEFAULT, True),
        (FilterMode.NO_TOOLS, True),
        (FilterMode.ALL, True),
        (FilterMode.USER_ONLY, False),
        (FilterMode.LABELLED, False),
        (FilterMode.PROBLEMS, False),
    ],
)
def test_filters(mode: FilterMode, shown: bool) -> None:
    outline = outline_with(branched(), copy_of("a2"))
    assert bool(links(visible_rows(outline, (), mode))) is shown


@pytest.mark.parametrize(("number", "more"), [(12, ""), (13, "1 more fork"), (40, "28 more forks")])
def test_at_most_twelve_of_a_record(number: int, more: str) -> None:
    copies = [copy_of("a2", f"try {n}", (n + 1) * HOUR) for n in range(number)]
    found = links(visible_rows(outline_with(branched(), *copies)))
    opening = [row for row in found if row.opens]
    assert [row.text for row in opening] == [f"try {n}" for n in range(MOST_FORKS)]
    assert [row.opens for row in opening] == [copy.path for copy in copies[:MOST_FORKS]]
    assert [row.text for row in found if not row.opens] == ([more] if more else [])


def drawn(row: OutlineRow, cells: int, look: Look) -> str:
    (pieces,) = lay_out(tree_row(row, look), cells, tree_columns([row], look))
    return "".join(piece.text for piece in pieces)


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_words_of_the_row(glyphs: Glyphs) -> None:
    look = Look(60, glyphs, NOON, UTC)
    link = ForkLink("/x", "a title " * 20, NOON_MS - 3 * HOUR)
    outline = build_outline(read(branched()), forks={EntryId("a2"): (link,)})
    (row,) = links(outline.rows)
    text = drawn(row, 60, look)
    assert f"{glyphs.child} fork: a title a title" in text
    assert text.rstrip().endswith(", 3h")
    named = drawn(replace(row, text="Fork: a name that says it"), 60, look)
    assert f"{glyphs.child} Fork: a name that says it, 3h" in named
    short = drawn(replace(row, text="short", time_ms=None), 60, look)
    assert short.strip().endswith(f"{glyphs.child} fork: short")


def overview(row: SessionRow, origin: str) -> str:
    look = Look(80, UNICODE, NOON, UTC)
    lines = session_detail(row, look, 7, origin=origin)
    return "\n".join("".join(p.text for p in brought_to(line, 80)) for line in lines)


def test_the_overview_of_a_copy_says_where_it_is_from() -> None:
    assert "forked from “the first try” at record a2b3c4d5" in overview(
        copy_of("a2b3c4d5e6f70000"), "the first try"
    )
    assert "forked from 11111111" in overview(copy_of(None), "")
    assert "at record" not in overview(copy_of(None), "")
    assert "forked" not in overview(session_row("plain", DEMO, HOUR), "")
    hostile = overview(copy_of("\x1b[31m"), "\x1b]0;x\x07")
    assert "\x1b" not in hostile
    assert "␛" in hostile
