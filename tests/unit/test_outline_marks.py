"""Stars, notes and hidden branches in the tree: where they stand and how they look."""

from __future__ import annotations

from datetime import UTC
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ink_tui.model.entries import EntryId
from ink_tui.model.marks import NO_SESSION_MARKS, RecordMarks, SessionMarks
from ink_tui.model.outline import build_outline
from ink_tui.model.outline_marks import branch_at, with_marks
from ink_tui.model.outline_rows import FilterMode, Outline, OutlineRow, Rail, RowKind
from ink_tui.model.outline_view import Jump, containers, jump, nearest_visible, visible_rows
from ink_tui.model.transcript import with_stars
from ink_tui.model.transcript_build import build_transcript
from ink_tui.tui.render.detail_rows import entry_detail
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.render.lines import brought_to
from ink_tui.tui.render.rows import lay_out
from ink_tui.tui.render.transcript_look import Look
from ink_tui.tui.render.transcript_rows import lay_out_block, usual_fold
from ink_tui.tui.render.tree_rows import tree_columns, tree_row
from tests.conftest import NOON
from tests.every_kind import every_kind
from tests.properties.test_outlines import FILES, IDS
from tests.sessions import answer, entry, line, read, session, user


def branched(*more: bytes) -> bytes:
    """Three branches left after the first record, the second with one of its own."""
    return session(
        user("a1", None, "go"),
        answer("b1", "a1", "first way", second=2),
        answer("c1", "a1", "second way", second=3),
        answer("c2", "c1", "inner left", second=4),
        answer("c3", "c1", "inner on", second=5),
        answer("d1", "a1", "third way", second=6),
        answer("e1", "a1", "went", second=7),
        answer("e2", "e1", "on", second=8),
        *more,
    )


def hide(*heads: str) -> SessionMarks:
    return SessionMarks(hidden=frozenset(map(EntryId, heads)))


def marked(marks: SessionMarks, data: bytes = b"") -> Outline:
    return with_marks(build_outline(read(data or branched())), marks)


def shape(rows: tuple[OutlineRow, ...]) -> list[str]:
    """Return each row as its indent and text; a count row as its number."""
    return [
        f"{'.' * row.depth}{row.count if row.kind is RowKind.HIDDEN else row.text}"
        for row in rows
        if row.kind is not RowKind.RESUME
    ]


def count_row(outline: Outline) -> OutlineRow:
    return next(row for row in outline.rows if row.kind is RowKind.HIDDEN)


def everything_open(outline: Outline) -> set[str]:
    return {row.key for row in outline.rows if row.foldable}


def test_nothing_marked_is_the_same_outline() -> None:
    outline = build_outline(read(branched()))
    assert with_marks(outline, NO_SESSION_MARKS) is outline
    assert with_marks(outline, hide("e1", "a1", "nobody")).rows == outline.rows


def test_hidden_branches_are_counted_at_the_end_of_their_branch_point() -> None:
    outline = marked(hide("b1", "c1"))
    assert shape(visible_rows(outline)) == ["go", ".third way", ".2", "went", "on"]
    third = next(row for row in visible_rows(outline) if row.text == "third way")
    assert not third.last_stub
    assert shape(visible_rows(outline, {count_row(outline).key})) == [
        *("go", ".third way", ".2", "..first way", "..second way", "went", "on"),
    ]
    assert shape(visible_rows(outline, everything_open(outline))) == [
        *("go", ".third way", ".2", "..first way", "..second way"),
        *("...inner left", "..inner on", "went", "on"),
    ]


def test_all_hidden_and_one_inside_another() -> None:
    outline = marked(hide("b1", "c1", "d1", "c2"))
    assert shape(visible_rows(outline)) == ["go", ".3", "went", "on"]
    opened = everything_open(outline)
    assert shape(visible_rows(outline, opened)) == [
        *("go", ".3", "..first way", "..second way", "...1", "....inner left", "..inner on"),
        *("..third way", "went", "on"),
    ]


def test_a_branch_that_is_continued_is_shown() -> None:
    marks = hide("c1")
    assert "second way" not in shape(visible_rows(marked(marks)))
    went_on = branched(line({"type": "position", "leafId": "c3"}))
    texts = [row.text for row in visible_rows(marked(marks, went_on))]
    assert "second way" in texts
    assert not any(row.kind is RowKind.HIDDEN for row in marked(marks, went_on).rows)


def test_branches_above_a_compaction_and_other_starts_can_be_hidden() -> None:
    data = session(
        user("z1", None, "another start"), user("a1", None, "go"), answer("a2", "a1", "on")
    )
    assert shape(visible_rows(marked(hide("z1"), data)))[0] == ".1"


def test_problems_in_a_hidden_branch_are_still_found() -> None:
    data = branched(entry("checkpoint", "x1", "b1", 9), line({"type": "position", "leafId": "e2"}))
    outline = marked(hide("b1"), data)
    assert not any(row.problem for row in visible_rows(outline))
    found = jump(outline, None, Jump.PROBLEM, 1)
    assert found is not None
    assert count_row(outline).key in containers(outline, found)


def test_the_selection_goes_from_a_hidden_branch_to_its_count() -> None:
    outline = marked(hide("c1"))
    seen = {row.key for row in visible_rows(outline)}
    inner = next(row for row in outline.rows if row.text == "inner on")
    assert nearest_visible(outline, seen, inner.key) == count_row(outline).key


# What a key hides


def chosen(text: str, marks: SessionMarks = NO_SESSION_MARKS, data: bytes = b"") -> tuple[Any, ...]:
    outline = marked(marks, data)
    key = next(row.key for row in outline.rows if row.text.startswith(text))
    choice = branch_at(outline, key, marks)
    return choice.heads, choice.hidden, choice.refusal


def test_a_row_means_the_innermost_branch_that_it_stands_on() -> None:
    assert chosen("first way") == (("b1",), False, "")
    assert chosen("inner on") == (("c1",), False, "")
    assert chosen("inner left") == (("c2",), False, "")
    assert chosen("inner on", hide("c1")) == (("c1",), True, "")


def test_a_count_row_means_all_that_it_counts() -> None:
    marks = hide("b1", "d1")
    outline = marked(marks)
    choice = branch_at(outline, count_row(outline).key, marks)
    assert (choice.heads, choice.hidden) == (("b1", "d1"), True)


def test_the_trunk_and_what_is_loose_cannot_be_hidden() -> None:
    heads, _, refusal = chosen("went")
    assert heads == ()
    assert refusal.startswith("Only a branch that was left can be hidden")
    loose = branched(answer("l1", "gone", "loose"), answer("l2", "l1", "a", second=2))
    loose += answer("l3", "l1", "b", second=3) + line({"type": "position", "leafId": "e2"})
    for text in ("loose", "a"):
        heads, _, refusal = chosen(text, data=loose)
        assert heads == ()
        assert refusal == "What is not connected or cannot be read is always shown."
    assert marked(hide("l1", "l2", "l3"), loose).rows == build_outline(read(loose)).rows
    assert branch_at(marked(NO_SESSION_MARKS), None, NO_SESSION_MARKS).refusal
    resume = marked(NO_SESSION_MARKS)
    assert resume.resume_key is not None
    assert branch_at(resume, resume.resume_key, NO_SESSION_MARKS).heads == ()


# Stars and notes


def test_stars_and_notes_stand_on_the_first_row_of_their_record() -> None:
    marks = SessionMarks(
        records={
            EntryId("a1"): RecordMarks(starred=True),
            EntryId("c3"): RecordMarks(note="why?"),
            EntryId("nobody"): RecordMarks(starred=True),
        }
    )
    rows = {row.text: row for row in marked(marks).rows}
    assert (rows["go"].starred, rows["go"].user_note) == (True, "")
    assert (rows["inner on"].starred, rows["inner on"].user_note) == (False, "why?")
    assert not rows["went"].starred
    labelled = visible_rows(marked(marks), everything_open(marked(marks)), FilterMode.LABELLED)
    texts = [row.text for row in labelled if row.kind is not RowKind.RESUME]
    assert texts == ["go", "second way", "inner on"]


def test_the_first_block_of_a_starred_record_has_the_star() -> None:
    transcript = build_transcript(read(every_kind()))
    assert with_stars(transcript, ()) is transcript
    for entry_id in {block.entry_id for block in transcript.blocks} - {None}:
        assert entry_id is not None
        shown = with_stars(transcript, [entry_id])
        own = [block.starred for block in shown.blocks if block.entry_id == entry_id]
        assert own == [True] + [False] * (len(own) - 1)
        assert sum(block.starred for block in shown.blocks) == 1
        look = Look(70, UNICODE, NOON, UTC)
        starred = next(block for block in shown.blocks if block.starred)
        lines = lay_out_block(starred, usual_fold(starred), look)
        assert "✭" in "".join(piece.text for piece in lines[0].pieces)
        plain = lay_out_block(
            transcript.blocks[shown.blocks.index(starred)], usual_fold(starred), look
        )
        assert len(plain) == len(lines)


# How it looks


def drawn(marks: SessionMarks, cells: int = 80, glyphs: Glyphs = UNICODE) -> list[str]:
    look = Look(cells, glyphs, NOON, UTC)
    rows = visible_rows(marked(marks))
    columns = tree_columns(rows, look)
    return [
        "".join(piece.text for piece in lay_out(tree_row(row, look), cells, columns, "…")[0])
        for row in rows
    ]


@pytest.mark.parametrize("cells", [120, 80, 60, 40])
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_rows_with_marks_fit(cells: int, glyphs: Glyphs) -> None:
    marks = SessionMarks(
        hidden=frozenset({EntryId("b1")}),
        records={EntryId(each): RecordMarks(True, "n") for each in ("a1", "c1", "e2")},
    )
    lines = drawn(marks, cells, glyphs)
    assert {len(each) for each in lines} == {cells}
    assert any("1 hidden" in each for each in lines)
    star = "*" if glyphs is ASCII else "✭"
    assert len([each for each in lines if star in each]) == 3
    assert bool([each for each in lines if "note" in each]) is (cells >= 76)


def test_a_count_row_hangs_from_its_branch_point_like_a_branch() -> None:
    lines = drawn(hide("b1", "c1"))
    assert [each.split()[1] for each in lines[1:3]] == ["├╴", "└╴▸"]
    assert lines[2].strip().endswith("└╴▸ 2 hidden")


def test_a_compaction_can_be_marked() -> None:
    data = every_kind()
    diagnosis = read(data)
    compaction = next(r for r in build_outline(diagnosis).rows if r.kind is RowKind.COMPACTION)
    assert compaction.entry_id is not None
    marks = SessionMarks(records={compaction.entry_id: RecordMarks(True, "here")})
    row = next(r for r in marked(marks, data).rows if r.kind is RowKind.COMPACTION)
    look = Look(90, UNICODE, NOON, UTC)
    text = "".join(
        p.text for p in lay_out(tree_row(row, look), 90, tree_columns([row], look), "…")[0]
    )
    assert "✭ compacted" in text
    assert "note" in text


def detail(row: OutlineRow, height: int = 7) -> list[str]:
    look = Look(80, UNICODE, NOON, UTC)
    lines = entry_detail(row, read(branched()), look, height)
    return ["".join(piece.text for piece in brought_to(each, 80, "…")).strip() for each in lines]


def test_the_detail_shows_the_note_and_keeps_room_for_the_rest() -> None:
    marks = SessionMarks(
        records={EntryId("a1"): RecordMarks(True, "look\tagain\x1b " + "and again " * 40)}
    )
    row = marked(marks).rows[0]
    for height in (7, 5):
        said = detail(row, height)
        assert len(said) <= height
        assert said[1] == "go"
        assert said[2].startswith("note: look again␛ and again")
        assert said[1 + height // 2].endswith("…")
        assert said[-1] == "Starred."


def test_the_detail_of_a_count_row_says_what_it_is() -> None:
    said = detail(count_row(marked(hide("b1", "d1"))))
    assert said[0].startswith("2 branches hidden")
    assert said[1].startswith("enter shows them")


# Any session


@given(FILES, st.frozensets(IDS.map(EntryId)), st.frozensets(IDS.map(EntryId)))
def test_hiding_loses_no_row_and_moves_no_other(
    data: bytes, hidden: frozenset[EntryId], noted: frozenset[EntryId]
) -> None:
    plain = build_outline(read(data))
    records = {each: RecordMarks(note="n") for each in noted}
    outline = with_marks(plain, SessionMarks(hidden=hidden, records=records))
    counts = [row for row in outline.rows if row.kind is RowKind.HIDDEN]
    others = [row.key for row in outline.rows if row.kind is not RowKind.HIDDEN]
    assert sorted(others) == sorted(row.key for row in plain.rows)
    assert all(outline.rows[at].key == key for key, at in outline.places.items())
    away = [
        row.key
        for row in plain.rows
        if row.stub and row.rail is not Rail.NONE and row.entry_id in hidden
    ]
    assert sum(row.count for row in counts) == len(away)
    inside = {row.key: row.inside for row in outline.rows}
    for row in outline.rows:
        if row.inside is not None:
            assert outline.places[row.inside] < outline.places[row.key]
    for key in away:
        assert inside[key] in {row.key for row in counts}
    still = [
        key for key in others if not any(c.startswith("hidden:") for c in _around(inside, key))
    ]
    assert still == [row.key for row in plain.rows if row.key in set(still)]
    for row in counts:
        members = [each for each in outline.rows if each.inside == row.key]
        assert len(members) == row.count
        assert [each.last_stub for each in members] == [False] * (len(members) - 1) + [True]
    everything = {row.key for row in outline.rows if row.foldable}
    assert len(visible_rows(outline, everything, FilterMode.ALL)) == len(counts) + len(
        visible_rows(plain, everything, FilterMode.ALL)
    )


def _around(inside: dict[str, str | None], key: str) -> list[str]:
    """Return the keys of everything that a row is inside of."""
    found: list[str] = []
    above = inside[key]
    while above is not None:
        found.append(above)
        above = inside[above]
    return found
