"""Readers of single values: the quick ways agree with the general ones."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ink_tui.formats.ink.values import count_or_none, shared, time_ms

MOMENTS = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31)).map(  # noqa: DTZ001 - made UTC
    lambda moment: moment.replace(microsecond=moment.microsecond // 1000 * 1000, tzinfo=UTC)
)


@given(MOMENTS)
def test_the_usual_stamp_means_what_any_other_of_that_moment_means(moment: datetime) -> None:
    text = moment.isoformat(timespec="milliseconds")
    usual = time_ms(text.replace("+00:00", "Z"))
    assert usual == time_ms(text) == time_ms(text.replace("T", " "))
    assert usual is not None
    exact = (moment - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(milliseconds=1)
    assert abs(usual - exact) <= 1


@pytest.mark.parametrize(
    "text",
    [
        "2026-13-01T00:00:00.000Z",
        "2026-02-30T00:00:00.000Z",
        "2026-01-01T24:30:00.000Z",
        "2026-01-01T00:60:00.000Z",
        "2026-01-01T00:00:60.000Z",
        "2026-01-01T00:00:0\u0663.000Z",
        "2026-01-01T00:00:00.0\u00b20Z",
        "2026-01-01T00:00:00,00zZ",
        "9" * 24,
    ],
)
def test_what_is_no_time_is_none_whatever_its_length(text: str) -> None:
    assert len(text) == 24
    assert time_ms(text) is None


def test_a_count_is_a_whole_number() -> None:
    assert [count_or_none(value) for value in (3, 3.9, -1, 10**30)] == [3, 3, -1, 10**30]
    for value in (True, None, "3", float("nan"), float("inf"), 1e19):
        assert count_or_none(value) is None


def test_names_are_kept_once_but_no_long_text() -> None:
    for length in (1, 16, 64):
        first, second = ("".join(["n"] * length) for _ in range(2))
        assert shared(first) == first
        assert shared(second) is shared(first)
    first, second = ("".join(["n"] * 65) for _ in range(2))
    assert shared(second) is second
    assert shared(first) is first
