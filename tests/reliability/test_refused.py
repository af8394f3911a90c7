"""R20 and S8: targets that a repair refuses, and the rights of what we write."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import stat
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from ink_tui.errors import StoreError
from ink_tui.model.fork_points import fork_plan
from ink_tui.model.liveness import Holder, HolderKind
from ink_tui.store.fork import write_fork
from ink_tui.store.holders import find_holder
from ink_tui.store.locks import session_lock
from ink_tui.store.processes import Process
from ink_tui.store.repair import apply_repair, plan_repair, undo_last
from ink_tui.store.repair_plan import diagnosis_of
from tests.e2e.tracing import FolderState
from tests.sessions import HEADER, answer, line, results, session, user
from tests.unit.repair_files import GOOD, NOW, OLD_NS, put

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.reliability.ledger import Ledger

_MOST_CALLS = 20_000
"""Calls of functions that a refusal may take: far below a second of work."""
_TORN = GOOD + b'{"type":"mess'


def _fifo(place: Path) -> Path:
    os.mkfifo(place / "a.jsonl")
    return place / "a.jsonl"


def _link(target: str) -> Callable[[Path], Path]:
    def make(place: Path) -> Path:
        put(place, _TORN).rename(place / "real")
        (place / "folder").mkdir()
        (place / "a.jsonl").symlink_to(target)
        return place / "a.jsonl"

    return make


def _hard_link(place: Path) -> Path:
    path = put(place, _TORN)
    os.link(path, place / "other")
    return path


def _folder(place: Path) -> Path:
    (place / "a.jsonl").mkdir()
    return place / "a.jsonl"


def _socket(place: Path) -> Path:
    here = os.getcwd()  # noqa: PTH109 - the name of a socket must be short
    os.chdir(place)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("a.jsonl")
    os.chdir(here)
    return place / "a.jsonl"


def _path(text: str) -> Callable[[Path], Path]:
    return lambda place: place / text


def _holds(content: bytes) -> Callable[[Path], Path]:
    return lambda place: put(place, content)


def _foreign(place: Path) -> Path:
    path = put(place, _TORN)
    if os.geteuid() == 0:
        os.chown(path, 12345, -1)
    return path


def _text(*records: dict[str, Any]) -> bytes:
    return b"".join(line(record) for record in records)


_PI = {"type": "session", "version": 3, "id": "x", "timestamp": "t", "cwd": "/"}
_CODEX = {"timestamp": "t", "type": "session_meta", "payload": {"id": "x", "cwd": "/"}}
_CLAUDE: dict[str, Any] = {
    "type": "user",
    "uuid": "x",
    "parentUuid": None,
    "sessionId": "y",
    "message": {},
}
_OPEN = answer("a2", "a1", calls=(("c1", "bash", {}),))

_TARGETS: dict[str, Callable[[Path], Path]] = {
    "a pipe": _fifo,
    "a link to a session": _link("real"),
    "a link to a folder": _link("folder"),
    "a link to nothing": _link("nothing"),
    "a link to itself": _link("a.jsonl"),
    "a link to a device": _link("/dev/null"),
    "two names": _hard_link,
    "a folder": _folder,
    "a socket": _socket,
    "a device": _path("/dev/null"),
    "an endless device": _path("/dev/zero"),
    "a full device": _path("/dev/full"),
    "a file of the system": _path("/proc/self/mem"),
    "nothing": _path("none.jsonl"),
    "nothing in no folder": _path("no/none.jsonl"),
    "a long name": _path("x" * 5_000),
    "a zero byte": _path("a\0b.jsonl"),
    "half a surrogate": _path("a\ud800b.jsonl"),
    "another owner": _foreign,
    "empty": _holds(b""),
    "blank": _holds(b"\n \n\n"),
    "zero bytes": _holds(b"\0" * 4_096),
    "text": _holds(b"Dear diary\n"),
    "a picture": _holds(b"\x89PNG\r\n\x1a\n" + bytes(range(256))),
    "a JSON array": _holds(b"[]\n"),
    "a package": _holds(b"\x1f\x8b\x08\0\0\0\0\0\0\x03"),
    "session of pi": _holds(_text(_PI)),
    "session of Codex": _holds(_text(_CODEX)),
    "session of Claude": _holds(_text(_CLAUDE, _CLAUDE)),
    "newer version": _holds(_text(HEADER | {"version": 2}) + b'{"type":"mess'),
    "version as text": _holds(_text(HEADER | {"version": "1"})),
    "byte order mark": _holds(b"\xef\xbb\xbf" + _TORN),
    "damage inside": _holds(session(user("a1", None, "x"), b"{\n", _OPEN)),
    "missing parent": _holds(session(user("a1", "gone", "x"), _OPEN)),
    "a ring": _holds(session(user("a1", "a2", "x"), _OPEN)),
    "a gap": _holds(session(user("a1", None, "x"), _OPEN, user("a3", "a2", "and?"))),
    "an orphan": _holds(session(user("a1", None, "x"), results("a2", "a1", ("c", "ls", "x")))),
    "an unknown record at the end": _holds(session(line({"type": "new", "id": "n"}))),
    "a whole record at the end": _holds(session(b'{"type":"message","id":"a5"}\n')),
    "null at the end": _holds(session(b"null\n")),
}


def _counted(work: Callable[[], None]) -> int:
    calls = 0

    def count(_frame: object, event: str, _what: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


def test_refused_targets(ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    what = f"refused with a sentence, at most {_MOST_CALLS:,} calls, nothing created or changed"
    with ledger.row("R20", what, least=40) as row:
        for number, (name, make) in enumerate(_TARGETS.items()):
            place = tmp_path / str(number)
            place.mkdir()
            path = make(place)
            before = FolderState.of(place)
            state = tmp_path / "state"

            def refuse(path: Path = path, name: str = name, state: Path = state) -> None:
                plan = plan_repair(path, now_ms=NOW)
                row.check(not plan.allowed, name, "is allowed:", plan.sentence)
                row.check(plan.sentence.endswith((".", "instead.")), name, plan.sentence)
                row.check(bool(plan.refusal_kind), name, "has no kind")
                with pytest.raises(StoreError):
                    apply_repair(plan, state_dir=state, now_ms=NOW, confirmed=True)

            row.trial()
            with monkeypatch.context() as patch:
                if name == "another owner" and os.geteuid() != 0:
                    patch.setattr(os, "geteuid", lambda: os.getuid() + 1)
                calls = _counted(refuse)
            row.check(calls <= _MOST_CALLS, name, "took", calls, "calls")
            row.check(not before.differences(FolderState.of(place)), name, "was changed")
            row.check(not state.exists(), name, "something was created")


def test_refused_holders(ledger: Ledger, tmp_path: Path) -> None:
    what = "in use, just written or locked: refused with the holder named, nothing changed"
    state = tmp_path / "state"
    with ledger.row("R20 holders", what, least=8) as row:
        for case in ("certain", "possible", "writing", "recent", "ours", "flock", "lease", "named"):
            age = {"writing": 500, "recent": 10_000}.get(case, 3_600_000)
            path = put(tmp_path / case, _TORN, age_ms=age)
            holder = Holder(HolderKind.NONE)
            processes: list[Process] = []
            with ExitStack() as held:
                if case in ("certain", "possible"):
                    kind = HolderKind.CERTAIN if case == "certain" else HolderKind.POSSIBLE
                    holder = Holder(kind, "ink, process 7", 7)
                elif case == "ours":
                    held.enter_context(session_lock(state, path, "repair"))
                elif case == "flock":
                    file = held.enter_context(path.open("rb"))
                    fcntl.flock(file, fcntl.LOCK_EX)
                elif case == "lease":
                    lease = path.with_name(path.name + ".lease")
                    lease.mkdir()
                    mine = {"pid": os.getpid(), "host": socket.gethostname()}
                    (lease / "lease-1-a-b").write_text(json.dumps(mine))
                elif case == "named":
                    processes = [Process(999_999, 1, ("ink", "--resume", str(path)), "ink")]
                if case in ("lease", "named"):
                    holder = find_holder(
                        path,
                        session_id="x",
                        cwd="",
                        state_dir=state,
                        now_ms=NOW,
                        processes=processes.copy,
                    )
                row.trial()
                plan = plan_repair(path, now_ms=NOW, holder=holder)
                try:
                    apply_repair(plan, state_dir=state, now_ms=NOW, holder=holder)
                    row.check(False, case, "was repaired")
                except StoreError as error:
                    row.check(str(error).endswith((".", ")")), case, error)
                row.check(path.read_bytes() == _TORN, case, "was changed")
                row.check(not (state / "backups").exists(), case, "a copy was made")


@pytest.mark.parametrize("mask", [0o000, 0o077, 0o022])
def test_rights_of_what_we_write(ledger: Ledger, tmp_path: Path, mask: int) -> None:
    what = f"umask {mask:03o}: our files 0600, our folders 0700, rights of the session kept"
    usual = os.umask(mask)
    try:
        with ledger.row(f"S8 {mask:03o}", what, least=24) as row:
            for mode in (0o600, 0o644, 0o640, 0o666, 0o700, 0o400):
                place = tmp_path / f"{mode:o}"
                place.mkdir()
                path = put(place / "store", _TORN)
                path.chmod(mode)
                if not os.access(path, os.W_OK):
                    continue
                state = place / "home" / "state" / "ink-tui"
                apply_repair(plan_repair(path, now_ms=NOW), state_dir=state, now_ms=NOW)
                undo_last(path, state_dir=state, now_ms=NOW)
                row.check(stat.S_IMODE(path.stat().st_mode) == mode, mode, "the session's rights")
                row.check(path.stat().st_mtime_ns == OLD_NS, mode, "the session's time")
                with session_lock(state, path, "repair"):
                    for item in (place / "home", *(place / "home").rglob("*")):
                        row.trial()
                        wanted = 0o700 if item.is_dir() else 0o600
                        row.check(stat.S_IMODE(item.stat().st_mode) == wanted, item.name)
                copy = write_fork(
                    path, fork_plan(diagnosis_of(path.read_bytes())), root=place, now_ms=NOW
                )
                row.trial()
                row.check(stat.S_IMODE(copy.path.stat().st_mode) == 0o600, "the copy's rights")
    finally:
        os.umask(usual)
