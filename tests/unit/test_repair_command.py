"""`ink-tui repair` and `ink-tui undo`: dry by default, asked a second time where that is due."""

from __future__ import annotations

import io
import json
import os
import sys
import time
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.liveness import NOBODY, Holder, HolderKind
from tests.cases import run_cli, run_json
from tests.unit.repair_files import GOOD

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TORN = GOOD + b'{"type":"mess'
SOMEBODY = Holder(HolderKind.POSSIBLE, "ink, process 7, in the same folder")


@pytest.fixture(autouse=True)
def holder(monkeypatch: pytest.MonkeyPatch) -> Callable[[Holder], None]:
    """Who holds the session: nobody, until a test says otherwise."""

    def is_now(who: Holder) -> None:
        monkeypatch.setattr("ink_tui.commands.repair.holder_of", lambda _row: who)

    is_now(NOBODY)
    return is_now


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INK_TUI_STATE_DIR", str(tmp_path / "state"))
    path = tmp_path / "session.jsonl"
    path.write_bytes(TORN)
    _age(path, 3_600)
    return path


def _age(path: Path, seconds: float) -> None:
    stamp = time.time() - seconds
    os.utime(path, (stamp, stamp))


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _at_terminal(
    monkeypatch: pytest.MonkeyPatch, typed: str, *arguments: str
) -> tuple[int, str, str]:
    """Run the command line as at a terminal, with a line typed."""
    from ink_tui.cli import main

    out, err = io.StringIO(), _Terminal()
    monkeypatch.setattr(sys, "stdin", _Terminal(typed))
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    status = main(arguments)
    monkeypatch.undo()
    return status, out.getvalue(), err.getvalue()


def test_a_quiet_session_needs_one_yes(path: Path) -> None:
    status, out, err = run_cli("repair", str(path))
    assert (status, err) == (0, "")
    assert "Nothing was written. --yes does it, after a verified backup." in out
    assert path.read_bytes() == TORN
    (answer,) = run_json("repair", "--json", "--yes", str(path))
    assert answer["done"] is True
    assert answer["doubt"] is None
    assert path.read_bytes() != TORN
    status, out, err = run_cli("undo", str(path))
    assert (status, err) == (0, "")
    first, last = out.splitlines()
    assert first.startswith("Undoes the last repair: cuts ")
    assert first.endswith(" and puts 13 bytes back.")
    assert last == "Nothing was written. --yes does it."
    (answer,) = run_json("undo", "--json", str(path))
    assert (answer["undoes"], answer["done"]) == ("repair", False)
    status, out, err = run_cli("undo", "--yes", str(path))
    assert (status, out, err) == (
        0,
        "Undone: the last repair; the file is as it was before\n",
        "",
    )
    assert path.read_bytes() == TORN
    status, out, err = run_cli("undo", str(path))
    assert (status, out) == (1, "")
    assert "no change of this session to undo" in err


@pytest.mark.parametrize("case", ["possible", "recent"])
class TestDoubt:
    @pytest.fixture
    def said(self, case: str, path: Path, holder: Callable[[Holder], None]) -> Callable[[], str]:
        """Put the session in doubt, and return what is said of it."""

        def begin() -> str:
            if case == "possible":
                holder(SOMEBODY)
                return "Perhaps in use by ink, process 7, in the same folder."
            _age(path, 20)
            return " ago and may still be in use."

        return begin

    def test_yes_alone_refuses_and_names_why_and_the_flag(
        self, path: Path, said: Callable[[], str]
    ) -> None:
        words = said()
        status, out, err = run_cli("repair", "--yes", str(path))
        assert (status, out) == (1, "")
        assert words in err
        assert "Nothing was written. --yes --anyway does it all the same." in err
        assert path.read_bytes() == TORN
        assert not (path.parent / "state").exists()
        status, out, _err = run_cli("repair", str(path))
        assert status == 0
        assert words in out
        assert "--yes --anyway does it" in out
        status, out, _err = run_cli("repair", "--json", "--yes", str(path))
        answer = json.loads(out)
        assert (status, answer["done"], path.read_bytes()) == (1, False, TORN)
        assert str(answer["doubt"]).endswith(words)
        status, out, _err = run_cli("repair", "--anyway", str(path))
        assert (status, path.read_bytes()) == (0, TORN)

    def test_the_second_flag_does_it(self, path: Path, said: Callable[[], str]) -> None:
        said()
        status, out, err = run_cli("repair", "--yes", "--anyway", str(path))
        assert (status, err) == (0, "")
        assert out.startswith("Repaired: 13 bytes saved aside")
        assert path.read_bytes() != TORN

    def test_an_undo_likewise(self, path: Path, said: Callable[[], str]) -> None:
        assert run_cli("repair", "--yes", str(path))[0] == 0
        repaired = path.read_bytes()
        words = said()
        status, out, err = run_cli("undo", "--yes", str(path))
        assert (status, out) == (1, "")
        assert words in err
        assert "--anyway" in err
        assert path.read_bytes() == repaired
        assert words in run_cli("undo", str(path))[1]
        assert run_cli("undo", "--yes", "--anyway", str(path))[0] == 0
        assert path.read_bytes() == TORN

    @pytest.mark.parametrize("typed", ["y\n", " YES \n", "n\n", "\n", "", "anyway\n"])
    def test_a_person_at_a_terminal_is_asked(
        self, path: Path, said: Callable[[], str], typed: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        words = said()
        status, out, err = _at_terminal(monkeypatch, typed, "repair", "--yes", str(path))
        assert words in err
        assert "Repair all the same? [y/N] " in err
        agreed = typed.strip().lower() in ("y", "yes")
        assert status == (0 if agreed else 1)
        assert out.startswith("Repaired") == agreed
        assert ("nothing was written" in err) != agreed
        assert (path.read_bytes() != TORN) == agreed


@pytest.mark.parametrize("flags", [[], ["--anyway"]])
def test_what_is_in_use_or_being_written_is_refused_whatever_is_given(
    path: Path, holder: Callable[[Holder], None], flags: list[str]
) -> None:
    holder(Holder(HolderKind.CERTAIN, "ink, process 7"))
    status, _out, _err = run_cli("repair", "--yes", *flags, str(path))
    assert status == 1
    holder(NOBODY)
    _age(path, 0)
    status, out, _err = run_cli("repair", "--json", "--yes", *flags, str(path))
    assert (status, json.loads(out)["refusal_reason_kind"]) == (1, "writing")
    assert path.read_bytes() == TORN


def test_help_names_the_second_flag() -> None:
    for command in ("repair", "undo"):
        out = run_cli(command, "--help")[1]
        assert "--anyway" in out
        assert "may be in use" in out
