"""What is said while the whole of a long session is being read."""

from __future__ import annotations

import pytest

from ink_tui.tui.render.waiting_rows import CONTEXT_WAITS, reading_words, waiting_rows


@pytest.mark.parametrize(
    ("done", "size", "words"),
    [
        (230_000, 1_300_000, "reading 0.2 of 1.3 MB"),
        (12_000_000, 212_000_000, "reading 12 of 212 MB"),
        (380_000_000, 1_000_000_000, "reading 380 MB of 1 GB"),
        (212_000_000, 212_000_000, "212 MB read, building the tree"),
        (1_000_000_000, 1_000_000_000, "1 GB read, building the tree"),
    ],
)
def test_progress_in_words(done: int, size: int, words: str) -> None:
    assert reading_words(done, size) == words


@pytest.mark.parametrize("cells", [10, 40, 120])
def test_a_tab_that_waits_says_for_what(cells: int) -> None:
    rows = waiting_rows(CONTEXT_WAITS, "reading 12 of 212 MB", cells)
    said = [row.text[0].text for row in rows if row.text]
    assert said[0] == CONTEXT_WAITS[0]
    assert " ".join(said[1:-1]) == CONTEXT_WAITS[1]
    assert said[-1] == "Reading 12 of 212 MB"
    assert not any(row.selectable for row in rows if row.text)
