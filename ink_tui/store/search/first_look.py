"""Which files of a store may answer at all, asked of ripgrep batch by batch.

Batches are small at first, so that the newest sessions answer at once, and the next one is looked
at while an older one is still worked on.
"""

from __future__ import annotations

import os
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from ink_tui.store.files import problem_of
from ink_tui.store.search.ripgrep import Look
from ink_tui.store.search.spellings import SPELLED_SOURCE, FileState, Spellings, state_of

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping, Sequence

    from ink_tui.store.search.anchor import Anchor
    from ink_tui.store.search.places import Place
    from ink_tui.store.search.values import SearchTarget

FIRST_BYTES = 24 << 20
MOST_BYTES = 96 << 20
"""Bytes of files in the first batch, and in the largest."""

MOST_FILES = 1_000
_AHEAD = 2
"""Batches that are looked at at once."""


class Seen(NamedTuple):
    """Where in a file something may stand."""

    state: FileState
    """The file as it was before it was looked at; of another state the places say nothing."""
    places: Sequence[Place]


class Batch(NamedTuple):
    """Some files in their order, and those among them that may answer."""

    targets: tuple[SearchTarget, ...]
    may: Mapping[str, Seen | None] | None
    """Where in each, as far as that is known; `None` when all may."""


class FirstLooks:
    """The first look at some files for one anchor."""

    def __init__(
        self,
        program: str | None,
        anchor: Anchor | None,
        spellings: Spellings,
        stop: Callable[[], bool],
    ) -> None:
        """Make it; nothing is looked at yet.

        Args:
            program: Path of ripgrep; without it all files may answer.
            anchor: What must stand in a file; without it all files may answer.
            spellings: What is known of how files spell characters; it is added to.
            stop: Whether nobody waits for an answer any more.
        """
        self._program = program
        self._anchor = anchor
        self._spellings = spellings
        self._stop = stop

    def batches(self, targets: Sequence[SearchTarget]) -> Generator[Batch, None, None]:
        """Yield the files in batches, in their order; looks that are left open are ended."""
        cut = _cut(targets)
        begun: deque[_Begun] = deque()
        try:
            while True:
                while len(begun) < _AHEAD and (batch := next(cut, None)) is not None:
                    begun.append(self._begin(batch))
                if not begun:
                    return
                one = begun[0]
                may = self._answer(one)
                begun.popleft()
                yield Batch(tuple(target for target, _state in one.batch), may)
        finally:
            for each in begun:
                for look in each.looks:
                    look.close()

    def _begin(self, batch: list[tuple[SearchTarget, FileState | None]]) -> _Begun:
        if self._program is None or self._anchor is None:
            return _Begun(batch, (), {}, ())
        states = {target.path: state for target, state in batch if state is not None}
        spelt = {path: self._spellings.spells(path, state) for path, state in states.items()}
        unasked = tuple(path for path, answer in spelt.items() if answer is None)
        wanted = (
            (self._anchor.raw_source, [path for path, answer in spelt.items() if not answer]),
            (self._anchor.source, [path for path, answer in spelt.items() if answer]),
            (SPELLED_SOURCE, unasked),
        )
        looks = tuple(
            Look(self._program, source, paths, where=source != SPELLED_SOURCE)
            for source, paths in wanted
        )
        return _Begun(batch, looks, states, unasked)

    def _answer(self, begun: _Begun) -> Mapping[str, Seen | None] | None:
        if not begun.looks:
            return None
        *found, spelt = [look.answer(self._stop) for look in begun.looks]
        if spelt is None or None in found:
            return None
        for path in begun.unasked:
            self._spellings.learn(path, begun.states[path], spells=path in spelt)
        may: dict[str, Seen | None] = {}
        for path, places in (item for each in found if each is not None for item in each.items()):
            may[path] = Seen(begun.states[path], places) if places is not None else None
        # Of these the word itself was asked, not how else it may be spelled.
        may.update(dict.fromkeys(spelt))
        may.update((target.path, None) for target, state in begun.batch if state is None)
        return may


class _Begun(NamedTuple):
    """A batch that is being looked at."""

    batch: list[tuple[SearchTarget, FileState | None]]
    looks: tuple[Look, ...]
    """For the word, for the word where characters are escapes, and for escapes; or none."""
    states: dict[str, FileState]
    unasked: tuple[str, ...]
    """Files of which it is not known whether they spell characters as escapes."""


def _cut(
    targets: Sequence[SearchTarget],
) -> Iterator[list[tuple[SearchTarget, FileState | None]]]:
    """Yield the targets in batches that grow, each with the state of its file if it is regular."""
    batch: list[tuple[SearchTarget, FileState | None]] = []
    limit, octets = FIRST_BYTES, 0
    for target in targets:
        state = None
        with suppress(OSError, ValueError):
            status = os.lstat(target.path)
            if problem_of(status.st_mode) is None:
                state = state_of(status)
                octets += status.st_size
        batch.append((target, state))
        if octets >= limit or len(batch) == MOST_FILES:
            yield batch
            batch, octets = [], 0
            limit = min(2 * limit, MOST_BYTES)
    if batch:
        yield batch
