"""The first minute of the demo, as `ui.md` section 7 tells it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from ink_tui.agent.agents import built_in_agent
from ink_tui.keymap import DEFAULT_KEYMAP, build_keymap
from ink_tui.store.demo import create_demo
from ink_tui.tui.render.demo_hints import DemoHints
from ink_tui.tui.render.head_lines import Tab
from ink_tui.tui.render.layout import Place
from ink_tui.tui.screens.preflight import PreflightScreen
from tests.pilot.live import HandClock, Live, live_app, put
from tests.sessions import simple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ink_tui.store.demo import Demo

HINTS = (
    "p goes to the problem",
    "4 shows its bytes and what Ink itself would do",
    "r resumes it; what will be written is shown first",
)


@pytest.fixture
def now() -> HandClock:
    return HandClock(time.time_ns() // 1_000_000)


@pytest.fixture
def demo(tmp_path: Path, now: HandClock) -> Iterator[Demo]:
    with create_demo(now(), tmp_path / "home") as made:
        yield made


def detail(live: Live) -> list[str]:
    """Return the lines of the detail."""
    return [each.strip() for each in live.text(live.browser.session.detail).splitlines()]


# The hints alone


def test_hints_come_one_by_one_and_each_goes_after_its_key() -> None:
    hints = DemoHints()
    for action_id, hint in zip(("next-problem", "tab-health", "resume"), HINTS, strict=True):
        assert hints.words(DEFAULT_KEYMAP) == hint
        hints = hints.after(action_id)
    assert hints.words(DEFAULT_KEYMAP) == ""


def test_a_key_that_was_used_early_needs_no_hint() -> None:
    hints = DemoHints().after("tab-health")
    assert hints.words(DEFAULT_KEYMAP) == HINTS[0]
    assert hints.after("next-problem").words(DEFAULT_KEYMAP) == HINTS[2]
    assert hints.after("fork").words(DEFAULT_KEYMAP) == HINTS[0]


def test_hints_name_the_keys_of_the_user() -> None:
    keymap = build_keymap({"next-problem": ["f5"]}, "config.toml")
    assert DemoHints().words(keymap) == "f5 goes to the problem"


# On the screen


async def test_the_first_screen_says_everything_without_a_key(demo: Demo, now: HandClock) -> None:
    async with live_app(demo.root, now, demo=demo) as live:
        await live.shows("Health 3")
        header = live.text(live.browser.header)
        assert "demo · a private copy, nothing of yours is touched" in header
        assert live.browser.place is Place.LIST
        assert live.browser.list.selected_path == str(demo.first)
        lines = live.text(live.rows).splitlines()
        at = next(n for n, each in enumerate(lines) if "fix the sum function" in each)
        assert "torn tail · 2 calls without result" in lines[at + 1]
        tree = live.text(live.browser.session.tree_view)
        assert "! edit" in tree
        assert "! torn tail" in tree
        said = detail(live)
        assert said[0].startswith("fix the sum function, keep the interface")
        assert any(each.startswith("first request") for each in said)
        assert said[-1] == HINTS[0]


async def test_each_hint_goes_after_its_key(demo: Demo, now: HandClock) -> None:
    async with live_app(demo.root, now, demo=demo) as live:
        pane = live.browser.session
        assert detail(live)[-1] == HINTS[0]
        await live.pilot.press("p")
        assert live.browser.place is Place.SESSION
        row = pane.tree_view.highlighted
        assert row is not None
        assert row.problem
        said = detail(live)
        assert said[0].startswith("edit")
        assert "No result was saved for this call. It may have run, fully or in part." in said
        assert said[-1] == HINTS[1]
        await live.pilot.press("4")
        assert pane.active is Tab.HEALTH
        await live.shows("Ink itself", pane.health)
        await live.pilot.press("1")
        await live.until(lambda: detail(live)[-1:] == [HINTS[2]], HINTS[2])
        await live.pilot.press("r")
        await live.until(lambda: isinstance(live.pilot.app.screen, PreflightScreen), "preflight")
        await live.pilot.press("escape")
        await live.until(lambda: not set(HINTS) & set(detail(live)), "no hint")
        await live.pilot.press("escape", "p")
        await live.until(
            lambda: live.browser.list.selected_path != str(demo.first), "the next session"
        )


async def test_the_hint_for_problems_goes_in_the_tree_too(demo: Demo, now: HandClock) -> None:
    async with live_app(demo.root, now, demo=demo) as live:
        await live.pilot.press("enter")
        await live.until(lambda: detail(live)[-1:] == [HINTS[0]], HINTS[0])
        await live.pilot.press("p")
        await live.until(lambda: detail(live)[-1:] == [HINTS[1]], HINTS[1])


async def test_there_are_no_hints_without_the_demo(tmp_path: Path, now: HandClock) -> None:
    root = tmp_path / "sessions"
    path = put(root / "home-u-demo" / "a.jsonl", simple(), now)
    async with live_app(root, now) as live:
        await live.until(lambda: live.browser.list.selected_path == str(path), "the session")
        await live.until(lambda: detail(live)[0].startswith("list files"), "the detail")
        assert not any(hint in live.screen for hint in HINTS)


async def test_the_detail_follows_the_focus(demo: Demo, now: HandClock) -> None:
    async with live_app(demo.root, now, demo=demo) as live:
        await live.pilot.press("down", "down")
        await live.shows("CRLF", live.browser.session.detail)
        said = detail(live)
        assert [each.split("  ")[0] for each in said if each.startswith(("first", "last"))] == [
            "first request",
            "last request",
            "last answer",
        ]
        assert live.browser.list.selected_row is not None
        assert live.browser.list.selected_row.gist.last_answer[:20] in " ".join(said)
        path = live.browser.list.selected_path
        await live.until(lambda: live.browser.session.path == path, "its tree")
        await live.pilot.press("tab")
        await live.until(lambda: "byte" in detail(live)[0], "the record")
        await live.pilot.press("escape")
        await live.until(lambda: any("first request" in each for each in detail(live)), "the list")


async def test_from_the_repair_to_the_killed_agent(demo: Demo, now: HandClock) -> None:
    now.ms += 120_000  # the demo's files are cold by then
    async with live_app(demo.root, now, demo=demo, agents=[built_in_agent()]) as live:
        pane, area = live.browser.session, live.browser.area
        await live.pilot.press("p", "home", "r")
        await live.until(lambda: isinstance(live.pilot.app.screen, PreflightScreen), "preflight")
        await live.shows("Repair and resume")
        await live.pilot.press("enter")
        await live.shows("ctrl+d leaves")
        await live.shows("closed: unknown whether", pane.tree_view)
        await live.pilot.press(*"run sleep 20", "enter")
        await live.shows("running", pane.tree_view)
        assert "! bash" not in live.text(pane.tree_view)
        await live.pilot.press("ctrl+right_square_bracket")
        await live.shows("browser", live.browser.footer)
        await live.pilot.press("k")
        await live.shows("killed")
        await live.shows("! bash      sleep", pane.tree_view)  # cut after midnight: dates are wide
        row = pane.tree_view.highlighted
        assert row is not None
        assert row.text.startswith("sleep 20"), "the tree follows the agent"
        await live.shows("no result saved", pane.tree_view)
        await live.shows("resume")
        run = area.current
        assert run is not None
        assert run.exit_state is not None
        assert run.exit_state.kind == "killed"


async def test_by_urgency_the_list_is_wider_and_names_folders(demo: Demo, now: HandClock) -> None:
    async with live_app(demo.root, now, demo=demo) as live:
        assert live.browser.list.size.width == 42
        await live.pilot.press("exclamation_mark")
        await live.shows("needs you", live.rows)
        assert live.browser.list.size.width == 60
        lines = live.text(live.rows).splitlines()
        at = next(n for n, each in enumerate(lines) if "fix the sum function" in each)
        assert lines[at].split()[-2:] == ["demo", "2m"]
        assert live.browser.list.selected_path == str(demo.first)
        places = {cell_len(each[: each.rindex(" demo ")]) for each in lines if " demo " in each}
        assert len(places) == 1
        await live.pilot.press("exclamation_mark")
        await live.shows("~/work/demo", live.rows)
        assert live.browser.list.size.width == 42


async def test_on_a_wide_screen_the_transcript_follows_the_tree(demo: Demo, now: HandClock) -> None:
    async with live_app(demo.root, now, demo=demo, size=(200, 60)) as live:
        pane = live.browser.session
        assert (live.browser.list.size.width, pane.tree_view.size.width) == (48, 80)
        await live.shows("Transcript   follows the tree")
        await live.pilot.press("p")
        await live.shows("src/sum.ts", pane.beside.view)
        first = pane.beside.view.selected
        assert first is not None
        assert first.entry_id == pane.entry_id
        await live.pilot.press("home")
        await live.until(lambda: pane.beside.view.selected != first, "the start")
        block = pane.beside.view.selected
        assert block is not None
        assert block.entry_id == pane.entry_id
        assert live.browser.focused is pane.tree_view
        await live.pilot.press("2")
        assert pane.transcript.view.size.width == 151
        await live.pilot.press("1")
        await live.pilot.resize_terminal(120, 36)
        await live.until(lambda: not pane.beside.display, "two panes")
        assert pane.tree_view.size.width == 77
