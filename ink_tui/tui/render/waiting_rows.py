"""What stands where a session is shown that has not been read whole. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.tui.render import figures
from ink_tui.tui.render.cells import wrap
from ink_tui.tui.render.rows import BLANK, Piece, Role, Row

if TYPE_CHECKING:
    from collections.abc import Sequence

WAITING_KEY = "text:waiting:"
"""Start of the keys of these rows."""

CONTEXT_WAITS = (
    "What the agent would be sent on resume",
    "This is known when the whole session has been read.",
)
HEALTH_WAITS = (
    "Whether the session is sound",
    "This is known when the whole session has been read.",
)
"""A title and a sentence: nothing is said that the rest of the file could make wrong."""


def reading_words(done: int, size: int) -> str:
    """Return how far a file has been read: `reading 12 of 212 MB`, `reading 380 MB of 1 GB`.

    Once all is read, its tree is still to be built: `212 MB read, building the tree`.

    Args:
        done: Bytes that have been read.
        size: Bytes of the file.
    """
    part, whole = figures.size(done), figures.size(size)
    if done >= size:
        return f"{whole} read, building the tree"
    if size < 1_000_000_000:
        megabytes = done / 1_000_000
        part = f"{megabytes:.1f}" if size < 9_950_000 else f"{megabytes:.0f}"
    return f"reading {part} of {whole}"


def waiting_rows(said: Sequence[str], progress: str, cells: int) -> list[Row]:
    """Return the rows of a tab that waits for the whole of a session.

    Args:
        said: Its title, and the sentence under it.
        progress: How far the reading is; empty while that is not known.
        cells: Width of the pane.
    """
    title, sentence = said
    rows = [Row(f"{WAITING_KEY}title", text=(Piece(title, bold=True),), selectable=False), BLANK]
    for number, line in enumerate(wrap(sentence, max(8, cells - 2))):
        piece = Piece(line, Role.MUTED)
        rows.append(Row(f"{WAITING_KEY}{number}", text=(piece,), selectable=False))
    if progress:
        words = progress[:1].upper() + progress[1:]
        rows.append(
            Row(f"{WAITING_KEY}progress", text=(Piece(words, Role.MUTED),), selectable=False)
        )
    return rows
