"""The row list on a mounted screen: selection, scrolling, mouse, and how much it draws."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from textual.app import App, ComposeResult
from textual.events import MouseScrollDown
from textual.widgets import Input

from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.render.rows import BLANK, Piece, Role, Row
from ink_tui.tui.themes import register_themes
from ink_tui.tui.widgets.bindings import textual_keymap
from ink_tui.tui.widgets.rows_view import RowsView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.pilot import Pilot

SIZES = [(120, 36), (80, 24), (60, 20)]
sizes = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


def row(number: int, *, below: bool = False) -> Row:
    return Row(
        key=f"r{number}",
        mark=(Piece("▸", part="fold"),),
        text=(Piece(f"row {number} 给解析器加上 CRLF 支持 with more words than sixty cells hold"),),
        time=(Piece("now", Role.DIM),),
        below=(Piece("torn tail", Role.WARNING),) if below else None,
    )


def thousand() -> list[Row]:
    return [row(number, below=number % 3 == 0) for number in range(1000)]


class Rows(App[None]):
    CSS = "RowsView { height: 1fr; }"

    def __init__(self, rows: Sequence[Row], glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self.view = RowsView(glyphs=glyphs, id="rows")
        self.given = rows
        self.seen: list[tuple[str, str | None]] = []

    def compose(self) -> ComposeResult:
        yield self.view
        yield Input()

    def on_mount(self) -> None:
        register_themes(self)
        self.theme = "ink"
        self.view.set_rows(self.given)
        self.view.focus()

    def on_rows_view_highlighted(self, message: RowsView.Highlighted) -> None:
        self.seen.append(("highlighted", message.key))

    def on_rows_view_opened(self, message: RowsView.Opened) -> None:
        self.seen.append(("opened", message.key))

    def on_rows_view_part_clicked(self, message: RowsView.PartClicked) -> None:
        self.seen.append((message.part, message.key))


def screen_line_of(view: RowsView, key: str) -> int:
    """Where the first line of a row is drawn, counted from the view's top."""
    for y in range(view.size.height):
        if f" row {key[1:]} " in view.render_line(y).text:
            return y
    raise AssertionError(f"{key} is not on the screen")


@sizes
async def test_keys_move_the_selection(size: tuple[int, int]) -> None:
    app = Rows(thousand())
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert app.view.selected == "r0"
        await pilot.press("down", "j", "down", "k", "up")
        assert app.view.selected == "r1"
        await pilot.press("G")
        assert app.view.selected == "r999"
        assert app.view.scroll_offset.y == app.view.max_scroll_y
        await pilot.press("g")
        assert (app.view.selected, app.view.scroll_offset.y) == ("r0", 0)
        await pilot.press("pagedown")
        page = app.view.selected_index or 0
        assert 0.6 * (size[1] - 3) <= page <= size[1] - 3
        await pilot.press("ctrl+d", "ctrl+u", "pageup")
        assert app.view.selected == "r0"
        await pilot.press("end", "home", "enter")
        assert app.seen[-1] == ("opened", "r0")


@sizes
async def test_only_the_screen_is_laid_out_and_drawn(size: tuple[int, int]) -> None:
    app = Rows(thousand())
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert app.view.laid_out_rows <= size[1]
        app.view.drawn_lines = 0
        await pilot.press("down")
        await pilot.pause()
        assert 0 < app.view.drawn_lines <= 4
        await pilot.press("G")
        await pilot.pause()
        assert app.view.laid_out_rows <= 2 * size[1]


@sizes
async def test_every_line_is_as_wide_as_the_view(size: tuple[int, int]) -> None:
    app = Rows([*thousand()[:7], BLANK, row(8)])
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        strips = [app.view.render_line(y) for y in range(app.view.size.height)]
        assert {strip.cell_length for strip in strips} == {size[0]}
        assert {len(set(map(str, strip.text))) > 1 for strip in strips} == {True, False}


@sizes
async def test_rows_arriving_above_leave_the_selected_row_where_it_is(
    size: tuple[int, int],
) -> None:
    app = Rows(thousand())
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        app.view.select("r500", centre=True)
        await pilot.pause()
        before = screen_line_of(app.view, "r500")
        heard = len(app.seen)
        app.view.set_rows([row(2000), row(2001, below=True), *thousand()])
        await pilot.pause()
        assert app.view.selected == "r500"
        assert screen_line_of(app.view, "r500") == before
        assert len(app.seen) == heard


@sizes
async def test_a_vanished_row_gives_the_selection_to_its_neighbour(size: tuple[int, int]) -> None:
    rows = thousand()
    app = Rows(rows)
    async with app.run_test(size=size) as pilot:
        app.view.select("r500")
        await pilot.pause()
        app.view.set_rows([r for r in rows if r.key not in ("r500", "r501")])
        await pilot.pause()
        assert app.view.selected == "r499"
        app.view.set_rows([])
        await pilot.pause()
        app.view.set_rows(rows)
        await pilot.pause()
        assert [key for _, key in app.seen][-3:] == ["r499", None, "r0"]


async def test_the_wheel_moves_neither_focus_nor_selection() -> None:
    app = Rows(thousand())
    async with app.run_test(size=(80, 24)) as pilot:
        app.query_one(Input).focus()
        await pilot.pause()
        await pilot._post_mouse_events([MouseScrollDown], widget=app.view, offset=(5, 5), button=0)
        await pilot.pause()
        assert app.view.scroll_offset.y > 0
        assert (app.view.selected, app.view.has_focus) == ("r0", False)
        # The selected row is off the screen: what is seen keeps its height when rows arrive.
        first = app.view.render_line(3).text
        app.view.set_rows([row(3000), *thousand()])
        await pilot.pause()
        assert app.view.render_line(3).text == first


async def click(pilot: Pilot[None], x: int, y: int, times: int = 1) -> None:
    await pilot.click("#rows", offset=(x, y), times=times)
    await pilot.pause()


async def test_clicks_select_open_and_name_parts() -> None:
    app = Rows(thousand())
    async with app.run_test(size=(80, 24)) as pilot:
        await click(pilot, 20, 2)
        assert app.view.selected == "r1"
        await click(pilot, 20, 3, times=2)
        assert app.seen[-1] == ("opened", "r2")
        await click(pilot, 1, 4)
        assert app.seen[-1] == ("fold", "r3")


async def test_focus_hover_and_selection_have_grounds_of_their_own() -> None:
    app = Rows(thousand())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.hover("#rows", offset=(20, 5))
        await pilot.pause()

        def ground(y: int) -> object:
            style = next(iter(app.view.render_line(y))).style
            assert style is not None
            return style.bgcolor

        grounds = [ground(0), ground(2), ground(5)]
        app.query_one(Input).focus()
        await pilot.pause()
        assert len({*grounds, ground(0)}) == 4
        app.theme = "ink-light"
        await pilot.pause()
        assert ground(2) != grounds[1]


async def test_a_view_at_its_end_follows_what_is_appended() -> None:
    app = Rows(thousand())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("end")
        app.view.set_rows([*thousand(), row(1000)], follow=True)
        await pilot.pause()
        assert app.view.selected == "r1000"
        assert screen_line_of(app.view, "r1000") >= 0
        await pilot.press("up")
        app.view.set_rows([*thousand(), row(1000), row(1001)], follow=True)
        assert app.view.selected == "r999"


async def test_a_smaller_window_keeps_the_selected_row_on_the_screen() -> None:
    app = Rows(thousand())
    async with app.run_test(size=(120, 36)) as pilot:
        app.view.select("r20")
        await pilot.pause()
        for size in [(60, 12), (40, 10), (120, 36)]:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert screen_line_of(app.view, "r20") >= 0


async def test_rows_that_cannot_be_selected_are_passed_over_and_shown() -> None:
    heading = Row("head", text=(Piece("row head "),), selectable=False)
    app = Rows([heading, *thousand()[:60], BLANK, *thousand()[60:90]])
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("end", "home")
        await pilot.pause()
        assert app.view.selected == "r0"
        assert screen_line_of(app.view, "rhead") == 0
        app.view.select("r59")
        await pilot.press("down")
        assert app.view.selected == "r60"


async def test_without_colour_the_selection_is_reverse_or_bold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = Rows(thousand())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()

        def styles(y: int) -> list[tuple[bool, bool]]:
            strip = app.view.render_line(y)
            return [(bool(s.style.reverse), bool(s.style.bold)) for s in strip if s.style]

        assert set(styles(0)) == {(True, False)}
        assert set(styles(2)) == {(False, False)}
        app.query_one(Input).focus()
        await pilot.pause()
        assert set(styles(0)) == {(False, True)}


async def test_in_ascii_mode_scroll_bar_and_cuts_are_ascii() -> None:
    plain = [Row(f"r{at}", text=(Piece(f"row {at} " + "many words " * 20),)) for at in range(200)]
    app = Rows(plain, ASCII)
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("end")
        await pilot.pause()
        assert app.view.render_line(0).text.rstrip().endswith("~")
        bar = [
            "".join(s.text for s in strip)
            for strip in app.view.vertical_scrollbar.render_lines(
                app.view.vertical_scrollbar.size.region
            )
        ]
        assert set("".join(bar)) == {"#", "|"}
        assert bar[-1] == "#"


async def test_the_users_keys_replace_those_of_the_table() -> None:
    from ink_tui.keymap import build_keymap

    app = Rows(thousand())
    async with app.run_test(size=(60, 20)) as pilot:
        app.set_keymap(textual_keymap(build_keymap({"row-down": ["n"]}, "config.toml")))
        await pilot.press("n", "j", "n")
        assert app.view.selected == "r2"


async def test_a_row_is_drawn_in_another_look_alone() -> None:
    app = Rows(thousand())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("j", "j")
        await pilot.pause()
        view = app.view
        view.laid_out_rows = view.drawn_lines = 0
        other = replace(row(1), text=(Piece("another look"),))
        assert view.put_row(other)
        await pilot.pause()
        assert view.row("r1") == other == view.rows[1]
        assert view.laid_out_rows == view.drawn_lines == 1
        assert "another look" in "".join(view.render_line(y).text for y in range(4))
        assert view.selected == "r2"


async def test_a_row_of_another_height_or_of_no_place_is_not_put() -> None:
    app = Rows([*thousand()[:4], BLANK])
    async with app.run_test(size=(80, 24)):
        before = app.view.rows
        for other in (row(1, below=True), row(99), replace(row(1), selectable=False), BLANK):
            assert not app.view.put_row(other)
        assert app.view.rows == before


async def test_the_scroll_bar_knows_where_it_stands_when_it_is_first_shown() -> None:
    app = Rows([row(0)])
    async with app.run_test(size=(60, 20)) as pilot:
        app.view.set_rows(thousand())
        app.view.select("r999")  # scrolled before there is a bar
        await pilot.pause()
        assert app.view.scroll_y > 0
        assert app.view.vertical_scrollbar.position == app.view.scroll_y
