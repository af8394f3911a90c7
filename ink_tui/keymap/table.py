"""The table itself: what acts while a thing has the focus, and what the footer offers of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ink_tui.keymap.actions import TABLE
from ink_tui.keymap.contexts import CHAINS, OF_FIELDS, TYPING, Context, KeyAction
from ink_tui.keymap.names import types_a_letter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FOOTER_LIMIT = 8
"""Most entries that a footer shows beside `? help`."""

_HELP = ("help", "agent-help")
_FOOTERS: Mapping[Context, tuple[str, ...]] = {
    Context.EVERYWHERE: ("commands", "read-again", "quit"),
    Context.LIST: (
        *("open", "resume", "fork", "filter", "search", "sections", "scope", "commands"),
    ),
    Context.SEARCH: ("hit-up", "open-hit", "complete", "hit-order", "clear-query"),
    Context.COMPARE: (
        *("open", "compare-other", "compare-records", "compare-done", "back", "commands"),
    ),
    Context.CONTEXT: (
        *("open", "compaction-sides", "context-from-here", "lens-previous-turn"),
        *("lens-previous-record", "resume", "copy", "commands"),
    ),
    Context.LENS: (
        *("lens-back", "open", "lens-previous-turn", "lens-previous-record"),
        *("compaction-sides", "fork", "commands"),
    ),
    Context.REPLAY: (
        *("replay-pause", "replay-back", "previous-turn", "next-problem", "replay-stop"),
        *("replay-seen", "next-compaction", "replay-slower"),
    ),
}
"""Footers that are not the ranking of what acts: the list shows what changes the list, context and
replay how to move, not what to start."""


@dataclass(frozen=True, slots=True)
class FooterEntry:
    """One place of the footer: an action, or a pair of opposites that share a label."""

    actions: tuple[KeyAction, ...]

    @property
    def label(self) -> str:
        """The label of the first action."""
        return self.actions[0].label


@dataclass(frozen=True, slots=True)
class Keymap:
    """The table with the user's own keys put in; made by `build_keymap`."""

    actions: tuple[KeyAction, ...]

    def action(self, action_id: str) -> KeyAction:
        """Return the action of an id; raises KeyError for an unknown one."""
        for action in self.actions:
            if action.id == action_id:
                return action
        raise KeyError(action_id)

    def in_context(self, context: Context) -> tuple[KeyAction, ...]:
        """Return the actions at home in a context, in table order."""
        return tuple(action for action in self.actions if action.context is context)

    def acting(self, focus: Context) -> tuple[KeyAction, ...]:
        """Return what acts while a thing has the focus, nearest context first.

        An action all of whose keys are hidden by nearer actions is left out; so is every key that
        types a letter while a text field has the focus.
        """
        taken: set[str] = set()
        if focus in TYPING:
            taken.update(k for a in self.actions for k in a.keys if types_a_letter(k))
            taken.update(OF_FIELDS)
        found: list[KeyAction] = []
        for context in CHAINS[focus]:
            here = [a for a in self.in_context(context) if not set(a.keys) <= taken]
            found += [replace(a, keys=tuple(k for k in a.keys if k not in taken)) for a in here]
            taken.update(key for action in here for key in action.keys)
        return tuple(found)

    def bound(self, focus: Context, key: str) -> KeyAction | None:
        """Return the action that a key means while a thing has the focus."""
        return next((a for a in self.acting(focus) if key in a.keys), None)

    def help_action(self, focus: Context) -> KeyAction | None:
        """Return what opens help while a thing has the focus, None where nothing does."""
        return next((a for a in self.acting(focus) if a.id in _HELP), None)

    def footer(self, focus: Context, lead: Sequence[str] = ()) -> tuple[FooterEntry, ...]:
        """Return what the footer offers, best first, `help` not included.

        Args:
            focus: Context of the thing that has the focus.
            lead: Ids put before all others, such as `back` where one pane is shown.
        """
        acting = self.acting(focus)
        by_id = {action.id: action for action in acting}
        ranked = [by_id[i] for i in _FOOTERS.get(focus, ()) if i in by_id] or sorted(
            (a for a in acting if a.footer is not None), key=lambda a: a.footer or 0
        )
        first = [by_id[i] for i in lead if i in by_id]
        entries = (
            FooterEntry((a, by_id[a.pair]) if _is_tight_pair(a, by_id) else (a,))
            for a in first + [a for a in ranked if a not in first]
        )
        return tuple(entries)[:FOOTER_LIMIT]


def _is_tight_pair(action: KeyAction, by_id: Mapping[str, KeyAction]) -> bool:
    """Whether both keys are shown: not for a letter and its capital, where one is enough."""
    other = by_id.get(action.pair)
    return other is not None and other.keys[0].lower() != action.keys[0].lower()


DEFAULT_KEYMAP = Keymap(TABLE)
"""The table as it is without a config file."""
