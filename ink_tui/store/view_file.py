"""The file in our state folder that remembers how list and tree are looked at.

One for all stores: it is about how a person looks, not about what is there. It is not worth a word
when it is damaged; what it does not say is as if nothing had been chosen.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

from ink_tui.model.groups import Arrangement
from ink_tui.model.scope import Scope
from ink_tui.model.tree_choice import FilterMode, TreeChoice, TreeColumn
from ink_tui.model.view import ListView
from ink_tui.store.atomic import replace_file
from ink_tui.store.files import UnreadableError, open_for_reading, read_range

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_NAME = "view.json"
_MOST_BYTES = 65_536
_SECTIONS = {
    "folder": Arrangement.FOLDER,
    "urgency": Arrangement.URGENCY,
    "time": Arrangement.TIME,
}
_SCOPES = {scope.value: scope for scope in Scope}
_FILTERS = {mode.value: mode for mode in FilterMode}
_COLUMNS = {
    "times": TreeColumn.TIMES,
    "durations": TreeColumn.DURATIONS,
    "both": TreeColumn.BOTH,
    "tokens": TreeColumn.TOKENS,
}
_T = TypeVar("_T")


def view_path(state_dir: Path) -> Path:
    """Return where it lies."""
    return state_dir / _NAME


def read_view(state_dir: Path) -> ListView:
    """Return what was chosen last; never raises, changes nothing."""
    fields = _fields(state_dir)
    usual = ListView()
    return ListView(
        _chosen(_SECTIONS, fields.get("sections"), usual.arrangement),
        _chosen(_SCOPES, fields.get("scope"), usual.scope),
        TreeChoice(
            _chosen(_FILTERS, fields.get("tree filter"), usual.tree.mode),
            _chosen(_COLUMNS, fields.get("tree column"), usual.tree.column),
        ),
    )


def write_view(state_dir: Path, view: ListView) -> None:
    """Remember what was chosen.

    Raises:
        StoreError: The system refuses; the file holds what it held or the new choice, whole.
    """
    sections = next(word for word, each in _SECTIONS.items() if each is view.arrangement)
    column = next(word for word, each in _COLUMNS.items() if each is view.tree.column)
    fields = {
        "sections": sections,
        "scope": view.scope.value,
        "tree filter": view.tree.mode.value,
        "tree column": column,
    }
    replace_file(view_path(state_dir), json.dumps(fields, indent=1).encode() + b"\n")


def _chosen(words: Mapping[str, _T], word: object, usual: _T) -> _T:
    """Return what a word stands for; one that a newer version wrote is as if there were none."""
    return words.get(word, usual) if isinstance(word, str) else usual


def _fields(state_dir: Path) -> dict[str, Any]:
    """Return the fields of the file; none when it cannot be read or understood."""
    try:
        with open_for_reading(str(view_path(state_dir))) as (descriptor, _state):
            content = read_range(descriptor, 0, _MOST_BYTES + 1)
        found = json.loads(content) if len(content) <= _MOST_BYTES else None
    except (UnreadableError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
