"""Small sessions, and a terminal and signals that tests of the built-in agent hold in hand."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any

import orjson

from ink_tui.formats.ink.encode import encode_line
from ink_tui.formats.registry import INK
from ink_tui.model.verdict import Diagnosis, diagnose
from ink_tui.runtime.conversation import Conversation
from ink_tui.runtime.loop import Loop
from ink_tui.runtime.stops import Ended
from ink_tui.runtime.terminal import Style
from tests.conftest import NOON

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

NOW_MS = int(NOON.timestamp() * 1_000)
PLAIN = Style(colour=False, unicode=True)
SESSION_ID = "11111111-1111-4111-8111-111111111111"


class FakeTerminal:
    """Hands out lines, or raises what stands in their place; keeps what was written."""

    def __init__(self, *lines: str | BaseException) -> None:
        self._lines = list(lines)
        self.shown = ""

    def write(self, text: str) -> None:
        self.shown += text

    def say(self, text: str) -> None:
        self.shown += text

    def ask(self, prompt: str) -> str | None:
        self.shown += prompt
        if not self._lines:
            return None
        line = self._lines.pop(0)
        if isinstance(line, BaseException):
            raise line
        return line


class FakeStops:
    """A signal that comes as soon as a tool has shown something, or none."""

    def __init__(self, terminal: FakeTerminal, number: int | None = None, after: str = "") -> None:
        self._terminal = terminal
        self._number = number
        self._after = after

    @property
    def wanted(self) -> bool:
        return self._number is not None and self._after in self._terminal.shown

    def take_interrupt(self) -> None:
        number, self._number = self._number, None
        if number is not None and number != signal.SIGINT:
            raise Ended(number)


def header(cwd: Path, **fields: object) -> dict[str, object]:
    stamp = "2026-03-02T08:00:00.000Z"
    return {
        "type": "session",
        "version": 1,
        "id": SESSION_ID,
        "timestamp": stamp,
        "cwd": str(cwd),
        **fields,
    }


def entry(number: int, message: Mapping[str, object]) -> dict[str, object]:
    return {
        "type": "message",
        "id": f"a{number}",
        "parentId": f"a{number - 1}" if number > 1 else None,
        "timestamp": f"2026-03-02T08:00:{number:02d}.000Z",
        "message": message,
    }


USER = entry(1, {"role": "user", "content": "list files"})
CALL = {"type": "toolCall", "id": "c1", "name": "ls", "arguments": {"path": "."}}
USAGE = {"inputTokens": 900, "outputTokens": 40}
ANSWER = entry(2, {"role": "assistant", "blocks": [CALL], "usage": USAGE, "stopReason": "tool_use"})
RESULT = entry(
    3,
    {
        "role": "toolResult",
        "results": [{"toolCallId": "c1", "toolName": "ls", "content": "a.txt", "isError": False}],
    },
)


def write(path: Path, records: Sequence[dict[str, object]]) -> bytes:
    content = b"".join(encode_line(record) for record in records)
    path.write_bytes(content)
    return content


def ids() -> Callable[[], str]:
    numbers = iter(range(1, 1_000))
    return lambda: f"{next(numbers):016x}"


def play(
    file: Path,
    *lines: str | BaseException,
    stop: tuple[int, str] | None = None,
) -> tuple[int, FakeTerminal, list[dict[str, Any]]]:
    """Run the loop over some lines; returns status, terminal, and the records it appended."""
    before = file.read_bytes()
    terminal = FakeTerminal(*lines)
    stops = FakeStops(terminal, *stop) if stop else FakeStops(terminal)
    conversation = Conversation(str(file), lambda: NOW_MS, ids())
    try:
        status = Loop(conversation, terminal, stops, PLAIN).run()
    finally:
        conversation.close()
    after = file.read_bytes()
    assert after[: len(before)] == before
    added = after[len(before) :].splitlines()
    return status, terminal, [orjson.loads(line) for line in added]


def judged(file: Path) -> Diagnosis:
    parser = INK.parser()
    parser.feed(file.read_bytes())
    return diagnose(parser.session())
