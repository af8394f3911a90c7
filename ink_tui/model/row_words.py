"""What one row of the session list says: its mark, its title and its second line (`ui.md` 4)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ink_tui.model.faults import FaultCode, TailState
from ink_tui.model.liveness import Freshness, HolderKind
from ink_tui.model.text import one_line
from ink_tui.model.verdict_kinds import Verdict
from ink_tui.model.words import Facts, Mark, StateCode, Words, counted, words

if TYPE_CHECKING:
    from ink_tui.model.listing import SessionRow

_LINE_FAULTS = (
    FaultCode.INVALID_JSON,
    FaultCode.INVALID_RECORD,
    FaultCode.UNKNOWN_ENTRY_TYPE,
)
"""Why a file is refused, when it is for one of its lines."""

_IN_FLUX = (TailState.TORN_FRAGMENT, TailState.UNTERMINATED)
"""Tails that are normal while somebody writes."""


class FactClass(StrEnum):
    """What the second line of a row is about, most important first."""

    PROBLEM = "problem"
    LIVE = "live"
    WAITING = "waiting"
    FOLDER = "folder"
    """The folder is missing, or the parent of a sub-agent session is."""
    NOTE = "note"
    """What the user wrote about the session."""
    FORKED = "forked"
    SHAPE = "shape"
    """Compactions and branches."""


@dataclass(frozen=True, slots=True)
class Activity:
    """What an agent is doing in a session, as far as it is known."""

    doing: str = ""
    """The running call: `bash npm test`; empty when none is known."""
    since_ms: int | None = None
    """When it began."""
    waiting: bool = False
    """The agent waits for the user."""


@dataclass(frozen=True, slots=True)
class SecondLine:
    """The second line of a row."""

    fact: FactClass
    words: str
    mark: Mark = Mark.NONE


def is_live(row: SessionRow, activity: Activity | None = None) -> bool:
    """Whether somebody writes to the session now, for all that is known."""
    return (
        activity is not None
        or row.holder.kind is HolderKind.CERTAIN
        or row.freshness is Freshness.WRITING
    )


def problems(row: SessionRow, activity: Activity | None = None) -> tuple[Words, ...]:
    """Return the words for everything that is wrong with a session, worst first.

    While somebody writes to it, a half-written end and calls that still run are no problem.
    """
    found = _pressing(row, activity)
    if row.not_connected and row.refusal is None:
        found += (words(FaultCode.NOT_CONNECTED, Facts(count=row.not_connected)),)
    return found


def _pressing(row: SessionRow, activity: Activity | None) -> tuple[Words, ...]:
    """Return the words for what stands in the way of going on with a session."""
    found: list[Words] = []
    if row.error_kind is not None:
        facts = Facts(
            line=row.error_line,
            offset=row.error_offset,
            reason=row.reason,
            version=row.reason.removeprefix("version "),
        )
        found.append(words(row.error_kind, facts))
    elif row.refusal is not None:
        found.append(_refusal(row, row.refusal))
    if row.empty and row.error_kind is None and row.tail_state is TailState.OK:
        return ()
    live = is_live(row, activity)
    if row.tail_state is not TailState.OK and not (live and row.tail_state in _IN_FLUX):
        found.append(words(row.tail_state.value, Facts(octets=row.torn_bytes)))
    if row.open_calls and row.refusal is not FaultCode.GAP and not live:
        found.append(words(FaultCode.OPEN_CALLS, Facts(count=row.open_calls)))
    unsure = row.tail_state in (TailState.INVALID_TAIL, TailState.FOREIGN_TAIL)
    if row.verdict is Verdict.INSPECT and not unsure:
        found.append(words(FaultCode.STALE_POSITION))
    return tuple(found)


def mark_of(row: SessionRow, activity: Activity | None = None) -> Mark:
    """Return the mark of a row: what is wrong, else that it is live, else none."""
    wrong = problems(row, activity)
    if wrong:
        return wrong[0].mark
    return Mark.LIVE if is_live(row, activity) else Mark.NONE


def needs_attention(row: SessionRow, activity: Activity | None = None) -> bool:
    """Whether a person must settle something in this session."""
    return row.needs_attention and bool(problems(row, activity))


def title_words(row: SessionRow) -> str:
    """Return the title of a row, whole and on one line; never empty."""
    title = one_line(row.title).strip()
    if title:
        return f"task: {title}" if row.child else title
    if row.session_id is None or row.error_kind is not None:
        return one_line(file_name(row.path))
    return "(no message yet)" if row.empty else "(no title)"


def file_name(path: str) -> str:
    """Return the last part of a path, whatever its separators."""
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2] or path


def second_line(
    row: SessionRow,
    activity: Activity | None = None,
    *,
    now_ms: int = 0,
    forked_title: str = "",
    parent_gone: bool = False,
    heading_says_folder: bool = False,
    note: str = "",
) -> SecondLine | None:
    """Return the second line of a row: one class of fact, the most important there is.

    Args:
        row: The row.
        activity: What an agent does in it.
        now_ms: The present, for how long a call has run.
        forked_title: Title of the session it was forked from, where that is known.
        parent_gone: It is a sub-agent session whose parent is not among the sessions.
        heading_says_folder: The heading of its group already says that the folder is missing.
        note: What the user wrote about it, as it was typed.
    """
    wrong = problems(row, activity)
    if wrong:
        # Records that hang loose are worth a line of their own, not the end of another.
        said = [each.list for each in _pressing(row, activity) or wrong]
        if row.error_kind in _LINE_FAULTS and row.error_offset is not None:
            said.insert(1, f"byte {row.error_offset:,}")
        return SecondLine(FactClass.PROBLEM, " · ".join(dict.fromkeys(said)), wrong[0].mark)
    if is_live(row, activity):
        return _live(row, activity, now_ms)
    if row.cwd_missing and not heading_says_folder:
        return SecondLine(FactClass.FOLDER, words(StateCode.FOLDER_MISSING).list)
    if parent_gone:
        return SecondLine(FactClass.FOLDER, words(StateCode.PARENT_GONE).list)
    if note:
        return SecondLine(FactClass.NOTE, f"note: {one_line(note)}")
    if row.forked_from is not None:
        return SecondLine(FactClass.FORKED, forked_words(row, forked_title))
    shape = _shape(row)
    return SecondLine(FactClass.SHAPE, shape) if shape else None


def forked_words(row: SessionRow, title: str = "") -> str:
    """Return what a session was copied from; empty when it is no copy.

    Args:
        row: The session.
        title: Title of the original; empty when it is not known.
    """
    if row.forked_from is None:
        return ""
    name = f"“{one_line(title)}”" if title else one_line(row.forked_from)[:8]
    return f"forked from {name}"


def _refusal(row: SessionRow, code: FaultCode) -> Words:
    if code is FaultCode.GAP:
        return words(code, Facts(count=max(1, row.open_calls)))
    if code is FaultCode.MISSING_PARENT:
        return words(StateCode.BROKEN_CHAIN)
    return words(code)


def _live(row: SessionRow, activity: Activity | None, now_ms: int) -> SecondLine:
    if activity is not None and activity.waiting:
        said = words(StateCode.WAITING)
        return SecondLine(FactClass.WAITING, said.list, said.mark)
    if activity is None and row.holder.kind is not HolderKind.CERTAIN:
        said = words(StateCode.WRITING)
        return SecondLine(FactClass.LIVE, said.list, said.mark)
    doing = activity.doing if activity is not None else ""
    since = activity.since_ms if activity is not None else None
    seconds = None if since is None else max(0, now_ms - since) / 1000
    said = words(StateCode.LIVE, Facts(doing=doing, seconds=seconds))
    return SecondLine(FactClass.LIVE, said.list, said.mark)


def _shape(row: SessionRow) -> str:
    times = row.compactions or 0
    compacted = {0: "", 1: "compacted", 2: "compacted twice"}.get(times, f"compacted {times} times")
    tips = row.branches or 0
    branches = counted(tips, "branch", "branches") if tips > 1 else ""
    return " · ".join(part for part in (compacted, branches) if part)
