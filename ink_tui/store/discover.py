"""Finding the session files below a root (`formats/ink.md` section 1).

A session store has the shape `<root>/<folder>/<file>.jsonl` with sub-agent sessions in
`<root>/<folder>/children/`. Files directly in the root are sessions too: that is where the
folder name of `/` points. Links are not followed.
"""

from __future__ import annotations

import os
from pathlib import PurePath
from stat import S_ISREG
from typing import TYPE_CHECKING, NamedTuple

from ink_tui.formats.file_names import CHILDREN_FOLDER, FILE_SUFFIX, LEASE_SUFFIX
from ink_tui.store.files import Fingerprint, fingerprint, problem_of, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_DEPTH = 2
"""Folders below a root that may hold sessions: the working folder's and its `children`."""


class FoundFile(NamedTuple):
    """One name that ends like a session file, or a folder that cannot be listed."""

    path: str
    child_by_place: bool
    state: Fingerprint | None
    """`None` when it cannot be read at all."""
    error_kind: str | None = None
    reason: str = ""


def find_session_files(roots: Iterable[str]) -> list[FoundFile]:
    """Return every session file below some roots, by path; nothing is opened.

    A root may be a single session file. One that does not exist holds no sessions; a folder that
    cannot be listed becomes one item that says so.
    """
    found: dict[str, FoundFile] = {}
    for root in roots:
        if is_single_file(root):
            single = look_at(root)
            if single.error_kind != "vanished":
                found[root] = single
            continue
        waiting = [(root, 0)]
        while waiting:
            folder, depth = waiting.pop()
            try:
                entries = list(os.scandir(folder))
            except FileNotFoundError:
                continue
            except OSError as error:
                trouble = unreadable(folder, error)
                found[folder] = FoundFile(folder, False, None, trouble.kind, trouble.reason)
                continue
            child = depth == _DEPTH and PurePath(folder).name == CHILDREN_FOLDER
            for entry in entries:
                if entry.name.endswith(FILE_SUFFIX):
                    path = entry.path
                    found[path] = _usual(path, child) or look_at(path, child=child)
                elif depth < _DEPTH and _may_hold_sessions(entry):
                    waiting.append((entry.path, depth + 1))
    return [found[path] for path in sorted(found)]


def _usual(path: str, child: bool) -> FoundFile | None:
    """Return what is known of a regular file: `look_at` in fewer steps, for thousands of files."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    if not S_ISREG(status.st_mode):
        return None
    state = Fingerprint(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
    return FoundFile(path, child, state)


def session_folders(root: str) -> Iterator[str]:
    """Yield the folders of a root in which session files are looked for, the root first.

    Each is yielded before it is listed; one that cannot be listed is yielded, too.
    """
    waiting = [(root, 0)]
    while waiting:
        folder, depth = waiting.pop()
        yield folder
        if depth == _DEPTH:
            continue
        try:
            entries = list(os.scandir(folder))
        except OSError:
            continue
        waiting += [
            (entry.path, depth + 1)
            for entry in entries
            if not entry.name.endswith(FILE_SUFFIX) and _may_hold_sessions(entry)
        ]


def _may_hold_sessions(entry: os.DirEntry[str]) -> bool:
    if entry.name.endswith(LEASE_SUFFIX):
        return False
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False  # some file systems tell no kinds with the names, and this one not even so


def is_single_file(root: str) -> bool:
    """Return whether a root is a single session file, or the place of one that is gone."""
    return root.endswith(FILE_SUFFIX) and not os.path.isdir(root)  # noqa: PTH112 - see below


def root_exists(root: str) -> bool:
    """Return whether a root is there: a folder, or a single session file."""
    # Not `Path.is_dir`, which raises where a name is too long or a folder may not be entered.
    folder = os.path.isdir(root)  # noqa: PTH112 - as said
    return folder or (root.endswith(FILE_SUFFIX) and os.path.exists(root))  # noqa: PTH110 - same


def look_at(path: str, *, child: bool | None = None) -> FoundFile:
    """Return what is known of one session file without opening it.

    Args:
        path: The file.
        child: Whether its place is that of a sub-agent session; `None` judges by its folder.
    """
    child = is_child_place(path) if child is None else child
    try:
        status = os.lstat(path)
    except OSError as error:
        trouble = unreadable(path, error)
        return FoundFile(path, child, None, trouble.kind, trouble.reason)
    refused = problem_of(status.st_mode)
    if refused is not None:
        return FoundFile(path, child, None, *refused)
    return FoundFile(path, child, fingerprint(status))


def is_session_place(path: str, roots: Iterable[str]) -> bool:
    """Return whether a file of this path would be found below one of the roots."""
    place = PurePath(path)
    for root in roots:
        if place.is_relative_to(root):
            folders = place.relative_to(root).parts[:-1]
            leases = any(name.endswith(LEASE_SUFFIX) for name in folders)
            return len(folders) <= _DEPTH and not leases and path.endswith(FILE_SUFFIX)
    return False


def is_child_place(path: str) -> bool:
    """Return whether a file lies in a folder named `children` (1.4).

    A folder of that name directly in a root belongs to the working folder `/children`:
    `find_session_files`, which knows the root, tells the two apart.
    """
    return PurePath(path).parent.name == CHILDREN_FOLDER
