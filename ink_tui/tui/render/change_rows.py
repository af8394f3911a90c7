"""The change that a call asks for, as lines: number, sign column, text on the ground of its sign.

Pure. The text is highlighted by the ending of the file's name, the lines before and after the
change apart, so that neither side colours the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.tool_facts import edit_starts
from ink_tui.tui.render.code_lines import code_pieces
from ink_tui.tui.render.lines import Line, chop_pieces, tabs_out
from ink_tui.tui.render.output_rows import key_hint
from ink_tui.tui.render.rows import Ground, Piece, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.model.diff import DiffLine
    from ink_tui.model.messages import ToolResult
    from ink_tui.model.tool_facts import ToolFacts
    from ink_tui.tui.render.transcript_look import Look

CHANGE_PREVIEW = 14
"""Lines of a change that are shown before it is unfolded."""
CHANGE_WHOLE = 400
"""Lines of a change that are shown at most; the record itself holds the rest."""
CHANGE_INDENT = 9
"""Cells before the text: number, sign, blanks."""
_LINE_CHARS = 2_000
_SIGNS = {"+": (Ground.ADDED, Role.SUCCESS), "-": (Ground.REMOVED, Role.ERROR)}


def change_lines(
    facts: ToolFacts, result: ToolResult | None, *, whole: bool, look: Look
) -> list[Line]:
    """Return the difference that a call asks for, its first lines where it is not unfolded.

    Args:
        facts: What the call is about.
        result: Its result: it says where in the file an edit stands.
        whole: Whether it is unfolded.
        look: Place, glyphs, and whether long lines go on in the next row.
    """
    changes = facts.changes
    starts = edit_starts(result)
    # Without the result it is not known where in the file an edit stands.
    first = starts if len(starts) == len(changes) else ((1,) if facts.content is not None else ())
    limit = CHANGE_WHOLE if whole else CHANGE_PREVIEW
    left = limit
    found: list[Line] = []
    for number, lines in enumerate(changes):
        if left <= 0:
            break
        if number:
            found.append(Line((Piece(f"{'':>5} {look.glyphs.ellipsis}", Role.DIM),)))
        shown = lines[:left]
        left -= len(shown)
        for line, pieces in zip(shown, _highlighted(shown, _language(facts)), strict=True):
            at = f"{line.number + first[number] - 1:>5}" if first else " " * 5
            found.extend(_rows_of(line, pieces, at, look))
    total = sum(map(len, changes))
    if total > limit - left:
        words = f"{' ' * 5}{total - (limit - left):,} more lines"
        found.append(Line((Piece(words, Role.DIM),)) if whole else key_hint(words, "enter", "show"))
    return found


def _rows_of(line: DiffLine, pieces: tuple[Piece, ...], at: str, look: Look) -> list[Line]:
    """Return a line of a change in one row, or in several where it is wrapped."""
    ground, role = _SIGNS.get(line.sign, (Ground.PLAIN, Role.TEXT))
    sign = look.glyphs.minus if line.sign == "-" else line.sign
    front = (Piece(f"{at} ", Role.DIM), Piece(f"{sign}  ", role, bold=True))
    room = max(8, look.cells - CHANGE_INDENT - 2) if look.wrap else 0
    found: list[Line] = []
    for part in chop_pieces(pieces, room):
        found.append(Line((*front, *part), ground))
        front = (Piece(" " * CHANGE_INDENT), Piece(""))
    return found


def _highlighted(lines: Sequence[DiffLine], language: str) -> list[tuple[Piece, ...]]:
    texts = [tabs_out(line.text[:_LINE_CHARS]) for line in lines]
    # Two texts in one list of lines: what stays is drawn as it is in the new one.
    signs = [line.sign for line in lines]
    new = iter(_side(texts, signs, "-", language))
    old = iter(_side(texts, signs, "+", language))
    found: list[tuple[Piece, ...]] = []
    for sign in signs:
        before = next(old) if sign != "+" else ()
        after = next(new) if sign != "-" else ()
        found.append(before if sign == "-" else after)
    return found


def _side(
    texts: Sequence[str], signs: Sequence[str], left_out: str, language: str
) -> list[tuple[Piece, ...]]:
    side = [text for text, sign in zip(texts, signs, strict=True) if sign != left_out]
    return code_pieces("\n".join(side), language) if side else []


def _language(facts: ToolFacts) -> str:
    """Return what comes behind the last dot of the file's name."""
    name = facts.what.rpartition("/")[2] if facts.is_path else ""
    return name.rpartition(".")[2] if "." in name else ""
