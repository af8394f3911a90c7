"""Whole records on bad lines: always found, never mistaken, at their exact bytes."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest

from ink_tui.formats.ink.raw import in_string, object_end, with_parent
from ink_tui.formats.ink.recover import JOINED_LINES
from ink_tui.formats.registry import INK
from ink_tui.model.entries import PositionMarker, UnknownEntry
from ink_tui.model.outline import build_outline
from ink_tui.model.plain import transcript_text
from ink_tui.model.recovered import RecoveredHow, RecoveredRecord
from ink_tui.model.verdict import diagnose
from tests.reliability.samples import fifty_records
from tests.sessions import HEADER, answer, entry, line, user

if TYPE_CHECKING:
    from ink_tui.model.session import Session

HEAD = line(HEADER)


def session_of(data: bytes) -> Session:
    parser = INK.parser()
    parser.feed(data)
    return parser.session()


def ids(pieces: tuple[RecoveredRecord, ...]) -> list[str | None]:
    return [getattr(piece.record, "id", None) for piece in pieces]


def test_every_cut_alone_gives_no_record() -> None:
    cuts = 0
    for record in fifty_records()[:5]:
        for cut in range(1, len(record)):
            session = session_of(HEAD + record[:cut] + b"\n" + user("z", None, "after"))
            # The only whole thing a cut can end with is the value inside the arguments.
            assert set(ids(session.recovered)) <= {"decoy"}
            assert ids(session.recovered) in ([], ["decoy"])
            cuts += 1
    print(f"cuts without a record: {cuts:,}")
    assert cuts >= 1_000


def test_complete_records_share_a_line() -> None:
    records = fifty_records()[:6]
    for number in range(2, 6):
        for blank in (b"", b" ", b"\t"):
            glued = blank.join(records[:number])
            for rest in (b"", records[5][:40], b"garbage"):
                session = session_of(HEAD + glued + rest + b"\n" + user("z", None, "x"))
                assert ids(session.recovered) == [json.loads(one)["id"] for one in records[:number]]
                for piece, record in zip(session.recovered, records, strict=False):
                    span = piece.record.span
                    at = span.offset - len(HEAD)
                    assert (glued + rest)[at : at + span.length] == record


def test_two_records_behind_a_fragment() -> None:
    one, two = user("m1", None, "first")[:-1], user("m2", "m1", "second")[:-1]
    broken = answer("m0", None, "cut in this text")
    inside = broken[: broken.index(b"this")]
    assert ids(session_of(HEAD + inside + one + two + b"\n").recovered) == ["m1", "m2"]
    # Behind a colon the first one may be a value of the fragment: only the second is certain.
    value = broken[: broken.index(b'{"role"')]
    assert ids(session_of(HEAD + value + one + two + b"\n").recovered) == ["m2"]


@pytest.mark.parametrize("zeros", [1, 2, 7, 512, 4_096])
def test_a_record_before_and_between_zero_bytes(zeros: int) -> None:
    for record in fifty_records()[:10]:
        wanted = json.loads(record)["id"]
        for before, after in ((0, zeros), (zeros, 0), (zeros, zeros)):
            data = HEAD + b"\0" * before + record + b"\0" * after
            for end in (b"", b"\n", b"\n" + user("z", None, "x")):
                session = session_of(data + end)
                assert ids(session.recovered) == [wanted]
                piece = session.recovered[0]
                assert piece.how is RecoveredHow.BEFORE_ZEROS
                assert piece.record.span.offset == len(HEAD) + before
                assert piece.record.span.length == len(record)
        split = HEAD + record + b"\0" * zeros + record[:-1] + b"x\n"
        assert ids(session_of(split).recovered) == [wanted]
        torn = HEAD + record[:-1] + b"\0" * zeros + b"\n"
        assert session_of(torn).recovered == ()


@pytest.mark.parametrize("breaks", range(1, JOINED_LINES + 3))
def test_a_record_with_line_breaks_in_a_text(breaks: int) -> None:
    lines = [f"line {number} {{}}" if number % 3 else "" for number in range(breaks + 1)]
    lines[0], lines[-1] = "first", "last"
    good = user("m1", None, "\n".join(lines))
    raw = good.replace(b"\\n", b"\n")
    after = user("m2", "m1", "next")
    for newline in (b"\n", b"\r\n"):
        data = HEAD + raw[:-1].replace(b"\n", newline) + b"\n" + after
        session = session_of(data)
        if breaks > JOINED_LINES:
            assert session.recovered == ()
            continue
        (piece,) = session.recovered
        assert piece.how is RecoveredHow.SPLIT
        assert piece.lines == breaks + 1
        assert piece.note == f"recovered from lines 2 to {breaks + 2}"
        span = piece.record.span
        assert data[span.offset : span.offset + span.length] + b"\n" + after == data[len(HEAD) :]
        tail_only = session_of(data.removesuffix(after)[:-1])
        assert ids(tail_only.recovered) == ["m1"]


def test_no_record_is_swallowed_by_a_split_one() -> None:
    broken = user("m1", None, "a\nb").replace(b"\\n", b"\n")
    first, second = broken.split(b"\n")[:2]
    session = session_of(HEAD + first + b"\n" + user("m2", None, "x") + second + b"\n")
    assert session.recovered == ()
    assert ids(()) == []
    assert "m2" in session.nodes


def test_equal_bytes_give_equal_sessions_in_any_pieces() -> None:
    data = HEAD + b"".join(
        [
            user("m1", None, "a\nb\n\nc").replace(b"\\n", b"\n"),
            b'{"type":"mess' + user("m2", "m1", "x"),
            answer("m3", "m2", "y")[:-1] + b"\0" * 9 + b"\n",
            user("m4", "m3", "p\nq").replace(b"\\n", b"\n")[:-1],
        ]
    )
    whole = session_of(data)
    assert ids(whole.recovered) == ["m1", "m2", "m3", "m4"]
    for size in (1, 2, 3, 17, 64, 1_000):
        parser = INK.parser()
        for at in range(0, len(data), size):
            parser.feed(data[at : at + size])
        assert parser.session() == whole


def test_first_lines_that_are_no_header() -> None:
    record = user("m1", None, "x")
    glued = session_of(HEAD[:-1] + record + user("m2", "m1", "y"))
    assert glued.header is None
    assert glued.recovered_header is not None
    assert glued.recovered_header.cwd == HEADER["cwd"]
    assert ids(glued.recovered) == ["m1"]
    lost = session_of(record + user("m2", "m1", "y"))
    assert ids(lost.recovered) == ["m1"]
    assert lost.recovered[0].how is RecoveredHow.FIRST_LINE
    marked = session_of(b"\xef\xbb\xbf" + HEAD + record)
    assert marked.recovered_header is not None


def test_records_of_newer_builds_and_markers_are_found() -> None:
    newer = entry("checkpoint", "z1", "m1")
    found = session_of(HEAD + b'{"type":"me' + newer + user("m2", None, "x")).recovered
    assert isinstance(found[0].record, UnknownEntry)
    marker = line({"type": "position", "leafId": "m1"})
    found = session_of(HEAD + b'{"type":"me' + marker + user("m2", None, "x")).recovered
    assert isinstance(found[0].record, PositionMarker)


def test_recovered_records_are_shown_and_count_nowhere() -> None:
    one, three = user("m1", None, "first"), user("m3", "m2", "third")
    two = answer("m2", "m1", "second")
    bad = session_of(HEAD + one + b'{"type":"mess' + two + three)
    assert list(bad.nodes) == ["m1", "m3"]
    assert bad.bad_lines == (3,)
    assert bad.error_kind == "invalid-json"
    diagnosis = diagnose(bad)
    assert not any(fault.code == "missing-parent" for fault in diagnosis.faults)
    rows = build_outline(diagnosis).rows
    shown = [row.entry_id for row in rows if row.entry_id]
    assert shown == ["m1", "m2", "m3"]
    noted = [row.entry_id for row in rows if "recovered from line 3" in row.notes]
    assert noted == ["m2"]
    assert [row.text for row in rows if row.word == "bad line"] == ["line 3 cannot be read"]
    text = "\n".join(transcript_text(diagnosis))
    assert text.index("first") < text.index("recovered from line 3") < text.index("second")
    assert text.index("second") < text.index("third")


def test_a_record_glued_to_the_end_is_read_and_the_resume_point_stays() -> None:
    data = HEAD + user("m1", None, "first") + b'{"type":"mess' + answer("m2", "m1", "second")
    diagnosis = diagnose(session_of(data))
    assert diagnosis.leaf == "m1"
    outline = build_outline(diagnosis)
    assert [row.entry_id for row in outline.rows if row.entry_id] == ["m1", "m2"]
    assert "recovered from line 3" in "\n".join(transcript_text(diagnosis))


PARENTS: list[Any] = [None, "p", 'q"\\', "工", "\ud83d"]


@pytest.mark.parametrize("parent", PARENTS)
def test_one_value_is_replaced_and_every_other_byte_stays(parent: str | None) -> None:
    records = [
        user("m1", "old", 'a "parentId":"old" b'),
        answer("m2", None, "x", (("c", "t", {"parentId": "old", "deep": [{"parentId": 1}]}),)),
        b'{ "type" : "message", "parentId" :\t"old" , "id":"m3","timestamp":"x",'
        b'"message":{"role":"user","content":"\\ud83d \xff"}}',
        b'{"id":"m4","parentId":"a","timestamp":"x","type":"session_info","name":"","parentId":"b"}',
    ]
    for raw in records:
        raw = raw.removesuffix(b"\n")
        changed = with_parent(raw, parent)
        old, new = (
            json.loads(raw.decode("utf-8", "replace")),
            json.loads(changed.decode("utf-8", "replace")),
        )
        assert new["parentId"] == parent
        assert {k: v for k, v in new.items() if k != "parentId"} == {
            k: v for k, v in old.items() if k != "parentId"
        }
        if new == old:
            assert changed == raw
            continue
        start = next(
            i for i, pair in enumerate(zip(raw, changed, strict=False)) if len({*pair}) > 1
        )
        tail = next(i for i in range(len(raw)) if raw[-1 - i] != changed[-1 - i])
        assert raw.count(b"parentId", start) == changed.count(b"parentId", start)
        assert start + tail <= len(raw)


def test_lines_made_to_be_slow_are_given_up() -> None:
    started = time.process_time()
    for bad in (
        b'{"type":"m","a":' * 20_000,
        b'{"type":"m","a":' * 20_000 + b"1" + b"}" * 20_000 + b"x",
        b'{"type":"a' * 100_000,
        b'{"type":"mess\n' * 5_000,
        b'{"type":"message","x":[' + b'{"type":"q","a":{"b":1}},' * 30_000,
    ):
        assert session_of(HEAD + bad + b"\n" + user("m1", None, "x")).recovered == ()
    assert time.process_time() - started < 15


def test_a_torn_text_full_of_quotes_is_looked_at_once() -> None:
    torn = user("m1", None, 'say "hi" ' * 200_000)[:-40]
    started = time.process_time()
    found = session_of(HEAD + torn)
    assert found.tail.torn_bytes == len(torn)
    assert found.recovered == ()
    assert in_string(torn)
    assert object_end(torn, 0, len(torn)) is None
    assert time.process_time() - started < 10


@pytest.mark.parametrize("end", [b"", b"\\", b"}", b'\\"}', b'\\"}\\'])
def test_an_object_in_a_string_that_never_ends_has_no_end(end: bytes) -> None:
    begun = b'{"a":{"b":"text' + end
    assert in_string(begun)
    assert object_end(begun, 0, len(begun)) is None
    assert not in_string(begun + b'x"')
    assert object_end(begun + b'x"}}', 0, len(begun) + 4) == len(begun) + 4
