"""A folder of sessions to which things happen, one after another or all at once."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from tests.sessions import answer, session, simple, user

if TYPE_CHECKING:
    import random
    from pathlib import Path

RECORDS = [user("b1", "a4", "more"), answer("b2", "b1", "text " * 40), user("b3", "b2", "工作")]

EVENTS = (
    *("append", "append", "half", "rest", "truncate", "replace", "rewrite", "delete"),
    *("create", "touch", "rename", "empty", "folder", "burst", "link", "rights"),
)


class ChangingStore:
    """A folder of sessions to which things happen, and the names a watch would tell."""

    events: tuple[str, ...] = EVENTS
    """What may happen."""

    def __init__(self, root: Path, chance: random.Random) -> None:
        self.root = root
        self.chance = chance
        self.told: set[str] = set()
        self.folders = False
        root.mkdir()
        for number in range(3):
            (root / f"f{number}").mkdir()
            (root / f"f{number}" / "s.jsonl").write_bytes(simple())

    def step(self) -> str:
        """Let one thing happen, and return its name."""
        what = self.chance.choice(self.events)
        folder = self.root / f"f{self.chance.randrange(4)}"
        if not folder.exists():
            folder.mkdir()
            self.folders = True
        path = folder / f"{self.chance.choice('stu')}.jsonl"
        self.told.add(str(path))
        if what in ("create", "rewrite") or not path.is_file() or path.is_symlink():
            path.unlink(missing_ok=True)
            path.write_bytes(session(user("a1", None, f"new {self.chance.random()}")))
            return "create"
        getattr(self, f"_{what}")(path)
        return what

    def some_steps(self, number: int) -> list[str]:
        """Let some things happen one after another, and return their names."""
        return [self.step() for _step in range(number)]

    def _append(self, path: Path) -> None:
        with path.open("ab") as file:
            file.write(self.chance.choice(RECORDS))

    def _half(self, path: Path) -> None:
        with path.open("ab") as file:
            file.write(self.chance.choice(RECORDS)[: self.chance.randrange(1, 60)])

    def _rest(self, path: Path) -> None:
        with path.open("ab") as file:
            file.write(b"\n")

    def _truncate(self, path: Path) -> None:
        os.truncate(path, self.chance.randrange(path.stat().st_size + 1))

    def _empty(self, path: Path) -> None:
        os.truncate(path, 0)

    def _replace(self, path: Path) -> None:
        scratch = path.with_suffix(".new")
        scratch.write_bytes(simple() + self.chance.choice(RECORDS))
        scratch.replace(path)

    def _delete(self, path: Path) -> None:
        path.unlink()

    def _touch(self, path: Path) -> None:
        stamp = self.chance.randrange(10**18)
        os.utime(path, ns=(stamp, stamp))

    def _rename(self, path: Path) -> None:
        other = path.with_name("moved.jsonl")
        path.rename(other)
        self.told.add(str(other))

    def _folder(self, path: Path) -> None:
        other = self.root / f"g{self.chance.randrange(1000)}"
        path.parent.rename(other)
        self.folders = True

    def _burst(self, path: Path) -> None:
        with path.open("ab") as file:
            for number in range(200):
                file.write(user(f"x{number}", "a4", "burst"))

    def _link(self, path: Path) -> None:
        path.unlink()
        path.symlink_to("/dev/null")

    def _rights(self, path: Path) -> None:
        path.chmod(0o400)


class RestlessStore(ChangingStore):
    """One to which more happens: folders in folders, folders that change places, the root."""

    events = (
        *EVENTS,
        *("children", "children", "swap", "remove_folder", "bring_folder", "linked_folder"),
        *("scratch", "move_between", "lease", "root", "root_swap"),
    )

    def _children(self, path: Path) -> None:
        place = path.parent / "children"
        place.mkdir(exist_ok=True)
        (place / f"c{self.chance.randrange(3)}.jsonl").write_bytes(self.chance.choice(RECORDS))

    def _swap(self, path: Path) -> None:
        folder, aside = path.parent, self.root / "aside"
        folder.rename(aside)
        folder.mkdir()
        (folder / "n.jsonl").write_bytes(simple())
        if self.chance.random() < 0.5:
            shutil.rmtree(folder)
            aside.rename(folder)
        else:
            aside.rename(self.root / f"h{self.chance.randrange(1000)}")

    def _remove_folder(self, path: Path) -> None:
        shutil.rmtree(path.parent)

    def _bring_folder(self, path: Path) -> None:
        outside = self.root.parent / f"{self.root.name}-{self.chance.randrange(10**6)}"
        (outside / "children").mkdir(parents=True)
        (outside / "b.jsonl").write_bytes(simple())
        (outside / "children" / "c.jsonl").write_bytes(simple())
        inside = self.root / outside.name
        outside.rename(inside)
        with (inside / "children" / "c.jsonl").open("ab") as file:
            file.write(self.chance.choice(RECORDS))
        if self.chance.random() < 0.5:
            inside.rename(outside)
            self._append_outside(outside / "b.jsonl")

    def _append_outside(self, path: Path) -> None:
        with path.open("ab") as file:
            file.write(b"nobody's\n")

    def _linked_folder(self, path: Path) -> None:
        link = self.root / f"l{self.chance.randrange(3)}"
        if not link.is_symlink():
            link.symlink_to(path.parent)
        self._append(path)

    def _scratch(self, path: Path) -> None:
        (path.parent / "note.txt").write_text("no session")
        (path.parent / "folder.jsonl").mkdir(exist_ok=True)

    def _move_between(self, path: Path) -> None:
        other = self.root / f"f{self.chance.randrange(4)}"
        other.mkdir(exist_ok=True)
        path.rename(other / f"m{self.chance.randrange(3)}.jsonl")

    def _lease(self, path: Path) -> None:
        lease = path.with_name(path.name + ".lease")
        lease.mkdir(exist_ok=True)
        (lease / "lease-1.jsonl").write_bytes(b"{}")

    def _root(self, _path: Path) -> None:
        aside = self.root.with_name(f"{self.root.name}-aside")
        self.root.rename(aside)
        if self.chance.random() < 0.5:
            self._append_outside(next(aside.glob("*/*.jsonl")))
        aside.rename(self.root)

    def _root_swap(self, _path: Path) -> None:
        self.root.rename(self.root.with_name(f"{self.root.name}-{self.chance.randrange(10**6)}"))
        (self.root / "f1").mkdir(parents=True)
        (self.root / "f1" / "s.jsonl").write_bytes(simple())
