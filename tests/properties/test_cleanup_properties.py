"""Any store and any choice: what goes is exactly what the rules say, told here a second time."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from ink_tui.model.cleanup import RULES, CleanupFacts, CleanupKind, CleanupRule, select
from ink_tui.model.families import Families
from ink_tui.model.faults import TailState
from ink_tui.model.listing import SessionRow
from ink_tui.model.liveness import NOBODY, Freshness, Holder, HolderKind
from tests.clean_stores import DAY, NOW

ROOT = "/store"
_PARENTS, _CHILDREN = "abcd", "efgh"
_AGES = (None, 0.0, 29.9, 30.1, 100.0, *[400.0] * 7)
_TROUBLES: tuple[dict[str, object], ...] = (
    *[{}] * 20,
    {"holder": Holder(HolderKind.CERTAIN, "ink")},
    {"holder": Holder(HolderKind.POSSIBLE, "ink")},
    {"freshness": Freshness.WRITING},
    {"freshness": Freshness.RECENT},
    {"error_kind": "invalid-json"},
    {"error_kind": "bad-header", "session_id": None},
    {"tail_state": TailState.TORN_FRAGMENT},
    {"complete": False},
)


@dataclass(frozen=True)
class Made:
    """A row and what decides about it, kept apart from the fields that the code reads."""

    row: SessionRow
    safe: bool
    """Nobody uses it, it is whole, and it has been read whole."""


def _made(chance: Random) -> Made:
    child = chance.random() < 0.5
    name = chance.choice(_CHILDREN if child else _PARENTS)
    folder = chance.choice(["one", "one", "one", "two"]) + ("/children" if child else "")
    age, spoken = chance.choice(_AGES), chance.random() < 0.5
    parent = chance.choice(["gone", *"aaabbcde"]) if child else None
    launch = chance.choice([parent, parent, parent, None, "a"]) if child else None
    row = SessionRow(
        path=f"{ROOT}/{folder}/{name}{chance.choice(['', '', '', '', '', '-copy'])}.jsonl",
        session_id=name,
        title=name,
        last_ms=None if age is None else NOW - int(age * DAY),
        changed_ms=NOW - DAY,
        size=chance.randint(1, 1_000),
        child=child,
        parent_id=parent,
        launch_parent_id=launch,
        empty=not spoken,
        message_seen=spoken,
        compactions=0,
    )
    trouble = chance.choice(_TROUBLES)
    return Made(replace(row, **trouble), not trouble)  # type: ignore[arg-type]  # fields by name


def _store(seed: int) -> list[Made]:
    """Return a store by chance: a search for small examples rarely makes families."""
    chance = Random(seed)
    made = {each.row.path: each for each in (_made(chance) for _ in range(chance.randint(0, 9)))}
    return list(made.values())


_STORES = st.integers(0, 2**40).map(_store)
_RULES = st.lists(st.sampled_from(RULES), min_size=1, max_size=3, unique=True)
_MARKED = st.sets(st.sampled_from(_PARENTS + _CHILDREN), max_size=1)


def _family(row: SessionRow, rows: list[SessionRow]) -> list[SessionRow]:
    """Everything below a session, found step by step from its id."""
    if row.session_id is None or sum(r.session_id == row.session_id for r in rows) > 1:
        return [row]
    folder = row.path.rpartition("/")[0]
    place = folder if row.child else f"{folder}/children"
    found = [row]
    for known in found:
        found += [
            other
            for other in rows
            if other.path.rpartition("/")[0] == place
            and known.session_id is not None
            and other.parent_id == known.session_id
            and other not in found
        ]
    return found


def _old(row: SessionRow, days: int) -> bool:
    return row.last_ms is not None and row.last_ms < NOW - days * DAY


def _orphan(row: SessionRow, rows: list[SessionRow]) -> bool:
    """Ink's rule, and nothing that could be the parent anywhere."""
    if not row.child or row.launch_parent_id is None:
        return False
    above = row.path.rpartition("/")[0].rpartition("/")[0]
    beside = [other for other in rows if other.path.rpartition("/")[0] == above]
    ids = {other.session_id for other in rows}
    sure = all(other.session_id is not None for other in beside)
    return sure and row.launch_parent_id not in ids and row.parent_id not in ids - {None}


def _taken(rule: CleanupRule, row: SessionRow, rows: list[SessionRow]) -> bool:
    family = _family(row, rows)
    if rule.kind is CleanupKind.ORPHANS:
        return _orphan(row, rows)
    if row.child:
        return False
    if rule.kind is CleanupKind.EMPTY:
        return not any(each.message_seen for each in family)
    return all(_old(each, rule.days) for each in family)


@settings(max_examples=300)
@given(_STORES, _RULES, _MARKED)
def test_what_goes_is_what_the_rules_say(
    made: list[Made], rules: list[CleanupRule], marked: set[str]
) -> None:
    rows = [each.row for each in made]
    safe = {each.row.path for each in made if each.safe}
    wanted: set[str] = set()
    for row in rows:
        family = _family(row, rows)
        free = all(each.path in safe and each.session_id not in marked for each in family)
        if free and any(_taken(rule, row, rows) for rule in rules):
            wanted.update(each.path for each in family)
    facts = CleanupFacts(NOW, dict.fromkeys(marked, "pinned"))
    found = select(Families(rows, [ROOT]), rules, facts)
    going = [row.path for row in found.rows]
    assert set(going) == wanted
    assert max(Counter(going).values(), default=1) == 1
    assert not set(going) & {each.row.path for each in found.stays}
    assert all(each.reason for each in found.stays)


@given(_STORES, _RULES, _MARKED)
def test_what_must_not_go_never_goes(
    made: list[Made], rules: list[CleanupRule], marked: set[str]
) -> None:
    facts = CleanupFacts(NOW, dict.fromkeys(marked, "pinned"))
    for row in select(Families([each.row for each in made], [ROOT]), rules, facts).rows:
        assert row.holder == NOBODY
        assert row.freshness is Freshness.COLD
        assert row.session_id not in marked
        assert row.error_kind is None
        assert row.tail_state is TailState.OK
        assert row.complete
