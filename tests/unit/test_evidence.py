"""What is said of a call without a saved result, from the content of the file it names."""

from __future__ import annotations

from datetime import UTC, timedelta, timezone
from typing import TYPE_CHECKING

import pytest

from ink_tui.formats.ink.raw_calls import raw_arguments
from ink_tui.model.evidence import (
    MAX_EDITS,
    Changes,
    Evidence,
    FileSeen,
    Seen,
    changes_since,
    judge,
)
from ink_tui.model.tool_facts import NEW_KEYS, OLD_KEYS, PATH_KEYS
from tests.sessions import answer, entry

if TYPE_CHECKING:
    from ink_tui.model.messages import JsonValue

NOON = 1_772_452_800_000
"""12:00 UTC on 2 March 2026, in milliseconds since 1970."""


def edit(*pairs: tuple[str, str]) -> JsonValue:
    return {
        "path": "a.ts",
        "edits": tuple({"oldText": old, "newText": new} for old, new in pairs),
    }


def write(content: str) -> JsonValue:
    return {"path": "a.ts", "content": content}


def said(
    tool: str, arguments: JsonValue, content: bytes | None, changed_ms: int | None = None
) -> tuple[str, str]:
    """Return the words and the second line about a file with some content; None is no file."""
    file = FileSeen(gone=True) if content is None else FileSeen(content, changed_ms)
    seen = judge(tool, arguments, file)
    return seen.words, seen.second_line(now_ms=NOON, zone=UTC)


ONE = edit(("old line\n", "new line\n"))
BOTH_CR = edit(("one\r\ntwo", "one\r\n2"))


@pytest.mark.parametrize(
    ("arguments", "content", "words", "second"),
    [
        (
            ONE,
            b"a\nnew line\n",
            "the file holds the new text",
            "old text not found · new text found once, line 2",
        ),
        (
            ONE,
            b"old line\nb\n",
            "the file holds the old text",
            "old text found once, line 1 · new text not found",
        ),
        (
            ONE,
            b"other\n",
            "the file holds neither text",
            "old text not found · new text not found",
        ),
        (
            ONE,
            b"old line\nnew line\n",
            "the file holds both texts",
            "old text found once, line 1 · new text found once, line 2",
        ),
        (ONE, None, "the file is gone", ""),
        (ONE, b"", "the file holds neither text", "old text not found · new text not found"),
        # Found more than once: the tool would have refused, and we only say what is there.
        (
            ONE,
            b"old line\nold line\n",
            "the file holds the old text",
            "old text found 2 times, first on line 1 · new text not found",
        ),
        # Line ends are compared as a newline, on both sides.
        (
            ONE,
            b"a\r\nnew line\r\n",
            "the file holds the new text",
            "old text not found · new text found once, line 2",
        ),
        (
            BOTH_CR,
            b"one\ntwo\n",
            "the file holds the old text",
            "old text found once, line 1 · new text not found",
        ),
        # One text is a part of the other: its place inside the longer one says nothing.
        (
            edit(("sum", "sum + 1")),
            b"return sum + 1\n",
            "the file holds the new text",
            "old text found only inside the new text · new text found once, line 1",
        ),
        (
            edit(("a\nb\n", "a\n")),
            b"a\nb\n",
            "the file holds the old text",
            "old text found once, line 1 · new text found only inside the old text",
        ),
        (
            edit(("a\nb\n", "a\n")),
            b"a\nc\n",
            "the file holds the new text",
            "old text not found · new text found once, line 1",
        ),
        (
            edit(("gone\n", "")),
            b"rest\n",
            "the file holds neither text",
            "old text not found · new text is empty",
        ),
        (
            edit(("gone\n", "")),
            b"gone\n",
            "the file holds the old text",
            "old text found once, line 1 · new text is empty",
        ),
        (
            edit(("", "new")),
            b"new\n",
            "the file holds the new text",
            "old text is empty · new text found once, line 1",
        ),
        (
            edit(("", "new")),
            b"other\n",
            "cannot be checked",
            "old text is empty · new text not found",
        ),
        (
            edit(("same", "same")),
            b"same\n",
            "the file holds both texts",
            "old and new text are the same · text found once, line 1",
        ),
        (ONE, b"\xff\xfe", "cannot be checked", "the file is not UTF-8 text"),
        (ONE, b"new line\n\0", "cannot be checked", "the file is not plain text"),
        # Cleaning for the screen must not reach the comparison.
        (
            edit(("a\x1b[0m", "b\u202e\x07")),
            "x b\u202e\x07".encode(),
            "the file holds the new text",
            "old text not found · new text found once, line 1",
        ),
        (
            edit(("a", "\ud800b")),
            "\ufffdb".encode(),
            "the file holds the new text",
            "old text not found · new text found once, line 1",
        ),
        # Several replacements.
        (
            edit(("a1", "b1"), ("a2", "b2")),
            b"b1 b2",
            "the file holds the new text",
            "2 replacements · old text of none found · new text of 2 found",
        ),
        (
            edit(("a1", "b1"), ("a2", "b2")),
            b"a1 a2",
            "the file holds the old text",
            "2 replacements · old text of 2 found · new text of none found",
        ),
        (
            edit(("a1", "b1"), ("a2", "b2")),
            b"b1 a2",
            "the file holds both texts",
            "2 replacements · old text of 1 found · new text of 1 found",
        ),
        (
            edit(("a1", "b1"), ("a2", "b2")),
            b"b1 other",
            "the file holds part of the new text",
            "2 replacements · old text of none found · new text of 1 found",
        ),
        (
            edit(("a1", "b1"), ("a2", "b2")),
            b"a1 other",
            "the file holds part of the old text",
            "2 replacements · old text of 1 found · new text of none found",
        ),
        (
            edit(("foo", "bar"), ("end", "foobar")),
            b"foobar bar",
            "the file holds the new text",
            "2 replacements · old text of none found · new text of 2 found",
        ),
    ],
)
def test_edits(arguments: JsonValue, content: bytes | None, words: str, second: str) -> None:
    assert said("edit", arguments, content) == (words, second)


@pytest.mark.parametrize("before", [0, 1, 262_143, 262_144, 262_145, 600_000])
def test_texts_are_found_across_the_pieces_of_a_search(before: int) -> None:
    content = b"\n" * before + b"new line\n" + b"x" * 600_000
    words, second = said("edit", ONE, content)
    assert words == "the file holds the new text"
    assert second == f"old text not found · new text found once, line {before + 1:,}"


def test_a_search_has_an_end() -> None:
    content = b"a" * (8 << 20)
    many = edit(*[("b" + "a" * n, "a" * n + "b") for n in range(50, 70)])
    assert said("edit", many, content) == ("cannot be checked", "20 replacements in a large file")
    second = said("edit", edit(("a", "b")), content)[1]
    assert second.startswith("old text found 200 or more times, first on line 1")


@pytest.mark.parametrize(
    ("content", "found", "words", "second"),
    [
        ("text\n", b"text\n", "the file equals the content", ""),
        ("", b"", "the file equals the content", ""),
        ("text\n", b"text\r\n", "the file differs", "only in its line ends"),
        ("text\n", b"tex", "the file differs", "3 bytes, the content has 5"),
        ("ü", b"\xff", "the file differs", "1 byte, the content has 2"),
        ("\udc80", "\ufffd".encode(), "the file equals the content", ""),
        ("text\n", None, "the file does not exist", ""),
    ],
)
def test_writes(content: str, found: bytes | None, words: str, second: str) -> None:
    assert said("write", write(content), found) == (words, second)


@pytest.mark.parametrize("tool", ["read", "Read", "grep", "find", "ls", "glob"])
def test_tools_that_only_look(tool: str) -> None:
    seen = judge(tool, {"path": "/etc/passwd"})
    assert (seen.words, seen.sentence) == ("changes nothing", "")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("task", {"agent": "x", "prompt": "y"}),
        ("mcp__files__read", {"path": "a"}),
        ("search", {"query": "a"}),
        ("bash", {"command": "rm -r ."}),
        ("", {}),
        ("edit", {}),
        ("edit", None),
        ("edit", ("a",)),
        ("edit", {"path": "a"}),
        ("edit", {"path": "", "oldText": "a", "newText": "b"}),
        ("edit", {"path": 7, "oldText": "a", "newText": "b"}),
        ("edit", {"path": "a", "edits": ()}),
        ("edit", {"path": "a", "edits": {"oldText": "a", "newText": "b"}}),
        ("edit", {"path": "a", "edits": ({"oldText": "a", "newText": "b"}, {"oldText": "a"})}),
        ("edit", {"path": "a", "edits": ({"oldText": "a", "newText": 1},)}),
        ("write", {"path": "a"}),
        ("write", {"path": "a", "content": {"a": "b"}}),
        ("edit", edit(*[(f"a{n}", f"b{n}") for n in range(MAX_EDITS + 1)])),
    ],
)
def test_other_shapes_cannot_be_checked(tool: str, arguments: JsonValue) -> None:
    seen = judge(tool, arguments, FileSeen(b"a b"))
    assert (seen.seen, seen.words) == (Seen.UNKNOWN, "cannot be checked")


@pytest.mark.parametrize("path", PATH_KEYS)
@pytest.mark.parametrize(("old", "new"), list(zip(OLD_KEYS, NEW_KEYS, strict=True)))
def test_spellings_of_other_agents(path: str, old: str, new: str) -> None:
    arguments: JsonValue = {path: "a.ts", old: "before", new: "after"}
    assert said("Edit", arguments, b"after")[0] == "the file holds the new text"
    listed: JsonValue = {path: "a.ts", "edits": ({old: "before", new: "after"},)}
    assert said("MultiEdit", listed, b"before")[0] == "the file holds the old text"


def test_times_are_those_of_the_user() -> None:
    seen = judge("edit", ONE, FileSeen(b"new line\n", NOON - 3_600_000))
    line = seen.second_line(now_ms=NOON, zone=timezone(timedelta(hours=8)))
    assert line.endswith("changed 19:00:00")
    assert seen.second_line(now_ms=NOON, zone=UTC).endswith("changed 11:00:00")
    later = seen.second_line(now_ms=NOON + 86_400_000, zone=UTC)
    assert later.endswith("changed 2 Mar 11:00:00")
    never = judge("edit", ONE, FileSeen(b"new line\n", 10**18))
    assert "changed" not in never.second_line(now_ms=NOON, zone=UTC)


FILES = [
    (NOON + 1, "coverage/lcov.info"),
    (NOON + 2, "coverage/a/b.html"),
    (NOON + 3, "x.log"),
    (NOON, "src/old.ts"),
]


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        (
            changes_since("/h/demo", FILES, NOON, whole=True),
            "3 files under ~/demo changed after 12:00: x.log, coverage/…",
        ),
        (
            changes_since("/h/demo", FILES[:1], NOON, whole=True),
            "1 file under ~/demo changed after 12:00: coverage/lcov.info",
        ),
        (
            changes_since("/h/demo", FILES, NOON, whole=False),
            "at least 3 files under ~/demo changed after 12:00: x.log, coverage/…",
        ),
        (
            changes_since("/h/demo", FILES, NOON + 3, whole=True),
            "no file under ~/demo changed after 12:00",
        ),
        (
            changes_since("/h/demo", [], NOON, whole=False),
            "no file under ~/demo changed after 12:00, as far as was looked",
        ),
        (
            changes_since(
                "/h/demo", [(NOON + n, f"d{n}/f") for n in range(1, 6)], NOON, whole=True
            ),
            "5 files under ~/demo changed after 12:00: d5/…, d4/…, d3/…, …",
        ),
        (
            changes_since("/h/demo", [(NOON + 1, "a\n\x1b[31m\udcff")], NOON, whole=True),
            "1 file under ~/demo changed after 12:00: a ␛[31m\ufffd",
        ),
        (changes_since("/h/demo", FILES, None, whole=True), "when it was made is not known"),
        (
            Changes("/h/demo", NOON, problem="the working folder is missing"),
            "the working folder is missing",
        ),
    ],
)
def test_changes_below_the_folder(changes: Changes, line: str) -> None:
    seen = judge("bash", {"command": "npm test"}, changes=changes)
    assert seen.words == "cannot be checked"
    assert seen.second_line(now_ms=NOON, zone=UTC, home="/h") == line


def test_no_words_say_what_happened() -> None:
    for seen in Seen:
        value = Evidence(seen)
        assert value.words
        assert value.strong in value.words
        assert value.sentence_strong in value.sentence
        for word in ("ran", "run", "done", "applied", "failed", "succeeded", "safe"):
            assert word not in f"{value.words} {value.sentence}".split()


def test_raw_arguments_are_those_of_the_record() -> None:
    hostile = "a\x1b[31m\u202e\r\n"
    line = answer("e1", None, calls=(("c1", "edit", {"path": hostile}), ("c2", "bash", {})))
    assert raw_arguments(line, "c1") == {"path": hostile}
    assert raw_arguments(line, "c2") == {}
    assert raw_arguments(line, "c3") is None
    twice = answer("e1", None, calls=(("c1", "edit", {"a": "1"}), ("c1", "edit", {"a": "2"})))
    assert raw_arguments(twice, "c1") is None
    kept = {
        "role": "assistant",
        "blocks": [{"type": "toolCall", "id": "c1", "name": "edit", "arguments": {"n": ["1"]}}],
    }
    compaction = entry("compaction", "k", "e", summary="s", retainedTail=[kept], tokensBefore=1)
    assert raw_arguments(compaction, "c1") == {"n": ("1",)}
    for bad in (b"", b"{", b"[]", b"null", b'{"message":[]}', b'{"message":{"role":"assistant"}}'):
        assert raw_arguments(bad, "c1") is None
