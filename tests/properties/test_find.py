"""What a find in a session finds is what a search of its decoded texts finds, on many sessions."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ink_tui.model.find import FoundText, find_query, placed
from ink_tui.model.outline import build_outline
from ink_tui.model.passages import Kind
from ink_tui.model.transcript_build import build_transcript
from ink_tui.store.search.inside import find_inside
from ink_tui.tui.render.find_marks import Marking, is_current, mark_block
from ink_tui.tui.render.lines import Line
from ink_tui.tui.render.rows import Piece
from tests.find_files import WORDS, Beside, decoded_search, some_session
from tests.search_files import hits_of
from tests.search_files import run as search_everywhere
from tests.sessions import read

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SESSIONS = 200
PATTERNS = (r"re:s.m", r"re:[解修]+", r"re:(?:a )?sum\b", r"re:N\w+", r"re:\d")


def literal(word: str) -> Callable[[str], int]:
    """Return what counts a word by our rule of case; places that touch are one."""
    flags = 0 if any(char.isupper() for char in word) else re.IGNORECASE
    return pattern(f"(?:{re.escape(word)})+", flags)


def pattern(source: str, flags: int = 0) -> Callable[[str], int]:
    return lambda text: len(re.findall(source, text, flags))


def counted(texts: tuple[FoundText, ...]) -> Counter[tuple[str | None, str, str, int]]:
    """Return what was found in records: not ids, and not what the header says."""
    return Counter(
        (each.entry_id, each.kind.value, each.call_id, each.count)
        for each in texts
        if each.kind not in (Kind.ID, Kind.PATH)
    )


@pytest.mark.parametrize("seed", range(SESSIONS))
def test_hits_are_those_of_a_search_in_the_decoded_texts(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    data = some_session(chance)
    path = tmp_path / "session.jsonl"
    path.write_bytes(data)
    beside = Beside()
    for word in (*chance.sample(WORDS, 3), chance.choice(("u", "修", "sum", "ß", "été".upper()))):
        found = find_inside(beside, find_query(word), str(path), stop=lambda: False)
        assert not found.trouble
        assert counted(found.texts) == decoded_search(data, literal(word)), word
        everywhere = hits_of(search_everywhere(f'"{word}"', path))
        assert [(each.offset, each.kind, each.count) for each in found.texts] == [
            (each.offset, each.kind, each.count) for each in everywhere
        ]


@pytest.mark.parametrize("typed", PATTERNS)
@pytest.mark.parametrize("seed", range(8))
def test_patterns_too(seed: int, typed: str, tmp_path: Path) -> None:
    data = some_session(random.Random(seed))
    path = tmp_path / "session.jsonl"
    path.write_bytes(data)
    source = typed.removeprefix("re:")
    exact = any(char.isupper() for char in source)
    found = find_inside(
        Beside(),
        find_query(typed),
        str(path),
        stop=lambda: False,
    )
    flags = re.MULTILINE | (0 if exact else re.IGNORECASE)
    wanted = decoded_search(data, pattern(f"(?:{source})+", flags))
    assert counted(found.texts) == wanted


@pytest.mark.parametrize("seed", range(SESSIONS))
def test_every_hit_has_its_place_in_the_order_of_the_tree(seed: int, tmp_path: Path) -> None:
    data = some_session(random.Random(seed))
    path = tmp_path / "session.jsonl"
    path.write_bytes(data)
    diagnosis = read(data)
    outline, transcript = build_outline(diagnosis), build_transcript(diagnosis)
    found = find_inside(Beside(), find_query("sum"), str(path), stop=lambda: False)
    finding = placed(found.texts, outline, transcript)
    assert finding.total == sum(text.count for text in found.texts)
    assert list(finding.places) == sorted(finding.places)
    spots = [finding.spot(number) for number in range(finding.total)]
    assert [finding.number_of(spot) for spot in spots] == list(range(finding.total))
    assert len({(*spot.text.identity, spot.nth) for spot in spots}) == finding.total
    on_branch = {block.key: block for block in transcript.blocks}
    for text in finding.texts:
        if text.entry_id is None:
            continue
        row = outline.row(text.row) if text.row is not None else None
        if row is not None:
            assert text.offset in [s.offset for s in (row.span, row.result_span) if s is not None]
        elif text.entry_id in outline.by_entry:
            raise AssertionError(f"a row for {text} was missed")
        if text.block is not None:
            block = on_branch[text.block]
            result = getattr(block.body, "result_entry", None)
            assert text.entry_id in (block.entry_id, result)
    assert sum(finding.rows.values()) == sum(t.count for t in finding.texts if t.row is not None)
    with pytest.raises(IndexError):
        finding.spot(finding.total)


LETTERS = "ab aS解修 [red]\x1b[31m\u202e\u0301é👩\u200d💻ß\n"
PIECES = st.lists(st.text(st.sampled_from(LETTERS), max_size=6), max_size=4)


@settings(max_examples=300, deadline=None)
@given(PIECES, st.lists(PIECES, max_size=4), st.lists(st.text("abS解修 \n", max_size=3)), st.data())
def test_marks_change_no_character(
    head: list[str], under: list[list[str]], words: list[str], data: st.DataObject
) -> None:
    first = tuple(Piece(text, bold=bool(at % 2)) for at, text in enumerate(head))
    lines = [Line((Piece("  "), *(Piece(text) for text in texts))) for texts in under]
    nth = data.draw(st.none() | st.integers(0, 5))
    marking = Marking(tuple(words), nth, data.draw(st.none() | st.integers(0, 3)))
    new_first, new_lines = mark_block(first, lines, marking)
    rows = [first, *(line.pieces for line in lines)]
    new_rows = [new_first, *(line.pieces for line in new_lines)]
    found = 0
    for before, after in zip(rows, new_rows, strict=True):
        assert "".join(piece.text for piece in before) == "".join(piece.text for piece in after)
        found += sum(piece.underline for piece in after)
    current = sum(is_current(pieces) for pieces in new_rows)
    assert current <= 2  # a place that goes on in the next line is on both
    assert bool(current) == (nth is not None and found > 0)
