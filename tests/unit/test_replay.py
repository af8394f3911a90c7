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
    grown_schedule,
)
from ink_tui.model.tally import Tally
from ink_tui.model.transcript import EMPTY, Transcript
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
    assert schedule().marks == (
        (1, Mark.TURN), (2, Mark.CALL), (3, Mark.FAILED), (4, Mark.COMPACTION), (5, Mark.TURN),
        (6, Mark.CALL), (6, Mark.PROBLEM),
    )  # fmt: skip
    assert schedule().marks_at(6) == (Mark.CALL, Mark.PROBLEM)
    assert schedule().marks_at(7) == ()


def test_no_mark_is_lost_where_several_things_are_seen_at_once() -> None:
    calls = [call(f"c{number}", "bash", command="false") for number in range(4)]
    script = Script().user("go").answer(*calls)
    script.results(*(result(f"c{number}", "bash", "Exit code: 1\n") for number in range(3)))
    plan = build_schedule(build_transcript(script.diagnosis()))
    assert plan.tally == Tally(turns=1, calls=4, failed=3, compactions=0, problems=1)
    assert plan.marks_at(3) == (Mark.FAILED,) * 3


def test_a_jump_beyond_the_last_mark_finds_nothing() -> None:
    plan = schedule()
    assert plan.next_mark(1, Mark.TURN) == 5
    assert plan.next_mark(5, Mark.TURN) is None
    assert plan.previous_mark(6, Mark.COMPACTION) == 4
    assert plan.previous_mark(1, Mark.TURN) is None
    assert plan.next_mark(0, Mark.PROBLEM, Mark.FAILED) == 3
    assert plan.previous_mark(7, Mark.PROBLEM, Mark.FAILED) == 6


def test_a_schedule_grows_to_the_one_that_is_made_anew() -> None:
    script = Script().user("go").answer(call("c", "bash", command="x"), call("d", "bash"))
    before = build_transcript(script.diagnosis())
    script.results(result("c", "bash", "Exit code: 2\n"), seconds=300).answer("so").user("and")
    after = build_transcript(script.diagnosis())
    empty = Script().answer().user("of another session")
    other = build_transcript(empty.diagnosis())
    for old, new in (
        *((before, after), (after, before), (EMPTY, after), (after, EMPTY)),
        *((other, after), (after, other)),
    ):
        assert grown_schedule(build_schedule(old), old, new) == build_schedule(new)
        again = Transcript(new.blocks, new.steps, new.turns)
        assert grown_schedule(build_schedule(new), new, again) == build_schedule(new)


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
