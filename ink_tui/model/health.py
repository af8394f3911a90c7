"""What the health tab says: one verdict, the faults worst first, who wrote last."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ink_tui.model.access import Readers
from ink_tui.model.consequences import Consequences, consequences
from ink_tui.model.faults import Fault, FaultCode, Severity
from ink_tui.model.liveness import NOBODY, Freshness, Holder, HolderKind
from ink_tui.model.text import one_line
from ink_tui.model.tool_calls import CallState
from ink_tui.model.tool_facts import tool_facts
from ink_tui.model.verdict import Diagnosis, Verdict
from ink_tui.model.words import Mark, StateCode, counted, duration_words, fault_words, words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ink_tui.model.access import Access
    from ink_tui.model.entries import EntryId
    from ink_tui.model.evidence import Evidence

SHOWN_BEFORE = 32
"""Bytes shown before the line of a fault, so that its start can be seen."""
SHOWN_HEAD = 128
"""Bytes shown from its start."""
SHOWN_END = 48
"""Bytes shown at its end, where the middle is left out."""

VERDICT_WORDS = {
    Verdict.CLEAN: "Ready to resume",
    Verdict.REPAIRABLE: "Can be repaired",
    Verdict.INSPECT: "Look first",
    Verdict.REFUSE: "Cannot be resumed",
}


@dataclass(frozen=True, slots=True)
class HexWindow:
    """Some bytes of the file as they stand there."""

    offset: int
    """Byte in the file of the first one, 0-based."""
    data: bytes


@dataclass(frozen=True, slots=True)
class HealthFault:
    """One fault with everything that is said about it."""

    key: str
    """Identity inside the session: code and place."""
    fault: Fault
    mark: Mark
    text: str
    """What is seen, in one sentence without a full stop."""
    longer: str
    """What it means."""
    entry_id: EntryId | None
    """The record that stands on that line, if one was read."""
    start: int
    """First byte of the line; 0 without a place."""
    end: int
    """Byte behind it; equal to `start` without a place."""
    cut_at: int | None
    """Byte at which a repair would cut; `None` when none would."""
    appends_at: int | None
    """Byte at which a repair would append the missing newline."""
    follows: Consequences
    seen: str = ""
    """What was seen of the files of its calls, on one line; empty for other faults."""

    @property
    def wanted(self) -> tuple[tuple[int, int], ...]:
        """Offsets and lengths of the bytes worth seeing; the middle of a long line is left out."""
        first = max(0, self.start - SHOWN_BEFORE)
        if self.start == self.end:
            return () if self.appends_at is None else ((first, self.start - first),)
        if self.end - self.start <= SHOWN_HEAD + SHOWN_END + 64:
            return ((first, self.end - first),)
        last = self.end - SHOWN_END
        return ((first, self.start + SHOWN_HEAD - first), (last, SHOWN_END))


@dataclass(frozen=True, slots=True)
class Remark:
    """Something worth knowing that is no fault of the session."""

    mark: Mark
    text: str
    note: str
    """What it was judged by."""
    command: str
    """What a person may type to change it; it is shown, never run."""


@dataclass(frozen=True, slots=True)
class Health:
    """Everything the health tab says that follows from the content."""

    verdict: Verdict
    headline: str
    reason: str
    faults: tuple[HealthFault, ...]
    records: int
    lines: int
    size: int
    """Bytes of the file."""
    live: bool = False
    """An agent writes here, and nothing but that stands in the way."""
    remark: Remark | None = None
    """Who else can read the file, where somebody can; it changes no verdict and no count."""

    @property
    def to_settle(self) -> int:
        """How many faults ask for a decision now: the number beside the tab."""
        return sum(
            fault.fault.severity is not Severity.INFO and fault.mark is not Mark.LIVE
            for fault in self.faults
        )

    @property
    def healthy(self) -> bool:
        """Whether there is nothing to settle and nothing to know."""
        return not self.faults and self.verdict is Verdict.CLEAN

    @property
    def all_clear(self) -> str:
        """The sentence of a healthy session."""
        return (
            f"Nothing to settle. {counted(self.records, 'record')}, {counted(self.lines, 'line')},"
            " every byte accounted for."
        )


@dataclass(frozen=True, slots=True)
class Quiet:
    """Who wrote last, as far as can be seen."""

    mark: Mark
    """`LIVE` while somebody writes, `DECIDE` when it is not sure, `NONE` when nobody does."""
    text: str


def build_health(diagnosis: Diagnosis) -> Health:
    """Return what the health tab says; never raises."""
    session = diagnosis.session
    nodes = session.nodes if diagnosis.faults else {}
    by_offset = {node.span.offset: entry_id for entry_id, node in nodes.items()}
    faults = tuple(_fault(fault, diagnosis, by_offset) for fault in diagnosis.faults)
    return Health(
        diagnosis.verdict,
        VERDICT_WORDS[diagnosis.verdict],
        _reason(diagnosis),
        faults,
        len(session.records),
        session.lines,
        session.size,
    )


def as_live(health: Health) -> Health:
    """Return what is said while somebody writes: an unfinished end and open calls are normal then.

    Whether somebody writes follows from the file's time, locks and processes, not from the content.
    """
    faults = tuple(_as_live(fault) for fault in health.faults)
    if faults == health.faults:
        return health
    waiting = any(
        fault.fault.severity in (Severity.DECIDE, Severity.REFUSED) and fault.mark is not Mark.LIVE
        for fault in faults
    )
    if waiting:
        return replace(health, faults=faults)
    reason = "an agent writes here; nothing to settle until it stops"
    return replace(health, faults=faults, headline="In use", reason=reason, live=True)


def with_evidence(health: Health, diagnosis: Diagnosis, evidence: Mapping[str, Evidence]) -> Health:
    """Return the same with one line about the files of calls without a saved result.

    Args:
        health: What the health tab says.
        diagnosis: The session.
        evidence: What was seen, by call id.
    """
    if not evidence:
        return health
    said: dict[FaultCode, list[str]] = {}
    for paired in diagnosis.open_calls:
        seen = evidence.get(paired.call.call_id)
        if seen is None or not seen.sentence:
            continue
        code = FaultCode.GAP if paired.state is CallState.GAP else FaultCode.OPEN_CALLS
        what = f"{paired.call.tool} {tool_facts(paired.call).what}"
        said.setdefault(code, []).append(f"{one_line(what)}: {seen.words}")
    faults = tuple(
        replace(fault, seen=" · ".join(said.get(fault.fault.code, ()))) for fault in health.faults
    )
    return replace(health, faults=faults)


def with_access(health: Health, access: Access | None, path: str) -> Health:
    """Return the same with a remark when others than the owner can read the file.

    Args:
        health: What the health tab says.
        access: Who can read the file; `None` when that cannot be told.
        path: The session file.
    """
    if access is None or not access.words:
        return health
    mark = Mark.DECIDE if access.readers is Readers.EVERYONE else Mark.NONE
    text = access.words[:1].upper() + access.words[1:]
    return replace(health, remark=Remark(mark, text, access.mode_words, access.command(path)))


def _as_live(fault: HealthFault) -> HealthFault:
    code, fork = fault.fault.code, fault.follows.fork
    if code is FaultCode.OPEN_CALLS:
        names = f" ({one_line(fault.fault.detail)})" if fault.fault.detail else ""
        text = f"{counted(fault.fault.count, 'call')} running{names}"
        said = words(StateCode.LIVE)
        agent = "saves the result when the call ends"
    elif code in (FaultCode.TORN_FRAGMENT, FaultCode.UNTERMINATED):
        said = words(StateCode.WRITING)
        text, agent = f"The last line is {said.tree}", "is about to finish the line"
    else:
        return fault
    return replace(
        fault,
        mark=said.mark,
        text=text,
        longer=said.longer,
        cut_at=None,
        appends_at=None,
        follows=Consequences(agent, "not while somebody writes here", fork),
    )


def quiet(freshness: Freshness, seconds: float, holder: Holder = NOBODY) -> Quiet:
    """Return the sentence about who wrote last.

    Args:
        freshness: How fresh the file is.
        seconds: How long ago it changed.
        holder: Who holds it.
    """
    who = one_line(holder.who)
    if holder.kind is HolderKind.CERTAIN:
        return Quiet(Mark.LIVE, f"In use: {who}" if who else "In use by another program")
    if freshness is Freshness.WRITING:
        return Quiet(Mark.LIVE, f"Being written: the file changed {max(0.0, seconds):.1f} s ago")
    since = duration_words(seconds)
    if holder.kind is HolderKind.POSSIBLE:
        by = f" ({who})" if who else ""
        return Quiet(Mark.DECIDE, f"An agent runs in its folder{by}; the file changed {since} ago")
    if freshness is Freshness.RECENT:
        return Quiet(Mark.DECIDE, f"The file changed {since} ago; somebody may still write here")
    return Quiet(Mark.NONE, f"Nobody has written here for {since}")


def _fault(fault: Fault, diagnosis: Diagnosis, by_offset: Mapping[int, EntryId]) -> HealthFault:
    session, span = diagnosis.session, fault.span
    found = fault_words(fault, len(session.records))
    start, end = (span.offset, span.offset + span.length) if span is not None else (0, 0)
    cut_at = appends_at = None
    if fault.code is FaultCode.TORN_FRAGMENT and session.tail.torn == "truncated":
        cut_at = session.tail.offset
        start, end = cut_at, session.size
    elif fault.code is FaultCode.UNTERMINATED:
        appends_at = session.size
        start = end = session.size if span is None else start
        end = session.size
    mark = Mark.FAILED if fault.severity is Severity.REFUSED else found.mark
    return HealthFault(
        key=f"{fault.code}@{start}:{one_line(fault.detail)[:40]}",
        fault=fault,
        mark=mark,
        text=_text(fault, found.tree),
        longer=found.longer,
        entry_id=by_offset.get(start) if span is not None else None,
        start=start,
        end=max(start, end),
        cut_at=cut_at,
        appends_at=appends_at,
        follows=consequences(fault, diagnosis),
    )


def _text(fault: Fault, tree: str) -> str:
    """Return a whole sentence where the words of the tree lean on the row they stand in."""
    names = f" ({one_line(fault.detail)})" if fault.detail else ""
    if fault.code is FaultCode.OPEN_CALLS:
        return f"{counted(fault.count, 'call')} without a saved result{names}"
    if fault.code is FaultCode.GAP:
        calls = counted(fault.count, "call")
        return f"{calls} without a saved result, and the chat went on{names}"
    if fault.code is FaultCode.MISSING_PARENT:
        return f"{counted(fault.count, 'record')} not connected: the parent was never written"
    if fault.code is FaultCode.CYCLE:
        return f"{counted(fault.count, 'record')} not connected: parents form a ring"
    if fault.code is FaultCode.DUPLICATE_ID:
        return f"{counted(fault.count, 'record')} with an id that is used again later"
    return tree[:1].upper() + tree[1:]


def _reason(diagnosis: Diagnosis) -> str:
    settle = diagnosis.to_settle
    know = len(diagnosis.faults) - settle
    if diagnosis.verdict is Verdict.CLEAN and not settle:
        return "nothing to settle" + (f", {know} to know" if know else "")
    if diagnosis.verdict is Verdict.REFUSE:
        worst = next((f for f in diagnosis.faults if f.code is diagnosis.refusal), None)
        if worst is not None:
            text = _text(worst, fault_words(worst).tree)
            return text[:1].lower() + text[1:]
    decide = sum(fault.severity is Severity.DECIDE for fault in diagnosis.faults)
    know += settle - decide
    before = "to settle before resuming"
    return f"{counted(decide, 'thing')} {before}" + (f", {know} to know" if know else "")
