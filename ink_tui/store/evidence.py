"""Looking at the files that calls without a saved result may have changed; nothing is written.

Only regular files of at most 8 MiB are read, a link as the last part of a path is not followed, and
the search for changed files is bounded. Everything happens in a thread of its own that is left
behind when it takes too long, since a file may lie on a mount that does not answer.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections import Counter, deque
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.formats.ink.raw_calls import raw_arguments
from ink_tui.model.entries import MessageEntry
from ink_tui.model.evidence import (
    LATE,
    Changes,
    Evidence,
    FileSeen,
    Seen,
    changes_since,
    judge,
)
from ink_tui.model.text import one_line
from ink_tui.model.tool_facts import ToolKind, file_change, tool_kind
from ink_tui.store.files import UnreadableError, open_for_reading, read_range
from ink_tui.store.reader import read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ink_tui.model.entries import Span
    from ink_tui.model.tool_calls import PairedCall
    from ink_tui.model.verdict import Diagnosis

MAX_FILE_BYTES = 8 << 20
"""Larger files are not read."""
MAX_RECORD_BYTES = 16 << 20
"""A call whose record is longer is not looked at."""
MAX_CALLS = 50
"""Calls of one session that are looked at."""
MAX_ENTRIES = 20_000
"""Names that the search for changed files looks at."""
MAX_DEPTH = 12
"""Folders below the working folder that it enters."""
SKIPPED = frozenset((".git", "node_modules"))
"""Folders that it does not enter: they change with every commit and install."""
BUDGET_S = 1.0
"""Seconds for all calls of a session together."""
_SEARCH_SHARE = 0.7
"""Part of the time after which the search ends with what it has found."""
_LEFT_BEHIND = threading.BoundedSemaphore(4)
"""So many threads may wait for mounts that do not answer; further ones are not begun."""
_HALVES = re.compile("[\ud800-\udfff]")


def look_at_calls(
    path: str,
    diagnosis: Diagnosis,
    *,
    folders: bool = True,
    budget_s: float = BUDGET_S,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[Evidence, ...]:
    """Return what can be seen of each open call of a session, in their order; blocks shortly.

    Args:
        path: The session file, in which the arguments are read again as they stand.
        diagnosis: The session.
        folders: Look for files that changed since a shell command was asked for.
        budget_s: Seconds after which the rest is given up.
        clock: Seconds that only grow.
    """
    found = [_without_files(paired.call.tool, folders) for paired in diagnosis.open_calls]
    wanted = [number for number, seen in enumerate(found) if seen is LATE][:MAX_CALLS]
    if not wanted or not _LEFT_BEHIND.acquire(blocking=False):
        return tuple(found)
    header = diagnosis.session.header
    look = _Look(
        path,
        diagnosis,
        _HALVES.sub("\ufffd", header.cwd) if header is not None else "",
        clock() + budget_s * _SEARCH_SHARE,
        clock,
    )

    def run() -> None:
        try:
            look.run(wanted, found)
        finally:
            _LEFT_BEHIND.release()

    thread = threading.Thread(target=run, name="evidence", daemon=True)
    thread.start()
    thread.join(budget_s)
    return tuple(found)


def evidence_by_call(diagnosis: Diagnosis, found: tuple[Evidence, ...]) -> Mapping[str, Evidence]:
    """Return what was seen by call id; an id that stands twice tells nothing."""
    ids = [paired.call.call_id for paired in diagnosis.open_calls]
    often = Counter(ids)
    return {call_id: seen for call_id, seen in zip(ids, found, strict=True) if often[call_id] == 1}


@dataclass(slots=True)
class _Look:
    """One look at all calls of a session."""

    path: str
    diagnosis: Diagnosis
    cwd: str
    search_until: float
    clock: Callable[[], float]

    def run(self, wanted: list[int], found: list[Evidence]) -> None:
        """Look at files first, then at what changed; each answer is put in its place at once."""
        commands: list[tuple[int, int | None]] = []
        lines: dict[int, bytes | None] = {}
        for number in wanted:
            paired = self.diagnosis.open_calls[number]
            span, time_ms = self._record(paired)
            if tool_kind(paired.call.tool) is ToolKind.BASH:
                commands.append((number, time_ms))
                continue
            if span is not None and span.offset not in lines:
                lines[span.offset] = self._line(span)
            line = lines.get(span.offset) if span is not None else None
            found[number] = self._file_evidence(paired, line)
        if commands:
            self._commands(commands, found)

    def _record(self, paired: PairedCall) -> tuple[Span | None, int | None]:
        """Return the line that holds a call, and when it was made where that is known."""
        context = self.diagnosis.context
        if context is None:
            return None, None
        entry_id = context.messages[paired.message_index].entry_id
        node = self.diagnosis.session.nodes.get(entry_id) if entry_id is not None else None
        if node is None:
            return None, None
        # A copy that a compaction keeps does not tell when it was made.
        return node.span, node.time_ms if isinstance(node, MessageEntry) else None

    def _line(self, span: Span) -> bytes | None:
        if span.length > MAX_RECORD_BYTES:
            return None
        try:
            return read_bytes(self.path, span.offset, span.length)
        except UnreadableError:
            return None

    def _file_evidence(self, paired: PairedCall, line: bytes | None) -> Evidence:
        tool = paired.call.tool
        if line is None:
            return Evidence(Seen.UNKNOWN, ("its record cannot be read again",))
        arguments = raw_arguments(line, paired.call.call_id)
        change = file_change(tool, arguments)
        if change is None:
            return judge(tool, arguments)
        return judge(tool, arguments, self._file(change.path))

    def _file(self, named: str) -> FileSeen:
        # A program of Node cannot name a file with half a surrogate either.
        named = _HALVES.sub("\ufffd", named)
        if named.startswith("~"):
            return FileSeen(problem="its path begins with ~, which tools read differently")
        if not named.startswith("/"):
            if not self.cwd.startswith("/"):
                return FileSeen(problem="the session names no working folder")
            named = f"{self.cwd.rstrip('/')}/{named}"
        seen = look_at_file(named)
        if seen.gone and not _is_folder(self.cwd):
            return replace(seen, problem="the working folder is missing")
        return seen

    def _commands(self, commands: list[tuple[int, int | None]], found: list[Evidence]) -> None:
        times = [time_ms for _number, time_ms in commands if time_ms is not None]
        problem = ""
        files: list[tuple[int, str]] = []
        whole = True
        if not self.cwd.startswith("/"):
            problem = "the session names no working folder"
        elif not _is_folder(self.cwd):
            problem = "the working folder is missing"
        elif times:
            files, whole = changed_files(
                self.cwd, min(times), lambda: self.clock() >= self.search_until
            )
        for number, time_ms in commands:
            changes = changes_since(self.cwd, files, time_ms, whole=whole)
            if problem:
                changes = Changes(self.cwd, time_ms, problem=problem)
            found[number] = Evidence(Seen.UNKNOWN, changes=changes)


def look_at_file(path: str) -> FileSeen:
    """Return a file as it is now; a file that is not regular or too large is not opened or read.

    Args:
        path: Absolute path.
    """
    try:
        with open_for_reading(path, keep_access_time=True) as (descriptor, state):
            if state.size > MAX_FILE_BYTES:
                return FileSeen(changed_ms=state.changed_ms, problem="larger than 8 MiB")
            return FileSeen(read_range(descriptor, 0, state.size), state.changed_ms)
    except UnreadableError as error:
        if error.kind == "vanished" or isinstance(error.__cause__, NotADirectoryError):
            return FileSeen(gone=True)
        return FileSeen(problem=one_line(error.reason))
    except ValueError:
        return FileSeen(problem="its path is not one that can be opened")


def changed_files(
    folder: str, since_ms: int, late: Callable[[], bool]
) -> tuple[list[tuple[int, str]], bool]:
    """Return files below a folder that changed after a moment, and whether all were looked at.

    Links to folders are not followed.

    Args:
        folder: Absolute path.
        since_ms: The moment in milliseconds since 1970.
        late: Says when to stop.

    Returns:
        Last change in milliseconds since 1970 and path relative to the folder, for each; and
        whether everything was looked at but for the folders that are always skipped.
    """
    found: list[tuple[int, str]] = []
    looked = 0
    whole = True
    waiting = deque([("", 0)])
    while waiting:
        below, depth = waiting.popleft()
        try:
            with os.scandir(f"{folder.rstrip('/')}/{below}") as entries:
                for entry in entries:
                    looked += 1
                    if looked > MAX_ENTRIES or late():
                        return found, False
                    name = f"{below}/{entry.name}" if below else entry.name
                    if not entry.is_dir(follow_symlinks=False):
                        changed_ms = _changed_ms(entry)
                        if changed_ms is not None and changed_ms > since_ms:
                            found.append((changed_ms, name))
                    elif entry.name not in SKIPPED:
                        if depth < MAX_DEPTH:
                            waiting.append((name, depth + 1))
                        else:
                            whole = False
        except OSError:
            # A folder that may not be read, or that went away meanwhile.
            whole = False
    return found, whole


def _without_files(tool: str, folders: bool) -> Evidence:
    """Return what is known of a call without a look; `LATE` stands for one that needs a look."""
    kind = tool_kind(tool)
    if kind in (ToolKind.EDIT, ToolKind.WRITE) or (kind is ToolKind.BASH and folders):
        return LATE
    return judge(tool, None)


def _changed_ms(entry: os.DirEntry[str]) -> int | None:
    try:
        return entry.stat(follow_symlinks=False).st_mtime_ns // 1_000_000
    except OSError:
        return None


def _is_folder(path: str) -> bool:
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False
