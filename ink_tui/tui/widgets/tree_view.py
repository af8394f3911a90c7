"""The rows of a session's tree: what of it is seen, folded and filtered, and how it is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from textual.message import Message

from ink_tui.model.marks import NO_SESSION_MARKS
from ink_tui.model.outline_guests import aside, with_guests
from ink_tui.model.outline_marks import with_marks
from ink_tui.model.outline_rows import (
    HEADING_KEY,
    NO_OUTLINE,
    CallLook,
    Outline,
    OutlineRow,
    RowKind,
)
from ink_tui.model.outline_view import containers, nearest_visible
from ink_tui.model.tree_choice import USUAL, FilterMode
from ink_tui.model.tree_figures import NO_FIGURES, row_figures
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.rows import PLAIN_COLUMNS, TREE_COLUMNS
from ink_tui.tui.render.transcript_look import Look
from ink_tui.tui.render.tree_column import columns_with, row_with
from ink_tui.tui.render.tree_rows import tree_outlines
from ink_tui.tui.widgets.rows_view import RowsView

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import tzinfo

    from ink_tui.model.entries import EntryId
    from ink_tui.model.marks import SessionMarks
    from ink_tui.model.session import Session
    from ink_tui.model.tree_choice import TreeChoice
    from ink_tui.tui.render.rows import Columns, Row


class TreeView(RowsView):
    """Takes an `Outline` that was computed elsewhere; remembers what is folded."""

    @dataclass
    class EntryHighlighted(Message, namespace="session_tree"):
        """Another row is selected, or none."""

        tree: TreeView
        row: OutlineRow | None

        @property
        def control(self) -> TreeView:
            """The tree, for `@on` with a selector."""
            return self.tree

        @property
        def entry_id(self) -> EntryId | None:
            """The entry of the row, if it stands for one."""
            return self.row.entry_id if self.row is not None else None

        def can_replace(self, message: Message) -> bool:
            """A newer selection makes one that waits in the queue pointless."""
            return isinstance(message, TreeView.EntryHighlighted) and message.tree is self.tree

    @dataclass
    class EntryOpened(Message, namespace="session_tree"):
        """A row was opened that does not fold."""

        tree: TreeView
        row: OutlineRow

        @property
        def control(self) -> TreeView:
            """The tree, for `@on` with a selector."""
            return self.tree

        @property
        def entry_id(self) -> EntryId | None:
            """The entry of the row, if it stands for one."""
            return self.row.entry_id

    @dataclass
    class GuestsWanted(Message, namespace="session_tree"):
        """A row was unfolded to the records of another session: they are to be read."""

        host: OutlineRow

    @dataclass
    class GuestOpened(Message, namespace="session_tree"):
        """A record of another session was opened, or what stands for such."""

        row: OutlineRow

    @dataclass
    class SeenChanged(Message, namespace="session_tree"):
        """What is said of the choice, `seen_words`, is something else now."""

        tree: TreeView

        @property
        def control(self) -> TreeView:
            """The tree, for `@on` with a selector."""
            return self.tree

        def can_replace(self, message: Message) -> bool:
            """Only how it is now counts."""
            return isinstance(message, TreeView.SeenChanged) and message.tree is self.tree

    def __init__(
        self,
        *,
        now: Callable[[], datetime],
        zone: tzinfo = UTC,
        glyphs: Glyphs = UNICODE,
        id: str | None = None,  # noqa: A002  (Textual's name)
        classes: str | None = None,
    ) -> None:
        """Make an empty tree.

        Args:
            now: The present, aware.
            zone: The user's zone.
            glyphs: The set to draw with.
            id: Id of the widget.
            classes: Style classes of the widget.
        """
        super().__init__(columns=TREE_COLUMNS, glyphs=glyphs, id=id, classes=classes)
        self._now = now
        self._zone = zone
        self._unmarked: Outline = NO_OUTLINE
        self._guests: dict[str, tuple[OutlineRow, ...]] = {}
        """What is unfolded of other sessions, by the key of the row that does."""
        self._marks = NO_SESSION_MARKS
        self._outline: Outline = NO_OUTLINE
        self._session = ""
        self._source: Session | None = None
        self._opened: set[str] = set()
        self._seen: tuple[OutlineRow, ...] = ()
        self._drawn: dict[str, OutlineRow] = {}
        self._places: dict[str, Row] = {}
        """Rows without content made so far, by key."""
        self._look = Look(0, glyphs, now(), zone)
        self.choice = USUAL
        """What is remembered; change it by `choose`."""
        self.mode = FilterMode.DEFAULT
        """What is shown; change it by `show_mode`."""
        self._moved: tuple[str, str] | None = None
        """The row that a filter hid, and the one that was selected in its place."""
        self._said = self.seen_words

    def whole_row(self, row: Row) -> Row:
        """Return what is drawn for a row; made for the rows on the screen alone."""
        found = self._drawn.get(row.key)
        if found is None:
            return row
        known = row_figures(found, self._source) if self._source is not None else NO_FIGURES
        return row_with(found, self._look, self.choice.column, self.columns, known)

    def columns_of(self, row: Row) -> Columns:
        """Return the fixed columns of a row; the heading of a section has none."""
        return PLAIN_COLUMNS if row.key.startswith(HEADING_KEY) else self.columns

    # What is shown

    @property
    def outline(self) -> Outline:
        """The rows of the session, folded or not."""
        return self._outline

    @property
    def seen(self) -> tuple[OutlineRow, ...]:
        """The rows that are seen."""
        return self._seen

    @property
    def highlighted(self) -> OutlineRow | None:
        """The selected row."""
        return self._outline.row(self.selected) if self.selected is not None else None

    def set_outline(
        self,
        outline: Outline,
        session: str,
        marks: SessionMarks = NO_SESSION_MARKS,
        source: Session | None = None,
    ) -> None:
        """Show a session, or a newer state of the same one.

        A newer state keeps what is unfolded and what is selected; a selection on the last record
        of the trunk goes on to the new last record.

        Args:
            outline: The rows, computed elsewhere.
            session: Path of the session.
            marks: What is marked on it.
            source: Its records, for what its rows took.
        """
        self._source = source
        fresh = session != self._session
        if fresh:
            self.mode, self._moved = self.choice.mode, None
        followed = not fresh and self.selected is not None and self.selected == self._end_key()
        if fresh:
            self._opened.clear()
            self._places.clear()
            self._session = session
        before = self._unmarked if not fresh and marks == self._marks == NO_SESSION_MARKS else None
        self._unmarked, self._marks = outline, marks
        if fresh:
            self._guests.clear()
        self._put_rows()
        self._show(None, before if not self._guests else None)
        end = self._end_key()
        if (fresh or followed) and end is not None:
            self.to_end()
        # The same row may say something else now: a result came, another session has such a key.
        self.post_message(self.EntryHighlighted(self, self.highlighted))

    def set_marks(self, marks: SessionMarks) -> None:
        """Say what is marked; the selection goes to what a hidden branch is counted in."""
        if marks == self._marks:
            return
        self._marks = marks
        self._put_rows()
        self._show(self.selected)
        self.post_message(self.EntryHighlighted(self, self.highlighted))

    def _put_rows(self) -> None:
        self._outline = with_guests(with_marks(self._unmarked, self._marks), self._guests)

    def set_guests(self, host: str, rows: tuple[OutlineRow, ...]) -> None:
        """Show what was read of another session under the row that unfolds it, if it still does.

        Args:
            host: Key of that row.
            rows: The rows, as `outline_guests.guest_rows` returns them.
        """
        if host not in self._guests or self._guests[host] == rows:
            return
        self._guests[host] = rows
        self._put_rows()
        self._show(self.selected)
        self.post_message(self.EntryHighlighted(self, self.highlighted))

    @property
    def hosts(self) -> tuple[OutlineRow, ...]:
        """The rows that are unfolded to records of other sessions."""
        found = (self._outline.row(key) for key in self._guests)
        return tuple(row for row in found if row is not None)

    def _unfold_guests(self, row: OutlineRow) -> None:
        self._opened.add(row.key)
        self._guests[row.key] = aside("reading", row.opens)
        self._put_rows()
        self._show(self.selected)
        self.post_message(self.GuestsWanted(row))

    def _fold_guests(self, row: OutlineRow) -> None:
        inside = [key for key in self._guests if key == row.key or key.startswith(f"{row.key}>")]
        for key in inside:
            del self._guests[key]
        self._opened.difference_update(inside)
        self._put_rows()
        self._show(row.key)

    def to_end(self) -> None:
        """Select the last record of the trunk; the selection goes on with what is appended."""
        if (end := self._end_key()) is not None:
            self.select(end)
            self._reveal_resume_point()

    def choose(self, choice: TreeChoice) -> None:
        """Show what is chosen for all trees."""
        self.choice = choice
        self.show_mode(choice.mode)

    def show_mode(self, mode: FilterMode) -> None:
        """Show other kinds of rows; the selection goes to its nearest ancestor that is seen.

        With another filter it goes back to where it was, if nobody has moved it.
        """
        self.mode = mode
        wanted = self.selected
        if self._moved is not None and self._moved[1] == wanted:
            wanted = self._moved[0] if self._outline.row(self._moved[0]) else wanted
        self._show(wanted)
        now = self.selected
        self._moved = (wanted, now) if wanted and now and now != wanted else None

    @property
    def seen_words(self) -> tuple[str, ...]:
        """What is said of a choice that is not the usual one, longest first; empty for that."""
        column = self.choice.column
        said = "" if column is USUAL.column else column.value
        if self.mode is USUAL.mode:
            return (said,) if said else ()
        count, total = len(self._seen), len(self._outline.rows)
        mode = self.mode.value
        words = (
            f"{count:,} of {total:,} · {mode}",
            f"{count:,}/{total:,} {mode}",
            mode,
            f"{count:,}/{total:,}",
        )
        return (f"{words[0]} · {said}", *words) if said else words

    def select_entry(self, entry_id: EntryId, *, centre: bool = False) -> bool:
        """Select the row of an entry, unfolding what hides it; return whether there is one."""
        key = self._outline.by_entry.get(entry_id)
        return key is not None and self.reveal(key, centre=centre)

    def reveal(self, key: str, *, centre: bool = False) -> bool:
        """Select a row, unfolding what hides it and showing all where the filter hides it."""
        row = self._outline.row(key)
        if row is None:
            return False
        hiding = [each for each in containers(self._outline, key) if each not in self._opened]
        if hiding:
            self._opened.update(hiding)
            self._show(self.selected)
        if not self.select(key, centre=centre):
            self.show_mode(FilterMode.ALL if row.only_all else FilterMode.DEFAULT)
            return self.select(key, centre=centre)
        return True

    def tick(self) -> None:
        """Draw the times of running calls anew; call it once a second while an agent works."""
        if any(row.look is CallLook.RUNNING for row in self._seen):
            self._draw()

    def _show(self, selected: str | None, before: Outline | None = None) -> None:
        """Find the rows that are seen, from those of an outline before; stay near a row."""
        from ink_tui.model.outline_growth import seen_after_growth  # came with the outline

        self._seen = seen_after_growth(before, self._seen, self._outline, self._opened, self.mode)
        seen = {row.key for row in self._seen if row.kind is not RowKind.HEADING}
        target = nearest_visible(self._outline, seen, selected) if selected is not None else None
        self._draw()
        if target is not None and target != self.selected:
            self.select(target)

    def _draw(self) -> None:
        self._look = Look(self.size.width, self.glyphs, self._now(), self._zone)
        self._drawn = {row.key: row for row in self._seen}
        self.columns = columns_with(self._seen, self._look, self.choice.column)
        rows = tree_outlines(self._seen, self._places)
        self._places.update((row.key, row) for row in rows)
        self.set_rows(rows)
        if self.seen_words != self._said:
            self._said = self.seen_words
            self.post_message(self.SeenChanged(self))

    def _end_key(self) -> str | None:
        """Return the key of the trunk's last record that is seen; it stands over the resume point.

        A session without a resume point ends with its last row.
        """
        last: str | None = None
        for row in self._seen:
            if row.kind is RowKind.RESUME:
                return last or row.key
            if row.depth == 0 and row.kind not in (RowKind.HEADING, RowKind.FORK):
                last = row.key
        return last

    def _reveal_resume_point(self) -> None:
        """Scroll down to the resume point where it stands just under the last record."""
        key = self._outline.resume_key
        index = self._index.find(key) if key is not None else None
        if index is not None:
            bottom = self._index.top(index + 1)
            if bottom > self.scroll_offset.y + self._page:
                self._scroll_lines(bottom - self._page)
