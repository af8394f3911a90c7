"""What every test runs on: no trace of the developer's own machine, and a clock that stands still.

The environment is cleaned when this file is imported, because Textual reads its variables once, on
import. The snapshot plugin imports Textual; it is therefore kept from loading by itself
(``-p no:textual-snapshot`` in pyproject.toml) and loaded here, after the cleaning.
"""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Iterator

_KEPT = "TEXTUAL_SNAPSHOT_TEMPDIR"
"""Set by the snapshot plugin itself, for its workers; Textual does not read it."""
_DIRTY = [
    name
    for name in os.environ
    if name in {"NO_COLOR", "FORCE_COLOR", "ESCDELAY"}
    or (name.startswith(("TEXTUAL_", "INK_TUI_")) and name != _KEPT)
]
for _name in _DIRTY:
    del os.environ[_name]
os.environ["TZ"] = "UTC"
time.tzset()

# Speed is measured in the benchmarks; a busy machine is no fault of what is tested here.
settings.register_profile("any-speed", deadline=None)
settings.load_profile("any-speed")

pytest_plugins = ("pytest_textual_snapshot", "tests.reliability.ledger")

NOON = datetime(2026, 3, 2, 12, 4, 0, tzinfo=UTC)
"""The moment at which tests happen; the sample sessions are of the same day."""

_PRIVATE_FOLDERS = {
    "XDG_CONFIG_HOME": ".config",
    "XDG_CACHE_HOME": ".cache",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
    "XDG_RUNTIME_DIR": ".run",
}


def pytest_collection_finish() -> None:
    """Search seldom for garbage, as the program does, and never among what lives to the end."""
    from ink_tui.tui.start import collect_seldom

    collect_seldom()
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    from tests.at_rest import forget_drawn

    forget_drawn()


class FixedClock:
    """A clock that moves only when told to. Call it for seconds since 1970, like ``time.time``."""

    def __init__(self, moment: datetime = NOON) -> None:
        self._moment = moment

    def __call__(self) -> float:
        return self._moment.timestamp()

    def now(self) -> datetime:
        """The same moment as an aware datetime in UTC."""
        return self._moment

    def advance(self, seconds: float) -> None:
        self._moment += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> FixedClock:
    """A clock that stands at `NOON`."""
    return FixedClock()


@pytest.fixture
def open_place() -> Iterator[Path]:
    """A folder that every user may enter; pytest closes its own whenever a run of it begins."""
    place = Path(tempfile.mkdtemp(prefix="ink-tui-open-"))
    place.chmod(0o755)
    yield place
    shutil.rmtree(place, ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def private_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Give the whole run, and every program it starts, an empty home of its own."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        for name, folder in _PRIVATE_FOLDERS.items():
            path = home / folder
            path.mkdir(parents=True, mode=0o700)
            patch.setenv(name, str(path))
        yield


@pytest.fixture(scope="session", autouse=True)
def still_cursor() -> Iterator[None]:
    """Keep text cursors from blinking, so that a screen looks the same at any moment."""
    from textual.widgets import Input, TextArea

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Input, "cursor_blink", False)
        patch.setattr(TextArea, "cursor_blink", False)
        yield


@pytest.fixture(scope="session", autouse=True)
def at_rest() -> Iterator[None]:
    """Let tests of screens go on as soon as the program is at rest."""
    from tests.at_rest import install

    with pytest.MonkeyPatch.context() as patch:
        install(patch)
        yield
