"""One search at a time beside the screen: what the rows tell at once, what the files hold behind.

Everything runs in threads and in a process of its own; the screen takes values. Whoever leaves the
stream of a search stops it, and sees nothing more of it.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from contextlib import closing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from ink_tui.errors import StoreError
from ink_tui.model.query_complete import Offers
from ink_tui.model.query_sessions import Surroundings, session_passes
from ink_tui.model.row_matches import row_match
from ink_tui.model.text import one_line, short_path
from ink_tui.store.discover import find_session_files
from ink_tui.store.search.engine import SNIPPET_CELLS, SearchOptions
from ink_tui.store.search.ripgrep import find_ripgrep
from ink_tui.store.search.values import SearchTarget
from ink_tui.tui.render.search_results import MOST_OF_SESSION

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Collection, Iterable

    from ink_tui.model.listing import SessionRow
    from ink_tui.model.query import Query
    from ink_tui.model.row_matches import RowMatch
    from ink_tui.store.search.service import SearchService
    from ink_tui.store.search.values import SearchEvent
    from ink_tui.tui.screens.search_values import Known
    from ink_tui.tui.services import Services

REST_SECONDS = 0.15
"""How long the keys must rest before contents are searched."""

_TAKE_SECONDS = 0.05
"""Time between two looks at what was found: drawing each hit by itself would hold up the keys."""

_LATER_SECONDS = 0.2
"""The same once a lot was found: then each look costs more, and nobody reads so fast."""

_A_LOT = 500
"""Events after which the slower pace is enough."""

_ROWS_AT_ONCE = 100

_USUAL_TOOLS = ("bash", "edit", "find", "grep", "ls", "read", "task", "write")
"""Tools that are offered although no hit has told of them yet."""


class Searching:
    """Asks rows and files; holds what is the same for all searches of one look at the screen."""

    def __init__(self, services: Services, service: SearchService, known: Known) -> None:
        """Make it; nothing is asked yet.

        Args:
            services: The outside world.
            service: What searches files.
            known: The sessions.
        """
        self.services = services
        self.service = service
        self.known = known
        self.around = Surroundings(
            now_ms=services.clock(),
            zone=services.zone,
            home=services.home,
            cwd=services.cwd,
            marks=known.marks,
        )
        self._targets: tuple[SearchTarget, ...] | None = None

    async def prepare(self) -> None:
        """Start the process that searches, so that the first search does not wait for it."""
        with suppress(StoreError):  # told by the search itself
            await asyncio.to_thread(self.service.prepare)

    async def rows(self, query: Query) -> list[tuple[SessionRow, RowMatch]]:
        """Return the sessions that answer by what is known of them, newest first."""
        self.around = replace(self.around, now_ms=self.services.clock())
        around, left = self.around, threading.Event()

        def ask() -> list[tuple[SessionRow, RowMatch]]:
            found = []
            for number, row in enumerate(self.known.rows):
                if number % _ROWS_AT_ONCE == 0 and left.is_set():
                    break
                match = row_match(row, query, around, cells=SNIPPET_CELLS)
                if match is not None:
                    found.append((row, match))
            return found

        try:
            return await asyncio.to_thread(ask)
        finally:
            left.set()

    async def targets(self, query: Query) -> tuple[SearchTarget, ...]:
        """Return the files that a query must be looked for in, newest first."""
        if query.asks_for_text:
            if self._targets is None:
                self._targets = await asyncio.to_thread(self._all_targets)
            return self._targets
        # Nothing in them is asked for: only what their rows leave open is read.
        filters, around = query.session_filters, self.around
        return tuple(
            _target(row) for row in self.known.rows if session_passes(row, filters, around) is None
        )

    def _all_targets(self) -> tuple[SearchTarget, ...]:
        found = [_target(row) for row in self.known.rows]
        if self.known.unseen:
            paths = {row.path for row in self.known.rows}
            files = find_session_files(self.services.library.roots)
            found += [
                SearchTarget(each.path, child_by_place=each.child_by_place)
                for each in files
                if each.path not in paths
            ]
        return tuple(found)

    async def contents(
        self, query: Query, targets: tuple[SearchTarget, ...]
    ) -> AsyncGenerator[list[SearchEvent], None]:
        """Yield what the files hold, some events at a time; leave it to stop the search.

        Raises:
            StoreError: The search cannot be started, or it ended before its time.
        """
        loop, came, left = asyncio.get_running_loop(), asyncio.Event(), threading.Event()
        held: deque[SearchEvent] = deque()
        around = self.around

        def hunt() -> StoreError | None:
            options = SearchOptions(most_hits=MOST_OF_SESSION, ripgrep=find_ripgrep())
            search = self.service.search
            try:
                with closing(search(query, around, targets, options, stop=left.is_set)) as events:
                    for event in events:
                        held.append(event)
                        with suppress(RuntimeError):  # the program ends: nobody waits any more
                            loop.call_soon_threadsafe(came.set)
            except StoreError as error:
                return error
            return None

        hunting = asyncio.ensure_future(asyncio.to_thread(hunt))
        hunting.add_done_callback(lambda _task: came.set())
        taken = 0
        try:
            while True:
                await came.wait()
                came.clear()
                over = hunting.done()
                events = [held.popleft() for _ in range(len(held))]
                taken += len(events)
                if events:
                    yield events
                if over:
                    break
                await asyncio.sleep(_TAKE_SECONDS if taken < _A_LOT else _LATER_SECONDS)
            error = hunting.result()
            if error is not None:
                raise error
        finally:
            left.set()

    def offers(self, tools: Collection[str]) -> Offers:
        """Return the values that the known sessions tell, most used first.

        Args:
            tools: Names of tools that hits have told.
        """
        home = self.services.home
        dirs = _most_used(short_path(row.cwd, home) for row in self.known.rows)
        models = _most_used(row.model_id or "" for row in self.known.rows)
        return Offers(dirs, models, tuple(dict.fromkeys((*sorted(tools), *_USUAL_TOOLS))))


def _target(row: SessionRow) -> SearchTarget:
    return SearchTarget(row.path, row, child_by_place=row.child)


def _most_used(values: Iterable[str]) -> tuple[str, ...]:
    counts: dict[str, int] = {}
    for value in values:
        if value and value == one_line(value):
            counts[value] = counts.get(value, 0) + 1
    return tuple(sorted(counts, key=lambda each: -counts[each]))
