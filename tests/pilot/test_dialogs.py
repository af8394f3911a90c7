"""Help, questions, the palette and the empty state on a mounted screen."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from textual.app import App, ComposeResult

from ink_tui.keymap import CHAINS, Context, build_keymap, display_key
from ink_tui.tui.render.command_rows import session_commands, theme_commands
from ink_tui.tui.render.dialog_rows import Choice
from ink_tui.tui.render.empty_rows import EmptyFacts, EmptyKind
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.render.question_rows import (
    HAND_OVER,
    PASTE,
    STAY,
    STOP,
    UNDO,
    paste_question,
    quit_question,
    undo_question,
)
from ink_tui.tui.screens.commands import CommandsScreen
from ink_tui.tui.screens.help import HelpScreen
from ink_tui.tui.screens.question import QuestionScreen
from ink_tui.tui.themes import register_themes
from ink_tui.tui.widgets.dialog import Dialog
from ink_tui.tui.widgets.empty_state import EmptyState
from tests.dialog_host import SIZES, Host, assert_fits, click_on, screen_text

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from ink_tui.tui.messages import ActionChosen

sizes = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
KEYMAP = build_keymap({}, "test")
HOSTILE = "\x1b]0;owned\x07[bold]x[/bold] \u202e\x9b31m"
FORBIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e]")


async def read_all(pilot: Pilot[None]) -> str:
    """Everything that a dialog says, scrolled through from its start."""
    body = pilot.app.screen.query_one(Dialog).body
    seen = screen_text(pilot.app)
    while body.scroll_offset.y < body.max_scroll_y:
        await pilot.press("pagedown")
        await pilot.pause()
        assert_fits(pilot.app)
        seen += screen_text(pilot.app)
    return seen


# Help


@sizes
@pytest.mark.parametrize("focus", list(Context))
async def test_help_names_every_key_that_acts(size: tuple[int, int], focus: Context) -> None:
    app = Host(HelpScreen(focus, watch_reason="inotify has no watches left"))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert_fits(app)
        assert f"{focus.value} has the focus" in screen_text(app)
        seen = await read_all(pilot)
        words = seen.split()
        for action in KEYMAP.acting(focus):
            for key in action.keys:
                assert display_key(key) in words
        for text in ("Marks", "needs you", "compacted", "resume point", "kept", "inotify"):
            assert text in seen
        await pilot.press("escape")
        await pilot.pause()
        assert app.results == [None]


async def test_help_begins_with_what_has_the_focus() -> None:
    app = Host(HelpScreen(Context.TREE))
    async with app.run_test(size=(80, 60)) as pilot:
        await pilot.pause()
        seen = await read_all(pilot)
        names = [c.value.removeprefix("the ").capitalize() for c in CHAINS[Context.TREE]]
        places = [re.search(rf"(?m)^ *{name} *$", seen) for name in names]
        starts = [found.start() for found in places if found]
        assert len(starts) == len(names)
        assert starts == sorted(starts)


async def test_help_shows_the_users_own_keys() -> None:
    keymap = build_keymap({"resume": ["f9"]}, "test")
    app = Host(HelpScreen(Context.LIST, keymap=keymap))
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        assert re.search(r"f9 +resume", screen_text(app))


@sizes
@pytest.mark.parametrize("keys", ["enter", "escape"])
async def test_help_closes(size: tuple[int, int], keys: str) -> None:
    app = Host(HelpScreen(Context.LIST))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.press(keys)
        await pilot.pause()
        assert app.results == [None]


@sizes
async def test_help_scrolls_and_closes_by_mouse(size: tuple[int, int]) -> None:
    app = Host(HelpScreen(Context.TREE))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        body = app.screen.query_one(Dialog).body
        if body.max_scroll_y:
            await click_on(pilot, "shows more")
            assert body.scroll_offset.y > 0
            await pilot.press("up", "pageup", "down")
            assert body.scroll_offset.y == 1
        await click_on(pilot, "close")
        assert app.results == [None]


async def test_help_in_ascii() -> None:
    app = Host(HelpScreen(Context.TREE, glyphs=ASCII))
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        assert (await read_all(pilot)).isascii()


# Questions


def quitting(reason: str = "", glyphs: Glyphs = UNICODE) -> QuestionScreen:
    title, choices = quit_question(2, reason)
    return QuestionScreen(title, (), choices, default=STAY, cancelled=STAY, glyphs=glyphs)


@sizes
@pytest.mark.parametrize(
    ("reason", "keys", "result"),
    [
        ("", "enter", STAY),
        ("", "escape", STAY),
        ("", "up enter", HAND_OVER),
        ("", "k k enter", STOP),
        ("", "k j enter", STAY),
        ("", "up up down enter", HAND_OVER),
        ("no agent is idle", "up enter", STOP),
    ],
)
async def test_the_quit_question(
    size: tuple[int, int], reason: str, keys: str, result: str
) -> None:
    app = Host(quitting(reason))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        seen = screen_text(app)
        for text in ("2 agents are running", "Stop them and quit", "Hand one over", "› Stay"):
            assert text in seen
        assert reason in seen
        assert_fits(app)
        for key in keys.split():
            await pilot.press(key)
        await pilot.pause()
        assert app.results == [result]


@sizes
async def test_a_question_answers_to_clicks(size: tuple[int, int]) -> None:
    app = Host(quitting("no agent is idle", ASCII))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert screen_text(app).isascii()
        await click_on(pilot, "Hand one over")
        await click_on(pilot, "Hand one over")
        await click_on(pilot, "Stop them")
        assert app.results == []
        await click_on(pilot, "Stop them")
        assert app.results == [STOP]


async def test_an_answer_has_its_own_key() -> None:
    choices = (Choice("yes", "Yes", "", "w"), Choice("no", "No", "", "x", enabled=False))
    app = Host(QuestionScreen("Sure?", (), choices, default="yes", cancelled="no"))
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.pause()
        await pilot.press("x", "q")
        await pilot.pause()
        assert app.results == []
        await pilot.press("w")
        await pilot.pause()
        assert app.results == ["yes"]


@sizes
async def test_a_long_paste_is_shown_cleaned_and_scrolls(size: tuple[int, int]) -> None:
    title, sentences, choices = paste_question("\n".join([HOSTILE + "w " * 300] * 12))
    app = Host(QuestionScreen(title, sentences, choices, default=STAY, cancelled=STAY))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        seen = screen_text(app)
        assert "Paste 12 lines?" in seen
        assert "Do not paste" in seen
        assert_fits(app)
        await click_on(pilot, "shows more")
        seen += await read_all(pilot)
        assert not FORBIDDEN.search(seen.replace("\n", ""))
        assert "[bold]x[/bold]" in seen
        assert "4 more lines" in seen
        await pilot.press("pageup", "up", "enter")
        await pilot.pause()
        assert app.results == [PASTE]


async def test_the_undo_question_leaves_it_by_default() -> None:
    title, choices = undo_question("the name", "cuts 120 bytes")
    assert title == "Undo the name all the same?"
    for keys, result in (("enter", STAY), ("up enter", UNDO)):
        app = Host(QuestionScreen(title, (), choices, default=STAY, cancelled=STAY))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            assert "cuts 120 bytes" in screen_text(app)
            await pilot.press(*keys.split())
            await pilot.pause()
            assert app.results == [result]


# The palette


def palette(glyphs: Glyphs = UNICODE) -> CommandsScreen:
    extra = (
        *theme_commands(["ink", "ink-light"], "ink"),
        *session_commands([("a", "给解析器加上 CRLF 支持"), ("b", HOSTILE), ("c", "a" * 5000)]),
    )
    return CommandsScreen(Context.TREE, extra=extra, glyphs=glyphs)


@sizes
@pytest.mark.parametrize(
    ("typed", "keys", "result"),
    [
        ("next compaction", "enter", "next-compaction"),
        ("compaction", "down enter", "previous-compaction"),
        ("compaction", "down up enter", "next-compaction"),
        ("themelight", "enter", "theme:ink-light"),
        ("解析器", "enter", "open:a"),
        ("crlf", "enter", "open:a"),
        ("quit", "enter", "quit"),
        ("quit", "escape", None),
    ],
)
async def test_the_palette_finds(
    size: tuple[int, int], typed: str, keys: str, result: str | None
) -> None:
    app = Host(palette())
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert_fits(app)
        for character in typed:
            await pilot.press("space" if character == " " else character)
        await pilot.pause()
        assert_fits(app)
        await pilot.press(*keys.split())
        await pilot.pause()
        assert app.results == [result]


@sizes
async def test_letters_that_are_keys_elsewhere_are_typed(size: tuple[int, int]) -> None:
    app = Host(palette())
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.press(*"jkqr")
        await pilot.pause()
        seen = screen_text(app)
        assert "› jkqr" in seen
        assert "Nothing matches “jkqr”." in seen
        assert "0 commands" in seen
        await pilot.press("enter")
        await pilot.pause()
        assert app.results == []


@sizes
async def test_the_palette_offers_what_acts_with_its_key(size: tuple[int, int]) -> None:
    app = Host(palette())
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert isinstance(app.dialog, CommandsScreen)
        seen = ""
        for _ in range(20):
            seen += screen_text(app)
            await pilot.press("pagedown")
            await pilot.pause()
        assert app.dialog.selected == "theme:ink-light"
        assert re.search(r"Resume the session; shows first what will happen +r", seen)
        assert "in use" in seen
        await pilot.press("pageup")
        await pilot.pause()
        assert app.dialog.selected != "theme:ink-light"


@sizes
async def test_the_palette_answers_to_clicks(size: tuple[int, int]) -> None:
    app = Host(palette())
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.press(*"transcript")  # what is far down the list is not to be seen at once
        await pilot.pause()
        await pilot.press("down")
        await click_on(pilot, "Show the transcript")
        assert app.results == []
        await click_on(pilot, "Show the transcript")
        assert app.results == ["tab-transcript"]


async def test_hostile_titles_are_literal_and_found_in_bounded_time() -> None:
    app = Host(palette(ASCII))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press(*"bold")
        await pilot.pause()
        seen = screen_text(app)
        assert "[bold]x[/bold]" in seen
        assert not FORBIDDEN.search(seen.replace("\n", ""))
        await pilot.press("ctrl+u", *("a" * 40))
        await pilot.pause()
        assert_fits(app)
        await pilot.press("enter")
        await pilot.pause()
        assert app.results == ["open:c"]


# Nothing to list


class Empty(App[None]):
    def __init__(self, facts: EmptyFacts, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self.facts = facts
        self.state = EmptyState(glyphs=glyphs)
        self.chosen: list[str] = []

    def compose(self) -> ComposeResult:
        yield self.state

    def on_mount(self) -> None:
        register_themes(self)
        self.theme = "ink"
        self.state.show(self.facts)

    def on_action_chosen(self, message: ActionChosen) -> None:
        self.chosen.append(message.action_id)


NO_SESSIONS = EmptyFacts(EmptyKind.NO_SESSIONS, "~/.ink/sessions", hidden=3, demo=True)


@sizes
@pytest.mark.parametrize(
    ("facts", "texts"),
    [
        (
            NO_SESSIONS,
            (
                "No sessions here yet",
                "~/.ink/sessions",
                "ink-tui --demo",
                "ink-tui --sessions-dir DIR",
                "3 sessions without a message are hidden. . shows them.",
            ),
        ),
        (
            EmptyFacts(EmptyKind.UNREADABLE, "~/.ink/sessions", reason="permission denied"),
            ("cannot be read", "✗ ~/.ink/sessions: permission denied", "ink-tui --demo"),
        ),
        (
            EmptyFacts(EmptyKind.NOTHING_MATCHES, query="crlf tool:bash", hidden=1),
            ("Nothing matches “crlf tool:bash”.", "esc clears it.", "1 session without", "it."),
        ),
    ],
)
async def test_nothing_to_list(
    size: tuple[int, int], facts: EmptyFacts, texts: tuple[str, ...]
) -> None:
    app = Empty(facts)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        seen = screen_text(app)
        for text in texts:
            assert text in seen
        assert_fits(app)
    app = Empty(facts, ASCII)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert screen_text(app).isascii()


@sizes
async def test_ways_on_are_chosen_by_click_and_enter(size: tuple[int, int]) -> None:
    app = Empty(NO_SESSIONS)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await click_on(pilot, "shows them")
        assert app.chosen == ["show-hidden"]
        app.state.view.focus()
        await pilot.press("enter")
        await pilot.pause()
        assert app.chosen == ["show-hidden", "demo"]


async def test_samples_that_cannot_be_opened_are_no_option() -> None:
    app = Empty(EmptyFacts(EmptyKind.NO_SESSIONS, "~/x"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert app.state.view.selected is None
        app.state.view.focus()
        await pilot.press("enter")
        await pilot.pause()
        assert app.chosen == []


async def test_a_narrow_empty_state_cuts_nothing_important() -> None:
    app = Empty(NO_SESSIONS)
    async with app.run_test(size=(40, 18)) as pilot:
        await pilot.pause()
        seen = " ".join(screen_text(app).split())
        for text in ("ink-tui --demo", "ink-tui --sessions-dir DIR", ". shows them."):
            assert text in seen


@pytest.mark.parametrize("kind", list(EmptyKind))
async def test_foreign_text_in_the_empty_state(kind: EmptyKind) -> None:
    app = Empty(EmptyFacts(kind, HOSTILE, reason=HOSTILE, query=HOSTILE))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        seen = screen_text(app)
        assert "[bold]x[/bold]" in seen
        assert not FORBIDDEN.search(seen.replace("\n", ""))
