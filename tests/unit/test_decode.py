"""JSON as Node judges it (`trust.md` 2.4)."""

from __future__ import annotations

from typing import Any

import pytest

from ink_tui.formats.decode import NotJson, decode, json_length


@pytest.mark.parametrize(
    "text",
    [
        b'{"a":"\\ud83d"}',
        b'{"a":1e400}',
        b'{"a":' + b"7" * 5000 + b"}",
        b"[" * 5000 + b"]" * 5000,
        b'{"a":"\xff\xfe"}',
        b'{"a":18446744073709551616}',
        b' {"a":1}\r',
        b'{"a":1,"a":2}',
        b"[" * 1500 + b'{"k":[1,-2.5e3,true,null,"\\u0041"]}' + b"]" * 1500,
        b'"' + "\u2028\x7f".encode() + b'"',
    ],
)
def test_accepted(text: bytes) -> None:
    assert not isinstance(decode(text), NotJson)


@pytest.mark.parametrize(
    "text",
    [
        b'{"a":NaN}',
        b'{"a":Infinity}',
        b'{"a":-Infinity}',
        b'\xef\xbb\xbf{"a":1}',
        b"{'a':1}",
        b'{"a":01}',
        b'{"a":"\n"}',
        b'{"a":1}{"b":2}',
        b"",
        b"\0\0",
        b"[1,]",
        b"[" * 5000 + b"]" * 4999,
        b"[" * 5000 + b"]" * 5001,
        b"[" * 3000 + b"1 2" + b"]" * 3000,
        b"[" * 3000 + b'{"a" 1}' + b"]" * 3000,
        b"[" * 3000 + b"nul" + b"]" * 3000,
    ],
)
def test_refused(text: bytes) -> None:
    answer = decode(text)
    assert isinstance(answer, NotJson)
    assert answer.reason


def test_duplicate_names_keep_the_last() -> None:
    assert decode(b'{"a":1,"a":2}') == {"a": 2}


def test_the_iterative_scan_keeps_what_is_shallow() -> None:
    deep = b"[" * 2000 + b"]" * 2000
    value: Any = decode(b'{"a":{"b":[1,"x"]},"deep":' + deep + b',"c":null}')
    assert value["a"] == {"b": [1, "x"]}
    assert "c" in value
    inner = value["deep"]
    while isinstance(inner, list):
        inner = inner[0]
    assert inner.startswith("(nested too deep to draw")


def test_length_of_a_value() -> None:
    assert json_length({"a": "é"}) == len('{"a":"é"}')
    assert json_length({"a": "\ud83d"}) == len('{"a":"x"}')
    assert json_length(float("inf")) > 0
