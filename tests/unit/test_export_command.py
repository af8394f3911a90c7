"""`ink-tui export`: what it writes where, what it refuses, and what it says."""

from __future__ import annotations

import json
import os
import stat
import sys
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest

from ink_tui.cli import main
from ink_tui.errors import RefusedError, StoreError
from ink_tui.store import export_file
from ink_tui.store.export_file import write_export
from tests.cases import CASES_DIR, run_cli
from tests.secret_samples import samples
from tests.sessions import HEADER, session, simple, user

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SECRET = next(sample.text for sample in samples() if sample.kind == "github-token")
DATA = session(user("a1", None, f"use {SECRET} twice: {SECRET}"))
TAKEN = "ink-tui: 2 github-token taken out. Only secrets of known shapes are found: read it before"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "sessions" / "folder" / "one.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(DATA)
    return tmp_path / "sessions"


def export(store: Path, *arguments: str) -> tuple[int, str, str]:
    return run_cli("export", HEADER["id"], "--sessions-dir", str(store), *arguments)


class TestWritten:
    def test_markdown_to_stdout_without_secrets(self, store: Path) -> None:
        status, out, err = export(store)
        assert status == 0
        assert out.startswith("# use &#91;redacted: github-token&#93; twice")
        assert SECRET not in out
        assert err.startswith(TAKEN)

    def test_raw_copy_is_the_file(self, store: Path, tmp_path: Path) -> None:
        target = tmp_path / "copy.jsonl"
        status, out, err = export(store, "--format", "jsonl", "--no-redact", "-o", str(target))
        assert (status, out) == (0, "")
        assert target.read_bytes() == DATA
        assert err == f"ink-tui: Secrets were not taken out of this copy. Written to {target}.\n"

    @pytest.mark.parametrize("name", ["md", "html", "jsonl", "cast"])
    def test_file_is_private_and_nothing_is_left_beside_it(
        self, store: Path, tmp_path: Path, name: str
    ) -> None:
        target = tmp_path / "out" / "x"
        target.parent.mkdir()
        before = (store / "folder" / "one.jsonl").stat()
        assert export(store, "--format", name, "-o", str(target))[0] == 0
        assert stat.S_IMODE(target.stat().st_mode) == 0o600
        assert [path.name for path in target.parent.iterdir()] == ["x"]
        assert SECRET.encode() not in target.read_bytes()
        after = (store / "folder" / "one.jsonl").stat()
        assert (before.st_mtime_ns, before.st_size) == (after.st_mtime_ns, after.st_size)

    def test_json_says_what_was_written(self, store: Path, tmp_path: Path) -> None:
        target = tmp_path / "x.html"
        _status, out, _err = export(store, "--format", "html", "-o", str(target), "--json")
        assert json.loads(out) == {
            "path": str(target),
            "format": "html",
            "redacted": True,
            "redactions": {"github-token": 2},
            "bytes": target.stat().st_size,
        }

    def test_the_users_own_home_is_shortened(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HOME", "/home/u")
        path = tmp_path / "x.jsonl"
        path.write_bytes(simple())
        status, out, err = run_cli("export", str(path))
        assert status == 0
        assert "- folder: `~/demo`" in out
        assert "no secret taken out; the home folder in 1 path is now ~." in err

    def test_force_replaces_only_when_asked(self, store: Path, tmp_path: Path) -> None:
        target = tmp_path / "x.md"
        target.write_text("mine", "utf-8")
        status, _out, err = export(store, "-o", str(target))
        assert status == 1
        assert "exists already and was left alone. --force replaces it." in err
        assert target.read_text("utf-8") == "mine"
        assert export(store, "-o", str(target), "--force")[0] == 0
        assert target.read_text("utf-8").startswith("# use")

    @pytest.mark.parametrize("case", ["01-tail-fragment", "49-", "48-"])
    def test_damaged_sessions_are_exported(self, case: str) -> None:
        path = next(CASES_DIR.glob(f"{case}*/session.jsonl"))
        for name in ("md", "html"):
            status, out, _err = run_cli("export", str(path), "--format", name)
            assert status == 0
            assert len(out) > 200


def _symlink(path: Path) -> None:
    path.symlink_to("/dev/null")


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.mkdir()


class TestRefused:
    @pytest.mark.parametrize("place", ["x.md", "folder/x.md", "folder/../y.md"])
    def test_in_a_folder_of_sessions(self, store: Path, place: str) -> None:
        status, _out, err = export(store, "-o", str(store / place))
        assert status == 1
        assert "lies in a folder of sessions, where an agent would list it." in err
        assert sorted(path.name for path in store.rglob("*")) == ["folder", "one.jsonl"]

    def test_in_a_folder_of_sessions_by_a_link(self, store: Path, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to(store / "folder")
        status, _out, err = export(store, "-o", str(tmp_path / "link" / "x.md"), "--force")
        assert status == 1
        assert "lies in a folder of sessions" in err

    def test_over_the_session_itself(self, tmp_path: Path) -> None:
        path = tmp_path / "sessions" / "folder" / "one.jsonl"
        path.parent.mkdir(parents=True)
        path.write_bytes(DATA)
        status, _out, _err = run_cli("export", str(path), "-o", str(path), "--force")
        assert status == 1
        alone = tmp_path / "alone.jsonl"
        alone.write_bytes(DATA)
        status, _out, err = run_cli("export", str(alone), "-o", str(alone), "--force")
        assert status == 1
        assert "is the session itself" in err
        assert path.read_bytes() == alone.read_bytes() == DATA

    @pytest.mark.parametrize("make", [_symlink, _pipe, _folder])
    def test_what_is_no_regular_file(
        self, store: Path, tmp_path: Path, make: Callable[[Path], None]
    ) -> None:
        target = tmp_path / "x"
        make(target)
        before = os.lstat(target)
        status, _out, err = export(store, "-o", str(target), "--force")
        assert status == 1
        assert "is not a regular file. Nothing was written." in err
        assert os.lstat(target).st_ino == before.st_ino

    def test_a_folder_that_is_not_there(self, store: Path, tmp_path: Path) -> None:
        status, _out, err = export(store, "-o", str(tmp_path / "no" / "x.md"))
        assert status == 1
        assert "its folder does not exist" in err
        assert not (tmp_path / "no").exists()

    def test_a_session_that_is_not_there(self, store: Path) -> None:
        status, out, err = run_cli("export", "ffff", "--sessions-dir", str(store))
        assert (status, out) == (1, "")
        assert "no session fits" in err

    def test_what_is_no_session(self, tmp_path: Path) -> None:
        for content in (b"hello\n", b'{"type":"user","uuid":"1"}\n', b""):
            path = tmp_path / "x.jsonl"
            path.write_bytes(content)
            status, out, err = run_cli("export", str(path))
            assert (status, out) == (1, "")
            assert "is not a session of Ink: nothing was exported." in err
        status, _out, err = run_cli("export", str(tmp_path))
        assert status == 1
        os.mkfifo(tmp_path / "pipe.jsonl")
        status, _out, err = run_cli("export", str(tmp_path / "pipe.jsonl"))
        assert status == 1
        assert "a pipe, not a file" in err

    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            (("--json",), "--json says what was written to a file"),
            (("--force",), "--force is for a file"),
            (("--format", "pdf"), "invalid choice"),
            (("--size", "80x24"), "--size is for a recording: --format cast"),
            (("--format", "cast", "--size", "80"), "is no size of a terminal from 20x5 to 400x200"),
        ],
    )
    def test_options_that_do_not_fit(
        self, store: Path, arguments: tuple[str, ...], sentence: str
    ) -> None:
        status, out, err = export(store, *arguments)
        assert (status, out) == (2, "")
        assert sentence in err

    def test_records_on_a_terminal(self, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        class Screen(StringIO):
            def isatty(self) -> bool:
                return True

        screen = Screen()
        monkeypatch.setattr(sys, "stdout", screen)
        arguments = ["export", HEADER["id"], "--sessions-dir", str(store), "--format", "jsonl"]
        assert main(arguments) == 2
        assert screen.getvalue() == ""


class TestFaults:
    @pytest.mark.parametrize("call", ["open", "write", "fsync", "link"])
    def test_a_failed_call_leaves_no_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
    ) -> None:
        def fail(*_arguments: Any, **_more: Any) -> int:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(os, call, fail)
            if call == "link":  # the way of a file system without second names
                write_export(tmp_path / "x", b"all", [], force=False)
            else:
                with pytest.raises(StoreError, match="No space left on device"):
                    write_export(tmp_path / "x", b"all", [], force=False)
        left = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        assert left == ({"x": b"all"} if call == "link" else {})

    def test_a_failed_call_keeps_the_file_that_was_there(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        target = tmp_path / "x"
        target.write_bytes(b"mine")

        def fail(*_arguments: Any) -> int:
            raise OSError(5, "Input/output error")

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", fail)
            with pytest.raises(StoreError, match="No new file was left behind"):
                write_export(target, b"all", [], force=True)
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"x": b"mine"}

    def test_a_taken_name_is_given_back(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_arguments: Any, **_more: Any) -> None:
            raise OSError(1, "Operation not permitted")

        with monkeypatch.context() as patch:
            patch.setattr(os, "link", fail)
            patch.setattr(os, "replace", fail)
            with pytest.raises(StoreError, match="No new file was left behind"):
                write_export(tmp_path / "x", b"all", [], force=False)
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("force", [False, True])
    def test_a_name_that_may_be_lost_is_told_as_such(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, force: bool
    ) -> None:
        def fail(_folder: Path) -> None:
            raise OSError(5, "Input/output error")

        with monkeypatch.context() as patch:
            patch.setattr(export_file, "sync_folder", fail)
            with pytest.raises(StoreError, match="The file is there and whole, but a power cut"):
                write_export(tmp_path / "x", b"all", [], force=force)
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"x": b"all"}

    def test_what_a_killed_export_left_goes_with_the_next(self, tmp_path: Path) -> None:
        (tmp_path / ".ink-tui-0123456789ab.tmp").write_bytes(b"ha")
        write_export(tmp_path / "x", b"all", [], force=False)
        assert [path.name for path in tmp_path.iterdir()] == ["x"]

    def test_a_file_that_appears_meanwhile_is_left_alone(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        target = tmp_path / "x"

        def appear(path: Path, _roots: object, *, force: bool) -> None:
            assert not force
            path.write_bytes(b"theirs")

        monkeypatch.setattr(export_file, "check_place", appear)
        with pytest.raises(StoreError, match="appeared meanwhile"):
            write_export(target, b"all", [], force=False)
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"x": b"theirs"}

    def test_refusals_have_a_kind(self, tmp_path: Path) -> None:
        with pytest.raises(RefusedError) as refused:
            write_export(tmp_path / "x", b"", [tmp_path], force=True)
        assert refused.value.kind == "session-folder"
