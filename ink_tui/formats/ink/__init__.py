"""Ink's session files (`formats/ink.md`): one JSON record per line, header first, append only."""
