"""A session of which only the start of long texts is kept is judged and shown as a whole one."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ink_tui.formats.registry import INK
from ink_tui.model.context_table import build_table
from ink_tui.model.health import build_health
from ink_tui.model.light import LIGHT_CHARS, lighten
from ink_tui.model.outline import build_outline
from ink_tui.model.transcript_build import build_transcript
from ink_tui.model.verdict import diagnose
from ink_tui.model.whole_blocks import is_light, wanted_spans, whole_block, whole_row
from tests.cases import CASES_DIR
from tests.every_kind import every_kind
from tests.properties.test_transcript_properties import files

if TYPE_CHECKING:
    from ink_tui.model.entries import Record
    from ink_tui.model.outline_rows import OutlineRow
    from ink_tui.model.verdict import Diagnosis

LONG = {"text", "thinking", "content", "summary", "oldText", "newText", "command", "path"}
FILLINGS = (
    "",
    "word " * 200,
    "\n\n a line: of 3: parts\n" * 60,
    " \n\t" * 500 + "far",
    "x" * 3_000,
    " " * 900,
    "\x1b[31m\u202e世界\r\n" * 90 + "Exit code: 7",
)


def read_light(data: bytes) -> Diagnosis:
    parser = INK.parser(light=True)
    parser.feed(data)
    return diagnose(parser.session())


def read_whole(data: bytes) -> Diagnosis:
    parser = INK.parser()
    parser.feed(data)
    return diagnose(parser.session())


def lengthened(data: bytes, fillings: list[str]) -> bytes:
    """Return a file with something put behind each of its texts, in turn."""
    waiting = iter(fillings * 50)

    def longer(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: longer(item, name) for name, item in value.items()}
        if isinstance(value, list):
            return [longer(item) for item in value]
        return value + next(waiting, "") if isinstance(value, str) and key in LONG else value

    lines = []
    for line in data.split(b"\n"):
        try:
            record = json.loads(line)
        except ValueError:
            lines.append(line)
            continue
        lines.append(json.dumps(longer(record)).encode())
    return b"\n".join(lines)


def facts(found: Diagnosis) -> tuple[object, ...]:
    """Return what a diagnosis says without the texts it says it of."""
    session, context, pairing = found.session, found.context, found.pairing
    sizes = (
        [(item.chars, item.origin, item.entry_id) for item in context.messages] if context else []
    )
    calls = (
        [(each.call.call_id, each.call.size, each.state) for each in pairing.calls]
        if pairing
        else []
    )
    return (
        replace(session, records=(), nodes={}, recovered=()),
        found.tree,
        [node.id for node in found.branch.entries],
        sizes,
        calls,
        context and (context.tokens, context.measured, context.boundary, context.left_out),
        pairing and (pairing.refusal, pairing.refusal_index, len(pairing.orphans)),
        (found.title, found.verdict, found.repairable, found.refusal, found.faults),
    )


def bare(row: OutlineRow) -> OutlineRow:
    return replace(row, call=None, result=None)


def agree(data: bytes) -> int:
    """Check that both readings of a file agree; return how many blocks were made whole."""
    whole, light = read_whole(data), read_light(data)
    assert facts(light) == facts(whole)
    assert build_table(light) == build_table(whole)
    assert build_health(light) == build_health(whole)
    light_rows, whole_rows = build_outline(light).rows, build_outline(whole).rows
    assert [bare(row) for row in light_rows] == [bare(row) for row in whole_rows]
    records = again(data, light)
    kept = {record.span.offset: record for record in light.session.records}
    for row, expected in zip(light_rows, whole_rows, strict=True):
        found = whole_row(row, kept.get(row.span.offset) if row.span else None, records)
        assert (found.call, found.result) == (expected.call, expected.result)
    return compare_blocks(data, light, whole)


def compare_blocks(data: bytes, light: Diagnosis, whole: Diagnosis) -> int:
    made = 0
    shown, expected = build_transcript(light), build_transcript(whole)
    assert (shown.steps, shown.turns) == (expected.steps, expected.turns)
    for block, other in zip(shown.blocks, expected.blocks, strict=True):
        if not is_light(block):
            assert block == other
            continue
        spans = wanted_spans(block)
        records: dict[int, Record] = {}
        for span in spans:
            record = INK.record(data[span.offset : span.offset + span.length], span)
            assert record is not None
            records[span.offset] = record
        assert whole_block(block, records) == other
        made += 1
    return made


def again(data: bytes, found: Diagnosis) -> dict[int, Record]:
    """Return all records of a file, each read by itself from its place."""
    spans = [record.span for record in found.session.records]
    read = {
        span.offset: INK.record(data[span.offset : span.offset + span.length], span)
        for span in spans
    }
    return {offset: record for offset, record in read.items() if record is not None}


CASE_FILES = sorted(CASES_DIR.glob("*/session.jsonl"))


@pytest.mark.parametrize("filling", range(len(FILLINGS)))
def test_every_case_reads_alike(filling: int) -> None:
    made = 0
    for file in CASE_FILES:
        data = file.read_bytes()
        made += agree(lengthened(data, [FILLINGS[filling]]) if FILLINGS[filling] else data)
    assert made > 100 or not FILLINGS[filling]


def test_every_kind_of_record_reads_alike() -> None:
    assert agree(lengthened(every_kind(), list(FILLINGS))) > 5


@settings(max_examples=60, deadline=None)
@given(files(), st.lists(st.sampled_from(FILLINGS), min_size=1, max_size=9))
def test_any_session_reads_alike(data: bytes, fillings: list[str]) -> None:
    agree(lengthened(data, fillings))


@given(files(), st.lists(st.sampled_from(FILLINGS), min_size=1, max_size=9))
@settings(max_examples=30, deadline=None)
def test_a_light_record_is_light_already(data: bytes, fillings: list[str]) -> None:
    for record in read_light(lengthened(data, fillings)).session.records:
        light = lighten(record)
        assert lighten(light) is light


def test_a_changed_record_makes_no_block_whole() -> None:
    data = lengthened(every_kind(), ["word " * 200])
    other = lengthened(every_kind(), ["Word " * 200])
    light = read_light(data)
    records = again(other, light)
    blocks = [block for block in build_transcript(light).blocks if is_light(block)]
    texts = [block for block in blocks if type(block.body).__name__ != "TurnBody"]
    assert texts
    assert len(other) == len(data)
    changed = [whole_block(block, records) for block in texts]
    assert changed.count(None) >= len(texts) - 1  # its title says which message of the user it is


def test_short_texts_are_kept_whole() -> None:
    data = lengthened(every_kind(), ["."])
    assert LIGHT_CHARS > 100
    assert read_light(data) == read_whole(data)
