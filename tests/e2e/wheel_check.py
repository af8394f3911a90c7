"""The installed command, tried on samples from outside the repository (standard library only).

python wheel_check.py INK_TUI CASES     INK_TUI: the command; CASES: the folder of cases
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

SAMPLES = ("49-two-compactions", "01-tail-fragment", "40-dangling-call", "18-invalid-utf8")
STORE = "60-child-sessions"


def run(*argv: str, status: int) -> list[dict[str, Any]]:
    """Run a command that prints JSON Lines, and demand its exit status."""
    result = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)
    if result.returncode != status:
        sys.exit(f"{argv}: status {result.returncode}, not {status}\n{result.stderr}")
    return [json.loads(line) for line in result.stdout.splitlines()]


def check(command: str, cases: Path) -> int:
    """Compare ``check --json`` with every field that the cases give; returns how many."""
    compared = 0
    for name in SAMPLES:
        expected = json.loads((cases / name / "expected.json").read_text("utf-8"))["sessions"]
        for file, fields in expected.items():
            bad = fields["repair_needed"] or not fields["repairable"]
            argv = (command, "check", "--json", str(cases / name / file))
            (answer,) = run(*argv, status=1 if bad else 0)
            wrong = {key: answer.get(key) for key in fields if answer.get(key) != fields[key]}
            if wrong:
                sys.exit(f"{name}: {wrong}")
            compared += len(fields)
    return compared


def list_sessions(command: str, cases: Path) -> int:
    """Compare ``list --json`` with the files that the case says are shown; returns how many."""
    folder = cases / STORE
    expected = json.loads((folder / "expected.json").read_text("utf-8"))["listing"]["visible"]
    argv = (command, "list", "--json", "--sessions-dir", str(folder / "root"))
    rows = [row for row in run(*argv, status=0) if not row["child"] and not row["empty"]]
    if sorted(row["path"] for row in rows) != sorted(str(folder / name) for name in expected):
        sys.exit(f"{STORE}: {rows}")
    return len(rows)


def main(command: str, cases: Path) -> None:
    usage = subprocess.run([command, "--help"], capture_output=True, text=True, check=False)
    if usage.returncode != 0 or "usage:" not in usage.stdout.lower():
        sys.exit(f"--help: status {usage.returncode}\n{usage.stdout}{usage.stderr}")
    fields = check(command, cases)
    rows = list_sessions(command, cases)
    print(f"{fields} fields of check and {rows} rows of list are right")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
