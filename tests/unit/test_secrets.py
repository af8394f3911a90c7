"""Secrets of known shapes are found wherever they stand, and clean text is left alone."""

from __future__ import annotations

import re
import time
from random import Random
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.secret_shapes import SHAPES
from ink_tui.model.secrets import (
    PRIVATE_KEY,
    looks_random,
    placeholder,
    redact,
    redact_value,
)
from tests.secret_samples import BASE62, HEX, LOWER, Sample, samples

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SAMPLES = samples()
SMALL, FACTOR = 2_500, 8
LIMIT = 3 * FACTOR
LEAST_SHAPES = 40
AROUND = {
    "alone": "{}",
    "in a sentence": "the value is {} as far as I know",
    "at the end of a sentence": "use {}, then go on.",
    "in quotes": 'x = "{}"',
    "after an escaped newline": "first\\n{}\\nlast",
    "in colour": "\x1b[32m{}\x1b[0m",
    "percent-escaped": "a%3D{}&b",
    "in brackets": "({})",
    "twice": "{0}\n{0}",
}


def test_there_is_a_sample_of_every_shape() -> None:
    kinds = {shape.kind for shape in SHAPES} | {PRIVATE_KEY}
    assert {sample.kind for sample in SAMPLES} == kinds
    assert len(kinds) >= LEAST_SHAPES


@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND)
def test_each_is_found_in_any_surroundings(around: str) -> None:
    for sample in SAMPLES:
        found = redact(around.format(sample.text))
        assert sample.core not in found.text, sample
        assert placeholder(sample.kind) in found.text, sample
        assert found.counts[sample.kind] == around.count("{"), (sample, found.counts)


def test_what_stands_around_a_secret_stays() -> None:
    for sample in SAMPLES:
        assert redact(f"before\n{sample.text}\nafter").text.startswith("before\n")
        assert redact(f"before\n{sample.text}\nafter").text.endswith("\nafter")
    assert redact("postgres://app:k7Qw3Zp9@db/x").text == (
        "postgres://app:[redacted: url-password]@db/x"
    )


def test_redacted_text_stays_as_it_is() -> None:
    for sample in SAMPLES:
        once = redact(f"see {sample.text}").text
        again = redact(once)
        assert (again.text, sum(again.counts.values())) == (once, 0)


@pytest.mark.parametrize(
    "text",
    [
        "password: correct horse battery staple",
        "maxTokens: 8192, tokensBefore = 118000",
        "const token = process.env.GITHUB_TOKEN2",
        "token: req.headers.authorization",
        'model_token = "claude-opus-4-5-20251101"',
        "Authorization: Bearer YOUR_API_KEY_GOES_HERE",
        "postgres://user:password@localhost/db",
        "https://user:${PASSWORD}@host/",
        "git clone ssh://git@host:22/x@y",
        'key.startsWith("-----BEGIN PRIVATE KEY-----")',
        "`-----BEGIN PRIVATE KEY-----\\n` + body + `\\n-----END PRIVATE KEY-----`",
        "toolu_01D6kz8xmtCACr4UQGVZEdnL call_abc123DEF456ghi789",
        "commit 83378aad7e74a0e2bb8f37c007a9685fb4609d8a",
        "sha512-k7Qw3Zp9k7Qw3Zp9k7Qw3Zp9k7Qw3Zp9==",
        "sk-learn and task-force-141-extra-long-name-with-many-words-in-it",
        "--token TOKEN_OF_YOUR_ACCOUNT",
        "id 7d0f2c1e-0000-4000-8000-000000000001",
    ],
)
def test_what_only_looks_like_one_is_left_alone(text: str) -> None:
    assert redact(text).counts == {}
    assert redact(text).text == text


def test_a_field_with_a_secret_name() -> None:
    value = "k7Qw3Zp9mT4xVb2L"
    for name in ("password", "apiKey", "API_KEY", "db.password", "clientSecret", "GITHUB_TOKEN"):
        assert redact_value(name, value).text == "[redacted: secret-value]", name
    for name in ("id", "path", "tokenizer", "monkey", "keyboard"):
        assert redact_value(name, value).text == value, name
    assert redact_value("password", "not random at all").text == "not random at all"
    assert not looks_random("src/components/Button2.tsx")


@pytest.mark.parametrize("alphabet", [BASE62, HEX, LOWER], ids=["base62", "hex", "lower"])
def test_most_random_values_of_a_secret_name_are_told(alphabet: str) -> None:
    random = Random(5)
    values = ["".join(random.choices(alphabet, k=20 + number % 21)) for number in range(3_000)]
    missed = [value for value in values if not looks_random(value)]
    assert len(missed) < 0.04 * len(values), len(missed)


def _hostile(sample: Sample) -> Iterator[str]:
    """Yield texts that start a shape again and again and never finish it, or nearly."""
    text = sample.text
    yield from (text[:4], text[:8], text[: len(text) // 2], text[:-1] + "\x00")
    yield from (text[:6] + "-", text[:6] + ".")


_REPEATED = (
    "eyJ", "eyJ-", "eyJa.", "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\nabc\n",
    "://", "://a:", "://a:b", "password=", "password", "--token=", "--a-", "Bearer ", "sk-", "SG.a",
    "token:", '"', "a", "A", "=", " ", "0", "Mk-_", "-us", "key-a", "x.atlasv1.", "Aa0",
)  # fmt: skip


def _growth(work: Callable[[str], object], part: str) -> float:
    """How many times longer the work takes for a text that is eight times as long."""
    small = (part * (SMALL // len(part) + 1))[:SMALL]
    before = max(_seconds(work, small), 0.000_2)  # below that the clock decides
    return _seconds(work, small * FACTOR) / before


def _seconds(work: Callable[[str], object], text: str) -> float:
    best = 1e9
    for _ in range(2):
        started = time.process_time()
        work(text)
        best = min(best, time.process_time() - started)
    return best


def test_time_grows_with_the_text_and_no_faster() -> None:
    """Eight times the text may take eight times as long; a square would be 64 times."""
    starts = {part for sample in SAMPLES for part in _hostile(sample)} | set(_REPEATED)
    assert len(starts) > 300
    slow = {part[:40]: ratio for part in starts if (ratio := _growth(redact, part)) > LIMIT}
    assert slow == {}


def test_a_square_would_be_noticed() -> None:
    assert _growth(re.compile("x*y").search, "x") > LIMIT
