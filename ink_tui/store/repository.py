"""Finding the git repository around a folder, with all of its worktrees, by reading alone.

Git itself is not run and none of its settings are obeyed: only `.git`, `commondir` and
`worktrees/*/gitdir` are read (gitrepository-layout(5)), plain files, a few bytes each. A worktree
is believed when its folder names the repository as well, or is gone.
"""

from __future__ import annotations

import os
import stat
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.errors import StoreError
from ink_tui.model.scope import NO_REPOSITORY, Repository
from ink_tui.model.text import clean
from ink_tui.store.files import UnreadableError, open_for_reading, read_range

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_BYTES = 8_192
"""Bytes of one of git's small files: a path, and a word before it."""
_MOST_WORKTREES = 4_096
_POINTER = "gitdir:"


class _StrangeError(StoreError):
    """A file of git's does not say what it should."""


def find_repository(folder: str) -> Repository:
    """Return the repository around a folder, if there is one; never raises.

    Args:
        folder: Absolute path, its links already followed.
    """
    if not folder.startswith("/"):
        return NO_REPOSITORY
    try:
        start = Path(os.path.normpath(folder))
        for top in (start, *start.parents):
            git_dir = _git_dir_at(top)
            if git_dir is not None:
                return _repository(top, git_dir)
    except (OSError, ValueError) as error:
        system = error.strerror if isinstance(error, OSError) else None
        return Repository(trouble=system or str(error))
    except StoreError as error:
        return Repository(trouble=str(error))
    return NO_REPOSITORY


def _git_dir_at(top: Path) -> Path | None:
    """Return the folder that git keeps a working tree's state in, `None` where there is none."""
    git = Path(os.path.realpath(top / ".git"))
    try:
        kind = git.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        # A repository without a working tree is one itself.
        return top if _is_git_dir(top) else None
    if stat.S_ISDIR(kind):
        # Like git, go on above a folder that only has the name.
        return git if _is_git_dir(git) else None
    found = _pointed_to(git)
    if not _is_git_dir(found):
        raise _StrangeError(f"{clean(str(git))} names a folder that is no git repository")
    return found


def _is_git_dir(folder: Path) -> bool:
    """Whether a folder looks like git's own: with a head, and with objects or where they are."""
    head = folder / "HEAD"
    if not (head.is_symlink() or head.is_file()):
        return False
    return (folder / "objects").is_dir() or (folder / "commondir").is_file()


def _repository(top: Path, git_dir: Path) -> Repository:
    common = git_dir
    if os.path.lexists(git_dir / "commondir"):
        common = _resolved(git_dir, _read_line(git_dir / "commondir"))
        if not _is_git_dir(common):
            raise _StrangeError(f"{clean(str(git_dir))} names a folder that is no git repository")
    tops = [top]
    if common.name == ".git":
        tops.append(common.parent)
    unread = 0
    for admin in _admin_folders(common):
        try:
            found = _worktree(admin) if admin is not None else None
        except (OSError, ValueError, StoreError):
            unread += 1
            continue
        if admin is None:
            unread += 1
        elif found is not None:
            tops.append(found)
    named = [str(each) for each in tops]
    roots = dict.fromkeys([*named, *map(os.path.realpath, named)])
    return Repository(tuple(roots), unread)


def _admin_folders(common: Path) -> Iterator[Path | None]:
    """Yield git's folder of each linked worktree; `None` once when they are too many or hidden."""
    try:
        with os.scandir(common / "worktrees") as entries:
            for entry in islice(entries, _MOST_WORKTREES):
                if entry.is_dir(follow_symlinks=False):
                    yield Path(entry.path)
            if next(entries, None) is not None:
                yield None
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError:
        yield None


def _worktree(admin: Path) -> Path | None:
    """Return the top folder of a linked worktree; `None` when another one has taken its place.

    Args:
        admin: Git's own folder of the worktree.

    Raises:
        StoreError: What git keeps of it cannot be understood.
        OSError: The system refuses.
    """
    pointer = _resolved(admin, _read_line(admin / "gitdir"), follow=False)
    if pointer.name != ".git":
        raise _StrangeError(f"{clean(str(admin))} names no worktree")
    try:
        pointer.parent.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return pointer.parent  # it was removed, its sessions may still be there
    try:
        names = _pointed_to(Path(os.path.realpath(pointer)))
    except _StrangeError:
        return None
    except UnreadableError as error:
        if error.kind in ("vanished", "not-regular"):
            return None
        raise
    return pointer.parent if names == Path(os.path.realpath(admin)) else None


def _pointed_to(git: Path) -> Path:
    """Return the folder that a file `.git` names.

    Raises:
        StoreError: It names none, or cannot be read.
    """
    line = _read_line(git)
    if not line.startswith(_POINTER):
        raise _StrangeError(f"{clean(str(git))} does not name a git repository")
    return _resolved(git.parent, line.removeprefix(_POINTER).lstrip(" "))


def _resolved(base: Path, named: str, *, follow: bool = True) -> Path:
    path = base / named
    return Path(os.path.realpath(path) if follow else os.path.normpath(path))


def _read_line(path: Path) -> str:
    """Return what a small file of git's says, without the line's end.

    Raises:
        StoreError: It is no plain file, too large, or holds nothing that could be a path.
    """
    with open_for_reading(str(path)) as (descriptor, _state):
        content = read_range(descriptor, 0, _MOST_BYTES + 1)
    line = content.rstrip(b"\r\n")
    if len(content) > _MOST_BYTES or not line or b"\0" in line:
        raise _StrangeError(f"{clean(str(path))} does not name a folder")
    return os.fsdecode(line)
