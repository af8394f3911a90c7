"""Session files in every legal spelling, and what a plain search of their decoded texts finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ink_tui.formats.decode import NotJson, decode
from ink_tui.formats.ink.passages import record_passages
from ink_tui.formats.ink.raw import with_escaped_breaks
from ink_tui.formats.registry import INK
from ink_tui.model.passages import Kind
from ink_tui.model.query import parse
from ink_tui.model.query_sessions import Surroundings
from ink_tui.store.search.engine import Search, SearchOptions
from ink_tui.store.search.values import FoundIn, Hit, SearchTarget

if TYPE_CHECKING:
    import random
    from pathlib import Path

    from ink_tui.store.search.spellings import Spellings
    from ink_tui.store.search.values import SearchEvent

SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "/": "\\/", "\b": "\\b", "\r": "\\r"}


def spelled(text: str, chance: random.Random, escapes: float) -> bytes:
    """Return a JSON string of a text, each character in one of its legal spellings."""
    out = [b'"']
    for char in text:
        code = ord(char)
        must = code < 0x20 or char in '"\\' or 0xD800 <= code <= 0xDFFF
        if char in SHORT and (must or char == "/") and chance.random() < 0.5:
            out.append(SHORT[char].encode())
        elif must or chance.random() < escapes:
            out.append(_escaped(char, chance))
        else:
            out.append(char.encode())
    return b"".join(out) + b'"'


def _escaped(char: str, chance: random.Random) -> bytes:
    units = char.encode("utf-16-be", "surrogatepass")
    spelling = ""
    for at in range(0, len(units), 2):
        digits = units[at : at + 2].hex()
        spelling += "\\u" + "".join(chance.choice((d, d.upper())) for d in digits)
    return spelling.encode()


def record(entry_id: str, message: bytes) -> bytes:
    """Return a message record around a message's bytes; without its newline."""
    return (
        b'{"type":"message","id":"%s","parentId":null,"timestamp":"2026-03-02T08:00:01.000Z",'
        b'"message":%s}' % (entry_id.encode(), message)
    )


def user_message(text: bytes) -> bytes:
    return b'{"role":"user","content":%s}' % text


def result_message(text: bytes) -> bytes:
    return (
        b'{"role":"toolResult","results":[{"toolCallId":"c","toolName":"bash","content":%s,'
        b'"isError":false}]}' % text
    )


def call_message(name: bytes, text: bytes) -> bytes:
    return (
        b'{"role":"assistant","blocks":[{"type":"toolCall","id":"c","name":"bash",'
        b'"arguments":{"command":{%s:%s}}}]}' % (name, text)
    )


def naive(content: bytes, name: str, words: list[str]) -> set[tuple[int, Kind]]:
    """Return offset and kind of every text that a plain search of all decoded texts finds."""
    parser = INK.parser()
    parser.feed(content)
    session = parser.session()
    header = session.header
    spans = {each.span for each in session.records}
    spans |= {each.record.span for each in session.recovered}
    spans |= {each.span for each in (header, session.recovered_header) if each}
    found: set[tuple[int, Kind]] = set()
    for span in spans:
        value: Any = decode(
            with_escaped_breaks(content[span.offset : span.offset + span.length].rstrip(b"\n"))
        )
        if isinstance(value, NotJson):
            continue
        texts = [(passage.kind, passage.text) for passage in record_passages(value)]
        if header is not None and span == header.span:
            texts.append((Kind.ID, name))
        if all(any(_holds(kind, text, word) for kind, text in texts) for word in words):
            found |= {
                (span.offset, kind)
                for kind, text in texts
                for word in words
                if _holds(kind, text, word)
            }
    return found


def _holds(kind: Kind, text: str, word: str) -> bool:
    if kind is Kind.ID and len(word) < 8 and len(word) != len(text):
        return False
    if any(char.isupper() or char.istitle() for char in word):
        return word in text
    return word.casefold() in text.casefold()


def run(
    query: str,
    *paths: Path,
    ripgrep: str | None = None,
    around: Surroundings | None = None,
    spellings: Spellings | None = None,
) -> list[SearchEvent]:
    """Search some files, newest first as given."""
    parsed = parse(query)
    assert parsed.problem is None, parsed.problem
    options = SearchOptions(ripgrep=ripgrep, most_hits=None)
    search = Search(parsed, around or Surroundings(), options=options, spellings=spellings)
    return list(search.run([SearchTarget(str(path)) for path in paths]))


def hits_of(events: list[SearchEvent]) -> list[Hit]:
    return [hit for event in events if isinstance(event, FoundIn) for hit in event.hits]
