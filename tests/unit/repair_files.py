"""A scratch store for the tests of repairs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ink_tui.store.repair import RepairOutcome, apply_repair, plan_repair
from tests.unit.case_files import case_bytes

if TYPE_CHECKING:
    from pathlib import Path

NOW = 1_772_453_040_000
OLD_NS = (NOW - 3_600_000) * 1_000_000
GOOD = case_bytes("40-dangling-call")


def put(folder: Path, data: bytes, *, age_ms: int = 3_600_000) -> Path:
    """Put a session of some age into a folder, which is made when it does not exist."""
    folder.mkdir(exist_ok=True)
    path = folder / "session.jsonl"
    path.write_bytes(data)
    stamp = (NOW - age_ms) * 1_000_000
    os.utime(path, ns=(stamp, stamp))
    return path


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def repair(path: Path, state_dir: Path) -> RepairOutcome:
    return apply_repair(plan_repair(path, now_ms=NOW), state_dir=state_dir, now_ms=NOW)
