"""Sessions as values, arranged and drawn: what the session list shows, whatever is done to it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from typing import TYPE_CHECKING

from textual.containers import Vertical

from ink_tui.model.archive import still_asked
from ink_tui.model.groups import Listing, ListItem, ListQuery, arrange
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.list_rows import list_rows, nothing_rows, trouble_rows, with_bold_title
from ink_tui.tui.render.rows import BLANK
from ink_tui.tui.render.transcript_look import Look
from ink_tui.tui.widgets.filter_field import FilterField

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime, tzinfo

    from textual.app import ComposeResult

    from ink_tui.model.listing import SessionRow
    from ink_tui.model.marks import Marks
    from ink_tui.model.row_words import Activity
    from ink_tui.tui.widgets.rows_view import RowsView


class ArrangedList(Vertical):
    """Holds the rows and how they are asked for; keeps the view as they say."""

    def __init__(
        self,
        *,
        now: Callable[[], datetime],
        zone: tzinfo = UTC,
        home: str = "",
        current_cwd: str = "",
        view: RowsView,
        glyphs: Glyphs = UNICODE,
        id: str | None = None,  # noqa: A002  (Textual's name)
    ) -> None:
        """Make an empty list.

        Args:
            now: The present, aware.
            zone: The user's zone.
            home: The user's home folder, written `~`.
            current_cwd: Working folder that the program was started in; its group stands first.
            view: What draws the rows.
            glyphs: The set to draw with.
            id: Id of the widget.
        """
        super().__init__(id=id)
        self.glyphs = glyphs
        self._now = now
        self._zone = zone
        self._home = home
        self._rows: Sequence[SessionRow] = ()
        self._by_path: dict[str, SessionRow] = {}
        self._asked = ListQuery(current_cwd=current_cwd, home=home, zone=zone, first_whole=True)
        self._listing = Listing((), 0, 0, 0, 0)
        self._prepared: tuple[Sequence[SessionRow], ListQuery, Listing] | None = None
        """Rows that are to be shown next, how they were asked for, and the list that they make."""
        self._items: dict[str, ListItem] = {}
        self._bold: str | None = None
        self.field = FilterField(glyphs=glyphs)
        self.view = view

    def compose(self) -> ComposeResult:
        """Yield the filter and the rows."""
        yield self.field
        yield self.view

    # What is shown

    @property
    def listing(self) -> Listing:
        """The arranged rows with their figures, for the header."""
        return self._listing

    @property
    def asked(self) -> ListQuery:
        """How the list is shown now."""
        return self._asked

    @property
    def selected_path(self) -> str | None:
        """Path of the selected session; `None` while a heading or nothing is selected."""
        item = self.selected_item
        return item.row.path if item is not None and item.row is not None else None

    @property
    def selected_item(self) -> ListItem | None:
        """What is selected: a session, a heading, or what stands for others."""
        return self._items.get(self.view.selected or "")

    @property
    def selected_row(self) -> SessionRow | None:
        """The selected session."""
        item = self.selected_item
        return item.row if item is not None else None

    def prepare(self, rows: Sequence[SessionRow]) -> None:
        """Arrange rows before they are shown, in the thread that has read them.

        Of thousands of rows this takes longer than a key may wait.
        """
        asked = self._asked_now()
        self._prepared = (rows, asked, arrange(rows, asked))

    def set_rows(
        self, rows: Sequence[SessionRow], activities: Mapping[str, Activity] | None = None
    ) -> None:
        """Show other rows; the selection stays on its session.

        Args:
            rows: All sessions, in any order.
            activities: What agents do, by path; `None` keeps what is known.
        """
        self._rows = rows
        self._by_path = {row.path: row for row in rows}
        if activities is not None:
            self._asked = replace(self._asked, activities=activities)
        self._arrange()

    def set_activities(self, activities: Mapping[str, Activity]) -> None:
        """Say what agents do, by path of their session."""
        self._asked = replace(self._asked, activities=activities)
        self._arrange()

    def set_marks(self, marks: Marks) -> None:
        """Say what is marked; what has just been archived is no longer asked for by name."""
        put_away = marks.archived - self._asked.marks.archived
        asked = still_asked(self._asked.asked, self._by_path, put_away)
        self._asked = replace(self._asked, marks=marks, asked=asked)
        self._arrange()

    def tick(self) -> None:
        """Draw ages and running times anew."""
        self._arrange()

    # Drawing

    def _asked_now(self) -> ListQuery:
        now = self._now()
        midnight = now.astimezone(self._zone).replace(hour=0, minute=0, second=0, microsecond=0)
        return replace(
            self._asked,
            now_ms=int(now.timestamp() * 1000),
            today_ms=int(midnight.timestamp() * 1000),
        )

    def _arranged(self) -> Listing:
        """Return the list that the rows make: what was prepared of them, if it still holds."""
        prepared, self._prepared = self._prepared, None
        if prepared is not None and prepared[0] is self._rows:
            asked = prepared[1]
            self._asked = replace(self._asked, now_ms=asked.now_ms, today_ms=asked.today_ms)
            if self._asked == asked:
                return prepared[2]
        self._asked = self._asked_now()
        return arrange(self._rows, self._asked)

    def _arrange(self) -> None:
        now = self._now()
        self._listing = self._arranged()
        self._items = {item.key: item for item in self._listing.items}
        look = Look(self.size.width, self.glyphs, now, self._zone)
        rows = list_rows(self._listing, look, home=self._home, selected=self.view.selected)
        trouble = self._filter_trouble()
        said = trouble_rows(trouble, look) or nothing_rows(self._listing, self._asked.filter, look)
        self._bold = self.view.selected
        self.view.set_rows([*said, *([BLANK] if said and rows else []), *rows])
        self.field.show(self._asked)

    def _filter_trouble(self) -> str:
        """Return what is wrong with the filter."""
        if not self._asked.filter:
            return ""
        from ink_tui.model.list_filter import read_filter  # came with the first filter

        return read_filter(self._asked.filter).trouble

    def _bold_selected(self) -> None:
        """Put the title of the selected session in bold, and no other."""
        selected = self.view.selected
        if selected == self._bold:
            return
        for key in (self._bold, selected):
            row = self.view.row(key) if key is not None else None
            if row is not None and row.key.startswith("session:"):
                self.view.put_row(with_bold_title(row, bold=row.key == selected))
        self._bold = selected
