"""Glyphs: both sets complete, widths that hold in every terminal, and the choice between them."""

from __future__ import annotations

import unicodedata
from dataclasses import fields

import pytest

from ink_tui.model.text import one_line
from ink_tui.tui.render.cells import width
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs, choose_glyphs

NAMES = [field.name for field in fields(Glyphs) if field.name != "ascii"]
STATES = ["live", "decide", "damaged", "failed", "done"]


def test_the_ascii_set_is_ascii_and_as_wide() -> None:
    for name in NAMES:
        plain, usual = getattr(ASCII, name), getattr(UNICODE, name)
        assert plain.isascii()
        assert plain.isprintable()
        assert len(plain) == width(plain) == width(usual)


def test_glyphs_pass_the_last_filter_unchanged() -> None:
    for name in NAMES:
        assert one_line(getattr(UNICODE, name)) == getattr(UNICODE, name)


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_each_state_has_a_mark_of_its_own_that_never_doubles(glyphs: Glyphs) -> None:
    marks = [getattr(glyphs, name) for name in STATES]
    assert len(set(marks)) == len(marks)
    assert all(unicodedata.east_asian_width(mark) in ("N", "Na") for mark in marks)


@pytest.mark.parametrize(
    ("setting", "encoding", "term", "chosen"),
    [
        ("auto", "utf-8", "xterm-256color", UNICODE),
        ("auto", "UTF8", "", UNICODE),
        ("auto", "utf_8", "xterm", UNICODE),
        ("auto", "utf-8", "linux", ASCII),
        ("auto", "ISO-8859-1", "xterm", ASCII),
        ("auto", "ANSI_X3.4-1968", "xterm", ASCII),
        ("unicode", "ascii", "linux", UNICODE),
        ("ascii", "utf-8", "xterm", ASCII),
    ],
)
def test_the_choice(setting: str, encoding: str, term: str, chosen: Glyphs) -> None:
    assert choose_glyphs(setting, encoding, term) is chosen
