"""The words of every state, for list, tree, health and the headless commands (`ui.md` section 6).

One table. A state has short words for a row of the list, a sentence's start for tree and health,
and a longer sentence that says what is known and what can be done. Nothing here claims that a call
ran or did not run.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from ink_tui.model.faults import FaultCode
from ink_tui.model.text import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ink_tui.model.faults import Fault


class Mark(StrEnum):
    """What a state mark means; the screen chooses its glyph and its colour (`ui.md` 2.2)."""

    NONE = "none"
    LIVE = "live"
    """An agent writes here."""
    DECIDE = "decide"
    """Needs a decision."""
    DAMAGED = "damaged"
    """Readable but damaged."""
    FAILED = "failed"
    """Failed or refused."""


MARK_WORDS: Mapping[Mark, str] = {
    Mark.NONE: "",
    Mark.LIVE: "live",
    Mark.DECIDE: "needs a decision",
    Mark.DAMAGED: "readable but damaged",
    Mark.FAILED: "failed or refused",
}
"""What a mark is called where it cannot be drawn, and in help."""


class StateCode(StrEnum):
    """States that are no faults of the content."""

    WRITING = "writing"
    LIVE = "live"
    WAITING = "waiting"
    FOLDER_MISSING = "folder-missing"
    BROKEN_CHAIN = "broken-chain"
    """The branch that would be continued has no way back to a start."""
    PARENT_GONE = "parent-gone"
    """A sub-agent session whose parent session is not there."""
    UNANSWERED_BEFORE = "unanswered-before-compaction"
    UNANSWERED_LEFT = "unanswered-left-branch"


@dataclass(frozen=True, slots=True)
class Facts:
    """What the words of a state are filled with; whatever is not known stays at its default."""

    count: int = 1
    """Calls or records."""
    octets: int = 0
    """Bytes."""
    line: int | None = None
    """Physical line, from 1."""
    offset: int | None = None
    """Byte in the file, from 0."""
    version: str = ""
    cwd: str = ""
    reason: str = ""
    """A fact in a few words: a parser's message, an id, a system's reason."""
    seconds: float | None = None
    """How old the last change is, or how long a call has run."""
    others: int | None = None
    """Other records that can be read."""
    doing: str = ""
    """What a live agent does: `bash npm test`."""


NO_FACTS = Facts()


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one state."""

    mark: Mark
    list: str
    """For a row of the list."""
    tree: str
    """For a row of the tree and for health."""
    longer: str = ""
    """What is seen, what it means, what can be done."""


_TABLE: Mapping[str, Words] = {
    FaultCode.TORN_FRAGMENT: Words(
        Mark.DECIDE,
        "torn tail",
        "Torn tail: the last record is not complete",
        "The last {bytes} are not a complete record. They were probably being written when the"
        " agent stopped.",
    ),
    FaultCode.UNTERMINATED: Words(
        Mark.DECIDE,
        "last newline missing",
        "The last record is complete; only its newline is missing",
        "Ink would glue its next record to it and lose both. One byte fixes this.",
    ),
    FaultCode.INVALID_TAIL: Words(
        Mark.DECIDE,
        "last record not understood",
        "The last line holds something whole, but is no record that Ink accepts",
        "Ink itself sets it aside and would cut {bytes}. It is kept unless you decide otherwise.",
    ),
    FaultCode.FOREIGN_TAIL: Words(
        Mark.DECIDE,
        "last record not understood",
        "The last record is complete but of a kind we do not know",
        "A newer Ink may have written it. It is kept unless you decide otherwise.",
    ),
    FaultCode.OPEN_CALLS: Words(
        Mark.DECIDE,
        "{calls} without result",
        "no result saved; may have run",
        "No result was saved for {these_calls}. {They} may have run, fully or in part.",
    ),
    FaultCode.GAP: Words(
        Mark.DECIDE,
        "{call_word} without result, later messages exist",
        "no result saved; the chat went on",
        "No result was saved for {these_calls}, and the chat went on. This cannot be closed"
        " safely. Fork before it instead.",
    ),
    FaultCode.INVALID_JSON: Words(
        Mark.DAMAGED,
        "{line} unreadable",
        "{line} cannot be read",
        "Ink itself refuses this session. {others} can be read.",
    ),
    FaultCode.INVALID_RECORD: Words(
        Mark.DAMAGED,
        "{line} is no valid record",
        "{line} is no valid record",
        "Ink itself refuses this session. {others} can be read.",
    ),
    FaultCode.UNKNOWN_ENTRY_TYPE: Words(
        Mark.DAMAGED,
        "{line} of an unknown kind",
        "{line} is of a kind we do not know",
        "Ink itself refuses this session; a newer Ink may have written it. {others} can be read.",
    ),
    FaultCode.EMPTY_FILE: Words(
        Mark.FAILED, "empty file", "The file is empty", "The file holds no record at all."
    ),
    FaultCode.BAD_HEADER: Words(
        Mark.FAILED,
        "first line is no session header",
        "The first line is no session header",
        "Ink itself refuses this file. What can be read below it is shown.",
    ),
    FaultCode.UNSUPPORTED_VERSION: Words(
        Mark.FAILED,
        "written by a newer Ink{version}",
        "written by a newer Ink{version}",
        "Shown as far as it can be read. We do not write to it.",
    ),
    FaultCode.UNREADABLE: Words(
        Mark.FAILED,
        "cannot be read{reason}",
        "The file cannot be read{reason}",
        "Nothing of it is known but its name.",
    ),
    FaultCode.MISSING_PARENT: Words(
        Mark.DAMAGED,
        "{records} not connected",
        "its parent was never written",
        "The record names a parent that is not in the file. It can be read, not continued.",
    ),
    FaultCode.NOT_CONNECTED: Words(
        Mark.DAMAGED,
        "{records} not connected",
        "not connected to the start",
        "No way leads from the start of the session to {records}.",
    ),
    FaultCode.CYCLE: Words(
        Mark.DAMAGED,
        "records in a ring",
        "its parents form a ring",
        "Records name each other as parents, so no start can be found.",
    ),
    FaultCode.DUPLICATE_ID: Words(
        Mark.NONE,
        "{ids} used twice",
        "its id is used again later",
        "Ink keeps the last record of an id and forgets the earlier one.",
    ),
    FaultCode.STALE_POSITION: Words(
        Mark.DECIDE,
        "Ink will continue elsewhere",
        "Ink will continue here, not where you left off",
        "A label that was written after the jump makes Ink forget it.",
    ),
    FaultCode.MALFORMED_COMPACTION: Words(
        Mark.DAMAGED,
        "compaction not usable",
        "The compaction does not say which messages were kept",
        "The context cannot be rebuilt from it. Fork before it instead.",
    ),
    FaultCode.DUPLICATE_CALL: Words(
        Mark.DAMAGED,
        "call id used twice",
        "A call id is used twice",
        "Results cannot be told apart, so nothing is closed here. Fork before it instead.",
    ),
    FaultCode.ORPHAN_RESULT: Words(
        Mark.DAMAGED,
        "result without call",
        "result without a call",
        "A result answers no call before it. Fork before it instead.",
    ),
    FaultCode.DUPLICATE_RESULT: Words(
        Mark.DAMAGED,
        "second result for one call",
        "second result for one call",
        "A call has two results. Fork before the second instead.",
    ),
    StateCode.WRITING: Words(
        Mark.LIVE,
        "writing",
        "being written",
        "The last line is not finished yet{age}.",
    ),
    StateCode.LIVE: Words(
        Mark.LIVE, "live{doing}", "running{running}", "The result is saved when the call ends."
    ),
    StateCode.WAITING: Words(
        Mark.LIVE, "live · waiting for you", "waiting for you", "The agent waits for an answer."
    ),
    StateCode.FOLDER_MISSING: Words(
        Mark.NONE,
        "folder missing",
        "folder missing",
        "{cwd} no longer exists. Fork this session into another folder?",
    ),
    StateCode.BROKEN_CHAIN: Words(
        Mark.DAMAGED,
        "start never written",
        "the branch has no way back to the start",
        "Ink cannot continue it. Fork what can be read instead.",
    ),
    StateCode.PARENT_GONE: Words(
        Mark.NONE,
        "its parent session is not here",
        "its parent session is not here",
        "Ink continues a sub-agent session only from its parent.",
    ),
    StateCode.UNANSWERED_BEFORE: Words(
        Mark.NONE,
        "call without result before the compaction",
        "no result, before the compaction",
        "No result was saved for this call. It is no longer in the context.",
    ),
    StateCode.UNANSWERED_LEFT: Words(
        Mark.NONE,
        "call without result on another branch",
        "no result, left branch",
        "No result was saved for this call. It is not on the branch that will be continued.",
    ),
}


def words(code: str, facts: Facts = NO_FACTS) -> Words:
    """Return the words of a state, filled with what is known of it.

    Args:
        code: A `FaultCode`, a `StateCode`, or any other reason why a file cannot be read.
        facts: What to fill in; every text in it is cleaned here.
    """
    found = _TABLE.get(code)
    if found is None:
        facts = replace(facts, reason=facts.reason or code.replace("-", " "))
        found = _TABLE[FaultCode.UNREADABLE]
    filled = _fields(facts)
    return Words(
        found.mark,
        found.list.format_map(filled),
        found.tree.format_map(filled),
        found.longer.format_map(filled),
    )


def fault_words(fault: Fault, others: int | None = None) -> Words:
    """Return the words of a fault.

    Args:
        fault: The fault.
        others: Records of the same file that can be read.
    """
    span = fault.span
    return words(
        fault.code,
        Facts(
            count=fault.count,
            octets=fault.count,
            line=span.line if span and span.line > 0 else None,
            offset=span.offset if span else None,
            reason=fault.detail,
            others=others,
        ),
    )


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 call`, `1,204 records`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _fields(facts: Facts) -> dict[str, str]:
    single = facts.count == 1
    reason, doing, version = (one_line(text) for text in (facts.reason, facts.doing, facts.version))
    seconds = facts.seconds
    return {
        "bytes": counted(facts.octets, "byte"),
        "calls": counted(facts.count, "call"),
        "call_word": "call" if single else "calls",
        "these_calls": "this call" if single else f"{facts.count:,} calls",
        "They": "It" if single else "They",
        "ids": counted(facts.count, "id"),
        "records": counted(facts.count, "record"),
        "line": "a line" if facts.line is None else f"line {facts.line:,}",
        "others": (
            "Its other records" if facts.others is None else counted(facts.others, "other record")
        ),
        "version": f", version {version}" if version else "",
        "reason": f": {reason}" if reason else "",
        "cwd": one_line(facts.cwd) or "Its folder",
        "age": "" if seconds is None else f"; it is {seconds:.1f} s old",
        "running": "" if seconds is None else f" {duration_words(seconds)}",
        "doing": (f" · {doing}" if doing else "")
        + ("" if seconds is None or not doing else f", {duration_words(seconds)}"),
    }


def duration_words(seconds: float) -> str:
    """Return a time span in two units at most: `41 s`, `2m 41s`, `3h 05m`, `2 days`."""
    whole = max(0, int(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3_600:
        return f"{whole // 60}m {whole % 60:02d}s"
    if whole < 172_800:
        return f"{whole // 3_600}h {whole % 3_600 // 60:02d}m"
    return counted(whole // 86_400, "day")
