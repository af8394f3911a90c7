"""The loop of the built-in agent on a terminal and a clock that tests hold in their hands."""

from __future__ import annotations

import re
import signal
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from ink_tui.errors import RefusedError
from ink_tui.formats.ink.constants import UNKNOWN_OUTCOME
from ink_tui.formats.ink.encode import NewResult, encode_line, encode_tool_results
from ink_tui.formats.registry import INK
from ink_tui.model.verdict import Diagnosis, Verdict, diagnose
from ink_tui.runtime.conversation import ASKED, Conversation
from ink_tui.runtime.loop import Loop
from ink_tui.runtime.main import confirm, find_session, may_append
from ink_tui.runtime.opening import opening
from ink_tui.runtime.stops import Ended
from ink_tui.runtime.terminal import Style, style_for
from ink_tui.store.demo import Demo, create_demo
from tests.conftest import NOON

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

NOW_MS = int(NOON.timestamp() * 1_000)
PLAIN = Style(colour=False, unicode=True)
SESSION_ID = "11111111-1111-4111-8111-111111111111"


class FakeTerminal:
    """Hands out lines, or raises what stands in their place; keeps what was written."""

    def __init__(self, *lines: str | BaseException) -> None:
        self._lines = list(lines)
        self.shown = ""

    def write(self, text: str) -> None:
        self.shown += text

    def ask(self, prompt: str) -> str | None:
        self.shown += prompt
        if not self._lines:
            return None
        line = self._lines.pop(0)
        if isinstance(line, BaseException):
            raise line
        return line


class FakeStops:
    """A signal that comes as soon as a tool has shown something, or none."""

    def __init__(self, terminal: FakeTerminal, number: int | None = None, after: str = "") -> None:
        self._terminal = terminal
        self._number = number
        self._after = after

    @property
    def wanted(self) -> bool:
        return self._number is not None and self._after in self._terminal.shown

    def take_interrupt(self) -> None:
        number, self._number = self._number, None
        if number is not None and number != signal.SIGINT:
            raise Ended(number)


def header(cwd: Path, **fields: object) -> dict[str, object]:
    stamp = "2026-03-02T08:00:00.000Z"
    return {
        "type": "session",
        "version": 1,
        "id": SESSION_ID,
        "timestamp": stamp,
        "cwd": str(cwd),
        **fields,
    }


def entry(number: int, message: Mapping[str, object]) -> dict[str, object]:
    return {
        "type": "message",
        "id": f"a{number}",
        "parentId": f"a{number - 1}" if number > 1 else None,
        "timestamp": f"2026-03-02T08:00:{number:02d}.000Z",
        "message": message,
    }


USER = entry(1, {"role": "user", "content": "list files"})
CALL = {"type": "toolCall", "id": "c1", "name": "ls", "arguments": {"path": "."}}
USAGE = {"inputTokens": 900, "outputTokens": 40}
ANSWER = entry(2, {"role": "assistant", "blocks": [CALL], "usage": USAGE, "stopReason": "tool_use"})
RESULT = entry(
    3,
    {
        "role": "toolResult",
        "results": [{"toolCallId": "c1", "toolName": "ls", "content": "a.txt", "isError": False}],
    },
)


def write(path: Path, records: Sequence[dict[str, object]]) -> bytes:
    content = b"".join(encode_line(record) for record in records)
    path.write_bytes(content)
    return content


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "s.jsonl"
    write(path, [header(tmp_path), USER, ANSWER, RESULT])
    return path


def ids() -> Callable[[], str]:
    numbers = iter(range(1, 1_000))
    return lambda: f"{next(numbers):016x}"


def play(
    file: Path,
    *lines: str | BaseException,
    stop: tuple[int, str] | None = None,
) -> tuple[int, FakeTerminal, list[dict[str, Any]]]:
    """Run the loop over some lines; returns status, terminal, and the records it appended."""
    before = file.read_bytes()
    terminal = FakeTerminal(*lines)
    stops = FakeStops(terminal, *stop) if stop else FakeStops(terminal)
    conversation = Conversation(str(file), lambda: NOW_MS, ids())
    try:
        status = Loop(conversation, terminal, stops, PLAIN).run()
    finally:
        conversation.close()
    after = file.read_bytes()
    assert after[: len(before)] == before
    added = after[len(before) :].splitlines()
    return status, terminal, [orjson.loads(line) for line in added]


def judged(file: Path) -> Diagnosis:
    parser = INK.parser()
    parser.feed(file.read_bytes())
    return diagnose(parser.session())


def test_plain_text_is_one_user_message_and_no_answer(file: Path) -> None:
    before = file.read_bytes()
    status, terminal, _ = play(file, "what is\tthis? 你好 📝\u2028")
    assert status == 0
    assert "nobody answers" in terminal.shown
    assert (
        file.read_bytes()[len(before) :]
        == (
            '{"type":"message","id":"0000000000000001","parentId":"a3",'
            '"timestamp":"2026-03-02T12:04:00.000Z",'
            '"message":{"role":"user","content":"what is\\tthis? 你好 📝"}}\n'
        ).encode()
    )
    assert judged(file).verdict is Verdict.CLEAN


def test_run_saves_message_call_and_result_in_ink_s_bytes(file: Path) -> None:
    before = file.read_bytes()
    status, terminal, _ = play(file, "run echo hi")
    assert status == 0
    assert "hi\nexit 0" in terminal.shown
    stamp = '"timestamp":"2026-03-02T12:04:00.000Z"'
    assert file.read_bytes()[len(before) :].decode().splitlines() == [
        '{"type":"message","id":"0000000000000001","parentId":"a3",' + stamp + ',"message":'
        '{"role":"user","content":"run echo hi"}}',
        '{"type":"message","id":"0000000000000003","parentId":"0000000000000001",'
        + stamp
        + ',"message":{"role":"assistant","blocks":[{"type":"text","text":"'
        + ASKED
        + '"},{"type":"toolCall","id":"call_0000000000000002","name":"bash","arguments":'
        '{"command":"echo hi"}}],"usage":{"inputTokens":0,"outputTokens":0},'
        '"stopReason":"tool_use","usageMissing":true}}',
        '{"type":"message","id":"0000000000000004","parentId":"0000000000000003",'
        + stamp
        + ',"message":{"role":"toolResult","results":[{"toolCallId":"call_0000000000000002",'
        '"toolName":"bash","content":"stdout:\\nhi","isError":false}]}}',
    ]
    found = judged(file)
    assert found.verdict is Verdict.CLEAN
    assert found.leaf == "0000000000000004"
    assert len(found.branch.entries) == 6


def test_read_shows_the_file_and_saves_it_whole(file: Path) -> None:
    text = "".join(f"line {number}\n" for number in range(1, 41))
    (file.parent / "notes.txt").write_text(text, encoding="utf-8")
    _, terminal, records = play(file, "read notes.txt")
    assert "line 20\n" in terminal.shown
    assert "line 21" not in terminal.shown
    assert "20 more lines, saved whole" in terminal.shown
    result = records[2]["message"]["results"][0]
    assert (result["toolName"], result["content"], result["isError"]) == ("read", text, False)
    assert records[1]["message"]["blocks"][1]["arguments"] == {"path": "notes.txt"}


def test_a_file_that_cannot_be_read_is_an_error_result(file: Path) -> None:
    _, terminal, records = play(file, "read none.txt")
    result = records[2]["message"]["results"][0]
    assert result["isError"]
    assert result["content"] == "Error: none.txt cannot be read: No such file or directory"
    assert result["content"] in terminal.shown
    assert judged(file).verdict is Verdict.CLEAN


def test_a_command_that_fails_is_no_error_of_the_tool(file: Path) -> None:
    _, terminal, records = play(file, "run echo no >&2; exit 3")
    result = records[2]["message"]["results"][0]
    assert (result["content"], result["isError"]) == ("stderr:\nno\nExit code: 3", False)
    assert "exit 3" in terminal.shown


def test_output_is_clean_on_the_screen_and_raw_in_the_file(file: Path) -> None:
    _, terminal, records = play(file, "run printf '\\033]0;x\\007\\033[2J'")
    assert "\x1b" not in terminal.shown
    assert "\x07" not in terminal.shown
    assert records[2]["message"]["results"][0]["content"] == "stdout:\n\x1b]0;x\x07\x1b[2J"


@pytest.mark.parametrize("line", ["", "   ", "/help", "/nope", "read", "run", "run  ", "/say"])
def test_nothing_is_saved_for(file: Path, line: str) -> None:
    status, _, records = play(file, line)
    assert (status, records) == (0, [])


def test_help_says_what_it_is_and_what_can_be_typed(file: Path) -> None:
    _, terminal, _ = play(file, "/help")
    assert "No model is configured" in terminal.shown
    assert "run COMMAND" in terminal.shown


def test_a_message_may_begin_like_a_tool(file: Path) -> None:
    _, _, records = play(file, "/say run it again", "reading is fine", "running too")
    assert [record["message"]["content"] for record in records] == [
        "run it again",
        "reading is fine",
        "running too",
    ]


def test_exit_and_the_end_of_input_leave_with_0(file: Path) -> None:
    status, terminal, records = play(file, "one", "/exit", "never seen")
    assert status == 0
    assert len(records) == 1
    assert "1 record saved" in terminal.shown
    assert play(file)[0] == 0


def test_ctrl_c_at_the_prompt_saves_nothing(file: Path) -> None:
    status, terminal, records = play(file, KeyboardInterrupt(), "after")
    assert status == 0
    assert len(records) == 1
    assert "/exit leaves" in terminal.shown


def test_ctrl_c_in_a_command_closes_its_call_and_goes_on(file: Path) -> None:
    status, terminal, records = play(
        file, "run echo started; sleep 60", "next", stop=(signal.SIGINT, "started")
    )
    assert status == 0
    assert [record["message"]["role"] for record in records] == [
        "user",
        "assistant",
        "toolResult",
        "user",
    ]
    (result,) = records[2]["message"]["results"]
    assert (result["content"], result["isError"]) == (UNKNOWN_OUTCOME, True)
    assert "unknown whether it ran" in terminal.shown
    assert judged(file).verdict is Verdict.CLEAN


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_in_a_command_closes_its_call_and_ends(file: Path, number: int) -> None:
    status, _, records = play(
        file, "run echo started; sleep 60", "never", stop=(number, "started\n")
    )
    assert status == 128 + number
    assert records[-1]["message"]["results"][0]["content"] == UNKNOWN_OUTCOME
    assert len(records) == 3
    assert judged(file).verdict is Verdict.CLEAN


def test_a_signal_at_the_prompt_saves_nothing(file: Path) -> None:
    status, _, records = play(file, Ended(signal.SIGTERM))
    assert (status, records) == (143, [])


def test_it_stops_when_another_program_wrote(file: Path) -> None:
    class Meddler(FakeTerminal):
        def ask(self, prompt: str) -> str | None:
            with file.open("ab") as stream:
                stream.write(encode_line(entry(4, {"role": "user", "content": "me too"})))
            return super().ask(prompt)

    conversation = Conversation(str(file), lambda: NOW_MS, ids())
    terminal = Meddler("hello")
    with pytest.raises(RefusedError, match="Another program has changed"):
        Loop(conversation, terminal, FakeStops(terminal), PLAIN).run()
    conversation.close()
    assert conversation.leaf == "a3"
    assert b"hello" not in file.read_bytes()


def test_an_id_that_is_taken_is_drawn_again(file: Path) -> None:
    drawn = iter(["a3", "a1", "fresh"])
    conversation = Conversation(str(file), lambda: NOW_MS, lambda: next(drawn))
    conversation.say("x")
    conversation.close()
    assert judged(file).leaf == "fresh"


def test_an_empty_session_gets_a_root(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    write(file, [header(tmp_path)])
    _, _, records = play(file, "first")
    assert records[0]["parentId"] is None


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


def test_the_style_follows_the_terminal() -> None:
    assert style_for({"TERM": "xterm"}, "utf-8", is_terminal=True) == Style(True, True)
    assert style_for({"TERM": "xterm"}, "ascii", is_terminal=True) == Style(True, False)
    assert not style_for({"TERM": "xterm", "NO_COLOR": "1"}, "utf-8", is_terminal=True).colour
    assert not style_for({"TERM": "xterm"}, "utf-8", is_terminal=False).colour
    plain = Style(False, False)
    assert f"{plain.prompt}{plain.rule}{plain.cut}{plain.dot}".isascii()
    assert Style(True, True).warning("x") == "\x1b[33mx\x1b[0m"
