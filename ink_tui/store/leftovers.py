"""What programs of ours that were killed have left in our own state folder.

Only there: a session folder is never touched by looking. What a killed fork or export left beside
its place goes with the next one that is written there (`ink_tui.store.scratch`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.store.locks import clear_dead_locks
from ink_tui.store.scratch import clear_scratch

if TYPE_CHECKING:
    from pathlib import Path


def clear_leftovers(state_dir: Path) -> int:
    """Remove half-written files and dead locks; return how many went; never raises.

    Copies that repairs kept stay, whatever the journal says of them.

    Args:
        state_dir: Our own state folder; it need not exist.
    """
    return clear_scratch(state_dir) + clear_dead_locks(state_dir)
