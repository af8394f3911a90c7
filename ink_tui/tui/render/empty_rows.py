"""What stands where there are no sessions to list (`ui.md` 5.4). Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ink_tui.keymap import DEFAULT_KEYMAP, Keymap
from ink_tui.model.text import one_line
from ink_tui.model.words import counted
from ink_tui.tui.render.cells import wrap
from ink_tui.tui.render.dialog_rows import key_name, own_words
from ink_tui.tui.render.rows import BLANK, Cut, Piece, Role, Row, line_width

if TYPE_CHECKING:
    from ink_tui.tui.render.glyphs import Glyphs

EMPTY_WIDTH = 66
"""Cells that the text takes where there is room for it."""
DEMO = "demo"
"""Id of the action, and key of the row, that opens the samples."""


class EmptyKind(StrEnum):
    """Why there is nothing to list."""

    NO_SESSIONS = "no-sessions"
    UNREADABLE = "unreadable"
    """The folder of sessions cannot be read."""
    NOTHING_MATCHES = "nothing-matches"


@dataclass(frozen=True, slots=True)
class EmptyFacts:
    """What is known about a list without rows."""

    kind: EmptyKind
    root: str = ""
    """The folder of sessions, as people write it."""
    hidden: int = 0
    """Sessions without a message that are not shown."""
    reason: str = ""
    """Why the folder cannot be read."""
    query: str = ""
    """The filter that matches nothing."""
    demo: bool = False
    """The samples can be opened from here."""


def empty_rows(
    facts: EmptyFacts, cells: int, glyphs: Glyphs, keymap: Keymap = DEFAULT_KEYMAP, *, roomy: bool
) -> tuple[Row, ...]:
    """Return the rows that stand in place of the list.

    Args:
        facts: What is known.
        cells: Width of the text.
        glyphs: The set to draw with.
        keymap: The table with the user's keys.
        roomy: There is room for blank rows.
    """
    gap = (BLANK,) if roomy else ()
    if facts.kind is EmptyKind.NOTHING_MATCHES:
        clear = key_name(keymap, "filter-clear", glyphs)
        said = own_words(f"Nothing matches “{one_line(facts.query)}”.", glyphs)
        lines = [Row("", (Piece(line),), selectable=False) for line in wrap(said, cells)]
        keys = (Piece(clear, Role.ACCENT, part="filter-clear"), Piece(" clears it.", Role.MUTED))
        return (*lines, Row("", keys, selectable=False), *_hidden(facts, cells, glyphs, keymap))
    if facts.kind is EmptyKind.UNREADABLE:
        title = "The sessions cannot be read"
        why = one_line(facts.reason) or "the system does not say why"
        sentences = (
            f"{glyphs.failed} {one_line(facts.root)}: {why}",
            "Nothing was changed. Sessions appear here as soon as the folder can be read.",
        )
        intro = [row for text in sentences for row in _text(text, cells, glyphs)]
    else:
        title = "No sessions here yet"
        root = one_line(facts.root)
        intro = [
            *([Row("", (Piece(root, cut=Cut.PATH),), selectable=False)] if root else []),
            *_text(
                "Start your agent in any folder. Its session appears here by itself, usually"
                " within a second; nothing needs to be reloaded.",
                cells,
                glyphs,
            ),
        ]
    rule = Row("", (Piece(glyphs.rule * cells, Role.HAIR),), selectable=False)
    return (
        Row("", (Piece(title, bold=True),), selectable=False),
        *gap,
        *intro,
        *((BLANK, rule, BLANK) if roomy else (rule,)),
        *_ways(facts, cells),
        *((BLANK, rule, BLANK) if roomy else (rule,)),
        *_text("Looking never changes a session file.", cells, glyphs, Role.DIM),
        *_hidden(facts, cells, glyphs, keymap),
    )


def _text(text: str, cells: int, glyphs: Glyphs, role: Role = Role.MUTED) -> list[Row]:
    lines = wrap(own_words(text, glyphs), cells)
    return [Row("", (Piece(line, role),), selectable=False) for line in lines]


def _ways(facts: EmptyFacts, cells: int) -> list[Row]:
    """Return the ways on that exist: commands to type, and the samples where they can be opened."""
    return [
        _way(DEMO, "Look around with samples", "ink-tui --demo", cells, selectable=facts.demo),
        _way("folder", "Open another folder", "ink-tui --sessions-dir DIR", cells),
    ]


def _way(key: str, name: str, command: str, cells: int, *, selectable: bool = False) -> Row:
    if len(name) + len(command) + 2 > cells:
        return Row(key, (Piece(command),), selectable=selectable)
    note = (Piece(command, Role.MUTED, cut=Cut.NEVER),)
    return Row(key, (Piece(name),), note=note, selectable=selectable)


def _hidden(facts: EmptyFacts, cells: int, glyphs: Glyphs, keymap: Keymap) -> tuple[Row, ...]:
    if not facts.hidden:
        return ()
    verb = "is" if facts.hidden == 1 else "are"
    which = "it" if facts.hidden == 1 else "them"
    said = f"{counted(facts.hidden, 'session')} without a message {verb} hidden."
    keys = (
        Piece(key_name(keymap, "show-hidden", glyphs), Role.ACCENT, part="show-hidden"),
        Piece(f" shows {which}.", Role.DIM, part="show-hidden"),
    )
    together = (Piece(f"{said} ", Role.DIM), *keys)
    if line_width(together) <= cells:
        return (Row("", together, selectable=False),)
    return (*_text(said, cells, glyphs, Role.DIM), Row("", keys, selectable=False))
