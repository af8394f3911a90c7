"""What every test of a screen relies on: it goes on once the program is at rest, no sooner."""

from __future__ import annotations

import asyncio
import time
from threading import Event
from typing import TYPE_CHECKING

from textual.app import App, ComposeResult
from textual.widgets import Static

from tests.at_rest import at_rest

if TYPE_CHECKING:
    from textual.events import Key, Resize


class Steps(App[None]):
    """A program that works in steps, each of which starts the next, when a key is pressed."""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self.left = steps
        self.after_refresh = False
        self.seen_width = 0

    def compose(self) -> ComposeResult:
        yield Static("")

    def on_key(self, _event: Key) -> None:
        self._step()

    def _step(self) -> None:
        self.query_one(Static).update(f"{self.left} left")
        if self.left:
            self.left -= 1
            self.call_later(self._step)
        else:
            self.call_after_refresh(self._drawn)

    def _drawn(self) -> None:
        self.after_refresh = True

    def on_resize(self, event: Resize) -> None:
        self.seen_width = event.size.width


async def test_all_steps_are_done_and_drawn_after_a_key() -> None:
    app = Steps(300)
    async with app.run_test() as pilot:
        await pilot.press("x")
        assert app.left == 0
        assert app.after_refresh
        strips = app.screen._compositor.render_strips()
        assert "0 left" in strips[0].text


async def test_a_new_size_has_arrived() -> None:
    app = Steps(0)
    async with app.run_test(size=(80, 24)) as pilot:
        assert app.seen_width == 80
        await pilot.resize_terminal(60, 20)
        assert app.seen_width == 60


async def test_work_in_a_thread_is_waited_for() -> None:
    def work() -> int:
        start = time.thread_time()
        while time.thread_time() - start < 0.2:
            pass
        return 1

    begun = asyncio.ensure_future(asyncio.to_thread(work))
    await asyncio.sleep(0)
    await at_rest()
    assert begun.done()


async def test_a_thread_that_waits_itself_is_not() -> None:
    gate = Event()
    begun = asyncio.ensure_future(asyncio.to_thread(gate.wait))
    try:
        await asyncio.sleep(0)
        before = asyncio.get_running_loop().time()
        await at_rest(longest=60)
        assert asyncio.get_running_loop().time() - before < 30
        assert not begun.done()
    finally:
        gate.set()
    assert await begun
