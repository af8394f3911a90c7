"""S9: however the program ends, the terminal is as it was, and no session text is printed."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

import pytest

from tests.e2e.terminal import Terminal, default_environment, installed_command
from tests.e2e.tracing import FolderState
from tests.sessions import answer, results, session, user
from tests.unit.repair_files import put

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.reliability.ledger import Ledger, Row

pytestmark = pytest.mark.e2e

SECRET = "correct-horse-battery"
"""Stands in every text of the session, and in what each broken function raises."""

_BROKEN = """
import importlib, sys
module, name, arguments = sys.argv[1], sys.argv[2], sys.argv[3:]
place = importlib.import_module(module)
*owners, last = name.split(".")
for owner in owners:
    place = getattr(place, owner)
def broken(*given, **more):
    held = "correct-horse-battery"
    raise RuntimeError("correct-horse-battery", given, held)
from ink_tui.tui import app
setattr(place, last, broken)
from ink_tui.cli import main
sys.exit(main(arguments))
"""


def _store(folder: Path) -> Path:
    calls = (("c1", "bash", {"command": f"echo {SECRET}"}),)
    content = session(
        user("a1", None, f"{SECRET} first"),
        answer("a2", "a1", SECRET, calls),
        results("a3", "a2", ("c1", "bash", SECRET)),
        answer("a4", "a3", f"{SECRET} last"),
    )
    put(folder / "store", content)
    return folder / "store"


def _started(row: Row, folder: Path, words: str, argv: list[str]) -> Terminal:
    home = folder / "home"
    home.mkdir(exist_ok=True)
    env = {key: text for key, text in default_environment().items() if not key.startswith("XDG_")}
    row.trial()
    row.note(words)
    return Terminal.start(argv, env=env | {"HOME": str(home)}, size=(100, 30))


def _after(row: Row, terminal: Terminal, words: str) -> None:
    """What is left when the program has ended."""
    left = terminal.left_on()
    row.check(not left, words, "left on:", left)
    printed = bytes(terminal.raw).rpartition(b"\x1b[?1049l")[2]
    row.check(SECRET.encode() not in printed, words, "printed", printed[-300:])


def _open_session(terminal: Terminal) -> None:
    terminal.send("enter").wait_for("last")


def _nothing(_terminal: Terminal) -> None:
    pass


_MOMENTS: dict[str, Callable[[Terminal], object]] = {
    "list": _nothing,
    "session": _open_session,
    "help": lambda terminal: terminal.send("?"),
    "filter": lambda terminal: terminal.send("/", "x"),
    "preflight": lambda terminal: terminal.send("r"),
}


def test_ended_by_a_signal(ledger: Ledger, tmp_path: Path) -> None:
    what = "SIGTERM, SIGHUP or a closed terminal in any screen: terminal as before, store untouched"
    store = _store(tmp_path)
    before = FolderState.of(store)
    with ledger.row("S9 signals", what, least=15) as row:
        for name, act in _MOMENTS.items():
            for ending in ("SIGTERM", "SIGHUP", "closed"):
                words = f"{name}, {ending}"
                argv = [installed_command(), "--sessions-dir", str(store)]
                with _started(row, tmp_path, ending, argv) as terminal:
                    terminal.wait_for(SECRET)
                    act(terminal)
                    if ending == "closed":
                        row.check(terminal.hang_up(), words, "still runs")
                    else:
                        terminal.kill(getattr(signal, ending)).wait_exit()
                        _after(row, terminal, words)
        row.check(not before.differences(FolderState.of(store)), "the store was changed")


_FAILURES = [
    ("ink_tui.store.library", "Library.scan", ""),
    ("ink_tui.store.reader", "SessionReader.read", ""),
    ("ink_tui.tui.screens.viewing", "load_views", ""),
    ("ink_tui.tui.widgets.session_list", "list_rows", ""),
    ("ink_tui.tui.widgets.session_tree", "tree_row", ""),
    ("ink_tui.tui.widgets.session_list", "arrange", ""),
    ("ink_tui.tui.screens.help", "help_rows", "?"),
    ("ink_tui.model.verdict", "build_tree", ""),
]


def test_ended_by_an_error(ledger: Ledger, tmp_path: Path) -> None:
    what = "an error of our own anywhere: terminal as before, places printed, no session text"
    store = _store(tmp_path)
    before = FolderState.of(store)
    with ledger.row("S9 errors", what, least=8) as row:
        for module, name, key in _FAILURES:
            argv = [sys.executable, "-c", _BROKEN, module, name, "--sessions-dir", str(store)]
            with _started(row, tmp_path, "ended", argv) as terminal:
                if key:
                    terminal.wait_for(SECRET).send(key)
                status = terminal.wait_exit()
                words = f"{module}.{name}"
                row.check(status == 3, words, "status", status)
                _after(row, terminal, words)
                printed = bytes(terminal.raw).rpartition(b"\x1b[?1049l")[2]
                row.check(b"line " in printed or b"report" in printed, words, printed[-300:])
        row.check(not before.differences(FolderState.of(store)), "the store was changed")
