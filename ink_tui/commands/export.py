"""`ink-tui export`: a session as Markdown, as one HTML page, or as JSON Lines."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.commands.output import NEGATIVE, OK, USAGE, complain, print_json
from ink_tui.commands.stores import find_session, not_found
from ink_tui.errors import ConfigError
from ink_tui.formats.registry import INK
from ink_tui.model.entries import UnknownEntry
from ink_tui.model.export.document import build_document
from ink_tui.model.export.html import html
from ink_tui.model.export.jsonl import redacted_lines
from ink_tui.model.export.markdown import markdown
from ink_tui.model.redaction import HOME_FOLDER, RedactedFile, Redaction
from ink_tui.model.verdict import diagnose
from ink_tui.model.words import counted
from ink_tui.paths import home_dir, ink_sessions_roots
from ink_tui.store.export_file import check_place, write_export
from ink_tui.store.files import fingerprint, open_for_reading, read_range

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping

    from ink_tui.model.verdict import Diagnosis
    from ink_tui.store.files import Fingerprint
    from ink_tui.store.library import Library

FORMATS = ("md", "html", "jsonl")

NOT_REDACTED = "Secrets were not taken out of this copy."
KNOWN_SHAPES = "Only secrets of known shapes are found: read it before you give it away."


def export_session(library: Library, options: Namespace) -> int:
    """Write a session to stdout or to a file, secrets of known shapes taken out by default.

    Returns:
        0 when it was written, 1 when no session fits, 2 for options that do not go together.

    Raises:
        StoreError: The session cannot be read, or the file must not or cannot be written.
    """
    target = None if options.output in (None, "-") else Path(options.output)
    wrong = _wrong_options(options, target)
    if wrong:
        complain(wrong)
        return USAGE
    located = find_session(library, options.session)
    if located.path is None:
        complain(not_found(located, options.session, library.roots))
        return NEGATIVE
    roots = _session_roots(library, located.path)
    if target is not None:
        check_place(target, roots, force=options.force)
    with open_for_reading(located.path) as (descriptor, state):
        raw = read_range(descriptor, 0, state.size)
    if target is not None and _is_file(target, state):
        complain(f"{target} is the session itself: name another file with -o.")
        return NEGATIVE
    copy = RedactedFile(raw) if options.no_redact else Redaction(_home()).file(raw)
    diagnosis = _diagnosis(copy.data)
    if not _is_session(diagnosis):
        complain(f"{located.path} is not a session of Ink: nothing was exported.")
        return NEGATIVE
    content = _content(options, copy, diagnosis, Path(located.path).name)
    if target is None:
        _print(content)
    else:
        write_export(target, content, roots, force=options.force)
    _report(options, copy.counts, target, len(content))
    return OK


def _is_file(target: Path, state: Fingerprint) -> bool:
    """Whether a name means the file that was read."""
    try:
        return fingerprint(target.stat()).same_file(state)
    except OSError:
        return False


def taken_out(counts: Mapping[str, int]) -> str:
    """Return in words what was taken out: `2 github-token, 1 jwt`, and how many paths were cut."""
    kinds = sorted((kind, number) for kind, number in counts.items() if kind != HOME_FOLDER)
    secrets = ", ".join(f"{number:,} {kind}" for kind, number in kinds) or "no secret"
    paths = counts.get(HOME_FOLDER, 0)
    also = f"; the home folder in {counted(paths, 'path')} is now ~" if paths else ""
    return f"{secrets} taken out{also}"


def _wrong_options(options: Namespace, target: Path | None) -> str:
    if options.json and target is None:
        return "--json says what was written to a file: name it with -o."
    if options.force and target is None:
        return "--force is for a file: name it with -o."
    if options.format == "jsonl" and target is None and sys.stdout.isatty():
        # Records as they stand may hold what a terminal acts on.
        return "JSON Lines are not for a terminal: use -o FILE or a pipe."
    return ""


def _session_roots(library: Library, path: str) -> list[Path]:
    """Return every folder that counts as one of sessions: the chosen, Ink's own, the session's."""
    roots = [Path(root) for root in library.roots]
    with suppress(ConfigError):  # no home folder is known: then Ink has none either
        roots += ink_sessions_roots(os.environ)
    store = Path(path).absolute().parent.parent
    return [*roots, store] if store.name == "sessions" else roots


def _home() -> str | None:
    try:
        return str(home_dir(os.environ))
    except ConfigError:
        return None


def _diagnosis(data: bytes) -> Diagnosis:
    parser = INK.parser()
    parser.feed(data)
    return diagnose(parser.session())


def _is_session(diagnosis: Diagnosis) -> bool:
    """Whether anything of a session can be read: a header, or a record of a known kind."""
    session = diagnosis.session
    known = any(not isinstance(record, UnknownEntry) for record in session.records)
    return session.header is not None or known


def _content(options: Namespace, copy: RedactedFile, diagnosis: Diagnosis, name: str) -> bytes:
    header = diagnosis.session.header
    if options.format == "jsonl":
        if options.no_redact:
            return copy.data
        return redacted_lines(copy.data, str(header.id) if header else "", copy.counts)
    remark = NOT_REDACTED if options.no_redact else f"Redacted: {taken_out(copy.counts)}."
    document = build_document(diagnosis, name, remark)
    lines = html(document) if options.format == "html" else markdown(document)
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


def _print(content: bytes) -> None:
    sys.stdout.flush()
    binary = getattr(sys.stdout, "buffer", None)
    if binary is None:  # stdout was replaced by one that takes text alone
        sys.stdout.write(content.decode("utf-8", "replace"))
    else:
        binary.write(content)
        binary.flush()


def _report(options: Namespace, counts: Mapping[str, int], target: Path | None, size: int) -> None:
    if options.json and target is not None:
        print_json(
            {
                "path": str(target),
                "format": options.format,
                "redacted": not options.no_redact,
                "redactions": dict(sorted(counts.items())),
                "bytes": size,
            }
        )
    if options.no_redact:
        complain(f"{NOT_REDACTED} {'' if target is None else f'Written to {target}.'}".strip())
        return
    complain(f"{taken_out(counts)}. {KNOWN_SHAPES}")
