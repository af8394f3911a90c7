"""A store of some hundred files: every case, the demo, and sessions damaged in every way."""

from __future__ import annotations

import os
import random
import shutil
import stat
import time
from pathlib import Path

from ink_tui.store.demo import create_demo
from tests.cases import all_cases
from tests.sessions import HEADER, line
from tests.unit.test_salvage import DAMAGE, chain

SEED = 20_260_310
PER_DAMAGE = 16
"""Sessions of each kind of damage."""
PER_FOLDER = 5
"""Sessions of one working folder; the list shows no more of one at first."""


def damaged_sessions() -> dict[str, bytes]:
    """Return sessions damaged in every way, and some whole ones, by their ids."""
    made: dict[str, bytes] = {}
    for kind in (*DAMAGE, None):
        for number in range(PER_DAMAGE):
            draw = random.Random(f"{SEED} {kind} {number}")
            records = chain(draw, draw.randrange(4, 12))
            if kind is not None:
                kind(records, draw.randrange(1, len(records)), draw)
            session_id = f"{len(made):08x}-1111-4111-8111-111111111111"
            head = HEADER | {"id": session_id, "cwd": f"/srv/work/{len(made) // PER_FOLDER:03d}"}
            made[session_id] = line(head) + b"".join(records)
    return made


def make_store(folder: Path) -> Path:
    """Write the store below a folder, an hour old, and return it."""
    store = folder / "store"
    for case in all_cases():
        place = store / case.name
        if case.made:
            place.mkdir(parents=True)
            case.place(place, 0 if "steps" in case.expected else None)
        else:
            shutil.copytree(case.folder, place)
    demo = create_demo(int(time.time() * 1_000), folder / "demo")
    shutil.copytree(demo.root, store / "demo", symlinks=True)
    for number, (session_id, content) in enumerate(damaged_sessions().items()):
        place = store / f"--srv-work-{number // PER_FOLDER:03d}--"
        place.mkdir(exist_ok=True)
        (place / f"2026-03-02T08-00-00-000Z-{session_id}.jsonl").write_bytes(content)
    an_hour_ago = time.time() - 3_600
    for inner, _folders, files in os.walk(store):
        for name in files:
            path = Path(inner, name)
            if stat.S_ISREG(path.lstat().st_mode):
                os.utime(path, (an_hour_ago, an_hour_ago))
    return store
