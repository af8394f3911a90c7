"""The line dialogue for screen readers: linear, in words, and nothing written unasked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ink_tui.agent.agents import built_in_agent
from ink_tui.agent.continuing import Continuing, Surroundings
from ink_tui.commands.plain_dialogue import PlainDialogue
from ink_tui.model.marks import SessionMarks
from ink_tui.store.demo import Demo, create_demo
from ink_tui.store.library import Library
from ink_tui.store.marks import change_marks, marks_path
from ink_tui.store.reader import read_session
from tests.conftest import NOON
from tests.e2e.tracing import FolderState

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ink_tui.agent.continuing import Ready

NOW_MS = int(NOON.timestamp() * 1000)


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    with create_demo(NOW_MS, tmp_path / "home") as made:
        yield made


def _hold(demo: Demo, *lines: str) -> tuple[list[str], Ready | None]:
    said: list[str] = []
    typed = list(lines)

    def ask(prompt: str) -> str:
        said.append(prompt)
        if not typed:
            raise EOFError
        return typed.pop(0)

    roots = (str(demo.root),)
    around = Surroundings(
        roots, demo.state_dir, (built_in_agent(),), lambda: NOW_MS, str(demo.home)
    )
    library = Library(roots, clock=lambda: NOW_MS)
    ready = PlainDialogue(library, Continuing(around), ask=ask, say=said.append).run()
    return said, ready


def _session_id(demo: Demo, title: str) -> str:
    rows = Library((str(demo.root),), clock=lambda: NOW_MS).scan().rows
    found = next(row.session_id for row in rows if row.title.startswith(title))
    assert found is not None
    return found


def test_marks_are_said_in_words_and_the_archive_is_counted(demo: Demo) -> None:
    clean, damaged = (_session_id(demo, title) for title in ("rename", "fix the sum"))
    starred = SessionMarks(starred=True, note="ask first")
    change_marks(demo.state_dir, clean, lambda _: starred)
    change_marks(demo.state_dir, damaged, lambda own: own.with_word("archived", is_set=True))
    said, _ready = _hold(demo, "m", "/archived", "q")
    assert "1 archived: / archived says them." in said[0]
    named = next(line for line in said if ". rename the module" in line)
    assert "starred, note: ask first" in named
    assert len([line for line in said if "fix the sum" in line]) == 1
    assert "archived" in next(line for line in said if "fix the sum" in line)
    marks_path(demo.state_dir).write_bytes(b"{")
    said, _ready = _hold(demo, "q")
    assert "marks.json is damaged" in said[0]


def test_sessions_are_said_in_words(demo: Demo) -> None:
    said, ready = _hold(demo, "m", "q")
    assert ready is None
    first = next(line for line in said if line.startswith("1. "))
    assert "fix the sum function" in first
    assert "in ~/work/demo" in first
    assert "needs a decision: torn tail · 2 calls without result" in first
    assert any("failed or refused" in line for line in said)
    assert not any("\x1b" in line or "┃" in line for line in said)


def test_what_can_be_seen_of_open_calls_is_said(demo: Demo) -> None:
    said, ready = _hold(demo, "r 1", "", "q")
    assert ready is None
    seen = [line for line in said if line.startswith("Seen now: ")]
    assert seen[0].startswith("Seen now: the file holds the new text, old text not found · ")
    assert seen[1].startswith("Seen now: cannot be checked, 2 files under ~/work/demo changed")


def test_reading_says_the_whole_transcript_and_writes_nothing(demo: Demo) -> None:
    before = FolderState.of(demo.root)
    said, _ready = _hold(demo, "1", "/ CRLF", "99", "nonsense", "r 1", "", "q")
    text = "\n".join(said)
    assert "may have run" in text
    assert "1 session, " in text
    assert "There is no session 99" in text
    assert "Cancelled. Nothing has been changed." in text
    assert not before.differences(FolderState.of(demo.root))


def test_a_repair_is_listed_asked_for_and_done(demo: Demo) -> None:
    said, ready = _hold(demo, "r 1", "1")
    text = "\n".join(said)
    assert "Folder: ~/work/demo, exists" in text
    assert "Writes: removes" in text
    assert "1. Repair and resume. " in text
    assert ready is not None
    assert ready.plan.cwd == str(demo.cwd)
    assert ready.session_path == str(demo.first)
    assert read_session(str(demo.first))[0].verdict == "clean"


def test_the_end_of_input_leaves(demo: Demo) -> None:
    said, ready = _hold(demo)
    assert ready is None
    assert said[-1] == "> "
