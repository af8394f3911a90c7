"""The search finds what a plain search of the decoded texts finds, however they are spelled.

Texts of many scripts, with letters that fold in special ways, half surrogates and bytes that are no
UTF-8, in random legal spellings of JSON, in files that are torn, glued, split or end in zeros.
"""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ink_tui.model.folding import fold_sources, is_exact, word_places
from ink_tui.model.query import PatternTerm, WordTerm, format_query, parse, quoted
from ink_tui.store.search import engine, ripgrep
from ink_tui.store.search.anchor import literal_anchor, word_anchor
from ink_tui.store.search.literals import literal_of
from ink_tui.store.search.ripgrep import find_ripgrep
from ink_tui.store.search.spellings import Spellings
from tests.search_files import (
    call_message,
    hits_of,
    naive,
    record,
    result_message,
    run,
    spelled,
    user_message,
)
from tests.sessions import HEADER, line

if TYPE_CHECKING:
    from pathlib import Path

LETTERS = (
    "aAbkKsSiItTfFnNjJ019 _-./\\\"'\n\t{}:,[]u"
    "ßẞİıſKŉǰẗẚﬁﬀﬅµΜσςΣΆάΐϐПпЖжЩёЁ修复求和函数実行セッ한글ֆևاלﬓ🚀é👩\u200d💻"
    "\u0301\u0307\u02bc\u02be\ufffd\u2028\ud83d\udc4d\x1b\x7f\x85"
)
QUERY_LETTERS = 'abc-:"\\ re()[]*+?|\n.,<2dir:toolverdictisdate\u3000é修'
texts = st.text(st.sampled_from(LETTERS), max_size=12)


@st.composite
def files(draw: st.DrawFn) -> tuple[bytes, list[str]]:
    """A file and the texts in it."""
    chance = random.Random(draw(st.integers(0, 1 << 30)))
    escapes = draw(st.sampled_from((0.0, 0.1, 0.5, 1.0)))
    # Few letters in one file, so that words stand in more than one way in it.
    few = draw(st.lists(st.sampled_from(LETTERS), min_size=2, max_size=5))
    few += chance.choices('"\\/\ufffd\nsa', k=2)
    said = ["".join(chance.choices(few, k=chance.randrange(1, 12))) for _ in range(4)]
    lines = [line(HEADER).rstrip(b"\n")]
    for number, text in enumerate(said):
        written = spelled(text, chance, escapes)
        if chance.random() < 0.15:  # bytes that are no UTF-8
            place = chance.randrange(1, len(written))
            if written[place - 1 : place] != b"\\" and b"\\" not in written[place - 6 : place]:
                written = written[:place] + b"\xff\xc3" + written[place:]
        if chance.random() < 0.1:  # a line break that stands raw
            written = written.replace(b"\\n", b"\n")
        message = chance.choice((user_message, result_message))(written)
        if chance.random() < 0.3:
            message = call_message(written, spelled(chance.choice(said), chance, escapes))
        lines.append(record(f"{number:016x}", message))
    content = lines[0]
    for each in lines[1:]:
        content += (
            chance.choice((b"\n", b"\n", b"\n", b"\n", b"\r\n", b"\n\n", b"", b"\0\n")) + each
        )
    end = chance.choice(("newline", "newline", "none", "zeros", "torn", "bare"))
    if end == "torn":
        content = content[: chance.randrange(len(content) // 2, len(content))]
    content += {"newline": b"\n", "zeros": b"\0" * 64, "bare": b'\n"just text"\n'}.get(end, b"")
    return content, said


@st.composite
def words_in(draw: st.DrawFn, said: list[str]) -> list[str]:
    """Words of which most stand in one of some texts, in another case."""
    chance = random.Random(draw(st.integers(0, 1 << 30)))
    found: list[str] = []
    for _ in range(chance.choice((1, 1, 2))):
        text = chance.choice(said)
        start = chance.randrange(len(text))
        word = text[start : start + chance.randrange(1, 6)]
        change = chance.choice((str, str.lower, str.casefold, str.swapcase))
        found.append(change(word))
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("search")


def _agrees(
    folder: Path,
    content: bytes,
    words: list[str],
    program: str | None,
    spellings: Spellings | None = None,
) -> None:
    path = folder / "session.jsonl"
    path.write_bytes(content)
    query = " ".join(quoted(word) for word in words)
    events = run(query, path, ripgrep=program, spellings=spellings)
    hits = hits_of(events)
    assert {(hit.offset, hit.kind) for hit in hits} == naive(content, "session", words)
    lines = [content[: hit.offset].count(b"\n") + 1 for hit in hits]
    assert [hit.line for hit in hits] == lines


@settings(
    max_examples=400,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.data())
def test_hits_are_those_of_a_decoded_search(folder: Path, data: st.DataObject) -> None:
    content, said = data.draw(files())
    _agrees(folder, content, data.draw(words_in(said)), None)


@pytest.mark.skipif(find_ripgrep() is None, reason="ripgrep is not installed")
@settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.data())
def test_ripgrep_gives_the_same_hits(folder: Path, data: st.DataObject) -> None:
    content, said = data.draw(files())
    spellings = Spellings()
    # What the first search learns of the file must not mislead the second; nor does it matter
    # whether places are asked of all files at once or of each.
    for most in (ripgrep.MOST_PLACES, 1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ripgrep, "MOST_PLACES", most)
            patch.setattr(engine, "LEAST_BYTES", 0)
            _agrees(folder, content, data.draw(words_in(said)), find_ripgrep(), spellings)


CAUTIOUS = "abciks-. AKſıİKß修"


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_patterns_find_what_a_search_of_the_texts_finds(data: st.DataObject) -> None:
    """The text that a pattern must hold never keeps a line with a match from being tried."""
    pieces = st.sampled_from(
        ("a", "b", "ik", "s", "K", "(?:a|b)", "[ck]", "c+", "i?", ".", "\\.", "s*", "b{2}", "修")
    )
    pattern = "".join(data.draw(st.lists(pieces, min_size=1, max_size=5)))
    text = data.draw(st.text(st.sampled_from(CAUTIOUS), max_size=12))
    term = PatternTerm(pattern)
    match = re.search(pattern, text, 0 if term.exact else re.IGNORECASE)
    literal = literal_of(pattern)
    if match is None or not literal:
        return
    anchor = literal_anchor(literal, exact=term.exact)
    assert anchor is None or anchor.may_stand_in(text.encode())


def test_every_character_that_patterns_take_for_a_letter_is_known() -> None:
    """All of Unicode: what `re` takes for an ASCII letter is found by that letter's anchor."""
    alike = re.findall("[a-z]", "".join(map(chr, range(0x110000))), re.IGNORECASE)
    assert len(alike) > 2 * 26
    for letter in "abcdefghijklmnopqrstuvwxyz":
        anchor = literal_anchor(letter, exact=False)
        assert anchor is not None
        for char in alike:
            if re.match(letter, char, re.IGNORECASE):
                assert anchor.may_stand_in(char.encode()), (letter, char)


@settings(max_examples=400, deadline=None)
@given(text=texts, word=texts.filter(bool))
def test_places_of_words(text: str, word: str) -> None:
    places = word_places(text, word, 100)
    exact = any(char.isupper() or char.istitle() for char in word)
    held = word in text if exact else word.casefold() in text.casefold()
    assert bool(places) == held
    before = 0
    for start, end in places:
        assert before <= start < end <= len(text)
        piece = text[start:end]
        assert piece == word if exact else word.casefold() in piece.casefold()
        if not exact:  # and no shorter piece would do
            assert word.casefold() not in text[start + 1 : end].casefold() or end - start == 1
        before = end


def test_every_character_that_folds_is_known() -> None:
    """All of Unicode: what folds to something else is in the table, under what it folds to."""
    known = {char: folded for folded, chars in fold_sources().items() for char in chars}
    every = {
        chr(code): chr(code).casefold()
        for code in range(0x110000)
        if chr(code).casefold() != chr(code)
    }
    assert known == every


@pytest.mark.parametrize("exact", [False, True])
def test_every_cased_character_is_found_by_its_anchor(exact: bool) -> None:
    """Raw and as an escape, in a line of its own."""
    for folded, chars in fold_sources().items():
        word = chars[0] if exact or is_exact(folded) else folded
        anchor = word_anchor(word)
        assert anchor is not None
        for char in chars:
            if exact and (char != word or not (char.isupper() or char.istitle())):
                continue
            units = char.encode("utf-16-be")
            escape = "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
            assert anchor.may_stand_in(b"xx" + char.encode() + b"yy"), (word, char)
            assert anchor.may_stand_in(b"xx" + escape.encode() + b"yy"), (word, escape)
            assert anchor.may_stand_in(b"xx" + escape.upper().replace("U", "u").encode())


@settings(max_examples=1_000, deadline=None)
@given(
    st.text(st.sampled_from('abc-:"\\ re()[]*+?|\n.,<2dir:toolverdictisdate\u3000é修'), max_size=30)
)
def test_any_text_is_parsed(text: str) -> None:
    query = parse(text)
    for term in query.terms:
        assert 0 <= term.place.start < term.place.end <= len(text)
    if query.problem is not None:
        assert 0 <= query.problem.column <= len(text)
        assert query.problem.length >= 1
        assert query.problem.sentence
    written = format_query(query)
    again = parse(written)
    assert again.terms == query.terms
    assert again.problem is None
    assert format_query(again) == written


@given(st.text())
def test_any_unicode_is_parsed(text: str) -> None:
    query = parse(text)
    assert parse(format_query(query)).terms == query.terms


@given(st.text(min_size=1))
def test_quoted_text_is_one_word(text: str) -> None:
    assert parse(quoted(text)).terms == (WordTerm(text),)
