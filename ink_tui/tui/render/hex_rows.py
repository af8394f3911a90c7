"""Bytes of a fault as rows: offset, hexadecimal, text; the cut drawn between rows. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.text import one_line
from ink_tui.tui.render.rows import Ground, Piece, Role, Row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.model.health import HealthFault, HexWindow
    from ink_tui.tui.render.glyphs import Glyphs

WIDE = 70
"""From this width on there are 16 bytes in a row, below it 8."""

HEAD_ROWS = 4
"""Rows of bytes from the start of a line; then its middle is left out."""
TAIL_ROWS = 2

_NEWLINE = "↵"


def hex_rows(
    fault: HealthFault, windows: Sequence[HexWindow], size: int, cells: int, glyphs: Glyphs
) -> list[Row]:
    """Return the rows of a fault's bytes.

    Args:
        fault: What is shown.
        windows: The bytes that were read of it, in file order.
        size: Bytes of the file.
        cells: Width of the pane.
        glyphs: The set to draw with.
    """
    if not windows:
        return []
    return _Dump(fault, windows, size, cells, glyphs).rows()


class _Dump:
    """Builds the rows of one fault."""

    def __init__(
        self,
        fault: HealthFault,
        windows: Sequence[HexWindow],
        size: int,
        cells: int,
        glyphs: Glyphs,
    ) -> None:
        self._fault, self._windows, self._size = fault, windows, size
        self._per = 16 if cells >= WIDE else 8
        self._glyphs = glyphs
        self._digits = len(f"{size:,}")

    def rows(self) -> list[Row]:
        fault, per = self._fault, self._per
        removed = fault.cut_at is not None
        found = self._run(max(0, fault.start - per), fault.start, Ground.PLAIN)
        if fault.cut_at is not None:
            found.append(self._cut("a repair cuts here, at byte", fault.cut_at))
        ground = Ground.REMOVED if removed else Ground.PLAIN
        total = -(-(fault.end - fault.start) // per)
        if total <= HEAD_ROWS + TAIL_ROWS + 1:
            found.extend(self._run(fault.start, fault.end, ground))
        else:
            head = fault.start + HEAD_ROWS * per
            tail = fault.start + (total - TAIL_ROWS) * per
            found.extend(self._run(fault.start, head, ground))
            found.append(self._left_out(tail - head, ground))
            found.extend(self._run(tail, fault.end, ground))
        if fault.appends_at is not None:
            found.append(self._cut("a repair adds a newline here, at byte", fault.appends_at))
        if fault.end == self._size:
            found.append(self._end())
        return found

    def _run(self, start: int, end: int, ground: Ground) -> list[Row]:
        found: list[Row] = []
        at = start
        while at < end:
            data = self._bytes(at, min(end, at + self._per))
            if data:
                ahead = self._bytes(at + len(data), at + len(data) + 3)
                behind = self._bytes(max(0, at - 3), at)
                found.append(
                    self._row(at, data, text_of(data, behind, ahead, self._glyphs), ground)
                )
            at += self._per
        return found

    def _row(self, at: int, data: bytes, text: str, ground: Ground) -> Row:
        groups = [data[i : i + 8].hex(" ") for i in range(0, len(data), 8)]
        wide = self._per * 3 - 1 + (1 if self._per > 8 else 0)
        return Row(
            f"hex:{at}",
            mark=self._mark(ground),
            text=(
                Piece(f"{at:>{self._digits},} ", Role.DIM),
                Piece(f"{'  '.join(groups):<{wide}}"),
                Piece(f"  {text}", Role.MUTED),
            ),
            ground=ground,
            selectable=False,
        )

    def _mark(self, ground: Ground) -> tuple[Piece, ...]:
        if ground is not Ground.REMOVED:
            return ()
        return (Piece(self._glyphs.minus, Role.ERROR),)

    def _cut(self, words: str, at: int) -> Row:
        line = self._glyphs.compaction
        return Row(
            "hex:cut",
            mark=(Piece(line * 2, Role.WARNING),),
            text=(Piece(f"{line * 2} {words} {at:,}", Role.WARNING, bold=True),),
            fill=Piece(line, Role.WARNING),
            selectable=False,
        )

    def _left_out(self, count: int, ground: Ground) -> Row:
        dots = self._glyphs.ellipsis
        text = f"{dots} {count:,} more bytes {dots}"
        return Row(
            "hex:more",
            mark=self._mark(ground),
            text=(Piece(text, Role.DIM),),
            ground=ground,
            selectable=False,
        )

    def _end(self) -> Row:
        last = self._bytes(max(0, self._size - 4), self._size)
        words = "end of file"
        if last and not last.endswith(b"\n"):
            inside = _cut_character(last)
            words += ", inside a character and without a newline" if inside else ", no newline"
        return Row(
            "hex:end",
            text=(Piece(f"{self._size:>{self._digits},}  ", Role.DIM), Piece(words, Role.MUTED)),
            selectable=False,
        )

    def _bytes(self, start: int, end: int) -> bytes:
        """Return what is known between two bytes of the file, from the first one on."""
        for window in self._windows:
            if window.offset <= start < window.offset + len(window.data):
                return window.data[start - window.offset : end - window.offset]
        return b""


def text_of(data: bytes, behind: bytes, ahead: bytes, glyphs: Glyphs) -> str:
    """Return the text column of some bytes: decoded where whole, else as `<E8>`; cleaned.

    Args:
        data: The bytes of one row.
        behind: Up to three bytes before it: a character that began there is drawn there.
        ahead: Up to three bytes after it, to finish a character that begins here.
        glyphs: The set to draw with.
    """
    found: list[str] = []
    whole = behind + data + ahead
    start, end = len(behind), len(behind) + len(data)
    at = _spill(whole, start)
    while at < end:
        length = _character(whole, at)
        if length:
            found.append(whole[at : at + length].decode())
            at += length
        else:
            found.append(f"<{whole[at]:02X}>")
            at += 1
    text = "".join(found).replace("\n", "\\n" if glyphs.ascii else _NEWLINE)
    return one_line(text)


def _spill(whole: bytes, start: int) -> int:
    """Return where the first character of a row begins that did not begin before it."""
    for at in range(max(0, start - 3), start):
        length = _character(whole, at)
        if length and at + length > start and whole[at] >= 0xC0:
            return at + length
    return start


def _character(data: bytes, at: int) -> int:
    """Return the length of the UTF-8 character that begins at a byte; 0 if none does."""
    first = data[at]
    length = 1 if first < 0x80 else 2 if first >> 5 == 6 else 3 if first >> 4 == 14 else 4
    piece = data[at : at + length]
    try:
        return length if len(piece.decode()) == 1 else 0
    except UnicodeDecodeError:
        return 0


def _cut_character(last: bytes) -> bool:
    """Whether some bytes end inside a UTF-8 character."""
    for back in range(1, min(3, len(last)) + 1):
        lead = last[-back]
        if lead >= 0xC0:
            return back < (2 if lead < 0xE0 else 3 if lead < 0xF0 else 4)
        if lead < 0x80:
            return False
    return False
