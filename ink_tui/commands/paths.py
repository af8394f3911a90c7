"""`ink-tui paths`: the folders that ink-tui reads and writes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ink_tui.commands.output import OK, print_json, print_line
from ink_tui.model.text import one_line
from ink_tui.paths import cache_dir, config_file, state_dir

if TYPE_CHECKING:
    from collections.abc import Sequence


def show_paths(roots: Sequence[str], *, as_json: bool) -> int:
    """Print the session roots and our own folders; none of them need exist."""
    own = {
        "config": str(config_file(os.environ)),
        "state": str(state_dir(os.environ)),
        "cache": str(cache_dir(os.environ)),
    }
    if as_json:
        print_json({"roots": list(roots), **own})
        return OK
    for root in roots:
        print_line(f"sessions  {one_line(root)}  (read, never written by looking)")
    for name, path in own.items():
        print_line(f"{name:<9} {one_line(path)}")
    return OK
