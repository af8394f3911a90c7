"""Looking up the mode bits that tell who else can read a session file."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.model.access import Access, Rights, access_of

if TYPE_CHECKING:
    import os


def look_at_access(path: str) -> Access | None:
    """Return who can read a session file, or `None` when that cannot be told; never raises.

    Links above the file are resolved once; the file itself must be a regular one.

    Args:
        path: The session file.
    """
    try:
        folder = Path(path).parent.resolve(strict=True)
        status = (folder / Path(path).name).lstat()
        if not stat.S_ISREG(status.st_mode):
            return None
        above = [place.stat() for place in (folder, *folder.parents)]
    except (OSError, RuntimeError, ValueError):  # RuntimeError: a ring of links
        return None
    return access_of(_rights(status), map(_rights, above))


def _rights(status: os.stat_result) -> Rights:
    return Rights(status.st_mode, status.st_gid)
