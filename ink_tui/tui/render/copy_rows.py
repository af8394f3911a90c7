"""The options of what can be copied, as a dialog shows them. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.words import counted
from ink_tui.tui.render.cells import cut
from ink_tui.tui.render.dialog_rows import Choice
from ink_tui.tui.render.question_rows import STAY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.model.copies import Copyable

RESUME_COMMAND = "resume-command"
"""Id of the option that copies the command which resumes the session."""
MOST_PARTS = 8
"""Parts of a text that are offered one by one."""
_WORDS_CELLS = 30
_KEYS = {
    **dict.fromkeys(("message", "argument", "prompt"), "m"),
    **dict.fromkeys(("code", "command"), "c"),
    "path": "p",
    "paths": "P",
    "pattern": "g",
    "result": "r",
    "content": "n",
    "change": "d",
    "report": "h",
}


def copy_choices(
    found: Sequence[Copyable], *, whole: bool = True, all_of: Copyable | None = None
) -> tuple[Choice, ...]:
    """Return the options for some texts, the first of them the one to be selected.

    Args:
        found: What can be copied, the most likely first.
        whole: Whether the session is read whole, so that it can be resumed.
        all_of: What the texts are the parts of; then nothing else is offered.
    """
    if all_of is not None:
        parts = [_choice(each) for each in found[:MOST_PARTS]]
        return (*parts, Choice(all_of.id, "all of them", counted(all_of.lines, "line"), "a"))
    why = "" if whole else "the session is still being read"
    return (
        *(_choice(each) for each in found),
        Choice(
            RESUME_COMMAND,
            "resume command",
            why or "to paste into a shell",
            "R",
            enabled=whole,
        ),
        Choice(STAY, "Cancel", "nothing is copied"),
    )


def _choice(each: Copyable) -> Choice:
    kind, _, number = each.id.partition("-")
    key = number if number and len(number) == 1 else _KEYS.get(kind, "")
    lines = f"{counted(each.lines, 'line')}: " if each.lines > 1 else ""
    return Choice(each.id, each.name, lines + cut(each.words, _WORDS_CELLS), key)


__all__ = ["MOST_PARTS", "RESUME_COMMAND", "STAY", "copy_choices"]
