"""First rows from the two ends of a file, held against reading it whole."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ink_tui.formats.ink.glance import _starts
from ink_tui.store.discover import look_at
from ink_tui.store.glance import EDGE_BYTES, HEAD_BYTES, LAST_LINE_BYTES, glance_row
from ink_tui.store.whole import read_whole
from tests.cases import CASES_DIR
from tests.sessions import HEADER, answer, entry, line, session, user

if TYPE_CHECKING:
    from pathlib import Path

SURE = (
    *("session_id", "cwd", "started_ms", "size", "child"),
    *("parent_id", "launch_parent_id", "forked_from", "forked_at"),
)
"""What a glance says for good."""


def _file(folder: Path, content: bytes) -> Path:
    path = folder / "s.jsonl"
    path.write_bytes(content)
    return path


def _agree(path: Path) -> None:
    first = glance_row(look_at(str(path)))
    whole = read_whole(str(path), child=False).row
    if first.complete:
        assert first == replace(whole, freshness=first.freshness)
        return
    for name in SURE:
        assert getattr(first, name) == getattr(whole, name), name
    assert (first.verdict, first.error_kind) == (None, None)
    if first.tail_known:
        assert (first.tail_state, first.torn_bytes) == (whole.tail_state, whole.torn_bytes)
    assert not first.empty or whole.empty
    assert not first.message_seen or whole.message_seen
    if path.stat().st_size <= EDGE_BYTES:
        assert first.empty == whole.empty
        assert first.tail_known
        assert first.last_ms == (whole.last_ms or first.changed_ms)


def test_every_case_is_seen_as_it_is() -> None:
    found = sorted(CASES_DIR.rglob("*.jsonl"))
    assert len(found) > 40
    for path in found:
        if path.is_file() and not path.is_symlink():
            _agree(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(
    lengths=st.lists(st.integers(0, 30_000), max_size=8),
    cut=st.integers(0, 400),
    blank=st.booleans(),
)
def test_any_sizes_and_ends(tmp_path: Path, lengths: list[int], cut: int, blank: bool) -> None:
    records = [line(HEADER)]
    parent: str | None = None
    for number, length in enumerate(lengths):
        make = user if number % 3 == 1 else answer
        records.append(make(f"e{number}", parent, "word " * (length // 5), second=number))
        parent = f"e{number}"
    content = b"".join(records) + b"\n" * blank
    _agree(_file(tmp_path, content[: len(content) - cut] if cut < len(content) else content))


def test_the_title_may_stand_behind_a_long_header(tmp_path: Path) -> None:
    long_header = HEADER | {"note": "x" * (2 * HEAD_BYTES)}
    path = _file(tmp_path, line(long_header) + user("a", None, "the question"))
    assert glance_row(look_at(str(path))).title == "the question"


@pytest.mark.parametrize("decoy", ["2099-01-01T00:00:00.000Z", "2099-01-01T00:00:00Z"])
def test_a_time_inside_a_record_is_not_its_own(tmp_path: Path, decoy: str) -> None:
    call: tuple[str, str, dict[str, Any]] = ("c", "write", {"timestamp": decoy})
    content = session(user("a", None, "q", 1), answer("b", "a", "text", (call,), second=2))
    content += json.dumps({"type": "strange", "id": "z", "inner": {"timestamp": decoy}}).encode()
    path = _file(tmp_path, content + b"\n")
    assert glance_row(look_at(str(path))).last_ms == read_whole(str(path), child=False).row.last_ms


def test_the_newest_time_near_the_end_counts(tmp_path: Path) -> None:
    content = session(user("a", None, "q", 5), answer("b", "a", "x", second=9), user("c", "b", "y"))
    path = _file(tmp_path, content)
    assert glance_row(look_at(str(path))).last_ms == read_whole(str(path), child=False).row.last_ms


LONG = "word " * (EDGE_BYTES // 4)
DECOY: tuple[str, str, dict[str, Any]] = ("c", "write", {"type": "session_info", "name": "decoy"})


def _named(parent: str | None, name: str, entry_id: str = "n") -> bytes:
    return entry("session_info", entry_id, parent, name=name)


@pytest.mark.parametrize(
    ("records", "title"),
    [
        ((_named(None, "first of all"), user("a", "n", "q")), "first of all"),
        ((user("a", None, "q"), _named("a", " later ")), "later"),
        ((user("a", None, "q"), _named("a", "one"), _named("n", "two", "m")), "two"),
        ((user("a", None, "q"), _named("a", "one"), _named("n", "", "m")), "q"),
        ((user("a", None, "q"), answer("b", "a", "x", (DECOY,))), "q"),
        ((user("a", None, "q"), _named("a", "true"), answer("b", "n", "x", (DECOY,))), "true"),
        ((user("a", None, "q"), answer("b", "a", LONG), _named("b", "at the end")), "at the end"),
        ((_named(None, "at first"), user("a", "n", "q"), answer("b", "a", LONG)), "at first"),
    ],
)
def test_a_name_is_seen_at_either_end(
    tmp_path: Path, records: tuple[bytes, ...], title: str
) -> None:
    path = _file(tmp_path, session(*records))
    assert glance_row(look_at(str(path))).title == title
    assert read_whole(str(path), child=False).row.title == title


FILLING = b"".join(answer(f"f{number}", "a", LONG[:9_000]) for number in range(12))


@pytest.mark.parametrize(
    ("end", "known"),
    [
        (b"", True),
        (b"\n \n", True),
        (b"{", True),
        (b'{"type":"message","id":"z"', True),
        (b'{"type":"strange","id":"z","parentId":null,"timestamp":"x"}\n', True),
        (b"null\n\n", True),
        (b"42", True),
        (entry("label", "l", "a", targetId="a", label="x").rstrip(b"\n"), True),
        (line({"type": "position", "leafId": "a"}), True),
        (line(HEADER), False),
        (b"\n" * EDGE_BYTES, True),
        (b'{"' + b"x" * EDGE_BYTES, True),
        (answer("z", "a", "x" * EDGE_BYTES), True),
        (answer("z", "a", "x" * LAST_LINE_BYTES), False),
    ],
)
def test_how_a_long_file_ends_is_told_by_its_last_line(
    tmp_path: Path, end: bytes, known: bool
) -> None:
    path = _file(tmp_path, session(user("a", None, "q")) + FILLING + end)
    assert path.stat().st_size > EDGE_BYTES + HEAD_BYTES
    row = glance_row(look_at(str(path)))
    assert (row.complete, row.tail_known) == (False, known)
    _agree(path)


@pytest.mark.parametrize("before", [b"", b"\n\n", b"\n" * (EDGE_BYTES - 300)])
@pytest.mark.parametrize("after", [b"", b"\n", b"\n\n", b"\n" * 900])
def test_a_header_alone_is_no_bad_last_line(tmp_path: Path, before: bytes, after: bytes) -> None:
    _agree(_file(tmp_path, before + line(HEADER)[:-1] + after))


def test_a_newer_record_before_the_last_is_found_whatever_its_form(tmp_path: Path) -> None:
    for early in (b'"2027-01-01T00:00:00Z"', b'"2027-01-01T00:00:00.000+01:00"'):
        newer = user("b", "a", "x").replace(b'"timestamp":"', b'"timestamp" : "')
        begin, _quote, rest = newer.partition(b'"timestamp" : ')
        newer = begin + b'"timestamp" : ' + early + rest[rest.index(b'"', 1) + 1 :]
        path = _file(tmp_path, session(user("a", None, "q"), newer, user("c", "b", "y", 9)))
        whole = read_whole(str(path), child=False).row
        assert glance_row(look_at(str(path))).last_ms == whole.last_ms
        assert (whole.last_ms or 0) > 1_790_000_000_000


def test_a_stamp_is_taken_from_a_whole_line_alone() -> None:
    """The beginning of a line that is broken, or cut, lends its stamp to nothing."""
    whole = b'{"type":"message","id":"a","parentId":null,"timestamp":"2026-03-02T08:00:01.000Z"}\n'
    rest = b'","parentId":null,"timestamp":"2026-03-02T09:00:01.000Z"}\n'
    assert _starts(whole, whole=True)[0] == "2026-03-02T08:00:01.000Z"
    assert _starts(rest + whole, whole=False)[0] == "2026-03-02T08:00:01.000Z"
    assert _starts(rest, whole=False)[0] == ""
    assert _starts(b'{"type":"message","id":"\n' + rest, whole=True)[0] is None
