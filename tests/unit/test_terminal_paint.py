"""When a pane paints: whole frames, at most 60 a second, nothing while it is hidden."""

from __future__ import annotations

import time

import pytest

from ink_tui.tui.render import paint_pacer
from ink_tui.tui.render.paint_pacer import (
    FRAME_SECONDS,
    MAX_HOLD_SECONDS,
    PaintPacer,
    split_at_frame_end,
)
from tests.pane_host import PaneHost, press, python, until


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_pace() -> None:
    clock = Clock()
    pacer = PaintPacer(clock)
    assert pacer.delay() == 0
    pacer.painted()
    assert pacer.delay() == pytest.approx(FRAME_SECONDS)
    clock.now += FRAME_SECONDS
    assert pacer.delay() == pytest.approx(0, abs=1e-9)


def test_a_held_frame_waits_at_most_100_ms() -> None:
    clock = Clock()
    pacer = PaintPacer(clock)
    pacer.hold(True)
    clock.now += 0.06
    pacer.hold(True)
    assert pacer.delay() == pytest.approx(MAX_HOLD_SECONDS - 0.06)
    pacer.hold(False)
    assert pacer.delay() == 0
    pacer.hold(True)
    clock.now += MAX_HOLD_SECONDS + 0.001
    assert pacer.delay() == 0
    pacer.painted()
    assert pacer.delay() == pytest.approx(MAX_HOLD_SECONDS)


def test_split_at_the_end_of_the_last_frame() -> None:
    end = b"\x1b[?2026l"
    assert split_at_frame_end(b"abc") == (b"", b"abc")
    assert split_at_frame_end(b"a" + end + b"b" + end + b"c") == (b"a" + end + b"b" + end, b"c")
    assert split_at_frame_end(b"a" + end) == (b"a" + end, b"")


async def test_no_half_frame_is_ever_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    # A busy machine may stop the child inside a frame for longer than a frame is held back.
    monkeypatch.setattr(paint_pacer, "MAX_HOLD_SECONDS", 60.0)
    # Every frame writes its number into two rows; a half one has two different numbers.
    script = """
        import os, time
        number = 0
        while True:
            number += 1
            text = "\\x1b[?2026h\\x1b[1;1H\\x1b[2K%d" % number
            os.write(1, text.encode())
            os.write(1, ("\\x1b[9;1H\\x1b[2K%d\\x1b[?2026l" % number).encode())
            time.sleep(0.001)
    """
    host = PaneHost(python(script))
    halves: list[tuple[str, str]] = []
    async with host.run_test(size=(60, 15)):
        paint = host.pane._paint

        def watched() -> None:
            paint()
            lines = host.pane.screen_text().splitlines()
            if lines[0] != lines[8]:
                halves.append((lines[0], lines[8]))

        host.pane._paint = watched  # type: ignore[method-assign]
        await until(lambda: host.pane.paints >= 40)
    assert halves == []


async def test_a_child_that_never_ends_its_frame_is_painted() -> None:
    host = PaneHost(python("import os; os.write(1, b'\\x1b[?2026hheld back'); os.read(0, 1)"))
    async with host.run_test(size=(60, 15)):
        await host.shown("held back")


async def test_a_dead_child_holds_nothing_back() -> None:
    host = PaneHost(python("import os; os.write(1, b'\\x1b[?2026hheld back')"))
    async with host.run_test(size=(60, 15)):
        await host.shown("held back")


async def test_a_hidden_pane_parses_but_does_not_paint() -> None:
    script = """
        import os, tty
        tty.setraw(0)
        os.write(1, b"first")
        os.read(0, 1)
        os.write(1, b" \\x1b]2;second\\x07second")
        os.read(0, 1)
    """
    host = PaneHost(python(script))
    async with host.run_test(size=(60, 15)) as pilot:
        await host.shown("first")
        host.pane.display = False
        await pilot.pause()
        paints = host.pane.paints
        host.process.write(b"x")
        await until(lambda: ("Titled", "second") in host.heard)
        assert host.pane.paints == paints
        host.pane.display = True
        await host.shown("first second")


async def test_bell_title_and_queries() -> None:
    script = """
        import os, tty
        tty.setraw(0)
        os.write(1, b"\\x07\\x1b]2;a\\xe2\\x80\\xaeb\\x07\\x1b]11;?\\x07\\x1b[6n")
        data = b""
        while not data.endswith(b"R"):
            data += os.read(0, 100)
        os.write(1, b"answers: " + repr(data).encode())
        os.read(0, 1)
    """
    host = PaneHost(python(script))
    async with host.run_test(size=(80, 15)):
        await host.shown("answers: ")
        assert "rgb:" in host.pane.screen_text()
        assert "[1;1R" in host.pane.screen_text()
        await until(lambda: "Bell" in host.names())
        await until(lambda: ("Titled", "a<U+202E>b") in host.heard)


async def test_the_text_cursor_is_drawn() -> None:
    host = PaneHost(python("import os; os.write(1, b'ab\\x1b[D'); os.read(0, 1)"))

    def under(attribute: str) -> str:
        strip = host.pane.render_line(0)
        return "".join(s.text for s in strip if s.style and getattr(s.style, attribute))

    async with host.run_test(size=(60, 15)):
        await host.shown("ab")
        await until(lambda: under("reverse") == "b")
        host.query_one("#beside").focus()
        await until(lambda: (under("reverse"), under("underline")) == ("", "b"))


async def test_a_flood_does_not_stop_the_app() -> None:
    host = PaneHost(["yes"])
    async with host.run_test(size=(60, 15)):
        began = time.monotonic()
        await until(lambda: host.pane.paints > 20)
        assert time.monotonic() - began < 10
        began = time.monotonic()
        await press(host, "\x1d")
        await until(lambda: host.pane.keyboard == "menu")
        # An app that the flood stops never gets there; a busy machine takes its time.
        assert time.monotonic() - began < 5
        host.process.terminate()
        await until(lambda: host.pane.exit_state is not None)
