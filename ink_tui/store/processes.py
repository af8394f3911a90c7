"""The processes of this machine, as far as this user may see them."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

_INTERPRETERS = frozenset({"node", "bun", "deno", "npx", "python", "sh", "bash", "env", "ruby"})
_SECONDS = 2.0
"""How long `ps` and `lsof` may take where there is no /proc."""


@dataclass(frozen=True, slots=True)
class Process:
    """One process."""

    pid: int
    parent: int
    argv: tuple[str, ...]
    """Its arguments; where only `ps` knows them, cut at blanks."""
    name: str
    """The program's own name as the system keeps it; may be cut."""

    @property
    def program_names(self) -> frozenset[str]:
        """Names it may be known by: of the program, and of a script that an interpreter runs."""
        paths = [self.name, *self.argv[:1]]
        if self.argv and _base(self.argv[0]).rstrip("0123456789.") in _INTERPRETERS:
            script = next((part for part in self.argv[1:4] if not part.startswith("-")), "")
            paths.append(script)
        names = {_base(path) for path in paths}
        return frozenset(names | {name.rsplit(".", 1)[0] for name in names}) - {""}


def _base(path: str) -> str:
    return path.rsplit("/", 1)[-1]


def list_processes(proc: Path = Path("/proc")) -> list[Process]:
    """Return the processes that can be seen; empty when the system tells nothing.

    Args:
        proc: Where Linux shows them; elsewhere `ps` is asked.
    """
    if (proc / "self").exists():
        return _from_proc(proc)
    return _from_ps()


def working_directory(pid: int, proc: Path = Path("/proc")) -> str | None:
    """Return the working directory of a process, or `None` when it cannot be seen."""
    if (proc / "self").exists():
        try:
            return str((proc / str(pid) / "cwd").readlink())
        except OSError:
            return None
    output = _run(["lsof", "-a", "-d", "cwd", "-Fn", "-p", str(pid)])
    return next((line[1:] for line in output.splitlines() if line.startswith("n")), None)


def ancestors(pid: int, processes: list[Process]) -> frozenset[int]:
    """Return a process id and those of its parents, up to the first process."""
    parents = {process.pid: process.parent for process in processes}
    found: set[int] = set()
    while pid > 0 and pid not in found:
        found.add(pid)
        pid = parents.get(pid, 0)
    return frozenset(found)


def _from_proc(proc: Path) -> list[Process]:
    found: list[Process] = []
    for name in os.listdir(proc):  # noqa: PTH208 - thousands of names, no Path objects needed
        if not name.isdigit():
            continue
        try:
            argv = (proc / name / "cmdline").read_bytes()
            if not argv:
                continue  # a thread of the kernel, or a process that has ended
            stat = (proc / name / "stat").read_bytes()
        except OSError:
            continue
        parts = tuple(os.fsdecode(part) for part in argv.rstrip(b"\0").split(b"\0"))
        fields = stat[stat.rfind(b")") + 2 :].split()
        parent = int(fields[1]) if len(fields) > 1 else 0
        program = os.fsdecode(stat[stat.find(b"(") + 1 : stat.rfind(b")")])
        found.append(Process(int(name), parent, parts, program))
    return found


def _from_ps() -> list[Process]:
    return parse_ps(_run(["/bin/ps", "-axww", "-o", "pid=,ppid=,command="]))


def parse_ps(output: str) -> list[Process]:
    """Return the processes that `ps -o pid=,ppid=,command=` printed."""
    found: list[Process] = []
    for line in output.splitlines():
        parts = line.split(None, 2)
        if len(parts) == 3 and parts[0].isdigit() and parts[1].isdigit():
            found.append(Process(int(parts[0]), int(parts[1]), tuple(parts[2].split()), ""))
    return found


def _run(command: list[str]) -> str:
    try:
        run = subprocess.run(
            command, capture_output=True, timeout=_SECONDS, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return run.stdout.decode("utf-8", "surrogateescape")
