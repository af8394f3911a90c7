"""Proof that a program left a folder alone: a trace of what it did, and the folder's state."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import subprocess
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tests.e2e import audit, strace
from tests.e2e.strace import Access, TracingError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "Access",
    "AuditTracer",
    "FolderState",
    "StraceTracer",
    "Tracer",
    "TracingError",
    "best_tracer",
    "changes",
    "programs",
    "strace_works",
]

NOTICE = (
    "strace is missing: only Python's audit events are looked at, which do not see other programs. "
    "Install it (apt install strace) for the real proof."
)


class Tracer(Protocol):
    """Something that can watch one program, and everything that program starts."""

    def wrap(self, argv: Sequence[str]) -> list[str]:
        """The command to run instead of `argv`."""

    def environment(self, env: Mapping[str, str]) -> dict[str, str]:
        """The environment to run it in."""

    def accesses(self) -> list[Access]:
        """Everything seen, once the program has ended.

        Raises:
            TracingError: Nothing may be concluded: the trace is missing or not understood.
        """


class StraceTracer:
    """Watches by strace: every system call that opens or changes a file, in every process."""

    def __init__(self, folder: Path, cwd: Path | None = None) -> None:
        """Keep the log in a folder; `cwd` is where the program will be started."""
        self.log = folder / "strace.log"
        self._cwd = str((cwd or Path.cwd()).resolve())

    def wrap(self, argv: Sequence[str]) -> list[str]:
        return [*strace.strace_command(self.log), *argv]

    def environment(self, env: Mapping[str, str]) -> dict[str, str]:
        return dict(env)

    def accesses(self) -> list[Access]:
        return strace.parse(_lines(self.log), self._cwd)


class AuditTracer:
    """Watches by Python's audit events; see `tests.e2e.audit` for what it cannot see."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "audit.log"
        self._modules = folder / "audit-hook"
        audit.install(self._modules)

    def wrap(self, argv: Sequence[str]) -> list[str]:
        return list(argv)

    def environment(self, env: Mapping[str, str]) -> dict[str, str]:
        paths = [str(self._modules), *filter(None, [env.get("PYTHONPATH")])]
        return {**env, "PYTHONPATH": os.pathsep.join(paths), "AUDIT_LOG": str(self.log)}

    def accesses(self) -> list[Access]:
        return audit.parse(_lines(self.log))


def best_tracer(folder: Path, cwd: Path | None = None) -> Tracer:
    """The strongest tracer there is: strace; elsewhere than in CI, audit events with a warning.

    Raises:
        TracingError: strace is missing or does not work, and this is CI (``CI=true``).
    """
    if strace_works():
        return StraceTracer(folder, cwd)
    if os.environ.get("CI") == "true":
        raise TracingError("strace is missing or may not trace here; in CI it is required")
    warnings.warn(NOTICE, stacklevel=2)
    return AuditTracer(folder)


def strace_works() -> bool:
    """Whether strace is installed and allowed to trace."""
    program = shutil.which("strace")
    if program is None:
        return False
    run = subprocess.run(
        [program, "-qq", "-o", os.devnull, "true"], capture_output=True, timeout=30, check=False
    )
    return run.returncode == 0


def changes(accesses: Sequence[Access], below: Path) -> list[Access]:
    """Every attempt to change something in a folder; empty is what looking must leave."""
    return [
        access
        for access in accesses
        if access.kind not in {"read", "exec"} and access.is_below(below)
    ]


def programs(accesses: Sequence[Access]) -> list[tuple[str, ...]]:
    """The arguments of every program that was started, in order."""
    return [access.argv for access in accesses if access.kind == "exec" and access.done]


def _lines(log: Path) -> list[str]:
    if not log.exists():
        raise TracingError(f"the program left no trace: {log} does not exist")
    return log.read_text("utf-8", "surrogateescape").splitlines()


@dataclass(frozen=True, slots=True)
class _Entry:
    """All that can be known of one file without changing it (times in ns, size in bytes)."""

    kind: str
    mode: str
    owner: tuple[int, int]
    inode: int
    links: int
    size: int
    modified: int
    changed: int
    content: str
    """SHA-256 of a regular file, the text of a symbolic link, else empty."""


@dataclass(frozen=True, slots=True)
class FolderState:
    """Everything in a folder and below it, so that two moments can be compared.

    The time of the last reading is left out: looking may change that.
    """

    entries: dict[str, _Entry]

    @classmethod
    def of(cls, folder: Path) -> FolderState:
        """Read the state now. Unreadable files are compared by all but their content."""
        entries = {".": _entry(folder)}
        for place, folders, files in os.walk(folder):
            for name in [*folders, *files]:
                path = Path(place, name)
                entries[str(path.relative_to(folder))] = _entry(path)
        return cls(entries)

    def differences(self, later: FolderState) -> list[str]:
        """What differs in a later state, one sentence each; empty when nothing changed."""
        found = [f"{name} is gone" for name in sorted(self.entries.keys() - later.entries.keys())]
        found += [f"{name} is new" for name in sorted(later.entries.keys() - self.entries.keys())]
        for name in sorted(self.entries.keys() & later.entries.keys()):
            before, after = self.entries[name], later.entries[name]
            found += [
                f"{name}: {field} {getattr(before, field)!r} became {getattr(after, field)!r}"
                for field in _Entry.__slots__
                if getattr(before, field) != getattr(after, field)
            ]
        return found


def _entry(path: Path) -> _Entry:
    info = path.lstat()
    content = ""
    if stat.S_ISREG(info.st_mode):
        try:
            content = hashlib.sha256(path.read_bytes()).hexdigest()
        except PermissionError:
            content = "unreadable"
    elif stat.S_ISLNK(info.st_mode):
        content = str(path.readlink())
    return _Entry(
        kind=stat.filemode(info.st_mode)[0],
        mode=oct(stat.S_IMODE(info.st_mode)),
        owner=(info.st_uid, info.st_gid),
        inode=info.st_ino,
        links=info.st_nlink,
        size=info.st_size if stat.S_ISREG(info.st_mode) else 0,
        modified=info.st_mtime_ns,
        changed=info.st_ctime_ns,
        content=content,
    )
