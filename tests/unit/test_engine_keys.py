"""What keys, pastes and the mouse send through each terminal engine, by the child's modes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ink_tui.agent.engine import KeyEvent, MouseEvent
from tests.engine_probe import ENGINES, EngineProbe, engine_factory

if TYPE_CHECKING:
    from collections.abc import Iterator

CTRL_LETTERS = [(KeyEvent(chr(96 + number), ctrl=True), bytes([number])) for number in range(1, 27)]
PLAIN_KEYS = [
    *CTRL_LETTERS,
    (KeyEvent("a"), b"a"),
    (KeyEvent("A"), b"A"),
    (KeyEvent("~"), b"~"),
    (KeyEvent("?"), b"?"),
    (KeyEvent("é"), "é".encode()),
    (KeyEvent("持"), "持".encode()),
    (KeyEvent("space"), b" "),
    (KeyEvent("enter"), b"\r"),
    (KeyEvent("tab"), b"\t"),
    (KeyEvent("tab", shift=True), b"\x1b[Z"),
    (KeyEvent("escape"), b"\x1b"),
    (KeyEvent("backspace"), b"\x7f"),
    (KeyEvent("backspace", ctrl=True), b"\x08"),
    (KeyEvent("backspace", alt=True), b"\x1b\x7f"),
    (KeyEvent("space", ctrl=True), b"\x00"),
    (KeyEvent("[", ctrl=True), b"\x1b"),
    (KeyEvent("\\", ctrl=True), b"\x1c"),
    (KeyEvent("]", ctrl=True), b"\x1d"),
    (KeyEvent("^", ctrl=True), b"\x1e"),
    (KeyEvent("_", ctrl=True), b"\x1f"),
    (KeyEvent("x", alt=True), b"\x1bx"),
    (KeyEvent("B", shift=True, alt=True), b"\x1bB"),
    (KeyEvent("enter", alt=True), b"\x1b\r"),
    (KeyEvent("insert"), b"\x1b[2~"),
    (KeyEvent("delete"), b"\x1b[3~"),
    (KeyEvent("page_up"), b"\x1b[5~"),
    (KeyEvent("page_down"), b"\x1b[6~"),
    (KeyEvent("delete", ctrl=True), b"\x1b[3;5~"),
    (KeyEvent("arrow_left", ctrl=True), b"\x1b[1;5D"),
    (KeyEvent("arrow_up", shift=True), b"\x1b[1;2A"),
    (KeyEvent("arrow_left", alt=True), b"\x1b[1;3D"),
    (KeyEvent("arrow_left", ctrl=True, shift=True), b"\x1b[1;6D"),
    (KeyEvent("home", ctrl=True), b"\x1b[1;5H"),
    (KeyEvent("f1"), b"\x1bOP"),
    (KeyEvent("f2"), b"\x1bOQ"),
    (KeyEvent("f3"), b"\x1bOR"),
    (KeyEvent("f4"), b"\x1bOS"),
    (KeyEvent("f5"), b"\x1b[15~"),
    (KeyEvent("f5", shift=True), b"\x1b[15;2~"),
    (KeyEvent("f10"), b"\x1b[21~"),
    (KeyEvent("f12"), b"\x1b[24~"),
    # The plain bytes have no room for these modifiers, and agents wait for Shift+Enter.
    (KeyEvent("enter", shift=True), b"\x1b[27;2;13~"),
    (KeyEvent("enter", ctrl=True), b"\x1b[27;5;13~"),
    (KeyEvent("tab", ctrl=True), b"\x1b[27;5;9~"),
    (KeyEvent("escape", shift=True), b"\x1b[27;2;27~"),
    (KeyEvent("k", meta=True), b"k"),
    (KeyEvent("arrow_up", meta=True), b"\x1b[1;9A"),
]
# What is sent without and with DECCKM.
CURSOR_KEYS = [
    (KeyEvent("arrow_up"), b"\x1b[A", b"\x1bOA"),
    (KeyEvent("arrow_down"), b"\x1b[B", b"\x1bOB"),
    (KeyEvent("arrow_right"), b"\x1b[C", b"\x1bOC"),
    (KeyEvent("arrow_left"), b"\x1b[D", b"\x1bOD"),
    (KeyEvent("home"), b"\x1b[H", b"\x1bOH"),
    (KeyEvent("end"), b"\x1b[F", b"\x1bOF"),
]
KITTY, OTHER = "\x1b[>1u", "\x1b[>4;2m"
ASKED_KEYS = [
    (OTHER, KeyEvent("[", ctrl=True), b"\x1b[27;5;91~"),
    (OTHER, KeyEvent("c", ctrl=True), b"\x1b[27;5;99~"),
    (OTHER, KeyEvent("A"), b"A"),
    (OTHER, KeyEvent("b", alt=True), b"\x1b[27;3;98~"),
    (OTHER, KeyEvent("k", meta=True), b"\x1b[27;9;107~"),
    (OTHER, KeyEvent("enter", shift=True), b"\x1b[27;2;13~"),
    (KITTY, KeyEvent("i", ctrl=True), b"\x1b[105;5u"),
    (KITTY, KeyEvent("enter", shift=True), b"\x1b[13;2u"),
    (KITTY, KeyEvent("enter"), b"\r"),
    (KITTY, KeyEvent("escape"), b"\x1b[27u"),
    (KITTY, KeyEvent("c", ctrl=True), b"\x1b[99;5u"),
    (KITTY, KeyEvent("b", alt=True), b"\x1b[98;3u"),
    (KITTY, KeyEvent("k", meta=True), b"\x1b[107;9u"),
    (KITTY, KeyEvent("arrow_up", ctrl=True), b"\x1b[1;5A"),
    (KITTY, KeyEvent("A"), b"A"),
    (KITTY, KeyEvent("持"), "持".encode()),
]


@pytest.fixture(params=ENGINES)
def probe(request: pytest.FixtureRequest) -> Iterator[EngineProbe]:
    made = EngineProbe(engine_factory(request.param))
    yield made
    made.engine.close()


def wrong(probe: EngineProbe, keys: list[tuple[KeyEvent, bytes]]) -> list[tuple[KeyEvent, bytes]]:
    """Return the keys that send something else, with what they send."""
    sent = [(event, probe.engine.encode_key(event)) for event, _ in keys]
    return [seen for seen, want in zip(sent, keys, strict=True) if seen != want]


def test_legacy_keys_are_exact(probe: EngineProbe) -> None:
    keys = PLAIN_KEYS + [(event, plain) for event, plain, _ in CURSOR_KEYS]
    assert len(keys) > 75
    assert wrong(probe, keys) == []


def test_keys_with_decckm_are_exact(probe: EngineProbe) -> None:
    probe.feed("\x1b[?1h")
    assert wrong(probe, PLAIN_KEYS + [(event, sent) for event, _, sent in CURSOR_KEYS]) == []
    probe.feed("\x1b[?1l")
    assert wrong(probe, [(event, sent) for event, sent, _ in CURSOR_KEYS]) == []


@pytest.mark.parametrize("mode", [OTHER, KITTY], ids=["modifyOtherKeys", "kitty"])
def test_keys_that_a_child_asked_for_are_exact(probe: EngineProbe, mode: str) -> None:
    probe.feed(mode)
    assert wrong(probe, [(event, sent) for asked, event, sent in ASKED_KEYS if asked == mode]) == []


def test_keys_are_not_written_to_the_screen_nor_told_as_replies(probe: EngineProbe) -> None:
    probe.feed("\x1b[12l\x1b[2h")
    assert probe.engine.encode_key(KeyEvent("a")) == b"a"
    assert (probe.line(0), probe.replies) == ("", b"")
    probe.feed("\x1b[6n")
    assert probe.replies == b"\x1b[1;1R"


@pytest.mark.parametrize("key", ["\x00", "\x9b", "\ud800"])
def test_what_no_key_types_does_no_harm(probe: EngineProbe, key: str) -> None:
    sent = probe.engine.encode_key(KeyEvent(key)).decode()
    assert len(sent) <= 1
    assert sent != "\x1b"


@pytest.mark.parametrize(
    ("modes", "event", "sent"),
    [
        ("", MouseEvent("press", "left", 2, 1), b""),
        ("\x1b[?1000h\x1b[?1006h", MouseEvent("press", "left", 2, 1), b"\x1b[<0;3;2M"),
        ("\x1b[?1000h\x1b[?1006h", MouseEvent("release", "right", 2, 1), b"\x1b[<2;3;2m"),
        ("\x1b[?1000h\x1b[?1006h", MouseEvent("press", "wheel_up", 0, 0), b"\x1b[<64;1;1M"),
        ("\x1b[?1000h\x1b[?1006h", MouseEvent("press", "wheel_down", 0, 0), b"\x1b[<65;1;1M"),
        ("\x1b[?1000h\x1b[?1006h", MouseEvent("motion", "none", 2, 1), b""),
        ("\x1b[?1002h\x1b[?1006h", MouseEvent("motion", "none", 2, 1), b""),
        ("\x1b[?1002h\x1b[?1006h", MouseEvent("motion", "left", 2, 1, held=True), b"\x1b[<32;3;2M"),
        ("\x1b[?1003h\x1b[?1006h", MouseEvent("motion", "none", 2, 1), b"\x1b[<35;3;2M"),
        (
            "\x1b[?1000h\x1b[?1006h",
            MouseEvent("press", "middle", 2, 1, ctrl=True, alt=True),
            b"\x1b[<25;3;2M",
        ),
        ("\x1b[?1000h", MouseEvent("press", "left", 2, 1), b"\x1b[M \x23\x22"),
        ("\x1b[?1000h\x1b[?1006h\x1b[?1000l", MouseEvent("press", "left", 2, 1), b""),
    ],
)
def test_mouse(probe: EngineProbe, modes: str, event: MouseEvent, sent: bytes) -> None:
    probe.feed(modes)
    assert probe.engine.encode_mouse(event) == sent
    assert probe.replies == b""


@pytest.mark.parametrize(
    ("text", "plain", "bracketed"),
    [
        ("one", b"one", b"one"),
        ("a\nb\r\nc", b"a\rb\r", b"a\nb\r\nc"),
        ("tab\there", b"tab\there", b"tab\there"),
        ("\x1b[201~rm", b" [201~rm", b" [201~rm"),
        ("\x03\x04", b"  ", b"  "),
        ("持", "持".encode(), "持".encode()),
    ],
)
def test_pastes(probe: EngineProbe, text: str, plain: bytes, bracketed: bytes) -> None:
    assert probe.engine.encode_paste(text).startswith(plain)
    probe.feed("\x1b[?2004h")
    assert probe.engine.encode_paste(text) == b"\x1b[200~" + bracketed + b"\x1b[201~"


@pytest.mark.parametrize(
    ("text", "safe"), [("one line", True), ("two\nlines", False), ("\x1b[201~", False)]
)
def test_pastes_that_do_more_than_insert_text(probe: EngineProbe, text: str, safe: bool) -> None:
    assert probe.engine.paste_is_safe(text) is safe
