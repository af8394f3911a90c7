"""Who uses each of many sessions, with one look at the processes for all of them.

`find_holder` looks at every process for every session; for thousands of sessions that takes
minutes. Here the processes are listed anew only when the last look is no longer fresh.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.model.liveness import NOBODY, Holder
from ink_tui.store.holders import find_holder
from ink_tui.store.processes import Process, list_processes, working_directory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ink_tui.model.listing import SessionRow

FRESH_MS = 2_000
"""How long one look at the processes is good for, in milliseconds."""


class HolderSearch:
    """Tells who holds a session; call it with the session's row. Changes nothing, never raises."""

    def __init__(
        self,
        *,
        state_dir: Path,
        clock: Callable[[], int],
        match: Iterable[str],
        own_pane: Callable[[SessionRow], Holder] | None = None,
        processes: Callable[[], list[Process]] = list_processes,
        directory_of: Callable[[int], str | None] = working_directory,
    ) -> None:
        """Make a search that has not looked yet.

        Args:
            state_dir: Our own state folder, where our locks are.
            clock: The present, in milliseconds since 1970.
            match: Names of the agents' processes.
            own_pane: Our own running pane of a session.
            processes: Source of the processes.
            directory_of: Tells a process's working directory.
        """
        self._state_dir = state_dir
        self._clock = clock
        self._match = frozenset(match)
        self._own_pane = own_pane
        self._processes = processes
        self._directory_of = directory_of
        self._listed: list[Process] = []
        self._folders: dict[int, str | None] = {}
        self._looked_ms: int | None = None

    def __call__(self, row: SessionRow) -> Holder:
        """Return who holds a session, as far as can be seen."""
        now_ms = self._clock()
        return find_holder(
            Path(row.path),
            session_id=row.session_id or "",
            cwd=row.cwd,
            state_dir=self._state_dir,
            now_ms=now_ms,
            match=self._match,
            own_pane=self._own_pane(row) if self._own_pane is not None else NOBODY,
            processes=partial(self._fresh, now_ms),
            directory_of=self._folder,
        )

    def _fresh(self, now_ms: int) -> list[Process]:
        looked = self._looked_ms
        if looked is None or not 0 <= now_ms - looked < FRESH_MS:
            self._listed = self._processes()
            self._folders.clear()
            self._looked_ms = now_ms
        return self._listed

    def _folder(self, pid: int) -> str | None:
        if pid not in self._folders:
            self._folders[pid] = self._directory_of(pid)
        return self._folders[pid]
