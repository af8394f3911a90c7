"""What follows from a fault: what Ink itself does, what a repair does, what a fork does.

From `formats/ink.md` sections 5, 7 and 8 and `design.md` section 6. The sentences continue a label
and claim nothing that was not looked at: never that a call ran, never that a file is whole again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.faults import FaultCode, Severity
from ink_tui.model.words import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ink_tui.model.faults import Fault
    from ink_tui.model.verdict import Diagnosis


@dataclass(frozen=True, slots=True)
class Consequences:
    """Three sentences, each the continuation of its label."""

    agent: str
    """After `Ink itself`."""
    repair: str
    """After `Repair`."""
    fork: str
    """After `Fork`."""


_STAYS = "this file stays as it is"
_KEEP = f"copies the complete records; {_STAYS}"
_BEFORE = f"copies the records before it; {_STAYS}"
_NO_MIDDLE = "not possible: only the end of a file is ever changed"
_SENDS = "opens it and sends it as it stands; the provider refuses the next request"
_SAVES = f"copies all that can be read into a new session and lists what is left out; {_STAYS}"
_REFUSES_LINE = "refuses the whole file because of this line, and leaves it out of its lists"
_GLUES = (
    "opens it, then glues its next record to this fragment: the new record is lost and later the"
    " session cannot be opened"
)

_TABLE: Mapping[FaultCode, Consequences] = {
    FaultCode.TORN_FRAGMENT: Consequences(
        _GLUES, "cuts {bytes}; they are saved first and can be put back", _KEEP
    ),
    FaultCode.UNTERMINATED: Consequences(
        "opens it, then glues its next record to the last one: both are lost",
        "appends the missing newline, 1 byte; nothing is removed",
        f"copies all records of the branch; {_STAYS}",
    ),
    FaultCode.INVALID_TAIL: Consequences(
        "sets the last line aside when it opens the file; where it repairs, it cuts the line",
        "leaves the line alone until you say otherwise, because it is whole",
        _KEEP,
    ),
    FaultCode.FOREIGN_TAIL: Consequences(
        "sets the last line aside when it opens the file; where it repairs, it cuts the line",
        "leaves the line alone until you say otherwise: a newer Ink may have written it",
        _KEEP,
    ),
    FaultCode.OPEN_CALLS: Consequences(
        _SENDS,
        "appends an error result for {each}: the outcome is unknown; nothing is run again",
        f"closes {{it}} in the copy with the same error result; {_STAYS}",
    ),
    FaultCode.GAP: Consequences(
        _SENDS, "not possible: a result cannot be put into the middle of a chat", _BEFORE
    ),
    FaultCode.DUPLICATE_CALL: Consequences(
        _SENDS, "not possible: it cannot be told which result belongs to which call", _BEFORE
    ),
    FaultCode.ORPHAN_RESULT: Consequences(
        _SENDS, "not possible: the call that it answers is not there", _BEFORE
    ),
    FaultCode.DUPLICATE_RESULT: Consequences(
        _SENDS, "not possible: it cannot be told which of the two results holds", _BEFORE
    ),
    FaultCode.INVALID_JSON: Consequences(_REFUSES_LINE, _NO_MIDDLE, _SAVES),
    FaultCode.INVALID_RECORD: Consequences(_REFUSES_LINE, _NO_MIDDLE, _SAVES),
    FaultCode.UNKNOWN_ENTRY_TYPE: Consequences(_REFUSES_LINE, _NO_MIDDLE, _SAVES),
    FaultCode.EMPTY_FILE: Consequences(
        "refuses the file: it is empty", "there is nothing to repair", "there is nothing to copy"
    ),
    FaultCode.BAD_HEADER: Consequences(
        "refuses the file because of its first line",
        "not possible: a header is never invented in place",
        "copies all that can be read into a folder that you name, under a new header",
    ),
    FaultCode.UNSUPPORTED_VERSION: Consequences(
        "refuses the file in the version that we know",
        "not done: we do not write to what a newer Ink wrote",
        "not done: a copy in the older form could lose what the newer one says",
    ),
    FaultCode.CYCLE: Consequences(
        "does not show these records in its tree", "there is nothing to cut or add", _KEEP
    ),
    FaultCode.DUPLICATE_ID: Consequences(
        "uses the later record and forgets the earlier one",
        "there is nothing to cut or add",
        f"copies the record that Ink uses; {_STAYS}",
    ),
    FaultCode.STALE_POSITION: Consequences(
        "continues at the last record in the file, not where you left off",
        "there is nothing to cut or add; resuming continues at the other place",
        "copies the branch of the record you choose, so you can go on where you left off",
    ),
    FaultCode.MALFORMED_COMPACTION: Consequences(
        "opens it and fails when it builds the context",
        "not possible: what was kept cannot be known",
        f"copies all but the compaction, so what it stood for is read again; {_STAYS}",
    ),
    FaultCode.MISSING_PARENT: Consequences(
        "shows the record as another start; the branch it continues is not touched",
        "there is nothing to cut or add",
        f"copies the branch that is continued; {_STAYS}",
    ),
    FaultCode.NOT_CONNECTED: Consequences(
        "does not show these records in its tree", "there is nothing to cut or add", _KEEP
    ),
    FaultCode.UNREADABLE: Consequences(
        "cannot read the file either, if it runs as the same user",
        "not possible: nothing of the file could be read",
        "not possible: nothing of the file could be read",
    ),
}

_BROKEN = Consequences(
    "opens it and fails when it walks to the start, and leaves it out of its lists",
    "not possible: the record that is missing cannot be invented",
    _SAVES,
)
"""A missing parent or a ring on the branch that Ink continues."""


def consequences(fault: Fault, diagnosis: Diagnosis) -> Consequences:
    """Return what follows from a fault in its session."""
    broken = fault.code in (FaultCode.MISSING_PARENT, FaultCode.CYCLE)
    if broken and fault.severity is Severity.REFUSED:
        return _BROKEN
    found = _TABLE[fault.code]
    cut = counted(diagnosis.session.tail.torn_bytes, "byte")
    many = fault.count > 1
    filled = {
        "bytes": cut,
        "each": "each of them" if many else "it",
        "it": "them" if many else "it",
    }
    repair = found.repair.format_map(filled)
    if fault.severity is Severity.DECIDE and diagnosis.refusal is not None:
        repair = "not done: something else in this session stands in the way"
    return Consequences(found.agent, repair, found.fork.format_map(filled))
