"""What of a light session is shown whole, read from its file in a thread."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ink_tui.errors import InkTuiError
from ink_tui.model.whole_blocks import is_start_of, wanted_spans, whole_block, whole_row
from ink_tui.store.whole_records import read_records

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ink_tui.model.entries import Record, Span
    from ink_tui.model.outline_rows import OutlineRow
    from ink_tui.model.transcript import Block
    from ink_tui.store.reader import FarReader
    from ink_tui.tui.screens.panes import PanesScreen
    from ink_tui.tui.widgets.detail_pane import DetailPane
    from ink_tui.tui.widgets.transcript_view import TranscriptView


class Fetching:
    """Reads texts and bytes of the session that is shown, when a view asks for them."""

    def __init__(self, screen: PanesScreen) -> None:
        """Make it.

        Args:
            screen: The main screen, whose session pane asks.
        """
        self.screen = screen
        self.library = screen.services.library

    def give_texts(self, message: TranscriptView.WholeWanted) -> None:
        """Give a transcript its blocks with all of their texts."""
        path = self.screen.session.path
        if path is not None:
            self.screen.run_worker(self._give_texts(message, path), group="texts")

    async def _give_texts(self, message: TranscriptView.WholeWanted, path: str) -> None:
        found = await asyncio.to_thread(self._whole, path, message.blocks)
        if message.view.is_mounted:
            message.view.set_whole(found)

    def _whole(self, path: str, blocks: tuple[Block, ...]) -> dict[str, tuple[Block, Block | None]]:
        """Return blocks whole, or `None` for them; blocks."""
        spans = [span for block in blocks for span in wanted_spans(block)]
        records = _records(path, spans, self.library.far)
        return {block.key: (block, whole_block(block, records)) for block in blocks}

    def give_row(self, message: DetailPane.WholeWanted) -> None:
        """Give the detail of a row of the tree all of its texts."""
        path = self.screen.session.path
        if path is not None:
            reading = self._give_row(message, path)
            self.screen.run_worker(reading, group="record", exclusive=True)

    async def _give_row(self, message: DetailPane.WholeWanted, path: str) -> None:
        row, record = await asyncio.to_thread(whole_detail, path, message, self.library.far)
        self.screen.session.detail.set_whole(message.row, row, record)


def whole_detail(
    path: str, message: DetailPane.WholeWanted, far: FarReader | None
) -> tuple[OutlineRow, Record | None]:
    """Return a row and its record whole, as far as they can be had; blocks.

    Args:
        path: The session file.
        message: What a detail wants.
        far: What reads very long lines.
    """
    records = _records(path, list(message.spans), far)
    light = message.record
    whole = records.get(light.span.offset) if light is not None else None
    fits = light is not None and whole is not None and is_start_of(light, whole)
    return whole_row(message.row, light, records), whole if fits else None


def _records(path: str, spans: list[Span], far: FarReader | None) -> Mapping[int, Record]:
    try:
        return read_records(path, spans, far)
    except InkTuiError:
        return {}  # the session itself says why it cannot be read
