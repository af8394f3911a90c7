"""The health tab: verdict, faults, bytes of the selected fault, what follows from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.message import Message

from ink_tui.keymap import Context
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.health_rows import RULE_COLUMNS, RULE_KEY, health_rows
from ink_tui.tui.render.rows import Columns
from ink_tui.tui.render.waiting_rows import HEALTH_WAITS, WAITING_KEY, waiting_rows
from ink_tui.tui.widgets.bindings import bindings_for
from ink_tui.tui.widgets.rows_view import RowsView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.binding import BindingType

    from ink_tui.model.health import Health, HealthFault, HexWindow, Quiet
    from ink_tui.tui.render.rows import Row

_COLUMNS = Columns(gap=2)


class HealthView(RowsView):
    """Faults with a selection; `Opened` asks for the record of `fault_of(key)`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        binding
        for binding in bindings_for(Context.BROWSER)
        if binding.id in ("next-problem", "previous-problem")
    ]

    class BytesWanted(Message):
        """The bytes of a fault are to be read; `set_bytes` takes them."""

        def __init__(self, view: HealthView, fault: HealthFault) -> None:
            super().__init__()
            self.view = view
            self.fault = fault

        @property
        def control(self) -> HealthView:
            """The view, for `@on` with a selector."""
            return self.view

    def __init__(
        self,
        *,
        glyphs: Glyphs = UNICODE,
        id: str | None = None,  # noqa: A002  (Textual's name)
    ) -> None:
        """Make an empty view.

        Args:
            glyphs: The set to draw with.
            id: Id of the widget.
        """
        super().__init__(columns=_COLUMNS, glyphs=glyphs, id=id)
        self._health: Health | None = None
        self._quiet: Quiet | None = None
        self._bytes: tuple[str, tuple[HexWindow, ...]] = ("", ())
        self._waits: str | None = None
        """How far the session has been read that is to be judged; None when it is whole."""

    def set_health(self, health: Health, quiet: Quiet | None = None) -> None:
        """Show what is said of a session; the selection stays on its fault.

        Args:
            health: What follows from the content.
            quiet: Who wrote last; `None` while that is not known.
        """
        self._health, self._quiet, self._waits = health, quiet, None
        self._bytes = ("", ())  # the file may have changed under them
        self._show()
        self._ask()

    def wait(self, progress: str) -> None:
        """Say that this is known when the whole session has been read, and how far that is."""
        self._health, self._quiet, self._bytes = None, None, ("", ())
        self._waits = progress
        self._show()

    def clear(self) -> None:
        """Show nothing."""
        self._health, self._quiet, self._bytes = None, None, ("", ())
        self._waits = None
        self.set_rows(())

    def set_quiet(self, quiet: Quiet) -> None:
        """Say anew who wrote last."""
        self._quiet = quiet
        self._show()

    def set_bytes(self, key: str, windows: Sequence[HexWindow]) -> None:
        """Show the bytes of a fault, if it is still the selected one.

        Args:
            key: Key of the fault that they were asked for.
            windows: What was read, in file order.
        """
        if key == self.selected:
            self._bytes = (key, tuple(windows))
            self._show()

    def fault_of(self, key: str) -> HealthFault | None:
        """Return the fault of a row."""
        faults = self._health.faults if self._health is not None else ()
        return next((fault for fault in faults if fault.key == key), None)

    def columns_of(self, row: Row) -> Columns:
        """Return the columns of a row; the hair line has no mark."""
        plain = row.key == RULE_KEY or row.key.startswith(WAITING_KEY)
        return RULE_COLUMNS if plain else _COLUMNS

    def on_resize(self) -> None:
        """Draw bytes and sentences for the new width."""
        self._show()

    def on_rows_view_highlighted(self) -> None:
        """Show the bytes of another fault."""
        self._show()
        self._ask()

    def action_next_problem(self) -> None:
        """Select the next fault, round at the end."""
        self._to_fault(1)

    def action_previous_problem(self) -> None:
        """Select the fault before, round at the start."""
        self._to_fault(-1)

    def _to_fault(self, step: int) -> None:
        keys = [fault.key for fault in self._health.faults] if self._health is not None else []
        if keys:
            at = keys.index(self.selected) if self.selected in keys else -step
            self.select(keys[(at + step) % len(keys)])

    def _ask(self) -> None:
        fault = self.fault_of(self.selected or "")
        if fault is not None and fault.wanted and self._bytes[0] != fault.key:
            self.post_message(self.BytesWanted(self, fault))

    def _show(self) -> None:
        cells = self.scrollable_content_region.width
        if self._waits is not None:
            self.set_rows(waiting_rows(HEALTH_WAITS, self._waits, cells))
        if self._health is None or not cells:
            return
        faults = self._health.faults
        selected = self.selected or (faults[0].key if faults else None)
        if selected is not None and self.fault_of(selected) is None:
            selected = faults[0].key if faults else None
        windows = self._bytes[1] if self._bytes[0] == selected else ()
        self.set_rows(health_rows(self._health, self._quiet, selected, windows, cells, self.glyphs))
