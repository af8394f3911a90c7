"""A recording in a standard player: the screen at its end is the end of the session."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from ink_tui.cli import main
from tests.e2e.emulator import Emulator
from tests.e2e.terminal import Terminal, default_environment, installed_command
from tests.every_kind import every_kind
from tests.sessions import session, user
from tests.transcript_samples import CASES

if TYPE_CHECKING:
    from pathlib import Path

SIZE = (60, 20)
WIDE = "数据👨\u200d👩\u200d👧🇩🇪e\u0301❤\ufe0f👍🏽 ｆｕｌｌ한국어 \x1b[2J\x1b[31mred\x07 " * 20
SESSIONS = {
    "every kind": every_kind(),
    "wide and hostile": session(user("a1", None, WIDE), user("a2", "a1", f"x{WIDE}")),
    "short": session(user("a1", None, "hello")),
    **{
        name: next(CASES.glob(f"{name}*/session.jsonl")).read_bytes()
        for name in ("49-", "75-", "78-")
    },
}


@pytest.fixture(params=SESSIONS)
def recording(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The exported recording of a session."""
    source, target = tmp_path / "s.jsonl", tmp_path / "s.cast"
    source.write_bytes(SESSIONS[request.param])
    size = "x".join(map(str, SIZE))
    assert main(["export", str(source), "--format", "cast", "--size", size, "-o", str(target)]) == 0
    return target


def last_screen(recording: Path) -> list[str]:
    """Return what must stand at the end, computed without a terminal: rows are only ever added."""
    _head, *events = (json.loads(line) for line in recording.read_text("utf-8").splitlines())
    text = re.sub("\x1b\\[[0-9;]*m", "", "".join(event[2] for event in events))
    rows = [row.rstrip() for row in text.split("\r\n")][-SIZE[1] :]
    return rows + [""] * (SIZE[1] - len(rows))


@pytest.mark.e2e
@pytest.mark.parametrize(
    "way", [("play", "--idle-time-limit", "0.01", "--speed", "1000"), ("cat",)], ids=lambda w: w[0]
)
def test_the_player_ends_on_the_end_of_the_session(
    recording: Path, way: tuple[str, ...], tmp_path: Path
) -> None:
    env = default_environment() | {"ASCIINEMA_CONFIG_HOME": str(tmp_path / "config")}
    argv = [installed_command("asciinema"), *way, str(recording)]
    with Terminal.start(argv, env=env, size=SIZE) as terminal:
        assert terminal.wait_exit(30) == 0
        assert terminal.screen == last_screen(recording)
        assert any(terminal.screen)


def test_drawn_in_pieces_it_ends_the_same(recording: Path) -> None:
    """A player may stop at any moment: every event leaves a whole screen."""
    emulator = Emulator(*SIZE)
    _head, *events = (json.loads(line) for line in recording.read_text("utf-8").splitlines())
    for event in events:
        assert emulator.feed(event[2].encode()) == b""
        assert emulator.modes == {7, 25}
    assert emulator.rows() == last_screen(recording)
