"""Cleaning of foreign text (`trust.md` 2.7)."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ink_tui.model.text import MAX_MARKS, clean, first_line, hidden_count, one_line

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=200)
HOSTILE = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "\x1b]52;c;AAAA\x07",
                "\x9b31m",
                "\u202e",
                "\u200b",
                "\x00",
                "\ud83d",
                "\U000e0041",
                "\ufdd0",
                "\u2028",
                "\u200d",
                "👩\u200d🔬",
                "\u0301" * 30,
                "\r\n",
                "\r",
                "\t",
                "é",
            ]
        ),
        st.text(max_size=5),
    ),
    max_size=30,
).map("".join)


def _forbidden(char: str) -> bool:
    code = ord(char)
    return (
        (unicodedata.category(char) in ("Cc", "Cs") and char not in "\n\t")
        or code in (0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x200B, 0xFEFF, 0x00AD)
        or 0x202A <= code <= 0x202E
        or 0x2066 <= code <= 0x2069
        or 0xE0000 <= code <= 0xE007F
        or 0xFDD0 <= code <= 0xFDEF
        or code & 0xFFFE == 0xFFFE
    )


@given(st.one_of(ANY_TEXT, HOSTILE))
def test_nothing_dangerous_is_left_and_once_is_enough(text: str) -> None:
    cleaned = clean(text)
    assert not [char for char in cleaned if _forbidden(char)]
    assert clean(cleaned) == cleaned
    cleaned.encode("utf-8")


@given(HOSTILE)
def test_one_line_is_one_line(text: str) -> None:
    assert not set(one_line(text)) & {"\n", "\t", "\r"}


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b[2J", "␛[2J"),
        ("a\u202eb", "a<U+202E>b"),
        ("a\x9bb", "a<U+009B>b"),
        ("\ud83dx", "\ufffdx"),
        ("one\r\ntwo", "one\ntwo"),
        ("one\rtwo", "one␍two"),
        ("a\u200db", "a<U+200D>b"),
        ("👩\u200d🔬", "👩\u200d🔬"),
        ("🛠\ufe0f", "🛠\ufe0f"),
        ("1\ufe0f\u20e3", "1\ufe0f\u20e3"),
        ("a\ufe0f", "a<U+FE0F>"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("tab\tstays\n", "tab\tstays\n"),
    ],
)
def test_visible_forms(raw: str, shown: str) -> None:
    assert clean(raw) == shown


def test_marks_are_capped_and_counted() -> None:
    assert clean("e" + "\u0301" * 1000) == "e" + "\u0301" * MAX_MARKS + "<992 more marks>"


def test_hidden_characters_are_counted() -> None:
    assert hidden_count("plain") == 0
    assert hidden_count("\x1b\u202e👩\u200d🔬") == 2


def test_first_line_trims_as_javascript_does() -> None:
    assert first_line("\n \ufeff \n  Plot the\ttide  \nmore") == "Plot the\ttide"
    assert first_line("\x1c\n") == "\x1c"
    assert first_line(" \n\t") == ""


@given(st.text(st.sampled_from("\x00\x07\x1b\r\n\t\x7fab "), max_size=40))
def test_ascii_is_cleaned_as_it_is_beside_other_letters(text: str) -> None:
    assert clean(text + "é") == clean(text) + "é"


@pytest.mark.parametrize("joiner", ["\u200d", "\ufe0f"])
def test_an_escape_is_no_letter_that_a_joiner_or_a_selector_shapes(joiner: str) -> None:
    assert clean(f"\x1b{joiner}☀") == f"\u241b<U+{ord(joiner):04X}>☀"
    assert clean(f"é\x1b[0m{joiner}☀") == f"é\u241b[0m<U+{ord(joiner):04X}>☀"
