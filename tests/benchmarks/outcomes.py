"""What came of one measurement, in the words of the table."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from statistics import median
from typing import TYPE_CHECKING

from tests.benchmarks.pairs import (
    NotBuiltError,
    NoToolError,
    Pairs,
    RefusedError,
    Series,
    TooSlowError,
)

if TYPE_CHECKING:
    from collections.abc import Callable


class Verdict(StrEnum):
    """How a target fared."""

    PASS = "pass"
    MISS = "miss"
    NOISY = "too noisy"
    NOT_BUILT = "not built"
    REFUSED = "refused"
    """A run did not count, so nothing may be said."""
    NOT_MEASURED = "not measured"
    """A program that measuring needs is not installed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One measurement."""

    measured: str
    ratio: str
    verdict: Verdict
    note: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """One row of the table, not measured yet."""

    id: str
    """Id of the target, `P1` to `P17` or `S1` to `S6`; several rows may share one."""
    target: str
    """What is to be reached, in words."""
    take: Callable[[], Outcome]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table."""

    id: str
    target: str
    outcome: Outcome


def measure(case: Case) -> Row:
    """Measure one row; what goes wrong becomes its verdict."""
    try:
        outcome = case.take()
    except TooSlowError as error:
        outcome = Outcome(str(error), "", Verdict.MISS)
    except RefusedError as error:
        outcome = Outcome("", "", Verdict.REFUSED, str(error))
    except NotBuiltError as error:
        outcome = Outcome("", "", Verdict.NOT_BUILT, str(error))
    except NoToolError as error:
        outcome = Outcome("", "", Verdict.NOT_MEASURED, str(error))
    return Row(case.id, case.target, outcome)


def judged(good: bool, *, noisy: bool) -> Verdict:
    if noisy:
        return Verdict.NOISY
    return Verdict.PASS if good else Verdict.MISS


def by_ratio(pairs: Pairs, limit: float, note: str = "", *, plus: float = 0.0) -> Outcome:
    """Judge pairs of seconds by the median of their ratios.

    Args:
        pairs: What was measured.
        limit: Greatest ratio that is good.
        note: What else there is to say.
        plus: Seconds that a run may take on top of that.
    """
    lowered = Pairs(tuple(max(0.0, each - plus) for each in pairs.ours), pairs.reference)
    return Outcome(
        f"{duration(median(pairs.ours))}, reference {duration(median(pairs.reference))}",
        f"{pairs.ratio:.2f}x",
        judged(lowered.ratio <= limit, noisy=pairs.noisy),
        _with_noise(note, pairs.noise, noisy=pairs.noisy),
    )


def by_limit(series: Series, value: float, limit: float, note: str = "") -> Outcome:
    """Judge a time by a limit of its own, both in seconds, if the machine was steady."""
    return Outcome(
        duration(value),
        f"{value / limit:.2f} of the limit",
        judged(value <= limit, noisy=series.noisy),
        _with_noise(note, series.noise, noisy=series.noisy),
    )


def by_amount(value: float, limit: float, unit: str, note: str = "") -> Outcome:
    """Judge an amount that noise does not change."""
    ratio = f"{value / limit:.2f} of the limit" if limit else ""
    return Outcome(f"{value:,.1f} {unit}", ratio, judged(value <= limit, noisy=False), note)


def duration(seconds: float) -> str:
    """Return a time for people."""
    return f"{seconds:.2f} s" if seconds >= 2 else f"{seconds * 1000:.1f} ms"


def _with_noise(note: str, noise: float, *, noisy: bool) -> str:
    words = f"the reference varied {noise:.1f}x" if noisy else ""
    return "; ".join(part for part in (note, words) if part)
