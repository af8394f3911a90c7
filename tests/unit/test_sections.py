"""Sections by time: days in the user's zone, their headings, and all sessions under them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from ink_tui.model.groups import Arrangement, ItemKind, Listing, ListQuery, arrange
from ink_tui.model.sections import Clock, by_day, heading
from tests.session_rows import DAY, DEMO, HOUR, NOON_MS, ROWS, TORN, session_row

QUERY = ListQuery(now_ms=NOON_MS, arrangement=Arrangement.TIME)
"""Monday, 2 March 2026, 12:04."""


def sections(listing: Listing) -> dict[str, int]:
    return {item.title: item.count for item in listing.items if item.kind is ItemKind.GROUP}


def test_days_are_headed_as_people_say_them() -> None:
    assert list(sections(arrange(ROWS, QUERY)).items()) == [
        ("today", 4),
        ("yesterday", 1),
        ("Thu 26 Feb", 1),
        ("Wed 25 Feb", 1),
        ("Wed 18 Feb", 1),
        ("Tue 10 Feb", 1),
        ("Sat 31 Jan", 1),
    ]


def test_it_is_flat_with_a_column_of_folders_and_what_is_pinned_stays_in_its_place() -> None:
    rows = [session_row(f"s{n}", f"/w/{n % 3}", n) for n in range(40)]
    listing = arrange(rows, QUERY)
    assert [item.title for item in listing.items if item.row] == [f"s{n}" for n in range(40)]
    assert not any(item.kind is ItemKind.MORE for item in listing.items)
    assert {item.folder for item in listing.items if item.row} == {"0", "1", "2"}
    folded = arrange(rows, replace(QUERY, folded=frozenset({"day:2026-03-02"})))
    assert [item.kind for item in folded.items] == [ItemKind.GROUP]


def test_another_year_is_written_and_tomorrow_is_a_date() -> None:
    rows = [session_row("last year", DEMO, 90 * DAY), session_row("ahead", DEMO, -DAY)]
    assert list(sections(arrange(rows, QUERY))) == ["Tue 3 Mar", "Tue 2 Dec 25"]


def test_midnight_is_the_users() -> None:
    late = session_row("late", DEMO, 13 * HOUR)  # 23:04 of the day before in UTC
    assert list(sections(arrange([late], QUERY))) == ["yesterday"]
    east = replace(QUERY, zone=timezone(timedelta(hours=2)))
    assert list(sections(arrange([late], east))) == ["today"]


def test_a_day_of_25_hours_is_one_day() -> None:
    zone = ZoneInfo("Europe/Berlin")
    now = datetime(2025, 10, 27, 0, 30, tzinfo=zone)
    early = datetime(2025, 10, 26, 0, 10, tzinfo=zone)
    clock = Clock(now_ms=int(now.timestamp() * 1000), zone=zone)
    row = replace(TORN, last_ms=int(early.timestamp() * 1000))
    [section] = by_day([row], clock)
    assert heading(section.key, clock) == "yesterday"


@pytest.mark.parametrize("last_ms", [None, 10**18, -(10**18), 253_402_300_799_999 + 1])
def test_what_no_calendar_holds_stands_last(last_ms: int | None) -> None:
    rows = [replace(TORN, last_ms=last_ms), session_row("old", DEMO, 56 * 365 * DAY)]
    listing = arrange(rows, replace(QUERY, zone=UTC))
    assert list(sections(listing))[-1] == "no time known"
    assert sum(sections(listing).values()) == 2
