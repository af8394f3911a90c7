"""The sample sessions under tests/data: made where a case makes its files, else copied."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

DATA = Path(__file__).parents[1] / "data"
CASES = DATA / "cases"
REAL = DATA / "real"

_SLOW = {"84-huge-line", "37-deep-chain", "86-append-while-open", "89-deleted-while-open"}
"""Made by a script with steps, or so large that a copy of each path would cost minutes."""


def case_bytes(name: str) -> bytes:
    """Return the one session of a case that keeps its file in the folder."""
    return (CASES / name / "session.jsonl").read_bytes()


def sample_files(scratch: Path) -> list[Path]:
    """Return writable copies of every sample session, one folder for each case."""
    found: list[Path] = []
    for folder in sorted(CASES.iterdir()):
        if not folder.is_dir() or folder.name in _SLOW:
            continue
        target = scratch / folder.name
        if (folder / "make.py").exists():
            target.mkdir()
            command = [sys.executable, str(folder / "make.py"), str(target)]
            subprocess.run(command, check=True, capture_output=True, timeout=30)
        else:
            shutil.copytree(folder, target)
        found.extend(
            path
            for path in sorted(target.rglob("*.jsonl"))
            if path.is_file() and not path.is_symlink()
        )
    for path in sorted(REAL.glob("*.jsonl")):
        target = scratch / "real" / path.name
        target.parent.mkdir(exist_ok=True)
        shutil.copy(path, target)
        found.append(target)
    return found
