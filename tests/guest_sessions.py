"""A session with a sub-agent, that has one too, and a copy: as bytes by file name."""

from __future__ import annotations

from typing import Any

from tests.every_kind import task_results
from tests.sessions import HEADER, answer, line, results, user

TASK = ("t1", "task", {"prompt": "check it"})
NESTED = ("t2", "task", {"prompt": "look deeper"})
HOSTILE = "[red]evil[/] \x1b[31m \u202egnp.exe"


def head(session_id: str, **more: Any) -> bytes:
    return line({**HEADER, "id": session_id, **more})


def of_parent(session_id: str, parent: str) -> bytes:
    launch = {"version": 1, "parentSessionId": parent, "childId": session_id}
    return head(session_id, parent=parent, launch=launch)


def parent() -> bytes:
    """Four records of the original; the copy ends with the second."""
    return head("parent-1") + b"".join(
        (
            user("u1", None, "please check"),
            answer("a1", "u1", "on it", (TASK,), second=2),
            task_results("r1", "a1", "t1", "child-1", 30),
            answer("a2", "r1", "checked", second=31),
        )
    )


def child() -> bytes:
    return of_parent("child-1", "parent-1") + b"".join(
        (
            user("c1", None, "检查 it, all of it", 3),
            answer("c2", "c1", HOSTILE, (NESTED,), second=4),
            task_results("c3", "c2", "t2", "grand-1", 20),
            answer("c4", "c3", calls=(("x", "bash", {"command": "make"}),), second=21),
            results("c5", "c4", ("x", "bash", "boom\nExit code: 2\n"), second=25),
        )
    )


def grandchild() -> bytes:
    return of_parent("grand-1", "child-1") + user("g1", None, "deepest of all", 5)


def copy() -> bytes:
    header = head("copy-1", forkedFrom={"id": "parent-1", "entry": "a1"})
    return header + b"".join(
        (
            user("u1", None, "please check"),
            answer("a1", "u1", "on it", (TASK,), second=2),
            user("n1", "a1", "rather stop", 40),
            answer("n2", "n1", "stopped", second=41),
        )
    )


FILES = {
    "parent.jsonl": parent,
    "child.jsonl": child,
    "grand.jsonl": grandchild,
    "copy.jsonl": copy,
}
