"""Ink's session files (`formats/ink.md`): one JSON record per line, header first, append only."""

from __future__ import annotations

from ink_tui.formats.ink.parser import InkParser

__all__ = ["InkFormat", "InkParser"]


class InkFormat:
    """The format of the terminal agent Ink."""

    name = "ink"

    def parser(self) -> InkParser:
        """Return a fresh parser that stands at the start of a file."""
        return InkParser()

    def skimmer(self) -> InkParser:
        """Return the same for list rows: what no row tells is left out of the messages."""
        return InkParser(skimming=True)
