"""Sizes: the child hears the last size of a drag once; a tiny pane is hidden, not sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.tui.widgets import terminal_pane
from tests.pane_host import PaneHost, python, until
from tests.pilot.app import LARGE, app_on_demo, demo_in, fake_agent, running
from tests.pilot.app import until as said
from tests.pilot.run import Run

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from textual.pilot import Pilot

CHILD = """
    import os, signal, sys
    log = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def tell(*_):
        size = os.get_terminal_size(0)
        os.write(log, b"%dx%d\\n" % (size.columns, size.lines))

    signal.signal(signal.SIGWINCH, tell)
    tell()
    os.write(1, b"main\\x1b[?1049h\\x1b[2J\\x1b[2;3Halt text")
    while True:
        signal.pause()
"""


def sizes(log: Path) -> list[str]:
    return log.read_text().split() if log.exists() else []


async def resize(host: PaneHost, pilot: Pilot[None], width: int) -> None:
    await pilot.resize_terminal(width, 21)
    await until(lambda: host.pane.size.width == width)


async def test_one_size_per_drag(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal_pane, "RESIZE_SECONDS", 0.4)
    log = tmp_path / "log"
    host = PaneHost(python(CHILD, str(log)))
    async with host.run_test(size=(60, 21)) as pilot:
        await host.shown("alt text")
        assert sizes(log) == ["60x20"]
        for step in range(1, 7):
            await pilot.resize_terminal(60 + 3 * step, 21 + step)
        await until(lambda: host.pane.size == (78, 26))
        await until(lambda: len(sizes(log)) > 1)
        await pilot.resize_terminal(50, 16)
        await until(lambda: len(sizes(log)) > 2)
        assert sizes(log) == ["60x20", "78x26", "50x15"]
        assert host.pane.terminal_size == (50, 15)
        assert host.pane.screen_text().splitlines()[1] == "  alt text"
        assert "main" not in host.pane.screen_text()


async def test_below_the_minimum_it_is_hidden_with_a_note(tmp_path: Path) -> None:
    log = tmp_path / "log"
    host = PaneHost(python(CHILD, str(log)))

    def first_row() -> str:
        return host.pane.render_line(0).text.rstrip()

    async with host.run_test(size=(60, 21)) as pilot:
        await host.shown("alt text")
        for tiny in ((60, 5), (19, 21), (12, 3)):
            await pilot.resize_terminal(*tiny)
            await until(lambda: first_row() == "Make this pane larger"[: host.pane.size.width])
        await pilot.resize_terminal(64, 21)
        await until(lambda: len(sizes(log)) > 1)
        assert sizes(log) == ["60x20", "64x20"]
        await until(lambda: host.pane.render_line(1).text.rstrip() == "  alt text")


async def test_rows_have_the_width_of_the_pane_while_it_changes() -> None:
    host = PaneHost(python("import os; os.write(1, b'\\xe6\\x8c\\x81' * 40); input()"))
    async with host.run_test(size=(60, 21)) as pilot:
        await host.shown("持")
        for width in (33, 32, 31, 90):
            await resize(host, pilot, width)
            for y in range(host.pane.size.height):
                assert host.pane.render_line(y).cell_length == width


async def test_the_state_line_says_the_size_that_a_terminal_has_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An end takes rows from a terminal, and the terminal takes its new size only later."""
    monkeypatch.setattr(terminal_pane, "RESIZE_SECONDS", 0.3)
    with demo_in(tmp_path) as demo:
        app = app_on_demo(demo, agents=[fake_agent(demo.home)])
        async with running(app, LARGE) as pilot:
            run = Run(pilot, demo)
            await run.at_exited()
            pane = run.agent.pane
            columns, rows = pane.size
            assert pane.terminal_size[1] > rows
            await said(pilot, lambda: f"{columns}×{rows}" in run.text, "the new size")
            assert pane.terminal_size == (columns, rows)
