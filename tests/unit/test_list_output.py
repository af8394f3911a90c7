"""How rows are printed, kept and brought up to the moment: quick ways held against plain ones."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ink_tui.commands.output import json_line
from ink_tui.model.listing import SessionRow, at_moment
from ink_tui.model.liveness import Freshness
from ink_tui.model.row_fields import iso_time
from ink_tui.model.verdict import Verdict
from ink_tui.store.row_codec import LAYOUT, decode_row, encode_row, sealed, unsealed

TEXT = st.text(st.characters(codec=None, exclude_categories=()))
SCALAR = st.none() | st.booleans() | st.integers() | TEXT | st.sampled_from(list(Verdict))


@given(st.dictionaries(TEXT, SCALAR, max_size=5))
def test_a_line_is_ascii_and_says_what_it_was_given(answer: dict[str, object]) -> None:
    line = json_line(answer)
    assert line == json.dumps(answer, ensure_ascii=True, separators=(",", ":"))
    assert line.isascii()


@pytest.mark.parametrize("missing", [True, False])
@pytest.mark.parametrize("fresh", list(Freshness))
def test_a_row_at_another_moment_differs_in_nothing_else(fresh: Freshness, missing: bool) -> None:
    row = SessionRow("/p", title="t", records=3, rewritten_at=7, complete=False)
    later = at_moment(row, fresh, cwd_missing=missing)
    wanted = replace(row, freshness=fresh, cwd_missing=missing)
    for each in fields(SessionRow):
        assert getattr(later, each.name) == getattr(wanted, each.name), each.name


def test_all_is_kept_but_the_facts_of_the_moment() -> None:
    names = {each.name for each in fields(SessionRow)}
    moment = {"path", "freshness", "holder", "cwd_missing", "tail_known", "complete"}
    assert LAYOUT.split(",") == [
        each.name for each in fields(SessionRow) if each.name in names - moment
    ]


@pytest.mark.parametrize("field", ["verdict", "tail_state", "refusal"])
def test_a_kept_word_that_nobody_knows_is_refused(field: str) -> None:
    values = json.loads(unsealed(encode_row(SessionRow("/p")), b""))
    values[LAYOUT.split(",").index(field)] = "strange"
    with pytest.raises(ValueError, match="not a word"):
        decode_row("/p", sealed(json.dumps(values).encode(), b""))


def test_a_moment_is_printed_in_utc_to_the_second() -> None:
    assert iso_time(None) is None
    assert iso_time(1_767_225_600_999) == "2026-01-01T00:00:00Z"
    assert iso_time(-1) == "1969-12-31T23:59:59Z"
