"""`ink-tui keys`: the table of keys, with the user's own put in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.commands.output import OK, print_line
from ink_tui.keymap import Context, display_key

if TYPE_CHECKING:
    from ink_tui.config import Config


def show_keys(config: Config) -> int:
    """Print every action with its keys, its id for the config file, and what it does."""
    for context in Context:
        actions = config.keymap.in_context(context)
        if not actions:
            continue
        print_line(context.value)
        for action in actions:
            keys = " ".join(display_key(key) for key in action.keys)
            print_line(f"  {keys:<18} {action.id:<22} {action.help}")
    return OK
