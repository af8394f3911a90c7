"""Into which sections the sessions of the list fall: folders, urgencies or days.

Folders are those of the sessions' headers; the name of a store folder says nothing about the
working folder (`formats/ink.md` 1.2) and is used only for files whose header cannot be read.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from ink_tui.model.dates import date_words
from ink_tui.model.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import tzinfo

    from ink_tui.model.listing import SessionRow

_DAY_MS = 86_400_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_URGENCIES = ("needs you", "live", "today", "this week", "older")
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_NO_DAY = "day:none"


@dataclass(frozen=True, slots=True)
class Section:
    """Sessions under one heading."""

    key: str
    rows: tuple[SessionRow, ...]
    whole: bool = False
    """All of them are shown, not only the first."""
    starts_folded: bool = False
    """It is folded until it is opened."""


@dataclass(frozen=True, slots=True)
class Clock:
    """What the sections by urgency and by time are told from."""

    now_ms: int = 0
    today_ms: int = 0
    """When the present day began in the user's zone."""
    zone: tzinfo = UTC


def group_of(row: SessionRow) -> str:
    """Return the key of the folder section of a session."""
    if row.session_id is None:
        return f"store:{row.path.rpartition('/')[0]}"
    return f"cwd:{row.cwd}"


def by_folder(
    rows: Iterable[SessionRow], current_cwd: str, pinned: Callable[[SessionRow], bool]
) -> list[Section]:
    """Return the sections by working folder: the current one first, then by the newest record.

    Args:
        rows: Sessions, newest first.
        current_cwd: Working folder that the program was started in.
        pinned: Whether a session stands before the others of its folder.
    """
    current = f"cwd:{current_cwd.rstrip('/') or '/'}"
    found = _grouped(rows, group_of)
    return [
        Section(key, tuple(sorted(found[key], key=lambda row: not pinned(row))), key == current)
        for key in sorted(found, key=lambda each: each != current)
    ]


def by_urgency(
    rows: Iterable[SessionRow],
    clock: Clock,
    *,
    live: Callable[[SessionRow], bool],
    needs: Callable[[SessionRow], bool],
) -> list[Section]:
    """Return the sections by urgency that are not empty, most urgent first.

    What is old is folded, unless there is nothing else.

    Args:
        rows: Sessions, newest first.
        clock: The present.
        live: Whether somebody writes to a session.
        needs: Whether a session needs a person.
    """

    def urgency(row: SessionRow) -> str:
        if live(row):
            return "live"
        if needs(row):
            return "needs you"
        last = row.last_ms or 0
        if last >= clock.today_ms:
            return "today"
        return "this week" if last >= clock.today_ms - 6 * _DAY_MS else "older"

    found = _grouped(rows, urgency)
    return [
        Section(
            f"urgency:{name}",
            tuple(found[name]),
            whole=name == _URGENCIES[0],
            starts_folded=name == "older" and len(found) > 1,
        )
        for name in _URGENCIES
        if name in found
    ]


def by_day(rows: Iterable[SessionRow], clock: Clock) -> list[Section]:
    """Return one section for each day on which a session was written last, all of it shown.

    Args:
        rows: Sessions, newest first.
        clock: The zone that days are told in.
    """

    def key(row: SessionRow) -> str:
        day = _day(row.last_ms, clock.zone)
        return _NO_DAY if day is None else f"day:{day.isoformat()}"

    found = _grouped(rows, key)
    # What has no time is sorted as if it were of 1970, but says nothing of that day.
    keys = sorted(found, key=lambda each: each == _NO_DAY)
    return [Section(each, tuple(found[each]), whole=True) for each in keys]


def heading(key: str, clock: Clock) -> str:
    """Return what stands over a section; a folder is not shortened yet."""
    kind, _, name = key.partition(":")
    if kind == "urgency":
        return name
    if kind == "day":
        return "no time known" if key == _NO_DAY else _day_words(date.fromisoformat(name), clock)
    if kind == "store":
        return one_line(name) or "(no folder)"
    return one_line(name) or "(no working folder)"


def _grouped(
    rows: Iterable[SessionRow], key_of: Callable[[SessionRow], str]
) -> dict[str, list[SessionRow]]:
    found: dict[str, list[SessionRow]] = {}
    for row in rows:
        found.setdefault(key_of(row), []).append(row)
    return found


def _day(time_ms: int | None, zone: tzinfo) -> date | None:
    """Return the day of a moment in a zone, `None` for one that no calendar holds."""
    if time_ms is None:
        return None
    try:
        return (_EPOCH + timedelta(milliseconds=time_ms)).astimezone(zone).date()
    except (OverflowError, ValueError):
        return None


def _day_words(day: date, clock: Clock) -> str:
    today = _day(clock.now_ms, clock.zone) or day
    days = (today - day).days
    if today != day and days != 1:
        return f"{_WEEKDAYS[day.weekday()]} {date_words(day, today)}"
    return "yesterday" if days else "today"
