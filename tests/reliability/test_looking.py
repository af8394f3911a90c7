"""R1: whatever is looked at, nothing of the store is opened for writing or changed.

Every call of the program is traced, the refused ones too, and afterwards all files and folders are
as they were: size, times, inode, mode and content.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.cases import all_cases
from tests.e2e import tour
from tests.e2e.terminal import ScreenError, Terminal, default_environment, installed_command
from tests.e2e.tracing import FolderState, best_tracer, changes
from tests.reliability.store_of_all import damaged_sessions, make_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.e2e.tracing import Access
    from tests.reliability.ledger import Ledger, Row

pytestmark = pytest.mark.e2e

SIZE = (120, 36)
LEAST_OPENED = 100
"""Sessions that each half of the tour opens in every tab."""
_QUESTIONS = (
    ("f2", "Name of the session"),
    ("escape", ""),
    ("x", "Export this session"),
    ("escape", ""),
    ("delete", "Delete this session?"),
    ("escape", ""),
    ("D", "Leave everything"),
    ("down enter", ""),
    ("escape escape", ""),
)
"""Further dialogs, on a session that needs nothing, each cancelled."""
_SOUND = "README"
"""How the title of such a session begins, in the demo."""
_ON_A_SESSION = (
    ("show", "--plain"),
    ("show", "--facts"),
    ("compare", "--json"),
    ("locate", "--json"),
    ("resume", "--dry-run"),
    ("repair",),
    ("undo",),
    ("fork",),
    ("export",),
    ("export", "--format", "html"),
)
"""Commands about one session that only look."""
_STEP_SECONDS = 1.0
"""How long another row may take to be shown before it counts as no other session."""
_END_OF_LIST = 4
"""Steps without another session after which the list is at its end."""
_WALKS = 3
_TABS = ("Tree", "Transcript", "Context", "Health")
_TAB_ROW = 3
_HEAD_ROW = 2
_ID = re.compile(r"\b([0-9a-f]{8})$")


def _roots(store: Path) -> list[str]:
    """Options that name every folder that is laid out as a store."""
    inner = sorted(path for path in store.glob("*/root") if path.is_dir())
    return [
        part for root in (store, store / "demo", *inner) for part in ("--sessions-dir", str(root))
    ]


def _environment(folder: Path) -> dict[str, str]:
    home = folder / "home"
    home.mkdir()
    env = {key: text for key, text in default_environment().items() if not key.startswith("XDG_")}
    return env | {"HOME": str(home)}


def _id_shown(terminal: Terminal) -> str:
    """The short id in the head of the session pane; empty when it shows none."""
    found = _ID.search(terminal.screen[_HEAD_ROW])
    return found[1] if found else ""


def _is_active(tab: str, terminal: Terminal) -> bool:
    """Whether the strong rule stands under the name of a tab."""
    column = terminal.screen[_TAB_ROW].find(tab)
    return column >= 0 and terminal.cell(column, _TAB_ROW + 1).text == "━"


def _step(terminal: Terminal, key: str) -> bool:
    """Go to another row; whether the session pane then shows something else."""
    before = terminal.screen[_HEAD_ROW]
    terminal.send(key)
    try:
        terminal.wait_for(lambda shown: shown.screen[_HEAD_ROW] != before, timeout=_STEP_SECONDS)
    except ScreenError:
        return False
    return True


def _show_in_every_tab(row: Row, terminal: Terminal, short: str) -> None:
    for number, tab in enumerate(_TABS, 1):
        terminal.send(str(number))
        terminal.wait_for(partial(_is_active, tab))
        row.note("views")
    row.check(_id_shown(terminal) == short, short, "is no longer shown")
    row.trial()
    terminal.send("tab")


def _open_all(row: Row, terminal: Terminal, wanted: set[str], start: str, step: str) -> None:
    """Walk the list until each session that is wanted was shown in every tab."""
    seen: set[str] = set()
    for _ in range(_WALKS):
        terminal.send(start)
        tour.settle(terminal, 0.3, 2)
        stood = 0
        while wanted - seen and stood < _END_OF_LIST:
            short = _id_shown(terminal)
            if short in wanted - seen:
                _show_in_every_tab(row, terminal, short)
                seen.add(short)
            stood = 0 if _step(terminal, step) else stood + 1
    row.check(seen == wanted, "never shown:", sorted(wanted - seen)[:5])


def _quit(terminal: Terminal) -> None:
    terminal.send("ctrl+q")
    assert terminal.wait_exit() == 0
    assert terminal.left_on() == []


def _look(row: Row, accesses: list[Access], store: Path, before: FolderState) -> None:
    """Check that nothing of the store was opened for writing or changed."""
    for access in changes(accesses, store):
        row.check(False, access)
    for difference in before.differences(FolderState.of(store)):
        row.check(False, difference)
    read = {access.path for access in accesses if access.kind == "read" and access.is_below(store)}
    row.note("files read", len([path for path in read if path.endswith(".jsonl")]))


def _other_screens(terminal: Terminal, half: int) -> None:
    if half == 0:
        # The first session needs attention: going to its problem leaves the list.
        anywhere = ("the list has the focus", "has the focus")
        tour.walk(terminal, [(keys, shown.replace(*anywhere)) for keys, shown in tour.LIST])
        tour.type_filter(terminal, "the")
        tour.choose_theme(terminal, "ink-light")
        tour.press(terminal, "escape escape home")
        tour.walk(terminal, tour.DIALOGS)
        tour.press(terminal, "/")
        terminal.write(_SOUND)
        tour.settle(terminal)
        tour.press(terminal, "enter")
        terminal.wait_for(lambda shown: _SOUND in shown.screen[_HEAD_ROW])
        tour.walk(terminal, _QUESTIONS)
        tour.press(terminal, "/ escape escape")
    else:
        tour.press(terminal, "home enter")
        tour.walk(terminal, tour.TABS)
        tour.press(terminal, "escape")
        tour.walk(terminal, tour.LAYOUT)
        tour.resize(terminal)
    tour.press(terminal, "escape escape escape")


@pytest.mark.parametrize("half", [0, 1])
def test_every_screen(ledger: Ledger, tmp_path: Path, half: int) -> None:
    what = "a tour of every screen, each session opened in every tab, traced: nothing is changed"
    store = make_store(tmp_path)
    before = FolderState.of(store)
    ids = [session_id[:8] for session_id in damaged_sessions()]
    middle = len(ids) // 2
    wanted = set(ids[middle:] if half else ids[:middle])
    start, step = ("end", "up") if half else ("home", "down")
    with ledger.row(f"R1 part {half + 1}", what, least=LEAST_OPENED) as row:
        tracer = best_tracer(tmp_path, tmp_path)
        argv = tracer.wrap([installed_command(), *_roots(store)])
        env = tracer.environment(_environment(tmp_path))
        with Terminal.start(argv, env=env, size=SIZE, cwd=tmp_path) as terminal:
            terminal.wait_for("by folder", timeout=60)
            tour.settle(terminal, 1.0, 30)
            _other_screens(terminal, half)
            _open_all(row, terminal, wanted, start, step)
            _quit(terminal)
        _look(row, tracer.accesses(), store, before)
        row.note("files in the store", sum(1 for _ in store.rglob("*.jsonl")))


_RUN = """
import contextlib, io, json, sys
from ink_tui.cli import main
for line in open(sys.argv[1], encoding="utf-8"):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(json.loads(line))
    print(status)
"""
"""Runs many commands in one process: it is told in a file, one array of arguments a line."""


def _commands(store: Path) -> Iterator[list[str]]:
    """Yield every command that only looks, over the store and on every file of it."""
    where = _roots(store)
    yield from (["list", "--all", *where], ["list", "--quick", "--json", *where])
    yield from (["search", "ask", *where], ["search", "--json", *where, "--", "-role:result"])
    yield ["clean", "--empty", "--older-than", "1", "--orphans", *where]
    yield from (["check", str(store)], ["check", "--json", str(store)], ["paths", *where])
    for path in sorted(store.rglob("*.jsonl")):
        for words in _ON_A_SESSION:
            yield [*words, str(path), *where[:2]]


def _run_traced(tmp_path: Path, commands: list[list[str]]) -> tuple[list[Access], list[int]]:
    """Run commands in one traced process; return what it did and what they returned."""
    told = tmp_path / "commands"
    told.write_text("".join(json.dumps(command) + "\n" for command in commands), "utf-8")
    tracer = best_tracer(tmp_path, tmp_path)
    done = subprocess.run(
        tracer.wrap([sys.executable, "-c", _RUN, str(told)]),
        env=tracer.environment(_environment(tmp_path)),
        cwd=tmp_path,
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    return tracer.accesses(), [int(line) for line in done.stdout.split()]


def test_every_command(ledger: Ledger, tmp_path: Path) -> None:
    what = "every command that only looks, on every file of the store, traced: nothing is changed"
    store = make_store(tmp_path)
    before = FolderState.of(store)
    with ledger.row("R1 commands", what, least=2_000) as row:
        commands = list(_commands(store))
        accesses, statuses = _run_traced(tmp_path, commands)
        row.trial(len(statuses))
        row.check(len(statuses) == len(commands), "only", len(statuses), "commands were run")
        for command, status in zip(commands, statuses, strict=False):
            row.check(status in (0, 1), command[:2], "status", status)
        _look(row, accesses, store, before)


def test_a_write_is_seen(ledger: Ledger, tmp_path: Path) -> None:
    what = "control: one of the commands repairs a session, caught by the trace and by the state"
    case = next(case for case in all_cases() if case.name == "40-dangling-call")
    store = tmp_path / "store"
    shutil.copytree(case.folder, store / "one")
    session = store / "one" / "session.jsonl"
    os.utime(session, (1, 1))
    before = FolderState.of(store)
    with ledger.row("C write while looking", what, least=1) as row:
        row.trial()
        where = ["--sessions-dir", str(store)]
        commands = [["show", str(session), *where], ["repair", "--yes", str(session), *where]]
        accesses, _statuses = _run_traced(tmp_path, commands)
        row.check(bool(changes(accesses, store)), "the trace shows no write")
        row.check(bool(before.differences(FolderState.of(store))), "the state is as it was")
