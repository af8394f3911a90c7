"""Names and labels in Ink's own records: the leaf by Ink's rule, refusals, undo."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from ink_tui.errors import RefusedError
from ink_tui.model.entries import EntryId
from ink_tui.model.liveness import NOBODY, Holder, HolderKind
from ink_tui.model.verdict import Verdict
from ink_tui.store.annotate import (
    LONGEST,
    Annotatable,
    look_to_annotate,
    write_label,
    write_name,
)
from ink_tui.store.repair import RepairOutcome, undo_last
from ink_tui.store.repair_plan import diagnosis_of
from tests.sessions import HEADER, answer, line, results, session, user
from tests.unit.repair_files import NOW, put

if TYPE_CHECKING:
    from pathlib import Path

    from ink_tui.model.verdict import Diagnosis

PLAIN = session(user("a", None, "one"), answer("b", "a", "two"), user("c", "b", "three"))
JUMPED = PLAIN + line({"type": "position", "leafId": "a"})
TO_NOTHING = PLAIN + line({"type": "position", "leafId": None})
OLD_JUMP = JUMPED + user("d", "a", "four")
MODEL = line({"type": "session_model", "provider": "zai", "modelId": "glm", "explicit": True})
ALL = [PLAIN, JUMPED, OLD_JUMP, JUMPED + MODEL, TO_NOTHING]
"""Plain, gone back, gone back and on, a model chosen after going back, gone back before all."""


def look(path: Path, holder: Holder = NOBODY, *, resting: bool = False) -> Annotatable:
    return look_to_annotate(path, now_ms=NOW, holder_of=lambda _: holder, resting=resting)


def label(path: Path, target: str, words: str, state: Path, **more: Any) -> RepairOutcome:
    how: dict[str, Any] = {"state_dir": state, "now_ms": NOW, "holder": NOBODY} | more
    return write_label(look(path), EntryId(target), words, **how)


def name(path: Path, words: str, state: Path, **more: Any) -> RepairOutcome:
    how: dict[str, Any] = {"state_dir": state, "now_ms": NOW, "holder": NOBODY} | more
    return write_name(look(path), words, **how)


def read(path: Path) -> Diagnosis:
    return diagnosis_of(path.read_bytes())


@pytest.mark.parametrize("content", ALL)
def test_a_label_leaves_the_leaf_where_it_was(content: bytes, tmp_path: Path) -> None:
    path = put(tmp_path / "root", content)
    before = diagnosis_of(content)
    done = label(path, "b", "  the  turn\n", tmp_path / "state")
    after = read(path)
    assert after.leaf == before.leaf
    assert after.tree.stale_position is None
    assert after.verdict is Verdict.CLEAN
    assert after.session.labels == {"b": "the turn"}
    assert path.read_bytes().startswith(content)
    assert done.sentence == "Labelled “the turn”, u undoes it"
    assert path.stat().st_mtime_ns == (NOW - 3_600_000) * 1_000_000


def test_only_a_live_marker_is_written_again(tmp_path: Path) -> None:
    added: list[list[str]] = []
    for number, content in enumerate((PLAIN, JUMPED, OLD_JUMP)):
        path = put(tmp_path / f"root{number}", content)
        label(path, "b", "x", tmp_path / "state")
        lines = path.read_bytes()[len(content) :].splitlines()
        added.append([json.loads(each)["type"] for each in lines])
    assert added == [["label"], ["label", "position"], ["label"]]


def test_without_the_marker_ink_would_go_on_elsewhere(tmp_path: Path) -> None:
    """The control: it is the marker that keeps the leaf."""
    path = put(tmp_path / "root", JUMPED)
    label(path, "b", "x", tmp_path / "state")
    without = b"".join(path.read_bytes().splitlines(keepends=True)[:-1])
    assert diagnosis_of(JUMPED).leaf == "a"
    assert diagnosis_of(without).leaf == "c"


def test_the_record_is_inks_own(tmp_path: Path) -> None:
    path = put(tmp_path / "root", PLAIN)
    label(path, "b", "x", tmp_path / "state", new_id=lambda: "0123456789abcdef")
    assert json.loads(path.read_bytes().splitlines()[-1]) == {
        "type": "label",
        "id": "0123456789abcdef",
        "parentId": "c",
        "timestamp": "2026-03-02T12:04:00.000Z",
        "targetId": "b",
        "label": "x",
    }
    name(path, "n", tmp_path / "state", new_id=lambda: "fedcba9876543210")
    assert json.loads(path.read_bytes().splitlines()[-1]) == {
        "type": "session_info",
        "id": "fedcba9876543210",
        "parentId": "c",
        "timestamp": "2026-03-02T12:04:00.000Z",
        "name": "n",
    }


def test_the_last_label_wins_and_an_empty_one_takes_it_off(tmp_path: Path) -> None:
    path, state = put(tmp_path / "root", JUMPED), tmp_path / "state"
    label(path, "b", "x", state)
    label(path, "b", "y", state)
    assert look(path).label(EntryId("b")) == "y"
    assert label(path, "b", "  ", state).sentence == "Label taken off, u undoes it"
    assert look(path).label(EntryId("b")) == ""
    assert read(path).leaf == "a"


@pytest.mark.parametrize("content", [each for each in ALL if each is not TO_NOTHING])
def test_a_name_hangs_on_the_leaf_and_becomes_it(content: bytes, tmp_path: Path) -> None:
    path = put(tmp_path / "root", content)
    before = diagnosis_of(content)
    assert name(path, "good name", tmp_path / "state").sentence.startswith("Renamed to “good name”")
    after = read(path)
    assert after.leaf is not None
    newest = after.session.nodes[after.leaf]
    assert newest.parent_id == before.leaf
    assert after.title == "good name"
    assert look(path).name == "good name"
    assert after.verdict is Verdict.CLEAN
    name(path, "", tmp_path / "state")
    assert look(path).name == ""
    assert read(path).title == before.title


def test_a_name_needs_a_message(tmp_path: Path) -> None:
    path = put(tmp_path / "root", TO_NOTHING)
    with pytest.raises(RefusedError, match="no message yet"):
        name(path, "x", tmp_path / "state")
    assert path.read_bytes() == TO_NOTHING


def test_each_is_undone_by_the_last_undo(tmp_path: Path) -> None:
    path, state = put(tmp_path / "root", JUMPED), tmp_path / "state"
    label(path, "b", "x", state)
    labelled = path.read_bytes()
    name(path, "y", state)
    for wanted in (labelled, JUMPED):
        undo_last(path, state_dir=state, now_ms=NOW)
        assert path.read_bytes() == wanted
    with pytest.raises(RefusedError, match="no change of this session to undo"):
        undo_last(path, state_dir=state, now_ms=NOW)


def test_an_undo_is_refused_once_the_session_has_gone_on(tmp_path: Path) -> None:
    path, state = put(tmp_path / "root", PLAIN), tmp_path / "state"
    label(path, "b", "x", state)
    with path.open("ab") as file:
        file.write(answer("d", "c", "four"))
    grown = path.read_bytes()
    with pytest.raises(RefusedError, match="written to since"):
        undo_last(path, state_dir=state, now_ms=NOW)
    assert path.read_bytes() == grown


@pytest.mark.parametrize(
    "content",
    [
        PLAIN[:-1],
        PLAIN + b'{"type":"mess',
        session(user("a", None, "x"), answer("b", "a", calls=(("t", "bash", {}),))),
        JUMPED + line({"type": "label", "id": "l", "parentId": "a", "timestamp": "x",
                       "targetId": "b", "label": "z"}),
        b"",
        b"no session\n",
        line(HEADER | {"version": 2}) + user("a", None, "x"),
        session(user("a", None, "x"), results("b", "a", ("t", "bash", "orphan"))),
    ],
)  # fmt: skip
def test_only_a_clean_session_is_written_to(content: bytes, tmp_path: Path) -> None:
    path = put(tmp_path / "root", content)
    with pytest.raises(RefusedError, match="needs nothing"):
        look(path)
    assert path.read_bytes() == content


def test_a_sub_agent_session_is_refused(tmp_path: Path) -> None:
    path = put(tmp_path / "root", line(HEADER | {"parent": "p"}) + user("a", None, "x"))
    with pytest.raises(RefusedError, match="belongs to its parent"):
        look(path)


@pytest.mark.parametrize("kind", [HolderKind.CERTAIN, HolderKind.POSSIBLE])
def test_a_holder_is_refused_before_and_after_the_words(kind: HolderKind, tmp_path: Path) -> None:
    path, holder = put(tmp_path / "root", PLAIN), Holder(kind, "ink, process 7")
    with pytest.raises(RefusedError, match="ink, process 7"):
        look(path, holder)
    with pytest.raises(RefusedError, match="ink, process 7"):
        label(path, "b", "x", tmp_path / "state", holder=holder)
    with pytest.raises(RefusedError, match="ink, process 7"):
        name(path, "x", tmp_path / "state", holder=holder)
    assert path.read_bytes() == PLAIN


@pytest.mark.parametrize("age_ms", [500, 30_000])
def test_a_session_that_has_just_changed_is_refused(age_ms: int, tmp_path: Path) -> None:
    path = put(tmp_path / "root", PLAIN, age_ms=age_ms)
    with pytest.raises(RefusedError, match="less than a minute ago"):
        look(path)
    assert look(path, resting=True).path == path


def test_a_change_while_the_words_were_typed_is_refused(tmp_path: Path) -> None:
    path = put(tmp_path / "root", PLAIN)
    at = look(path)
    with path.open("ab") as file:
        file.write(answer("d", "c", "four"))
    grown = path.read_bytes()
    with pytest.raises(RefusedError, match="changed since"):
        write_name(at, "x", state_dir=tmp_path / "state", now_ms=NOW, holder=NOBODY)
    assert path.read_bytes() == grown


def test_links_and_unknown_records_are_refused(tmp_path: Path) -> None:
    path = put(tmp_path / "root", PLAIN)
    link = path.with_name("link.jsonl")
    link.symlink_to(path)
    with pytest.raises(RefusedError, match="symbolic link"):
        look(link)
    os.link(path, path.with_name("second.jsonl"))
    with pytest.raises(RefusedError, match="2 names"):
        look(path)
    path.with_name("second.jsonl").unlink()
    with pytest.raises(RefusedError, match="changed since"):
        label(path, "nothing", "x", tmp_path / "state")
    assert path.read_bytes() == PLAIN


@pytest.mark.parametrize("typed", ["a\0b\x1b[31m", "x" * 5_000, '“’\\"', "\u202eabc", "工作 🚀"])
def test_any_words_make_one_clean_record(typed: str, tmp_path: Path) -> None:
    path = put(tmp_path / "root", PLAIN)
    name(path, typed, tmp_path / "state")
    label(path, "a", typed, tmp_path / "state")
    after = read(path)
    assert after.verdict is Verdict.CLEAN
    written = look(path).name
    assert written.isprintable()
    assert 0 < len(written) <= LONGEST
    assert path.read_bytes().count(b"\n") == PLAIN.count(b"\n") + 2
