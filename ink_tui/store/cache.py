"""What was found out about session files by reading them whole, kept from one start to the next.

A SQLite file in our cache folder, 0600, written ahead (WAL). It can always be computed again: what
is damaged or of an older layout is thrown away silently, what a newer ink-tui wrote is left alone,
and a disk that takes nothing only costs the keeping (`performance.md` section 5).
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.errors import StoreError
from ink_tui.store.atomic import private_folder
from ink_tui.store.files import Fingerprint, close_quietly
from ink_tui.store.row_codec import LAYOUT, decode_row, encode_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from ink_tui.model.listing import SessionRow
    from ink_tui.store.deep import Finding

_NAME = "sessions.sqlite"
_VERSION = 1
"""Of the tables; a file with a greater one is a newer ink-tui's."""
_WAIT_S = 2.0
"""How long another ink-tui that writes is waited for."""

_TABLES = """
CREATE TABLE layout (names TEXT NOT NULL);
CREATE TABLE sessions (
    path BLOB PRIMARY KEY,
    device INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    row BLOB NOT NULL,
    history BLOB NOT NULL
) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class CachedRow:
    """A row and the file that it was read from."""

    state: Fingerprint
    row: SessionRow


class RowCache:
    """Rows by path. Every method may be called from any thread, one at a time; none raises."""

    def __init__(self, folder: Path) -> None:
        """Make it; nothing is opened before it is used.

        Args:
            folder: Our cache folder; made when something is kept.
        """
        self.notice = ""
        """Why nothing is kept, in a sentence; empty while all is well."""
        self._path = folder / _NAME

    def load(self) -> dict[str, CachedRow]:
        """Return all that is known, damaged rows left out."""
        if not self._path.exists():
            return {}
        try:
            with closing(self._open()) as base:
                found = base.execute(
                    "SELECT path, device, inode, size, mtime_ns, row FROM sessions"
                ).fetchall()
        except (sqlite3.Error, StoreError) as error:
            self._give_up(error)
            return {}
        rows: dict[str, CachedRow] = {}
        for name, device, inode, size, mtime_ns, content in found:
            with suppress(ValueError, TypeError):
                path = os.fsdecode(name)
                state = Fingerprint(device, inode, size, mtime_ns)
                rows[path] = CachedRow(state, decode_row(path, content))
        return rows

    def history(self, path: str) -> bytes:
        """Return the digests of a file as it was read last; empty when there are none."""
        if self.notice or not self._path.exists():
            return b""
        try:
            with closing(self._open()) as base:
                found = base.execute(
                    "SELECT history FROM sessions WHERE path = ?", (os.fsencode(path),)
                ).fetchone()
        except (sqlite3.Error, StoreError) as error:
            self._give_up(error)
            return b""
        return found[0] if found is not None and isinstance(found[0], bytes) else b""

    def keep(self, findings: Mapping[str, Finding]) -> None:
        """Keep what was found, in one transaction."""
        self._write(
            "INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    os.fsencode(path),
                    found.state.device,
                    _signed(found.state.inode),
                    found.state.size,
                    found.state.mtime_ns,
                    encode_row(found.row),
                    found.history,
                )
                for path, found in findings.items()
            ],
        )

    def drop(self, paths: Iterable[str]) -> None:
        """Forget files that are gone: no text of a deleted session stays."""
        self._write("DELETE FROM sessions WHERE path = ?", [(os.fsencode(path),) for path in paths])

    def _write(self, statement: str, values: list[tuple[object, ...]]) -> None:
        if self.notice or not values:
            return
        try:
            with closing(self._open()) as base, base:
                base.executemany(statement, values)
        except (sqlite3.Error, StoreError) as error:
            self._give_up(error)

    def _open(self) -> sqlite3.Connection:
        """Open the file, or make it; one that is damaged or older is made anew."""
        self._make_private()
        base = self._connect()
        try:
            return self._ready(base)
        except sqlite3.DatabaseError as error:
            base.close()
            if isinstance(error, sqlite3.OperationalError) and not _is_damage(error):
                raise
        for ending in ("", "-wal", "-shm"):
            with suppress(OSError):
                self._path.with_name(_NAME + ending).unlink()
        self._make_private()
        return self._ready(self._connect())

    def _make_private(self) -> None:
        """Make the file with the rights of a file of ours: SQLite would ask the umask."""
        private_folder(self._path.parent)
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            close_quietly(os.open(self._path, flags, 0o600))
        except OSError as error:
            raise StoreError(error.strerror or str(error)) from error

    def _connect(self) -> sqlite3.Connection:
        base = sqlite3.connect(self._path, timeout=_WAIT_S, isolation_level="IMMEDIATE")
        base.execute("PRAGMA secure_delete = ON")
        return base

    def _ready(self, base: sqlite3.Connection) -> sqlite3.Connection:
        version = base.execute("PRAGMA user_version").fetchone()[0]
        if version > _VERSION:
            base.close()
            raise StoreError("a newer ink-tui keeps it")
        if version == _VERSION:
            if base.execute("SELECT names FROM layout").fetchone() != (LAYOUT,):
                raise sqlite3.DatabaseError("another layout")
            return base
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("PRAGMA synchronous = NORMAL")
        with base:
            base.execute("BEGIN IMMEDIATE")
            if base.execute("PRAGMA user_version").fetchone()[0] == 0:
                for statement in _TABLES.split(";"):
                    base.execute(statement)
                base.execute("INSERT INTO layout VALUES (?)", (LAYOUT,))
                base.execute(f"PRAGMA user_version = {_VERSION}")
        return base

    def _give_up(self, error: sqlite3.Error | StoreError) -> None:
        self.notice = f"What is read is not kept for the next start: {error}."


def _is_damage(error: sqlite3.OperationalError) -> bool:
    """Whether an error that SQLite calls one of operation comes from what stands in the file."""
    words = str(error)
    return "no such table" in words or "no such column" in words or "malformed" in words


def _signed(number: int) -> int:
    """Return an inode as a number that SQLite can hold."""
    return number if number < 1 << 63 else number - (1 << 64)
