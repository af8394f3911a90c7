"""Entry of the built-in agent: `ink-tui agent --resume ID`."""

from __future__ import annotations

import argparse
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.config import load_config, session_roots
from ink_tui.errors import InkTuiError, RefusedError, StoreError
from ink_tui.model.lookup import locate
from ink_tui.model.text import clean, one_line
from ink_tui.paths import legacy_sessions_dir, state_dir
from ink_tui.runtime.conversation import Conversation, is_fork, store_root
from ink_tui.runtime.loop import Loop
from ink_tui.runtime.opening import opening
from ink_tui.runtime.stops import Ended, Signals
from ink_tui.runtime.terminal import Console
from ink_tui.store.demo import demo_state_dir, is_demo
from ink_tui.store.library import Library
from ink_tui.store.locks import session_lock

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ink_tui.runtime.terminal import Style, Terminal

NEGATIVE = 1
"""Exit status when the session cannot or must not be continued (`design.md` section 5)."""


def main(argv: list[str]) -> int:
    """Run the built-in agent and return its exit status.

    0 after `/exit` or the end of the input; 1 when the session is refused or changed under us;
    128 and the signal's number after SIGTERM, SIGHUP or SIGQUIT.

    Args:
        argv: What stands after `ink-tui agent`.
    """
    options = _parser().parse_args(argv)
    try:
        with Signals() as signals:
            return _run(options, signals)
    except Ended as ended:
        return 128 + ended.number
    except InkTuiError as error:
        with suppress(OSError):  # a terminal that is gone hears nothing
            sys.stderr.write(f"ink-tui agent: {clean(str(error))}\n")
        return NEGATIVE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ink-tui agent",
        description="Continue a session without a model: save messages, read files, run commands.",
    )
    parser.add_argument("--resume", required=True, metavar="ID|PATH", help="the session")
    parser.add_argument(
        "--sessions-dir", action="append", default=[], metavar="DIR", help="root of the session"
    )
    parser.add_argument("--config", metavar="FILE", help="config file instead of the usual one")
    parser.add_argument(
        "--yes-in-place",
        action="store_true",
        help="append to a session that is not a fork without asking",
    )
    return parser


def _run(options: argparse.Namespace, signals: Signals) -> int:
    config = load_config(Path(options.config) if options.config else None, os.environ)
    given = [Path(root) for root in options.sessions_dir]
    roots = tuple(str(root) for root in session_roots(config, os.environ, given))
    path = find_session(options.resume, roots)
    root = store_root(path, roots)
    check_store(path, os.environ)
    console = Console(signals)
    own_state = demo_state_dir(root) if root and is_demo(root) else state_dir(os.environ)
    with (
        session_lock(own_state, Path(path), "agent"),
        Conversation(path, lambda: time.time_ns() // 1_000_000) as conversation,
    ):
        console.say(opening(conversation.diagnosis, _shown(conversation), console.style))
        allowed = options.yes_in_place or may_append(conversation, root)
        if not allowed and not confirm(console, console.style):
            return NEGATIVE
        return Loop(conversation, console, signals, console.style).run()


def find_session(wanted: str, roots: tuple[str, ...]) -> str:
    """Return the file that an id or a path means.

    Raises:
        StoreError: There is none, or more than one.
    """
    path = Path(wanted)
    if (os.sep in wanted or wanted.endswith(".jsonl")) and os.path.lexists(path):
        return str(path.absolute())
    located = locate(Library(roots).scan().rows, wanted)
    if located.path is not None:
        return located.path
    shown = one_line(wanted)
    if located.reason == "ambiguous":
        number = len(located.candidates)
        more = "Type more of the id, or name the file."
        raise RefusedError("ambiguous", f"“{shown}” fits {number} sessions. {more}")
    where = ", ".join(one_line(root) for root in roots)
    raise StoreError(f"no session fits “{shown}” below {where}. ink-tui list --all shows every id.")


def check_store(path: str, env: Mapping[str, str]) -> None:
    """Refuse a session in the store of Ink's predecessor, which is never written.

    Raises:
        RefusedError: The file lies there.
    """
    if store_root(path, (str(legacy_sessions_dir(env)),)) is not None:
        raise RefusedError(
            "legacy-store",
            "This session lies in the store of Ink's predecessor, which is only read."
            " Fork it instead: ink-tui fork ID",
        )


def may_append(conversation: Conversation, root: str | None) -> bool:
    """Return whether a session may be continued without asking: a copy-fork, or in the demo.

    Args:
        conversation: The session.
        root: The root of sessions that it lies below; `None` when it lies below none.
    """
    return is_fork(conversation.header) or (root is not None and is_demo(root))


def confirm(terminal: Terminal, style: Style) -> bool:
    """Ask whether to append to a session that is no copy; anything but yes is no."""
    terminal.say(
        style.warning("! This is the session itself, not a fork of it. What you type is appended.")
        + "\n"
    )
    try:
        answer = terminal.ask("Continue it in place? [y/N] ")
    except KeyboardInterrupt:
        answer = None
    if answer is not None and answer.strip().lower() in ("y", "yes"):
        return True
    terminal.say("Nothing was written. A copy is made by: ink-tui fork ID\n")
    return False


def _shown(conversation: Conversation) -> str:
    cwd, home = conversation.header.cwd, os.environ.get("HOME", "")
    if home and (cwd == home or cwd.startswith(home + os.sep)):
        return f"~{cwd[len(home) :]}"
    return cwd
