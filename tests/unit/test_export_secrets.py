"""No secret of a known shape leaves in any string field of any export (`trust.md` 2.9, S7)."""

from __future__ import annotations

import html
import json

import pytest

from ink_tui.model.faults import FaultCode
from tests.exports import FORMATS, as_jsonl, filled
from tests.secret_samples import Sample, samples
from tests.sessions import read, simple

# The last one of each kind: of the keys, the one that is cut short and stands in a difference.
SAMPLES = list({sample.kind: sample for sample in samples(11)}.values())
LEAST_SHAPES, LEAST_FIELDS = 40, 100


def leaks(sample: Sample, exported: str) -> bool:
    """Whether any dozen characters of the secret can be read, however they are written."""
    readings = {exported, html.unescape(exported), exported.replace("\\\\", "\\")}
    core = sample.core
    parts = {core[at : at + 12] for at in range(len(core) - 11)} if len(core) > 24 else {core}
    return any(part in reading for part in parts for reading in readings)


@pytest.mark.parametrize("name", FORMATS)
def test_no_secret_in_any_field(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    trials = 0
    found: list[Sample] = []
    for sample in SAMPLES:
        session = filled(sample.text)
        assert session.fields >= LEAST_FIELDS
        trials += session.fields
        if leaks(sample, FORMATS[name](session.data)):
            found.append(sample)
    kinds = len({sample.kind for sample in SAMPLES})
    with capsys.disabled():
        print(f"\nS7 {name}: {kinds} shapes, {trials:,} fields, {len(found)} leaks")
    assert kinds >= LEAST_SHAPES
    assert found == []


@pytest.mark.parametrize("name", FORMATS)
def test_without_redaction_each_would_be_seen(name: str) -> None:
    """The control: the same check finds every one of them when nothing is taken out."""
    missed = [
        sample
        for sample in SAMPLES
        if not leaks(sample, FORMATS[name](filled(sample.text).data, redacted=False))
    ]
    assert missed == []


@pytest.mark.parametrize("name", FORMATS)
def test_the_home_folder_is_shortened_everywhere(name: str) -> None:
    exported = FORMATS[name](filled("/home/u/secret-plan.txt").data, "/home/u")
    assert "/home/u" not in html.unescape(exported)
    assert "secret-plan.txt" in html.unescape(exported)


def test_the_redacted_copy_is_no_session() -> None:
    copy = as_jsonl(simple()).encode()
    first, rest = copy.split(b"\n", 1)
    head = json.loads(first)
    assert (head["type"], head["redacted"], head["redactions"]) == ("ink-tui-export", True, {})
    assert read(copy).session.error_kind is FaultCode.BAD_HEADER
    assert read(rest).session.error_kind is FaultCode.BAD_HEADER
    assert read(rest).session.header is None
    assert rest.replace(b'"redacted-session"', b'"session"') == simple()


def test_no_header_of_a_session_slips_through() -> None:
    for head in (
        b'{"launch":{"type":"session"},"type":"session","version":1,"id":"a"}\n',
        b'{ "type" : "session","version":1,"id":"a"}\n',
        b'\n{"type":"session","version":1,"id":"a"}\n',
    ):
        assert read(head).session.header is not None
        rest = as_jsonl(head).encode().split(b"\n", 1)[1]
        assert read(rest).session.header is None
