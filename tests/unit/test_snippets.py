"""Snippets: the hit at 40 % of the width, cut on both sides by graphemes, safe to draw."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ink_tui.model.folding import word_places
from ink_tui.model.snippets import cluster_cells, clusters, snippet
from ink_tui.model.text import clean, hidden_count


def shown(text: str, word: str, cells: int = 30) -> str:
    """The snippet of a text, its hits in brackets."""
    made = snippet(text, word_places(text, word, 10), cells)
    out, at = "", 0
    for start, end in made.spans:
        out += f"{made.text[at:start]}[{made.text[start:end]}]"
        at = end
    return out + made.text[at:]


LONG = "one two three four five six seven eight nine ten eleven twelve"


@pytest.mark.parametrize(
    ("text", "word", "wanted"),
    [
        ("test crlf ok", "crlf", "test [crlf] ok"),
        ("first\n    let crlf = 1;\nlast", "crlf", "let [crlf] = 1;"),
        (LONG, "one", "[one] two three four five six …"),
        (LONG, "seven", "…r five six [seven] eight nine …"),
        (LONG, "twelve", "…eight nine ten eleven [twelve]"),
        ("crlf and crlf", "crlf", "[crlf] and [crlf]"),
        ("修复解析器的换行符处理并运行全部测试用例", "换行", "…复解析器的[换行]符处理并运行全…"),
        ("Straße", "ss", "Stra[ß]e"),
        ("\x1b[31mcrlf\x1b[0m", "crlf", "␛[31m[crlf]␛[0m"),
        ("a\tcrlf\r\nb", "crlf", "a [crlf]"),
    ],
)
def test_snippets(text: str, word: str, wanted: str) -> None:
    assert shown(text, word) == wanted


def test_without_a_hit_the_beginning_is_shown() -> None:
    assert snippet("\n\n  first line here\nsecond", (), 12).text == "first line…"


def test_a_hit_wider_than_the_line() -> None:
    made = snippet("x" * 500, ((100, 400),), 20)
    assert len(made.text) == 20
    assert made.spans[0][1] <= 20


TRICKY = st.sampled_from(
    ["e\u0301", "👩\u200d💻", "🇩🇪", "修", "\x1b[1m", "\r\n", "\u202e", "needle", "\n"]
)
TEXTS = st.lists(st.one_of(TRICKY, st.text(max_size=4)), max_size=30).map("".join)


@example(text="\xe9\x1b[1mneedle", cells=10)
@given(text=TEXTS, cells=st.integers(10, 60))
def test_any_snippet_is_one_clean_line_of_its_width(text: str, cells: int) -> None:
    made = snippet(text, word_places(text, "needle", 5), cells)
    assert "\n" not in made.text
    assert clean(made.text) == made.text
    assert hidden_count(made.text) == 0
    assert sum(map(cluster_cells, clusters(made.text))) <= cells + 1
    shown = [made.text[start:end] for start, end in made.spans]
    # Only the last one may be cut, and the first one of all never: ten cells hold it.
    assert all(hit == "needle" for hit in (shown[:1] + shown[:-1]))
    assert all("needle".startswith(hit) for hit in shown)
    assert "".join(clusters(text)) == text
