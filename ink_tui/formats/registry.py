"""The formats that ink-tui knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.formats.ink.adapter import InkFormat

if TYPE_CHECKING:
    from ink_tui.formats.base import SessionFormat

INK: SessionFormat = InkFormat()
"""Ink's line-by-line session files."""
