"""The finding half of the main screen: the search, and the record that a hit leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import work

from ink_tui.model.entries import EntryId
from ink_tui.tui.render.layout import Place
from ink_tui.tui.screens.keeping import KeepingScreen
from ink_tui.tui.screens.search_values import HitWanted, Kept, Known

if TYPE_CHECKING:
    from ink_tui.model.listing import SessionRow
    from ink_tui.store.search.service import SearchService
    from ink_tui.tui.services import Services


class FindingScreen(KeepingScreen):
    """Searches everywhere and opens sessions at a record."""

    def __init__(self, services: Services) -> None:
        """Make the screen.

        Args:
            services: The outside world.
        """
        super().__init__(services)
        self.kept_query = Kept()
        self._service: SearchService | None = None
        self._hit: HitWanted | None = None
        """Where the session that is being read is to be shown."""

    def on_unmount(self) -> None:
        """End what searches."""
        if self._service is not None:
            self._service.close()

    @work(group="search-screen", exclusive=True)
    async def action_search(self) -> None:
        """Search everywhere: in all that was said or run."""
        # Loaded behind the first screen.
        from ink_tui.tui.screens.search import SearchScreen

        if self._service is None:
            self._service = self.services.load_search()
        screen = SearchScreen(self.services, self._service, self._known, self.kept_query)
        wanted = await self.app.push_screen_wait(screen)
        if isinstance(wanted, HitWanted):
            self._open_at(wanted)
        elif wanted is not None:
            await self.run_action(wanted.replace("-", "_"))

    def _known(self) -> Known:
        rows = self.feed.listing.rows if self.feed.listing is not None else ()
        newest = tuple(sorted(rows, key=_newest_first))
        return Known(newest, self.marking.marks, unseen=self.services.library.unseen > 0)

    def _open_at(self, wanted: HitWanted) -> None:
        self._hit = wanted
        self.list.select(wanted.path)
        self.open_session(wanted.path)
        self.go(Place.SESSION)

    def _session_shown(self) -> None:
        super()._session_shown()
        wanted, self._hit = self._hit, None
        if wanted is None or wanted.path != self.session.path or wanted.hit.entry_id is None:
            return
        hit = wanted.hit
        if not self.session.show_record(EntryId(wanted.hit.entry_id), hit.call_id or None):
            self.tell("This record is no longer in the session, or cannot be shown.")


def _newest_first(row: SessionRow) -> tuple[int, str]:
    moment = row.last_ms if row.last_ms is not None else row.changed_ms
    return -(moment or 0), row.path
