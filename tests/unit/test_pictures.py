"""Pictures of screens: letters stand in their columns, and nothing is lost on the way."""

from __future__ import annotations

import os
import re
import struct
import zlib
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text
from textual.app import App, ComposeResult
from textual.widgets import Static

from screenshots import png
from screenshots.svg_to_png import (
    CELL_WIDTH,
    LINE_HEIGHT,
    RenderError,
    align,
    draw,
    place,
    render_png,
)
from tests.browser import find_browser

if TYPE_CHECKING:
    from pathlib import Path

COLUMNS, ROWS = 24, 4
LINES = ["█给█🚀█é█", "READMEを書き直す█", "├╴▸ ◉ ✗ █", "a -> b\u00a0=> c   █"]
INK = (0x86, 0xA9, 0xF5)
GROUND = (0x12, 0x16, 0x1D)
SVG = "{http://www.w3.org/2000/svg}"


class Screen(App[None]):
    CSS = "Screen { background: #12161d; } Static { height: 1; color: #86a9f5; }"

    def compose(self) -> ComposeResult:
        yield from (Static(Text(line)) for line in LINES)


def words(svg: str) -> list[str]:
    """What the texts of a picture say; Rich also writes the ends of lines as texts."""
    texts = ("".join(text.itertext()) for text in ET.fromstring(svg).iter(f"{SVG}text"))
    return [text for text in texts if text.strip("\n")]


@pytest.fixture
async def svg() -> str:
    app = Screen()
    async with app.run_test(size=(COLUMNS, ROWS)):
        return app.export_screenshot(title="ink-tui")


CLUSTERS = [*"ab =>给を🚀é◉├╴█", "👩\u200d🚀", "❤\ufe0f", "e\u0301"]


@given(st.lists(st.sampled_from(CLUSTERS)).map("".join))
def test_parts_account_for_every_cell_in_order(text: str) -> None:
    column, seen = 0, ""
    for part, start, cells in place(text):
        assert start == column
        assert cells == cell_len(part)
        column += cells
        seen += part
    assert column == cell_len(text)
    assert seen == text


def test_wide_and_foreign_letters_stand_alone() -> None:
    assert list(place("ab给c🚀 ├─◉")) == [
        ("ab", 0, 2),
        ("给", 2, 2),
        ("c", 4, 1),
        ("🚀", 5, 2),
        (" ├─", 7, 3),
        ("◉", 10, 1),
    ]


def test_nothing_is_fetched_and_nothing_is_said_twice(svg: str) -> None:
    aligned = align(svg)
    assert re.findall(r"https?://(?!www\.(?:w3\.org|textualize\.io))[^\s\"]*", aligned) == []
    assert "@font-face" not in aligned
    assert words(aligned) == words(svg)
    assert LINES[1] in words(aligned)


def test_another_size_is_refused(svg: str, tmp_path: Path) -> None:
    with pytest.raises(RenderError, match="not 80x24 cells"):
        render_png(svg, tmp_path / "x.png", 80, 24)


def test_blocks_behind_wide_letters_are_drawn_in_their_cells(svg: str) -> None:
    find_browser()
    try:
        picture = draw(svg, COLUMNS, ROWS)
    except RenderError as error:
        if os.environ.get("CI") == "true" or "fonts are missing" not in str(error):
            raise
        pytest.skip(str(error))

    def middle(column: int, row: int) -> tuple[int, int, int]:
        return picture.pixel(
            int(9 + (column + 0.5) * CELL_WIDTH), int(41 + (row + 0.5) * LINE_HEIGHT)
        )

    for row, line in enumerate(LINES):
        blocks = {cell_len(line[:at]) for at, letter in enumerate(line) if letter == "█"}
        assert blocks
        for column in blocks:
            assert middle(column, row) == INK
        assert middle(max(blocks) + 1, row) == GROUND
        assert middle(max(blocks) + 2, row) == GROUND


class TestPng:
    @given(st.integers(1, 9), st.integers(1, 9), st.binary(min_size=1, max_size=300))
    def test_what_is_written_is_read(self, width: int, height: int, seed: bytes) -> None:
        count = width * height * 3
        picture = png.Picture(width, height, (seed * count)[:count])
        assert png.decode(png.encode(picture)) == picture

    @pytest.mark.parametrize(("colours", "kind"), [(256, 3), (257, 2)])
    def test_palette_only_where_nothing_is_lost(self, colours: int, kind: int) -> None:
        pixels = b"".join(number.to_bytes(3, "big") for number in range(colours))
        picture = png.Picture(colours, 1, pixels)
        data = png.encode(picture)
        assert data[25] == kind
        assert png.decode(data) == picture

    def test_every_filter_is_undone(self) -> None:
        """Rows of two pixels, filtered by hand by section 9.2: sub, up, average, Paeth."""
        first = bytes([10, 20, 30, 15, 18, 200])
        rows = b"".join(
            [
                bytes([1, 10, 20, 30, 5, 254, 170]),
                bytes([2, 0, 0, 0, 0, 0, 0]),
                bytes([3, 5, 10, 15, 3, 255, 85]),
                bytes([4, 0, 0, 0, 0, 0, 0]),
            ]
        )
        parts = [
            (b"IHDR", struct.pack(">IIBBBBB", 2, 4, 8, 2, 0, 0, 0)),
            (b"IDAT", zlib.compress(rows)),
        ]
        data = b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(body)) + name + body + bytes(4) for name, body in parts
        )
        assert png.decode(data).pixels == first * 4

    @pytest.mark.parametrize("data", [b"GIF89a", b""])
    def test_other_files_are_refused(self, data: bytes) -> None:
        with pytest.raises(ValueError, match="not a PNG"):
            png.decode(data)

    def test_a_picture_is_not_cropped_beyond_its_edge(self) -> None:
        with pytest.raises(ValueError, match="smaller"):
            png.Picture(1, 1, bytes(3)).cropped(2, 1)
