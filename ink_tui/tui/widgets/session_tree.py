"""The Tree tab: the rows of a session's tree with folding, filters, jumps and following."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.message import Message

from ink_tui.keymap import Context
from ink_tui.model.marks import NO_SESSION_MARKS
from ink_tui.model.outline_marks import branch_at, with_marks
from ink_tui.model.outline_rows import (
    HEADING_KEY,
    NO_OUTLINE,
    CallLook,
    FilterMode,
    Outline,
    OutlineRow,
    RowKind,
)
from ink_tui.model.outline_view import (
    FOLDS,
    Jump,
    containers,
    jump,
    nearest_visible,
    parent_key,
)
from ink_tui.tui.messages import BranchChosen
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.rows import PLAIN_COLUMNS, TREE_COLUMNS
from ink_tui.tui.render.transcript_look import Look
from ink_tui.tui.render.tree_rows import tree_columns, tree_outlines, tree_row
from ink_tui.tui.widgets.bindings import bindings_for
from ink_tui.tui.widgets.rows_view import RowsView

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import tzinfo

    from textual.binding import BindingType

    from ink_tui.model.entries import EntryId
    from ink_tui.model.marks import SessionMarks
    from ink_tui.tui.render.rows import Columns, Row

_JUMPS = frozenset(
    {
        *("next-problem", "previous-problem", "next-compaction", "previous-compaction"),
        *("next-turn", "previous-turn", "next-branch", "previous-branch"),
    }
)
_MODES = tuple(FilterMode)


class SessionTree(RowsView):
    """Takes an `Outline` that was computed elsewhere; remembers what is folded."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_for(Context.TREE),
        *(
            binding
            for binding in bindings_for(Context.SESSION, Context.BROWSER)
            if binding.id in _JUMPS
        ),
    ]

    @dataclass
    class EntryHighlighted(Message):
        """Another row is selected, or none."""

        tree: SessionTree
        row: OutlineRow | None

        @property
        def control(self) -> SessionTree:
            """The tree, for `@on` with a selector."""
            return self.tree

        @property
        def entry_id(self) -> EntryId | None:
            """The entry of the row, if it stands for one."""
            return self.row.entry_id if self.row is not None else None

        def can_replace(self, message: Message) -> bool:
            """A newer selection makes one that waits in the queue pointless."""
            return isinstance(message, SessionTree.EntryHighlighted) and message.tree is self.tree

    @dataclass
    class EntryOpened(Message):
        """A row was opened that does not fold."""

        tree: SessionTree
        row: OutlineRow

        @property
        def control(self) -> SessionTree:
            """The tree, for `@on` with a selector."""
            return self.tree

        @property
        def entry_id(self) -> EntryId | None:
            """The entry of the row, if it stands for one."""
            return self.row.entry_id

    @dataclass
    class Jumped(Message):
        """A key went to the next thing of a kind."""

        kind: Jump

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
        self._marks = NO_SESSION_MARKS
        self._outline: Outline = NO_OUTLINE
        self._session = ""
        self._opened: set[str] = set()
        self._seen: tuple[OutlineRow, ...] = ()
        self._drawn: dict[str, OutlineRow] = {}
        self._places: dict[str, Row] = {}
        """Rows without content made so far, by key."""
        self._look = Look(0, glyphs, now(), zone)
        self.mode = FilterMode.DEFAULT
        """What is shown; change it by `show_mode`."""

    def whole_row(self, row: Row) -> Row:
        """Return what is drawn for a row; made for the rows on the screen alone."""
        found = self._drawn.get(row.key)
        return row if found is None else tree_row(found, self._look)

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
        self, outline: Outline, session: str, marks: SessionMarks = NO_SESSION_MARKS
    ) -> None:
        """Show a session, or a newer state of the same one.

        A newer state keeps what is unfolded and what is selected; a selection on the last record
        of the trunk goes on to the new last record.

        Args:
            outline: The rows, computed elsewhere.
            session: Path of the session.
            marks: What is marked on it.
        """
        fresh = session != self._session
        followed = not fresh and self.selected is not None and self.selected == self._end_key()
        if fresh:
            self._opened.clear()
            self._places.clear()
            self._session = session
        before = self._unmarked if not fresh and marks == self._marks == NO_SESSION_MARKS else None
        self._unmarked, self._marks = outline, marks
        self._outline = with_marks(outline, marks)
        self._show(None, before)
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
        self._outline = with_marks(self._unmarked, marks)
        self._show(self.selected)
        self.post_message(self.EntryHighlighted(self, self.highlighted))

    def to_end(self) -> None:
        """Select the last record of the trunk; the selection goes on with what is appended."""
        if (end := self._end_key()) is not None:
            self.select(end)
            self._reveal_resume_point()

    def show_mode(self, mode: FilterMode) -> None:
        """Show other kinds of rows; the selection goes to the nearest row that is seen."""
        self.mode = mode
        self._show(self.selected)

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
        self.columns = tree_columns(self._seen, self._look)
        rows = tree_outlines(self._seen, self._places)
        self._places.update((row.key, row) for row in rows)
        self.set_rows(rows)

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

    # Messages

    @on(RowsView.Highlighted)
    def _tell_highlighted(self, message: RowsView.Highlighted) -> None:
        if message.view is self:
            message.stop()
            self.post_message(self.EntryHighlighted(self, self.highlighted))

    @on(RowsView.Opened)
    def _open_row(self, message: RowsView.Opened) -> None:
        if message.view is not self:
            return
        message.stop()
        row = self._outline.row(message.key)
        if row is None:
            return
        folds = isinstance(message, RowsView.PartClicked) or row.kind in FOLDS
        if row.foldable and (folds or row.key not in self._opened):
            self._toggle(row.key)
        else:
            self.post_message(self.EntryOpened(self, row))

    # Actions of the key table

    def _toggle(self, key: str) -> None:
        self._opened.symmetric_difference_update({key})
        self._show(self.selected)

    def action_fold(self) -> None:
        """Fold the selected row, or go to what it is inside of or belongs to."""
        row = self.highlighted
        if row is None:
            return
        if row.foldable and row.key in self._opened:
            self._toggle(row.key)
            return
        key = parent_key(self._outline, self._seen, row.key)
        if key is not None:
            self.select(key)

    def action_unfold(self) -> None:
        """Unfold the selected row, or go to the first row inside it."""
        row = self.highlighted
        if row is None:
            return
        if row.foldable and row.key not in self._opened:
            self._toggle(row.key)
            return
        self.action_row_down()

    def action_tree_filter(self) -> None:
        """Show the next kind of rows: no tools, user only, labelled, problems, all, default."""
        self.show_mode(_MODES[(_MODES.index(self.mode) + 1) % len(_MODES)])

    def action_hide_branch(self) -> None:
        """Hide the selected branch, or show it again."""
        self.post_message(BranchChosen(branch_at(self._outline, self.selected, self._marks)))

    def action_tree_hidden(self) -> None:
        """Show the hidden branches, or hide them again."""
        keys = {row.key for row in self._outline.rows if row.kind is RowKind.HIDDEN}
        self._opened = self._opened - keys if keys <= self._opened else self._opened | keys
        self._show(self.selected)

    def jump(self, kind: Jump, step: int) -> bool:
        """Select the next thing of a kind; return whether there is one.

        Args:
            kind: What to look for.
            step: 1 to look down, -1 to look up.
        """
        key = jump(self._outline, self.selected, kind, step)
        self.post_message(self.Jumped(kind))
        return key is not None and self.reveal(key)

    def jump_from_top(self, kind: Jump) -> bool:
        """Select the first thing of a kind; return whether there is one."""
        key = jump(self._outline, None, kind, 1)
        return key is not None and self.reveal(key)

    def action_next_problem(self) -> None:
        """Go to the next problem, round at the end."""
        self.jump(Jump.PROBLEM, 1)

    def action_previous_problem(self) -> None:
        """Go to the previous problem, round at the start."""
        self.jump(Jump.PROBLEM, -1)

    def action_next_compaction(self) -> None:
        """Go to the next compaction."""
        self.jump(Jump.COMPACTION, 1)

    def action_previous_compaction(self) -> None:
        """Go to the previous compaction."""
        self.jump(Jump.COMPACTION, -1)

    def action_next_turn(self) -> None:
        """Go to the next user turn."""
        self.jump(Jump.TURN, 1)

    def action_previous_turn(self) -> None:
        """Go to the previous user turn."""
        self.jump(Jump.TURN, -1)

    def action_next_branch(self) -> None:
        """Go to the next branch point."""
        self.jump(Jump.BRANCH, 1)

    def action_previous_branch(self) -> None:
        """Go to the previous branch point."""
        self.jump(Jump.BRANCH, -1)
