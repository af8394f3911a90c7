"""The context from any record: where it is asked for, how one walks, what comes too late."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from ink_tui.model.lens import Lens, lens_at
from ink_tui.tui.render.head_lines import Tab
from ink_tui.tui.screens import lensing
from tests.pilot.app import LARGE, MIDDLE, SMALL, click_on, rows_fit, settled
from tests.pilot.lens_places import in_context, in_transcript, in_tree, lens_of, number, with_lens
from tests.pilot.run import Run, path_of, run_on_demo
from tests.sessions import stamp

if TYPE_CHECKING:
    from pathlib import Path

    from ink_tui.model.verdict import Diagnosis
    from tests.pilot.conftest import Notes

WIDE = (200, 60)
END = "This is the last record of its branch."
sizes = pytest.mark.parametrize(
    "size", [SMALL, MIDDLE, LARGE, WIDE], ids=lambda size: f"{size[0]}x{size[1]}"
)


def diagnosis_of(run: Run) -> Diagnosis:
    views = run.browser.session.views
    assert views is not None
    return views.opened.diagnosis


@sizes
async def test_every_record_of_the_tree_by_its_key(size: tuple[int, int], tmp_path: Path) -> None:
    async with run_on_demo(tmp_path, size) as run:
        await in_tree(run)
        diagnosis = diagnosis_of(run)
        seen = 0
        for row in list(run.tree.seen):
            if row.entry_id not in diagnosis.session.nodes or row.entry_id is None:
                continue
            await run.press("1")
            run.tree.select(row.key)
            await run.press("V")
            rows_fit(run.pilot)
            lens = lens_of(run)
            if row.entry_id == diagnosis.leaf:
                assert lens is None
                continue
            assert lens == lens_at(diagnosis.session, diagnosis.branch, row.entry_id)
            assert "resume point" in run.text
            assert f"record {number(run)} of" in run.text
            seen += 1
        assert seen >= 5


async def test_one_walks_turn_by_turn_and_comes_back(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await in_context(run)
        assert "What the agent would be sent on resume" in run.text
        table = run.browser.session.context_view._table
        numbers = []
        for _ in range(4):
            await run.press("left_square_bracket")
            numbers.append(number(run))
        assert numbers == sorted(numbers, reverse=True)
        lens = lens_of(run)
        assert lens is not None
        assert lens.place.kind == "user"
        assert "What the agent would be sent from this record" in run.text
        await run.press("escape")
        assert lens_of(run) is None
        assert run.tab() is Tab.CONTEXT
        assert run.browser.session.context_view._shown is table
        await run.press("escape")
        assert run.place().value == "list"


async def test_the_first_record_and_the_resume_point_are_the_ends(
    tmp_path: Path, notes: Notes
) -> None:
    async with run_on_demo(tmp_path) as run:
        await in_context(run)
        await run.press("right_curly_bracket")
        assert notes.said[-1] == "This is the resume point, where the next turn goes."
        await in_tree(run)
        await run.press("home", "V", "left_curly_bracket")
        assert notes.said[-1] == "This is the first record."
        assert number(run) == 1
        for _ in range(40):
            await run.press("right_square_bracket")
        assert lens_of(run) is None


async def test_another_branch_is_walked_to_its_own_end(tmp_path: Path, notes: Notes) -> None:
    async with run_on_demo(tmp_path) as run:
        await run.at_tree()
        stub = next(row for row in run.tree.seen if row.stub)
        run.tree.select(stub.key)
        await run.press("V")
        assert "another branch" in run.text
        for _ in range(10):
            await run.press("right_curly_bracket")
        lens = lens_of(run)
        assert lens is not None
        assert lens.place.number == lens.place.of
        assert notes.said[-1] == END


async def test_keys_pressed_at_once_are_all_steps(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await in_context(run)
        await run.press("left_curly_bracket")
        first = number(run)
        for _ in range(4):
            run.browser.session.context_view.action_lens_previous_record()
        await settled(run.pilot)
        assert number(run) == first - 4


async def test_an_answer_that_comes_too_late_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = threading.Event()
    threads: list[int] = []

    def slow(*asked: Any) -> Lens | None:
        threads.append(threading.get_ident())
        assert go.wait(20)
        return lens_at(*asked)

    async with run_on_demo(tmp_path) as run:
        await in_context(run)
        monkeypatch.setattr(lensing, "lens_at", slow)
        view = run.browser.session.context_view
        view.action_lens_previous_record()
        await run.pilot.pause()
        view.action_lens_back()
        await run.pilot.pause()
        go.set()
        await settled(run.pilot)
        assert lens_of(run) is None
        assert threading.get_ident() not in threads


async def test_the_lens_stays_where_a_file_grows_and_goes_with_its_session(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await with_lens(run)
        before = lens_of(run)
        assert before is not None
        leaf = diagnosis_of(run).leaf
        record = (
            f'{{"type":"message","id":"new","parentId":"{leaf}","timestamp":"{stamp(9)}",'
            '"message":{"role":"user","content":"more"}}\n'
        )
        with path_of(run).open("a") as file:
            file.write(record)
        await run.press("ctrl+r")
        after = lens_of(run)
        assert after is not None
        assert after.entry_id == before.entry_id
        assert after.place.of == before.place.of + 1
        assert after.table == before.table
        await run.select("rename the module")
        assert lens_of(run) is None
        assert "on resume" in run.text


async def test_the_tab_by_its_key_is_the_context_of_the_resume_point(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await with_lens(run)
        await run.press("1", "3")
        assert lens_of(run) is None
        assert "on resume" in run.text
        await run.press("left_curly_bracket")
        lens = lens_of(run)
        assert lens is not None
        assert lens.place.number == lens.place.of - 1


async def test_a_record_that_is_gone_is_left(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await with_lens(run)
        path = path_of(run)
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[:6]))
        await run.press("ctrl+r")
        assert lens_of(run) is None
        assert "on resume" in run.text


async def test_the_words_at_the_right_lead_back_and_left_out_records_are_found(
    tmp_path: Path,
) -> None:
    async with run_on_demo(tmp_path) as run:
        await with_lens(run)
        await click_on(run.pilot, "resume point")
        assert lens_of(run) is None
        table = run.browser.session.context_view._table
        assert table is not None
        assert table.left_out > 0
        assert f"{table.left_out} earlier records are left out, about" in run.text
        run.browser.session.context_view.select("left-out")
        await run.press("enter")
        assert run.tab() in (Tab.TRANSCRIPT, Tab.TREE)
        assert run.browser.session.entry_id == table.first_left_out


async def test_a_fork_is_made_at_the_record_of_the_lens(tmp_path: Path) -> None:
    async with run_on_demo(tmp_path) as run:
        await in_transcript(run)
        await run.press("v")
        lens = lens_of(run)
        assert lens is not None
        assert run.browser.session.entry_id == lens.entry_id
