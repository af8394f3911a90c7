"""A session with a record of every kind in every state, for the filters of the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.entries import EntryId
from ink_tui.model.lineage import ForkLink
from ink_tui.model.outline import build_outline
from tests.every_kind import TORN, task_results, thinking_and_calls
from tests.sessions import answer, entry, line, read, results, session, user

if TYPE_CHECKING:
    from ink_tui.model.outline_rows import Outline

KEPT = [{"role": "user", "content": "keep this"}]
LS = ("c-ls", "ls", {"path": "."})


def bash(call_id: str, command: str) -> tuple[str, str, dict[str, str]]:
    return call_id, "bash", {"command": command}


def all_records() -> bytes:
    """Return the session: a trunk compacted twice, two branches, damage of every kind, the rest."""
    return session(
        line({"type": "session_model", "provider": "zai", "modelId": "glm-5.3", "explicit": True}),
        user("m1", None, "list the files", 1),
        answer("m2", "m1", calls=(LS,), second=2),
        results("m3", "m2", ("c-ls", "ls", "a.txt"), second=3),
        answer("m4", "m3", calls=(bash("c-old", "make old"),), second=4),
        entry("compaction", "k1", "m4", 5, summary="first", retainedTail=[], tokensBefore=5000),
        user("u0", "k1", "keep this", 6),
        entry("compaction", "k2", "u0", 7, summary="second", retainedTail=KEPT, tokensBefore=900),
        user("u1", "k2", "run the tests", 8),
        answer("a1", "u1", "Running them", (bash("c-bad", "npm test"),), second=9),
        results("r1", "a1", ("c-bad", "bash", "boom\nExit code: 1\n"), second=12),
        user("b1", "r1", "another way", 13),
        answer("b2", "b1", "Let me see", (bash("c-left", "make way"),), second=14),
        entry("thinkingLevelChange", "n1", "r1", 15, thinkingLevel="high"),
        entry("session_info", "n2", "n1", 16, name="the tests"),
        entry("branchSummary", "n3", "n2", 17, summary="the other way was tried"),
        entry("label", "l1", "n3", 18, targetId="u1", label="start"),
        entry("label", "l2", "n3", 18, targetId="gone", label="nowhere"),
        entry("checkpoint", "x1", "n3", 19),
        answer("a2", "x1", calls=(bash("c-gap", "make gap"),), second=20),
        user("u2", "a2", "go on", 21),
        b'{"type":"mess\n',
        answer("a3", "u2", calls=(("t1", "task", {"prompt": "check it"}),), second=22),
        task_results("r3", "a3", "t1", "child-1", 30),
        results("r4", "r3", ("c-none", "bash", "from nowhere"), second=31),
        thinking_and_calls("a4", "r4", 32),
        user("o1", "7f3a91c2dead", "an orphan", 40),
        user("y1", "y2", "in a ring", 41),
        user("y2", "y1", "in it too", 42),
        line({"type": "position", "leafId": "a4"}),
        TORN,
    )


def all_outline() -> Outline:
    """Return its tree, with a sub-agent's session and a copy that are known."""
    forks = {EntryId("u1"): (ForkLink("/s/copy.jsonl", "the copy", None),)}
    return build_outline(read(all_records()), child_records={"child-1": 18}, forks=forks)
