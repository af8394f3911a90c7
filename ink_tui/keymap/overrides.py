"""The user's own keys, checked before any of them acts.

Textual does not check: an unknown action is ignored, a key that does not exist makes its action
unreachable, and of two actions on one key one is dead.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ink_tui.errors import ConfigError
from ink_tui.keymap.contexts import Context, KeyAction
from ink_tui.keymap.names import (
    CHARACTERS,
    NAMED_KEYS,
    canonical_key,
    display_key,
    types_a_letter,
)
from ink_tui.keymap.table import DEFAULT_KEYMAP, Keymap

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TYPED_IN = (Context.FILTER, Context.FIND, Context.SEARCH, Context.AGENT_CAPTURED)
"""Contexts in which a letter is a letter: a field or an agent takes what is typed."""


def build_keymap(overrides: Mapping[str, Sequence[str]], source: str) -> Keymap:
    """Return the table with a user's keys put in, checked.

    Args:
        overrides: Keys by action id, each as people write them.
        source: The file that asks for them, for messages.

    Raises:
        ConfigError: An action or a key does not exist, an action would have no key, two actions of
            one context would share a key, or a key would type a letter where letters are typed.
    """
    ids = [action.id for action in DEFAULT_KEYMAP.actions]
    resolved: dict[str, tuple[str, ...]] = {}
    for action_id, written in overrides.items():
        if action_id not in ids:
            near = _nearest(action_id, ids)
            raise ConfigError(f"{source}: [keys] has no action “{action_id}”.{near}")
        resolved[action_id] = _resolve(action_id, written, source)
    table = tuple(replace(a, keys=resolved.get(a.id, a.keys)) for a in DEFAULT_KEYMAP.actions)
    for context in Context:
        _check_context([a for a in table if a.context is context], source)
    return Keymap(table)


def _resolve(action_id: str, written: Sequence[str], source: str) -> tuple[str, ...]:
    if not written:
        raise ConfigError(
            f"{source}: [keys] “{action_id}” has no key; name one, or remove the line."
        )
    keys: list[str] = []
    for text in written:
        key = canonical_key(text)
        if key is None:
            near = _nearest(text, [*NAMED_KEYS, *CHARACTERS])
            raise ConfigError(f"{source}: [keys] “{action_id}”: there is no key “{text}”.{near}")
        if key not in keys:
            keys.append(key)
    return tuple(keys)


def _check_context(actions: Sequence[KeyAction], source: str) -> None:
    owners: dict[str, KeyAction] = {}
    for action in actions:
        for key in action.keys:
            shown = display_key(key)
            other = owners.setdefault(key, action)
            if other is not action:
                raise ConfigError(
                    f"{source}: [keys] “{shown}” would mean both “{other.id}” and “{action.id}” in "
                    f"{action.context}; give one of them another key."
                )
            if action.context in _TYPED_IN and types_a_letter(key):
                raise ConfigError(
                    f"{source}: [keys] “{action.id}” cannot be “{shown}”: letters are typed there; "
                    f"use a ctrl+ or a function key."
                )


def _nearest(word: str, known: Sequence[str]) -> str:
    from difflib import get_close_matches  # only a mistake needs it

    close = get_close_matches(word, known, n=1, cutoff=0.5)
    return f" Did you mean “{close[0]}”?" if close else " `ink-tui keys` lists them."
