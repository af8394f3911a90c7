"""`ink-tui keys`: the table of keys, with the user's own put in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.commands.output import OK, print_line
from ink_tui.keymap import Context, Keymap, display_key

if TYPE_CHECKING:
    from ink_tui.config import Config
    from ink_tui.keymap import KeyAction


def show_keys(config: Config, *, markdown: bool = False) -> int:
    """Print every action with its keys, its id for the config file, and what it does.

    Args:
        config: The user's settings.
        markdown: Print the table of README instead.
    """
    lines = markdown_table(config.keymap) if markdown else _plain(config.keymap)
    for line in lines:
        print_line(line)
    return OK


def markdown_table(keymap: Keymap) -> list[str]:
    """Return the key table as Markdown: one row a context, its actions in table order."""
    rows = ["| where | keys |", "|---|---|"]
    for context in Context:
        actions = keymap.in_context(context)
        if actions:
            cells = " · ".join(f"{_keys(action, code=True)} {action.label}" for action in actions)
            rows.append(f"| {context.value} | {cells} |")
    return rows


def _plain(keymap: Keymap) -> list[str]:
    lines: list[str] = []
    for context in Context:
        actions = keymap.in_context(context)
        if actions:
            lines.append(context.value)
            lines += [f"  {_keys(a, code=False):<18} {a.id:<22} {a.help}" for a in actions]
    return lines


def _keys(action: KeyAction, *, code: bool) -> str:
    shown = [display_key(key).replace("|", "\\|") for key in action.keys]
    return " ".join(f"`{key}`" for key in shown) if code else " ".join(shown)
