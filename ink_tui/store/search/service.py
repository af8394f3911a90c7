"""What the screens ask of whatever searches files beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from ink_tui.model.query import Query
    from ink_tui.model.query_sessions import Surroundings
    from ink_tui.store.search.engine import SearchOptions
    from ink_tui.store.search.values import SearchEvent, SearchTarget


class SearchService(Protocol):
    """Searches files without holding up the program; its methods are called from any thread."""

    def prepare(self) -> None:
        """Make ready for the first search.

        Raises:
            StoreError: That failed.
        """

    def search(
        self,
        query: Query,
        around: Surroundings,
        targets: tuple[SearchTarget, ...],
        options: SearchOptions,
        *,
        stop: Callable[[], bool],
    ) -> Generator[SearchEvent, None, None]:
        """Yield what is found in some files, in their order.

        Raises:
            StoreError: The search cannot be started, or it ended before its time.
        """

    def close(self) -> None:
        """End what searches."""
