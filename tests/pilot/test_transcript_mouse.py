"""The transcript under the mouse: wheel, clicks, the head that stays; and what each step draws."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from textual import events

from ink_tui.model.transcript import Block, TextBody, Transcript, TurnBody, UserBody
from ink_tui.model.transcript_build import build_transcript
from ink_tui.tui.widgets.transcript_canvas import MARGIN
from ink_tui.tui.widgets.transcript_view import TranscriptView
from tests.every_block import conversation
from tests.pilot.test_transcript_view import Screen, long
from tests.transcript_samples import Script, call, result

if TYPE_CHECKING:
    from textual.pilot import Pilot

SIZE = (80, 24)


async def wheel(pilot: Pilot[None], app: Screen, *, down: bool) -> None:
    """Turn the wheel one notch over the transcript."""
    kind = events.MouseScrollDown if down else events.MouseScrollUp
    await pilot._post_mouse_events([kind], TranscriptView, (20, 5))
    await pilot.pause()


def turn_at_top(app: Screen) -> str:
    """The number of the turn that the first line belongs to, by what is seen below it."""
    view = app.view
    index, _line = view._places.at_line(view.scroll_offset.y)
    heads = [block for block in view.blocks[: index + 1] if isinstance(block.body, TurnBody)]
    body = heads[-1].body
    assert isinstance(body, TurnBody)
    return f" turn {body.number} of "


@pytest.mark.parametrize("down", [True, False])
async def test_the_head_of_the_turn_is_right_at_each_line(down: bool) -> None:
    script = Script()
    for number in range(6):
        script.user(f"question {number}\n" * (1 + number % 3), seconds=1)
        script.answer("word " * (40 * number), seconds=1)
    app = Screen(script.diagnosis())
    async with app.run_test(size=(60, 8)) as pilot:
        await pilot.pause()
        if not down:
            await pilot.press("G")
        steps = 0
        for _ in range(app.view.max_scroll_y):
            app.view._scroll_lines(app.view.scroll_offset.y + (1 if down else -1))
            await pilot.pause()
            first, second = app.lines[0], app.lines[1]
            # Directly over the head of the next turn, the blank line before it may be seen.
            assert first.startswith(turn_at_top(app)) or second.startswith(" turn "), app.lines
            steps += 1
        assert steps > 30


async def test_the_wheel_scrolls_and_leaves_selection_and_focus() -> None:
    app = Screen(long(30))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home")
        selected = app.selected
        for _ in range(12):
            await wheel(pilot, app, down=True)
            assert app.lines[0].startswith(" turn ")
        assert app.view.scroll_offset.y > 10
        assert app.selected == selected
        top = app.view.scroll_offset.y
        await wheel(pilot, app, down=False)
        assert app.view.scroll_offset.y < top
        assert app.view.has_focus


async def test_a_click_on_the_head_leads_to_its_turn() -> None:
    app = Screen(long(4, 900))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("right_square_bracket", "pagedown", "pagedown")
        assert app.lines[0].startswith(" turn 2 of 4")
        assert not app.lines[2].startswith(" ┃ question 1")
        await pilot.click(TranscriptView, offset=(20, 0))
        assert app.lines[0].startswith(" turn 2 of 4")
        assert app.lines[2].startswith(" ┃ question 1")
        assert app.selected == "e3:user"


async def test_a_second_click_opens_and_a_third_folds_again() -> None:
    script = Script().user("x").answer(call("c", "bash", command="ls"))
    script.results(result("c", "bash", "\n".join(f"line {at}" for at in range(9))))
    app = Screen(script.diagnosis())
    async with app.run_test(size=SIZE) as pilot:
        row = next(y for y, line in enumerate(app.lines) if " bash  ls" in line)
        assert "6 lines above" in "\n".join(app.lines)
        await pilot.click(TranscriptView, offset=(20, row), times=2)
        assert "line 0" in "\n".join(app.lines)
        await pilot.click(TranscriptView, offset=(20, row), times=2)
        assert "6 lines above" in "\n".join(app.lines)


async def test_a_click_on_the_hint_shows_all() -> None:
    script = Script().user("x").answer(call("c", "bash", command="ls"))
    script.results(result("c", "bash", "\n".join(f"line {at}" for at in range(9))))
    app = Screen(script.diagnosis())
    async with app.run_test(size=SIZE) as pilot:
        row = next(y for y, line in enumerate(app.lines) if "6 lines above" in line)
        await pilot.click(TranscriptView, offset=(app.lines[row].index("enter"), row))
        assert "line 0" in "\n".join(app.lines)


def made(megabytes: int) -> Transcript:
    """A transcript of so many megabytes of text; equal texts are one object in memory."""
    turn, said, answer = build_transcript(
        Script().user("question").answer("word 字 " * 285).diagnosis()
    ).blocks
    assert isinstance(turn.body, TurnBody)
    assert isinstance(said.body, UserBody)
    assert isinstance(answer.body, TextBody)
    chars = len(answer.body.text)
    count = megabytes * 1_000_000 // chars
    blocks: list[Block] = []
    for at in range(count):
        body = replace(turn.body, number=at + 1)
        blocks += [replace(turn, key=f"t{at}", body=body), replace(said, key=f"u{at}")]
        blocks.append(replace(answer, key=f"a{at}"))
    return Transcript(tuple(blocks), 2 * count, count)


async def drawn_by_steps(megabytes: int) -> list[tuple[int, int]]:
    """Blocks and lines that are laid out by each of some steps, in the middle and at the end."""
    app = Screen(Script().diagnosis())
    async with app.run_test(size=SIZE) as pilot:
        view = app.view
        view.set_transcript(made(megabytes))
        view.select(view.blocks[300].key, top=True)
        await pilot.pause()
        found: list[tuple[int, int]] = []
        for step in ("down", "pagedown", "pageup", "right", "wheel", "a", "a", "w", "G", "g"):
            blocks, lines = view.laid_out_blocks, view.laid_out_lines
            if step == "wheel":
                await wheel(pilot, app, down=True)
            else:
                await pilot.press(step)
            found.append((view.laid_out_blocks - blocks, view.laid_out_lines - lines))
        return found


async def test_a_hundred_megabytes_draw_no_more_than_one() -> None:
    small, large = await drawn_by_steps(1), await drawn_by_steps(100)
    assert small == large
    assert max(lines for _, lines in large) < 4 * (SIZE[1] + 2 * MARGIN)
    assert sum(lines for _, lines in large) > SIZE[1]


async def test_jumps_reach_what_is_folded() -> None:
    app = Screen(conversation().results(result("n", "bash", "to no call")).diagnosis())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home", "a", "p")
        block = app.view.selected
        assert block is not None
        assert block.is_problem
        await pilot.press("C")
        assert any("compacted" in line for line in app.lines)
        await pilot.press("right_square_bracket")
        assert app.lines[0].startswith(" turn 2 of ")
