"""The search through session files: which texts are hits, filters, snippets, order, troubles."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ink_tui.formats.decode import decode
from ink_tui.model.liveness import Holder, HolderKind
from ink_tui.model.marks import Marks, SessionMarks
from ink_tui.model.passages import Kind
from ink_tui.model.query import parse
from ink_tui.model.query_sessions import Surroundings, row_answers, session_passes
from ink_tui.store.files import open_for_reading
from ink_tui.store.search import first_look, records, ripgrep
from ink_tui.store.search.engine import Search, SearchOptions
from ink_tui.store.search.literals import literal_of
from ink_tui.store.search.places import find_places
from ink_tui.store.search.records import MOST_LINE_BYTES, SearchedFile
from ink_tui.store.search.ripgrep import Look, find_ripgrep
from ink_tui.store.search.sessions import newest_first
from ink_tui.store.search.values import FoundIn, Progress, SearchTarget, Trouble, TroubleKind
from tests.search_files import hits_of, naive, record, run, user_message
from tests.session_rows import session_row
from tests.sessions import HEADER, answer, entry, line, results, session, simple, user

CWD = HEADER["cwd"]
TALK = session(
    user("aaaaaaaa1", None, "Fix the CRLF parser, 修复解析器\nsecond line"),
    answer(
        "aaaaaaaa2",
        "aaaaaaaa1",
        "I look at the parser",
        calls=(
            ("c1", "bash", {"command": "cargo test crlf", "timeout": 30}),
            ("c2", "read", {"path": "src/parser.rs"}),
        ),
    ),
    results(
        "aaaaaaaa3", "aaaaaaaa2", ("c1", "bash", "test crlf ... ok"), ("c2", "read", "fn split()")
    ),
    entry(
        "compaction",
        "aaaaaaaa4",
        "aaaaaaaa3",
        summary="The parser keeps CRLF",
        retainedTail=[{"role": "user", "content": "a kept copy of crlf"}],
        tokensBefore=9,
    ),
    entry("session_info", "aaaaaaaa5", "aaaaaaaa4", name="line ends"),
    entry("label", "aaaaaaaa6", "aaaaaaaa5", targetId="aaaaaaaa1", label="crlf begins"),
    entry("branchSummary", "aaaaaaaa7", "aaaaaaaa5", summary="left the branch"),
    entry(
        "message",
        "aaaaaaaa8",
        "aaaaaaaa7",
        message={
            "role": "assistant",
            "blocks": [{"type": "thinking", "thinking": "maybe crlf"}],
            "usage": {},
            "stopReason": "end_turn",
        },
    ),
)


if TYPE_CHECKING:
    from ink_tui.model.listing import SessionRow


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    path = tmp_path / "talk.jsonl"
    path.write_bytes(TALK)
    return path


def found(path: Path, query: str, **around: object) -> list[tuple[str | None, str]]:
    """Entry ids, without what they share, and kinds of the hits in one file."""
    hits = hits_of(run(query, path, around=replace(Surroundings(), **around)))  # type: ignore[arg-type]
    return [((hit.entry_id or "-").removeprefix("aaaaaaaa"), hit.kind.value) for hit in hits]


QUERIES: dict[str, list[tuple[str, str]]] = {
    "crlf": [
        ("1", "user"),
        ("2", "call"),
        ("3", "result"),
        ("4", "summary"),
        ("4", "user"),
        ("6", "label"),
        ("8", "thinking"),
    ],
    "CRLF": [("1", "user"), ("4", "summary")],
    "crlf parser": [
        ("1", "user"),
        ("2", "assistant"),
        ("2", "call"),
        ("2", "call"),
        ("4", "summary"),
        ("4", "user"),
    ],
    "crlf -parser": [("3", "result"), ("6", "label"), ("8", "thinking")],
    '"crlf parser"': [("1", "user")],
    "修": [("1", "user")],
    "crlf tool:bash": [("2", "call"), ("3", "result")],
    "crlf tool:read": [],
    "tool:read": [("2", "call"), ("3", "result")],
    "tool:BA*": [("2", "call"), ("3", "result")],
    "-tool:bash tool:b*": [],
    "tool:bash tool:read split": [("3", "result")],
    "crlf role:user": [("1", "user"), ("4", "user")],
    "crlf role:tool -role:result": [("2", "call")],
    "role:thinking": [("8", "thinking")],
    "file:parser": [("2", "call"), ("3", "result")],
    "split file:parser": [("3", "result")],
    "crlf file:parser": [],
    "30": [("2", "call")],
    "timeout": [],
    "kept copy": [("4", "user")],
    "line ends": [("5", "name")],
    '"line ends"': [("5", "name")],
    "re:te.t": [("2", "call"), ("3", "result")],
    "re:^second": [("1", "user")],
    "re:PARSER": [],
    "re:q*": [],
    "re:\\bcrlf\\b -re:parser": [("3", "result"), ("6", "label"), ("8", "thinking")],
    "crlf re:cargo": [("2", "call")],
    "demo": [("-", "path")],
    "11111111-1111": [("-", "id")],
    "aaaaaaaa3": [("3", "id")],
    "aaaaaaaa": [(str(number), "id") for number in range(1, 9)],
    "aaaaaaa": [],
    "talk": [("-", "id")],
    "re:tal.": [("-", "id")],
    "re:[0-9-]{8,}": [("-", "id")],
    "re:a{8}3": [("3", "id")],
    "re:aaa": [],
    "crlf dir:demo": [("1", "user")],
    "crlf dir:elsewhere": [],
    "crlf name:ends": [("1", "user")],
    "crlf -name:ends": [],
    "crlf has:compaction": [("1", "user")],
    "crlf has:open": [],
    "crlf verdict:clean verdict:refuse": [("1", "user")],
    "crlf id:1111": [("1", "user")],
    "crlf id:111111112": [],
    "crlf date:2026-03": [("1", "user")],
    "crlf -date:2026-03": [],
    "crlf is:child": [],
    "crlf -is:child": [("1", "user")],
    "crlf is:starred": [],
    "dir:demo": [("-", "session")],
    "dir:nowhere": [],
    "verdict:clean has:compaction": [("-", "session")],
}


@pytest.mark.parametrize("query", QUERIES)
def test_hits(talk: Path, query: str) -> None:
    wanted = QUERIES[query]
    got = found(talk, query)
    # Where only the session is judged, its first hit stands for all.
    assert (got[:1] if wanted == [("1", "user")] and len(got) == 7 else got) == wanted


def test_marks_and_places_of_the_user(talk: Path) -> None:
    starred = Marks({HEADER["id"]: SessionMarks(starred=True)})
    assert found(talk, "crlf is:starred", marks=starred)
    assert not found(talk, "crlf is:pinned", marks=starred)
    assert found(talk, "crlf dir:.", cwd="/home/u/demo")
    assert found(talk, "crlf dir:.", cwd="/home/u")
    assert not found(talk, "crlf dir:.", cwd="/home/u/dem")
    assert found(talk, "crlf dir:~/demo", home="/home/u")
    moment = int(datetime(2026, 3, 2, 9, tzinfo=UTC).timestamp() * 1000)
    assert found(talk, "crlf date:<2h", now_ms=moment)
    assert not found(talk, "crlf date:<2h", now_ms=moment + 86_400_000)


def test_a_copy_that_was_kept_says_so(talk: Path) -> None:
    hits = hits_of(run("crlf role:user", talk))
    assert [hit.kept for hit in hits] == [False, True]


def test_what_a_task_tells_is_found(tmp_path: Path) -> None:
    told = {"reason": "out of turns", "childId": "c41d0000-1111"}
    result = {"toolCallId": "c", "toolName": "task", "content": "", "taskRecord": told}
    message = {"role": "toolResult", "results": [result]}
    path = tmp_path / "task.jsonl"
    path.write_bytes(session(entry("message", "a1", None, message=message)))
    assert [hit.kind for hit in hits_of(run("turns", path))] == [Kind.RESULT]
    assert [hit.kind for hit in hits_of(run("c41d0000", path))] == [Kind.ID]


def test_texts_of_kinds_that_are_not_known_are_found(tmp_path: Path) -> None:
    path = tmp_path / "new.jsonl"
    strange = {"role": "observer", "content": [{"deep": {"needle one": 4711}}]}
    path.write_bytes(
        session(
            entry("checkpoint", "a1", None, body={"x": ["needle two"]}, flag=True, size=1.5),
            entry("message", "a2", "a1", message=strange),
            entry("message", "a3", "a2", message={"role": "user", "content": {"y": "needle 3"}}),
            line({"type": "odd", "needle": "needle four"}),
            line({"needle": "5"}),
        )
    )
    hits = hits_of(run("needle", path))
    assert [(hit.entry_id, hit.kind) for hit in hits] == [
        ("a1", Kind.UNKNOWN),
        ("a2", Kind.UNKNOWN),
        ("a3", Kind.UNKNOWN),
        (None, Kind.UNKNOWN),
    ]
    assert [hit.entry_id for hit in hits_of(run("4711", path))] == ["a2"]
    assert not hits_of(run("true", path))


def test_a_hit_says_where_it_stands(talk: Path) -> None:
    (event,) = [each for each in run("cargo", talk) if isinstance(each, FoundIn)]
    (hit,) = event.hits
    assert (event.session_id, event.cwd, event.more) == (HEADER["id"], CWD, 0)
    assert (hit.line, hit.kind, hit.tool, hit.count) == (3, Kind.CALL, "bash", 1)
    assert TALK[hit.offset :].startswith(b'{"type":"message","id":"aaaaaaaa2"')
    assert hit.snippet.text == "cargo test crlf"
    assert [hit.snippet.text[a:b] for a, b in hit.snippet.spans] == ["cargo"]


def test_files_are_told_newest_first(tmp_path: Path) -> None:
    for name, second in (("a", 3), ("b", 50), ("c", 7)):
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(session(user("a1", None, "needle", second)))
        os.utime(path, (1000 - second, 1000 - second))
    (tmp_path / "d.jsonl").write_bytes(line(HEADER | {"timestamp": "?"}))
    os.utime(tmp_path / "d.jsonl", (1, 1))
    ordered = newest_first([str(tmp_path)])
    assert [Path(item.path).stem for item in ordered.files] == ["b", "c", "a", "d"]
    targets = [SearchTarget(item.path) for item in ordered.files]
    events = list(Search(parse("needle"), Surroundings()).run(targets))
    assert [Path(e.path).stem for e in events if isinstance(e, FoundIn)] == ["b", "c", "a"]
    assert events[-1] == Progress(4, 4)


def test_what_cannot_be_read_is_told_and_the_rest_goes_on(tmp_path: Path, talk: Path) -> None:
    (tmp_path / "link.jsonl").symlink_to(talk)
    os.mkfifo(tmp_path / "pipe.jsonl")
    paths = [tmp_path / name for name in ("link.jsonl", "pipe.jsonl", "gone.jsonl", "a\0b.jsonl")]
    for program in (None, find_ripgrep()):
        events = run("crlf", *paths, talk, ripgrep=program)
        troubles = [each for each in events if isinstance(each, Trouble)]
        assert [each.path for each in troubles] == [str(path) for path in paths]
        assert {each.kind for each in troubles} == {TroubleKind.UNREADABLE}
        assert len(hits_of(events)) == 7


def test_nobody_waits_any_more(tmp_path: Path, talk: Path) -> None:
    asked = [0]

    def stop() -> bool:
        asked[0] += 1
        return asked[0] > 3

    targets = [SearchTarget(str(talk))] * 100
    events = list(Search(parse("crlf"), Surroundings(), stop=stop).run(targets))
    assert len(events) < 5
    assert not any(isinstance(each, Progress) for each in events)


def test_hits_beyond_the_most_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_bytes(session(*(user(f"u{n}", None, f"needle {n}") for n in range(25))))
    search = Search(parse("needle"), Surroundings(), options=SearchOptions(most_hits=10))
    (event,) = [e for e in search.run([SearchTarget(str(path))]) if isinstance(e, FoundIn)]
    assert (len(event.hits), event.more) == (10, 15)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    content = session() + record("b" * 16, user_message(b'"a\xffb c\xed\xa0\xbdd"')) + b"\n"
    path.write_bytes(content)
    for word in ("a\ufffdb", "\ufffd", "c\ufffd"):
        assert {(hit.offset, hit.kind) for hit in hits_of(run(f'"{word}"', path))} == naive(
            content, "session", [word]
        )
        assert hits_of(run(f'"{word}"', path))


def test_records_on_bad_lines_are_found(tmp_path: Path) -> None:
    glued = user("a1", None, "first").rstrip(b"\n") + user("a2", "a1", "needle one")
    split = user("a3", "a2", "xx{} yy needle two").replace(b"{} ", b"{}\n")
    zeros = user("a4", "a3", "needle three").rstrip(b"\n") + b"\0" * 40 + b"\n"
    torn = user("a5", "a4", "needle four")[:-9]
    path = tmp_path / "bad.jsonl"
    path.write_bytes(session(glued, split, zeros, torn))
    hits = hits_of(run("needle", path))
    assert [hit.entry_id for hit in hits] == ["a2", "a3", "a4"]
    assert [hit.line for hit in hits] == [2, 3, 5]


def test_whole_lines_in_pieces_of_any_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = TALK + b"\n\n" + TALK + b"x" * 50
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    for size in (1, 7, 64, 300, 5_000):
        monkeypatch.setattr(records, "PIECE_BYTES", size)
        with path.open("rb") as file:
            searched = SearchedFile(file.fileno(), len(content))
            blocks = list(searched.blocks())
            assert [searched.line_at(offset) for offset, _block in blocks] == [
                content[:offset].count(b"\n") + 1 for offset, _block in blocks
            ]
        assert b"".join(block for _offset, block in blocks) == content
        assert all(content[offset:].startswith(block) for offset, block in blocks)
        assert all(block.endswith(b"\n") for _offset, block in blocks[:-1])


def test_a_line_that_is_too_long_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MOST_LINE_BYTES", 1_000)
    monkeypatch.setattr(records, "PIECE_BYTES", 256)
    path = tmp_path / "long.jsonl"
    path.write_bytes(
        session(
            user("a1", None, "needle before"),
            user("a2", "a1", "needle " + "x" * 5_000),
            user("a3", "a2", "needle after"),
        )
    )
    events = run("needle", path)
    assert [hit.entry_id for hit in hits_of(events)] == ["a1", "a3"]
    assert [hit.line for hit in hits_of(events)] == [2, 4]
    (trouble,) = [each for each in events if isinstance(each, Trouble)]
    assert trouble.kind is TroubleKind.LONG_LINE
    assert MOST_LINE_BYTES == 64 << 20


def test_only_lines_that_may_answer_are_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten times as many other lines: not one more is decoded."""
    decoded = []

    def counting(content: bytes) -> object:
        decoded.append(len(content))
        return decode(content)

    monkeypatch.setattr(records, "decode", counting)
    for number in (100, 1_000):
        others = [user(f"u{n}", None, f"text \x1b[1m {n} with ansi") for n in range(number)]
        path = tmp_path / f"{number}.jsonl"
        path.write_bytes(session(*others, user("n", None, "the needle"), *others))
        decoded.clear()
        assert len(hits_of(run("needle", path))) == 1
        assert len(decoded) == 1


@pytest.mark.parametrize(
    ("pattern", "literal"),
    [
        ("TODO", "TODO"),
        (r"fo+bar", "bar"),
        (r"colou?r", "colo"),
        (r"a|bcd", ""),
        (r"(ab|cd)efg", "efg"),
        (r"(?i)abc", ""),
        (r"(?:x)yz\.py$", "yz.py"),
        (r"[abc]def", "def"),
        (r"\d+ms", "ms"),
        (r"\x41bc", ""),
        (r"ab{0,3}cd", "cd"),
        (r"(?!abc)de", "de"),
        (r"a", ""),
        (r"[]x]yz", "yz"),
        (r"abc*", "ab"),
    ],
)
def test_text_that_every_match_holds(pattern: str, literal: str) -> None:
    assert literal_of(pattern) == literal


@pytest.mark.skipif(find_ripgrep() is None, reason="ripgrep is not installed")
def test_ripgrep_says_which_files_may(tmp_path: Path, talk: Path) -> None:
    other = tmp_path / "other \udcff.jsonl"
    other.write_bytes(simple())
    program = find_ripgrep()
    assert program is not None
    paths = [str(talk), str(other)]

    def looked(source: str, *more: str, run_by: str = program) -> set[str] | None:
        answer = Look(run_by, source, [*paths, *more]).answer(lambda: False)
        return None if answer is None else set(answer)

    assert looked("cargo") == {str(talk)}
    assert looked("list") == {str(other)}
    assert looked("nowhere") == set()
    assert looked("list", "/nowhere.jsonl") is None
    assert looked("list", run_by="/nowhere/rg") is None
    assert Look(program, "list", []).answer(lambda: False) == {}


@pytest.mark.skipif(find_ripgrep() is None, reason="ripgrep is not installed")
def test_ripgrep_says_where(tmp_path: Path) -> None:
    """One place of each line, whatever the name of the file and the bytes around it."""
    program = find_ripgrep()
    assert program is not None
    strange, often = tmp_path / "1:2:needle\n3:4:x \udcff.jsonl", tmp_path / "often.jsonl"
    content = b"\xff\x00 none\r\n  needle and needle\n\nneedle\x00needle\nno newline: needle"
    strange.write_bytes(content)
    often.write_bytes(b"needle\n" * ripgrep.MOST_PLACES)
    for paths in ([strange, often], [often, strange], [strange]):
        look = Look(program, "needle", [str(path) for path in paths], where=True)
        answer = look.answer(lambda: False)
        assert answer is not None
        places = answer[str(strange)]
        assert places == [(2, 11), (4, 30), (5, len(content) - 6)]
        assert answer.get(str(often)) is None
    assert find_places(program, "needle", str(strange), lambda: False) == places
    found = find_places(program, "needle", str(often), lambda: False)
    assert found is not None
    assert found[-1] == (ripgrep.MOST_PLACES, 7 * (ripgrep.MOST_PLACES - 1))
    assert find_places(program, "needle", str(tmp_path / "nowhere"), lambda: False) is None
    assert find_places("/nowhere/rg", "needle", str(often), lambda: False) is None
    assert find_places(program, "needle", str(often), lambda: True) in (None, found)


@pytest.mark.skipif(find_ripgrep() is None, reason="ripgrep is not installed")
def test_a_file_that_changed_after_the_first_look_is_looked_at_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(session(user("a1", None, "needle one")))
    asked = Look.answer

    def changed(look: Look, stop: Any) -> Any:
        found = asked(look, stop)
        path.write_bytes(session(user("a1", None, "x" * 999), user("a2", "a1", "needle two")))
        return found

    monkeypatch.setattr(Look, "answer", changed)
    hits = hits_of(run("needle", path, ripgrep=find_ripgrep()))
    assert [hit.entry_id for hit in hits] == ["a2"]


def test_a_line_around_a_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [b"", b"a" * 9_000, b"", b"b", b"c" * 70_000, b"last"]
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"\n".join(lines))
    with open_for_reading(str(path)) as (descriptor, state):
        file = SearchedFile(descriptor, state.size)
        start = 0
        for number, each in enumerate(lines):
            for place in {start, start + len(each) // 2, start + max(0, len(each) - 1)}:
                assert file.line_around(place) == (start, each), number
            start += len(each) + 1
        assert file.line_around(state.size) is None
        assert file.header_at() == 1
        assert file.long_lines == 0
        monkeypatch.setattr(records, "MOST_LINE_BYTES", 60_000)
        assert file.line_around(9_010) is None
        assert file.line_around(70_000) is None
        assert file.line_around(start - 3) == (start - 5, b"last")
        assert file.long_lines == 2


@pytest.mark.parametrize("program", [None, find_ripgrep()])
def test_files_are_looked_at_in_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str | None
) -> None:
    """Whatever their size: every file once, in order, and no look is left open."""
    targets = []
    for number in range(40):
        path = tmp_path / f"{number:02d}.jsonl"
        path.write_bytes(session(user("a1", None, f"needle {number}" if number % 3 else "none")))
        targets.append(SearchTarget(str(path)))
    begun: list[Look] = []

    def begin(*given: Any, where: bool) -> Look:
        begun.append(Look(*given, where=where))
        return begun[-1]

    monkeypatch.setattr(first_look, "Look", begin)
    for first, most, files in ((1, 1, 1), (1_000, 4_000, 1_000), (1 << 20, 1 << 20, 7)):
        monkeypatch.setattr(first_look, "FIRST_BYTES", first)
        monkeypatch.setattr(first_look, "MOST_BYTES", most)
        monkeypatch.setattr(first_look, "MOST_FILES", files)
        options = SearchOptions(ripgrep=program)
        search = Search(parse("needle"), Surroundings(), options=options)
        events = list(search.run(targets))
        found = [int(Path(each.path).stem) for each in events if isinstance(each, FoundIn)]
        assert found == [number for number in range(40) if number % 3]
        assert events[-1] == Progress(40, 40)
        left = Search(parse("needle"), Surroundings(), options=options).run(targets)
        next(left)
        left.close()
    assert bool(begun) == (program is not None)
    assert all(look._process is None or look._process.returncode is not None for look in begun)


def test_rows_answer_what_they_know() -> None:
    row = session_row("Fix the parser", "/home/u/demo", 1000)
    around = Surroundings(now_ms=2_000)
    for query, answers in {
        "parser": True,
        "PARSER": False,
        "demo fix": True,
        "parser -fix": False,
        "dir:demo": True,
        "-dir:demo": False,
        "dir:x dir:demo": True,
        "parser tool:bash": False,
        "re:parser": False,
        "name:fix": True,
        "date:<1d": True,
        "verdict:clean": True,
    }.items():
        assert row_answers(row, parse(query), around) is answers, query


def test_a_row_that_is_not_complete_leaves_questions_open() -> None:
    row = replace(session_row("Fix", "/demo", 1000), complete=False, verdict=None)
    around = Surroundings(now_ms=2_000)
    for query, passes in {
        "verdict:clean": None,
        "-verdict:clean": None,
        "has:open": None,
        "is:torn": None,
        "name:fix": None,
        "model:x": None,
        "dir:demo": True,
        "dir:demo has:open": None,
        "dir:other has:open": False,
        "is:child is:torn": False,
    }.items():
        assert session_passes(row, parse(query).session_filters, around) is passes, query


def test_who_is_live_is_asked_only_where_nothing_else_refuses(talk: Path) -> None:
    asked: list[str] = []
    busy = Holder(HolderKind.CERTAIN, "ink 4711")

    def holder_of(row: SessionRow) -> Holder:
        asked.append(row.path)
        return busy

    def found_by(query: str) -> int:
        search = Search(parse(query), Surroundings(now_ms=2**42), holder_of=holder_of)
        return len(hits_of(list(search.run([SearchTarget(str(talk))]))))

    assert found_by("cargo is:live") == 1
    assert found_by("cargo -is:live") == 0
    assert asked == [str(talk)] * 2
    assert found_by("cargo is:live dir:elsewhere") == 0
    assert found_by("cargo") == 1
    assert len(asked) == 2
    assert found_by("is:live") == 1
    written = int(talk.stat().st_mtime * 1000)
    assert found(talk, "cargo is:live", now_ms=written + 1_000)
    assert not found(talk, "cargo is:live", now_ms=written + 10_000)
