"""A session of a big file, of which only the start of long texts is kept, is shown whole."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ink_tui.formats.ink import parser as parsers
from ink_tui.model import entries
from ink_tui.store import whole_records
from ink_tui.tui.render.head_lines import Tab
from tests.pilot.app import app_on, browser_of, running, settled
from tests.sessions import HEADER, answer, entry, line, results, session, user

if TYPE_CHECKING:
    from pathlib import Path

    from tests.pilot.app import AppPilot

WIDE = (160, 40)
NARROW = (80, 24)
NEVER = 1 << 40


def text(name: str, lines: int) -> str:
    return "\n".join(f"{name}: line {at} of a text" for at in range(lines))


def turns(count: int) -> bytes:
    found: list[bytes] = []
    parent = None
    for at in range(count):
        ids = [f"{kind}{at}" for kind in "ucra"]
        calls = (
            (f"b{at}", "bash", {"command": text(f"echo {at}", 40)}),
            (f"w{at}", "write", {"path": f"/p/{at}.py", "content": text(f"code {at}", 60)}),
            (f"e{at}", "edit", {"path": "x", "oldText": text("o", 40), "newText": text("n", 40)}),
        )
        found += [
            user(ids[0], parent, text(f"question {at}", 50)),
            answer(ids[1], ids[0], text(f"thought {at}", 30), calls),
            results(
                ids[2],
                ids[1],
                (f"b{at}", "bash", text(f"output {at}", 90) + "\nExit code: 3"),
                (f"w{at}", "write", "ok"),
                (f"e{at}", "edit", "@@ line 7 @@\n" + text("changed", 50)),
            ),
            answer(ids[3], ids[2], text(f"answer {at}", 80)),
        ]
        parent = ids[3]
    found.append(entry("branchSummary", "s", parent, summary=text("summary", 50)))
    return session(*found)


def put(folder: Path, data: bytes) -> Path:
    place = folder / "sessions" / "home-u-demo"
    place.mkdir(parents=True)
    path = place / "a.jsonl"
    path.write_bytes(data)
    return path


async def drawn(pilot: AppPilot) -> list[str]:
    """Return what the session pane shows once all is there that was asked for."""
    await settled(pilot)
    await settled(pilot)
    pane = browser_of(pilot).session
    view = pane.transcript.view if pane.active is Tab.TRANSCRIPT else pane.tree_view
    rows = [view.render_line(y).text.rstrip() for y in range(view.size.height)]
    if pane.active is Tab.TREE:
        cells = pane.detail.size.width
        lines = pane.detail.lines(cells)
        rows.extend("".join(piece.text for piece in pieces).rstrip() for pieces in lines)
    return rows


KEYS = ("2", "g", "J", "enter", "J", "enter", "enter", "G", "K", "a", "g")
TREE_KEYS = ("1", "g", "j", "j", "j", "j", "j", "j", "G")


async def pictures(path: Path, size: tuple[int, int]) -> list[list[str]]:
    app = app_on(path.parents[1], home=path.parents[2], wanted=str(path))
    found: list[list[str]] = []
    async with running(app, size) as pilot:
        browser_of(pilot).session.focus_view()
        for key in (*KEYS, *TREE_KEYS):
            await pilot.press(key)
            found.append(await drawn(pilot))
    return found


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
async def test_a_light_session_comes_to_look_as_a_whole_one(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(tmp_path, turns(3))
    monkeypatch.setattr(whole_records, "LIGHT_ABOVE", NEVER)
    expected = await pictures(path, size)
    monkeypatch.setattr(whole_records, "LIGHT_ABOVE", 0)
    found = await pictures(path, size)
    for number, (light, whole) in enumerate(zip(found, expected, strict=True)):
        assert light == whole, (*KEYS, *TREE_KEYS)[number]


async def test_the_texts_of_a_light_session_are_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(tmp_path, turns(3))
    monkeypatch.setattr(whole_records, "LIGHT_ABOVE", 0)
    async with running(app_on(path.parents[1], home=tmp_path, wanted=str(path)), WIDE) as pilot:
        views = browser_of(pilot).session.views
        assert views is not None
        assert "line 49 of a text" not in repr(views.opened.diagnosis.session.records[4:])
        assert "line 49 of a text" not in repr(views.outline)
        assert views.opened.row.gist.last_request == text("question 2", 50)
        assert views.opened.row.gist.last_answer == text("answer 2", 80)


async def test_a_file_that_changed_gives_no_text_but_says_that_it_is_a_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(tmp_path, turns(3))
    monkeypatch.setattr(whole_records, "LIGHT_ABOVE", 0)
    async with running(app_on(path.parents[1], home=tmp_path, wanted=str(path)), NARROW) as pilot:
        browser_of(pilot).session.focus_view()
        path.write_bytes(path.read_bytes().replace(b"question 0", b"QUESTION 0"))
        await pilot.press("2", "g")
        rows = await drawn(pilot)
        assert any("question 0: line 3" in row for row in rows)
        assert any("only the start is here" in row for row in rows)
        assert not any("QUESTION 0" in row for row in rows)


async def test_an_oversized_record_shows_its_start_its_size_and_both_ends_of_its_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "OVERSIZED_BYTES", 1_000_000)
    monkeypatch.setattr(parsers, "FAR_BYTES", 400_000)
    big = line(
        {
            "type": "message",
            "id": "b",
            "parentId": "a",
            "timestamp": HEADER["timestamp"],
            "message": {"role": "user", "content": "word " * 300_000 + "the very end"},
        }
    )
    assert json.loads(big)["id"] == "b"
    path = put(tmp_path, session(user("a", None, "first"), big))
    async with running(app_on(path.parents[1], home=tmp_path, wanted=str(path)), NARROW) as pilot:
        pane = browser_of(pilot).session
        pane.focus_view()
        await pilot.press("1", "G")
        assert any("oversized: 2 MB" in row for row in await drawn(pilot))
        assert pane.views is not None
        assert pane.views.health.to_settle == 0
        await pilot.press("2", "G")
        rows = await drawn(pilot)
        assert any("oversized: 1.5 MB, of which only the start is shown" in row for row in rows)
        await pilot.press("d", "G")
        rows = await drawn(pilot)
        assert any("the very end" in row for row in rows)
        assert any("more of this record" in row for row in rows) or pane.transcript.view.at_end


async def pages(path: Path) -> set[str]:
    """Return all rows of a transcript, read page by page from its first to its last."""
    app = app_on(path.parents[1], home=path.parents[2], wanted=str(path))
    async with running(app, NARROW) as pilot:
        browser_of(pilot).session.focus_view()
        await pilot.press("2", "g")
        rows = set((await drawn(pilot))[1:])  # the first is the head of the turn, which stays
        view = browser_of(pilot).session.transcript.view
        for _ in range(100):
            await pilot.press("pagedown")
            rows |= set((await drawn(pilot))[1:])
            if view.at_end:
                return rows
    raise AssertionError("the end does not come")


async def test_paging_through_a_light_session_shows_every_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(tmp_path, turns(3))
    monkeypatch.setattr(whole_records, "LIGHT_ABOVE", NEVER)
    expected = await pages(path)
    monkeypatch.setattr(whole_records, "LIGHT_ABOVE", 0)
    assert await pages(path) == expected
