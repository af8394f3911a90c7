"""Where keys act, and what an action is.

An action belongs to one context. What acts while a thing has the focus is the chain of contexts of
that thing, nearest first: a key of a nearer context hides the same key of a farther one (`space`
pauses while a replay runs). Inside one context no key is used twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Context(StrEnum):
    """Where an action is at home; the value is what help calls the thing that has the focus."""

    EVERYWHERE = "everywhere"
    ROWS = "any list"
    BROWSER = "browser"
    LIST = "the list"
    SESSION = "session"
    TREE = "the tree"
    TRANSCRIPT = "the transcript"
    REPLAY = "the replay"
    CONTEXT = "the context"
    LENS = "a record's context"
    HEALTH = "health"
    FILTER = "the filter"
    FIND = "the find field"
    SEARCH = "the search"
    COMPARE = "the comparison"
    MESSAGE = "a message"
    COMPACTION = "a compaction"
    DIALOG = "a dialog"
    PREFLIGHT = "the preflight"
    AGENT_CAPTURED = "the agent"
    AGENT_MENU = "the agent's menu"
    AGENT_EXITED = "an agent that has ended"


_BROWSING = (Context.BROWSER, Context.ROWS, Context.EVERYWHERE)
CHAINS: Mapping[Context, tuple[Context, ...]] = {
    Context.EVERYWHERE: (Context.EVERYWHERE,),
    Context.ROWS: (Context.ROWS, Context.EVERYWHERE),
    Context.BROWSER: _BROWSING,
    Context.LIST: (Context.LIST, *_BROWSING),
    Context.SESSION: (Context.SESSION, *_BROWSING),
    Context.TREE: (Context.TREE, Context.SESSION, *_BROWSING),
    Context.TRANSCRIPT: (Context.TRANSCRIPT, Context.SESSION, *_BROWSING),
    Context.REPLAY: (Context.REPLAY, Context.TRANSCRIPT, Context.SESSION, *_BROWSING),
    Context.CONTEXT: (Context.CONTEXT, Context.SESSION, *_BROWSING),
    Context.LENS: (Context.LENS, Context.CONTEXT, Context.SESSION, *_BROWSING),
    Context.HEALTH: (Context.HEALTH, Context.SESSION, *_BROWSING),
    Context.FILTER: (Context.FILTER, Context.EVERYWHERE),
    Context.FIND: (Context.FIND, Context.EVERYWHERE),
    Context.SEARCH: (Context.SEARCH, Context.EVERYWHERE),
    Context.MESSAGE: (Context.MESSAGE, Context.ROWS),
    Context.COMPACTION: (Context.COMPACTION, Context.ROWS, Context.EVERYWHERE),
    Context.COMPARE: (Context.COMPARE, Context.ROWS, Context.EVERYWHERE),
    Context.DIALOG: (Context.DIALOG,),
    Context.PREFLIGHT: (Context.PREFLIGHT, Context.DIALOG),
    Context.AGENT_CAPTURED: (Context.AGENT_CAPTURED,),
    Context.AGENT_MENU: (Context.AGENT_MENU,),
    Context.AGENT_EXITED: (Context.AGENT_EXITED, Context.EVERYWHERE),
}
"""Contexts that act while a thing has the focus, nearest first."""

TYPING = (Context.FILTER, Context.FIND, Context.SEARCH)
"""Contexts of fields that one types into."""

OF_FIELDS = ("ctrl+left", "ctrl+right")
"""Keys that move the cursor of a field by words."""


@dataclass(frozen=True, slots=True)
class KeyAction:
    """One thing a person can do by a key."""

    id: str
    """Stable name, unique in the table; users write it under `[keys]`."""
    keys: tuple[str, ...]
    """Key names as Textual spells them, best known first."""
    context: Context
    label: str
    """A verb or a noun, short enough for the footer."""
    help: str
    """What it does, for help and the command palette."""
    footer: int | None = None
    """Rank in the footer, smaller first; None keeps it out."""
    pair: str = ""
    """Id of the opposite action that shares this action's place in footer and help."""

    @property
    def method(self) -> str:
        """The id as a Python name: a widget handles it in `action_<method>`."""
        return self.id.replace("-", "_")
