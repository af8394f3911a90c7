"""How an agent would be started: program, arguments and folder, as a value that can be shown.

An argument list, an absolute program, a folder given to the system: no shell takes part. Ids come
from files that anybody may have written, so only those of a safe shape become arguments
(`trust.md` 2.8); where an id would not do, the launch names the file.
"""

from __future__ import annotations

import os
import re
import shlex
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.agent.agents import BUILT_IN, Agent, AgentOffer, fill, offer
from ink_tui.formats.ink.constants import CHILDREN_FOLDER, FILE_SUFFIX
from ink_tui.formats.registry import INK
from ink_tui.model.faults import FaultCode, TailState
from ink_tui.model.liveness import NOBODY, Holder, HolderKind
from ink_tui.model.text import clean, one_line
from ink_tui.store.files import UnreadableError, open_for_reading, read_range

if TYPE_CHECKING:
    from ink_tui.model.verdict import Diagnosis

HEAD_BYTES = 64 * 1024
"""Bytes of a neighbour that are read for its header."""

_SAFE = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,127}")
_DEVICES = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """One start of one agent, or why it is refused (`design.md` section 5, `trust.md` 2.8)."""

    allowed: bool
    refusal_reason_kind: str | None
    """A kind of the cases, or `agent-missing`, `unreachable`, `child-session`, `in-use`."""
    sentence: str
    """What will be started, or why it is refused and what to do next."""
    agent: str
    """Name of the agent as in the config: `ink`, `built-in`, ..."""
    program: str
    """Absolute path; empty when it was not found."""
    argv: tuple[str, ...]
    """`argv[0]` is the program; empty when nothing can be started."""
    cwd: str
    """Folder the agent is started in; empty when the header names none."""
    resume_id: str | None
    """Header id of the session, whole."""
    resume_argument: str | None
    """The one argument that names the session: its id, or its file where an id would not do."""
    copy_command: str
    """The same as one line for a POSIX shell, quoted; empty when nothing can be started."""
    writes: tuple[str, ...]
    """What is written before the start, in words."""
    shell: bool = False
    """Always false: no shell takes part."""


def plan_launch(
    diagnosis: Diagnosis,
    path: Path,
    *,
    root: Path,
    agents: tuple[Agent, ...],
    agent: str | None = None,
    holder: Holder = NOBODY,
    search_path: str | None = None,
    writes: tuple[str, ...] = (),
) -> LaunchPlan:
    """Return how a session would be resumed; starts nothing but, once, `ink --help`.

    Args:
        diagnosis: The session.
        path: Its file.
        root: The session root that the file lies in.
        agents: The known agents in order of preference (`ink_tui.agent.agents.known_agents`).
        agent: Name of the wanted one; `None` takes the first that can be offered.
        holder: Who holds the session.
        search_path: Folders to look for programs in; the default is `PATH`.
        writes: What the caller writes before the start, in words.
    """
    header = diagnosis.session.header
    cwd = header.cwd if header is not None else ""
    path = path.absolute()
    chosen = choose_agent(agents, agent, path=path, root=root, cwd=cwd, search_path=search_path)
    refusal = (
        _content_refusal(diagnosis)
        or _child_refusal(diagnosis, path, root)
        or folder_refusal(cwd)
        or _holder_refusal(holder)
    )
    if refusal is None and not chosen.offered:
        refusal = (chosen.refusal_kind or "agent-missing", chosen.reason)
    argument = session_argument(diagnosis, path, chosen.agent) if refusal is None else None
    argv: tuple[str, ...] = ()
    if refusal is None:
        argv = _arguments(diagnosis, path, root, chosen, argument)
        refusal = _UNSAFE if not argv else None
    name = chosen.agent.name if chosen.agent.resume else agent or ""
    return LaunchPlan(
        allowed=refusal is None,
        refusal_reason_kind=str(refusal[0]) if refusal is not None else None,
        sentence=refusal[1] if refusal is not None else _sentence(diagnosis, name, cwd),
        agent=name,
        program=chosen.program,
        argv=argv,
        cwd=cwd,
        resume_id=header.id if header is not None else None,
        resume_argument=argument,
        copy_command=copy_command(cwd, argv) if argv else "",
        writes=writes,
    )


_UNSAFE = (
    "unreachable",
    "Neither its ids nor its file name can safely be an argument of a program. Fork it instead: "
    "the copy gets an id of its own.",
)


def _arguments(
    diagnosis: Diagnosis, path: Path, root: Path, chosen: AgentOffer, argument: str | None
) -> tuple[str, ...]:
    """Return the argument list of a start; empty when an id in it would not be safe."""
    template = chosen.agent.resume[1:]
    entry = diagnosis.leaf or ""
    wants_entry = any("{entry}" in part for part in template)
    if argument is None or (wants_entry and not is_safe_id(entry)):
        return ()
    header = diagnosis.session.header
    values = {
        "id": argument,
        "path": str(path),
        "cwd": header.cwd if header is not None else "",
        "entry": entry,
        "root": str(root.absolute()),
    }
    return (chosen.program, *fill(template, values))


def choose_agent(
    agents: tuple[Agent, ...],
    wanted: str | None,
    *,
    path: Path,
    root: Path,
    cwd: str,
    search_path: str | None = None,
) -> AgentOffer:
    """Return the offer of the wanted agent, or the first that can be offered for a session."""
    nothing = Agent("", ())
    if wanted is not None:
        found = next((agent for agent in agents if agent.name == wanted), None)
        if found is None:
            known = ", ".join(one_line(agent.name) for agent in agents) or "none"
            sentence = f"There is no agent “{one_line(wanted)}”. Known are: {known}."
            return AgentOffer(nothing, False, sentence, "agent-missing")
        return offer(found, path=path, root=root, cwd=cwd, search_path=search_path)
    first: AgentOffer | None = None
    for agent in agents:
        made = offer(agent, path=path, root=root, cwd=cwd, search_path=search_path)
        if made.offered:
            return made
        first = first or made
    return first or AgentOffer(nothing, False, "No agent is known.", "agent-missing")


def is_safe_id(text: str) -> bool:
    """Return whether an id may be an argument of a program or part of a name (`trust.md` 2.8)."""
    return (
        _SAFE.fullmatch(text) is not None
        and ".." not in text
        and not text.endswith(".")
        and _DEVICES.fullmatch(text) is None
    )


def session_argument(diagnosis: Diagnosis, path: Path, agent: Agent) -> str | None:
    """Return the argument that names a session to an agent, or `None` when none is safe.

    The whole header id. Where the id is of an unsafe shape, or Ink would find several sessions
    (`formats/ink.md` 9.2), the file: its path for the built-in agent, its name without the ending
    for others.
    """
    header = diagnosis.session.header
    if header is not None and is_safe_id(header.id) and not ambiguous(path, header.id):
        return header.id
    if agent.name == BUILT_IN:
        return str(path)
    stem = path.name.removesuffix(FILE_SUFFIX)
    return stem if is_safe_id(stem) and not _is_taken(path, stem) else None


def ambiguous(path: Path, session_id: str) -> bool:
    """Return whether an id also fits another file beside this one, as Ink matches it.

    Ink compares the id with whole ids, beginnings of ids, and file names (9.2).
    """
    return _is_taken(path, session_id)


def _is_taken(path: Path, wanted: str) -> bool:
    try:
        with os.scandir(path.parent) as entries:
            others = [
                entry.path
                for entry in entries
                if entry.name.endswith(FILE_SUFFIX) and entry.name != path.name
            ]
    except OSError:
        return False
    for other in others:
        name = os.path.basename(other)  # noqa: PTH119 - thousands of names, no Path objects
        if wanted in (name, name.removesuffix(FILE_SUFFIX)):
            return True
        if (_header_id(other) or "").startswith(wanted):
            return True
    return False


def _header_id(path: str) -> str | None:
    try:
        with open_for_reading(path) as (descriptor, _state):
            head = read_range(descriptor, 0, HEAD_BYTES)
    except UnreadableError:
        return None
    parser = INK.parser()
    parser.feed(head.split(b"\n", 1)[0] + b"\n")
    header = parser.session().header
    return header.id if header is not None else None


def copy_command(cwd: str, argv: tuple[str, ...]) -> str:
    """Return a launch as one line for a POSIX shell; empty when it cannot be pasted safely.

    Quoting keeps every sign from meaning something to the shell, but a control character acts on
    the terminal before the shell sees it.
    """
    parts = (cwd, *argv)
    if any(not part.isprintable() or clean(part) != part for part in parts):
        return ""
    return f"cd {shlex.quote(cwd)} && {shlex.join(argv)}"


def folder_refusal(cwd: str) -> tuple[str, str] | None:
    """Return why an agent cannot be started in a folder, or `None`."""
    if not cwd:
        return "cwd-missing", "The session names no folder. Fork it into a folder instead."
    shown = one_line(cwd)
    if not os.path.isabs(cwd) or "\0" in cwd:  # noqa: PTH117 - a text from the file
        return "cwd-missing", f"{shown} is no folder of this machine. Fork into another folder?"
    try:
        mode = Path(cwd).stat().st_mode
    except PermissionError:
        return "cwd-missing", f"{shown} cannot be looked at: permission denied."
    except (OSError, ValueError):
        return "cwd-missing", f"{shown} no longer exists. Fork this session into another folder?"
    if not stat.S_ISDIR(mode):
        return "cwd-not-directory", f"{shown} is not a folder. Fork into another folder?"
    if not os.access(cwd, os.X_OK):
        return "cwd-missing", f"{shown} cannot be entered: permission denied."
    return None


_REASONS = {
    FaultCode.EMPTY_FILE: "the file is empty",
    FaultCode.BAD_HEADER: "its first line is not a session header",
    FaultCode.UNSUPPORTED_VERSION: "it was written by a newer version",
    FaultCode.MISSING_PARENT: "a record before the resume point was never written",
    FaultCode.CYCLE: "its records point at each other in a ring",
    FaultCode.MALFORMED_COMPACTION: "its last compaction has lost the kept messages",
    FaultCode.GAP: "a call without a saved result is followed by later messages",
    FaultCode.DUPLICATE_CALL: "two of its calls carry the same id",
    FaultCode.ORPHAN_RESULT: "one of its results belongs to no call",
    FaultCode.DUPLICATE_RESULT: "one of its calls has two results",
}


def refusal_reason(diagnosis: Diagnosis) -> str:
    """Return why a session's content cannot be continued, in words; empty when it can."""
    if diagnosis.refusal is None:
        return ""
    line = diagnosis.session.error_line
    return _REASONS.get(
        diagnosis.refusal, f"line {line:,} cannot be read" if line else "a line cannot be read"
    )


def _content_refusal(diagnosis: Diagnosis) -> tuple[str, str] | None:
    if diagnosis.refusal is None:
        return None
    return diagnosis.refusal, (
        f"The session cannot be continued in place: {refusal_reason(diagnosis)}. Read it, or fork "
        "its complete part."
    )


def _child_refusal(diagnosis: Diagnosis, path: Path, root: Path) -> tuple[str, str] | None:
    header = diagnosis.session.header
    by_place = path.parent.name == CHILDREN_FOLDER and path.parent.parent != root.absolute()
    if not by_place and (header is None or header.parent_id is None):
        return None
    return "child-session", (
        "A sub-agent session is continued only from its parent. Open the parent, or fork this one "
        "into a session of its own."
    )


def _holder_refusal(holder: Holder) -> tuple[str, str] | None:
    if holder.kind is not HolderKind.CERTAIN:
        return None
    return "in-use", (
        f"In use by {holder.who}. Two agents on one session part its history; fork it instead."
    )


def _sentence(diagnosis: Diagnosis, name: str, cwd: str) -> str:
    text = f"Starts {one_line(name)} in {one_line(cwd)}."
    if diagnosis.session.tail.state is not TailState.OK:
        text += " The end of the file is not whole: its next record would be lost. Repair it first."
    elif diagnosis.open_calls:
        text += " Calls have no saved result: the next request may be refused. Repair it first."
    return text
