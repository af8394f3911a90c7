"""The table itself, and what acts while a thing has the focus.

An action belongs to one context. What acts while a thing has the focus is the chain of contexts of
that thing, nearest first: a key of a nearer context hides the same key of a farther one (`space`
pauses while a replay runs). Inside one context no key is used twice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from ink_tui.keymap.names import types_a_letter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FOOTER_LIMIT = 8
"""Most entries that a footer shows beside `? help`."""


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
    HEALTH = "health"
    FILTER = "the filter"
    SEARCH = "the search"
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
    Context.HEALTH: (Context.HEALTH, Context.SESSION, *_BROWSING),
    Context.FILTER: (Context.FILTER, Context.EVERYWHERE),
    Context.SEARCH: (Context.SEARCH, Context.EVERYWHERE),
    Context.DIALOG: (Context.DIALOG,),
    Context.PREFLIGHT: (Context.PREFLIGHT, Context.DIALOG),
    Context.AGENT_CAPTURED: (Context.AGENT_CAPTURED,),
    Context.AGENT_MENU: (Context.AGENT_MENU,),
    Context.AGENT_EXITED: (Context.AGENT_EXITED, Context.EVERYWHERE),
}
"""Contexts that act while a thing has the focus, nearest first."""

_TYPING = (Context.FILTER, Context.SEARCH)
"""Contexts of fields that one types into."""

_OF_FIELDS = ("ctrl+left", "ctrl+right")
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


_Row: TypeAlias = "tuple[str, str, str, str, int | None, str]"


def _at(context: Context, *rows: _Row) -> tuple[KeyAction, ...]:
    """Return the actions of a context from rows of id, keys, label, help, footer, pair."""
    return tuple(
        KeyAction(action_id, tuple(keys.split()), context, label, sentence, footer, pair)
        for action_id, keys, label, sentence, footer, pair in rows
    )


# fmt: off
_TABLE = (
    *_at(
        Context.EVERYWHERE,
        ("commands", "ctrl+p", "commands", "Find any command by its name", 90, ""),
        ("search", "ctrl+f", "search all",
         "Search everywhere: in all that was said or run", 80, ""),
        ("help", "question_mark f1", "help", "Show the keys of what has the focus", None, ""),
        ("next-pane", "tab", "next pane", "Go to the next pane", None, ""),
        ("previous-pane", "shift+tab", "previous pane", "Go to the previous pane", None, ""),
        ("back", "escape", "back", "Go one step back", None, ""),
        ("to-agent", "ctrl+right_square_bracket", "to the agent", "Type to the agent", None, ""),
        ("one-or-two-panes", "z", "one or two panes", "Show one pane or two", None, ""),
        ("narrower", "ctrl+left", "narrower", "Make the left pane two cells narrower", None, ""),
        ("wider", "ctrl+right", "wider", "Make the left pane two cells wider", None, ""),
        ("read-again", "ctrl+r", "read again", "Read the sessions from disk again", None, ""),
        ("quit", "q ctrl+q ctrl+c", "quit", "Quit; asks first while agents run", None, ""),
    ),
    *_at(
        Context.ROWS,
        ("row-up", "up k", "up", "Go one row up", None, "row-down"),
        ("row-down", "down j", "down", "Go one row down", None, ""),
        ("page-up", "pageup", "page up", "Go one page up", None, "page-down"),
        ("page-down", "pagedown", "page down", "Go one page down", None, ""),
        ("half-page-up", "ctrl+u", "half up", "Go half a page up", None, "half-page-down"),
        ("half-page-down", "ctrl+d", "half down", "Go half a page down", None, ""),
        ("first-row", "home g", "first", "Go to the first row", None, "last-row"),
        ("last-row", "end G", "last", "Go to the last row", None, ""),
        ("open", "enter", "open", "Open what is selected, or fold and unfold it", 10, ""),
    ),
    *_at(
        Context.BROWSER,
        ("resume", "r", "resume", "Resume the session; shows first what will happen", 20, ""),
        ("fork", "f", "fork", "Fork the session here into a new one; shows it first", 30, ""),
        ("replay", "space", "replay", "Play the transcript in its own rhythm", 40, ""),
        ("filter", "slash", "filter", "Filter the list of sessions", 50, ""),
        ("next-problem", "p", "problem", "Go to the next problem", 60, "previous-problem"),
        ("previous-problem", "P", "previous problem", "Go to the previous problem", None, ""),
        ("copy", "y", "copy", "Copy the resume command, or what is selected", None, ""),
        ("undo", "u", "undo", "Undo the last change to this session", None, ""),
        ("export", "x", "export", "Export the session, known secrets taken out", None, ""),
        ("facts", "F", "facts", "Session facts: files, commands, tokens and times", None, ""),
        ("rename", "f2", "rename", "Name the session, as Ink's own name", None, ""),
        ("by-urgency", "exclamation_mark", "by urgency",
         "Order by urgency, or as before", None, ""),
        ("tab-tree", "1", "tree", "Show the tree", None, ""),
        ("tab-transcript", "2", "transcript", "Show the transcript", None, ""),
        ("tab-context", "3", "context", "Show what a resume would send to the model", None, ""),
        ("tab-health", "4", "health", "Show what is damaged, byte by byte", None, ""),
    ),
    *_at(
        Context.LIST,
        ("sections", "s", "sections",
         "Divide the list by folder, urgency or time, in turn", None, ""),
        ("scope", "S", "scope",
         "Show all folders, this folder or this git repository, in turn", None, ""),
        ("fold-group", "left h", "fold", "Fold the group", None, "unfold-group"),
        ("unfold-group", "right l", "unfold", "Unfold the group", None, ""),
        ("show-hidden", "full_stop", "hidden rows",
         "Show or hide archived sessions and those without a message", None, ""),
        ("pin", "asterisk", "pin", "Keep the session first in its folder, or not", None, ""),
        ("star", "plus", "star", "Star the session, or take its star off", None, ""),
        ("note", "i", "note", "Write a note on the session, kept beside it", None, ""),
        ("archive", "backspace", "archive",
         "Put the session in the archive, or bring it back", None, ""),
        ("trash", "delete", "to trash", "Move the session to the trash; asks first", None, ""),
        ("clean-up", "D", "clean up",
         "List empty, old or orphaned sessions and move them to the trash", None, ""),
    ),
    *_at(
        Context.SESSION,
        ("label", "m", "label", "Label the selected record, or take its label off", None, ""),
        ("star-record", "plus", "star", "Star the selected record, or take its star off", None, ""),
        ("note-record", "i", "note",
         "Write a note on the selected record, kept beside the session", None, ""),
        ("next-compaction", "c", "compaction",
         "Go to the next compaction", None, "previous-compaction"),
        ("previous-compaction", "C", "previous compaction",
         "Go to the previous compaction", None, ""),
        ("previous-turn", "left_square_bracket", "turn",
         "Go to the previous user turn", None, "next-turn"),
        ("next-turn", "right_square_bracket", "next turn", "Go to the next user turn", None, ""),
        ("previous-branch", "left_curly_bracket", "branch",
         "Go to the previous branch point", None, "next-branch"),
        ("next-branch", "right_curly_bracket", "next branch",
         "Go to the next branch point", None, ""),
    ),
    *_at(
        Context.TREE,
        ("fold", "left h", "fold", "Fold, then go to the parent", None, "unfold"),
        ("unfold", "right l", "unfold", "Unfold, then go to the child", None, ""),
        ("tree-filter", "v", "what to show", "Show other kinds of records, in turn", None, ""),
        ("hide-branch", "backspace", "hide branch",
         "Hide the selected branch, or show it again", None, ""),
        ("tree-hidden", "full_stop", "hidden branches",
         "Show the hidden branches, or not", None, ""),
    ),
    *_at(
        Context.TRANSCRIPT,
        ("previous-block", "left h", "block", "Go to the previous block", None, "next-block"),
        ("next-block", "right l", "next block", "Go to the next block", None, ""),
        ("fold-all", "a", "fold all", "Fold or unfold all blocks", None, ""),
        ("fold-thinking", "T", "thinking", "Fold or unfold all thinking", None, ""),
        ("wrap", "w", "wrap", "Wrap or cut long lines of outputs", None, ""),
        ("raw-record", "d", "raw record", "Show the record's bytes, escaped", None, ""),
    ),
    *_at(
        Context.REPLAY,
        ("replay-pause", "space", "pause", "Pause, or play on", 1, ""),
        ("replay-back", "left h", "record", "Go one record back", 2, "replay-forward"),
        ("replay-forward", "right l", "next record", "Go one record forward", None, ""),
        ("replay-slower", "minus", "speed", "Play slower", 4, "replay-faster"),
        ("replay-faster", "plus", "faster", "Play faster", None, ""),
        ("replay-start", "0", "start", "Go to the first record", None, "replay-end"),
        ("replay-end", "dollar_sign", "end", "Go to the end and follow what is appended", None, ""),
        ("replay-stop", "escape", "stop replay", "Stop the replay", 5, ""),
    ),
    *_at(
        Context.FILTER,
        ("filter-keep", "enter down", "to the rows", "Keep the filter, go to the rows", 1, ""),
        ("filter-clear", "escape", "clear", "Clear the filter, then leave the field", 2, ""),
    ),
    *_at(
        Context.SEARCH,
        ("hit-up", "up", "hit", "Go to the hit above", None, "hit-down"),
        ("hit-down", "down", "next hit", "Go to the hit below", None, ""),
        ("hits-page-up", "pageup", "page up", "Go one page of hits up", None, "hits-page-down"),
        ("hits-page-down", "pagedown", "page down", "Go one page of hits down", None, ""),
        ("open-hit", "enter", "open at this record",
         "Open the session at the selected hit, or show more hits of it", None, ""),
        ("complete", "tab", "complete", "Complete what stands at the cursor, in turn", None, ""),
        ("complete-back", "shift+tab", "complete back",
         "Go back to the completion before", None, ""),
        ("hit-order", "ctrl+o", "newest or best first",
         "Show the newest sessions first, or the best", None, ""),
        ("clear-query", "ctrl+u", "clear", "Clear the query", None, ""),
        ("search-back", "escape", "back", "Go back; the query is kept", None, ""),
    ),
    *_at(
        Context.DIALOG,
        ("option-up", "up k", "up", "Go to the option above", None, "option-down"),
        ("option-down", "down j", "down", "Go to the option below", None, ""),
        ("choose-option", "enter", "do the selected", "Do what is selected", 1, ""),
        ("dialog-page-up", "pageup", "page up",
         "Scroll back through what is said", None, "dialog-page-down"),
        ("dialog-page-down", "pagedown", "page down",
         "Scroll through what is said", None, ""),
        ("cancel", "escape", "cancel", "Close; nothing is changed", 9, ""),
    ),
    *_at(
        Context.PREFLIGHT,
        ("preflight-fork", "f", "fork and resume", "Fork, then resume the copy", 2, ""),
        ("preflight-as-is", "i", "resume as is", "Resume without a repair", 3, ""),
        ("preflight-hand-over", "t", "this terminal", "Hand this terminal to the agent", 4, ""),
        ("preflight-agent", "a", "agent", "Choose another agent", 5, ""),
        ("preflight-details", "d", "details", "Show every byte and the backup's path", 6, ""),
        ("preflight-copy", "y", "copy", "Copy the resume command", 7, ""),
        ("preflight-undo", "u", "undo", "Undo the last change to this session", None, ""),
    ),
    *_at(
        Context.AGENT_CAPTURED,
        ("leave-agent", "ctrl+right_square_bracket", "leave", "Leave the agent's pane", 1, ""),
    ),
    *_at(
        Context.AGENT_MENU,
        ("agent-browser", "b", "browser", "Type to the browser again", 1, ""),
        ("agent-scroll", "s", "scroll back", "Scroll through what has passed", 2, ""),
        ("agent-full-width", "z", "full width", "Give the agent the whole width, or less", 3, ""),
        ("agent-stop", "k", "stop", "Kill the agent at once", 4, ""),
        ("agent-send-chord", "right_square_bracket", "send", "Send the leave chord itself", 5, ""),
        ("agent-help", "question_mark", "help", "Show the keys of the agent's pane", None, ""),
        ("agent-menu-close", "escape", "nothing", "Close the menu, type to the agent", 6, ""),
    ),
    *_at(
        Context.AGENT_EXITED,
        ("exited-resume", "r", "resume", "Resume the session again", 1, ""),
        ("exited-fork", "f", "fork", "Fork the session", 2, ""),
        ("exited-transcript", "enter", "transcript", "Show the transcript", 3, ""),
        ("exited-scroll", "s", "scroll", "Scroll through the last screen", 4, ""),
        ("exited-close", "x", "close tab", "Close this pane", 5, ""),
        ("exited-browser", "b", "browser", "Go to the browser", 6, ""),
    ),
)
# fmt: on


_HELP = ("help", "agent-help")
_FOOTERS: Mapping[Context, tuple[str, ...]] = {
    Context.EVERYWHERE: ("commands", "read-again", "quit"),
    Context.LIST: (
        *("open", "resume", "fork", "filter", "search", "sections", "scope", "commands"),
    ),
    Context.SEARCH: ("hit-up", "open-hit", "complete", "hit-order", "clear-query"),
    Context.REPLAY: (
        *("replay-pause", "replay-back", "previous-turn", "next-problem", "replay-stop"),
        *("next-compaction", "replay-slower"),
    ),
}
"""Footers that are not the ranking of what acts: the list shows what changes the list, a replay how
to move, not what to start."""


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
        if focus in _TYPING:
            taken.update(k for a in self.actions for k in a.keys if types_a_letter(k))
            taken.update(_OF_FIELDS)
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


DEFAULT_KEYMAP = Keymap(_TABLE)
"""The table as it is without a config file."""
