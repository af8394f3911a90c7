"""Changes and arguments of calls as lines: highlighted, wrapped or cut, never left out unsaid."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ink_tui.model.transcript import Block, ToolBody
from ink_tui.model.transcript_build import build_transcript
from ink_tui.tui.render.change_rows import CHANGE_PREVIEW, CHANGE_WHOLE
from ink_tui.tui.render.rows import Ground, Role
from ink_tui.tui.render.transcript_look import Depth, Fold, Look
from ink_tui.tui.render.transcript_rows import lay_out_block
from tests.transcript_samples import Script, call, result

if TYPE_CHECKING:
    from ink_tui.tui.render.lines import Line

LOOK = Look(60, cwd="/srv/work/demo")
PREVIEW, WHOLE, HEAD = Fold(Depth.PREVIEW), Fold(Depth.WHOLE), Fold(Depth.HEAD)


def block_of(tool: str, answer: str | None, **arguments: object) -> Block:
    script = Script().user("x").answer(call("c", tool, **arguments))
    if answer is not None:
        script.results(result("c", tool, answer))
    blocks = build_transcript(script.diagnosis()).blocks
    return next(block for block in blocks if isinstance(block.body, ToolBody))


def texts(lines: tuple[Line, ...]) -> list[str]:
    return ["".join(piece.text for piece in line.pieces).rstrip() for line in lines]


def edit(old: str, new: str, path: str = "a.py") -> Block:
    answer = "Edited (1 edit(s) applied):\n\n@@ line 7 @@"
    return block_of("edit", answer, path=path, edits=[{"oldText": old, "newText": new}])


def test_both_sides_are_highlighted_apart() -> None:
    # The old side opens a string that the new side does not have.
    block = edit('x = """\nreturn 1', "x = 0\nreturn 1")
    lines = lay_out_block(block, PREVIEW, LOOK)
    assert texts(lines)[1:] == ['     7 −  x = """', "     7 +  x = 0", "     8    return 1"]
    assert [line.ground for line in lines[1:]] == [Ground.REMOVED, Ground.ADDED, Ground.PLAIN]
    words = {piece.text.strip(): piece.role for piece in lines[3].pieces}
    assert words["return"] is Role.ACCENT


def test_long_lines_go_on_or_are_cut() -> None:
    block = edit("a", "b" * 70)
    wrapped = lay_out_block(block, PREVIEW, LOOK)
    assert [line.ground for line in wrapped[2:]] == [Ground.ADDED, Ground.ADDED]
    assert texts(wrapped)[3].strip() == "b" * (70 - 49)
    cut = lay_out_block(block, PREVIEW, replace(LOOK, wrap=False))
    assert len(cut) == 3
    assert texts(cut)[2].endswith("…")


def test_what_is_left_out_is_counted() -> None:
    content = "".join(f"line {at}\n" for at in range(500))
    block = block_of("write", "Created", path="a.txt", content=content)
    preview = texts(lay_out_block(block, PREVIEW, LOOK))
    assert len(preview) == CHANGE_PREVIEW + 2
    assert f"{500 - CHANGE_PREVIEW} more lines" in preview[-1]
    whole = texts(lay_out_block(block, WHOLE, LOOK))
    assert f"{500 - CHANGE_WHOLE} more lines" in whole[CHANGE_WHOLE + 1]


def test_arguments_that_the_head_does_not_show() -> None:
    block = block_of(
        "mcp_find", "ok", query="one", flags=["a", "b"], deep={"x": 1}, on=True, n=None
    )
    assert texts(lay_out_block(block, WHOLE, LOOK))[1:-1] == [
        "      flags  a, b",
        "      deep  {x}",
        "      on  true",
        "      n  null",
    ]
    assert len(lay_out_block(block, PREVIEW, LOOK)) == 2


def test_a_prompt_and_a_command_of_many_lines() -> None:
    task = block_of("task", "done", agent="review", prompt="look\nwell 中")
    found = texts(lay_out_block(task, WHOLE, LOOK))
    assert found[1:4] == ["      agent  review", "      prompt  look", "              well 中"]
    bash = block_of("bash", "ok", command="a\n\tb", timeout=5)
    found = texts(lay_out_block(bash, WHOLE, LOOK))
    assert found[1:4] == ["      a", "          b", "      timeout  5"]


def test_hostile_arguments_are_only_text() -> None:
    block = block_of("mcp", None, **{"\x1b[2J": "[red]\u202e", "k" * 80: "\x1b]0;x\x07\ny"})
    lines = texts(lay_out_block(block, WHOLE, LOOK))
    assert lines[1:3] == [f"      {'k' * 19}…  ␛]0;x␇", " " * 28 + "y"]
    assert "[red]<U+202E>" in lines[0]


def test_the_size_of_an_output_stands_beside_its_folded_call() -> None:
    block = block_of("bash", "a\nb\nc\nd\n", command="ls")
    assert "4 lines" in texts(lay_out_block(block, HEAD, LOOK))[0]
    assert "4 lines" in texts(lay_out_block(block, WHOLE, LOOK))[0]
    preview = texts(lay_out_block(block, PREVIEW, LOOK))
    assert "lines" not in preview[0]
    assert "1 line above" in preview[1]
