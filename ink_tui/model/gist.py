"""What was said first and last in a session, as its row in the list keeps it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Gist:
    """The first and last things that were said."""

    first_request: str
    last_request: str
    last_answer: str


NOTHING_SAID = Gist("", "", "")
