"""A question with its answers as rows. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.keymap import DEFAULT_KEYMAP
from ink_tui.model.compare_choices import OtherKind
from ink_tui.model.words import counted
from ink_tui.tui.render.dialog_rows import (
    RAISED_BLANK,
    Choice,
    DialogRows,
    dialog_width,
    foot_rows,
    key_name,
    lines_of,
    more_row,
    own_words,
    paragraph,
    side_pad,
    title_row,
)
from ink_tui.tui.render.rows import Role
from ink_tui.tui.render.transcript_look import time_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.keymap import Keymap
    from ink_tui.model.compare_choices import Other
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.render.rows import Row
    from ink_tui.tui.render.transcript_look import Look

QUESTION_WIDTH = 76
"""Cells that a question takes where there is room for it."""
STOP, HAND_OVER, STAY = "stop", "hand-over", "stay"
"""Ids of the answers to the quit question."""
UNDO, PASTE, TRASH = "undo", "paste", "trash"
"""Ids of the other answers that do something; `STAY` is the one that does not."""
_OFFERED = 8
"""Most answers to the question what to compare with."""
_AROUND = 7
"""Lines of that question beside its answers."""
_OTHER_WORDS = {
    OtherKind.BRANCH: "branch",
    OtherKind.PARENT: "original",
    OtherKind.FORK: "copy",
}
_PASTE_LINES, _PASTE_CHARACTERS = 8, 400
"""How much of a paste is shown."""


def quit_question(running: int, hand_over_reason: str = "") -> tuple[str, tuple[Choice, ...]]:
    """Return title and answers of the question before quitting; `STAY` is the default.

    Args:
        running: How many agents run; at least one.
        hand_over_reason: Why none can be handed over to the terminal; empty when one can.
    """
    verb = "is" if running == 1 else "are"
    return f"{counted(running, 'agent')} {verb} running", (
        Choice(STOP, "Stop them and quit" if running > 1 else "Stop it and quit",
               "ends the agents; open calls stay without a result" if running > 1
               else "ends the agent; an open call stays without a result"),
        Choice(HAND_OVER,
               "Hand one over to the terminal" if running > 1 else "Hand it over to the terminal",
               hand_over_reason or "ink-tui ends, the agent takes this terminal",
               enabled=not hand_over_reason),
        Choice(STAY, "Stay", "nothing is stopped"),
    )  # fmt: skip


def undo_question(what: str, deed: str) -> tuple[str, tuple[Choice, ...]]:
    """Return title and answers of the question before an undo; `STAY` is the default.

    Args:
        what: What is taken back: `the last repair`.
        deed: What that does to the file: `puts 213 bytes back`.
    """
    return f"Undo {what} all the same?", (
        Choice(UNDO, "Undo all the same", deed),
        Choice(STAY, "Leave it", "nothing is changed"),
    )


def export_question(folder: str) -> tuple[str, tuple[str, ...], tuple[Choice, ...]]:
    """Return title, sentences and answers of the question before an export; `STAY` does nothing.

    Args:
        folder: Where the file will be, as it is shown.
    """
    return (
        f"Export this session to {folder}?",
        (
            "Secrets of known shapes are taken out of every field; others stay. Read the file "
            "before you give it away.",
        ),
        (
            Choice("md", "Markdown", "to paste and to edit"),
            Choice("html", "HTML page", "one file to read in a browser; it loads nothing"),
            Choice("jsonl", "JSON Lines", "the records, for programs; not a session to resume"),
            Choice("cast", "Recording", "the replay as asciicast, for players of such files"),
            Choice(STAY, "Cancel", "nothing is written"),
        ),
    )


def compare_question(
    others: Sequence[Other], look: Look, high: int
) -> tuple[str, tuple[str, ...], tuple[Choice, ...]]:
    """Return title, sentences and answers of the question what to compare with.

    The first is the nearest and the default; the ids are the keys of the others.

    Args:
        others: What the session can be compared with, the nearest first.
        look: Present and zone.
        high: Lines of the screen; as many are offered as fit on it with two lines each.
    """
    fitting = max(1, min(_OFFERED, (high - _AROUND) // 2))
    shown, more = others[:fitting], len(others) - fitting
    rest = f"{counted(more, 'more is', 'more are')} in the tree: select a record of one there."
    return (
        "Compare with",
        (rest,) if more > 0 else (),
        tuple(
            Choice(other.key, _OTHER_WORDS[other.kind], _other_words(other, look))
            for other in shown
        ),
    )


def _other_words(other: Other, look: Look) -> str:
    unit = "record" if other.kind is OtherKind.BRANCH else "message"
    pieces = [counted(other.records, unit) if other.records is not None else ""]
    pieces.append(time_of(other.time_ms, look))
    said = ", ".join(piece for piece in pieces if piece)
    return f"{said}  {other.title}" if said else other.title


def trash_question(
    title: str, what: str, size: str, doubt: str
) -> tuple[str, tuple[str, ...], tuple[Choice, ...]]:
    """Return title, sentences and answers of the question before a deletion; `STAY` is the default.

    Args:
        title: Title of the session.
        what: What would go: `the session and its 2 sub-agent sessions`.
        size: How many bytes that is, as it is shown.
        doubt: Why somebody may still use it, in a sentence; empty for no reason.
    """
    return (
        "Delete this session?",
        (f"“{title}”, {size}", *([doubt] if doubt else [])),
        (
            Choice(TRASH, "Move to trash", what),
            Choice(STAY, "Keep it", "nothing is moved"),
        ),
    )


def no_pane_question() -> tuple[str, tuple[Choice, ...]]:
    """Return title and answers of the question where no terminal engine can draw a pane.

    `HAND_OVER` is the default: it does what was chosen, in this terminal; `STAY` does nothing.
    """
    return "The agent cannot run beside its session here", (
        Choice(HAND_OVER, "Run it in this terminal", "ink-tui ends, the agent takes this terminal"),
        Choice(STAY, "Cancel", "nothing has been changed"),
    )


def paste_question(text: str) -> tuple[str, tuple[str, ...], tuple[Choice, ...]]:
    """Return title, sentences and answers of the question before a paste; `STAY` is the default.

    Args:
        text: What would be pasted; its first lines are shown, cleaned.
    """
    lines = text.splitlines()
    shown = [line[:_PASTE_CHARACTERS] for line in lines[:_PASTE_LINES]]
    more = len(lines) - len(shown)
    return (
        f"Paste {counted(len(lines), 'line')}?",
        (
            "The agent did not ask for pastes as one piece: it may act on each line by itself.",
            *shown,
            *([f"… and {counted(more, 'more line', 'more lines')}"] if more else []),
        ),
        (
            Choice(PASTE, "Paste", "as it is"),
            Choice(STAY, "Do not paste", "nothing is sent"),
        ),
    )


def question_rows(
    title: str,
    sentences: Sequence[str],
    choices: Sequence[Choice],
    selected: str,
    screen: tuple[int, int],
    glyphs: Glyphs,
    keymap: Keymap = DEFAULT_KEYMAP,
) -> DialogRows:
    """Return a question laid out for a screen.

    Args:
        title: What is seen.
        sentences: What it means, a paragraph each.
        choices: The answers.
        selected: Id of the selected answer.
        screen: Width and height of the screen in cells.
        glyphs: The set to draw with.
        keymap: The table with the user's keys.
    """
    over_all, high = dialog_width(screen[0], QUESTION_WIDTH), screen[1]
    side = side_pad(screen[0])
    cells = max(1, over_all - 2 * side)
    head = (title_row(own_words(title, glyphs)),)
    body: list[Row] = []
    for sentence in sentences:
        body += paragraph(own_words(sentence, glyphs), cells, Role.MUTED)
    pad = 1 if high >= 2 + len(head) + len(body) + 1 + 2 * len(choices) else 0
    options, columns = foot_rows(
        choices, selected, cells, glyphs, enter=key_name(keymap, "choose-option", glyphs)
    )
    room = high - 2 * pad - lines_of(head) - 1 - lines_of(options)
    seen = min(len(body), max(1, room)) if body else 0
    between = more_row(keymap, glyphs) if seen < len(body) else RAISED_BLANK
    return DialogRows(over_all, pad, side, head, tuple(body), seen, (between, *options), columns)
