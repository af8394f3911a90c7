"""What each rule of a clean-up takes and leaves, judged from rows alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ink_tui.model.cleanup import (
    DAYS_OFFERED,
    RULES,
    CleanupFacts,
    CleanupKind,
    CleanupRule,
    Selection,
    concerned,
    going_words,
    rule_words,
    select,
)
from ink_tui.model.families import Families
from ink_tui.model.faults import TailState
from ink_tui.model.listing import SessionRow
from ink_tui.model.liveness import Freshness, Holder, HolderKind
from ink_tui.model.verdict import Verdict
from tests.clean_stores import DAY, NOW

EMPTY = CleanupRule(CleanupKind.EMPTY)
OLD = CleanupRule(CleanupKind.OLD, 30)
ORPHANS = CleanupRule(CleanupKind.ORPHANS)
ROOT = "/store"


def row(name: str, *, folder: str = "work", age: float = 400, **fields: Any) -> SessionRow:
    """Return a sound session of one message."""
    made = SessionRow(
        path=f"{ROOT}/{folder}/{name}.jsonl",
        session_id=name,
        title=name,
        last_ms=NOW - int(age * DAY),
        changed_ms=NOW - int(age * DAY),
        size=100,
        verdict=Verdict.CLEAN,
        message_seen=True,
        compactions=0,
    )
    return replace(made, **fields)


def child(name: str, parent: str | None, *, launch: str | None = None, **fields: Any) -> SessionRow:
    return row(
        name,
        folder="work/children",
        child=True,
        parent_id=parent,
        launch_parent_id=launch or parent,
        **fields,
    )


def empty(name: str, **fields: Any) -> SessionRow:
    return row(name, empty=True, message_seen=False, **fields)


def chosen(
    *rows: SessionRow,
    rule: CleanupRule = OLD,
    marked: dict[str, str] | None = None,
    only_read: tuple[str, ...] = (),
) -> Selection:
    return select(Families(rows, [ROOT]), [rule], CleanupFacts(NOW, marked or {}, only_read))


def going(selection: Selection) -> list[str]:
    return [each.session_id or each.path for each in selection.rows]


def reasons(selection: Selection) -> dict[str, str]:
    return {each.row.session_id or each.row.path: each.reason for each in selection.stays}


def test_what_has_no_message_goes() -> None:
    found = chosen(empty("a"), row("b"), empty("c", age=0.1), rule=EMPTY)
    assert going(found) == ["a", "c"]
    assert found.stays == ()


def test_the_newest_record_decides_and_not_the_file() -> None:
    found = chosen(
        row("a", age=30.001, changed_ms=NOW - 2 * DAY),
        row("b", age=29.999, changed_ms=NOW - 99 * DAY),
        row("c", age=30),
    )
    assert going(found) == ["a"]
    assert found.stays == ()


def test_an_unknown_age_is_no_age() -> None:
    found = chosen(row("a", last_ms=None))
    assert found.goes == ()
    assert reasons(found) == {"a": "nothing in it tells its age"}


@pytest.mark.parametrize("rule", [EMPTY, OLD, ORPHANS])
@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"holder": Holder(HolderKind.CERTAIN, "ink, process 7")}, "in use by ink, process 7"),
        ({"holder": Holder(HolderKind.POSSIBLE, "ink")}, "perhaps in use by ink"),
        ({"freshness": Freshness.WRITING}, "being written"),
        ({"freshness": Freshness.RECENT}, "changed less than a minute ago"),
        ({"error_kind": "invalid-json", "error_line": 3}, "line 3 unreadable"),
        ({"error_kind": "symlink", "reason": "a link"}, "cannot be read: a link"),
        ({"tail_state": TailState.TORN_FRAGMENT, "torn_bytes": 9}, "torn tail"),
        ({"tail_state": TailState.UNTERMINATED}, "last newline missing"),
        ({"complete": False}, "not read whole yet"),
    ],
)
def test_what_is_in_use_or_damaged_or_not_known_stays(
    rule: CleanupRule, fields: dict[str, Any], reason: str
) -> None:
    made = {
        CleanupKind.EMPTY: empty("a"),
        CleanupKind.OLD: row("a"),
        CleanupKind.ORPHANS: child("a", "gone"),
    }[rule.kind]
    assert going(chosen(made, rule=rule)) == ["a"]
    kept = chosen(replace(made, **fields), rule=rule)
    assert kept.goes == ()
    assert reasons(kept) == {"a": reason}


@pytest.mark.parametrize("rule", [EMPTY, OLD, ORPHANS])
def test_what_the_user_set_apart_stays(rule: CleanupRule) -> None:
    rows = (empty("a"), row("b"), child("c", "gone"))
    kept = chosen(*rows, rule=rule, marked=dict.fromkeys("abc", "pinned"))
    assert kept.goes == ()
    assert "pinned" in reasons(kept).values()
    nothing = chosen(*rows, rule=rule, only_read=(f"{ROOT}/",))
    assert nothing.goes == ()
    assert all("only read" in each for each in reasons(nothing).values())


def test_a_parent_takes_its_sub_agent_sessions_along() -> None:
    found = chosen(
        row("a"), child("b", "a"), child("c", "b"), child("d", "other"), row("other", age=1)
    )
    assert going(found) == ["c", "b", "a"]
    assert found.size == 300
    assert going_words(found.rows) == "1 session and 2 sub-agent sessions"


def test_old_sub_agent_sessions_of_a_young_parent_stay() -> None:
    found = chosen(row("a", age=1), child("b", "a"), child("c", "gone"))
    assert found == Selection()


def test_a_parent_stays_with_what_must_stay() -> None:
    newer = chosen(row("a"), child("b", "a", age=2))
    assert reasons(newer) == {"a": "its sub-agent session “b”: it is newer"}
    pinned = chosen(row("a"), child("b", "a"), child("c", "b"), marked={"c": "pinned"})
    assert reasons(pinned) == {"a": "its sub-agent session “c”: pinned"}
    timeless = chosen(row("a"), child("b", "a", last_ms=None))
    assert reasons(timeless) == {"a": "its sub-agent session “b”: nothing in it tells its age"}


def test_nothing_said_but_work_done_below_stays() -> None:
    found = chosen(empty("a"), child("b", "a"), rule=EMPTY)
    assert reasons(found) == {"a": "its sub-agent session “b”: it has messages"}
    both = chosen(empty("a"), replace(child("b", "a"), message_seen=False), rule=EMPTY)
    assert going(both) == ["b", "a"]
    summary = chosen(empty("a", compactions=1), rule=EMPTY)
    assert reasons(summary) == {"a": "it holds a summary"}


def test_sub_agent_sessions_without_a_message_belong_to_their_parent() -> None:
    silent = replace(child("b", "a"), message_seen=False, empty=True)
    assert chosen(row("a"), silent, rule=EMPTY) == Selection()


def test_orphans_are_those_that_ink_would_prune() -> None:
    found = chosen(row("a"), child("b", "a"), child("c", "gone"), child("d", "c"), rule=ORPHANS)
    assert going(found) == ["d", "c"]
    assert found.stays == ()


def test_no_launch_record_is_no_orphan() -> None:
    without = replace(child("b", "gone"), launch_parent_id=None)
    assert chosen(row("a"), without, rule=ORPHANS) == Selection()


def test_a_parent_anywhere_keeps_an_orphan() -> None:
    elsewhere = chosen(row("p", folder="moved"), child("b", "p"), rule=ORPHANS)
    assert reasons(elsewhere) == {"b": "its parent is elsewhere in the store"}
    by_header = chosen(row("p"), child("b", "p", launch="gone"), rule=ORPHANS)
    assert reasons(by_header) == {"b": "its parent is elsewhere in the store"}


def test_a_file_that_may_be_the_parent_keeps_an_orphan() -> None:
    doubtful = row("x", session_id=None, error_kind="bad-header")
    found = chosen(doubtful, child("b", "gone"), rule=ORPHANS)
    assert "may be its parent" in reasons(found)["b"]
    folder = SessionRow(path=f"{ROOT}/work", error_kind="permission-denied")
    assert "may be its parent" in reasons(chosen(folder, child("b", "gone"), rule=ORPHANS))["b"]
    headless = replace(child("b", None), session_id=None, error_kind="bad-header")
    assert chosen(headless, rule=ORPHANS).goes == ()


def test_the_folder_of_the_working_folder_children_holds_no_orphans() -> None:
    top = replace(child("b", "gone"), path=f"{ROOT}/children/b.jsonl")
    assert chosen(top, rule=ORPHANS) == Selection()


def test_an_id_in_two_files_takes_no_sub_agent_sessions_along() -> None:
    found = chosen(row("a"), row("a2", session_id="a"), child("b", "a"))
    assert [each.path[-8:] for each in found.rows] == ["/a.jsonl", "a2.jsonl"]


def test_several_rules_take_together_what_any_of_them_takes() -> None:
    rows = (empty("a", age=1), row("b"), row("c", age=1), child("d", "gone"))
    facts = CleanupFacts(NOW, {})
    found = select(Families(rows, [ROOT]), [EMPTY, OLD, ORPHANS], facts)
    assert going(found) == ["a", "b", "d"]
    assert found.stays == ()


def test_what_must_be_read_whole_is_what_a_rule_is_about() -> None:
    said = row("said", complete=False)
    silent = empty("silent", complete=False)
    timeless = row("timeless", age=1, changed_ms=NOW - DAY, complete=False)
    below = child("below", "silent", complete=False)
    rows = Families((said, silent, timeless, below), [ROOT])
    assert concerned(rows, [EMPTY], NOW) == {silent.path, below.path}
    assert concerned(rows, [OLD], NOW) == {said.path, silent.path, timeless.path, below.path}
    assert concerned(rows, [ORPHANS], NOW) == frozenset()


def test_words() -> None:
    assert [rule.id for rule in RULES] == [
        *("empty", *(f"older-than-{days}" for days in DAYS_OFFERED), "orphans")
    ]
    assert rule_words(EMPTY, 12) == "12 sessions without a message"
    assert rule_words(EMPTY, 0) == "Sessions without a message"
    assert rule_words(OLD, 1) == "1 session older than 30 days"
    assert rule_words(ORPHANS, 1) == "1 sub-agent session without its parent"
    assert rule_words(ORPHANS, 0) == "Sub-agent sessions without their parent"
    assert going_words([]) == "0 sessions"
    assert going_words([child("a", "b")]) == "1 sub-agent session"
