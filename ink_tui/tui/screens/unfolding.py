"""Sub-agents and copies unfolded in the tree: read in threads, and again while they are written."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from ink_tui.errors import InkTuiError
from ink_tui.model.outline_guests import aside
from ink_tui.model.outline_rows import RowKind
from ink_tui.model.text import one_line
from ink_tui.tui.render.guest_views import load_guests

if TYPE_CHECKING:
    from ink_tui.model.listing import SessionRow
    from ink_tui.model.outline_rows import OutlineRow
    from ink_tui.tui.screens.finding import FindingScreen


class Unfolding:
    """Fills the rows that the tree has unfolded."""

    def __init__(self, screen: FindingScreen) -> None:
        """Make it.

        Args:
            screen: The main screen: it has the tree and knows the sessions.
        """
        self.screen = screen

    def fill(self, host: OutlineRow) -> None:
        """Read what stands under a row and show it there."""
        self.screen.run_worker(self._fill(host), group="unfolding")

    def files_changed(self, files: frozenset[str]) -> None:
        """Read again what is unfolded of files that changed."""
        for host in self.screen.session.tree_view.hosts:
            if self._path(host) in files:
                self.fill(host)

    async def _fill(self, host: OutlineRow) -> None:
        shown, path = self.screen.session.path, self._path(host)
        if not path:
            rows = aside("its session is not among the files any more", "")
        else:
            run = self.screen.area.run_of(path)
            load = partial(
                load_guests,
                self.screen.services.library,
                path,
                self.screen.viewing.child_records(),
                copied=host.kind is RowKind.FORK,
                running=run is not None and run.running,
            )
            try:
                rows = await asyncio.to_thread(load)
            except InkTuiError as error:
                rows = aside(one_line(f"cannot be read: {error}"), path)
        if self.screen.session.path == shown:
            self.screen.session.tree_view.set_guests(host.key, rows)

    def _path(self, host: OutlineRow) -> str:
        """Return the file of what a row unfolds to; empty where it is not known."""
        if host.kind is RowKind.FORK:
            return host.opens
        return next((row.path for row in self._rows() if self._is_child(row, host)), "")

    def _rows(self) -> tuple[SessionRow, ...]:
        listing = self.screen.feed.listing
        return tuple(listing.rows) if listing is not None else ()

    @staticmethod
    def _is_child(row: SessionRow, host: OutlineRow) -> bool:
        return row.child and row.session_id == host.child_id
