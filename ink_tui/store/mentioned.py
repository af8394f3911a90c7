"""Files that a session mentions, looked for on the disk; nothing is opened or followed by reading.

A relative path is meant from the folder of the session. A file counts as its own when it is a
regular file whose real place, symbolic links followed, lies below that folder.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ink_tui.model.mentions import Mention


@dataclass(frozen=True, slots=True)
class MentionedFile:
    """A regular file that is mentioned."""

    path: str
    """Absolute, so that no program can take it for an option."""
    shown: str
    """As it is mentioned."""
    line: int | None
    """1-based; `None` where no line is named."""
    inside: bool
    """Whether it really lies below the folder of the session."""


@dataclass(frozen=True, slots=True)
class Mentioned:
    """What was found of some mentions."""

    files: tuple[MentionedFile, ...]
    missing: str = ""
    """Why the file that a call names cannot be opened, in a sentence; empty where it can."""


def find_mentioned(mentions: Iterable[Mention], cwd: str, home: str, most: int) -> Mentioned:
    """Return the mentioned files that are there, each once, in the order of the mentions.

    Args:
        mentions: What is mentioned.
        cwd: Folder of the session; empty where it is not known.
        home: The user's home folder, for `~/`.
        most: Files that are returned at most.
    """
    found: dict[str, MentionedFile] = {}
    missing = ""
    for mention in mentions:
        if len(found) == most:
            break
        problem = ""
        for written in _spellings(mention):
            path = _absolute(written, cwd, home)
            why = _why_not(path) if path else "it is not known from which folder it is meant"
            if not why:
                file = MentionedFile(path, written, mention.line, _is_inside(path, cwd))
                found.setdefault(path, file)
                break
            problem = problem or why
        else:
            if mention.certain and not missing:
                missing = f"{mention.path} cannot be opened: {problem}."
    return Mentioned(tuple(found.values()), missing)


def _spellings(mention: Mention) -> tuple[str, ...]:
    """Return a path as it stands, and without the front that a `git diff` writes before it."""
    path = mention.path
    if not mention.certain and path.startswith(("a/", "b/")) and len(path) > 2:
        return (path, path[2:])
    return (path,)


def _absolute(path: str, cwd: str, home: str) -> str:
    """Return where a path leads from a folder; empty where that is not known."""
    if path.startswith("~/") and home:
        path = home.rstrip("/") + path[1:]
    if not path.startswith("/"):
        if not cwd.startswith("/"):
            return ""
        path = f"{cwd.rstrip('/')}/{path}"
    # `..` is left to the system: what stands before it may be a link.
    return str(Path("/" + path.lstrip("/")))


def _why_not(path: str) -> str:
    """Return why a path is no regular file, in a few words; empty where it is one."""
    try:
        mode = Path(path).stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return "there is no such file"
    except (OSError, ValueError) as error:
        return (getattr(error, "strerror", None) or "not a path").lower()
    if stat.S_ISDIR(mode):
        return "it is a folder"
    return "" if stat.S_ISREG(mode) else "it is not a regular file"


def _is_inside(path: str, cwd: str) -> bool:
    if not cwd.startswith("/"):
        return False
    folder, real = os.path.realpath(cwd), os.path.realpath(path)
    return real.startswith(folder.rstrip("/") + "/")
