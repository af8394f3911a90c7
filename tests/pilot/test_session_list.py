"""The session list on a mounted screen: selection, folds, filter, problems, mouse."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ink_tui.model.groups import Arrangement
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from tests.list_and_tree_host import Host
from tests.session_rows import (
    ACTIVITIES,
    API,
    DEMO,
    EMPTY,
    FORK,
    GAP,
    LIVE,
    NEWER,
    NO_RIGHTS,
    NOON_MS,
    PLAIN,
    ROWS,
    SHAPED,
    TORN,
    UNREADABLE,
    session_row,
)

SIZES = [(120, 36), (80, 24), (60, 20)]
sizes = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


@sizes
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
async def test_no_row_is_wider_than_the_screen(size: tuple[int, int], glyphs: Glyphs) -> None:
    app = Host(glyphs)
    async with app.run_test(size=size) as pilot:
        app.list.set_rows(ROWS, ACTIVITIES)
        for arrangement in Arrangement:
            app.list.arrange_by(arrangement)
            await pilot.pause()
            assert app.widths_fit(app.list.view)
            assert any("bash npm test, 14 s" in line for line in app.drawn(app.list.view))


@sizes
async def test_the_selection_stays_on_its_session_while_rows_change(size: tuple[int, int]) -> None:
    app = Host()
    async with app.run_test(size=size) as pilot:
        app.list.set_rows(ROWS, ACTIVITIES)
        assert app.list.select(PLAIN.path)
        await pilot.pause()
        newer = [session_row(f"new {n}", DEMO, n) for n in range(4)]
        app.list.set_rows([*newer, *ROWS])
        await pilot.pause()
        assert app.list.selected_path == PLAIN.path
        app.list.set_rows([replace(PLAIN, last_ms=NOON_MS, title="renamed"), *newer])
        await pilot.pause()
        assert app.list.selected_row is not None
        assert app.list.selected_row.title == "renamed"
        assert app.last("selected") == PLAIN.path
        app.list.set_rows(newer)
        await pilot.pause()
        assert app.list.selected_path in {row.path for row in newer}
        assert app.last("selected") == app.list.selected_path


@sizes
async def test_keys_move_open_and_fold(size: tuple[int, int]) -> None:
    app = Host()
    async with app.run_test(size=size) as pilot:
        app.list.set_rows(ROWS, ACTIVITIES)
        app.list.view.focus()
        await pilot.pause()
        assert app.list.selected_path == LIVE.path
        await pilot.press("j", "enter")
        assert app.last("opened") == TORN.path
        await pilot.press("left")
        assert not app.list.selected_path
        assert app.last("selected") is None
        folded = app.list.listing.items[0]
        assert (folded.opened, folded.count) == (False, 4)
        assert "! 1" in app.drawn(app.list.view)[0]
        await pilot.press("down")
        assert app.list.selected_path == SHAPED.path
        await pilot.press("up", "right")
        assert app.list.selected_path == LIVE.path
        await pilot.press("h", "enter")
        assert app.list.selected_path == LIVE.path


async def test_the_rest_of_a_group_opens_in_place() -> None:
    app = Host()
    rows = [session_row(f"a{n}", "/a", n) for n in range(9)]
    rows += [session_row(f"b{n}", "/b", 100 + n) for n in range(9)]
    async with app.run_test(size=(80, 40)) as pilot:
        app.list.set_rows(rows)
        app.list.view.focus()
        await pilot.pause()
        shown = [item.title for item in app.list.listing.items]
        assert shown[:10] == ["/a", *(f"a{n}" for n in range(9))]
        assert shown[-1] == "4 more"
        app.list.view.select("more:cwd:/b")
        await pilot.press("enter")
        assert app.list.selected_path == "/store/b5.jsonl"
        assert "4 more" not in [item.title for item in app.list.listing.items]


@sizes
async def test_the_filter_takes_chinese_and_escape_clears_it(size: tuple[int, int]) -> None:
    app = Host()
    async with app.run_test(size=size) as pilot:
        app.list.set_rows(ROWS, ACTIVITIES)
        app.list.view.focus()
        await pilot.pause()
        app.list.open_filter()
        await pilot.press(*"支持", "space", *"crlf")
        assert app.last("filter") == "支持 crlf"
        titles = [item.title for item in app.list.listing.items]
        assert titles == [DEMO, LIVE.title]
        # No letter acts while one types, not even the keys of the list.
        await pilot.press(*"hljk.")
        assert app.list.field.input.value == "支持 crlfhljk."
        assert any("Nothing matches" in line for line in app.drawn(app.list.view))
        assert not app.list.selected_path
        await pilot.press("escape")
        assert app.list.field.input.value == ""
        assert app.list.field.input.has_focus
        await pilot.press(*"torn", "enter")
        assert app.list.view.has_focus
        assert app.list.selected_path == TORN.path
        assert app.list.field.input.value == "torn"
        app.list.open_filter()
        await pilot.press("escape", "escape")
        assert app.list.view.has_focus
        assert len(app.list.listing.items) > 10
        assert app.list.selected_path == TORN.path


async def test_hidden_sessions_have_a_switch() -> None:
    app = Host()
    async with app.run_test(size=(80, 36)) as pilot:
        app.list.set_rows(ROWS, ACTIVITIES)
        app.list.view.focus()
        await pilot.press("full_stop")
        paths = [item.row.path for item in app.list.listing.items if item.row]
        assert EMPTY.path in paths
        await pilot.press("full_stop")
        paths = [item.row.path for item in app.list.listing.items if item.row]
        assert EMPTY.path not in paths
        assert app.list.select(EMPTY.path)


async def test_problems_go_round() -> None:
    app = Host()
    async with app.run_test(size=(120, 36)) as pilot:
        app.list.set_rows(ROWS, ACTIVITIES)
        await pilot.pause()
        found = []
        for _ in range(6):
            assert app.list.next_problem()
            found.append(app.list.selected_path)
        order = [TORN, UNREADABLE, GAP, NEWER, NO_RIGHTS, TORN]
        assert found == [row.path for row in order]
        assert app.list.next_problem(-1)
        assert app.list.selected_path == NO_RIGHTS.path


async def test_a_heading_folds_by_click_and_a_row_opens_by_a_second_one() -> None:
    app = Host()
    async with app.run_test(size=(80, 40)) as pilot:
        app.list.set_rows(ROWS, ACTIVITIES)
        await pilot.pause()
        lines = app.drawn(app.list.view)
        at = next(y for y, line in enumerate(lines) if FORK.title[:20] in line)
        await pilot.click(app.list.view, offset=(10, at))
        assert app.last("selected") == FORK.path
        await pilot.click(app.list.view, offset=(10, at), times=2)
        assert app.last("opened") == FORK.path
        await pilot.click(app.list.view, offset=(1, 0))
        assert not app.list.listing.items[0].opened
        await pilot.click(app.list.view, offset=(1, 0))
        assert app.list.listing.items[0].opened


async def test_only_the_selected_title_is_bold() -> None:
    app = Host()
    async with app.run_test(size=(80, 40)) as pilot:
        app.list.set_rows(ROWS, ACTIVITIES)
        app.list.view.focus()
        await pilot.press("down", "down")
        bold = [
            row.key
            for row in app.list.view.rows
            if row.key.startswith("session:") and any(piece.bold for piece in row.text)
        ]
        assert bold == [f"session:{PLAIN.path}"]


async def test_a_session_in_a_folded_group_can_be_selected_by_its_path() -> None:
    app = Host()
    async with app.run_test(size=(80, 30)) as pilot:
        app.list.set_rows(ROWS, ACTIVITIES)
        app.list.view.focus()
        await pilot.press("left")
        app.list.set_filter("nothing like this")
        await pilot.pause()
        assert app.list.select(PLAIN.path)
        await pilot.pause()
        assert app.list.selected_path == PLAIN.path
        assert app.list.field.input.value == ""
        assert not app.list.select("/nowhere")


async def test_the_current_folder_is_first_and_shown_whole() -> None:
    app = Host(current_cwd=API)
    async with app.run_test(size=(80, 30)) as pilot:
        app.list.set_rows(ROWS)
        await pilot.pause()
        assert app.list.selected_path == SHAPED.path
        assert app.list.listing.items[0].title == API
