"""Every session that the tests have: cases, real ones, the demo, and one of every kind."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from ink_tui.store.demo import create_demo
from tests.every_kind import every_kind
from tests.transcript_samples import CASES, REAL

_NOW_MS = 1_772_453_040_000


@cache
def samples() -> dict[str, bytes]:
    """Return the bytes of each by a name; cases that only their own program makes are left out."""
    found = {"every kind": every_kind()}
    for folder in (CASES, REAL):
        for path in sorted(folder.rglob("*.jsonl")):
            found[str(path.relative_to(folder.parent))] = path.read_bytes()
    with tempfile.TemporaryDirectory() as scratch:
        for path in sorted(create_demo(_NOW_MS, Path(scratch) / "home").root.rglob("*.jsonl")):
            found[f"demo/{path.name}"] = path.read_bytes()
    return found
