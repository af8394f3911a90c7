"""The detail under the list and under the tree: a few lines about what is selected."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from textual.message import Message

from ink_tui.model.marks import NO_SESSION_MARKS
from ink_tui.tui.render.detail_rows import entry_detail, light_spans, record_of
from ink_tui.tui.render.find_marks import Marking, mark_block
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.lines import Line, brought_to
from ink_tui.tui.render.rows import Ground, Piece, Role
from ink_tui.tui.render.session_detail import session_detail
from ink_tui.tui.render.transcript_look import Look
from ink_tui.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import tzinfo

    from ink_tui.model.entries import Record, Span
    from ink_tui.model.evidence import Evidence
    from ink_tui.model.listing import SessionRow
    from ink_tui.model.marks import SessionMarks
    from ink_tui.model.outline_rows import OutlineRow
    from ink_tui.model.row_words import Activity
    from ink_tui.model.verdict import Diagnosis


class DetailPane(Lines):
    """Shows one entry of a session, one session, or nothing; it takes the height it is given."""

    DEFAULT_CSS = """
    DetailPane { height: 7; background: $background; }
    """

    class WholeWanted(Message):
        """A row of a light session is to be shown whole; `set_whole` takes it."""

        def __init__(self, row: OutlineRow, record: Record | None, spans: tuple[Span, ...]) -> None:
            super().__init__()
            self.row = row
            """The row of the tree that is told of."""
            self.record = record
            """Its record as it is kept."""
            self.spans = spans
            """Where what is to be read stands."""

    def __init__(
        self,
        *,
        now: Callable[[], datetime],
        zone: tzinfo = UTC,
        home: str = "",
        glyphs: Glyphs = UNICODE,
        id: str | None = None,  # noqa: A002  (Textual's name)
        classes: str | None = None,
    ) -> None:
        """Make an empty detail.

        Args:
            now: The present, aware.
            zone: The user's zone.
            home: The user's home folder, written `~`.
            glyphs: The set to draw with.
            id: Id of the widget.
            classes: Style classes of the widget.
        """
        super().__init__(glyphs=glyphs, id=id, classes=classes)
        self._now = now
        self._zone = zone
        self._home = home
        self._hint = ""
        self._row: OutlineRow | None = None
        self._whole: tuple[OutlineRow | None, Record | None] = (None, None)
        """The same row and its record with all texts, once they were read."""
        self._make: Callable[[Look, int], list[Line]] | None = None
        self._drawn: tuple[int, int, list[Line]] | None = None

    def show_entry(
        self,
        row: OutlineRow,
        diagnosis: Diagnosis,
        hint: str = "full record",
        evidence: Mapping[str, Evidence] | None = None,
        *,
        so_far: bool = False,
        found: tuple[str, ...] = (),
    ) -> None:
        """Show a row of the tree.

        Args:
            row: The row.
            diagnosis: The session it belongs to.
            hint: What `enter` does.
            evidence: What was seen of the files of its open calls, by call id.
            so_far: Only the end of the session has been read.
            found: What a find has found in it; it is underlined.
        """
        seen = evidence.get(row.call.call_id) if evidence and row.call is not None else None
        if self._row is not row:
            self._row, self._whole = row, (None, None)
            if spans := light_spans(row, diagnosis):
                wanted = row, record_of(row, diagnosis), spans
                # Later: a message that is made while a parent acts goes no further than to it.
                self.call_later(lambda: self.post_message(self.WholeWanted(*wanted)))
        self._set(
            lambda look, height: _marked(
                entry_detail(
                    self._whole[0] or row,
                    diagnosis,
                    look,
                    height,
                    hint=hint,
                    evidence=seen,
                    so_far=so_far,
                    record=self._whole[1],
                ),
                found,
            )
        )

    def set_whole(self, row: OutlineRow, whole: OutlineRow, record: Record | None) -> None:
        """Show a row with all of its texts.

        Args:
            row: The row that they were asked for.
            whole: The same with call and result whole.
            record: Its record whole; `None` where it cannot be had.
        """
        if row is self._row:
            self._whole = (whole, record)
            self._set(self._make)

    def show_session(
        self,
        row: SessionRow,
        activity: Activity | None = None,
        origin: str = "",
        marks: SessionMarks = NO_SESSION_MARKS,
    ) -> None:
        """Show a row of the list.

        Args:
            row: The row.
            activity: What an agent does in the session.
            origin: Title of the session that it was copied from, where that is known.
            marks: What is marked on it.
        """
        self._set(
            lambda look, height: session_detail(
                row,
                look,
                height,
                home=self._home,
                activity=activity,
                origin=origin,
                marks=marks,
            )
        )

    def clear(self) -> None:
        """Show nothing."""
        self._set(None)

    def set_hint(self, words: str) -> None:
        """Show a hint in the last line, or none: what a newcomer may press next."""
        self._hint = words
        self._set(self._make)

    def _set(self, make: Callable[[Look, int], list[Line]] | None) -> None:
        self._make = make
        self._drawn = None
        self.refresh()

    def _lines_at(self, cells: int) -> list[Line]:
        height = self.size.height
        if self._drawn is None or self._drawn[:2] != (cells, height):
            lines: list[Line] = []
            room = height - 1 if self._hint else height
            if self._make is not None:
                look = Look(cells, self.glyphs, self._now(), self._zone)
                lines = self._make(look, room)
            if self._hint:
                lines += [Line(())] * (room - len(lines))
                lines.append(Line((Piece(self._hint, Role.ACCENT),)))
            self._drawn = (cells, height, lines)
        return self._drawn[2]

    def lines(self, cells: int) -> Sequence[tuple[Piece, ...]]:
        """Return what is shown."""
        return [brought_to(line, cells, self.glyphs.ellipsis) for line in self._lines_at(cells)]

    def ground(self, line: int) -> Ground:
        """Return the ground of added and removed lines."""
        lines = self._lines_at(self.size.width)
        return lines[line].ground if line < len(lines) else Ground.PLAIN


def _marked(lines: list[Line], found: tuple[str, ...]) -> list[Line]:
    """Return the lines of a record, what was found in it underlined; the first is its head."""
    return [*lines[:1], *mark_block((), lines[1:], Marking(found))[1]] if found else lines
