"""What an export shortens and marks besides secrets (`trust.md` 2.8)."""

from __future__ import annotations

import html
import json

import pytest

from ink_tui.model.faults import FaultCode
from tests.exports import FORMATS, as_jsonl, filled
from tests.sessions import read, simple


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
