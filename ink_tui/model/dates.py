"""Dates as people write them (`ui.md` 2.3): English months, no leading zeros."""

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
