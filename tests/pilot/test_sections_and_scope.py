"""Sections and scope of the list from the keyboard, by mouse, and from one start to the next."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.groups import Arrangement, ItemKind
from ink_tui.model.scope import Scope
from ink_tui.model.view import ListView
from ink_tui.store.view_file import read_view, view_path, write_view
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.render.layout import Place
from ink_tui.tui.screens.commands import CommandsScreen
from tests.pilot.app import (
    LARGE,
    MIDDLE,
    SIZES,
    app_on,
    app_on_demo,
    browser_of,
    click_on,
    demo_in,
    rows_fit,
    running,
    screen_lines,
    screen_text,
    settled,
    shown,
    until,
)
from tests.pilot.run import CLEAN, DAMAGED, Run

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.pilot.app import AppPilot
    from tests.pilot.conftest import Notes

sizes = pytest.mark.parametrize("size", SIZES, ids=[f"{c}x{r}" for c, r in SIZES])


@asynccontextmanager
async def demo_run(
    folder: Path, size: tuple[int, int] = LARGE, glyphs: Glyphs = UNICODE
) -> AsyncIterator[Run]:
    with demo_in(folder) as demo:
        async with running(app_on_demo(demo, glyphs=glyphs), size) as pilot:
            yield Run(pilot, demo)


def titles(pilot: AppPilot) -> list[str]:
    items = browser_of(pilot).list.listing.items
    return [item.title for item in items if item.row is not None]


def scope_of(pilot: AppPilot) -> Scope:
    return browser_of(pilot).list.asked.scope


def arrangement_of(pilot: AppPilot) -> Arrangement:
    return browser_of(pilot).list.asked.arrangement


def session(root: Path, number: int, cwd: Path | str, title: str) -> Path:
    """Write a sound session of one message."""
    when = f"2026-03-02T1{number % 2}:0{number % 10}:00.000Z"
    head = {"type": "session", "version": 1, "id": f"id-{number}", "timestamp": when}
    said = {"role": "user", "content": title, "timestamp": 1_772_000_000_000 + number}
    entry = {"type": "message", "id": f"e{number}", "parentId": None, "timestamp": when}
    lines = [{**head, "cwd": str(cwd)}, {**entry, "message": said}]
    path = root / f"folder-{number}" / f"2026-03-02T10-00-00-000Z_id-{number}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    os.utime(path, (1_772_000_000, 1_772_000_000))
    return path


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A repository with a worktree, and sessions in both and elsewhere."""
    place = Path(os.path.realpath(tmp_path))
    main, other = place / "main", place / "other"
    for folder in (main / "sub", other, place / "elsewhere"):
        folder.mkdir(parents=True)
    if shutil.which("git") is not None:
        own = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
        nobody = {"PATH": os.environ["PATH"], "HOME": str(place), "GIT_CONFIG_NOSYSTEM": "1"}
        for words in (
            ["init"],
            ["commit", "--allow-empty", "-m", "x"],
            ["worktree", "add", "-f", str(other)],
        ):
            subprocess.run([*own, *words], cwd=main, env=nobody, check=True, capture_output=True)
    else:
        admin = main / ".git" / "worktrees" / "other"
        admin.mkdir(parents=True)
        (main / ".git" / "objects").mkdir()
        (main / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        (admin / "gitdir").write_text(f"{other}/.git\n")
        (admin / "HEAD").write_text("ref: refs/heads/x\n")
        (admin / "commondir").write_text("../..\n")
        (other / ".git").write_text(f"gitdir: {admin}\n")
    for number, (cwd, title) in enumerate(
        [
            (main, "at the top"),
            (main / "sub", "in sub"),
            (other / "x", "in the worktree"),
            (place / "elsewhere", "elsewhere"),
            (place / "main-not", "a name that begins alike"),
        ]
    ):
        session(place / "sessions", number, cwd, title)
    return place


@asynccontextmanager
async def run_in(
    place: Path, cwd: str, size: tuple[int, int] = LARGE, wanted: str | None = None
) -> AsyncIterator[AppPilot]:
    app = app_on(place / "sessions", home=place, cwd=cwd, state_dir=place / "state", wanted=wanted)
    async with running(app, size) as pilot:
        yield pilot


async def press(pilot: AppPilot, *keys: str) -> None:
    await pilot.press(*keys)
    await settled(pilot)
    rows_fit(pilot)


# Sections


@sizes
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
async def test_the_sections_change_in_turn_and_the_session_stays(
    size: tuple[int, int], glyphs: Glyphs, tmp_path: Path
) -> None:
    async with demo_run(tmp_path, size, glyphs) as run:
        await run.select(CLEAN)
        path = run.browser.list.selected_path
        for arrangement, heading in (
            (Arrangement.URGENCY, "needs you"),
            (Arrangement.TIME, "today"),
            (Arrangement.FOLDER, "~/work/demo"),
        ):
            await press(run.pilot, "s")
            assert run.arrangement() is arrangement
            assert run.browser.list.selected_path == path
            assert heading in run.text
            if size != LARGE or arrangement is Arrangement.FOLDER:
                assert arrangement.value in run.text
            wide = arrangement is not Arrangement.FOLDER and size == LARGE
            assert run.browser.list.size.width == (60 if wide else 42 if size == LARGE else size[0])


async def test_by_urgency_goes_back_to_what_it_was(tmp_path: Path) -> None:
    async with demo_run(tmp_path) as run:
        await press(run.pilot, "s", "s", "exclamation_mark")
        assert run.arrangement() is Arrangement.URGENCY
        await press(run.pilot, "exclamation_mark")
        assert run.arrangement() is Arrangement.TIME


# Scope


@sizes
async def test_the_scope_changes_in_turn(size: tuple[int, int], place: Path) -> None:
    async with run_in(place, str(place / "main"), size) as pilot:
        browser = browser_of(pilot)
        assert len(titles(pilot)) == 5
        assert browser.list.select(next(r.path for r in browser.list._rows if r.title == "in sub"))
        path = browser.list.selected_path
        await press(pilot, "S")
        assert set(titles(pilot)) == {"at the top", "in sub"}
        assert "2 of 5" in screen_text(pilot)
        assert "3 outside this folder" in screen_text(pilot)
        assert "this folder" in screen_lines(pilot)[2 if size == LARGE else 1]
        assert browser.list.selected_path == path
        await press(pilot, "S")
        assert set(titles(pilot)) == {"at the top", "in sub", "in the worktree"}
        assert "2 outside this repository" in screen_text(pilot)
        assert browser.list.selected_path == path
        await press(pilot, "S")
        assert len(titles(pilot)) == 5
        assert scope_of(pilot) is Scope.ALL
        assert "outside" not in screen_text(pilot)
        assert browser.list.selected_path == path


async def test_the_repository_is_found_from_below_and_from_a_worktree(place: Path) -> None:
    for cwd in (place / "main" / "sub", place / "other"):
        async with run_in(place, str(cwd)) as pilot:
            await press(pilot, "S", "S")
            assert set(titles(pilot)) == {"at the top", "in sub", "in the worktree"}
            await press(pilot, "S")


async def test_outside_a_repository_that_step_is_left_out_and_said(
    place: Path, notes: Notes
) -> None:
    async with run_in(place, str(place / "elsewhere")) as pilot:
        await press(pilot, "S")
        assert scope_of(pilot) is Scope.FOLDER
        await press(pilot, "S")
        assert scope_of(pilot) is Scope.ALL
        assert notes.said[-1] == "~/elsewhere is in no git repository. All folders are shown."


async def test_a_repository_that_cannot_be_read_is_said_and_nothing_is_lost(
    place: Path, notes: Notes
) -> None:
    (place / "elsewhere" / ".git").write_bytes(b"gitdir: /nowhere\x1b[31m\n")
    async with run_in(place, str(place / "elsewhere")) as pilot:
        await press(pilot, "S", "S")
        assert "cannot be read" in notes.said[-1]
        assert "\x1b" not in screen_text(pilot)
        assert len(titles(pilot)) == 5


async def test_worktrees_that_cannot_be_told_are_said(place: Path, notes: Notes) -> None:
    (place / "main" / ".git" / "worktrees" / "other" / "gitdir").write_bytes(b"\0")
    async with run_in(place, str(place / "main")) as pilot:
        await press(pilot, "S", "S")
        assert notes.said[-1] == "1 worktree of this repository cannot be told: counted as outside."
        assert "in the worktree" not in titles(pilot)


async def test_started_in_a_folder_that_is_gone_all_is_shown(place: Path, notes: Notes) -> None:
    async with run_in(place, "") as pilot:
        await press(pilot, "S")
        assert scope_of(pilot) is Scope.ALL
        assert "is not there" in notes.said[-1]
        assert len(titles(pilot)) == 5


@sizes
async def test_an_empty_scope_says_so_and_offers_the_way_out(
    size: tuple[int, int], place: Path
) -> None:
    (place / "new").mkdir()
    async with run_in(place, str(place / "new"), size) as pilot:
        await press(pilot, "S")
        text = screen_text(pilot)
        for words in ("No session in this folder.", "enter shows all folders", "5 outside"):
            assert words in text
        await press(pilot, "enter")
        assert scope_of(pilot) is Scope.ALL
        assert len(titles(pilot)) == 5


@sizes
async def test_a_filter_within_a_scope_says_what_it_finds_outside(
    size: tuple[int, int], place: Path
) -> None:
    async with run_in(place, str(place / "main"), size) as pilot:
        await press(pilot, "S", "slash", *"elsewhere", "enter")
        text = screen_text(pilot)
        assert "Nothing matches “elsewhere” in this" in text
        assert "1 outside this folder" in text
        await press(pilot, "enter")
        assert titles(pilot) == ["elsewhere"]


@sizes
async def test_the_selection_comes_back_with_the_scope(size: tuple[int, int], place: Path) -> None:
    async with run_in(place, str(place / "main"), size) as pilot:
        browser = browser_of(pilot)
        far = next(row.path for row in browser.list._rows if row.title == "elsewhere")
        browser.list.select(far)
        await press(pilot, "S")
        assert browser.list.selected_path != far
        assert not any(item.outside for item in browser.list.listing.items)
        await press(pilot, "S", "S")
        assert browser.list.selected_path == far
        await press(pilot, "S", "home", "S", "S")
        assert browser.list.selected_path != far


# Asked for by name


@sizes
async def test_a_session_named_at_the_start_is_shown_although_outside(
    size: tuple[int, int], place: Path, notes: Notes
) -> None:
    write_view(place / "state", ListView(scope=Scope.FOLDER))
    wanted = next((place / "sessions" / "folder-3").iterdir())
    async with run_in(place, str(place / "main"), size, str(wanted)) as pilot:
        browser = browser_of(pilot)
        assert browser.session.path == str(wanted)
        assert browser.place is Place.SESSION
        assert notes.said[-1].startswith(
            "Outside this folder, shown since it was asked for by name."
        )
        await press(pilot, "escape")
        assert set(titles(pilot)) == {"at the top", "in sub", "elsewhere"}
        lines = screen_lines(pilot)
        assert any("elsewhere" in line and " outside " in line for line in lines)
        assert "2 outside this folder" in screen_text(pilot)
        # Another scope was asked for: now it leaves.
        await press(pilot, "S")
        assert "elsewhere" not in titles(pilot)


# Remembered


@sizes
async def test_both_are_there_at_the_next_start(size: tuple[int, int], place: Path) -> None:
    async with run_in(place, str(place / "main"), size) as pilot:
        await press(pilot, "s", "s", "S", "S")
    assert read_view(place / "state") == ListView(Arrangement.TIME, Scope.REPOSITORY)
    async with run_in(place, str(place / "other"), size) as pilot:
        browser = browser_of(pilot)
        assert arrangement_of(pilot) is Arrangement.TIME
        assert set(titles(pilot)) == {"at the top", "in sub", "in the worktree"}
        if size == LARGE:
            assert browser.list.size.width == 60
    # Elsewhere there is no repository: all is shown, and the choice is kept for where there is.
    async with run_in(place, str(place / "elsewhere"), size) as pilot:
        assert len(titles(pilot)) == 5
        assert scope_of(pilot) is Scope.ALL
        await press(pilot, "s")
    assert read_view(place / "state") == ListView(Arrangement.FOLDER, Scope.REPOSITORY)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"sections": 3, "scope": "moon"}', b"\xff"]
)
async def test_a_damaged_memory_is_as_if_there_were_none(
    content: bytes, place: Path, notes: Notes
) -> None:
    (place / "state").mkdir()
    view_path(place / "state").write_bytes(content)
    async with run_in(place, str(place / "main")) as pilot:
        assert scope_of(pilot) is Scope.ALL
        assert arrangement_of(pilot) is Arrangement.FOLDER
        assert len(titles(pilot)) == 5
        assert not notes.said
        await press(pilot, "s")
    assert read_view(place / "state") == ListView(Arrangement.URGENCY)


async def test_where_nothing_can_be_remembered_it_is_said_once_and_works(
    place: Path, notes: Notes
) -> None:
    (place / "state").write_bytes(b"not a folder")
    async with run_in(place, str(place / "main")) as pilot:
        await press(pilot, "s", "S")
        assert arrangement_of(pilot) is Arrangement.URGENCY
        assert scope_of(pilot) is Scope.FOLDER
        said = [note for note in notes.said if note.startswith("This will not be remembered.")]
        assert len(said) == 1


async def test_looking_alone_remembers_nothing(place: Path) -> None:
    async with run_in(place, str(place / "main")) as pilot:
        await press(pilot, "down", "enter", "escape", "slash", *"sub", "escape", "escape")
    assert not view_path(place / "state").exists()


# By mouse, by name, and while things change


@sizes
async def test_the_words_beside_the_filter_are_clicked(size: tuple[int, int], place: Path) -> None:
    async with run_in(place, str(place / "main"), size) as pilot:
        browser = browser_of(pilot)
        await click_on(pilot, "all folders", right=2)
        assert scope_of(pilot) is Scope.FOLDER
        await click_on(pilot, "by folder", right=3)
        assert arrangement_of(pilot) is Arrangement.URGENCY
        rows_fit(pilot)
        await click_on(pilot, "3 outside", right=2)
        assert scope_of(pilot) is Scope.ALL
        await press(pilot, "full_stop")
        await click_on(pilot, "with hidden", right=2)
        assert not browser.list.asked.show_hidden
        if size == LARGE:
            browser.go(Place.SESSION)
            await settled(pilot)
            await click_on(pilot, "all folders", right=2)
            assert scope_of(pilot) is Scope.FOLDER


@sizes
async def test_both_are_found_by_name(size: tuple[int, int], place: Path) -> None:
    async with run_in(place, str(place / "main"), size) as pilot:
        await pilot.press("ctrl+p")
        await shown(pilot, CommandsScreen)
        await pilot.press(*"git repository", "enter")
        await until(pilot, lambda: scope_of(pilot) is Scope.FOLDER, "the next scope")


async def test_a_new_session_and_a_new_worktree_are_taken_in(place: Path) -> None:
    async with run_in(place, str(place / "main")) as pilot:
        await press(pilot, "S", "S")
        session(place / "sessions", 7, place / "main" / "new", "one more")
        session(place / "sessions", 8, place / "late", "in a late worktree")
        await press(pilot, "ctrl+r")
        assert "one more" in titles(pilot)
        assert "in a late worktree" not in titles(pilot)
        admin = place / "main" / ".git" / "worktrees" / "late"
        shutil.copytree(place / "main" / ".git" / "worktrees" / "other", admin)
        (admin / "gitdir").write_text(f"{place}/late/.git\n")
        await press(pilot, "ctrl+r")
        assert "in a late worktree" in titles(pilot)
        assert scope_of(pilot) is Scope.REPOSITORY


async def test_a_key_pressed_again_while_a_folder_is_looked_at_is_a_step_of_its_own(
    place: Path,
) -> None:
    async with run_in(place, str(place / "main")) as pilot:
        await press(pilot, "S", "S", "S", "S")
        assert scope_of(pilot) is Scope.FOLDER
    assert read_view(place / "state").scope is Scope.FOLDER


async def test_letters_type_in_the_filter(place: Path) -> None:
    async with run_in(place, str(place / "main"), MIDDLE) as pilot:
        await press(pilot, "slash", *"sSs")
        assert browser_of(pilot).list.asked.filter == "sSs"
        assert scope_of(pilot) is Scope.ALL


async def test_what_is_outside_needs_a_person_all_the_same(tmp_path: Path) -> None:
    async with demo_run(tmp_path) as run:
        app = run.browser
        app.list._asked = replace(app.list.asked, current_cwd="/nowhere")
        await press(run.pilot, "S")
        [item] = app.list.listing.items
        assert item.kind is ItemKind.OUTSIDE
        assert item.attention == 4
        assert "! 4" in run.text
        assert app.list.selected_path is None
        await press(run.pilot, "enter")
        row = app.list.selected_row
        assert row is not None
        assert row.title.startswith(DAMAGED)
