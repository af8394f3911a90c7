"""The session that the demo opens on: an agent was killed in the middle of an edit."""

# ruff: noqa: RUF001 - Chinese punctuation and typographic marks are meant
from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.store.demo.script import (
    MINUTE,
    SECOND,
    Script,
    child_of,
    task_result,
    text,
    thinking,
)
from ink_tui.store.demo.working_folders import NEW_SUM, OLD_SUM, PACKAGE, SUM_HEAD, SUM_TEST

if TYPE_CHECKING:
    from ink_tui.store.demo.script import Json

TITLE = "fix the sum function, keep the interface"
LABEL = "before-refactor"
TOKENS_BEFORE = 118_000
TORN_BYTES = 213
"""At least so many bytes of the last record stand in the file."""
AGE_MS = 161 * SECOND
"""Age of the newest record when the demo starts."""

SUMMARY = """\
Goal: sum() must keep its interface and pass all tests.

Done
- src/sum.ts read and edited once: explicit return type, no change for callers.
- test/sum.test.ts has cases for adding and for the empty array. The case for the empty array
  failed at first with "Reduce of empty array with no initial value".
- npm test was run four times, once with coverage; the last run had 41 tests passed and none failed.

Findings
- xs.reduce without a start value throws on an empty array.
- A start value of 0 turns [-0] into +0; nobody has decided yet whether that matters.
- Seven report pages import sum, 18 callers in all; none passes a second argument, so the signature
  can stay sum(xs: Numbers): number.
- package.json has a single script, "test": "jest". There is no lint step and no build step.
- NaN needs no special case: IEEE 754 addition carries it through, and one test says so.

Files read: src/sum.ts, test/sum.test.ts, package.json, src/report/page1.ts to page7.ts (imports
only). Files changed: src/sum.ts.

The user's wishes, word for word
- "fix the sum function, keep the interface"
- "Run the tests when you are done."
- "也要处理空数组和 NaN 的情况"

Next: run the whole suite, let a reviewer look at every caller, then look at negative zero.
"""

_FAILED_RUN = """\
stdout:
> demo@ test
> jest

✗ sum › empty array
    TypeError: Reduce of empty array with no initial value

Tests: 1 failed, 40 passed, 41 total
Exit code: 1"""

_PASSED_RUN = "stdout:\n> demo@ test\n> jest\n\nTests: 41 passed, 41 total"

_STEPS: tuple[tuple[str, str, str, Json, str], ...] = (
    (
        "which callers rely on the old behaviour?",
        "I look for every import of sum.",
        "grep",
        {"pattern": "import .*sum", "path": "src"},
        "\n".join(f"src/report/page{n}.ts:{n}:import {{ sum }} from '../sum'" for n in range(1, 8)),
    ),
    (
        "does any of them pass a start value?",
        "No caller passes a second argument. I check the types too.",
        "grep",
        {"pattern": "sum\\([^)]*,", "path": "src"},
        "(no output)",
    ),
    (
        "run the tests again",
        "The suite passes with the start value.",
        "bash",
        {"command": "npm test"},
        _PASSED_RUN,
    ),
    (
        "look at the test file, is the empty array covered?",
        "It is not covered by a case of its own.",
        "read",
        {"path": "test/sum.test.ts"},
        SUM_TEST,
    ),
    (
        "and the package file?",
        "Only the test script matters here.",
        "read",
        {"path": "package.json"},
        PACKAGE,
    ),
    (
        "once more, all tests",
        "Everything is green.",
        "bash",
        {"command": "npm test -- --coverage"},
        _PASSED_RUN,
    ),
)
"""Question, answer, and the call between them."""


def interrupted(cwd: str, now_ms: int) -> tuple[Script, Script]:
    """Return the interrupted session and its sub-agent's.

    Args:
        cwd: Working folder.
        now_ms: When the demo starts, in milliseconds since 1970.
    """
    script = Script("interrupted", cwd, now_ms - 64 * MINUTE)
    _first_turns(script)
    kept = _kept_turn(script)
    script.compact(SUMMARY, kept, TOKENS_BEFORE)
    child = _after_compaction(script)
    branch_point = script.leaf
    assert branch_point is not None
    _left_branches(script, branch_point)
    _open_end(script, now_ms)
    return script, child


def _first_turns(script: Script) -> None:
    script.user(f"{TITLE}\n\nRun the tests when you are done.", after=SECOND)
    script.use("read", {"path": "src/sum.ts"}, SUM_HEAD + OLD_SUM, tokens=3_100)
    edit = {
        "path": "src/sum.ts",
        "edits": [
            {
                "oldText": "export function sum(xs: Numbers) {",
                "newText": "export function sum(xs: Numbers): number {",
            }
        ],
    }
    script.use(
        "edit",
        edit,
        "Edited src/sum.ts (1 edit(s) applied):\n@@ line 10 @@\n"
        "-export function sum(xs: Numbers) {\n+export function sum(xs: Numbers): number {",
        thinking("The return type is inferred; make it explicit before anything else."),
        tokens=4_800,
    )
    script.use("bash", {"command": "npm test"}, _FAILED_RUN, tokens=6_000, takes=8_200)
    script.assistant(text("One test fails: reduce has no start value."), tokens=9_000)
    for number, (question, answer, tool, arguments, result) in enumerate(_STEPS):
        script.user(question, after=3 * MINUTE)
        tokens = 22_000 + 15_000 * number
        takes = 8_200 if tool == "bash" else 300
        script.use(tool, arguments, result, tokens=tokens, takes=takes)
        script.assistant(text(answer), tokens=tokens + 2_000)


def _kept_turn(script: Script) -> tuple[str, str]:
    user = script.user("也要处理空数组和 NaN 的情况", after=4 * MINUTE)
    answer = script.assistant(text("空数组返回 0，NaN 按 IEEE 754 传播"), tokens=117_400)
    return user, answer


def _after_compaction(script: Script) -> Script:
    """Append the delegated check; returns the sub-agent's session."""
    call = script.call("task", {"agent": "reviewer", "prompt": "check every caller of sum()"})
    script.assistant(text("Next I run the whole suite and look at -0"), call, tokens=8_900)
    child = child_of(script, "reviewer")
    child.user("check every caller of sum()", after=SECOND)
    for number in range(1, 9):
        page = f"src/report/page{number}.ts"
        source = f"import {{ sum }} from '../sum'\nexport const total{number} = sum(row)\n"
        child.use("read", {"path": page}, source, tokens=900 + 400 * number)
    answer = "18 callers, none depends on the sign of zero."
    child.assistant(text(answer), tokens=4_600)
    script.now_ms = child.now_ms
    script.wait(SECOND)
    script.message(
        {"role": "toolResult", "results": [task_result(script, call, child, answer, turns=9)]}
    )
    script.stray(
        {"role": "user", "content": "and update the changelog in the same commit"},
        parent="7f3a91c2d05e48b6",
    )
    return child


def _left_branches(script: Script, branch_point: str) -> None:
    """Append two branches that the user left by moving the position."""
    script.user("try a lookup table instead", after=2 * MINUTE)
    script.use("read", {"path": "src/sum.ts"}, SUM_HEAD + OLD_SUM, tokens=9_800)
    script.use(
        "bash",
        {"command": "node bench/table.js"},
        "stdout:\ntable 41 ms, loop 12 ms",
        tokens=10_400,
    )
    script.assistant(text("A table is slower here and hides the sign of zero."), tokens=10_900)
    script.move_to(branch_point)
    script.user("用 reduce 重写，不要循环", after=MINUTE)
    script.assistant(text("reduce 从 -0 开始即可，但可读性较差。"), tokens=9_700)
    script.move_to(branch_point)


def _open_end(script: Script, now_ms: int) -> None:
    """Append the turn that was cut off: two calls without a result, half a record."""
    edit = {"path": "src/sum.ts", "edits": [{"oldText": OLD_SUM, "newText": NEW_SUM}]}
    calls = (script.call("edit", edit), script.call("bash", {"command": "npm test -- --runInBand"}))
    script.now_ms = now_ms - AGE_MS - 10 * SECOND
    asked = script.user("what about -0? 另外别忘了更新类型声明 📝", after=0)
    script.label(asked, LABEL)
    script.assistant(
        thinking(
            "Math.sign keeps the zero sign, Object.is tells them apart.\n"
            "A sum that starts at 0 turns [-0] into +0, so start at -0.\n"
            "The empty array must still give +0: handle it at the end."
        ),
        text("A sum that starts at `0` turns `[-0]` into `+0`. I start at `-0` instead."),
        *calls,
        tokens=12_310,
        after=10 * SECOND,
    )
    result: Json = {
        "role": "toolResult",
        "results": [
            {
                "toolCallId": calls[0]["id"],
                "toolName": "edit",
                "content": "空数组返回 0，" * 20,
                "isError": False,
            }
        ],
    }
    script.wait(SECOND)
    script.torn(result, TORN_BYTES)
