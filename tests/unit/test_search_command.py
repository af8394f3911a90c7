"""`ink-tui search`: fields, order, exit statuses, the caret under a malformed query, no write."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from ink_tui.cli import main
from ink_tui.commands import search as search_command
from ink_tui.store.search import engine
from ink_tui.store.search.engine import SearchOptions
from ink_tui.store.search.patterns import Budget
from tests.cases import run_cli, run_json
from tests.sessions import HEADER, answer, line, results, user

FIELDS = {"path", "id", "entry_id", "line", "kind", "snippet"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A store of three sessions; the second in file order is the newest."""
    folder = tmp_path / "store" / "folder"
    folder.mkdir(parents=True)
    for name, second, text in (
        ("1", 10, "the needle is here"),
        ("2", 50, "no such thing"),
        ("3", 30, "ein Straßenschild \x1b[31m"),
    ):
        header = line({**HEADER, "id": f"{name}1111111-1111-4111-8111-111111111111"})
        (folder / f"{name}.jsonl").write_bytes(
            header
            + user("a1", None, text, second)
            + answer(
                "a2", "a1", calls=(("c1", "bash", {"command": f"echo {name}"}),), second=second
            )
            + results("a3", "a2", ("c1", "bash", f"output {name}"), second=second + 1)
        )
    return tmp_path / "store"


def search(root: Path, *query: str) -> tuple[int, str, str]:
    return run_cli("search", "--sessions-dir", str(root), *query)


def state(root: Path) -> list[tuple[str, int, int]]:
    return [
        (str(path), path.stat().st_size, path.stat().st_mtime_ns)
        for path in sorted(root.rglob("*"))
    ]


def test_one_object_a_hit_newest_session_first(root: Path) -> None:
    before = state(root)
    rows = run_json("search", "--json", "--sessions-dir", str(root), "--", "output", "tool:bash")
    assert [Path(row["path"]).stem for row in rows] == ["2", "3", "1"]
    assert all(row.keys() >= FIELDS for row in rows)
    first = rows[0]
    assert first["id"].startswith("21111111")
    assert (first["entry_id"], first["line"], first["kind"]) == ("a3", 4, "result")
    assert first["snippet"] == "output 2"
    assert (first["spans"], first["tool"], first["count"]) == ([[0, 6]], "bash", 1)
    assert first["time"] == "2026-03-02T08:00:51Z"
    assert state(root) == before


def test_plain_output_is_grouped_by_session(root: Path) -> None:
    status, out, err = search(root, "--", "strassenschild")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "31111111  ein Straßenschild ␛[31m  (/home/u/demo)",
        "  2026-03-02 08:00  user      ein Straßenschild ␛[31m",
    ]
    status, out, _err = search(root, "--", "tool:bash", "role:call")
    assert [text.split()[-1] for text in out.splitlines() if "echo" in text] == ["2", "3", "1"]
    assert out.count("\n\n") == 2


def test_hits_are_marked_on_a_terminal_only(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    def printed() -> str:
        with redirect_stdout(Terminal()) as out:
            assert main(["search", "--sessions-dir", str(root), "--", "needle"]) == 0
        return out.getvalue()

    assert "the \x1b[1;4mneedle\x1b[0m is here" in printed()
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in printed()
    assert "\x1b" not in search(root, "--", "needle")[1]


def test_nothing_found(root: Path) -> None:
    assert search(root, "--", "nowhere at all") == (1, "", "")


def test_a_limit(root: Path) -> None:
    status, out, _err = search(root, "--json", "--limit", "2", "--", "tool:bash")
    assert (status, len(out.splitlines())) == (0, 2)
    status, out, _err = search(root, "--limit", "1", "--", "tool:bash")
    assert "1 more here" in out
    for wrong in ("0", "-1", "x", "٣"):
        assert search(root, f"--limit={wrong}", "--", "x")[0] == 2


@pytest.mark.parametrize(
    ("query", "words", "caret"),
    [
        ("crlf toll:bash", "The nearest is tool:", "       ^^^^^"),
        ("修复 re:a(b", "missing )", "           ^"),
        ('"open', "not closed", "  ^"),
        ("date:2026-13 x", "is no date", "       ^^^^^^^"),
    ],
)
def test_a_malformed_query(root: Path, query: str, words: str, caret: str) -> None:
    status, out, err = search(root, "--", query)
    sentence, shown, carets = err.splitlines()
    assert (status, out) == (2, "")
    assert words in sentence
    assert shown == f"ink-tui:   {query}"
    assert carets == f"ink-tui: {caret}"


def test_an_empty_query(root: Path) -> None:
    assert search(root)[0] == 2
    assert search(root, "--", "  ")[0] == 2


def test_what_cannot_be_read_is_told(root: Path) -> None:
    (root / "folder" / "link.jsonl").symlink_to(root / "folder" / "1.jsonl")
    os.mkfifo(root / "folder" / "pipe.jsonl")
    status, out, err = search(root, "--", "needle")
    assert status == 0
    assert "the needle is here" in out
    assert "link.jsonl cannot be read: a symbolic link" in err
    assert "pipe.jsonl cannot be read: a pipe" in err
    status, _out, err = search(root / "nowhere", "--", "needle")
    assert status == 1
    assert "does not exist" in err


def test_a_file_without_rights_is_told(root: Path, open_place: Path) -> None:
    """Also where ripgrep looks first."""
    store = shutil.copytree(root, open_place / "store")
    for folder in (store / "folder", store):
        folder.chmod(0o755)
    (store / "folder" / "2.jsonl").chmod(0)
    status, out, err = run_cli(
        "search", "--sessions-dir", str(store), "--", "needle", dropped=os.geteuid() == 0
    )
    assert status == 0
    assert "the needle is here" in out
    assert "2.jsonl cannot be read: permission denied" in err


def test_a_pattern_that_takes_too_long_is_told(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    header = line({**HEADER, "id": "4"})
    (root / "folder" / "slow.jsonl").write_bytes(header + user("a1", None, "a" * 40 + "!"))

    def options(**given: object) -> SearchOptions:
        return SearchOptions(budget=Budget(file=0.2, query=5.0), most_hits=None)

    monkeypatch.setattr(search_command, "SearchOptions", options)
    status, out, err = search(root, "--", r"re:(a+)+$|\bis\b")
    assert status == 0
    assert "the needle is here" in out
    assert "took too long in 1 file: slow.jsonl" in err


def test_hostile_text_is_cleaned(root: Path) -> None:
    evil = "\x1b]0;owned\x07 needle \u202e"
    header = line({**HEADER, "id": "\x1b[2J\u202e", "cwd": f"/tmp/{evil}"})
    (root / "folder" / "evil.jsonl").write_bytes(
        header + answer("a1", None, evil, calls=(("c1", evil, {"command": evil}),))
    )
    status, out, err = search(root, "--", "owned")
    assert status == 0
    assert out.count("owned") >= 3
    assert not {"\x1b", "\x07", "\u202e"} & set(out + err)


def test_a_reader_that_leaves(root: Path) -> None:
    """The search ends, and its program for patterns with it."""

    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

        def fileno(self) -> int:
            return os.open(os.devnull, os.O_WRONLY)

    with redirect_stdout(Closed()), redirect_stderr(sys.stderr):
        status = main(["search", "--sessions-dir", str(root), "--json", "--", "re:need.e"])
    assert status == 0


def test_rows_are_json_lines_of_ascii(root: Path) -> None:
    _status, out, _err = search(root, "--json", "--", "strassenschild")
    (row,) = [json.loads(text) for text in out.splitlines()]
    assert row["snippet"] == "ein Straßenschild ␛[31m"
    assert out.isascii()


def test_what_is_known_of_sessions_answers_filters_about_them(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("search", "--json", "--sessions-dir", str(root), "--")
    queries = ("verdict:clean", "-has:compaction", "needle verdict:clean", "verdict:refuse")
    before = [run_cli(*asked, query)[:2] for query in queries]
    assert [status for status, _ in before] == [0, 0, 0, 1]
    assert run_cli("list", "--sessions-dir", str(root))[0] == 0

    def read(*_: object, **__: object) -> None:
        raise AssertionError("a session is read whole for what is known of it")

    monkeypatch.setattr(engine, "whole_row", read)
    assert [run_cli(*asked, query)[:2] for query in queries] == before


def test_a_session_that_has_changed_answers_as_it_is_now(root: Path) -> None:
    asked = ("search", "--json", "--sessions-dir", str(root), "--", "verdict:clean")
    run_cli("list", "--sessions-dir", str(root))
    assert len(run_json(*asked)) == 3
    file = root / "folder" / "1.jsonl"
    file.write_bytes(file.read_bytes() + b'{"type":"mess')
    assert len(run_json(*asked)) == 2
