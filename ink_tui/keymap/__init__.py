"""The one table of actions: bindings, footer, help, palette and README read it (`ui.md` 5.1)."""

from __future__ import annotations

from ink_tui.keymap.contexts import CHAINS, Context, KeyAction
from ink_tui.keymap.names import canonical_key, display_key, types_a_letter
from ink_tui.keymap.overrides import build_keymap
from ink_tui.keymap.table import DEFAULT_KEYMAP, FOOTER_LIMIT, FooterEntry, Keymap

__all__ = [
    "CHAINS",
    "DEFAULT_KEYMAP",
    "FOOTER_LIMIT",
    "Context",
    "FooterEntry",
    "KeyAction",
    "Keymap",
    "build_keymap",
    "canonical_key",
    "display_key",
    "types_a_letter",
]
