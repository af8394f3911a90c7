"""What a jump in a session looks for."""

from __future__ import annotations

from enum import StrEnum


class Jump(StrEnum):
    """What a jump looks for."""

    PROBLEM = "problem"
    COMPACTION = "compaction"
    TURN = "turn"
    BRANCH = "branch"


JUMP_WORDS = {
    Jump.PROBLEM: "problem",
    Jump.COMPACTION: "compaction",
    Jump.TURN: "user turn",
    Jump.BRANCH: "branch point",
}
"""What it is called where there is none."""
