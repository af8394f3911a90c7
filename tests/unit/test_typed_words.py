"""What a person types as a name: emoji stay whole, what cannot be seen is left out and told of."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich._emoji_codes import EMOJI

from ink_tui.model.entries import EntryId
from ink_tui.model.liveness import NOBODY
from ink_tui.model.text import clean, without_hidden
from ink_tui.store.annotate import LONGEST, left_out_of, look_to_annotate, write_label, write_name
from ink_tui.store.repair_plan import diagnosis_of
from tests.sessions import answer, session, user
from tests.unit.repair_files import NOW, put

if TYPE_CHECKING:
    from pathlib import Path

FAMILY = "👨\u200d👩\u200d👧\u200d👦"
HEART = "❤\ufe0f\u200d🔥"
WHOLE = [
    *(FAMILY, HEART, "🏳\ufe0f\u200d🌈", "👩🏽\u200d🚀", "👁\ufe0f\u200d🗨\ufe0f", "🐻\u200d❄\ufe0f"),
    *("🇩🇪", "🇺🇳🇯🇵", "1\ufe0f\u20e3", "#\ufe0f\u20e3", "*\u20e3", "☎\ufe0e", "☎\ufe0f", "©\ufe0f"),
    *("👍🏿", "می\u200cخواهم", "क्\u200dष", "工作 🚀", "e\u0301\u0308", "\ue0b0 branch", "naïve"),
]
"""Words of which nothing may go."""


@pytest.mark.parametrize("words", WHOLE)
def test_what_can_be_seen_stays_whole(words: str) -> None:
    assert without_hidden(words) == (words, ())
    assert without_hidden(f"a {words} z") == (f"a {words} z", ())


def test_every_emoji_stays_whole_but_flags_made_of_tags() -> None:
    """Tag characters can hide whole texts, so they go (`trust.md` 2.7)."""
    joined = [emoji for emoji in EMOJI.values() if "\u200d" in emoji]
    assert len(joined) > 500
    broken = {emoji for emoji in EMOJI.values() if without_hidden(emoji) != (emoji, ())}
    assert {emoji[0] for emoji in broken} == {"🏴"}
    assert all(without_hidden(emoji)[0] == "🏴" for emoji in broken)
    assert len(broken) == 3


@pytest.mark.parametrize(
    ("typed", "words", "left_out"),
    [
        ("a\u200db", "ab", ("U+200D",)),
        ("\u200d👩", "👩", ("U+200D",)),
        ("👩\u200d", "👩", ("U+200D",)),
        ("👩\u200dx", "👩x", ("U+200D",)),
        ("👩\u200d\u200d👧", "👩👧", ("U+200D",)),
        ("👩\u200b\u200d👧", "👩👧", ("U+200B", "U+200D")),
        ("a\ufe0fb", "ab", ("U+FE0F",)),
        ("\u202egnp.exe", "gnp.exe", ("U+202E",)),
        ("a\u2066b\u2069", "ab", ("U+2066", "U+2069")),
        ("a\u00adb\ufeffc\u2060d\u034f", "abcd", ("U+00AD", "U+FEFF", "U+2060", "U+034F")),
        ("a\x1b[31mb\x07\x9b", "a[31mb", ("U+001B", "U+0007", "U+009B")),
        ("a\ud83d", "a", ("U+D83D",)),
        ("x\U000e0041\U000e007f", "x", ("U+E0041", "U+E007F")),
        ("a\U00013430b", "ab", ("U+13430",)),
        ("\u3164\u115f\u1160", "", ("U+3164", "U+115F", "U+1160")),
        ("a" + "\u0301" * 12, "a" + "\u0301" * 8, ("U+0301",)),
        ("\ufdd0\uffff", "", ("U+FDD0", "U+FFFF")),
    ],
)
def test_what_cannot_be_seen_is_left_out_and_told_of(
    typed: str, words: str, left_out: tuple[str, ...]
) -> None:
    found, points = without_hidden(typed)
    assert found == words
    assert sorted(points) == sorted(left_out)
    assert clean(found) == found


_PIECES = st.one_of(
    st.sampled_from([*WHOLE, "\u200d", "\u200c", "\ufe0f", "\u202e", "\u0301" * 5, "👩", "a", "न"]),
    st.characters(),
)


@given(st.lists(_PIECES, max_size=30))
def test_what_stays_is_clean_and_a_part_of_what_was_typed(pieces: list[str]) -> None:
    typed = " ".join("".join(pieces).split())
    words, left_out = without_hidden(typed)
    assert clean(words) == words
    assert without_hidden(words) == (words, ())
    hiding = {char for char in words if unicodedata.category(char) in ("Cc", "Cf", "Cs")}
    assert hiding <= {"\u200d", "\u200c"}
    rest = iter(typed)
    assert all(char in rest for char in words), "in another order, or something was added"
    assert bool(left_out) == (words != typed)
    gone = {f"U+{ord(char):04X}" for char in typed if typed.count(char) > words.count(char)}
    assert set(left_out) == gone


class TestRecords:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        return put(tmp_path / "root", session(user("a", None, "one"), answer("b", "a", "two")))

    def write(self, path: Path, words: str) -> tuple[str, str, list[str]]:
        """Name the session and label its first record; return both, and what was said."""
        said = []
        for label in (False, True):
            at = look_to_annotate(path, now_ms=NOW, holder_of=lambda _: NOBODY)
            state = path.parent.parent / "state"
            if label:
                done = write_label(
                    at, EntryId("a"), words, state_dir=state, now_ms=NOW, holder=NOBODY
                )
            else:
                done = write_name(at, words, state_dir=state, now_ms=NOW, holder=NOBODY)
            said.append(done.sentence)
        at = look_to_annotate(path, now_ms=NOW, holder_of=lambda _: NOBODY)
        return at.name, at.label(EntryId("a")), said

    @pytest.mark.parametrize("words", WHOLE)
    def test_emoji_and_shaped_letters_are_written_as_they_are(self, words: str, path: Path) -> None:
        name, label, said = self.write(path, f"  {words}\t x ")
        assert name == label == f"{words} x"
        assert said == [
            f"Renamed to “{words} x”, u undoes it",
            f"Labelled “{words} x”, u undoes it",
        ]
        assert diagnosis_of(path.read_bytes()).title == f"{words} x"

    def test_what_is_left_out_is_said(self, path: Path) -> None:
        name, label, said = self.write(path, "\u202ea\u200db\u200bc\ufeff")
        assert name == label == "abc"
        without = "without U+202E, U+200D, U+200B and 1 more, which cannot be seen, u undoes it"
        assert said == [f"Renamed to “abc” {without}", f"Labelled “abc” {without}"]
        assert left_out_of("\u202eabc") == "U+202E"
        assert left_out_of(" a  b\n") == ""

    def test_a_name_of_nothing_that_can_be_seen_is_none(self, path: Path) -> None:
        assert self.write(path, " \u200b\u200d ")[:2] == ("", "")

    def test_a_cut_never_leaves_a_joiner_at_the_end(self, path: Path) -> None:
        for shift in range(7):
            name, label, _said = self.write(path, "x" * shift + FAMILY * 60)
            assert name == label
            assert LONGEST - 2 <= len(name) <= LONGEST
            assert clean(name) == name
            assert not name.endswith("\u200d")
