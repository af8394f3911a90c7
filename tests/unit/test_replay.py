"""The schedule of a replay and how it is moved through, without any clock."""

from __future__ import annotations

from ink_tui.model.replay import (
    LONGEST_WAIT,
    SPEEDS,
    Mark,
    Playback,
    Schedule,
    build_schedule,
    gap_text,
)
from ink_tui.model.transcript import EMPTY
from ink_tui.model.transcript_build import build_transcript
from tests.transcript_samples import Script, call, result


def schedule() -> Schedule:
    script = Script().user("go", seconds=1).answer(call("c", "bash", command="x"), seconds=0.5)
    script.results(result("c", "bash", "Exit code: 2\n"), seconds=2_280)
    script.compaction("sum", []).user("again", seconds=1).answer(
        call("d", "edit", path="p"), seconds=1
    )
    return build_schedule(build_transcript(script.diagnosis()))


def test_records_come_in_their_own_rhythm_and_long_gaps_are_shortened() -> None:
    waits = [step.wait for step in schedule().steps]
    assert waits == [0.0, 0.5, LONGEST_WAIT, LONGEST_WAIT, 1.0, 1.0]
    assert [step.gap for step in schedule().steps] == ["", "", "38m", "1m", "", ""]


def test_marks_stand_where_the_thing_is_seen() -> None:
    assert [step.mark for step in schedule().steps] == [
        Mark.TURN, None, Mark.FAILED, Mark.COMPACTION, Mark.TURN, Mark.PROBLEM,
    ]  # fmt: skip


def test_jumps_between_marks_stay_where_there_is_none() -> None:
    plan = schedule()
    assert plan.next_mark(1, Mark.TURN) == 5
    assert plan.next_mark(5, Mark.TURN) == 5
    assert plan.previous_mark(6, Mark.COMPACTION) == 4
    assert plan.previous_mark(1, Mark.TURN) == 1
    assert plan.next_mark(0, Mark.PROBLEM, Mark.FAILED) == 3


def test_playing_through_takes_the_waits_at_the_speed() -> None:
    plan, playback, seconds = schedule(), Playback(speed=2.0).at(1, schedule()), 0.0
    while (wait := playback.wait(plan)) is not None:
        seconds += wait
        playback = playback.at(playback.position + 1, plan)
    assert playback.position == plan.last
    assert seconds == (0.5 + 2 * LONGEST_WAIT + 2.0) / 2


def test_speed_pause_start_and_end() -> None:
    plan = schedule()
    playback = Playback()
    for _ in range(20):
        playback = playback.faster()
    assert playback.speed == SPEEDS[-1]
    for _ in range(20):
        playback = playback.slower()
    assert playback.speed == SPEEDS[0]
    assert playback.toggled().wait(plan) is None
    end = playback.at_end(plan)
    assert (end.position, end.following, end.wait(plan)) == (plan.last, True, None)
    assert not end.at(2, plan).following
    assert playback.at(99, plan).position == plan.last
    assert playback.at(-3, plan).position == 0


def test_an_empty_transcript_has_nothing_to_play() -> None:
    plan = build_schedule(EMPTY)
    assert plan.last == 0
    assert Playback().wait(plan) is None


def test_gaps_in_words() -> None:
    assert [gap_text(s) for s in (3, 59.6, 2_280, 7_200, 200_000)] == [
        "3s", "1m", "38m", "2h", "2d",
    ]  # fmt: skip
