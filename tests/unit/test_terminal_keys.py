"""Keys through the mounted pane: a raw child sees the exact bytes, the leave chord it never sees.

Keys come in as an outer terminal sends them, through Textual's own parser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from textual import events

from ink_tui.agent.engine import KeyEvent
from ink_tui.agent.engine_choice import load_engine
from ink_tui.tui.render.terminal_keys import key_event, scroll_step
from tests.engine_probe import EngineProbe
from tests.pane_host import PaneHost, press, python, until

if TYPE_CHECKING:
    from pathlib import Path

RAW_CHILD = """
    import os, sys, tty
    tty.setraw(0)
    os.write(1, sys.argv[2].encode("latin-1").decode("unicode_escape").encode("latin-1"))
    log = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(1, b"ready")
    while data := os.read(0, 4096):
        os.write(log, data)
"""

LETTERS = [
    (f"ctrl+{chr(96 + number)}", chr(number), chr(number))
    for number in range(1, 27)
    if chr(number) not in "\b\t\r"
]
# Name, bytes of the outer terminal, bytes that the child sees (the same in both modes).
PLAIN_KEYS = [
    *LETTERS,
    ("a", "a", "a"),
    ("A", "A", "A"),
    ("tilde", "~", "~"),
    ("plus", "+", "+"),
    ("question mark", "?", "?"),
    ("closing bracket", "]", "]"),
    ("space", " ", " "),
    ("é", "é", "é"),
    ("持", "持", "持"),
    ("enter", "\r", "\r"),
    ("tab", "\t", "\t"),
    ("shift+tab", "\x1b[Z", "\x1b[Z"),
    ("escape", "\x1b", "\x1b"),
    ("backspace", "\x7f", "\x7f"),
    ("ctrl+space", "\x00", "\x00"),
    ("ctrl+backslash", "\x1c", "\x1c"),
    ("ctrl+circumflex", "\x1e", "\x1e"),
    ("ctrl+underscore", "\x1f", "\x1f"),
    ("alt+x", "\x1bx", "\x1bx"),
    ("alt+B", "\x1bB", "\x1bB"),
    ("alt+closing bracket", "\x1b[93;3u", "\x1b]"),
    ("insert", "\x1b[2~", "\x1b[2~"),
    ("delete", "\x1b[3~", "\x1b[3~"),
    ("page up", "\x1b[5~", "\x1b[5~"),
    ("page down", "\x1b[6~", "\x1b[6~"),
    ("ctrl+left", "\x1b[1;5D", "\x1b[1;5D"),
    ("ctrl+right", "\x1b[1;5C", "\x1b[1;5C"),
    ("ctrl+up", "\x1b[1;5A", "\x1b[1;5A"),
    ("shift+up", "\x1b[1;2A", "\x1b[1;2A"),
    ("shift+right", "\x1b[1;2C", "\x1b[1;2C"),
    ("alt+left", "\x1b[1;3D", "\x1b[1;3D"),
    ("ctrl+shift+left", "\x1b[1;6D", "\x1b[1;6D"),
    ("ctrl+home", "\x1b[1;5H", "\x1b[1;5H"),
    ("ctrl+delete", "\x1b[3;5~", "\x1b[3;5~"),
    ("f1", "\x1bOP", "\x1bOP"),
    ("f4", "\x1bOS", "\x1bOS"),
    ("f5", "\x1b[15~", "\x1b[15~"),
    ("f6", "\x1b[17~", "\x1b[17~"),
    ("f10", "\x1b[21~", "\x1b[21~"),
    ("f12", "\x1b[24~", "\x1b[24~"),
]
# Name, bytes of the outer terminal, then what the child sees without and with DECCKM.
CURSOR_KEYS = [
    ("up", "\x1b[A", "\x1b[A", "\x1bOA"),
    ("down", "\x1b[B", "\x1b[B", "\x1bOB"),
    ("right", "\x1b[C", "\x1b[C", "\x1bOC"),
    ("left", "\x1b[D", "\x1b[D", "\x1bOD"),
    ("home", "\x1b[H", "\x1b[H", "\x1bOH"),
    ("end", "\x1b[F", "\x1b[F", "\x1bOF"),
]
TABLE = [(name, given, seen, seen) for name, given, seen in PLAIN_KEYS] + CURSOR_KEYS
CHORD = "\x1d"


def raw_child(log: Path, before: str = "") -> list[str]:
    return python(RAW_CHILD, str(log), before)


async def logged(log: Path, size: int, what: str) -> None:
    await until(lambda: log.exists() and log.stat().st_size >= size, what)


def seen(log: Path) -> bytes:
    return log.read_bytes() if log.exists() else b""


def test_there_are_about_60() -> None:
    assert len(TABLE) >= 65


@pytest.mark.parametrize(("mode", "before"), [(2, ""), (3, "\\x1b[?1h")], ids=["legacy", "decckm"])
async def test_every_key_arrives_exactly(tmp_path: Path, mode: int, before: str) -> None:
    log = tmp_path / "log"
    host = PaneHost(raw_child(log, before))
    async with host.run_test(size=(60, 15)):
        await host.shown("ready")
        wrong = {}
        for row in TABLE:
            before_length = len(seen(log))
            want = row[mode].encode()
            await press(host, row[1])
            await logged(log, before_length + len(want), row[0])
            if (got := seen(log)[before_length:]) != want:
                wrong[row[0]] = (want, got)
        assert wrong == {}
        assert seen(log) == b"".join(row[mode].encode() for row in TABLE)
        assert host.pane.keyboard == "captured"
        assert {"\x03", "\x11", "\x1a", "\x10", "\x13", "\x1c"} <= {row[1] for row in TABLE}


async def test_leave_chord_is_never_seen_unless_doubled(tmp_path: Path) -> None:
    log = tmp_path / "log"
    host = PaneHost(raw_child(log))
    async with host.run_test(size=(60, 15)) as pilot:
        await host.shown("ready")
        await press(host, CHORD)
        await until(lambda: host.pane.keyboard == "menu")
        await press(host, "k", "x")
        await until(lambda: seen(log) == b"x")
        assert [h for h in host.heard if h[0] != "Keyboard"] == [
            ("LeaveChord", None),
            ("MenuKey", "k"),
        ]
        await press(host, CHORD, "]")
        await until(lambda: seen(log) == b"x\x1d")
        await press(host, CHORD, CHORD)
        await until(lambda: seen(log) == b"x\x1d\x1d")
        await press(host, CHORD, "b", "q", "\x03")
        await until(lambda: host.pane.keyboard == "released")
        await press(host, CHORD)
        await until(lambda: host.pane.keyboard == "captured")
        await press(host, "z")
        await until(lambda: seen(log) == b"x\x1d\x1dz")
        await pilot.pause()
        assert host.names().count("LeaveChord") == 4


@pytest.mark.parametrize(
    ("sent", "told", "after"),
    [
        *[(digit, digit, "captured") for digit in "19"],
        ("s", "s", "scroll"),
        ("z", "z", "captured"),
        ("d", "d", "captured"),
        ("?", "?", "captured"),
        ("\x1b", "esc", "captured"),
        ("w", "esc", "captured"),
        ("b", "b", "released"),
    ],
)
async def test_menu_keys(tmp_path: Path, sent: str, told: str, after: str) -> None:
    log = tmp_path / "log"
    host = PaneHost(raw_child(log))
    async with host.run_test(size=(60, 15)):
        await host.shown("ready")
        await press(host, CHORD, sent)
        await until(lambda: ("MenuKey", told) in host.heard)
        assert host.pane.keyboard == after
        assert seen(log) == b""


async def test_another_leave_chord(tmp_path: Path) -> None:
    log = tmp_path / "log"
    host = PaneHost(raw_child(log), leave_chord="ctrl+g")
    async with host.run_test(size=(60, 15)):
        await host.shown("ready")
        await press(host, CHORD, "\x07", "]")
        await until(lambda: seen(log) == b"\x1d\x07")


async def test_focus_elsewhere_releases_the_keyboard(tmp_path: Path) -> None:
    log = tmp_path / "log"
    host = PaneHost(raw_child(log, "\\x1b[?1004h"))
    async with host.run_test(size=(60, 15)) as pilot:
        await host.shown("ready")
        host.query_one("#beside").focus()
        await until(lambda: host.pane.keyboard == "released")
        await press(host, "a")
        await pilot.pause()
        await pilot.click("#pane")
        await until(lambda: host.pane.keyboard == "captured")
        await press(host, "b")
        await until(lambda: seen(log) == b"\x1b[O\x1b[Ib")


async def test_pastes(tmp_path: Path) -> None:
    log = tmp_path / "log"
    host = PaneHost(raw_child(log))
    async with host.run_test(size=(60, 15)):
        await host.shown("ready")
        host.pane.post_message(events.Paste("one line"))
        await until(lambda: seen(log) == b"one line")
        host.pane.post_message(events.Paste("two\nlines"))
        await until(lambda: ("PasteAsks", "two\nlines") in host.heard)
        host.pane.paste("two\nlines")
        await until(lambda: seen(log) == b"one linetwo\rlines")
        log.unlink()


async def test_a_large_paste_arrives_whole_and_in_order(tmp_path: Path) -> None:
    log = tmp_path / "log"
    host = PaneHost(raw_child(log, "\\x1b[?2004h"))
    text = "".join(f"{number:07}é" for number in range((1 << 20) // 9))
    async with host.run_test(size=(60, 15)):
        await host.shown("ready")
        host.pane.post_message(events.Paste(text))
        want = b"\x1b[200~" + text.encode() + b"\x1b[201~"
        await logged(log, len(want), "paste")
        assert seen(log) == want
        assert host.process.pending_input == 0
        host.pane.post_message(events.Paste("x" * (2 << 20)))
        await until(lambda: "InputRefused" in host.names())


async def test_mouse_reaches_only_a_child_that_asked(tmp_path: Path) -> None:
    log = tmp_path / "log"
    host = PaneHost(raw_child(log, "\\x1b[?1000h\\x1b[?1006h"))
    async with host.run_test(size=(60, 15)) as pilot:
        await host.shown("ready")
        await pilot.click("#pane", offset=(4, 2))
        await until(lambda: seen(log) == b"\x1b[<0;5;3M\x1b[<0;5;3m")
        await pilot.click("#pane", offset=(4, 2), shift=True)
        wheel = events.MouseScrollUp(
            widget=host.pane,
            x=1,
            y=1,
            delta_x=0,
            delta_y=-1,
            button=0,
            shift=False,
            meta=False,
            ctrl=False,
        )
        host.pane.post_message(wheel)
        await until(lambda: seen(log) == b"\x1b[<0;5;3M\x1b[<0;5;3m\x1b[<64;2;2M")


@pytest.mark.parametrize(
    ("key", "character", "event"),
    [
        ("a", "a", KeyEvent("a")),
        ("left_square_bracket", "[", KeyEvent("[")),
        ("ctrl+left_square_bracket", None, KeyEvent("[", ctrl=True)),
        ("ctrl+@", "\x00", KeyEvent("space", ctrl=True)),
        ("alt+shift+b", "B", KeyEvent("B", shift=True, alt=True)),
        ("shift+enter", None, KeyEvent("enter", shift=True)),
        ("ctrl+pagedown", None, KeyEvent("page_down", ctrl=True)),
        ("super+k", None, KeyEvent("k", meta=True)),
        ("<ignore>", "\x1b[99x", None),
        ("caps_lock", None, None),
    ],
)
def test_key_names(key: str, character: str | None, event: KeyEvent | None) -> None:
    assert key_event(key, character) == event


@pytest.mark.parametrize(
    ("mode", "event", "sent"),
    [
        ("", KeyEvent("enter", shift=True), b"\x1b[27;2;13~"),
        ("", KeyEvent("[", ctrl=True), b"\x1b"),
        ("", KeyEvent("i", ctrl=True), b"\t"),
        ("", KeyEvent("m", ctrl=True), b"\r"),
        ("", KeyEvent("h", ctrl=True), b"\x08"),
        ("\x1b[>4;2m", KeyEvent("[", ctrl=True), b"\x1b[27;5;91~"),
        ("\x1b[>1u", KeyEvent("i", ctrl=True), b"\x1b[105;5u"),
        ("\x1b[>4;2m", KeyEvent("c", ctrl=True), b"\x1b[27;5;99~"),
        ("\x1b[>4;2m", KeyEvent("A"), b"A"),
        ("\x1b[>4;2m", KeyEvent("b", alt=True), b"\x1b[27;3;98~"),
        ("\x1b[>1u", KeyEvent("enter", shift=True), b"\x1b[13;2u"),
        ("\x1b[>1u", KeyEvent("escape"), b"\x1b[27u"),
        ("\x1b[>1u", KeyEvent("c", ctrl=True), b"\x1b[99;5u"),
        ("\x1b[>1u", KeyEvent("A"), b"A"),
        ("\x1b[>1u", KeyEvent("持"), "持".encode()),
    ],
)
def test_keys_follow_the_modes_of_the_child(mode: str, event: KeyEvent, sent: bytes) -> None:
    probe = EngineProbe(load_engine())
    probe.feed(mode)
    assert probe.engine.encode_key(event) == sent
    probe.engine.close()


def test_scroll_steps() -> None:
    keys = ("up", "j", "pageup", "ctrl+d", "x")
    assert [scroll_step(key, page=9) for key in keys] == [-1, 1, -9, 4, 0]
