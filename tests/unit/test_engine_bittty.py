"""What a hostile child cannot do to the engine in Python alone: hang it, fill it, break it."""

from __future__ import annotations

import itertools
import random
import time
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from ink_tui.agent.engine_bittty import MAX_SEQUENCE, MAX_STRING, BitttyEngine
from ink_tui.agent.engine_bittty_cells import SCROLLBACK_CELLS, SCROLLBACK_LINES
from ink_tui.agent.read_pace import MIN_READ_BYTES, READ_BYTES, ReadPace
from tests.engine_probe import EngineProbe

if TYPE_CHECKING:
    from collections.abc import Iterator

E = "\x1b"
MAX_SECONDS = 1.0
"""Seconds of the processor: a busy machine is no fault of the engine."""


@pytest.fixture
def probe() -> Iterator[EngineProbe]:
    made = EngineProbe(BitttyEngine)
    yield made
    made.engine.close()


@pytest.mark.parametrize("before", ["", f"{E}[4h", f"{E}[?7l", f"{E}[2;4r"])
def test_a_repeat_with_a_huge_count_is_capped(before: str) -> None:
    probe = EngineProbe(BitttyEngine, 500, 200)
    probe.feed(before)
    began = time.thread_time()
    for count in (500, 10**9, 10**18):
        probe.feed(f"持{E}[{count}b")
    assert time.thread_time() - began < MAX_SECONDS
    assert probe.line(0).startswith("持持")
    probe.engine.close()


def test_selective_erase_is_as_quick_as_any_other() -> None:
    probe = EngineProbe(BitttyEngine, 500, 200)
    probe.feed("abc")
    began = time.thread_time()
    probe.feed(f"{E}[?2J{E}[?2K" * 40)
    assert time.thread_time() - began < MAX_SECONDS
    assert probe.line(0) == ""
    probe.engine.close()


@pytest.mark.parametrize("begin", [f"{E}]2;", f"{E}P", f"{E}_G", f"{E}^", f"{E}X", f"{E}["])
@pytest.mark.parametrize("piece", [100, 65536], ids=["in small pieces", "in large pieces"])
def test_an_endless_string_or_sequence_is_swallowed(
    probe: EngineProbe, begin: str, piece: int
) -> None:
    data = (begin + "7" * 400_000).encode()
    tracemalloc.start()
    try:
        for start in range(0, len(data), piece):
            probe.feed(data[start : start + piece])
        assert tracemalloc.get_traced_memory()[1] < 3_000_000
    finally:
        tracemalloc.stop()
    assert probe.lines() == [""] * 6
    probe.feed("m" if begin.endswith("[") else "\x07")
    probe.feed("after")
    assert probe.line(0) == "after"
    assert probe.engine.title() == ""


def test_a_string_within_the_limit_is_read_however_it_is_cut(probe: EngineProbe) -> None:
    for byte in f"{E}]2;{'t' * 1000}{E}\\{E}[38;2;1;2;3mX".encode():
        probe.feed(bytes([byte]))
    assert probe.engine.title() == "t" * 120
    assert probe.style(0, 0).foreground == (1, 2, 3)
    assert MAX_STRING > 1000


def test_a_long_sequence_does_nothing_and_shows_nothing(probe: EngineProbe) -> None:
    probe.feed(f"a{E}[{'1;' * MAX_SEQUENCE}mb{E}[{'9' * 5000}Cc")
    assert probe.line(0) == "abc"
    assert probe.style(1, 0).attributes == 0


def test_output_goes_on_after_a_sequence_that_the_package_fails_on(probe: EngineProbe) -> None:
    board = probe.engine._board  # type: ignore[attr-defined]  # to put a fault into it

    def fail(_operation: object) -> None:
        raise IndexError("out of range")

    board.registry["CUU"] = fail
    probe.feed(f"one{E}[A two{E}[1mthree")
    assert probe.line(0) == "one twothree"
    board.cursor.y = 99
    probe.feed("\rlast")
    assert "last" in "".join(probe.lines())


def test_a_failing_reply_listener_does_no_harm(caplog: pytest.LogCaptureFixture) -> None:
    from ink_tui.agent.engine import EngineEvents

    def fail(_data: bytes) -> None:
        raise RuntimeError("listener")

    nothing = (lambda: None, lambda: None, lambda _held: None)
    engine = BitttyEngine(20, 5, EngineEvents(fail, *nothing))
    engine.feed(f"{E}[6nok".encode())
    assert "listener" in caplog.text
    assert engine.dirty_rows()[0][0].text.startswith("ok")
    engine.close()


@pytest.mark.parametrize(
    "sequence",
    [
        f"{E}[8;3;5t",  # resize by the child
        f"{E}[?40h{E}[?3h",  # 132 columns
        f"{E}[132$|",  # columns of a page
        f"{E}#6",  # double width
        f"{E}[?8840h",  # wide ambiguous characters
        f"{E}[?2l",  # VT52
        f"{E}[?34h",  # right to left
    ],
)
def test_a_child_cannot_change_the_size_or_the_way_of_writing(
    probe: EngineProbe, sequence: str
) -> None:
    probe.feed(f"{sequence}·ab{E}[18t")
    assert probe.line(0) == "·ab"
    assert probe.cursor() == (3, 0)
    assert probe.replies == f"{E}[8;6;20t".encode()
    assert sum(run.columns for run in probe.row(0)) == 20


@pytest.mark.parametrize(
    "sequence",
    [
        f"{E}P0;0;0!z1B5B63{E}\\{E}[0*z",  # a macro
        f"{E}]52;c;?{E}\\",  # the clipboard
        f"{E}]2;secret\x07{E}[21t{E}[20t",  # the title
        f"{E}[5i",  # the printer
        f"{E}[1;1;1;1;6;20*y",  # a checksum of the screen
        "\x05",  # the answerback
    ],
)
def test_what_a_child_is_not_told(probe: EngineProbe, sequence: str) -> None:
    probe.feed(sequence)
    assert probe.replies == b""
    probe.feed("ok")
    assert "ok" in probe.line(0)


def test_colours_survive_a_reset_and_are_told(probe: EngineProbe) -> None:
    probe.engine.set_colors((1, 2, 3), (4, 5, 6))
    probe.feed(f"{E}]11;#ffffff\x07{E}]111\x07{E}]11;?\x07{E}]10;#ffffff\x07{E}c{E}]10;?\x07")
    assert b"]11;rgb:0404/0505/0606" in probe.replies
    assert b"]10;rgb:0101/0202/0303" in probe.replies


def test_full_rows_are_kept_up_to_a_number_of_cells() -> None:
    probe = EngineProbe(BitttyEngine, 144, 39)
    row = "x" * 143 + "\r\n"
    probe.feed(row * 3000)
    kept = probe.engine.view().total - 39
    assert SCROLLBACK_CELLS // 144 - 2 <= kept <= SCROLLBACK_CELLS // 143
    probe.feed("y\r\n" * 12_000)
    assert probe.engine.view().total - 39 <= SCROLLBACK_LINES
    probe.engine.close()


def test_what_was_scrolled_off_is_wrapped_anew_and_stays_in_view(probe: EngineProbe) -> None:
    probe.feed("\r\n".join(f"line {number} with words" for number in range(50)))
    probe.engine.scroll_to_start()
    probe.engine.scroll(10)
    assert probe.line(0) == "line 10 with words"
    probe.engine.resize(10, 6)
    assert probe.lines()[:2] == ["line 10 wi", "th words"]
    probe.feed(f"{E}[3J")
    assert probe.engine.view().offset == 0
    assert probe.engine.view().total == 6


def test_the_alternate_screen_has_nothing_to_scroll_back_to(probe: EngineProbe) -> None:
    probe.feed("x\r\n" * 50 + f"{E}[?1049hfull")
    assert probe.engine.view().total == 6
    probe.engine.scroll(-5)
    assert probe.engine.view().offset == 0
    assert "full" in "".join(probe.lines())
    probe.feed(f"{E}[?1049l")
    assert probe.engine.view().total > 50


PARTS = [
    *(f"{E}[{mark}" for mark in ("", "?", ">", "=", "!")),
    *(["0", "1", "2", "5", "38", "999", "99999999999", "4:3", ";", ";", ";"]),
    *"hlmJKLMPX@ABCDHrTSbfndcqtuszp$*\"' ",
    *(f"{E}{mark}" for mark in "78MDEc#()%NOPX]^_\\"),
    *"ab持\u0301\u200d\ufe0f👩🇩\u202e\r\n\t\b\x07\x0e\x0f\x18\x9b\x9d",
    "1049",
    "2026",
    "69",
]


@pytest.mark.parametrize("seed", range(4))
def test_noise_never_breaks_it(seed: int) -> None:
    choose = random.Random(seed)
    probe = EngineProbe(BitttyEngine, 80, 24)
    for turn in range(120):
        data = "".join(choose.choices(PARTS, k=120)).encode()
        began = time.thread_time()
        probe.feed(data[: choose.randrange(len(data))])
        assert time.thread_time() - began < MAX_SECONDS
        if turn % 10 == 9:
            probe.engine.resize(choose.choice([1, 2, 80, 200]), choose.choice([1, 2, 24, 60]))
        probe.engine.scroll(choose.randrange(-30, 31))
        for y, row in probe.engine.dirty_rows().items():
            assert 0 <= y < probe.engine.rows
            assert sum(run.columns for run in row) == probe.engine.columns
        view = probe.engine.view()
        assert 0 <= view.offset <= view.total - view.rows
        probe.engine.cursor()
    probe.engine.close()


def test_a_slow_turn_halves_what_is_read_and_a_quick_one_doubles_it() -> None:
    pace = ReadPace()
    assert pace.size == READ_BYTES
    for seconds, size in itertools.chain(
        [(0.05, READ_BYTES // 2), (0.02, READ_BYTES // 2), (0.001, READ_BYTES)],
        [(0.001, READ_BYTES)],
    ):
        pace.took(seconds)
        assert pace.size == size
    for _ in range(20):
        pace.took(1)
    assert pace.size == MIN_READ_BYTES
