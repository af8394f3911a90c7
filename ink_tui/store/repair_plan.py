"""What a repair of an Ink file would do, byte for byte, before anything is done.

A repair touches only the end of the file (`design.md` section 1): it cuts a last line that is not
JSON, or adds the newline that the last record lacks; then it closes the open calls of the last
answer with one record. Whole JSON is never cut. Everything else is refused with a reason.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from ink_tui.errors import InkTuiError, RefusedError
from ink_tui.formats.decode import NotJson, decode
from ink_tui.formats.ink.constants import FILE_SUFFIX, UNKNOWN_OUTCOME
from ink_tui.formats.ink.encode import NewResult, encode_tool_results, iso_stamp, new_entry_id
from ink_tui.formats.registry import INK
from ink_tui.model.entries import ModelMarker, PositionMarker
from ink_tui.model.faults import FaultCode, TailState
from ink_tui.model.liveness import NOBODY, Freshness, Holder, HolderKind, freshness
from ink_tui.model.text import clean, one_line
from ink_tui.model.verdict import diagnose
from ink_tui.model.words import words
from ink_tui.store.file_state import open_strictly, state_of
from ink_tui.store.files import UnreadableError, open_for_reading, read_range, unreadable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ink_tui.model.session import Session
    from ink_tui.model.verdict import Diagnosis
    from ink_tui.store.file_state import FileState

PREVIEW_BYTES = 400
"""Bytes of a cut that the plan shows."""


@dataclass(frozen=True, slots=True)
class CutTail:
    """Cut the unfinished last record."""

    offset: int
    """First byte that goes, 0-based."""
    count: int
    """Bytes that go: all from `offset` to the end of the file."""
    preview: str
    """Their beginning, cleaned, on one line, cut to a bounded length."""


@dataclass(frozen=True, slots=True)
class AddNewline:
    """Add the newline that the last record lacks: one byte."""

    offset: int
    """Where the byte goes: the size of the file."""


@dataclass(frozen=True, slots=True)
class CloseCalls:
    """Append one record that closes the open calls with an error result of unknown outcome."""

    offset: int
    """Where the record goes, 0-based, after the other steps."""
    line: bytes
    """The exact bytes, newline included."""
    call_ids: tuple[str, ...]
    """Exactly as they stand in the file, in order."""
    tools: tuple[str, ...]
    """Names of the tools, cleaned, in the same order."""


RepairStep: TypeAlias = CutTail | AddNewline | CloseCalls


@dataclass(frozen=True, slots=True)
class RepairPlan:
    """A repair that can be shown, and done only while the file is as it was (`trust.md` 2.5)."""

    path: Path
    state: FileState | None
    """`None` when the file could not be looked at."""
    steps: tuple[RepairStep, ...]
    """In the order in which they are done; empty when nothing needs to be done."""
    backup_name: str
    """Name of the copy in our own state folder; empty when nothing is to be done."""
    allowed: bool
    refusal_kind: str | None
    """Short stable word, for example `in-use`, `foreign-tail`, `symlink`; `None` when allowed."""
    sentence: str
    """What will be done, or why nothing is: in full words."""
    needs_confirmation: bool
    """The file changed lately or somebody may use it: ask a second, explicit time."""
    freshness: Freshness = Freshness.COLD
    holder: Holder = NOBODY
    entries_after: int = 0
    """Records with an id that the file must hold afterwards."""

    @property
    def needed(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.steps)

    @property
    def keep(self) -> int:
        """How many bytes from the start of the file stay as they are."""
        cut = next((step.offset for step in self.steps if isinstance(step, CutTail)), None)
        size = self.state.size if self.state is not None else 0
        return size if cut is None else cut

    @property
    def added(self) -> bytes:
        """The bytes that are appended to those that stay."""
        pieces = [
            b"\n" if isinstance(step, AddNewline) else step.line
            for step in self.steps
            if not isinstance(step, CutTail)
        ]
        return b"".join(pieces)


@dataclass(frozen=True, slots=True)
class Reading:
    """A session file read whole by the strict rules of a repair."""

    diagnosis: Diagnosis
    state: FileState
    tail: bytes
    """The bytes from the tail's offset on."""


def read_strictly(path: Path) -> Reading:
    """Read a session file whole; nothing is created.

    Raises:
        RefusedError: Not a plain file of ours: `symlink`, `not-regular`, `hard-link`, ...
        UnreadableError: The system refuses.
    """
    with open_strictly(path, write=False) as opened:
        try:
            before = opened.state()
            content = opened.content()
            if opened.state() != before or len(content) != before.size:
                raise RefusedError(
                    "writing", "The file changed while it was read. Wait a moment and look again."
                )
        except OSError as error:
            raise unreadable(str(path), error) from error
    diagnosis = diagnosis_of(content)
    return Reading(diagnosis, before, content[diagnosis.session.tail.offset :])


def read_diagnosis(path: Path) -> tuple[Diagnosis, FileState]:
    """Read a session file whole, for looking only, and return it with its state.

    Raises:
        UnreadableError: The file cannot be read.
    """
    with open_for_reading(str(path)) as (descriptor, _print):
        state = state_of(descriptor)
        content = read_range(descriptor, 0, state.size)
    return diagnosis_of(content), state


def diagnosis_of(content: bytes) -> Diagnosis:
    """Return the diagnosis of the bytes of one session file."""
    parser = INK.parser()
    parser.feed(content)
    return diagnose(parser.session())


def plan_repair(
    path: Path,
    *,
    now_ms: int,
    holder: Holder = NOBODY,
    own_pane_ended: bool = False,
    new_id: Callable[[], str] | None = None,
) -> RepairPlan:
    """Look at a file and return the plan of its repair; never raises, never writes.

    Args:
        path: The session file.
        now_ms: The present, in milliseconds since 1970; also the time stamp of an added record.
        holder: Who holds the session (`ink_tui.store.holders.find_holder`).
        own_pane_ended: Our own pane was the last writer and its agent has exited: then a file
            that changed a moment ago counts as cold.
        new_id: Source of entry ids; the default draws random ones.
    """
    try:
        reading = read_strictly(path)
    except RefusedError as error:
        return refused_plan(path, error.kind, str(error), holder=holder)
    except UnreadableError as error:
        return refused_plan(path, error.kind, str(error), holder=holder)
    except InkTuiError as error:
        return refused_plan(path, "io-error", str(error), holder=holder)
    return plan_of(
        path,
        reading,
        now_ms=now_ms,
        holder=holder,
        own_pane_ended=own_pane_ended,
        new_id=new_id,
    )


def plan_of(
    path: Path,
    reading: Reading,
    *,
    now_ms: int,
    holder: Holder = NOBODY,
    own_pane_ended: bool = False,
    new_id: Callable[[], str] | None = None,
) -> RepairPlan:
    """Return the plan for a file that has been read; `plan_repair` tells the arguments."""
    diagnosis, state = reading.diagnosis, reading.state
    fresh = freshness(now_ms, state.mtime_ns // 1_000_000)
    if own_pane_ended:
        fresh = Freshness.COLD
    refusal = _content_refusal(diagnosis, reading.tail)
    if refusal is not None:
        return refused_plan(path, *refusal, state=state, fresh=fresh, holder=holder)
    steps = _steps(diagnosis, reading, now_ms, new_id)
    ids = entry_count(diagnosis.session)
    if not steps:
        return RepairPlan(
            path,
            state,
            (),
            "",
            True,
            None,
            "Nothing needs to be repaired.",
            False,
            fresh,
            holder,
            ids,
        )
    if holder.kind is HolderKind.CERTAIN:
        sentence = f"In use by {holder.who}. Wait until it is done, or fork the session."
        return refused_plan(path, "in-use", sentence, state=state, fresh=fresh, holder=holder)
    if fresh is Freshness.WRITING:
        sentence = "The file changed less than 2 seconds ago. Wait a moment, or fork the session."
        return refused_plan(path, "writing", sentence, state=state, fresh=fresh, holder=holder)
    closes = any(isinstance(step, CloseCalls) for step in steps)
    return RepairPlan(
        path=path,
        state=state,
        steps=steps,
        backup_name=_backup_name(path, now_ms),
        allowed=True,
        refusal_kind=None,
        sentence=_sentence(steps),
        needs_confirmation=fresh is Freshness.RECENT
        or holder.kind is HolderKind.POSSIBLE
        or diagnosis.tree.stale_position is not None,
        freshness=fresh,
        holder=holder,
        entries_after=ids + closes,
    )


def refused_plan(
    path: Path,
    kind: str,
    sentence: str,
    *,
    state: FileState | None = None,
    fresh: Freshness = Freshness.COLD,
    holder: Holder = NOBODY,
) -> RepairPlan:
    """Return a plan that does nothing and says why."""
    return RepairPlan(path, state, (), "", False, str(kind), sentence, False, fresh, holder)


def entry_count(session: Session) -> int:
    """Return the number of records that have an id, labels included."""
    return sum(
        1 for record in session.records if not isinstance(record, PositionMarker | ModelMarker)
    )


_REFUSALS = {
    FaultCode.EMPTY_FILE: "The file is empty; there is nothing to repair.",
    FaultCode.BAD_HEADER: "The first line is not a session header. Nothing can be repaired.",
    FaultCode.UNSUPPORTED_VERSION: "Written by a newer version. It is never written to.",
    FaultCode.MISSING_PARENT: "A record before the resume point was never written. Fork instead.",
    FaultCode.CYCLE: "The records point at each other in a ring. Fork instead.",
    FaultCode.MALFORMED_COMPACTION: (
        "The last compaction has lost its kept messages. Fork before it instead."
    ),
    FaultCode.GAP: (
        "A call without a saved result is followed by later messages. This cannot be closed "
        "safely. Fork before it instead."
    ),
    FaultCode.DUPLICATE_CALL: "Two calls carry the same id. Fork before the second instead.",
    FaultCode.ORPHAN_RESULT: "A result belongs to no call before it. Fork before it instead.",
    FaultCode.DUPLICATE_RESULT: "One call has two results. Fork before the second instead.",
}


def _content_refusal(diagnosis: Diagnosis, tail: bytes) -> tuple[str, str] | None:
    """Return why the content is not repaired, or `None`."""
    session = diagnosis.session
    if diagnosis.refusal is not None:
        sentence = _REFUSALS.get(diagnosis.refusal)
        if sentence is None:
            line = f"Line {session.error_line:,}" if session.error_line else "A line"
            sentence = f"{line} cannot be read, and it is not the last one. Fork instead."
        return diagnosis.refusal, sentence
    state = session.tail.state
    if state in (TailState.INVALID_TAIL, TailState.FOREIGN_TAIL):
        kept = "It is kept unless you decide otherwise; fork the session to go on without it."
        return state, f"{words(state).tree}. {kept}"
    if state is TailState.TORN_FRAGMENT and holds_json(tail):
        return TailState.INVALID_TAIL, "The last line holds a whole record, so it is not cut."
    return None


def holds_json(tail: bytes) -> bool:
    """Return whether some bytes are a whole JSON value once zero bytes at their end are gone."""
    return any(
        not isinstance(decode(part.rstrip(b"\0")), NotJson)
        for part in (tail, *tail.split(b"\n"))
        if part.strip(b"\0 \t\r\n")
    )


def _steps(
    diagnosis: Diagnosis, reading: Reading, now_ms: int, new_id: Callable[[], str] | None
) -> tuple[RepairStep, ...]:
    steps: list[RepairStep] = []
    tail, end = diagnosis.session.tail, reading.state.size
    if tail.torn == "truncated":
        count = end - tail.offset
        steps.append(CutTail(tail.offset, count, _preview(reading.tail)))
        end = tail.offset
    elif tail.torn == "unterminated":
        steps.append(AddNewline(end))
        end += 1
    calls = [paired.call for paired in diagnosis.to_close]
    if calls:
        taken = {
            record.id
            for record in diagnosis.session.records
            if not isinstance(record, PositionMarker | ModelMarker) and record.id is not None
        }
        results = [NewResult(call.call_id, call.tool, UNKNOWN_OUTCOME, True) for call in calls]
        entry_id = new_entry_id(taken, new_id)
        line = encode_tool_results(entry_id, diagnosis.leaf, now_ms, results)
        ids = tuple(call.call_id for call in calls)
        steps.append(CloseCalls(end, line, ids, tuple(clean(call.tool) for call in calls)))
    return tuple(steps)


def _preview(cut: bytes) -> str:
    text = cut[:PREVIEW_BYTES].decode("utf-8", "replace")
    return one_line(text) + ("…" if len(cut) > PREVIEW_BYTES else "")


def _backup_name(path: Path, now_ms: int) -> str:
    stamp = iso_stamp(now_ms).replace(":", "-").replace(".", "-")
    stem = path.name.removesuffix(FILE_SUFFIX)[:120]
    return f"{stem}.{stamp}-{secrets.token_hex(4)}.backup"


def _sentence(steps: tuple[RepairStep, ...]) -> str:
    parts: list[str] = []
    for step in steps:
        if isinstance(step, CutTail):
            parts.append(f"cuts {step.count:,} byte" + ("s" if step.count != 1 else ""))
        elif isinstance(step, AddNewline):
            parts.append("adds the missing newline")
        else:
            number = len(step.call_ids)
            parts.append(f"closes {number} call" + ("s" if number != 1 else "") + " as unknown")
    text = " and ".join(parts)
    return f"{text[0].upper()}{text[1:]}. A copy of the file is kept first."
