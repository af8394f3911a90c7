"""The ground the other tests stand on."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import App, ComposeResult
from textual.widgets import Input

if TYPE_CHECKING:
    import pytest

    from tests.conftest import FixedClock

_PROBE = """
import os, sys
def test_probe():
    import textual.constants
    dirty = {n for n in os.environ if n.startswith(("TEXTUAL_", "INK_TUI_")) or n == "NO_COLOR"}
    assert dirty <= {"TEXTUAL_SNAPSHOT_TEMPDIR"}
    assert textual.constants.DEFAULT_THEME == "textual-dark"
    assert os.environ["HOME"] != "/nowhere"
"""


def test_a_dirty_environment_does_not_reach_textual(tmp_path: Path) -> None:
    """Textual reads its variables on import; ours are gone before, whatever plugin loads it."""
    root = Path(__file__).parents[2]
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "__init__.py").touch()
    (tmp_path / "tests" / "test_probe.py").write_text(_PROBE)
    for name in ("conftest.py", "at_rest.py"):
        (tmp_path / "tests" / name).write_bytes((root / "tests" / name).read_bytes())
    plugin = Path("tests", "reliability")
    (tmp_path / plugin).mkdir()
    for name in ("__init__.py", "ledger.py"):
        (tmp_path / plugin / name).write_bytes((root / plugin / name).read_bytes())
    (tmp_path / "pyproject.toml").write_bytes((root / "pyproject.toml").read_bytes())
    env = {
        **os.environ,
        "NO_COLOR": "1",
        "TEXTUAL_THEME": "dracula",
        "INK_TUI_SESSIONS_DIR": "/nowhere",
        "HOME": "/nowhere",
    }
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_probe.py"],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "1 passed" in run.stdout


def test_home_is_private_and_zone_is_utc() -> None:
    home = Path(os.environ["HOME"])
    assert "pytest" in str(home)
    assert Path(os.environ["XDG_STATE_HOME"]).is_relative_to(home)
    assert time.tzname[0] == "UTC"


def test_clock_moves_only_when_told(clock: FixedClock) -> None:
    first = clock()
    assert clock() == first
    clock.advance(2.5)
    assert clock() - first == 2.5
    assert clock.now().timestamp() == clock()


async def test_cursor_does_not_blink(monkeypatch: pytest.MonkeyPatch) -> None:
    class Field(App[None]):
        def compose(self) -> ComposeResult:
            yield Input()

    app = Field()
    async with app.run_test() as pilot:
        field = app.query_one(Input)
        field.focus()
        await pilot.pause()
        assert field.has_focus
        timer = field._blink_timer
        assert timer is not None
        assert not timer._active.is_set()
