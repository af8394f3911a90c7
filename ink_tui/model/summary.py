"""What a row of the session list says about a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.entries import CompactionEntry, InfoEntry, MessageEntry, Node
from ink_tui.model.gist import Gist
from ink_tui.model.messages import AssistantMessage, TextBlock, UserMessage
from ink_tui.model.text import JS_BLANKS, first_line

if TYPE_CHECKING:
    from ink_tui.model.session import Session


TITLE_CHARS = 65_536
"""Characters of a title that are kept."""

_MORE = "…"
"""Stands behind what is only the start of a text."""


def title_of(session: Session, branch: tuple[Node, ...]) -> str:
    """Return the title: the name on the branch, else the file's first user line; may be empty.

    The name is the latest one on the current branch, trimmed; an empty one clears it
    (`formats/ink.md` 3.5, 9.1). Of a line longer than `TITLE_CHARS` its start is returned, with
    an ellipsis; nothing else is shortened here.
    """
    for node in reversed(branch):
        if isinstance(node, InfoEntry):
            name = node.name.strip(JS_BLANKS)
            if name:
                return name
            break
    for record in session.records:
        if isinstance(record, MessageEntry) and isinstance(record.message, UserMessage):
            line = first_line(record.message.text)
            return line if len(line) <= TITLE_CHARS else line[:TITLE_CHARS] + _MORE
    return ""


def is_empty(session: Session) -> bool:
    """Return whether the file holds no message at all."""
    return not any(isinstance(record, MessageEntry) for record in session.records)


def compaction_count(session: Session) -> int:
    """Return the number of compaction records in the file, on any branch."""
    return sum(1 for record in session.records if isinstance(record, CompactionEntry))


def gist_of(branch: tuple[Node, ...]) -> Gist:
    """Return first request, last request and last answer of a branch; empty where there is none."""
    first = last = answer = ""
    for node in branch:
        if isinstance(node, MessageEntry) and isinstance(node.message, UserMessage):
            first = _said(node.message)
            if first:
                break
    for node in reversed(branch):
        if last and answer:
            break
        if not isinstance(node, MessageEntry):
            continue
        if isinstance(node.message, UserMessage):
            last = last or _said(node.message)
        elif isinstance(node.message, AssistantMessage):
            answer = answer or _said(node.message)
    return Gist(first, last, answer)


def _said(message: UserMessage | AssistantMessage) -> str:
    text = message.text
    blocks = message.content if isinstance(message, UserMessage) else message.blocks
    cut = any(isinstance(block, TextBlock) and block.cut is not None for block in blocks)
    return text + _MORE if cut else text
