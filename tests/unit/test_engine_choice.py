"""Which terminal engine is chosen, and what is said where the first one cannot be used."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from ink_tui.agent.engine_bittty import BitttyEngine
from ink_tui.agent.engine_choice import load_engine, self_test
from ink_tui.agent.engine_ghostty import GhosttyEngine
from ink_tui.errors import LaunchError
from tests.engine_probe import ENGINES, EngineProbe, engine_factory

if TYPE_CHECKING:
    from ink_tui.agent.engine import EngineEvents


class MuteGhostty(GhosttyEngine):
    """Does not answer for the place of the cursor."""

    def feed(self, data: bytes) -> None:
        super().feed(data.replace(b"\x1b[6n", b""))


class MuteBittty(BitttyEngine):
    """Does not answer for the place of the cursor."""

    def feed(self, data: bytes) -> None:
        super().feed(data.replace(b"\x1b[6n", b""))


class RaisingGhostty(GhosttyEngine):
    """Cannot be made here."""

    def __init__(self, columns: int, rows: int, events: EngineEvents) -> None:
        raise RuntimeError("no such function")


def break_ghostty(patch: pytest.MonkeyPatch, engine: type[GhosttyEngine]) -> None:
    patch.setattr("ink_tui.agent.engine_ghostty.GhosttyEngine", engine)


def break_bittty(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("ink_tui.agent.engine_bittty.BitttyEngine", MuteBittty)


def forget(patch: pytest.MonkeyPatch, *names: str) -> None:
    """Make packages look as if they were not installed."""
    for name in names:
        for loaded in [m for m in sys.modules if m.startswith(f"ink_tui.agent.engine_{name}")]:
            patch.delitem(sys.modules, loaded)
        package = "pyghostty" if name == "ghostty" else name
        for loaded in [m for m in sys.modules if m.partition(".")[0] == package]:
            patch.delitem(sys.modules, loaded)
        patch.setitem(sys.modules, package, None)


@pytest.mark.parametrize("engine", ENGINES)
def test_both_engines_pass_their_trial(engine: str) -> None:
    assert self_test(engine_factory(engine)) == ""


def test_the_native_engine_comes_first_and_nothing_is_said() -> None:
    choice = load_engine()
    assert (choice.factory, choice.name, choice.note) == (GhosttyEngine, "ghostty", "")
    probe = EngineProbe(choice)
    assert probe.engine.name == "ghostty"
    probe.engine.close()


def test_without_the_first_package_the_second_draws_and_it_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    forget(monkeypatch, "ghostty")
    choice = load_engine()
    assert choice.name == "bittty"
    assert choice.note == "bittty: pyghostty missing"
    probe = EngineProbe(choice)
    probe.feed("drawn")
    assert (probe.engine.name, probe.line(0)) == ("bittty", "drawn")
    probe.engine.close()


def test_a_library_that_does_not_load_is_told_from_one_that_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "ink_tui.agent.engine_ghostty", None)
    assert load_engine().note == "bittty: pyghostty not loadable"


@pytest.mark.parametrize("broken", [MuteGhostty, RaisingGhostty])
def test_a_first_engine_that_fails_its_trial_is_not_used(
    monkeypatch: pytest.MonkeyPatch, broken: type[GhosttyEngine]
) -> None:
    break_ghostty(monkeypatch, broken)
    choice = load_engine()
    assert (choice.factory, choice.name) == (BitttyEngine, "bittty")
    assert choice.note == "bittty: pyghostty failed"


def test_without_any_engine_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    forget(monkeypatch, "ghostty", "bittty")
    with pytest.raises(LaunchError, match=r"pip install 'ink-tui\[pane\]'") as caught:
        load_engine()
    assert caught.value.kind == "engine-missing"
    assert "No terminal engine is installed" in str(caught.value)


def test_with_no_working_engine_the_fault_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    break_ghostty(monkeypatch, MuteGhostty)
    break_bittty(monkeypatch)
    with pytest.raises(LaunchError, match="does not answer questions") as caught:
        load_engine()
    assert caught.value.kind == "engine-missing"


def test_the_second_package_is_not_loaded_while_the_first_works() -> None:
    script = (
        "import sys; from ink_tui.agent.engine_choice import load_engine; load_engine();"
        "print('bittty' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True, timeout=20
    )
    assert done.stdout == "False\n"
