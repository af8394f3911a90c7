"""The state of a session to which messages were appended, from the state that it had."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from ink_tui.model.context import grown_context
from ink_tui.model.growth import appended_messages
from ink_tui.model.mappings import copied
from ink_tui.model.summary import title_of
from ink_tui.model.tool_calls import pair_appended
from ink_tui.model.tree import Branch, Tree
from ink_tui.model.verdict import Diagnosis, concluded

if TYPE_CHECKING:
    from ink_tui.model.entries import EntryId, MessageEntry
    from ink_tui.model.session import Session


def grown_diagnosis(last: Diagnosis, session: Session) -> Diagnosis | None:
    """Return what `diagnose` finds, of a session that has grown; `None` where it must look anew.

    Args:
        last: The session as it was, and its state.
        session: The session now.
    """
    context, pairing = last.context, last.pairing
    if last.branch.error is not None or context is None or pairing is None:
        return None
    appended = appended_messages(last.session, session)
    if not appended or pairing.refusal is not None:
        return None
    tree = _grown_tree(last.tree, session, appended)
    if tree is None:
        return None
    count = len(context.messages)
    context = grown_context(context, appended)
    pairing = pair_appended(pairing, [item.message for item in context.messages], count)
    if pairing is None:
        return None
    branch = Branch((*last.branch.entries, *appended), None)
    title = last.title or title_of(session, branch.entries)
    return concluded(session, tree, branch, context, pairing, title)


def _grown_tree(last: Tree, session: Session, appended: tuple[MessageEntry, ...]) -> Tree | None:
    """Return the tree with messages at the end of its trunk; `None` where they stand elsewhere.

    The last of them is the leaf, whatever marker stands before it (`formats/ink.md` section 5).
    """
    if last.leaf is None or last.unreachable:
        return None
    awaited = frozenset(last.missing_parents.values()) if last.missing_parents else frozenset()
    children = copied(last.children)
    leaf: EntryId = last.leaf
    for entry in appended:
        if entry.parent_id != leaf or entry.id in awaited or entry.id in children:
            return None
        siblings = [*children.get(leaf, ()), entry.id]
        if len(siblings) > 1:
            siblings.sort(key=lambda child: session.nodes[child].time_ms or 0)
        children[leaf] = tuple(siblings)
        leaf = entry.id
    return Tree(
        roots=last.roots,
        children=MappingProxyType(children),
        missing_parents=last.missing_parents,
        unreachable=(),
        tips=(*[tip for tip in last.tips if tip != last.leaf], leaf),
        leaf=leaf,
        stale_position=None,
    )
