"""A session file as the bytes of an export, secrets of known shapes taken out by default."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.errors import RefusedError
from ink_tui.formats.registry import INK
from ink_tui.model.entries import UnknownEntry
from ink_tui.model.export.cast import DEFAULT_SIZE, cast
from ink_tui.model.export.document import build_document
from ink_tui.model.export.html import html
from ink_tui.model.export.jsonl import redacted_lines
from ink_tui.model.export.markdown import markdown
from ink_tui.model.redaction import HOME_FOLDER, RedactedFile, Redaction
from ink_tui.model.text import clean
from ink_tui.model.verdict import diagnose
from ink_tui.model.words import counted
from ink_tui.store.export_file import write_export
from ink_tui.store.files import fingerprint, open_for_reading, read_range

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ink_tui.model.export.cast import CastSize
    from ink_tui.model.verdict import Diagnosis
    from ink_tui.store.files import Fingerprint

FORMATS = ("md", "html", "jsonl", "cast")
"""Names of the formats, which are the ends of their files' names as well."""
NOT_REDACTED = "Secrets were not taken out of this copy."
KNOWN_SHAPES = "Only secrets of known shapes are found: read it before you give it away."

_NAMES = 100
"""Names tried for a file that the user did not name."""


@dataclass(frozen=True, slots=True)
class Export:
    """What is to be written."""

    content: bytes
    counts: Mapping[str, int]
    """What was taken out, by kind."""
    source: Fingerprint
    """The session file it was made from."""


def make_export(
    path: str,
    form: str,
    *,
    home: str | None,
    redacted: bool = True,
    size: CastSize = DEFAULT_SIZE,
) -> Export:
    """Read a session and return its export.

    Args:
        path: The session file.
        form: One of `FORMATS`.
        home: The user's home folder, which becomes `~`.
        redacted: Whether secrets are taken out.
        size: The terminal that a recording is made for.

    Raises:
        UnreadableError: The file cannot be read.
        RefusedError: It is not a session.
    """
    with open_for_reading(path) as (descriptor, state):
        raw = read_range(descriptor, 0, state.size)
    copy = Redaction(home).file(raw) if redacted else RedactedFile(raw)
    parser = INK.parser()
    parser.feed(copy.data)
    diagnosis = diagnose(parser.session())
    if not _is_session(diagnosis):
        sentence = f"{clean(path)} is not a session of Ink: nothing was exported."
        raise RefusedError("no-session", sentence)
    if form == "jsonl":
        header = diagnosis.session.header
        name = str(header.id) if header else ""
        content = redacted_lines(copy.data, name, copy.counts) if redacted else copy.data
        return Export(content, copy.counts, state)
    remark = f"Redacted: {taken_out(copy.counts)}." if redacted else NOT_REDACTED
    if form == "cast":
        lines = cast(diagnosis, remark, size)
    else:
        document = build_document(diagnosis, Path(path).name, remark)
        lines = html(document) if form == "html" else markdown(document)
    text = "".join(f"{line}\n" for line in lines)
    return Export(text.encode("utf-8", "replace"), copy.counts, state)


def save_export(export: Export, target: Path, roots: Iterable[Path], *, force: bool) -> None:
    """Write an export to the file that the user named.

    Raises:
        RefusedError: By the rules of `check_place`, or it is the session itself.
        StoreError: The system refuses; there is no new file.
    """
    if _is_file(target, export.source):
        sentence = f"{clean(str(target))} is the session itself: name another file with -o."
        raise RefusedError("session-file", sentence)
    write_export(target, export.content, roots, force=force)


def export_beside(
    path: str, form: str, folder: Path, roots: Iterable[Path], *, home: str | None
) -> tuple[Path, Export]:
    """Export a session, secrets taken out, to a new file of a free name in a folder.

    Raises:
        StoreError: The session cannot be read, or the folder is no place for it.
    """
    known = tuple(roots)
    export = make_export(path, form, home=home)
    stem = f"ink-{Path(path).stem[-12:]}"
    for number in range(1, _NAMES):
        target = folder / (f"{stem}.{form}" if number == 1 else f"{stem}-{number}.{form}")
        if os.path.lexists(target):
            continue
        save_export(export, target, known, force=False)
        return target, export
    raise RefusedError("exists", f"{clean(str(folder))} is full of exports of this session.")


def session_folders(path: str, roots: Iterable[Path]) -> list[Path]:
    """Return the folders that count as ones of sessions: the known ones and the session's own."""
    store = Path(path).absolute().parent.parent
    return [*roots, store] if store.name == "sessions" else list(roots)


def taken_out(counts: Mapping[str, int]) -> str:
    """Return in words what was taken out: `2 github-token, 1 jwt`, and how many paths were cut."""
    kinds = sorted((kind, number) for kind, number in counts.items() if kind != HOME_FOLDER)
    secrets = ", ".join(f"{number:,} {kind}" for kind, number in kinds) or "no secret"
    paths = counts.get(HOME_FOLDER, 0)
    also = f"; the home folder in {counted(paths, 'path')} is now ~" if paths else ""
    return f"{secrets} taken out{also}"


def _is_session(diagnosis: Diagnosis) -> bool:
    """Whether anything of a session can be read: a header, or a record of a known kind."""
    session = diagnosis.session
    known = any(not isinstance(record, UnknownEntry) for record in session.records)
    return session.header is not None or known


def _is_file(target: Path, state: Fingerprint) -> bool:
    """Whether a name means the file that was read."""
    try:
        return fingerprint(target.stat()).same_file(state)
    except OSError:
        return False
