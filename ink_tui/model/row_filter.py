"""The filter of the list at work: which rows it keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.list_filter import read_filter
from ink_tui.model.query_sessions import Surroundings, row_answers

if TYPE_CHECKING:
    from ink_tui.model.groups import ListQuery
    from ink_tui.model.listing import SessionRow
    from ink_tui.model.row_words import Activity


class RowFilter:
    """What a list is filtered by."""

    def __init__(self, asked: ListQuery) -> None:
        """Make it.

        Args:
            asked: How the list is asked for.
        """
        self._read = read_filter(asked.filter)
        self._around = Surroundings(
            now_ms=asked.now_ms,
            zone=asked.zone,
            home=asked.home,
            cwd=asked.current_cwd,
            marks=asked.marks,
        )

    @property
    def asks(self) -> bool:
        """Whether anything is asked of the rows; what is wrong or blank asks nothing."""
        return bool(self._read.query.terms)

    @property
    def asks_for_archived(self) -> bool:
        """Whether archived sessions are asked for by name."""
        return self._read.asks_for_archived

    def keeps(self, row: SessionRow, activity: Activity | None) -> bool:
        """Whether a row stays in the list.

        Args:
            row: The row.
            activity: What an agent does in its session.
        """
        return not self.asks or row_answers(row, self._read.query, self._around, activity)
