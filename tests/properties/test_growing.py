"""A session that grows: every view that goes on from the last one equals one made anew."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ink_tui.formats.ink.parser import InkParser
from ink_tui.model.context_table import build_table
from ink_tui.model.entries import EntryId
from ink_tui.model.growth import growth_of
from ink_tui.model.lineage import ForkLink
from ink_tui.model.outline import build_outline
from ink_tui.model.outline_growth import grown_outline, seen_after_growth
from ink_tui.model.outline_rows import FilterMode, Outline
from ink_tui.model.outline_view import visible_rows
from ink_tui.model.row_making import grown_row, row_of
from ink_tui.model.transcript import as_live
from ink_tui.model.transcript_build import build_transcript
from ink_tui.model.transcript_growth import grown_transcript
from ink_tui.model.verdict import Diagnosis, diagnose
from ink_tui.model.verdict_growth import grown_diagnosis
from ink_tui.tui.render.block_places import BlockPlaces
from ink_tui.tui.render.heights import Heights
from tests.sessions import answer, entry, line, results, session, user

Calls = list[tuple[str, str, dict[str, Any]]]
CALLS: st.SearchStrategy[Calls] = st.lists(
    st.tuples(st.sampled_from(["c1", "c2", "c3"]), st.just("bash"), st.just({})),
    max_size=2,
    unique_by=lambda call: call[0],
)
USUAL = ("user", "answer", "calls", "calls", "results", "results", "late", "late")
SELDOM = ("level", "name", "summary", "compaction", "label", "position", "model", "branch")
DAMAGE = ("unknown", "bad", "blank", "again", "orphan", "torn")
KINDS = st.sampled_from((*6 * USUAL, *SELDOM, *DAMAGE))
STEPS = st.lists(st.tuples(KINDS, CALLS, st.integers(0, 9)), min_size=1, max_size=2)


class Agent:
    """Writes records as an agent does, mostly; remembers which calls are open."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.open: Calls = []
        self.number = 0

    def written(self, kind: str, calls: Calls, pick: int) -> bytes:
        """Return the bytes of the next record."""
        parent = self.ids[-1] if self.ids else None
        other = self.ids[pick % len(self.ids)] if self.ids else None
        name, at = f"n{len(self.ids)}", 10 * len(self.ids)
        if kind == "calls":
            self.number += pick > 0  # now and then an id stands twice
            calls = [(f"{call}-{self.number}", tool, given) for call, tool, given in calls]
            self.open = [*self.open, *calls]
            record = answer(name, parent, "so", tuple(calls), at)
        elif kind in ("results", "late"):
            taken = self.open[:1] if kind == "late" else self.open
            self.open = self.open[len(taken) :]
            record = results(name, parent, *((c, tool, "x") for c, tool, _ in taken), second=at)
        elif kind in ("user", "answer"):
            record = (user if kind == "user" else answer)(name, parent, f"text {pick}", second=at)
        elif kind == "branch":
            record = user(name, other, "elsewhere", at)
        elif kind == "again":
            return user(other or name, parent, "the id stands twice", at)
        elif kind == "orphan":
            record = user(name, f"n{len(self.ids) + 1 + pick}", "early", at)
        elif kind in OTHERS:
            record = OTHERS[kind](name, parent, at)
        else:
            return _aside(kind, name, other, pick)
        self.ids.append(name)
        return record


OTHERS = {
    "level": lambda i, p, at: entry("thinking_level_change", i, p, at, thinkingLevel="high"),
    "name": lambda i, p, at: entry("session_info", i, p, at, name="a name"),
    "summary": lambda i, p, at: entry("branch_summary", i, p, at, summary="left"),
    "compaction": lambda i, p, at: entry(
        "compaction", i, p, at, summary="S", retainedTail=[{"role": "user", "content": "text 1"}]
    ),
    "unknown": lambda i, p, at: entry("checkpoint", i, p, at),
}


def _aside(kind: str, name: str, other: str | None, pick: int) -> bytes:
    """Return a line that is no entry of the tree."""
    if kind == "label":
        target = other if pick else f"n{int(name[1:]) + 1}"
        return entry("label", f"l{name}{pick}", None, 1, targetId=target or "none", label="x")
    if kind == "position":
        return line({"type": "position", "leafId": other})
    if kind == "model":
        return line({"type": "session_model", "provider": "zai", "modelId": "m", "explicit": True})
    return {"bad": b'{"type":"mess\n', "blank": b"\n", "torn": b'{"type":"mess'}[kind]


class Grower:
    """A session that is read as it grows, and read whole each time."""

    def __init__(self) -> None:
        self.parser = InkParser()
        self.parser.feed(session())
        self.last = diagnose(self.parser.session())

    def feed(self, piece: bytes) -> tuple[Diagnosis, Diagnosis]:
        """Return how the session was and how it is now."""
        self.parser.feed(piece)
        old, self.last = self.last, diagnose(self.parser.session())
        return old, self.last


@given(
    st.lists(st.tuples(STEPS, st.booleans()), max_size=14),
    st.dictionaries(st.sampled_from([EntryId(f"n{n}") for n in range(9)]), st.just(None)),
    st.data(),
)
def test_a_grown_tree_equals_one_made_anew(
    steps: list[tuple[list[tuple[str, Calls, int]], bool]],
    copied: dict[EntryId, None],
    data: st.DataObject,
) -> None:
    agent, grower = Agent(), Grower()
    forks = {entry_id: (ForkLink("/copy", "t", None),) for entry_id in copied}
    outline = build_outline(grower.last, forks=forks)
    for pieces, running in steps:
        old, new = grower.feed(b"".join(agent.written(*piece) for piece in pieces))
        whole = build_outline(new, running=running, forks=forks)
        growth = growth_of(old, new)
        if growth is not None:
            grown = grown_outline(outline, growth, running=running, forks=forks)
            if grown is not None:
                assert grown == whole
                _assert_seen(outline, grown, data)
                whole = grown
        outline = whole


def _assert_seen(before: Outline, grown: Outline, data: st.DataObject) -> None:
    """Whatever is unfolded and shown: what is seen equals what is found anew."""
    folds = [row.key for row in before.rows if row.foldable]
    opened = data.draw(st.sets(st.sampled_from(folds))) if folds else set()
    mode = data.draw(st.sampled_from(FilterMode))
    seen = visible_rows(before, opened, mode)
    found = seen_after_growth(before, seen, grown, opened, mode)
    assert found == visible_rows(grown, opened, mode)


@given(st.lists(st.tuples(STEPS, st.booleans()), max_size=14))
def test_a_grown_transcript_equals_one_made_anew(
    steps: list[tuple[list[tuple[str, Calls, int]], bool]],
) -> None:
    agent, grower = Agent(), Grower()
    last = build_transcript(grower.last)
    for pieces, running in steps:
        old, new = grower.feed(b"".join(agent.written(*piece) for piece in pieces))
        whole = build_transcript(new)
        growth = growth_of(old, new)
        if growth is not None:
            grown = grown_transcript(last, growth)
            if grown is not None:
                assert (as_live(grown) if running else grown) == (
                    as_live(whole) if running else whole
                )
        last = as_live(whole) if running else whole


@given(st.lists(STEPS, max_size=14))
def test_a_grown_diagnosis_equals_one_made_anew(
    steps: list[list[tuple[str, Calls, int]]],
) -> None:
    agent, grower = Agent(), Grower()
    for pieces in steps:
        old, new = grower.feed(b"".join(agent.written(*piece) for piece in pieces))
        grown = grown_diagnosis(old, new.session)
        assert grown is None or grown == new
        row = grown_row(row_of(old, "/s.jsonl"), old, new)
        assert row is None or row == row_of(new, "/s.jsonl")
        table = build_table(new, last=(old.context, build_table(old)), grown=grown is not None)
        assert table == build_table(new)


@given(st.lists(STEPS, max_size=8), st.data())
def test_places_of_grown_blocks_equal_those_made_anew(
    steps: list[list[tuple[str, Calls, int]]], data: st.DataObject
) -> None:
    agent, grower = Agent(), Grower()
    last = build_transcript(grower.last)
    lines = st.integers(1, 9)
    places = BlockPlaces(last.blocks, lambda block: 1 + block.step % 3)
    for pieces in steps:
        for at in range(len(last.blocks)):
            places.set_height(at, data.draw(lines))
        growth = growth_of(*grower.feed(b"".join(agent.written(*piece) for piece in pieces)))
        grown = grown_transcript(last, growth) if growth is not None else None
        transcript = grown or build_transcript(grower.last)
        found = places.with_blocks(transcript.blocks)
        anew = BlockPlaces(transcript.blocks, lambda block: 1 + block.step % 3)
        count = len(transcript.blocks)
        pairs = zip(last.blocks, transcript.blocks, strict=False)
        same = next((n for n, (old, new) in enumerate(pairs) if old.key != new.key), None)
        same = min(len(last.blocks), count) if same is None else same
        for at in range(max(0, same - 1)):
            anew.set_height(at, data.draw(lines))
            found.set_height(at, anew.height(at) - anew.gap(at))
        for at in range(count + 1):
            assert found.top(at) == anew.top(at)
            assert found.head_of(at) == anew.head_of(at)
            assert at == count or found.gap(at) == anew.gap(at)
        for old in (*last.blocks, *transcript.blocks):
            assert found.find_any(old.key) == anew.find_any(old.key)
        for entry_id in map(EntryId, agent.ids):
            for call_id in (None, *(call for call, _, _ in agent.open), "c1-0", "c1-1"):
                shown = transcript.block_of(entry_id, call_id)
                place = found.show(entry_id, call_id)
                assert (transcript.blocks[place] if place is not None else None) is shown
        last, places = transcript, found


@given(st.lists(st.integers(0, 9), max_size=40), st.integers(0, 40), st.lists(st.integers(0, 9)))
def test_heights_with_another_end_equal_those_made_anew(
    first: list[int], kept: int, more: list[int]
) -> None:
    kept = min(kept, len(first))
    found, anew = Heights(first).with_end(kept, more), Heights([*first[:kept], *more])
    assert [found.top(at) for at in range(len(anew) + 1)] == [
        anew.top(at) for at in range(len(anew) + 1)
    ]
    assert [found.find(line) for line in range(anew.total + 2)] == [
        anew.find(line) for line in range(anew.total + 2)
    ]


@given(st.lists(STEPS, max_size=20))
def test_a_session_that_grows_equals_one_read_at_once(
    steps: list[list[tuple[str, Calls, int]]],
) -> None:
    agent, parser, written = Agent(), InkParser(), session()
    parser.feed(written)
    parser.session()
    for pieces in steps:
        piece = b"".join(agent.written(*each) for each in pieces)
        written += piece
        parser.feed(piece)
        anew = InkParser()
        anew.feed(written)
        assert parser.session() == anew.session()
        assert list(parser.session().nodes) == list(anew.session().nodes)


def test_messages_behind_a_header_that_came_late_are_read_as_if_at_once() -> None:
    parser, written = InkParser(), b""
    for piece in (b"\n", session(), user("a", None, "one"), user("a", None, "again")):
        written += piece
        parser.feed(piece)
        anew = InkParser()
        anew.feed(written)
        assert parser.session() == anew.session()
