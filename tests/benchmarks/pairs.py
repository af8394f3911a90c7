"""Interleaved pairs, medians of ratios, and when a run does not count.

Times on a shared machine mean nothing by themselves. So what is measured and its reference take
turns, and the ratio within each pair is what counts; a series whose reference itself varies too
much is repeated, and given up as too noisy (`performance.md` section 6, "Gate rule").
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NOISE_LIMIT = 1.6
"""Most that the slowest run of a reference may take, in times of its fastest."""
REPEATS = 2
"""How often a noisy series is begun anew."""


class RefusedError(Exception):
    """A run does not count: its command failed, or what it told is not true."""


class TooSlowError(Exception):
    """What was waited for did not happen in the time that is given at most."""


class NotBuiltError(Exception):
    """The program cannot do yet what is to be measured."""


class NoToolError(Exception):
    """The machine lacks a program that is needed to measure."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """What was measured and its reference, run by run, in the same unit."""

    ours: tuple[float, ...]
    reference: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """The median of the ratios within the pairs."""
        return median(ours / ref for ours, ref in zip(self.ours, self.reference, strict=True))

    @property
    def noise(self) -> float:
        """How much the reference varies: its slowest run in times of its fastest."""
        return spread(self.reference)

    @property
    def noisy(self) -> bool:
        return self.noise > NOISE_LIMIT


@dataclass(frozen=True, slots=True)
class Series:
    """Samples with a bound of their own, and a gauge that tells whether the machine was steady."""

    samples: tuple[float, ...]
    gauge: tuple[float, ...]
    """How long a fixed amount of work took, each time between samples."""

    @property
    def noise(self) -> float:
        return spread(self.gauge)

    @property
    def noisy(self) -> bool:
        return self.noise > NOISE_LIMIT


def spread(values: Sequence[float]) -> float:
    """Return the greatest value in times of the least; 1 for fewer than two."""
    return max(values) / min(values) if len(values) > 1 else 1.0


def percentile(values: Sequence[float], part: float) -> float:
    """Return the least value that at least `part` (0 to 1) of the values do not exceed.

    Raises:
        ValueError: There are no values.
    """
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    rank = max(1, -(-len(ordered) * round(part * 10_000) // 10_000))
    return ordered[rank - 1]


def take_pairs(ours: Callable[[], float], reference: Callable[[], float], runs: int) -> Pairs:
    """Run two things in turn, the one and the other first by turns.

    Args:
        ours: What is measured; returns its time.
        reference: What it is compared with.
        runs: Number of pairs.

    Raises:
        RefusedError: A run of either does not count.
    """
    taken: list[tuple[float, float]] = []
    for run in range(runs):
        if run % 2:
            mine = ours()
            taken.append((mine, reference()))
        else:
            theirs = reference()
            taken.append((ours(), theirs))
    return Pairs(tuple(mine for mine, _ in taken), tuple(theirs for _, theirs in taken))


def steady(take: Callable[[], Pairs]) -> Pairs:
    """Return the first series that is not noisy, or the last of those that may be tried."""
    pairs = take()
    for _ in range(REPEATS):
        if not pairs.noisy:
            break
        pairs = take()
    return pairs


def steady_series(take: Callable[[], Series]) -> Series:
    """Return the first series with a steady gauge, or the last of those that may be tried."""
    series = take()
    for _ in range(REPEATS):
        if not series.noisy:
            break
        series = take()
    return series
