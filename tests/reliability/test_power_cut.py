"""R11 and R12: disks that fill up at any byte, and what a power cut may leave on a disk."""

from __future__ import annotations

import hashlib
import itertools
import os
import resource
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ink_tui.errors import StoreError
from ink_tui.store.journal import JournalLine, read_journal
from ink_tui.store.repair import apply_repair, plan_repair
from ink_tui.store.repair_plan import diagnosis_of
from tests.reliability.samples import plain
from tests.sessions import answer, user
from tests.unit.repair_files import NOW, put

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pytest

    from tests.reliability.ledger import Ledger, Row

_TORN = (
    plain(2_000)
    + user("z1", "last", "go")
    + answer("z2", "z1", calls=(("c1", "bash", {"command": "x"}),))
    + b'{"type":"message","id":"torn"'
)
_KEPT = _TORN[: _TORN.rfind(b"\n") + 1]


def test_short_writes(ledger: Ledger, tmp_path: Path) -> None:
    what = "the disk full after any byte of the copy: no part of a copy is taken for a copy"
    state = tmp_path / "state"
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    with ledger.row("R11", what, least=2_000) as row:
        path = put(tmp_path / "store", _TORN)
        plan = plan_repair(path, now_ms=NOW)
        for room in range(len(_TORN)):
            row.trial()
            said = ""
            # The system itself writes short and then refuses; Python ignores the signal.
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, usual[1]))
            try:
                apply_repair(plan, state_dir=state, now_ms=NOW)
            except StoreError as error:
                said = str(error)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, usual)
            row.check("File too large" in said, room, said)
            row.check(path.read_bytes() == _TORN, room, "the session was changed")
            row.check(not list(state.glob("backups/*")), room, "a part of a copy is left")
            row.check(not read_journal(state), room, "the journal names it")


# --- what a power cut may leave ---------------------------------------------------------------


@dataclass(slots=True)
class _Call:
    """One recorded call that changes something: data of a file, a name, or what is synced."""

    kind: str
    """`write`, `cut`, `sync`, `name`, `unname` or `sync names`."""
    inode: int = 0
    path: str = ""
    content: bytes = b""
    size: int = 0


@dataclass(slots=True)
class _Recorder:
    """Replaces functions of `os` by ones that also write down what they do."""

    below: str
    calls: list[_Call] = field(default_factory=list)

    def install(self, patch: pytest.MonkeyPatch) -> None:
        for name in ("open", "write", "fsync", "ftruncate", "unlink"):
            patch.setattr(os, name, getattr(self, name)(getattr(os, name)))

    def open(self, real: Callable[..., int]) -> Callable[..., int]:
        def call(path: Any, flags: int, *rest: Any, **more: Any) -> int:
            made = bool(flags & os.O_CREAT) and not os.path.lexists(path)
            descriptor = real(path, flags, *rest, **more)
            if made and os.fspath(path).startswith(self.below):
                inode = os.fstat(descriptor).st_ino
                self.calls.append(_Call("name", inode, os.fspath(path)))
            return descriptor

        return call

    def write(self, real: Callable[..., int]) -> Callable[..., int]:
        def call(descriptor: int, content: Any) -> int:
            done = real(descriptor, content)
            inode = os.fstat(descriptor).st_ino
            self.calls.append(_Call("write", inode, content=bytes(content[:done])))
            return done

        return call

    def fsync(self, real: Callable[..., None]) -> Callable[..., None]:
        def call(descriptor: int) -> None:
            real(descriptor)
            place = Path(f"/proc/self/fd/{descriptor}").readlink()
            if place.is_dir():
                self.calls.append(_Call("sync names", path=str(place)))
            else:
                self.calls.append(_Call("sync", os.fstat(descriptor).st_ino))

        return call

    def ftruncate(self, real: Callable[..., None]) -> Callable[..., None]:
        def call(descriptor: int, size: int) -> None:
            real(descriptor, size)
            self.calls.append(_Call("cut", os.fstat(descriptor).st_ino, size=size))

        return call

    def unlink(self, real: Callable[..., None]) -> Callable[..., None]:
        def call(path: Any, *rest: Any, **more: Any) -> None:
            real(path, *rest, **more)
            self.calls.append(_Call("unname", path=os.fspath(path)))

        return call


@dataclass(slots=True)
class _Disk:
    """What is surely on the disk, and what may be."""

    data: dict[int, bytes]
    names: dict[str, int]
    loose_data: dict[int, list[_Call]] = field(default_factory=dict)
    loose_names: list[_Call] = field(default_factory=list)

    def take(self, call: _Call) -> None:
        if call.kind in ("write", "cut"):
            self.loose_data.setdefault(call.inode, []).append(call)
        elif call.kind == "sync":
            content = self.data.get(call.inode, b"")
            for one in self.loose_data.pop(call.inode, []):
                content = _applied(content, one, len(one.content))
            self.data[call.inode] = content
        elif call.kind in ("name", "unname"):
            self.loose_names.append(call)
        else:
            folder = call.path
            for one in [one for one in self.loose_names if os.path.dirname(one.path) == folder]:  # noqa: PTH120
                _rename(self.names, one)
                self.loose_names.remove(one)

    def states(self) -> Iterator[dict[str, bytes]]:
        """Every content that a power cut may leave now, as path to bytes.

        Calls on one file stay in order and the last may be done in part, or leave zero bytes;
        names come and go independently of each other and of data.
        """
        files = sorted(self.loose_data)
        for contents in itertools.product(*(self._contents(inode) for inode in files)):
            data = self.data | dict(zip(files, contents, strict=True))
            for chosen in itertools.product((False, True), repeat=len(self.loose_names)):
                names = dict(self.names)
                for one, done in zip(self.loose_names, chosen, strict=True):
                    if done:
                        _rename(names, one)
                yield {path: data.get(inode, b"") for path, inode in names.items()}

    def _contents(self, inode: int) -> list[bytes]:
        content = self.data.get(inode, b"")
        found = [content]
        for call in self.loose_data[inode]:
            length = len(call.content)
            parts = range(1, length, max(1, length // 97))
            found.extend(_applied(content, call, part) for part in parts)
            if call.kind == "write":
                found.append(content + b"\0" * length)
            content = _applied(content, call, length)
            found.append(content)
        return list(dict.fromkeys(found))


def _applied(content: bytes, call: _Call, length: int) -> bytes:
    return content[: call.size] if call.kind == "cut" else content + call.content[:length]


def _rename(names: dict[str, int], call: _Call) -> None:
    if call.kind == "name":
        names[call.path] = call.inode
    else:
        names.pop(call.path, None)


def _recorded(folder: Path, patch: pytest.MonkeyPatch) -> tuple[Path, Path, list[_Call], _Disk]:
    path = put(folder / "store", _TORN)
    state = folder / "state"
    for place in (state / "backups", state / "locks"):
        place.mkdir(parents=True)
    plan = plan_repair(path, now_ms=NOW)
    disk = _Disk({path.stat().st_ino: _TORN}, {str(path): path.stat().st_ino})
    recorder = _Recorder(str(folder))
    with patch.context() as inside:
        recorder.install(inside)
        apply_repair(plan, state_dir=state, now_ms=NOW)
    return path, state, recorder.calls, disk


def power_cuts(row: Row, folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Try every state that a power cut may leave at every moment of a repair."""
    path, state, calls, disk = _recorded(folder, patch)
    final = path.read_bytes()
    seen: set[str] = set()
    for call in [None, *calls]:
        if call is not None:
            disk.take(call)
        for files in disk.states():
            key = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()
            if key not in seen:
                seen.add(key)
                row.trial()
                _judge(row, folder / "after", files, path, state, final)
    row.note("calls", len(calls))


def _judge(
    row: Row, after: Path, files: dict[str, bytes], path: Path, state: Path, final: bytes
) -> None:
    """The session is as it was, or every byte of it is in a good copy that the journal names."""
    content = files[str(path)]
    row.check(content.startswith(_KEPT), "a whole record is lost", len(content))
    if content == _TORN:
        row.note("old")
        return
    row.note("new" if content == final else "between")
    journal = after / "journal.jsonl"
    after.mkdir(exist_ok=True)
    journal.write_bytes(files.get(str(state / "journal.jsonl"), b""))
    lines: list[JournalLine] = [line for line in read_journal(after) if line.what == "begin"]
    row.check(bool(lines), "changed, and the journal does not know")
    for line in lines:
        copy = files.get(line.backup, b"")
        row.check(copy == _TORN, "changed without a good copy", len(copy))
    diagnosis = diagnosis_of(content)
    row.check(diagnosis.refusal is None, "cannot be repaired any more", diagnosis.refusal)


def test_power_cuts(ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    what = "every state a power cut may leave at any moment of a repair: old, or a good copy"
    with ledger.row("R12", what, least=400) as row:
        power_cuts(row, tmp_path, monkeypatch)
