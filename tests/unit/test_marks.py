"""Marks: the values, and the one file of ours that keeps them and can never stop a start."""

from __future__ import annotations

import fcntl
import json
import os
import stat
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ink_tui.errors import RefusedError, StoreError
from ink_tui.model.entries import EntryId
from ink_tui.model.marks import (
    NO_MARKS,
    NO_SESSION_MARKS,
    Marks,
    RecordMarks,
    SessionMarks,
)
from ink_tui.store import marks as marks_file
from ink_tui.store.files import UnreadableError
from ink_tui.store.marks import KeptMarks, change_marks, marks_path, read_marks

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Change = Callable[[SessionMarks], SessionMarks]

A1, A2 = EntryId("a1"), EntryId("a2")
EVERYTHING = SessionMarks(
    pinned=True,
    starred=True,
    archived=True,
    note="look again \u202e\x1b[31m\ud800",
    hidden=frozenset({A1, A2}),
    records={A1: RecordMarks(starred=True), A2: RecordMarks(note="why?")},
)


def pin(marks: SessionMarks) -> SessionMarks:
    return replace(marks, pinned=True)


def unpin(marks: SessionMarks) -> SessionMarks:
    return replace(marks, pinned=False)


def everything(_marks: SessionMarks) -> SessionMarks:
    return EVERYTHING


# Values


def test_what_has_no_mark_is_not_kept() -> None:
    marks = NO_MARKS.with_session("s", replace(NO_SESSION_MARKS, starred=True))
    assert marks.of("s").words == ("starred",)
    assert marks.with_session("s", NO_SESSION_MARKS) == NO_MARKS
    starred = NO_SESSION_MARKS.with_record(A1, RecordMarks(starred=True))
    assert starred.record(A1).starred
    assert starred.with_record(A1, RecordMarks()) == NO_SESSION_MARKS
    assert marks.of(None) == marks.of("other") == NO_SESSION_MARKS
    assert starred.record(None) == starred.record(A2) == RecordMarks()


def test_sessions_that_the_user_wants_to_find_again() -> None:
    sessions = {
        "pin": SessionMarks(pinned=True),
        "note": SessionMarks(note="x"),
        "record": NO_SESSION_MARKS.with_record(A1, RecordMarks(note="x")),
        "branch": NO_SESSION_MARKS.with_branch(A1, hidden=True),
    }
    assert Marks(sessions).kept == {"pin", "note", "record"}
    assert sessions["branch"].with_branch(A1, hidden=False) == NO_SESSION_MARKS


# The file


def test_no_file_is_no_marks(tmp_path: Path) -> None:
    assert read_marks(tmp_path / "none") == KeptMarks()
    assert list(tmp_path.iterdir()) == []


def test_every_mark_comes_back_and_goes_away_again(tmp_path: Path) -> None:
    state = tmp_path / "deep" / "state"
    assert change_marks(state, "one\udcff", everything) == Marks({"one\udcff": EVERYTHING})
    assert read_marks(state) == KeptMarks(Marks({"one\udcff": EVERYTHING}))
    assert stat.S_IMODE(marks_path(state).stat().st_mode) == 0o600
    assert stat.S_IMODE(state.stat().st_mode) == 0o700
    assert change_marks(state, "one\udcff", lambda _: NO_SESSION_MARKS) == NO_MARKS
    assert json.loads(marks_path(state).read_bytes()) == {"version": 1, "sessions": {}}
    assert {path.name for path in state.iterdir()} == {"marks.json", ".marks.lock"}


def test_the_file_is_small_json_that_people_can_read(tmp_path: Path) -> None:
    change_marks(tmp_path, "one", pin)
    change_marks(tmp_path, "one", lambda each: each.with_record(A1, RecordMarks(starred=True)))
    assert json.loads(marks_path(tmp_path).read_bytes()) == {
        "version": 1,
        "sessions": {"one": {"pinned": True, "records": {"a1": {"starred": True}}}},
    }


def test_a_change_that_changes_nothing_writes_nothing(tmp_path: Path) -> None:
    change_marks(tmp_path, "one", pin)
    before = marks_path(tmp_path).stat()
    assert change_marks(tmp_path, "one", pin).of("one").pinned
    assert marks_path(tmp_path).stat() == before


def test_fields_that_we_do_not_know_are_kept(tmp_path: Path) -> None:
    known: dict[str, Any] = {
        "version": 1,
        "colour": "blue",
        "sessions": {
            "one": {"mood": 3, "records": {"a1": {"x": [1], "starred": True}, "a9": {"y": 1}}},
            "two": {"later": {"z": None}},
        },
    }
    marks_path(tmp_path).write_text(json.dumps(known), "utf-8")
    assert read_marks(tmp_path).notice == ""
    change_marks(tmp_path, "one", lambda each: each.with_record(A1, RecordMarks(note="n")))
    change_marks(tmp_path, "two", pin)
    change_marks(tmp_path, "two", unpin)
    known["sessions"]["one"]["records"]["a1"] = {"x": [1], "note": "n"}
    assert json.loads(marks_path(tmp_path).read_bytes()) == known


def test_a_file_of_a_newer_version_is_shown_and_not_changed(tmp_path: Path) -> None:
    content = '{"version": 2, "sessions": {"one": {"starred": true, "note": ["rich"]}}}'
    marks_path(tmp_path).write_text(content, "utf-8")
    found = read_marks(tmp_path)
    assert found.marks.of("one").starred
    assert "newer ink-tui has written it (version 2)" in found.notice
    with pytest.raises(RefusedError, match="newer ink-tui") as refused:
        change_marks(tmp_path, "one", pin)
    assert refused.value.kind == "newer-version"
    assert marks_path(tmp_path).read_text("utf-8") == content


DAMAGED = [
    *(b"", b"{", b"[]", b"null", b"\0" * 40, b"\xff\xfe", b"[" * 5000, b'{"sessions": []}'),
    *(b'{"version": 1}', b"1e999", b"9" * 5000, b'{"version": 1, "sessions": null}'),
]


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_file_is_not_shown_and_is_set_aside(content: bytes, tmp_path: Path) -> None:
    path = marks_path(tmp_path)
    path.write_bytes(content)
    found = read_marks(tmp_path)
    assert found.marks == NO_MARKS
    assert found.notice.endswith("marks.json is damaged.")
    assert path.read_bytes() == content
    assert change_marks(tmp_path, "one", pin) == Marks({"one": SessionMarks(pinned=True)})
    assert read_marks(tmp_path) == KeptMarks(Marks({"one": SessionMarks(pinned=True)}))
    assert path.with_name("marks.json.damaged-1").read_bytes() == content
    path.write_bytes(content)
    change_marks(tmp_path, "one", pin)
    assert path.with_name("marks.json.damaged-2").read_bytes() == content


STRANGE = [
    *('{"pinned": 1}', '{"archived": null}', '{"note": 5}', '{"hidden": {}}', '{"hidden": [1]}'),
    *('{"records": []}', '{"records": {"a1": 1}}', '{"records": {"a1": {"starred": "yes"}}}'),
    *("3", "[]", '{"records": {"a1": {"note": []}}}'),
]


@pytest.mark.parametrize("fields", STRANGE)
def test_what_is_readable_of_a_damaged_file_is_kept(fields: str, tmp_path: Path) -> None:
    good = '"good": {"starred": true, "new": 1}'
    content = f'{{"version": 1, "sessions": {{"bad": {fields}, {good}}}}}'
    marks_path(tmp_path).write_text(content, "utf-8")
    found = read_marks(tmp_path)
    assert found.marks == Marks({"good": SessionMarks(starred=True)})
    assert found.notice.startswith("Some stars, pins or notes are not shown")
    change_marks(tmp_path, "one", pin)
    now = read_marks(tmp_path)
    assert now.notice == ""
    assert now.marks.of("good").starred
    assert now.marks.of("one").pinned
    assert json.loads(marks_path(tmp_path).read_bytes())["sessions"]["good"]["new"] == 1
    aside = marks_path(tmp_path).with_name("marks.json.damaged-1")
    assert aside.read_text("utf-8") == content


@pytest.mark.parametrize("version", ["0", "true", '"1"', "1.5", "null", "-1"])
def test_a_strange_version_is_damage(version: str, tmp_path: Path) -> None:
    content = f'{{"version": {version}, "sessions": {{"one": {{"pinned": true}}}}}}'
    marks_path(tmp_path).write_text(content, "utf-8")
    assert read_marks(tmp_path).marks.of("one").pinned
    assert "damaged" in read_marks(tmp_path).notice


@pytest.mark.parametrize("make", ["folder", "pipe", "link", "large"])
def test_what_is_no_file_of_marks_is_set_aside(
    make: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = marks_path(tmp_path)
    if make == "folder":
        path.mkdir()
    elif make == "pipe":
        os.mkfifo(path)
    elif make == "link":
        path.symlink_to("/dev/zero")
    else:
        monkeypatch.setattr(marks_file, "_MOST_BYTES", 100)
        path.write_bytes(b" " * 101)
    assert read_marks(tmp_path).notice.startswith("Stars, pins and notes are not shown")
    assert change_marks(tmp_path, "one", pin).of("one").pinned
    monkeypatch.undo()
    assert read_marks(tmp_path) == KeptMarks(Marks({"one": SessionMarks(pinned=True)}))
    assert os.path.lexists(path.with_name("marks.json.damaged-1"))


@pytest.mark.parametrize("kind", ["permission-denied", "io-error"])
def test_what_the_system_does_not_let_us_read_is_left_alone(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be sound: an error that passes must not take the marks away."""
    change_marks(tmp_path, "one", pin)
    before = marks_path(tmp_path).read_bytes()

    def refuse(path: str) -> None:
        raise UnreadableError(path, kind, "no")

    with monkeypatch.context() as patch:
        patch.setattr(marks_file, "open_for_reading", refuse)
        assert read_marks(tmp_path).notice.startswith("Stars, pins and notes are not shown")
        with pytest.raises(StoreError, match=r"cannot be read: no\. Nothing was marked"):
            change_marks(tmp_path, "two", pin)
    assert marks_path(tmp_path).read_bytes() == before
    assert change_marks(tmp_path, "two", pin).of("one").pinned


def test_there_is_no_room_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RefusedError, match="too long") as refused:
        change_marks(tmp_path, "x" * 513, pin)
    assert refused.value.kind == "too-large"
    with pytest.raises(RefusedError, match="too long"):
        change_marks(tmp_path, "x", lambda each: each.with_branch(EntryId("y" * 513), hidden=True))
    monkeypatch.setattr(marks_file, "_MOST_BYTES", 200)
    change_marks(tmp_path, "one", pin)
    before = marks_path(tmp_path).read_bytes()
    with pytest.raises(RefusedError, match="no room"):
        change_marks(tmp_path, "two", lambda each: replace(each, note="x" * 200))
    assert marks_path(tmp_path).read_bytes() == before


def test_a_refusal_of_the_system_keeps_what_was_there(tmp_path: Path) -> None:
    blocked = tmp_path / "state"
    blocked.write_text("a file", "utf-8")
    with pytest.raises(StoreError, match="state"):
        change_marks(blocked, "one", pin)
    assert blocked.read_text("utf-8") == "a file"
    state = tmp_path / "other"
    state.mkdir()
    (state / ".marks.lock").mkdir()
    with pytest.raises(StoreError, match=r"marks\.lock cannot be opened"):
        change_marks(state, "one", pin)


def test_a_lock_that_is_held_is_waited_for_and_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    moment = iter(range(100))
    monkeypatch.setattr(time, "sleep", waits.append)
    monkeypatch.setattr(time, "monotonic", lambda: float(next(moment)))
    with (tmp_path / ".marks.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(StoreError, match="Another ink-tui has been changing the marks"):
            change_marks(tmp_path, "one", pin)
    assert waits
    assert not marks_path(tmp_path).exists()
    assert change_marks(tmp_path, "one", pin).of("one").pinned


_WRITER = """
import sys
import time
from dataclasses import replace
from pathlib import Path
from ink_tui.model.entries import EntryId
from ink_tui.model.marks import RecordMarks
from ink_tui.store.marks import change_marks
name = sys.argv[2]
for number in range(25):
    entry = EntryId(f"{name}{number}")
    change_marks(Path(sys.argv[1]), "s", lambda m: m.with_record(entry, RecordMarks(True)))
"""


def test_two_programs_at_once_lose_nothing_of_each_other(tmp_path: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path), name]) for name in "ab"
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    assert len(read_marks(tmp_path).marks.of("s").records) == 50


# Any sequence of changes by two writers

_IDS = st.sampled_from(["s1", "s2", "\ud800"])
_ENTRIES = st.sampled_from([EntryId("a"), EntryId("b")])
_TEXTS = st.text(max_size=8) | st.sampled_from(["\ud800", "\0", '"\\', "\u2028"])


def _set(name: str, value: object, marks: SessionMarks) -> SessionMarks:
    fields: dict[str, Any] = {name: value}
    return replace(marks, **fields)


def _branch(head: EntryId, hidden: bool, marks: SessionMarks) -> SessionMarks:
    return marks.with_branch(head, hidden=hidden)


def _record(entry: EntryId, own: RecordMarks, marks: SessionMarks) -> SessionMarks:
    return marks.with_record(entry, own)


_FLAGS = st.sampled_from(["pinned", "starred", "archived"])
_CHANGES: st.SearchStrategy[Change] = st.one_of(
    st.builds(partial, st.just(_set), _FLAGS, st.booleans()),
    st.builds(partial, st.just(_set), st.just("note"), _TEXTS),
    st.builds(partial, st.just(_branch), _ENTRIES, st.booleans()),
    st.builds(partial, st.just(_record), _ENTRIES, st.builds(RecordMarks, st.booleans(), _TEXTS)),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.booleans(), _IDS, _CHANGES), max_size=12))
def test_two_writers_in_turn_make_what_the_values_make(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[bool, str, Change]]
) -> None:
    state = tmp_path_factory.mktemp("marks")
    expected = NO_MARKS
    seen = {False: NO_MARKS, True: NO_MARKS}
    for writer, session_id, change in changes:
        expected = expected.with_session(session_id, change(expected.of(session_id)))
        seen[writer] = change_marks(state, session_id, change)
        assert seen[writer] == expected
        assert read_marks(state) == KeptMarks(expected)
    assert not list(state.glob("*.damaged*"))
