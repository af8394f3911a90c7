"""Dates in a query: ages, days, months and years, in the user's zone.

<2d  2d        younger than two days; units min h d w y
>2w            older than two weeks
2026-11-03     in that day; 2026-11 in that month; 2026 in that year; today, yesterday
<2026-11       before it; >2026-11 after it; <= and >= include it
2026-11..2026-12   from the beginning of the first to the end of the second
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

_MS = {"min": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000, "y": 31_557_600_000}
_AGE = re.compile(r"(<=?|>=?|)(\d{1,6})(min|h|d|w|y)", re.ASCII)
_DAY = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", re.ASCII)
_WORDS = {"today": 0, "yesterday": 1}
_SIGNS = ("<=", ">=", "<", ">")


@dataclass(frozen=True, slots=True)
class Day:
    """A span of the calendar: a year, a month or a day."""

    year: int = 0
    month: int | None = None
    day: int | None = None
    ago: int | None = None
    """Days before the present one; the other fields then say nothing."""

    def span(self, now_ms: int, zone: tzinfo) -> tuple[int, int]:
        """Return where it begins and where the next one begins, in milliseconds since 1970."""
        if self.ago is not None:
            today = datetime.fromtimestamp(now_ms / 1000, zone)
            begin = datetime(today.year, today.month, today.day, tzinfo=zone)
            begin -= timedelta(days=self.ago)
            end = begin + timedelta(days=1)
        elif self.month is None:
            begin = datetime(self.year, 1, 1, tzinfo=zone)
            end = datetime(self.year + 1, 1, 1, tzinfo=zone)
        elif self.day is None:
            begin = datetime(self.year, self.month, 1, tzinfo=zone)
            later = self.month % 12 + 1
            end = datetime(self.year + (later == 1), later, 1, tzinfo=zone)
        else:
            begin = datetime(self.year, self.month, self.day, tzinfo=zone)
            end = begin + timedelta(days=1)
        return _ms(begin), _ms(end)


@dataclass(frozen=True, slots=True)
class DateTest:
    """A condition on a moment."""

    sign: str = ""
    """`<`, `<=`, `>`, `>=`, or empty for "in it"; of an age, `<` means younger."""
    age_ms: int | None = None
    first: Day | None = None
    last: Day | None = None
    """The second day of a range."""

    def holds(self, moment_ms: int, now_ms: int, zone: tzinfo) -> bool:
        """Whether a moment passes.

        Args:
            moment_ms: The moment, in milliseconds since 1970.
            now_ms: The present, for ages and for `today`.
            zone: The user's zone, in which days begin.
        """
        if self.age_ms is not None:
            age = now_ms - moment_ms
            return age >= self.age_ms if self.sign.startswith(">") else age <= self.age_ms
        if self.first is None:
            return False
        begin, end = self.first.span(now_ms, zone)
        if self.last is not None:
            end = self.last.span(now_ms, zone)[1]
        return {
            "<": moment_ms < begin,
            "<=": moment_ms < end,
            ">": moment_ms >= end,
            ">=": moment_ms >= begin,
        }.get(self.sign, begin <= moment_ms < end)


def read_date(value: str) -> DateTest | None:
    """Return the condition that a value means, or `None` when it is no date."""
    age = _AGE.fullmatch(value)
    if age is not None:
        return DateTest(sign=age.group(1) or "<", age_ms=int(age.group(2)) * _MS[age.group(3)])
    sign = next((each for each in _SIGNS if value.startswith(each)), "")
    first, dots, last = value[len(sign) :].partition("..")
    begin, end = _day(first), _day(last) if dots else None
    if begin is None or (dots and (end is None or sign)):
        return None
    return DateTest(sign=sign, first=begin, last=end)


def _day(text: str) -> Day | None:
    if text in _WORDS:
        return Day(ago=_WORDS[text])
    match = _DAY.fullmatch(text)
    if match is None:
        return None
    year, month, day = (None if part is None else int(part) for part in match.groups())
    try:
        date(year or 0, month or 1, day or 1)
        date((year or 0) + 1, 1, 1)  # where the span may end
    except ValueError:
        return None
    return Day(year or 0, month, day)


def _ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
