"""The hints of the demo: three keys to try, one at a time (`ui.md` section 7). Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ink_tui.keymap import display_key

if TYPE_CHECKING:
    from ink_tui.keymap import Keymap

_HINTS = (
    ("next-problem", "goes to the problem"),
    ("tab-health", "shows its bytes and what Ink itself would do"),
    ("resume", "resumes it; what will be written is shown first"),
)
"""Action and what its key does, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class DemoHints:
    """Which hints are left."""

    used: frozenset[str] = frozenset()
    """Actions whose keys were used."""

    def after(self, action_id: str) -> DemoHints:
        """Return the hints that are left once an action was used."""
        return replace(self, used=self.used | {action_id})

    def words(self, keymap: Keymap, *, ascii_only: bool = False) -> str:
        """Return the hint to show now; empty when every key was used or has been taken away.

        Args:
            keymap: The user's keys.
            ascii_only: Spell arrows as words.
        """
        for action_id, does in _HINTS:
            keys = keymap.action(action_id).keys
            if action_id not in self.used and keys:
                return f"{display_key(keys[0], ascii_only=ascii_only)} {does}"
        return ""
