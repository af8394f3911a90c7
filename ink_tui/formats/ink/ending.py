"""The end of a long session file, read before the rest (`performance.md` section 5).

The header tells whose session it is, and the last lines what was said last. What stands between
them is unknown here: no number of a line, no earlier record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.formats.decode import decode
from ink_tui.formats.ink.parser import InkParser
from ink_tui.formats.ink.records import BadHeader, read_header
from ink_tui.formats.jsonl import is_blank
from ink_tui.model.entries import Span

if TYPE_CHECKING:
    from ink_tui.model.session import Header, Session


def ending_of(head: bytes, end: bytes, offset: int) -> Session | None:
    """Return what header and last lines of a file tell, as if nothing stood between them.

    Args:
        head: The first bytes of the file.
        end: Its last bytes, from the start of a line behind the header.
        offset: Where in the file they start (0-based).

    Returns:
        `None` where the header is not whole in the head, where Ink would not open it, or where it
        stands in the end itself.
    """
    header = _header(head)
    if header is None or header.span.offset + header.span.length > offset:
        return None
    parser = InkParser.from_middle(header, offset)
    parser.feed(end)
    return parser.session()


def _header(head: bytes) -> Header | None:
    start, line = 0, 1
    while (stop := head.find(b"\n", start) + 1) > 0:
        content = head[start : stop - 1]
        if not is_blank(content):
            found = read_header(decode(content), Span(start, stop - start, line, 1))
            return None if isinstance(found, BadHeader) else found
        start, line = stop, line + 1
    return None
