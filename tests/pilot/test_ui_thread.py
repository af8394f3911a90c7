"""The UI thread does no file, parse or process work (`design.md` section 1, promise 7)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).parents[2]
SECONDS = 120


@pytest.fixture(scope="module")
def noted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the tour saw, in a process of its own."""
    folder = tmp_path_factory.mktemp("tour")
    done = subprocess.run(
        [sys.executable, "-m", "tests.pilot.ui_thread_tour", str(folder)],
        cwd=REPOSITORY,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4_000:]
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def test_the_tour_went_everywhere(noted: dict[str, Any]) -> None:
    stops = noted["stops"]
    assert stops.count("opened") >= 6
    assert {
        *(
            "tab 2",
            "tab 3",
            "tab 4",
            "replay",
            "contexts",
            "help",
            "preflight",
            "repaired and resumed",
            "marked",
            "compared",
        ),
        *("tool", "killed", "forked", "undone", "cleaned up"),
    } <= set(stops)
    assert noted["elsewhere"] > 100, "the hook saw no file at all"


def test_no_file_of_store_or_state_is_touched_on_the_ui_thread(noted: dict[str, Any]) -> None:
    assert noted["files"] == []


def test_no_process_is_waited_for_on_the_ui_thread(noted: dict[str, Any]) -> None:
    assert noted["waits"] == []


def test_the_guard_is_the_only_process_started_on_the_ui_thread(noted: dict[str, Any]) -> None:
    # The exception: the loop itself starts a pane's guard, because readers of its descriptors
    # must be in place before its first word. The guard, not the loop, waits for the agent.
    starts = noted["processes"]
    assert len(starts) == 2, starts
    assert all("_spawn_guard" in start for start in starts)


def test_sessions_are_parsed_and_laid_out_in_workers(noted: dict[str, Any]) -> None:
    built = noted["built"]
    assert set(built) == {
        *("diagnose", "build_outline", "build_transcript", "build_table", "build_health")
    }
    for name, counts in built.items():
        assert counts["main"] == 0, name
        assert counts["other"] > 5, name
