"""Make a PNG of each snapshot, to look at: `python -m tests.snapshots.look FOLDER`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from screenshots.svg_to_png import render_png
from tests.pilot.app import LARGE

HERE = Path(__file__).parent / "__snapshots__"
SIZE = re.compile(r"([0-9]+)x([0-9]+)")
"""A size of the screen in the name of a picture."""


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(HERE.glob("*/*.svg")):
        name = path.stem.partition("[")[2].rstrip("]") or path.stem
        size = SIZE.search(name)
        columns, rows = (int(size[1]), int(size[2])) if size else LARGE
        render_png(path.read_text("utf-8"), folder / f"{name}.png", columns, rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
