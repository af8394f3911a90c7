"""Text of sessions cannot act on the terminal (`design.md` 1.5, `trust.md` 2.7).

Two stores differ only in what their fields hold: hostile text, or harmless text of the same width.
The same tour is taken through both, and what arrives at the terminal is compared.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TYPE_CHECKING

import pytest

from tests.cases import run_cli
from tests.e2e import tour
from tests.e2e.hostile import CLICK, PAYLOADS, Store, placeholder, tokens
from tests.e2e.terminal import Terminal, default_environment, installed_command

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.e2e

SIZE = (140, 36)
"""Wide enough for nothing to be cut away before it could do harm."""
SESSION = (
    ("1 v v home", ""),
    ("down down down enter", ""),
    ("2 g d", ""),
    ("d a G d", ""),
    ("space $ escape", ""),
    ("3", ""),
    ("4 down down enter", ""),
    ("r d", "d details"),
    ("y escape 1 home", ""),
    ("f d", "d details"),
    ("escape y", ""),
)
"""Every view and dialog of a session."""
SUB_AGENT = (("1 2", ""), ("3 4", ""), ("r", "d details"), ("escape", ""))
"""The same for the sessions of sub-agents, which hold little."""
_HEAD = 2
"""Row of the screen that holds the title of the session."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a tour brought."""

    raw: bytes
    clicked: int


def made(tmp_path: Path, *, harmless: bool) -> Store:
    store = Store(tmp_path / ("harmless" if harmless else "hostile"), harmless)
    store.fill()
    return store


def toured(store: Store) -> Seen:
    """Go through every screen of a store, clicking each place that looks like markup."""
    mark = placeholder(CLICK) if store.harmless else CLICK
    argv = [installed_command(), "--sessions-dir", str(store.root)]
    clicked = 0
    with Terminal.start(argv, env=default_environment(), size=SIZE) as terminal:
        terminal.wait_for("by folder")
        tour.settle(terminal, 0.5)
        tour.press(terminal, ". ! !")
        tour.type_filter(terminal, "evil")
        for number in range(3 * len(PAYLOADS)):
            terminal.send("home", *["down"] * number)
            tour.settle(terminal, 0.2)
            tour.press(terminal, "enter")
            child = "sub-agent" in terminal.screen[_HEAD]
            for step in SUB_AGENT if child else SESSION:
                tour.walk(terminal, (step,))
                clicked += _click(terminal, mark)
            tour.press(terminal, "escape escape")
        tour.press(terminal, "? escape ctrl+p down escape")
        for size in ((80, 24), (60, 20), SIZE):
            terminal.resize(*size)
            tour.settle(terminal)
        terminal.send("ctrl+q")
        assert terminal.wait_exit() == 0
        assert terminal.left_on() == []
        return Seen(bytes(terminal.raw), clicked)


def _click(terminal: Terminal, mark: str) -> int:
    if mark not in terminal.text:
        return 0
    column, row = terminal.find(mark)
    terminal.click(column + len(mark), row)
    tour.settle(terminal)
    assert terminal.processes() != []
    return 1


def test_no_field_acts_on_the_terminal(tmp_path: Path) -> None:
    hostile, harmless = made(tmp_path, harmless=False), made(tmp_path, harmless=True)
    assert hostile.fields == harmless.fields
    print(f"{len(hostile.fields)} fields: {', '.join(sorted(hostile.fields))}")
    assert len(hostile.fields) >= 25
    with ProcessPoolExecutor(2, get_context("fork")) as pool:
        seen, usual = pool.map(toured, (hostile, harmless))
    assert sorted(tokens(seen.raw) - tokens(usual.raw)) == []
    assert seen.clicked > 5
    assert usual.clicked > 5
    for start in (b"\x1b]0;", b"\x1b]1;", b"\x1b]2;", b"\x1b]8;", b"\x1b]52;c;ZXZpbA"):
        assert start not in seen.raw


def test_no_field_acts_through_a_command(tmp_path: Path) -> None:
    hostile = made(tmp_path, harmless=False)
    options = ["--sessions-dir", str(hostile.root)]
    paths = [str(path) for path in hostile.root.rglob("*.jsonl")]
    commands = [["list", "--all", *options], ["check", str(hostile.root)]]
    for name in ("show", "locate", "repair", "fork", "undo"):
        commands += [[name, path, *options] for path in paths]
    commands += [["resume", "--dry-run", path, *options] for path in paths]
    for command in commands:
        status, out, err = run_cli(*command)
        assert status in (0, 1), (command, err)
        assert tokens((out + err).encode("utf-8", "surrogatepass")) == set(), command


class TestTheTokens:
    """The proof is worth what its reader sees."""

    @pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
    def test_each_payload_is_seen(self, payload: str) -> None:
        assert (
            tokens(payload.encode("utf-8", "surrogatepass").replace(b"\xed\xa0\x80", b"")) != set()
        )
        assert tokens(placeholder(payload).encode()) == set()

    @pytest.mark.parametrize(
        ("raw", "token"),
        [
            (b"\x1b[31m", "CSI m"),
            (b"\x1b[?1049h", "CSI ?1049h"),
            (b"\xc2\x9b2J", "CSI J"),
            (b"\x1b]0;evil\x07", "osc 0;evil"),
            (b"\x1b]52;c;ZXZpbA==\x1b\\", "osc 52 ['evil']"),
            (b"\x1bPq\x1b\\", "string q"),
            (b"\x1bc", "ESC c"),
            (b"\x07", "control 07"),
            ("\u202e".encode(), "unseen '\\u202e'"),
            (b"\x1b]0;never ended", "ESC ]"),
        ],
    )
    def test_each_kind_has_its_token(self, raw: bytes, token: str) -> None:
        assert token in tokens(raw)

    def test_text_has_none(self) -> None:
        assert tokens("plain 支持 é [@click=app.quit]\r\n".encode()) == set()
