"""The options of a preflight and the one that is selected first (`design.md` section 4).

In the order and with the words of `ui.md` section 6. None is hidden: one that is not possible
stands there with its reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.agent.launch import folder_refusal, refusal_reason
from ink_tui.agent.preflight_values import OptionId, PreflightOption, Seen
from ink_tui.model.faults import TailState
from ink_tui.model.liveness import Freshness, HolderKind
from ink_tui.model.salvage import SalvagePlan
from ink_tui.model.text import one_line
from ink_tui.model.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ink_tui.model.in_place import InPlace


def preflight_options(seen: Seen) -> tuple[PreflightOption, ...]:
    """Return all options in their order."""
    cancel = PreflightOption(
        OptionId.CANCEL, "Cancel", "nothing has been changed", "esc", enabled=True
    )
    fork, other = _fork(seen), _relocate(seen)
    if seen.diagnosis.verdict is Verdict.CLEAN:
        here = () if seen.in_place is None else (_in_place(seen, seen.in_place),)
        return (_resume(seen, "Resume"), fork, *here, other, cancel)
    return (_repair(seen), fork, _resume(seen, "Resume as is"), other, cancel)


def default_option(seen: Seen, options: Iterable[PreflightOption]) -> OptionId:
    """Return the option that enter does: the safest one that works.

    Clean: resume. Repairable, and the repair is allowed without asking twice: repair and resume.
    In use, changed lately, to be looked at or refused: fork and resume. A missing folder: another
    one. If none of them can be done, cancel.
    """
    enabled = {option.id for option in options if option.enabled}
    wanted = [OptionId.FORK]
    if not seen.forking and not is_busy(seen):
        if seen.diagnosis.verdict is Verdict.CLEAN:
            wanted = [OptionId.RESUME, OptionId.FORK]
        elif seen.diagnosis.verdict is Verdict.REPAIRABLE and not seen.repair.needs_confirmation:
            wanted = [OptionId.REPAIR, OptionId.FORK]
    for option_id in (*wanted, OptionId.RELOCATE):
        if option_id in enabled:
            return option_id
    return OptionId.CANCEL


def is_busy(seen: Seen) -> bool:
    """Return whether somebody uses the session, or may be using it."""
    return seen.freshness is not Freshness.COLD or seen.holder.kind is not HolderKind.NONE


def _repair(seen: Seen) -> PreflightOption:
    repair = seen.repair
    tail = seen.diagnosis.session.tail.torn
    deeds = []
    if tail == "truncated":
        deeds.append("cut the fragment")
    elif tail == "unterminated":
        deeds.append("add the newline")
    if seen.diagnosis.to_close:
        calls = len(seen.diagnosis.to_close)
        deeds.append("close the call as unknown" if calls == 1 else "close the calls as unknown")
    consequence = ", ".join(deeds)
    if not repair.allowed:
        consequence = short_reason(seen, repair.refusal_kind, repair.sentence)
    elif not repair.needed:
        consequence = "nothing needs to be repaired"
    elif not seen.launch.allowed:
        consequence = _launch_reason(seen)
    enabled = repair.allowed and repair.needed and seen.launch.allowed
    return PreflightOption(
        OptionId.REPAIR,
        "Repair and resume",
        consequence,
        "enter",
        enabled,
        enabled and repair.needs_confirmation,
    )


def _fork(seen: Seen) -> PreflightOption:
    plan = seen.fork
    refusal = folder_refusal(_cwd(seen))
    consequence = "new session from the complete records"
    if isinstance(plan, SalvagePlan):
        consequence = "new session from what can be read"
    elif plan.moved:
        consequence = f"new session, up to line {plan.entries[-1].span.line:,} only"
    elif plan.prompt:
        consequence = "new session from the records before this message"
    if not plan.allowed:
        consequence = plan.sentence
    elif refusal is not None:
        consequence = short_reason(seen, *refusal)
    elif not seen.copy.offered:
        consequence = seen.copy.reason
    enabled = plan.allowed and refusal is None and seen.copy.offered
    return PreflightOption(OptionId.FORK, "Fork and resume", consequence, "f", enabled)


def _in_place(seen: Seen, wanted: InPlace) -> PreflightOption:
    """Return the second choice of a fork: never while anybody uses the file, or may use it."""
    consequence = "the later records stay as another branch"
    if not wanted.allowed:
        consequence = wanted.refusal
    elif not seen.repair.allowed:
        consequence = short_reason(seen, seen.repair.refusal_kind, seen.repair.sentence)
    elif not seen.launch.allowed:
        consequence = _launch_reason(seen)
    elif is_busy(seen):
        consequence = "only while nobody may be using the session"
    allowed = wanted.allowed and seen.repair.allowed and seen.launch.allowed
    return PreflightOption(
        OptionId.IN_PLACE,
        "Continue from here in this session",
        consequence,
        "",
        allowed and not is_busy(seen),
    )


def _resume(seen: Seen, name: str) -> PreflightOption:
    consequence = as_is_consequence(seen) if seen.launch.allowed else _launch_reason(seen)
    risky = name != "Resume" or is_busy(seen)
    return PreflightOption(
        OptionId.RESUME,
        name,
        consequence,
        "i",
        seen.launch.allowed,
        seen.launch.allowed and risky,
    )


_SHORT = {
    "cwd-missing": "the folder is missing",
    "cwd-not-directory": "the folder is not a folder",
    "child-session": "a sub-agent session is continued from its parent only",
    "writing": "the file is being written",
    "invalid-tail": "the last record is whole, so it is kept",
    "foreign-tail": "the last record is whole, so it is kept",
    "hard-link": "the file has several names",
    "foreign-owner": "the file belongs to another user",
}


def short_reason(seen: Seen, kind: str | None, sentence: str) -> str:
    """Return a reason that fits beside an option; the whole one stands in the details.

    Args:
        seen: What was looked at.
        kind: The stable word of the refusal.
        sentence: The whole reason, for refusals that have no shorter one.
    """
    if kind == "in-use":
        return f"in use by {one_line(seen.holder.who)}"
    if kind is not None and kind == seen.diagnosis.refusal:
        return refusal_reason(seen.diagnosis)
    return _SHORT.get(kind or "", sentence)


def _launch_reason(seen: Seen) -> str:
    return short_reason(seen, seen.launch.refusal_reason_kind, seen.launch.sentence)


def as_is_consequence(seen: Seen) -> str:
    """Return what happens when the agent is started on the file as it is."""
    diagnosis = seen.diagnosis
    state = diagnosis.session.tail.state
    if state is TailState.TORN_FRAGMENT:
        return "the agent will lose its next record"
    if state is TailState.UNTERMINATED:
        return "the agent will lose its next record and the last one"
    if state is not TailState.OK:
        return "the agent ignores the last record and spoils it with its next one"
    if diagnosis.open_calls:
        return "the model's provider may refuse the next request"
    if diagnosis.tree.stale_position is not None:
        return "the agent continues at another record than you left off"
    return "continue at the resume point"


def _relocate(seen: Seen) -> PreflightOption:
    plan = seen.fork
    missing = not seen.copy.offered and seen.copy.refusal_kind == "agent-missing"
    consequence = "a copy for a folder that you name"
    if not plan.allowed:
        consequence = plan.sentence
    elif missing:  # another folder does not help where there is no program
        consequence = seen.copy.reason
    enabled = plan.allowed and not missing
    return PreflightOption(OptionId.RELOCATE, "Resume in another folder", consequence, "", enabled)


def _cwd(seen: Seen) -> str:
    header = seen.diagnosis.session.header
    return header.cwd if header is not None else ""
