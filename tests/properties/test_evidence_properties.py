"""What holds of the evidence about any call, whatever its arguments and whatever the file."""

from __future__ import annotations

import json
from datetime import UTC
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ink_tui.formats.ink.raw_calls import raw_arguments
from ink_tui.model.evidence import Changes, FileSeen, Seen, changes_since, judge
from ink_tui.model.text import clean
from ink_tui.model.tool_facts import (
    CONTENT_KEYS,
    NEW_KEYS,
    OLD_KEYS,
    PATH_KEYS,
    FileChange,
    file_change,
)

if TYPE_CHECKING:
    from ink_tui.model.messages import JsonValue

ANY_TEXT = st.text(st.characters(), max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats() | ANY_TEXT,
    lambda inner: (
        st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(
            st.sampled_from(["edits", *PATH_KEYS, *OLD_KEYS, *NEW_KEYS, *CONTENT_KEYS]) | ANY_TEXT,
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)
TOOLS = st.sampled_from(
    ["edit", "MultiEdit", "write", "create", "bash", "read", "grep", "task", "", " Edit "]
)
FILES = st.none() | st.builds(
    FileSeen,
    content=st.none() | st.binary(max_size=40),
    changed_ms=st.none() | st.integers(),
    gone=st.booleans(),
    problem=st.sampled_from(["", "a pipe, not a file"]),
)
CHANGES = st.none() | st.builds(
    changes_since,
    ANY_TEXT,
    st.lists(st.tuples(st.integers(), ANY_TEXT), max_size=5),
    st.none() | st.integers(),
    whole=st.booleans(),
)
SMALL = st.text("ab\n\r", max_size=6)


@settings(max_examples=300)
@given(TOOLS, JSON, FILES, CHANGES, st.integers())
def test_nothing_raises_and_every_word_can_be_drawn(
    tool: str, arguments: JsonValue, file: FileSeen | None, changes: Changes | None, now: int
) -> None:
    seen = judge(tool, arguments, file, changes)
    second = seen.second_line(now_ms=now, zone=UTC, home="/h")
    for text in (seen.words, seen.sentence, second):
        assert clean(text) == text
        assert "\n" not in text
    if file is None or file.content is None:
        assert seen.seen in (Seen.UNKNOWN, Seen.HARMLESS, Seen.GONE, Seen.ABSENT)


@settings(max_examples=150)
@given(JSON, ANY_TEXT)
def test_arguments_come_out_of_their_record_as_they_went_in(
    arguments: JsonValue, call_id: str
) -> None:
    block = {"type": "toolCall", "id": call_id, "name": "edit", "arguments": arguments}
    record = {"type": "message", "message": {"role": "assistant", "blocks": [block]}}
    line = json.dumps(record).encode() + b"\n"
    found = raw_arguments(line, call_id)
    if "NaN" not in line.decode() and "Infinity" not in line.decode():
        assert json.dumps(found, default=dict) == json.dumps(arguments)
    file_change("edit", found)


@given(st.binary(max_size=60))
def test_any_bytes_in_place_of_a_record(line: bytes) -> None:
    raw_arguments(line, "c")


@settings(max_examples=300)
@given(SMALL, SMALL.filter(bool), SMALL.filter(bool), SMALL)
def test_an_edit_is_seen_before_and_after_it_was_made(
    before: str, old: str, new: str, after: str
) -> None:
    # The rule of the tool itself: the old text stands once, with line ends as newlines.
    plain_old, plain_new = _newlines(old), _newlines(new)
    original = _newlines(before) + plain_old + _newlines(after)
    if original.count(plain_old) != 1:
        return
    arguments: Any = {"path": "a", "oldText": old, "newText": new}
    assert file_change("edit", arguments) is not None
    untouched = judge("edit", arguments, FileSeen(original.encode()))
    edited = judge("edit", arguments, FileSeen(original.replace(plain_old, plain_new).encode()))
    crlf = judge("edit", arguments, FileSeen(original.replace("\n", "\r\n").encode()))
    assert crlf.seen is untouched.seen
    if plain_old not in plain_new and plain_new not in plain_old:
        assert untouched.seen in (Seen.OLD, Seen.BOTH)
        assert edited.seen in (Seen.NEW, Seen.BOTH)


@settings(max_examples=300)
@given(SMALL, SMALL.filter(bool), SMALL.filter(bool))
def test_the_words_agree_with_a_plain_search(whole: str, old: str, new: str) -> None:
    arguments: Any = {"path": "a", "oldText": old, "newText": new}
    seen = judge("edit", arguments, FileSeen(whole.encode())).seen
    content, old, new = _newlines(whole), _newlines(old), _newlines(new)
    has_old, has_new = old in content, new in content
    assert (seen is Seen.NEITHER) == (not has_old and not has_new)
    if seen is Seen.NEW:
        assert has_new
        assert not has_old or old in new
    if seen is Seen.OLD:
        assert has_old
        assert not has_new or new in old
    if seen is Seen.BOTH:
        assert has_old
        assert has_new


@given(SMALL, st.binary(max_size=6))
def test_a_written_file_equals_its_content_and_no_other(content: str, other: bytes) -> None:
    arguments: Any = {"path": "a", "content": content}
    assert file_change("write", arguments) == FileChange("a", content=content)
    assert judge("write", arguments, FileSeen(content.encode())).seen is Seen.EQUAL
    equal = judge("write", arguments, FileSeen(other)).seen is Seen.EQUAL
    assert equal == (other == content.encode())


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
