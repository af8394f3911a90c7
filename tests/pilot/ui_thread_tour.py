"""A tour through the whole program that notes what its main thread does to files and processes.

Run as a program: `python -m tests.pilot.ui_thread_tour FOLDER`. It prints one JSON object. An audit
hook cannot be taken back and sees everything, so it lives in a process of its own.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
import traceback
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

MAIN = threading.main_thread()
FILE_EVENTS = frozenset(
    {
        *("open", "os.listdir", "os.scandir", "os.mkdir", "os.rename", "os.remove", "os.rmdir"),
        *("os.link", "os.symlink", "os.utime", "os.truncate", "os.chmod", "os.chown"),
        *("fcntl.flock", "fcntl.lockf", "os.putenv", "shutil.rmtree", "tempfile.mkstemp"),
    }
)
PROCESS_EVENTS = frozenset(
    {"subprocess.Popen", "os.posix_spawn", "os.fork", "os.exec", "os.system"}
)
LOOKED = ("stat", "lstat", "access", "readlink")
WAITED = ("waitpid", "wait", "wait3", "wait4", "waitid")
BUILT = (
    ("ink_tui.store.reader", "diagnose"),
    ("ink_tui.store.repair_plan", "diagnose"),
    ("ink_tui.tui.render.session_views", "build_outline"),
    ("ink_tui.tui.render.session_views", "build_transcript"),
    ("ink_tui.tui.render.session_views", "build_table"),
    ("ink_tui.tui.render.session_views", "build_health"),
)


class Notes:
    """What was seen while the tour went on."""

    def __init__(self) -> None:
        self.places: list[str] = []
        """Folders whose files the main thread must not touch."""
        self.on = False
        self.files: list[str] = []
        self.processes: list[str] = []
        self.waits: list[str] = []
        self.built: dict[str, dict[str, int]] = {}
        self.elsewhere = 0
        """Files of the same folders that other threads opened: the hook does see them."""

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.on:
            return
        if event in FILE_EVENTS and self._inside(arguments[0] if arguments else None):
            self._note(self.files, event, arguments[0])
        elif event in PROCESS_EVENTS and threading.current_thread() is MAIN:
            self.processes.append(_where(event, arguments[0] if arguments else ""))

    def looked(self, name: str, path: object) -> None:
        if self.on and self._inside(path):
            self._note(self.files, f"os.{name}", path)

    def waited(self, name: str, options: int) -> None:
        if self.on and threading.current_thread() is MAIN and not options & os.WNOHANG:
            self.waits.append(_where(f"os.{name}", ""))

    def built_by(self, name: str) -> None:
        main = "main" if threading.current_thread() is MAIN else "other"
        counts = self.built.setdefault(name, {"main": 0, "other": 0})
        counts[main] += 1

    def _inside(self, path: object) -> bool:
        if not isinstance(path, str | bytes | os.PathLike):
            return False
        text = os.fsdecode(path)
        return any(text == place or text.startswith(place + "/") for place in self.places)

    def _note(self, notes: list[str], event: str, what: object) -> None:
        if threading.current_thread() is MAIN:
            notes.append(_where(event, what))
        else:
            self.elsewhere += 1


def _where(event: str, what: object) -> str:
    frames = traceback.extract_stack()
    ours = [f"{Path(f.filename).name}:{f.name}" for f in frames if "/ink_tui/" in f.filename]
    return f"{event} {what} by {' > '.join(ours[-4:])}"


NOTES = Notes()


def listen() -> None:
    """Put hook and patches in place."""
    sys.addaudithook(NOTES.audit)
    for name in LOOKED:
        setattr(os, name, _looking(name, getattr(os, name)))
    for name in WAITED:
        setattr(os, name, _waiting(name, getattr(os, name)))
    for module_name, name in BUILT:
        module = __import__(module_name, fromlist=[name])
        setattr(module, name, _building(name, getattr(module, name)))


def _looking(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
    def look(path: Any, *arguments: Any, **named: Any) -> Any:
        NOTES.looked(name, path)
        return real(path, *arguments, **named)

    return look


def _waiting(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
    def wait(*arguments: Any) -> Any:
        NOTES.waited(name, arguments[-1] if name != "wait" and arguments else 0)
        return real(*arguments)

    return wait


def _building(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
    def build(*arguments: Any, **named: Any) -> Any:
        NOTES.built_by(name)
        return real(*arguments, **named)

    return build


async def tour(folder: Path) -> list[str]:
    """Go through the program on a demo; return the stops that were reached."""
    from ink_tui.agent.agents import built_in_agent
    from ink_tui.agent.engine_choice import load_engine
    from ink_tui.store.demo import create_demo
    from ink_tui.store.library import Library, system_clock
    from ink_tui.store.trash import folder_as_trash
    from ink_tui.tui.app import build_app
    from ink_tui.tui.services import Services
    from tests.pilot.live import Live

    demo = create_demo(system_clock(), folder / "home")
    NOTES.places = [str(demo.home)]
    # Named by its interpreter: the child must run whatever this one runs.
    start = (sys.executable, "-m", "ink_tui")
    usual = built_in_agent()
    agent = replace(usual, resume=(*start, *usual.resume[usual.resume.index("agent") :]))
    services = Services(
        library=Library([str(demo.root)]),
        clock=system_clock,
        state_dir=demo.state_dir,
        agents=(agent,),
        load_engine=load_engine,
        env={**os.environ, "HOME": str(demo.home), "PYTHONPATH": str(Path.cwd())},
        home=str(demo.home),
        cwd=str(demo.cwd),
        demo=demo,
        trash=folder_as_trash(demo.home / "trash"),
    )
    app = build_app(services)
    NOTES.on = True
    async with app.run_test(size=(120, 36)) as pilot:
        live = Live(pilot, lambda: 0)  # type: ignore[arg-type]  # the real clock runs here
        await live.watching()
        stops = await _stops(live, demo.first)
        await live.pilot.press("ctrl+right_square_bracket", "b")
    NOTES.on = False
    demo.remove()
    return stops


async def _stops(live: Any, first: Path) -> list[str]:
    pilot, browser = live.pilot, live.browser
    stops = ["started"]
    for _ in range(len(browser.list.listing.items)):
        before = browser.list.selected_path
        await pilot.press("down")
        if browser.list.selected_path == before:
            break
        await live.until(lambda: browser.session.path == browser.list.selected_path, "a session")
        stops.append("opened")
    browser.list.select(str(first))
    await live.until(lambda: browser.session.path == str(first), "the first session")
    await pilot.press("enter")
    for key in "234":
        await pilot.press(key, "p", "home", "end")
        await pilot.pause(0.05)
        stops.append(f"tab {key}")
    await pilot.press("2", "d", "space")
    await live.until(lambda: browser.session.transcript.playback, "replay")
    await pilot.press("right", "right", "escape", "1", "v", "p", "escape", "z", "z")
    stops.append("replay")
    await _contexts(live)
    stops.append("contexts")
    await pilot.press("slash", *"sum", "enter", "exclamation_mark", "exclamation_mark", "ctrl+r")
    await pilot.press("slash", "escape", "escape", "down", "ctrl+p")
    await live.until(lambda: _on_top(live, "CommandsScreen"), "the commands")
    await pilot.press("escape", "question_mark")
    await live.until(lambda: _on_top(live, "HelpScreen"), "help")
    await pilot.press("escape", "y")
    stops.append("help")
    await _compared(live, stops)
    await _clean_up(live, stops)
    await _marks(live)
    stops.append("marked")
    browser.list.select(str(first))
    await live.until(lambda: browser.session.path == str(first), "the first session again")
    await _agents(live, stops)
    return stops


async def _contexts(live: Any) -> None:
    """Look at contexts from other records, at a compaction, and at messages by themselves."""
    pilot, view = live.pilot, live.browser.session.context_view
    await pilot.press("1", "home", "V")
    await live.until(lambda: view.lens is not None, "the context from the first record")
    await pilot.press("right_square_bracket", "right_curly_bracket", "escape")
    await live.until(lambda: view.lens is None, "the context from the resume point")
    await pilot.press("b")
    await live.until(lambda: _on_top(live, "CompactionScreen"), "both sides of a compaction")
    await live.until(lambda: pilot.app.screen.shown is not None, "the compaction")
    await pilot.press("enter")
    await live.until(lambda: _on_top(live, "MessageScreen"), "a message")
    await pilot.press("right", "escape", "escape", "1", "escape")


async def _marks(live: Any) -> None:
    """Pin, star, note, archive and bring back a session of the list."""
    pilot, browser = live.pilot, live.browser
    path = browser.list.selected_path
    await pilot.press("asterisk", "plus", "i")
    await live.until(lambda: _on_top(live, "FieldScreen"), "the field of the note")
    await pilot.press(*"later", "enter")
    await live.until(lambda: "note: later" in live.text(browser.list.view), "the note")
    await pilot.press("backspace")
    await live.until(lambda: browser.list.listing.archived, "the archive")
    await pilot.press("full_stop")
    browser.list.select(path)
    await pilot.press("backspace")
    await live.until(lambda: not browser.marking.marks.archived, "the way back")
    await pilot.press("full_stop")


async def _compared(live: Any, stops: list[str]) -> None:
    """Look at a comparison of the first session, and at its facts."""
    pilot, browser = live.pilot, live.browser
    before = browser.list.selected_path
    await pilot.press("home", "equals_sign")
    await live.until(lambda: _on_top(live, "QuestionScreen"), "the question")
    await pilot.press("enter")
    await live.until(lambda: _on_top(live, "CompareScreen"), "the comparison")
    await live.until(lambda: pilot.app.screen.views is not None, "both branches")
    await pilot.press("home", "enter", "end", "tab", "2", "end", "1", "escape")
    await live.until(lambda: not _on_top(live, "CompareScreen"), "the browser")
    await pilot.press("F")
    await live.until(lambda: getattr(pilot.app.screen, "sections", None), "the facts")
    await pilot.press("escape")
    browser.list.select(before)
    await live.until(lambda: browser.session.path == before, "the session before")
    stops.append("compared")


async def _clean_up(live: Any, stops: list[str]) -> None:
    """Move the session without a message to the trash; it is the only one that can go."""
    pilot = live.pilot
    await pilot.press("D")
    await live.until(lambda: _choices(live) > 2, "what can be cleaned up")
    await pilot.press("up", "enter")
    await live.until(lambda: _choices(live) == 2, "what would go")
    await pilot.press("up", "enter")
    await live.until(lambda: not _on_top(live, "CleanupScreen"), "the end of the clean-up")
    stops.append("cleaned up")


def _choices(live: Any) -> int:
    screen = live.pilot.app.screen
    return len(screen.page.choices) if _on_top(live, "CleanupScreen") else 0


async def _agents(live: Any, stops: list[str]) -> None:
    pilot, browser = live.pilot, live.browser
    await pilot.press("r")
    await live.until(lambda: _on_top(live, "PreflightScreen"), "the preflight")
    stops.append("preflight")
    await pilot.press("enter")
    await live.until(lambda: _says(browser, "ctrl+d leaves"), "the agent")
    stops.append("repaired and resumed")
    await pilot.press(*"run echo hello", "enter")
    await live.until(lambda: _says(browser, "exit 0"), "the tool")
    await live.until(lambda: "echo hello" in live.text(browser.session.tree_view), "its record")
    stops.append("tool")
    await pilot.press(*"run sleep 30", "enter")
    await live.until(lambda: "running" in live.text(browser.session.tree_view), "the open call")
    await pilot.press("ctrl+right_square_bracket", "k")
    await live.until(lambda: browser.area.current.exit_state, "the end")
    await live.until(lambda: "no result saved" in live.text(browser.session.tree_view), "amber")
    stops.append("killed")
    await pilot.press("f")
    await live.until(lambda: _on_top(live, "PreflightScreen"), "the preflight of a fork")
    await pilot.press("enter")
    await live.until(lambda: len(browser.area.runs) == 2, "the second pane")
    await live.until(lambda: _says(browser, "ctrl+d leaves"), "the second agent")
    stops.append("forked")
    await pilot.press("ctrl+d")
    await live.until(lambda: browser.area.current.exit_state, "its end")
    await pilot.press("x")
    await live.until(lambda: len(browser.area.runs) == 1, "the pane closed")
    await pilot.press("u")
    await pilot.pause(0.2)
    stops.append("undone")


def _on_top(live: Any, screen: str) -> bool:
    return type(live.pilot.app.screen).__name__ == screen


def _says(browser: Any, words: str) -> bool:
    run = browser.area.current
    return run is not None and words in run.pane.screen_text()


def main(folder: Path) -> None:
    """Go on the tour and print what was noted."""
    from ink_tui.tui.screens import browser, later  # all is loaded before the listening starts

    assert browser
    later.load_later()
    listen()
    began = time.monotonic()
    stops = asyncio.run(tour(folder))
    answer = {
        "stops": stops,
        "files": NOTES.files,
        "processes": NOTES.processes,
        "waits": NOTES.waits,
        "built": NOTES.built,
        "elsewhere": NOTES.elsewhere,
        "seconds": time.monotonic() - began,
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    assert subprocess
    main(Path(sys.argv[1]))
