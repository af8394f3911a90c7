"""An app that shows one dialog and keeps what comes out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.app import App

from ink_tui.tui.render.cells import width
from ink_tui.tui.render.dialog_rows import lines_of
from ink_tui.tui.themes import register_themes
from ink_tui.tui.widgets.dialog import Dialog
from ink_tui.tui.widgets.rows_view import RowsView

if TYPE_CHECKING:
    from textual.pilot import Pilot
    from textual.screen import Screen

    from ink_tui.tui.screens.preflight import PreflightScreen

SIZES = [(120, 36), (80, 24), (60, 20)]


class Host(App[None]):
    """The app; `results` holds what the dialog has returned."""

    def __init__(self, dialog: Screen[Any], theme: str = "ink") -> None:
        super().__init__()
        self.dialog = dialog
        self.wanted_theme = theme
        self.results: list[object] = []
        self.asked: list[str] = []

    def on_mount(self) -> None:
        register_themes(self)
        self.theme = self.wanted_theme
        self.push_screen(self.dialog, self.results.append)

    def on_preflight_screen_agent_wanted(self, message: PreflightScreen.AgentWanted) -> None:
        self.asked.append(f"agent {message.agent}")

    def on_preflight_screen_undo_wanted(self, message: PreflightScreen.UndoWanted) -> None:
        self.asked.append("undo")


def screen_lines(app: App[Any]) -> list[str]:
    """What a person sees, line by line."""
    strips = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip) for strip in strips]


def screen_text(app: App[Any]) -> str:
    return "\n".join(screen_lines(app))


async def click_on(pilot: Pilot[None], text: str, *, last: bool = False) -> None:
    """Click on the first place, or the last, where a text is drawn."""
    lines = screen_lines(pilot.app)
    rows = [y for y, line in enumerate(lines) if text in line]
    assert rows, f"{text!r} is not on the screen:\n" + "\n".join(lines)
    y = rows[-1 if last else 0]
    at = lines[y].rfind(text) if last else lines[y].find(text)
    await pilot.click(offset=(width(lines[y][:at]), y))
    await pilot.pause()


def assert_fits(app: App[Any]) -> None:
    """No row is wider than its view, no view leaves the screen, and the options do not scroll."""
    for view in app.screen.query(RowsView):
        if not view.size.height:
            continue
        assert app.screen.region.contains_region(view.region), view.id
        cells = view.scrollable_content_region.width
        assert {view.render_line(y).cell_length for y in range(view.size.height)} == {cells}
    for dialog in app.screen.query(Dialog):
        assert dialog.foot.size.height == lines_of(dialog.foot.rows)
        assert dialog.foot.max_scroll_y == 0
