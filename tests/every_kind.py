"""A session with every kind of record and most kinds of damage, for tests of list and tree."""

from __future__ import annotations

from typing import Any

from tests.sessions import answer, entry, line, results, session, user

KEPT: list[dict[str, Any]] = [
    {"role": "user", "content": "也要处理空数组和 NaN 的情况"},
    {
        "role": "assistant",
        "blocks": [{"type": "text", "text": "空数组返回 0"}],
        "usage": {"inputTokens": 900, "outputTokens": 40},
        "stopReason": "end_turn",
    },
]


def summarised(turns: int) -> list[bytes]:
    """Return turns of a call and an answer each, ids `x0 y0 z0` and on, after the entry `m1`."""
    found: list[bytes] = []
    parent = "m1"
    for number in range(turns):
        second = 10 + 10 * number
        text = "boom\nExit code: 1\n" if number == 1 else "ok"
        call = (f"cx{number}", "bash", {"command": f"npm test {number}"})
        found += [
            answer(f"x{number}", parent, calls=(call,), second=second),
            results(f"y{number}", f"x{number}", (call[0], "bash", text), second=second + 8),
            answer(f"z{number}", f"y{number}", f"step {number}", second=second + 9),
        ]
        parent = f"z{number}"
    return found


def task_results(entry_id: str, parent: str, call_id: str, child: str, second: int) -> bytes:
    """Return the result of a sub-agent's call that names its session."""
    record = {"version": 1, "childId": child}
    item = {"toolCallId": call_id, "toolName": "task", "content": "done", "isError": False}
    message = {"role": "toolResult", "results": [item | {"taskRecord": record}]}
    return entry("message", entry_id, parent, second, message=message)


def thinking_and_calls(entry_id: str, parent: str, second: int) -> bytes:
    """Return an answer that thinks and asks for an edit and a command."""
    edit = {"oldText": "return a", "newText": "let s = -0\nreturn s"}
    message = {
        "role": "assistant",
        "blocks": [
            {"type": "thinking", "thinking": "Math.sign keeps the zero sign"},
            {
                "type": "toolCall",
                "id": "e1",
                "name": "edit",
                "arguments": {"path": "src/sum.ts", "edits": [edit]},
            },
            {"type": "toolCall", "id": "e2", "name": "bash", "arguments": {"command": "npm test"}},
        ],
        "usage": {"inputTokens": 900, "outputTokens": 40},
        "stopReason": "tool_use",
    }
    return entry("message", entry_id, parent, second, message=message)


TASK: tuple[str, str, dict[str, Any]] = ("t1", "task", {"prompt": "check it"})
TORN = b'{"type":"message","id":"torn","par'


def every_kind() -> bytes:
    """Return a session with two compactions, branches, open calls, an orphan and a torn tail."""
    return session(
        line({"type": "session_model", "provider": "zai", "modelId": "glm-5.3", "explicit": True}),
        user("m1", None, "fix sum(), keep the interface", 1),
        *summarised(6),
        user("u2", "z5", "也要处理空数组和 NaN 的情况", 100),
        answer("a2", "u2", "空数组返回 0", second=110),
        entry(
            "compaction", "k1", "a2", 120, summary="S" * 400, retainedTail=KEPT, tokensBefore=118000
        ),
        answer(
            "a3",
            "k1",
            "Next the whole suite",
            (("t1", "task", {"prompt": "check it"}),),
            second=121,
        ),
        task_results("r3", "a3", "t1", "child-1", 150),
        user("u3", "r3", "what about -0?", 160),
        user("b1", "u3", "try a lookup table", 161),
        answer("b1b", "b1", "a table", second=162),
        user("b2", "u3", "用 reduce 重写", 163),
        entry("label", "l1", "b2", 164, targetId="u3", label="before-refactor"),
        entry("thinkingLevelChange", "n1", "u3", 165, thinkingLevel="high"),
        entry("session_info", "n2", "n1", 166, name="the sum"),
        entry("branchSummary", "n3", "n2", 167, summary="tables were tried"),
        thinking_and_calls("a4", "n3", 170),
        user("lost", "7f3a91c2dead", "and update the changelog", 171),
        line({"type": "position", "leafId": "a4"}),
        TORN,
    )
