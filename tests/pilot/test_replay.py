"""A replay on a mounted screen, played by hand: no clock, no process, no file."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from textual import on
from textual.app import App, ComposeResult
from textual.events import MouseScrollDown, MouseScrollUp

from ink_tui.model.transcript import as_live
from ink_tui.model.transcript_build import build_transcript
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.render.timeline import Timeline, bar_place
from ink_tui.tui.render.transcript_look import Fold, Look
from ink_tui.tui.render.transcript_rows import estimated_height
from ink_tui.tui.themes import register_themes
from ink_tui.tui.widgets import transcript_canvas
from ink_tui.tui.widgets.replay_bar import ReplayBar
from ink_tui.tui.widgets.transcript_canvas import MARGIN
from ink_tui.tui.widgets.transcript_pane import TranscriptPane
from ink_tui.tui.widgets.transcript_view import TranscriptView
from tests.transcript_samples import Script, call, result

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.pilot import Pilot

    from ink_tui.model.transcript import Block

NOON = datetime(2026, 3, 2, 12, 4, tzinfo=UTC)


@dataclass
class Call:
    seconds: float
    run: Callable[[], None]
    stopped: bool = False

    def stop(self) -> None:
        self.stopped = True


@dataclass
class Timer:
    """Remembers what is to be called; a test says when."""

    calls: list[Call] = field(default_factory=list)

    def __call__(self, seconds: float, run: Callable[[], None]) -> Call:
        self.calls.append(Call(seconds, run))
        return self.calls[-1]

    @property
    def waiting(self) -> list[Call]:
        return [each for each in self.calls if not each.stopped]

    def fire(self) -> float:
        (due,) = self.waiting
        due.stopped = True
        due.run()
        return due.seconds


def script() -> Script:
    found = Script().user("first question").answer("first answer", seconds=0.5)
    found.user("second question", seconds=2_280).answer(
        call("c", "bash", command="npm test"), seconds=1
    )
    found.results(result("c", "bash", "boom\nExit code: 1\n"), seconds=1.5)
    return found.answer("last answer", seconds=0.5)


class Screen(App[None]):
    def __init__(self, given: Script, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self.timer = Timer()
        self.pane = TranscriptPane(now=lambda: NOON, zone=UTC, glyphs=glyphs, later=self.timer)
        self.given = given
        self.told: list[str] = []

    def compose(self) -> ComposeResult:
        yield self.pane

    def on_mount(self) -> None:
        register_themes(self)
        self.theme = "ink"
        self.give(self.given)
        self.pane.view.focus()

    def give(self, given: Script) -> None:
        """Show a session, or more of it."""
        self.pane.set_source(given.diagnosis())
        self.pane.set_transcript(build_transcript(given.diagnosis()))

    @on(TranscriptPane.Told)
    def note(self, message: TranscriptPane.Told) -> None:
        self.told.append(message.sentence)

    @property
    def text(self) -> str:
        view = self.pane.view
        return "\n".join(view.render_line(y).text for y in range(view.size.height))

    @property
    def bar(self) -> list[str]:
        return [self.pane.bar.render_line(y).text for y in range(self.pane.bar.size.height)]

    @property
    def position(self) -> int:
        assert self.pane.playback is not None
        return self.pane.playback.position


async def test_records_come_one_by_one_in_their_rhythm() -> None:
    app = Screen(script())
    async with app.run_test(size=(80, 24)) as pilot:
        assert not app.pane.bar.display
        await pilot.press("space")
        assert app.position == 1
        assert "first question" in app.text
        assert "first answer" not in app.text
        assert app.timer.fire() == 0.5
        assert "first answer" in app.text
        assert app.timer.fire() == 2.0
        assert app.timer.fire() == 1.0
        assert "npm test" in app.text
        assert "boom" not in app.text
        assert app.timer.fire() == 1.5
        assert "boom" in app.text
        app.timer.fire()
        assert app.position == 6
        assert not app.timer.waiting


async def test_keys_pause_step_jump_and_change_speed() -> None:
    app = Screen(script())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space", "space")
        assert not app.timer.waiting
        await pilot.press("right", "right")
        assert app.position == 3
        await pilot.press("left")
        assert app.position == 2
        await pilot.press("right_square_bracket")
        assert app.position == 3
        await pilot.press("p")
        assert app.position == 5
        await pilot.press("left_square_bracket")
        assert app.position == 3
        await pilot.press("0", "space", "plus", "plus")
        assert app.position == 1
        assert app.timer.waiting[0].seconds == 0.5 / 4
        await pilot.press("minus", "minus", "minus")
        assert app.timer.waiting[0].seconds == 0.5 / 0.5
        await pilot.press("dollar_sign")
        assert app.position == 6


async def test_stopping_shows_everything_and_keeps_what_was_reached() -> None:
    app = Screen(script())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space", "right", "escape")
        assert app.pane.playback is None
        assert not app.pane.bar.display
        assert not app.timer.waiting
        assert "last answer" in app.text
        assert app.pane.view.selected is not None
        assert app.pane.view.selected.key == "e2:0"
        await pilot.press("right")
        assert app.pane.view.selected.key != "e2:0"


async def test_the_end_follows_what_is_appended() -> None:
    app = Screen(script())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space", "dollar_sign")
        app.pane.set_transcript(build_transcript(script().user("one more").diagnosis()))
        await pilot.pause()
        assert app.position == 7
        assert "one more" in app.text
        await pilot.press("left")
        app.pane.set_transcript(build_transcript(script().user("one").user("two").diagnosis()))
        await pilot.pause()
        assert app.position == 6
        assert "two" not in app.text


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 20)])
async def test_the_bar_has_hair_marks_time_place_and_speed(size: tuple[int, int]) -> None:
    app = Screen(script())
    async with app.run_test(size=size) as pilot:
        await pilot.press("space", "plus", "right", "right", "space")
        await pilot.pause()
        hair, marks, bar = app.bar
        assert all(len(row) == size[0] for row in app.bar)
        assert hair.startswith(" ───")
        assert hair.rstrip().endswith(" ╷ 2 turns  · 1 call  ✗ 1 failed ───")
        assert marks.count("╷") == 2
        assert "✗" in marks
        assert "38m" in marks
        assert bar.startswith(" ▪ 08:39")
        assert bar.rstrip().endswith("3/6    2×")
        await pilot.click(ReplayBar, offset=(bar.index("●") + 1, 2))
        assert app.position in (3, 4)


def at(app: Screen, position: int) -> tuple[int, int]:
    """Return where a position stands on the bar."""
    start, room = bar_place(app.pane.bar.shown, Look(app.pane.bar.size.width))
    return start + round((position - 1) * (room - 1) / 5), 2


@pytest.mark.parametrize("playing", [True, False])
async def test_dragging_goes_where_the_pointer_is_and_holds_what_plays(playing: bool) -> None:
    app = Screen(script())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space", *(() if playing else ("space",)))
        await pilot.mouse_down(ReplayBar, offset=at(app, 3))
        await pilot.pause()
        assert app.position == 3
        for wanted in (4, 5, 2, 1, 6):
            await pilot.hover(ReplayBar, offset=at(app, wanted))
            await pilot.pause()
            assert app.position == wanted
            assert not app.timer.waiting
        await pilot.hover(TranscriptView, offset=(1, 3))
        await pilot.pause()
        assert app.position == 1, "above and left of the bar it is dragged on to its start"
        assert "first answer" not in app.text
        await pilot.mouse_up(TranscriptView, offset=(1, 3))
        await pilot.pause()
        assert app.position == 1
        assert len(app.timer.waiting) == int(playing)
        await pilot.hover(ReplayBar, offset=at(app, 5))
        await pilot.pause()
        assert app.position == 1, "the button is up"


async def test_a_drag_draws_no_more_often_than_the_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = Screen(script())
    drawn: list[int] = []

    def show(bar: ReplayBar, shown: Timeline) -> None:
        drawn.append(shown.playback.position)
        draw(bar, shown)

    draw = ReplayBar.show
    monkeypatch.setattr(ReplayBar, "show", show)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space", "space")
        drawn.clear()
        for position in (2, 3, 4, 5, 6, 5, 4, 3):
            app.pane.bar.post_message(ReplayBar.Sought(position, held=True))
        await pilot.pause()
        await pilot.pause()
        assert drawn[-1] == 3
        assert len(drawn) <= 2


async def test_the_wheel_over_the_bar_goes_from_record_to_record() -> None:
    app = Screen(script())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space", "space")
        for wanted in (2, 3):
            await pilot._post_mouse_events([MouseScrollDown], ReplayBar, offset=at(app, 5))
            await pilot.pause()
            assert app.position == wanted
        for wanted in (2, 1, 1):
            await pilot._post_mouse_events([MouseScrollUp], ReplayBar, offset=at(app, 5))
            await pilot.pause()
            assert app.position == wanted


async def test_what_is_under_the_pointer_is_said_at_the_pointer() -> None:
    app = Screen(script())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space", "space")
        await pilot.hover(ReplayBar, offset=at(app, 5))
        await pilot.pause()
        assert " 08:39 · record 5 · failed " in app.bar[0]
        await pilot.hover(ReplayBar, offset=at(app, 3))
        await pilot.pause()
        assert " 08:39 · record 3 · turn · 38m after the one before " in app.bar[0]
        assert app.position == 1
        await pilot.hover(TranscriptView, offset=(1, 3))
        await pilot.pause()
        assert "2 turns" in app.bar[0]


async def test_a_gap_that_is_waited_for_is_said_beside_the_time() -> None:
    app = Screen(script())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space", "right")
        assert app.bar[2].startswith(" ► 08:01 +38m")
        await pilot.press("space")
        assert "+38m" not in app.bar[2], "nothing is waited for"
    app = Screen(script())
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("space", "right")
        assert app.bar[2].startswith(" ► 08:01 +38m")


async def test_a_jump_to_what_is_not_there_is_answered() -> None:
    app = Screen(script())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space", "space", "c", "left_square_bracket", "P")
        await pilot.press("dollar_sign", "right_square_bracket", "p")
        await pilot.pause()
        assert app.told == [
            "There is no compaction.",
            "There is no user turn before this record.",
            "There is no problem before this record.",
            "There is no user turn after this record.",
            "There is no problem after this record.",
        ]
        assert app.position == 6


async def test_home_and_end_are_the_ends_of_the_replay() -> None:
    app = Screen(script())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space", "space", "end")
        assert app.pane.playback is not None
        assert (app.position, app.pane.playback.following) == (6, True)
        await pilot.press("home")
        assert (app.position, app.pane.playback.following) == (1, False)
        await pilot.press("G", "g")
        assert app.position == 1


async def test_a_low_screen_has_no_row_of_marks_and_ascii_is_ascii() -> None:
    app = Screen(script(), ASCII)
    async with app.run_test(size=(60, 14)) as pilot:
        await pilot.press("space")
        await pilot.pause()
        assert len(app.bar) == 2
        assert all(row.isascii() for row in app.bar)
        assert app.bar[1].startswith(" > ")


PROGRAM = """
import asyncio, sys
sys.path.insert(0, {root!r})
from tests.pilot.test_replay import Screen, script

async def main():
    app = Screen(script())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space")
        while app.timer.waiting:  # once through, so that everything lazy is loaded
            app.timer.fire()
        await pilot.press("0")
        await pilot.pause()
        seen = []
        forbidden = ("open", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.system",
                     "os.spawn", "socket.", "os.remove", "os.rename", "os.mkdir", "pty.")
        watching = [True]
        def hook(event, arguments):
            if watching[0] and event.startswith(forbidden):
                seen.append((event, str(arguments[:1])))
        sys.addaudithook(hook)
        while app.timer.waiting:
            app.timer.fire()
            await pilot.pause()
        await pilot.press("left", "0", "dollar_sign", "escape")
        watching[0] = False
        print(seen)
        if {control}:
            watching[0] = True
            open("/dev/null").close()
            watching[0] = False
            print(len(seen))
asyncio.run(main())
"""


def test_a_replay_starts_no_process_and_opens_no_file() -> None:
    root = str(Path(__file__).parents[2])
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(root=root, control=True)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    seen, control = ran.stdout.split("\n")[:2]
    assert seen == "[]"
    assert control == "1", "the hook itself must be able to see something"


def compacted() -> Script:
    """Return a session with two compactions, the first of which kept a message."""
    figures = {"inputTokens": 21_000, "outputTokens": 400}
    found = Script().user("old question").answer("old answer", usage=figures)
    found.user("and now some more words")
    kept = {"role": "user", "content": "kept words"}
    found.compaction("what was done before", [kept])
    return found.user("new question").answer("new answer").compaction("all of it", [])


async def seen(app: Screen, pilot: Pilot[None]) -> None:
    """Wait until it is known what the model saw."""
    await app.workers.wait_for_complete()
    await pilot.pause()


async def test_as_the_model_saw_it_follows_the_context_forwards_and_backwards() -> None:
    app = Screen(compacted())
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press("space", "space", "v")
        await seen(app, pilot)
        assert "as the model saw it" in app.bar[0]
        assert "~3 of 131k" in app.bar[2]
        await pilot.press("right", "right")
        assert "old answer" in app.text
        assert "~21.4k of 131k" not in app.bar[2], "the provider has measured it"
        assert "21.4k of 131k" in app.bar[2]
        await pilot.press("right")
        assert "old answer" not in app.text
        assert "3 earlier records summarised away" in app.text
        assert "what was done before" in app.text, "the summary is what the model saw"
        assert "1 message, copied word for word" in app.text
        assert "kept words" in app.text
        assert "~8 of 131k" in app.bar[2]
        await pilot.press("right", "right")
        assert "new answer" in app.text
        await pilot.press("right")
        assert "kept words" not in app.text
        assert "all of it" in app.text
        await pilot.press("c", "C")
        assert app.position == 4
        assert "kept words" in app.text
        await pilot.press("v")
        assert "old answer" in app.text
        assert "131k" not in app.bar[2]
        assert "as the model saw it" not in app.bar[0]


async def test_blocks_look_as_the_model_saw_them() -> None:
    """Before the compaction nothing is grey, although all of it stands above one in the end."""
    app = Screen(compacted())
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press("space", "space", "right")
        grey = [block.dim for block in app.pane.view.blocks]
        assert all(grey)
        await pilot.press("v")
        await seen(app, pilot)
        assert not any(block.dim for block in app.pane.view.blocks)


async def test_the_mode_ends_with_the_replay_and_follows_what_is_appended() -> None:
    app = Screen(compacted())
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press("space", "v", "dollar_sign")
        await seen(app, pilot)
        assert "7/7" in app.bar[2]
        app.give(compacted().user("one more"))
        await seen(app, pilot)
        assert "8/8" in app.bar[2]
        assert "one more" in app.text
        assert "7 earlier records" not in app.text
        assert "6 earlier records summarised away" in app.text
        await pilot.press("escape")
        assert "old answer" in app.text
        await pilot.press("space")
        assert "as the model saw it" not in app.bar[0]


async def test_where_there_is_no_context_it_says_why() -> None:
    broken = Script().user("old").answer("old answer")
    broken.add({"type": "compaction", "summary": "sum", "tokensBefore": 9}).user("next")
    app = Screen(broken)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press("space", "dollar_sign", "v")
        await seen(app, pilot)
        assert "as the model saw it: no context, the kept messages are missing" in app.bar[0]
        assert "the messages that were kept are missing: the agent fails here" in app.text
        assert "131k" not in app.bar[2]


async def test_a_running_call_is_timed_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    running = Script().user("go").answer(call("c", "bash", command="make"))
    app = Screen(running)
    async with app.run_test(size=(100, 24)) as pilot:
        app.pane.set_transcript(as_live(build_transcript(running.diagnosis())))
        await pilot.press("space", "dollar_sign")
        assert app.bar[2].startswith(" ◉ running 4h 02m")
        monkeypatch.setattr(app.pane.bar, "_now", lambda: NOON + timedelta(minutes=1))
        app.pane.bar.tick()
        assert app.bar[2].startswith(" ◉ running 4h 03m")
        await pilot.press("left")
        assert app.bar[2].startswith(" ► 08:01")
        await pilot.press("dollar_sign")
        app.give(running.results(result("c", "bash", "made")))
        await pilot.pause()
        assert app.bar[2].startswith(" ► 08:03")


def long_session() -> Script:
    found = Script()
    for number in range(500):
        name = f"c{number}"
        found.user(f"question {number}", seconds=1).answer(call(name, "bash"), seconds=1)
        found.results(result(name, "bash", "x\n" * 30), seconds=1).answer("so", seconds=1)
    return found


async def test_along_a_long_session_only_what_is_seen_is_laid_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = Screen(long_session())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space", "space", "dollar_sign", "space")
        view = app.pane.view
        estimated: list[str] = []

        def counted(block: Block, fold: Fold, cells: int) -> int:
            estimated.append(block.key)
            return estimated_height(block, fold, cells)

        monkeypatch.setattr(transcript_canvas, "estimated_height", counted)
        for position in (1_000, 300, 1_700, 2, 1_999, 900, 1_400, 2_000):
            before = view.laid_out_blocks
            app.pane.bar.post_message(ReplayBar.Sought(position, held=True))
            await pilot.pause()
            await pilot.pause()
            assert app.position == position
            assert view.laid_out_blocks - before <= 2 * (24 + MARGIN)
        assert len(estimated) <= 8 * 4, "heights that are known are not estimated again"


async def test_compactions_of_other_branches_are_told_apart() -> None:
    app = Screen(compacted())
    async with app.run_test(size=(100, 24)) as pilot:
        app.pane.set_source(compacted().diagnosis(), 2)
        await pilot.press("space", "space")
        assert "C 2 compactions ───" in app.bar[0]
        app.pane.set_source(compacted().diagnosis(), 5)
        await pilot.press("right")
        assert "C 2 compactions of 5 in the file ───" in app.bar[0]
