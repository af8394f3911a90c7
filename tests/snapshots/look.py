"""Make a PNG of each snapshot, to look at: `python -m tests.snapshots.look FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path

from screenshots.svg_to_png import render_png
from tests.pilot.app import LARGE
from tests.snapshots.test_screens import SHOTS

HERE = Path(__file__).parent / "__snapshots__" / "test_screens"


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(HERE.glob("*.svg")):
        name = path.stem.partition("[")[2].rstrip("]") or path.stem
        columns, rows = SHOTS[name].size if name in SHOTS else LARGE
        render_png(path.read_text("utf-8"), folder / f"{name}.png", columns, rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
