"""The sample sessions under tests/data: made where a case makes its files, else copied."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

DATA = Path(__file__).parents[1] / "data"
CASES = DATA / "cases"
REAL = DATA / "real"


def case_bytes(name: str) -> bytes:
    """Return the one session of a case that keeps its file in the folder."""
    return (CASES / name / "session.jsonl").read_bytes()


def sample_files(scratch: Path) -> list[Path]:
    """Return writable copies of every sample session, one folder for each case."""
    found: list[Path] = []
    for folder in sorted(CASES.iterdir()):
        if not folder.is_dir():
            continue
        target = scratch / folder.name
        if (folder / "make.py").exists():
            target.mkdir()
            command = [sys.executable, str(folder / "make.py"), str(target)]
            if '"steps"' in (folder / "expected.json").read_text("utf-8"):
                command.append("0")  # as it is before anything happens to it
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
