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
    from collections.abc import Callable, Generator, Iterator, Sequence

    from ink_tui.store.search.anchor import Anchor
    from ink_tui.store.search.values import SearchTarget

FIRST_BYTES = 24 << 20
MOST_BYTES = 96 << 20
"""Bytes of files in the first batch, and in the largest."""

MOST_FILES = 1_000
_AHEAD = 2
"""Batches that are looked at at once."""


class Batch(NamedTuple):
    """Some files in their order, and those among them that may answer."""

    targets: tuple[SearchTarget, ...]
    may: frozenset[str] | None
    """`None` when all may."""


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
        looks = tuple(Look(self._program, source, paths) for source, paths in wanted)
        return _Begun(batch, looks, states, unasked)

    def _answer(self, begun: _Begun) -> frozenset[str] | None:
        if not begun.looks:
            return None
        found = [look.answer(self._stop) for look in begun.looks]
        spelt = found[-1]
        if spelt is not None:
            for path in begun.unasked:
                self._spellings.learn(path, begun.states[path], spells=path in spelt)
        others = frozenset(target.path for target, state in begun.batch if state is None)
        return None if None in found else others.union(*(each or () for each in found))


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
