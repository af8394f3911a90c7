"""The transcript on a mounted screen: what it lays out, how it scrolls, what its keys do."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random
from typing import TYPE_CHECKING

import pytest
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.widgets import ContentSwitcher, Static

from ink_tui.model.entries import EntryId
from ink_tui.model.transcript import CompactionBody, ToolBody
from ink_tui.model.transcript_build import build_transcript
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.themes import register_themes
from ink_tui.tui.widgets.transcript_view import TranscriptView
from tests.transcript_samples import REAL, Script, call, case, diagnosed, result, thinking

if TYPE_CHECKING:
    from ink_tui.model.verdict import Diagnosis

NOON = datetime(2026, 3, 2, 12, 4, tzinfo=UTC)
sizes = pytest.mark.parametrize(
    "size", [(120, 36), (80, 24), (60, 20)], ids=lambda size: f"{size[0]}x{size[1]}"
)


class Screen(App[None]):
    def __init__(self, diagnosis: Diagnosis, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self.view = TranscriptView(now=lambda: NOON, zone=UTC, glyphs=glyphs)
        self.given = diagnosis
        self.seen: list[str] = []
        self.raw: list[int] = []

    def compose(self) -> ComposeResult:
        yield self.view

    def on_mount(self) -> None:
        register_themes(self)
        self.theme = "ink"
        self.view.set_transcript(build_transcript(self.given))
        self.view.focus()

    def on_transcript_view_highlighted(self, message: TranscriptView.Highlighted) -> None:
        self.seen.append(message.block.key if message.block is not None else "")

    def on_transcript_view_raw_wanted(self, message: TranscriptView.RawWanted) -> None:
        self.raw.append(message.span.line)

    @property
    def lines(self) -> list[str]:
        return [self.view.render_line(y).text.rstrip() for y in range(self.view.size.height)]

    @property
    def selected(self) -> str:
        assert self.view.selected is not None
        return self.view.selected.key


def long(turns: int, words: int = 60) -> Diagnosis:
    script = Script()
    for number in range(turns):
        script.user(f"question {number}", seconds=1)
        script.answer(f"answer {number} " + "word " * words, seconds=1)
    return script.diagnosis()


@sizes
async def test_every_line_is_as_wide_as_the_pane(size: tuple[int, int]) -> None:
    app = Screen(diagnosed((REAL / "two-compactions.jsonl").read_bytes()))
    async with app.run_test(size=size) as pilot:
        for key in ("pagedown", "G", "left_square_bracket", "enter", "pageup", "a", "T", "w"):
            await pilot.press(key)
            width = app.view.scrollable_content_region.width
            strips = [app.view.render_line(y) for y in range(app.view.size.height)]
            assert {strip.cell_length for strip in strips} == {width}


@pytest.mark.parametrize(("turns", "words"), [(500, 400), (2_000, 1_000)], ids=["1MB", "10MB"])
async def test_only_what_is_on_the_screen_is_laid_out(turns: int, words: int) -> None:
    diagnosis = long(turns, words)
    assert diagnosis.session.size > (1_000_000 if turns == 500 else 9_000_000)
    app = Screen(diagnosis)
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        assert app.view.laid_out_blocks < 60
        assert app.view.laid_out_lines < 400
        await pilot.press("G")
        assert any(f"answer {turns - 1}" in line for line in app.lines) or app.view.at_end
        await pilot.press("g", "pagedown", "pagedown")
        assert app.view.laid_out_blocks < 200
        assert app.view.laid_out_lines < 1_500


async def test_a_chain_of_five_thousand_records_opens_and_scrolls() -> None:
    app = Screen(long(2_500, 0))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("G")
        assert app.selected == "e5000:0"
        assert "answer 2499" in app.lines[-1]
        await pilot.press("g")
        assert app.lines[0].startswith(" turn 1 of 2,500")
        assert app.view.laid_out_blocks < 150


async def test_a_line_of_twelve_million_characters_is_never_wrapped_whole() -> None:
    script = Script().user("Diff the snapshots.").answer(call("c1", "bash", command="git diff"))
    script.results(result("c1", "bash", "0123456789" * 1_200_000)).answer("Only digits changed.")
    app = Screen(script.diagnosis())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        shown = "\n".join(app.lines)
        assert "12,000,000 characters" in shown
        assert "Only digits changed." in shown
        await pilot.press("right", "enter", "enter")
        assert app.view.laid_out_lines < 1_000
        await pilot.press("G")
        assert "part 2 of 750" in "\n".join(app.lines)


async def test_the_turn_stays_on_top_while_it_is_read() -> None:
    app = Screen(long(3, 900))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("pagedown")
        assert app.lines[0].startswith(" turn 1 of 3  question 0")
        await pilot.press("right_square_bracket")
        assert app.lines[0].startswith(" turn 2 of 3  question 1")
        assert app.lines[2].startswith(" ┃ question 1")


async def test_blocks_are_selected_and_folded() -> None:
    script = (
        Script()
        .user("x")
        .answer(
            thinking("one\ntwo"), call("c", "bash", command="make"), call("d", "read", path="p")
        )
    )
    script.results(result("c", "bash", "1\n2\n3\n4\n5"), result("d", "read", "text"))
    app = Screen(script.diagnosis())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("right", "right")
        assert app.selected == "e2:1"
        assert "2 lines above   enter show all" in "\n".join(app.lines)
        await pilot.press("enter")
        assert "lines above" not in "\n".join(app.lines)
        assert app.lines[7].strip() == "1"
        await pilot.press("enter")
        assert "2 lines above" in "\n".join(app.lines)
        await pilot.press("T")
        assert "   two" in app.lines
        await pilot.press("a")
        assert not any("above" in line for line in app.lines)
        await pilot.press("left", "d")
        assert app.raw == [3]


async def test_a_raw_record_is_shown_escaped_and_hidden_again() -> None:
    app = Screen(case("42-"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("d")
        app.view.set_raw(app.selected, b'{"a":"\x1b[31m\xe7\xa9\xba\xff"}\n', 50_000)
        text = "\n".join(app.lines)
        assert '{"a":"␛[31m空<FF>"}↵' in text
        assert "49,982 bytes more of this record" in text
        await pilot.press("d")
        assert "<FF>" not in "\n".join(app.lines)
        assert app.raw == [2]


async def test_problems_and_compactions_are_found() -> None:
    app = Screen(case("49-"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("c")
        assert app.view.selected is not None
        assert isinstance(app.view.selected.body, CompactionBody)
        await pilot.press("c", "C")
        assert app.selected.startswith("k1")
    app = Screen(case("42-"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p")
        assert app.view.selected is not None
        assert isinstance(app.view.selected.body, ToolBody)
        assert "no result saved; the chat went on" in "\n".join(app.lines)


async def test_a_view_at_the_end_follows_and_one_that_reads_stays() -> None:
    app = Screen(long(30))
    longer = build_transcript(long(31))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("pagedown", "pagedown")
        before, selected = [line.replace("of 30", "of 31") for line in app.lines], app.selected
        app.view.set_transcript(longer)
        await pilot.pause()
        assert (app.lines, app.selected) == (before, selected)
        await pilot.press("G")
        app.view.set_transcript(build_transcript(long(32)))
        await pilot.pause()
        assert app.view.at_end
        assert app.selected == "e64:0"
        assert "word" in app.lines[-1]


async def test_a_resize_keeps_the_block_at_the_top() -> None:
    app = Screen(long(30))
    async with app.run_test(size=(120, 36)) as pilot:
        for _ in range(3):
            await pilot.press("right_square_bracket")
        assert app.lines[2].startswith(" ┃ question 3")
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert app.lines[2].startswith(" ┃ question 3")


async def test_any_keys_in_any_order_leave_a_whole_screen() -> None:
    keys = [
        "pagedown",
        "pageup",
        "down",
        "up",
        "right",
        "left",
        "G",
        "g",
        "enter",
        "[",
        "]",
        "p",
        "P",
        "a",
        "T",
        "w",
        "ctrl+d",
        "ctrl+u",
    ]
    names = {"[": "left_square_bracket", "]": "right_square_bracket"}
    chosen = Random(7)
    app = Screen(diagnosed((REAL / "two-compactions.jsonl").read_bytes()))
    async with app.run_test(size=(100, 30)) as pilot:
        for step in range(40):
            key = chosen.choice(keys)
            await pilot.press(names.get(key, key))
            if step % 13 == 12:
                await pilot.resize_terminal(chosen.choice([60, 140]), chosen.choice([20, 50]))
                await pilot.pause()
            view = app.view
            assert 0 <= view.scroll_offset.y <= view.max_scroll_y
            width = view.scrollable_content_region.width
            for y in range(view.size.height):
                assert view.render_line(y).cell_length == width


async def test_scrolling_takes_the_selection_along() -> None:
    app = Screen(long(30))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("pagedown", "pagedown")
        text = "\n".join(app.lines)
        number = (int(app.selected[1:].split(":")[0]) - 1) // 2
        assert f"question {number}" in text
        await pilot.press("home")
        assert app.selected == "e1:user"


async def test_a_click_selects_and_a_click_on_the_triangle_folds() -> None:
    script = Script().user("x").answer(thinking("one\ntwo"), "text")
    app = Screen(script.diagnosis())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.click(TranscriptView, offset=(20, 6))
        assert app.selected == "e2:1"
        await pilot.click(TranscriptView, offset=(1, 4))
        assert app.selected == "e2:0"
        assert "   two" in app.lines


class Tabs(Screen):
    """The view in a tab that is not shown at first."""

    def compose(self) -> ComposeResult:
        with ContentSwitcher(initial="other"):
            yield Static("other", id="other")
            with Vertical(id="transcript"):
                yield self.view

    def show(self) -> None:
        self.query_one(ContentSwitcher).current = "transcript"


async def test_a_tab_that_was_never_shown_opens_where_it_was_told_to() -> None:
    app = Tabs(long(30))
    async with app.run_test(size=(80, 24)) as pilot:
        app.view.set_transcript(build_transcript(long(30)), follow=True)
        app.show()
        await pilot.pause()
        assert app.view.at_end
        assert app.selected == "e60:0"
        assert "word" in app.lines[-1]
    app = Tabs(long(30))
    async with app.run_test(size=(80, 24)) as pilot:
        app.view.set_transcript(build_transcript(long(30)), follow=True)
        app.view.select_entry(EntryId("e21"))
        app.show()
        await pilot.pause()
        assert app.lines[2].startswith(" ┃ question 10")


async def test_another_session_has_folds_of_its_own_and_opens_at_its_end() -> None:
    app = Screen(long(30))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("right", "enter")
        folded = app.view.fold_of(2)
        app.view.set_transcript(build_transcript(long(31)))
        assert app.view.fold_of(2) == folded
        other = Script().user("something else").answer("yes").diagnosis()
        app.view.set_transcript(build_transcript(other), follow=True)
        await pilot.pause()
        assert app.selected == "e2:0"
        assert app.view.fold_of(2) != folded


async def test_an_empty_session_says_so() -> None:
    app = Screen(case("12-"))
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("down", "enter", "G", "p", "right")
        assert app.lines[1] == " This session has no message yet."


@pytest.mark.parametrize("name", ["18-", "19-", "74-", "78-", "79-"])
async def test_nothing_foreign_reaches_the_screen_raw(name: str) -> None:
    app = Screen(case(name))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        text = "".join(app.lines)
        assert not any(char in text for char in "\x1b\x07\x00\x9b\u202e\u200b\ud83d")
        if name == "79-":
            assert "[" in text


async def test_ascii_and_no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = Screen(case("48-"), ASCII)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p")
        shown = "\n".join(app.lines)
        assert shown.isascii()
        assert "! bash" in shown
        assert "no result saved; may have run" in shown
        assert "torn tail" in shown
        row = next(y for y, line in enumerate(app.lines) if "! bash" in line)
        styles = [segment.style for segment in app.view.render_line(row)]
        assert any(style is not None and style.reverse for style in styles)
