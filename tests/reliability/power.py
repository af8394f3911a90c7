"""What a power cut may leave: recorded calls, and every state of a disk that they allow.

The idea is that of ALICE (`trust.md` 2.6): what is not synced may be there, in part or not at all.
"""

from __future__ import annotations

import itertools
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pytest


@dataclass(slots=True)
class Call:
    """One recorded call that changes something: data of a file, a name, or what is synced."""

    kind: str
    """`write`, `cut`, `sync`, `name`, `unname`, `move` or `sync names`."""
    inode: int = 0
    path: str = ""
    target: str = ""
    """Where a name was moved to."""
    content: bytes = b""
    size: int = 0


@dataclass(slots=True)
class Recorder:
    """Replaces functions of `os` by ones that also write down what they do."""

    below: str
    calls: list[Call] = field(default_factory=list)

    def install(self, patch: pytest.MonkeyPatch) -> None:
        for name in ("open", "write", "fsync", "ftruncate", "unlink", "link"):
            patch.setattr(os, name, getattr(self, name)(getattr(os, name)))
        for name in ("rename", "replace"):
            patch.setattr(os, name, self.move(getattr(os, name)))

    def open(self, real: Callable[..., int]) -> Callable[..., int]:
        def call(path: Any, flags: int, *rest: Any, **more: Any) -> int:
            made = bool(flags & os.O_CREAT) and not os.path.lexists(path)
            descriptor = real(path, flags, *rest, **more)
            if made and os.fspath(path).startswith(self.below):
                inode = os.fstat(descriptor).st_ino
                self.calls.append(Call("name", inode, os.fspath(path)))
            return descriptor

        return call

    def write(self, real: Callable[..., int]) -> Callable[..., int]:
        def call(descriptor: int, content: Any) -> int:
            done = real(descriptor, content)
            inode = os.fstat(descriptor).st_ino
            self.calls.append(Call("write", inode, content=bytes(content[:done])))
            return done

        return call

    def fsync(self, real: Callable[..., None]) -> Callable[..., None]:
        def call(descriptor: int) -> None:
            real(descriptor)
            place = Path(f"/proc/self/fd/{descriptor}").readlink()
            if place.is_dir():
                self.calls.append(Call("sync names", path=str(place)))
            else:
                self.calls.append(Call("sync", os.fstat(descriptor).st_ino))

        return call

    def ftruncate(self, real: Callable[..., None]) -> Callable[..., None]:
        def call(descriptor: int, size: int) -> None:
            real(descriptor, size)
            self.calls.append(Call("cut", os.fstat(descriptor).st_ino, size=size))

        return call

    def unlink(self, real: Callable[..., None]) -> Callable[..., None]:
        def call(path: Any, *rest: Any, **more: Any) -> None:
            real(path, *rest, **more)
            self.calls.append(Call("unname", path=os.fspath(path)))

        return call

    def link(self, real: Callable[..., None]) -> Callable[..., None]:
        def call(path: Any, target: Any, **more: Any) -> None:
            real(path, target, **more)
            self.calls.append(Call("name", Path(target).stat().st_ino, os.fspath(target)))

        return call

    def move(self, real: Callable[..., None]) -> Callable[..., None]:
        def call(path: Any, target: Any) -> None:
            real(path, target)
            inode = Path(target).stat().st_ino
            self.calls.append(Call("move", inode, os.fspath(path), target=os.fspath(target)))

        return call


@dataclass(slots=True)
class Disk:
    """What is surely on the disk, and what may be."""

    data: dict[int, bytes]
    names: dict[str, int]
    loose_data: dict[int, list[Call]] = field(default_factory=dict)
    loose_names: list[Call] = field(default_factory=list)

    def take(self, call: Call) -> None:
        if call.kind in ("write", "cut"):
            self.loose_data.setdefault(call.inode, []).append(call)
        elif call.kind == "sync":
            content = self.data.get(call.inode, b"")
            for one in self.loose_data.pop(call.inode, []):
                content = _applied(content, one, len(one.content))
            self.data[call.inode] = content
        elif call.kind in ("name", "unname", "move"):
            self.loose_names.append(call)
        else:
            folder = call.path
            inside = [
                one
                for one in self.loose_names
                if os.path.dirname(one.path) == folder  # noqa: PTH120 - names of a model, no paths
            ]
            for one in inside:
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


def _applied(content: bytes, call: Call, length: int) -> bytes:
    return content[: call.size] if call.kind == "cut" else content + call.content[:length]


def _rename(names: dict[str, int], call: Call) -> None:
    if call.kind == "name":
        names[call.path] = call.inode
    elif call.kind == "move":
        names.pop(call.path, None)
        names[call.target] = call.inode
    else:
        names.pop(call.path, None)


def recorded(
    folder: Path, patch: pytest.MonkeyPatch, work: Callable[[], None]
) -> tuple[list[Call], Disk]:
    """Do a work; return its calls, and the disk as it was before them.

    Args:
        folder: What the disk holds; all of it is on it surely.
        patch: For the functions of `os`.
        work: What is done.
    """
    disk = Disk({}, {})
    for path in folder.rglob("*"):
        if path.is_file():
            inode = path.stat().st_ino
            disk.data[inode] = path.read_bytes()
            disk.names[str(path)] = inode
    recorder = Recorder(str(folder))
    with patch.context() as inside:
        recorder.install(inside)
        work()
    return recorder.calls, disk


def states_after(calls: list[Call], disk: Disk) -> Iterator[tuple[dict[str, bytes], bool]]:
    """Yield every different state that may be found after a power cut at any moment.

    With it comes whether all calls were done: then the work was called done as well.
    """
    seen: set[tuple[tuple[str, bytes], ...]] = set()
    for number in range(len(calls) + 1):
        if number:
            disk.take(calls[number - 1])
        ended = number == len(calls)
        for files in disk.states():
            key = tuple(sorted(files.items()))
            if ended or key not in seen:
                seen.add(key)
                yield files, ended
