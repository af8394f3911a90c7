"""Make the pictures of README from the demo, always the same: fixed clock, fixed folder.

    python -m screenshots.generate            all pictures
    python -m screenshots.generate browser    one of them

Each picture is the real program on the demo's sessions, drawn without a terminal. SVG as Textual
exports it, PNG through headless Chromium (`screenshots.svg_to_png`).
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from textual.widgets import Input

from ink_tui.agent.agents import Agent, built_in_agent
from ink_tui.agent.engine_choice import load_engine
from ink_tui.agent.pty_process import child_environment
from ink_tui.config import Config, UiConfig
from ink_tui.store.demo import create_demo
from ink_tui.store.library import Library
from ink_tui.tui.app import InkTuiApp, build_app
from ink_tui.tui.render.glyphs import ASCII, UNICODE
from ink_tui.tui.screens.browser import BrowserScreen
from ink_tui.tui.screens.facts import FactsScreen
from ink_tui.tui.services import Services
from screenshots.svg_to_png import render_png

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from ink_tui.store.demo import Demo
    from ink_tui.tui.services import Leave

HERE = Path(__file__).parent
NOON = datetime(2026, 3, 2, 12, 4, 0, tzinfo=UTC)
NOW_MS = int(NOON.timestamp() * 1000)

Drive = Callable[["Pilot[Leave]"], Awaitable[None]]


async def settled(pilot: Pilot[Leave]) -> None:
    """Wait until the workers that read have read and all is drawn."""
    browser = pilot.app.screen_stack[0]
    assert isinstance(browser, BrowserScreen)
    groups = ["open", "tick", "search", "preview", "seen", "find", "lens", "sides", "unfolding"]
    if not browser.services.watch:
        groups.append("feed")
    for _ in range(3):
        await pilot.pause(0.1)
        busy = [worker for worker in pilot.app.workers if worker.group in groups]
        if busy:
            await pilot.app.workers.wait_for_complete(busy)
    await pilot.pause()


async def _tree(pilot: Pilot[Leave]) -> None:
    await pilot.press("enter", "up")


async def _unfolded(pilot: Pilot[Leave]) -> None:
    """Select the call of the sub-agent, below the last compaction, and unfold it."""
    await pilot.press("enter", "home", "c", "down", "down", "right")
    await settled(pilot)


async def _transcript(pilot: Pilot[Leave]) -> None:
    await pilot.press("2")
    await settled(pilot)
    await pilot.press("end")


async def _copy(pilot: Pilot[Leave]) -> None:
    await _transcript(pilot)
    await pilot.press("left", "left", "left", "y")
    await pilot.pause(0.5)


async def _find(pilot: Pilot[Leave]) -> None:
    await pilot.press("2", "slash")
    pilot.app.screen.query_one("FindField Input", Input).value = "sum"
    await settled(pilot)
    await pilot.press("enter", "n")


async def _replay(pilot: Pilot[Leave]) -> None:
    await pilot.press("2", "space", "space", "c", "v")
    await settled(pilot)


async def _context(pilot: Pilot[Leave]) -> None:
    await pilot.press("3")


async def _lens(pilot: Pilot[Leave]) -> None:
    await pilot.press("3", "left_square_bracket")
    await settled(pilot)


async def _compaction(pilot: Pilot[Leave]) -> None:
    await pilot.press("3", "b")
    await _shown(pilot, "CompactionScreen")
    await settled(pilot)


async def _health(pilot: Pilot[Leave]) -> None:
    await pilot.press("4")


async def _preflight(pilot: Pilot[Leave]) -> None:
    await pilot.press("r")
    await _shown(pilot, "PreflightScreen")


async def _help(pilot: Pilot[Leave]) -> None:
    await pilot.press("enter")
    await pilot.press("question_mark")
    await _shown(pilot, "HelpScreen")


async def _facts(pilot: Pilot[Leave]) -> None:
    await pilot.press("F")
    await _shown(pilot, "FactsScreen")
    screen = pilot.app.screen
    assert isinstance(screen, FactsScreen)
    for _ in range(100):
        if screen.sections is not None:
            return
        await asyncio.sleep(0.05)
    raise RuntimeError("the facts were not counted")


async def _compare(pilot: Pilot[Leave]) -> None:
    await pilot.press("equals_sign")
    await _shown(pilot, "QuestionScreen")
    await pilot.press("down", "enter")
    await _shown(pilot, "CompareScreen")
    await settled(pilot)


async def _commands(pilot: Pilot[Leave]) -> None:
    await pilot.press("ctrl+p")
    await _shown(pilot, "CommandsScreen")


async def _search(pilot: Pilot[Leave]) -> None:
    await pilot.press("ctrl+f")
    await _shown(pilot, "SearchScreen")
    pilot.app.screen.query_one(Input).cursor_blink = False
    await pilot.press(*"sum tool:bash")
    await settled(pilot)
    await pilot.press("down")


async def _pane(pilot: Pilot[Leave]) -> None:
    await pilot.press("down", "down", "down")
    await settled(pilot)
    await pilot.press("r")
    await _shown(pilot, "PreflightScreen")
    await pilot.press("enter")
    await _agent_says(pilot, "ctrl+d leaves")
    await pilot.press(*"run echo hello", "enter")
    await _agent_says(pilot, "exit 0")
    await settled(pilot)
    await pilot.press(*"run sleep 20", "enter")
    await _agent_says(pilot, "run sleep")
    await pilot.pause(1.5)


async def _shown(pilot: Pilot[Leave], screen: str) -> None:
    for _ in range(200):
        await pilot.pause()
        if type(pilot.app.screen).__name__ == screen:
            await pilot.pause()
            return
        await asyncio.sleep(0.05)
    raise RuntimeError(f"{screen} did not come")


async def _agent_says(pilot: Pilot[Leave], words: str) -> None:
    from ink_tui.tui.widgets.agent_area import AgentArea

    for _ in range(200):
        await pilot.pause()
        areas = pilot.app.screen.query(AgentArea)
        run = areas.first().current if areas else None
        if run is not None and words in run.pane.screen_text():
            return
        await asyncio.sleep(0.05)
    raise RuntimeError(f"the agent did not say {words!r}")


PICTURES: dict[str, tuple[Drive, tuple[int, int], str]] = {
    "browser": (_tree, (120, 36), "ink"),
    "browser-light": (_tree, (120, 36), "ink-light"),
    "browser-80x24": (_tree, (80, 24), "ink"),
    "browser-60x20": (_tree, (60, 20), "ink"),
    "browser-ascii": (_tree, (120, 36), "ink"),
    "transcript": (_transcript, (120, 36), "ink"),
    "copy": (_copy, (120, 36), "ink"),
    "unfolded": (_unfolded, (120, 36), "ink"),
    "find": (_find, (120, 36), "ink"),
    "replay": (_replay, (120, 36), "ink"),
    "context": (_context, (120, 36), "ink"),
    "lens": (_lens, (120, 36), "ink"),
    "compaction": (_compaction, (120, 36), "ink"),
    "health": (_health, (120, 36), "ink"),
    "preflight": (_preflight, (120, 36), "ink"),
    "preflight-80x24": (_preflight, (80, 24), "ink"),
    "pane": (_pane, (120, 36), "ink"),
    "facts": (_facts, (120, 36), "ink"),
    "compare": (_compare, (120, 36), "ink"),
    "help": (_help, (120, 36), "ink"),
    "commands": (_commands, (120, 36), "ink"),
    "search": (_search, (120, 36), "ink"),
}


def _agent(demo: Demo) -> Agent:
    """Return the built-in agent under a path that is the same everywhere, its clock set back.

    Its records then carry times that fit those of the demo.
    """
    program = demo.home / ".local" / "bin" / "ink-tui"
    program.parent.mkdir(parents=True)
    program.write_text(
        f"#!{sys.executable}\n"
        "import sys, time\n"
        f"ahead = time.time_ns() - {NOW_MS * 1_000_000}\n"
        "real = time.time_ns\n"
        "time.time_ns = lambda: real() - ahead\n"
        "from ink_tui.cli import main\n"
        "sys.exit(main())\n"
    )
    program.chmod(0o700)
    usual = built_in_agent()
    return replace(usual, resume=(str(program), *usual.resume[usual.resume.index("agent") :]))


def app_of(demo: Demo, theme: str, *, ascii_only: bool = False, watched: bool = False) -> InkTuiApp:
    """Return the program on a demo, with a clock that stands still."""
    return build_app(
        Services(
            library=Library([str(demo.root)], clock=lambda: NOW_MS),
            clock=lambda: NOW_MS,
            state_dir=demo.state_dir,
            agents=(_agent(demo),),
            load_engine=load_engine,
            env=child_environment(os.environ, {"HOME": str(demo.home), "TZ": "UTC"}),
            home=str(demo.home),
            cwd=str(demo.cwd),
            config=Config(ui=UiConfig(theme=theme)),
            glyphs=ASCII if ascii_only else UNICODE,
            demo=demo,
            watch=watched,
        )
    )


async def draw(name: str, folder: Path) -> None:
    """Make one picture."""
    drive, (columns, rows), theme = PICTURES[name]
    place = Path(tempfile.gettempdir()) / "ink-tui-pictures"
    shutil.rmtree(place, ignore_errors=True)
    with create_demo(NOW_MS, place) as demo:
        app = app_of(demo, theme, ascii_only="ascii" in name, watched=name == "pane")
        async with app.run_test(size=(columns, rows)) as pilot:
            await settled(pilot)
            await drive(pilot)
            await settled(pilot)
            svg = app.export_screenshot(title="ink-tui")
    (folder / f"{name}.svg").write_text(svg, encoding="utf-8")
    render_png(svg, folder / f"{name}.png", columns, rows)


def main(names: list[str]) -> None:
    """Make the pictures named, or all."""
    dirty = [name for name in os.environ if name == "NO_COLOR" or name.startswith("TEXTUAL_")]
    if dirty:
        # Both change what is drawn, and Textual has read them already: start over without them.
        clean = {name: value for name, value in os.environ.items() if name not in dirty}
        os.execve(sys.executable, [sys.executable, "-m", "screenshots.generate", *names], clean)
    for name in names or PICTURES:
        asyncio.run(draw(name, HERE))


if __name__ == "__main__":
    main(sys.argv[1:])
