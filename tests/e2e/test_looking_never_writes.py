"""Looking never writes (`design.md` 1.1): a tour of every screen, watched call by call.

The store is a copy of every case, damaged files, pipes, links and odd folder names included. No
call that opens for writing, creates, renames, removes, touches or changes anything may reach it,
not even one that the system refused; and afterwards all is as it was, times and modes included.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cases import all_cases
from tests.e2e import tour
from tests.e2e.terminal import Terminal, default_environment, installed_command
from tests.e2e.tracing import FolderState, best_tracer, changes, programs

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.e2e

_STEP = 0
"""The state in which cases that are made step by step are kept: the first."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store made of all case files, an hour old."""
    store = tmp_path_factory.mktemp("cases") / "store"
    for case in all_cases():
        place = store / case.name
        if case.made:
            place.mkdir(parents=True)
            case.place(place, _STEP if "steps" in case.expected else None)
        else:
            shutil.copytree(case.folder, place)
    an_hour_ago = time.time() - 3_600
    for folder, _folders, files in os.walk(store):
        for name in files:
            path = Path(folder, name)
            if stat.S_ISREG(path.lstat().st_mode):
                os.utime(path, (an_hour_ago, an_hour_ago))
    assert len(list(store.iterdir())) == 46
    return store


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    home = tmp_path / "home"
    home.mkdir()
    env = {k: v for k, v in default_environment().items() if not k.startswith("XDG_")}
    return {**env, "HOME": str(home)}


@pytest.fixture
def untouched(store: Path) -> Iterator[None]:
    before = FolderState.of(store)
    yield
    assert before.differences(FolderState.of(store)) == []


def roots(store: Path) -> list[str]:
    """Options that name every folder of the cases that is laid out as a store."""
    inner = sorted(path for path in store.glob("*/root") if path.is_dir())
    return [part for root in (store, *inner) for part in ("--sessions-dir", str(root))]


@pytest.mark.usefixtures("untouched")
def test_no_screen_writes(store: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    tracer = best_tracer(tmp_path, tmp_path)
    argv = tracer.wrap([installed_command(), *roots(store)])
    env = tracer.environment(environment)
    with Terminal.start(argv, env=env, size=(120, 36), cwd=tmp_path) as terminal:
        terminal.wait_for("by folder", timeout=60)
        tour.settle(terminal, 1.0, 30)
        _tour(terminal)
        terminal.send("ctrl+q")
        assert terminal.wait_exit() == 0
        assert terminal.left_on() == []
    accesses = tracer.accesses()
    assert changes(accesses, store) == []
    # The tour did read, and started nothing that belongs to an agent.
    read = {access.path for access in accesses if access.kind == "read" and access.is_below(store)}
    assert len([path for path in read if path.endswith(".jsonl")]) > 50
    assert not [argv for argv in programs(accesses) if "agent" in argv]


def _tour(terminal: Terminal) -> None:
    tour.walk(terminal, tour.LIST)
    tour.type_filter(terminal, "the")
    tour.choose_theme(terminal, "ink-light")
    terminal.send("home")
    tour.settle(terminal)
    for _ in range(60):  # every session of the list is opened
        terminal.send("down")
        tour.settle(terminal, 0.08)
    for place in ("torn", "ferry"):
        tour.press(terminal, "/")
        terminal.write(place)
        tour.settle(terminal)
        tour.press(terminal, "enter down")
        tour.walk(terminal, tour.DIALOGS)
        tour.press(terminal, "enter")
        tour.walk(terminal, tour.TABS)
        tour.press(terminal, "escape / escape escape")
    tour.walk(terminal, tour.LAYOUT)
    tour.resize(terminal)


@pytest.mark.usefixtures("untouched")
def test_no_command_writes(store: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    session = str(store / "40-dangling-call" / "session.jsonl")
    torn = str(store / "01-tail-fragment" / "session.jsonl")
    where = roots(store)
    commands = [
        ["list", "--all", "--json", *where],
        ["list", "--quick", *where],
        ["check", "--json", str(store)],
        ["show", "--plain", session],
        ["show", torn],
        ["compare", session, torn],
        ["locate", "--json", "7", *where],
        ["resume", "--dry-run", "--json", session, *where],
        ["resume", "--dry-run", torn, *where],
        ["repair", "--json", session, *where],
        ["repair", torn, *where],
        ["fork", "--json", session, *where],
        ["undo", session, *where],
        ["search", "--json", *where, "--", "the", "-role:user"],
        ["search", *where, "--", "re:t.e", "verdict:repairable"],
        ["paths", *where],
    ]
    for number, command in enumerate(commands):
        folder = tmp_path / str(number)
        folder.mkdir()
        tracer = best_tracer(folder, tmp_path)
        done = subprocess.run(
            tracer.wrap([installed_command(), *command]),
            env=tracer.environment(environment),
            cwd=tmp_path,
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode in (0, 1), (command, done.stderr)
        assert b"Traceback" not in done.stderr
        assert changes(tracer.accesses(), store) == [], command


def test_a_repair_would_be_seen(store: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    copy = tmp_path / "store"
    path = copy / "one" / "session.jsonl"
    path.parent.mkdir(parents=True)
    shutil.copy(store / "40-dangling-call" / "session.jsonl", path)
    os.utime(path, (1, 1))
    before = FolderState.of(copy)
    tracer = best_tracer(tmp_path, tmp_path)
    done = subprocess.run(
        tracer.wrap([installed_command(), "repair", "--yes", str(path), *roots(copy)]),
        env=tracer.environment(environment),
        cwd=tmp_path,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert changes(tracer.accesses(), copy) != []
    assert before.differences(FolderState.of(copy)) != []
