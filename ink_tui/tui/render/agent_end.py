"""What stands under the last screen of an agent that has ended (picture `g-live-exited`). Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.keymap import Context, display_key
from ink_tui.tui.render.rows import Cut, Piece, Role, fit

if TYPE_CHECKING:
    from ink_tui.keymap import Keymap
    from ink_tui.tui.render.glyphs import Glyphs

END_ACTIONS = (
    ("exited-resume", "resume (asks first)"),
    ("exited-fork", "fork"),
    ("exited-transcript", "read transcript"),
    ("exited-scroll", "scroll the last screen"),
    ("exited-close", "close this tab"),
)
_PER_LINE = 3


@dataclass(frozen=True, slots=True)
class AgentEnd:
    """How an agent ended and what that means for its session."""

    sentence: str
    """How it ended: `killed by SIGKILL after 3m 12s`."""
    good: bool
    """It ended by itself and reported success."""
    when: str = ""
    """Time of day."""
    meaning: str = ""
    """What changed in the session: new records, calls without result."""
    worrying: bool = False
    """Whether that asks for a decision."""
    command: str = ""
    """Arguments and folder, shown when it ended at once with an error."""


def end_lines(
    end: AgentEnd, cells: int, keymap: Keymap, glyphs: Glyphs
) -> tuple[tuple[Piece, ...], ...]:
    """Return the block under the last screen, each line exactly so many cells wide."""
    pad = (Piece(" "),) if cells > 2 else ()
    inner = cells - 2 * len(pad)
    role = Role.HAIR if end.good else Role.ERROR
    mark = (
        Piece(f"{glyphs.done} ", Role.SUCCESS)
        if end.good
        else Piece(f"{glyphs.failed} ", Role.ERROR)
    )
    when = (Piece(f"  {end.when}", Role.DIM),) if end.when else ()
    head = fit((mark, Piece(end.sentence, bold=True)), inner - sum(len(p.text) for p in when))
    lines = [fit((Piece(glyphs.rule * inner, role),), inner), head + when]
    if end.meaning:
        meaning_role = Role.WARNING if end.worrying else Role.MUTED
        lines.append(fit((Piece("  "), Piece(end.meaning, meaning_role)), inner, glyphs.ellipsis))
    if end.command:
        command = Piece(end.command, Role.MUTED, cut=Cut.MIDDLE)
        lines.append(fit((Piece("  "), command), inner, glyphs.ellipsis))
    lines.append(fit((), inner))
    lines.extend(fit(line, inner, glyphs.ellipsis) for line in _keys(keymap, glyphs))
    return tuple(pad + line + pad for line in lines)


def _keys(keymap: Keymap, glyphs: Glyphs) -> list[tuple[Piece, ...]]:
    offered = {action.id: action for action in keymap.in_context(Context.AGENT_EXITED)}
    lines: list[tuple[Piece, ...]] = []
    for start in range(0, len(END_ACTIONS), _PER_LINE):
        line: list[Piece] = [Piece("  ")]
        for action_id, words in END_ACTIONS[start : start + _PER_LINE]:
            action = offered.get(action_id)
            if action is None:
                continue
            key = display_key(action.keys[0], ascii_only=glyphs.ascii)
            line += [
                Piece(key, Role.ACCENT, part=action_id),
                Piece(f" {words}   ", part=action_id),
            ]
        lines.append(tuple(line))
    return lines
