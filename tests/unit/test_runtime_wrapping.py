"""Own rows of the built-in agent at the width of its terminal."""

from __future__ import annotations

import os
import pty
import re
import sys
import termios

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ink_tui.runtime.opening import help_rows
from ink_tui.runtime.stops import Signals
from ink_tui.runtime.terminal import Console, Style
from ink_tui.runtime.wrapping import text_width, wrapped

PLAIN = Style(colour=False, unicode=True)
COLOUR = Style(colour=True, unicode=True)
STYLES = re.compile(r"\x1b\[[0-9;]*m")


def test_a_long_row_hangs_under_its_text() -> None:
    assert wrapped("  read PATH     the text of a file, saved as a call", 40).split("\n") == [
        "  read PATH     the text of a file,",
        "                saved as a call",
    ]
    assert wrapped("! This is the session itself, not a fork", 24).split("\n") == [
        "! This is the session",
        "  itself, not a fork",
    ]
    assert wrapped("No model is configured", 12).split("\n") == ["No model is", "configured"]


def test_rows_that_fit_are_unchanged() -> None:
    text = "\n".join(["", "  two  blanks   stay ", *help_rows(COLOUR), ""])
    assert wrapped(text, 200) == text
    assert wrapped(text, 0) == text


@pytest.mark.parametrize("columns", [30, 40, 67, 80])
@pytest.mark.parametrize("style", [PLAIN, COLOUR], ids=["plain", "colour"])
def test_help_breaks_between_words(columns: int, style: Style) -> None:
    shown = wrapped("\n".join(help_rows(style)), columns)
    rows = STYLES.sub("", shown).split("\n")
    assert max(map(text_width, rows)) <= columns
    words = " ".join(" ".join(rows).split())
    assert words == " ".join(STYLES.sub("", " ".join(help_rows(style))).split())
    assert STYLES.findall(shown) == STYLES.findall("\n".join(help_rows(style)))


def test_a_style_at_the_break_leaves_no_blank_behind_the_last_column() -> None:
    row = f"{COLOUR.bold('agent')}  the title of it  {COLOUR.dim('~/work')}"
    rows = wrapped(row, 22).split("\n")
    assert [STYLES.sub("", each) for each in rows] == ["agent  the title of it", "       ~/work"]
    assert STYLES.findall("".join(rows)) == STYLES.findall(row)


def test_wide_characters_break_anywhere_and_stay_whole() -> None:
    rows = wrapped("user       也要处理空数组和 NaN 的情况", 24).split("\n")
    assert rows == ["user       也要处理空数", "           组和 NaN 的情", "           况"]


@example("0" * 28 + " \u0300", 4)
@example("00000 " + "0" * 25, 4)
@given(
    st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp"))),
    st.integers(4, 90),
)
def test_nothing_is_wider_and_nothing_is_lost(text: str, columns: int) -> None:
    shown = wrapped(text, columns)
    assert "".join(shown.split()) == "".join(text.split())
    for row in shown.split("\n"):
        assert text_width(row.rstrip(" ")) <= columns


def test_the_width_is_measured_at_each_print(monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = pty.openpty()
    with os.fdopen(slave, "w", encoding="utf-8") as stream, Signals() as signals:
        monkeypatch.setattr(sys, "stdout", stream)
        console = Console(signals)
        shown: list[bytes] = []
        for columns in (80, 22):
            termios.tcsetwinsize(slave, (24, columns))
            console.say("No model is configured here\n")
            shown.append(os.read(master, 1_000))
    os.close(master)
    assert shown == [
        b"No model is configured here\r\n",
        b"No model is configured\r\nhere\r\n",
    ]
