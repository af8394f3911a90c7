"""A transcript with its timeline, and how a replay of it moves; knows no keys.

A replay draws records that were read before; it starts no process and opens no file.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from textual import on, work
from textual.containers import Vertical
from textual.message import Message

from ink_tui.model.replay import Mark, Playback, Schedule, build_schedule, grown_schedule
from ink_tui.model.seen import build_seen, opens, seen_at
from ink_tui.model.transcript import EMPTY, Transcript, visible_at
from ink_tui.tui.render.glyphs import UNICODE, Glyphs
from ink_tui.tui.render.timeline import Timeline
from ink_tui.tui.render.timeline_legend import SeenSize, seen_size
from ink_tui.tui.widgets.found_views import FoundTranscript
from ink_tui.tui.widgets.replay_bar import ReplayBar
from ink_tui.tui.widgets.transcript_view import TranscriptView

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, tzinfo

    from textual.app import ComposeResult

    from ink_tui.model.seen import Seen
    from ink_tui.model.verdict import Diagnosis

_WORDS = {
    Mark.PROBLEM: "problem",
    Mark.COMPACTION: "compaction",
    Mark.TURN: "user turn",
}
"""What is jumped to, by the first of the marks that count as it."""

MANY_BLOCKS = 5_000
"""Of more blocks the timeline is made in a thread before a replay begins."""

STANDING_ROWS = 40
"""From so many rows of the screen on, the timeline is there while nothing is played, too."""


class Waiting(Protocol):
    """A call that is to come and can be taken back."""

    def stop(self) -> None:
        """Take it back."""


class ReplayPane(Vertical):
    """A transcript that can be replayed."""

    DEFAULT_CSS = """
    ReplayPane > TranscriptView { height: 1fr; }
    """

    class ReplayChanged(Message, namespace="transcript_pane"):
        """A replay has begun or ended: other keys act."""

    class Told(Message, namespace="transcript_pane"):
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
        self._scheduled = EMPTY
        """What the schedule is made of."""
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
        self._transcript, self._cwd = transcript, cwd
        if self._playback is None:
            self.view.set_transcript(transcript, cwd=cwd, follow=follow, other=other)
            self._stand()
            return
        self._schedule = grown_schedule(self._schedule, self._scheduled, transcript)
        self._scheduled = transcript
        playback = self._playback
        if playback.following:
            playback = playback.at_end(self._schedule)
        self._go(playback.at(playback.position, self._schedule))
        if self._as_seen:
            self._find_seen()

    def set_source(self, diagnosis: Diagnosis, compactions: int | None = None) -> None:
        """Say where the transcript that is set next comes from.

        Args:
            diagnosis: The session.
            compactions: How many of them the whole file holds, where that is known.
        """
        self._diagnosis, self._in_file = diagnosis, compactions

    # Replay

    def start_replay(self, position: int | None = None, *, playing: bool = True) -> None:
        """Play the transcript record by record.

        Args:
            position: Where to start; None starts at the selected block, at the first record if the
                last one is selected.
            playing: Whether records come by themselves.
        """
        if not self._transcript.steps:
            return
        if self._scheduled is not self._transcript:
            if len(self._transcript.blocks) > MANY_BLOCKS:
                self._start_later(position, playing)
                return
            self._schedule = build_schedule(self._transcript)
            self._scheduled = self._transcript
        if position is None:
            block = self.view.selected
            at_last = block is None or block is self._transcript.blocks[-1]
            position = 1 if at_last or block is None else block.step
        self.view.replaying = True
        self._go(Playback(playing=playing).at(position, self._schedule))
        self.refresh_bindings()
        self.post_message(self.ReplayChanged())

    def stop_replay(self) -> None:
        """Show the whole transcript again; the block that was reached stays selected."""
        if self._playback is None:
            self.workers.cancel_group(self, "seen")
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
        self._stand()
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
        position, size, begins = playback.position, None, False
        if self._as_seen and self._seen is not None:
            # What was appended a moment ago is shown as soon as it is known what the model saw.
            position = min(position, self._seen.transcript.steps)
            part = seen_at(self._seen, position)
            size = seen_size(self._seen.at(position))
            begins = any(opens(block, position) for block in part.blocks)
        else:
            blocks = visible_at(self._transcript.blocks, position)
            part = replace(self._transcript, blocks=blocks)
            size = SeenSize(None) if self._as_seen else None
        self.view.set_transcript(part, cwd=self._cwd, follow=True)
        self.view.action_last_row()
        if begins:  # what the model has from here on is read from its start
            self.view.action_first_row()
        self._show_bar(Timeline(self._schedule, playback, seen=size, in_file=self._in_file))

    def _show_bar(self, shown: Timeline) -> None:
        """Show the timeline; it hides nothing of an end that is on the screen."""
        ended = self.view.at_end and not self.bar.display
        self.bar.show(shown)
        if ended:
            self.call_after_refresh(self.view.show_end)

    @work(group="seen", exclusive=True)
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

    # The timeline while nothing is played

    def _stand(self) -> None:
        """Show the timeline where there is room for it, with the selected record on it."""
        if self._playback is not None:
            return
        if self.app.size.height < STANDING_ROWS or not self.display or not self._transcript.steps:
            self.bar.hide()
        elif self._scheduled is self._transcript:
            block = self.view.selected
            at = block.step if block is not None else self._schedule.last
            playback = Playback(playing=False).at(at, self._schedule)
            self._show_bar(Timeline(self._schedule, playback, in_file=self._in_file))
        else:
            self._stand_later()

    @work(group="seen", exclusive=True)
    async def _stand_later(self) -> None:
        if await self._find_schedule():
            self._stand()

    @work(group="seen", exclusive=True)
    async def _start_later(self, position: int | None, playing: bool) -> None:
        while self._playback is None:  # it may have grown meanwhile
            if await self._find_schedule():
                self.start_replay(position, playing=playing)
                return

    async def _find_schedule(self) -> bool:
        """Find out what stands on the timeline; in a thread, for it takes a walk through all.

        Returns:
            Whether it is still wanted.
        """
        last, before, transcript = self._schedule, self._scheduled, self._transcript
        schedule = await asyncio.to_thread(grown_schedule, last, before, transcript)
        wanted = self._playback is None and transcript is self._transcript
        if wanted:
            self._schedule, self._scheduled = schedule, transcript
        return wanted

    def on_show(self) -> None:
        """Show the timeline with the tab."""
        self._stand()

    def on_resize(self) -> None:
        """Show the timeline, or not, by the height of the screen."""
        self._stand()

    @on(TranscriptView.Highlighted)
    def _follow_selection(self) -> None:
        if self._playback is None and self.bar.display:
            self._stand()

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
        if position is None:
            return
        if self._playback is None:
            self.start_replay(position, playing=False)
        else:
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
