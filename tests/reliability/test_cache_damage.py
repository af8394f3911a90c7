"""R18: the cache of rows, cut short and with flipped bits."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from ink_tui.model.listing import SessionRow
from ink_tui.store.cache import RowCache
from ink_tui.store.files import Fingerprint
from ink_tui.store.findings import Finding

if TYPE_CHECKING:
    from pathlib import Path

    from tests.reliability.ledger import Ledger, Row

_SEED = 20260306
_NAME = "sessions.sqlite"
_FLIPS = 700


def _finding(number: int) -> Finding:
    row = SessionRow(f"/s/{number}.jsonl", session_id=f"id{number}", title=f"title {number} " * 9)
    return Finding(Fingerprint(1, number, 100, 7), row, b"digests")


def _try(row: Row, folder: Path, content: bytes, what: object) -> None:
    """Read and write a damaged cache: what it gives is right, and it holds new rows again."""
    row.trial()
    path = folder / _NAME
    for ending in ("-wal", "-shm"):
        path.with_name(_NAME + ending).unlink(missing_ok=True)
    path.write_bytes(content)
    cache = RowCache(folder)
    found = cache.load()
    for name, cached in found.items():
        known = _finding(cached.state.inode)
        right = (known.row.path, known.state, known.row)
        row.check((name, cached.state, cached.row) == right, what, "a wrong row", name, cached)
        row.check(
            cache.histories([name]).get(name, b"") in (b"digests", b""), what, "wrong digests", name
        )
    cache.keep({"/s/new.jsonl": _finding(99)})
    row.check(not cache.notice, what, cache.notice)
    row.check("/s/new.jsonl" in RowCache(folder).load(), what, "it keeps nothing any more")
    row.note("rows still read", len(found))


def test_a_damaged_cache(ledger: Ledger, tmp_path: Path) -> None:
    what = f"cache cut at every 64th byte, bits flipped, seed {_SEED}: read again, never wrong"
    cache = RowCache(tmp_path)
    cache.keep({f"/s/{number}.jsonl": _finding(number) for number in range(20)})
    path = tmp_path / _NAME
    # All of it in the one file, as after a program that ended by itself.
    assert len(cache.load()) == 20
    good = path.read_bytes()
    chance = random.Random(_SEED)
    with ledger.row("R18 cache", what, least=1_000) as row:
        for cut in range(0, len(good), 64):
            _try(row, tmp_path, good[:cut], f"cut at {cut}")
        for _ in range(_FLIPS):
            damaged = bytearray(good)
            places = [chance.randrange(len(good)) for _ in range(chance.choice((1, 1, 8)))]
            for place in places:
                damaged[place] ^= 1 << chance.randrange(8)
            _try(row, tmp_path, bytes(damaged), places)
