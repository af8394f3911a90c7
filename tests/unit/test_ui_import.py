"""Starting the browser loads nothing that only a running agent or the built-in agent needs."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys

import pytest

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
