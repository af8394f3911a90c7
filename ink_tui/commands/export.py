"""`ink-tui export`: a session as Markdown, as one HTML page, as JSON Lines or as a recording."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.commands.output import NEGATIVE, OK, USAGE, complain, print_json
from ink_tui.commands.stores import find_session, not_found
from ink_tui.errors import ConfigError
from ink_tui.model.export.cast import DEFAULT_SIZE, LEAST_SIZE, MOST_SIZE, cast_size
from ink_tui.model.text import clean
from ink_tui.paths import home_dir, ink_sessions_roots
from ink_tui.store.export import (
    KNOWN_SHAPES,
    NOT_REDACTED,
    make_export,
    save_export,
    session_folders,
    taken_out,
)
from ink_tui.store.export_file import check_place

if TYPE_CHECKING:
    from argparse import Namespace

    from ink_tui.store.export import Export
    from ink_tui.store.library import Library


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
    roots = session_folders(located.path, _roots(library))
    if target is not None:
        check_place(target, roots, force=options.force)
    redacted = not options.no_redact
    size = cast_size(options.size) if options.size else None
    export = make_export(
        located.path, options.format, home=_home(), redacted=redacted, size=size or DEFAULT_SIZE
    )
    if target is None:
        _print(export.content)
    else:
        save_export(export, target, roots, force=options.force)
    _report(options, export, target)
    return OK


def _wrong_options(options: Namespace, target: Path | None) -> str:
    if options.json and target is None:
        return "--json says what was written to a file: name it with -o."
    if options.force and target is None:
        return "--force is for a file: name it with -o."
    if options.size is not None and options.format != "cast":
        return "--size is for a recording: --format cast."
    if options.size is not None and cast_size(options.size) is None:
        least, most = LEAST_SIZE, MOST_SIZE
        limits = f"{least.columns}x{least.lines} to {most.columns}x{most.lines}"
        return f"“{clean(options.size)}” is no size of a terminal from {limits}."
    if options.format == "jsonl" and target is None and sys.stdout.isatty():
        # Records as they stand may hold what a terminal acts on.
        return "JSON Lines are not for a terminal: use -o FILE or a pipe."
    return ""


def _roots(library: Library) -> list[Path]:
    """Return the chosen folders of sessions and Ink's own."""
    roots = [Path(root) for root in library.roots]
    with suppress(ConfigError):  # no home folder is known: then Ink has none either
        roots += ink_sessions_roots(os.environ)
    return roots


def _home() -> str | None:
    try:
        return str(home_dir(os.environ))
    except ConfigError:
        return None


def _print(content: bytes) -> None:
    sys.stdout.flush()
    binary = getattr(sys.stdout, "buffer", None)
    if binary is None:  # stdout was replaced by one that takes text alone
        sys.stdout.write(content.decode("utf-8", "replace"))
    else:
        binary.write(content)
        binary.flush()


def _report(options: Namespace, export: Export, target: Path | None) -> None:
    if options.json and target is not None:
        print_json(
            {
                "path": str(target),
                "format": options.format,
                "redacted": not options.no_redact,
                "redactions": dict(sorted(export.counts.items())),
                "bytes": len(export.content),
            }
        )
    if options.no_redact:
        complain(f"{NOT_REDACTED} {'' if target is None else f'Written to {target}.'}".strip())
    else:
        complain(f"{taken_out(export.counts)}. {KNOWN_SHAPES}")
