"""Ages, times, sizes, tokens and durations as the screens write them (`ui.md` 2.3).

Pure: the present and the time zone are arguments. Months and days are English, times 24 h.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.dates import date_words

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_AGE_DAYS = 14
"""Ages of this many days and more are dates."""


def age(moment: datetime | None, now: datetime, zone: tzinfo) -> str:
    """Return how long ago a moment was: `now 2m 3h 1d 12d`, then `3 Nov`, then `3 Nov 24`.

    A moment in the future, as clocks that differ make it, is `now` up to a day, then its date.

    Args:
        moment: An aware time, or None for no figure.
        now: The present, aware.
        zone: The user's zone, for dates.
    """
    if moment is None:
        return ""
    seconds = (now - moment).total_seconds()
    if -_DAY < seconds < _MINUTE:
        return "now"
    if 0 < seconds < _HOUR:
        return f"{int(seconds // _MINUTE)}m"
    if 0 < seconds < _DAY:
        return f"{int(seconds // _HOUR)}h"
    if 0 < seconds < _AGE_DAYS * _DAY:
        return f"{int(seconds // _DAY)}d"
    return date_words(moment.astimezone(zone), now.astimezone(zone))


def clock(moment: datetime | None, now: datetime, zone: tzinfo) -> str:
    """Return a time: `09:44` today, `Tue 16:20` within the week, then the date.

    Args:
        moment: An aware time, or None for no figure.
        now: The present, aware.
        zone: The user's zone.
    """
    if moment is None:
        return ""
    local, today = moment.astimezone(zone), now.astimezone(zone)
    days = (today.date() - local.date()).days
    if days == 0:
        return f"{local:%H:%M}"
    if 0 < days < 7:
        return f"{_DAYS[local.weekday()]} {local:%H:%M}"
    return date_words(local, today)


def clock_exact(moment: datetime | None, now: datetime, zone: tzinfo) -> str:
    """Return a time to the second, with the date in front unless it is today: `09:45:58`."""
    if moment is None:
        return ""
    local, today = moment.astimezone(zone), now.astimezone(zone)
    seconds = f"{local:%H:%M:%S}"
    return seconds if local.date() == today.date() else f"{date_words(local, today)} {seconds}"


def count(number: int) -> str:
    """Return a number in full: `48,403`."""
    return f"{number:,}"


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 record`, `1,204 records`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def size(octets: int) -> str:
    """Return a size, in bytes below a million: `678 bytes`, `48,403 bytes`, `22 MB`."""
    if octets == 1:
        return "1 byte"
    if octets < 1_000_000:
        return f"{octets:,} bytes"
    for unit, scale in (("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000)):
        amount = octets / scale
        if amount < 9.95:
            return f"{amount:.1f} {unit}".replace(".0 ", " ")
        if amount < 999.5:
            return f"{amount:.0f} {unit}"
    return f"{octets / 1_000_000_000_000:,.0f} TB"


def tokens(number: int) -> str:
    """Return a count of tokens: in full up to 9,999, then `21.4k`, `118k`, `1.2M`."""
    if number < 10_000:
        return f"{number:,}"
    for unit, scale in (("k", 1_000), ("M", 1_000_000)):
        amount = number / scale
        if amount < 99.95:
            return f"{amount:.1f}{unit}".replace(f".0{unit}", unit)
        if amount < 999.5:
            return f"{amount:.0f}{unit}"
    return f"{number / 1_000_000:,.0f}M"


def duration(seconds: float | None, least: float = 0.1) -> str:
    """Return a duration: `0.1 s`, `8.2 s`, `14 s`, `3m 12s`, `2h 05m`; empty below the least shown.

    Args:
        seconds: How long, or None if not known.
        least: What is shorter is not shown: 0.1 in the transcript, 1 in the tree.
    """
    if seconds is None or seconds < least:
        return ""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE}m {whole % _MINUTE:02d}s"
    if whole < _DAY:
        return f"{whole // _HOUR}h {whole % _HOUR // _MINUTE:02d}m"
    return f"{whole // _DAY}d {whole % _DAY // _HOUR:02d}h"
