"""The environment that an agent in a pane gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_DROPPED = frozenset(
    {"STY", "COLUMNS", "LINES", "TERM_PROGRAM_VERSION", "TERM_SESSION_ID", "VTE_VERSION"}
)
_DROPPED_PREFIXES = ("TMUX", "KITTY_", "WEZTERM_", "GHOSTTY_", "ITERM_", "KONSOLE_")


def child_environment(
    base: Mapping[str, str], changes: Mapping[str, str | None] | None = None
) -> dict[str, str]:
    """Return the environment of an agent in a pane.

    It names our terminal and drops what describes the outer one or its size; the locale is left
    alone (`live-pane.md` section 8).

    Args:
        base: The environment to start from, our own as a rule.
        changes: Variables to set afterwards; None removes one.
    """
    result = {
        name: value
        for name, value in base.items()
        if name not in _DROPPED and not name.startswith(_DROPPED_PREFIXES)
    }
    result |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "TERM_PROGRAM": "ink-tui"}
    for name, value in (changes or {}).items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = value
    return result
