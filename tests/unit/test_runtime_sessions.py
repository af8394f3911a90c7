"""Which sessions the built-in agent continues, where, and what it shows first."""

from __future__ import annotations

import re
import signal
from typing import TYPE_CHECKING

import pytest

from ink_tui.errors import RefusedError
from ink_tui.formats.ink.constants import UNKNOWN_OUTCOME
from ink_tui.formats.ink.encode import NewResult, encode_tool_results
from ink_tui.model.verdict import Verdict
from ink_tui.runtime.conversation import Conversation
from ink_tui.runtime.main import confirm, find_session, main, may_append
from ink_tui.runtime.opening import opening
from ink_tui.runtime.terminal import Style, style_for
from ink_tui.store.demo import Demo, create_demo
from tests.unit.runtime_samples import (
    ANSWER,
    NOW_MS,
    PLAIN,
    RESULT,
    SESSION_ID,
    USAGE,
    USER,
    FakeTerminal,
    entry,
    header,
    judged,
    play,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "s.jsonl"
    write(path, [header(tmp_path), USER, ANSWER, RESULT])
    return path


def refused(file: Path) -> RefusedError:
    before = file.read_bytes()
    with pytest.raises(RefusedError) as caught:
        Conversation(str(file), lambda: NOW_MS)
    assert file.read_bytes() == before
    return caught.value


class TestRefusals:
    def test_a_torn_tail(self, file: Path) -> None:
        with file.open("ab") as stream:
            stream.write(b'{"type":"message","id":"a4","par')
        error = refused(file)
        assert error.kind == "torn"
        assert "The last 32 bytes" in str(error)
        assert f"ink-tui repair {SESSION_ID}" in str(error)

    def test_a_missing_newline(self, file: Path) -> None:
        file.write_bytes(file.read_bytes()[:-1])
        error = refused(file)
        assert "lacks its newline" in str(error)
        assert "ink-tui repair" in str(error)

    def test_open_calls(self, tmp_path: Path) -> None:
        file = tmp_path / "s.jsonl"
        write(file, [header(tmp_path), USER, ANSWER])
        error = refused(file)
        assert error.kind == "open-calls"
        assert "(ls)" in str(error)
        assert "may have run" in str(error)
        assert "ink-tui repair" in str(error)

    def test_a_gap(self, tmp_path: Path) -> None:
        file = tmp_path / "s.jsonl"
        later = entry(3, {"role": "user", "content": "go on"})
        write(file, [header(tmp_path), USER, ANSWER, later])
        error = refused(file)
        assert error.kind == "gap-not-at-tail"
        assert "ink-tui fork" in str(error)

    def test_a_record_of_a_newer_kind_at_the_end(self, file: Path) -> None:
        with file.open("ab") as stream:
            stream.write(b'{"type":"checkpoint","id":"z","parentId":"a3","timestamp":"x"}\n')
        assert refused(file).kind == "foreign-tail"

    def test_damage_in_the_middle(self, file: Path) -> None:
        lines = file.read_bytes().split(b"\n")
        file.write_bytes(b"\n".join([lines[0], lines[1][:20], *lines[2:]]))
        error = refused(file)
        assert error.kind == "invalid-json"
        assert "line 2" in str(error)

    def test_a_file_that_is_no_session(self, tmp_path: Path) -> None:
        file = tmp_path / "s.jsonl"
        file.write_bytes(b"hello\n")
        assert refused(file).kind == "bad-header"

    def test_a_sub_agent_session(self, tmp_path: Path) -> None:
        file = tmp_path / "s.jsonl"
        write(file, [header(tmp_path, parent="p"), USER])
        assert refused(file).kind == "child-session"

    def test_a_folder_that_no_system_can_have(self, tmp_path: Path) -> None:
        file = tmp_path / "s.jsonl"
        for name in ("x" * 5_000, "a\0b", ""):
            write(file, [header(tmp_path) | {"cwd": name}, USER])
            assert refused(file).kind == "cwd-missing"

    def test_a_folder_that_is_gone(self, tmp_path: Path) -> None:
        file = tmp_path / "s.jsonl"
        write(file, [header(tmp_path / "none"), USER])
        error = refused(file)
        assert error.kind == "cwd-missing"
        assert "--into" in str(error)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    with create_demo(NOW_MS, tmp_path_factory.mktemp("demo") / "home") as made:
        yield made


def test_the_demo_s_interrupted_session_goes_on_once_it_is_settled(
    demo: Demo, tmp_path: Path
) -> None:
    found = judged(demo.first)
    results = [
        NewResult(call.call.call_id, call.call.tool, UNKNOWN_OUTCOME, is_error=True)
        for call in found.to_close
    ]
    closing = encode_tool_results("f" * 16, found.leaf, NOW_MS, results)
    file = tmp_path / "settled.jsonl"
    file.write_bytes(demo.first.read_bytes()[: found.session.tail.offset] + closing)
    _, _, records = play(file, "run grep -c neutral src/sum.ts")
    assert records[0]["parentId"] == "f" * 16
    assert records[2]["message"]["results"][0]["content"] == "stdout:\n1"
    assert judged(file).verdict is Verdict.CLEAN


class TestInPlace:
    def open(self, path: Path) -> Conversation:
        conversation = Conversation(str(path), lambda: NOW_MS)
        conversation.close()
        return conversation

    def test_only_a_fork_is_continued_without_asking(self, tmp_path: Path, file: Path) -> None:
        root = str(tmp_path)
        assert not may_append(self.open(file), root)
        write(file, [header(tmp_path, forkedFrom={"id": "x", "entry": "a1"}), USER])
        assert may_append(self.open(file), root)
        assert may_append(self.open(file), None)

    def test_in_the_demo_nothing_is_asked(self, demo: Demo) -> None:
        path = next(p for p in demo.root.rglob("*.jsonl") if judged(p).title.startswith("rename"))
        assert may_append(self.open(path), str(demo.root))
        assert not may_append(self.open(path), "/")
        assert not may_append(self.open(path), None)

    @pytest.mark.parametrize(
        ("answer", "yes"),
        [("y", True), ("YES", True), ("", False), ("no", False), (KeyboardInterrupt(), False)],
    )
    def test_anything_but_yes_is_no(self, answer: str | BaseException, yes: bool) -> None:
        terminal = FakeTerminal(answer)
        assert confirm(terminal, PLAIN) is yes
        assert "not a fork" in terminal.shown
        assert ("Nothing was written" in terminal.shown) is not yes


class TestOpening:
    def test_the_end_of_the_context_and_what_it_can_do(self, demo: Demo) -> None:
        path = next(p for p in demo.root.rglob("*.jsonl") if "CRLF" in judged(p).title)
        shown = opening(judged(path), "~/work/demo", PLAIN)
        assert "给解析器加上 CRLF 支持 🚀 with tests" in shown
        assert "Context: 8 messages, about 4,063 tokens (measured)" in shown
        assert "assistant  不客气。" in shown
        assert "No model is configured" in shown
        assert "\x1b" not in shown

    def test_a_long_context_shows_its_last_messages(self, demo: Demo) -> None:
        path = next(p for p in demo.root.rglob("*.jsonl") if "Postgres" in judged(p).title)
        shown = opening(judged(path), "~/work/api", PLAIN)
        assert re.search(r"^… 2 earlier$", shown, re.MULTILINE)
        assert "三张表的索引都在。" in shown

    def test_nothing_foreign_acts_on_the_terminal(self, tmp_path: Path) -> None:
        file = tmp_path / "s.jsonl"
        hostile = "\x1b[2J\x9b31m\u202e\x07"
        call = {"type": "toolCall", "id": "c1", "name": hostile, "arguments": {hostile: hostile}}
        message = {"role": "assistant", "blocks": [call], "usage": USAGE, "stopReason": None}
        result = {"toolCallId": "c1", "toolName": hostile, "content": hostile, "isError": False}
        records = [
            header(tmp_path),
            entry(1, {"role": "user", "content": hostile}),
            entry(2, message),
            entry(3, {"role": "toolResult", "results": [result]}),
        ]
        write(file, records)
        shown = opening(judged(file), f"/x/{hostile}", PLAIN)
        assert not set(shown) & {"\x1b", "\x9b", "\u202e", "\x07"}

    def test_an_empty_context_says_so(self, tmp_path: Path) -> None:
        file = tmp_path / "s.jsonl"
        write(file, [header(tmp_path)])
        assert "The context is empty." in opening(judged(file), "/x", PLAIN)

    def test_a_closed_call_is_never_called_not_run(self, tmp_path: Path) -> None:
        file = tmp_path / "s.jsonl"
        text = "(force quit before this tool ran)"
        result = {"toolCallId": "c1", "toolName": "ls", "content": text, "isError": True}
        closed = entry(3, {"role": "toolResult", "results": [result]})
        write(file, [header(tmp_path), USER, ANSWER, closed])
        shown = opening(judged(file), "/x", PLAIN)
        assert "closed: unknown whether it ran" in shown
        assert "before this tool ran" not in shown


class TestFinding:
    def test_by_id_by_its_start_and_by_path(self, demo: Demo) -> None:
        roots = (str(demo.root),)
        wanted = judged(demo.first).session.header
        assert wanted is not None
        for name in (wanted.id, wanted.id[:8], str(demo.first), demo.first.name):
            assert find_session(name, roots) == str(demo.first)

    def test_unknown_and_ambiguous_ids_are_clear_sentences(self, tmp_path: Path) -> None:
        from ink_tui.errors import StoreError

        for number in (1, 2):
            write(tmp_path / f"{number}.jsonl", [header(tmp_path), USER])
        with pytest.raises(StoreError, match="fits 2 sessions"):
            find_session(SESSION_ID, (str(tmp_path),))
        with pytest.raises(StoreError, match="no session fits"):
            find_session("nope", (str(tmp_path),))


def test_the_predecessor_s_store_is_never_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / ".imp" / "sessions" / "x"
    folder.mkdir(parents=True)
    before = write(folder / "s.jsonl", [header(tmp_path), USER])
    monkeypatch.setenv("HOME", str(tmp_path))
    assert main(["--resume", SESSION_ID, "--yes-in-place"]) == 1
    assert "only read" in capsys.readouterr().err
    assert (folder / "s.jsonl").read_bytes() == before


def test_signals_are_what_they_were_afterwards(capsys: pytest.CaptureFixture[str]) -> None:
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGTSTP)
    before = [signal.getsignal(number) for number in numbers]
    assert main(["--resume", "nope"]) == 1
    assert "no session fits" in capsys.readouterr().err
    assert [signal.getsignal(number) for number in numbers] == before


def test_the_style_follows_the_terminal() -> None:
    assert style_for({"TERM": "xterm"}, "utf-8", is_terminal=True) == Style(True, True)
    assert style_for({"TERM": "xterm"}, "ascii", is_terminal=True) == Style(True, False)
    assert not style_for({"TERM": "xterm", "NO_COLOR": "1"}, "utf-8", is_terminal=True).colour
    assert not style_for({"TERM": "xterm"}, "utf-8", is_terminal=False).colour
    plain = Style(False, False)
    assert f"{plain.prompt}{plain.rule}{plain.cut}{plain.dot}".isascii()
    assert Style(True, True).warning("x") == "\x1b[33mx\x1b[0m"
