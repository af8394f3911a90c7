"""Who uses a session: our locks, a sub-agent's lease, processes that name it or stand beside it.

`formats/ink.md` 1.5 and 9.5, `design.md` section 3. Top-level Ink sessions have no lock of any
kind, so "nobody" only ever means that nobody is seen.
"""

from __future__ import annotations

import json
import os
import socket
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.formats.file_names import FILE_SUFFIX, LEASE_SUFFIX
from ink_tui.model.liveness import NOBODY, Holder, HolderKind
from ink_tui.model.text import one_line
from ink_tui.store.files import UnreadableError, open_for_reading, read_range
from ink_tui.store.locks import lock_owner, process_alive
from ink_tui.store.processes import Process, ancestors, list_processes, working_directory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

LEASE_FRESH_MS = 60_000
"""A lease candidate that was touched at most this long ago counts as held."""

_LEASE_BYTES = 64 * 1024
"""Bytes of a lease that are read; a real one is one short line."""

_GUARD = "/guard.py"
_ROOT_OPTION = "--sessions-dir"
_SHORTEST_PREFIX = 4
"""Ink accepts the beginning of an id; shorter ones would match by chance."""


def find_holder(
    path: Path,
    *,
    session_id: str,
    cwd: str,
    state_dir: Path,
    now_ms: int,
    match: Iterable[str] = ("ink",),
    own_pane: Holder = NOBODY,
    processes: Callable[[], list[Process]] = list_processes,
    directory_of: Callable[[int], str | None] = working_directory,
) -> Holder:
    """Return who holds a session, the surest evidence first. Changes nothing, never raises.

    Args:
        path: The session file.
        session_id: Its header id; empty when it has none.
        cwd: Its working directory; empty when the header names none.
        state_dir: Our own state folder, where our locks are.
        now_ms: The present, in milliseconds since 1970.
        match: Names of the agent's processes.
        own_pane: Our own running pane of this session.
        processes: Source of the processes.
        directory_of: Tells a process's working directory.
    """
    if own_pane.kind is HolderKind.CERTAIN:
        return own_pane
    owner = lock_owner(state_dir, path)
    if owner is not None and owner.pid != os.getpid():
        return Holder(HolderKind.CERTAIN, owner.who, owner.pid)
    lease = lease_holder(path, now_ms)
    if lease.kind is HolderKind.CERTAIN:
        return lease
    listed = processes()
    ours = ancestors(os.getpid(), listed)
    others = [
        process for process in listed if process.pid not in ours and not _is_own_guard(process)
    ]
    names = frozenset(match)
    real_file = os.path.realpath(path)
    for process in others:
        if _is_reader(process):
            continue
        agent = bool(names & process.program_names)
        if _names_session(process, path, real_file, session_id, agent=agent):
            return Holder(HolderKind.CERTAIN, _who(process), process.pid)
    if lease.kind is HolderKind.POSSIBLE:
        return lease
    try:
        real = os.path.realpath(cwd) if cwd else ""
    except ValueError:  # NUL or half a surrogate: no folder has such a name
        real = ""
    for process in others:
        if real and names & process.program_names and directory_of(process.pid) == real:
            return Holder(HolderKind.POSSIBLE, f"{_who(process)}, in the same folder", process.pid)
    return own_pane


def lease_holder(path: Path, now_ms: int) -> Holder:
    """Return who holds the lease of a sub-agent session (`formats/ink.md` 1.5).

    Args:
        path: The session file.
        now_ms: The present, in milliseconds since 1970.
    """
    folder = path.with_name(path.name + LEASE_SUFFIX)
    possible = NOBODY
    try:
        candidates = sorted(os.scandir(folder), key=lambda item: item.name)
    except NotADirectoryError:
        return Holder(HolderKind.POSSIBLE, "a lease of an old build")
    except OSError:
        return NOBODY
    for candidate in candidates:
        if not candidate.name.startswith("lease-"):
            continue
        try:
            touched_ms = candidate.stat(follow_symlinks=False).st_mtime_ns // 1_000_000
            with open_for_reading(candidate.path) as (descriptor, _state):
                content = read_range(descriptor, 0, _LEASE_BYTES)
        except (OSError, UnreadableError):
            continue
        fresh = now_ms - touched_ms <= LEASE_FRESH_MS
        pid, host = _lease_facts(content)
        if pid is None:
            if fresh:
                possible = Holder(HolderKind.POSSIBLE, "a lease that cannot be read")
        elif host != socket.gethostname():
            return Holder(HolderKind.CERTAIN, f"an agent on {one_line(host)}", None)
        elif fresh or process_alive(pid):
            return Holder(HolderKind.CERTAIN, f"an agent with a lease, process {pid}", pid)
    return possible


def _lease_facts(content: bytes) -> tuple[int | None, str]:
    try:
        fields = json.loads(content)
        pid, host = fields["pid"], fields["host"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None, ""
    good = isinstance(pid, int) and not isinstance(pid, bool) and isinstance(host, str)
    return (pid, host) if good else (None, "")


def _names_session(
    process: Process, path: Path, real_file: str, session_id: str, *, agent: bool
) -> bool:
    names = {str(path), real_file}
    file_name = path.name
    stem = file_name.removesuffix(FILE_SUFFIX)
    elsewhere = _is_bound_elsewhere(process, path)
    for argument in process.argv[1:]:
        value = (
            argument.split("=", 1)[1] if argument.startswith("-") and "=" in argument else argument
        )
        if value in names:
            return True
        if elsewhere:
            continue
        if session_id and value == session_id:
            return True
        if not agent:
            continue
        if value in (file_name, stem):
            return True
        if len(value) >= _SHORTEST_PREFIX and session_id.startswith(value):
            return True
    return False


def _is_bound_elsewhere(process: Process, path: Path) -> bool:
    """Whether its arguments bind it to session roots that the file does not lie in.

    The copy of a store holds sessions of the same ids; an agent on one says nothing of the other.
    A root that is not absolute may be any folder, so it binds to nothing.
    """
    roots = [
        argument.partition("=")[2] or following
        for argument, following in pairwise((*process.argv, ""))
        if argument == _ROOT_OPTION or argument.startswith(f"{_ROOT_OPTION}=")
    ]
    if not roots or not all(Path(root).is_absolute() for root in roots):
        return False
    real = os.path.realpath(path)
    return not any(
        path.is_relative_to(root) or Path(real).is_relative_to(os.path.realpath(root))
        for root in roots
    )


def _is_reader(process: Process) -> bool:
    """Whether it is a program of ours that only looks; the built-in agent writes."""
    ours = "ink-tui" in process.program_names or (
        "-m" in process.argv[:3] and "ink_tui" in process.argv[:4]
    )
    return ours and "agent" not in process.argv[1:6]


def _is_own_guard(process: Process) -> bool:
    """Whether it guards a pane of our own: the caller knows better whether that has ended.

    A guard outlives its agent by the time it takes to clear up, and its arguments are the agent's.
    """
    guards = any(part.endswith(_GUARD) for part in process.argv[:6])
    return guards and process.parent == os.getpid()


def _who(process: Process) -> str:
    program = [os.path.basename(part) for part in process.argv[:1]]  # noqa: PTH119 - just a text
    names = [process.name, *program]
    name = next((name for name in names if name), "a process")
    return f"{one_line(name)}, process {process.pid}"
