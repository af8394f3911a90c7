"""The file that remembers how list and tree are looked at."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from ink_tui.errors import StoreError
from ink_tui.model.groups import Arrangement
from ink_tui.model.scope import Scope
from ink_tui.model.tree_choice import FilterMode, TreeChoice, TreeColumn
from ink_tui.model.view import ListView
from ink_tui.store.view_file import read_view, view_path, write_view

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("arrangement", Arrangement)
@pytest.mark.parametrize("scope", Scope)
def test_what_was_chosen_comes_back(tmp_path: Path, arrangement: Arrangement, scope: Scope) -> None:
    state = tmp_path / "state"
    assert read_view(state) == ListView()
    assert not state.exists()
    write_view(state, ListView(arrangement, scope))
    assert read_view(state) == ListView(arrangement, scope)
    assert [path.name for path in state.iterdir()] == ["view.json"]
    assert view_path(state).stat().st_mode & 0o777 == 0o600
    assert state.stat().st_mode & 0o777 == 0o700


SOUND = b'{"sections": "time", "scope": "repository"}'
STRANGE: list[Any] = [None, True, 1, 1.5, "", "\0", "x" * 100_000, [], {}, [[]], 10**30]


def test_whatever_the_file_holds_the_list_is_shown_and_can_be_remembered(tmp_path: Path) -> None:
    contents = [SOUND[:length] for length in range(len(SOUND))]
    contents += [bytes([*SOUND[:at], SOUND[at] ^ bit, *SOUND[at + 1 :]])
                 for at in range(len(SOUND)) for bit in (1, 4, 128)]  # fmt: skip
    contents += [json.dumps(each).encode() for each in STRANGE]
    contents += [json.dumps({"sections": each, "scope": each}).encode() for each in STRANGE]
    contents += [b"[" * 50_000, b"\xff\xfe", b'{"sections": NaN}', b"9" * 5_000]
    for content in contents:
        view_path(tmp_path).write_bytes(content)
        found = read_view(tmp_path)
        assert found.arrangement in Arrangement
        assert found.scope in Scope
        assert view_path(tmp_path).read_bytes() == content
    write_view(tmp_path, ListView(Arrangement.TIME))
    assert read_view(tmp_path) == ListView(Arrangement.TIME)


def test_one_word_that_is_not_known_does_not_hide_the_other(tmp_path: Path) -> None:
    view_path(tmp_path).write_bytes(b'{"sections": "by weather", "scope": "folder"}')
    assert read_view(tmp_path) == ListView(scope=Scope.FOLDER)


def test_a_pipe_or_a_link_in_its_place_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(view_path(tmp_path))
    assert read_view(tmp_path) == ListView()
    view_path(tmp_path).unlink()
    (tmp_path / "other").write_bytes(SOUND)
    view_path(tmp_path).symlink_to(tmp_path / "other")
    assert read_view(tmp_path) == ListView()
    write_view(tmp_path, ListView(Arrangement.URGENCY))
    assert (tmp_path / "other").read_bytes() == SOUND
    assert read_view(tmp_path) == ListView(Arrangement.URGENCY)


def test_where_it_cannot_be_written_it_stays_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(b"a file")
    with pytest.raises(StoreError):
        write_view(tmp_path / "state", ListView())
    assert read_view(tmp_path / "state") == ListView()


@pytest.mark.parametrize("mode", FilterMode)
@pytest.mark.parametrize("column", TreeColumn)
def test_what_is_seen_of_trees_comes_back(
    tmp_path: Path, mode: FilterMode, column: TreeColumn
) -> None:
    view = ListView(scope=Scope.FOLDER, tree=TreeChoice(mode, column))
    write_view(tmp_path, view)
    assert read_view(tmp_path) == view


def test_a_filter_of_a_newer_version_hides_no_other_choice(tmp_path: Path) -> None:
    words = {"tree filter": "by mood", "tree column": "durations", "scope": "folder", "new": [1]}
    view_path(tmp_path).write_text(json.dumps(words))
    tree = TreeChoice(FilterMode.DEFAULT, TreeColumn.DURATIONS)
    assert read_view(tmp_path) == ListView(scope=Scope.FOLDER, tree=tree)
    for strange in (each for each in STRANGE if len(str(each)) < 1_000):
        words = {"tree filter": strange, "tree column": strange, "scope": "folder"}
        view_path(tmp_path).write_text(json.dumps(words))
        assert read_view(tmp_path) == ListView(scope=Scope.FOLDER)
