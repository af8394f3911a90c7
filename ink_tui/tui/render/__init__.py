"""What is drawn, computed from values: widths, rows, figures, glyphs, colours."""
