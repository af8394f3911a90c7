"""A tool block: what was called, on what, what came of it, and the change that it asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.messages import TextBlock
from ink_tui.model.text import one_line
from ink_tui.model.tool_facts import ToolKind, exit_code, tool_facts, tool_kind
from ink_tui.model.transcript import TOOL_STATE_WORDS, UNSETTLED, ToolBody, ToolState
from ink_tui.model.words import counted
from ink_tui.tui.render.argument_rows import argument_lines
from ink_tui.tui.render.change_rows import change_lines
from ink_tui.tui.render.lines import Line
from ink_tui.tui.render.output_rows import (
    FAILED_LINES,
    PREVIEW_LINES,
    image_lines,
    line_count,
    preview_lines,
    text_of,
    whole_lines,
)
from ink_tui.tui.render.rows import Cut, Piece, Role, Row
from ink_tui.tui.render.transcript_look import Depth, Fold, Look, parts_of, took

if TYPE_CHECKING:
    from ink_tui.model.tool_facts import ToolFacts

OUTPUT_INDENT = 5
"""Cells before an output, as before the text of a change."""

_ROOM_FOR_SIZE = 40
"""Cells of a pane from which the size of an output stands beside its call."""

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
    figures = _figures(body, facts, look, preview=fold.depth is Depth.PREVIEW)
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


def _figures(body: ToolBody, facts: ToolFacts, look: Look, *, preview: bool) -> tuple[Piece, ...]:
    """Return the size of what a call did: lines changed, its exit code, lines of its output.

    The preview of an output says itself how long it is.
    """
    counts = facts.counts
    if counts is not None:
        return (Piece(f"+{counts[0]} {look.glyphs.minus}{counts[1]}", Role.MUTED),)
    if body.result is None:
        return ()
    found: list[Piece] = []
    lines = line_count(text_of(body.result.content)) if body.result.brief is None else 0
    if lines and not preview and look.cells >= _ROOM_FOR_SIZE:
        found.append(Piece(counted(lines, "line"), Role.MUTED))
    code = exit_code(body.result)
    if code:
        found.append(Piece(f"{'   ' if found else ''}exit {code}", Role.ERROR))
    return tuple(found)


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
    found: list[Line] = []
    if fold.part == 0:
        found.extend(change_lines(facts, body.result, whole=whole, look=look))
        found.extend(argument_lines(body.call, facts, look) if whole else ())
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
    lines.extend(image_lines(body.result.content, look.glyphs.separator))
    found.extend(Line((front, *line.pieces), line.ground) for line in lines)
    return found
