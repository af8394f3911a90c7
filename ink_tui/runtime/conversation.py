"""The session that the built-in agent continues: read once, then appended to, write first.

Memory is changed only after a record is on disk (`formats/ink.md` section 5).
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.errors import RefusedError
from ink_tui.formats.ink.constants import UNKNOWN_OUTCOME
from ink_tui.formats.ink.encode import (
    NewResult,
    encode_assistant,
    encode_tool_results,
    encode_user,
    new_entry_id,
)
from ink_tui.formats.registry import INK
from ink_tui.model.entries import EntryId, ModelMarker, PositionMarker
from ink_tui.model.faults import TailState
from ink_tui.model.messages import TextBlock, ToolCall
from ink_tui.model.text import one_line
from ink_tui.model.verdict import Diagnosis, diagnose
from ink_tui.model.words import fault_words, words
from ink_tui.store.append import SessionAppender

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType

    from ink_tui.model.messages import JsonValue
    from ink_tui.model.session import Header

ASKED = "The user asked for this tool; no model is configured."
"""Text of an assistant message that only carries a call which the user typed."""


class Conversation:
    """One session, open for appending.

    Args:
        path: The session file.
        clock: The present in milliseconds since 1970.
        draw: Source of ids, 16 hex digits each.

    Raises:
        RefusedError: The session must not be continued as it stands; nothing was written.
        StoreError: The file cannot be opened.
    """

    def __init__(
        self,
        path: str,
        clock: Callable[[], int],
        draw: Callable[[], str] = lambda: secrets.token_hex(8),
    ) -> None:
        self.path = path
        self._clock = clock
        self._draw = draw
        self._file = SessionAppender(path)
        try:
            parser = INK.parser()
            parser.feed(self._file.read())
            self.diagnosis = diagnose(parser.session())
            self.header = check_continuable(self.diagnosis)
        except BaseException:
            self._file.close()
            raise
        self._leaf: EntryId | None = self.diagnosis.leaf
        self._taken = {
            record.id
            for record in self.diagnosis.session.records
            if not isinstance(record, PositionMarker | ModelMarker) and record.id is not None
        }
        self._call_ids = {
            paired.call.call_id
            for paired in (self.diagnosis.pairing.calls if self.diagnosis.pairing else ())
        }
        self._open: list[ToolCall] = []
        self.saved = 0
        """Records appended so far."""

    @property
    def leaf(self) -> EntryId | None:
        """The entry that the next record hangs on."""
        return self._leaf

    @property
    def open_calls(self) -> tuple[ToolCall, ...]:
        """Our own calls without a saved result."""
        return tuple(self._open)

    def say(self, text: str) -> None:
        """Save what the user said."""
        self._append(lambda entry, parent, now: encode_user(entry, parent, now, text))

    def call(self, tool: str, arguments: Mapping[str, JsonValue]) -> ToolCall:
        """Save an answer with the call that the user asked for; the call is open from then on."""
        call_id = f"call_{self._draw()}"
        while call_id in self._call_ids:
            call_id = f"call_{secrets.token_hex(8)}"
        call = ToolCall(call_id, tool, arguments)
        blocks = (TextBlock(ASKED), call)
        self._append(
            lambda entry, parent, now: encode_assistant(entry, parent, now, blocks, "tool_use")
        )
        self._call_ids.add(call_id)
        self._open.append(call)
        return call

    def answer(self, call: ToolCall, content: str, *, is_error: bool) -> None:
        """Save the result of an open call."""
        result = NewResult(call.call_id, call.tool, content, is_error)
        self._append(lambda entry, parent, now: encode_tool_results(entry, parent, now, [result]))
        self._open.remove(call)

    def close_open_calls(self) -> int:
        """Save the error result of unknown outcome for every open call; returns their number."""
        closing = list(self._open)
        if closing:
            results = [
                NewResult(call.call_id, call.tool, UNKNOWN_OUTCOME, is_error=True)
                for call in closing
            ]
            self._append(
                lambda entry, parent, now: encode_tool_results(entry, parent, now, results)
            )
            self._open.clear()
        return len(closing)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def __enter__(self) -> Conversation:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _append(self, encode: Callable[[str, str | None, int], bytes]) -> None:
        entry_id = new_entry_id(self._taken, self._draw)
        self._file.append(encode(entry_id, self._leaf, self._clock()))
        self._taken.add(EntryId(entry_id))
        self._leaf = EntryId(entry_id)
        self.saved += 1


def check_continuable(diagnosis: Diagnosis) -> Header:
    """Return the header of a session that may be appended to as it stands.

    Raises:
        RefusedError: It may not; the sentence says why and what to do.
    """
    session = diagnosis.session
    header = session.header
    if header is None or diagnosis.refusal is not None:
        faults = sorted(diagnosis.faults, key=lambda fault: fault.code != diagnosis.refusal)
        why = fault_words(faults[0]).tree if faults else "it cannot be read"
        raise RefusedError(
            str(diagnosis.refusal or "refused"),
            f"This session cannot be continued in place: {one_line(why)}. {_try(header, 'fork')}",
        )
    if session.tail.state in (TailState.INVALID_TAIL, TailState.FOREIGN_TAIL):
        raise RefusedError(
            session.tail.state,
            f"{words(session.tail.state).tree}, so nothing is written after it."
            f" {_try(header, 'fork')}",
        )
    if session.tail.torn != "none":
        what = (
            "The last record lacks its newline"
            if session.tail.state is TailState.UNTERMINATED
            else f"The last {session.tail.torn_bytes:,} bytes are not a complete record"
        )
        raise RefusedError(
            "torn", f"{what}; a record written now would be lost. {_try(header, 'repair')}"
        )
    if diagnosis.open_calls:
        number = len(diagnosis.open_calls)
        tools = ", ".join(dict.fromkeys(one_line(c.call.tool) for c in diagnosis.open_calls))
        calls = "call has" if number == 1 else "calls have"
        raise RefusedError(
            "open-calls",
            f"{number} {calls} no saved result ({tools}); they may have run."
            f" {_try(header, 'repair')}",
        )
    if header.parent_id is not None:
        raise RefusedError(
            "child-session",
            "This is a sub-agent session; its agent continues it only from its parent."
            f" {_try(header, 'fork')}",
        )
    # Not `Path.is_dir`, which raises where the name is too long.
    if not os.path.isdir(header.cwd):  # noqa: PTH112 - a text from the file
        named = one_line(header.cwd) or "The session's working folder"
        raise RefusedError(
            "cwd-missing",
            f"{named} is not a folder on this machine. Fork the session into another one:"
            f" ink-tui fork --into DIR {one_line(header.id)}",
        )
    return header


def is_fork(header: Header) -> bool:
    """Return whether a session is a copy that was forked from another one."""
    return header.forked_from is not None


def store_root(path: str, roots: tuple[str, ...]) -> str | None:
    """Return the root that a file lies below, or `None` when it lies below none."""
    place = Path(os.path.realpath(path))
    for root in roots:
        if place.is_relative_to(os.path.realpath(root)):
            return root
    return None


def _try(header: Header | None, command: str) -> str:
    first = "Settle it first" if command == "repair" else "Fork it instead"
    return f"{first}: ink-tui {command} {one_line(header.id) if header else 'PATH'}"
