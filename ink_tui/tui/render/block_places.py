"""Where the blocks of a transcript stand: lines, keys, turns and neighbours. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.transcript import UNSETTLED, Block, NoteBody, ToolBody, TurnBody, shows
from ink_tui.tui.render.heights import Heights

if TYPE_CHECKING:
    from collections.abc import Callable

    from ink_tui.model.entries import EntryId


class BlockPlaces:
    """The blocks of a view, found by line and by key; heights include the blank row after each."""

    def __init__(self, blocks: tuple[Block, ...], estimate: Callable[[Block], int]) -> None:
        """Index blocks.

        Args:
            blocks: All blocks in reading order.
            estimate: About how many lines a block has.
        """
        self._blocks = blocks
        self._estimate = estimate
        self._gaps = _gaps(blocks, [])
        self._by_key = {block.key: at for at, block in enumerate(blocks)}
        self._heads = _heads(blocks, [])
        self._heights = Heights(
            estimate(block) + gap for block, gap in zip(blocks, self._gaps, strict=True)
        )
        self._longer: BlockPlaces | None = None
        """Places of more blocks that began as these do, where a replay has gone back."""
        self._of_entry: dict[EntryId, tuple[int, ...]] | None = None
        """Blocks by the entries that they show; made when it is first asked for."""

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks that are found."""
        return self._blocks

    def with_blocks(self, blocks: tuple[Block, ...]) -> BlockPlaces:
        """Return the places of other blocks; heights of equal starts are kept.

        Costs little more than what is behind the equal start.
        """
        old = self._blocks
        same = unchanged = 0
        for at, (before, after) in enumerate(zip(old, blocks, strict=False)):
            if before is not after:
                if before.key != after.key:
                    break
                if unchanged == at and isinstance(before.body, TurnBody):
                    # Heads of turns tell how many turns there are; nothing else goes by that.
                    unchanged += isinstance(after.body, TurnBody)
            elif unchanged == at:
                unchanged += 1
            same += 1
        found = BlockPlaces.__new__(BlockPlaces)
        found._blocks, found._estimate = blocks, self._estimate
        kept = max(0, unchanged - 1)  # the last one may have got another blank row
        found._gaps = _gaps(blocks, self._gaps[:kept])
        found._heads = _heads(blocks, self._heads[:kept])
        found._by_key = dict(self._by_key)
        for at in range(same, len(old)):
            found._by_key.pop(old[at].key, None)
        for at in range(same, len(blocks)):
            found._by_key[blocks[at].key] = at
        kept = max(0, same - 1)
        behind = range(kept, len(blocks))
        longer = self._longer
        if longer is None:
            more = [self._estimate(blocks[at]) + found._gaps[at] for at in behind]
        else:
            more = [longer._known(blocks[at], at) + found._gaps[at] for at in behind]
        found._heights = self._heights.with_end(kept, more)
        longer = longer or self
        found._longer = longer if same > 0 and len(blocks) < len(longer._blocks) else None
        found._of_entry = None
        if self._of_entry is not None:
            found._of_entry = dict(self._of_entry)
            for block in old[unchanged:]:
                for entry_id in _shown_by(block):
                    ours = found._of_entry.get(entry_id, ())
                    found._of_entry[entry_id] = tuple(at for at in ours if at < unchanged)
            _note(found._of_entry, blocks, unchanged)
        return found

    def _known(self, block: Block, at: int) -> int:
        """Return the height of a block without its gap: the known one if it stands here as well."""
        if at < len(self._blocks) and self._blocks[at] is block:
            return self._heights[at] - self._gaps[at]
        return self._estimate(block)

    def estimate_all(self) -> None:
        """Forget all heights."""
        self._longer = None
        pairs = zip(self._blocks, self._gaps, strict=True)
        self._heights = Heights(self._estimate(block) + gap for block, gap in pairs)

    def set_height(self, index: int, lines: int) -> int:
        """Note how many lines a block has; return by how much it grew."""
        return self._heights.set(index, lines + self._gaps[index])

    def height(self, index: int) -> int:
        """Return the height of a block and the blank row after it."""
        return self._heights[index]

    def gap(self, index: int) -> int:
        """Return how many blank rows follow a block."""
        return self._gaps[index]

    def top(self, index: int) -> int:
        """Return the first line of a block."""
        return self._heights.top(index)

    @property
    def total(self) -> int:
        """Height of everything."""
        return self._heights.total

    def at_line(self, line: int) -> tuple[int, int]:
        """Return the block on a line and the line inside it; the index behind the last below."""
        return self._heights.find(line)

    def find(self, key: str) -> int | None:
        """Return the block of a key, if it can be selected."""
        index = self._by_key.get(key)
        return index if index is not None and self._selectable(index) else None

    def find_any(self, key: str) -> int | None:
        """Return the block of a key, heads of turns included."""
        return self._by_key.get(key)

    def seen(self, top: int, page: int) -> list[tuple[str, int]]:
        """Return the keys of the blocks on a screen, each with its lines above the top of it.

        Args:
            top: First line of the screen.
            page: Its lines. Those of a block that starts below the top count as less than none.
        """
        found: list[tuple[str, int]] = []
        index, line = self.at_line(top)
        while index < len(self._blocks) and line > -page:
            found.append((self._blocks[index].key, line))
            line -= self.height(index)
            index += 1
        return found

    def still_there(self, seen: list[tuple[str, int]]) -> tuple[int, int] | None:
        """Return the first of some blocks that is among these, and its lines above the top."""
        for key, line in seen:
            index = self.find_any(key)
            if index is not None:
                return index, line
        return None

    def show(self, entry_id: EntryId, call_id: str | None = None) -> int | None:
        """Return the block to show for an entry, or for a call of it: `Transcript.block_of`."""
        if self._of_entry is None:
            self._of_entry = {}
            _note(self._of_entry, self._blocks, 0)
        for at in self._of_entry.get(entry_id, ()):
            if shows(self._blocks[at], entry_id, call_id):
                return at
        return None

    def heads(self, index: int) -> bool:
        """Whether a block stands directly under the head of its turn."""
        return index > 0 and isinstance(self._blocks[index - 1].body, TurnBody)

    def head_of(self, index: int) -> int | None:
        """Return the head of the turn that a block belongs to."""
        return self._heads[index] if 0 <= index < len(self._heads) else None

    def head_over(self, line: int) -> int | None:
        """Return the head of the turn that a line belongs to, if it is scrolled away above it."""
        index, inside = self.at_line(line)
        head = self.head_of(min(index, len(self._blocks) - 1))
        if head is None or (head == index and inside == 0):
            return None
        below, first = self.at_line(line + 1)
        # The next turn's head may stand directly under it.
        return None if first == 0 and self.head_of(below) == below else head

    def following(self, index: int | None, step: int) -> int | None:
        """Return the next block in a direction that can be selected.

        Args:
            index: Where to start; this block itself is not looked at. None starts at an end.
            step: 1 to go down, -1 to go up.
        """
        at = (-1 if step > 0 else len(self._blocks)) if index is None else index
        at += step
        while 0 <= at < len(self._blocks):
            if self._selectable(at):
                return at
            at += step
        return None

    @property
    def first(self) -> int | None:
        """The first block that can be selected."""
        return self.following(None, 1)

    @property
    def last(self) -> int | None:
        """The last block that can be selected."""
        return self.following(None, -1)

    def nearest_between(self, index: int | None, top: int, bottom: int) -> int | None:
        """Return a block if a line of it is between two lines, else the nearest one that has one.

        Args:
            index: The block that is selected.
            top: First line.
            bottom: Line behind the last.
        """
        if index is not None:
            start = self.top(index)
            if start < bottom and start + self.height(index) > top:
                return index
        below = index is not None and self.top(index) >= bottom
        line = max(top, bottom - 1) if below else top
        at, inside = self.at_line(line)
        if at < len(self._blocks) and self._selectable(at):
            gap = inside >= self.height(at) - self._gaps[at]
            return at if below or not gap else self.following(at, 1)
        return self.following(at, -1 if below or at >= len(self._blocks) else 1)

    def _selectable(self, index: int) -> bool:
        return not isinstance(self._blocks[index].body, TurnBody)


def _shown_by(block: Block) -> set[EntryId]:
    """Return the entries that a block shows."""
    answer = block.body.result_entry if isinstance(block.body, ToolBody) else None
    return {entry_id for entry_id in (block.entry_id, answer) if entry_id is not None}


def _note(of_entry: dict[EntryId, tuple[int, ...]], blocks: tuple[Block, ...], start: int) -> None:
    """Note what the blocks from one on show."""
    for at in range(start, len(blocks)):
        for entry_id in _shown_by(blocks[at]):
            of_entry[entry_id] = (*of_entry.get(entry_id, ()), at)


def _heads(blocks: tuple[Block, ...], known: list[int | None]) -> list[int | None]:
    """Return the head of each block's turn, some first ones of which are known."""
    heads = known
    head = heads[-1] if heads else None
    for at in range(len(heads), len(blocks)):
        if isinstance(blocks[at].body, TurnBody):
            head = at
        heads.append(head)
    return heads


def _gaps(blocks: tuple[Block, ...], known: list[int]) -> list[int]:
    """Return the blank rows after each block, some first ones of which are known.

    One, none at the end, between open calls or notes.
    """
    gaps = known
    for at in range(len(gaps), len(blocks)):
        gaps.append(1 if at + 1 < len(blocks) else 0)
        if not gaps[at]:
            continue
        here, after = blocks[at].body, blocks[at + 1].body
        if isinstance(here, ToolBody) and isinstance(after, ToolBody):
            if here.state in UNSETTLED and after.state in UNSETTLED:
                gaps[at] = 0
        elif isinstance(here, NoteBody) and isinstance(after, NoteBody):
            gaps[at] = 0
    return gaps


def start_of(blocks: tuple[Block, ...]) -> tuple[object, ...]:
    """Return what tells one session from another: where and when its first block is."""
    return (blocks[0].key, blocks[0].span, blocks[0].time_ms) if blocks else ()
