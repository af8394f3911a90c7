"""Our own lock on a session, so that two of our programs never write to one file.

A lock is a small file in our state folder. It names the process by id *and* start time, so a
process id that was given to another process, or a reboot, makes the lock stale.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import subprocess
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.errors import RefusedError, StoreError
from ink_tui.model.text import clean, one_line
from ink_tui.store.atomic import create_file, private_folder, system_error
from ink_tui.store.files import close_quietly, read_whole

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOCKS = "locks"
_LOCK_END = ".lock"
_GUARD = ".guard"
_MOST_LOCKS = 1_000
"""Locks that are looked at when dead ones are removed."""
_PS_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class LockOwner:
    """Who holds a lock."""

    pid: int
    started: str
    """When the process began, as the system tells it; empty when it cannot."""
    host: str
    purpose: str
    """In a word or two, for example `repair` or `agent`."""

    @property
    def who(self) -> str:
        """The owner in words, cleaned."""
        place = "" if self.host == socket.gethostname() else f" on {one_line(self.host)}"
        return f"ink-tui ({one_line(self.purpose)}), process {self.pid}{place}"


def process_started(pid: int) -> str:
    """Return when a process began, as an opaque text; empty when there is no such process.

    Linux: ticks since boot with the boot's id. Elsewhere what `ps` prints.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        if Path("/proc/self/stat").exists():
            return ""
        return _ps_started(pid)
    # The name in brackets may hold blanks and brackets: count from the last one.
    fields = stat[stat.rfind(b")") + 2 :].split()
    return f"{boot}:{fields[19].decode('ascii', 'replace')}" if len(fields) > 19 else ""


def _ps_started(pid: int) -> str:
    command = ["/bin/ps", "-o", "lstart=", "-p", str(pid)]
    try:
        run = subprocess.run(
            command,
            capture_output=True,
            timeout=_PS_SECONDS,
            check=False,
            env={"LC_ALL": "C", "TZ": "UTC"},
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return run.stdout.decode("ascii", "replace").strip()


def process_alive(pid: int) -> bool:
    """Return whether a process runs, another user's included; one that has only ended does not."""
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False  # the second: no number that a process can have
    except OSError:
        return True
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return True
    # Killed, and its parent has not asked for its status yet: it still answers to signals.
    return stat[stat.rfind(b")") + 2 :][:1] not in (b"Z", b"X")


def lock_path(state_dir: Path, session: Path) -> Path:
    """Return where the lock of a session file lies, whatever way its path is written."""
    real = session.parent.resolve() / session.name
    import hashlib  # loads much, and few starts take a lock

    digest = hashlib.sha256(os.fsencode(real)).hexdigest()
    return state_dir / _LOCKS / f"{digest[:32]}{_LOCK_END}"


def lock_owner(state_dir: Path, session: Path) -> LockOwner | None:
    """Return the living owner of a session's lock; a stale lock has none. Changes nothing.

    One that cannot be read has no owner to name; taking the lock fails then.
    """
    try:
        return _living(lock_path(state_dir, session))
    except OSError:
        return None


@contextmanager
def session_lock(state_dir: Path, session: Path, purpose: str) -> Iterator[LockOwner]:
    """Hold the lock of a session.

    Raises:
        RefusedError: `in-use`: another process of ours holds it.
        StoreError: The system refuses.
    """
    path = lock_path(state_dir, session)
    owner = LockOwner(os.getpid(), process_started(os.getpid()), socket.gethostname(), purpose)
    private_folder(path.parent)
    with _guarded(path.parent):
        held = _living(path)
        if held is not None:
            raise RefusedError(
                "in-use",
                f"{clean(session.name)} is in use by {held.who}. Wait until it is done, or fork "
                f"the session instead. (Lock: {clean(str(path))})",
            )
        path.unlink(missing_ok=True)
        create_file(path, _encoded(owner, session))
    try:
        yield owner
    finally:
        _release(path, owner)


def clear_dead_locks(state_dir: Path) -> int:
    """Remove locks whose process is gone, and what is no lock; return how many; never raises.

    Locks of other machines stay: their processes cannot be looked at from here.
    """
    folder = state_dir / _LOCKS
    dead = _dead_locks(folder)
    if not dead:
        return 0
    removed = 0
    with suppress(StoreError), _guarded(folder):
        for path in dead:
            if _is_dead(path):  # looked at again: another process may have taken it over
                with suppress(OSError):
                    path.unlink()
                    removed += 1
    return removed


def _dead_locks(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            names = [
                entry.name
                for entry in islice(entries, _MOST_LOCKS)
                if entry.name.endswith(_LOCK_END) and entry.is_file(follow_symlinks=False)
            ]
    except OSError:
        return []
    return [folder / name for name in names if _is_dead(folder / name)]


def _is_dead(path: Path) -> bool:
    try:
        return _living(path) is None
    except OSError:
        return False  # it cannot be read: nobody knows


def _release(path: Path, owner: LockOwner) -> None:
    """Remove our lock; one that cannot be removed goes stale with this process."""
    try:
        with _guarded(path.parent):
            if _read(path) == owner:
                path.unlink(missing_ok=True)
    except StoreError:
        # The work is done, or has its own error. Nobody takes over a lock whose owner lives.
        with suppress(OSError):
            path.unlink(missing_ok=True)


@contextmanager
def _guarded(folder: Path) -> Iterator[None]:
    """Let one process at a time look at the locks and change them; held for microseconds."""
    guard = folder / _GUARD
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(guard, flags, 0o600)
    except OSError as error:
        raise system_error(guard, "opened", error, "Nothing was changed.") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    except OSError as error:
        raise system_error(folder, "locked", error, "Nothing was changed.") from error
    finally:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        close_quietly(descriptor)


def _living(path: Path) -> LockOwner | None:
    """Return the owner of a lock while its process runs; raises what the system raises."""
    owner = _read(path)
    if owner is None:
        return None
    if owner.host != socket.gethostname():
        return owner  # its process cannot be looked at from here
    if not process_alive(owner.pid):
        return None
    started = process_started(owner.pid)
    return None if started and owner.started and started != owner.started else owner


def _read(path: Path) -> LockOwner | None:
    """Return what a lock says; none where there is no lock, or what is there is none.

    A lock that the system does not let us read may be somebody's: its error is raised.
    """
    try:
        content = read_whole(path)
    except FileNotFoundError:
        return None
    try:
        fields = json.loads(content)
        return LockOwner(
            int(fields["pid"]), str(fields["started"]), str(fields["host"]), str(fields["purpose"])
        )
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None


def _encoded(owner: LockOwner, session: Path) -> bytes:
    fields = {
        "pid": owner.pid,
        "started": owner.started,
        "host": owner.host,
        "purpose": owner.purpose,
        "path": str(session),
    }
    return json.dumps(fields).encode() + b"\n"
