"""S1, S2 and S3: text from a file never acts on the terminal, is never markup, keeps its width."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from rich.cells import cell_len

from ink_tui.model.text import clean, one_line
from ink_tui.tui.render.rows import line_width
from tests.reliability.foreign import (
    FORBIDDEN,
    diagnosed,
    drawn_lines,
    everywhere,
    payloads,
    plain_texts,
    wide_texts,
)
from tests.sessions import answer, session, user

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.reliability.ledger import Ledger, Row

SEED = 20_260_304
_RANGES = [(0, 0xA0), (0, 0x110000), (0x200B, 0x2070), (0xD800, 0xE000), (0x300, 0x370)]
_RANGES += [(0xE0000, 0xE0080), (0xFFF0, 0x10000), (0x1F000, 0x1FB00)]


def cleaned_strings(row: Row, clean: Callable[[str], str], number: int) -> None:
    """Clean random strings by a seed; nothing forbidden may be left, and twice is as once."""
    chance = random.Random(SEED)
    pieces = payloads()
    for _ in range(number):
        low, high = chance.choice(_RANGES)
        text = "".join(chr(chance.randrange(low, high)) for _ in range(chance.randrange(1, 16)))
        if chance.random() < 0.3:
            text += chance.choice(pieces) + text[:3]
        row.trial()
        cleaned = clean(text)
        row.check(not FORBIDDEN.search(cleaned), ascii(text), "became", ascii(cleaned))
        row.check(clean(cleaned) == cleaned, ascii(text), "changes when it is cleaned again")


def test_random_strings(ledger: Ledger) -> None:
    what = f"random strings, seed {SEED}: nothing that acts or hides is left"
    with ledger.row("S1 strings", what, least=200_000) as row:
        cleaned_strings(row, clean, 100_000)
        cleaned_strings(row, one_line, 100_000)


def test_hostile_text_in_every_field(ledger: Ledger) -> None:
    what = "hostile texts in every field of a session, drawn, printed and copied everywhere"
    places: set[str] = set()
    with ledger.row("S1", what, least=100_000) as row:
        texts = payloads()
        assert len(texts) >= 300
        for text in texts:
            diagnosis = diagnosed(everywhere(text))
            for place, line in drawn_lines(diagnosis, f"/x/{text}.jsonl", 60):
                drawn = "".join(piece.text for piece in line)
                row.trial()
                places.add(place)
                bad = FORBIDDEN.search(drawn) or "\n" in drawn or "\t" in drawn
                row.check(not bad, place, ascii(text)[:60], ascii(drawn))
            for place, shown in plain_texts(diagnosis, text):
                row.trial()
                places.add(place)
                row.check(not FORBIDDEN.search(shown), place, ascii(text)[:60], ascii(shown)[:90])
        row.note("texts", len(texts))
        row.note("places", len(places))
        row.check(len(places) >= 18, sorted(places))


def _markup() -> list[str]:
    names = [
        "red",
        "bold",
        "/",
        "/red",
        "@click=app.quit",
        "@click='quit'",
        "link=http://x",
        "$error",
    ]
    names += ["", " ", "b", "#ff0000", "on red", "not bold", "reverse", "blink", "=", "a=b", "r]["]
    frames = ["[{}]x[/]", "[{}]", "[[{}]]", "\\[{}]", "x[{}]y", "[{}", "{}]", "[{}][{}]", "[ {} ]"]
    frames += ["[{}]x[/{}]", "<{}>", "{{{}}}", "%{}%", "&{};", "[{}]\\", ":{}:", "[dim {}]z[/dim]"]
    marked = [frame.replace("{}", name) for frame in frames for name in names]
    return [text + end for text in marked for end in ("", "!", " [/]", "[/red]")]


def test_markup_is_text(ledger: Ledger) -> None:
    what = "markup in texts is shown as it stands"
    with ledger.row("S2", what, least=1_000) as row:
        for text in _markup():
            row.trial()
            diagnosis = diagnosed(session(user("a1", None, text), answer("a2", "a1", "ok")))
            lines: dict[str, str] = {}
            for place, line in drawn_lines(diagnosis, "/x/a.jsonl", 120):
                drawn = "".join(piece.text for piece in line)
                lines[place] = lines.get(place, "") + " ".join(drawn.split())
            wanted = " ".join(text.split())
            for place in ("list", "tree", "transcript, UserBody", "context", "head"):
                row.check(wanted in lines[place], place, text, lines[place])


def test_widths(ledger: Ledger) -> None:
    what = "wide, joined, combining and hidden characters: every line as wide as its pane"
    with ledger.row("S3", what, least=300) as row:
        for number, text in enumerate(wide_texts()):
            row.trial()
            cells = (30, 44, 60, 81)[number % 4]
            diagnosis = diagnosed(session(user("a1", None, text * 4), answer("a2", "a1", text)))
            for place, line in drawn_lines(diagnosis, f"/x/{text}.jsonl", cells):
                drawn = "".join(piece.text for piece in line)
                wide = line_width(line)
                row.check(wide == cells, place, cells, "is", wide, ascii(drawn))
                terminal = sum(cell_len(piece.text) for piece in line)
                row.check(terminal == cells, place, cells, "in cells", terminal, ascii(drawn))
                row.check(not FORBIDDEN.search(drawn), place, ascii(drawn))
