"""The choice of a terminal engine at run time, each tried out before it is trusted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.agent.engine import EngineEvents
from ink_tui.errors import LaunchError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ink_tui.agent.engine import EngineFactory, TermEngine

INSTALL_COMMAND = "pip install 'ink-tui[pane]'"


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """The engine that was chosen; called like its factory, it makes one.

    Attributes:
        factory: Makes an engine of so many columns and rows.
        name: What the engine calls itself.
        note: Why it is not the first choice, in a few words; empty if it is.
    """

    factory: EngineFactory
    name: str
    note: str = ""

    def __call__(self, columns: int, rows: int, events: EngineEvents) -> TermEngine:
        """Make an engine."""
        return self.factory(columns, rows, events)


def load_engine() -> EngineChoice:
    """Import the terminal engines in order of preference and return the first that works.

    Raises:
        LaunchError: No engine is installed or none works here (kind `engine-missing`).
    """
    faults: list[str] = []
    reasons: list[str] = []
    cause: Exception | None = None
    for package, name, load in _ENGINES:
        try:
            factory = load()
        except (ImportError, OSError, AssertionError) as error:
            cause = cause or error
            reasons.append(f"{package} {_why_not_loaded(error, package)}")
            continue
        fault = _fault_of(factory)
        if not fault:
            note = f"{name}: {'; '.join(reasons)}" if reasons else ""
            return EngineChoice(factory, name, note)
        faults.append(fault)
        reasons.append(f"{package} failed")
    if faults:
        sentence = f"The terminal engine does not work here ({faults[0]}). {_remedy()}"
        raise LaunchError("engine-missing", sentence)
    sentence = f"No terminal engine is installed, so no agent pane. {_remedy()}"
    raise LaunchError("engine-missing", sentence) from cause


def _load_ghostty() -> EngineFactory:
    from ink_tui.agent.engine_ghostty import GhosttyEngine

    return GhosttyEngine


def _load_bittty() -> EngineFactory:
    from ink_tui.agent.engine_bittty import BitttyEngine

    return BitttyEngine


_ENGINES: tuple[tuple[str, str, Callable[[], EngineFactory]], ...] = (
    ("pyghostty", "ghostty", _load_ghostty),
    ("bittty", "bittty", _load_bittty),
)
"""Package, name and loader of each engine; the native one first, for its speed."""


def _why_not_loaded(error: Exception, package: str) -> str:
    missing = isinstance(error, ModuleNotFoundError) and (error.name or "").startswith(package)
    return "missing" if missing else "not loadable"


def _fault_of(factory: EngineFactory) -> str:
    try:
        return self_test(factory)
    except (RuntimeError, AttributeError, TypeError, ValueError) as error:
        return str(error) or type(error).__name__


def self_test(factory: EngineFactory) -> str:
    """Return what an engine gets wrong in a few cells, or an empty string.

    It is made, fed, read, asked, and must count an emoji of several code points as one wide cell
    from the start (mode 2027), or columns would drift between it and the screen.
    """
    replies: list[bytes] = []
    events = EngineEvents(replies.append, lambda: None, lambda: None, lambda _held: None)
    engine = factory(20, 5, events)
    try:
        engine.feed("\x1b[1mok\x1b[0m \U0001f469\u200d\U0001f4bb\x1b[6n\x1b[?2027$p".encode())
        first = engine.dirty_rows().get(0, ())
        answers = b"".join(replies)
        if "".join(run.text for run in first).rstrip() != "ok \U0001f469\u200d\U0001f4bb":
            return "it does not read back what it was fed"
        if sum(run.columns for run in first) != 20 or not first[0].style.attributes:
            return "its rows are not complete"
        if answers != b"\x1b[1;6R\x1b[?2027;1$y":
            return "it does not answer questions"
    finally:
        engine.close()
    return ""


def _remedy() -> str:
    return f"Install one with: {INSTALL_COMMAND}"
