"""Reading what strace saw of a program: every file it opened or changed, every program it started.

All strings and paths are printed in hexadecimal (``-xx``), so that no name can be taken for syntax.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_KINDS = {
    "rename": ("rename", "renameat", "renameat2"),
    "unlink": ("unlink", "unlinkat"),
    "rmdir": ("rmdir",),
    "mkdir": ("mkdir", "mkdirat"),
    "mknod": ("mknod", "mknodat"),
    "link": ("link", "linkat"),
    "symlink": ("symlink", "symlinkat"),
    "utime": ("utime", "utimes", "futimesat", "utimensat"),
    "chmod": ("chmod", "fchmod", "fchmodat", "fchmodat2"),
    "chown": ("chown", "fchown", "lchown", "fchownat"),
    "truncate": ("truncate", "ftruncate", "fallocate"),
    "xattr": (
        *("setxattr", "lsetxattr", "fsetxattr"),
        *("removexattr", "lremovexattr", "fremovexattr"),
    ),
    "socket": ("bind",),
}
_KIND_OF = {call: kind for kind, calls in _KINDS.items() for call in calls}
_OPENS = ("open", "openat", "openat2", "creat")
_PLACES = ("chdir", "fchdir", "clone", "clone3", "fork", "vfork", "execve", "execveat")
FOLLOWING = {"read", "write", "create", "truncate", "utime", "chmod", "xattr"}
"""Kinds of calls that act on what a symbolic link points to."""

_LINE = re.compile(r"(\d+) +(.*)")
_CALL = re.compile(r"(\w+)\((.*)\)\s+= (-?\w+)(?:<([^>]*)>)?(.*)")
_RESUMED = re.compile(r"<\.\.\. \w+ resumed>(.*)")
_PLACE = re.compile(r"(?:\w+<(?P<base>(?:\\x[0-9a-f]{2})*)>)|\"(?P<text>(?:\\x[0-9a-f]{2})*)\"")


class TracingError(RuntimeError):
    """The trace is missing or cannot be understood; nothing may be concluded from it."""


@dataclass(frozen=True, slots=True)
class Access:
    """One thing that a program did, or tried to do, with a file.

    ``kind`` is ``read``, ``write`` or ``create`` (opened so), ``rename`` (one for each of the two
    names), ``unlink``, ``rmdir``, ``mkdir``, ``mknod``, ``link``, ``symlink``, ``utime``,
    ``chmod``, ``chown``, ``truncate``, ``xattr``, ``socket``, or ``exec``.
    """

    kind: str
    path: str
    call: str
    done: bool
    """Whether the call succeeded; a refused attempt counts as much."""
    argv: tuple[str, ...] = ()
    """For ``exec``: the arguments, the program's name first."""

    def is_below(self, folder: Path) -> bool:
        """Whether the file is the folder itself or lies anywhere in it."""
        real = os.path.realpath(folder)
        return self.path == real or self.path.startswith(real + os.sep)


def strace_command(log: Path) -> list[str]:
    """The words before a command that trace it, and all it starts, into a file."""
    calls = [*_OPENS, *_PLACES, *_KIND_OF]
    return [
        *("strace", "-f", "--seccomp-bpf", "-qq", "-y", "-xx", "-s", "4096", "-e", "signal=none"),
        *("-e", "trace=" + ",".join(f"?{call}" for call in calls), "-o", os.fspath(log), "--"),
    ]


def parse(lines: Iterable[str], cwd: str) -> list[Access]:
    """Understand a log that `strace_command` asked for.

    Args:
        lines: The log.
        cwd: Working directory in which the program was started.

    Raises:
        TracingError: A line has an unknown form, or the log shows no started program.
    """
    whole = list(_whole_calls(lines))
    parents = {}
    for pid, call, match in whole:
        if call in {"clone", "clone3", "fork", "vfork"} and match[3].isdigit():
            parents[int(match[3])] = (pid, "CLONE_FS" in match[2])
    folders = _Folders(parents, cwd)
    found: list[Access] = []
    for pid, call, match in whole:
        folders.seen(pid)
        done = not match[3].startswith(("-", "?"))
        if (call == "chdir" and done) or (call == "fchdir" and done):
            folders.change(pid, _paths(match[2], folders.of(pid))[0])
        elif call in {"execve", "execveat"}:
            found.append(_started(call, match[2], folders.of(pid), done))
        elif call in _OPENS:
            found.append(_opened(call, match, folders.of(pid), done))
        elif call in _KIND_OF:
            found += _changed(call, match[2], folders.of(pid), done)
    if not any(access.kind == "exec" and access.done for access in found):
        raise TracingError("strace saw no program start")
    return found


class _Folders:
    """The working directory of every process, through forks and shared by threads."""

    def __init__(self, parents: dict[int, tuple[int, bool]], cwd: str) -> None:
        self._parents = parents
        self._cwd = cwd
        self._cells: dict[int, list[str]] = {}

    def seen(self, pid: int) -> list[str]:
        chain = []
        while pid not in self._cells and pid in self._parents:
            chain.append(pid)
            pid = self._parents[pid][0]
        cell = self._cells.setdefault(pid, [self._cwd])
        for child in reversed(chain):
            cell = cell if self._parents[child][1] else list(cell)
            self._cells[child] = cell
        return cell

    def of(self, pid: int) -> str:
        return self.seen(pid)[0]

    def change(self, pid: int, folder: str) -> None:
        self.seen(pid)[0] = folder


def _whole_calls(lines: Iterable[str]) -> Iterator[tuple[int, str, re.Match[str]]]:
    """Join calls that were interrupted in the log; yields pid, name and the parsed call."""
    begun: dict[int, str] = {}
    for line in lines:
        numbered = _LINE.fullmatch(line.strip())
        if not numbered:
            raise TracingError(f"not a line of strace: {line!r}")
        pid, rest = int(numbered[1]), numbered[2]
        if rest.startswith(("+++", "---")):
            continue
        if rest.endswith("<unfinished ...>"):
            begun[pid] = rest.removesuffix("<unfinished ...>")
            continue
        if resumed := _RESUMED.fullmatch(rest):
            rest = begun.pop(pid, "") + resumed[1]
        match = _CALL.fullmatch(rest)
        if match:
            yield pid, match[1], match
        elif not rest.endswith("= ?"):
            raise TracingError(f"not a call: {line!r}")
    for pid, rest in begun.items():  # killed inside the call: it may have been carried out
        match = _CALL.fullmatch(f"{rest}) = 0")
        if match:
            yield pid, match[1], match


def _decode(text: str) -> str:
    return os.fsdecode(bytes.fromhex(text.replace("\\x", "")))


def _paths(arguments: str, cwd: str) -> list[str]:
    """The files that a call names, absolute: each name by the folder descriptor before it."""
    base, names, only_base = cwd, [], None
    for match in _PLACE.finditer(arguments):
        if match["base"] is not None:
            base = only_base = _decode(match["base"])
        else:
            names.append(str(Path(base, _decode(match["text"]))))
    if names:
        return names
    return [only_base] if only_base is not None else []


def settled(path: str, follow: bool) -> str:
    """The path without symbolic links; the last part only if the call follows it."""
    if follow:
        return os.path.realpath(path)
    head, tail = os.path.split(os.path.normpath(path))
    return str(Path(os.path.realpath(head), tail))


def _opened(call: str, match: re.Match[str], cwd: str, done: bool) -> Access:
    flags = re.sub(_PLACE, "", match[2])
    if call == "creat" or "O_CREAT" in flags or "O_TMPFILE" in flags:
        kind = "create"
    elif re.search(r"O_WRONLY|O_RDWR|O_TRUNC", flags):
        kind = "write"
    else:
        kind = "read"
    if done and match[4]:
        path = _decode(match[4])
    else:
        path = settled(_paths(match[2], cwd)[0], follow=True)
    return Access(kind, path, call, done)


def _changed(call: str, arguments: str, cwd: str, done: bool) -> list[Access]:
    kind = _KIND_OF[call]
    if kind == "socket":
        name = re.search(r'sun_path="([^"]*)"', arguments)
        names = [str(Path(cwd, _decode(name[1])))] if name else []
    else:
        names = _paths(arguments, cwd)
    if kind == "symlink":
        names = names[1:]  # the first is the text of the link
    elif kind not in {"rename", "link"}:
        names = names[:1]
    return [Access(kind, settled(name, kind in FOLLOWING), call, done) for name in names]


def _started(call: str, arguments: str, cwd: str, done: bool) -> Access:
    words = [_decode(match["text"]) for match in _PLACE.finditer(arguments) if match["text"]]
    paths = _paths(arguments, cwd)
    return Access("exec", settled(paths[0], follow=False), call, done, tuple(words[1:]))
