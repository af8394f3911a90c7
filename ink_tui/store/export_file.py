"""Writing an export to a file that the user named: whole or not at all, never over something else.

The file is private (0600): a transcript holds whatever was on the screen. Session folders are no
place for it: an agent would list it among its sessions.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.errors import RefusedError, StoreError
from ink_tui.model.text import clean
from ink_tui.store.atomic import sync_folder, system_error, write_whole
from ink_tui.store.files import close_quietly
from ink_tui.store.scratch import clear_scratch, scratch_in

if TYPE_CHECKING:
    from collections.abc import Iterable

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_TRY_AGAIN = "Nothing was written. Name another file with -o."


def check_place(path: Path, roots: Iterable[Path], *, force: bool) -> None:
    """Refuse a file that an export must not be written to; touches nothing.

    Args:
        path: The file that the user named.
        roots: Folders of sessions.
        force: Whether a regular file that is there may be replaced.

    Raises:
        RefusedError: It lies in a session folder, is there already, is no regular file, or its
            folder does not exist.
    """
    name = clean(str(path))
    try:
        folder = path.parent.resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        raise RefusedError(
            "no-folder", f"{name} cannot be written: its folder does not exist. {_TRY_AGAIN}"
        ) from None
    for root in roots:
        if folder.is_relative_to(Path(os.path.realpath(root))):
            raise RefusedError(
                "session-folder",
                f"{name} lies in a folder of sessions, where an agent would list it. {_TRY_AGAIN}",
            )
    try:
        status = path.lstat()
    except FileNotFoundError:
        return
    except OSError as error:
        raise system_error(path, "written", error, _TRY_AGAIN) from error
    if not stat.S_ISREG(status.st_mode):
        raise RefusedError("not-regular", f"{name} is not a regular file. {_TRY_AGAIN}")
    if not force:
        raise RefusedError(
            "exists", f"{name} exists already and was left alone. --force replaces it."
        )


def write_export(path: Path, content: bytes, roots: Iterable[Path], *, force: bool) -> None:
    """Write an export with mode 0600: a temporary file beside it, synced, then put in its place.

    Args:
        path: The file that the user named.
        content: All of it.
        roots: Folders of sessions.
        force: Whether a regular file that is there may be replaced.

    Raises:
        RefusedError: By the rules of `check_place`, or the file appeared meanwhile.
        StoreError: The system refuses; the sentence says whether there is a new file.
    """
    check_place(path, roots, force=force)
    folder = path.parent
    clear_scratch(folder)
    rest = "No new file was left behind."
    try:
        with scratch_in(folder) as scratch:
            write_whole(scratch.descriptor, content)
            os.fsync(scratch.descriptor)
            _publish(scratch.path, path, force=force)
        rest = "The file is there and whole, but a power cut may take it."
        sync_folder(folder)
    except OSError as error:
        raise system_error(path, "written safely", error, rest) from error


def _publish(scratch: Path, path: Path, *, force: bool) -> None:
    """Give the finished file its name; without `force` a name that is taken is never lost."""
    if force:
        scratch.replace(path)
        return
    try:
        os.link(scratch, path, follow_symlinks=False)
    except FileExistsError:
        name = clean(str(path))
        raise StoreError(f"{name} appeared meanwhile and was left alone. {_TRY_AGAIN}") from None
    except OSError:
        # A file system without second names: the name is taken by an empty file, then replaced.
        close_quietly(os.open(path, _NEW, 0o600))
        try:
            scratch.replace(path)
        except OSError:
            with suppress(OSError):
                path.unlink()
            raise
