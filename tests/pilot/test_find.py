"""Find inside a session: the field, the hits in tree, transcript and replay, and what grows."""

from __future__ import annotations

import threading
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from ink_tui.model.outline_rows import FilterMode
from ink_tui.store import whole_records
from ink_tui.store.search import inside
from ink_tui.store.search.engine import SearchOptions
from ink_tui.store.search.patterns import Budget
from ink_tui.tui.app import build_app
from ink_tui.tui.render.find_marks import is_current
from ink_tui.tui.render.head_lines import Tab
from ink_tui.tui.render.layout import Place
from tests.find_files import Beside
from tests.pilot.app import LARGE, MIDDLE, app_on, rows_fit, running, settled, until
from tests.pilot.find_places import field_has_focus, found, hit, type_in
from tests.pilot.run import Run, path_of, run_on_demo
from tests.sessions import HEADER, answer, entry, line, results, session, user

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Generator
    from pathlib import Path

    from ink_tui.model.query import Query
    from ink_tui.model.query_sessions import Surroundings
    from ink_tui.store.search.values import SearchEvent, SearchTarget


LONG = "\n".join(f"row {at} of the output" for at in range(2_000))


def a_session() -> bytes:
    """A session with a branch that was left, a long output and a summarised range."""
    early = [user("e0", None, "needle in the beginning")]
    early += [answer(f"e{at}", f"e{at - 1}", f"early answer {at}") for at in range(1, 14)]
    return session(
        *early,
        user("b1", "e13", "a branch that was left, with a needle"),
        answer("b2", "b1", "needle needle"),
        entry("compaction", "c", "e13", summary="of needles: 針", retainedTail=[], tokensBefore=9),
        user("u1", "c", "read it"),
        answer("a1", "u1", "I look.", calls=(("k1", "bash", {"command": "cat needle.txt"}),)),
        results("r1", "a1", ("k1", "bash", f"{LONG}\nthe Needle\n{LONG}")),
        answer("a2", "r1", "在这里找到了针：**needle** and [red]needle[/red] \x1b[31mneedle"),
    )


def put(folder: Path, data: bytes) -> Path:
    place = folder / "sessions" / "home-u-demo"
    place.mkdir(parents=True)
    path = place / "a.jsonl"
    path.write_bytes(data)
    return path


@asynccontextmanager
async def run_on(
    path: Path, size: tuple[int, int] = LARGE, beside: Beside | None = None
) -> AsyncIterator[Run]:
    """Run the program on one session, which has the focus."""
    app = app_on(path.parent.parent)
    service = beside or Beside()
    app = build_app(replace(app.services, load_search=lambda: service))
    async with running(app, size) as pilot:
        run = Run(pilot, None)  # type: ignore[arg-type]  # nothing here asks for a demo
        await run.press("enter")
        yield run


async def find(run: Run, text: str) -> None:
    await run.press("slash")
    await type_in(run, text)
    rows_fit(run.pilot)


def words(run: Run) -> str:
    return run.browser.session.find.words


def selected(run: Run) -> str | None:
    row = run.tree.highlighted
    return row.entry_id if row is not None else None


def current_line(run: Run) -> str:
    """What stands in the line of the transcript that holds the hit, on the screen."""
    view = run.transcript
    for y in range(view.size.height):
        index, at = view._places.at_line(view.scroll_offset.y + y)
        lines = view._lay_out(index) if index < len(view.blocks) else ()
        if at < len(lines) and is_current(lines[at].pieces):
            return "".join(piece.text for piece in lines[at].pieces)
    return ""


async def test_each_key_typed_is_answered_and_read_once(tmp_path: Path) -> None:
    beside = Beside()
    async with run_on(put(tmp_path, a_session()), beside=beside) as run:
        await run.press("home", "slash")
        asked_before = beside.asked
        assert asked_before == 0
        for asked, key in enumerate("needle", 1):
            await run.pilot.press(key)
            await found(run)
            assert words(run).startswith("1 of ")
            assert beside.asked == asked
        assert words(run) == "1 of 10"
        assert selected(run) == "e0"
        await run.press("enter")
        await run.press(*"nNnnN")
        assert beside.asked - asked_before == len("needle")
        assert field_has_focus(run) is False


async def test_keys_typed_at_once_are_searched_once(tmp_path: Path) -> None:
    beside = Beside()
    async with run_on(put(tmp_path, a_session()), beside=beside) as run:
        await run.press("slash")
        await run.pilot.press(*"needle")
        await found(run)
        assert beside.asked < 6
        assert words(run).endswith("of 10")


async def test_hits_are_gone_through_in_the_order_of_the_tree_and_around(tmp_path: Path) -> None:
    async with run_on(put(tmp_path, a_session())) as run:
        await run.press("home")
        await find(run, "needle")
        await run.press("enter")
        seen = [selected(run)]
        for _ in range(run.browser.inside.finding.total - 1):
            await run.press("n")
            seen.append(selected(run))
        # The summarised range is unfolded, the branch stands under its branch point.
        assert list(dict.fromkeys(seen)) == ["e0", "b1", "b2", "c", "a1", "a2"]
        assert seen.count("b2") == 2
        places = list(run.browser.inside.finding.places)
        assert places == sorted(places)
        await run.press("n")
        assert words(run) == "1 of 10 · from the start again"
        assert selected(run) == "e0"
        await run.press("N")
        assert words(run) == "10 of 10 · from the end again"
        assert selected(run) == "a2"


async def test_a_step_goes_on_from_where_one_has_gone(tmp_path: Path) -> None:
    async with run_on(put(tmp_path, a_session())) as run:
        await run.press("home")
        await find(run, "needle")
        await run.press("enter", "end")
        await run.press("N")
        assert selected(run) == "a2"
        await run.press("home", "n")
        assert (selected(run), hit(run)) == ("e0", 0)


async def test_case_counts_only_where_a_capital_is_typed(tmp_path: Path) -> None:
    async with run_on(put(tmp_path, a_session())) as run:
        await find(run, "Needle")
        assert words(run) == "1 of 1"
        assert run.tree.highlighted is not None
        assert run.tree.highlighted.word == "bash"
        await type_in(run, "針")
        assert (words(run), selected(run)) == ("1 of 1", "c")
        await type_in(run, "找到了针")
        assert (words(run), selected(run)) == ("1 of 1", "a2")


async def test_a_hit_in_a_long_output_is_unfolded_and_on_the_screen(tmp_path: Path) -> None:
    async with run_on(put(tmp_path, a_session())) as run:
        await run.press("2")
        await find(run, "the Needle")
        assert "the Needle" in current_line(run)
        assert "part 3 of" in run.text or run.transcript.fold_of(run.block).part == 2
        folded = run.block
        await type_in(run, "row 1999 of")
        assert words(run) == "1 of 2"
        assert "row 1999" in current_line(run)
        await run.press("enter", "n")
        assert words(run) == "2 of 2"
        assert "row 1999" in current_line(run)
        # What a hit has unfolded is folded again when the next one is elsewhere.
        await find(run, "red]needle")
        assert "[red]needle" in current_line(run)
        assert run.transcript.fold_of(folded).depth.name != "WHOLE"


async def test_a_branch_that_the_transcript_has_not_is_shown_in_the_tree(tmp_path: Path) -> None:
    async with run_on(put(tmp_path, a_session())) as run:
        await run.press("2", "home")
        await find(run, "needle")
        await run.press("enter")
        assert (run.tab(), hit(run)) == (Tab.TRANSCRIPT, 0)
        await run.press("n")
        assert words(run) == "2 of 10 · not on this branch"
        assert (run.tab(), selected(run)) == (Tab.TREE, "b1")
        await run.press("n", "n", "n")
        assert run.tab() is Tab.TRANSCRIPT
        assert "needle" in current_line(run)


async def test_a_filter_that_hides_a_hit_is_taken_off_and_that_is_said(tmp_path: Path) -> None:
    async with run_on(put(tmp_path, a_session())) as run:
        run.tree.show_mode(FilterMode.USER_ONLY)
        await find(run, "cat needle")
        assert words(run) == "1 of 1 · the filter hid it"
        assert run.tree.mode is not FilterMode.USER_ONLY


async def test_folded_rows_say_how_much_is_found_inside(tmp_path: Path) -> None:
    async with run_on(put(tmp_path, a_session())) as run:
        await run.press("end")
        await find(run, "needle")
        await run.press("enter", "escape", "slash")
        await type_in(run, "early answer")
        await run.press("enter", "left", "left")
        assert "13 found inside" in run.text


async def test_esc_takes_the_marks_first_and_then_goes_to_the_list(tmp_path: Path) -> None:
    async with run_on(put(tmp_path, a_session()), MIDDLE) as run:
        places = [run.place()]
        await find(run, "needle")
        await run.press("enter")
        await run.press("escape")
        assert run.browser.session.find.display is False
        assert run.browser.inside.finding.total == 0
        places.append(run.place())
        await run.press("escape")
        places.append(run.place())
        assert places == [Place.SESSION, Place.SESSION, Place.LIST]


async def test_nothing_found_and_bad_patterns_are_said(tmp_path: Path) -> None:
    async with run_on(put(tmp_path, a_session())) as run:
        await find(run, "no such words")
        assert words(run) == "nothing found"
        await type_in(run, "re:(needle")
        assert run.browser.session.find.sentence == (
            "This is no pattern: missing ), unterminated subpattern."
        )
        await type_in(run, "re:n[e]+dle\\b")
        assert words(run).endswith("of 9")
        assert not run.browser.session.find.sentence
        await type_in(run, "re:")
        assert words(run) == ""


async def test_an_endless_pattern_is_stopped_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hasty(**given: Any) -> SearchOptions:
        return SearchOptions(**given, budget=Budget(0.05, 0.05))

    monkeypatch.setattr(inside, "SearchOptions", hasty)
    data = session(user("u", None, "a" * 40 + "!"), answer("a", "u", "fine"))
    async with run_on(put(tmp_path, data)) as run:
        await find(run, "re:(a+)+$")
        assert run.browser.session.find.sentence == "The pattern takes too long and was stopped."
        await type_in(run, "fine")
        assert words(run) == "1 of 1"


async def test_hits_follow_what_is_appended_and_the_place_stays(tmp_path: Path) -> None:
    async with run_on(put(tmp_path, a_session())) as run:
        await run.press("home")
        await find(run, "needle")
        await run.press("enter", "n")
        assert words(run) == "2 of 10"
        path = path_of(run)
        with path.open("ab") as file:
            file.write(user("u9", "a2", "one more needle"))
        await run.press("ctrl+r")
        await found(run)
        assert words(run) == "2 of 11"
        assert selected(run) == "b1"
        await run.press("N", "N")
        assert (words(run), selected(run)) == ("11 of 11 · from the end again", "u9")


async def test_another_session_is_not_searched_for_the_same(tmp_path: Path) -> None:
    path = put(tmp_path, a_session())
    header = line({**HEADER, "id": "22222222-2222-4222-8222-222222222222"})
    (path.parent / "b.jsonl").write_bytes(header + user("u", None, "needle here too"))
    async with run_on(path) as run:
        await find(run, "needle")
        await run.press("enter")
        other = next(
            item.row.path
            for item in run.browser.list.listing.items
            if item.row is not None and item.row.path != run.browser.session.path
        )
        run.browser.open_session(other)
        await until(run.pilot, lambda: run.browser.session.path == other, "the other is shown")
        await settled(run.pilot)
        assert not run.browser.session.find.display
        assert run.browser.inside.finding.total == 0


async def test_hits_stand_on_the_timeline_and_are_reached_in_a_replay(tmp_path: Path) -> None:
    async with run_on(put(tmp_path, a_session())) as run:
        await run.press("home")
        await find(run, "needle")
        await run.press("enter", "2", "home", "space", "space")
        bar = run.browser.session.transcript.bar
        marked = run.browser.inside.finding.steps
        cells = bar._mark_cells(bar._look_now())
        assert 3 <= sum(cell.underline for cell in cells) <= len(marked)
        before = run.position
        await run.press(*"nnnnn")
        assert run.position > before
        assert run.position in marked
        assert "needle" in current_line(run)
        await run.press("escape")
        assert not any(cell.underline for cell in bar._mark_cells(bar._look_now()))
        assert run.browser.session.transcript.playback is not None


async def test_a_light_session_is_searched_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Texts that are not in memory are found, and read from the file where they are shown."""
    monkeypatch.setattr(whole_records, "LIGHT_ABOVE", 0)
    async with run_on(put(tmp_path, a_session())) as run:
        await run.press("2")
        await find(run, "the Needle")
        await until(run.pilot, lambda: "the Needle" in current_line(run), "the text is read")
        assert words(run) == "1 of 1"


async def test_the_mouse_opens_the_field_and_goes_from_hit_to_hit(tmp_path: Path) -> None:
    async with run_on(put(tmp_path, a_session())) as run:
        await run.press("home")
        await find(run, "needle")
        await run.press("enter")
        assert await run.pilot.click("FindField _Count")
        await settled(run.pilot)
        assert words(run) == "2 of 10"
        assert await run.pilot.click("FindInput")
        await settled(run.pilot)
        assert field_has_focus(run)


async def test_the_real_search_process_answers(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await run.press("enter")
        await find(run, "也要处理空数组")
        assert words(run).startswith("1 of ")
        assert run.browser.search_service is not None


async def test_the_header_is_searched_too(tmp_path: Path) -> None:
    async with run_on(put(tmp_path, a_session())) as run:
        await find(run, "home/u/demo")
        assert words(run) == "1 of 1 · in the header"


async def test_enter_on_a_row_shows_the_hit_of_that_row(tmp_path: Path) -> None:
    async with run_on(put(tmp_path, a_session())) as run:
        await find(run, "row 1000 of")
        assert (words(run), selected(run)) == ("1 of 2", "a1")
        assert run.tab() is Tab.TREE
        await run.press("enter", "n", "enter")
        assert run.tab() is Tab.TRANSCRIPT
        assert "row 1000" in current_line(run)
        assert run.transcript.fold_of(run.block).part > 1
        await run.press("escape")
        assert not current_line(run)


async def test_the_detail_underlines_what_was_found(tmp_path: Path) -> None:
    async with run_on(put(tmp_path, a_session())) as run:
        detail = run.browser.session.detail
        await find(run, "CAT NEEDLE")
        assert words(run) == "nothing found"
        await type_in(run, "cat needle")
        cells = detail.size.width
        drawn = [piece for pieces in detail.lines(cells) for piece in pieces if piece.underline]
        assert [piece.text for piece in drawn] == ["cat needle"]


@pytest.mark.parametrize("tab", "234")
async def test_letters_go_on_to_the_field_when_a_hit_shows_another_tab(
    tab: str, tmp_path: Path
) -> None:
    async with run_on(put(tmp_path, a_session())) as run:
        await run.press(tab, "slash")
        for number, key in enumerate("branch that", 1):
            await run.pilot.press("space" if key == " " else key)
            await found(run)
            assert field_has_focus(run)
            assert len(run.browser.session.find.input.value) == number
        assert (run.tab(), selected(run)) == (Tab.TREE, "b1")


class Held(Beside):
    """Answers the first search only when it is let, though nobody waits any more."""

    def __init__(self) -> None:
        super().__init__()
        self.let = threading.Event()

    def search(
        self,
        query: Query,
        around: Surroundings,
        targets: tuple[SearchTarget, ...],
        options: SearchOptions,
        *,
        stop: Callable[[], bool],
    ) -> Generator[SearchEvent, None, None]:
        first = not self.asked
        found = super().search(query, around, targets, options, stop=lambda: False)
        if first:
            self.let.wait(20)
        return found


async def test_an_answer_that_comes_too_late_is_dropped(tmp_path: Path) -> None:
    held = Held()
    async with run_on(put(tmp_path, a_session()), beside=held) as run:
        await run.press("slash")
        field = run.browser.session.find.input
        field.value = "needle"
        await until(run.pilot, lambda: held.asked == 1, "the first search")
        await until(run.pilot, lambda: words(run) == "searching", "that it takes a while")
        field.value = "early"
        await until(run.pilot, lambda: held.asked == 2, "the second search")
        await until(run.pilot, lambda: words(run) == "1 of 13", "its answer")
        held.let.set()
        await found(run)
        assert words(run) == "1 of 13"
        await run.press("escape")
        assert run.browser.inside.finding.total == 0


async def test_marks_go_with_the_session(tmp_path: Path) -> None:
    async with run_on(put(tmp_path, a_session())) as run:
        await find(run, "needle")
        await run.press("enter")
        run.browser.viewing.leave()
        await settled(run.pilot)
        assert not run.browser.session.find.display
        assert not run.browser.session.transcript.view.has_marks
        run.browser.open_session(str(tmp_path / "sessions/home-u-demo/a.jsonl"))
        await until(run.pilot, lambda: run.browser.session.path is not None, "the session")
        await run.press("n")
        assert field_has_focus(run)


def many_turns(count: int) -> bytes:
    found: list[bytes] = []
    parent = None
    for at in range(count):
        found += [user(f"u{at}", parent, f"needle {at}"), answer(f"a{at}", f"u{at}", "needle " * 9)]
        parent = f"a{at}"
    return session(*found)


async def test_a_step_draws_no_more_in_a_long_session(tmp_path: Path) -> None:
    async with run_on(put(tmp_path, many_turns(1_500))) as run:
        await run.press("home")
        await find(run, "needle")
        assert words(run) == "1 of 15,000"
        await run.press("enter")
        for tab in "12":
            await run.press(tab)
            drawn = (run.tree.laid_out_rows, run.transcript.laid_out_blocks)
            await run.press(*"nnnnnNNNNN")
            assert run.tree.laid_out_rows - drawn[0] < 10 * LARGE[1]
            assert run.transcript.laid_out_blocks - drawn[1] < 10 * LARGE[1]
        assert hit(run) == 0
