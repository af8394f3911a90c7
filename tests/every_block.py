"""A session whose transcript has every kind of block, in wide and hostile words too."""

from __future__ import annotations

from tests.transcript_samples import Script, call, result, thinking

PIXEL = "iVBORw0KGgo" + "A" * 65_533
HOSTILE = "\x1b[31mred\x1b[0m [bold red]x[/] \u202egnp.exe \x9b2J\x07\x00 <b>html</b>"
MARKDOWN = (
    "# 解析器 Heading one\n\nA paragraph with **strong**, *emphasis*, `code`, ~~gone~~, a "
    "[link](https://example.org/a?b=c), <https://example.org>, ![alt 图](img/x.png) and a line "
    "that is much longer than the pane is wide so that it must be wrapped somewhere near here, "
    "中文也要能够在任何宽度下正确地换行而不会把一个字切成两半。\n\n## Two\n\n"
    "- one\n  - nested 二\n    1. deeper\n    2. and deeper\n- [x] done\n\n3. three\n4. four\n\n"
    "> quoted\n> > twice 引用\n>\n> ```sh\n> rm -rf build\n> ```\n\n"
    "| name | 说明 | figure |\n|:--|:-:|--:|\n| `sum` | 求和，空数组返回 0 | 1 |\n"
    "| a very long name that takes room | and an even longer explanation that has to be wrapped "
    "inside of its cell or cut, whichever is the more sensible | 12,345 |\n\n"
    "```python\n# 注释 comment\ndef sum(xs: list[int]) -> int:\n    return 0 if not xs else xs[0] "
    "+ sum(xs[1:])  # a long line of code that goes on and on until it is wider than the pane\n"
    "```\n\n---\n\n" + HOSTILE + "\n\n```js\nconst unfinished = '\x1b[2J'\n"
)
COLOURS = "stdout:\n\x1b[32m✓\x1b[0m 41 tests 通过\n" + "\n".join(
    f"line {number} of the output, {'long ' * number}" for number in range(1, 13)
)


def conversation(cwd: str = "/srv/work/demo") -> Script:
    """Return the records that form one chain; `every_block` adds what is damaged."""
    image = {"type": "image", "data": PIXEL, "mimeType": "image/png"}
    script = Script(cwd)
    script.user("before the compaction 压缩之前").answer("`old` code", call("a1", "ls", path="src"))
    script.results(result("a1", "ls", "a.ts\nb.ts"))
    script.compaction("## Summary 摘要\n\n- parsed\n- fixed", [{"role": "user", "content": "rest"}])
    script.message({"role": "user", "content": [{"type": "text", "text": "看这张图 "}, image]})
    script.answer(thinking("先看图，\n再回答。\nThen answer."), MARKDOWN, seconds=5)
    script.answer(
        call("c1", "read", path="src/解析器.ts", offset=10, limit=3),
        call("c2", "grep", pattern="\\r\\n", path="src"),
        call("c3", "bash", command="npm test -- --colour\n# second line"),
        call("c4", "bash", command="npm run lint"),
        call("c5", "write", path="docs/说明.md", content="# 说明\n\n- 一\n- two\n"),
        call(
            "c6",
            "edit",
            path="/srv/work/demo/src/sum.ts",
            edits=[
                {"oldText": "a\nlet s = 0\nb\nc", "newText": "a\nlet s = -0\nlet 总 = 1\nb\nc"},
                {"oldText": "x\n\treturn s", "newText": "x\n\treturn s + 总"},
            ],
        ),
        seconds=5,
    )
    script.results(
        result("c1", "read", "const a = 1\nconst b = '中'\nexport { a, b }"),
        result("c2", "grep", "src/lexer.ts:14:  // \\r\\n\nsrc/lexer.ts:20:  // \\r\\n"),
        result("c3", "bash", COLOURS),
        result("c4", "bash", f"stderr:\n{HOSTILE}\n3 problems\nExit code: 1"),
        result("c5", "write", "Created docs/说明.md (4 lines, 24 bytes)"),
        result("c6", "edit", "Edited sum.ts (2 edits applied):\n\n@@ line 41 @@\n@@ line 97 @@"),
        seconds=2.3,
    )
    script.user("now the rest: " + HOSTILE + "\nsecond line\nthird line\nfourth line")
    script.answer(
        call("d1", "task", agent="review", prompt="check every caller of sum()\nand report"),
        call("d2", "screenshot", url="https://example.org"),
        call("d3", "read", path="gone.ts"),
        {"type": "hologram", "payload": "未知"},
        seconds=1,
    )
    script.results(
        result("d1", "task", "18 callers, none depends on the sign of zero."),
        result("d2", "screenshot", [{"type": "text", "text": "the page"}, image]),
        result("d3", "read", "Error: ENOENT: no such file gone.ts", error=True),
        seconds=40,
    )
    script.add({"type": "thinkingLevelChange", "thinkingLevel": "high"})
    script.add({"type": "session_info", "name": "every block 每一种"})
    script.add({"type": "branchSummary", "summary": "A table was tried 试过表格.\nIt was slow."})
    script.answer("After the compaction.", stopReason="max_tokens")
    script.user("last turn 最后")
    return script


def every_block() -> bytes:
    """Return the session, with an orphan, an unreadable line, an open call and a torn tail."""
    script = conversation()
    script.results(result("nobody", "bash", "an answer to no call"))
    script.answer("Now I run it.", call("e1", "bash", command="npm test"), stopReason="tool_use")
    lines = script.data().split(b"\n")
    lines.insert(-2, b'{"type":"message", not json ' + HOSTILE.encode())
    return b"\n".join(lines) + b'{"type":"message","id":"to'
