"""What is taken for an append alone, and what is not (`performance.md` section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ink_tui.formats.ink.parser import InkParser
from ink_tui.model.growth import Growth, growth_of
from ink_tui.model.outline import build_outline
from ink_tui.model.outline_growth import grown_outline, seen_after_growth
from ink_tui.model.outline_rows import FilterMode
from ink_tui.model.outline_view import visible_rows
from ink_tui.model.transcript_build import build_transcript
from ink_tui.model.transcript_growth import grown_transcript
from ink_tui.model.verdict import Diagnosis, diagnose
from ink_tui.model.verdict_growth import grown_diagnosis
from ink_tui.store.library import Library
from ink_tui.tui.render.session_views import load_views
from tests.counts import counting_calls
from tests.sessions import answer, entry, line, results, session, user

if TYPE_CHECKING:
    from pathlib import Path

TURN = (
    user("u", "a4", "and now?", 10),
    answer("c", "u", calls=(("k1", "bash", {}), ("k2", "ls", {})), second=20),
    results("r1", "c", ("k1", "bash", "made"), second=30),
    results("r2", "r1", ("k2", "ls", "a.txt"), second=40),
    answer("e", "r2", "done", second=50),
)
SIMPLE = (
    user("a1", None, "list files"),
    answer("a2", "a1", calls=(("c1", "ls", {"path": "."}),)),
    results("a3", "a2", ("c1", "ls", "a.txt")),
    answer("a4", "a3", "one file", second=4),
)
COMPACTED = entry("compaction", "a4", "a3", 4, summary="S", retainedTail=[])
MODEL = line({"type": "session_model", "provider": "zai", "modelId": "m", "explicit": True})


class Grower:
    """A session that is read on as it grows."""

    def __init__(self, *records: bytes) -> None:
        self.parser = InkParser()
        self.parser.feed(session(*records))
        self.last = diagnose(self.parser.session())

    def feed(self, piece: bytes) -> tuple[Diagnosis, Diagnosis]:
        self.parser.feed(piece)
        old, self.last = self.last, diagnose(self.parser.session())
        return old, self.last


def growth(before: tuple[bytes, ...], piece: bytes) -> Growth | None:
    return growth_of(*Grower(*before).feed(piece))


@pytest.mark.parametrize(
    "before",
    [SIMPLE, (*SIMPLE[:3], COMPACTED), (*SIMPLE, MODEL), (MODEL, *SIMPLE)],
    ids=["plain", "compacted", "a model at the end", "a model at the start"],
)
@pytest.mark.parametrize("running", [False, True])
def test_each_record_of_a_turn_goes_on_from_the_views_before(
    before: tuple[bytes, ...], running: bool
) -> None:
    grower = Grower(*before)
    outline, transcript = build_outline(grower.last), build_transcript(grower.last)
    starts = []
    for piece in TURN:
        old, new = grower.feed(piece)
        assert grown_diagnosis(old, new.session) == new
        grown = growth_of(old, new)
        assert grown is not None
        starts.append(len(grown.new.branch.entries) - grown.start)
        tree, blocks = (
            grown_outline(outline, grown, running=running),
            grown_transcript(transcript, grown),
        )
        assert tree == build_outline(grower.last, running=running)
        assert blocks == build_transcript(grower.last)
        assert tree is not None
        for mode in FilterMode:
            seen = visible_rows(outline, (), mode)
            assert seen_after_growth(outline, seen, tree, (), mode) == visible_rows(tree, (), mode)
        assert blocks is not None
        outline, transcript = tree, blocks
    # Results are shown with their calls, as long as any of these is open.
    assert starts == [1, 1, 2, 3, 1]


def test_the_values_of_what_did_not_change_are_kept() -> None:
    grower = Grower(*SIMPLE)
    outline = build_outline(grower.last)
    grown = growth_of(*grower.feed(TURN[0]))
    assert grown is not None
    tree = grown_outline(outline, grown)
    assert tree is not None
    kept = len(outline.rows) - 1
    assert all(one is other for one, other in zip(outline.rows[:kept], tree.rows, strict=False))


@pytest.mark.parametrize(
    "piece",
    [
        user("u", "a2", "elsewhere"),
        user("u", None, "another start"),
        user("u", "never written", "lost"),
        user("a1", "a4", "the id stands twice"),
        entry("label", "l", None, 1, targetId="a1", label="x"),
        entry("compaction", "k", "a4", 5, summary="S", retainedTail=[]),
        line({"type": "position", "leafId": "a1"}),
        MODEL,
        b'{"type":"mess\n',
        b'{"type":"mess',
        user("u", "a4", "no newline yet")[:-1],
        results("r", "a4", ("c9", "ls", "answers nothing")),
        answer("c", "a4", calls=(("c1", "ls", {}),)),
    ],
    ids=[
        *("branch", "root", "orphan", "duplicate", "label", "compaction", "position", "model"),
        *("bad line", "torn", "unterminated", "stray result", "call id twice"),
    ],
)
def test_whatever_else_comes_makes_the_views_anew(piece: bytes) -> None:
    assert growth(SIMPLE, piece) is None
    assert growth(SIMPLE, TURN[0]) is not None


def test_a_parent_that_comes_late_is_no_append() -> None:
    """What hung from a record that was never written is connected when it is."""
    assert growth((*SIMPLE, user("x", "u", "early"), user("a5", "a4", "on")), TURN[0]) is None


def test_a_label_that_waits_for_its_record_is_no_append() -> None:
    label = entry("label", "l", None, 1, targetId="u", label="x")
    assert growth((*SIMPLE, label), TURN[0]) is None


def test_a_call_that_a_compaction_kept_open_is_no_append() -> None:
    kept = [{"role": "assistant", "blocks": [{"type": "toolCall", "id": "c1", "name": "ls"}]}]
    open_call = entry("compaction", "a4", "a2", 4, summary="S", retainedTail=kept)
    piece = results("r", "a4", ("c1", "ls", "a.txt"))
    assert growth((*SIMPLE[:2], open_call), piece) is None


def test_a_result_behind_a_later_answer_is_shown_with_its_call() -> None:
    """The earlier call is shown anew, not the one that is open alone."""
    before = (*SIMPLE, answer("b1", "a4", calls=(("k1", "ls", {}),)))
    grower = Grower(*before, answer("b2", "b1", calls=(("k2", "ls", {}),)))
    outline = build_outline(grower.last)
    grower.feed(results("b3", "b2", ("k1", "ls", "a.txt")))
    outline = build_outline(grower.last)
    grown = growth_of(*grower.feed(results("b4", "b3", ("k2", "ls", "b.txt"))))
    assert grown is not None
    assert grown.start == len(SIMPLE)
    assert grown_outline(outline, grown) == build_outline(grower.last)


def test_views_that_go_on_equal_those_of_a_fresh_look(tmp_path: Path) -> None:
    """Also while somebody writes: the file has just been changed."""
    file = tmp_path / "root" / "home-u-demo" / "session.jsonl"
    file.parent.mkdir(parents=True)
    file.write_bytes(session(*SIMPLE))
    library = Library([str(tmp_path / "root")])
    last = load_views(library, str(file), child_records={"k": 1})
    aside = (entry("label", "l", None, 1, targetId="u", label="x"), b'{"torn', b"\n")
    for number, piece in enumerate((*TURN, *aside, user("z", "e", "on"))):
        with file.open("ab") as out:
            out.write(piece)
        seen: dict[str, Any] = {"child_records": {"k": number // 4}, "running": number % 2 == 0}
        last = load_views(library, str(file), last=last, **seen)
        fresh = load_views(Library([str(tmp_path / "root")]), str(file), **seen)
        assert last.outline == fresh.outline
        assert last.transcript == fresh.transcript
        assert last.table == fresh.table
        assert last.health == fresh.health
        assert last.head == fresh.head


def test_what_is_seen_of_a_grown_tree_is_found_at_the_cost_of_what_has_grown() -> None:
    taken = []
    for turns in (20, 200):
        parents = [f"u{turn}" for turn in range(turns)]
        grower = Grower(*map(user, parents, [None, *parents], ["go on"] * turns))
        before = build_outline(grower.last)
        seen = visible_rows(before)
        grown = growth_of(*grower.feed(user("last", parents[-1], "one more")))
        assert grown is not None
        outline = grown_outline(before, grown)
        assert outline is not None
        with counting_calls() as work:
            found = seen_after_growth(before, seen, outline, (), FilterMode.DEFAULT)
        assert found == visible_rows(outline)
        taken.append(work.calls)
    assert 0 < taken[1] == taken[0]
