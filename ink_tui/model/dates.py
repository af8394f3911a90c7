"""Dates and lengths of time as people write them (`ui.md` 2.3), in English."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def date_words(local: date, today: date) -> str:
    """Return a date: `3 Nov`, or `3 Nov 24` in another year than today's.

    Args:
        local: The day, or the moment, in the user's zone.
        today: The present one in the same zone.
    """
    short = f"{local.day} {_MONTHS[local.month - 1]}"
    return short if local.year == today.year else f"{short} {local.year % 100:02d}"


def duration_words(milliseconds: int | None) -> str:
    """Return a length of time in words; empty for one that is unknown or below a tenth."""
    if milliseconds is None or milliseconds < 100:
        return ""
    if milliseconds < 10_000:
        return f"{milliseconds / 1000:.1f} s"
    seconds = milliseconds // 1000
    if seconds < 60:
        return f"{seconds} s"
    minutes, rest = divmod(seconds, 60)
    return (
        f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
    )
