"""Letters that were typed on the way to a field: they are meant for it, and do nothing else.

Textual gives a key to what has the focus when the key arrives. Keys that arrive together, as from
a quick hand on a slow line, are all given away before the first of them has moved the focus.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import App, ReturnType
from textual.events import Key
from textual.widgets import Input

from ink_tui.tui.widgets.words_input import is_typed

if TYPE_CHECKING:
    from textual.events import DescendantFocus
    from textual.widget import Widget


class EarlyKeysApp(App[ReturnType], inherit_bindings=False):
    """Keeps letters that come before the field that they are for, and types them there."""

    _early: list[Key] | None = None
    """Letters for a field that is to come, in order; None while none is."""

    def expect_field(self) -> None:
        """Take all letters from now on for the field that will get the focus."""
        self._early = []

    async def on_key(self, event: Key) -> None:
        """Type a letter that a field has not seen; what is no letter ends the waiting for one."""
        if not is_typed(event):
            self._early = None
            return
        field = self.focused
        if self._early is None and not isinstance(field, Input):
            return
        event.stop()
        event.prevent_default()
        early, self._early = [*(self._early or ()), event], None
        if isinstance(field, Input):
            _type(field, early)
        else:
            self._early = early

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        """Type into a field what came before it."""
        if self._early is not None and isinstance(event.widget, Input):
            early, self._early = self._early, None
            _type(event.widget, early)


def expect_field(asking: Widget) -> None:
    """Take letters for the field that an action of a widget is about to show."""
    app = asking.app
    if isinstance(app, EarlyKeysApp):
        app.expect_field()


def focus_now(widget: Widget) -> None:
    """Put the focus in a widget before the next key is looked at; Textual's own way comes later.

    Nothing scrolls: what may be shown only now is not asked where it is, or it would never be told
    its size (`sizes.py`). Does nothing for a widget that is not mounted.
    """
    if widget.is_attached:
        widget.screen.set_focus(widget, scroll_visible=False)


def _type(field: Input, letters: list[Key]) -> None:
    for letter in letters:
        field.post_message(Key(letter.key, letter.character))
