"""Long lines: joined once, read elsewhere where no key may wait, oversized without their texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ink_tui.formats.ink import parser as parsers
from ink_tui.formats.ink.line import read_line
from ink_tui.formats.registry import INK
from ink_tui.model import entries
from ink_tui.model.entries import EntryId
from ink_tui.model.export.document import build_document
from ink_tui.model.fork_points import fork_plan_at
from ink_tui.model.plain import transcript_text
from ink_tui.model.verdict import diagnose
from tests.cases import CASES_DIR
from tests.every_kind import every_kind
from tests.properties.test_light import facts, lengthened, read_whole
from tests.sessions import answer, results, session, user

if TYPE_CHECKING:
    from ink_tui.formats.base import SessionParser
    from ink_tui.formats.ink.line import Item
    from ink_tui.model.entries import Span
    from ink_tui.model.session import Session

CASE_FILES = [file.read_bytes() for file in sorted(CASES_DIR.glob("*/session.jsonl"))]
CUTS = (64, 1_000)


def fed(parser: SessionParser, data: bytes, size: int) -> Session:
    for start in range(0, len(data), size):
        parser.feed(data[start : start + size])
        if size == CUTS[0]:
            parser.session()
    return parser.session()


class Elsewhere:
    """Stands for the process that reads long lines; says what it was asked."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.asked: list[Span] = []

    def __call__(self, span: Span, reading: Any) -> Item:
        self.asked.append(span)
        line = self.data[span.offset : span.offset + span.length]
        return read_line(line.removesuffix(b"\n"), span, reading)


@pytest.mark.parametrize("size", CUTS)
def test_lines_read_elsewhere_make_the_same_session(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parsers, "FAR_BYTES", 100)
    asked = 0
    for data in CASE_FILES:
        far = Elsewhere(data)
        assert fed(INK.parser(far=far), data, size) == read_whole(data).session
        asked += len(far.asked)
    assert asked > 100


def test_an_oversized_line_that_is_read_elsewhere_is_not_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = session(user("a", None, "x" * 3_000), user("b", "a", "short"))
    monkeypatch.setattr(parsers, "FAR_BYTES", 1_000)
    monkeypatch.setattr(entries, "OVERSIZED_BYTES", 1_500)
    far = Elsewhere(data)
    parser = INK.parser(far=far)
    assert isinstance(parser, parsers.InkParser)
    held = []
    for at in range(0, len(data), 100):
        parser.feed(data[at : at + 100])
        held.append(sum(map(len, parser._rest._pieces)))
    assert max(held) <= 1_500
    assert [span.length for span in far.asked] == [span.length for span in far.asked[:1]]
    assert parser.session() == read_whole(data).session


def test_a_line_that_grows_is_read_once_for_each_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsers, "FAR_BYTES", 1_000)
    data = session(user("a", None, "x" * 3_000))
    far = Elsewhere(data)
    parser = INK.parser(far=far)
    parser.feed(data[:2_500])
    for _ in range(3):
        parser.session()
    assert len(far.asked) == 1
    parser.feed(data[2_500:-1])
    assert len(parser.session().records) == 1
    assert len(far.asked) == 2


def test_the_pieces_of_a_line_are_joined_at_its_end() -> None:
    parser = INK.parser()
    assert isinstance(parser, parsers.InkParser)
    data = session(user("a", None, "x" * 100_000))
    head = data.index(b"\n") + 1
    parser.feed(data[:head])
    for at in range(head, len(data) - 1, 1_000):
        parser.feed(data[at : min(at + 1_000, len(data) - 1)])
    assert len(parser._rest._pieces) > 90
    parser.feed(b"\n")
    assert parser._rest.length == 0
    assert parser.session() == read_whole(data).session


def test_an_oversized_line_takes_part_in_everything_but_holds_no_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    samples = [*CASE_FILES, lengthened(every_kind(), ["word " * 200, "x" * 3_000])]
    expected = [facts(read_whole(data)) for data in samples]
    monkeypatch.setattr(entries, "OVERSIZED_BYTES", 1_000)
    assert [facts(read_whole(data)) for data in samples] == expected


def test_an_oversized_line_keeps_ids_calls_and_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    data = session(
        user("a", None, "first"),
        answer("b", "a", "y" * 9_000, (("c1", "write", {"path": "p", "content": "l\n" * 9_000}),)),
        results("c", "b", ("c1", "write", "z" * 9_000)),
        user("d", "c", "go on"),
    )
    whole = read_whole(data)
    monkeypatch.setattr(entries, "OVERSIZED_BYTES", 2_000)
    found = read_whole(data)
    assert facts(found) == facts(whole)
    assert found.pairing is not None
    call = found.pairing.calls[0].call
    assert call.arguments is None
    assert call.brief is not None
    assert call.brief.counts == (9_000, 0)
    assert "y" * 500 not in repr(found.session)
    assert "z" * 500 not in repr(found.session)


def test_a_skimmed_session_takes_long_lines_too(monkeypatch: pytest.MonkeyPatch) -> None:
    data = lengthened(every_kind(), ["word " * 200])
    monkeypatch.setattr(entries, "OVERSIZED_BYTES", 1_000)
    parser = INK.skimmer()
    parser.feed(data)
    found = diagnose(parser.session())
    assert found.verdict is read_whole(data).verdict


def test_what_is_printed_of_an_oversized_line_says_that_it_is_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = session(
        user("a", None, "first"),
        answer("b", "a", "y" * 9_000, (("c1", "write", {"path": "p", "content": "l\n" * 9_000}),)),
        results("c", "b", ("c1", "write", "z" * 9_000)),
        user("d", "c", "go on " * 1_000),
    )
    monkeypatch.setattr(entries, "OVERSIZED_BYTES", 2_000)
    found = read_whole(data)
    for text in ("\n".join(transcript_text(found)), repr(build_document(found, "s", ""))):
        assert text.count("(only the start: the whole text has 9,000 characters)") == 2
        assert text.count("(only the start: the whole text has 6,000 characters)") == 1
        assert text.count("(the arguments are left out: 27,") == 1
        assert "y" * 500 not in text


def test_the_start_of_an_oversized_message_is_no_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    data = session(user("a", None, "x"), answer("b", "a", "y"), user("c", "b", "long " * 900))
    assert fork_plan_at(read_whole(data), EntryId("c")).prompt == "long " * 900
    monkeypatch.setattr(entries, "OVERSIZED_BYTES", 2_000)
    plan = fork_plan_at(read_whole(data), EntryId("c"))
    assert plan.allowed
    assert plan.prompt == ""
    assert "its text is too long for the prompt" in plan.sentence
