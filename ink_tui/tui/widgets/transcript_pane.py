"""The transcript tab: the blocks of a branch, and a replay of them with its timeline.

A replay draws records that were read before; it starts no process and opens no file.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Protocol

from textual import on
from textual.containers import Vertical
from textual.message import Message

from ink_tui.keymap import Context
from ink_tui.model.replay import Mark, Playback, Schedule, build_schedule, grown_schedule
from ink_tui.model.seen import build_seen, opens, seen_at
from ink_tui.model.transcript import EMPTY, Transcript, visible_at
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.timeline import Timeline
from ink_tui.tui.render.timeline_legend import SeenSize, seen_size
from ink_tui.tui.widgets.bindings import bindings_for
from ink_tui.tui.widgets.found_views import FoundTranscript
from ink_tui.tui.widgets.replay_bar import ReplayBar
from ink_tui.tui.widgets.transcript_view import SHARED_ACTIONS

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, tzinfo

    from textual.app import ComposeResult
    from textual.binding import Binding, BindingType

    from ink_tui.model.seen import Seen
    from ink_tui.model.verdict import Diagnosis

_PROBLEMS = (Mark.PROBLEM, Mark.FAILED)
_WORDS = {
    Mark.PROBLEM: "problem",
    Mark.COMPACTION: "compaction",
    Mark.TURN: "user turn",
}
"""What is jumped to, by the first of the marks that count as it."""


class Waiting(Protocol):
    """A call that is to come and can be taken back."""

    def stop(self) -> None:
        """Take it back."""


def _bindings() -> list[Binding]:
    wanted = {*SHARED_ACTIONS, "replay"}
    others = bindings_for(Context.SESSION, Context.BROWSER)
    return [*bindings_for(Context.REPLAY), *(each for each in others if each.id in wanted)]


class TranscriptPane(Vertical):
    """A transcript that can be replayed."""

    BINDINGS: ClassVar[list[BindingType]] = [*_bindings()]
    DEFAULT_CSS = """
    TranscriptPane > TranscriptView { height: 1fr; }
    """

    class ReplayChanged(Message):
        """A replay has begun or ended: other keys act."""

    class Told(Message):
        """One sentence about what was asked for."""

        def __init__(self, sentence: str) -> None:
            super().__init__()
            self.sentence = sentence

    def __init__(
        self,
        *,
        now: Callable[[], datetime],
        zone: tzinfo,
        glyphs: Glyphs = UNICODE,
        later: Callable[[float, Callable[[], None]], Waiting] | None = None,
        id: str | None = None,  # noqa: A002  (Textual's name)
    ) -> None:
        """Make an empty pane.

        Args:
            now: The present, for times; aware.
            zone: The user's zone.
            glyphs: The set to draw with.
            later: Calls something after so many seconds; Textual's timer by default.
            id: Id of the widget.
        """
        super().__init__(id=id)
        self.view = FoundTranscript(now=now, zone=zone, glyphs=glyphs)
        self.bar = ReplayBar(now=now, zone=zone, glyphs=glyphs)
        self._later = later or self.set_timer
        self._waiting: Waiting | None = None
        self._transcript = EMPTY
        self._cwd = ""
        self._schedule = Schedule(())
        self._playback: Playback | None = None
        self._diagnosis: Diagnosis | None = None
        self._in_file: int | None = None
        self._as_seen = False
        self._seen: Seen | None = None
        self._sought: int | None = None

    def compose(self) -> ComposeResult:
        """Put the view over the bar."""
        yield self.view
        yield self.bar

    @property
    def playback(self) -> Playback | None:
        """Where the replay stands; `None` while there is none."""
        return self._playback

    @property
    def as_seen(self) -> bool:
        """Whether only that is shown which the model had in its context."""
        return self._as_seen

    def set_transcript(
        self,
        transcript: Transcript,
        *,
        cwd: str = "",
        follow: bool | None = None,
        other: bool | None = None,
    ) -> None:
        """Show other blocks, or more of them; a replay goes on where it is.

        Args:
            transcript: What to show.
            cwd: The session's folder; paths in it are shown without it.
            follow: Go to the end; None does so if the end is on the screen now.
            other: Whether it is that of another session; None judges by its first block.
        """
        before, self._transcript, self._cwd = self._transcript, transcript, cwd
        if self._playback is None:
            self.view.set_transcript(transcript, cwd=cwd, follow=follow, other=other)
            return
        self._schedule = grown_schedule(self._schedule, before, transcript)
        playback = self._playback
        if playback.following:
            playback = playback.at_end(self._schedule)
        self._go(playback.at(playback.position, self._schedule))
        if self._as_seen:
            self._ask_seen()

    def set_source(self, diagnosis: Diagnosis, compactions: int | None = None) -> None:
        """Say where the transcript that is set next comes from.

        Args:
            diagnosis: The session.
            compactions: How many of them the whole file holds, where that is known.
        """
        self._diagnosis, self._in_file = diagnosis, compactions

    # Replay

    def start_replay(self, position: int | None = None) -> None:
        """Play the transcript record by record.

        Args:
            position: Where to start; None starts at the selected block, at the first record if the
                last one is selected.
        """
        if not self._transcript.steps:
            return
        self._schedule = build_schedule(self._transcript)
        if position is None:
            block = self.view.selected
            at_last = block is None or block is self._transcript.blocks[-1]
            position = 1 if at_last or block is None else block.step
        self.view.replaying = True
        self._go(Playback().at(position, self._schedule))
        self.refresh_bindings()
        self.post_message(self.ReplayChanged())

    def stop_replay(self) -> None:
        """Show the whole transcript again; the block that was reached stays selected."""
        if self._playback is None:
            return
        self._cancel()
        reached = self.view.selected
        self._playback = self._seen = None
        self._as_seen = False
        self.view.replaying = False
        self.bar.hide()
        self.view.set_transcript(self._transcript, cwd=self._cwd, follow=False)
        if reached is not None:
            self.view.select(reached.key)
        self.refresh_bindings()
        self.post_message(self.ReplayChanged())

    def _go(self, playback: Playback) -> None:
        """Show the records up to a position, and wait for the next one."""
        self._cancel()
        self._playback = playback
        self._draw(playback)
        seconds = playback.wait(self._schedule)
        if seconds is not None and not self.bar.held:
            self._waiting = self._later(seconds, self._next)

    def _draw(self, playback: Playback) -> None:
        """Show the records up to a position: all, or those that the model had before it."""
        position, size, head = playback.position, None, None
        if self._as_seen and self._seen is not None:
            # What was appended a moment ago is shown as soon as it is known what the model saw.
            position = min(position, self._seen.transcript.steps)
            part = seen_at(self._seen, position)
            size = seen_size(self._seen.at(position))
            head = next((each.key for each in part.blocks if opens(each, position)), None)
        else:
            blocks = visible_at(self._transcript.blocks, position)
            part = replace(self._transcript, blocks=blocks)
            size = SeenSize(None) if self._as_seen else None
        self.view.set_transcript(part, cwd=self._cwd, follow=True)
        self.view.action_last_row()
        if head is not None:  # what the model begins with from here on is read from its start
            self.view.action_first_row()
            self.view.select(head)
        self.bar.show(Timeline(self._schedule, playback, seen=size, in_file=self._in_file))

    def _ask_seen(self) -> None:
        self.run_worker(self._find_seen(), group="seen", exclusive=True)

    async def _find_seen(self) -> None:
        """Find out what the model saw; in a thread, for it takes a walk through all records."""
        diagnosis, transcript = self._diagnosis, self._transcript
        if diagnosis is None:
            return
        seen = await asyncio.to_thread(build_seen, diagnosis, transcript)
        if self._as_seen and self._playback is not None and transcript is self._transcript:
            self._seen = seen
            self._draw(self._playback)

    def _next(self) -> None:
        self._waiting = None
        if self._playback is not None:
            self._go(self._playback.at(self._playback.position + 1, self._schedule))

    def _cancel(self) -> None:
        if self._waiting is not None:
            self._waiting.stop()
            self._waiting = None

    def on_unmount(self) -> None:
        """Let no record come after the pane is gone."""
        self._cancel()

    @on(ReplayBar.Sought)
    def _seek(self, message: ReplayBar.Sought) -> None:
        message.stop()
        if self._sought is None:
            # No more often than the screen is drawn, however fast the pointer moves.
            self.call_after_refresh(self._go_to_sought)
        self._sought = message.position

    def _go_to_sought(self) -> None:
        position, self._sought = self._sought, None
        if position is not None:
            self._move(position)

    def reach(self, step: int) -> None:
        """Go to a record that the replay, if there is one, has not reached yet."""
        if self._playback is not None and self._playback.position < step:
            self._move(step)

    def _move(self, position: int) -> None:
        if self._playback is not None:
            self._go(self._playback.at(position, self._schedule))

    def _mark(self, forward: bool, *marks: Mark) -> None:
        if self._playback is None:
            return
        find = self._schedule.next_mark if forward else self._schedule.previous_mark
        position = find(self._playback.position, *marks)
        if position is not None:
            self._move(position)
            return
        what = _WORDS[marks[0]]
        others = any(mark in marks for _position, mark in self._schedule.marks)
        where = (" after this record" if forward else " before this record") if others else ""
        self.post_message(self.Told(f"There is no {what}{where}."))

    # Actions of the key table

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
            self._ask_seen()

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
