"""The four verdicts about a session; `verdict.py` decides which one it is."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """What can be done with a session (`design.md` section 3)."""

    CLEAN = "clean"
    """Ready to resume."""
    REPAIRABLE = "repairable"
    """Something must be settled first, and a repair can do it."""
    INSPECT = "inspect"
    """A person must look first: nothing may be cut without asking."""
    REFUSE = "refuse"
    """Cannot be continued in place; read it or fork it."""
