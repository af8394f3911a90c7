"""The key table: whole, without clashes, and checked when users change it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.keys import _character_to_key

from ink_tui.errors import ConfigError
from ink_tui.keymap import (
    CHAINS,
    DEFAULT_KEYMAP,
    FOOTER_LIMIT,
    Context,
    build_keymap,
    canonical_key,
    display_key,
    types_a_letter,
)

ALL_KEYS = sorted({key for action in DEFAULT_KEYMAP.actions for key in action.keys})


def test_ids_are_unique_and_name_methods() -> None:
    ids = [action.id for action in DEFAULT_KEYMAP.actions]
    assert len(ids) == len(set(ids))
    assert all(action.method.isidentifier() for action in DEFAULT_KEYMAP.actions)


def test_every_action_has_a_key_a_label_and_a_sentence() -> None:
    for action in DEFAULT_KEYMAP.actions:
        assert action.keys
        assert 0 < len(action.label) <= 20
        assert action.help[0].isupper()
        assert not action.help.endswith(".")


def test_no_context_uses_a_key_twice() -> None:
    for context in Context:
        keys = [key for action in DEFAULT_KEYMAP.in_context(context) for key in action.keys]
        assert len(keys) == len(set(keys)), context


def test_pairs_are_of_one_context() -> None:
    for action in DEFAULT_KEYMAP.actions:
        if action.pair:
            assert DEFAULT_KEYMAP.action(action.pair).context is action.context


def test_every_context_has_a_chain_that_starts_with_it() -> None:
    assert set(CHAINS) == set(Context)
    assert all(chain[0] is context for context, chain in CHAINS.items())


@pytest.mark.parametrize("context", list(Context))
def test_a_footer_holds_at_most_eight_actions_that_act(context: Context) -> None:
    footer = DEFAULT_KEYMAP.footer(context)
    acting = DEFAULT_KEYMAP.acting(context)
    assert len(footer) <= FOOTER_LIMIT
    assert all(action in acting for entry in footer for action in entry.actions)
    help_action = DEFAULT_KEYMAP.help_action(context)
    assert help_action not in [action for entry in footer for action in entry.actions]


def test_the_nearer_context_hides_the_same_key_of_a_farther_one() -> None:
    bound = DEFAULT_KEYMAP.bound
    pause, replay = bound(Context.REPLAY, "space"), bound(Context.TREE, "space")
    assert pause is not None
    assert replay is not None
    assert (pause.id, replay.id) == ("replay-pause", "replay")
    assert bound(Context.AGENT_CAPTURED, "q") is None
    acting = [key for action in DEFAULT_KEYMAP.acting(Context.REPLAY) for key in action.keys]
    assert len(acting) == len(set(acting))


def test_no_letter_acts_while_a_text_field_has_the_focus() -> None:
    keys = [key for action in DEFAULT_KEYMAP.acting(Context.FILTER) for key in action.keys]
    assert not [key for key in keys if types_a_letter(key)]
    assert {"escape", "enter", "ctrl+p", "ctrl+q"} <= set(keys)


def test_key_names_are_those_of_textual() -> None:
    for character in map(chr, range(33, 127)):
        assert canonical_key(character) == _character_to_key(character)
    for key in ALL_KEYS:
        assert canonical_key(key) == key


@pytest.mark.parametrize("key", ALL_KEYS)
def test_names_for_people_lead_back_to_the_key(key: str) -> None:
    assert canonical_key(display_key(key)) == key
    assert canonical_key(display_key(key, ascii_only=True)) == key
    assert display_key(key, ascii_only=True).isascii()


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        ("ctrl+right_square_bracket", "ctrl+]"),
        ("escape", "esc"),
        ("up", "↑"),
        ("pagedown", "pgdn"),
        ("question_mark", "?"),
        ("G", "G"),
        ("shift+tab", "shift+tab"),
    ],
)
def test_names_for_people(key: str, shown: str) -> None:
    assert display_key(key) == shown


@pytest.mark.parametrize(
    "written", ["", "ctrl", "ctrl+", "nope", "hyper+x", "ctrl+ctrl+a", "ab", " ", "ctrl++x"]
)
def test_what_is_no_key_is_refused(written: str) -> None:
    assert canonical_key(written) is None


@given(st.text(max_size=12))
def test_a_key_is_its_own_canonical_form(written: str) -> None:
    key = canonical_key(written)
    if key is not None:
        assert canonical_key(key) == key
        assert canonical_key(display_key(key)) == key


def test_overrides_replace_the_keys_of_an_action() -> None:
    keymap = build_keymap({"resume": ["R", "f5"], "row-up": ["↑"]}, "config.toml")
    assert keymap.action("resume").keys == ("R", "f5")
    assert keymap.action("row-up").keys == ("up",)
    assert keymap.bound(Context.TREE, "r") is None
    assert keymap.action("fork") == DEFAULT_KEYMAP.action("fork")


def test_two_actions_may_swap_their_keys() -> None:
    keymap = build_keymap({"resume": ["f"], "fork": ["r"]}, "config.toml")
    assert keymap.action("fork").keys == ("r",)


@pytest.mark.parametrize(
    ("overrides", "sentence"),
    [
        ({"resum": ["x"]}, "has no action “resum”. Did you mean “resume”?"),
        ({"qqqq": ["x"]}, "`ink-tui keys` lists them."),
        ({"resume": ["entr"]}, "there is no key “entr”. Did you mean “enter”?"),
        ({"resume": ["f"]}, "“f” would mean both “resume” and “fork” in browser"),
        ({"resume": []}, "“resume” has no key"),
        ({"leave-agent": ["g"]}, "“leave-agent” cannot be “g”: letters are typed there"),
        ({"filter-keep": ["space"]}, "“filter-keep” cannot be “space”"),
        ({"hit-order": ["o"]}, "“hit-order” cannot be “o”: letters are typed there"),
        ({"complete": ["ctrl+e", "."]}, "“complete” cannot be “.”"),
    ],
)
def test_mistakes_are_told(overrides: dict[str, list[str]], sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        build_keymap(overrides, "/c/config.toml")
    assert str(caught.value).startswith("/c/config.toml: [keys] ")
    assert sentence in str(caught.value)


def test_the_table_needs_no_screen() -> None:
    program = "import sys, ink_tui.keymap, ink_tui.config; print('textual' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout == b"False\n"
