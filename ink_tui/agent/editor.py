"""The user's editor: which one it is, and the arguments that open a file at a line.

`VISUAL` is asked first, then `EDITOR`, as git does; both may hold arguments. The result is an
argument list with an absolute program: no shell takes part. A file is given by an absolute path,
so it can never be taken for an option (`trust.md` 2.8).
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.errors import LaunchError

if TYPE_CHECKING:
    from collections.abc import Mapping

_PLUS = frozenset(
    {
        *("vi", "vim", "nvim", "view", "vimdiff", "nano", "pico", "emacs", "emacsclient", "micro"),
        *("kak", "joe", "jmacs", "ne", "mg", "jed", "mcedit", "gvim", "mvim", "gedit", "xed"),
    }
)
"""Editors that take `+LINE` before the file."""
_COLON = frozenset({"hx", "helix", "subl", "sublime_text", "zed", "zeditor", "lapce"})
"""Editors that take `FILE:LINE`."""
_GOTO = frozenset(
    {"code", "code-insiders", "codium", "vscodium", "code-oss", "cursor", "windsurf", "positron"}
)
"""Editors that take `--goto FILE:LINE`."""
_LINE_OPTION = frozenset({"kate", "kwrite", "idea", "pycharm", "webstorm", "goland", "clion"})
"""Editors that take `--line LINE` before the file."""
_WINDOWS = (
    _GOTO
    | _LINE_OPTION
    | {"subl", "sublime_text", "zed", "zeditor", "lapce"}
    | {
        *("gvim", "mvim", "gedit", "xed", "mousepad", "featherpad", "notepadqq", "geany"),
    }
)
"""Editors with a window of their own: they do not need this terminal."""


@dataclass(frozen=True, slots=True)
class Editor:
    """An editor that can be started."""

    argv: tuple[str, ...]
    """Absolute program and the arguments that the user gave it."""
    name: str
    """Name of the program without its folder."""
    from_variable: str
    """The variable that names it."""

    @property
    def in_terminal(self) -> bool:
        """Whether it takes this terminal; what is not known to have a window does."""
        return self.name not in _WINDOWS


def find_editor(env: Mapping[str, str], search_path: str | None = None) -> Editor:
    """Return the editor that the user has set.

    Args:
        env: The environment.
        search_path: Folders to look for programs in; None takes `PATH` of the environment.

    Raises:
        LaunchError: None is set, what is set is not a command, or there is no such program.
    """
    variable = next((name for name in ("VISUAL", "EDITOR") if env.get(name, "").strip()), "")
    if not variable:
        raise LaunchError(
            "no-editor", "No editor is set. Set the variable VISUAL or EDITOR, for example to vim."
        )
    value = env[variable]
    try:
        words = shlex.split(value)
    except ValueError:
        words = []
    if not words:
        raise LaunchError("no-editor", f"{variable} is not a command: {value[:200]}")
    path = search_path if search_path is not None else env.get("PATH", os.defpath)
    program = shutil.which(words[0], path=path)
    if program is None:
        raise LaunchError(
            "editor-missing", f"The editor {words[0]} was not found; {variable} names it."
        )
    return Editor((str(Path(program).absolute()), *words[1:]), Path(words[0]).name, variable)


def editor_argv(editor: Editor, path: str, line: int | None = None) -> tuple[str, ...]:
    """Return the arguments that open a file; at its start where the editor's way is not known.

    Args:
        editor: The editor.
        path: Absolute path of the file.
        line: Line to go to, 1-based.

    Raises:
        ValueError: The path is not absolute, or the line is not one.
    """
    if not path.startswith("/") or (line is not None and line < 1):
        raise ValueError("an editor is given an absolute path and a line from 1 on")
    if line is None:
        return (*editor.argv, path)
    if editor.name in _PLUS:
        return (*editor.argv, f"+{line}", path)
    if editor.name in _COLON:
        return (*editor.argv, f"{path}:{line}")
    if editor.name in _GOTO:
        return (*editor.argv, "--goto", f"{path}:{line}")
    if editor.name in _LINE_OPTION:
        return (*editor.argv, "--line", str(line), path)
    return (*editor.argv, path)


def run_editor(argv: tuple[str, ...], env: Mapping[str, str], *, apart: bool) -> int:
    """Run an editor in the present folder until it ends; blocks, call it from a thread.

    Args:
        argv: Absolute program and arguments.
        env: Its environment.
        apart: It has a window of its own: it gets no terminal and outlives this program.

    Returns:
        Its exit code; negative for a signal.

    Raises:
        LaunchError: It could not be started.
    """
    streams = subprocess.DEVNULL if apart else None
    try:
        done = subprocess.run(
            argv,
            env=dict(env),
            check=False,
            stdin=streams,
            stdout=streams,
            stderr=streams,
            start_new_session=apart,
        )
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "its arguments cannot be given"
        raise LaunchError("editor-failed", f"{argv[0]} could not be started: {why}") from error
    return done.returncode
