"""The terminal of the end-to-end tests, tried on programs whose screens are known."""

from __future__ import annotations

import os
import re
import signal
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.emulator import Emulator
from tests.e2e.keys import encode
from tests.e2e.sample_app import ROWS
from tests.e2e.terminal import ScreenError, Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.e2e
SAMPLE = [sys.executable, str(Path(__file__).parent / "sample_app.py")]


def program(text: str) -> list[str]:
    return [sys.executable, "-c", textwrap.dedent(text)]


@pytest.fixture
def sample() -> Iterator[Terminal]:
    with Terminal.start(SAMPLE, size=(60, 20)) as terminal:
        yield terminal.wait_for("size: 60x20.")


class TestOnATextualProgram:
    def test_every_row_is_drawn_and_its_bars_are_aligned(self, sample: Terminal) -> None:
        for number, (name, text) in enumerate(ROWS.items()):
            row = sample.screen[number]
            assert row.startswith(f"{name:10}|")
            assert sample.cell(10, number).text == "|"
            assert sample.cell(30, number).text == "|", row
            between = "".join(sample.cell(x, number).text for x in range(11, 30)).rstrip()
            assert between.replace("é", "e\u0301") == text

    def test_colours_and_weight_of_a_cell(self, sample: Terminal) -> None:
        cell = sample.cell(0, 0)
        assert (cell.foreground, cell.background, cell.bold) == ("112233", "ffeedd", True)
        assert not sample.cell(11, 0).bold

    @pytest.mark.parametrize(
        ("key", "name"),
        [
            ("up", "up"),
            ("f1", "f1"),
            ("f12", "f12"),
            ("shift+tab", "shift+tab"),
            ("ctrl+left", "ctrl+left"),
            ("ctrl+]", "ctrl+right_square_bracket"),
            ("pgdn", "pagedown"),
            ("delete", "delete"),
            ("esc", "escape"),
            ("k", "k"),
            ("中", "中"),
        ],
    )
    def test_keys_arrive_by_name(self, sample: Terminal, key: str, name: str) -> None:
        sample.send(key).wait_for(f"keys: {name}.")

    def test_mouse_and_paste(self, sample: Terminal) -> None:
        sample.click(12, 3).wait_for("click: 12,3.")
        column, row = sample.find("支持")
        assert (column, row) == (11 + 2 * 6, 0)
        sample.click_text("支持").wait_for(f"click: {column},{row}.")
        sample.paste("two words").wait_for("paste: two words.")

    def test_resize_reaches_the_program(self, sample: Terminal) -> None:
        sample.resize(40, 12).wait_for("size: 40x12.")
        assert len(sample.screen) == 12

    def test_leaving_puts_everything_back(self, sample: Terminal) -> None:
        assert 1049 in sample.emulator.modes
        assert sample.left_on() != []
        assert sample.processes() == [sample.pid]
        assert sample.send("q").wait_exit() == 0
        assert sample.left_on() == []
        assert sample.processes() == []
        assert sample.text.strip() == ""
        assert b"\x1b[?1049h" in sample.raw

    def test_exit_status(self, sample: Terminal) -> None:
        assert sample.send("x").wait_exit() == 7

    def test_a_killed_program_leaves_its_marks(self, sample: Terminal) -> None:
        assert sample.kill().wait_exit() == -signal.SIGKILL
        faults = sample.left_on()
        assert "private mode 1049 is set" in faults
        assert "private mode 25 is reset" in faults
        assert any(fault.startswith("termios lflag") for fault in faults)
        assert any("keyboard" in fault for fault in faults)


class TestWaiting:
    def test_time_over_shows_the_screen(self) -> None:
        with Terminal.start(program("print('here'); input()"), size=(20, 4)) as terminal:
            terminal.wait_for("here")
            with pytest.raises(ScreenError, match=r"0\.05 s passed(.|\n)*\|here"):
                terminal.wait_for("there", timeout=0.05)

    def test_the_end_of_the_program_ends_the_waiting(self) -> None:
        with (
            Terminal.start(program("print('bye')"), size=(20, 4)) as terminal,
            pytest.raises(ScreenError, match="the program ended"),
        ):
            terminal.wait_for("there")

    def test_patterns_questions_and_disappearance(self) -> None:
        code = (
            "print('one 12', flush=True); input(); print('\\x1b[2J', end='', flush=True); input()"
        )
        with Terminal.start(program(code), size=(20, 4)) as terminal:
            terminal.wait_for(re.compile(r"one \d+"))
            terminal.wait_for(lambda seen: seen.cell(0, 0).text == "o")
            terminal.send("enter").wait_gone("one")

    def test_a_frame_is_seen_only_when_it_is_whole(self) -> None:
        code = """
            import sys
            sys.stdout.write('\\x1b[?2026hhalf'); sys.stdout.flush(); input()
            sys.stdout.write(' whole\\x1b[?2026l'); sys.stdout.flush(); input()
        """
        with Terminal.start(program(code), size=(20, 4)) as terminal:
            with pytest.raises(ScreenError):
                terminal.wait_for("half", timeout=0.3)
            terminal.send("enter").wait_for("half")
            assert "whole" in terminal.text


class TestProcesses:
    def test_a_child_in_a_session_of_its_own_is_found_and_killed(self) -> None:
        code = """
            import subprocess, sys
            child = subprocess.Popen(
                [sys.executable, '-c', 'input()'], stdin=subprocess.PIPE, start_new_session=True)
            print('child', child.pid, flush=True)
            sys.stdin.read()
        """
        with Terminal.start(program(code), size=(40, 4)) as terminal:
            terminal.wait_for(re.compile(r"child \d+"))
            child = int(terminal.text.split()[1])
            assert terminal.processes() == sorted([terminal.pid, child])
        with pytest.raises(ChildProcessError):
            os.waitpid(child, os.WNOHANG)
        assert terminal.processes() == []

    def test_size_is_the_windows(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("COLUMNS", "80")
        monkeypatch.setenv("LINES", "24")
        code = "import shutil; print(*shutil.get_terminal_size())"
        with Terminal.start(program(code), size=(60, 20)) as terminal:
            terminal.wait_for("60 20")

    def test_environment_is_the_one_given(self) -> None:
        code = "import os; print(sorted(k for k in os.environ if k != 'LC_CTYPE'))"
        env = {"TERM": "xterm", "PATH": os.environ["PATH"]}
        with Terminal.start(program(code), env=env) as terminal:
            assert terminal.wait_exit() == 0
            assert "['E2E_MARK', 'PATH', 'TERM']" in terminal.text


class TestEmulator:
    @pytest.mark.parametrize(
        ("written", "row"),
        [
            (b"a\x1b[<ub", "ab"),
            (b"a\x1b[>4;2mb", "ab"),
            (b"a\x1bP1$r0m\x1b\\b", "ab"),
            (b"a\x1b_Gi=1;AAAA\x1b\\b", "ab"),
            (b"a\x1b]52;c;QUJD\x07b", "ab"),
            (b"a\x1b]8;;http://x\x1b\\b\x1b]8;;\x1b\\c", "abc"),
            (b"a\x1b[?2026$pb", "ab"),
            ("ab\r\u200dc".encode(), "cb"),
        ],
    )
    def test_sequences_are_not_text(self, written: bytes, row: str) -> None:
        for size in (1, len(written)):
            emulator = Emulator(20, 2)
            for start in range(0, len(written), size):
                emulator.feed(written[start : start + size])
            assert emulator.rows()[0] == row

    def test_colours_with_sub_parameters(self) -> None:
        emulator = Emulator(20, 2)
        emulator.feed(b"\x1b[38:2::1:2:3;4:3ma\x1b[0;48;5;196mb")
        assert emulator.cell(0, 0).foreground == "010203"
        assert emulator.cell(0, 0).underline
        assert emulator.cell(1, 0).background == "ff0000"
        assert not emulator.cell(1, 0).underline

    def test_alternate_screen_gives_the_old_one_back(self) -> None:
        emulator = Emulator(20, 2)
        emulator.feed(b"shell$ \x1b[?1049h\x1b[Happ")
        assert emulator.rows()[0].startswith("app")
        emulator.feed(b"\x1b[?1049l")
        assert emulator.rows()[0] == "shell$"
        assert emulator.cursor == (7, 0)

    def test_answers(self) -> None:
        emulator = Emulator(20, 5)
        assert emulator.feed(b"ab\x1b[6n") == b"\x1b[1;3R"
        assert emulator.feed(b"\x1b[?2026$p\x1b[?2048$p") == b"\x1b[?2026;2$y\x1b[?2048;0$y"
        assert emulator.feed(b"\x1b[c") == b"\x1b[?62;22c"

    def test_title(self) -> None:
        emulator = Emulator(20, 5)
        emulator.feed("\x1b]0;标题\x07".encode())
        assert emulator.title == "标题"


def test_unknown_keys_are_refused() -> None:
    for name in ("entr", "hyper+a", "ctrl+nothing"):
        with pytest.raises(ValueError, match="no such key"):
            encode(name)
