"""The key table as Textual's bindings.

An action `row-up` is handled by `action_row_up` of the widget or screen that binds its context. The
user's keys come in through `textual_keymap`, which replaces keys by the id of the binding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding

from ink_tui.keymap import DEFAULT_KEYMAP, Context, Keymap

if TYPE_CHECKING:
    from collections.abc import Collection

PRIORITY = frozenset({"commands", "search"})
"""Actions that act before the widget with the focus sees the key."""

_BEFORE_ITS_FIELD = Context.SEARCH
"""A context whose keys act although a field has the focus that knows some of them itself."""


def bindings_for(*contexts: Context, without: Collection[str] = ()) -> list[Binding]:
    """Return the bindings of the actions that are at home in some contexts.

    Args:
        contexts: The contexts that a widget or a screen serves.
        without: Ids that something else handles.
    """
    return [
        Binding(
            ",".join(action.keys),
            action.method,
            action.help,
            show=False,
            id=action.id,
            priority=action.id in PRIORITY or context is _BEFORE_ITS_FIELD,
        )
        for context in contexts
        for action in DEFAULT_KEYMAP.in_context(context)
        if action.id not in without
    ]


def textual_keymap(keymap: Keymap) -> dict[str, str]:
    """Return the keys that differ from the table's own, for `App.set_keymap`."""
    return {
        action.id: ",".join(action.keys)
        for action, usual in zip(keymap.actions, DEFAULT_KEYMAP.actions, strict=True)
        if action.keys != usual.keys
    }
