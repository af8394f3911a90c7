"""Header, footer and hair lines on a mounted screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static

from ink_tui.keymap import DEFAULT_KEYMAP, Context
from ink_tui.tui.render.bars import HeaderFacts
from ink_tui.tui.themes import register_themes
from ink_tui.tui.widgets.footer_bar import FooterBar
from ink_tui.tui.widgets.hair_line import HairLine
from ink_tui.tui.widgets.header_bar import HeaderBar

if TYPE_CHECKING:
    from ink_tui.tui.messages import ActionChosen, SplitterMoved, SplitterReset

FACTS = HeaderFacts("~/.ink/sessions", 42, 7, 3, "watching", clock="12:04")


class Bars(App[None]):
    CSS = "Horizontal { height: 1fr; } Static { width: 20; }"

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[object] = []

    def compose(self) -> ComposeResult:
        yield HeaderBar(id="header")
        with Horizontal():
            yield Static("left")
            yield HairLine(vertical=True, splitter=True, id="split")
            yield Static("right")
        yield HairLine(id="rule")
        yield FooterBar(id="footer")

    def on_mount(self) -> None:
        register_themes(self)
        self.theme = "ink"
        self.query_one(HeaderBar).facts = FACTS
        self.query_one(FooterBar).show(DEFAULT_KEYMAP, Context.LIST)

    def on_action_chosen(self, message: ActionChosen) -> None:
        self.heard.append(message.action_id)

    def on_splitter_moved(self, message: SplitterMoved) -> None:
        self.heard.append((message.splitter_id, message.cells, message.final))

    def on_splitter_reset(self, message: SplitterReset) -> None:
        self.heard.append(message.splitter_id)


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 20)])
async def test_every_entry_of_the_footer_can_be_clicked(size: tuple[int, int]) -> None:
    app = Bars()
    async with app.run_test(size=size) as pilot:
        footer = app.query_one(FooterBar)
        at, expected = 0, []
        for piece in footer.line(size[0]):
            if piece.part:
                await pilot.click("#footer", offset=(at, 0))
                expected.append(piece.part)
            at += len(piece.text)
        assert app.heard == expected
        assert {"open", "resume", "fork", "help"} <= set(expected)
        assert footer.render_line(0).cell_length == size[0]


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 20)])
async def test_the_number_that_needs_attention_can_be_clicked(size: tuple[int, int]) -> None:
    app = Bars()
    async with app.run_test(size=size) as pilot:
        header = app.query_one(HeaderBar)
        assert header.render_line(0).cell_length == size[0]
        await pilot.click("#header", offset=(header.render_line(0).text.index("! 3") + 2, 0))
        await pilot.click("#header", offset=(size[0] // 2 + 10, 0))
        assert app.heard == ["by-urgency"]


async def test_a_splitter_reports_whole_cells_lights_up_and_resets() -> None:
    app = Bars()
    async with app.run_test(size=(80, 24)) as pilot:
        line = app.query_one("#split", HairLine)
        await pilot.hover("#split")
        await pilot.pause()
        lit = [line.lit]
        await pilot.mouse_down("#split", offset=(0, 5))
        await pilot.hover(offset=(24, 6))
        await pilot.hover(offset=(22, 6))
        await pilot.mouse_up(offset=(22, 6))
        await pilot.pause()
        assert app.heard == [("split", 4, False), ("split", -2, False), ("split", 0, True)]
        app.heard.clear()
        await pilot.hover("#footer")
        await pilot.pause()
        assert [*lit, line.lit] == [True, False]
        await pilot.click("#split", times=2)
        assert app.heard[-1] == "split"


async def test_a_rule_that_is_no_splitter_stays_dark_and_silent() -> None:
    app = Bars()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.click("#rule", offset=(5, 0), times=2)
        await pilot.pause()
        rule = app.query_one("#rule", HairLine)
        assert (app.heard, rule.lit) == ([], False)
        assert rule.render_line(0).text == "─" * 80
