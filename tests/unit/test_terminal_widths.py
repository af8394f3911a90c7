"""Columns: the engine, the screen's measure and the drawn strips agree on hard strings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len
from textual.strip import Strip

from ink_tui.agent.engine import Attribute, CellStyle, Run
from ink_tui.tui.render import terminal_rows
from ink_tui.tui.render.terminal_rows import RowPainter, spans, with_cursor
from tests.engine_probe import ENGINES, EngineProbe, engine_factory

if TYPE_CHECKING:
    from ink_tui.agent.engine import EngineFactory

COLUMNS = 30
HARD_STRINGS = {
    "ascii": "plain text",
    "cjk": "给解析器加上",
    "hangul": "한국어 세션",
    "hangul jamo": "\u1112\u1161\u11ab",
    "kana with mark": "か\u3099が",
    "full width": "\uff21\uff22\uff23",
    "combining": "e\u0301a\u0308o\u0302",
    "joined emoji": "👩\u200d💻👨\u200d👩\u200d👧",
    "skin tone": "👍🏽👋🏿",
    "flag": "🇩🇪🇯🇵",
    "emoji presentation": "⚠\ufe0f❤\ufe0f",
    "keycap": "1\ufe0f\u20e3#\ufe0f\u20e3",
    "text presentation": "⚠\ufe0e",
    "devanagari": "नमस्ते",
    "rockets": "🚀🦀🧪",
    "mixed": "a持e\u0301👩\u200d💻 b🇩🇪.",
}


@pytest.fixture(scope="module", params=ENGINES)
def factory(request: pytest.FixtureRequest) -> EngineFactory:
    return engine_factory(request.param)


def test_there_are_16() -> None:
    assert len(HARD_STRINGS) == 16


@pytest.mark.parametrize("name", HARD_STRINGS)
def test_cursor_stands_where_the_screen_measures(factory: EngineFactory, name: str) -> None:
    text = HARD_STRINGS[name]
    probe = EngineProbe(factory, COLUMNS, 5)
    probe.feed(text)
    assert probe.cursor() == (cell_len(text), 0)
    probe.engine.close()


@pytest.mark.parametrize("name", HARD_STRINGS)
def test_every_row_fills_its_columns(factory: EngineFactory, name: str) -> None:
    text = HARD_STRINGS[name]
    probe = EngineProbe(factory, COLUMNS, 5)
    # Every string also ends at, just before and just after the margin, and is overwritten in part.
    probe.feed(f"{text}\r\n{text * 4}\r\n\x1b[4;{COLUMNS - 1}H{text}\x1b[2;4H{text}\x1b[2;9Hx")
    painter = RowPainter()
    for y in range(5):
        row = probe.row(y)
        assert sum(run.columns for run in row) == COLUMNS
        strip = painter.strip(row, COLUMNS)
        assert sum(cell_len(segment.text) for segment in strip) == COLUMNS
        assert strip.cell_length == COLUMNS
    probe.engine.close()


def test_a_run_measured_otherwise_keeps_the_columns_after_it() -> None:
    row = (Run("ab", 2), Run("👩\u200d💻", 4), Run("x" * 4, 4))
    strip = RowPainter().strip(row, 10)
    assert strip.cell_length == cell_len(strip.text) == 10
    assert strip.crop(6, 10).text == "xxxx"


@pytest.mark.parametrize(
    "odd",
    ["\U0001f1e9", "\U0001f1e9\u200d", "\u0903", "\U0001f3fb", "\u2e3b", "\U00018cd6", "\u302e"],
)
def test_characters_of_disputed_width_move_nothing(factory: EngineFactory, odd: str) -> None:
    probe = EngineProbe(factory, COLUMNS, 2)
    probe.feed(f"持{odd}\x1b[1;11Hmark")
    strip = RowPainter().strip(probe.row(0), COLUMNS)
    assert sum(cell_len(segment.text) for segment in strip) == COLUMNS
    assert strip.crop(10, 14).text == "mark"
    probe.engine.close()


def test_a_run_that_cannot_be_fitted_is_replaced() -> None:
    assert RowPainter().strip((Run("\U0001f1e9\u200d", 2),), 2).text == "\ufffd "


def test_styles_are_kept_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal_rows, "MAX_STYLES", 10)
    painter = RowPainter()
    for red in range(100):
        painter.strip((Run("x", 1, CellStyle((red, 0, 0))),), 1)
    assert painter.style_count <= 10


def test_invisible_text_is_not_drawn() -> None:
    row = (Run("key持", 5, CellStyle(attributes=int(Attribute.INVISIBLE))),)
    assert RowPainter().strip(row, 5).text == " " * 5


def test_attributes_and_colours_are_drawn() -> None:
    marks = Attribute.BOLD | Attribute.FAINT | Attribute.STRIKE | Attribute.INVERSE
    style = RowPainter().style(CellStyle(3, (1, 2, 3), int(marks)))
    assert style is not None
    assert (style.bold, style.dim, style.strike, style.reverse) == (True,) * 4
    assert style.italic is None
    assert style.color is not None
    assert style.color.number == 3
    assert style.bgcolor is not None
    assert style.bgcolor.triplet == (1, 2, 3)


@pytest.mark.parametrize(
    ("text", "column", "under"),
    [
        ("a*\ufe0fb", 1, "*\ufe0f"),
        ("a👩\u200d💻b", 1, "👩\u200d💻"),
        ("abc", 1, "b"),
        ("a持c", 1, "持"),
        ("a持c", 3, "c"),
        ("abc", 9, "c"),
        ("abc", 0, "a"),
    ],
)
def test_text_cursor_covers_one_character(
    factory: EngineFactory, text: str, column: int, under: str
) -> None:
    columns = cell_len(text)
    probe = EngineProbe(factory, columns, 2)
    probe.feed(text)
    painted = with_cursor(RowPainter().strip(probe.row(0), columns), column, "block")
    assert painted.text == text
    assert sum(cell_len(part.text) for part in painted) == columns
    reversed_parts = [part.text for part in painted if part.style and part.style.reverse]
    assert "".join(reversed_parts) == under
    probe.engine.close()


def test_a_cursor_on_an_empty_strip_is_nothing() -> None:
    assert with_cursor(Strip([]), 3, "line").text == ""


def test_spans_join_neighbours() -> None:
    assert spans({5, 1, 2, 9, 3, -1, 40}, 10) == [(1, 3), (5, 1), (9, 1)]
