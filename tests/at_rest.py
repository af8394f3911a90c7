"""When a test may go on: once the program has nothing more to do, not once it seems to sleep.

Textual's own pilot sleeps 20 ms after every key and takes the program for idle when it used little
of the processor meanwhile. That costs most of the time of a test and errs on a busy machine, where
a program that waits for its turn looks the same as one that has nothing to do. Here the event loop
itself is asked. What is left to time is work in threads that does not end: see `_threads_ended`.
"""

from __future__ import annotations

import asyncio
from time import process_time
from typing import TYPE_CHECKING, Any

import textual.app
import textual.pilot
from textual._context import active_app
from textual._styles_cache import StylesCache

if TYPE_CHECKING:
    import pytest

QUIET_TURNS = 3
"""Turns of the event loop in a row in which nothing is to be done: a timer may be due in one."""
LONGEST = 5.0
"""Seconds that a program may take to come to rest: on a busy machine one step may take a second."""
GLANCE = 0.05
"""Seconds for which a thread is waited for before it is judged."""
IDLE_SECONDS = 0.001
"""Processor time of the whole process in a `GLANCE` below which its threads wait for something."""

_under_way: set[asyncio.Future[Any]] = set()
"""What event loops have given to threads and not got back."""


def install(patch: pytest.MonkeyPatch) -> None:
    """Let every pilot wait for rest in our way."""
    original = asyncio.BaseEventLoop.run_in_executor

    def noted(self: asyncio.BaseEventLoop, *given: Any) -> asyncio.Future[Any]:
        future = original(self, *given)
        _under_way.add(future)
        future.add_done_callback(_under_way.discard)
        return future

    patch.setattr(asyncio.BaseEventLoop, "run_in_executor", noted)
    patch.setattr(textual.app, "wait_for_idle", at_rest)
    patch.setattr(textual.pilot, "wait_for_idle", at_rest)


async def at_rest(_least: float = 0, longest: float = LONGEST) -> None:
    """Wait until the program has nothing to do and its screen is drawn, at most so many seconds.

    Stands in for `wait_for_idle` of Textual, which may be given a least time, too.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + longest
    quiet = 0
    while loop.time() < end:
        await asyncio.sleep(0)
        # No interface tells of it; the name has been the same since asyncio began.
        if vars(loop)["_ready"] or _brought_forward():
            quiet = 0
        elif quiet < QUIET_TURNS:
            quiet += 1
        elif await _threads_ended(loop):
            return
        else:
            quiet = 0


def _brought_forward() -> bool:
    """Do now what Textual would do within the next 17 ms: take a new size, draw. True if it did."""
    app = active_app.get(None)
    if app is None or not app.screen_stack:
        return False
    if app._resize_event is not None:
        app._check_resize()
        return True
    screen = app.screen
    if app._batch_count or not screen.is_current or not screen.is_running:
        return False
    to_do = (
        screen._layout_required,
        screen._scroll_required,
        screen._repaint_required,
        screen._recompose_required,
        screen._dirty_widgets,
        screen._callbacks,
    )
    if any(to_do):
        screen._on_timer_update()
    return any(to_do)


async def _threads_ended(loop: asyncio.AbstractEventLoop) -> bool:
    """Return whether there is no work in threads, or only such as waits for something itself."""
    waited = [future for future in _under_way if future.get_loop() is loop]
    if not waited:
        return True
    before = process_time()
    done, _ = await asyncio.wait(waited, timeout=GLANCE, return_when=asyncio.FIRST_COMPLETED)
    return not done and process_time() - before < IDLE_SECONDS


def forget_drawn() -> None:
    """Let go of what is drawn of widgets that are gone.

    Textual keeps the lines of the last thousand widgets through a cache of two colours. In a
    process that runs hundreds of programs, the search for garbage goes through all of them.
    """
    StylesCache.get_inner_outer.cache_clear()
