"""`ink-tui list`: the sessions of a store, newest activity first."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

from ink_tui.commands.output import OK, complain, printable
from ink_tui.model.listing import SessionRow
from ink_tui.model.liveness import Freshness
from ink_tui.model.marks import NO_SESSION_MARKS
from ink_tui.model.text import one_line
from ink_tui.model.verdict_kinds import Verdict
from ink_tui.paths import state_dir
from ink_tui.store.clock import system_clock
from ink_tui.store.discover import root_exists
from ink_tui.store.listed import listed
from ink_tui.store.marks import read_marks
from ink_tui.store.row_lines import end_of_line

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from ink_tui.model.marks import Marks, SessionMarks
    from ink_tui.store.cache import RowCache
    from ink_tui.store.listed import Listed
    from ink_tui.store.row_lines import RowLine


def list_sessions(
    roots: Sequence[str], cache: RowCache | None, *, as_json: bool, quick: bool, show_all: bool
) -> int:
    """Print one row per session; archived, empty and sub-agent sessions only when asked for.

    An archived session that is being written is printed all the same, as the screen shows it.

    Args:
        roots: Session roots.
        cache: What earlier starts found out; nothing is kept when left out.
        as_json: Print JSON Lines.
        quick: Print what the head and the last 64 KB of each file tell.
        show_all: Include archived sessions, those without a message and sub-agent sessions.
    """
    kept = read_marks(state_dir(os.environ))
    if kept.notice:
        complain(kept.notice)
    found = listed(roots, cache, quick=quick, clock=system_clock)
    lines = found.lines
    _tell_of_roots(roots, found=bool(lines))
    if not show_all:
        away = _archived(found, kept.marks)
        lines = [line for line in lines if not line.left_out and line.path not in away]
    if as_json:
        sys.stdout.write(_json_lines(lines, found.fresh, kept.marks).decode("ascii"))
    else:
        sys.stdout.write("".join(_plain_lines(lines, kept.marks)))
    return OK


def _tell_of_roots(roots: Sequence[str], *, found: bool) -> None:
    """Say which roots are missing, and that nothing was found below the others."""
    there = [root for root in roots if root_exists(root)]
    for root in roots:
        if root not in there:
            complain(f"{root} does not exist: no sessions there. ink-tui --demo shows some.")
    if not found and there:
        complain(f"no sessions below {', '.join(there)}. ink-tui --demo shows some.")


def _json_lines(lines: Sequence[RowLine], fresh: Mapping[str, Freshness], marks: Marks) -> bytes:
    usual = end_of_line(Freshness.COLD, NO_SESSION_MARKS)
    if marks.sessions:
        ends = [
            end_of_line(fresh.get(line.path, Freshness.COLD), marks.of(_fields(line)["id"]))
            for line in lines
        ]
    else:
        recent = {path: end_of_line(how, NO_SESSION_MARKS) for path, how in fresh.items()}
        ends = [recent.get(line.path, usual) for line in lines]
    return b"".join(
        [part for line, end in zip(lines, ends, strict=True) for part in (line.line, end)]
    )


def _archived(found: Listed, marks: Marks) -> Container[str]:
    """Return the paths of sessions that rest in the archive."""
    if not marks.archived:
        return frozenset()
    from ink_tui.model.archive import resting, rows_by_id  # few archive anything
    from ink_tui.model.row_words import is_live

    rows = [
        SessionRow(
            line.path,
            session_id=told["id"],
            parent_id=told["parent_id"],
            freshness=found.fresh.get(line.path, Freshness.COLD),
        )
        for line in found.lines
        for told in (_fields(line),)
    ]
    return resting(rows, rows_by_id(rows), marks, is_live)


def _fields(line: RowLine) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(line.line + b"}")
    return found


def _plain_lines(lines: Sequence[RowLine], marks: Marks) -> Iterator[str]:
    for line in lines:
        row = _fields(line)
        yield printable(_plain(row, line.path, marks.of(row["id"]))) + "\n"


def _plain(row: Mapping[str, Any], path: str, marks: SessionMarks) -> str:
    when = row["last_activity"] or "-"
    identity = one_line(row["id"] or "-")[:8]
    title = one_line(row["title"] or "") or one_line(path.rsplit("/", 1)[-1])
    problem = "" if row["verdict"] in (None, Verdict.CLEAN) else row["error_kind"] or row["verdict"]
    parts = [f"{when}  {identity:<8}  {title}", f"({problem})" if problem else ""]
    parts += [f"[{', '.join(marks.words)}]" if marks.words else ""]
    parts += [f"note: {one_line(marks.note)}" if marks.note else ""]
    return "  ".join(part for part in parts if part)
