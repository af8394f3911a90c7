"""Copies of a session in the running program, and going on from an earlier record in place."""

from __future__ import annotations

import json
from pathlib import Path

from ink_tui.agent.preflight import OptionId
from ink_tui.model.entries import EntryId
from ink_tui.model.fork_points import fork_plan_at
from ink_tui.model.outline_rows import OutlineRow, RowKind
from ink_tui.store.fork import write_fork
from ink_tui.store.reader import read_session
from ink_tui.tui.render.layout import Place
from ink_tui.tui.screens.preflight import PreflightScreen
from tests.pilot.app import (
    LARGE,
    NOW_MS,
    app_on_demo,
    browser_of,
    demo_in,
    fake_agent,
    rows_fit,
    running,
    settled,
    shown,
    until,
)
from tests.pilot.run import CLEAN, Run

FORK = "fork: rename the module"


def _bytes(path: str) -> bytes:
    return Path(path).read_bytes()


def links(run: Run) -> list[OutlineRow]:
    return [row for row in run.tree.seen if row.kind is RowKind.FORK]


def shown_title(run: Run) -> str:
    views = run.browser.session.views
    assert views is not None
    return views.head.title


async def test_enter_on_a_copy_opens_it(tmp_path: Path) -> None:
    with demo_in(tmp_path) as demo:
        async with running(app_on_demo(demo), LARGE) as pilot:
            run = Run(pilot, demo)
            await run.select(CLEAN)
            await run.press("enter")
            assert shown_title(run).startswith(CLEAN)
            (link,) = links(run)
            assert f"↳ {FORK}" in run.text
            at = run.tree.seen.index(link)
            views = browser_of(pilot).session.views
            assert views is not None
            (entry,) = views.forks
            above = run.tree.seen[at - 1]
            assert entry in (above.entry_id, above.result_id)
            assert run.tree.highlighted != link  # the end of the trunk is a record, not a link
            run.tree.select(link.key)
            await settled(pilot)
            assert "enter open the fork" in " ".join(run.text.split())
            rows_fit(pilot)
            await run.press("enter")
            assert shown_title(run).startswith(FORK)
            assert run.place() is Place.SESSION
            selected = run.browser.list.selected_path
            assert selected == link.opens == run.browser.viewing.path
            assert not links(run)


async def test_the_overview_of_a_copy_names_its_original(tmp_path: Path) -> None:
    with demo_in(tmp_path) as demo:
        async with running(app_on_demo(demo), LARGE) as pilot:
            run = Run(pilot, demo)
            await run.select(FORK)
            row = run.browser.list.selected_row
            assert row is not None
            assert row.forked_at is not None
            (said,) = [line for line in run.text.splitlines() if " at record " in line]
            assert f"forked from “{CLEAN}" in said
            assert f"at record {row.forked_at[:8]}" in said


async def test_a_copy_that_is_made_meanwhile_appears(tmp_path: Path) -> None:
    with demo_in(tmp_path) as demo:
        async with running(app_on_demo(demo), LARGE) as pilot:
            run = Run(pilot, demo)
            await run.select(CLEAN)
            await run.press("enter")
            path = run.browser.viewing.path
            assert path is not None
            diagnosis, _state = read_session(path)
            assert diagnosis.leaf is not None
            plan = fork_plan_at(diagnosis, diagnosis.leaf)
            before = len(links(run))
            made = write_fork(Path(path), plan, root=demo.root, now_ms=NOW_MS)
            await run.browser.feed.look_at(str(made.path))
            await settled(pilot)
            assert len(links(run)) == before + 1
            assert str(made.path) in {row.opens for row in links(run)}
            assert run.browser.viewing.path == path


async def test_more_than_twelve_are_counted_and_lead_nowhere(tmp_path: Path) -> None:
    with demo_in(tmp_path) as demo:
        async with running(app_on_demo(demo), LARGE) as pilot:
            run = Run(pilot, demo)
            await run.select(CLEAN)
            await run.press("enter")
            path = run.browser.viewing.path
            assert path is not None
            diagnosis, _state = read_session(path)
            assert diagnosis.leaf is not None
            plan = fork_plan_at(diagnosis, diagnosis.leaf)
            made = [
                str(write_fork(Path(path), plan, root=demo.root, now_ms=NOW_MS + n).path)
                for n in range(14)
            ]
            await run.browser.feed.look_at(*made)
            await settled(pilot)
            more = [row for row in links(run) if not row.opens]
            assert [row.text for row in more] == ["2 more forks"]
            run.tree.select(more[0].key)
            await run.press("enter")
            assert run.browser.viewing.path == path
            assert "↳ 2 more forks" in run.text


async def test_a_session_goes_on_in_place(tmp_path: Path) -> None:
    with demo_in(tmp_path) as demo:
        app = app_on_demo(demo, agents=[fake_agent(demo.home)])
        async with running(app, LARGE) as pilot:
            run = Run(pilot, demo)
            await run.select(CLEAN)
            await run.press("enter")
            path = run.browser.viewing.path
            assert path is not None
            before = _bytes(path)
            trunk = [row for row in run.tree.seen if row.kind is RowKind.ASSISTANT]
            chosen = trunk[0].entry_id
            assert chosen is not None
            run.tree.select(trunk[0].key)
            await settled(pilot)
            await pilot.press("f")
            await shown(pilot, PreflightScreen)
            assert run.preflight.selected == OptionId.FORK
            text = " ".join(run.text.split())
            assert "Continue from here in this session" in text
            assert "the later records stay as another branch" in text
            assert "marker: next turn after line" in text
            rows_fit(pilot)
            await pilot.press("down")
            assert run.preflight.selected == OptionId.IN_PLACE
            for _ in range(20):
                await pilot.press("enter")  # the first ones show what would be written
                await pilot.pause()
                if not isinstance(run.screen, PreflightScreen):
                    break
            await until(pilot, lambda: run.browser.area.current is not None, "the agent")
            await settled(pilot)
            after = _bytes(path)
            assert after.startswith(before)
            marker = json.loads(after[len(before) :])
            assert marker["type"] == "position"
            diagnosis, _state = read_session(path)
            assert diagnosis.leaf == EntryId(marker["leafId"])
            plan = fork_plan_at(diagnosis, chosen)
            assert plan.end == diagnosis.leaf
            assert run.browser.viewing.path == path
            await pilot.press("enter", "enter")
            await run.ended()
