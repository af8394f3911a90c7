"""The other sessions of the demo: one for each state worth seeing; titles say what it is."""

# ruff: noqa: RUF001 - Chinese punctuation and typographic marks are meant
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.formats.ink.encode import encode_line
from ink_tui.store.demo.script import (
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    Script,
    child_of,
    task_result,
    text,
    thinking,
)

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Made:
    """A session and the sessions of its sub-agents."""

    script: Script
    children: tuple[Script, ...] = ()


def wide_title(cwd: str, now_ms: int) -> Made:
    """A clean session whose title mixes Chinese, an emoji and Latin."""
    script = Script("crlf", cwd, now_ms - 38 * MINUTE - 4 * MINUTE)
    script.user("给解析器加上 CRLF 支持 🚀 with tests", after=SECOND)
    script.use("grep", {"pattern": "\\r", "path": "src"}, "src/lexer.ts:14:  // 还没有处理 \\r")
    script.use(
        "bash",
        {"command": "npm test -- crlf"},
        "stdout:\ncrlf › 混合换行 ... ok\ncrlf › utf8 bom ... ok",
        thinking("先按 \\n 切开，再去掉行尾的一个 \\r。"),
        takes=3_400,
    )
    script.assistant(
        text(
            "I split on `\\n` first and strip **one** trailing `\\r`, so that a lone `\\r` inside"
            " a field survives.\n\n```ts\nconst line = raw.endsWith('\\r') ? raw.slice(0, -1) : raw"
            "\n```\n\n混合换行和 BOM 都有测试。"
        )
    )
    script.now_ms = now_ms - 38 * MINUTE
    script.user("谢谢 👍", after=0)
    script.assistant(text("不客气。"), after=2 * SECOND)
    return Made(script)


def renamed_and_fork(cwd: str, now_ms: int) -> tuple[Made, Made]:
    """A clean session and a copy that was forked from it."""
    script = Script("rename", cwd, now_ms - 3 * HOUR - 20 * MINUTE)
    path = [script.user("rename the module", after=SECOND)]
    call = script.call("bash", {"command": "git mv src/add.ts src/sum.ts"})
    path.append(script.assistant(call))
    path.append(script.results((call, "(no output)")))
    path.append(script.assistant(text("`src/add.ts` is `src/sum.ts` now.")))
    script.user("and the imports", after=2 * MINUTE)
    script.assistant(text("18 imports follow the new name."))
    extra = {"forkedFrom": {"id": script.session_id, "entry": path[-1]}}
    fork = Script("rename fork", cwd, script.now_ms + 4 * MINUTE, extra=extra)
    fork.copy_from(script, tuple(path))
    fork.wait(10 * SECOND)
    fork.name("fork: rename the module, keep the old name")
    fork.user("keep src/add.ts as a re-export")
    fork.assistant(text("`src/add.ts` re-exports `sum` as `add`."))
    return Made(script), Made(fork)


def compacted_twice(cwd: str, now_ms: int) -> Made:
    """Two compactions, three branches, two sub-agents."""
    script = Script("limits", cwd, now_ms - DAY - 5 * HOUR)
    script.user("compacted twice, three branches: rate limits per tenant", after=SECOND)
    first = _delegate(script, "read the OpenAPI spec", "The spec has one paged endpoint.")
    script.assistant(text("One endpoint is paged by cursor."), tokens=61_000)
    kept = (script.user("use a token bucket"), script.assistant(text("Bucket per tenant, in Go.")))
    script.compact("Goal: rate limits per tenant. A token bucket in Go was chosen.", kept, 118_000)
    script.user("write the bucket")
    script.use(
        "write",
        {"path": "limits/bucket.go", "content": "package limits\n"},
        "Created limits/bucket.go (1 lines, 15 bytes)",
    )
    base = script.assistant(text("The bucket is there; the clock is injected."))
    script.user("try a leaky bucket instead", after=MINUTE)
    script.assistant(text("A leaky bucket smooths bursts away; tenants want bursts."))
    script.move_to(base)
    script.user("用滑动窗口试试", after=MINUTE)
    script.assistant(text("滑动窗口需要更多内存。"))
    script.move_to(base)
    kept = (script.user("stay with the token bucket"), script.assistant(text("It stays.")))
    second = _delegate(script, "检查分页与游标", "游标在限流时也保持不变。")
    script.compact(
        "Goal: rate limits per tenant. Token bucket written, alternatives rejected.", kept, 119_500
    )
    script.user("document the limits in the README", after=HOUR)
    script.use("read", {"path": "README.md"}, "# api\n\nRate limits per tenant.\n")
    script.now_ms = now_ms - DAY - 2 * HOUR
    script.assistant(text("The README names limit and burst."), after=0)
    return Made(script, (first, second))


def _delegate(script: Script, prompt: str, answer: str) -> Script:
    call = script.call("task", {"agent": "reader", "prompt": prompt})
    script.assistant(call, tokens=30_000)
    child = child_of(script, prompt)
    child.user(prompt, after=SECOND)
    child.use("read", {"path": "openapi.yaml"}, "openapi: 3.1.0\n", tokens=1_200)
    child.assistant(text(answer))
    script.now_ms = child.now_ms + SECOND
    script.message(
        {"role": "toolResult", "results": [task_result(script, call, child, answer, turns=2)]}
    )
    return child


def unreadable_line(cwd: str, now_ms: int) -> Made:
    """A line in the middle that is not JSON: Ink refuses the file."""
    script = Script("postgres", cwd, now_ms - 4 * DAY - 3 * HOUR)
    script.user("an unreadable line: 迁移到 Postgres 16 之前先核对索引", after=SECOND)
    for table in ("tenants", "limits", "events"):
        script.use(
            "bash",
            {"command": f"psql -c '\\d {table}'"},
            f'stdout:\nIndexes:\n    "{table}_pkey" PRIMARY KEY, btree (id)',
        )
    lost = encode_line({"type": "message", "id": script.entry_id(), "parentId": script.leaf})
    script.lines.append(lost[:37] + b"\0" * 12 + b"\n")
    script.assistant(text("三张表的索引都在。"))
    script.user("and the foreign keys?", after=MINUTE)
    script.assistant(text("All of them have an index on the referencing side."))
    return Made(script)


def gap(cwd: str, now_ms: int) -> Made:
    """A call without a result, and the chat went on: no repair can close it."""
    script = Script("gap", cwd, now_ms - 6 * DAY - 2 * HOUR)
    script.user("a gap in the middle: why does the health check flap?", after=SECOND)
    script.use(
        "grep", {"pattern": "healthz", "path": "."}, "limits/bucket.go:9:// healthz is not limited"
    )
    script.assistant(script.call("bash", {"command": "curl -s localhost:8080/healthz"}))
    script.user("you stopped; go on", after=9 * MINUTE)
    script.assistant(text("The probe shares the tenant bucket. It needs a bucket of its own."))
    return Made(script)


def japanese(cwd: str, now_ms: int) -> Made:
    """A clean session in a folder with a Japanese name."""
    script = Script("japanese", cwd, now_ms - 9 * DAY - 3 * HOUR)
    script.user("READMEを書き直す", after=SECOND)
    script.use("read", {"path": "README.md"}, "# 日本語プロジェクト\n")
    script.assistant(text("使い方を別のファイルに分けました。"))
    return Made(script)


def newer_version(cwd: str, now_ms: int) -> Made:
    """A header of a version that does not exist yet, and a record of an unknown kind."""
    script = Script("newer", cwd, now_ms - 12 * DAY - 3 * HOUR, version=2)
    script.user("written by a newer Ink, version 2", after=SECOND)
    script.entry("checkpoint", {"tree": "9c1f"})
    script.assistant(text("The checkpoint above is of a kind that does not exist yet."))
    return Made(script)


def missing_folder(cwd: str, now_ms: int) -> Made:
    """A clean session whose working folder no longer exists."""
    script = Script("website", cwd, now_ms - 20 * DAY)
    script.user("the folder is gone: move the website to static pages", after=SECOND)
    script.use("ls", {"path": "."}, "index.php\nstyle.css")
    script.assistant(text("Two pages, no forms: static files are enough."))
    return Made(script)


def empty(cwd: str, now_ms: int) -> Made:
    """A session without a message: hidden until the user asks for it."""
    script = Script("empty", cwd, now_ms - 2 * HOUR)
    script.wait(SECOND)
    script.entry("thinkingLevelChange", {"thinkingLevel": "high"})
    return Made(script)


IN_API: tuple[Callable[[str, int], Made], ...] = (compacted_twice, unreadable_line, gap)
IN_JAPANESE: tuple[Callable[[str, int], Made], ...] = (japanese, newer_version)
