"""What is drawn, computed from values: widths, rows, figures, glyphs, colours."""

from __future__ import annotations
