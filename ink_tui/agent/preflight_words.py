"""What a preflight says: verdict and reason, the rows of facts, and what would be written."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from ink_tui.agent.agents import BUILT_IN, fill
from ink_tui.agent.launch import folder_refusal, refusal_reason
from ink_tui.agent.preflight_choices import is_busy
from ink_tui.agent.preflight_values import OptionId, PreflightFact, PreflightWrite, Seen
from ink_tui.model.context import model_in_force, thinking_level
from ink_tui.model.entries import CompactionEntry
from ink_tui.model.faults import TailState
from ink_tui.model.liveness import Freshness, HolderKind
from ink_tui.model.text import one_line, short_path
from ink_tui.model.verdict import Verdict
from ink_tui.model.words import counted, words
from ink_tui.store.repair_plan import AddNewline, CutTail

HEADLINES = {
    Verdict.CLEAN: "Ready to resume",
    Verdict.REPAIRABLE: "Can be repaired",
    Verdict.INSPECT: "Look first",
    Verdict.REFUSE: "Cannot be resumed",
}
_NEW_ID = "NEW-ID"
_TIMES = {1: "compacted once", 2: "compacted twice"}


@dataclass(frozen=True, slots=True)
class Written:
    """What the default option writes."""

    name: str
    note: str
    writes: tuple[PreflightWrite, ...]


def verdict_words(seen: Seen) -> tuple[Verdict, str, str]:
    """Return the verdict on this resume, its headline, and the reason in full sentences."""
    verdict = seen.diagnosis.verdict
    reason = _content_reason(seen)
    if not seen.launch.allowed and verdict is not Verdict.REFUSE:
        verdict, reason = Verdict.REFUSE, seen.launch.sentence
    elif is_busy(seen) and verdict in (Verdict.CLEAN, Verdict.REPAIRABLE):
        verdict = Verdict.INSPECT
        reason = f"{_busy_sentence(seen)} Fork it, or confirm a second time."
    if seen.forking:
        reason = seen.fork.sentence
    return verdict, HEADLINES[verdict], reason


def _content_reason(seen: Seen) -> str:
    diagnosis = seen.diagnosis
    if diagnosis.verdict is Verdict.REFUSE:
        reason = refusal_reason(diagnosis)
        more = "Fork its complete part instead." if seen.fork.allowed else "It can be read."
        return f"{reason[:1].upper()}{reason[1:]}. {more}"
    tail = diagnosis.session.tail.state
    if tail in (TailState.INVALID_TAIL, TailState.FOREIGN_TAIL):
        return f"{words(tail).tree}. It is kept unless you decide otherwise."
    if diagnosis.tree.stale_position is not None:
        return (
            "A label was put after you went back, so the agent would continue where you were "
            "before. Fork from the record you mean."
        )
    states = []
    if tail is TailState.TORN_FRAGMENT:
        states.append("torn tail")
    elif tail is TailState.UNTERMINATED:
        states.append("last newline missing")
    if diagnosis.open_calls:
        states.append(f"{counted(len(diagnosis.open_calls), 'call')} without result")
    if not states:
        return "Every record is complete."
    text = " and ".join(states)
    return f"{text[0].upper()}{text[1:]}. Repair first, so that nothing is lost."


def preflight_facts(seen: Seen) -> tuple[PreflightFact, ...]:
    """Return the rows of facts in their order."""
    return (_folder(seen), _agent(seen), _command(seen), _context(seen), _writers(seen))


def _folder(seen: Seen) -> PreflightFact:
    header = seen.diagnosis.session.header
    cwd = header.cwd if header is not None else ""
    refusal = folder_refusal(cwd)
    if refusal is None:
        return PreflightFact("Folder", short_path(cwd, seen.home), "exists")
    if not cwd:
        return PreflightFact("Folder", "none named", "", "bad")
    note = "is not a folder" if refusal[0] == "cwd-not-directory" else "folder missing"
    return PreflightFact("Folder", short_path(cwd, seen.home), note, "bad", second=refusal[1])


def _agent(seen: Seen) -> PreflightFact:
    name = one_line(seen.launch.agent)
    text = f"{name}, no model" if seen.launch.agent == BUILT_IN else name
    second = ""
    if seen.ink is not None and not seen.ink.offered:
        second = f"ink is not offered: {seen.ink.reason}"
    if not name:
        return PreflightFact("Agent", "none can be started", "", "bad", second or seen.copy.reason)
    return PreflightFact("Agent", text, second=second)


def _command(seen: Seen) -> PreflightFact:
    if not seen.forking and seen.launch.allowed:
        return PreflightFact("Command", one_line(shlex.join(seen.launch.argv)))
    if not seen.copy.offered:
        return PreflightFact("Command", "none", second=seen.launch.sentence)
    header = seen.diagnosis.session.header
    values = {
        "id": _NEW_ID,
        "path": _NEW_ID,
        "entry": _NEW_ID,
        "cwd": header.cwd if header is not None else "",
        "root": str(seen.root),
    }
    argv = (seen.copy.program, *fill(seen.copy.agent.resume[1:], values))
    return PreflightFact(
        "Command", one_line(shlex.join(argv)), second=f"{_NEW_ID} is the id of the copy"
    )


def _context(seen: Seen) -> PreflightFact:
    diagnosis = seen.diagnosis
    context = diagnosis.context
    provider, model = model_in_force(diagnosis.session)
    level = thinking_level(diagnosis.session)
    parts = [f"model {one_line(model)}" if model else "the model is the agent's own choice"]
    if provider and model:
        parts[0] += f" of {one_line(provider)}"
    if level:
        parts.append(f"thinking {one_line(level)}")
    second = " · ".join(parts)
    if context is None or context.error is not None:
        return PreflightFact(
            "Context", "cannot be rebuilt", refusal_reason(diagnosis), "bad", second
        )
    number = sum(1 for node in diagnosis.branch.entries if isinstance(node, CompactionEntry))
    note = _TIMES.get(number, f"compacted {number:,} times") if number else ""
    size = f"about {_rounded(context.tokens):,} tokens"
    return PreflightFact(
        "Context", f"{counted(len(context.messages), 'message')}, {size}", note, "", second
    )


def _rounded(tokens: int) -> int:
    return tokens if tokens < 1_000 else round(tokens, -2)


def _writers(seen: Seen) -> PreflightFact:
    age = duration(max(0, seen.now_ms - seen.state.mtime_ns // 1_000_000))
    holder = seen.holder
    if holder.kind is HolderKind.CERTAIN:
        return PreflightFact("Writers", one_line(holder.who) or "a process", "in use", "bad")
    if holder.kind is HolderKind.POSSIBLE:
        return PreflightFact("Writers", one_line(holder.who), "may be in use", "warn")
    if seen.freshness is Freshness.WRITING:
        return PreflightFact("Writers", f"changed {age} ago", "being written", "bad")
    if seen.freshness is Freshness.RECENT:
        return PreflightFact("Writers", f"nobody seen, changed {age} ago", "may be in use", "warn")
    if seen.state.mtime_ns // 1_000_000 > seen.now_ms - 60_000:
        return PreflightFact("Writers", "our own agent, which has ended", "safe to write", "good")
    return PreflightFact("Writers", f"nobody for {age}, no lock held", "safe to write", "good")


def _busy_sentence(seen: Seen) -> str:
    if seen.holder.kind is HolderKind.CERTAIN:
        return f"In use by {one_line(seen.holder.who)}."
    if seen.holder.kind is HolderKind.POSSIBLE:
        return f"{one_line(seen.holder.who)} may be using it."
    age = duration(max(0, seen.now_ms - seen.state.mtime_ns // 1_000_000))
    return f"The file changed {age} ago and may still be in use."


def written(seen: Seen, default: OptionId, *, writes_in_place: bool = False) -> Written:
    """Return what is listed as written: by the default option, and by others that are offered.

    Args:
        seen: What was looked at.
        default: The option that enter does.
        writes_in_place: Whether to go on in the file itself can be chosen.
    """
    repairs = seen.repair.allowed and seen.repair.needed and seen.launch.allowed
    if default not in (OptionId.FORK, OptionId.RELOCATE):
        if not repairs:
            return Written("", "", ())
        name = one_line(seen.path.name)
        return Written(name, "backed up first, u undoes it", _repair_writes(seen))
    copied = counted(len(seen.fork.entries), "record")
    _count, _comma, which = seen.fork.sentence.partition(", ")
    writes = [PreflightWrite("+", copied, "copied", which)]
    if seen.fork.closing:
        writes.append(_closing_write(len(seen.fork.closing)))
    if repairs:
        writes.extend(_repair_writes(seen, "repair: "))
    if writes_in_place and seen.in_place is not None:
        marker = f"marker: next turn after line {seen.in_place.line:,}"
        place = f"or in this session, at byte {seen.state.size:,}"
        writes.append(PreflightWrite("+", "1 record", place, marker))
    return Written("a new session file", "the original stays as it is", tuple(writes))


def _repair_writes(seen: Seen, before: str = "") -> tuple[PreflightWrite, ...]:
    writes: list[PreflightWrite] = []
    for step in seen.repair.steps:
        if isinstance(step, CutTail):
            place = f"{before}byte {step.offset:,} to the end"
            writes.append(PreflightWrite("-", counted(step.count, "byte"), place, step.preview))
        elif isinstance(step, AddNewline):
            place = f"{before}at byte {step.offset:,}"
            writes.append(PreflightWrite("+", "1 byte", place, "the missing newline"))
        else:
            writes.append(_closing_write(len(step.call_ids), before.rstrip(": ")))
    return tuple(writes)


def _closing_write(calls: int, place: str = "") -> PreflightWrite:
    what = counted(calls, "error result")
    return PreflightWrite(
        "+", "1 record", place, f"{what}: “No result was saved. Unknown whether it ran.”"
    )


def duration(milliseconds: int) -> str:
    """Return a span of time in words: `0.8 s`, `12 s`, `3m 12s`, `2h 5m`, `4d`."""
    seconds = milliseconds / 1000
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 60:
        return f"{int(seconds)} s"
    minutes = int(seconds) // 60
    if minutes < 60:
        return f"{minutes}m {int(seconds) % 60}s"
    hours = minutes // 60
    return f"{hours}h {minutes % 60}m" if hours < 48 else f"{hours // 24:,}d"
