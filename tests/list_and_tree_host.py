"""A small app around the list and the tree, for tests."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.app import App, ComposeResult

from ink_tui.model.outline import build_outline
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.themes import register_themes
from ink_tui.tui.widgets.detail_pane import DetailPane
from ink_tui.tui.widgets.session_list import SessionList
from ink_tui.tui.widgets.session_tree import SessionTree
from tests.conftest import NOON
from tests.sessions import read

if TYPE_CHECKING:
    from textual.widget import Widget

    from ink_tui.model.verdict import Diagnosis


class Host(App[None]):
    """List, tree and detail, the tree and the detail fed from bytes."""

    CSS = "SessionList { height: 1fr; } SessionTree { height: 2fr; } DetailPane { height: 5; }"

    def __init__(self, glyphs: Glyphs = UNICODE, current_cwd: str = "") -> None:
        super().__init__()
        self.list = SessionList(
            now=lambda: NOON, zone=UTC, home="/home/u", current_cwd=current_cwd, glyphs=glyphs
        )
        self.tree_view = SessionTree(now=lambda: NOON, zone=UTC, glyphs=glyphs)
        self.detail = DetailPane(now=lambda: NOON, zone=UTC, home="/home/u", glyphs=glyphs)
        self.said: list[tuple[str, str | None]] = []
        self.diagnosis: Diagnosis | None = None

    def compose(self) -> ComposeResult:
        yield self.list
        yield self.tree_view
        yield self.detail

    def on_mount(self) -> None:
        register_themes(self)
        self.theme = "ink"

    def show(self, data: bytes, path: str = "/s/1.jsonl", *, running: bool = False) -> None:
        """Show a session in the tree."""
        self.diagnosis = read(data)
        outline = build_outline(self.diagnosis, child_records={"child-1": 18}, running=running)
        self.tree_view.set_outline(outline, path)

    def on_session_list_session_selected(self, message: SessionList.SessionSelected) -> None:
        self.said.append(("selected", message.path))

    def on_session_list_session_opened(self, message: SessionList.SessionOpened) -> None:
        self.said.append(("opened", message.path))

    def on_session_list_filter_changed(self, message: SessionList.FilterChanged) -> None:
        self.said.append(("filter", message.words))

    def on_session_tree_entry_highlighted(self, message: SessionTree.EntryHighlighted) -> None:
        self.said.append(("entry", message.entry_id))
        if message.row is not None and self.diagnosis is not None:
            self.detail.show_entry(message.row, self.diagnosis)

    def on_session_tree_entry_opened(self, message: SessionTree.EntryOpened) -> None:
        self.said.append(("entry opened", message.entry_id))

    def last(self, what: str) -> str | None:
        """What the last message of a kind said."""
        return next(value for name, value in reversed(self.said) if name == what)

    def widths_fit(self, widget: Widget) -> bool:
        """Whether every line is exactly as wide as the room beside the scroll bar."""
        room = widget.scrollable_content_region.width
        return {cell_len(line) for line in self.drawn(widget)} == {room}

    def drawn(self, widget: Widget) -> list[str]:
        """The lines that a widget shows."""
        return [widget.render_line(y).text for y in range(widget.size.height)]
