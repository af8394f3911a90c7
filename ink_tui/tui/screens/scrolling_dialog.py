"""A dialog that only tells: it scrolls where it does not fit, and every way out closes it."""

from __future__ import annotations

from ink_tui.tui.screens.dialog_screen import DialogScreen


class ScrollingDialog(DialogScreen[None]):
    """Has no options; the keys that move between options scroll by one line."""

    def choose(self, option_id: str) -> None:
        """Close: there are no options, and enter is not left without an answer."""
        self.dismiss(None)

    def action_cancel(self) -> None:
        """Close."""
        self.dismiss(None)

    def action_option_up(self) -> None:
        """Scroll one line back."""
        self._dialog.body.scroll_lines(-1)

    def action_option_down(self) -> None:
        """Scroll one line on."""
        self._dialog.body.scroll_lines(1)
