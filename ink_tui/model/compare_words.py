"""What the two sides of a comparison did, in words: figures, files, commands."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from ink_tui.model.dates import duration_words
from ink_tui.model.facts_words import command_line, file_words
from ink_tui.model.words import counted

if TYPE_CHECKING:
    from ink_tui.model.compare import Comparison, Side
    from ink_tui.model.session_facts import CommandFact, FileFact

NOTHING = "no records of its own"
BOTH = "both"
"""Mark of a file that both sides have changed."""


@dataclass(frozen=True, slots=True)
class SideFact:
    """What one side did."""

    text: str = ""
    """A command; empty where the line as a whole has a name."""
    figure: str = ""
    loud: bool = False
    """Whether something failed there."""


@dataclass(frozen=True, slots=True)
class ComparedFact:
    """One line of what both sides did."""

    name: str
    """What it is about: a path, a word of our own; empty for commands."""
    left: SideFact
    right: SideFact
    both: bool = False
    """Whether both sides have changed that file."""


@dataclass(frozen=True, slots=True)
class ComparedSection:
    """Lines of one kind."""

    title: str
    lines: tuple[ComparedFact, ...]
    paths: bool = False
    """Whether the names are paths."""


def compared_sections(comparison: Comparison) -> tuple[ComparedSection, ...]:
    """Return what both sides did after what they have in common."""
    left, right = comparison.left, comparison.right
    figures = tuple(
        ComparedFact(name, SideFact(figure=one), SideFact(figure=other))
        for (name, one), (_, other) in zip(_figures(left), _figures(right), strict=True)
    )
    files = tuple(
        ComparedFact(file.path, _file(file.left), _file(file.right), file.both_changed)
        for file in comparison.files
    )
    commands = tuple(
        ComparedFact("", _command(one), _command(other))
        for one, other in zip_longest(left.totals.commands, right.totals.commands)
    )
    return tuple(
        section
        for section in (
            ComparedSection("Figures", figures),
            ComparedSection("Files", files, paths=True),
            ComparedSection("Commands", commands),
        )
        if section.lines
    )


def side_words(side: Side) -> str:
    """Return the figures of a side: `3 turns · 5 calls, 1 failed · 900 tokens in, 40 out`."""
    if not side.own:
        return NOTHING
    totals, tokens = side.totals, side.totals.tokens
    calls = sum(use.calls for use in totals.tools)
    failed = sum(use.failed for use in totals.tools)
    pieces = [counted(totals.turns, "turn")]
    if calls:
        pieces.append(counted(calls, "call") + (f", {failed:,} failed" if failed else ""))
    if tokens.input_tokens or tokens.output_tokens:
        pieces.append(f"{tokens.input_tokens:,} tokens in, {tokens.output_tokens:,} out")
    return " · ".join(pieces)


def _figures(side: Side) -> tuple[tuple[str, str], ...]:
    totals, tokens = side.totals, side.totals.tokens
    length = None
    if side.since_ms is not None and side.last_ms is not None:
        length = side.last_ms - side.since_ms
    return (
        ("records", f"{len(side.own):,}"),
        ("user turns", f"{totals.turns:,}"),
        ("calls", f"{sum(use.calls for use in totals.tools):,}"),
        ("calls failed", f"{sum(use.failed for use in totals.tools):,}"),
        ("calls without result", f"{sum(use.unknown for use in totals.tools):,}"),
        ("tokens read", f"{tokens.input_tokens:,}"),
        ("tokens written", f"{tokens.output_tokens:,}"),
        ("compactions", f"{totals.compactions:,}"),
        ("from first to last", duration_words(length) if length and length > 0 else ""),
    )


def _file(fact: FileFact | None) -> SideFact:
    return SideFact() if fact is None else SideFact("", file_words(fact), bool(fact.failed))


def _command(command: CommandFact | None) -> SideFact:
    if command is None:
        return SideFact()
    line = command_line(command)
    return SideFact(line.name, line.figure, line.loud)
