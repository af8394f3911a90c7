"""Folders: ours can be moved, Ink's follows the home folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ink_tui import paths


@pytest.mark.parametrize(
    ("variable", "find"),
    [
        ("INK_TUI_CONFIG_DIR", paths.config_dir),
        ("INK_TUI_STATE_DIR", paths.state_dir),
        ("INK_TUI_CACHE_DIR", paths.cache_dir),
    ],
)
def test_own_folders_are_named_after_the_program_and_can_be_moved(
    variable: str, find: object, tmp_path: Path
) -> None:
    assert callable(find)
    assert find({}).name == "ink-tui"
    assert find({variable: ""}) == find({})
    assert find({variable: str(tmp_path)}) == tmp_path
    assert find({variable: "here"}) == Path.cwd() / "here"


def test_the_three_own_folders_differ() -> None:
    found = {paths.config_dir({}), paths.state_dir({}), paths.cache_dir({})}
    assert len(found) == 3
    assert paths.config_file({}) == paths.config_dir({}) / "config.toml"


def test_home_is_the_environments_word_for_word_else_the_password_databases() -> None:
    import pwd

    assert paths.home_dir({"HOME": "/h/ü x"}) == Path("/h/ü x")
    assert paths.home_dir({}) == Path(pwd.getpwuid(os.getuid()).pw_dir)


def test_the_predecessors_folder_counts_only_where_it_exists(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path)}
    assert paths.ink_sessions_roots(env) == (tmp_path / ".ink" / "sessions",)
    (tmp_path / ".imp" / "sessions").mkdir(parents=True)
    assert paths.ink_sessions_roots(env) == (
        tmp_path / ".ink" / "sessions",
        paths.legacy_sessions_dir(env),
    )


def test_importing_and_asking_creates_nothing(tmp_path: Path) -> None:
    program = (
        "import os; from ink_tui import paths, config;"
        "paths.config_dir(os.environ); paths.state_dir(os.environ);"
        "paths.ink_sessions_roots(os.environ); config.load_config(None, os.environ)"
    )
    env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([sys.executable, "-c", program], env=env, check=True)
    assert list(tmp_path.iterdir()) == []
