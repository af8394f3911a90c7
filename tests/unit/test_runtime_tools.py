"""The tools of the built-in agent, and the text of their results."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.text import clean
from ink_tui.runtime.terminal import LiveText
from ink_tui.runtime.tools import KEPT_BYTES, KEPT_LINES, Kept, Outcome, read_file, run_command
from tests.processes import ends

if TYPE_CHECKING:
    from pathlib import Path


def run(command: str, cwd: Path, shown: list[tuple[str, bytes]] | None = None) -> Outcome:
    seen = [] if shown is None else shown
    return run_command(command, str(cwd), lambda *piece: seen.append(piece), lambda: False)


@pytest.mark.parametrize(
    ("command", "content"),
    [
        ("echo hi", "stdout:\nhi"),
        ("printf hi", "stdout:\nhi"),
        ("echo err >&2", "stderr:\nerr"),
        ("echo a; echo b >&2; exit 3", "stdout:\na\nstderr:\nb\nExit code: 3"),
        ("true", "(no output)"),
        ("exit 7", "(no output)\nExit code: 7"),
        ("kill -9 $$", "(no output)\nExit code: 137"),
        ("cat", "(no output)"),
        ("printf '\\xff\\n'", "stdout:\n\ufffd"),
        ("echo $INK", "stdout:\n1"),
    ],
)
def test_results_have_ink_s_shape(tmp_path: Path, command: str, content: str) -> None:
    outcome = run(command, tmp_path)
    assert outcome.content == content
    assert not outcome.is_error


def test_it_runs_in_the_folder_and_shows_what_comes(tmp_path: Path) -> None:
    shown: list[tuple[str, bytes]] = []
    outcome = run("pwd; echo 你好 >&2", tmp_path, shown)
    assert outcome.content == f"stdout:\n{tmp_path}\nstderr:\n你好"
    assert b"".join(piece for name, piece in shown if name == "stderr").decode() == "你好\n"


def test_it_has_a_process_group_of_its_own_in_our_session(tmp_path: Path) -> None:
    outcome = run("ps -o pgid= -o sid= -p $$", tmp_path)
    assert outcome.content is not None
    group, session = outcome.content.removeprefix("stdout:\n").split()
    assert int(group) != os.getpgid(0)
    assert int(session) == os.getsid(0)


def test_a_long_output_keeps_its_end_and_says_so(tmp_path: Path) -> None:
    content = run("seq 1 2000", tmp_path).content
    assert content is not None
    lines = content.split("\n")
    cut = sum(len(str(n)) + 1 for n in range(1, 1501))
    assert lines[:2] == ["stdout:", f"[cut: 1,500 earlier lines, {cut:,} bytes]"]
    assert lines[2] == "1501"
    assert lines[-1] == "2000"
    assert len(lines) == 2 + KEPT_LINES


def test_an_endless_line_is_cut_by_bytes() -> None:
    kept = Kept()
    for _ in range(1_000):
        kept.add(b"x" * 1_024)
    _name, note, text = kept.section("stdout")
    assert note == f"[cut: 0 earlier lines, {1_024_000 - KEPT_BYTES:,} bytes]"
    assert text == "x" * KEPT_BYTES


def test_what_it_leaves_in_the_background_is_stopped(tmp_path: Path) -> None:
    began = time.monotonic()
    outcome = run("sleep 60 & echo $!", tmp_path)
    assert time.monotonic() - began < 10
    assert outcome.content is not None
    assert "were stopped" in outcome.content
    pid = int(outcome.content.split("\n")[1])
    assert ends(pid)


def test_a_background_writer_does_not_keep_it_busy(tmp_path: Path) -> None:
    outcome = run("yes & sleep 0.1", tmp_path)
    assert outcome.content is not None
    assert "were stopped" in outcome.content


def test_a_stop_ends_the_whole_group_even_if_it_does_not_listen(tmp_path: Path) -> None:
    shown: list[tuple[str, bytes]] = []
    command = "trap '' TERM; sleep 60 & echo $!; wait; sleep 60"
    outcome = run_command(
        command, str(tmp_path), lambda *piece: shown.append(piece), lambda: bool(shown)
    )
    assert outcome.content is None
    assert outcome.is_error
    assert ends(int(shown[0][1]))


def test_a_missing_folder_is_an_error_result(tmp_path: Path) -> None:
    outcome = run("true", tmp_path / "none")
    assert outcome.is_error
    assert outcome.content is not None
    assert outcome.content.startswith("Error: the command cannot be started")


def test_a_zero_byte_in_a_command_is_an_error_result(tmp_path: Path) -> None:
    assert run("echo \0", tmp_path).is_error


def test_signals_reach_the_command_as_usual(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGTSTP)
    assert run("kill -TERM $$", tmp_path).content == "(no output)\nExit code: 143"
    assert signal.getsignal(signal.SIGTSTP) == before


class TestRead:
    def test_the_text_of_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "a b.txt").write_text("one\nzwei\n", encoding="utf-8")
        assert read_file("a b.txt", str(tmp_path)) == Outcome("one\nzwei\n", False, "2 lines")

    def test_an_absolute_path(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_bytes(b"x\xff")
        assert read_file(str(tmp_path / "a"), "/").content == "x\ufffd"

    @pytest.mark.parametrize("path", ["none", ".", "pipe", "a\0b", "~nobody-of-this-name/x"])
    def test_what_is_no_file_is_an_error_result(self, tmp_path: Path, path: str) -> None:
        os.mkfifo(tmp_path / "pipe")
        outcome = read_file(path, str(tmp_path))
        assert outcome.is_error
        assert outcome.content is not None
        assert outcome.content.startswith("Error: ")

    def test_a_long_file_is_cut_after_its_beginning(self, tmp_path: Path) -> None:
        (tmp_path / "long").write_text("line\n" * 900, encoding="utf-8")
        outcome = read_file("long", str(tmp_path))
        assert outcome.content is not None
        assert outcome.content == "line\n" * (KEPT_LINES - 1) + "line\n[cut: 4,500 bytes in all]"
        (tmp_path / "wide").write_bytes(b"x" * 2 * KEPT_BYTES)
        outcome = read_file("wide", str(tmp_path))
        assert outcome.content == "x" * KEPT_BYTES + f"\n[cut: {2 * KEPT_BYTES:,} bytes in all]"


class TestLiveText:
    def test_a_character_cut_in_two_waits(self) -> None:
        live = LiveText()
        raw = "你".encode()
        assert live.feed(raw[:2]) == ""
        assert live.feed(raw[2:]) == "你"
        assert live.rest() == ""

    def test_a_line_end_cut_in_two_is_no_control_character(self) -> None:
        live = LiveText()
        assert live.feed(b"a\r") + live.feed(b"\nb") + live.rest() == "a\nb"

    def test_nothing_can_act_on_the_terminal(self) -> None:
        live = LiveText()
        raw = b"\x1b]0;title\x07\x1b[2J\xc2\x9b31m\x00\xe2\x80\xaetext\r"
        shown = live.feed(raw) + live.rest()
        assert clean(shown) == shown
        assert "\x1b" not in shown
        assert "text" in shown

    def test_half_a_character_at_the_end_is_shown_as_broken(self) -> None:
        live = LiveText()
        assert live.feed("你".encode()[:2]) == ""
        assert live.rest() == "\ufffd"
