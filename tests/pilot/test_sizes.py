"""A widget that is mounted on a shown screen hears its size, whatever Textual asked meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import App
from textual.containers import Vertical
from textual.widget import Widget

from ink_tui.tui.widgets.sizes import tell_sizes
from tests.pilot.app import app_on_demo, demo_in, settled
from tests.pilot.run import Run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest
    from textual.geometry import Region


class _Probe(Widget):
    heard = 0

    def on_resize(self) -> None:
        self.heard += 1


def _forget_where(app: App[object]) -> None:
    """Let the next question where a widget is make a layout of its own."""
    app.screen._compositor._full_map_invalidated = True


async def _heard(tell: Callable[[Widget], None]) -> int:
    app: App[object] = App()
    async with app.run_test() as pilot:
        around = Vertical()
        await app.screen.mount(around)
        await pilot.pause()
        inner = _Probe()
        outer = Widget(inner)
        _forget_where(app)
        await around.mount(outer)
        tell(outer)
        await pilot.pause()
        assert inner.size.width
        return inner.heard


async def test_what_is_mounted_hears_its_size() -> None:
    assert await _heard(tell_sizes)


async def test_textual_alone_does_not_tell_it() -> None:
    """Once this fails, Textual tells it, and `tell_sizes` is not needed any more."""
    assert not await _heard(lambda _widget: None)


async def test_the_third_column_comes_when_the_pane_is_mounted_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refresh = Widget.refresh

    def refresh_and_ask(self: Widget, *regions: Region, **how: bool) -> Widget:
        if self.id == "panes" and how.get("layout"):
            _forget_where(self.app)
        return refresh(self, *regions, **how)

    monkeypatch.setattr(Widget, "refresh", refresh_and_ask)
    demo = demo_in(tmp_path)
    app = app_on_demo(demo)
    async with app.run_test(size=(200, 60)) as pilot:
        await settled(pilot)
        assert Run(pilot, demo).browser.session.beside.size.width >= 50
