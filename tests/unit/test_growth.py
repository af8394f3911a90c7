"""How the work grows, by counts at two sizes (`performance.md` section 5, "Complexity to hold")."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.entries import EntryId
from ink_tui.model.outline import build_outline
from ink_tui.model.outline_view import with_closed
from ink_tui.model.transcript_build import build_transcript
from ink_tui.store.library import Library
from ink_tui.store.reader import CHECKED_BYTES, SessionReader
from ink_tui.tui.render.ending_views import load_ending
from ink_tui.tui.render.session_views import load_views
from ink_tui.tui.screens.feed import Feed
from ink_tui.tui.start import collect_seldom
from tests.benchmarks.corpus import Corpus, Store, StorePlan
from tests.counts import Counts, count_reads, counting_calls
from tests.list_and_tree_host import Host
from tests.pilot.test_transcript_view import Screen as TranscriptScreen
from tests.session_rows import session_row
from tests.sessions import answer, entry, read, results, session, user

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ink_tui.store.library import Listing

FEW, MANY = 60, 240
"""Sessions of the two stores: N and 4 N."""
SHORT, LONG = 120, 1_200
"""Records of the two sessions, about: N and 10 N."""
HUGE = (8_000, 32_000)
"""Records of two sessions that are too long to be read whole before they are shown."""
SCREEN = (120, 36)
EDGES = 2 * 65_536
"""Most bytes that a first look may read of a file."""


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counts:
    return count_reads(monkeypatch)


def small_store(folder: Path, number: int) -> Store:
    return Corpus(folder).store(StorePlan(f"store-{number}", number, 3_000, folders=5))


def long_session(records: int) -> bytes:
    """Return a sound session of turns of four records."""
    lines: list[bytes] = []
    parent: str | None = None
    for turn in range(records // 4):
        names = [f"t{turn}u", f"t{turn}c", f"t{turn}r", f"t{turn}a"]
        call = f"call{turn}"
        lines += [
            user(names[0], parent, f"question {turn}"),
            answer(names[1], names[0], calls=((call, "bash", {"command": f"make {turn}"}),)),
            results(names[2], names[1], (call, "bash", f"made {turn}\n" * 3)),
            answer(names[3], names[2], f"answer {turn}"),
        ]
        parent = names[3]
    return session(*lines)


def last_id(records: int) -> str:
    return f"t{records // 4 - 1}a"


def written(folder: Path, records: int) -> Path:
    place = folder / f"root-{records}" / "home-u-demo"
    place.mkdir(parents=True)
    file = place / "session.jsonl"
    file.write_bytes(long_session(records))
    return file


# The list: O(files) looks, O(visible) reads, and work in proportion


def test_a_listing_reads_in_proportion_to_its_files(tmp_path: Path, counts: Counts) -> None:
    taken = []
    for number in (FEW, MANY):
        library = Library([str(small_store(tmp_path, number).root)])
        before = counts.read_bytes
        assert len(library.scan().rows) == number
        taken.append((counts.read_bytes - before) / number)
    assert (
        0 < taken[1] <= 1.5 * taken[0]
    )  # the sizes of the sessions vary, their number does not count


def test_a_first_look_at_a_file_reads_its_ends_however_long_it_is(
    tmp_path: Path, counts: Counts
) -> None:
    for size in (1_000_000, 4_000_000):
        store = Corpus(tmp_path).store(StorePlan(f"big-{size}", big=(size,)))
        before = counts.read_bytes
        assert Library([str(store.root)]).scan().pending == 1
        assert counts.read_bytes - before <= EDGES + 65_536


def test_an_unchanged_store_is_listed_again_without_a_read(tmp_path: Path, counts: Counts) -> None:
    library = Library([str(small_store(tmp_path, FEW).root)])
    library.scan()
    before = counts.read_bytes
    assert len(library.scan().rows) == FEW
    assert counts.read_bytes == before


async def test_first_rows_read_what_is_visible_however_many_files_there_are(
    tmp_path: Path, counts: Counts
) -> None:
    taken = [await _read_before_first_rows(tmp_path, number, counts) for number in (300, 1_200)]
    assert taken[1] <= 1.2 * taken[0]


async def _read_before_first_rows(folder: Path, number: int, counts: Counts) -> int:
    place = folder / f"tiny-{number}" / "home-u-demo"
    place.mkdir(parents=True)
    for at in range(number):
        (place / f"{at}.jsonl").write_bytes(session(user("a", None, f"question {at}")))
    before, taken = counts.read_bytes, []

    def show(listing: Listing) -> None:
        assert listing.rows
        taken.append(counts.read_bytes - before)

    library = Library([str(place.parent)])
    feed = Feed(library, show=show, changed=lambda _files: None, state=lambda _state: None)
    await feed.read()
    return taken[0]


def test_reading_whole_reads_decodes_and_works_in_proportion(
    tmp_path: Path, counts: Counts
) -> None:
    taken = []
    for number in (FEW, MANY):
        store = small_store(tmp_path, number)
        library = Library([str(store.root)])
        before, decoded = counts.read_bytes, counts.decoded
        with counting_calls() as work:
            assert library.scan(quick=False).pending == 0
        lines = sum(each.lines for each in store.truth.sessions)
        # The ends may have been looked at before; more than that would be work done twice.
        assert lines <= counts.decoded - decoded <= 2 * lines
        assert store.truth.size <= counts.read_bytes - before <= 3 * store.truth.size
        taken.append(work.calls / lines)
    assert 0 < taken[1] <= 1.2 * taken[0]


async def test_rows_are_arranged_in_proportion_and_only_the_screen_is_laid_out() -> None:
    app = Host()
    taken = []
    async with app.run_test(size=SCREEN) as pilot:
        for number in (FEW, MANY):
            rows = [session_row(f"s{at}", f"/w/{at % 7}", at * 60_000) for at in range(number)]
            app.list.set_rows(rows)
            await pilot.pause()
            app.list.view.laid_out_rows = app.list.view.drawn_lines = 0
            with counting_calls() as work:
                app.list.set_rows(rows)
            await pilot.pause()
            taken.append(work.calls)
            assert 0 < app.list.view.laid_out_rows <= SCREEN[1]
            assert 0 < app.list.view.drawn_lines <= 2 * SCREEN[1]
    assert 0 < taken[1] <= 4 * 1.2 * taken[0]


# One session: O(screen) to open, O(appended) to follow


def open_costs(folder: Path, counts: Counts, records: int) -> tuple[int, int]:
    file = written(folder, records)
    library = Library([str(file.parents[1])])
    before, decoded = counts.read_bytes, counts.decoded
    load_views(library, str(file), child_records={})
    return counts.read_bytes - before, counts.decoded - decoded


def test_opening_reads_and_decodes_in_proportion_at_most(tmp_path: Path, counts: Counts) -> None:
    few, many = (open_costs(tmp_path, counts, records) for records in (SHORT, LONG))
    assert many[0] <= 2 * (tmp_path / f"root-{LONG}/home-u-demo/session.jsonl").stat().st_size
    assert few[1] <= SHORT + 2
    assert many[1] <= LONG + 2


def first_screen_costs(folder: Path, counts: Counts, records: int) -> tuple[int, int, int]:
    """Return bytes read, records decoded and calls until something of a session is shown."""
    file = written(folder, records)
    library = Library([str(file.parents[1])])
    before, decoded = counts.read_bytes, counts.decoded
    with counting_calls() as work:
        shown = load_ending(library, str(file)) or load_views(library, str(file), child_records={})
    assert shown.outline.row(shown.outline.by_entry[EntryId(last_id(records))]) is not None
    return counts.read_bytes - before, counts.decoded - decoded, work.calls


def test_the_first_screen_of_a_session_costs_no_more_in_a_longer_one(
    tmp_path: Path, counts: Counts
) -> None:
    few, many = (first_screen_costs(tmp_path, counts, records) for records in HUGE)
    assert few[0] >= 100_000  # the end is long enough to be read by itself
    assert many[0] <= few[0] + EDGES
    assert many[1] <= 1.2 * few[1]
    assert many[2] <= 1.2 * few[2]


def append(file: Path, records: int, text: str) -> int:
    record = user("appended", last_id(records), text)
    with file.open("ab") as out:
        out.write(record)
    return len(record)


@pytest.mark.parametrize("records", [SHORT, LONG])
def test_an_append_is_read_alone_however_long_the_session(
    tmp_path: Path, counts: Counts, records: int
) -> None:
    file = written(tmp_path, records)
    reader = SessionReader(str(file))
    reader.read()
    appended = append(file, records, "one more")
    before, decoded = counts.read_bytes, counts.decoded
    assert reader.read().leaf == "appended"
    assert counts.decoded - decoded == 1
    assert counts.read_bytes - before <= appended + CHECKED_BYTES


def test_showing_an_append_works_no_more_in_a_longer_session(tmp_path: Path) -> None:
    taken = []
    for records in (SHORT, LONG):
        file = written(tmp_path, records)
        library = Library([str(file.parents[1])])
        last = load_views(library, str(file), child_records={})
        append(file, records, "one more")
        with counting_calls() as work:
            views = load_views(library, str(file), child_records={}, last=last)
        assert views.opened.diagnosis.leaf == "appended"
        taken.append(work.calls)
    assert taken[1] <= 2 * taken[0]


def test_all_views_of_a_session_are_made_in_proportion(tmp_path: Path) -> None:
    taken = []
    for records in (SHORT, LONG):
        file = written(tmp_path, records)
        library = Library([str(file.parents[1])])
        with counting_calls() as work:
            load_views(library, str(file), child_records={})
        taken.append(work.calls)
    assert 0 < taken[1] <= 10 * 1.2 * taken[0]


def test_an_outline_is_made_in_proportion_to_its_records() -> None:
    taken = []
    for records in (SHORT, LONG):
        diagnosis = read(long_session(records))
        with counting_calls() as work:
            build_outline(diagnosis)
        taken.append(work.calls)
    assert 0 < taken[1] <= 10 * 1.2 * taken[0]


def test_what_is_kept_of_a_session_grows_with_its_records_not_with_their_texts(
    tmp_path: Path,
) -> None:
    kept = []
    for size in (500, 5_000):
        lines = [user(f"m{at}", f"m{at - 1}" if at else None, "x" * size) for at in range(200)]
        file = tmp_path / f"{size}.jsonl"
        file.write_bytes(session(*lines))
        kept.append(_kept_by_reading(file))
    assert kept[1] <= 1.5 * kept[0]


def _kept_by_reading(file: Path) -> int:
    reader = SessionReader(str(file), light_above=0)
    gc.collect()
    tracemalloc.start()
    try:
        diagnosis = reader.read()
        gc.collect()
        kept = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert diagnosis.leaf is not None
    return kept


def test_values_of_a_long_session_are_not_searched_for_rings_again_and_again() -> None:
    before = gc.get_threshold()
    collect_seldom()
    try:
        gc.collect()
        started = gc.get_stats()[2]["collections"]
        outlines = [build_outline(read(long_session(LONG))) for _ in range(20)]
        assert gc.get_stats()[2]["collections"] == started
    finally:
        gc.set_threshold(*before)
    assert sum(len(outline.rows) for outline in outlines) > 20 * LONG // 2


async def test_a_tree_whose_rows_were_looked_for_is_shown_at_once_however_long() -> None:
    taken = []
    for records in (SHORT, LONG):
        # Summarised records are folded, so that as many rows are seen in both.
        end = entry("compaction", "k", last_id(records), summary="so far", retainedTail=[])
        outline = with_closed(build_outline(read(long_session(records) + end)))
        app = Host()
        async with app.run_test(size=SCREEN) as pilot:
            with counting_calls() as work:
                app.tree_view.set_outline(outline, "session")
            await pilot.pause()
            assert app.tree_view.selected == outline.by_entry[EntryId("k")]
        taken.append(work.calls)
    assert 0 < taken[1] <= 1.2 * taken[0]


async def test_a_transcript_made_ready_in_a_thread_is_shown_at_once_however_long() -> None:
    taken = []
    for records in (SHORT, LONG):
        transcript = build_transcript(read(long_session(records)))
        app = TranscriptScreen(read(long_session(8)))
        async with app.run_test(size=SCREEN) as pilot:
            await asyncio.to_thread(app.view.prepare, transcript)
            with counting_calls() as work:
                app.view.set_transcript(transcript, follow=True)
            await pilot.pause()
            assert app.view.selected is not None
            assert app.view.selected.entry_id == last_id(records)
        taken.append(work.calls)
    assert 0 < taken[1] <= 1.2 * taken[0]


# Keys: O(screen), whatever the size of the store and of the session


async def key_costs(
    show: Callable[[Host, int], object],
    sizes: tuple[int, int],
    focus: Callable[[Host], object],
) -> list[tuple[int, int, int]]:
    """Return calls, rows laid out and lines drawn for one key, at two sizes."""
    return [await _key_cost(show, size, focus) for size in sizes]


async def _key_cost(
    show: Callable[[Host, int], object], size: int, focus: Callable[[Host], object]
) -> tuple[int, int, int]:
    app = Host()
    async with app.run_test(size=SCREEN) as pilot:
        show(app, size)
        focus(app)
        await pilot.press("j", "j", "k")
        views = (app.list.view, app.tree_view)
        for view in views:
            view.laid_out_rows = view.drawn_lines = 0
        with counting_calls() as work:
            await pilot.press("j")
        laid_out = sum(view.laid_out_rows for view in views)
        drawn = sum(view.drawn_lines for view in views)
    assert work.calls > 0
    return work.calls, laid_out, drawn


def fill_list(app: Host, number: int) -> None:
    app.list.set_rows([session_row(f"s{at}", f"/w/{at % 7}", at * 60_000) for at in range(number)])


def fill_tree(app: Host, records: int) -> None:
    app.show(long_session(records))


async def test_a_key_in_the_list_lays_out_and_draws_no_more_than_the_screen() -> None:
    taken = await key_costs(fill_list, (FEW, MANY), lambda app: app.list.view.focus())
    for _calls, rows, lines in taken:
        assert 0 < lines <= 2 * SCREEN[1]
        assert rows <= SCREEN[1]


async def test_a_key_in_the_list_works_no_more_in_a_longer_list() -> None:
    few, many = await key_costs(fill_list, (FEW, MANY), lambda app: app.list.view.focus())
    assert many[0] <= 1.2 * few[0]


async def test_a_key_in_the_tree_works_and_draws_no_more_in_a_longer_session() -> None:
    few, many = await key_costs(fill_tree, (SHORT, LONG), lambda app: app.tree_view.focus())
    assert many[0] <= 1.2 * few[0]
    for _calls, rows, lines in (few, many):
        assert 0 < lines <= 4
        assert rows <= 4
