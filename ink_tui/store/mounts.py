"""File systems that do not tell of changes made elsewhere.

The kernel reports what programs on this machine change. What another machine changes on a network
folder, or a program behind a FUSE folder, nobody reports: such folders are looked at from time to
time (`performance.md` section 3).
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_TABLE = "/proc/self/mountinfo"

_SILENT = frozenset(
    (
        *("9p", "acfs", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "davfs2", "fuse", "gfs"),
        *("gfs2", "glusterfs", "gpfs", "kafs", "lustre", "ncpfs", "nfs", "nfs3", "nfs4", "ocfs2"),
        *("orangefs", "panfs", "prl_fs", "pvfs2", "smb2", "smb3", "smbfs", "vboxsf", "virtiofs"),
        "vmhgfs",
    )
)
"""Types whose files others may change unseen. Not `fuseblk`, which is a disk of this machine."""

_MAGICS = {
    0x01021997: "9p",
    0x5346414F: "afs",
    0x6B414653: "afs",
    0x00C36400: "ceph",
    0xFF534D42: "cifs",
    0x73757245: "coda",
    0x65735546: "fuse",
    0x01161970: "gfs2",
    0x0BD00BD0: "lustre",
    0x0000564C: "ncpfs",
    0x00006969: "nfs",
    0x7461636F: "ocfs2",
    0x0000517B: "smbfs",
    0xFE534D42: "smb2",
    0x786F4256: "vboxsf",
}
"""Numbers that `statfs` gives for those types (`statfs(2)`)."""

_ESCAPED = re.compile(r"\\([0-7]{3})")


@dataclass(frozen=True, slots=True)
class Mount:
    """One mounted file system."""

    point: str
    """Folder at which it is mounted."""
    kind: str
    """Its type, for example `ext4` or `fuse.sshfs`."""


def parse_mounts(table: str) -> tuple[Mount, ...]:
    """Return the mounts of a mount table, those mounted last at the end (`proc(5)`, mountinfo)."""
    found = []
    for line in table.splitlines():
        fields, _separator, rest = line.partition(" - ")
        places, kinds = fields.split(" "), rest.split(" ")
        if len(places) > 4 and kinds[0]:
            found.append(Mount(_ESCAPED.sub(_unescaped, places[4]), kinds[0]))
    return tuple(found)


def silent_mount(folder: str, mounts: Sequence[Mount]) -> Mount | None:
    """Return the mount on or below a folder that does not tell of all changes.

    Args:
        folder: Its real path, without links.
        mounts: All mounts; of two at one place the later one hides the earlier.
    """
    at = {mount.point: mount for mount in mounts}
    around = [mount for mount in at.values() if _holds(mount.point, folder)]
    own = max(around, key=lambda mount: len(mount.point), default=None)
    below = [mount for mount in at.values() if _holds(folder, mount.point) and mount is not own]
    candidates = [own, *below] if own is not None else below
    return next((mount for mount in candidates if is_silent(mount.kind)), None)


def is_silent(kind: str) -> bool:
    """Return whether a file system of this type does not tell of all changes."""
    return kind in _SILENT or kind.startswith("fuse.")


def why_silent(folder: str, read_table: Callable[[], str] | None = None) -> str:
    """Return why changes below a folder are not all reported; empty when they are.

    Args:
        folder: Any path to it.
        read_table: Gives the mount table of the system and may raise `OSError`, upon which the
            system is asked for the type of this one file system.
    """
    if read_table is None:
        if not sys.platform.startswith("linux"):
            return ""
        read_table = _read_table
    try:
        mount = silent_mount(os.path.realpath(folder), parse_mounts(read_table()))
    except OSError:
        kind = _kind_by_number(folder)
    else:
        kind = mount.kind if mount is not None else ""
    if not kind:
        return ""
    return f"the folder is on {kind}, which does not tell what others change"


def _read_table() -> str:
    with open(_TABLE, encoding="utf-8", errors="surrogateescape") as table:  # noqa: PTH123 - a table of the kernel
        return table.read()


def _kind_by_number(folder: str) -> str:
    """Return the type of a file system by the number that `statfs` gives; empty if it tells all."""
    import ctypes  # seldom needed

    answer = ctypes.create_string_buffer(512)  # more than the struct has on any machine
    if ctypes.CDLL(None).statfs(os.fsencode(folder), answer) != 0:
        return ""
    number = ctypes.c_ulong.from_buffer(answer).value & 0xFFFFFFFF
    return _MAGICS.get(number, "")


def _holds(outer: str, inner: str) -> bool:
    return inner == outer or inner.startswith(outer.rstrip("/") + "/")


def _unescaped(match: re.Match[str]) -> str:
    return chr(int(match[1], 8))
