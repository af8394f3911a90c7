"""The facts of a session: expected figures on built sessions, in values, words and rows."""

from __future__ import annotations

import json

import pytest

from ink_tui.model.facts_words import SIZE_ROWS, FactLine, Section, fact_sections
from ink_tui.model.session_facts import (
    CommandFact,
    CompactionFact,
    FileFact,
    ModelSpan,
    SessionFacts,
    TokenSums,
    ToolUse,
    session_facts,
)
from ink_tui.model.transcript import ToolState
from tests.cases import CASES_DIR, run_cli
from tests.sessions import answer, line, read, results, session, user
from tests.transcript_samples import Script, call, result

START = 1_772_438_400_000
"""Eight o'clock, in milliseconds: when the sessions of `Script` start."""


def busy() -> Script:
    """A session with two turns, every kind of tool, a failure, a compaction and an open call."""
    script = Script().user("fix it", seconds=0)
    script.answer(
        call("c1", "read", path="a.py"),
        call("c2", "bash", command="npm test"),
        seconds=10,
        usage={"inputTokens": 100, "outputTokens": 20, "cacheReadTokens": 5},
    )
    script.results(result("c1", "read", "x"), result("c2", "bash", "Exit code: 2"), seconds=4)
    script.answer(
        call("c3", "edit", path="a.py", oldText="x", newText="y\nz"),
        call("c4", "write", path="b.py", content="one\n"),
        call("c5", "read", path="gone.py"),
        seconds=6,
        usage={"inputTokens": 300, "outputTokens": 1, "cacheWriteTokens": 7},
    )
    script.results(
        result("c3", "edit", "ok"),
        result("c4", "write", "ok"),
        result("c5", "read", "no such file", error=True),
        seconds=2,
    )
    script.compaction("S", [{"role": "user", "content": "12345678"}])
    script.user("and now?", seconds=1)
    script.answer(call("c6", "bash", command="ls"), seconds=30, usage={}, usageMissing=True)
    return script


def facts_of(script: Script) -> SessionFacts:
    return session_facts(script.diagnosis())


def test_files() -> None:
    assert facts_of(busy()).branch.files == (
        FileFact("a.py", reads=1, changes=1, added=2, removed=1),
        FileFact("b.py", changes=1, added=1),
        FileFact("gone.py", failed=1),
    )


def test_commands_with_their_ends() -> None:
    assert facts_of(busy()).branch.commands == (
        CommandFact("npm test", ToolState.FAILED, 2, 4_000),
        CommandFact("ls", ToolState.OPEN, None, None),
    )


def test_tools() -> None:
    assert facts_of(busy()).branch.tools == (
        ToolUse("read", calls=2, failed=1, duration_ms=6_000),
        ToolUse("bash", calls=2, failed=1, unknown=1, duration_ms=4_000),
        ToolUse("edit", calls=1, duration_ms=2_000),
        ToolUse("write", calls=1, duration_ms=2_000),
    )


def test_tokens_and_turns() -> None:
    facts = facts_of(busy())
    assert facts.branch.tokens == TokenSums(3, 1, 400, 21, 5, 7)
    assert [(turn.number, turn.title, turn.duration_ms) for turn in facts.turns] == [
        (1, "fix it", 22_000),
        (2, "and now?", 30_000),
    ]
    assert [(turn.context_tokens, turn.compactions) for turn in facts.turns] == [
        (308, 1),
        (None, 0),
    ]
    assert (facts.branch.turns, facts.branch.compactions) == (2, 1)
    assert (facts.first_ms, facts.last_ms) == (START, START + 113_000)
    assert facts.compactions == (CompactionFact(START + 82_000, 118_000, 3, 1, turn=1),)
    assert (facts.records, facts.all_records, facts.branches) == (8, 8, 1)
    assert facts.whole is None


def test_the_usage_of_a_compaction_counts() -> None:
    script = Script().user("x")
    usage = {"inputTokens": 5_000, "outputTokens": 300}
    script.add({"type": "compaction", "summary": "S", "retainedTail": [], "usage": usage})
    assert facts_of(script).branch.tokens == TokenSums(0, 0, 5_000, 300)


def test_models_over_time() -> None:
    head = {
        "type": "session", "version": 1, "id": "s", "timestamp": "2026-03-02T08:00:00.000Z",
        "cwd": "/w", "model": {"provider": "zai", "modelId": "old"},
    }  # fmt: skip
    marker = {"type": "session_model", "provider": "zai", "modelId": "new", "explicit": True}
    data = b"".join(
        (
            line(head),
            user("u1", None, "a", second=0),
            answer("a1", "u1", "b", second=1),
            line(marker),
            answer("a2", "a1", "c", second=2),
            answer("a3", "a2", "d", second=3),
        )
    )
    assert session_facts(read(data)).models == (
        ModelSpan("zai/old", 1, START + 1_000, START + 1_000),
        ModelSpan("zai/new", 2, START + 2_000, START + 3_000),
    )
    script = Script().user("a").answer("b", model="other").answer("c", model="other").answer("d")
    assert [(span.model, span.answers) for span in facts_of(script).models] == [
        ("other", 2),
        ("", 1),
    ]


def test_the_whole_file_is_told_where_it_holds_more() -> None:
    left = (("c1", "bash", {"command": "ls"}),)
    data = session(
        user("u1", None, "a", second=0),
        answer("a1", "u1", "", calls=left, second=1),
        results("r1", "a1", ("c1", "bash", "x"), second=3),
        user("u2", None, "b", second=4),
        answer("a2", "u2", "c", second=5),
    )
    facts = session_facts(read(data))
    assert facts.branch.turns == 1
    assert facts.branch.commands == ()
    assert facts.whole is not None
    assert facts.whole.turns == 2
    assert facts.whole.commands == (CommandFact("ls", ToolState.OK, None, 2_000),)
    assert (facts.records, facts.all_records, facts.branches) == (2, 5, 2)
    sections = fact_sections(facts)
    assert sections[0].lines[0] == FactLine(
        "branch", "the current one: 2 records; 3 more in 1 other branch"
    )
    commands = (FactLine("ls", "ended well, 2.0 s"),)
    assert sections[-1] == Section("Commands of other branches", commands)
    assert sections[-2] == Section(
        "Over all branches",
        (
            FactLine("user turns", "2"),
            FactLine("calls of tools", "1"),
            FactLine("commands", "1"),
            FactLine("files changed", "0 of 0 named"),
            FactLine("compactions", "0"),
            FactLine("answers", "2"),
            FactLine("tokens read", "1,800"),
            FactLine("tokens written", "80"),
        ),
    )


def test_files_of_other_branches_are_told_with_what_all_branches_did() -> None:
    change = {"path": "a.py", "content": "x"}
    data = session(
        user("u1", None, "a", second=0),
        answer("a1", "u1", calls=(("c1", "write", change), ("c2", "read", {"path": "b.py"}))),
        results("r1", "a1", ("c1", "write", "ok"), ("c2", "read", "x")),
        answer("b1", "u1", calls=(("c3", "write", change),), second=4),
        results("b2", "b1", ("c3", "write", "ok"), second=5),
    )
    facts = session_facts(read(data))
    assert section("Files", facts) == [("a.py", "changed +1 -0")]
    assert section("Files, with those of other branches", facts) == [
        ("a.py", "changed 2 times +2 -0"),
        ("b.py", "read"),
    ]


def test_compactions_stand_where_they_were_made() -> None:
    script = Script()
    script.add({"type": "compaction", "summary": "S" * 400, "retainedTail": []})
    for size in (800, 40):
        script.user("a").answer("b", usage={"inputTokens": size, "outputTokens": 0})
        script.add({"type": "compaction", "summary": "S", "retainedTail": "?"})
    script.user("c")
    (sizes,) = [each for each in fact_sections(facts_of(script)) if each.title == "Context size"]
    assert [line.name for line in sizes.lines] == [
        "compacted", "turn 1", "compacted", "turn 2", "compacted", "turn 3",
    ]  # fmt: skip
    assert sizes.lines[1].share == 1.0
    assert sizes.lines[2] == FactLine("compacted", "to an unknown size", 0.0)


def section(name: str, facts: SessionFacts) -> list[tuple[str, str]]:
    (found,) = [each for each in fact_sections(facts) if each.title == name]
    return [(each.name, each.figure) for each in found.lines]


def test_words() -> None:
    facts = facts_of(busy())
    assert section("Session", facts) == [
        ("branch", "8 records, there is no other"),
        ("user turns", "2"),
        ("first record", "2026-03-02 08:00:00 UTC"),
        ("last record", "2026-03-02 08:01:53 UTC"),
        ("from first to last", "1 min 53 s"),
        ("time in turns", "52 s"),
        ("answers", "3, 1 without figures"),
        ("tokens read", "400"),
        ("tokens written", "21"),
        ("tokens read from the cache", "5"),
        ("tokens written to the cache", "7"),
        ("cost", "The records hold no prices."),
    ]
    assert section("Context size", facts) == [
        ("turn 1", "308 tokens"),
        ("compacted", "to about 3 tokens"),
        ("turn 2", "not reported"),
    ]
    assert section("Time by tool", facts)[:2] == [
        ("read", "6.0 s, 2 calls, 1 failed"),
        ("bash", "4.0 s, 2 calls, 1 failed, 1 unknown"),
    ]
    assert section("Turns", facts) == [("1 fix it", "22 s"), ("2 and now?", "30 s")]
    assert section("Files", facts) == [
        ("a.py", "changed +2 -1, read"),
        ("b.py", "changed +1 -0"),
        ("gone.py", "1 not done or unknown"),
    ]
    assert section("Commands", facts) == [
        ("npm test", "exit 2, 4.0 s"),
        ("ls", "no result saved; may have run"),
    ]
    assert section("Compactions", facts) == [("compaction 1", "118,000 to about 3 tokens, 1 kept")]


def test_long_kinds_are_counted_and_sizes_put_together() -> None:
    script = Script()
    for number in range(3 * SIZE_ROWS - 1):
        script.user(f"turn {number}").answer("x", usage={"inputTokens": number, "outputTokens": 1})
    facts = facts_of(script)
    (turns,) = [each for each in fact_sections(facts, 10) if each.title == "Turns"]
    assert len(turns.lines) == 11
    assert turns.lines[-1] == FactLine("and 109 more", "")
    (sizes,) = [each for each in fact_sections(facts, 10) if each.title == "Context size"]
    assert len(sizes.lines) == SIZE_ROWS
    assert sizes.lines[0] == FactLine("turns 1 to 3", "3 tokens", 3 / 119)
    assert sizes.lines[-1] == FactLine("turns 118 to 119", "119 tokens", 1.0)


def test_an_empty_session_has_few_facts() -> None:
    facts = session_facts(read(session()))
    assert [each.title for each in fact_sections(facts)] == ["Session"]


class TestCommand:
    PATH = str(next(CASES_DIR.glob("49-*/session.jsonl")))

    def test_text(self) -> None:
        status, out, err = run_cli("show", "--facts", self.PATH)
        assert (status, err) == (0, "")
        assert "\nsession:\n  branch: 8 records, there is no other\n  user turns: " in out
        assert "\ncompactions:\n  compaction 1: " in out

    def test_json(self) -> None:
        status, out, err = run_cli("show", "--facts", "--json", self.PATH)
        assert (status, err) == (0, "")
        told = json.loads(out)
        assert told["branch"]["compactions"] == len(told["compactions"]) == 2
        assert told["whole"] is None
        assert told["branch"]["tokens"]["answers"] == sum(
            each["answers"] for each in told["models"]
        )

    @pytest.mark.parametrize(
        ("options", "sentence"),
        [
            (("--json",), "--json is for the facts"),
            (("--plain", "--facts"), "choose one"),
        ],
    )
    def test_options_that_do_not_fit(self, options: tuple[str, ...], sentence: str) -> None:
        status, out, err = run_cli("show", *options, self.PATH)
        assert (status, out) == (2, "")
        assert sentence in err

    def test_what_cannot_be_found_or_read(self) -> None:
        status, out, err = run_cli("show", "--facts", "/nowhere/x.jsonl")
        assert (status, out) == (1, "")
        assert err
