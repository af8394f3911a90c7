"""The detail of a selected session: how it began, how it ended, and what state it is in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.marks import NO_SESSION_MARKS
from ink_tui.model.row_words import forked_words, problems, title_words
from ink_tui.model.text import one_line, short_path
from ink_tui.model.words import Facts, StateCode, counted, words
from ink_tui.tui.render import figures
from ink_tui.tui.render.lines import Line, wrap_pieces
from ink_tui.tui.render.list_rows import age_of
from ink_tui.tui.render.rows import Cut, Piece, Role
from ink_tui.tui.render.state_pieces import MARK_ROLES, own_words, star_piece

if TYPE_CHECKING:
    from ink_tui.model.listing import SessionRow
    from ink_tui.model.marks import SessionMarks
    from ink_tui.model.row_words import Activity
    from ink_tui.tui.render.transcript_look import Look

_LABEL_CELLS = 15
_TEXT_CHARS = 1_000


def session_detail(
    row: SessionRow,
    look: Look,
    height: int,
    *,
    home: str = "",
    activity: Activity | None = None,
    origin: str = "",
    marks: SessionMarks = NO_SESSION_MARKS,
) -> list[Line]:
    """Return the lines of the detail of a row of the list, at most `height` of them.

    The state comes before the texts, in sentences where they leave room for each text, else in the
    words of the list; where there is room left, the last answer takes it.

    Args:
        row: The row.
        look: Width, glyphs and time.
        height: Lines there are.
        home: The user's home folder, written `~`.
        activity: What an agent does in the session.
        origin: Title of the session that it was copied from, where that is known.
        marks: What is marked on it.
    """
    cells = max(1, look.cells - 2)
    gist = row.gist
    said = [("first request", gist.first_request)]
    if gist.last_request != gist.first_request:
        said.append(("last request", gist.last_request))
    said.append(("last answer", gist.last_answer))
    said = [(label, text) for label, text in said if text.strip()]
    found = [_title(row, marks, look), _facts(row, look, home)]
    if marks.note:
        found += _labelled("note", marks.note, cells, 2 if height > 5 else 1)
    found += _origin_lines(row, origin, look)
    found += _state_lines(row, activity, look, max(1, height - len(found) - len(said)))
    for number, (label, text) in enumerate(said):
        room = height - len(found) - (len(said) - number - 1)
        found += _labelled(label, text, cells, max(1, room if number == len(said) - 1 else 1))
    return found[:height]


def _title(row: SessionRow, marks: SessionMarks, look: Look) -> Line:
    short = one_line(row.session_id or "")[:8]
    star = (star_piece(look.glyphs),) if marks.starred else ()
    words = "".join(f"  {word}" for word in marks.words)
    return Line(
        (
            *star,
            Piece(title_words(row), bold=True),
            Piece(f"  {short}" if short else "", Role.DIM, cut=Cut.NEVER),
            Piece(words, Role.MUTED, cut=Cut.NEVER),
        )
    )


def _facts(row: SessionRow, look: Look, home: str) -> Line:
    parts = [
        counted(row.messages, "message") if row.messages is not None else "",
        counted(row.branches, "branch", "branches") if row.branches is not None else "",
        row.model_id or "",
        figures.size(row.size) if row.size else "",
        age_of(row.last_ms, look),
    ]
    separator = f" {look.glyphs.separator} "
    said = separator.join(part for part in parts if part)
    path = short_path(row.cwd, home) if row.cwd else one_line(row.path)
    return Line((Piece(path, Role.MUTED, cut=Cut.PATH), Piece(f"{separator}{said}", Role.MUTED)))


def _origin_lines(row: SessionRow, origin: str, look: Look) -> list[Line]:
    """Return one line that says what a session was copied from, and up to which record."""
    said = forked_words(row, origin)
    if not said:
        return []
    at = f" at record {one_line(row.forked_at)[:8]}" if row.forked_at is not None else ""
    return [Line((Piece(own_words(said, look.glyphs), Role.MUTED), Piece(at, Role.MUTED)))]


def _state_lines(row: SessionRow, activity: Activity | None, look: Look, room: int) -> list[Line]:
    """Return what state a session is in: sentences if they fit into the room, else few words."""
    pieces = [Piece(own_words(each.text, look.glyphs), each.role) for each in _state(row, activity)]
    cells = max(1, look.cells - 2)
    lines = [Line(line) for piece in pieces for line in wrap_pieces((piece,), cells)]
    wrong = problems(row, activity)
    if len(lines) <= room or not wrong:
        return lines[:room]
    separator = f" {look.glyphs.separator} "
    short = separator.join(dict.fromkeys(each.list for each in wrong))
    return [Line((Piece(own_words(short, look.glyphs), MARK_ROLES[wrong[0].mark]),))]


def _state(row: SessionRow, activity: Activity | None) -> list[Piece]:
    found: list[Piece] = []
    for said in problems(row, activity):
        sentence = said.longer or said.tree
        found.append(Piece(sentence, MARK_ROLES[said.mark]))
    if row.cwd_missing:
        found.append(Piece(words(StateCode.FOLDER_MISSING, Facts(cwd=row.cwd)).longer, Role.MUTED))
    if row.empty and not found:
        found.append(Piece("This session has no message yet.", Role.MUTED))
    return found


def _labelled(label: str, text: str, cells: int, most: int) -> list[Line]:
    room = max(1, cells - _LABEL_CELLS)
    shown = one_line(text[:_TEXT_CHARS]).strip()
    lines = wrap_pieces((Piece(shown),), room)
    if len(lines) > most:
        lines = [*lines[: most - 1], (Piece(" ".join(_texts(lines[most - 1 :]))),)]
    front = Piece(label.ljust(_LABEL_CELLS), Role.MUTED, cut=Cut.NEVER)
    blank = Piece(" " * _LABEL_CELLS, cut=Cut.NEVER)
    return [Line((front if number == 0 else blank, *pieces)) for number, pieces in enumerate(lines)]


def _texts(lines: list[tuple[Piece, ...]]) -> list[str]:
    return ["".join(piece.text for piece in pieces) for pieces in lines]
