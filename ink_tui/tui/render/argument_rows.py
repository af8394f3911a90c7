"""The arguments of a call that its head does not show whole, as lines. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ink_tui.model.text import one_line
from ink_tui.model.tool_facts import CONTENT_KEYS, NEW_KEYS, OLD_KEYS, ToolKind
from ink_tui.tui.render.cells import cut, width
from ink_tui.tui.render.lines import Line, chop_pieces, tabs_out
from ink_tui.tui.render.rows import Ground, Piece, Role

if TYPE_CHECKING:
    from ink_tui.model.messages import JsonValue, ToolCall
    from ink_tui.model.tool_facts import ToolFacts
    from ink_tui.tui.render.transcript_look import Look

ARGUMENT_LINES = 400
"""Lines of the arguments that are shown at most; the record itself holds the rest."""
_FRONT = Piece(" " * 5)
_LINE_CHARS = 2_000
_SHORT_CHARS = 200
_NAME_CELLS = 20
_CHANGES = frozenset({*CONTENT_KEYS, *OLD_KEYS, *NEW_KEYS, "edits"})


def argument_lines(call: ToolCall, facts: ToolFacts, look: Look) -> list[Line]:
    """Return what is not in the head and not in the change: other arguments, a text of many lines.

    Args:
        call: The call.
        facts: What it is about.
        look: Place, and whether long lines go on in the next row.
    """
    if not isinstance(call.arguments, Mapping):
        return []
    found: list[Line] = []
    for name, value in call.arguments.items():
        if facts.counts is not None and name in _CHANGES:
            continue
        text = value if isinstance(value, str) else _in_short(value)
        if _is_in_head(text, facts):
            continue
        plain = isinstance(value, str) and facts.kind is ToolKind.BASH and "\n" in text
        found.extend(_rows_of("" if plain else one_line(name), text, look))
        if len(found) >= ARGUMENT_LINES:
            break
    return found[:ARGUMENT_LINES]


def _is_in_head(text: str, facts: ToolFacts) -> bool:
    return "\n" not in text and one_line(text).strip() == facts.what


def _rows_of(name: str, text: str, look: Look) -> list[Line]:
    """Return an argument as its name and its lines."""
    found: list[Line] = []
    label = Piece(f"{cut(name, _NAME_CELLS)}  " if name else "", Role.MUTED)
    room = max(8, look.cells - 9 - width(label.text)) if look.wrap else 0
    for line in text.split("\n")[:ARGUMENT_LINES]:
        for part in chop_pieces((Piece(tabs_out(line[:_LINE_CHARS])),), room):
            found.append(Line((_FRONT, label, *part), Ground.RAISED))
            label = Piece(" " * width(label.text))
    return found


def _in_short(value: JsonValue) -> str:
    """Return a value that is no text in a few words."""
    if isinstance(value, Mapping):
        return one_line("{" + ", ".join(list(value)[:8]) + "}")[:_SHORT_CHARS]
    if isinstance(value, tuple):
        texts = [each for each in value if isinstance(each, str)]
        if len(texts) == len(value):
            return one_line(", ".join(texts[:20]))[:_SHORT_CHARS]
        return f"{len(value)} values"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    return str(value)[:_SHORT_CHARS]
