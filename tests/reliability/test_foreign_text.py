"""S1, S2 and S3: text from a file never acts on the terminal, is never markup, keeps its width."""

from __future__ import annotations

import os
import random
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from ink_tui.model.text import clean, one_line
from ink_tui.store.holders import find_holder
from ink_tui.store.processes import list_processes
from ink_tui.tui.render.rows import line_width
from tests.reliability.foreign import FORBIDDEN, payloads, wide_texts
from tests.reliability.places import DRAWN, PRINTED, SAID
from tests.reliability.subject import Subject, as_name, subject_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ink_tui.tui.render.rows import Piece
    from tests.reliability.ledger import Ledger, Row

    Places = Mapping[str, Callable[[Subject], Iterator[str]]]

LEAST_PLACES = 25
LEAST_SHOWING = 25
"""Places that show the first words of a session as they stand."""
PRINTED_EVERY = 3
"""The commands are run for every third text: each starts the whole command line."""
SEED = 20_260_304
_RANGES = [(0, 0xA0), (0, 0x110000), (0x200B, 0x2070), (0xD800, 0xE000), (0x300, 0x370)]
_RANGES += [(0xE0000, 0xE0080), (0xFFF0, 0x10000), (0x1F000, 0x1FB00)]


@pytest.fixture(autouse=True)
def one_look_at_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look once for who may hold a session: no text that is tried here changes the answer."""
    listed = list_processes()
    defaults = find_holder.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "processes", lambda: listed)


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


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where there is one: each text has files of its own."""
    shared = Path("/dev/shm")
    if not os.access(shared, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=shared) as folder:
        yield Path(folder)


def _text_of(line: tuple[Piece, ...]) -> str:
    return "".join(piece.text for piece in line)


def _check_drawn(row: Row, subject: Subject, places: set[str]) -> None:
    """No line that is drawn holds anything that acts, hides or breaks, and each fills its pane."""
    for place, draw in DRAWN.items():
        for line, cells in draw(subject):
            text = _text_of(line)
            row.trial()
            places.add(place)
            bad = FORBIDDEN.search(text) or "\n" in text or "\t" in text
            row.check(not bad, place, ascii(subject.text)[:60], ascii(text))
            row.check(line_width(line) == cells, place, ascii(subject.text)[:60], ascii(text))


def _check_said(row: Row, subject: Subject, places: set[str], said: Places) -> None:
    """No text that is printed, copied or exported holds anything that acts or hides."""
    for place, say in said.items():
        for text in say(subject):
            row.trial()
            places.add(place)
            bad = FORBIDDEN.search(text)
            row.check(not bad, place, ascii(subject.text)[:60], ascii(text)[:90])


@pytest.mark.parametrize("half", [0, 1])
def test_hostile_text_in_every_field(ledger: Ledger, memory: Path, half: int) -> None:
    what = "hostile texts in every field of a session, drawn, printed and copied everywhere"
    places: set[str] = set()
    with ledger.row(f"S1 part {half + 1}", what, least=100_000) as row:
        texts = payloads()
        assert len(texts) >= 300
        for number, text in enumerate(texts[half::2]):
            subject = subject_of(text, memory / str(number))
            _check_drawn(row, subject, places)
            _check_said(row, subject, places, SAID)
            if number % PRINTED_EVERY == 0:
                _check_said(row, subject, places, PRINTED)
        row.note("texts", len(texts[half::2]))
        row.note("places", len(places))
        all_places = DRAWN.keys() | SAID.keys() | PRINTED.keys()
        row.check(places == all_places, "nothing in", all_places - places)
        row.check(len(places) >= LEAST_PLACES, len(places), "places")


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
    found = [text + end for text in marked for end in ("", "!", " [/]", "[/]")]
    return [text for number, text in enumerate(found) if number % 5]


def _shown(place: str, subject: Subject) -> str:
    """Return what a place draws, without blanks, since lines end anywhere."""
    return "".join("".join(_text_of(line) for line, _cells in DRAWN[place](subject)).split())


def test_markup_is_text(ledger: Ledger, memory: Path) -> None:
    what = "markup in texts is shown as it stands, wherever a word of that length is shown"
    word = "word" * 10
    plain = subject_of(word, memory / "plain", cells=120, whole=False)
    showing = [place for place in DRAWN if word in _shown(place, plain)]
    with ledger.row("S2", what, least=1_000) as row:
        for number, text in enumerate(_markup()):
            assert len(text) <= len(word)
            subject = subject_of(text, memory / str(number), cells=120, whole=False)
            row.trial()
            # Some places show the names of file and folder, which cannot hold all of it.
            wanted = {"".join(each.split()) for each in (text, as_name(text))}
            for place in showing:
                shown = _shown(place, subject)
                row.check(any(each in shown for each in wanted), place, text)
        row.note("places", len(showing))
        row.check(len(showing) >= LEAST_SHOWING, showing)


def test_widths(ledger: Ledger, memory: Path) -> None:
    what = "wide, joined, combining and hidden characters: every line as wide as its pane"
    places: set[str] = set()
    with ledger.row("S3", what, least=300) as row:
        for number, text in enumerate(wide_texts()[::5]):
            row.trial()
            cells = (30, 44, 60, 81)[number % 4]
            whole = number % 3 == 0
            subject = subject_of(text * 4, memory / str(number), cells=cells, whole=whole)
            for place, draw in DRAWN.items():
                for line, wanted in draw(subject):
                    drawn = _text_of(line)
                    places.add(place)
                    wide = (line_width(line), sum(cell_len(piece.text) for piece in line))
                    row.check(wide == (wanted, wanted), place, wanted, "is", wide, ascii(drawn))
                    row.check(not FORBIDDEN.search(drawn), place, ascii(drawn))
        row.note("places", len(places))
        row.check(len(places) >= LEAST_PLACES, len(places), "places")
