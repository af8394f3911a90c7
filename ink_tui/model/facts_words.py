"""The facts of a session in words: what `show --facts` prints and the screen draws with bars."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from ink_tui.model.dates import duration_words
from ink_tui.model.transcript import TOOL_STATE_WORDS, ToolState
from ink_tui.model.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.model.session_facts import (
        CommandFact,
        CompactionFact,
        FileFact,
        SessionFacts,
        TokenSums,
        ToolUse,
        Totals,
        TurnFact,
    )

SIZE_ROWS = 40
"""Turns that are shown of a long session's sizes; neighbours are put together above that."""

NO_PRICES = "The records hold no prices."

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class FactLine:
    """One fact."""

    name: str
    """What it is about, in one line: a path, a command, a word of our own."""
    figure: str
    share: float | None = None
    """Length of its bar, 0 to 1; `None` for none."""
    loud: bool = False
    """Whether something failed there."""


@dataclass(frozen=True, slots=True)
class Section:
    """Facts of one kind."""

    title: str
    lines: tuple[FactLine, ...]


def fact_sections(facts: SessionFacts, most: int | None = None) -> tuple[Section, ...]:
    """Return all facts in words; a kind without any is left out.

    Args:
        facts: The facts.
        most: Lines of one kind; the others are counted. All are given when left out.
    """
    branch = facts.branch
    found = [
        Section("Session", tuple(_session(facts))),
        Section("Context size", _sizes(facts)),
        Section("Time by tool", _shortened(_tools(branch.tools), most)),
        Section("Turns", _shortened(_turns(facts.turns), most)),
        Section("Files", _shortened(_files(branch.files), most)),
        Section("Commands", _shortened([command_line(each) for each in branch.commands], most)),
        Section("Models", _shortened(_models(facts), most)),
        Section("Compactions", _shortened(_compactions(facts), most)),
    ]
    if facts.whole is not None:
        found.append(Section("Over all branches", tuple(_whole(facts.whole))))
        files, commands = _elsewhere(branch, facts.whole)
        found.append(Section("Files, with those of other branches", _shortened(files, most)))
        found.append(Section("Commands of other branches", _shortened(commands, most)))
    return tuple(section for section in found if section.lines)


def _session(facts: SessionFacts) -> list[FactLine]:
    branch = facts.branch
    found = [FactLine("branch", _which(facts)), FactLine("user turns", f"{branch.turns:,}")]
    if facts.first_ms is not None and facts.last_ms is not None:
        found.append(FactLine("first record", _moment(facts.first_ms)))
        found.append(FactLine("last record", _moment(facts.last_ms)))
        found.append(FactLine("from first to last", _length(facts.last_ms - facts.first_ms)))
    worked = sum(turn.duration_ms or 0 for turn in facts.turns)
    found.append(FactLine("time in turns", _length(worked)))
    return found + _tokens(branch.tokens)


def _which(facts: SessionFacts) -> str:
    """Return which branch the facts are of."""
    if facts.branches < 2:
        return counted(facts.records, "record") + ", there is no other"
    rest = facts.all_records - facts.records
    others = counted(facts.branches - 1, "other branch", "other branches")
    return f"the current one: {counted(facts.records, 'record')}; {rest:,} more in {others}"


def _tokens(tokens: TokenSums) -> list[FactLine]:
    answers = f"{tokens.answers:,}"
    if tokens.unreported:
        answers += f", {tokens.unreported:,} without figures"
    found = [FactLine("answers", answers)]
    if tokens.unreported < tokens.answers or tokens.input_tokens or tokens.output_tokens:
        found += [
            FactLine("tokens read", f"{tokens.input_tokens:,}"),
            FactLine("tokens written", f"{tokens.output_tokens:,}"),
        ]
    if tokens.cache_read_tokens or tokens.cache_write_tokens:
        found.append(FactLine("tokens read from the cache", f"{tokens.cache_read_tokens:,}"))
        found.append(FactLine("tokens written to the cache", f"{tokens.cache_write_tokens:,}"))
    return [*found, FactLine("cost", NO_PRICES)]


def _sizes(facts: SessionFacts) -> tuple[FactLine, ...]:
    """Return the size of the context over time: each turn at its largest, and each compaction.

    Of many turns, neighbours are put together; then only the turns say that they were compacted.
    """
    turns = facts.turns
    if not any(turn.context_tokens for turn in turns):
        return ()
    step = -(-len(turns) // SIZE_ROWS)
    groups = [turns[at : at + step] for at in range(0, len(turns), step)]
    left = [each.after or 0 for each in facts.compactions] if step == 1 else []
    largest = max(*left, *(turn.context_tokens or 0 for turn in turns), 1)
    found = _cuts(facts.compactions, 0, largest) if step == 1 else []
    for group in groups:
        tokens = max(turn.context_tokens or 0 for turn in group)
        first, last = group[0].number, group[-1].number
        name = f"turn {first}" if first == last else f"turns {first} to {last}"
        compactions = sum(turn.compactions for turn in group)
        if compactions and step > 1:
            name += ", compacted" if compactions == 1 else f", compacted {compactions} times"
        figure = f"{tokens:,} tokens" if tokens else "not reported"
        found.append(FactLine(name, figure, tokens / largest))
        if step == 1:
            found += _cuts(facts.compactions, first, largest)
    return tuple(found)


def _cuts(compactions: Sequence[CompactionFact], turn: int, largest: int) -> list[FactLine]:
    """Return what the compactions of a turn left of the context."""
    return [
        FactLine(
            "compacted",
            "to an unknown size" if each.after is None else f"to about {each.after:,} tokens",
            (each.after or 0) / largest,
        )
        for each in compactions
        if each.turn == turn
    ]


def _tools(tools: Sequence[ToolUse]) -> list[FactLine]:
    longest = max((use.duration_ms for use in tools), default=0)
    found = []
    for use in sorted(tools, key=lambda use: -use.duration_ms):
        pieces = [duration_words(use.duration_ms), counted(use.calls, "call")]
        pieces.append(f"{use.failed:,} failed" if use.failed else "")
        pieces.append(f"{use.unknown:,} unknown" if use.unknown else "")
        share = use.duration_ms / longest if longest else 0.0
        figure = ", ".join(piece for piece in pieces if piece)
        found.append(FactLine(use.tool, figure, share, loud=bool(use.failed or use.unknown)))
    return found


def _turns(turns: Sequence[TurnFact]) -> list[FactLine]:
    longest = max((turn.duration_ms or 0 for turn in turns), default=0)
    return [
        FactLine(
            f"{turn.number} {turn.title or '(no text)'}",
            _length(turn.duration_ms),
            (turn.duration_ms or 0) / longest if longest else 0.0,
        )
        for turn in turns
    ]


def _files(files: Sequence[FileFact]) -> list[FactLine]:
    return [
        FactLine(file.path, file_words(file), loud=bool(file.failed))
        for file in sorted(files, key=lambda file: (-file.changes, -file.reads))
    ]


def file_words(file: FileFact) -> str:
    """Return what was done with a file: `changed 2 times +3 -1, read`."""
    pieces = [f"changed {file.changes:,} times" if file.changes > 1 else ""]
    pieces[0] = "changed" if file.changes == 1 else pieces[0]
    if file.added or file.removed:
        pieces[0] += f" +{file.added:,} -{file.removed:,}"
    times = f"read {file.reads:,} times" if file.reads > 1 else "read"
    pieces.append(times if file.reads else "")
    pieces.append(f"{file.failed:,} not done or unknown" if file.failed else "")
    return ", ".join(piece for piece in pieces if piece)


def command_line(command: CommandFact) -> FactLine:
    """Return a command with how it ended and how long that took."""
    state = f"exit {command.exit_code}" if command.exit_code else TOOL_STATE_WORDS[command.state]
    pieces = (state or "ended well", duration_words(command.duration_ms))
    figure = ", ".join(piece for piece in pieces if piece)
    return FactLine(command.command, figure, loud=command.state is not ToolState.OK)


def _models(facts: SessionFacts) -> list[FactLine]:
    found = []
    for span in facts.models:
        since = f", from {_moment(span.first_ms)}" if span.first_ms is not None else ""
        name = span.model or "(no record names it)"
        found.append(FactLine(name, counted(span.answers, "answer") + since))
    return found


def _compactions(facts: SessionFacts) -> list[FactLine]:
    found = []
    for number, each in enumerate(facts.compactions, 1):
        before = f"{each.before:,}" if each.before is not None else "unknown"
        after = "unknown" if each.after is None else f"about {each.after:,}"
        kept = "" if each.kept is None else f", {each.kept:,} kept"
        found.append(FactLine(f"compaction {number}", f"{before} to {after} tokens{kept}"))
    return found


def _whole(whole: Totals) -> list[FactLine]:
    calls = sum(use.calls for use in whole.tools)
    changed = sum(1 for file in whole.files if file.changes)
    return [
        FactLine("user turns", f"{whole.turns:,}"),
        FactLine("calls of tools", f"{calls:,}"),
        FactLine("commands", f"{len(whole.commands):,}"),
        FactLine("files changed", f"{changed:,} of {len(whole.files):,} named"),
        FactLine("compactions", f"{whole.compactions:,}"),
        *(line for line in _tokens(whole.tokens) if line.name != "cost"),
    ]


def _elsewhere(branch: Totals, whole: Totals) -> tuple[list[FactLine], list[FactLine]]:
    """Return what the whole file has where it differs: files, over all branches, and commands."""
    known = set(branch.files)
    commands = Counter(whole.commands) - Counter(branch.commands)
    return (
        _files([file for file in whole.files if file not in known]),
        [command_line(each) for each in commands.elements()],
    )


def _shortened(lines: Sequence[FactLine], most: int | None) -> tuple[FactLine, ...]:
    if most is None or len(lines) <= most:
        return tuple(lines)
    return (*lines[:most], FactLine(f"and {len(lines) - most:,} more", ""))


def _length(milliseconds: int | None) -> str:
    if milliseconds is None:
        return "not known"
    return duration_words(milliseconds) or "below 0.1 s"


def _moment(time_ms: int) -> str:
    """Return a time in UTC, as it stands in the file; one that no calendar holds is not told."""
    try:
        return f"{_EPOCH + timedelta(milliseconds=time_ms):%Y-%m-%d %H:%M:%S} UTC"
    except OverflowError:
        return "not known"
