"""The choice of a terminal engine at run time, tried out before it is trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.agent.engine import EngineEvents
from ink_tui.errors import LaunchError

if TYPE_CHECKING:
    from ink_tui.agent.engine import EngineFactory

INSTALL_COMMAND = "pip install 'ink-tui[pane]'"


def load_engine() -> EngineFactory:
    """Import a terminal engine, try it out, and return what makes more of it.

    Raises:
        LaunchError: No engine is installed or it does not work here (kind `engine-missing`).
    """
    try:
        from ink_tui.agent.engine_ghostty import GhosttyEngine
    except (ImportError, OSError, AssertionError) as error:
        sentence = f"No terminal engine is installed, so no agent pane. {_remedy()}"
        raise LaunchError("engine-missing", sentence) from error
    try:
        fault = self_test(GhosttyEngine)
    except (RuntimeError, AttributeError, TypeError, ValueError) as error:
        fault = str(error) or type(error).__name__
    if fault:
        sentence = f"The terminal engine does not work here ({fault}). {_remedy()}"
        raise LaunchError("engine-missing", sentence)
    return GhosttyEngine


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
