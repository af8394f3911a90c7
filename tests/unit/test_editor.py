"""Which editor is started and with which arguments; the files that a record mentions."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from ink_tui.agent.editor import Editor, editor_argv, find_editor, run_editor
from ink_tui.errors import LaunchError
from ink_tui.model.mentions import Mention
from ink_tui.store.mentioned import find_mentioned

if TYPE_CHECKING:
    from pathlib import Path


def program(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o700)
    return path


def test_visual_comes_before_editor_and_both_may_hold_arguments(tmp_path: Path) -> None:
    vim, code = program(tmp_path, "vim"), program(tmp_path, "code")
    env = {"PATH": str(tmp_path), "EDITOR": "vim -n 'a b'"}
    assert find_editor(env) == Editor((str(vim), "-n", "a b"), "vim", "EDITOR")
    env["VISUAL"] = f"{code} --wait"
    assert find_editor(env) == Editor((str(code), "--wait"), "code", "VISUAL")
    env["VISUAL"] = "  "
    assert find_editor(env).name == "vim"


@pytest.mark.parametrize(
    ("env", "words"),
    [
        ({}, "No editor is set. Set the variable VISUAL or EDITOR"),
        ({"EDITOR": "  "}, "No editor is set."),
        ({"EDITOR": "vim 'open"}, "EDITOR is not a command: vim 'open"),
        ({"VISUAL": "nothing-here -w"}, "The editor nothing-here was not found; VISUAL names it."),
        ({"EDITOR": "vim; rm -rf x"}, "The editor vim; was not found"),
    ],
)
def test_without_an_editor_it_is_said(env: dict[str, str], words: str, tmp_path: Path) -> None:
    with pytest.raises(LaunchError, match=f"^{words}"):
        find_editor({"PATH": str(tmp_path), **env})


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *((name, ("+7", "/a b.py")) for name in ("vim", "nvim", "nano", "emacs", "micro", "vi")),
        *((name, ("/a b.py:7",)) for name in ("hx", "helix", "subl", "zed")),
        *((name, ("--goto", "/a b.py:7")) for name in ("code", "codium")),
        ("kate", ("--line", "7", "/a b.py")),
        ("own-editor", ("/a b.py",)),
    ],
)
def test_the_line_is_written_as_the_editor_wants_it(name: str, expected: tuple[str, ...]) -> None:
    editor = Editor((f"/usr/bin/{name}", "-x"), name, "EDITOR")
    assert editor_argv(editor, "/a b.py", 7) == (f"/usr/bin/{name}", "-x", *expected)
    assert editor_argv(editor, "/a b.py") == (f"/usr/bin/{name}", "-x", "/a b.py")


@pytest.mark.parametrize(("path", "line"), [("-rf", 1), ("a.py", None), ("", 1), ("/a", 0)])
def test_no_path_can_be_an_option(path: str, line: int | None) -> None:
    with pytest.raises(ValueError, match="absolute path"):
        editor_argv(Editor(("/usr/bin/vim",), "vim", "EDITOR"), path, line)


@pytest.mark.parametrize(
    ("name", "in_terminal"),
    [("vim", True), ("own-editor", True), ("hx", True), ("code", False), ("gvim", False)],
)
def test_editors_with_a_window_need_no_terminal(name: str, in_terminal: bool) -> None:
    assert Editor((f"/usr/bin/{name}",), name, "EDITOR").in_terminal is in_terminal


@pytest.mark.parametrize("apart", [True, False])
def test_an_editor_is_run_and_its_end_is_known(apart: bool) -> None:
    argv = (sys.executable, "-c", "import os, sys; sys.exit(int(os.environ['CODE']))")
    assert run_editor(argv, {**os.environ, "CODE": "3"}, apart=apart) == 3


def test_an_editor_that_cannot_be_started(tmp_path: Path) -> None:
    with pytest.raises(LaunchError, match="could not be started: Permission denied"):
        run_editor((str(tmp_path),), {}, apart=True)


# The files


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "home" / "work"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "a.py").write_text("1\n")
    (folder / "-rf").write_text("1\n")
    (folder / "文档.md").write_text("1\n")
    (tmp_path / "outside.txt").write_text("1\n")
    (folder / "link.txt").symlink_to(tmp_path / "outside.txt")
    os.mkfifo(folder / "fifo")
    return folder


def found(work: Path, *mentions: Mention, most: int = 8) -> list[tuple[str, int | None, bool]]:
    result = find_mentioned(mentions, str(work), str(work.parent), most)
    return [(each.path, each.line, each.inside) for each in result.files]


def test_files_below_the_folder_are_its_own(work: Path) -> None:
    mentions = (
        *(Mention("src/a.py", 3), Mention("and/or"), Mention("./src/a.py"), Mention("文档.md")),
        *(Mention("-rf", 2), Mention("b/src/a.py", 9), Mention(f"{work}/src/a.py", 8)),
    )
    assert found(work, *mentions) == [
        (f"{work}/src/a.py", 3, True),
        (f"{work}/文档.md", None, True),
        (f"{work}/-rf", 2, True),
    ]


def test_files_elsewhere_are_not(work: Path) -> None:
    outside = str(work.parent.parent / "outside.txt")
    mentions = (Mention(outside), Mention("../../outside.txt"), Mention("link.txt"))
    assert [inside for _, _, inside in found(work, *mentions)] == [False, False, False]
    assert found(work, Mention("~/work/src/a.py")) == [(f"{work}/src/a.py", None, True)]


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("gone.py", "there is no such file"),
        ("src", "it is a folder"),
        ("fifo", "it is not a regular file"),
        ("src/a.py/b", "there is no such file"),
        ("x" * 5_000, "file name too long"),
        ("a\0b", "not a path"),
    ],
)
def test_why_the_file_of_a_call_cannot_be_opened(work: Path, path: str, why: str) -> None:
    result = find_mentioned([Mention(path, certain=True)], str(work), "", 8)
    assert result.files == ()
    assert result.missing.endswith(f"cannot be opened: {why}.")
    assert find_mentioned([Mention(path)], str(work), "", 8).missing == ""


def test_without_a_folder_only_whole_paths_are_found(work: Path) -> None:
    own = Mention("src/a.py", certain=True)
    result = find_mentioned([own, Mention(f"{work}/src/a.py")], "", "", 8)
    assert [file.path for file in result.files] == [f"{work}/src/a.py"]
    assert not result.files[0].inside
    assert "from which folder" in result.missing


def test_no_more_than_asked_for(work: Path) -> None:
    assert len(found(work, Mention("src/a.py"), Mention("-rf"), Mention("文档.md"), most=2)) == 2
