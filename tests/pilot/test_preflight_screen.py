"""The preflight on a mounted screen: keys, clicks, sizes, second questions, hostile text."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from ink_tui.agent.preflight import OptionId, Preflight
from ink_tui.model.liveness import Freshness, Holder, HolderKind
from ink_tui.model.verdict import Verdict
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.screens.preflight import LookAgain, PreflightChoice, PreflightScreen
from ink_tui.tui.widgets.dialog import Dialog
from tests.dialog_host import SIZES, Host, assert_fits, click_on, screen_text
from tests.preflights import CALLS, FACTS, SESSION_ID, WRITES, healthy, launch, options, preflight

sizes = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
REPAIRED = PreflightChoice(OptionId.REPAIR, hand_over=False, confirmed=False, agent="ink")


async def pressed(
    value: Preflight, keys: str, size: tuple[int, int] = (120, 36)
) -> tuple[Host, str]:
    """Return the app and what was on its screen after some keys."""
    app = Host(PreflightScreen(value))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        for key in keys.split():
            await pilot.press(key)
        await pilot.pause()
        return app, screen_text(app)


@sizes
@pytest.mark.parametrize(
    ("keys", "result"),
    [
        ("enter", REPAIRED),
        ("f", replace(REPAIRED, option=OptionId.FORK)),
        ("i", replace(REPAIRED, option=OptionId.RESUME)),
        ("t", replace(REPAIRED, hand_over=True)),
        ("down t", replace(REPAIRED, option=OptionId.FORK, hand_over=True)),
        ("down enter", replace(REPAIRED, option=OptionId.FORK)),
        ("j j enter", replace(REPAIRED, option=OptionId.RESUME)),
        ("j k enter", REPAIRED),
        ("down up enter", REPAIRED),
        ("j j j enter", None),
        ("escape", None),
    ],
)
async def test_keys_decide(size: tuple[int, int], keys: str, result: object) -> None:
    app, _ = await pressed(preflight(), keys, size)
    assert app.results == [result]


@sizes
@pytest.mark.parametrize(
    ("keys", "asked", "says"),
    [
        ("a", ["agent ink"], "Repair and resume"),
        ("u", ["undo"], "Repair and resume"),
        ("y", [], "Copied the resume command."),
    ],
)
async def test_keys_that_decide_nothing(
    size: tuple[int, int], keys: str, asked: list[str], says: str
) -> None:
    app, seen = await pressed(preflight(), keys, size)
    assert (app.asked, app.results) == (asked, [])
    assert says in seen
    if keys == "y":
        assert app.clipboard == launch().copy_command


@sizes
async def test_details_show_every_byte_and_the_backup(size: tuple[int, int]) -> None:
    app = Host(PreflightScreen(preflight()))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert "20260302" not in screen_text(app)
        await pilot.press("d")
        await pilot.pause()
        read = ""
        body = app.screen.query_one(Dialog).body
        for _ in range(12):
            read += screen_text(app)
            assert_fits(app)
            await pilot.press("pagedown")
            await pilot.pause()
        assert body.scroll_offset.y == body.max_scroll_y
        read = re.sub(r"[\s▁▂▃▄▅▆▇]+", "", read)
        assert "a1b2c3d4-20260302-120400.jsonl" in read
        assert r'"Noresultwassaved.\xff给"}\n' in read
        assert SESSION_ID in read
        await pilot.press("pageup", "d")
        await pilot.pause()
        assert "20260302" not in screen_text(app)


@sizes
@pytest.mark.parametrize("value", [preflight(), healthy()], ids=["damaged", "healthy"])
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
async def test_everything_fits_and_options_stay(
    size: tuple[int, int], value: Preflight, glyphs: Glyphs
) -> None:
    app = Host(PreflightScreen(value, glyphs=glyphs))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        for _ in range(3):
            assert_fits(app)
            seen = screen_text(app)
            for option in value.options:
                assert option.name in seen
            await pilot.press("pagedown", "down")
            await pilot.pause()
        if glyphs is ASCII:
            assert seen.isascii()


@sizes
async def test_the_command_is_whole(size: tuple[int, int]) -> None:
    long = "/opt/" + "very/" * 12 + f"ink --with 给解析器 -r {SESSION_ID}"
    facts = tuple(replace(f, text=long) if f.label == "Command" else f for f in FACTS)
    app = Host(PreflightScreen(replace(preflight(), facts=facts)))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        read = screen_text(app)
        await pilot.press("pagedown")
        await pilot.pause()
        # Both pages together hold every word; a word wider than the line is broken, not cut.
        read = re.sub(r"[\s▁▂▃▄▅▆▇]+", "", read + screen_text(app))
        for word in long.split():
            assert word in read or all(part in read for part in word.split("-"))


async def test_what_would_be_written_is_on_the_screen_when_facts_scroll() -> None:
    for size in ((80, 24), (60, 20), (60, 16)):
        _, seen = await pressed(preflight(), "", size)
        assert "213 bytes" in seen
        assert "1 record" in seen


async def test_enter_writes_nothing_that_was_not_on_the_screen() -> None:
    app = Host(PreflightScreen(preflight()))
    async with app.run_test(size=(40, 11)) as pilot:
        await pilot.pause()
        assert "213 bytes" not in screen_text(app)
        await pilot.press("enter")
        await pilot.pause()
        assert app.results == []
        assert "1 record" in screen_text(app)
        await pilot.press("enter")
        await pilot.pause()
        assert app.results == [REPAIRED]


async def test_a_repair_that_lists_no_write_cannot_be_chosen() -> None:
    value = replace(preflight(), writes=())
    app, seen = await pressed(value, "up up up up")
    assert isinstance(app.dialog, PreflightScreen)
    assert app.dialog.selected == OptionId.FORK
    assert "Repair and resume" in seen
    app, _ = await pressed(value, "enter")
    assert app.results == [None]


@pytest.mark.parametrize("default", [OptionId.REPAIR, OptionId.FORK, OptionId.RESUME])
@pytest.mark.parametrize("verdict", list(Verdict))
async def test_the_default_of_the_value_is_selected(verdict: Verdict, default: OptionId) -> None:
    app, seen = await pressed(preflight(verdict, default), "")
    assert isinstance(app.dialog, PreflightScreen)
    assert app.dialog.selected == default
    name = next(o.name for o in preflight().options if o.id is default)
    assert re.search(rf"› {name} .* enter", seen)


async def test_a_default_that_cannot_be_chosen_leaves_cancel() -> None:
    value = replace(preflight(), options=options({OptionId.REPAIR: "in use"}))
    app, _ = await pressed(value, "enter")
    assert app.results == [None]


@sizes
async def test_an_impossible_option_says_why_and_is_not_done(size: tuple[int, int]) -> None:
    value = replace(
        preflight(default=OptionId.RESUME), options=options({OptionId.FORK: "nothing to copy"})
    )
    app = Host(PreflightScreen(value))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert "nothing to copy" in screen_text(app)
        await pilot.press("f")
        await pilot.pause()
        assert "Fork and resume: nothing to copy" in screen_text(app)
        await click_on(pilot, "nothing to copy")
        await click_on(pilot, "nothing to copy")
        assert app.results == []
        await pilot.press("up")
        assert isinstance(app.dialog, PreflightScreen)
        assert app.dialog.selected == OptionId.REPAIR


@sizes
async def test_a_second_question_names_the_facts(size: tuple[int, int]) -> None:
    value = replace(
        preflight(),
        freshness=Freshness.RECENT,
        holder=Holder(HolderKind.POSSIBLE, "ink, process 4711"),
        options=options(second=frozenset({OptionId.REPAIR})),
    )
    app = Host(PreflightScreen(value))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        seen = " ".join(screen_text(app).split())
        assert "The file changed under a minute ago." in seen
        assert "Perhaps in use by ink, process 4711." in seen
        assert "Press enter again to write all the same." in seen
        assert_fits(app)
        await pilot.press("down", "up")
        await pilot.pause()
        assert "all the same" not in screen_text(app)
        await pilot.press("enter")
        await pilot.pause()
        assert app.results == []
        await pilot.press("enter")
        await pilot.pause()
        assert app.results == [replace(REPAIRED, confirmed=True)]


@sizes
async def test_a_changed_session_can_only_be_looked_at_again(size: tuple[int, int]) -> None:
    app = Host(PreflightScreen(preflight()))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert isinstance(app.dialog, PreflightScreen)
        app.dialog.session_changed()
        await pilot.pause()
        seen = " ".join(screen_text(app).split())
        assert "The session has changed since it was read" in seen
        assert "› Look again" in seen
        assert_fits(app)
        await pilot.press("f", "i", "t")
        await pilot.pause()
        assert app.results == []
        await pilot.press("enter")
        await pilot.pause()
        assert app.results == [LookAgain()]


async def test_update_shows_another_agent() -> None:
    app = Host(PreflightScreen(preflight()))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert isinstance(app.dialog, PreflightScreen)
        await click_on(pilot, "Repair and resume")
        app.dialog.session_changed()
        facts = tuple(replace(f, text="built-in") if f.label == "Agent" else f for f in FACTS)
        app.dialog.update(replace(preflight(), facts=facts, launch=launch(agent="built-in")))
        await pilot.pause()
        assert "built-in" in screen_text(app)
        assert "Look again" not in screen_text(app)
        await click_on(pilot, "Repair and resume")
        assert app.results == []
        await pilot.press("enter")
        await pilot.pause()
    assert app.results == [replace(REPAIRED, agent="built-in")]


@sizes
async def test_clicks_select_then_do(size: tuple[int, int]) -> None:
    app = Host(PreflightScreen(preflight()))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await click_on(pilot, "Fork and resume")
        assert app.results == []
        assert isinstance(app.dialog, PreflightScreen)
        assert app.dialog.selected == OptionId.FORK
        await click_on(pilot, "Fork and resume")
        assert app.results == [replace(REPAIRED, option=OptionId.FORK)]


@sizes
async def test_one_click_never_decides(size: tuple[int, int]) -> None:
    app = Host(PreflightScreen(preflight()))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await click_on(pilot, "Repair and resume")
        assert app.results == []
        await pilot.press("down")
        await click_on(pilot, "Repair and resume")
        assert app.results == []


@sizes
@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("change agent", "agent ink"),
        ("undoes it", "undo"),
        ("this terminal", "hand over"),
        ("details", "20260302"),
        ("t this", "hand over"),
        ("copy", "Copied"),
    ],
)
async def test_key_hints_are_clickable(size: tuple[int, int], text: str, effect: str) -> None:
    app = Host(PreflightScreen(preflight()))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await click_on(pilot, text, last=True)
        if effect == "hand over":
            assert app.results == [replace(REPAIRED, hand_over=True)]
        elif effect == "20260302":
            await pilot.press("pagedown", "pagedown", "pagedown")
            await pilot.pause()
            assert "Backup" in screen_text(app) or "Option" in screen_text(app)
        else:
            assert app.asked == [effect] or effect in screen_text(app)


FORBIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\ud800-\udfff]")
HOSTILE = "\x1b]0;owned\x07[bold]x[/bold] \u202e\x9b31m\r\ud83d​"


@sizes
@pytest.mark.parametrize("details", [False, True])
async def test_foreign_text_is_literal_and_cleaned(size: tuple[int, int], details: bool) -> None:
    value = replace(
        preflight(),
        title=HOSTILE + " title",
        session_id=HOSTILE,
        headline="Look first",
        reason=HOSTILE + " reason",
        facts=tuple(
            replace(f, text=HOSTILE + f.label, note=HOSTILE, second=HOSTILE) for f in FACTS
        ),
        calls=tuple(
            replace(
                c,
                tool=HOSTILE,
                argument=HOSTILE,
                call_id=HOSTILE,
                evidence=HOSTILE,
                second=HOSTILE,
            )
            for c in CALLS
        ),
        writes=tuple(replace(w, preview=HOSTILE, place=HOSTILE) for w in WRITES),
        writes_name=HOSTILE,
        writes_note=HOSTILE,
        holder=Holder(HolderKind.POSSIBLE, HOSTILE),
        options=tuple(
            replace(o, consequence=HOSTILE, needs_second_confirmation=True)
            for o in preflight().options
        ),
        launch=replace(launch(), copy_command=HOSTILE),
    )
    app = Host(PreflightScreen(value))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.press(*(["d"] if details else []), "enter")
        for _ in range(6):
            await pilot.pause()
            seen = screen_text(app)
            assert not re.search(
                "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\ud800-\udfff]", seen
            )
            assert "[bold]x[/bold]" in seen
            assert "␛]0;owned␇" in seen
            assert_fits(app)
            await pilot.press("pagedown")


@pytest.mark.parametrize("theme", ["ink", "ink-light", "nord", "ansi-dark"])
async def test_every_theme_draws_it(theme: str) -> None:
    app = Host(PreflightScreen(preflight()), theme)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert_fits(app)


async def test_without_colour_words_and_marks_say_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = Host(PreflightScreen(preflight(), glyphs=ASCII))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        seen = screen_text(app)
        for words in ("! Can be repaired", "> Repair and resume", "+ safe to write", "- 213 bytes"):
            assert words in seen
        foot = app.screen.query_one(Dialog).foot
        looks = [
            {bool(segment.style and segment.style.reverse) for segment in foot.render_line(y)}
            for y in range(foot.size.height)
        ]
        assert looks[1] == {True}
        assert looks[-1] == {False}


async def test_a_resize_keeps_the_selection() -> None:
    app = Host(PreflightScreen(preflight()))
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        await pilot.press("down")
        for size in ((60, 20), (80, 24), (120, 36)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert isinstance(app.dialog, PreflightScreen)
            assert app.dialog.selected == OptionId.FORK
            assert_fits(app)
            assert re.search("› Fork and resume .* enter", screen_text(app))
