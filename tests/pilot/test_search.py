"""The search screen: answers at once and behind, broken off, opened, kept; foreign text is text."""

from __future__ import annotations

import threading
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ink_tui.errors import StoreError
from ink_tui.model.passages import Kind
from ink_tui.model.snippets import Snippet
from ink_tui.store.search.values import FoundIn, Hit, Progress, Trouble, TroubleKind
from ink_tui.tui.app import build_app
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.render.head_lines import Tab
from ink_tui.tui.render.layout import Place
from ink_tui.tui.screens.search import SearchScreen
from tests.pilot.app import (
    LARGE,
    MIDDLE,
    SIZES,
    SMALL,
    app_on,
    app_on_demo,
    click_on,
    demo_in,
    fake_agent,
    place_of,
    rows_fit,
    running,
    screen_lines,
    settled,
    shown,
    until,
)
from tests.pilot.run import Run, run_on_demo
from tests.pilot.search_places import at_search, search_of, searched, type_in
from tests.sessions import answer, session, user

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Generator
    from pathlib import Path

    from ink_tui.model.query import Query
    from ink_tui.model.query_sessions import Surroundings
    from ink_tui.store.search.engine import SearchOptions
    from ink_tui.store.search.service import SearchService
    from ink_tui.store.search.values import SearchEvent, SearchTarget

HOSTILE = "[red]needle[/red] \x1b[31mred\x1b[0m \u202egnp.exe [@click=app.quit]go[/]"


def found_in(target: SearchTarget, *texts: str, more: int = 0) -> FoundIn:
    """Return hits with some texts in one session."""
    hits = tuple(
        Hit("u0", 2 + at, 0, Kind.USER, "", None, Snippet(text, ((0, 1),)), 1)
        for at, text in enumerate(texts)
    )
    return FoundIn(target.path, None, "/home/u/demo", hits, more)


class Slow:
    """Searches step by step, as a test lets it; remembers what was asked and what was left."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.left: list[str] = []
        self.closed = False
        self.steps = threading.Semaphore(0)
        self.error = ""

    def prepare(self) -> None:
        """Nothing is to be made ready."""

    def close(self) -> None:
        self.closed = True

    def search(
        self,
        query: Query,
        around: Surroundings,
        targets: tuple[SearchTarget, ...],
        options: SearchOptions,
        *,
        stop: Callable[[], bool],
    ) -> Generator[SearchEvent, None, None]:
        words = " ".join(term.text for term in query.words)
        self.asked.append(words)
        if self.error:
            raise StoreError(self.error)
        for at, target in enumerate(targets, 1):
            while not self.steps.acquire(timeout=0.01):
                if stop():
                    self.left.append(words)
                    # One that is late all the same: nobody may see it.
                    yield found_in(target, f"late answer to {words}")
                    return
            yield found_in(target, f"{words} in number {at}")
            yield Progress(at, len(targets))


@pytest.fixture
def store(tmp_path: Path) -> Path:
    root = tmp_path / ".ink" / "sessions"
    folder = root / "demo"
    folder.mkdir(parents=True)
    for number in range(4):
        texts = [user("u0", None, f"question {number} about grain")]
        texts += [answer(f"a{n}", f"a{n - 1}" if n else "u0", f"grain {n}, 修") for n in range(6)]
        (folder / f"{number}.jsonl").write_bytes(session(*texts))
    return root


@asynccontextmanager
async def run_on(
    root: Path,
    size: tuple[int, int] = LARGE,
    *,
    service: SearchService | None = None,
    glyphs: Glyphs = UNICODE,
) -> AsyncIterator[Run]:
    app = app_on(root, glyphs=glyphs)
    if service is not None:
        app = build_app(replace(app.services, load_search=lambda: service))
    async with running(app, size) as pilot:
        yield Run(pilot, None)  # type: ignore[arg-type]  # nothing here asks for a demo


async def press(run: Run, *keys: str) -> None:
    """Press keys without waiting for what they begin."""
    await run.pilot.press(*keys)
    await run.pilot.pause()


async def put(run: Run, text: str) -> None:
    """Put a query in the field at once, as a paste does: no search begins for a part of it."""
    search_of(run).field.input.value = text
    await run.pilot.pause()


async def test_rows_answer_before_any_file_is_searched(store: Path) -> None:
    slow = Slow()
    async with run_on(store, service=slow) as run:
        await at_search(run)
        await put(run, "question")
        await until(run.pilot, lambda: len(search_of(run).results) == 4, "the rows answer")
        assert "question 2 about grain" in run.text
        await until(run.pilot, lambda: slow.asked, "the files are asked")
        assert slow.asked == ["question"]
        await until(run.pilot, lambda: "0 of 4" in run.text, "progress in the last row")
    assert slow.closed


async def test_contents_stream_in_and_progress_goes_on(store: Path) -> None:
    slow = Slow()
    async with run_on(store, service=slow) as run:
        await at_search(run)
        await put(run, "zebra")
        slow.steps.release()
        await until(run.pilot, lambda: "zebra in number 1" in run.text, "the first answer")
        await until(run.pilot, lambda: "1 of 4" in run.text, "how far it is")
        assert "zebra in number 2" not in run.text
        slow.steps.release(3)
        await until(run.pilot, lambda: not search_of(run).under_way, "the end")
        assert "4 hits in 4 sessions" in run.text
        assert "searching" not in run.text


async def test_a_key_breaks_the_search_off_and_late_answers_are_dropped(store: Path) -> None:
    slow = Slow()
    async with run_on(store, service=slow) as run:
        await at_search(run)
        await put(run, "zebra")
        slow.steps.release()
        await until(run.pilot, lambda: "zebra in number 1" in run.text, "the first answer")
        await put(run, "zebras")
        await until(run.pilot, lambda: slow.left == ["zebra"], "the first search is left")
        assert "zebra in" not in run.text
        slow.steps.release(4)
        await until(run.pilot, lambda: "zebras in number 4" in run.text, "the second one's end")
        assert "late answer" not in run.text
        assert slow.asked == ["zebra", "zebras"]


async def test_leaving_breaks_the_search_off(store: Path) -> None:
    slow = Slow()
    async with run_on(store, service=slow) as run:
        await at_search(run)
        await put(run, "zebra")
        await until(run.pilot, lambda: slow.asked, "the search begins")
        await press(run, "escape")
        await until(run.pilot, lambda: slow.left, "it is left")
        assert run.screen is run.browser


async def test_a_search_that_cannot_go_on_says_so(store: Path) -> None:
    slow = Slow()
    slow.error = "The program that searches has ended by itself."
    async with run_on(store, service=slow) as run:
        await searched(run, "question")
        assert slow.error in run.text
        assert "question 2 about grain" in run.text, "what the rows tell stays"


async def test_so_many_hits_stop_the_search(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ink_tui.tui.render.search_results.MOST_IN_ALL", 2)
    slow = Slow()
    slow.steps.release(4)
    async with run_on(store, service=slow) as run:
        await at_search(run)
        await put(run, "zebra")
        await until(run.pilot, lambda: "stopped after" in run.text, "the end")
        assert "narrow the query" in run.text
        assert "+ hits in" in run.text


async def test_a_mistake_is_shown_with_carets_and_takes_nothing_away(store: Path) -> None:
    async with run_on(store) as run:
        await searched(run, "grain")
        hits = search_of(run).results.hits
        assert hits > 4
        await type_in(run, " toll:x")
        x, y = place_of(run.pilot, "toll:x")
        lines = screen_lines(run.pilot)
        assert lines[y + 1].strip() == "^" * len("toll:")
        assert lines[y + 1].index("^") == x
        assert "The nearest is tool:." in lines[y + 2]
        assert search_of(run).results.hits == hits


@pytest.mark.parametrize(
    ("query", "next_step"),
    [
        ("qqq", "try a shorter one"),
        ("qqq zzz", "try fewer of them"),
        ("Qqq", "try small ones"),
        ("qqq is:fork", "A filter less"),
    ],
)
async def test_nothing_found_says_what_to_try(store: Path, query: str, next_step: str) -> None:
    async with run_on(store, MIDDLE) as run:
        await searched(run, query)
        assert "Nothing matches." in run.text
        assert next_step in run.text


async def test_one_chinese_character_finds_text(store: Path) -> None:
    async with run_on(store) as run:
        await searched(run, "修")
        assert "24 hits in 4 sessions" in run.text
        assert "▸ 3 more here" in run.text


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
async def test_foreign_text_is_never_markup(
    tmp_path: Path, size: tuple[int, int], glyphs: Glyphs
) -> None:
    root = tmp_path / ".ink" / "sessions"
    root.mkdir(parents=True)
    content = session(user("u0", None, HOSTILE))
    folder = rb"/home/u/[red]demo\u001b[2J"
    (root / "[bold]x.jsonl").write_bytes(content.replace(b"/home/u/demo", folder))
    async with run_on(root, size, glyphs=glyphs) as run:
        await searched(run, "needle")
        assert "[red]needle[/red]" in run.text
        assert not any(char in run.text for char in "\x1b\u202e")
        rows_fit(run.pilot)


async def test_enter_opens_the_session_at_the_record_in_both_panes(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await searched(run, "pass a start value")
        assert search_of(run).selected is not None
        path, hit = search_of(run).selected or ("", None)
        await run.press("enter")
        assert run.screen is run.browser
        assert run.browser.place is Place.SESSION
        assert run.browser.session.path == path
        row, block = run.tree.highlighted, run.transcript.selected
        assert row is not None
        assert block is not None
        assert hit is not None
        assert row.entry_id == block.entry_id == hit.entry_id
        assert "does any of them pass a start value" in row.text


async def test_a_call_opens_at_that_call_and_its_result(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await searched(run, "tool:grep role:result sum")
        await run.press("down", "enter")
        row, block = run.tree.highlighted, run.transcript.selected
        assert row is not None
        assert row.word == "grep"
        assert block is not None
        assert block.entry_id == row.entry_id


async def test_a_hit_in_health_goes_to_a_tab_that_shows_it(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await run.press("4")
        await searched(run, "pass a start value")
        await run.press("enter")
        assert run.tab() is Tab.TRANSCRIPT


async def test_the_query_and_the_order_are_kept(store: Path) -> None:
    async with run_on(store) as run:
        await searched(run, "grain")
        await run.press("ctrl+o", "escape")
        assert run.screen is run.browser
        await at_search(run)
        await until(run.pilot, lambda: search_of(run).results.hits > 4, "the same answers")
        assert search_of(run).field.input.value == "grain"
        assert search_of(run).results.best_first


async def test_best_first_puts_names_before_texts_and_many_hits_before_few(store: Path) -> None:
    async with run_on(store) as run:
        (store / "demo" / "9.jsonl").write_bytes(session(user("u0", None, "grain")))
        await run.press("ctrl+r")
        await searched(run, "grain")
        await run.press("ctrl+o")
        totals = [each.total for each in search_of(run).results.ordered()]
        assert totals == sorted(totals, reverse=True)
        assert totals[-1] == 1


async def test_more_hits_of_a_session_unfold_by_key_and_by_click(store: Path) -> None:
    async with run_on(store) as run:
        await searched(run, "grain")
        rows = len(search_of(run).hits.rows)
        await run.press("down", "down", "down", "enter")
        assert len(search_of(run).hits.rows) == rows + 4
        assert "▾ only the first 3" in run.text
        await click_on(run.pilot, "only the first")
        assert len(search_of(run).hits.rows) == rows


@pytest.mark.parametrize("size", SIZES)
async def test_a_click_selects_a_second_one_opens(tmp_path: Path, size: tuple[int, int]) -> None:
    async with run_on_demo(tmp_path, size) as run:
        await searched(run)
        await click_on(run.pilot, "src/sum.ts")
        assert search_of(run).hits.selected_index == 2
        await run.pilot.click(offset=place_of(run.pilot, "src/sum.ts"), times=2)
        await settled(run.pilot)
        assert run.screen is run.browser


async def test_the_wheel_scrolls_without_moving_the_selection(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path, SMALL) as run:
        await searched(run)
        view = search_of(run).hits
        selected = view.selected
        view.scroll_to(y=5, animate=False, force=True)
        await run.press("shift+f1")  # no key of ours: only wait
        assert view.scroll_offset.y == 5
        assert view.selected == selected


async def test_title_and_footer_are_clicked(store: Path) -> None:
    async with run_on(store) as run:
        await searched(run, "grain")
        await click_on(run.pilot, "newest or best", last=True)
        assert search_of(run).results.best_first
        await click_on(run.pilot, "Search everywhere")
        assert run.screen is run.browser


async def test_the_preview_follows_the_hit_and_marks_it(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await searched(run, "does any of them pass")
        assert "hit 1 of 1" in run.text
        lines = [line[60:] for line in screen_lines(run.pilot)]
        assert any("does any of them pass a start value?" in line for line in lines)
        await run.press("ctrl+u")
        await settled(run.pilot)
        assert "hit 1 of" not in run.text
        assert not any("pass a start" in line for line in screen_lines(run.pilot))


async def test_there_is_no_preview_in_a_narrow_window(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path, MIDDLE) as run:
        await searched(run)
        assert "hit 1 of" not in run.text
        await run.pilot.resize_terminal(*LARGE)
        await settled(run.pilot)
        assert "hit 1 of" in run.text


async def test_a_session_that_vanishes_is_told_and_opens_nothing_wrong(store: Path) -> None:
    async with run_on(store) as run:
        await at_search(run)
        gone = store / "demo" / "2.jsonl"
        gone.unlink()
        await type_in(run, "grain")
        assert "1 session was not searched whole:" in run.text
        assert " 2.jsonl: " in run.text
        view = search_of(run).hits
        view.select(
            next(row.key for row in view.rows if row.key.endswith("2.jsonl") and row.selectable)
        )
        await settled(run.pilot)
        await run.press("enter")
        assert run.screen is run.browser
        assert run.browser.session.path != str(gone) or run.browser.session.band.sentence


async def test_trouble_is_told_by_name(store: Path) -> None:
    class Troubled(Slow):
        def search(
            self,
            query: Query,
            around: Surroundings,
            targets: tuple[SearchTarget, ...],
            options: SearchOptions,
            *,
            stop: Callable[[], bool],
        ) -> Generator[SearchEvent, None, None]:
            for target in targets:
                yield Trouble(target.path, TroubleKind.UNREADABLE, "permission denied")

    async with run_on(store, service=Troubled()) as run:
        await searched(run, "grain")
        assert "4 sessions were not searched whole:" in run.text
        assert ".jsonl: permission denied" in run.text


async def test_tab_goes_through_candidates_and_esc_takes_them_back(store: Path) -> None:
    async with run_on(store) as run:
        await searched(run, "dir:")
        await run.press("tab")
        assert search_of(run).field.input.value == "dir:/home/u/demo "
        await run.press("ctrl+u")
        await type_in(run, "verdict:")
        await run.press("tab")
        assert "ready to resume" in run.text
        await run.press("tab")
        assert search_of(run).field.input.value == "verdict:repairable "
        await run.press("escape")
        assert search_of(run).field.input.value == "verdict:"
        await run.press("escape")
        assert run.screen is run.browser


async def test_filters_are_answered_without_a_file(store: Path) -> None:
    slow = Slow()
    async with run_on(store, service=slow) as run:
        await at_search(run)
        await put(run, "verdict:clean")
        await until(run.pilot, lambda: not search_of(run).under_way, "the end")
        assert "4 hits in 4 sessions" in run.text
        assert not slow.steps.acquire(blocking=False)


async def test_the_search_is_not_opened_from_an_agent(tmp_path: Path) -> None:
    """In a captured pane every key but one is the agent's."""
    with demo_in(tmp_path) as demo:
        app = app_on_demo(demo, agents=[fake_agent(demo.home)])
        async with running(app, LARGE) as pilot:
            run = Run(pilot, demo)
            await run.at_agent()
            await press(run, "ctrl+f")
            assert run.screen is run.browser
            await press(run, "ctrl+right_square_bracket", "b", "ctrl+f")
            await shown(pilot, SearchScreen)
