"""Moving a session to the system's trash, with its sub-agent sessions and their leases.

Nothing is ever deleted here: what goes can be taken back out of the trash (`ui.md` 6). A session
that somebody holds, or that is being written, stays; so do links and whatever is no plain file.
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.errors import RefusedError, StoreError
from ink_tui.formats.ink.constants import CHILDREN_FOLDER, FILE_SUFFIX, LEASE_SUFFIX
from ink_tui.model.liveness import Freshness, Holder, HolderKind, freshness
from ink_tui.model.text import clean
from ink_tui.model.words import counted
from ink_tui.store.atomic import append_line
from ink_tui.store.discover import look_at
from ink_tui.store.files import UnreadableError, close_quietly, open_for_reading, unreadable
from ink_tui.store.locks import session_lock
from ink_tui.store.quick import quick_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ink_tui.model.listing import SessionRow
    from ink_tui.store.files import Fingerprint

_JOURNAL = "trash.jsonl"
"""Beside the journal of changes: what went cannot be undone from here, only looked up."""


@dataclass(frozen=True, slots=True)
class TrashedFile:
    """One session file that would go."""

    row: SessionRow
    state: Fingerprint
    """What it was when the person was asked."""

    @property
    def path(self) -> Path:
        """The file."""
        return Path(self.row.path)


@dataclass(frozen=True, slots=True)
class TrashPlan:
    """What would go to the trash, for the question."""

    session: TrashedFile
    children: tuple[TrashedFile, ...]
    """Sub-agent sessions of it, before them those that they started themselves."""
    leases: tuple[Path, ...]
    """Folders of their leases."""
    doubt: str
    """Why somebody may still use it, in a sentence; empty when nothing speaks for that."""

    @property
    def files(self) -> tuple[TrashedFile, ...]:
        """All session files, in the order in which they go: the session last."""
        return (*self.children, self.session)

    @property
    def size(self) -> int:
        """Bytes of all session files."""
        return sum(each.state.size for each in self.files)

    @property
    def what(self) -> str:
        """What goes, in words: `the session and its 2 sub-agent sessions`."""
        number = len(self.children)
        if not number:
            return "the session"
        return f"the session and its {counted(number, 'sub-agent session')}"


def plan_trash(
    path: str,
    *,
    now_ms: int,
    holder_of: Callable[[SessionRow], Holder],
    rows: Iterable[SessionRow] = (),
    foreign: Callable[[str], bool] | None = None,
) -> TrashPlan:
    """Look at what would go with a session; changes nothing.

    Args:
        path: The session file.
        now_ms: The present, in milliseconds since 1970.
        holder_of: Tells who holds a session.
        rows: All known sessions: sub-agent sessions of a second file with the same id stay.
        foreign: Tells which files are known to be no sub-agent sessions of it, so that a folder
            of thousands is not read again for each of them.

    Raises:
        RefusedError: It is no plain file (`symlink`, `not-regular`), or it or a sub-agent session
            of it is `in-use` or `writing`.
        UnreadableError: It cannot be looked at.
    """
    session = _plain_file(path)
    twin = session.row.session_id is not None and any(
        row.session_id == session.row.session_id and row.path != path for row in rows
    )
    children = () if twin else _children_of(session, foreign)
    doubts = [_doubt(each, now_ms, holder_of) for each in (session, *children)]
    leases = (each.path.with_name(each.path.name + LEASE_SUFFIX) for each in (session, *children))
    return TrashPlan(
        session,
        children,
        tuple(lease for lease in leases if _is_folder(lease)),
        next((doubt for doubt in doubts if doubt), ""),
    )


def move_to_trash(
    plan: TrashPlan,
    *,
    state_dir: Path,
    now_ms: int,
    holder_of: Callable[[SessionRow], Holder],
    trash: Callable[[str], None],
) -> str:
    """Move what a plan names to the trash and return what went, in a sentence.

    Each goes after what was started from it: when the system refuses in between, the rest can
    still be found from the session and tried again.

    Args:
        plan: What the person agreed to.
        state_dir: Our own state folder: lock and journal.
        now_ms: The present, in milliseconds since 1970.
        holder_of: Tells who holds a session now.
        trash: Moves one path to the trash; raises what the system raises.

    Raises:
        RefusedError: Nothing went: something changed since, or is in use.
        StoreError: The system refused; the sentence says what went before that.
    """
    for each in plan.files:
        if _plain_file(each.row.path).state != each.state:
            raise RefusedError(
                "changed-since",
                f"{clean(each.path.name)} changed since it was looked at. Nothing was moved.",
            )
        _doubt(each, now_ms, holder_of)
    paths = [*plan.leases, *(each.path for each in plan.files)]
    with ExitStack() as locks:
        locks.enter_context(session_lock(state_dir, plan.session.path, "trash"))
        for each in plan.files:
            descriptor, _state = locks.enter_context(open_for_reading(each.row.path))
            _courtesy_lock(each.path, descriptor)
        _note(state_dir, "begin", plan, paths, now_ms)
        moved = _move(paths, trash)
        done = f"Moved to the trash: {plan.what}. It can be put back from there."
        try:
            _note(state_dir, "done", plan, moved, now_ms)
        except StoreError as error:
            raise StoreError(f"{done} But that could not be noted: {error}") from error
    return done


def system_trash(path: str) -> None:
    """Move a file or folder to the trash of the desktop; raises what the system raises."""
    from send2trash import send2trash  # only where something is deleted: it asks the desktop

    send2trash(path)


def folder_as_trash(folder: Path) -> Callable[[str], None]:
    """Return a trash that is a folder, for sessions that are not the user's own.

    Args:
        folder: Where things go; made when the first one does.
    """

    def move(path: str) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Sessions of two folders may have one name, and nothing in a trash is written over.
        name = Path(path).name
        target = folder / name
        for number in count(2):
            if not os.path.lexists(target):
                break
            target = folder / f"{name}.{number}"
        os.rename(path, target)  # noqa: PTH104 - raw: the name may be no text

    return move


def _plain_file(path: str) -> TrashedFile:
    found = look_at(path)
    if found.state is None:
        if found.error_kind in ("symlink", "not-regular"):
            raise RefusedError(
                found.error_kind, f"{clean(Path(path).name)} is {found.reason}. It is left alone."
            )
        raise UnreadableError(path, found.error_kind or "io-error", found.reason)
    return TrashedFile(quick_row(found), found.state)


def _children_of(
    session: TrashedFile, foreign: Callable[[str], bool] | None
) -> tuple[TrashedFile, ...]:
    """Return the sub-agent sessions below a session, found by the parent their header names."""
    here = session.path.parent
    folder = here if here.name == CHILDREN_FOLDER else here / CHILDREN_FOLDER
    try:
        names = _names_in(folder)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return ()
    except OSError as error:
        raise unreadable(str(folder), error) from error
    others: list[TrashedFile] = []
    for name in names:
        if foreign is not None and foreign(name):
            continue
        if name.endswith(FILE_SUFFIX) and name != session.row.path:
            try:
                others.append(_plain_file(name))
            except (RefusedError, UnreadableError) as error:
                if error.kind == "io-error":
                    raise  # it may be one of them, and would be left behind
                continue  # no session of anybody's
    found: list[TrashedFile] = []
    wanted = {session.row.session_id} - {None}
    while wanted:
        below = [each for each in others if each.row.parent_id in wanted and each not in found]
        found += below
        wanted = {each.row.session_id for each in below} - {None}
    return tuple(reversed(found))


def _names_in(folder: Path) -> list[str]:
    """Return the paths of what lies in a folder, sorted; raises what the system raises.

    Opened first, because `scandir` gives up when opening is broken off (EINTR).
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        names = os.listdir(descriptor)  # noqa: PTH208 - of a descriptor
        return sorted(f"{folder}{os.sep}{name}" for name in names)
    finally:
        close_quietly(descriptor)


def _is_folder(path: Path) -> bool:
    """Whether a folder is there and no link; a name too long to be there is none."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return False


def _doubt(each: TrashedFile, now_ms: int, holder_of: Callable[[SessionRow], Holder]) -> str:
    """Return why somebody may use a session; raises `RefusedError` when somebody does."""
    name = clean(each.path.name)
    holder = holder_of(each.row)
    if holder.kind is HolderKind.CERTAIN:
        raise RefusedError(
            "in-use", f"{name} is in use by {holder.who}. Wait until it is done. Nothing was moved."
        )
    fresh = freshness(now_ms, each.state.changed_ms)
    if fresh is Freshness.WRITING:
        raise RefusedError("writing", f"{name} is being written. Wait a moment. Nothing was moved.")
    if holder.kind is HolderKind.POSSIBLE:
        return f"It may be in use by {holder.who}."
    return "It changed less than a minute ago." if fresh is Freshness.RECENT else ""


def _courtesy_lock(path: Path, descriptor: int) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise RefusedError(
            "in-use", f"{clean(path.name)} is locked by another program. Nothing was moved."
        ) from error
    except OSError:
        pass  # a file system without locks


def _move(paths: Sequence[Path], trash: Callable[[str], None]) -> list[Path]:
    moved: list[Path] = []
    for path in paths:
        try:
            trash(str(path))
            if os.path.lexists(path):
                raise OSError(0, "it is still there")
        except OSError as error:
            went = f"{len(moved)} of {len(paths)} went before it" if moved else "Nothing was moved"
            raise StoreError(
                f"{clean(str(path))} cannot be moved to the trash: "
                f"{clean(error.strerror or str(error))}. {went}."
            ) from error
        moved.append(path)
    return moved


def _note(state_dir: Path, what: str, plan: TrashPlan, paths: Sequence[Path], now_ms: int) -> None:
    line = {
        "what": what,
        "time_ms": now_ms,
        "session": plan.session.row.session_id,
        "paths": [str(path) for path in paths],
    }
    append_line(state_dir / _JOURNAL, json.dumps(line).encode() + b"\n")
