"""The key `y` in a session: it asks what, and the clipboard gets the text of the record, whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ink_tui.model.entries import EntryId
from ink_tui.model.whole_blocks import is_light
from ink_tui.store import whole_records
from ink_tui.tui.screens.copying import MOST_CHARS, CopyScreen
from tests.pilot.app import (
    LARGE,
    SIZES,
    app_on,
    browser_of,
    fake_agent,
    rows_fit,
    running,
    screen_text,
    settled,
    shown,
    until,
)
from tests.sessions import HEADER, line
from tests.transcript_samples import Script, call, result, thinking

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from tests.pilot.app import AppPilot
    from tests.pilot.conftest import Notes

ASK = "给解析器加上 CRLF 支持\n\x1b[31mred\x1b[0m [bold]x[/] \u202e" + "很长的一行 " * 60
ANSWER = "Two:\n\n```py\nx = 1\n\ty = '\u202e'\n```\n\nand\n\n~~~\n第二\n~~~\n\nsee `src/a.py`"
COMMAND = "npm test \\\n  -- crlf"
OUTPUT = "\x1b[32mok\x1b[0m src/a.py:3: one\n" + "\n".join(
    f"line {at} {'x' * 90}" for at in range(50)
)


def store(folder: Path) -> Path:
    """A root with one session: a question, an answer, a command, an edit, a failure."""
    work = folder / "work"
    (work / "src").mkdir(parents=True)
    (work / "src" / "a.py").write_text("x = 1\n")
    script = Script(str(work)).user(ASK)
    script.answer(thinking("先想\n再想"), ANSWER)
    script.answer(
        call("c1", "bash", command=COMMAND),
        call("c2", "edit", path="src/a.py", edits=[{"oldText": "x = 1", "newText": "x = 2"}]),
        call("c3", "read", path="gone.py"),
    )
    script.results(
        result("c1", "bash", OUTPUT),
        result("c2", "edit", "Edited src/a.py (1 edit(s) applied):\n\n@@ line 1 @@"),
        result("c3", "read", "Error: no such file", error=True),
    )
    blocks = "\n\n".join(f"```\nblock {at}\n```" for at in range(1, 6))
    script.answer(blocks)
    place = folder / "sessions" / "one"
    place.mkdir(parents=True)
    (place / "s.jsonl").write_bytes(script.data())
    return place.parent


def program(tmp_path: Path, size: tuple[int, int] = LARGE) -> AbstractAsyncContextManager[AppPilot]:
    root = store(tmp_path)
    return running(app_on(root, home=tmp_path, agents=[fake_agent(tmp_path)]), size)


async def at(pilot: AppPilot, entry: str, call_id: str | None = None, *, tab: str = "2") -> None:
    await settled(pilot)
    await pilot.press(tab)
    session = browser_of(pilot).session
    assert session.show_record(EntryId(entry), call_id)
    await settled(pilot)


async def asked(pilot: AppPilot) -> CopyScreen:
    await pilot.press("y")
    await shown(pilot, CopyScreen)
    screen = pilot.app.screen
    assert isinstance(screen, CopyScreen)
    rows_fit(pilot)
    return screen


def offered(screen: CopyScreen) -> list[str]:
    return [choice.name for choice in screen.choices]


async def test_a_message_is_offered_with_its_code_and_its_files(
    tmp_path: Path, notes: Notes
) -> None:
    async with program(tmp_path) as pilot:
        await at(pilot, "e2")
        view = browser_of(pilot).session.transcript.view
        await pilot.press("right")
        await settled(pilot)
        assert view.selected is not None
        screen = await asked(pilot)
        names = ["message", "code block 1", "code block 2", "path", "resume command", "Cancel"]
        assert offered(screen) == names
        assert screen.selected == "message"
        await pilot.press("2")
        await settled(pilot)
        assert pilot.app.clipboard == "第二"
        await asked(pilot)
        await pilot.press("down", "enter")
        await settled(pilot)
        assert pilot.app.clipboard == "x = 1\n\ty = '<U+202E>'"
        assert notes.end_with("Copied 2 lines")


async def test_the_key_again_copies_the_most_likely(tmp_path: Path, notes: Notes) -> None:
    async with program(tmp_path) as pilot:
        await at(pilot, "e1")
        await asked(pilot)
        await pilot.press("y")
        await settled(pilot)
        copied = pilot.app.clipboard
        # Whole and as it was said, but for what a terminal could act on.
        assert copied == ASK.replace("\x1b", "␛").replace("\u202e", "<U+202E>")
        assert notes.end_with("Copied 2 lines")


async def test_a_command_comes_first_and_its_output_without_colours(
    tmp_path: Path, notes: Notes
) -> None:
    async with program(tmp_path) as pilot:
        await at(pilot, "e3", "c1")
        screen = await asked(pilot)
        assert offered(screen) == ["command", "result", "path", "resume command", "Cancel"]
        await pilot.press("enter")
        await settled(pilot)
        assert pilot.app.clipboard == COMMAND
        await asked(pilot)
        await pilot.press("r")
        await settled(pilot)
        assert pilot.app.clipboard == OUTPUT.replace("\x1b[32m", "").replace("\x1b[0m", "")
        assert notes.end_with("Copied 51 lines")


async def test_of_an_edit_and_of_a_failure(tmp_path: Path, notes: Notes) -> None:
    async with program(tmp_path) as pilot:
        await at(pilot, "e3", "c2")
        screen = await asked(pilot)
        assert offered(screen)[:4] == ["path", "new text", "change", "result"]
        await pilot.press("d")
        await settled(pilot)
        assert pilot.app.clipboard == "-x = 1\n+x = 2"
        await at(pilot, "e3", "c3")
        screen = await asked(pilot)
        assert offered(screen)[:2] == ["result", "path"]
        await pilot.press("p")
        await settled(pilot)
        assert pilot.app.clipboard == "gone.py"
        assert notes.end_with("Copied gone.py")


async def test_one_of_many_code_blocks(tmp_path: Path) -> None:
    async with program(tmp_path) as pilot:
        await at(pilot, "e5")
        screen = await asked(pilot)
        assert offered(screen) == ["message", "5 code blocks", "resume command", "Cancel"]
        await pilot.press("c")
        await until(pilot, lambda: "Copy which?" in screen_text(pilot), "the second question")
        rows_fit(pilot)
        await pilot.press("4")
        await settled(pilot)
        assert pilot.app.clipboard == "block 4"


@pytest.mark.parametrize("tab", ["1", "2"])
async def test_the_tree_offers_what_the_transcript_does(tmp_path: Path, tab: str) -> None:
    async with program(tmp_path) as pilot:
        await at(pilot, "e3", "c1", tab=tab)
        screen = await asked(pilot)
        assert offered(screen) == ["command", "result", "path", "resume command", "Cancel"]
        await pilot.press("escape")
        await settled(pilot)
        assert pilot.app.clipboard == ""


async def test_the_resume_command_is_offered_too(tmp_path: Path) -> None:
    async with program(tmp_path) as pilot:
        await at(pilot, "e1")
        await asked(pilot)
        await pilot.press("R")
        await until(pilot, lambda: "--resume" in pilot.app.clipboard, "the command")


async def test_health_offers_a_report(tmp_path: Path) -> None:
    async with program(tmp_path) as pilot:
        await settled(pilot)
        await pilot.press("4")
        screen = await asked(pilot)
        assert offered(screen) == ["report", "resume command", "Cancel"]
        await pilot.press("y")
        await settled(pilot)
        copied = pilot.app.clipboard.split("\n")
        assert copied[0].endswith("/sessions/one/s.jsonl")
        assert copied[1] == "Ready to resume: nothing to settle"
        assert copied[-1] == "Nothing to settle."


async def test_in_the_list_the_key_copies_the_resume_command(tmp_path: Path) -> None:
    async with program(tmp_path) as pilot:
        await settled(pilot)
        await pilot.press("y")
        await until(pilot, lambda: "--resume" in pilot.app.clipboard, "the command")


@pytest.mark.parametrize("size", [*SIZES, (200, 60)])
async def test_the_question_fits(tmp_path: Path, size: tuple[int, int]) -> None:
    async with program(tmp_path, size) as pilot:
        await at(pilot, "e2")
        await pilot.press("right")
        await settled(pilot)
        await asked(pilot)
        for words in ("Copy what?", "message", "code block 2", "resume command", "Cancel"):
            assert words in screen_text(pilot)


async def test_of_a_session_that_is_kept_light_the_whole_is_copied(
    tmp_path: Path, notes: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole_records, "LIGHT_ABOVE", 0)
    async with program(tmp_path) as pilot:
        await at(pilot, "e3", "c1", tab="1")
        light = browser_of(pilot).session.whole_transcript.block_of(EntryId("e3"), "c1")
        assert light is not None
        assert is_light(light)
        await asked(pilot)
        await pilot.press("r")
        await settled(pilot)
        assert pilot.app.clipboard == OUTPUT.replace("\x1b[32m", "").replace("\x1b[0m", "")
        assert notes.end_with("Copied 51 lines")


async def test_what_no_terminal_takes_is_not_copied(tmp_path: Path, notes: Notes) -> None:
    root = store(tmp_path)
    long = line({**HEADER, "cwd": str(tmp_path)}) + line(
        {
            "type": "message",
            "id": "u",
            "parentId": None,
            "timestamp": "2026-03-02T09:00:00.000Z",
            "message": {"role": "user", "content": "x" * (MOST_CHARS + 1)},
        }
    )
    (root / "one" / "s.jsonl").write_bytes(long)
    async with running(app_on(root, home=tmp_path), LARGE) as pilot:
        await at(pilot, "u")
        await asked(pilot)
        await pilot.press("y")
        await settled(pilot)
        assert pilot.app.clipboard == ""
        assert notes.end_with("a terminal takes 1,000,000")
