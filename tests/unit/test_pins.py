"""Pins: kept by session id in one file of our own, which can never stop a start."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ink_tui.errors import StoreError
from ink_tui.model.groups import Arrangement, ItemKind, ListQuery, arrange
from ink_tui.model.listing import SessionRow
from ink_tui.store.pins import Pins, pins_path, read_pins, toggle_pin

if TYPE_CHECKING:
    from pathlib import Path


def test_no_file_is_no_pins(tmp_path: Path) -> None:
    assert read_pins(tmp_path / "none") == Pins()
    assert list(tmp_path.iterdir()) == []


def test_a_pin_is_put_on_and_taken_off(tmp_path: Path) -> None:
    state = tmp_path / "state"
    assert toggle_pin(state, "one").ids == {"one"}
    assert toggle_pin(state, "two\udcff").ids == {"one", "two\udcff"}
    assert read_pins(state) == Pins(frozenset({"one", "two\udcff"}))
    assert toggle_pin(state, "one").ids == {"two\udcff"}
    assert stat.S_IMODE(pins_path(state).stat().st_mode) == 0o600
    assert stat.S_IMODE(state.stat().st_mode) == 0o700
    assert [path.name for path in state.iterdir()] == ["pins.json"]


def test_pins_of_another_program_are_kept(tmp_path: Path) -> None:
    toggle_pin(tmp_path, "one")
    pins_path(tmp_path).write_text('{"version": 1, "sessions": ["theirs"]}', "utf-8")
    assert toggle_pin(tmp_path, "mine").ids == {"theirs", "mine"}


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"{", b"[]", b"null", b"\0" * 40, b"\xff\xfe", b"[" * 5000, b'{"sessions": {}}'),
        *(b'{"sessions": [1]}', b'{"sessions": null}', b"1e999"),
    ],
)
def test_a_damaged_file_is_ignored_with_a_notice_and_set_aside(
    content: bytes, tmp_path: Path
) -> None:
    path = pins_path(tmp_path)
    path.write_bytes(content)
    found = read_pins(tmp_path)
    assert found.ids == frozenset()
    assert "damaged" in found.notice
    assert path.read_bytes() == content
    assert toggle_pin(tmp_path, "one") == Pins(frozenset({"one"}))
    assert read_pins(tmp_path) == Pins(frozenset({"one"}))
    assert path.with_name("pins.json.damaged").read_bytes() == content


@pytest.mark.parametrize("make", ["folder", "pipe", "link"])
def test_what_is_no_file_is_ignored_with_a_notice(make: str, tmp_path: Path) -> None:
    path = pins_path(tmp_path)
    if make == "folder":
        path.mkdir()
    elif make == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    assert read_pins(tmp_path).notice.startswith("The pins are not shown")


def test_a_refusal_of_the_system_keeps_what_was_there(tmp_path: Path) -> None:
    blocked = tmp_path / "state"
    blocked.write_text("a file", "utf-8")
    with pytest.raises(StoreError, match=r"state cannot be made|pins\.json cannot be written"):
        toggle_pin(blocked, "one")
    assert blocked.read_text("utf-8") == "a file"


def row(name: str, minute: int, *, cwd: str = "/w/a", empty: bool = False) -> SessionRow:
    return SessionRow(
        path=f"/s/{name}.jsonl",
        session_id=name,
        cwd=cwd,
        title=name,
        last_ms=minute * 60_000,
        empty=empty,
    )


ROWS = [row(f"a{number}", number) for number in range(1, 9)] + [row("b1", 20, cwd="/w/b")]


def titles(query: ListQuery) -> list[str]:
    return [item.title for item in arrange(ROWS, query).items if item.kind is ItemKind.SESSION]


def test_pinned_sessions_stand_first_in_their_folder_and_folders_stay() -> None:
    plain = titles(ListQuery())
    assert plain == ["b1", "a8", "a7", "a6", "a5", "a4"]
    pinned = titles(ListQuery(pinned=frozenset({"a2", "a5"})))
    assert pinned == ["b1", "a5", "a2", "a8", "a7", "a6"]
    items = arrange(ROWS, ListQuery(pinned=frozenset({"a2"}))).items
    assert [item.title for item in items if item.pinned] == ["a2"]


def test_by_urgency_the_order_is_the_urgency() -> None:
    query = ListQuery(arrangement=Arrangement.URGENCY, opened=frozenset({"urgency:older"}))
    plain = arrange(ROWS, query).items
    pinned = arrange(ROWS, replace(query, pinned=frozenset({"a7"}))).items
    assert [item.key for item in plain] == [item.key for item in pinned]
    assert [item.title for item in pinned if item.pinned] == ["a7"]


def test_a_pinned_session_without_a_message_is_not_hidden() -> None:
    rows = [*ROWS, row("e", 1, cwd="/w/b", empty=True)]
    assert arrange(rows, ListQuery()).hidden == 1
    shown = arrange(rows, ListQuery(pinned=frozenset({"e"})))
    assert shown.hidden == 0
    assert [item.title for item in shown.items if item.group == "cwd:/w/b"][1:] == ["e", "b1"]


def test_the_file_is_small_json_that_people_can_read(tmp_path: Path) -> None:
    toggle_pin(tmp_path, "one")
    assert json.loads(pins_path(tmp_path).read_bytes()) == {"version": 1, "sessions": ["one"]}
