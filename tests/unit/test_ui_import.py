"""Starting the browser loads nothing that its first screen can do without."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import ink_tui
from ink_tui.tui.screens.later import LATER, PACKAGES
from tests.cases import CASES_DIR
from tests.sessions import answer, session, user

HEAVY = ("acp", "pydantic", "openai", "anthropic", "pyghostty", "bittty")
MODULES = [
    module
    for module in (
        "ink_tui.agent.engine_choice",
        "ink_tui.tui.widgets.terminal_pane",
        "ink_tui.tui.app",
    )
    if importlib.util.find_spec(module) is not None
]

MOST_AT_FIRST = 150
"""Our own modules that the first screen may need: each costs about half a millisecond."""

NOT_AT_FIRST = (
    *LATER,
    "ink_tui.agent.continuing",
    "ink_tui.agent.engine",
    "ink_tui.agent.preflight",
    "ink_tui.model.evidence",
    "ink_tui.model.export.document",
    "ink_tui.model.outline_rows",
    "ink_tui.model.query",
    "ink_tui.model.salvage",
    "ink_tui.model.secret_shapes",
    "ink_tui.model.transcript",
    "ink_tui.store.cleanup",
    "ink_tui.store.demo",
    "ink_tui.store.evidence",
    "ink_tui.store.export",
    "ink_tui.store.fork",
    "ink_tui.store.repair",
    "ink_tui.tui.screens.preflight",
    "ink_tui.tui.widgets.session_pane",
    "watchfiles",
)
"""Loaded behind the first screen, or only when they are used."""

SEPARATE = ("ink_tui.commands", "ink_tui.keymap", "ink_tui.runtime", "ink_tui.store.demo")
"""Packages whose modules no thread of the screen imports first."""


def test_packages_stand_before_threads_and_import_nothing() -> None:
    """A thread that imports from a package which another one imports may not find it."""
    found = {
        module.name
        for module in pkgutil.walk_packages(ink_tui.__path__, "ink_tui.")
        if module.ispkg
    }
    above = {name for name in found if any(each.startswith(f"{name}.") for each in PACKAGES)}
    assert found - set(SEPARATE) - above == set(PACKAGES)
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        body = ast.parse(Path(spec.origin).read_text("utf-8")).body
        assert [type(each) for each in body] == [ast.Expr], name


FIRST_SCREEN = """
import asyncio, json, sys
from dataclasses import replace

loaded = []

def note():
    # In the place of the worker that loads the rest once the first rows are drawn.
    loaded.extend(sys.modules)

from ink_tui.config import Config
from ink_tui.store.library import Library
from ink_tui.tui import start
from ink_tui.tui.screens import feed, reading

async def wait_for_ever(self):
    # Where no watch is begun, the rest is read without waiting for the first rows.
    await asyncio.Event().wait()

feed.Feed.finish = wait_for_ever
reading.load_session_pane = note
reading.OPEN_DELAY = 3600  # no session is read
services = replace(start._services(Library([sys.argv[1]]), Config()), watch=False)

async def look():
    app = start.build_app(services)
    async with app.run_test(size=(120, 36)) as pilot:
        while not loaded:
            await pilot.pause()
        return app.screen.list.listing.sessions

print(json.dumps([asyncio.run(look()), loaded]))
"""


def loaded_by(module: str) -> list[str]:
    """Return which of the heavy packages a fresh interpreter has loaded after one import."""
    script = f"import json, sys, {module}; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    tops = {name.partition(".")[0] for name in json.loads(done.stdout)}
    return [name for name in HEAVY if name in tops]


@pytest.mark.parametrize("module", MODULES)
def test_nothing_heavy_is_loaded(module: str) -> None:
    assert loaded_by(module) == []


@pytest.mark.parametrize(
    ("engine", "package"), [("engine_ghostty", "pyghostty"), ("engine_bittty", "bittty")]
)
def test_a_heavy_import_would_be_seen(engine: str, package: str) -> None:
    assert loaded_by(f"ink_tui.agent.{engine}") == [package]


@pytest.fixture(scope="module")
def at_first(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the modules that are loaded once the first rows are drawn."""
    folder = tmp_path_factory.mktemp("first")
    root = folder / "sessions"
    root.mkdir()
    (root / "one.jsonl").write_bytes(session(user("a1", None, "hello"), answer("a2", "a1", "hi")))
    done = subprocess.run(
        [sys.executable, "-c", FIRST_SCREEN, str(root)],
        capture_output=True,
        check=True,
        env={**os.environ, "HOME": str(folder)},
    )
    sessions, loaded = json.loads(done.stdout)
    assert sessions == 1
    return [str(name) for name in loaded]


def test_the_first_screen_needs_few_modules(at_first: list[str]) -> None:
    ours = [name for name in at_first if name.partition(".")[0] == "ink_tui"]
    assert "ink_tui.tui.screens.browser" in ours
    assert len(ours) <= MOST_AT_FIRST


def test_what_the_first_screen_does_without_comes_later(at_first: list[str]) -> None:
    assert [name for name in NOT_AT_FIRST if name in at_first] == []
    script = (
        "import json, sys, ink_tui.tui.start; from ink_tui.tui.screens import later; "
        "later.load_session_pane(); later.load_later(); print(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    behind = json.loads(done.stdout)
    own = ("ink_tui.store.demo", "watchfiles")  # loaded by a demo, and by the watch
    assert [name for name in NOT_AT_FIRST if name not in behind and name not in own] == []


@pytest.mark.parametrize(
    ("words", "most"),
    [
        (("--version",), 110),
        (("keys",), 150),
        (("list", "--json", "--no-cache", "--sessions-dir", str(CASES_DIR)), 230),
    ],
)
def test_what_needs_no_screen_starts_with_little(words: tuple[str, ...], most: int) -> None:
    script = (
        "import json, sys\n"
        "from ink_tui.cli import main\n"
        "status = main(sys.argv[1:])\n"
        "loaded = [name for name in ('textual', 'rich', 'tomllib') if name in sys.modules]\n"
        "print(json.dumps([status, loaded, len(sys.modules)]), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *words],
        capture_output=True,
        check=True,
        text=True,
        env={**os.environ, "INK_TUI_CONFIG_DIR": "/nowhere"},
    )
    status, loaded, count = json.loads(done.stderr.splitlines()[-1])
    assert (status, loaded) == (0, [])
    assert count <= most
