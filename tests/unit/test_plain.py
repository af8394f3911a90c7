"""A whole transcript as lines of text."""

from __future__ import annotations

import json

import pytest

from ink_tui.model.plain import block_text, transcript_text
from ink_tui.model.text import clean
from ink_tui.model.transcript_build import build_transcript
from tests.transcript_samples import CASES, Script, call, case, diagnosed, result, thinking


def test_everything_is_there_in_order_and_in_words() -> None:
    script = Script().user("fix it").answer(
        thinking("hm"), "I edit.", call("c", "edit", path="s.ts", oldText="a", newText="b"),
        call("d", "bash", command="npm test"),
    )  # fmt: skip
    script.results(
        result("c", "edit", "Edited s.ts"), result("d", "bash", "stdout:\nno\nExit code: 1")
    )
    lines = list(transcript_text(script.diagnosis()))
    body = lines[lines.index("state: Ready to resume: nothing to settle") + 1 :]
    assert [line for line in body if line] == [
        "--- turn 1 of 1, 2026-03-02 08:01:00 UTC ---",
        "user:", "  fix it",
        "thinking:", "  hm",
        "assistant:", "  I edit.",
        "call: edit s.ts", "  change 1:", "  - a", "  + b", "result:", "  Edited s.ts",
        "call: bash npm test [exit 1]", "result:", "  stdout:", "  no", "  Exit code: 1",
    ]  # fmt: skip


def test_open_calls_and_faults_are_said_in_words() -> None:
    text = "\n".join(transcript_text(case("48-")))
    assert "state: Can be repaired: 2 things to settle before resuming" in text
    assert "needs a decision: Torn tail: the last record is not complete (line 5, byte 894)" in text
    assert "call: bash df -h [no result saved; may have run]" in text
    assert text.endswith("needs a decision: 1 call without result")


def test_a_compaction_says_what_is_no_longer_in_the_context() -> None:
    text = "\n".join(transcript_text(case("49-")))
    assert "--- compacted: 41,000 to about 27 tokens, 2 messages kept ---" in text
    assert text.count("(everything above is no longer in the context)") == 1


def test_one_block_can_be_copied() -> None:
    block = build_transcript(Script().user("two\nlines").diagnosis()).blocks[1]
    assert block_text(block) == "user:\n  two\n  lines"


def test_a_session_without_a_message() -> None:
    assert list(transcript_text(case("12-")))[-1] == "This session has no message yet."


@pytest.mark.parametrize("name", sorted(path.parent.name for path in CASES.glob("*/session.jsonl")))
def test_nothing_in_it_acts_on_a_terminal_and_nothing_is_lost(name: str) -> None:
    expected = json.loads((CASES / name / "expected.json").read_text("utf-8"))
    lines = list(transcript_text(diagnosed((CASES / name / "session.jsonl").read_bytes())))
    assert all("\n" not in line and clean(line) == line for line in lines)
    text = "\n".join(lines)
    for wanted in expected.get("render", {}).get("must_contain", []):
        assert wanted in text
    for refused in expected.get("render", {}).get("must_not_emit", []):
        assert refused.encode().decode("unicode_escape") not in text
