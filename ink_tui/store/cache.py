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
from typing import TYPE_CHECKING, Any, TypeAlias

from ink_tui.errors import StoreError
from ink_tui.store.atomic import private_folder
from ink_tui.store.files import Fingerprint, close_quietly
from ink_tui.store.row_codec import LAYOUT, decode_row, encode_row, sealed, unsealed
from ink_tui.store.row_lines import RowLine, check_of, line_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from ink_tui.model.listing import SessionRow
    from ink_tui.store.findings import Finding

_NAME = "sessions.sqlite"
_VERSION = 2
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
);
CREATE TABLE lines (
    path BLOB PRIMARY KEY,
    device INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    place INTEGER NOT NULL,
    left_out INTEGER NOT NULL,
    line BLOB NOT NULL,
    check_sum INTEGER NOT NULL
);
"""
# With a row id: a row is longer than an index page of SQLite holds, and would take one of its own.

Entry: TypeAlias = tuple[tuple[int | bytes, ...], tuple[int | bytes, ...]]
"""A finding as it is kept: what stands in the one table and in the other."""


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

    def load(self, paths: Iterable[str] | None = None) -> dict[str, CachedRow]:
        """Return the rows that are known, damaged ones left out.

        Args:
            paths: Of these files alone; of all when left out.
        """
        question = "SELECT path, device, inode, size, mtime_ns, row FROM sessions"
        if paths is not None:
            return dict(_cached(self._read_each(question, paths)))
        if self._is_nothing_there():
            return {}
        # One by one: all of them at once would take more memory than the rows that come of them.
        return dict(self._tried(lambda base: list(_cached(base.execute(question)))))

    def lines(self) -> Iterator[tuple[RowLine, Fingerprint]]:
        """Yield the lines of all rows that are known, each with the state of its file."""
        for name, device, inode, size, mtime_ns, order, left_out, line, check in self._read(
            "SELECT * FROM lines"
        ):
            try:
                state = Fingerprint(device, _unsigned(inode), size, mtime_ns)
                if check_of(line, name, state, order) != check:
                    continue
                yield RowLine(order, os.fsdecode(name), left_out == 1, line), state
            except (ValueError, TypeError):
                continue  # damaged

    def histories(self, paths: Iterable[str]) -> dict[str, bytes]:
        """Return the digests of files as they were read last; those that have none are left out."""
        found: dict[str, bytes] = {}
        for name, content in self._read_each("SELECT path, history FROM sessions", paths):
            with suppress(ValueError, TypeError):
                found[os.fsdecode(name)] = unsealed(content, name)
        return found

    def keep(self, findings: Mapping[str, Finding]) -> None:
        """Keep what was found, in one transaction."""
        self.keep_entries([entry_of(path, found) for path, found in findings.items()])

    def keep_entries(self, entries: Sequence[Entry]) -> None:
        """Keep what was found in another process, in one transaction."""
        self._write(
            (f"INSERT OR REPLACE INTO sessions VALUES ({_places(7)})", [row for row, _ in entries]),
            (f"INSERT OR REPLACE INTO lines VALUES ({_places(9)})", [line for _, line in entries]),
        )

    def drop(self, paths: Iterable[str]) -> None:
        """Forget files that are gone: no text of a deleted session stays."""
        names = [(os.fsencode(path),) for path in paths]
        self._write(
            ("DELETE FROM sessions WHERE path = ?", names),
            ("DELETE FROM lines WHERE path = ?", names),
        )

    def _read(self, question: str) -> list[tuple[Any, ...]]:
        if self._is_nothing_there():
            return []
        return self._tried(lambda base: base.execute(question).fetchall())

    def _read_each(self, question: str, paths: Iterable[str]) -> list[tuple[Any, ...]]:
        """Ask for some files, one by one over one connection."""
        names = [(os.fsencode(path),) for path in paths]
        if not names or self._is_nothing_there():
            return []
        one = f"{question} WHERE path = ?"
        return self._tried(
            lambda base: [row for name in names for row in base.execute(one, name).fetchall()]
        )

    def _is_nothing_there(self) -> bool:
        # Not `Path.exists`, which raises where a folder may not be entered.
        return bool(self.notice) or not os.path.exists(self._path)  # noqa: PTH110 - a text

    def _write(self, *statements: tuple[str, Sequence[tuple[int | bytes, ...]]]) -> None:
        def write(base: sqlite3.Connection) -> list[tuple[Any, ...]]:
            for statement, values in statements:
                base.executemany(statement, values)
            return []

        if not self.notice and any(values for _statement, values in statements):
            self._tried(write)

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
        if version:
            raise sqlite3.DatabaseError("older tables")
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("PRAGMA synchronous = NORMAL")
        with base:
            base.execute("BEGIN IMMEDIATE")
            if base.execute("PRAGMA user_version").fetchone()[0] == 0:
                for statement in _TABLES.split(";"):
                    base.execute(statement)
                base.execute("INSERT INTO layout VALUES (?)", (_LAYOUT,))
                base.execute(f"PRAGMA user_version = {_VERSION}")


def _cached(found: Iterable[tuple[Any, ...]]) -> Iterator[tuple[str, CachedRow]]:
    for name, device, inode, size, mtime_ns, content in found:
        try:
            state = Fingerprint(device, _unsigned(inode), size, mtime_ns)
            path = os.fsdecode(name)
            yield path, CachedRow(state, decode_row(path, content, _key(name, state)))
        except (ValueError, TypeError):
            continue  # damaged


def entry_of(path: str, found: Finding) -> Entry:
    """Return a finding as it is kept."""
    name, state = os.fsencode(path), found.state
    numbers = (state.device, _signed(state.inode), state.size, state.mtime_ns)
    row = encode_row(found.row, _key(name, state))
    line = line_of(found.row)
    check = check_of(line.line, name, state, line.order)
    return (
        (name, *numbers, row, sealed(found.history, name)),
        (name, *numbers, line.order, int(line.left_out), line.line, check),
    )


def _places(number: int) -> str:
    return ", ".join("?" * number)


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
