"""The session list: groups of sessions, a filter, and a selection that follows the file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input

from ink_tui.keymap import Context
from ink_tui.model.archive import still_asked
from ink_tui.model.groups import (
    Arrangement,
    ItemKind,
    Listing,
    ListItem,
    ListQuery,
    arrange,
    next_needing,
    session_key,
)
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.list_rows import SESSION_COLUMNS, list_rows, nothing_rows, with_bold_title
from ink_tui.tui.render.transcript_look import Look
from ink_tui.tui.widgets.bindings import bindings_for
from ink_tui.tui.widgets.filter_field import FilterField, FilterInput
from ink_tui.tui.widgets.rows_view import RowsView

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import tzinfo

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from ink_tui.model.listing import SessionRow
    from ink_tui.model.marks import Marks
    from ink_tui.model.row_words import Activity

_FOLDS = frozenset({ItemKind.GROUP, ItemKind.MORE, ItemKind.MORE_CHILDREN})


class _Rows(RowsView):
    """The rows; the keys of the list act while they have the focus."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for(Context.LIST)]

    @property
    def _list(self) -> SessionList:
        found = self.parent
        assert isinstance(found, SessionList)
        return found

    def action_fold_group(self) -> None:
        """Fold the group of the selected row."""
        self._list.fold_group()

    def action_unfold_group(self) -> None:
        """Unfold the selected group."""
        self._list.unfold_group()

    def action_show_hidden(self) -> None:
        """Show or hide archived sessions and those without a message."""
        self._list.toggle_hidden()


class SessionList(Vertical):
    """Takes rows as values; arranges, filters and folds them."""

    DEFAULT_CSS = """
    SessionList { width: 1fr; height: 1fr; background: $background; }
    SessionList > _Rows { height: 1fr; margin-top: 1; }
    """

    @dataclass
    class SessionSelected(Message):
        """Another session is selected, or none."""

        sessions: SessionList
        path: str | None

        @property
        def control(self) -> SessionList:
            """The list, for `@on` with a selector."""
            return self.sessions

        def can_replace(self, message: Message) -> bool:
            """A newer selection makes one that waits in the queue pointless."""
            return (
                isinstance(message, SessionList.SessionSelected)
                and message.sessions is self.sessions
            )

    @dataclass
    class SessionOpened(Message):
        """A session was opened: by `enter` or a second click."""

        sessions: SessionList
        path: str

        @property
        def control(self) -> SessionList:
            """The list, for `@on` with a selector."""
            return self.sessions

    @dataclass
    class FilterChanged(Message):
        """Other words are in the filter, or hidden rows are shown or not."""

        sessions: SessionList
        words: str

        @property
        def control(self) -> SessionList:
            """The list, for `@on` with a selector."""
            return self.sessions

    def __init__(
        self,
        *,
        now: Callable[[], datetime],
        zone: tzinfo = UTC,
        home: str = "",
        current_cwd: str = "",
        glyphs: Glyphs = UNICODE,
        id: str | None = None,  # noqa: A002  (Textual's name)
    ) -> None:
        """Make an empty list.

        Args:
            now: The present, aware.
            zone: The user's zone.
            home: The user's home folder, written `~`.
            current_cwd: Working folder that the program was started in; its group stands first.
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
        self._asked = ListQuery(current_cwd=current_cwd)
        self._listing = Listing((), 0, 0, 0, 0)
        self._items: dict[str, ListItem] = {}
        self._bold: str | None = None
        self._chosen: str | None = None
        self.field = FilterField(glyphs=glyphs)
        self.view = _Rows(columns=SESSION_COLUMNS, glyphs=glyphs)

    def compose(self) -> ComposeResult:
        """Yield the filter and the rows."""
        yield self.field
        yield self.view

    def on_mount(self) -> None:
        """Say how the list is arranged."""
        self._say()

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

    def select(self, path: str) -> bool:
        """Select a session, unfolding what hides it; return whether it can be shown."""
        if path not in self._by_path:
            return False
        if self.view.select(session_key(path)):
            return True
        asked = self._asked.asked | {path}
        self._asked = replace(self._asked, selected=path, asked=asked)
        self._arrange()
        if not self.view.select(session_key(path)):
            self._asked = replace(self._asked, filter="", folded=frozenset())
            self.field.input.value = ""
            self._arrange()
        return self.view.select(session_key(path))

    def tick(self) -> None:
        """Draw ages and running times anew."""
        self._arrange()

    def open_filter(self) -> None:
        """Put the focus in the filter."""
        self.field.input.focus()

    def set_filter(self, words: str) -> None:
        """Show what every word of a text occurs in; an empty text shows all."""
        self.field.input.value = words

    def toggle_hidden(self) -> None:
        """Show or hide archived sessions and those without a message."""
        self._asked = replace(self._asked, show_hidden=not self._asked.show_hidden)
        self._say()
        self._arrange()
        self.post_message(self.FilterChanged(self, self._asked.filter))

    def arrange_by(self, arrangement: Arrangement) -> None:
        """Divide the list by folder or by urgency."""
        self._asked = replace(self._asked, arrangement=arrangement)
        self._say()
        self._arrange()
        # Other sections: begin at their top, as far as the selected session lets one.
        self.view.scroll_to(y=0, animate=False, force=True)
        if self.view.selected is not None:
            self.view.select(self.view.selected)

    def toggle_arrangement(self) -> None:
        """Change between by folder and by urgency."""
        by_folder = self._asked.arrangement is Arrangement.FOLDER
        self.arrange_by(Arrangement.URGENCY if by_folder else Arrangement.FOLDER)

    def next_problem(self, step: int = 1) -> bool:
        """Select the next session that needs a person, round at the end.

        Args:
            step: 1 to look down, -1 to look up.
        """
        path = next_needing(self._listing, self.selected_path, step, self._asked.activities)
        return path is not None and self.select(path)

    # Folding

    def fold_group(self) -> None:
        """Fold the group of the selected row."""
        item = self.selected_item
        if item is not None and item.kind not in (ItemKind.GROUP, ItemKind.ARCHIVED):
            self._fold(item.group)

    def unfold_group(self) -> None:
        """Unfold the selected group, or show the rest of it."""
        item = self.selected_item
        if item is not None and item.kind in _FOLDS:
            self._unfold(item)

    def _fold(self, group: str) -> None:
        self._asked = replace(
            self._asked,
            folded=self._asked.folded | {group},
            opened=self._asked.opened - {group},
            selected=None,
        )
        self._arrange()
        self.view.select(f"group:{group}")

    def _unfold(self, item: ListItem) -> None:
        """Open a folded group, or show what a "more" row stands for."""
        shown = {each.key for each in self._listing.items}
        wanted = item.key if item.kind is ItemKind.MORE_CHILDREN else item.group
        opened = self._asked.opened
        if item.kind is not ItemKind.GROUP or item.group.startswith("urgency:"):
            opened |= {wanted}
        self._asked = replace(self._asked, opened=opened, folded=self._asked.folded - {item.group})
        self._arrange()
        for each in self._listing.items:
            if each.key not in shown and each.kind is ItemKind.SESSION:
                self.view.select(each.key)
                break

    # Drawing

    def _arrange(self) -> None:
        now = self._now()
        midnight = now.astimezone(self._zone).replace(hour=0, minute=0, second=0, microsecond=0)
        self._asked = replace(
            self._asked,
            now_ms=int(now.timestamp() * 1000),
            today_ms=int(midnight.timestamp() * 1000),
        )
        self._listing = arrange(self._rows, self._asked)
        self._items = {item.key: item for item in self._listing.items}
        look = Look(self.size.width, self.glyphs, now, self._zone)
        rows = list_rows(self._listing, look, home=self._home, selected=self.view.selected)
        if not self._listing.items:
            rows = nothing_rows(self._listing, self._asked.filter, look)
        self._bold = self.view.selected
        self.view.set_rows(rows)

    def _say(self) -> None:
        shown = " · with hidden ones" if self._asked.show_hidden else ""
        self.field.say(f"{self._asked.arrangement.value}{shown}")

    def _bold_selected(self) -> None:
        """Put the title of the selected session in bold, and no other."""
        selected = self.view.selected
        if selected == self._bold:
            return
        changed = {self._bold, selected}
        self._bold = selected
        rows = [
            with_bold_title(row, bold=row.key == selected)
            if row.key in changed and row.key.startswith("session:")
            else row
            for row in self.view.rows
        ]
        self.view.set_rows(rows)

    @on(RowsView.Highlighted)
    def _tell_selected(self, message: RowsView.Highlighted) -> None:
        message.stop()
        path = self.selected_path
        item = self.selected_item
        if path is not None and item is not None and path != self._asked.selected:
            # Groups that were entered stay shown whole, so that nothing moves when one leaves.
            self._asked = replace(
                self._asked, selected=path, opened=self._asked.opened | {item.group}
            )
            if any(each.kind is ItemKind.MORE for each in self._listing.items):
                self._arrange()
        self._bold_selected()
        if path != self._chosen:
            self._chosen = path
            self.post_message(self.SessionSelected(self, path))

    @on(RowsView.Opened)
    def _open_row(self, message: RowsView.Opened) -> None:
        message.stop()
        item = self._items.get(message.key)
        if item is None:
            return
        if item.kind is ItemKind.GROUP and item.opened:
            self._fold(item.group)
        elif item.kind in _FOLDS:
            self._unfold(item)
        elif item.kind is ItemKind.ARCHIVED:
            self.toggle_hidden()
        elif item.row is not None:
            self.post_message(self.SessionOpened(self, item.row.path))

    @on(Input.Changed)
    def _filter(self, message: Input.Changed) -> None:
        message.stop()
        if message.value != self._asked.filter:
            self._asked = replace(self._asked, filter=message.value)
            self._arrange()
            self.post_message(self.FilterChanged(self, message.value))

    @on(FilterInput.Left)
    def _leave_filter(self, message: FilterInput.Left) -> None:
        message.stop()
        self.view.focus()
