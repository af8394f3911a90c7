"""R5: a byte changed in a part that was read before (`trust.md` 2.9)."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

from ink_tui.store.library import Library
from ink_tui.store.reader import CHECKED_BYTES, SessionReader
from tests.reliability.samples import plain
from tests.sessions import answer

if TYPE_CHECKING:
    from pathlib import Path

    from tests.reliability.ledger import Ledger

_SEED = 20260305
_LONG_AFTER = 10**15


def test_r5_a_changed_byte_is_noticed(ledger: Ledger, tmp_path: Path) -> None:
    """The file also grows, so that neither its size nor the bytes before its end tell."""
    path = tmp_path / "a.jsonl"
    content = plain(200_000)
    path.write_bytes(content)
    reader = SessionReader(str(path))
    reader.read()
    with path.open("ab") as stream:
        stream.write(answer("grown", None, "more"))
    chance = random.Random(_SEED)
    descriptor = os.open(path, os.O_RDWR)
    what = f"a byte changed in a part read before, the file grown since, seed {_SEED}: noticed"
    try:
        with ledger.row("R5", what, least=20_000) as row:
            reader.read()
            for _ in range(20_000):
                row.trial()
                spot = chance.randrange(len(content) - 1)
                was = content[spot : spot + 1]
                other = bytes((chance.choice([b for b in range(256) if b != was[0]]),))
                reader.changed_at, reader.verified = None, False
                os.pwrite(descriptor, other, spot)
                reader.verify()
                row.check(_near(reader, spot), spot, was, other, reader.changed_at)
                os.pwrite(descriptor, was, spot)
            reader.changed_at, reader.verified = None, False
            reader.verify()
            row.check(not _near(reader, 0), "a file put back counts as changed")
    finally:
        os.close(descriptor)


def _near(reader: SessionReader, spot: int) -> bool:
    """Whether the reader tells of a change in the 64 KB in which a byte lies."""
    at = reader.changed_at
    return at is not None and at <= spot < at + CHECKED_BYTES


def test_r5_the_screen_is_told(ledger: Ledger, tmp_path: Path) -> None:
    """The whole way: the session is opened again, says so, and is shown as it stands."""
    path = tmp_path / "home-u-demo" / "a.jsonl"
    path.parent.mkdir()
    content = plain(8_000)
    chance = random.Random(_SEED)
    what = "the same through the library: said with its place, shown as a fresh load shows it"
    with ledger.row("R5 opened", what, least=300) as row:
        for number in range(300):
            row.trial()
            path.write_bytes(content)
            library = Library([str(tmp_path)], clock=lambda: _LONG_AFTER)
            library.open(str(path))
            spot = chance.randrange(len(content) - 1)
            changed = bytearray(content)
            changed[spot] ^= 1 << chance.randrange(8)
            grown = answer("grown", None, "more") if number % 2 else b""
            path.write_bytes(bytes(changed) + grown)
            os.utime(path, ns=(number, number))
            opened = library.open(str(path))
            fresh = Library([str(tmp_path)], clock=lambda: _LONG_AFTER).open(str(path))
            row.check(opened.changed_at == 0, spot, opened.changed_at)
            row.check(opened.diagnosis == fresh.diagnosis, spot, "not as a fresh load")
