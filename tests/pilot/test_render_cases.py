"""The cases on a mounted screen: what must be readable, what must never be drawn, what is said.

A case is looked at as a person would: its list, its tree with every kind of row and every fold, its
transcript unfolded from start to end, its context and its health.
"""

from __future__ import annotations

import os
import re
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from ink_tui.model.outline_rows import FilterMode
from ink_tui.tui.render.transcript_look import Depth
from ink_tui.tui.render.transcript_rows import can_fold
from tests.cases import Case, all_cases
from tests.pilot.app import (
    MIDDLE,
    NOW_MS,
    app_on,
    browser_of,
    rows_fit,
    running,
    screen_text,
    settled,
)

if TYPE_CHECKING:
    from pathlib import Path

    from ink_tui.tui.widgets.rows_view import RowsView
    from ink_tui.tui.widgets.transcript_canvas import TranscriptCanvas
    from tests.pilot.app import AppPilot

CASES = all_cases()
RENDERED = [case for case in CASES if "render" in case.expected]
LONG_AGO = NOW_MS // 1000 - 86_400
_DRAWN_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")

LIST_WORDS = {
    "torn-fragment": "torn tail",
    "unterminated": "last newline missing",
    "invalid-tail": "last record not understood",
    "foreign-tail": "last record not understood",
}
HEALTH_WORDS = {
    "torn-fragment": "Torn tail: the last record is not complete",
    "unterminated": "The last record is complete; only its newline is missing",
    "invalid-tail": "The last line holds something whole, but is no record that Ink accepts",
    "foreign-tail": "The last record is complete but of a kind we do not know",
}
TORN = {"none": "ok", "truncated": "torn-fragment", "unterminated": "unterminated"}
"""The state of the tail where a case says only how it is torn."""
REFUSED_WORDS = {
    "empty-file": ("empty file", "The file is empty"),
    "bad-header": ("first line is no session header", "no session header"),
    "unsupported-version": ("written by a newer Ink, version 2", "Written by a newer Ink"),
    "invalid-json": (r"line \d+ unreadable", r"Line \d+ cannot be read"),
    "unknown-entry-type": (r"line \d+ of an unknown kind", r"Line \d+ is of a kind we do not know"),
    "missing-parent": ("start never written", "the parent was never written"),
    "cycle": ("records in a ring", "parents form a ring"),
    "gap-not-at-tail": ("call without result, later messages exist", "and the chat went on"),
    "orphan-result": ("result without call", "Result without a call"),
    "duplicate-call-id": ("call id used twice", "A call id is used twice"),
}


def _placed(case: Case, folder: Path, step: int | None = None) -> Path:
    """Return a root of sessions with the files of a case, last written long ago."""
    folder.mkdir(exist_ok=True)
    place = case.place(folder, step)
    if not case.made:
        shutil.copytree(place, folder, symlinks=True, dirs_exist_ok=True)
    for path in folder.rglob("*.jsonl"):
        if _is_session(path):
            os.utime(path, (LONG_AGO, LONG_AGO))
    return folder / "root" if (folder / "root").is_dir() else folder


def _is_session(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


async def _drawn_to_the_end(pilot: AppPilot, view: RowsView | TranscriptCanvas) -> str:
    """Return all that a view draws, from its first line to its last, and check that it fits."""
    texts = []
    view.scroll_to(y=0, animate=False, force=True)
    while True:
        await settled(pilot)
        rows_fit(pilot)
        texts.append(screen_text(pilot))
        before = view.scroll_offset.y
        view.scroll_to(y=before + max(1, view.size.height - 2), animate=False, force=True)
        await pilot.pause()
        if view.scroll_offset.y == before:
            return "\n".join(texts)


async def _unfolded(pilot: AppPilot, view: TranscriptCanvas) -> str:
    """Return a transcript with every block open; of a very long text the first part."""
    browser = browser_of(pilot)
    for block in view.blocks:
        view.select(block.key)
        index = view.blocks.index(block)
        if can_fold(block):
            for _ in Depth:
                if view.fold_of(index).depth is not Depth.WHOLE:
                    await pilot.press("enter")
    assert browser.session.transcript.view is view
    return await _drawn_to_the_end(pilot, view)


async def _everything(pilot: AppPilot) -> str:
    """Return all that can be read of the selected session."""
    browser = browser_of(pilot)
    texts = [screen_text(pilot)]
    await pilot.press("1")
    browser.session.tree_view.show_mode(FilterMode.ALL)
    texts.append(await _drawn_to_the_end(pilot, browser.session.tree_view))
    for row in browser.session.tree_view.seen[:40]:
        browser.session.tree_view.select(row.key)
        await settled(pilot)
        texts.append(screen_text(pilot))
    await pilot.press("2")
    await settled(pilot)
    texts.append(await _unfolded(pilot, browser.session.transcript.view))
    await pilot.press("3")
    texts.append(await _drawn_to_the_end(pilot, browser.session.context_view))
    await pilot.press("4")
    texts.append(await _drawn_to_the_end(pilot, browser.session.health))
    return "\n".join(texts)


@pytest.mark.parametrize("case", RENDERED, ids=[case.name for case in RENDERED])
async def test_a_screen_shows_what_a_case_says_and_draws_nothing_raw(
    case: Case, tmp_path: Path
) -> None:
    root = _placed(case, tmp_path / "case")
    async with running(app_on(root, home=tmp_path), MIDDLE) as pilot:
        drawn = await _everything(pilot)
    for text in case.expected["render"]["must_contain"]:
        assert text in drawn
    for escaped in case.expected["render"].get("must_not_emit", ()):
        assert escaped.encode().decode("unicode_escape") not in drawn
    assert _DRAWN_CONTROL.search(drawn) is None


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
async def test_a_case_opens_and_says_its_state(case: Case, tmp_path: Path) -> None:
    steps = case.expected.get("steps") or [{"step": None, **case.expected}]
    folder = tmp_path / "case"
    root = _placed(case, folder, steps[0]["step"])
    async with running(app_on(root, home=tmp_path), MIDDLE) as pilot:
        for step in steps:
            if step is not steps[0]:
                _placed(case, folder, step["step"])
                await pilot.press("ctrl+r")
                await settled(pilot)
            for name, facts in step["sessions"].items():
                await _says(pilot, case, folder / name, facts)


async def _says(pilot: AppPilot, case: Case, path: Path, facts: dict[str, Any]) -> None:
    browser = browser_of(pilot)
    if facts.get("empty") and not browser.list.asked.show_hidden:
        browser.list.toggle_hidden()
    if not browser.list.select(str(path)):
        assert not _is_session(path), f"{path} is not in the list"
        return
    await settled(pilot)
    rows_fit(pilot)
    row = next(i for i in browser.list.listing.items if i.row and i.row.path == str(path))
    second = row.line.words if row.line is not None else ""
    for key in "1234":
        await pilot.press(key)
        await settled(pilot)
        rows_fit(pilot)
    health = screen_text(pilot)
    in_list, in_health = _expected_words(facts)
    assert re.search(in_list, second), f"{case.name}: {second!r}"
    assert re.search(in_health, " ".join(health.split())), f"{case.name}:\n{health}"
    await pilot.press("escape")


def _expected_words(facts: dict[str, Any]) -> tuple[str, str]:
    """Return patterns for the second row of the list and for health, from what a case says."""
    refused = facts.get("refusal_reason_kind")
    if refused is not None:
        return REFUSED_WORDS[refused]
    tail = facts.get("tail_state", TORN[facts.get("torn", "none")])
    if tail != "ok":
        return LIST_WORDS[tail], HEALTH_WORDS[tail]
    calls = len(facts.get("dangling", ()))
    if calls:
        plural = "s" if calls > 1 else ""
        return (f"{calls} call{plural} without result", f"{calls} call{plural} without a saved")
    return "", "Nothing to settle|nothing to settle"
