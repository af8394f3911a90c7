"""What a terminal engine must get right: 56 checks, and widths by grapheme cluster from the start.

Each check is a list of steps: bytes go in, then what can be seen is compared.
"""

from __future__ import annotations

import itertools
import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from ink_tui.agent.engine import Attribute, Color, EngineEvents, MouseEvent
from tests.engine_probe import ENGINES, EngineProbe, engine_factory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from _pytest.mark import ParameterSet

    from ink_tui.agent.engine import EngineFactory


@dataclass(frozen=True)
class Step:
    """Input, and what must be seen after it."""

    feed: str | bytes = ""
    rows: dict[int, str] = field(default_factory=dict)
    cursor: tuple[int, int] | None = None
    reply: str | None = None
    attributes: dict[tuple[int, int], Attribute] = field(default_factory=dict)
    foreground: dict[tuple[int, int], Color] = field(default_factory=dict)
    background: dict[tuple[int, int], Color] = field(default_factory=dict)
    also: Callable[[EngineProbe], bool] | None = None
    resize: tuple[int, int] | None = None
    byte_by_byte: bool = False

    def passes(self, probe: EngineProbe) -> bool:
        if self.resize:
            probe.engine.resize(*self.resize)
        data = self.feed.encode() if isinstance(self.feed, str) else self.feed
        for part in [data[i : i + 1] for i in range(len(data))] if self.byte_by_byte else [data]:
            probe.feed(part)
        seen = [probe.line(y) == text for y, text in self.rows.items()]
        seen += [probe.style(*at).attributes == want for at, want in self.attributes.items()]
        seen += [probe.style(*at).foreground == want for at, want in self.foreground.items()]
        seen += [probe.style(*at).background == want for at, want in self.background.items()]
        if self.cursor is not None:
            seen.append(probe.cursor() == self.cursor)
        if self.reply is not None:
            seen.append(re.fullmatch(self.reply, probe.replies.decode("latin-1"), re.S) is not None)
        if self.also is not None:
            seen.append(self.also(probe))
        return all(seen)


def rows(*texts: str) -> dict[int, str]:
    return dict(enumerate(texts))


E = "\x1b"
A20 = "a" * 20
NO = Attribute.NONE
MARKS = "bold italic underline strike inverse faint"
MARKS_SEEN = [Attribute[name.upper()] for name in MARKS.split()]


def joined(probe: EngineProbe) -> bool:
    return "helloworldfoo" in "".join(probe.lines()).replace(" ", "")


def clicked(probe: EngineProbe) -> bool:
    press = MouseEvent("press", "left", column=2, row=1)
    moved = MouseEvent("motion", "none", column=3, row=1)
    encode = probe.engine.encode_mouse
    return (encode(press), encode(moved)) == (b"\x1b[<0;3;2M", b"\x1b[<35;4;2M")


SHORT = f"{E}[HALT"
CHECKS: dict[str, list[Step]] = {
    "autowrap waits for the next character": [Step(A20 + "\rX", rows("X" + "a" * 19, ""))],
    "cursor position, erase display, erase line": [
        Step(f"AAAA\r\nBBBB\r\nCCCC{E}[2;3H{E}[K{E}[3;1H{E}[J", rows("AAAA", "BB", ""))
    ],
    "scroll region": [
        Step(f"1\r\n2\r\n3\r\n4\r\n5\r\n6{E}[2;4r{E}[4;1H\nX", rows("1", "3", "4", "X", "5", "6"))
    ],
    "reverse index in a region": [
        Step(f"1\r\n2\r\n3\r\n4\r\n5\r\n6{E}[2;4r{E}[2;1H{E}MX", rows("1", "X", "2", "3", "5", "6"))
    ],
    "insert and delete lines": [
        Step(f"1\r\n2\r\n3\r\n4{E}[2;1H{E}[L", rows("1", "", "2", "3", "4")),
        Step(f"{E}[2M", rows("1", "3", "4", "")),
    ],
    "insert, delete and erase characters": [
        Step(f"abcdef{E}[1;3H{E}[2@", rows("ab  cdef")),
        Step(f"{E}[2P", rows("abcdef")),
        Step(f"{E}[2X", rows("ab  ef")),
    ],
    "scroll up and down": [
        Step(f"1\r\n2\r\n3{E}[2S", rows("3")),
        Step(f"{E}[1T", rows("", "3")),
    ],
    "repeat": [Step(f"x{E}[4b", rows("xxxxx"))],
    "tabs forward and back": [Step(f"\tA{E}[Z{E}[ZB", rows("B       A"))],
    "alternate screen": [
        Step(f"main{E}[?1049h{SHORT}", rows("ALT"), also=lambda p: p.engine.modes()[0]),
        Step(f"{E}[?1049l", rows("main"), also=lambda p: not p.engine.modes()[0]),
    ],
    "save and restore cursor": [Step(f"ab{E}7{E}[5;5Hx{E}8c", rows("abc"))],
    "line drawing": [Step(f"{E}(0lqk{E}(B", rows("┌─┐"))],
    "insert mode": [Step(f"abc\r{E}[4hX{E}[4l", rows("Xabc"))],
    "origin mode": [Step(f"{E}[2;4r{E}[?6h{E}[1;1HX", rows("", "X"))],
    "autowrap off": [Step(f"{E}[?7l" + "a" * 25, rows(A20, ""))],
    "wide character takes two cells": [Step("持x", rows("持x"), cursor=(3, 0))],
    "wide character wraps at the margin": [Step("a" * 19 + "持", rows("a" * 19, "持"))],
    "overwriting half of a wide character": [Step(f"持{E}[1;2HX", rows(" X"))],
    "combining mark": [Step("e\u0301x", rows("e\u0301x"), cursor=(2, 0))],
    "joined emoji is one cluster": [Step("👩\u200d💻x", rows("👩\u200d💻x"), cursor=(3, 0))],
    "emoji presentation": [Step("⚠\ufe0fx", rows("⚠\ufe0fx"), cursor=(3, 0))],
    "attributes": [
        Step(
            f"{E}[1mB{E}[0;3mI{E}[0;4mU{E}[0;9mS{E}[0;7mR{E}[0;2mF",
            attributes={(x, 0): mark for x, mark in enumerate(MARKS_SEEN)},
        )
    ],
    "24-bit colour with semicolons": [Step(f"{E}[38;2;1;2;3mX", foreground={(0, 0): (1, 2, 3)})],
    "24-bit colour with colons": [Step(f"{E}[38:2::1:2:3mX", foreground={(0, 0): (1, 2, 3)})],
    "curly underline": [
        Step(
            f"{E}[4:3mX{E}[0mY",
            rows("XY"),
            attributes={(0, 0): Attribute.UNDERLINE, (1, 0): NO},
        )
    ],
    "erase keeps the background": [Step(f"{E}[48;2;9;8;7m{E}[K", background={(5, 0): (9, 8, 7)})],
    "bracketed paste mode": [
        Step(also=lambda p: p.engine.encode_paste("ab") == b"ab"),
        Step(
            f"{E}[?2004h",
            also=lambda p: p.engine.encode_paste("ab") == b"\x1b[200~ab\x1b[201~",
        ),
    ],
    "mouse modes": [
        Step(also=lambda p: p.engine.encode_mouse(MouseEvent("press", "left", 2, 1)) == b""),
        Step(f"{E}[?1000h{E}[?1002h{E}[?1003h{E}[?1006h", also=clicked),
    ],
    "focus mode": [
        Step(also=lambda p: p.engine.encode_focus(True) == b""),
        Step(f"{E}[?1004h", also=lambda p: p.engine.encode_focus(False) == b"\x1b[O"),
    ],
    "synchronized output": [
        Step(f"{E}[?2026h", also=lambda p: p.engine.modes().synchronized and p.holds == [True]),
        Step(f"{E}[?2026l", also=lambda p: p.holds == [True, False]),
    ],
    "reply: mode": [Step(f"{E}[?2026$p", reply=r"\x1b\[\?2026;[1-4]\$y")],
    "reply: primary attributes": [Step(f"{E}[c", reply=r"\x1b\[\?[\d;]+c")],
    "reply: secondary attributes": [Step(f"{E}[>c", reply=r"\x1b\[>1;10;0c")],
    "reply: cursor position": [Step(f"{E}[3;5H{E}[6n", reply=r"\x1b\[3;5R")],
    "reply: status": [Step(f"{E}[5n", reply=r"\x1b\[0n")],
    "reply: version": [Step(f"{E}[>0q", reply=r"\x1bP>\|ink-tui\x1b\\")],
    "reply: keyboard protocol": [Step(f"{E}[?u", reply=r"\x1b\[\?0u")],
    "keyboard protocol is kept": [Step(f"{E}[>7u{E}[?u", reply=r"\x1b\[\?7u")],
    "reply: background colour": [
        Step(f"{E}]11;#102030\x07{E}]11;?\x07", reply=r"\x1b\]11;rgb:1010/2020/3030.*")
    ],
    "title": [Step(f"{E}]2;hi{E}\\", also=lambda p: (p.engine.title(), p.titles) == ("hi", 1))],
    "hyperlink leaves clean text": [Step(f"{E}]8;;http://x/{E}\\L{E}]8;;{E}\\k", rows("Lk"))],
    "clipboard is not printed": [Step(f"{E}]52;c;aGk=\x07ok", rows("ok"), reply="")],
    "unknown OSC is not printed": [
        Step(f"{E}]133;A\x07{E}]777;notify;a;b\x07{E}]9;4;1;50\x07ok", rows("ok"))
    ],
    "APC, DCS and PM are not printed": [
        Step(f"{E}_Gi=1;AAAA{E}\\{E}Pq#0{E}\\{E}^x{E}\\ok", rows("ok"))
    ],
    "cursor shape is not printed": [
        Step(
            f"{E}[5 qok",
            rows("ok"),
            also=lambda p: (c := p.engine.cursor()) is not None and c.shape == "bar",
        )
    ],
    "modifyOtherKeys is not an attribute": [
        Step(f"{E}[>4;2mX", rows("X"), attributes={(0, 0): NO})
    ],
    "reply: size": [Step(f"{E}[18t", reply=r"\x1b\[8;6;20t")],
    "UTF-8 cut between feeds": [Step("持é", rows("持é"), byte_by_byte=True)],
    "sequences cut between feeds": [
        Step(f"{E}[2;3HX{E}]2;t\x07{E}[1mY", rows("", "  XY"), byte_by_byte=True)
    ],
    "bad UTF-8": [
        Step(
            b"a\xff\xfe\xc3(b",
            also=lambda p: p.line(0).startswith("a") and p.line(0).endswith("(b"),
        )
    ],
    "resize wraps anew": [Step("hello world foo"), Step(resize=(10, 6), also=joined)],
    "resize in the alternate screen": [
        Step(f"{E}[?1049h{E}[6;20Hx"),
        Step(resize=(10, 3)),
        Step(f"{E}[10;30Hy", resize=(30, 10), also=lambda p: p.line(9).endswith("y")),
    ],
    "absurd parameters": [
        Step(
            f"{E}[999999999999;9999999H{E}[{';' * 38}m{E}[?9999h{E}[38;5m{E}[38;2;1m"
            f"{E}[999999999b{E}[HX",
            also=lambda p: p.line(0).startswith("X"),
        )
    ],
    "full reset": [Step(f"abc{E}[1m{E}cX", rows("X"), attributes={(0, 0): NO})],
    "soft reset": [Step(f"{E}[2;4r{E}[?6h{E}[!p{E}[1;1HX", rows("X"))],
    "next line, previous line, column, row": [
        Step(f"{E}[2E{E}[3GX{E}[1FA{E}[5dB{E}[7`C", rows("", "A", "  X", "", " B    C"))
    ],
}

KNOWN_FAILURES = {("ghostty", "soft reset"): "this libghostty-vt does not do DECSTR"}
FLOORS = {"ghostty": 55, "bittty": 56}
FLOOR_BY_CODE_POINT = 54
MAX_SECONDS = 1.0
"""Seconds of the processor: a busy machine is no fault of the engine."""


@pytest.fixture(scope="module", params=ENGINES)
def factory(request: pytest.FixtureRequest) -> EngineFactory:
    return engine_factory(request.param)


@pytest.fixture
def probe(factory: EngineFactory) -> Iterator[EngineProbe]:
    made = EngineProbe(factory)
    yield made
    made.engine.close()


def passes(probe: EngineProbe, name: str) -> bool:
    return all(step.passes(probe) for step in CHECKS[name])


def check_parameters() -> Iterator[ParameterSet]:
    for pair in itertools.product(ENGINES, CHECKS):
        reason = KNOWN_FAILURES.get(pair)
        marks = [pytest.mark.xfail(reason=reason, strict=True)] if reason else []
        yield pytest.param(*pair, marks=marks, id=" ".join(pair))


@pytest.mark.parametrize(("engine", "name"), check_parameters())
def test_check(engine: str, name: str) -> None:
    probe = EngineProbe(engine_factory(engine))
    assert passes(probe, name)
    probe.engine.close()


def count_passing(engine: str, before: str = "") -> int:
    """Count the checks that pass after some first input; none may be slow."""
    passed = 0
    for name in CHECKS:
        probe = EngineProbe(engine_factory(engine))
        assert probe.engine.name == engine
        probe.feed(before)
        began = time.thread_time()
        passed += passes(probe, name)
        assert time.thread_time() - began < MAX_SECONDS, name
        probe.engine.close()
    return passed


@pytest.mark.parametrize("engine", ENGINES)
def test_count_and_speed(engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    passed = count_passing(engine)
    with capsys.disabled():
        print(f"\nterminal engine {engine}: {passed} of {len(CHECKS)} checks pass")
    assert len(CHECKS) == 56
    assert passed >= FLOORS[engine]


def test_count_of_the_second_engine_by_code_point(capsys: pytest.CaptureFixture[str]) -> None:
    passed = count_passing("bittty", f"{E}[?2027l")
    with capsys.disabled():
        print(f"\nterminal engine bittty without mode 2027: {passed} of {len(CHECKS)} checks pass")
    assert FLOOR_BY_CODE_POINT <= passed < FLOORS["bittty"]


def test_widths_by_cluster_are_the_default_and_survive_a_reset(probe: EngineProbe) -> None:
    probe.feed(f"{E}[?2027$p{E}c{E}[?2027$p")
    assert probe.replies == b"\x1b[?2027;1$y" * 2


def test_title_is_cleaned_and_capped(probe: EngineProbe) -> None:
    probe.feed(f"{E}]2;a\u202eb{'x' * 500}\x07")
    title = probe.engine.title()
    assert title.startswith("a<U+202E>b")
    assert len(title) <= 128


def test_bell_is_told(probe: EngineProbe) -> None:
    probe.feed("a\x07b\x07")
    assert probe.bells == 2


def test_nothing_undrawable_comes_out(probe: EngineProbe) -> None:
    probe.feed("a\u202eb\u200ec \x80\x9b31mX" + "e" + "\u202e\u0301")
    text = "".join(probe.lines())
    assert not re.search("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e]", text)


def test_scroll_back_is_capped_by_lines_and_can_be_seen(probe: EngineProbe) -> None:
    probe.feed("\r\n".join(str(number) for number in range(15_000)))
    end = probe.engine.view()
    # The engine gives back whole pages of rows, so it may keep somewhat fewer than the cap.
    assert 8000 < end.total <= 10_006
    assert end.below == 0
    probe.engine.scroll(-10)
    assert probe.engine.view().below == 10
    assert probe.line(5) == "14989"
    assert probe.engine.cursor() is None
    probe.feed("\r\nnew")
    assert probe.line(5) == "14989"
    assert probe.engine.view().below == 11
    probe.engine.scroll_to_end()
    assert probe.line(5) == "new"
    probe.engine.scroll_to_start()
    assert int(probe.line(0)) > 1000


def test_scroll_back_of_wide_screens_is_capped_by_bytes_and_stays_fast() -> None:
    probe = EngineProbe(engine_factory("ghostty"), 144, 39)
    flood = b"y\r\n" * 20_000
    began = time.process_time()
    for _ in range(20):
        probe.feed(flood)
    seconds = time.process_time() - began
    assert 2000 < probe.engine.view().total < 6000
    # 1.2 MB at 10 MB per CPU second.
    assert seconds < 0.12
    probe.engine.close()


def test_a_paste_cannot_end_its_own_bracket(probe: EngineProbe) -> None:
    probe.feed(f"{E}[?2004h")
    sent = probe.engine.encode_paste(f"a{E}[201~rm\n")
    assert sent.startswith(b"\x1b[200~")
    assert sent.count(b"\x1b[201~") == 1
    assert sent.endswith(b"\x1b[201~")
    assert probe.engine.paste_is_safe("one line")
    assert not probe.engine.paste_is_safe("two\nlines")


def test_long_pastes_are_encoded_whole(probe: EngineProbe) -> None:
    assert probe.engine.encode_paste("x" * (1 << 20)) == b"x" * (1 << 20)


def test_no_title_report_no_clipboard_no_pictures(probe: EngineProbe) -> None:
    probe.feed(f"{E}]2;secret\x07{E}[21t{E}]52;c;?\x07")
    probe.feed(f"{E}_Ga=T,f=24,s=1,v=1,t=f;L2V0Yy9wYXNzd2Q={E}\\{E}_Gi=31,s=1,v=1,a=q;AAAA{E}\\")
    assert b"secret" not in probe.replies
    assert b"]52" not in probe.replies
    assert b"OK" not in probe.replies


def test_a_failing_listener_is_logged_and_does_no_harm(
    factory: EngineFactory, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise RuntimeError("listener")

    engine = factory(20, 5, EngineEvents(lambda _: None, fail, lambda: None, lambda _: None))
    engine.feed(b"\x07ok")
    assert "listener" in caplog.text
    assert engine.dirty_rows()[0][0].text.startswith("ok")
    engine.close()


def test_only_changed_rows_come_out(probe: EngineProbe) -> None:
    assert set(probe.engine.dirty_rows()) == set(range(6))
    probe.feed(f"{E}[3;1Hx")
    assert 2 in (changed := probe.engine.dirty_rows())
    assert len(changed) <= 2
    assert probe.engine.dirty_rows() == {}
