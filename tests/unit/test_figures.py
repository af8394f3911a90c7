"""Ages, times, sizes, tokens and durations, by table."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from ink_tui.tui.render import figures

NOW = datetime(2026, 11, 12, 12, 4, 30, tzinfo=UTC)
PARIS = timezone(timedelta(hours=1))


@pytest.mark.parametrize(
    ("back", "shown"),
    [
        (timedelta(0), "now"),
        (timedelta(seconds=59), "now"),
        (timedelta(seconds=60), "1m"),
        (timedelta(minutes=2, seconds=59), "2m"),
        (timedelta(minutes=59, seconds=59), "59m"),
        (timedelta(hours=1), "1h"),
        (timedelta(hours=23, minutes=59), "23h"),
        (timedelta(days=1), "1d"),
        (timedelta(days=12, hours=5), "12d"),
        (timedelta(days=13, hours=23), "13d"),
        (timedelta(days=14), "29 Oct"),
        (timedelta(days=300), "16 Jan"),
        (timedelta(days=400), "8 Oct 25"),
        (timedelta(days=9_500), "8 Nov 00"),
        (-timedelta(hours=2), "now"),
        (-timedelta(days=3), "15 Nov"),
    ],
)
def test_ages(back: timedelta, shown: str) -> None:
    assert figures.age(NOW - back, NOW, UTC) == shown


@pytest.mark.parametrize(
    ("moment", "shown"),
    [
        (datetime(2026, 11, 12, 9, 44, tzinfo=UTC), "10:44"),
        (datetime(2026, 11, 11, 23, 30, tzinfo=UTC), "00:30"),
        (datetime(2026, 11, 11, 22, 30, tzinfo=UTC), "Wed 23:30"),
        (datetime(2026, 11, 10, 15, 20, tzinfo=UTC), "Tue 16:20"),
        (datetime(2026, 11, 6, 15, 20, tzinfo=UTC), "Fri 16:20"),
        (datetime(2026, 11, 5, 15, 20, tzinfo=UTC), "5 Nov"),
        (datetime(2024, 11, 3, 15, 20, tzinfo=UTC), "3 Nov 24"),
        (datetime(2026, 11, 13, 15, 20, tzinfo=UTC), "13 Nov"),
    ],
)
def test_times_are_in_the_users_zone(moment: datetime, shown: str) -> None:
    assert figures.clock(moment, NOW, PARIS) == shown


def test_exact_times() -> None:
    moment = datetime(2026, 11, 12, 9, 45, 58, tzinfo=UTC)
    assert figures.clock_exact(moment, NOW, UTC) == "09:45:58"
    assert figures.clock_exact(moment - timedelta(days=1), NOW, UTC) == "11 Nov 09:45:58"


def test_no_time_is_no_figure() -> None:
    assert figures.age(None, NOW, UTC) == figures.clock(None, NOW, UTC) == ""
    assert figures.clock_exact(None, NOW, UTC) == figures.duration(None) == ""


@pytest.mark.parametrize(
    ("octets", "shown"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (678, "678 bytes"),
        (48_403, "48,403 bytes"),
        (999_999, "999,999 bytes"),
        (1_000_000, "1 MB"),
        (1_260_000, "1.3 MB"),
        (9_949_999, "9.9 MB"),
        (9_950_000, "10 MB"),
        (22_000_000, "22 MB"),
        (999_499_999, "999 MB"),
        (999_500_000, "1 GB"),
        (2**40, "1.1 TB"),
        (2**60, "1,152,922 TB"),
    ],
)
def test_sizes(octets: int, shown: str) -> None:
    assert figures.size(octets) == shown


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0"),
        (9_412, "9,412"),
        (9_999, "9,999"),
        (10_000, "10k"),
        (21_400, "21.4k"),
        (99_949, "99.9k"),
        (99_950, "100k"),
        (118_000, "118k"),
        (999_499, "999k"),
        (999_500, "1M"),
        (1_240_000, "1.2M"),
        (10**10, "10,000M"),
    ],
)
def test_tokens(number: int, shown: str) -> None:
    assert figures.tokens(number) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0.04, ""),
        (0.1, "0.1 s"),
        (8.21, "8.2 s"),
        (9.949, "9.9 s"),
        (9.96, "10 s"),
        (14, "14 s"),
        (59.6, "1m 00s"),
        (192, "3m 12s"),
        (3599.4, "59m 59s"),
        (7500, "2h 05m"),
        (90_000, "1d 01h"),
    ],
)
def test_durations(seconds: float, shown: str) -> None:
    assert figures.duration(seconds) == shown


def test_the_tree_shows_durations_from_one_second_on() -> None:
    assert (figures.duration(0.9, 1), figures.duration(1, 1)) == ("", "1.0 s")


def test_counts() -> None:
    assert figures.count(48_403) == "48,403"
    assert figures.counted(1, "record") == "1 record"
    assert figures.counted(1_204, "record") == "1,204 records"
    assert figures.counted(2, "branch", "branches") == "2 branches"
