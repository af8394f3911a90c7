"""The commands that the palette offers, how they are found, and their rows. Pure.

Own names are found by Textual's fuzzy matcher. Titles of sessions are foreign text, on which that
matcher can take time without bound; they are found by the words they hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from textual.fuzzy import Matcher

from ink_tui.keymap import DEFAULT_KEYMAP, Context, Keymap, display_key
from ink_tui.model.text import one_line
from ink_tui.tui.render.dialog_rows import MARK_CELLS, RAISED_BLANK, own_words, raised
from ink_tui.tui.render.rows import Columns, Cut, Ground, Piece, Role, Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ink_tui.tui.render.glyphs import Glyphs

COMMANDS_WIDTH = 76
"""Cells that the palette takes where there is room for it."""
COMMAND_COLUMNS = Columns(mark=MARK_CELLS, pad=0, short_below=0)
THEME, OPEN = "theme:", "open:"
"""What ids of themes and of sessions begin with."""
_TITLE_LIMIT = 200
"""Characters of a session's title that are looked at."""
_WORD_SCORE = 3.0
"""What the fuzzy matcher gives for each letter of a word that it finds whole."""
_SESSIONS_SHOWN = 20
"""Sessions shown for one query; more would hide the commands."""


@dataclass(frozen=True, slots=True)
class Command:
    """One entry of the palette."""

    id: str
    """Id of an action of the key table, or `theme:NAME`, or `open:KEY`."""
    title: str
    group: str
    note: str = ""
    key: str = ""
    """Its key as people write it; empty for none."""


@dataclass(frozen=True, slots=True)
class Found:
    """A command that a query has found."""

    command: Command
    score: float
    offsets: frozenset[int]
    """Characters of the title that the query has met."""


def action_commands(
    focus: Context, glyphs: Glyphs, keymap: Keymap = DEFAULT_KEYMAP
) -> tuple[Command, ...]:
    """Return the actions that act while a thing has the focus, nearest context first."""
    return tuple(
        Command(
            action.id,
            action.help,
            action.context.value.removeprefix("the "),
            key=display_key(action.keys[0], ascii_only=glyphs.ascii),
        )
        for action in keymap.acting(focus)
        if action.id != "commands"
    )


def theme_commands(names: Iterable[str], current: str) -> tuple[Command, ...]:
    """Return the entries that switch the theme.

    Args:
        names: Names of all themes.
        current: Name of the theme in use.
    """
    return tuple(
        Command(f"{THEME}{name}", f"Switch theme to {name}", "theme",
                note="in use" if name == current else "")
        for name in names
    )  # fmt: skip


def session_commands(sessions: Iterable[tuple[str, str]]) -> tuple[Command, ...]:
    """Return the entries that open a session, from keys and titles."""
    return tuple(
        Command(f"{OPEN}{key}", f"Open session {one_line(title[:_TITLE_LIMIT])}", "sessions")
        for key, title in sessions
    )


def find_commands(commands: Sequence[Command], query: str) -> tuple[Found, ...]:
    """Return what a query finds, the group with the best match first, best first in it.

    An empty query finds every command, but no session.

    Args:
        commands: All entries.
        query: What was typed.
    """
    wanted = query.strip()
    if not wanted:
        return tuple(
            Found(command, 0, frozenset())
            for command in commands
            if not command.id.startswith(OPEN)
        )
    matcher = Matcher(wanted)
    found = [
        match
        for command in commands
        if (match := _by_words(command, wanted) if command.id.startswith(OPEN)
            else _by_letters(command, matcher)) is not None
    ]  # fmt: skip
    sessions = [match for match in found if match.command.id.startswith(OPEN)]
    dropped = {match.command.id for match in sessions[_SESSIONS_SHOWN:]}
    best: dict[str, float] = {}
    for match in found:
        best[match.command.group] = max(match.score, best.get(match.command.group, 0.0))
    order = sorted(best, key=lambda group: -best[group])
    return tuple(
        sorted(
            (match for match in found if match.command.id not in dropped),
            key=lambda match: (order.index(match.command.group), -match.score),
        )
    )


def _by_letters(command: Command, matcher: Matcher) -> Found | None:
    score, offsets = matcher.fuzzy_search.match(matcher.query, command.title)
    return Found(command, score, frozenset(offsets)) if score > 0 else None


def _by_words(command: Command, query: str) -> Found | None:
    text = command.title.lower()
    offsets: set[int] = set()
    for word in query.lower().split():
        at = text.find(word)
        if at < 0:
            return None
        offsets.update(range(at, at + len(word)))
    # Lower case may be longer than the text itself; then no character is marked.
    same = len(text) == len(command.title)
    score = float(len(offsets)) * _WORD_SCORE
    return Found(command, score, frozenset(offsets) if same else frozenset())


def command_rows(
    found: Sequence[Found], query: str, selected: str, glyphs: Glyphs
) -> tuple[Row, ...]:
    """Return the rows of the palette under its field.

    Args:
        found: What `find_commands` has returned.
        query: What was typed.
        selected: Id of the selected command.
        glyphs: The set to draw with.
    """
    if not found:
        said = own_words(f"Nothing matches “{query.strip()}”.", glyphs)
        return (raised(Piece(said, Role.MUTED)),)
    rows: list[Row] = []
    for group, matches in groupby(found, key=lambda match: match.command.group):
        if rows:
            rows.append(RAISED_BLANK)
        rows.append(raised(Piece(group, Role.MUTED)))
        rows += [_row(match, match.command.id == selected, glyphs) for match in matches]
    return tuple(rows)


def _row(match: Found, chosen: bool, glyphs: Glyphs) -> Row:
    command = match.command
    pieces = [
        Piece("".join(title for _, title in run), Role.ACCENT if hit else Role.TEXT, bold=hit)
        for hit, run in groupby(enumerate(command.title), key=lambda at: at[0] in match.offsets)
    ]
    if command.note:
        pieces.append(Piece(f"  {command.note}", Role.MUTED))
    return Row(
        command.id,
        mark=(Piece(glyphs.chosen, Role.ACCENT, bold=True),) if chosen else (),
        text=tuple(pieces),
        note=(Piece(command.key, Role.ACCENT, cut=Cut.NEVER),) if command.key else (),
        ground=Ground.RAISED,
    )
