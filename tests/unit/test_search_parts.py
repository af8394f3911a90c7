"""What the search screen is made of: snippets cut again, records near a hit, completion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from ink_tui.model.passages import Kind
from ink_tui.model.query import parse
from ink_tui.model.query_complete import Offers
from ink_tui.model.query_sessions import Surroundings
from ink_tui.model.row_matches import row_match
from ink_tui.model.snippets import cluster_cells, clusters, narrowed, snippet
from ink_tui.store.search.nearby import NEAR_BYTES, read_nearby
from ink_tui.tui.render.lines import Line
from ink_tui.tui.render.rows import Piece, Role
from ink_tui.tui.screens.completing import Completing, Typed
from ink_tui.tui.widgets.preview_pane import with_marks
from tests.session_rows import HOUR, session_row
from tests.sessions import session, user

if TYPE_CHECKING:
    from pathlib import Path


@given(
    before=st.text("ab 修🚀", max_size=200),
    after=st.text("cd 修🚀", max_size=200),
    cells=st.integers(12, 80),
)
def test_a_narrower_snippet_still_shows_its_hit(before: str, after: str, cells: int) -> None:
    text = f"{before}needle{after}"
    wide = snippet(text, [(len(before), len(before) + 6)], 160)
    made = narrowed(wide, cells)
    assert sum(map(cluster_cells, clusters(made.text))) <= cells
    assert [made.text[start:end] for start, end in made.spans] == ["needle"]


def test_only_the_neighbourhood_of_a_hit_is_read(tmp_path: Path) -> None:
    long = "x" * 5_000
    ids = [f"u{n}" for n in range(200)]
    lines = [user(each, ids[n - 1] if n else None, f"{n} {long}") for n, each in enumerate(ids)]
    content = session(*lines)
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    nearby = read_nearby(str(path), content.index(b'"u100"'))
    assert "u100" in nearby.session.nodes
    assert nearby.session.size < 3 * NEAR_BYTES < len(content)
    assert not nearby.whole_start
    assert not nearby.whole_end
    assert nearby.session.header is not None
    first = read_nearby(str(path), 0)
    assert first.whole_start
    assert not first.session.bad_lines
    assert not nearby.session.bad_lines


def test_a_row_shows_the_text_that_answers() -> None:
    row = session_row("abcdefgh", "/home/u/work/demo", HOUR, title="Fix the parser")
    found = row_match(row, parse("parser demo"), Surroundings(), cells=80)
    assert found is not None
    assert found.kind is Kind.NAME
    assert [found.snippet.text[a:b] for a, b in found.snippet.spans] == ["parser"]
    folder = row_match(row, parse("work"), Surroundings(), cells=80)
    assert folder is not None
    assert folder.kind is Kind.PATH
    assert row_match(row, parse("nowhere"), Surroundings(), cells=80) is None


def test_what_was_looked_for_is_set_off_across_pieces() -> None:
    line = Line((Piece("call par"), Piece("SER now", Role.MUTED)))
    made = with_marks(line, ("parser",))
    marked = [piece.text for piece in made.pieces if piece.underline]
    assert "".join(marked) == "parSER"
    assert "".join(piece.text for piece in made.pieces) == "call parSER now"
    assert with_marks(line, ("x",)) is line


def test_candidates_go_round_and_back_and_are_taken_back() -> None:
    steps = Completing()
    typed = Typed("verdict:", 8)
    seen: list[Typed] = []
    for _ in range(5):
        put = steps.go(typed if not seen else seen[-1], 1, Offers())
        assert put is not None
        seen.append(put)
    assert seen[0] == seen[4]
    assert steps.go(seen[-1], -1, Offers()) == seen[3]
    assert steps.taken_back() == typed
    assert steps.taken_back() is None
