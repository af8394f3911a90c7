"""The transcript tab and its keys: the blocks of a branch, and a replay of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ink_tui.keymap import Context
from ink_tui.model.replay import Mark
from ink_tui.tui.widgets.bindings import bindings_for
from ink_tui.tui.widgets.replay_pane import ReplayPane
from ink_tui.tui.widgets.transcript_view import SHARED_ACTIONS

if TYPE_CHECKING:
    from textual.binding import Binding, BindingType

_PROBLEMS = (Mark.PROBLEM, Mark.FAILED)


def _bindings() -> list[Binding]:
    wanted = {*SHARED_ACTIONS, "replay"}
    others = bindings_for(Context.SESSION, Context.BROWSER)
    return [*bindings_for(Context.REPLAY), *(each for each in others if each.id in wanted)]


class TranscriptPane(ReplayPane):
    """A transcript that can be replayed by keys."""

    BINDINGS: ClassVar[list[BindingType]] = [*_bindings()]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Act on the keys of a replay only while there is one."""
        if action == "replay":
            return self._playback is None
        if action == "replay_stop" and self.view.has_marks:
            return False  # the marks of a find go first
        mine = {binding.action for binding in _BINDINGS}
        return self._playback is not None if action in mine else True

    def action_replay(self) -> None:
        """Start to play."""
        self.start_replay()

    def action_replay_pause(self) -> None:
        """Pause, or play on; at the end from the start."""
        if self._playback is None:
            return
        at_end = self._playback.position == self._schedule.last and not self._playback.following
        if at_end and self._playback.playing:
            self._go(self._playback.at(1, self._schedule))
        else:
            self._go(self._playback.toggled())

    def action_replay_back(self) -> None:
        """Go one record back."""
        if self._playback is not None:
            self._move(max(1, self._playback.position - 1))

    def action_replay_forward(self) -> None:
        """Go one record forward."""
        if self._playback is not None:
            self._move(self._playback.position + 1)

    def action_replay_slower(self) -> None:
        """Play slower."""
        if self._playback is not None:
            self._go(self._playback.slower())

    def action_replay_faster(self) -> None:
        """Play faster."""
        if self._playback is not None:
            self._go(self._playback.faster())

    def action_replay_start(self) -> None:
        """Go to the first record."""
        self._move(1)

    def action_replay_end(self) -> None:
        """Go to the end and follow what is appended."""
        if self._playback is not None:
            self._go(self._playback.at_end(self._schedule))

    def action_replay_seen(self) -> None:
        """Show only what the model had in its context, or all again."""
        if self._playback is None:
            return
        self._as_seen = not self._as_seen
        self._draw(self._playback)
        if self._as_seen and (self._seen is None or self._seen.transcript is not self._transcript):
            self._find_seen()

    def action_replay_stop(self) -> None:
        """Stop the replay."""
        self.stop_replay()

    def action_next_turn(self) -> None:
        """Go to the next message of the user."""
        self._mark(True, Mark.TURN)

    def action_previous_turn(self) -> None:
        """Go to the message of the user before."""
        self._mark(False, Mark.TURN)

    def action_next_problem(self) -> None:
        """Go to the next record that failed or needs a person."""
        self._mark(True, *_PROBLEMS)

    def action_previous_problem(self) -> None:
        """Go to the record before that failed or needs a person."""
        self._mark(False, *_PROBLEMS)

    def action_next_compaction(self) -> None:
        """Go to the next compaction."""
        self._mark(True, Mark.COMPACTION)

    def action_previous_compaction(self) -> None:
        """Go to the compaction before."""
        self._mark(False, Mark.COMPACTION)


_BINDINGS = _bindings()
