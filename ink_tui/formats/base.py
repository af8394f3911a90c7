"""What every on-disk format offers: a parser that takes bytes as they come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ink_tui.model.session import Session


class SessionParser(Protocol):
    """Reads one session file from its start, in pieces of any size.

    Equal bytes give equal sessions however they were cut into pieces.
    """

    def feed(self, piece: bytes) -> None:
        """Take the next bytes of the file."""

    def session(self) -> Session:
        """Return the session that the bytes so far make; more bytes may follow."""


class SessionFormat(Protocol):
    """One on-disk format."""

    name: str
    """Short stable name, for example `ink`."""

    def parser(self) -> SessionParser:
        """Return a fresh parser that stands at the start of a file."""

    def skimmer(self) -> SessionParser:
        """Return one whose sessions give the same list row, and hold little else."""
