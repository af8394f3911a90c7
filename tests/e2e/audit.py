"""Where strace is missing: Python's own audit events, recorded in every Python process started.

It sees less than strace: nothing of programs that are not Python, nothing of Python started with
``-I`` or ``-S``, and no ``mkfifo``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.e2e.strace import FOLLOWING, Access, TracingError, settled

if TYPE_CHECKING:
    from pathlib import Path

SITECUSTOMIZE = '''
import json, os, sys, threading

_log = os.open(os.environ["AUDIT_LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC)
_state = threading.local()
_open = os.open


def _open_in(path, flags, mode=0o777, *, dir_fd=None):
    """The event of os.open does not tell the folder descriptor; remember it for the hook."""
    _state.folder = dir_fd
    try:
        return _open(path, flags, mode, dir_fd=dir_fd)
    finally:
        _state.folder = None


os.open = _open_in


def _place(path, folder=-1):
    if isinstance(path, int):
        return os.readlink(f"/proc/self/fd/{path}")
    path = os.fsdecode(path)
    if os.path.isabs(path):
        return path
    base = os.getcwd() if folder in (-1, None) else os.readlink(f"/proc/self/fd/{folder}")
    return os.path.join(base, path)


def _open_event(path, mode, flags):
    if isinstance(path, int):
        return []
    folder = getattr(_state, "folder", None)
    if flags & os.O_CREAT:
        kind = "create"
    else:
        kind = "write" if flags & (os.O_WRONLY | os.O_RDWR | os.O_TRUNC) else "read"
    return [(kind, _place(path, folder))]


_EVENTS = {
    "open": _open_event,
    "os.rename": lambda a, b, c, d: [("rename", _place(a, c)), ("rename", _place(b, d))],
    "os.remove": lambda a, d: [("unlink", _place(a, d))],
    "os.mkdir": lambda a, m, d: [("mkdir", _place(a, d))],
    "os.rmdir": lambda a, d: [("rmdir", _place(a, d))],
    "os.utime": lambda a, t, n, d: [("utime", _place(a, d))],
    "os.chmod": lambda a, m, d: [("chmod", _place(a, d))],
    "os.chown": lambda a, u, g, d: [("chown", _place(a, d))],
    "os.truncate": lambda a, n: [("truncate", _place(a))],
    "os.link": lambda a, b, c, d: [("link", _place(a, c)), ("link", _place(b, d))],
    "os.symlink": lambda a, b, d: [("symlink", _place(b, d))],
    "os.setxattr": lambda a, *r: [("xattr", _place(a))],
    "os.removexattr": lambda a, *r: [("xattr", _place(a))],
    "sqlite3.connect": lambda a: [("create", _place(a))] if isinstance(a, (str, bytes)) else [],
    "socket.bind": lambda s, a: [("socket", _place(a))] if isinstance(a, (str, bytes)) else [],
    "subprocess.Popen": lambda e, a, c, v: [("exec", os.fsdecode(e), a)],
    "os.exec": lambda p, a, v: [("exec", os.fsdecode(p), a)],
    "os.posix_spawn": lambda p, a, v: [("exec", os.fsdecode(p), a)],
}


def _hook(event, args):
    handler = _EVENTS.get(event)
    if handler is None or getattr(_state, "busy", False):
        return
    _state.busy = True
    try:
        for kind, path, *argv in handler(*args):
            words = argv[0] if argv else []
            words = [words] if isinstance(words, (str, bytes)) else [os.fsdecode(w) for w in words]
            line = json.dumps([event, kind, path, words], default=os.fsdecode)
            os.write(_log, line.encode() + b"\\n")
    except OSError as error:
        os.write(_log, json.dumps(["failed", event, repr(error), []]).encode() + b"\\n")
    finally:
        _state.busy = False


os.write(_log, json.dumps(["started", "exec", sys.executable, sys.orig_argv]).encode() + b"\\n")
sys.addaudithook(_hook)
'''
"""Loaded by every Python process because its folder stands first in PYTHONPATH."""


def install(folder: Path) -> None:
    """Write the module that records into a folder meant for PYTHONPATH."""
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(SITECUSTOMIZE)


def parse(lines: list[str]) -> list[Access]:
    """Understand a log that `SITECUSTOMIZE` wrote.

    Raises:
        TracingError: An event could not be recorded, or no process recorded anything.
    """
    found = []
    for line in lines:
        event, kind, path, argv = _fields(json.loads(line))
        if event == "failed":
            raise TracingError(f"audit event {kind} could not be recorded: {path}")
        found.append(Access(kind, settled(path, kind in FOLLOWING), event, True, tuple(argv)))
    if not found:
        raise TracingError("no Python process recorded anything")
    return found


def _fields(value: Any) -> tuple[str, str, str, list[str]]:
    event, kind, path, argv = value
    return event, kind, path, argv
