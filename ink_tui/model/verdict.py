"""The state of a session, decided in one place; list, health, preflight and `check` print it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.faults import Fault, FaultCode, Severity, TailState
from ink_tui.model.sent import sent_from
from ink_tui.model.summary import title_of
from ink_tui.model.tool_calls import CallState, PairedCall, Pairing
from ink_tui.model.tree import Branch, Tree, build_tree
from ink_tui.model.verdict_kinds import Verdict as Verdict  # known by this name as well

if TYPE_CHECKING:
    from ink_tui.model.context import Context
    from ink_tui.model.entries import EntryId
    from ink_tui.model.session import Session


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A session with everything that follows from its content alone."""

    session: Session
    tree: Tree
    branch: Branch
    context: Context | None
    """`None` when the branch cannot be walked to its root."""
    pairing: Pairing | None
    """Calls and results of the context; `None` when there is no context."""
    title: str
    verdict: Verdict
    repair_needed: bool
    repairable: bool
    refusal: FaultCode | None
    """Why it cannot be continued by repair."""
    faults: tuple[Fault, ...]
    """All faults of file, tree and calls, worst first, file order within one severity."""

    @property
    def leaf(self) -> EntryId | None:
        """Where Ink will attach the next turn."""
        return self.tree.leaf

    @property
    def open_calls(self) -> tuple[PairedCall, ...]:
        """Calls of the context without a result, in order."""
        return self.pairing.dangling if self.pairing is not None else ()

    @property
    def to_close(self) -> tuple[PairedCall, ...]:
        """Calls that a repair closes with an error result of unknown outcome."""
        if not self.repairable or self.pairing is None:
            return ()
        return self.pairing.closable

    @property
    def to_settle(self) -> int:
        """How many faults ask for a decision: the number beside the health tab."""
        return sum(1 for fault in self.faults if fault.severity is not Severity.INFO)


def diagnose(session: Session) -> Diagnosis:
    """Return everything that follows from a session's content; never raises."""
    tree = build_tree(session)
    sent = sent_from(session, tree.leaf)
    branch = sent.branch
    title = title_of(session, branch.entries if branch.error is None else ())
    return concluded(session, tree, branch, sent.context, sent.pairing, title)


def concluded(
    session: Session,
    tree: Tree,
    branch: Branch,
    context: Context | None,
    pairing: Pairing | None,
    title: str,
) -> Diagnosis:
    """Return what follows from a session whose tree, context and calls are known."""
    refusal = _refusal(session, branch, context, pairing)
    dangling = pairing is not None and bool(pairing.dangling)
    repair_needed = refusal is not None or session.tail.torn != "none" or dangling
    return Diagnosis(
        session=session,
        tree=tree,
        branch=branch,
        context=context,
        pairing=pairing,
        title=title,
        verdict=_verdict(session, tree, refusal, repair_needed=repair_needed),
        repair_needed=repair_needed,
        repairable=refusal is None,
        refusal=refusal,
        faults=_all_faults(session, tree, branch, context, pairing),
    )


def _refusal(
    session: Session, branch: Branch, context: Context | None, pairing: Pairing | None
) -> FaultCode | None:
    if session.error_kind is not None:
        return session.error_kind
    if branch.error is not None:
        return branch.error
    if context is not None and context.error is not None:
        return context.error
    return pairing.refusal if pairing is not None else None


def _verdict(
    session: Session, tree: Tree, refusal: FaultCode | None, *, repair_needed: bool
) -> Verdict:
    if refusal is not None:
        return Verdict.REFUSE
    unsure = session.tail.state in (TailState.INVALID_TAIL, TailState.FOREIGN_TAIL)
    if unsure or tree.stale_position is not None:
        return Verdict.INSPECT
    return Verdict.REPAIRABLE if repair_needed else Verdict.CLEAN


_ORDER = {Severity.REFUSED: 0, Severity.DECIDE: 1, Severity.DAMAGE: 2, Severity.INFO: 3}


def _all_faults(
    session: Session,
    tree: Tree,
    branch: Branch,
    context: Context | None,
    pairing: Pairing | None,
) -> tuple[Fault, ...]:
    faults = list(session.faults)
    faults.extend(_tree_faults(session, tree, branch))
    if context is not None and context.error is not None and context.compaction is not None:
        faults.append(Fault(context.error, Severity.REFUSED, context.compaction.span))
    if context is not None and pairing is not None:
        faults.extend(_call_faults(session, context, pairing))
    return tuple(sorted(faults, key=lambda fault: _ORDER[fault.severity]))


def _tree_faults(session: Session, tree: Tree, branch: Branch) -> list[Fault]:
    faults: list[Fault] = []
    broken_at = branch.at if branch.error is not None else None
    recovered = {getattr(piece.record, "id", None) for piece in session.recovered}
    for child, parent in tree.missing_parents.items():
        if parent in recovered:
            continue  # it stands on a bad line, and that line is a fault of its own
        severity = Severity.REFUSED if child == broken_at else Severity.DAMAGE
        span = session.nodes[child].span
        faults.append(Fault(FaultCode.MISSING_PARENT, severity, span, parent))
    own_parents = (root for root in tree.roots if session.nodes[root].parent_id == root)
    looped = sorted(
        (session.nodes[entry_id].span for entry_id in (*own_parents, *tree.unreachable)),
        key=lambda span: span.offset,
    )
    if looped:
        severity = Severity.REFUSED if branch.error is FaultCode.CYCLE else Severity.DAMAGE
        faults.append(Fault(FaultCode.CYCLE, severity, looped[0], count=len(looped)))
    if session.duplicates:
        first = next(iter(session.duplicates))
        node = session.nodes.get(first)
        faults.append(
            Fault(
                FaultCode.DUPLICATE_ID,
                Severity.INFO,
                node.span if node is not None else None,
                first,
                sum(number - 1 for number in session.duplicates.values()),
            )
        )
    if tree.stale_position is not None:
        span = session.nodes[tree.stale_position].span
        faults.append(Fault(FaultCode.STALE_POSITION, Severity.DECIDE, span, tree.stale_position))
    return faults


def _call_faults(session: Session, context: Context, pairing: Pairing) -> list[Fault]:
    faults: list[Fault] = []
    open_calls = [call for call in pairing.dangling if call.state is CallState.OPEN]
    gaps = [call for call in pairing.dangling if call.state is CallState.GAP]
    for code, calls, severity in (
        (FaultCode.OPEN_CALLS, open_calls, Severity.DECIDE),
        (FaultCode.GAP, gaps, Severity.REFUSED),
    ):
        if calls:
            entry = context.messages[calls[0].message_index].entry_id
            node = session.nodes.get(entry) if entry is not None else None
            tools = ", ".join(dict.fromkeys(call.call.tool for call in calls))
            faults.append(Fault(code, severity, node.span if node else None, tools, len(calls)))
    others = (FaultCode.DUPLICATE_CALL, FaultCode.ORPHAN_RESULT, FaultCode.DUPLICATE_RESULT)
    if pairing.refusal in others and pairing.refusal_index is not None:
        entry = context.messages[pairing.refusal_index].entry_id
        node = session.nodes.get(entry) if entry is not None else None
        faults.append(
            Fault(
                pairing.refusal,
                Severity.REFUSED,
                node.span if node else None,
                pairing.refusal_call or "",
            )
        )
    return faults
