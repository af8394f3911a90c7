"""How an agent's process ended, as a value with the words for it."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from typing import Literal

ExitKind = Literal["exited", "killed", "exec-failed", "cwd-missing"]


@dataclass(frozen=True, slots=True)
class ExitState:
    """The end of one agent process.

    Attributes:
        kind: What happened; the last two mean that the agent never ran.
        code: Exit status of an agent that exited.
        signal: Number of the signal that killed it; None as well when the guard itself was lost.
        message: The system's words for a failed start.
        seconds: How long the agent ran.
    """

    kind: ExitKind
    code: int | None = None
    signal: int | None = None
    message: str = ""
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether the agent ended by itself and reported success."""
        return self.kind == "exited" and self.code == 0

    def words(self) -> str:
        """Return the state in the words of a pane's tab (`ui.md` section 4)."""
        if self.kind == "exited":
            return f"exited {self.code}"
        if self.kind == "killed":
            return "killed"
        return "folder missing" if self.kind == "cwd-missing" else "not started"

    def sentence(self) -> str:
        """Return the state with its reason and duration, as the last line of a pane says it."""
        if self.kind == "exited":
            return f"exited {self.code} after {duration(self.seconds)}"
        if self.kind == "killed":
            by = f" by {signal_name(self.signal)}" if self.signal is not None else ""
            return f"killed{by} after {duration(self.seconds)}"
        what = "its folder cannot be entered" if self.kind == "cwd-missing" else "cannot be run"
        return f"not started: {what} ({self.message})"


def signal_name(number: int) -> str:
    """Return the name of a signal, or its number where the system has no name for it."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def duration(seconds: float) -> str:
    """Return a duration as `ui.md` 2.3 writes it: `0.1 s`, `8.2 s`, `3m 12s`, `2h 5m`."""
    if seconds < 59.95:
        return f"{max(seconds, 0.0):.1f} s"
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60}m {whole % 60}s"
    return f"{whole // 3600}h {whole % 3600 // 60}m"
