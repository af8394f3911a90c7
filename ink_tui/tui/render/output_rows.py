"""Outputs of tools as lines: the last lines of a long one, or all of it a part at a time.

A line of millions of characters is never wrapped as a whole: what is not shown is counted, not
looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.messages import ImageBlock, TextBlock
from ink_tui.model.sgr import has_sgr, styled_runs
from ink_tui.model.text import one_line
from ink_tui.tui.render import figures
from ink_tui.tui.render.cells import chop
from ink_tui.tui.render.lines import TAB, Line, chop_pieces, tabs_out
from ink_tui.tui.render.rows import Piece, Role
from ink_tui.tui.render.transcript_look import PART_CHARS, part_of, parts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.model.messages import ContentBlock
    from ink_tui.tui.render.transcript_look import Look

PREVIEW_LINES = 3
"""Last lines of an output that stay when it is folded."""

FAILED_LINES = 10
"""The same for a call that failed: it opens by itself."""

_PREVIEW_CHARS = 4_000
"""Where the last lines are looked for, from the end."""


def text_of(content: Sequence[ContentBlock]) -> str:
    """Return the one text of some content without copying it, or several joined by newlines."""
    texts = [block.text for block in content if isinstance(block, TextBlock)]
    text = texts[0] if len(texts) == 1 else "\n".join(texts)
    return text[:-1] if text.endswith("\n") and len(text) <= PART_CHARS else text


def line_count(text: str) -> int:
    """Return how many lines a text has; a newline at its end starts none."""
    return text.count("\n") + (1 if text and not text.endswith("\n") else 0)


def image_words(image: ImageBlock, dot: str = "·") -> str:
    """Return what stands in place of an image, which is never decoded: its type and its size."""
    octets = image.size * 3 // 4  # of base64, four characters stand for three bytes
    parts = ("image", one_line(image.mime_type), f"about {figures.size(octets)}")
    return f" {dot} ".join(part for part in parts if part)


def image_lines(content: Sequence[ContentBlock], dot: str = "·") -> list[Line]:
    """Return a line for each image and for each block of a kind that is not known.

    Args:
        content: The content.
        dot: What parts the words of a placeholder.
    """
    found: list[Line] = []
    for block in content:
        if isinstance(block, ImageBlock):
            found.append(Line((Piece(image_words(block, dot), Role.MUTED),)))
        elif not isinstance(block, TextBlock):
            text = f"[unknown block {one_line(block.type_name)}] {one_line(block.preview)}"
            found.append(Line((Piece(text, Role.MUTED),)))
    return found


def coloured(text: str, role: Role) -> list[tuple[Piece, ...]]:
    """Return lines of an output in their own colours, which begin anew with the text.

    Args:
        text: One part of an output; its tabs are made blanks.
        role: The colour of what has none.
    """
    lines: list[list[Piece]] = [[]]
    column = 0
    for run in styled_runs(text):
        for number, part in enumerate(run.text.split("\n")):
            if number:
                lines.append([])
                column = 0
            before = column % TAB
            shown = (" " * before + part).expandtabs(TAB)[before:]
            column += len(shown)
            if shown:
                look = (run.bold, run.italic, run.underline)
                lines[-1].append(Piece(shown, role, *look, ansi=run.colour))
    return [tuple(line) or (Piece("", role),) for line in lines]


def key_hint(text: str, key: str, label: str) -> Line:
    """Return a line that says what is left out and which key shows it."""
    front = (Piece(f"{text}   ", Role.DIM),) if text else ()
    return Line((*front, Piece(key, Role.ACCENT, part="fold"), Piece(f" {label}", Role.MUTED)))


def last_lines(text: str, keep: int) -> tuple[list[str], int]:
    """Return the last lines of a text and how many stand above them.

    Of a line that is longer than what is looked at only the end is returned.
    """
    lines = line_count(text)
    end = text[-_PREVIEW_CHARS:]
    shown = (end[:-1] if end.endswith("\n") else end).split("\n") if end else []
    shown = shown[-keep:]
    return shown, lines - len(shown)


def preview_lines(
    text: str, keep: int, role: Role = Role.MUTED, *, colours: bool = False
) -> list[Line]:
    """Return the folded form of an output: what stands above is counted, each line is one row.

    Args:
        text: The output.
        keep: Last lines that are shown.
        role: Their colour.
        colours: Draw them in their own colours where they have some.
    """
    if not text:
        return []
    shown, above = last_lines(text, keep)
    found: list[Line] = []
    if above > 0:
        noun = "line" if above == 1 else "lines"
        found.append(key_hint(f"{above:,} {noun} above", "enter", "show all"))
    elif len(text) > _PREVIEW_CHARS:
        found.append(key_hint(f"{len(text):,} characters", "enter", "show from the start"))
    if colours and any(map(has_sgr, shown)):
        return found + [Line(pieces) for pieces in coloured("\n".join(shown), role)]
    found.extend(Line((Piece(tabs_out(line), role),)) for line in shown)
    return found


def whole_lines(text: str, part: int, look: Look, room: int, role: Role = Role.TEXT) -> list[Line]:
    """Return one part of an output, wrapped or cut, and where it stands in the whole."""
    parts = parts_of(text)
    found: list[Line] = []
    if part:
        found.append(Line((Piece(f"{part * PART_CHARS:,} characters above", Role.DIM),)))
    shown = part_of(text, part)
    if look.colours and has_sgr(shown):
        for pieces in coloured(shown, role):
            found.extend(Line(each) for each in chop_pieces(pieces, room if look.wrap else 0))
    else:
        for line in tabs_out(shown).split("\n"):
            chopped = chop(line, room) if look.wrap and line else [line]
            found.extend(Line((Piece(piece, role),)) for piece in chopped)
    if part + 1 < parts:
        place = f"part {part + 1} of {parts:,}, {len(text):,} characters in all"
        found.append(key_hint(place, "enter", "show the next part"))
    return found
