"""The Tree tab: the rows of a session's tree with folding, filters, jumps and following."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.message import Message

from ink_tui.keymap import Context
from ink_tui.model.jumps import JUMP_WORDS, Jump
from ink_tui.model.outline_marks import branch_at
from ink_tui.model.outline_rows import EARLIER_KEY, RowKind
from ink_tui.model.outline_view import FOLDS, jump, parent_key
from ink_tui.model.tree_choice import FilterMode, TreeColumn
from ink_tui.tui.messages import BranchChosen, TreeChosen
from ink_tui.tui.widgets.bindings import bindings_for
from ink_tui.tui.widgets.rows_view import RowsView
from ink_tui.tui.widgets.tree_view import TreeView

if TYPE_CHECKING:
    from textual.binding import BindingType

    from ink_tui.model.outline_rows import OutlineRow

_JUMPS = frozenset(
    {
        *("next-problem", "previous-problem", "next-compaction", "previous-compaction"),
        *("next-turn", "previous-turn", "next-branch", "previous-branch"),
    }
)
_MODES = tuple(FilterMode)
_COLUMNS = tuple(TreeColumn)


class SessionTree(TreeView):
    """The tree with its keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_for(Context.TREE),
        *(
            binding
            for binding in bindings_for(Context.SESSION, Context.BROWSER)
            if binding.id in _JUMPS
        ),
    ]

    @dataclass
    class Jumped(Message):
        """A key went to the next thing of a kind."""

        kind: Jump

    @dataclass
    class NothingThere(Message):
        """A key found nothing to go to."""

        words: str
        """One sentence that says so."""

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
        clicked = isinstance(message, RowsView.PartClicked)
        folds = clicked or row.kind in FOLDS
        if row.hosts and clicked:
            self._toggle_guests(row)
        elif row.guest:
            self.post_message(self.GuestOpened(row))
        elif not row.hosts and row.foldable and (folds or row.key not in self._opened):
            self._toggle(row.key)
        else:
            self.post_message(self.EntryOpened(self, row))

    # Actions of the key table

    def _toggle_guests(self, row: OutlineRow) -> None:
        if row.key in self._guests:
            self._fold_guests(row)
        else:
            self._unfold_guests(row)

    def _toggle(self, key: str) -> None:
        self._opened.symmetric_difference_update({key})
        self._show(self.selected)

    def action_fold(self) -> None:
        """Fold the selected row, or go to what it is inside of or belongs to."""
        row = self.highlighted
        if row is None:
            return
        if row.key in self._guests:
            self._fold_guests(row)
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
        if row.hosts and row.key not in self._guests:
            self._unfold_guests(row)
            return
        if row.foldable and row.key not in self._opened:
            self._toggle(row.key)
            return
        self.action_row_down()

    def _filter_by(self, mode: FilterMode) -> None:
        self.choose(replace(self.choice, mode=mode))
        self.post_message(TreeChosen(self.choice))

    def action_tree_filter(self) -> None:
        """Show the next kind of rows: no tools, user only, labelled, problems, all, default."""
        self._filter_by(_MODES[(_MODES.index(self.mode) + 1) % len(_MODES)])

    def action_filter_default(self) -> None:
        """Show what is usually seen."""
        self._filter_by(FilterMode.DEFAULT)

    def action_filter_no_tools(self) -> None:
        """Leave out calls and results with which nothing is wrong."""
        self._filter_by(FilterMode.NO_TOOLS)

    def action_filter_user(self) -> None:
        """Show what the user wrote alone."""
        self._filter_by(FilterMode.USER_ONLY)

    def action_filter_labelled(self) -> None:
        """Show what is labelled, starred or has a note."""
        self._filter_by(FilterMode.LABELLED)

    def action_filter_problems(self) -> None:
        """Show what asks for a person."""
        self._filter_by(FilterMode.PROBLEMS)

    def action_filter_all(self) -> None:
        """Show every record, position markers and labels too."""
        self._filter_by(FilterMode.ALL)

    def action_tree_column(self) -> None:
        """Show durations, both, tokens, times, in turn."""
        column = _COLUMNS[(_COLUMNS.index(self.choice.column) + 1) % len(_COLUMNS)]
        self.choice = replace(self.choice, column=column)
        self._draw()
        self.post_message(TreeChosen(self.choice))

    def action_hide_branch(self) -> None:
        """Hide the selected branch, or show it again."""
        self.post_message(BranchChosen(branch_at(self._outline, self.selected, self._marks)))

    def action_tree_hidden(self) -> None:
        """Show the hidden branches, or hide them again."""
        keys = {row.key for row in self._outline.rows if row.kind is RowKind.HIDDEN}
        self._opened = self._opened - keys if keys <= self._opened else self._opened | keys
        self._show(self.selected)

    def jump(self, kind: Jump, step: int) -> bool:
        """Select the next thing of a kind that the filter shows; return whether there is one.

        A problem is gone to even where the filter hides it: nothing that asks for a person is to
        be out of reach.

        Args:
            kind: What to look for.
            step: 1 to look down, -1 to look up.
        """
        self.post_message(self.Jumped(kind))
        return self._jump_from(self.selected, kind, step)

    def jump_from_top(self, kind: Jump) -> bool:
        """Select the first thing of a kind that the filter shows; return whether there is one."""
        return self._jump_from(None, kind, 1)

    def _jump_from(self, start: str | None, kind: Jump, step: int) -> bool:
        key = jump(self._outline, start, kind, step, self.mode)
        if key is None and kind is Jump.PROBLEM:
            key = jump(self._outline, start, kind, step)
        return key is not None and self.reveal(key)

    def why_none(self, kind: Jump, step: int) -> str:
        """Return one sentence that says why there was nothing to jump to."""
        word = JUMP_WORDS[kind]
        if step < 0 and EARLIER_KEY in self._outline.places:
            return "The records above are still being read."
        if jump(self._outline, self.selected, kind, step) is not None:
            which = "next" if step > 0 else "previous"
            return f"The {which} {word} is hidden: the tree shows {self.mode.value}."
        if jump(self._outline, None, kind, 1) is None:
            return f"There is no {word}."
        return f"There is no further {word} {'below' if step > 0 else 'above'}."

    def _jump_or_say(self, kind: Jump, step: int) -> None:
        if not self.jump(kind, step):
            self.post_message(self.NothingThere(self.why_none(kind, step)))

    def action_next_problem(self) -> None:
        """Go to the next problem, round at the end."""
        self._jump_or_say(Jump.PROBLEM, 1)

    def action_previous_problem(self) -> None:
        """Go to the previous problem, round at the start."""
        self._jump_or_say(Jump.PROBLEM, -1)

    def action_next_compaction(self) -> None:
        """Go to the next compaction."""
        self._jump_or_say(Jump.COMPACTION, 1)

    def action_previous_compaction(self) -> None:
        """Go to the previous compaction."""
        self._jump_or_say(Jump.COMPACTION, -1)

    def action_next_turn(self) -> None:
        """Go to the next user turn."""
        self._jump_or_say(Jump.TURN, 1)

    def action_previous_turn(self) -> None:
        """Go to the previous user turn."""
        self._jump_or_say(Jump.TURN, -1)

    def action_next_branch(self) -> None:
        """Go to the next branch point."""
        self._jump_or_say(Jump.BRANCH, 1)

    def action_previous_branch(self) -> None:
        """Go to the previous branch point."""
        self._jump_or_say(Jump.BRANCH, -1)
