"""Messages to read outside of a transcript: all unfolded, and without the keys of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ink_tui.keymap import Context
from ink_tui.tui.render.transcript_look import Depth, Fold
from ink_tui.tui.widgets.bindings import bindings_for
from ink_tui.tui.widgets.transcript_view import TranscriptView

if TYPE_CHECKING:
    from textual.binding import BindingType

    from ink_tui.model.transcript import Block


class MessageView(TranscriptView, inherit_bindings=False):
    """Blocks that are shown whole by themselves; only those on the screen are laid out."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for(Context.ROWS)]
    nothing_said = ""

    def _fold(self, block: Block) -> Fold:
        return self._folds.get(block.key) or Fold(Depth.WHOLE)
