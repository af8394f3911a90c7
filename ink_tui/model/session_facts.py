"""What was done in a session, as figures: files, commands, tools, turns, tokens, models, sizes.

Files and commands are those that the arguments of calls name (`ink_tui.model.tool_facts`); a call
whose result says that it failed, or that has none, has neither read nor changed anything as far as
is known. Prices stand in no record (`formats/ink.md` 4.2), so there is no cost here.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ink_tui.model.context import measured_tokens, tokens_after
from ink_tui.model.entries import CompactionEntry, MessageEntry, ModelMarker
from ink_tui.model.messages import AssistantMessage, UserMessage
from ink_tui.model.recovery import as_read
from ink_tui.model.text import one_line
from ink_tui.model.tool_calls import CallState, pair_calls
from ink_tui.model.tool_facts import ToolKind, exit_code, tool_facts
from ink_tui.model.transcript import ToolBody, ToolState, TurnBody, result_state
from ink_tui.model.transcript_build import build_transcript

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ink_tui.model.entries import Node
    from ink_tui.model.messages import ToolCall, ToolResult
    from ink_tui.model.session import Session
    from ink_tui.model.tool_facts import ToolFacts
    from ink_tui.model.transcript import Transcript
    from ink_tui.model.verdict import Diagnosis


@dataclass(frozen=True, slots=True)
class FileFact:
    """What calls did with one file."""

    path: str
    """As the calls write it, cleaned."""
    reads: int = 0
    changes: int = 0
    failed: int = 0
    """Calls that failed, or of which it is not known whether they ran."""
    added: int = 0
    removed: int = 0


@dataclass(frozen=True, slots=True)
class CommandFact:
    """One command that was asked for."""

    command: str
    """In one line, cleaned."""
    state: ToolState
    exit_code: int | None
    """As its result names it; `None` when it names none."""
    duration_ms: int | None


@dataclass(frozen=True, slots=True)
class ToolUse:
    """How one tool was used."""

    tool: str
    calls: int = 0
    failed: int = 0
    unknown: int = 0
    """Calls without a result, or whose result does not say whether they ran."""
    duration_ms: int = 0
    """From the records of its calls to those of their results, added up."""


@dataclass(frozen=True, slots=True)
class TokenSums:
    """Tokens that answers and summaries report, added up."""

    answers: int = 0
    unreported: int = 0
    """Answers whose record holds no figures."""
    input_tokens: int = 0
    """Input that was not cached."""
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0


@dataclass(frozen=True, slots=True)
class TurnFact:
    """One message of the user and what followed from it."""

    number: int
    title: str
    time_ms: int | None
    duration_ms: int | None
    context_tokens: int | None
    """Largest size of the context that an answer of it reports."""
    compactions: int
    """How often the context was compacted in it."""


@dataclass(frozen=True, slots=True)
class ModelSpan:
    """Answers of one model in a row."""

    model: str
    """Provider and model; empty where no record tells."""
    answers: int
    first_ms: int | None
    last_ms: int | None


@dataclass(frozen=True, slots=True)
class CompactionFact:
    """One compaction and the sizes around it, in tokens."""

    time_ms: int | None
    before: int | None
    after: int | None
    """Estimated; `None` when the record does not hold what was kept."""
    kept: int | None
    """Messages kept word for word."""
    turn: int = 0
    """Number of the turn in which it was made; 0 before the first one."""


@dataclass(frozen=True, slots=True)
class Totals:
    """What can be counted over any set of records."""

    turns: int = 0
    files: tuple[FileFact, ...] = ()
    """In the order in which they are first named."""
    commands: tuple[CommandFact, ...] = ()
    tools: tuple[ToolUse, ...] = ()
    """Most calls first."""
    tokens: TokenSums = field(default_factory=TokenSums)
    compactions: int = 0


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """The facts of the branch that a resume continues, and of the whole file where they differ."""

    branch: Totals
    whole: Totals | None
    """Over all branches; `None` where it says nothing else."""
    turns: tuple[TurnFact, ...]
    models: tuple[ModelSpan, ...]
    compactions: tuple[CompactionFact, ...]
    first_ms: int | None
    """Times of the first and the last record of the branch that have one."""
    last_ms: int | None
    records: int = 0
    """Records of the branch."""
    all_records: int = 0
    """Records of all branches."""
    branches: int = 0


@dataclass(frozen=True, slots=True)
class _Call:
    call: ToolCall
    result: ToolResult | None
    state: ToolState
    duration_ms: int | None


def session_facts(diagnosis: Diagnosis) -> SessionFacts:
    """Return the facts of a session; never raises.

    Args:
        diagnosis: The session; with the starts of long texts alone it says the same.
    """
    read = as_read(diagnosis)
    session = read.session
    transcript = build_transcript(diagnosis)
    shown = dict.fromkeys(block.entry_id for block in transcript.blocks)
    entries = [session.nodes[each] for each in shown if each is not None and each in session.nodes]
    branch = _totals(entries, _calls_of(transcript))
    everything = list(session.nodes.values())
    whole = _totals(everything, _paired(everything))
    times = [block.time_ms for block in transcript.blocks if block.time_ms is not None]
    return SessionFacts(
        branch=branch,
        whole=None if len(read.tree.tips) < 2 or whole == branch else whole,
        turns=_turns(entries, transcript),
        models=_models(session, entries),
        compactions=tuple(_compactions(entries)),
        first_ms=min(times, default=None),
        last_ms=max(times, default=None),
        records=len(read.branch.entries),
        all_records=len(everything),
        branches=len(read.tree.tips),
    )


def _compactions(entries: list[Node]) -> Iterator[CompactionFact]:
    turn = 0
    for entry in entries:
        if isinstance(entry, CompactionEntry):
            kept = None if entry.retained_tail is None else len(entry.retained_tail)
            size = tokens_after(entry)
            yield CompactionFact(entry.time_ms, entry.tokens_before, size, kept, turn)
        elif isinstance(entry, MessageEntry) and isinstance(entry.message, UserMessage):
            turn += 1


def totals_of(entries: Sequence[Node], before: Sequence[Node] = ()) -> Totals:
    """Return what was done in some records of one branch.

    Args:
        entries: The records, in reading order.
        before: The records before them; their calls count where their results are among `entries`.
    """
    return _totals(entries, _paired([*before, *entries], len(before)))


def _calls_of(transcript: Transcript) -> Iterator[_Call]:
    for block in transcript.blocks:
        body = block.body
        if isinstance(body, ToolBody):
            yield _Call(body.call, body.result, body.state, body.duration_ms)


def _paired(entries: Sequence[Node], start: int = 0) -> Iterator[_Call]:
    """Yield the calls of entries, paired in order.

    Args:
        entries: Entries of one branch, or of all branches in file order.
        start: Place of the first entry that counts, by its calls or its results.
    """
    spoken = [entry for entry in entries if isinstance(entry, MessageEntry)]
    first = sum(isinstance(entry, MessageEntry) for entry in entries[:start])
    for pair in pair_calls([entry.message for entry in spoken]).calls:
        if max(pair.message_index, pair.result_index or 0) < first:
            continue
        state = ToolState.GAP if pair.state is CallState.GAP else ToolState.OPEN
        duration = None
        if pair.result is not None and pair.result_index is not None:
            state = result_state(pair.result)
            asked = spoken[pair.message_index].time_ms
            given = spoken[pair.result_index].time_ms
            if asked is not None and given is not None and given >= asked:
                duration = given - asked
        yield _Call(pair.call, pair.result, state, duration)


def _totals(entries: Sequence[Node], calls: Iterable[_Call]) -> Totals:
    files: dict[str, FileFact] = {}
    tools: dict[str, ToolUse] = {}
    commands: list[CommandFact] = []
    for each in calls:
        name = one_line(each.call.tool) or "(no name)"
        use = tools.get(name, ToolUse(name))
        tools[name] = replace(
            use,
            calls=use.calls + 1,
            failed=use.failed + (each.state is ToolState.FAILED),
            unknown=use.unknown + (each.state not in (ToolState.OK, ToolState.FAILED)),
            duration_ms=use.duration_ms + (each.duration_ms or 0),
        )
        facts = tool_facts(each.call)
        if facts.kind is ToolKind.BASH:
            code = exit_code(each.result) if each.result is not None else None
            commands.append(CommandFact(facts.what, each.state, code, each.duration_ms))
        elif facts.is_path and facts.kind in (ToolKind.READ, ToolKind.EDIT, ToolKind.WRITE):
            files[facts.what] = _touched(files.get(facts.what, FileFact(facts.what)), each, facts)
    return Totals(
        turns=sum(
            isinstance(entry, MessageEntry) and isinstance(entry.message, UserMessage)
            for entry in entries
        ),
        files=tuple(files.values()),
        commands=tuple(commands),
        tools=tuple(sorted(tools.values(), key=lambda use: -use.calls)),
        tokens=_tokens(entries),
        compactions=sum(isinstance(entry, CompactionEntry) for entry in entries),
    )


def _touched(file: FileFact, each: _Call, facts: ToolFacts) -> FileFact:
    if each.state is not ToolState.OK:
        return replace(file, failed=file.failed + 1)
    if facts.kind is ToolKind.READ:
        return replace(file, reads=file.reads + 1)
    added, removed = facts.counts or (0, 0)
    return replace(
        file,
        changes=file.changes + 1,
        added=file.added + added,
        removed=file.removed + removed,
    )


def _tokens(entries: Sequence[Node]) -> TokenSums:
    answers = [
        None if entry.message.usage_missing else entry.message.usage
        for entry in entries
        if isinstance(entry, MessageEntry) and isinstance(entry.message, AssistantMessage)
    ]
    summaries = [entry.usage for entry in entries if isinstance(entry, CompactionEntry)]
    told = [usage for usage in (*answers, *summaries) if usage is not None]
    return TokenSums(
        answers=len(answers),
        unreported=answers.count(None),
        input_tokens=sum(usage.input_tokens or 0 for usage in told),
        output_tokens=sum(usage.output_tokens or 0 for usage in told),
        cache_read_tokens=sum(usage.cache_read_tokens for usage in told),
        cache_write_tokens=sum(usage.cache_write_tokens for usage in told),
    )


def _turns(entries: list[Node], transcript: Transcript) -> tuple[TurnFact, ...]:
    sizes: dict[int, int] = {}
    compactions: dict[int, int] = {}
    turn = 0
    for entry in entries:
        if isinstance(entry, CompactionEntry):
            compactions[turn] = compactions.get(turn, 0) + 1
        elif isinstance(entry, MessageEntry) and isinstance(entry.message, UserMessage):
            turn += 1
        elif isinstance(entry, MessageEntry) and isinstance(entry.message, AssistantMessage):
            size = measured_tokens(entry.message.usage)
            sizes[turn] = max(size, sizes.get(turn, 0))
    return tuple(
        TurnFact(
            block.body.number,
            block.body.title,
            block.time_ms,
            block.body.duration_ms,
            sizes.get(block.body.number) or None,
            compactions.get(block.body.number, 0),
        )
        for block in transcript.blocks
        if isinstance(block.body, TurnBody)
    )


def _models(session: Session, entries: list[Node]) -> tuple[ModelSpan, ...]:
    """Return which models answered, in reading order; a marker holds from its line on."""
    markers = [record for record in session.records if isinstance(record, ModelMarker)]
    offsets = [marker.span.offset for marker in markers]
    head = session.header
    first = (head.provider, head.model_id) if head is not None else (None, None)
    spans: list[ModelSpan] = []
    for entry in entries:
        if not (isinstance(entry, MessageEntry) and isinstance(entry.message, AssistantMessage)):
            continue
        at = bisect_left(offsets, entry.span.offset)
        pair = (markers[at - 1].provider, markers[at - 1].model_id) if at else first
        own = entry.message.model
        name = own if own and own != pair[1] else "/".join(part for part in pair if part)
        spans = _with_answer(spans, one_line(name), entry.time_ms)
    return tuple(spans)


def _with_answer(spans: list[ModelSpan], name: str, time_ms: int | None) -> list[ModelSpan]:
    if not spans or spans[-1].model != name:
        spans.append(ModelSpan(name, 1, time_ms, time_ms))
        return spans
    last = spans[-1]
    start = last.first_ms if last.first_ms is not None else time_ms
    end = time_ms if time_ms is not None else last.last_ms
    spans[-1] = ModelSpan(name, last.answers + 1, start, end)
    return spans
