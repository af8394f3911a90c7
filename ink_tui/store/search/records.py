"""The records of one session file as texts to be searched, exactly those that can be read.

Most files are read line by line, and only lines that may hold a word are decoded. A line that is no
sound record may be a part of one that is recovered (glued, between zero bytes, split over lines):
then the whole file is given to its parser, which knows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ink_tui.formats.decode import NotJson, decode
from ink_tui.formats.ink.passages import is_sound_header, is_sound_record, record_passages
from ink_tui.formats.ink.raw import with_escaped_breaks
from ink_tui.formats.ink.records import BadRecord, read_record
from ink_tui.formats.ink.values import time_ms
from ink_tui.formats.jsonl import is_blank
from ink_tui.formats.registry import INK
from ink_tui.model.entries import Span
from ink_tui.model.passages import Kind, Passage, RecordTexts
from ink_tui.store.files import read_range
from ink_tui.store.search.anchor import candidate_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ink_tui.store.search.anchor import Anchor
    from ink_tui.store.search.places import Place

PIECE_BYTES = 1 << 20
"""Bytes looked at in one go: no single step holds up another thread for long."""

MOST_LINE_BYTES = 64 << 20
"""Longest line that is decoded (`trust.md` 2.8)."""

_PARSED_BYTES = 8 << 20
_NEAR_BYTES = 4_096
"""Bytes that are read first on each side of a place; then twice as many, and so on."""
_NOWHERE = Span(0, 0, 0, 0)


class NeedsParserError(Exception):
    """A line is no sound record: only the parser of the whole file can tell what it belongs to."""


class SearchedFile:
    """One open session file."""

    def __init__(self, descriptor: int, size: int, name: str = "") -> None:
        self.size = size
        self.name = name
        """Its own name without the ending: the session can be found by it as by an id."""
        self.long_lines = 0
        """Lines that were left out for their length."""
        self._descriptor = descriptor
        self._counted = (0, 1)
        """An offset, and the line that begins there."""

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield the file in whole lines, each block with its offset; the last may be cut off."""
        at = begin = held_bytes = 0
        held: list[bytes] = []
        too_long = False
        while at < self.size:
            piece = read_range(self._descriptor, at, min(PIECE_BYTES, self.size - at))
            if not piece:
                break
            start, at = at, at + len(piece)
            if too_long:
                newline = piece.find(b"\n")
                if newline < 0:
                    continue
                too_long, begin, piece = False, start + newline + 1, piece[newline + 1 :]
                start = begin
            complete = piece.rfind(b"\n") + 1
            if complete:
                yield begin, b"".join((*held, piece[:complete]))
                begin, held, held_bytes = start + complete, [], 0
            if complete < len(piece):
                held.append(piece[complete:])
                held_bytes += len(held[-1])
            if held_bytes > MOST_LINE_BYTES:
                self.long_lines += 1
                held, held_bytes, too_long = [], 0, True
        if held:
            yield begin, b"".join(held)

    def line_at(self, offset: int) -> int:
        """Return the number of the line that begins at an offset; offsets must not go back."""
        at, line = self._counted
        while at < offset:
            piece = read_range(self._descriptor, at, min(PIECE_BYTES, offset - at))
            if not piece:
                break
            line += piece.count(b"\n")
            at += len(piece)
        self._counted = (at, line)
        return line

    def header_at(self) -> int | None:
        """Return where the first line that is not blank begins; `None` where there is none."""
        for offset, block in self.blocks():
            first = _first_line(block)
            if first is not None:
                return offset + first[0]
        return None

    def line_around(self, offset: int) -> tuple[int, bytes] | None:
        """Return the line that an offset lies in, without its newline, and where it begins.

        Returns:
            `None` where the file ends before, or the line is too long; that is then counted.
        """
        if offset >= self.size:
            return None
        before, start = self._bytes_before(offset)
        behind: list[bytes] = []
        length, at = len(before), offset
        while start is not None and at < self.size and length <= MOST_LINE_BYTES:
            piece = read_range(
                self._descriptor, at, min(_NEAR_BYTES << len(behind), self.size - at)
            )
            end = piece.find(b"\n")
            behind.append(piece if end < 0 else piece[:end])
            length += len(behind[-1])
            at += len(piece)
            if end >= 0 or not piece:
                break
        if start is None or length > MOST_LINE_BYTES:
            self.long_lines += 1
            return None
        return start, before + b"".join(behind)

    def _bytes_before(self, offset: int) -> tuple[bytes, int | None]:
        """Return the bytes of a line before an offset and where it begins; `None` if too long."""
        pieces: list[bytes] = []
        at = offset
        while at > 0 and offset - at <= MOST_LINE_BYTES:
            length = min(at, _NEAR_BYTES << len(pieces))
            piece = read_range(self._descriptor, at - length, length)
            newline = piece.rfind(b"\n") + 1
            pieces.append(piece[newline:])
            at -= length
            if newline:
                return b"".join(reversed(pieces)), at + newline
        return (b"".join(reversed(pieces)), 0) if at == 0 else (b"", None)

    def bytes_at(self, offset: int, length: int) -> bytes:
        """Return some bytes of the file."""
        return read_range(self._descriptor, offset, length)

    def forget_lines(self) -> None:
        """Let `line_at` begin anew."""
        self._counted = (0, 1)


def line_records(
    file: SearchedFile,
    anchor: Anchor | None,
    *,
    with_header: bool,
    calls: bool,
    stop: Callable[[], bool],
) -> Iterator[RecordTexts]:
    """Yield the records that may hold a word, in file order, line by line.

    Args:
        file: The file.
        anchor: What a line must hold; `None` for all lines.
        with_header: The header counts whatever the anchor says.
        calls: Results are to know which file their call was about; every line is then decoded.
        stop: Whether nobody waits for an answer any more.

    Raises:
        NeedsParserError: A line is no sound record; what was yielded must be forgotten.
    """
    files: dict[str, str] = {}
    header_seen = False
    for offset, block in file.blocks():
        if stop():
            return
        header = None if header_seen else _first_line(block)
        header_seen = header_seen or header is not None
        lines = candidate_lines(block, None if calls else anchor)
        for start, end in _with(header if with_header else None, lines):
            content = block[start:end]
            if is_blank(content):
                continue
            value = decode(content)
            first = header is not None and start == header[0]
            if not _is_sound(value, first=first):
                raise NeedsParserError
            place = offset + start
            own = file.name if first else ""
            yield _texts(value, file.line_at(place), place, files if calls else None, own)
            if stop():
                return


def placed_records(
    file: SearchedFile, places: Iterable[Place], *, stop: Callable[[], bool]
) -> Iterator[RecordTexts]:
    """Yield the records that hold some places, in file order; nothing else is read of the file.

    Args:
        file: The file.
        places: At most one of each line.
        stop: Whether nobody waits for an answer any more.

    Raises:
        NeedsParserError: A line is no sound record; what was yielded must be forgotten.
    """
    header_at = file.header_at()
    for place in places:
        if stop():
            return
        line = file.line_around(place.offset)
        if line is None or is_blank(line[1]):
            continue
        start, content = line
        value = decode(content)
        first = start == header_at
        if not _is_sound(value, first=first):
            raise NeedsParserError
        yield _texts(value, place.line, start, None, file.name if first else "")


def parsed_records(file: SearchedFile, *, calls: bool) -> Iterator[RecordTexts]:
    """Yield all records that the parser of the whole file finds, recovered ones too.

    Args:
        file: The file.
        calls: Results are to know which file their call was about.
    """
    parser = INK.parser()
    for at in range(0, file.size, _PARSED_BYTES):
        parser.feed(file.bytes_at(at, min(_PARSED_BYTES, file.size - at)))
    session = parser.session()
    spans = [record.span for record in session.records]
    spans += [piece.record.span for piece in session.recovered]
    spans += [header.span for header in (session.header, session.recovered_header) if header]
    files: dict[str, str] = {}
    header_at = session.header.span.offset if session.header is not None else None
    if header_at is None and file.name:
        yield RecordTexts((Passage(Kind.ID, file.name),), None, 1, 0)
    for span in sorted(set(spans), key=lambda each: each.offset):
        content = file.bytes_at(span.offset, span.length).rstrip(b"\n")
        value = decode(with_escaped_breaks(content))
        if not isinstance(value, NotJson):
            own = file.name if span.offset == header_at else ""
            yield _texts(value, span.line, span.offset, files if calls else None, own)


def _with(
    header: tuple[int, int] | None, lines: Iterator[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Yield the header's line first, and then the others."""
    if header is not None:
        yield header
    for line in lines:
        if line != header:
            yield line


def _first_line(block: bytes) -> tuple[int, int] | None:
    """Return the first line of a block that is not blank."""
    start = 0
    while start < len(block):
        end = block.find(b"\n", start)
        end = len(block) if end < 0 else end
        if not is_blank(block[start:end]):
            return start, end
        start = end + 1
    return None


def _is_sound(value: Any, *, first: bool) -> bool:
    if isinstance(value, NotJson):
        return False
    if first:
        return is_sound_header(value)
    return is_sound_record(value) or not isinstance(read_record(value, _NOWHERE), BadRecord)


def _texts(
    value: Any, line: int, offset: int, files: dict[str, str] | None, file_name: str
) -> RecordTexts:
    passages = record_passages(value)
    if file_name:
        passages += (Passage(Kind.ID, file_name),)
    fields = value if isinstance(value, dict) else {}
    entry_id = fields.get("id")
    is_header = fields.get("type") == "session"
    if files is not None:
        passages = _knowing_files(passages, files)
    return RecordTexts(
        passages=passages,
        entry_id=entry_id if isinstance(entry_id, str) and not is_header else None,
        line=line,
        offset=offset,
        time_ms=time_ms(fields.get("timestamp")),
    )


def _knowing_files(passages: tuple[Passage, ...], files: dict[str, str]) -> tuple[Passage, ...]:
    """Return passages whose results name the file of their call; calls are remembered."""
    found: list[Passage] = []
    for passage in passages:
        if passage.kind is Kind.CALL and passage.file:
            files[passage.call_id] = passage.file
        elif passage.kind is Kind.RESULT and passage.call_id in files:
            passage = replace(passage, file=files[passage.call_id])
        found.append(passage)
    return tuple(found)
