"""The key `e`: which file is opened, what is asked before, what is said when it does not work."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pytest

from ink_tui.model.entries import EntryId
from ink_tui.tui.screens.question import QuestionScreen
from tests.pilot.app import (
    LARGE,
    SIZES,
    app_on,
    browser_of,
    rows_fit,
    running,
    screen_text,
    settled,
    shown,
    until,
)
from tests.transcript_samples import Script, call, result

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.pilot.app import AppPilot
    from tests.pilot.conftest import Notes


@dataclass
class Runs:
    """What was run in place of an editor."""

    argvs: list[tuple[str, ...]] = field(default_factory=list)
    apart: list[bool] = field(default_factory=list)
    code: int = 0
    given_away: int = 0

    def run(self, argv: tuple[str, ...], env: Any, *, apart: bool) -> int:
        assert env["MINE"] == "yes"
        self.argvs.append(argv)
        self.apart.append(apart)
        return self.code

    @contextmanager
    def suspended(self) -> Iterator[None]:
        self.given_away += 1
        yield


def store(folder: Path) -> Path:
    """A root with one session: an edit, a search, a talk, a file that is gone, one outside."""
    work = folder / "work"
    (work / "src").mkdir(parents=True)
    for name in ("src/a.py", "src/b.py", "文档.md"):
        (work / name).write_text("x\n")
    outside = folder / "outside.txt"
    outside.write_text("x\n")
    script = Script(str(work)).user(f"look at {outside}:3")
    script.answer(
        call("c1", "edit", path="src/a.py", edits=[{"oldText": "x", "newText": "y"}]),
        call("c2", "grep", pattern="x", path="src"),
        call("c3", "read", path="gone\x1b[2J[red].py"),
    )
    script.results(
        result("c1", "edit", "Edited src/a.py (1 edit(s) applied):\n\n@@ line 9 @@"),
        result("c2", "grep", "src/a.py:3:x\nsrc/b.py:4:x"),
        result("c3", "read", "Error: no such file", error=True),
    )
    script.answer("nothing here")
    place = folder / "sessions" / "one"
    place.mkdir(parents=True)
    (place / "s.jsonl").write_bytes(script.data())
    return place.parent


def editor(folder: Path, name: str) -> dict[str, str]:
    """An environment that names an editor which is there."""
    program = folder / "bin" / name
    program.parent.mkdir(exist_ok=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700)
    return {"PATH": str(program.parent), "EDITOR": f"{name} -x", "MINE": "yes"}


class Program:
    """The program on the store, with a fake editor."""

    def __init__(self, folder: Path, name: str = "vim", size: tuple[int, int] = LARGE) -> None:
        self.folder = folder
        self.app = app_on(store(folder), home=folder)
        env = editor(folder, name) if name else {"PATH": str(folder)}
        self.app.services = replace(self.app.services, own_env=env)
        self.size = size
        self.runs = Runs()

    async def __aenter__(self) -> Program:
        self._running = running(self.app, self.size)
        self.pilot: AppPilot = await self._running.__aenter__()
        editing = browser_of(self.pilot).editing
        editing.run, editing.suspended = self.runs.run, self.runs.suspended
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self._running.__aexit__(*error)

    async def at(self, entry: str, call_id: str | None = None, tab: str = "2") -> None:
        await settled(self.pilot)
        await self.pilot.press(tab)
        assert browser_of(self.pilot).session.show_record(EntryId(entry), call_id)
        await settled(self.pilot)

    async def asked(self) -> QuestionScreen:
        await self.pilot.press("e")
        await shown(self.pilot, QuestionScreen)
        rows_fit(self.pilot)
        screen = self.pilot.app.screen
        assert isinstance(screen, QuestionScreen)
        return screen

    async def ran(self, *argv: str) -> None:
        await until(self.pilot, lambda: self.runs.argvs, "the editor")
        vim = str(self.folder / "bin" / "vim")
        assert self.runs.argvs == [(vim, "-x", *argv)]


@pytest.mark.parametrize("tab", ["1", "2"])
async def test_the_file_of_a_call_is_opened_at_its_line(tmp_path: Path, tab: str) -> None:
    async with Program(tmp_path) as program:
        await program.at("e2", "c1", tab)
        await program.pilot.press("e")
        await program.ran("+9", str(tmp_path / "work/src/a.py"))
        assert program.runs.given_away == 1
        assert program.runs.apart == [False]


async def test_one_of_several_files_is_asked_for(tmp_path: Path) -> None:
    async with Program(tmp_path) as program:
        await program.at("e2", "c2")
        screen = await program.asked()
        assert screen.question == "Open which file in vim?"
        names = [choice.name for choice in screen.choices]
        assert names == ["src/a.py:3", "src/b.py:4", "this record, line 3", "Cancel"]
        await program.pilot.press("down", "enter")
        await program.ran("+4", str(tmp_path / "work/src/b.py"))


async def test_what_lies_outside_is_shown_before(tmp_path: Path) -> None:
    async with Program(tmp_path) as program:
        await program.at("e1")
        screen = await program.asked()
        assert screen.question == "Open ~/outside.txt?"
        text = " ".join(screen.sentences)
        assert "It lies outside the folder of the session, ~/work." in text
        vim = tmp_path / "bin" / "vim"
        assert f"Runs: {vim} -x +3 {tmp_path}/outside.txt" in text
        await program.pilot.press("escape")
        await settled(program.pilot)
        assert program.runs.argvs == []
        await program.asked()
        await program.pilot.press("enter")
        await program.ran("+3", str(tmp_path / "outside.txt"))


async def test_a_file_that_is_gone_is_said_and_the_record_can_be_looked_at(tmp_path: Path) -> None:
    async with Program(tmp_path) as program:
        await program.at("e2", "c3")
        screen = await program.asked()
        assert screen.question == "There is no file to open"
        gone = "gone␛[2J[red].py cannot be opened: there is no such file."
        assert screen.sentences == (gone,)
        assert "gone␛[2J[red].py" in screen_text(program.pilot)
        await program.pilot.press("s")
        await until(
            program.pilot,
            lambda: "what is written there changes it" in screen_text(program.pilot),
            "the question about the session itself",
        )
        await program.pilot.press("enter")
        await program.ran("+3", str(tmp_path / "sessions" / "one" / "s.jsonl"))


async def test_a_record_that_names_no_file(tmp_path: Path) -> None:
    async with Program(tmp_path) as program:
        await program.at("e4")
        screen = await program.asked()
        assert screen.sentences == ("Nothing in this record names a file that is there.",)
        await program.pilot.press("escape")
        await settled(program.pilot)
        assert program.runs.argvs == []


async def test_an_editor_with_a_window_leaves_the_terminal(tmp_path: Path, notes: Notes) -> None:
    async with Program(tmp_path, "code") as program:
        await program.at("e2", "c1")
        await program.pilot.press("e")
        await until(program.pilot, lambda: program.runs.argvs, "the editor")
        assert program.runs.argvs[0][1:] == ("-x", "--goto", f"{tmp_path}/work/src/a.py:9")
        assert (program.runs.given_away, program.runs.apart) == (0, [True])
        assert notes.end_with("Opened src/a.py in code")


@pytest.mark.parametrize(("code", "words"), [(2, "vim ended with 2."), (-9, "by signal 9")])
async def test_an_editor_that_fails(tmp_path: Path, notes: Notes, code: int, words: str) -> None:
    async with Program(tmp_path) as program:
        program.runs.code = code
        await program.at("e2", "c1")
        await program.pilot.press("e")
        await until(program.pilot, lambda: notes.end_with(words), words)


async def test_without_an_editor(tmp_path: Path, notes: Notes) -> None:
    async with Program(tmp_path, "") as program:
        await program.at("e2", "c1")
        await program.pilot.press("e")
        await until(program.pilot, lambda: notes.end_with("No editor is set."), "the note")


async def test_a_terminal_that_cannot_be_given_away(tmp_path: Path, notes: Notes) -> None:
    async with Program(tmp_path) as program:
        editing = browser_of(program.pilot).editing
        editing.suspended = editing._suspended  # the one of the program: tests have no terminal
        await program.at("e2", "c1")
        await program.pilot.press("e")
        words = "This terminal cannot be given to an editor."
        await until(program.pilot, lambda: notes.end_with(words), "the note")
        assert program.runs.argvs == []


@pytest.mark.parametrize("size", [*SIZES, (200, 60)])
async def test_the_question_fits(tmp_path: Path, size: tuple[int, int]) -> None:
    async with Program(tmp_path, size=size) as program:
        await program.at("e2", "c2")
        await program.asked()
        for words in ("Open which file in vim?", "src/b.py:4", "this record, line 3", "Cancel"):
            assert words in screen_text(program.pilot)


async def test_in_the_list_the_key_does_nothing(tmp_path: Path) -> None:
    async with Program(tmp_path) as program:
        await settled(program.pilot)
        await program.pilot.press("e")
        await settled(program.pilot)
        assert not isinstance(program.pilot.app.screen, QuestionScreen)
        assert program.runs.argvs == []
