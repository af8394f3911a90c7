"""Help as rows: keys from the key table, the marks, and words at first sight (`ui.md` 6). Pure."""

from __future__ import annotations

from itertools import combinations_with_replacement, zip_longest
from typing import TYPE_CHECKING, TypeAlias

from ink_tui.keymap import CHAINS, DEFAULT_KEYMAP, Context, Keymap, display_key
from ink_tui.tui.render.cells import wrap
from ink_tui.tui.render.dialog_rows import RAISED_BLANK, DialogRows, own_words, paragraph, raised
from ink_tui.tui.render.rows import Piece, Role, fit, line_width
from ink_tui.tui.render.scrolling_rows import scrolling_rows, text_cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.keymap import KeyAction
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.render.rows import Row

_Line: TypeAlias = "tuple[Piece, ...]"

HELP_WIDTH = 104
"""Cells that help takes where there is room for it."""
_WIDE_FROM = 92
"""From so many cells on, keys stand in three columns with their short labels."""
_COLUMN_GAP = 3
_KEY_CELLS = 13
_WORD_CELLS = 14
WORDS = (
    ("compacted", "older messages were replaced by a summary"),
    ("resume point", "the record that the next turn is attached to"),
    ("fork", "a new session copied from this one up to a record; the old one stays as it is"),
    ("kept", "copied word for word past the compaction"),
)
"""Words explained at first sight."""


def help_rows(
    focus: Context,
    screen: tuple[int, int],
    glyphs: Glyphs,
    keymap: Keymap = DEFAULT_KEYMAP,
    watch_reason: str = "",
) -> DialogRows:
    """Return help for what has the focus, laid out for a screen.

    Args:
        focus: Context of the thing that has the focus; its own keys come first.
        screen: Width and height of the screen in cells.
        glyphs: The set to draw with.
        keymap: The table with the user's keys.
        watch_reason: Why the watch state is what it is; empty says nothing.
    """
    cells = text_cells(screen[0], HELP_WIDTH)
    lines = _keys(focus, cells, glyphs, keymap)
    lines += [(), *_explained_all(cells, glyphs)]
    body = tuple(raised(*line) for line in lines)
    if watch_reason:
        body += (RAISED_BLANK, _heading("Watching"), *paragraph(watch_reason, cells, Role.MUTED))
    beside = f"{focus.value} has the focus"
    return scrolling_rows("Keys", beside, body, screen, HELP_WIDTH, glyphs, keymap)


def _heading(text: str) -> Row:
    return raised(*_heading_line(text))


def _heading_line(text: str) -> _Line:
    return (Piece(text, Role.MUTED, bold=True),)


def _keys(focus: Context, cells: int, glyphs: Glyphs, keymap: Keymap) -> list[_Line]:
    """Return the groups of keys, nearest context first, in one column or in three."""
    acting = keymap.acting(focus)
    wide = cells >= _WIDE_FROM
    room = (cells - 2 * _COLUMN_GAP) // 3 if wide else cells
    groups = []
    for context in CHAINS[focus]:
        here = [action for action in acting if action.context is context]
        if here:
            groups.append(_group(context, here, room, glyphs, short=wide))
    if not wide:
        return _joined(groups)
    cuts = combinations_with_replacement(range(len(groups) + 1), 2)
    splits = ([groups[:a], groups[a:b], groups[b:]] for a, b in cuts)
    columns = ([_joined(part) for part in split] for split in splits)
    best = min(columns, key=lambda found: max(len(column) for column in found))
    return _side_by_side(best, room, glyphs)


def _side_by_side(columns: Sequence[list[_Line]], room: int, glyphs: Glyphs) -> list[_Line]:
    found = []
    for line in zip_longest(*columns, fillvalue=()):
        pieces: list[Piece] = []
        for index, cell in enumerate(line):
            pieces += (Piece(" " * _COLUMN_GAP),) if index else ()
            pieces += fit(cell, room, glyphs.ellipsis)
        found.append(tuple(pieces))
    return found


def _joined(groups: Sequence[list[_Line]]) -> list[_Line]:
    lines: list[_Line] = []
    for group in groups:
        if lines:
            lines.append(())
        lines += group
    return lines


def _group(
    context: Context, actions: Sequence[KeyAction], cells: int, glyphs: Glyphs, *, short: bool
) -> list[_Line]:
    """Return the lines of one context; opposites share a line."""
    name = context.value.removeprefix("the ")
    lines = [_heading_line(name[:1].upper() + name[1:])]
    by_id = {action.id: action for action in actions}
    paired = {action.pair for action in actions if action.pair in by_id}
    for action in actions:
        if action.id not in paired:
            lines += _entry(action, by_id.get(action.pair), cells, glyphs, short=short)
    return lines


def _entry(
    action: KeyAction, opposite: KeyAction | None, cells: int, glyphs: Glyphs, *, short: bool
) -> list[_Line]:
    names = [display_key(key, ascii_only=glyphs.ascii) for key in action.keys]
    said = action.label if short else action.help
    if opposite is not None:
        others = [display_key(key, ascii_only=glyphs.ascii) for key in opposite.keys]
        both = [f"{one} {other}" for one, other in zip(names, others, strict=False)]
        names = both if len(names) == len(others) else names + others
        if not short:
            said = f"{action.help}; {_difference(action.help, opposite.help)}"
        elif not opposite.label.endswith(action.label):
            said = f"{action.label}, {opposite.label}"
    keys = wrap("  ".join(names), _KEY_CELLS - 1)
    texts = wrap(said, max(8, cells - _KEY_CELLS))
    return [
        (*fit((Piece(key, Role.ACCENT),), _KEY_CELLS), Piece(text))
        for key, text in zip_longest(keys, texts, fillvalue="")
    ]


def _difference(first: str, second: str) -> str:
    """Return what the second of two sentences says beyond the words that both begin with."""
    ours, theirs = first.split(" "), second.split(" ")
    same = 0
    while same < min(len(ours), len(theirs)) - 1 and ours[same] == theirs[same]:
        same += 1
    rest = " ".join(theirs[same:])
    return rest[:1].lower() + rest[1:]


def _marks(glyphs: Glyphs) -> list[tuple[_Line, str]]:
    """Return every mark with its word and its meaning (`ui.md` 2.2)."""
    rows = (
        (glyphs.live, Role.SUCCESS, "live", "an agent is writing here now"),
        (glyphs.decide, Role.WARNING, "needs you", "needs a decision; a repair exists"),
        (glyphs.damaged, Role.WARNING, "look first", "readable, but damaged or missing"),
        (glyphs.failed, Role.ERROR, "refused", "failed, or cannot be continued"),
        (glyphs.done, Role.SUCCESS, "checked", "done, or safe to write"),
        (glyphs.trunk, Role.ACCENT, "in context", "sent to the model on resume"),
        (glyphs.gone, Role.DIM, "summarised", "no longer in the context"),
        (glyphs.resume_point, Role.ACCENT, "resume point", "the next turn is attached here"),
        (glyphs.stub, Role.MUTED, "branch", "another branch hangs here"),
        (glyphs.folded, Role.MUTED, "folded", f"rows are hidden; {glyphs.opened} is open"),
        (glyphs.child, Role.MUTED, "sub-agent", "a session of its own file"),
        (glyphs.label, Role.ACCENT, "label", "a name put on a record"),
        (glyphs.star, Role.ACCENT, "starred", "a session or a record that you starred"),
        (
            glyphs.turn,
            Role.MUTED,
            "user turn",
            f"on the timeline; {glyphs.separator} call, {glyphs.compacted} compaction",
        ),
    )
    return [
        ((*fit((Piece(glyph, role, bold=True),), 3), Piece(word)), meaning)
        for glyph, role, word, meaning in rows
    ]


def _explained_all(cells: int, glyphs: Glyphs) -> list[_Line]:
    """Return marks and words, beside each other where there is room."""
    words = [((Piece(word),), text) for word, text in WORDS]
    if cells < _WIDE_FROM:
        marks = _explained("Marks", _marks(glyphs), cells, glyphs)
        return [*marks, (), *_explained("Words", words, cells, glyphs)]
    room = (cells - _COLUMN_GAP) // 2
    columns = [
        _explained("Marks", _marks(glyphs), room, glyphs),
        _explained("Words", words, room, glyphs),
    ]
    return _side_by_side(columns, room, glyphs)


def _explained(
    heading: str, terms: Sequence[tuple[_Line, str]], cells: int, glyphs: Glyphs
) -> list[_Line]:
    """Return a heading and terms with their meanings, wrapped in their own column."""
    lead = max(_WORD_CELLS, *(line_width(term) + 2 for term, _ in terms))
    found = [_heading_line(heading)]
    for term, meaning in terms:
        lines = wrap(own_words(meaning, glyphs), max(8, cells - lead))
        for index, line in enumerate(lines):
            start = fit(term if index == 0 else (), lead)
            found.append((*start, Piece(line, Role.MUTED)))
    return found
