"""Sessions in which agents of our own work: a search knows of them without asking the system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.query import parse
from ink_tui.model.query_sessions import Surroundings, session_passes
from ink_tui.store.search.engine import Search
from ink_tui.store.search.values import FoundIn, SearchTarget
from ink_tui.tui.screens.search_values import with_own_agents
from tests.session_rows import session_row
from tests.sessions import session, user

if TYPE_CHECKING:
    from pathlib import Path

    from ink_tui.model.listing import SessionRow
    from ink_tui.model.liveness import Holder


def test_they_are_live_and_no_others() -> None:
    rows = [session_row(name, "/w", 1) for name in ("own", "other")]
    live = parse("is:live").session_filters
    around = Surroundings(now_ms=2**42)
    told = with_own_agents(rows, {rows[0].path})
    assert [session_passes(row, live, around) for row in told] == [True, False]
    assert told[1] is rows[1]


def test_the_search_of_contents_takes_it_from_the_row(tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    file.write_bytes(session(user("a", None, "needle")))
    known = session_row("own", "/w", 1)
    (row,) = with_own_agents([known], {known.path})

    def holder_of(_row: SessionRow) -> Holder:
        raise AssertionError("the system is asked")

    search = Search(parse("needle is:live"), Surroundings(now_ms=2**42), holder_of=holder_of)
    found = list(search.run([SearchTarget(str(file), row)]))
    assert [type(each) for each in found].count(FoundIn) == 1
