"""The header and the footer as lines of pieces: what is shown at which width. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.keymap import display_key
from ink_tui.model.scope import SCOPE_WORDS, Scope
from ink_tui.tui.render.cells import width
from ink_tui.tui.render.figures import count, counted
from ink_tui.tui.render.rows import Cut, Piece, Role, fit, line_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.keymap import FooterEntry, KeyAction
    from ink_tui.tui.render.glyphs import Glyphs

PRODUCT = "ink"
ATTENTION_ACTION = "by-urgency"
"""What a click on the number of sessions that need attention does."""
_GAP = 3
"""Blank cells between the facts of the header, and between the entries of the footer."""
_SHORT_GAP = 2
_BREATH = 6
"""Least blank cells between the left and the right half of a header that is not the shortest."""


@dataclass(frozen=True, slots=True)
class HeaderFacts:
    """What the header says."""

    root: str = ""
    """The session root as people write it, or what stands in its place."""
    sessions: int = 0
    folders: int = 0
    attention: int = 0
    """Sessions that need a decision; 0 says nothing."""
    watch: str = ""
    """Watch state in words: `watching`, `polling every 2 s`, `indexing 412 of 2,000`."""
    watch_role: Role = Role.SUCCESS
    """Colour of the watch mark; warning or error when not all is watched."""
    watch_mark: str = ""
    """Mark of the watch state; empty takes the live mark."""
    watch_reason: str = ""
    """Why the watch state is what it is, for a tooltip and help."""
    clock: str = ""
    """The time of day."""
    empty: bool = False
    """There is no session at all, and that was looked for."""
    archived: int = 0
    """Sessions that are not shown since they are archived."""
    scope: Scope = Scope.ALL
    outside: int = 0
    """Sessions that are not shown since they lie outside the scope."""


def header_line(facts: HeaderFacts, cells: int, glyphs: Glyphs) -> tuple[Piece, ...]:
    """Return the header, dropping folders, root, words and clock as the width shrinks."""
    pad = 1 if cells > 2 else 0
    inner = cells - 2 * pad
    forms = (
        (_left(facts, glyphs, root=True, folders=True, archived=True), _right(facts, glyphs)),
        (_left(facts, glyphs, root=True, archived=True), _right(facts, glyphs)),
        (_left(facts, glyphs, archived=True), _right(facts, glyphs)),
        (_left(facts, glyphs), _right(facts, glyphs)),
        (_left(facts, glyphs, scope=False), _right(facts, glyphs)),
        (_short_left(facts, glyphs), _right(facts, glyphs, words=False)),
        (_short_left(facts, glyphs), _right(facts, glyphs, words=False, clock=False)),
        (_short_left(facts, glyphs), ()),
    )
    edge = (Piece(" " * pad),) if pad else ()
    for index, (left, right) in enumerate(forms):
        breath = _BREATH if index < 5 else _SHORT_GAP if right else 0
        room = inner - line_width(right)
        if line_width(left) + breath <= room or index == len(forms) - 1:
            return edge + fit(left, room, glyphs.ellipsis) + right + edge
    raise AssertionError("the last form is always taken")


def _left(
    facts: HeaderFacts,
    glyphs: Glyphs,
    *,
    root: bool = False,
    folders: bool = False,
    archived: bool = False,
    scope: bool = True,
) -> tuple[Piece, ...]:
    found: list[tuple[Piece, ...]] = [(Piece(PRODUCT, Role.ACCENT, bold=True),)]
    if root and facts.root:
        found.append((Piece(facts.root, cut=Cut.PATH),))
    sessions = "no sessions yet" if facts.empty else _sessions(facts)
    if facts.scope is not Scope.ALL:
        sessions += f" {glyphs.separator} {SCOPE_WORDS[facts.scope]}" if scope else ""
    elif folders and facts.folders:
        sessions += " in " + counted(facts.folders, "folder")
    if archived and facts.archived:
        sessions += f", {count(facts.archived)} archived"
    found.append((Piece(sessions, Role.MUTED),))
    if facts.attention:
        verb = "needs" if facts.attention == 1 else "need"
        words = f" {count(facts.attention)} {verb} attention"
        found.append(_attention(glyphs, words))
    return _spaced(found, _GAP)


def _short_left(facts: HeaderFacts, glyphs: Glyphs) -> tuple[Piece, ...]:
    found: list[tuple[Piece, ...]] = [
        (Piece(PRODUCT, Role.ACCENT, bold=True),),
        (Piece(_sessions(facts), Role.MUTED),),
    ]
    if facts.attention:
        found.append(_attention(glyphs, f" {count(facts.attention)}"))
    return _spaced(found, _SHORT_GAP)


def _sessions(facts: HeaderFacts) -> str:
    if facts.scope is Scope.ALL:
        return counted(facts.sessions, "session")
    total = counted(facts.sessions + facts.outside, "session")
    return f"{count(facts.sessions)} of {total}"


def _attention(glyphs: Glyphs, words: str) -> tuple[Piece, ...]:
    return (
        Piece(glyphs.decide, Role.WARNING, bold=True, part=ATTENTION_ACTION),
        Piece(words, Role.WARNING, part=ATTENTION_ACTION),
    )


def _right(
    facts: HeaderFacts, glyphs: Glyphs, *, words: bool = True, clock: bool = True
) -> tuple[Piece, ...]:
    found: list[tuple[Piece, ...]] = []
    if facts.watch:
        mark = Piece(facts.watch_mark or glyphs.live, facts.watch_role)
        found.append((mark, Piece(f" {facts.watch}", Role.MUTED)) if words else (mark,))
    if clock and facts.clock:
        found.append((Piece(facts.clock, Role.MUTED),))
    return _spaced(found, _GAP if words else 1)


def footer_line(
    entries: Sequence[FooterEntry],
    cells: int,
    glyphs: Glyphs,
    help_action: KeyAction | None = None,
) -> tuple[Piece, ...]:
    """Return the footer: whole entries only, best first, help at the right.

    Args:
        entries: What to offer, best first.
        cells: Width of the footer.
        glyphs: Whether arrows are drawn or spelt.
        help_action: The action shown at the right; None for none.
    """
    pad = 1 if cells > 2 else 0
    edge = (Piece(" " * pad),) if pad else ()
    inner = cells - 2 * pad
    right = _entry((help_action,), help_action.label, glyphs) if help_action else ()
    if line_width(right) > inner:
        right = ()
    room = inner - line_width(right) - (_GAP if right else 0)
    shown: list[tuple[Piece, ...]] = []
    for entry in entries:
        pieces = _entry(entry.actions, entry.label, glyphs)
        needed = line_width(pieces) + (_GAP if shown else 0)
        if needed <= room:
            shown.append(pieces)
            room -= needed
    left = fit(_spaced(shown, _GAP), inner - line_width(right), glyphs.ellipsis)
    return edge + left + right + edge


def _entry(actions: Sequence[KeyAction], label: str, glyphs: Glyphs) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    for index, action in enumerate(actions):
        name = display_key(action.keys[0], ascii_only=glyphs.ascii)
        last = index == len(actions) - 1
        pieces.append(Piece(name, Role.ACCENT, part=action.id))
        # The label belongs to the last key's area, the blank between two keys to the first's.
        pieces.append(Piece(f" {label}" if last else " ", Role.MUTED, part=action.id))
    return tuple(pieces)


def _spaced(groups: Sequence[tuple[Piece, ...]], gap: int) -> tuple[Piece, ...]:
    found: list[Piece] = []
    for group in groups:
        if found:
            found.append(Piece(" " * gap))
        found += group
    return tuple(found)


def rule_line(cells: int, glyphs: Glyphs, role: Role = Role.HAIR) -> tuple[Piece, ...]:
    """Return a horizontal hair line over the whole width."""
    return (Piece(glyphs.rule * (cells // width(glyphs.rule)), role),) if cells > 0 else ()
