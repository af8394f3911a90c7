"""The engine in Python alone in a mounted pane, and the note that says why it draws."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from textual.app import App

from ink_tui.agent.engine_bittty import BitttyEngine
from ink_tui.agent.environment import child_environment
from ink_tui.agent.pty_process import launcher
from ink_tui.tui.render.glyphs import UNICODE
from ink_tui.tui.render.head_lines import status_line
from ink_tui.tui.render.rows import Role, line_width
from ink_tui.tui.widgets.agent_area import AgentArea, AgentSpec
from tests.pane_host import PaneHost, press, python, until

if TYPE_CHECKING:
    from pathlib import Path

    from textual.app import ComposeResult

    from ink_tui.agent.pty_process import StartProcess

NOTE = "bittty: pyghostty missing"

# Draws a full screen, asks where the cursor is, says what it got and which keys it hears.
CHILD = """
    import os, sys, tty
    tty.setraw(0)
    os.write(1, "\\x1b[?1049h\\x1b[H\\x1b[1;31mred\\x1b[0m 持👩\\u200d💻|\\x1b[6n".encode())
    reply = b""
    while not reply.endswith(b"R"):
        reply += os.read(0, 100)
    os.write(1, b"\\r\\nat " + reply[2:-1] + b"\\x1b[?1h")
    key = os.read(0, 100)
    os.write(1, b"\\r\\nkey " + key[1:])
    os.read(0, 100)
    os.write(1, b"\\x1b[?1049lback\\r\\n")
    sys.exit(3)
"""


async def test_a_full_screen_program_in_a_pane() -> None:
    host = PaneHost(python(CHILD), engine=BitttyEngine)
    async with host.run_test(size=(60, 15)):
        await host.shown("at 1;10")
        assert host.pane.engine is not None
        assert host.pane.engine.name == "bittty"
        first = host.pane.screen_text().splitlines()[0].rstrip()
        assert first == "red 持👩\u200d💻|"
        strip = host.pane.render_line(0)
        assert strip.cell_length == 60
        assert any(part.style and part.style.bold for part in strip if "red" in part.text)
        await press(host, "\x1b[A")
        await host.shown("key OA")
        await press(host, "q")
        await until(lambda: "Exited" in host.names())
        assert host.pane.exit_state is not None
        assert host.pane.exit_state.code == 3
        assert "back" in host.pane.screen_text()


async def test_a_flood_is_drawn_and_can_be_scrolled_back(tmp_path: Path) -> None:
    script = "import sys\nfor n in range(3000): print('row', n)\nprint('done'); sys.stdin.read()"
    host = PaneHost(python(script), cwd=tmp_path, engine=BitttyEngine)
    async with host.run_test(size=(60, 15)):
        await host.shown("done")
        engine = host.pane.engine
        assert engine is not None
        assert engine.view().total >= 3000
        host.pane.show_oldest()
        await host.shown("row 0")


class AreaHost(App[None], inherit_bindings=False):
    """An area for agents and nothing else."""

    ENABLE_COMMAND_PALETTE = False

    def compose(self) -> ComposeResult:
        yield AgentArea(id="area")


def start_of(script: str) -> StartProcess:
    return launcher(python(script), None, child_environment(os.environ))


def status_of(area: AgentArea, cells: int = 120) -> str:
    return "".join(piece.text for piece in area.status(cells))


async def test_the_note_is_said_under_the_first_agent_only() -> None:
    app = AreaHost()
    async with app.run_test(size=(120, 20)) as pilot:
        area = app.query_one(AgentArea)
        for number in (1, 2):
            spec = AgentSpec("ink", "folder", "ink", f"/s/{number}.jsonl")
            await area.open(spec, start_of("print(1, flush=True); input()"), BitttyEngine, NOTE)
            await until(lambda: all(run.pane.started for run in area.runs))
            await pilot.pause()
            shown = status_of(area)
            assert (NOTE in shown) == (number == 1)
            assert "typing goes to the agent" in shown
        area.show(0)
        assert NOTE in status_of(area)
        for run in list(area.runs):
            await area.close(run)


@pytest.mark.parametrize("cells", [40, 60, 80, 100, 120, 160])
def test_the_note_never_costs_what_the_row_is_for(cells: int) -> None:
    def row(note: str) -> tuple[str, int]:
        pieces = status_line(
            "typing goes to the agent", "^]", "leave", "100×30", cells, UNICODE, note
        )
        muted = [piece for piece in pieces if "bittty" in piece.text]
        assert all(piece.role is Role.MUTED for piece in muted)
        return "".join(piece.text for piece in pieces), line_width(pieces)

    text, width = row(NOTE)
    without, _ = row("")
    assert width == cells
    assert without.split() == [word for word in text.split() if word in without.split()]
    assert (NOTE in text) == (cells >= 80)
