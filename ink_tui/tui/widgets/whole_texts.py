"""Blocks with all of their texts, read from the file when they come on the screen; a few are kept.

A session of a big file is kept light (`ink_tui.model.light`). The transcript shows the start of a
text until the whole of it is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.messages import TextBlock
from ink_tui.model.transcript import (
    Block,
    CompactionBody,
    OrphanBody,
    SummaryBody,
    TextBody,
    ThinkingBody,
    ToolBody,
    UserBody,
)
from ink_tui.model.whole_blocks import is_light

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ink_tui.model.messages import ContentBlock

KEPT_CHARS = 8_000_000
"""Characters of whole blocks that are kept; those that came last are kept in any case."""


class WholeTexts:
    """What was read whole, by the light block that it stands for."""

    def __init__(self) -> None:
        """Make it empty."""
        self._found: dict[str, tuple[Block, Block | None, int]] = {}
        """By key: the light block, the whole one (`None` where there is none), its characters."""
        self._asked: dict[str, Block] = {}
        self._missing: dict[str, Block] = {}
        self._chars = 0

    def of(self, block: Block) -> Block:
        """Return a block whole if it is there; else take note that it is wanted."""
        if not is_light(block):
            return block
        found = self._found.get(block.key)
        if found is not None and found[0] is block:
            return found[1] or block
        if self._asked.get(block.key) is not block:
            self._missing[block.key] = block
        return block

    def take_missing(self) -> tuple[Block, ...]:
        """Return the light blocks that were wanted since the last time; they are asked for now."""
        missing, self._missing = self._missing, {}
        self._asked |= missing
        return tuple(missing.values())

    def put(self, found: Mapping[str, tuple[Block, Block | None]]) -> None:
        """Take whole blocks.

        Args:
            found: By key the light block and the whole one; `None` where it cannot be had.
        """
        for key, (light, whole) in found.items():
            self._drop(key)
            if self._asked.get(key) is light:
                del self._asked[key]
            chars = _chars(whole) if whole is not None else 0
            self._found[key] = (light, whole, chars)
            self._chars += chars
        for key in list(self._found):
            if self._chars <= KEPT_CHARS or key in found:
                break
            self._drop(key)

    def clear(self) -> None:
        """Forget all, for another session."""
        self._found.clear()
        self._asked.clear()
        self._missing.clear()
        self._chars = 0

    def _drop(self, key: str) -> None:
        known = self._found.pop(key, None)
        if known is not None:
            self._chars -= known[2]


def _chars(block: Block) -> int:
    """Return how many characters the texts of a block have."""
    body = block.body
    if isinstance(body, TextBody | ThinkingBody | SummaryBody):
        return len(body.text)
    if isinstance(body, CompactionBody):
        return len(body.summary)
    if isinstance(body, UserBody):
        return _said(body.content)
    if isinstance(body, ToolBody):
        return body.call.size + (_said(body.result.content) if body.result is not None else 0)
    return _said(body.result.content) if isinstance(body, OrphanBody) else 0


def _said(content: Iterable[ContentBlock]) -> int:
    return sum(len(block.text) for block in content if isinstance(block, TextBlock))
