"""The loop of the built-in agent on a terminal and a clock that tests hold in their hands."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

from ink_tui.errors import RefusedError
from ink_tui.formats.ink.constants import UNKNOWN_OUTCOME
from ink_tui.formats.ink.encode import encode_line
from ink_tui.model.verdict import Verdict
from ink_tui.runtime.conversation import ASKED, Conversation
from ink_tui.runtime.loop import Loop
from ink_tui.runtime.stops import Ended
from tests.unit.runtime_samples import (
    ANSWER,
    NOW_MS,
    PLAIN,
    RESULT,
    USER,
    FakeStops,
    FakeTerminal,
    entry,
    header,
    ids,
    judged,
    play,
    write,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "s.jsonl"
    write(path, [header(tmp_path), USER, ANSWER, RESULT])
    return path


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
