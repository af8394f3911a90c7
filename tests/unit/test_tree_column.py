"""The last column of the tree: what it says, from which records, and that it stands still."""

from __future__ import annotations

from datetime import UTC, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ink_tui.model.outline import build_outline
from ink_tui.model.outline_rows import RowKind
from ink_tui.model.outline_view import visible_rows
from ink_tui.model.tree_choice import TreeColumn
from ink_tui.model.tree_figures import RowFigures, row_figures
from ink_tui.tui.render.cells import width
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.render.rows import lay_out
from ink_tui.tui.render.transcript_look import Look
from ink_tui.tui.render.tree_column import columns_with, row_with
from tests.all_records import all_records
from tests.conftest import NOON
from tests.properties.test_outlines import FILES
from tests.sessions import answer, entry, read, session, user


def drawn(
    data: bytes, column: TreeColumn, cells: int = 100, glyphs: Glyphs = UNICODE, days: int = 0
) -> list[str]:
    diagnosis = read(data)
    outline = build_outline(diagnosis)
    opened = {row.key for row in outline.rows if row.foldable}
    seen = [row for row in visible_rows(outline, opened) if row.kind is not RowKind.HEADING]
    look = Look(cells, glyphs, NOON + timedelta(days=days), UTC)
    columns = columns_with(seen, look, column)
    lines = []
    for row in seen:
        known = row_figures(row, diagnosis.session)
        shown = row_with(row, look, column, columns, known)
        (line,) = lay_out(shown, cells, columns, glyphs.ellipsis)
        lines.append("".join(piece.text for piece in line))
    return lines


def last(data: bytes, column: TreeColumn, glyphs: Glyphs = UNICODE) -> dict[str, str]:
    """What stands in the last column, by a word of the row."""
    cells = 9 if column is TreeColumn.DURATIONS else 15
    return {line[3:45].strip(): line[-cells:].strip() for line in drawn(data, column, 100, glyphs)}


SAMPLE = session(
    user("u", None, "go"),
    answer("a", "u", "on it", (("c", "bash", {"command": "make"}),), second=9),
    entry(
        "message",
        "r",
        "a",
        204,
        message={
            "role": "toolResult",
            "results": [{"toolCallId": "c", "toolName": "bash", "content": "x", "isError": False}],
        },
    ),
    answer("b", "r", "done", second=205),
    entry(
        "message",
        "n",
        "b",
        206,
        message={"role": "assistant", "blocks": [{"type": "text", "text": "no usage"}]},
    ),
)


def test_durations_and_tokens_stand_where_the_records_hold_them() -> None:
    lasted = last(SAMPLE, TreeColumn.DURATIONS)
    assert lasted["user      go"] == ""
    assert lasted["assistant on it"] == "8.0 s"
    assert lasted["bash      make"] == "3m 15s"
    assert lasted["assistant done"] == "1.0 s"
    tokens = last(SAMPLE, TreeColumn.TOKENS)
    assert tokens["assistant on it"] == "900 →    40"
    assert tokens["bash      make"] == ""
    assert tokens["assistant no usage"] == ""
    assert last(SAMPLE, TreeColumn.TOKENS, ASCII)["assistant on it"] == "900 >    40"


def test_a_duration_is_said_once() -> None:
    times, both = (drawn(SAMPLE, column) for column in (TreeColumn.TIMES, TreeColumn.BOTH))
    assert sum("3m 15s" in line for line in times) == 1
    assert sum("3m 15s" in line for line in both) == 1
    (line,) = (line for line in both if "3m 15s" in line)
    (plain,) = (line for line in times if "make" in line)
    assert line.rstrip().split()[-1] == plain.rstrip().split()[-1]


@pytest.mark.parametrize("column", TreeColumn)
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("cells", [20, 40, 59, 80, 118])
@pytest.mark.parametrize("days", [0, 3, 400])
def test_every_line_is_as_wide_as_the_pane(
    column: TreeColumn, glyphs: Glyphs, cells: int, days: int
) -> None:
    for data in (SAMPLE, all_records()):
        lines = drawn(data, column, cells, glyphs, days)
        assert {width(line) for line in lines} == {cells}
        assert not glyphs.ascii or all(line.isascii() for line in lines)


@given(FILES, st.sampled_from(TreeColumn))
def test_figures_are_never_negative_and_columns_fit_any_session(
    data: bytes, column: TreeColumn
) -> None:
    diagnosis = read(data)
    for row in build_outline(diagnosis).rows:
        known = row_figures(row, diagnosis.session)
        assert (known.took_ms or 0) >= 0
        if row.kind is RowKind.USER:
            assert known == RowFigures()
    assert {width(line) for line in drawn(data, column, 70)} <= {70}
