"""Names of Ink's folders and files (`formats/ink.md` 1.2, 1.3); no file is touched."""

from __future__ import annotations

from ink_tui.formats.ink.constants import FILE_SUFFIX
from ink_tui.formats.ink.encode import iso_stamp

_SEPARATORS = {ord(char): "-" for char in "/\\:"}


def ink_dir_name(cwd: str) -> str:
    """Return the folder below the session root that Ink looks in for a working directory.

    Not reversible and not injective: never decode it, group by the header's cwd. `/` gives the
    empty string: the files then lie in the root itself.

    Args:
        cwd: Absolute path as the kernel gives it, links resolved.
    """
    name = cwd[1:] if cwd[:1] in ("/", "\\") else cwd
    return name.replace("-", "--").translate(_SEPARATORS)


def session_file_name(time_ms: int, uuid: str) -> str:
    """Return the name of a new session file.

    Args:
        time_ms: Milliseconds since 1970.
        uuid: A random UUID, independent of the session id in the header.
    """
    stamp = iso_stamp(time_ms).replace(":", "-").replace(".", "-")
    return f"{stamp}-{uuid}{FILE_SUFFIX}"
