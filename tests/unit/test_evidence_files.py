"""Looking at the files of open calls on disk: what is read, what is left alone, how long."""

from __future__ import annotations

import json
import os
import threading
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ink_tui.model.evidence import Evidence, Seen
from ink_tui.store import evidence as looking
from ink_tui.store.demo import create_demo
from ink_tui.store.evidence import (
    MAX_FILE_BYTES,
    changed_files,
    evidence_by_call,
    look_at_calls,
    look_at_file,
)
from ink_tui.store.library import Library
from ink_tui.store.reader import read_session
from ink_tui.tui.render.session_views import load_views
from tests.sessions import HEADER, stamp, user

if TYPE_CHECKING:
    from ink_tui.model.verdict import Diagnosis

NOW_MS = 1_772_453_040_000
"""12:04 UTC on 2 March 2026, in milliseconds since 1970."""
CALLED_MS = 1_772_438_402_000
"""When the calls of `session_at` were made: 08:00:02 on that day."""

Call = tuple[str, dict[str, Any]]


def session_at(folder: Path, cwd: str, *calls: Call) -> tuple[str, Diagnosis]:
    """Write a session that ends with calls; returns its path and its diagnosis."""
    path = folder / "session.jsonl"
    blocks = [
        {"type": "toolCall", "id": f"c{number}", "name": tool, "arguments": arguments}
        for number, (tool, arguments) in enumerate(calls)
    ]
    message = {"role": "assistant", "blocks": blocks}
    record = {"type": "message", "id": "a2", "parentId": "a1", "timestamp": stamp(2)}
    # Half surrogates are written as escapes, as Node writes them.
    last = json.dumps({**record, "message": message}).encode() + b"\n"
    header = json.dumps({**HEADER, "cwd": cwd}).encode() + b"\n"
    path.write_bytes(header + user("a1", None, "hi") + last)
    return str(path), read_session(str(path))[0]


def look(folder: Path, *calls: Call, cwd: str | None = None) -> list[Evidence]:
    work = folder / "work"
    work.mkdir(exist_ok=True)
    return list(look_at_calls(*session_at(folder, str(work) if cwd is None else cwd, *calls)))


def edit(path: str) -> Call:
    return "edit", {"path": path, "edits": [{"oldText": "old", "newText": "new"}]}


def put(path: Path, content: bytes, changed_ms: int = CALLED_MS) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    os.utime(path, ns=(changed_ms * 1_000_000,) * 2)
    return path


def words(seen: Evidence, home: Path | None = None) -> tuple[str, str]:
    second = seen.second_line(now_ms=NOW_MS, zone=UTC, home=str(home) if home else "")
    return seen.words, second


def test_paths_of_every_kind(tmp_path: Path) -> None:
    work = tmp_path / "work"
    put(work / "src/a.ts", b"new")
    outside = put(tmp_path / "b.ts", b"old")
    (work / "link").symlink_to(outside)
    (work / "folder").mkdir()
    (work / "through").symlink_to(work / "src")
    os.mkfifo(work / "pipe")
    hidden = put(work / "hidden", b"new")
    hidden.chmod(0)
    found = look(
        tmp_path,
        edit("src/a.ts"),
        edit(str(outside)),
        edit("link"),
        edit("folder"),
        edit("through/a.ts"),
        edit("pipe"),
        edit("none"),
        edit("src/a.ts/none"),
        edit("/dev/zero"),
        edit("~/x"),
        edit("a\0b"),
        edit("n" * 5_000),
        edit("\ud800\udcff\n\x1b[31m"),
        edit("src/../src/./a.ts"),
    )
    unknown = "cannot be checked"
    changed = "changed 08:00:02"
    expected = [
        (
            "the file holds the new text",
            f"old text not found · new text found once, line 1 · {changed}",
        ),
        (
            "the file holds the old text",
            f"old text found once, line 1 · new text not found · {changed}",
        ),
        (unknown, "a symbolic link, links are not followed"),
        (unknown, "a folder, not a file"),
        (
            "the file holds the new text",
            f"old text not found · new text found once, line 1 · {changed}",
        ),
        (unknown, "a pipe, not a file"),
        ("the file is gone", ""),
        ("the file is gone", ""),
        (unknown, "a device, not a file"),
        (unknown, "its path begins with ~, which tools read differently"),
        (unknown, "its path is not one that can be opened"),
        (unknown, "File name too long"),
        ("the file is gone", ""),
        (
            "the file holds the new text",
            f"old text not found · new text found once, line 1 · {changed}",
        ),
    ]
    assert [words(seen) for seen in found] == expected
    if os.geteuid() != 0:
        assert words(look(tmp_path, edit("hidden"))[0]) == (unknown, "permission denied")


def test_large_files_are_not_read(tmp_path: Path) -> None:
    path = put(tmp_path / "work" / "large", b"new")
    os.truncate(path, MAX_FILE_BYTES)
    assert look(tmp_path, edit("large"))[0].notes == ("the file is not plain text",)
    os.truncate(path, MAX_FILE_BYTES + 1)
    assert words(look(tmp_path, edit("large"))[0]) == ("cannot be checked", "larger than 8 MiB")


def test_writes_and_missing_folders(tmp_path: Path) -> None:
    put(tmp_path / "work" / "a", b"text")
    write: Call = ("write", {"file_path": "a", "content": "text"})
    assert look(tmp_path, write)[0].seen is Seen.EQUAL
    gone = str(tmp_path / "nowhere")
    bash: Call = ("bash", {"command": "make"})
    found = look(tmp_path, write, edit("a"), bash, ("ls", {"path": "."}), cwd=gone)
    missing = "the working folder is missing"
    assert [words(seen) for seen in found] == [
        ("the file does not exist", missing),
        ("the file is gone", missing),
        ("cannot be checked", missing),
        ("changes nothing", ""),
    ]
    for cwd in ("", "relative"):
        for seen in look(tmp_path, edit("a"), bash, cwd=cwd):
            assert words(seen) == ("cannot be checked", "the session names no working folder")
    assert look(tmp_path, edit("a"), cwd="/\ud800\0")[0].seen is Seen.UNKNOWN


def test_changed_files_below_the_folder(tmp_path: Path) -> None:
    work = tmp_path / "work"
    later = CALLED_MS + 1
    put(work / "coverage/lcov.info", b"", later + 5)
    put(work / "same", b"", CALLED_MS)
    put(work / ".git/index", b"", later)
    put(work / "node_modules/x/y", b"", later)
    put(tmp_path / "outside/z", b"", later)
    (work / "link").symlink_to(tmp_path / "outside")
    os.utime(work / "link", ns=(0, 0), follow_symlinks=False)
    bash: Call = ("bash", {"command": "make"})
    seen = look(tmp_path, bash)[0]
    assert words(seen, tmp_path)[1] == (
        "1 file under ~/work changed after 08:00: coverage/lcov.info"
    )
    odd = os.fsencode(work) + b"/\xff\n"
    Path(os.fsdecode(odd)).write_bytes(b"")
    assert words(look(tmp_path, bash)[0], tmp_path)[1] == (
        "2 files under ~/work changed after 08:00: \ufffd , coverage/…"
    )


def test_the_search_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path
    for _ in range(looking.MAX_DEPTH + 1):
        deep /= "d"
    put(deep / "file", b"", CALLED_MS + 1)
    put(deep.parent / "seen", b"", CALLED_MS + 1)
    files, whole = changed_files(str(tmp_path), CALLED_MS, lambda: False)
    assert [name.rsplit("/", 1)[-1] for _changed, name in files] == ["seen"]
    assert not whole
    for number in range(5):
        put(tmp_path / "many" / str(number), b"", CALLED_MS + 1)
    assert changed_files(str(tmp_path / "many"), CALLED_MS, lambda: False)[1]
    assert not changed_files(str(tmp_path / "many"), CALLED_MS, lambda: True)[1]
    monkeypatch.setattr(looking, "MAX_ENTRIES", 3)
    files, whole = changed_files(str(tmp_path / "many"), CALLED_MS, lambda: False)
    assert (len(files), whole) == (3, False)
    bash: Call = ("bash", {"command": "make"})
    seen = look_at_calls(*session_at(tmp_path, str(tmp_path / "many"), bash))[0]
    assert words(seen)[1].startswith("at least 3 files under ")


def test_a_mount_that_does_not_answer_is_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = threading.Event()
    asked: list[str] = []

    def hang(path: str) -> Any:
        asked.append(path)
        answers.wait(30)
        return look_at_file(path)

    put(tmp_path / "work" / "a", b"new")
    path, diagnosis = session_at(
        tmp_path, str(tmp_path / "work"), ("read", {"path": "a"}), edit("a"), edit("a")
    )
    with monkeypatch.context() as patch:
        patch.setattr(looking, "look_at_file", hang)
        for _ in range(6):
            found = look_at_calls(path, diagnosis, budget_s=0.02)
            assert [seen.words for seen in found] == [
                "changes nothing",
                "not checked in time",
                "not checked in time",
            ]
        # Threads do not pile up.
        waiting = [thread for thread in threading.enumerate() if thread.name == "evidence"]
        assert 1 <= len(waiting) <= 4
        assert len(asked) == len(waiting)
        answers.set()
        for thread in waiting:
            thread.join(10)
    assert look_at_calls(path, diagnosis, budget_s=10)[1].seen is Seen.NEW


def test_the_search_gives_what_it_has_when_time_is_up(tmp_path: Path) -> None:
    put(tmp_path / "work" / "a", b"", CALLED_MS + 1)
    ticks = iter([0.0, 0.0, *[9.0] * 9])
    path, diagnosis = session_at(tmp_path, str(tmp_path / "work"), ("bash", {"command": "x"}))
    put(tmp_path / "work" / "b", b"", CALLED_MS + 1)
    seen = look_at_calls(path, diagnosis, budget_s=10, clock=lambda: next(ticks))[0]
    assert words(seen)[1].startswith("at least 1 file under ")


def test_a_record_that_changed_meanwhile(tmp_path: Path) -> None:
    path, diagnosis = session_at(tmp_path, str(tmp_path), edit("a"))
    Path(path).write_bytes(b"x")
    assert look_at_calls(path, diagnosis)[0].seen is Seen.UNKNOWN
    Path(path).unlink()
    seen = look_at_calls(path, diagnosis)[0]
    assert words(seen) == ("cannot be checked", "its record cannot be read again")


def test_call_ids_that_stand_twice_tell_nothing(tmp_path: Path) -> None:
    _path, diagnosis = session_at(tmp_path, "/", edit("a"), edit("b"))
    one, two = Evidence(Seen.NEW), Evidence(Seen.OLD)
    assert evidence_by_call(diagnosis, (one, two)) == {"c0": one, "c1": two}


def test_the_demo_shows_what_the_interrupted_calls_left() -> None:
    with create_demo(NOW_MS) as demo:
        path = str(demo.first)
        found = look_at_calls(path, read_session(path)[0])
        assert [words(seen, demo.home) for seen in found] == [
            (
                "the file holds the new text",
                "old text not found · new text found once, line 11 · changed 12:01:20",
            ),
            (
                "cannot be checked",
                "2 files under ~/work/demo changed after 12:01: coverage/…, src/…",
            ),
        ]


@pytest.mark.parametrize("running", [False, True])
def test_views_of_a_session_hold_evidence_unless_its_calls_run(running: bool) -> None:
    with create_demo(NOW_MS) as demo:
        library = Library([str(demo.root)], clock=lambda: NOW_MS)
        views = load_views(library, str(demo.first), child_records={}, running=running)
        seen = [fault.seen for fault in views.health.faults if fault.seen]
        if running:
            assert not views.evidence
            assert not seen
        else:
            assert sorted(each.sentence for each in views.evidence.values()) == [
                "",
                "The file now holds the new text.",
            ]
            assert seen == ["edit src/sum.ts: the file holds the new text"]
