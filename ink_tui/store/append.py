"""Appending records to a session that we continue ourselves (`formats/ink.md` 7.8).

One record is one whole line in one `os.write` on an append-only descriptor. Before each write the
file must be the one that we read and wrote: same file behind the name, same size, ending in a
newline. Otherwise somebody else writes here too, and we stop.
"""

from __future__ import annotations

import fcntl
import os
import stat
from typing import TYPE_CHECKING

from ink_tui.errors import RefusedError, StoreError
from ink_tui.model.text import one_line
from ink_tui.store.files import UnreadableError, problem_of, read_range, unreadable

if TYPE_CHECKING:
    from types import TracebackType


class SessionAppender:
    """One session file, held open for appending until `close`.

    While it is open it holds a `flock` on the file, so that a second one refuses; other programs
    do not ask for that lock and are noticed by what they leave in the file.
    """

    def __init__(self, path: str) -> None:
        """Open a file.

        Args:
            path: The session file; a link is not followed.

        Raises:
            UnreadableError: It is not a regular file, or the system refuses.
            RefusedError: It has a second name, belongs to somebody else, or is in use.
        """
        self.path = path
        flags = os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        try:
            refused = problem_of(os.lstat(path).st_mode)
            if refused is not None:
                raise UnreadableError(path, *refused)
            self._descriptor = os.open(path, flags)
        except OSError as error:
            raise unreadable(path, error) from error
        try:
            self._lock()
            status = os.fstat(self._descriptor)
            self._check_owner(status)
        except BaseException:
            os.close(self._descriptor)
            raise
        self._file = (status.st_dev, status.st_ino)
        self._size = status.st_size

    @property
    def size(self) -> int:
        """Bytes of the file as we know it."""
        return self._size

    def read(self) -> bytes:
        """Return the whole file as it was when it was opened, with what we have written since."""
        return read_range(self._descriptor, 0, self._size)

    def append(self, line: bytes) -> None:
        """Write one record at the end of the file, durably.

        Args:
            line: The whole line with its newline, and no other newline in it.

        Raises:
            RefusedError: The file is not as we left it; nothing was written.
            StoreError: The write failed. What had reached the file was taken back if possible.
        """
        if not line.endswith(b"\n") or line.count(b"\n") != 1:
            raise ValueError("a record is exactly one line")
        self._check_unchanged()
        try:
            written = os.write(self._descriptor, line)
        except OSError as error:
            raise StoreError(f"The record could not be saved: {error.strerror}.") from error
        if written != len(line):
            self._take_back(written)
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            self._size += written
            raise StoreError(f"The record may not be saved: {error.strerror}.") from error
        self._size += written

    def close(self) -> None:
        """Close the file; its lock goes with it."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> SessionAppender:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _lock(self) -> None:
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RefusedError(
                "in-use", "Another ink-tui process writes to this session. Fork it, or wait."
            ) from None
        except OSError:
            pass  # a file system without locks: changes are still noticed before each write

    def _check_owner(self, status: os.stat_result) -> None:
        name = one_line(self.path)
        if not stat.S_ISREG(status.st_mode):
            raise RefusedError("not-regular", f"{name} is not a regular file.")
        if status.st_uid != os.geteuid():
            raise RefusedError("not-ours", f"{name} belongs to another user; fork it.")
        if status.st_nlink != 1:
            raise RefusedError("linked", f"{name} has a second name (hard link); fork it.")

    def _check_unchanged(self) -> None:
        try:
            status = os.lstat(self.path)
        except OSError as error:
            raise RefusedError(
                "changed", "The session file is gone. Nothing more is written."
            ) from error
        same_file = (status.st_dev, status.st_ino) == self._file
        ends_well = self._size > 0 and os.pread(self._descriptor, 1, self._size - 1) == b"\n"
        if not same_file or status.st_size != self._size or not ends_well:
            raise RefusedError(
                "changed",
                "Another program has changed the session file. Nothing more is written; resume it"
                " again to go on from what stands there now.",
            )

    def _take_back(self, written: int) -> None:
        """Cut a record of which only a part was written, if it is still the end of the file."""
        whole = self._size + written
        cut = os.fstat(self._descriptor).st_size == whole
        if cut:
            try:
                os.ftruncate(self._descriptor, self._size)
            except OSError:
                cut = False
        end = "It was taken back." if cut else "The file now ends in a part of it."
        raise StoreError(f"The record could not be saved whole; is the disk full? {end}")
