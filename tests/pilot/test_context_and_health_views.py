"""The context and health tabs on a mounted screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from textual.app import App, ComposeResult

from ink_tui.model.context_table import build_table
from ink_tui.model.health import HexWindow, build_health, quiet
from ink_tui.model.liveness import Freshness
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.themes import register_themes
from ink_tui.tui.widgets.context_view import ContextView
from ink_tui.tui.widgets.health_view import HealthView
from tests.transcript_samples import REAL, case_bytes, diagnosed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ink_tui.tui.widgets.rows_view import RowsView

sizes = pytest.mark.parametrize(
    "size", [(120, 36), (80, 24), (60, 20)], ids=lambda size: f"{size[0]}x{size[1]}"
)


class Tab(App[None]):
    """One of the two views over the bytes of a file."""

    def __init__(self, view: RowsView, data: bytes) -> None:
        super().__init__()
        self.view = view
        self.data = data
        self.opened: list[str] = []
        self.asked: list[str] = []

    def compose(self) -> ComposeResult:
        yield self.view

    def on_mount(self) -> None:
        register_themes(self)
        self.theme = "ink"
        diagnosis = diagnosed(self.data)
        if isinstance(self.view, ContextView):
            self.view.set_table(build_table(diagnosis))
        elif isinstance(self.view, HealthView):
            self.view.set_health(build_health(diagnosis), quiet(Freshness.COLD, 161))
        self.view.focus()

    def on_rows_view_opened(self, message: RowsView.Opened) -> None:
        self.opened.append(message.key)

    def on_health_view_bytes_wanted(self, message: HealthView.BytesWanted) -> None:
        self.asked.append(message.fault.fault.code)
        windows = [HexWindow(at, self.data[at : at + n]) for at, n in message.fault.wanted]
        message.view.set_bytes(message.fault.key, windows)

    @property
    def lines(self) -> list[str]:
        return [self.view.render_line(y).text.rstrip() for y in range(self.view.size.height)]


def context(data: bytes, glyphs: Glyphs = UNICODE) -> Tab:
    return Tab(ContextView(glyphs=glyphs), data)


def health(data: bytes, glyphs: Glyphs = UNICODE) -> Tab:
    return Tab(HealthView(glyphs=glyphs), data)


def in_order(lines: Sequence[str], *words: str) -> None:
    """Check that some words stand in this order, one below the other."""
    at = -1
    for word in words:
        at = next((y for y in range(at + 1, len(lines)) if word in lines[y]), -1)
        assert at >= 0, f"{word!r} is not where it should be in {lines}"


@sizes
async def test_context_from_sentence_to_notes(size: tuple[int, int]) -> None:
    app = context(case_bytes("49-"))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        in_order(
            app.lines,
            *("What the agent would be sent on resume", "4 messages", "▒░█", "summary 16"),
            *("tokens", "summary", "kept copy", "kept copy", "compacted here", "user"),
            *("6 earlier records are left out", "The system prompt"),
        )


async def test_a_message_is_opened_and_the_folded_middle_unfolded() -> None:
    app = context((REAL / "two-compactions.jsonl").read_bytes())
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.press("down", "enter")
        assert app.opened == ["m1"]
        view = app.view
        assert isinstance(view, ContextView)
        found = view.row_of("m1")
        assert found is not None
        assert found.number == 2
        folded = next(row.key for row in view.rows if row.key.startswith("more:"))
        rows = len(view.rows)
        view.select(folded)
        await pilot.press("enter")
        assert app.opened == ["m1"]
        assert len(view.rows) > rows + 50
        assert view.selected is not None
        assert view.laid_out_rows < 150


async def test_context_is_drawn_anew_for_another_width() -> None:
    app = context(case_bytes("49-"))
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.press("down")
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert app.view.selected == "m1"
        bar = next(line for line in app.lines if "▒░█" in line)
        assert len(bar) == app.view.scrollable_content_region.width - 1


@sizes
async def test_health_from_verdict_to_what_follows(size: tuple[int, int]) -> None:
    app = health(case_bytes("48-"))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        rows = ["".join(piece.text for piece in (*row.mark, *row.text)) for row in app.view.rows]
        in_order(
            rows,
            *("! Can be repaired   2 things to settle", "!Torn tail", "!1 call without a saved"),
            *("✓Nobody has written here for 2m 41s", "─", "a repair cuts here, at byte 894"),
            *("more bytes", "end of file", "Ink itself", "Repair", "Fork"),
        )
        in_order(app.lines, "Can be repaired", "Torn tail", "a repair cuts here")


async def test_the_bytes_follow_the_selection() -> None:
    app = health(case_bytes("48-"))
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        assert app.asked == ["torn-fragment"]
        await pilot.press("down")
        assert app.asked == ["torn-fragment", "open-calls"]
        assert not any("a repair cuts here" in line for line in app.lines)
        assert any("     599 7b 22 74" in line for line in app.lines)
        await pilot.press("enter")
        assert app.opened == [app.view.selected]
        view = app.view
        assert isinstance(view, HealthView)
        view.set_bytes("another fault", [HexWindow(0, b"nothing of this")])
        assert not any("nothing of this" in line for line in app.lines)


async def test_health_keeps_its_selection_when_the_file_changes() -> None:
    app = health(case_bytes("48-"))
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.press("down")
        selected = app.view.selected
        view = app.view
        assert isinstance(view, HealthView)
        view.set_health(build_health(diagnosed(case_bytes("48-"))), quiet(Freshness.RECENT, 5))
        await pilot.pause()
        assert view.selected == selected
        assert any("The file changed 5 s ago" in line for line in app.lines)
        assert any("7b 22 74" in line for line in app.lines)


async def test_a_healthy_session() -> None:
    app = health(case_bytes("17-"))
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.press("down", "enter", "G")
        assert app.lines[0] == (
            " ✓ Nothing to settle. 4 records, 5 lines, every byte accounted for."
        )
        assert app.opened == []


@pytest.mark.parametrize("make", [context, health])
@sizes
async def test_no_line_is_wider_or_narrower_than_the_pane(
    make: Callable[[bytes], Tab], size: tuple[int, int]
) -> None:
    for name in ("06-", "15-", "26-", "42-", "78-"):
        app = make(case_bytes(name))
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            width = app.view.scrollable_content_region.width
            for y in range(app.view.size.height):
                assert app.view.render_line(y).cell_length == width


async def test_ascii_without_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    for app in (health(case_bytes("48-"), ASCII), context(case_bytes("41-"), ASCII)):
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            assert all(line.isascii() for line in app.lines)
            text = "\n".join(app.lines)
            assert "Can be repaired" in text or "! no result" in text


async def test_bytes_cannot_act_on_the_terminal() -> None:
    data = case_bytes("01-") + b"\x1b]0;x\x07\xe2\x80\xae\xff"
    app = health(data)
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        text = "".join(app.lines)
        assert not any(char in text for char in "\x1b\x07\u202e")
        assert "<FF>" in text
        assert "<U+202E>" in text
