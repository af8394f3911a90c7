"""Bytes to a session, as they come (`formats/ink.md` sections 3, 5 and 7).

Complete lines are decoded once and kept; the unterminated rest at the end is judged anew each time
a session is asked for. Whether a bad line is forgiven depends on whether it is the last one that
is not blank, so that is decided only when the session is built.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ink_tui.formats.ink.build import build_session
from ink_tui.formats.ink.constants import FAR_BYTES
from ink_tui.formats.ink.grown import grown_session
from ink_tui.formats.ink.line import HEADERS, Item, Reading, is_users, read_line
from ink_tui.formats.ink.records import BadHeader, BadLine
from ink_tui.formats.ink.recover import SplitJoiner
from ink_tui.formats.ink.tail import Rest
from ink_tui.model import entries
from ink_tui.model.entries import UNCOUNTED, Record, Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from ink_tui.model.recovered import RecoveredRecord
    from ink_tui.model.session import Header, Session


_Built: TypeAlias = "tuple[Session, Header | BadHeader | None, tuple[RecoveredRecord, ...], int]"
"""A session, its header, its records on several lines, and how many lines it has beside these."""


class InkParser:
    """Parses one Ink session file, in pieces of any size."""

    def __init__(
        self,
        *,
        skimming: bool = False,
        light: bool = False,
        far: Callable[[Span, Reading], Item] | None = None,
    ) -> None:
        """Make a parser that stands at the start of a file.

        Args:
            skimming: Leave out of the messages what no list row tells.
            light: Keep only the start of long texts (`ink_tui.model.light`).
            far: Reads a line longer than `FAR_BYTES` elsewhere, for programs that no long line
                may hold up; all lines are read here when left out.
        """
        self._readings = [
            Reading(skimming, light, first, untitled)
            for first, untitled in ((True, True), (False, True), (False, False))
        ]
        """For the first line, for those until the first message of the user, for later ones."""
        self._far = far
        self._rest = _Rest(drops=far is not None)
        self._rest_read: tuple[int, Item] = (0, None)
        self._offset = 0
        self._lines = 0
        self._agent_lines = 0
        self._header: Header | BadHeader | None = None
        self._items: list[Record | BadLine] = []
        self._size = 0
        self._joiner = SplitJoiner()
        self._split: list[RecoveredRecord] = []
        self._built: _Built | None = None
        """The session that was asked for last, of whole lines alone."""

    @classmethod
    def from_middle(cls, header: Header, offset: int) -> InkParser:
        """Return a parser that stands at the start of a line behind the header.

        The lines before it are unknown, so it cannot number the lines.

        Args:
            header: The header of the file.
            offset: Where the line starts (0-based).
        """
        parser = cls()
        parser._keep(header)
        parser._offset = parser._size = offset
        parser._lines = parser._agent_lines = UNCOUNTED
        return parser

    def feed(self, piece: bytes) -> None:
        """Take the next bytes of the file."""
        self._size += len(piece)
        lines = piece.split(b"\n")
        rest = lines.pop()
        start = 0
        if lines and self._rest.length:
            self._rest.add(lines[0])
            self._take(self._rest.content, self._rest.length + 1)
            self._rest = _Rest(drops=self._far is not None)
            start = 1
        for at in range(start, len(lines)):
            content = lines[at]
            self._take(content, len(content) + 1)
        self._rest.add(rest)

    def session(self) -> Session:
        """Return the session that the bytes so far make."""
        if not self._rest.length:
            return self._whole_lines()
        items, header, split = self._items, self._header, tuple(self._split)
        lines = self._lines + 1
        span = Span(self._offset, self._rest.length, lines, self._agent_lines + 1)
        content = self._rest.content
        item = self._read_rest(content, span)
        rest = Rest(self._offset, self._rest.length, blank=item is None)
        if isinstance(item, HEADERS):
            header = item
        elif item is not None:
            items = [*items, item]
        if _may_be_joined(item, span):
            joined = self._joiner.completed(content, span)
            split = (*split, joined) if joined is not None else split
        return build_session(header, items, rest, lines, self._size, split)

    def _whole_lines(self) -> Session:
        """Return the session of a file that ends with a whole line, from the last one if it can."""
        header, split, session = self._header, tuple(self._split), None
        if self._built is not None and self._built[1:3] == (header, split):
            last, count = self._built[0], self._built[3]
            session = grown_session(last, self._items[count:], self._lines, self._size)
        if session is None:
            session = build_session(header, self._items, None, self._lines, self._size, split)
        self._built = (session, header, split, len(self._items))
        return session

    def _take(self, content: bytes, length: int) -> None:
        """Take the next complete line.

        Args:
            content: The line without its newline; nothing of it where it was dropped.
            length: Its bytes, the newline included.
        """
        self._lines += 1
        agent_line = self._agent_lines + 1
        if agent_line == self._lines:
            agent_line = self._lines  # one number kept for both
        span = Span(self._offset, length, self._lines, agent_line)
        self._offset += length
        item = self._read(content, span)
        if item is not None:
            self._agent_lines += 1
            self._keep(item)
        if not _may_be_joined(item, span):
            self._joiner.clear()
        elif (joined := self._joiner.take(content, span)) is not None:
            self._split.append(joined)

    def _keep(self, item: Record | BadLine | Header | BadHeader) -> None:
        if isinstance(item, HEADERS):
            self._header = item
            del self._readings[0]
            return
        self._items.append(item)
        if len(self._readings) > 1 and is_users(item):
            del self._readings[0]

    def _read(self, content: bytes, span: Span) -> Item:
        if self._far is not None and span.length > FAR_BYTES:
            return self._far(span, self._readings[0])
        return read_line(content, span, self._readings[0])

    def _read_rest(self, content: bytes, span: Span) -> Item:
        """Read the line that is not complete; a long one once for each length of it."""
        if span.length <= FAR_BYTES:
            return self._read(content, span)
        if self._rest_read[0] != span.offset + span.length:
            self._rest_read = (span.offset + span.length, self._read(content, span))
        return self._rest_read[1]


class _Rest:
    """The pieces of a line whose end has not come; joined once, however many there are."""

    def __init__(self, *, drops: bool) -> None:
        """Make it.

        Args:
            drops: Keep nothing of an oversized line, which will be read elsewhere.
        """
        self.length = 0
        self._drops = drops
        self._pieces: list[bytes] = []

    def add(self, piece: bytes) -> None:
        """Take the next bytes of the line."""
        if not piece:
            return
        self.length += len(piece)
        if self._drops and self.length > entries.OVERSIZED_BYTES:
            self._pieces.clear()
        else:
            self._pieces.append(piece)

    @property
    def content(self) -> bytes:
        """The line so far; empty where it was dropped."""
        if len(self._pieces) > 1:
            self._pieces = [b"".join(self._pieces)]
        return self._pieces[0] if self._pieces else b""


def _may_be_joined(item: Item, span: Span) -> bool:
    """Whether a line may be a part of a record with line breaks in a string: bad, or blank.

    Oversized lines are not joined: nothing of them is kept.
    """
    if item is None:
        return not span.oversized
    return type(item) is BadLine and not item.recovered and not span.oversized
