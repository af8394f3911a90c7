"""The program in every screen and dialog, about to be ended: for the tests of S9."""

from __future__ import annotations

import re
import shutil
import sys
import unicodedata
import uuid
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.keymap import DEFAULT_KEYMAP, Context
from tests.e2e.keys import encode
from tests.e2e.terminal import ScreenError, Terminal, default_environment, installed_command
from tests.sessions import HEADER, answer, entry, line, results, user
from tests.unit.repair_files import put

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.reliability.ledger import Row

SECRET = "correct-horse-battery"
"""Stands in every text of the session, and in what each broken function raises."""
AGENT_UP = "the agent is up"

_BROKEN = """
import importlib, pkgutil, sys
module, name, arguments = sys.argv[1], sys.argv[2], sys.argv[3:]
def broken(*given, **more):
    held = "correct-horse-battery"
    raise RuntimeError("correct-horse-battery", given, held)
import ink_tui.tui
for found in pkgutil.walk_packages(ink_tui.tui.__path__, "ink_tui.tui."):
    importlib.import_module(found.name)
if module == "handler":
    owners = {each for place in list(sys.modules.values()) for each in vars(place).values()
              if isinstance(each, type) and each.__module__.startswith("ink_tui.")}
    owners = [each for each in owners if name in vars(each)]
    assert owners, name
else:
    place = importlib.import_module(module)
    *inner, name = name.split(".")
    for each in inner:
        place = getattr(place, each)
    owners = [place]
for owner in owners:
    assert hasattr(owner, name), name
    setattr(owner, name, broken)
from ink_tui.cli import main
sys.exit(main(arguments))
"""
"""Runs the program with one function, or every handler of a name, that raises."""

_AGENT = f"""
import sys, time
print("{AGENT_UP}", "{SECRET}", flush=True)
for number in range(60):
    print("row", number, "{SECRET}", flush=True)
print("{AGENT_UP}", flush=True)
time.sleep(600)
"""


@dataclass(frozen=True, slots=True)
class Moment:
    """A screen or dialog: how one gets there from the list."""

    steps: tuple[tuple[str, str], ...]
    """Keys parted by blanks, and a pattern of what is seen after them; none asks for nothing."""


def moment(*steps: str | tuple[str, str]) -> Moment:
    """Return a moment; a step is keys with what they show, or keys alone."""
    return Moment(tuple((step, "") if isinstance(step, str) else step for step in steps))


OPENED = ("enter", r"line 6|‹[\s\S]*resume point")
"""The session is read and has the focus: wide screens tell of its record, narrow ones lead back."""
_AGENT_STEPS = (("r", "d details"), ("enter", AGENT_UP))
_MENU = ("ctrl+]", "b browser")

MOMENTS: dict[str, Moment] = {
    "list": moment(),
    "list by urgency": moment(("!", "by urgency")),
    "folded list": moment("left"),
    "filter": moment("/ x"),
    "tree": moment(OPENED),
    "transcript": moment(("2", "last")),
    "raw record": moment(("2", "last"), "home d"),
    "replay": moment(OPENED, ("space", "pause")),
    "context": moment(("3", "What the agent would be sent")),
    "health": moment(("4", "Nothing to settle")),
    "help": moment(("?", "the list has the focus")),
    "commands": moment("ctrl+p"),
    "preflight": moment(("r", "d details")),
    "preflight, details": moment(("r", "d details"), "d"),
    "fork": moment(("f", "d details")),
    "fork at a record": moment(OPENED, "home", ("f", "d details")),
    "name field": moment(("f2", "Name of the session")),
    "label field": moment(OPENED, "home", ("m", "Label of the record")),
    "export question": moment(("x", "Export this session")),
    "trash question": moment(("delete", "Delete this session")),
    "clean-up": moment(("D", "Leave everything")),
    "one pane": moment("z"),
    "note": moment(("u", "undo")),
    "agent": moment(*_AGENT_STEPS),
    "agent, menu": moment(*_AGENT_STEPS, _MENU),
    "agent, scrolled back": moment(*_AGENT_STEPS, _MENU, ("s", "scrolling back")),
    "agent, full width": moment(*_AGENT_STEPS, _MENU, "z"),
    "agent, help": moment(*_AGENT_STEPS, _MENU, "?"),
    "agent beside the browser": moment(*_AGENT_STEPS, _MENU, "b"),
    "agent ended": moment(*_AGENT_STEPS, _MENU, ("k", "killed")),
    "quit question": moment(*_AGENT_STEPS, _MENU, "b", ("q", "is running")),
}
"""Every screen and dialog."""


def make_store(folder: Path) -> Path:
    """Write a store with one session that can be resumed, and an agent; return the store.

    Its id is its own: an agent that names it is taken for its holder, whoever started that.
    """
    work = folder / "work"
    work.mkdir()
    calls = (("c1", "bash", {"command": f"echo {SECRET}"}),)
    content = b"".join(
        (
            line(HEADER | {"cwd": str(work), "id": str(uuid.uuid4())}),
            user("a1", None, f"{SECRET} first"),
            answer("a2", "a1", SECRET, calls),
            results("a3", "a2", ("c1", "bash", SECRET)),
            answer("a4", "a3", f"{SECRET} last", second=4),
            entry("session_info", "a5", "a4", 5, name=f"{SECRET} name"),
        )
    )
    put(folder / "store", content)
    agent = folder / "agent.py"
    agent.write_text(_AGENT)
    config = folder / "home" / ".config" / "ink-tui" / "config.toml"
    config.parent.mkdir(parents=True)
    words = ", ".join(f'"{word}"' for word in (sys.executable, "-S", str(agent), "{id}"))
    config.write_text(f'[agents.mine]\nresume = [{words}]\nmatch = "no such agent"\n')
    return folder / "store"


def started(
    row: Row, folder: Path, words: str, argv: list[str], size: tuple[int, int] = (100, 30)
) -> Terminal:
    """Count a trial and start the program for it, in the home that goes with the store.

    Nothing is remembered there of the trials before.
    """
    shutil.rmtree(folder / "home" / ".local", ignore_errors=True)
    env = {key: text for key, text in default_environment().items() if not key.startswith("XDG_")}
    row.trial()
    row.note(words)
    return Terminal.start(argv, env=env | {"HOME": str(folder / "home")}, size=size)


def installed(store: Path) -> list[str]:
    """Return the installed command on a store."""
    return [installed_command(), "--sessions-dir", str(store)]


def broken(store: Path, module: str, name: str) -> list[str]:
    """Return the program with a function that raises.

    Args:
        store: The store to look at.
        module: Where the name is looked up; `handler` means in every class of the screens.
        name: The function, with its class where it has one.
    """
    return [sys.executable, "-c", _BROKEN, module, name, "--sessions-dir", str(store)]


def _has_written(before: int, terminal: Terminal) -> bool:
    return len(terminal.raw) > before


def go(terminal: Terminal, there: Moment) -> None:
    """Go to a moment from the start of the program."""
    terminal.wait_for(SECRET)
    for keys, shown in there.steps:
        for key in keys.split():
            written = len(terminal.raw)
            terminal.send(key)
            with suppress(ScreenError):  # some keys change nothing that is seen
                terminal.wait_for(partial(_has_written, written), timeout=1.0)
        if shown:
            terminal.wait_for(re.compile(shown))


def agents_of(terminal: Terminal) -> list[int]:
    """Return the processes of the agent, the guard beside it left out."""
    found = []
    for pid in terminal.processes():
        with suppress(OSError):
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            if words[2:3] and words[2].endswith(b"/agent.py"):
                found.append(pid)
    return found


def check_after(row: Row, terminal: Terminal, words: str) -> None:
    """Check what is left when the program has ended."""
    left = terminal.left_on()
    row.check(not left, words, "left on:", left)
    printed = bytes(terminal.raw).rpartition(b"\x1b[?1049l")[2]
    row.check(SECRET.encode() not in printed, words, "printed", printed[-300:])


IN_AGENT = (
    "agent",
    "agent, menu",
    "agent, scrolled back",
    "agent, full width",
    "agent, help",
    "agent beside the browser",
    "quit question",
)
"""Moments with an agent that runs."""

_PLACE_OF: dict[Context, str] = {
    Context.EVERYWHERE: "tree",
    Context.ROWS: "tree",
    Context.BROWSER: "list",
    Context.LIST: "list",
    Context.SESSION: "tree",
    Context.TREE: "tree",
    Context.TRANSCRIPT: "transcript",
    Context.REPLAY: "replay",
    Context.FILTER: "filter",
    Context.DIALOG: "export question",
    Context.PREFLIGHT: "preflight",
    Context.AGENT_CAPTURED: "agent",
    Context.AGENT_MENU: "agent, menu",
    Context.AGENT_EXITED: "agent ended",
}
"""Where the keys of each context act."""


_ELSEWHERE = frozenset(
    {"leave-agent", "agent-scroll", "agent-send-chord", "agent-menu-close", "fold", "unfold"}
)
"""Actions without a method of their own: the pane or the rows act by themselves."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A function that is made to raise, and what calls it."""

    module: str
    """Where the name is looked up; `handler` means in every class that has it."""
    name: str
    moment: str = ""
    """Where one must be before; empty means that the start is enough."""
    key: str = ""
    """What is pressed there; empty means that going there is enough."""


def handlers() -> Iterator[Failure]:
    """Yield a failure in the method of every action that a key starts."""
    for action in DEFAULT_KEYMAP.actions:
        place = _PLACE_OF.get(action.context)
        if place is not None and action.id not in _ELSEWHERE:
            yield Failure("handler", f"action_{action.method}", place, typed(action.keys[0]))


AT_START = (
    Failure("ink_tui.store.library", "Library.scan"),
    Failure("ink_tui.store.reader", "SessionReader.read"),
    Failure("ink_tui.tui.render.session_views", "load_views"),
    Failure("ink_tui.tui.widgets.arranged_list", "list_rows"),
    Failure("ink_tui.tui.widgets.tree_view", "row_with"),
    Failure("ink_tui.tui.widgets.arranged_list", "arrange"),
    Failure("ink_tui.tui.screens.help", "help_rows", "list", "?"),
    Failure("ink_tui.model.verdict", "build_tree"),
)
"""The failures of every change: where reading, judging, listing and drawing begin."""

WORKERS = (
    Failure("ink_tui.tui.render.session_views", "build_outline"),
    Failure("ink_tui.tui.render.session_views", "build_transcript"),
    Failure("ink_tui.tui.render.session_views", "build_table"),
    Failure("ink_tui.tui.render.session_views", "build_health"),
    Failure("ink_tui.agent.continuing", "build_preflight", "list", "r"),
    Failure("ink_tui.tui.screens.preflight", "preflight_rows", "list", "r"),
    Failure("ink_tui.tui.screens.question", "question_rows", "list", "x"),
    Failure("ink_tui.tui.screens.trashing", "plan_trash", "list", "delete"),
    Failure("ink_tui.tui.screens.naming", "look_to_annotate", "list", "f2"),
    Failure("ink_tui.tui.screens.commands", "command_rows", "list", "ctrl+p"),
    Failure("ink_tui.tui.widgets.context_view", "context_rows", "list", "3"),
    Failure("ink_tui.tui.widgets.health_view", "health_rows", "list", "4"),
    Failure("ink_tui.agent.continuing", "plan_launch", "preflight", "enter"),
    Failure("ink_tui.agent.pty_process", "launcher", "preflight", "enter"),
    Failure("ink_tui.tui.widgets.agent_area", "agent_tabs", "preflight", "enter"),
    Failure("ink_tui.tui.widgets.agent_area", "end_lines", "agent, menu", "k"),
    Failure("ink_tui.tui.widgets.terminal_pane", "TerminalPane.render_line", "preflight", "enter"),
    Failure("ink_tui.tui.screens.agents_flow", "Agents.tell_end", "agent, menu", "k"),
    Failure("ink_tui.store.export", "make_export", "export question", "enter"),
)
"""Failures in workers, and in what the screens draw."""


def typed(name: str) -> str:
    """Return the name of a key as the terminal of the tests knows it."""
    signs = {"plus": "+", "minus": "-"}
    try:
        encode(signs.get(name, name))
    except ValueError:
        return unicodedata.lookup(name.replace("_", " "))
    return signs.get(name, name)
