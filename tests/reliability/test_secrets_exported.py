"""S7: no secret of a known shape leaves in an export, and clean text is left alone."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.secrets import redact
from tests.exports import FORMATS, filled
from tests.reliability.clean_text import clean_texts
from tests.secret_samples import Sample, samples

if TYPE_CHECKING:
    from tests.reliability.ledger import Ledger

SEED = 20_260_308
LEAST_SHAPES, LEAST_FIELDS = 40, 100
LEAST_CLEAN = 1_000_000
"""Bytes of clean text."""
_SAMPLES = samples(11)


def leaks(sample: Sample, exported: str) -> bool:
    """Whether any dozen characters of the secret can be read, however they are written."""
    readings = {exported, html.unescape(exported), exported.replace("\\\\", "\\")}
    core = sample.core
    parts = {core[at : at + 12] for at in range(len(core) - 11)} if len(core) > 24 else {core}
    return any(part in reading for part in parts for reading in readings)


@pytest.mark.parametrize("name", FORMATS)
def test_no_secret_in_any_field(ledger: Ledger, name: str) -> None:
    what = f"secrets of every shape in every string field, exported as {name}: none is in it"
    kinds = {sample.kind for sample in _SAMPLES}
    with ledger.row(f"S7 {name}", what, least=15_000) as row:
        for sample in _SAMPLES:
            session = filled(sample.text)
            row.trial(session.fields)
            row.check(session.fields >= LEAST_FIELDS, sample.kind, session.fields, "fields")
            row.check(not leaks(sample, FORMATS[name](session.data)), sample.kind, "leaks")
        row.note("shapes", len(kinds))
        row.note("secrets", len(_SAMPLES))
        row.check(len(kinds) >= LEAST_SHAPES, len(kinds), "shapes")


@pytest.mark.parametrize("name", FORMATS)
def test_without_redaction_each_would_be_seen(ledger: Ledger, name: str) -> None:
    """The same check finds every one of them when nothing is taken out."""
    what = f"control: nothing is redacted in {name}, every secret caught"
    with ledger.row(f"C redaction {name}", what, least=LEAST_SHAPES) as row:
        for sample in {sample.kind: sample for sample in _SAMPLES}.values():
            row.trial()
            exported = FORMATS[name](filled(sample.text).data, redacted=False)
            row.check(leaks(sample, exported), sample.kind, "was not seen")


def test_clean_text_is_left_alone(ledger: Ledger) -> None:
    """A false hit is a line without a secret in which anything is replaced."""
    what = f"clean text, seed {SEED}, trials are lines: at most 1 % of any kind is changed"
    with ledger.row("S7 clean text", what, least=50_000) as row:
        octets = 0
        for kind, texts in clean_texts(SEED).items():
            lines = hits = 0
            for text in texts:
                octets += len(text.encode("utf-8", "surrogatepass"))
                lines += text.count("\n") + 1
                found = redact(text)
                hits += sum(found.counts.values())
            row.trial(lines)
            row.note("false hits", hits)
            row.check(lines >= 100, kind, "has only", lines, "lines")
            row.check(100 * hits <= lines, kind, hits, "false hits in", lines, "lines")
        row.note("bytes", octets)
        row.check(octets >= LEAST_CLEAN, octets, "bytes")
