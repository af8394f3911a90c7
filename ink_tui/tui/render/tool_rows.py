"""A tool block: what was called, on what, what came of it, and the change that it asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ink_tui.model.messages import TextBlock
from ink_tui.model.text import one_line
from ink_tui.model.tool_facts import (
    COMMAND_KEYS,
    ToolKind,
    edit_starts,
    exit_code,
    tool_facts,
    tool_kind,
)
from ink_tui.model.transcript import TOOL_STATE_WORDS, UNSETTLED, ToolBody, ToolState
from ink_tui.tui.render.lines import Line, tabs_out
from ink_tui.tui.render.output_rows import (
    FAILED_LINES,
    PREVIEW_LINES,
    image_lines,
    key_hint,
    line_count,
    preview_lines,
    text_of,
    whole_lines,
)
from ink_tui.tui.render.rows import Cut, Ground, Piece, Role, Row
from ink_tui.tui.render.transcript_look import Depth, Fold, Look, parts_of, took

if TYPE_CHECKING:
    from ink_tui.model.tool_facts import ToolFacts

DIFF_PREVIEW = 14
"""Lines of a change that are shown before it is unfolded."""

DIFF_WHOLE = 400
"""Lines of a change that are shown at most; the record itself holds the rest."""

OUTPUT_INDENT = 5
"""Cells before an output, as before the text of a change."""

_QUIET = frozenset({ToolKind.READ, ToolKind.SEARCH})
"""Tools whose output is worth a figure, not rows, until somebody asks."""


def usual_depth(body: ToolBody) -> Depth:
    """Return how far a tool block is unfolded by itself."""
    if body.state is ToolState.FAILED:
        return Depth.PREVIEW
    if body.result is None or body.state is ToolState.BEFORE_COMPACTION:
        return Depth.HEAD
    quiet = tool_kind(body.call.tool) in _QUIET and body.state is ToolState.OK
    text_only = all(isinstance(block, TextBlock) for block in body.result.content)
    return Depth.HEAD if quiet and text_only else Depth.PREVIEW


def tool_parts(body: ToolBody) -> int:
    """Return in how many parts its output is shown whole."""
    return parts_of(text_of(body.result.content)) if body.result is not None else 1


def tool_head(key: str, body: ToolBody, fold: Fold, look: Look) -> Row:
    """Return the head row: mark, name, what, figures, state and time."""
    facts = tool_facts(body.call)
    loud = body.state in UNSETTLED
    glyphs = look.glyphs
    opened = fold.depth is not Depth.HEAD
    mark = Piece(glyphs.opened if opened else glyphs.folded, Role.DIM, part="fold")
    if loud:
        mark = Piece(glyphs.decide, Role.WARNING, bold=True)
    elif body.state is ToolState.RUNNING:
        mark = Piece(glyphs.live, Role.SUCCESS)
    name = one_line(body.call.tool) or "(no name)"
    folder = one_line(look.cwd).rstrip("/") + "/"
    path = facts.what.removeprefix(folder) if len(folder) > 1 else facts.what
    what = Piece(path, cut=Cut.PATH) if facts.is_path else Piece(facts.what)
    text = [
        Piece(name, Role.WARNING if loud else Role.TEXT, bold=True, cut=Cut.NEVER),
        Piece("  ", cut=Cut.NEVER),
        what,
    ]
    figures = _figures(body, facts, look)
    if loud and figures:
        text.append(Piece(f"  {figures[0].text}", Role.MUTED))
        figures = ()
    return Row(
        key=key,
        mark=(mark,),
        text=tuple(text),
        note=figures,
        time=_state(body, look),
    )


def _figures(body: ToolBody, facts: ToolFacts, look: Look) -> tuple[Piece, ...]:
    counts = facts.counts
    if counts is not None:
        return (Piece(f"+{counts[0]} {look.glyphs.minus}{counts[1]}", Role.MUTED),)
    if body.result is None:
        return ()
    code = exit_code(body.result)
    if code:
        return (Piece(f"exit {code}", Role.ERROR),)
    lines = line_count(text_of(body.result.content)) if body.result.brief is None else 0
    if facts.kind in _QUIET and lines and body.state is ToolState.OK:
        return (Piece(f"{lines:,} {'line' if lines == 1 else 'lines'}", Role.MUTED),)
    return ()


def _state(body: ToolBody, look: Look) -> tuple[Piece, ...]:
    glyphs, state = look.glyphs, body.state
    narrow = look.cells < 60
    time = took(body.duration_ms)
    if state is ToolState.OK:
        return (Piece(glyphs.done, Role.SUCCESS), Piece(f" {time}" if time else "", Role.DIM))
    if state is ToolState.FAILED:
        word = "" if body.result is not None and exit_code(body.result) else " failed"
        return (Piece(glyphs.failed + word + (f" {time}" if time else ""), Role.ERROR),)
    words = TOOL_STATE_WORDS[state]
    if state in UNSETTLED:
        return (Piece("no result saved" if narrow else words, Role.WARNING),)
    if state is ToolState.UNKNOWN:
        text = "outcome unknown" if narrow else words
        return (Piece(f"{glyphs.damaged} {text}", Role.WARNING),)
    if state is ToolState.RUNNING:
        return (Piece(words, Role.SUCCESS),)
    return (Piece(words, Role.DIM),) if words else ()


def tool_lines(body: ToolBody, fold: Fold, look: Look) -> list[Line]:
    """Return what stands under the head: the change, then the output."""
    if fold.depth is Depth.HEAD:
        return []
    facts = tool_facts(body.call)
    whole = fold.depth is Depth.WHOLE
    changes = facts.counts is not None
    found = _change_lines(facts, body, whole=whole, look=look) if fold.part == 0 else []
    if whole and facts.kind is ToolKind.BASH and "\n" in _command(body):
        found.extend(_command_lines(_command(body)))
    if body.result is None or body.result.brief is not None:
        return found
    front = Piece(" " * OUTPUT_INDENT)
    text = text_of(body.result.content)
    room = max(8, look.cells - OUTPUT_INDENT - 4)
    lines: list[Line] = []
    if whole:
        lines = whole_lines(text, fold.part, look, room, Role.MUTED)
    elif not changes or body.state is not ToolState.OK:
        keep = FAILED_LINES if body.state is ToolState.FAILED else PREVIEW_LINES
        lines = preview_lines(text, keep, colours=look.colours)
    lines.extend(image_lines(body.result.content))
    found.extend(Line((front, *line.pieces), line.ground) for line in lines)
    return found


def _command(body: ToolBody) -> str:
    """Return a shell's command as it was written, its lines kept."""
    arguments = body.call.arguments
    if not isinstance(arguments, Mapping):
        return ""
    found = (arguments.get(key) for key in COMMAND_KEYS)
    return next((value for value in found if isinstance(value, str)), "")


def _command_lines(command: str) -> list[Line]:
    front = Piece(" " * OUTPUT_INDENT)
    return [
        Line((front, Piece(tabs_out(line))), Ground.RAISED)
        for line in command.split("\n")[:DIFF_WHOLE]
    ]


_SIGNS = {"+": (Ground.ADDED, Role.SUCCESS), "-": (Ground.REMOVED, Role.ERROR)}


def _change_lines(facts: ToolFacts, body: ToolBody, *, whole: bool, look: Look) -> list[Line]:
    """Return the difference: line number, sign column, text, on the ground of its sign."""
    changes = facts.changes
    starts = edit_starts(body.result)
    # Without the result it is not known where in the file an edit stands.
    first = starts if len(starts) == len(changes) else ((1,) if facts.content is not None else ())
    limit = DIFF_WHOLE if whole else DIFF_PREVIEW
    total = sum(len(lines) for lines in changes)
    found: list[Line] = []
    for number, lines in enumerate(changes):
        if number and len(found) < limit:
            found.append(Line((Piece(f"{'':>5} {look.glyphs.ellipsis}", Role.DIM),)))
        for line in lines:
            if len(found) >= limit:
                break
            at = f"{line.number + first[number] - 1:>5}" if first else " " * 5
            ground, role = _SIGNS.get(line.sign, (Ground.PLAIN, Role.TEXT))
            sign = look.glyphs.minus if line.sign == "-" else line.sign
            found.append(
                Line(
                    (
                        Piece(f"{at} ", Role.DIM),
                        Piece(f"{sign}  ", role, bold=True),
                        Piece(tabs_out(line.text[:2_000])),
                    ),
                    ground,
                )
            )
    if total > len(found):
        left = f"{' ' * OUTPUT_INDENT}{total - len(found):,} more lines"
        found.append(Line((Piece(left, Role.DIM),)) if whole else key_hint(left, "enter", "show"))
    return found
