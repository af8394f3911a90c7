"""Blocks as lines: heads, folds, outputs, differences, damage, at every width."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.text import one_line
from ink_tui.model.transcript import Block, ToolBody, as_live
from ink_tui.model.transcript_build import build_transcript
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.render.output_rows import last_lines, line_count
from ink_tui.tui.render.rows import Ground, Role, line_width
from ink_tui.tui.render.transcript_look import PART_CHARS, Depth, Fold, Look, next_fold
from ink_tui.tui.render.transcript_rows import (
    block_parts,
    estimated_height,
    lay_out_block,
    usual_fold,
)
from tests.transcript_samples import (
    CASES,
    Script,
    call,
    case,
    diagnosed,
    result,
    thinking,
)

if TYPE_CHECKING:
    from ink_tui.tui.render.lines import Line

NOON = datetime(2026, 3, 2, 12, 4, tzinfo=UTC)


def look(cells: int = 78, glyphs: Glyphs = UNICODE) -> Look:
    return Look(cells, glyphs, NOON, UTC, cwd="/srv/work/demo")


def drawn(lines: tuple[Line, ...]) -> list[str]:
    return ["".join(piece.text for piece in line.pieces).rstrip() for line in lines]


def usual(block: Block, cells: int = 78, glyphs: Glyphs = UNICODE) -> list[str]:
    return drawn(lay_out_block(block, usual_fold(block), look(cells, glyphs)))


def blocks_of(script: Script) -> tuple[Block, ...]:
    return build_transcript(script.diagnosis()).blocks


def tool_block(script: Script) -> Block:
    return next(block for block in blocks_of(script) if isinstance(block.body, ToolBody))


def ran(tool: str, content: str, *, error: bool = False, **arguments: object) -> Block:
    script = Script().user("go").answer(call("c", tool, **arguments))
    return tool_block(script.results(result("c", tool, content, error=error), seconds=8.2))


def test_a_turn_head_is_a_band_with_number_title_time_and_duration() -> None:
    block = blocks_of(Script().user("what about -0?").answer("ok", seconds=192))[0]
    (line,) = lay_out_block(block, usual_fold(block), replace(look(), turns=12))
    assert line.ground is Ground.BAND
    (text,) = drawn((line,))
    assert text.startswith(" turn 1 of 12  what about -0?")
    assert text.endswith("08:01 · 3m 12s")


def test_the_user_has_a_rail_and_a_label() -> None:
    script = Script().user("first line\nsecond")
    script.add({"type": "label", "targetId": "e1", "label": "before-refactor"})
    shown = usual(blocks_of(script)[1])
    assert shown[0].startswith(" ┃ first line")
    assert shown[0].endswith("#before-refactor")
    assert shown[1] == " ┃ second"


def test_thinking_is_one_row_until_it_is_unfolded() -> None:
    block = blocks_of(Script().user("x").answer(thinking("Math.sign keeps it\nso")))[2]
    (row,) = usual(block)
    assert row.startswith(" ▸ thinking  Math.sign keeps it")
    assert row.endswith("2 lines")
    opened = drawn(lay_out_block(block, Fold(Depth.WHOLE), look()))
    assert opened[1:] == ["   Math.sign keeps it", "   so"]


def test_a_long_output_keeps_its_last_three_lines() -> None:
    block = ran("bash", "\n".join(f"line {n}" for n in range(412)), command="npm test")
    shown = usual(block)
    assert shown[0].startswith(" ▾ bash  npm test")
    assert shown[0].endswith("✓ 8.2 s")
    assert shown[1].strip() == "409 lines above   enter show all"
    assert [text.strip() for text in shown[2:]] == ["line 409", "line 410", "line 411"]


def test_a_failure_opens_by_itself() -> None:
    block = ran("bash", "\n".join("abcdefgh") + "\nExit code: 1\n", command="npm test")
    shown = usual(block)
    assert "exit 1" in shown[0]
    assert shown[0].endswith("✗ 8.2 s")
    assert len(shown) == 10


def test_what_only_looks_is_one_row_with_a_figure() -> None:
    (row,) = usual(ran("read", "a\nb\nc", path="/srv/work/demo/src/sum.ts"))
    assert row.startswith(" ▸ read  src/sum.ts")
    assert "3 lines  ✓" in row


def test_an_edit_is_a_difference_with_numbers_signs_and_grounds() -> None:
    edits = [{"oldText": "a\nold", "newText": "a\nnew 1\nnew 2"}]
    block = ran(
        "edit", "Edited s.ts (1 edit(s) applied):\n@@ line 11 @@\n", path="s.ts", edits=edits
    )
    lines = lay_out_block(block, usual_fold(block), look())
    assert "+2 −1" in drawn(lines)[0]
    under = zip(drawn(lines)[1:], lines[1:], strict=True)
    assert [(text.split(), line.ground) for text, line in under] == [
        (["11", "a"], Ground.PLAIN),
        (["12", "−", "old"], Ground.REMOVED),
        (["12", "+", "new", "1"], Ground.ADDED),
        (["13", "+", "new", "2"], Ground.ADDED),
    ]


def test_an_open_call_is_loud_and_in_words() -> None:
    block = tool_block(
        Script().user("x").answer(call("c", "edit", path="s", oldText="", newText="n"))
    )
    (row,) = usual(block)
    assert row.startswith(" ! edit  s  +1 −0")
    assert row.endswith("no result saved; may have run")
    assert usual(block, 50)[0].endswith("no result saved")
    line = lay_out_block(block, usual_fold(block), look())[0]
    assert any(p.role is Role.WARNING and "no result" in p.text for p in line.pieces)


def test_a_running_call_and_a_tail_being_written_say_so() -> None:
    *_, call_block, tail = as_live(build_transcript(case("48-"))).blocks
    (row,) = usual(call_block)
    assert row.startswith(" ◉ bash  df -h")
    assert row.endswith("running")
    assert usual(tail)[0].startswith(" ◉ being written")


def test_a_result_that_proves_nothing_says_so() -> None:
    block = ran("bash", "(force quit before this tool ran)", error=True, command="make")
    assert usual(block)[0].endswith("? outcome unknown; may have run")


def test_a_compaction_is_a_band_with_figures() -> None:
    script = Script().user("x").compaction("Goal: y", [{"role": "user", "content": "k"}])
    block = blocks_of(script)[-1]
    line = lay_out_block(block, usual_fold(block), look())[0]
    assert line.ground is Ground.BAND
    assert "compacted  118k → ~2 tokens, 1 message kept ╌╌╌" in drawn((line,))[0]
    assert drawn(lay_out_block(block, Fold(Depth.WHOLE), look()))[1] == "   Goal: y"


def test_what_stands_above_a_compaction_is_dim() -> None:
    script = Script().user("old words").compaction("s", []).user("new")
    block = blocks_of(script)[1]
    roles = {
        p.role
        for ln in lay_out_block(block, usual_fold(block), look())
        for p in ln.pieces
        if p.text.strip()
    }
    assert roles == {Role.DIM}


def test_images_are_named_never_drawn() -> None:
    content = [
        {"type": "text", "text": "chart"},
        {"type": "image", "mimeType": "image/png", "data": "x" * 300_000},
    ]
    script = Script().user("x").answer(call("c", "read", path="c.png"))
    block = tool_block(
        script.results(
            {"toolCallId": "c", "toolName": "read", "content": content, "isError": False}
        )
    )
    assert "image · image/png · about 225,000 bytes" in usual(block)[-1]


def test_a_line_of_millions_is_shown_in_parts_and_never_as_a_whole() -> None:
    block = ran("bash", "0123456789" * 1_200_000, command="git diff")
    shown = usual(block)
    assert "12,000,000 characters" in shown[1]
    assert len(shown) == 3
    fold = usual_fold(block)
    for part in range(3):
        fold = next_fold(fold, block_parts(block), usual_fold(block).depth)
        assert fold == Fold(Depth.WHOLE, part)
        lines = lay_out_block(block, fold, look())
        assert len(lines) < PART_CHARS // 60 + 5
        assert f"part {part + 1} of 750, 12,000,000 characters in all" in drawn(lines)[-1]
    last = Fold(Depth.WHOLE, block_parts(block) - 1)
    assert next_fold(last, block_parts(block), Depth.PREVIEW) == Fold(Depth.PREVIEW)


@pytest.mark.parametrize("cells", [10, 24, 60, 78, 118])
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_every_line_of_every_case_has_the_width_of_the_pane(cells: int, glyphs: Glyphs) -> None:
    for path in sorted(CASES.glob("*/session.jsonl")):
        for block in build_transcript(diagnosed(path.read_bytes())).blocks:
            for depth in Depth:
                for line in lay_out_block(block, Fold(depth), look(cells, glyphs)):
                    assert line_width(line.pieces) == cells, (path.parent.name, block.key)
                    text = "".join(piece.text for piece in line.pieces)
                    assert one_line(text) == text


def test_own_words_are_ascii_in_ascii_mode() -> None:
    for name in ("01-", "24-", "40-", "43-", "49-"):
        for block in build_transcript(case(name)).blocks:
            assert all(text.isascii() for text in usual(block, glyphs=ASCII))


@pytest.mark.parametrize("name", ["18-", "19-", "74-", "78-", "79-"])
def test_foreign_text_is_shown_literally(name: str) -> None:
    import json

    expected = json.loads(next(CASES.glob(f"{name}*/expected.json")).read_text("utf-8"))
    shown = "\n".join(
        text
        for block in build_transcript(case(name)).blocks
        for text in drawn(lay_out_block(block, Fold(Depth.WHOLE), look(200)))
    )
    for wanted in expected.get("render", {}).get("must_contain", []):
        assert wanted in shown
    for refused in expected.get("render", {}).get("must_not_emit", []):
        assert refused.encode().decode("unicode_escape") not in shown


def test_an_estimate_is_near_for_what_is_usual() -> None:
    for block in build_transcript(case("40-")).blocks:
        height = len(lay_out_block(block, usual_fold(block), look()))
        assert abs(estimated_height(block, usual_fold(block), 78) - height) <= 1


def test_last_lines() -> None:
    assert last_lines("a\nb\nc\n", 2) == (["b", "c"], 1)
    assert last_lines("a", 3) == (["a"], 0)
    assert last_lines("", 3) == ([], 0)
    assert (line_count(""), line_count("a"), line_count("a\n"), line_count("a\nb")) == (0, 1, 1, 2)
