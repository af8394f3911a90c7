"""Writing a copy of a session: a new file, raw bytes, the original untouched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ink_tui.model.entries import SessionId
    from ink_tui.model.fork_points import ForkPlan


@dataclass(frozen=True, slots=True)
class ForkOutcome:
    """The new session."""

    path: Path
    session_id: SessionId
    records: int
    """Entries copied, without header, labels and closing record."""
    closed: tuple[str, ...]
    """Ids of the calls that the copy closes."""
    sentence: str


def write_fork(
    source: Path,
    plan: ForkPlan,
    *,
    root: Path,
    now_ms: int,
    cwd: str | None = None,
    new_uuid: Callable[[], str] | None = None,
) -> ForkOutcome:
    """Write the copy that a plan describes and publish it only when it reads back as clean.

    Args:
        source: The session file that is copied.
        plan: What goes into the copy (`ink_tui.model.fork_points`).
        root: The session root that the source lies in.
        now_ms: The present, in milliseconds since 1970: the copy's own time stamp.
        cwd: Another working directory for the copy ("relocate"); `None` keeps the source's.
        new_uuid: Source of the session id, the file name's id and the closing record's id.

    Raises:
        RefusedError: The plan is refused, or the source changed since it was made.
        StoreError: The system refused; nothing was published.
    """
    raise NotImplementedError
