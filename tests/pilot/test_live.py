"""Live refresh in the mounted program: what others write shows without a key."""

from __future__ import annotations

import os
import random
import shutil
import time
from functools import partial
from typing import TYPE_CHECKING

import pytest

from ink_tui.agent.agents import Agent
from ink_tui.model.entries import EntryId
from ink_tui.store.discover import find_session_files
from ink_tui.store.library import Library
from ink_tui.store.reader import CHECKED_BYTES
from ink_tui.store.watch_values import Changes
from ink_tui.tui.render.head_lines import Tab
from ink_tui.tui.render.layout import Place
from ink_tui.tui.render.session_views import load_views
from ink_tui.tui.screens.feed import Feed
from ink_tui.tui.screens.preflight import PreflightScreen
from tests.cases import CASES_DIR, Case, all_cases
from tests.pilot.live import HandClock, Live, append_elsewhere, live_app, put
from tests.sessions import HEADER, answer, entry, line, simple, user

if TYPE_CHECKING:
    from pathlib import Path

BAND = "This file was deleted at"


@pytest.fixture
def moved_clock() -> HandClock:
    return HandClock(time.time_ns() // 1_000_000)


def header(number: int, cwd: str = "/home/u/demo") -> bytes:
    return line(HEADER | {"id": f"{number:08d}-1111-4111-8111-111111111111", "cwd": cwd})


def turns(count: int, *, first: int = 0, number: int = 1) -> bytes:
    """Return a chain of user messages, the header in front when it is the start."""
    said = b"" if first else header(number)
    for n in range(first, first + count):
        said += user(f"n{n}", f"n{n - 1}" if n else None, f"turn {n}", n)
    return said


def other(root: Path, clock: HandClock) -> Path:
    """Put a second session beside the one that is looked at; it is older."""
    records = header(9) + user("o1", None, "something else", 0)
    return put(root / "home-u-demo" / "z.jsonl", records, clock)


# One file grows


async def test_a_foreign_append_shows_everywhere_without_a_key(
    tmp_path: Path, moved_clock: HandClock
) -> None:
    root = tmp_path / "sessions"
    path = put(root / "home-u-demo" / "a.jsonl", turns(3), moved_clock)
    other(root, moved_clock)
    async with live_app(root, moved_clock, wanted=path) as live:
        assert "turn 0" in live.text(live.rows)
        assert "writing" not in live.text(live.rows)
        append_elsewhere(
            path, turns(1, first=3) + entry("session_info", "m1", "n3", 9, name="New name")
        )
        await live.shows("turn 3", live.browser.session.tree_view)
        await live.shows("New name", live.rows)
        assert "writing" in live.text(live.rows)
        await live.equals_a_fresh_load()
        await live.pilot.press("2")
        await live.shows("turn 3", live.browser.session.transcript.view)
        append_elsewhere(path, user("n4", "m1", "and one more", 30))
        await live.shows("and one more", live.browser.session.transcript.view)
        await live.equals_a_fresh_load()
        age = live.views.opened.row.last_ms
        append_elsewhere(path, user("n5", "n4", "a minute later", 90))
        await live.shows("a minute later", live.browser.session.transcript.view)
        assert age is not None
        assert live.views.opened.row.last_ms == age + 60_000
        moved_clock.pass_by(path, 2_001)
        await live.until(lambda: "writing" not in live.text(live.rows), "the end of writing")
        await live.equals_a_fresh_load()


async def test_age_and_order_in_the_list_follow(tmp_path: Path, moved_clock: HandClock) -> None:
    moved_clock.ms = 1_772_452_800_000  # noon of the day of the samples
    root = tmp_path / "sessions"
    path = put(root / "home-u-demo" / "a.jsonl", turns(1), moved_clock)
    later = header(9) + user("o1", None, "something else", 100)
    put(root / "home-u-demo" / "z.jsonl", later, moved_clock)
    async with live_app(root, moved_clock, wanted=path) as live:
        lines = [each.strip() for each in live.text(live.rows).splitlines() if each.strip()]
        assert [each.split()[-1] for each in lines[1:3]] == ["3h", "4h"]
        assert "something else" in lines[1]
        append_elsewhere(path, user("n1", "n0", "now", 4 * 3600 - 60))
        await live.shows("1m", live.rows)
        lines = [each.strip() for each in live.text(live.rows).splitlines() if each.strip()]
        assert "turn 0" in lines[1]
        assert lines[1].endswith("1m")
        assert live.browser.list.selected_path == str(path)


async def test_new_files_and_new_folders_appear_and_vanish(
    tmp_path: Path, moved_clock: HandClock
) -> None:
    root = tmp_path / "sessions"
    path = put(root / "home-u-demo" / "a.jsonl", turns(3), moved_clock)
    async with live_app(root, moved_clock, wanted=path) as live:
        put(root / "home-u-demo" / "b.jsonl", header(2) + user("x1", None, "a second one"))
        await live.shows("a second one", live.rows)
        outside = put(
            tmp_path / "made" / "c.jsonl",
            header(3, "/home/u/else") + user("y1", None, "in a new folder"),
        )
        outside.parent.rename(root / "home-u-else")
        await live.shows("in a new folder", live.rows)
        await live.shows("/home/u/else", live.rows)
        put(root / "home-u-deep" / "d.jsonl", header(4, "/home/u/deep") + user("z1", None, "deep"))
        await live.shows("/home/u/deep", live.rows)
        await live.equals_a_fresh_load()
        assert live.browser.list.selected_path == str(path)
        shutil.rmtree(root / "home-u-else")
        (root / "home-u-deep").rename(tmp_path / "away")
        await live.until(
            lambda: (
                "/home/u/else" not in live.text(live.rows)
                and "/home/u/deep" not in live.text(live.rows)
            ),
            "the folders gone",
        )
        await live.equals_a_fresh_load()


async def test_a_view_at_its_end_follows_and_one_elsewhere_stays(
    tmp_path: Path, moved_clock: HandClock
) -> None:
    root = tmp_path / "sessions"
    path = put(root / "home-u-demo" / "a.jsonl", turns(60), moved_clock)
    async with live_app(root, moved_clock, wanted=path) as live:
        tree, transcript = live.browser.session.tree_view, live.browser.session.transcript.view
        assert tree.highlighted is not None
        assert tree.highlighted.entry_id == "n59"
        append_elsewhere(path, turns(1, first=60))
        await live.until(lambda: tree.highlighted and tree.highlighted.entry_id == "n60", "n60")
        await live.shows("resume point", tree)
        await live.pilot.press("2")
        await live.shows("turn 60", transcript)
        append_elsewhere(path, turns(1, first=61))
        await live.shows("turn 61", transcript)

        await live.pilot.press("pageup", "pageup")
        held, block = transcript.scroll_offset.y, transcript.selected
        text = live.text(transcript)
        await live.pilot.press("1", "pageup")
        row, top = tree.selected, tree.scroll_offset.y
        drawn = live.text(tree)
        append_elsewhere(path, turns(8, first=62))
        await live.until(lambda: "n69" in tree.outline.by_entry, "n69")
        assert (tree.selected, tree.scroll_offset.y) == (row, top)
        assert live.text(tree) == drawn
        await live.pilot.press("2")
        assert transcript.scroll_offset.y == held
        assert transcript.selected == block
        shown = live.text(transcript).replace("of 70", "of 62")
        assert shown == text
        await live.equals_a_fresh_load()


async def test_a_half_written_line_is_being_written_and_only_later_torn(
    tmp_path: Path, moved_clock: HandClock
) -> None:
    root = tmp_path / "sessions"
    path = put(root / "home-u-demo" / "a.jsonl", turns(3), moved_clock)
    record = user("n3", "n2", "turn 3 潮", 3)
    async with live_app(root, moved_clock, wanted=path) as live:
        pane = live.browser.session
        for half, rest in ((record[:-20], record[-20:]), (record[:40], b"")):
            append_elsewhere(path, half)
            await live.until(lambda: path.stat().st_size == live.views.opened.row.size, "the half")
            await live.shows("writing", live.rows)
            await live.equals_a_fresh_load()
            await _says_written(live, torn=False)
            if rest:
                append_elsewhere(path, rest)
                await live.pilot.press("1")
                await live.shows("turn 3 潮", pane.tree_view)
                assert "being written" not in live.text(pane.tree_view)
                await live.equals_a_fresh_load()
        moved_clock.pass_by(path, 1_999)
        await live.browser.feed.settle()
        await _says_written(live, torn=False)
        moved_clock.pass_by(path, 2_000)
        await live.browser.feed.settle()
        await live.shows("torn tail", live.rows)
        await live.equals_a_fresh_load()
        await _says_written(live, torn=True)


async def _says_written(live: Live, *, torn: bool) -> None:
    """Look at every tab and at the list: one word or the other, never both."""
    pane = live.browser.session
    assert ("torn" in live.text(live.rows)) is torn
    assert ("writing" in live.text(live.rows)) is not torn
    await live.pilot.press("1")
    views = {Tab.TREE: pane, Tab.TRANSCRIPT: pane, Tab.HEALTH: pane}
    for key, tab in (("1", Tab.TREE), ("2", Tab.TRANSCRIPT), ("4", Tab.HEALTH)):
        await live.pilot.press(key)
        await live.pilot.pause()
        assert pane.active is tab
        assert tab in views
        right = "\n".join(each[43:] for each in live.screen.splitlines()).lower()
        assert ("being written" in right) is not torn, right
        assert ("torn tail" in right) is torn, right
        assert ("Health 1" in live.text(pane.head)) is torn
    assert ("! 1 need" in live.text(live.browser.header)) is torn


async def test_truncation_replacement_and_rewriting_equal_a_fresh_load(
    tmp_path: Path, moved_clock: HandClock
) -> None:
    root = tmp_path / "sessions"
    path = put(root / "home-u-demo" / "a.jsonl", turns(30), moved_clock)
    async with live_app(root, moved_clock, wanted=path) as live:
        tree = live.browser.session.tree_view
        os.truncate(path, len(turns(10)) - 5)
        await live.until(lambda: "n9" not in tree.outline.by_entry, "the end gone")
        await live.equals_a_fresh_load()
        fresh = put(tmp_path / "new.jsonl", header(1) + user("q1", None, "a new chat"))
        fresh.replace(path)
        await live.shows("a new chat", tree)
        await live.shows("a new chat", live.rows)
        await live.equals_a_fresh_load()
        # The same size, other content: only the time tells.
        text = path.read_bytes().replace(b"a new chat", b"an old one")
        path.write_bytes(text)
        await live.shows("an old one", tree)
        await live.equals_a_fresh_load()
        path.write_bytes(b"")
        await live.until(lambda: live.views.opened.row.error_kind == "empty-file", "empty")
        await live.equals_a_fresh_load()
        path.write_bytes(simple())
        await live.shows("one file", tree)
        await live.equals_a_fresh_load()


async def test_a_deleted_file_stays_on_the_screen_and_comes_back(
    tmp_path: Path, moved_clock: HandClock
) -> None:
    root = tmp_path / "sessions"
    path = put(root / "home-u-demo" / "a.jsonl", turns(3), moved_clock)
    older = other(root, moved_clock)
    moved_clock.ms = 1_772_452_800_000 + 240_000
    async with live_app(root, moved_clock, wanted=path) as live:
        path.unlink()
        sentence = f"{BAND} 12:04. You see the last state that was read."
        await live.shows(sentence, live.browser.session.band)
        await live.until(lambda: "turn 0" not in live.text(live.rows), "the row gone")
        assert "turn 2" in live.text(live.browser.session.tree_view)
        assert live.browser.list.selected_path == str(older)
        moved_clock.ms += 600_000
        await live.pilot.press("ctrl+r")
        await live.pilot.pause()
        append_elsewhere(older, user("o2", "o1", "news", 3))
        await live.until(
            lambda: any(
                row.records == 2
                for row in (live.browser.feed.listing.rows if live.browser.feed.listing else ())
            ),
            "the other session",
        )
        assert sentence in live.text(live.browser.session.band)
        assert live.browser.session.path == str(path)
        put(path, turns(5))
        await live.shows("turn 4", live.browser.session.tree_view)
        assert not live.browser.session.band.display
        await live.until(lambda: live.browser.list.selected_path == str(path), "the row back")
        await live.equals_a_fresh_load()


async def test_one_can_leave_a_deleted_session(tmp_path: Path, moved_clock: HandClock) -> None:
    root = tmp_path / "sessions"
    path = put(root / "home-u-demo" / "a.jsonl", turns(3), moved_clock)
    older = other(root, moved_clock)
    async with live_app(root, moved_clock, wanted=path) as live:
        live.browser.go(Place.LIST)
        path.unlink()
        await live.shows(BAND, live.browser.session.band)
        await live.until(lambda: live.browser.list.selected_path == str(older), "the other row")
        await live.pilot.press("enter")
        await live.until(lambda: live.browser.session.path == str(older), "the other session")
        assert not live.browser.session.band.display
        await live.equals_a_fresh_load()


async def test_a_folder_moved_away_takes_the_session_along(
    tmp_path: Path, moved_clock: HandClock
) -> None:
    root = tmp_path / "sessions"
    path = put(root / "home-u-demo" / "a.jsonl", turns(3), moved_clock)
    put(root / "else" / "z.jsonl", header(9, "/e") + user("o1", None, "elsewhere"), moved_clock)
    async with live_app(root, moved_clock, wanted=path) as live:
        path.parent.rename(tmp_path / "away")
        await live.shows(BAND, live.browser.session.band)
        (tmp_path / "away").rename(path.parent)
        await live.until(lambda: not live.browser.session.band.display, "the session back")
        await live.equals_a_fresh_load()


# Beside an agent


def shell_agent(home: Path) -> Agent:
    """Return an agent that waits for one line and ends."""
    program = home / "bin" / "ink"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\necho waiting\nread line\n")
    program.chmod(0o700)
    return Agent("shell", (str(program), "--resume", "{id}"))


async def test_a_foreign_append_beside_a_pane_of_ours(
    tmp_path: Path, moved_clock: HandClock
) -> None:
    root, work = tmp_path / "sessions", tmp_path / "work"
    work.mkdir()
    records = header(1, str(work)) + user("n0", None, "turn 0", 0)
    path = put(root / "work" / "a.jsonl", records, moved_clock)
    agent = shell_agent(tmp_path)
    async with live_app(root, moved_clock, wanted=path, agents=[agent]) as live:
        pane = live.browser.session
        await live.pilot.press("r")
        await live.until(lambda: isinstance(live.pilot.app.screen, PreflightScreen), "preflight")
        await live.pilot.press("enter")
        await live.shows("waiting")
        append_elsewhere(path, user("n1", "n0", "from elsewhere", 1))
        await live.shows("from elsewhere", pane.tree_view)
        assert not pane.band.sentence
        assert live.browser.place is Place.AGENT
        await live.pilot.press("x", "enter")
        await live.shows("exited 0")
        moved_clock.ms = 1_772_453_040_000
        append_elsewhere(path, turns(3, first=2))
        await live.shows("turn 4", pane.tree_view)
        said = "Another program wrote here at 12:04 (3 records). We are not writing."
        await live.until(lambda: pane.band.sentence == said, said)
        shown = " ".join(live.text(pane.band).replace("!", "").split())
        assert shown == said
        await live.equals_a_fresh_load()


# What is asked for meanwhile


async def test_news_of_the_shown_session_do_not_undo_a_selection(
    tmp_path: Path, moved_clock: HandClock
) -> None:
    root = tmp_path / "sessions"
    path = put(root / "home-u-demo" / "a.jsonl", turns(3), moved_clock)
    older = other(root, moved_clock)
    async with live_app(root, moved_clock, wanted=path, watch=False) as live:
        live.browser.list.select(str(older))
        await live.until(lambda: live.browser.viewing.path == str(older), "the wish")
        live.browser.files_changed(frozenset({str(path)}))
        await live.until(lambda: live.browser.session.path == str(older), "the selected one")


async def test_a_file_written_all_the_time_is_shown_all_the_same(
    tmp_path: Path, moved_clock: HandClock
) -> None:
    root = tmp_path / "sessions"
    path = put(root / "home-u-demo" / "a.jsonl", turns(3), moved_clock)
    async with live_app(root, moved_clock, wanted=path, watch=False) as live:
        shown: list[int] = []
        for n in range(3, 30):
            append_here(path, turns(1, first=n))
            live.browser.files_changed(frozenset({str(path)}))
            await live.pilot.pause()
            shown.append(live.views.opened.row.size)
        assert len(set(shown)) > 3
        await live.until(lambda: "n29" in live.views.outline.by_entry, "the last record")


def append_here(path: Path, data: bytes) -> None:
    with path.open("ab") as stream:
        stream.write(data)


# How much is read


@pytest.mark.parametrize("megabytes", [1, 50])
async def test_an_append_costs_what_was_appended(
    tmp_path: Path, moved_clock: HandClock, megabytes: int
) -> None:
    root = tmp_path / "sessions"
    said = [header(1)]
    size, n, text = 0, 0, "words " * 4_000
    while size < megabytes << 20:
        said.append(user(f"n{n}", f"n{n - 1}" if n else None, f"{n} {text}", n))
        size += len(said[-1])
        n += 1
    path = put(root / "home-u-demo" / "a.jsonl", b"".join(said), moved_clock)
    async with live_app(root, moved_clock, wanted=path) as live:
        await live.until(lambda: live.views.opened.row.size > size, "the whole file")
        last = EntryId(f"n{n - 1}")
        for number in range(3):
            before = live.library.bytes_read
            record = answer(f"x{number}", last, f"answer {number} " * 50, second=n + number)
            last = EntryId(f"x{number}")
            append_elsewhere(path, record)
            await live.until(partial(_has, live, last), last)
            await live.shows(f"answer {number}", live.browser.session.tree_view)
            assert live.library.bytes_read - before <= len(record) + CHECKED_BYTES
            assert live.library.bytes_read > before


def _has(live: Live, entry_id: EntryId) -> bool:
    return entry_id in live.views.outline.by_entry


def _is_size(live: Live, size: int) -> bool:
    return live.views.opened.row.size == size


# Cases that come in steps


@pytest.mark.parametrize(
    "case",
    [case for case in all_cases() if case.expected.get("steps")],
    ids=lambda case: case.name,
)
async def test_cases_in_steps(case: Case, tmp_path: Path, moved_clock: HandClock) -> None:
    root = tmp_path / "sessions"
    folder = root / "srv-work-tidepool"
    folder.mkdir(parents=True)
    path = folder / "session.jsonl"
    steps = case.expected["steps"]
    case.place(folder, 0)
    async with live_app(root, moved_clock, wanted=path) as live:
        for step in steps:
            if step["step"]:
                case.place(folder, step["step"])
            wanted = step["sessions"].get("session.jsonl")
            if wanted is None:
                await live.shows(BAND, live.browser.session.band)
                await live.until(lambda: not live.browser.list.listing.sessions, "no row")
                continue
            await live.until(
                partial(_is_size, live, wanted["size"]),
                f"step {step['step']}",
            )
            assert not live.browser.session.band.display
            await live.equals_a_fresh_load()
            diagnosis = live.views.opened.diagnosis
            assert diagnosis.leaf == wanted["leaf_id"]
            assert diagnosis.repair_needed == wanted["repair_needed"]
            assert len(diagnosis.session.nodes) == wanted["unique_ids"]
            if wanted["torn"] == "truncated":
                assert "being written" in live.text(live.browser.session.tree_view)
                assert "torn" not in live.screen


def test_the_cases_in_steps_are_all_there() -> None:
    names = {case.name[:2] for case in all_cases() if case.expected.get("steps")}
    assert {"86", "89"} <= names
    assert CASES_DIR.is_dir()


# Any order of events


class Followed:
    """A feed that is told of changes by hand, and the view of one file that is kept beside it."""

    def __init__(self, root: Path, clock: HandClock) -> None:
        self.root, self.clock = root, clock
        self.library = Library([str(root)], clock=clock)
        self.feed = Feed(
            self.library, show=lambda _: None, changed=self._changed, state=lambda _: None
        )
        self.told: set[str] = set()

    def _changed(self, files: frozenset[str]) -> None:
        self.told |= files

    def check(self) -> None:
        """Compare rows and views with those of a library that starts now."""
        fresh = Library([str(self.root)], clock=self.clock)
        listing = fresh.scan(quick=False)
        assert self.feed.listing is not None
        assert self.feed.listing.rows == listing.rows
        for found in find_session_files([str(self.root)]):
            kept = load_views(self.library, found.path, child_records={})
            assert kept == load_views(fresh, found.path, child_records={})


class Store:
    """Changes files at random, as agents and people do."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root, self.chance = root, random.Random(seed)
        self.number = 0
        self.moment = 1_772_452_800_000_000_000

    def step(self) -> Changes:
        files = sorted(self.root.rglob("*.jsonl"))
        kinds = ("append", "append", "part", "truncate", "replace", "delete", "touch", "new")
        kind = self.chance.choice(kinds) if files else "new"
        if kind == "new":
            self.number += 1
            place = self.chance.choice(["a", "b", "a/children"])
            path = self.root / place / f"{self.number}.jsonl"
            folders = not path.parent.exists()
            put(path, turns(self.chance.randrange(4), number=self.number))
        else:
            path, folders = self.chance.choice(files), False
            getattr(self, f"_{kind}")(path)
        self.moment += self.chance.choice([1, 900_000_000, 5_000_000_000])
        if path.exists() and kind != "touch":
            os.utime(path, ns=(self.moment, self.moment))
        return Changes(frozenset({str(path)}), folders)

    def _record(self) -> bytes:
        self.number += 1
        return user(f"r{self.number}", None, f"text {self.number} 潮" * 3, self.number)

    def _append(self, path: Path) -> None:
        append_here(path, self._record())

    def _part(self, path: Path) -> None:
        record = self._record()
        append_here(path, record[: self.chance.randrange(1, len(record))])

    def _truncate(self, path: Path) -> None:
        os.truncate(path, self.chance.randrange(path.stat().st_size + 1))

    def _replace(self, path: Path) -> None:
        aside = path.with_suffix(".new")
        aside.write_bytes(turns(2, number=self.number) + self._record())
        aside.replace(path)

    def _delete(self, path: Path) -> None:
        path.unlink()

    def _touch(self, path: Path) -> None:
        os.utime(path, ns=(self.moment, self.moment))


@pytest.mark.parametrize("seed", range(40))
async def test_any_order_of_events_ends_as_a_fresh_load(tmp_path: Path, seed: int) -> None:
    root = tmp_path / "sessions"
    root.mkdir()
    store = Store(root, seed)
    clock = HandClock(store.moment // 1_000_000)
    followed = Followed(root, clock)
    await followed.feed.read()
    for _ in range(8):
        changes = store.step()
        clock.ms = store.moment // 1_000_000
        await followed.feed.follow(changes)
        await followed.feed.finish()
        await followed.feed.settle()
        assert changes.files <= followed.told
        for path in sorted(root.rglob("*.jsonl"))[:2]:
            followed.library.open(str(path))
    followed.check()


async def test_a_file_where_no_scan_looks_makes_no_row(tmp_path: Path) -> None:
    root = tmp_path / "sessions"
    path = put(root / "a" / "b" / "c" / "x.jsonl", simple())
    held = put(root / "a" / "x.lease" / "y.jsonl", simple())
    followed = Followed(root, HandClock(0))
    await followed.feed.read()
    await followed.feed.follow(Changes(frozenset({str(path), str(held)}), folders=False))
    assert followed.feed.listing is not None
    assert followed.feed.listing.rows == ()
    followed.check()
