"""The tree on a mounted screen: following, folding, filters, jumps, the detail beside it."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from ink_tui.model.entries import EntryId
from ink_tui.model.outline_rows import FilterMode
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from tests.every_kind import TORN, every_kind
from tests.list_and_tree_host import Host
from tests.session_rows import ACTIVITIES, ROWS
from tests.sessions import answer, results, session, user

SIZES = [(120, 36), (80, 24), (60, 20)]
sizes = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


def chain(count: int) -> bytes:
    turns = [user("n0", None, "turn 0")]
    turns += [user(f"n{n}", f"n{n - 1}", f"turn {n}", n) for n in range(1, count)]
    return session(*turns)


def texts(app: Host) -> list[str]:
    return [row.text for row in app.tree_view.seen]


def selected_text(app: Host) -> str:
    row = app.tree_view.highlighted
    assert row is not None
    return row.text


@sizes
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
async def test_no_row_is_wider_than_the_screen(size: tuple[int, int], glyphs: Glyphs) -> None:
    app = Host(glyphs)
    async with app.run_test(size=size) as pilot:
        app.show(every_kind())
        for mode in FilterMode:
            app.tree_view.show_mode(mode)
            await pilot.pause()
            for widget in (app.tree_view, app.detail):
                assert app.widths_fit(widget)


@sizes
async def test_a_fresh_session_shows_its_end_and_the_resume_point(size: tuple[int, int]) -> None:
    app = Host()
    async with app.run_test(size=size) as pilot:
        app.show(chain(80))
        await pilot.pause()
        assert selected_text(app) == "turn 79"
        lines = app.drawn(app.tree_view)
        assert "resume point" in lines[-1]
        assert "turn 79" in lines[-2]
        assert app.last("entry") == "n79"


@sizes
async def test_a_cursor_at_the_end_follows_and_one_elsewhere_stays(size: tuple[int, int]) -> None:
    app = Host()
    async with app.run_test(size=size) as pilot:
        app.show(chain(60))
        app.tree_view.focus()
        await pilot.pause()
        app.show(chain(70))
        await pilot.pause()
        assert selected_text(app) == "turn 69"
        assert "resume point" in app.drawn(app.tree_view)[-1]
        await pilot.press("up", "up", "up")
        height = app.drawn(app.tree_view).index(
            next(line for line in app.drawn(app.tree_view) if "turn 66" in line)
        )
        app.show(chain(90))
        await pilot.pause()
        assert selected_text(app) == "turn 66"
        assert "turn 66" in app.drawn(app.tree_view)[height]
        await pilot.press("G")
        app.show(chain(100))
        await pilot.pause()
        assert app.tree_view.selected == "resume"


async def test_an_open_call_gets_its_result_under_the_cursor() -> None:
    app = Host()
    start = (user("u1", None, "go"), answer("a1", "u1", calls=(("c1", "bash", {"command": "x"}),)))
    async with app.run_test(size=(80, 24)) as pilot:
        app.show(session(*start), running=True)
        await pilot.pause()
        assert any("running" in line for line in app.drawn(app.tree_view))
        assert "running" in app.drawn(app.detail)[0]
        app.tree_view.tick()
        app.show(session(*start))
        await pilot.pause()
        assert any("may have run" in line for line in app.drawn(app.tree_view))
        assert "No result was saved for this call." in app.drawn(app.detail)[2]
        app.show(session(*start, results("r1", "a1", ("c1", "bash", "done"), second=9)))
        await pilot.pause()
        row = app.tree_view.highlighted
        assert row is not None
        assert (row.result_id, row.problem) == ("r1", False)
        assert "done" in app.drawn(app.detail)[2]


async def test_folds_open_and_close_and_lead_to_the_parent() -> None:
    app = Host()
    async with app.run_test(size=(80, 40)) as pilot:
        app.show(every_kind())
        app.tree_view.focus()
        await pilot.pause()
        tree = app.tree_view
        assert tree.select_entry(EntryId("u3"))
        await pilot.press("down", "right")
        assert "a table" in texts(app)
        await pilot.press("right")
        assert selected_text(app) == "a table"
        await pilot.press("left")
        assert selected_text(app) == "try a lookup table"
        await pilot.press("left")
        assert "a table" not in texts(app)
        await pilot.press("left")
        assert selected_text(app) == "what about -0?"
        await pilot.press("home", "down", "down", "enter")
        assert "step 3" in texts(app)
        await pilot.press("enter")
        assert "step 3" not in texts(app)


async def test_enter_opens_records_and_unfolds_branches() -> None:
    app = Host()
    async with app.run_test(size=(80, 40)) as pilot:
        app.show(every_kind())
        app.tree_view.focus()
        app.tree_view.select_entry(EntryId("u3"))
        await pilot.press("enter")
        assert app.last("entry opened") == "u3"
        await pilot.press("down", "enter")
        assert "a table" in texts(app)
        await pilot.press("enter")
        assert app.last("entry opened") == "b1"


async def test_a_triangle_folds_by_click() -> None:
    app = Host()
    async with app.run_test(size=(80, 60)) as pilot:
        app.show(every_kind())
        await pilot.pause()
        tree = app.tree_view
        lines = app.drawn(tree)
        at = next(y for y, line in enumerate(lines) if "12 more" in line)
        column = cell_len(lines[at][: lines[at].index("▸")])
        await pilot.click(tree, offset=(column, at))
        assert "step 3" in texts(app)
        lines = app.drawn(tree)
        at = next(y for y, line in enumerate(lines) if "12 summarised away" in line)
        await pilot.click(tree, offset=(column, at))
        assert "step 3" not in texts(app)


@sizes
async def test_jumps(size: tuple[int, int]) -> None:
    app = Host()
    async with app.run_test(size=size) as pilot:
        app.show(every_kind())
        app.tree_view.focus()
        await pilot.press("home")
        torn = f"{len(TORN)} bytes, not a complete record"
        for key, expected in (
            ("p", "src/sum.ts"),
            ("p", "npm test"),
            ("p", torn),
            ("P", "npm test"),
            ("left_square_bracket", "what about -0?"),
            ("left_square_bracket", "也要处理空数组和 NaN 的情况"),
            ("right_square_bracket", "what about -0?"),
            ("C", ""),
            ("right_curly_bracket", "what about -0?"),
            ("c", "what about -0?"),
        ):
            await pilot.press(key)
            assert selected_text(app) == expected, key
            row = app.tree_view.highlighted
            assert row is not None
            drawn = "\n".join(app.drawn(app.tree_view))
            assert (row.text or row.word)[:5] in drawn


async def test_filters_go_round_and_the_selection_goes_to_the_nearest() -> None:
    app = Host()
    async with app.run_test(size=(80, 30)) as pilot:
        app.show(every_kind())
        app.tree_view.focus()
        app.tree_view.select_entry(EntryId("n3"))
        await pilot.press("v", "v")
        assert app.tree_view.mode.value == "user only"
        assert selected_text(app) == "what about -0?"
        await pilot.press("v", "v", "v", "v")
        assert app.tree_view.mode.value == "default"


async def test_an_entry_inside_a_fold_is_unfolded_to_be_selected() -> None:
    app = Host()
    async with app.run_test(size=(80, 30)) as pilot:
        app.show(every_kind())
        app.tree_view.show_mode(FilterMode.USER_ONLY)
        assert app.tree_view.select_entry(EntryId("b1b"))
        assert app.tree_view.select_entry(EntryId("y3"))
        await pilot.pause()
        assert selected_text(app) == "npm test 3"
        assert not app.tree_view.select_entry(EntryId("nowhere"))
        assert app.tree_view.select_entry(EntryId("l1"))
        assert app.tree_view.mode is FilterMode.ALL


async def test_another_session_is_told_even_when_its_row_has_the_same_place() -> None:
    app = Host()
    async with app.run_test(size=(80, 30)) as pilot:
        app.show(session(user("one", None, "same length")), "/s/1.jsonl")
        await pilot.pause()
        assert app.last("entry") == "one"
        app.show(session(user("two", None, "same length")), "/s/2.jsonl")
        await pilot.pause()
        assert app.last("entry") == "two"


async def test_hints_and_an_empty_detail() -> None:
    app = Host()
    async with app.run_test(size=(80, 30)) as pilot:
        assert not "".join(app.drawn(app.detail)).strip()
        app.detail.set_hint("p goes to the problem")
        await pilot.pause()
        assert "p goes to the problem" in app.drawn(app.detail)[-1]
        app.show(every_kind())
        await pilot.pause()
        assert app.drawn(app.detail)[0].startswith(" bash")
        assert "p goes to the problem" in app.drawn(app.detail)[-1]
        app.detail.clear()
        app.detail.set_hint("")
        assert not "".join(app.drawn(app.detail)).strip()


async def test_without_colour_the_words_stay_and_the_selection_is_reverse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def shown() -> tuple[list[str], list[str], bool]:
        app = Host()
        async with app.run_test(size=(80, 40)) as pilot:
            app.list.set_rows(ROWS, ACTIVITIES)
            app.show(every_kind())
            app.tree_view.focus()
            await pilot.pause()
            view = app.tree_view
            strips = [view.render_line(y) for y in range(view.size.height)]
            marked = [
                strip.text
                for strip in strips
                if any(segment.style and segment.style.reverse for segment in strip)
            ]
            return app.drawn(view), app.drawn(app.list.view), marked == [app.drawn(view)[16]]

    coloured = await shown()
    monkeypatch.setenv("NO_COLOR", "1")
    plain = await shown()
    assert plain[:2] == coloured[:2]
    assert plain[2]
    assert not coloured[2]
