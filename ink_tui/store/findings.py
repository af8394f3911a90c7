"""What is asked of whoever reads sessions whole for their list rows, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ink_tui.model.listing import SessionRow
    from ink_tui.store.files import Fingerprint, UnreadableError


@dataclass(frozen=True, slots=True)
class Finding:
    """What reading a session whole brought."""

    state: Fingerprint
    """The file as it was read."""
    row: SessionRow
    history: bytes
    """Digests of its whole lines, as `History.to_bytes` gives them."""


@dataclass(frozen=True, slots=True)
class Job:
    """A session that is to be read whole."""

    path: str
    child: bool
    """Whether it lies in a folder of sub-agent sessions."""
    seen: bytes = b""
    """Digests of what it held when it was read before; empty when it was not."""


class WholeReader(Protocol):
    """Reads sessions whole."""

    def read(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Finding | UnreadableError]]:
        """Yield what each of some sessions is, in order."""

    def close(self) -> None:
        """End what reads; a read that is under way breaks off."""
