"""Ink's session files as one of the formats that are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.formats.ink.line import read_line, whole_record
from ink_tui.formats.ink.parser import InkParser

if TYPE_CHECKING:
    from ink_tui.formats.base import FarLines
    from ink_tui.formats.ink.line import Item, Reading
    from ink_tui.model.entries import Record, Span


class InkFormat:
    """The format of the terminal agent Ink."""

    name = "ink"

    def parser(self, *, light: bool = False, far: FarLines | None = None) -> InkParser:
        """Return a fresh parser that stands at the start of a file.

        Args:
            light: Keep only the start of long texts (`ink_tui.model.light`).
            far: Reads very long lines elsewhere.
        """
        return InkParser(light=light, far=far)

    def skimmer(self) -> InkParser:
        """Return the same for list rows: what no row tells is left out of the messages."""
        return InkParser(skimming=True)

    def record(self, content: bytes, span: Span) -> Record | None:
        """Return one record with all of its texts; `None` where there is none.

        Args:
            content: Its bytes.
            span: Where they stand.
        """
        return whole_record(content, span)

    def line(self, content: bytes, span: Span, reading: Reading) -> Item:
        """Return what a line holds, for a parser that has it read elsewhere.

        Args:
            content: The line without its newline.
            span: Where it stands.
            reading: How the parser wants it to be read.
        """
        return read_line(content, span, reading)
