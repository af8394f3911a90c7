"""First and last words of a branch (`ui.md` section 4), and what finding them costs."""

from __future__ import annotations

import pytest

from ink_tui.model.gist import Gist
from ink_tui.model.summary import gist_of
from tests.counts import counting_calls
from tests.sessions import answer, read, results, session, user


@pytest.mark.parametrize(
    ("texts", "gist"),
    [
        ((), Gist("", "", "")),
        (("u:", "u:one", "a:yes", "u:two", "a:", "u:"), Gist("one", "two", "yes")),
        (("a:hello", "u:one"), Gist("one", "one", "hello")),
        (("u:", "a:"), Gist("", "", "")),
    ],
)
def test_blank_words_are_none(texts: tuple[str, ...], gist: Gist) -> None:
    lines = [
        (user if text[0] == "u" else answer)(f"n{at}", f"n{at - 1}" if at else None, text[2:])
        for at, text in enumerate(texts)
    ]
    assert gist_of(read(session(*lines)).branch.entries) == gist


def test_the_texts_between_are_not_put_together() -> None:
    taken = []
    for turns in (5, 500):
        lines: list[bytes] = []
        for at in range(0, 3 * turns, 3):
            lines.append(user(f"n{at}", f"n{at - 1}" if at else None, f"question {at}"))
            lines.append(answer(f"n{at + 1}", f"n{at}", "look", ((f"c{at}", "ls", {}),)))
            lines.append(results(f"n{at + 2}", f"n{at + 1}", (f"c{at}", "ls", "a.txt")))
        branch = read(session(*lines)).branch.entries
        with counting_calls() as work:
            assert gist_of(branch).last_answer == "look"
        taken.append(work.calls)
    assert taken[0] == taken[1]
