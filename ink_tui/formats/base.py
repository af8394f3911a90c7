"""What every on-disk format offers: a parser that takes bytes as they come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from ink_tui.model.entries import Record, Span
    from ink_tui.model.session import Session

FarLines: TypeAlias = "Callable[[Span, Any], Any]"
"""Reads a line in another place: where it stands, and how it is to be read, to what it holds.

Both are values of the format that the parser hands over and takes back unseen.
"""


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

    def parser(self, *, light: bool = False, far: FarLines | None = None) -> SessionParser:
        """Return a fresh parser that stands at the start of a file.

        Args:
            light: Keep only the start of long texts (`ink_tui.model.light`).
            far: Reads very long lines elsewhere.
        """

    def skimmer(self) -> SessionParser:
        """Return one whose sessions give the same list row, and hold little else."""

    def record(self, content: bytes, span: Span) -> Record | None:
        """Return one record with all of its texts; `None` where there is none.

        Args:
            content: Its bytes.
            span: Where they stand.
        """

    def line(self, content: bytes, span: Span, reading: Any) -> Any:
        """Return what a line holds, for a parser that has it read elsewhere.

        Args:
            content: The line without its newline.
            span: Where it stands.
            reading: How the parser wants it to be read.
        """
