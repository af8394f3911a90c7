"""Pins, stars, notes, the archive and hidden branches from the keyboard."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from textual.widgets import Input

from ink_tui.keymap import DEFAULT_KEYMAP
from ink_tui.model.outline_rows import FilterMode, RowKind
from ink_tui.store.marks import change_marks, marks_path, read_marks
from ink_tui.tui.render.glyphs import ASCII
from ink_tui.tui.render.layout import Place
from ink_tui.tui.screens.field import FieldScreen
from tests.pilot.app import (
    LARGE,
    MIDDLE,
    SIZES,
    app_on,
    app_on_demo,
    demo_in,
    fake_agent,
    rows_fit,
    running,
    screen_text,
    settled,
    shown,
    until,
)
from tests.pilot.run import CLEAN, DAMAGED, Run, run_on_demo, typed

if TYPE_CHECKING:
    from ink_tui.model.listing import SessionRow
    from ink_tui.store.demo import Demo
    from tests.pilot.conftest import Notes

BOTH = [LARGE, MIDDLE]


def titles(run: Run) -> list[str]:
    return [item.title for item in run.browser.list.listing.items if item.row is not None]


def row_titled(run: Run, title: str) -> SessionRow:
    return next(row for row in run.browser.list._rows if row.title.startswith(title))


def files(demo: Demo) -> dict[str, tuple[bytes, os.stat_result]]:
    """Everything below the session root, with its times and modes."""
    return {
        str(path): (path.read_bytes() if path.is_file() else b"", path.stat())
        for path in sorted(demo.root.rglob("*"))
    }


def move(path: str) -> None:
    Path(path).rename(Path(path).with_name("renamed.jsonl"))


async def noted(run: Run, words: str) -> None:
    """Type a note and wait until it is kept."""
    before = read_marks(run.demo.state_dir).marks
    await typed(run.pilot, "i", words)
    await until(
        run.pilot, lambda: read_marks(run.demo.state_dir).marks != before, "the note is kept"
    )
    await settled(run.pilot)


# Pins and stars


async def test_a_pinned_session_stands_first_in_its_folder_and_stays_so(
    tmp_path: Path, notes: Notes
) -> None:
    with demo_in(tmp_path) as demo:
        async with running(app_on_demo(demo), LARGE) as pilot:
            run = Run(pilot, demo)
            before = titles(run)
            await run.select(CLEAN)
            await run.press("asterisk")
            assert notes.end_with("Pinned: it stands first in its folder")
            assert titles(run)[0].startswith(CLEAN)
            assert sorted(titles(run)) == sorted(before)
            row = run.browser.list.selected_row
            assert row is not None
            assert row.title.startswith(CLEAN)
        move(row.path)
        async with running(app_on_demo(demo), LARGE) as pilot:
            run = Run(pilot, demo)
            assert titles(run)[0].startswith(CLEAN)
            await run.press("asterisk")
            assert notes.end_with("No longer pinned")
            assert titles(run) == before


async def test_two_presses_are_two_changes(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        pilot = run.pilot
        await run.select(CLEAN)
        await pilot.press("asterisk", "asterisk", "plus", "plus")
        await settled(pilot)
        assert run.browser.marking.marks.sessions == {}
        await pilot.press("asterisk", "plus", "asterisk", "asterisk")
        await settled(pilot)
        (own,) = run.browser.marking.marks.sessions.values()
        assert own.words == ("pinned", "starred")


@pytest.mark.parametrize("size", SIZES)
async def test_a_star_is_seen_in_list_and_head(size: tuple[int, int], tmp_path: Path) -> None:
    async with run_on_demo(tmp_path, size) as run:
        pilot = run.pilot
        await run.select(CLEAN)
        await run.press("plus")
        assert f"✭ {CLEAN}" in run.text
        rows_fit(pilot)
        await run.press("enter")
        assert f"✭ {CLEAN}" in run.text
        rows_fit(pilot)
        await run.press("escape", "plus")
        assert "✭" not in run.text


async def test_two_programs_keep_each_others_marks(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        other = row_titled(run, DAMAGED).session_id
        assert other is not None
        change_marks(run.demo.state_dir, other, lambda own: own.with_word("starred", is_set=True))
        await run.select(CLEAN)
        assert "✭" not in run.text
        await run.press("asterisk")
        assert f"✭ {DAMAGED}" in run.text
        change_marks(run.demo.state_dir, other, lambda own: own.with_word("pinned", is_set=True))
        await run.press("ctrl+r")
        assert run.browser.marking.marks.of(other).words == ("pinned", "starred")


# Notes


@pytest.mark.parametrize("size", BOTH)
async def test_a_note_is_the_second_line_and_is_found(
    size: tuple[int, int], tmp_path: Path
) -> None:
    with demo_in(tmp_path) as demo:
        before = files(demo)
        async with running(app_on_demo(demo), size) as pilot:
            run = Run(pilot, demo)
            await run.select(CLEAN)
            await noted(run, "ask Lovelace about it")
            assert "note: ask Lovelace about it" in run.text
            rows_fit(pilot)
            await run.press("slash", *"lovelace", "enter")
            assert len(titles(run)) == 1
            await run.press("escape", "i")
            await shown(pilot, FieldScreen)
            field = pilot.app.screen.query_one(Input)
            assert field.value == "ask Lovelace about it"
            await pilot.press("escape")
            await settled(pilot)
            assert "note: ask Lovelace about it" in run.text
            await noted(run, "  ")
            assert "note:" not in run.text
            assert run.browser.marking.marks.sessions == {}
        assert files(demo) == before


async def test_a_note_keeps_every_character_until_it_is_changed(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        pilot = run.pilot
        await run.select(CLEAN)
        session = row_titled(run, CLEAN).session_id
        assert session is not None
        await pilot.press("i")
        await shown(pilot, FieldScreen)
        pilot.app.screen.query_one(Input).value = " \u202e odd \x1b[31m"
        await pilot.press("enter")
        await until(
            pilot, lambda: read_marks(run.demo.state_dir).marks.of(session).note, "the note"
        )
        await settled(pilot)
        assert read_marks(run.demo.state_dir).marks.of(session).note == " \u202e odd \x1b[31m"
        assert "<U+202E> odd ␛[31m" in run.text
        await pilot.press("i")
        await shown(pilot, FieldScreen)
        await pilot.press("enter")
        await settled(pilot)
        assert read_marks(run.demo.state_dir).marks.of(session).note == " \u202e odd \x1b[31m"


# The archive


@pytest.mark.parametrize("size", SIZES)
async def test_an_archived_session_leaves_is_counted_and_comes_back(
    size: tuple[int, int], tmp_path: Path, notes: Notes
) -> None:
    with demo_in(tmp_path) as demo:
        before_files = files(demo)
        async with running(app_on_demo(demo), size) as pilot:
            run = Run(pilot, demo)
            before, attention = titles(run), run.browser.list.listing.attention
            needing = row_titled(run, DAMAGED)
            assert run.browser.list.select(needing.path)
            await settled(pilot)
            await run.press("backspace")
            assert notes.end_with("Archived: . shows it, backspace brings it back")
            assert needing.title not in titles(run)
            assert run.browser.list.listing.attention == attention - 1
            assert run.browser.list.selected_path not in (None, needing.path)
            assert run.browser.session.path == run.browser.list.selected_path
            await run.press("end")
            assert "1 archived" in run.text
            rows_fit(pilot)
            await run.press("enter")  # on the row that counts them
            assert titles(run)[0].startswith(DAMAGED)
            assert run.browser.list.listing.attention == attention - 1
            assert run.browser.list.select(needing.path)
            await settled(pilot)
            assert "archived" in run.text
            rows_fit(pilot)
            await run.press("backspace")
            assert notes.end_with("Back from the archive")
            await run.press("full_stop")
            assert titles(run) == before
            assert run.browser.list.listing.attention == attention
        assert files(demo) == before_files


async def test_the_archive_survives_the_program_and_an_id_opens_from_it(tmp_path: Path) -> None:
    with demo_in(tmp_path) as demo:
        async with running(app_on_demo(demo), LARGE) as pilot:
            run = Run(pilot, demo)
            await run.select(CLEAN)
            path = run.browser.list.selected_path
            assert path is not None
            await run.press("backspace")
        async with running(app_on_demo(demo), LARGE) as pilot:
            run = Run(pilot, demo)
            assert not any(title.startswith(CLEAN) for title in titles(run))
            assert ", 1 archived" in screen_text(pilot)
            await run.press("full_stop")
            assert ", 1 archived" not in screen_text(pilot)
        app = app_on(
            demo.root, home=demo.home, cwd=str(demo.cwd), state_dir=demo.state_dir, wanted=path
        )
        async with running(app, LARGE) as pilot:
            run = Run(pilot, demo)
            assert run.browser.session.path == path
            assert run.browser.list.selected_path == path
            assert run.browser.place is Place.SESSION
            await run.press("escape", "backspace", "backspace")  # back, and away again
            assert not any(title.startswith(CLEAN) for title in titles(run))


async def test_with_everything_archived_the_list_still_says_so(tmp_path: Path) -> None:
    with demo_in(tmp_path) as demo:
        async with running(app_on_demo(demo), LARGE) as pilot:
            run = Run(pilot, demo)
            for _ in range(len(run.browser.list._rows)):
                if run.browser.list.selected_row is not None:
                    await run.press("backspace")
            assert titles(run) == []
            number = run.browser.list.listing.archived
            assert number > 5
            assert f"{number} archived" in run.text
            assert "No sessions here yet" not in run.text
        async with running(app_on_demo(demo), LARGE) as pilot:
            run = Run(pilot, demo)
            assert f"{number} archived" in run.text
            await run.press("full_stop")
            assert len(titles(run)) > number - 1


async def test_a_sub_agent_of_an_archived_session_is_brought_back_with_it(
    tmp_path: Path, notes: Notes
) -> None:
    async with run_on_demo(tmp_path) as run:
        pilot = run.pilot
        child = next(row for row in run.browser.list._rows if row.child)
        parent = next(row for row in run.browser.list._rows if row.session_id == child.parent_id)
        assert run.browser.list.select(parent.path)
        await settled(pilot)
        await run.press("backspace", "full_stop")
        assert run.browser.list.select(child.path)
        await settled(pilot)
        await run.press("backspace")
        assert notes.end_with("It is archived with the session that it stands under.")


async def test_a_session_with_an_agent_in_it_is_shown_though_archived(
    tmp_path: Path, notes: Notes
) -> None:
    with demo_in(tmp_path) as demo:
        app = app_on_demo(demo, agents=[fake_agent(demo.home)])
        async with running(app, LARGE) as pilot:
            run = Run(pilot, demo)
            await run.beside_agent()
            await pilot.press("escape")
            await settled(pilot)
            await run.press("backspace")
            assert notes.end_with("Archived; it is shown as long as an agent works in it")
            assert any(title.startswith(CLEAN) for title in titles(run))


# Records


@pytest.mark.parametrize("size", BOTH)
async def test_a_record_is_starred_and_noted_and_the_filter_finds_it(
    size: tuple[int, int], tmp_path: Path
) -> None:
    with demo_in(tmp_path) as demo:
        before = files(demo)
        async with running(app_on_demo(demo), size) as pilot:
            run = Run(pilot, demo)
            await run.select(CLEAN)
            await run.press("enter", "home", "plus")
            assert "✭ " in run.text
            await noted(run, "the start")
            assert "note: the start" in run.text
            assert "Starred." in run.text
            rows_fit(pilot)
            while run.tree.mode is not FilterMode.LABELLED:
                await run.press("v")
            kinds = [row.kind for row in run.tree.seen]
            assert kinds == [RowKind.USER, RowKind.RESUME]
            await run.press("2", "home")
            assert "✭ " in run.text
            rows_fit(pilot)
            await run.press("plus")
            own = next(iter(run.browser.marking.marks.sessions.values()))
            assert [record.starred for record in own.records.values()] == [False]
        assert files(demo) == before


async def test_the_column_beside_the_tree_shows_stars_as_well(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path, (200, 60)) as run:
        await run.select(CLEAN)
        await run.press("enter", "home", "plus")
        starred = [block for block in run.browser.session.beside.view.blocks if block.starred]
        assert len(starred) == 1


async def test_in_a_replay_the_key_plays_faster(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await run.at_replay()
        before = run.playback.speed
        await run.press("plus")
        assert run.playback.speed > before
        assert run.browser.marking.marks.sessions == {}


@pytest.mark.parametrize(("tab", "key", "verb"), [("3", "plus", "star"), ("4", "i", "note")])
async def test_where_no_record_is_selected_a_sentence_says_so(
    tab: str, key: str, verb: str, tmp_path: Path, notes: Notes
) -> None:
    async with run_on_demo(tmp_path) as run:
        await run.press(tab, key)
        assert notes.end_with(f"Select a record of the tree or the transcript to {verb} it.")


# Branches


@pytest.mark.parametrize("size", SIZES)
async def test_a_branch_is_hidden_counted_shown_and_brought_back(
    size: tuple[int, int], tmp_path: Path
) -> None:
    with demo_in(tmp_path) as demo:
        before = files(demo)
        async with running(app_on_demo(demo), size) as pilot:
            run = Run(pilot, demo)
            await run.at_tree()
            settle = run.browser.session.health._health
            stubs = [row for row in run.tree.seen if row.stub]
            assert len(stubs) > 1
            assert run.tree.select(stubs[0].key)
            await run.press("backspace")
            assert "1 hidden" in run.text
            counted = run.tree.highlighted
            assert counted is not None
            assert counted.kind is RowKind.HIDDEN
            rows_fit(pilot)
            assert run.tree.select(stubs[1].key)
            await run.press("backspace")
            assert "2 hidden" in run.text
            await run.press("full_stop")
            assert stubs[0].key in {row.key for row in run.tree.seen}
            rows_fit(pilot)
            assert run.browser.session.health._health == settle
            assert run.tree.select(stubs[0].key)
            await run.press("backspace")
            assert "1 hidden" in run.text
            count = next(row for row in run.tree.seen if row.kind is RowKind.HIDDEN)
            assert run.tree.select(count.key)
            await run.press("backspace")
            assert "hidden" not in run.text
            assert [row.key for row in run.tree.seen if row.stub] == [row.key for row in stubs]
        assert files(demo) == before


async def test_the_trunk_cannot_be_hidden(tmp_path: Path, notes: Notes) -> None:
    async with run_on_demo(tmp_path) as run:
        await run.at_tree()
        await run.press("home", "backspace")
        assert notes.end_with("Only a branch that was left can be hidden")
        assert run.browser.marking.marks.sessions == {}


# The file


async def test_damaged_marks_never_stop_a_start(tmp_path: Path, notes: Notes) -> None:
    with demo_in(tmp_path) as demo:
        demo.state_dir.mkdir(parents=True, exist_ok=True)
        marks_path(demo.state_dir).write_bytes(b"{")
        async with running(app_on_demo(demo), LARGE) as pilot:
            run = Run(pilot, demo)
            assert run.browser.session.path == str(demo.first)
            assert any("marks.json is damaged" in said for said in notes.said)
            await run.press("plus")
            assert f"✭ {DAMAGED}" in run.text


async def test_marks_of_a_newer_version_are_shown_and_kept(tmp_path: Path, notes: Notes) -> None:
    with demo_in(tmp_path) as demo:
        session = json.loads(demo.first.read_bytes().split(b"\n")[0])["id"]
        content = json.dumps({"version": 9, "sessions": {session: {"starred": True}}}).encode()
        demo.state_dir.mkdir(parents=True, exist_ok=True)
        marks_path(demo.state_dir).write_bytes(content)
        async with running(app_on_demo(demo), LARGE) as pilot:
            run = Run(pilot, demo)
            assert f"✭ {DAMAGED}" in run.text
            await run.press("plus")
            assert notes.end_with("it is not changed.")
        assert marks_path(demo.state_dir).read_bytes() == content


@pytest.mark.parametrize(
    ("key", "word"), [("asterisk", "pinned"), ("plus", "starred"), ("i", "noted")]
)
async def test_a_session_without_an_id_cannot_be_marked(
    key: str, word: str, tmp_path: Path, notes: Notes
) -> None:
    with demo_in(tmp_path) as demo:
        demo.first.write_bytes(b"no session\n")
        async with running(app_on_demo(demo), LARGE) as pilot:
            run = Run(pilot, demo)
            assert run.browser.list.select(str(demo.first))
            await run.press(key)
            assert notes.end_with(f"cannot be {word}.")
            assert run.browser.marking.marks.sessions == {}


@pytest.mark.parametrize(
    "action", ["pin", "star", "note", "archive", "star-record", "note-record", "hide-branch"]
)
def test_no_letter_writes_without_a_dialog(action: str) -> None:
    (key,) = DEFAULT_KEYMAP.action(action).keys
    assert len(key) > 1 or key == "i"  # which asks for the words first


async def test_in_ascii_the_star_is_another_mark_than_the_words(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path, glyphs=ASCII) as run:
        pilot = run.pilot
        await run.select(CLEAN)
        await run.press("plus", "asterisk")
        assert f"* {CLEAN}" in run.text
        assert "pinned" in run.text
        rows_fit(pilot)


async def test_letters_type_in_the_filter(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await run.press("slash", "i", "plus", "x", "backspace")
        assert run.browser.list.asked.filter == "i+"
        assert run.browser.marking.marks.sessions == {}


def opened_for_writing(seen: list[tuple[str, Any]], root: Path) -> list[str]:
    writing = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
    return [
        str(path)
        for path, flags in seen
        if str(path).startswith(str(root)) and (flags is None or flags & writing)
    ]


async def test_no_session_file_is_opened_for_writing_by_any_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, Any]] = []
    real = os.open

    def open_noted(path: Any, flags: int, *rest: Any, **named: Any) -> int:
        seen.append((os.fsdecode(path), flags))
        return real(path, flags, *rest, **named)

    monkeypatch.setattr(os, "open", open_noted)
    for name in ("rename", "replace", "unlink", "utime", "truncate", "chmod", "mkdir"):
        monkeypatch.setattr(os, name, partial(_noted, seen, getattr(os, name)))
    with demo_in(tmp_path) as demo:
        seen.clear()
        async with running(app_on_demo(demo), LARGE) as pilot:
            run = Run(pilot, demo)
            await run.select(CLEAN)
            await run.press("asterisk", "plus")
            await noted(run, "a note")
            await run.press("enter", "home", "plus")
            await noted(run, "another")
            await run.press("escape", "backspace", "full_stop")
            await run.select(DAMAGED)
            await run.at_tree()
            stub = next(row for row in run.tree.seen if row.stub)
            assert run.tree.select(stub.key)
            await run.press("backspace", "full_stop")
        marks = read_marks(demo.state_dir).marks
        assert len(marks.sessions) == 2
        assert opened_for_writing(seen, demo.root) == []
        # What it looks for is seen: our own file was written.
        assert opened_for_writing(seen, demo.state_dir)


def _noted(seen: list[tuple[str, Any]], real: Any, path: Any, *rest: Any, **named: Any) -> Any:
    seen.append((str(path), None))
    return real(path, *rest, **named)
