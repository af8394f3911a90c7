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
from typing import TYPE_CHECKING, Any

from ink_tui.errors import StoreError
from ink_tui.store.atomic import private_folder
from ink_tui.store.files import Fingerprint, close_quietly
from ink_tui.store.row_codec import LAYOUT, decode_row, encode_row, sealed, unsealed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from ink_tui.model.listing import SessionRow
    from ink_tui.store.findings import Finding

_NAME = "sessions.sqlite"
_VERSION = 1
"""Of the tables; a file with a greater one is a newer ink-tui's."""
_LAYOUT = LAYOUT.encode()
"""As bytes: what is damaged may be no text."""
_WAIT_S = 2.0
"""How long another ink-tui that writes is waited for."""

_TABLES = """
CREATE TABLE layout (names BLOB NOT NULL);
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
        found = self._read("SELECT path, device, inode, size, mtime_ns, row FROM sessions")
        rows: dict[str, CachedRow] = {}
        for name, device, inode, size, mtime_ns, content in found:
            with suppress(ValueError, TypeError):
                state = Fingerprint(device, _unsigned(inode), size, mtime_ns)
                path = os.fsdecode(name)
                rows[path] = CachedRow(state, decode_row(path, content, _key(name, state)))
        return rows

    def history(self, path: str) -> bytes:
        """Return the digests of a file as it was read last; empty when there are none."""
        name = os.fsencode(path)
        for (content,) in self._read("SELECT history FROM sessions WHERE path = ?", (name,)):
            with suppress(ValueError, TypeError):
                return unsealed(content, name)
        return b""

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
                    encode_row(found.row, _key(os.fsencode(path), found.state)),
                    sealed(found.history, os.fsencode(path)),
                )
                for path, found in findings.items()
            ],
        )

    def drop(self, paths: Iterable[str]) -> None:
        """Forget files that are gone: no text of a deleted session stays."""
        self._write("DELETE FROM sessions WHERE path = ?", [(os.fsencode(path),) for path in paths])

    def _read(self, question: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        # Not `Path.exists`, which raises where a folder may not be entered.
        if self.notice or not os.path.exists(self._path):  # noqa: PTH110
            return []
        return self._tried(lambda base: base.execute(question, values).fetchall())

    def _write(self, statement: str, values: list[tuple[object, ...]]) -> None:
        if not self.notice and values:
            self._tried(lambda base: base.executemany(statement, values).fetchall())

    def _tried(
        self, work: Callable[[sqlite3.Connection], list[tuple[Any, ...]]]
    ) -> list[tuple[Any, ...]]:
        """Do something with the file; where it is damaged, once more with a new one."""
        try:
            try:
                return self._done(work)
            except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # names that are no text
                if isinstance(error, sqlite3.Error) and _is_of_the_system(error):
                    raise
            self._remove()
            return self._done(work)
        except (sqlite3.Error, StoreError, UnicodeDecodeError) as error:
            self.notice = f"What is read is not kept for the next start: {error}."
            return []

    def _done(
        self, work: Callable[[sqlite3.Connection], list[tuple[Any, ...]]]
    ) -> list[tuple[Any, ...]]:
        self._make_private()
        with closing(self._connect()) as base:
            self._prepare(base)
            with base:
                return work(base)

    def _remove(self) -> None:
        for ending in ("", "-wal", "-shm"):
            with suppress(OSError):
                self._path.with_name(_NAME + ending).unlink()

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
        base.text_factory = bytes  # a flipped bit may turn one type into the other
        base.execute("PRAGMA secure_delete = ON")
        return base

    def _prepare(self, base: sqlite3.Connection) -> None:
        """Make the tables of a new file; raises what sets an older or a newer one apart."""
        version = base.execute("PRAGMA user_version").fetchone()[0]
        if version > _VERSION:
            raise StoreError("a newer ink-tui keeps it")
        if version == _VERSION:
            if base.execute("SELECT names FROM layout").fetchone() != (_LAYOUT,):
                raise sqlite3.DatabaseError("another layout")
            return
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("PRAGMA synchronous = NORMAL")
        with base:
            base.execute("BEGIN IMMEDIATE")
            if base.execute("PRAGMA user_version").fetchone()[0] == 0:
                for statement in _TABLES.split(";"):
                    base.execute(statement)
                base.execute("INSERT INTO layout VALUES (?)", (_LAYOUT,))
                base.execute(f"PRAGMA user_version = {_VERSION}")


def _is_of_the_system(error: sqlite3.Error) -> bool:
    """Whether an error comes from the system or another program, not from what the file holds."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    return code in (
        *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR),
        *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM),
        *(sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_NOLFS),
    )


def _key(name: bytes, state: Fingerprint) -> bytes:
    """Return what a row belongs to: a file in one state."""
    numbers = (state.device, state.inode, state.size, state.mtime_ns)
    return name + b"\0" + " ".join(map(str, numbers)).encode()


def _unsigned(number: int) -> int:
    return number if number >= 0 else number + (1 << 64)


def _signed(number: int) -> int:
    """Return an inode as a number that SQLite can hold."""
    return number if number < 1 << 63 else number - (1 << 64)
