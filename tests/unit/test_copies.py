"""What of a block can be copied, and the code in a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ink_tui.model.code_blocks import CodeBlock, code_blocks
from ink_tui.model.copies import Copyable, copies_of
from ink_tui.model.transcript_build import build_transcript
from tests.transcript_samples import Script, call, result, thinking

if TYPE_CHECKING:
    from ink_tui.model.transcript import Block


def blocks_of(script: Script) -> dict[str, Block]:
    """The blocks of a session by the name of their body; the last of each."""
    blocks = build_transcript(script.diagnosis()).blocks
    return {type(block.body).__name__: block for block in blocks}


def ids(found: tuple[Copyable, ...]) -> list[str]:
    return [each.id for each in found]


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("no code `here`", []),
        ("```py title\nx = 1\n\n  y\n```\nafter", [("py", "x = 1\n\n  y")]),
        ("~~~~\n~~~\n```\n~~~~", [("", "~~~\n```")]),
        ("- item\n  ```js\n  a\n    b\n  ```\n", [("js", "a\n  b")]),
        ("1. ```\n   k\n   ```", [("", "k")]),
        ("> ```\n> quoted\n> ```\n", [("", "quoted")]),
        ("```\nnot finished\n", [("", "not finished\n")]),
        ("``` `not` a fence", []),
        ("```\n```", [("", "")]),
        ("```\nshorter than\nthe ``` fence", [("", "shorter than\nthe ``` fence")]),
        ("```a\n```b\n```", [("a", "```b")]),
        ("```\n全角　空格\n```", [("", "全角　空格")]),
    ],
)
def test_code_blocks(text: str, blocks: list[tuple[str, str]]) -> None:
    assert code_blocks(text) == tuple(CodeBlock(*each) for each in blocks)


def test_a_message_alone() -> None:
    found = copies_of(blocks_of(Script().user("one\ntwo\n"))["UserBody"])
    assert [(each.id, each.text, each.lines) for each in found] == [("message", "one\ntwo\n", 2)]
    assert found[0].words == "one"


def test_code_and_files_of_a_message() -> None:
    one = blocks_of(Script().user("q").answer("see\n```\na\n```"))["TextBody"]
    assert ids(copies_of(one, ["src/a.py"])) == ["message", "code", "paths"]
    assert copies_of(one, ["src/a.py", "b"])[2].text == "src/a.py\nb"
    text = "\n".join(f"```\n{at}\n```" for at in range(4))
    many = copies_of(blocks_of(Script().user("q").answer(text))["TextBody"])
    assert ids(many) == ["message", "code"]
    assert many[1].text == "0\n\n1\n\n2\n\n3"
    assert ids(many[1].parts) == ["code-1", "code-2", "code-3", "code-4"]


def test_a_file_that_the_call_names_is_offered_once() -> None:
    script = Script().user("q").answer(call("c", "read", path="a.py"))
    found = copies_of(blocks_of(script)["ToolBody"], ["a.py"])
    assert ids(found) == ["path"]


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("bash", {"command": "ls\npwd"}, [("command", "ls\npwd")]),
        ("write", {"path": "a", "content": "x\n"}, [("path", "a"), ("content", "x\n")]),
        ("grep", {"pattern": "x", "path": "src"}, [("path", "src"), ("pattern", "x")]),
        ("task", {"agent": "r", "prompt": "look\nwell"}, [("prompt", "look\nwell")]),
        ("mcp", {"url": "x:y"}, [("argument", "x:y")]),
        ("mcp", {"number": 3}, []),
    ],
)
def test_what_a_call_asks_for(
    tool: str, arguments: dict[str, object], expected: list[tuple[str, str]]
) -> None:
    script = Script().user("q").answer(call("c", tool, **arguments))
    found = copies_of(blocks_of(script)["ToolBody"])
    assert [(each.id, each.text) for each in found] == expected


def test_a_failure_offers_its_result_first_and_no_colours() -> None:
    script = Script().user("q").answer(call("c", "bash", command="false"))
    script.results(result("c", "bash", "\x1b[31mno\x1b[0m\nExit code: 1"))
    found = copies_of(blocks_of(script)["ToolBody"])
    assert [(each.id, each.text) for each in found] == [
        ("result", "no\nExit code: 1"),
        ("command", "false"),
    ]


def test_thinking_and_summaries() -> None:
    script = Script().user("q").answer(thinking("hm\nso"), "a")
    script.compaction("what was said", [])
    found = blocks_of(script)
    assert copies_of(found["ThinkingBody"])[0].text == "hm\nso"
    assert copies_of(found["CompactionBody"])[0].text == "what was said"
    assert ids(copies_of(found["TurnBody"])) == ["message"]
