"""What a resume would send, as a table."""

from __future__ import annotations

from dataclasses import replace

from ink_tui.model.context import Origin
from ink_tui.model.context_table import FoldedRows, build_table, folded
from ink_tui.tui.render.context_rows import columns_of, context_rows
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.render.rows import lay_out, line_width
from ink_tui.tui.render.transcript_look import Look
from tests.transcript_samples import REAL, Script, call, case, diagnosed


def texts(name: str, cells: int = 78, glyphs: Glyphs = UNICODE) -> list[str]:
    rows = context_rows(build_table(case(name)), Look(cells, glyphs), room=20, unfolded=False)
    lines = [line for row in rows for line in lay_out(row, cells, columns_of(row), glyphs.ellipsis)]
    assert all(line_width(line) == cells for line in lines)
    return ["".join(piece.text for piece in line) for line in lines]


def test_summary_kept_copies_and_what_came_since() -> None:
    table = build_table(case("49-"))
    assert [row.origin for row in table.rows] == [
        Origin.SUMMARY, Origin.KEPT, Origin.KEPT, Origin.SINCE,
    ]  # fmt: skip
    assert table.left_out == 6
    assert not table.measured
    lines = texts("49-")
    assert any("compacted here" in line for line in lines)
    assert any("6 earlier records are left out" in line for line in lines)
    assert any("kept copy" in line for line in lines)


def test_open_calls_have_a_row_of_their_own_and_a_provider_would_refuse() -> None:
    lines = texts("41-")
    assert any("bash" in line and "! no result" in line for line in lines)
    assert any("A provider will refuse this as it stands: 1 call has no" in x for x in lines)


def test_why_there_is_no_context() -> None:
    assert "parent was never" in build_table(case("26-")).unavailable
    assert "ring" in build_table(case("27-")).unavailable
    assert any("✗" in line for line in texts("26-"))


def test_model_thinking_and_the_agents_own_setup() -> None:
    script = Script().user("hi")
    script.add({"type": "thinkingLevelChange", "thinkingLevel": "high"})
    data = script.data()
    data += b'{"type":"session_model","provider":"zai","modelId":"glm-5.3","explicit":true}\n'
    table = build_table(diagnosed(data))
    assert (table.model, table.thinking) == ("zai/glm-5.3", "high")
    assert any("system prompt and the tools" in line for line in texts("40-"))


def test_a_long_table_folds_its_middle_but_never_an_open_call() -> None:
    table = build_table(diagnosed((REAL / "two-compactions.jsonl").read_bytes()))
    rows = folded(table.rows, 20)
    assert len(rows) < 24
    shown = [row for row in rows if not isinstance(row, FoldedRows)]
    assert sum(row.open_call for row in shown) == 2
    hidden = sum(len(row.rows) for row in rows if isinstance(row, FoldedRows))
    assert hidden + len(shown) == len(table.rows)
    assert folded(table.rows, 500) == table.rows


def test_the_bar_has_one_fill_for_each_origin_and_stays_inside() -> None:
    table = build_table(case("49-"))
    for cells in (20, 60, 78):
        for glyphs in (UNICODE, ASCII):
            full = replace(table, parts=((Origin.SUMMARY, 900_000), (Origin.SINCE, 5)))
            for each in (table, full):
                rows = context_rows(each, Look(cells, glyphs), room=5, unfolded=True)
                bar = next(row for row in rows if row.key == "text:bar")
                assert line_width(bar.text) == cells - 2
                assert sum(piece.text == glyphs.bar_limit for piece in bar.text) >= 1


def test_ascii_has_no_other_character() -> None:
    assert all(line.isascii() for line in texts("41-", glyphs=ASCII))


def test_an_edit_shows_what_it_adds_and_removes() -> None:
    script = (
        Script()
        .user("go")
        .answer(call("c", "edit", path="src/sum.ts", oldText="a", newText="b\nc"))
    )
    rows = build_table(script.diagnosis()).rows
    assert (rows[-1].kind, rows[-1].text, rows[-1].open_call) == ("edit", "src/sum.ts  +2 -1", True)
