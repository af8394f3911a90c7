"""Who else can read a session, by the mode bits of its file and of the folders above it.

A transcript holds whatever was typed and printed, so one that others can read is worth a remark
(`trust.md` 2.9, S8). It is no fault of the session. Only mode bits count: access lists, and who
belongs to which group, are not looked at.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ink_tui.model.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

_READ, _PASS = 0o4, 0o1


class Readers(StrEnum):
    """The widest circle of users who can read a file."""

    OWNER = "owner"
    GROUP = "group"
    """Also members of a group: that of the file, or one that a folder above lets through."""
    EVERYONE = "everyone"
    """Every user of the machine."""


@dataclass(frozen=True, slots=True)
class Rights:
    """Whom a file or a folder lets in."""

    mode: int
    """As `stat` gives it."""
    group: int
    """Number of its group."""

    def others(self, wanted: int) -> bool:
        """Whether users outside its group have a right, `4` to read or `1` to pass."""
        return bool(self.mode & wanted)

    def members(self, wanted: int) -> bool:
        """Whether members of its group have a right."""
        return bool(self.mode >> 3 & wanted)


@dataclass(frozen=True, slots=True)
class Access:
    """Who can read a session file."""

    readers: Readers
    mode: int
    """Permission bits of the file."""

    @property
    def words(self) -> str:
        """What is remarked, as a clause; empty when only the owner can read the file."""
        return {
            Readers.EVERYONE: "readable by every user of this machine",
            Readers.GROUP: "readable by members of its group",
        }.get(self.readers, "")

    @property
    def mode_words(self) -> str:
        """The permission bits in octal: `mode 0644`."""
        return f"mode {self.mode:04o}"

    def command(self, path: str) -> str:
        """Return the command that keeps those readers out; nothing here ever runs it.

        Args:
            path: The session file; bytes that are not UTF-8 are half surrogates.
        """
        who = "o" if self.readers is Readers.EVERYONE else "go"
        return f"chmod {who}= {shell_word(path)}"


def access_of(file: Rights, folders: Iterable[Rights]) -> Access:
    """Return who can read a file.

    A user gets to it only where every folder up to the root lets that user through; the rights to
    list those folders do not matter, because names can be known. A user may be a member of any of
    the groups, but is either in a group or outside it everywhere.

    Args:
        file: The file's rights.
        folders: Those of all folders above it, the root included, in any order.
    """
    wanted = [(file, _READ), *((folder, _PASS) for folder in folders)]
    outside = {rights.group: True for rights, _right in wanted}
    inside = dict(outside)
    for rights, right in wanted:
        outside[rights.group] &= rights.others(right)
        inside[rights.group] &= rights.members(right)
    readers = Readers.OWNER
    if all(outside.values()):
        readers = Readers.EVERYONE
    elif all(outside[group] or inside[group] for group in outside):
        readers = Readers.GROUP
    return Access(readers, file.mode & 0o7777)


def shell_word(path: str) -> str:
    """Return a path as one word of a shell, safe to draw: what cannot be drawn is escaped.

    Args:
        path: A path; bytes that are not UTF-8 are half surrogates.
    """
    if path.startswith("-"):
        path = f"./{path}"
    if one_line(path) == path:
        return shlex.quote(path)
    escaped = (
        chr(byte) if 0x20 <= byte < 0x7F and byte not in b"'\\" else f"\\x{byte:02x}"
        for byte in path.encode("utf-8", "surrogateescape")
    )
    return f"$'{''.join(escaped)}'"
