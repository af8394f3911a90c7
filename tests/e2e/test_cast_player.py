"""A recording in a standard player: the screen at its end is the end of the session."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from ink_tui.cli import main
from ink_tui.model.cells import broken
from ink_tui.model.export.cast import CastSize, cast
from ink_tui.model.plain import head_lines, transcript_text
from tests.e2e.emulator import Emulator
from tests.e2e.terminal import Terminal, default_environment, installed_command
from tests.every_kind import every_kind
from tests.sessions import session, user
from tests.transcript_samples import CASES, diagnosed

if TYPE_CHECKING:
    from pathlib import Path

SIZE = (60, 20)
CAST_SIZE = CastSize(*SIZE)
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


def end_of_transcript(data: bytes) -> list[str]:
    """Return the rows of the transcript at that size, from behind its last result on.

    A recording shows a result when its record comes, elsewhere than beside its call.
    """
    diagnosis = diagnosed(data)
    found: list[str] = []
    for line in list(transcript_text(diagnosis))[len(list(head_lines(diagnosis))) :]:
        found = [] if line == "result:" else [*found, line]
    return [row.rstrip() for line in found for row in broken(line, SIZE[0])][-SIZE[1] :]


def without_gaps(rows: list[str]) -> list[str]:
    """Return rows without those that say how much time has passed."""
    at = [n for n, row in enumerate(rows) if re.fullmatch(r"\([0-9]+[smhd] later\)", row)]
    return [row for n, row in enumerate(rows) if n not in at and n + 1 not in at]


@pytest.mark.parametrize("name", SESSIONS)
def test_the_last_screen_is_the_end_of_the_transcript(name: str) -> None:
    emulator = Emulator(*SIZE)
    _head, *events = (json.loads(line) for line in cast(diagnosed(SESSIONS[name]), "", CAST_SIZE))
    for event in events:
        emulator.feed(event[2].encode())
    rows = without_gaps(emulator.rows())
    while rows and not rows[-1]:
        rows.pop()
    wanted = end_of_transcript(SESSIONS[name])
    compared = min(len(rows), len(wanted))
    assert compared >= 3
    assert rows[-compared:] == wanted[-compared:]


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
