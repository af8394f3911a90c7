"""When the timeline is there, and what it does to the transcript over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.transcript_build import build_transcript
from ink_tui.tui.widgets import replay_pane
from ink_tui.tui.widgets.replay_bar import ReplayBar
from tests.pilot.test_replay import Screen, at, compacted, long_session, script, seen

if TYPE_CHECKING:
    import pytest
    from textual.pilot import Pilot


async def test_on_a_high_screen_the_timeline_is_always_there() -> None:
    app = Screen(script())
    async with app.run_test(size=(100, 40)) as pilot:
        await seen(app, pilot)
        assert app.pane.playback is None
        assert app.bar[2].startswith(" ▪ 08:01")
        assert "1/6" in app.bar[2]
        await pilot.press("G")
        await pilot.pause()
        assert "6/6" in app.bar[2], "it shows where the selected record stands"
        await pilot.click(ReplayBar, offset=at(app, 4))
        await seen(app, pilot)
        assert app.position == 4
        assert not app.timer.waiting, "a click looks, it does not play"
        assert "last answer" not in app.text
        await pilot.press("escape")
        assert app.bar[2].startswith(" ▪ ")
        assert "last answer" in app.text
        await pilot.resize_terminal(100, 39)
        await pilot.pause()
        assert not app.pane.bar.display
        await pilot.resize_terminal(100, 40)
        await pilot.pause()
        assert app.pane.bar.display


async def test_a_timeline_that_appears_hides_nothing_of_the_end() -> None:
    """On a high screen it comes a moment after the transcript, at the end of which one reads."""
    app = Screen(long_session())
    async with app.run_test(size=(80, 40)) as pilot:
        await seen(app, pilot)
        transcript = build_transcript(long_session().user("the last words").diagnosis())
        app.pane.bar.hide()
        await pilot.pause()
        app.pane.set_transcript(transcript, follow=True)
        await at_the_end(app, pilot)
        await pilot.resize_terminal(80, 39)
        await at_the_end(app, pilot)
        await pilot.resize_terminal(80, 40)
        await at_the_end(app, pilot)
        await pilot.press("home")
        await pilot.resize_terminal(80, 39)
        await pilot.resize_terminal(80, 40)
        await seen(app, pilot)
        assert app.pane.view.scroll_offset.y == 0


async def test_a_replay_that_begins_shows_its_record_whole() -> None:
    app = Screen(long_session())
    async with app.run_test(size=(80, 24)) as pilot:
        app.pane.start_replay(1_999)
        await pilot.pause()
        await pilot.pause()
        assert app.pane.view.at_end


async def at_the_end(app: Screen, pilot: Pilot[None]) -> None:
    await seen(app, pilot)
    assert app.pane.view.at_end
    assert "the last words" in app.text.splitlines()[-1]


async def test_the_timeline_of_many_records_is_made_in_a_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replay_pane, "MANY_BLOCKS", 3)
    app = Screen(script())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space")
        await seen(app, pilot)
        assert app.position == 1
        assert len(app.timer.waiting) == 1
        await pilot.press("escape")
        app.give(compacted())
        app.pane.start_replay()
        app.pane.stop_replay()
        await pilot.pause()
        assert app.pane.playback is None
        app.pane.start_replay()
        app.give(compacted().user("one more"))
        await seen(app, pilot)
        assert "1/8" in app.bar[2]
