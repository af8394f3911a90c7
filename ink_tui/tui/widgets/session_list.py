"""The session list: groups of sessions, a filter, and a selection that follows the file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.message import Message
from textual.widgets import Input

from ink_tui.keymap import Context
from ink_tui.model.groups import MORE_KEY, Arrangement, ItemKind, session_key
from ink_tui.model.scope import NO_REPOSITORY, Repository, Scope
from ink_tui.tui.messages import ActionChosen
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.list_rows import SESSION_COLUMNS
from ink_tui.tui.render.view_words import HIDDEN, SCOPE, SECTIONS
from ink_tui.tui.widgets.arranged_list import ArrangedList
from ink_tui.tui.widgets.bindings import bindings_for
from ink_tui.tui.widgets.early_keys import focus_now
from ink_tui.tui.widgets.filter_field import FilterInput
from ink_tui.tui.widgets.rows_view import RowsView

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, tzinfo

    from textual.binding import BindingType

    from ink_tui.model.groups import ListItem

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

    def action_sections(self) -> None:
        """Divide the list by something else: folder, urgency, time."""
        self._list.next_arrangement()

    def action_scope(self) -> None:
        """Ask for the next scope."""
        self._list.ask_scope()


class SessionList(ArrangedList):
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

    @dataclass
    class ArrangementChanged(Message):
        """The list is divided by something else."""

        sessions: SessionList

        @property
        def control(self) -> SessionList:
            """The list, for `@on` with a selector."""
            return self.sessions

    @dataclass
    class ScopeWanted(Message):
        """Another scope was asked for; `show_scope` shows it."""

        sessions: SessionList
        scope: Scope | None
        """`None` for the next one."""

        @property
        def control(self) -> SessionList:
            """The list, for `@on` with a selector."""
            return self.sessions

        def can_replace(self, message: Message) -> bool:
            """Never: two presses are two steps."""
            return False

    @dataclass
    class GuestShown(Message):
        """A session outside the scope is shown, since it was asked for by name."""

        sessions: SessionList

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
        view = _Rows(columns=SESSION_COLUMNS, glyphs=glyphs)
        super().__init__(
            now=now,
            zone=zone,
            home=home,
            current_cwd=current_cwd,
            view=view,
            glyphs=glyphs,
            id=id,
        )
        self._chosen: str | None = None
        self._before_urgency = Arrangement.FOLDER
        self._left: tuple[str, str | None] | None = None
        """Path that a scope has taken the selection from, and the one that has it instead."""

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
        item = self._items.get(session_key(path))
        if item is not None and item.outside:
            self.post_message(self.GuestShown(self))
        return self.view.select(session_key(path))

    def open_filter(self) -> None:
        """Put the focus in the filter."""
        focus_now(self.field.input)

    def set_filter(self, words: str) -> None:
        """Show what every word of a text occurs in; an empty text shows all."""
        self.field.input.value = words

    def toggle_hidden(self) -> None:
        """Show or hide archived sessions and those without a message."""
        self._asked = replace(self._asked, show_hidden=not self._asked.show_hidden)
        self._arrange()
        self.post_message(self.FilterChanged(self, self._asked.filter))

    # Sections and scope

    def arrange_by(self, arrangement: Arrangement) -> None:
        """Divide the list by folder, by urgency or by time."""
        if arrangement is not Arrangement.URGENCY:
            self._before_urgency = arrangement
        self._asked = replace(self._asked, arrangement=arrangement)
        self._arrange_anew()
        self.post_message(self.ArrangementChanged(self))

    def next_arrangement(self) -> None:
        """Divide the list by the next thing, round at the end."""
        known = list(Arrangement)
        self.arrange_by(known[(known.index(self._asked.arrangement) + 1) % len(known)])

    def toggle_urgency(self) -> None:
        """Change to by urgency, or back to what it was before."""
        is_urgency = self._asked.arrangement is Arrangement.URGENCY
        self.arrange_by(self._before_urgency if is_urgency else Arrangement.URGENCY)

    def ask_scope(self, scope: Scope | None = None) -> None:
        """Ask for a scope; `None` is the next one."""
        self.post_message(self.ScopeWanted(self, scope))

    def show_scope(self, scope: Scope, repository: Repository = NO_REPOSITORY) -> None:
        """Show the sessions of a scope; the selection stays on its session, or comes back to it.

        What was asked for by name leaves, archived sessions excepted.

        Args:
            scope: The scope.
            repository: The git repository, for the scope of one.
        """
        before = self.selected_path
        resting = {each.row.path for each in self._listing.items if each.row and each.rests}
        self._asked = replace(
            self._asked, scope=scope, repository=repository, asked=self._asked.asked & resting
        )
        self._arrange_anew()
        went = self._left is not None and self._left[1] == before
        wanted = self._left[0] if self._left is not None and went else before
        self._left = None
        if wanted is None or wanted == self.selected_path:
            return
        if scope is Scope.ALL or session_key(wanted) in self._items:
            self.select(wanted)
        else:
            self._left = (wanted, self.selected_path)

    def _arrange_anew(self) -> None:
        """Show other sections: begin at their top, as far as the selected session lets one."""
        self._arrange()
        self.view.scroll_to(y=0, animate=False, force=True)
        if self.view.selected is not None:
            self.view.select(self.view.selected)

    @on(ActionChosen)
    def _do_chosen(self, message: ActionChosen) -> None:
        """Do what was clicked in the line of the filter, wherever the focus is."""
        known = {
            SECTIONS: self.next_arrangement,
            SCOPE: self.ask_scope,
            HIDDEN: self.toggle_hidden,
        }
        act = known.get(message.action_id)
        if act is not None:
            message.stop()
            act()

    def next_problem(self, step: int = 1) -> bool:
        """Select the next session that needs a person, round at the end.

        Args:
            step: 1 to look down, -1 to look up.
        """
        from ink_tui.model.list_walk import next_needing  # loaded behind the first rows

        path = next_needing(self._listing, self.selected_path, step, self._asked.activities)
        return path is not None and self.select(path)

    # Folding

    def fold_group(self) -> None:
        """Fold the group of the selected row."""
        item = self.selected_item
        if item is not None and item.group and item.kind is not ItemKind.GROUP:
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

    @on(RowsView.Highlighted)
    def _tell_selected(self, message: RowsView.Highlighted) -> None:
        message.stop()
        path = self.selected_path
        item = self.selected_item
        if path is not None and item is not None and path != self._asked.selected:
            # Groups that were entered stay shown whole, so that nothing moves when one leaves.
            self._asked = replace(
                self._asked,
                selected=path,
                first_whole=False,
                opened=self._asked.opened | {item.group},
            )
            if MORE_KEY + item.group in self._items:
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
        elif item.kind is ItemKind.OUTSIDE:
            self.ask_scope(Scope.ALL)
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
        focus_now(self.view)
