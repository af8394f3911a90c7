"""A branch as blocks in reading order: what the transcript, the replay and `show --plain` read.

Built once for a state of the file, in time linear in its records; nothing is wrapped, parsed or
copied here. Lines that cannot be read stand at their place in the file.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from ink_tui.model.messages import Badge
from ink_tui.model.tool_facts import exit_code

if TYPE_CHECKING:
    from collections.abc import Collection

    from ink_tui.model.entries import EntryId, Span
    from ink_tui.model.messages import ContentBlock, Cut, ToolCall, ToolResult


class ToolState(StrEnum):
    """What is known of a call on the branch that is shown."""

    OK = "ok"
    FAILED = "failed"
    """An error result, or an exit code that is not 0."""
    NOT_RUN = "not-run"
    """The agent says, believably, that this call was never started."""
    UNKNOWN = "unknown"
    """A result was written for it, but whether it ran is not known (`formats/ink.md` 8.4)."""
    OPEN = "open"
    """No result saved; may have run. A repair can close it."""
    GAP = "gap"
    """No result saved, and the chat went on."""
    BEFORE_COMPACTION = "before-compaction"
    """No result saved, but a compaction took the call out of the context: harmless."""
    RUNNING = "running"
    """An agent that is alive has not answered yet: the result is saved when the call ends."""
    NOT_REACHED = "not-reached"
    """In a replay: the result has not been reached yet."""


UNSETTLED = frozenset({ToolState.OPEN, ToolState.GAP})
"""States of calls that stand in the way of a resume."""

TOOL_STATE_WORDS = {
    ToolState.OK: "",
    ToolState.FAILED: "failed",
    ToolState.NOT_RUN: "was not started",
    ToolState.UNKNOWN: "outcome unknown; may have run",
    ToolState.OPEN: "no result saved; may have run",
    ToolState.GAP: "no result saved; the chat went on",
    ToolState.BEFORE_COMPACTION: "no result, before the compaction",
    ToolState.RUNNING: "running",
    ToolState.NOT_REACHED: "",
}
"""What is said of a call; nothing is said of one that went well."""

_BADGE_STATES = {
    Badge.FORCE_QUIT: ToolState.UNKNOWN,
    Badge.NO_RESPONSE: ToolState.UNKNOWN,
    Badge.CLOSED_UNKNOWN: ToolState.UNKNOWN,
    Badge.INTERRUPTED: ToolState.NOT_RUN,
    Badge.MAX_TURNS: ToolState.NOT_RUN,
    Badge.BLOCKED: ToolState.NOT_RUN,
}


@dataclass(frozen=True, slots=True)
class TurnBody:
    """The head of a turn: one message of the user and all that follows from it."""

    number: int
    """1-based; 0 while the turns before it have not been read."""
    title: str
    """First line of what the user said."""
    duration_ms: int | None
    """From the user's message to the last record of the turn."""
    cut: bool = False
    """Whether the title may be only the start of that line."""


@dataclass(frozen=True, slots=True)
class UserBody:
    """What the user said."""

    content: tuple[ContentBlock, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class TextBody:
    """A text of the assistant, as Markdown."""

    text: str
    label: str = ""
    cut: Cut | None = None
    """Set where `text` is only the start (`ink_tui.model.light`)."""


@dataclass(frozen=True, slots=True)
class ThinkingBody:
    """The model's own reasoning."""

    text: str
    cut: Cut | None = None


@dataclass(frozen=True, slots=True)
class ToolBody:
    """A call, and its result if one was saved."""

    call: ToolCall
    result: ToolResult | None
    state: ToolState
    duration_ms: int | None
    """From the record of the call to the record of its result."""
    result_step: int | None
    """Position of the record that holds the result."""
    result_entry: EntryId | None = None
    """That record."""
    result_span: Span | None = None
    """Where it stands in the file."""


@dataclass(frozen=True, slots=True)
class CompactionBody:
    """Older messages were replaced by a summary."""

    summary: str
    tokens_before: int | None
    tokens_after: int | None
    """Estimated; `None` when the record does not hold what was kept."""
    kept: int | None
    """Messages copied word for word; `None` when the record does not hold them."""
    latest: bool
    """Whether the context starts here."""
    cut: Cut | None = None
    opens: bool = False
    """In a replay as the model saw it: its summary opens the context, and is shown."""


@dataclass(frozen=True, slots=True)
class AwayBody:
    """In a replay as the model saw it: what a compaction has taken out of the context."""

    records: int
    """Earlier messages and summaries."""


@dataclass(frozen=True, slots=True)
class SummaryBody:
    """A summary of a branch that the user left."""

    text: str
    cut: Cut | None = None


@dataclass(frozen=True, slots=True)
class NoteBody:
    """Bookkeeping: a model, a thinking level, a name, a stop before the end of an answer."""

    kind: str
    """In a word: `model`, `thinking`, `name`, `stopped`, `empty`."""
    text: str


@dataclass(frozen=True, slots=True)
class UnknownBody:
    """A record, a message or a block of a kind that is not known."""

    what: str
    """`record`, `message`, `block` or `results`."""
    type_name: str
    preview: str


@dataclass(frozen=True, slots=True)
class UnreadableBody:
    """A line that cannot be read at all."""

    detail: str
    tail: bool
    """Whether it is the last line of the file."""
    writing: bool = False
    """Whether somebody is writing it at this moment."""


@dataclass(frozen=True, slots=True)
class OrphanBody:
    """A result without a call before it, or for a call that has one already."""

    result: ToolResult
    unread: bool = False
    """Whether its call may stand among records that have not been read yet."""


Body: TypeAlias = (
    TurnBody
    | UserBody
    | TextBody
    | ThinkingBody
    | ToolBody
    | CompactionBody
    | AwayBody
    | SummaryBody
    | NoteBody
    | UnknownBody
    | UnreadableBody
    | OrphanBody
)


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a transcript."""

    key: str
    """Identity inside the session; it stays when records are appended."""
    entry_id: EntryId | None
    span: Span | None
    time_ms: int | None
    step: int
    """1-based position in reading order of the record it comes from."""
    dim: bool
    """Whether the model no longer sees it: it stands above the last compaction."""
    body: Body
    starred: bool = False
    """Whether the user has starred its record; the first block of the record shows it."""

    @property
    def is_problem(self) -> bool:
        """Whether it needs a person: an open call, a gap, damage."""
        if isinstance(self.body, ToolBody):
            return self.body.state in UNSETTLED
        if isinstance(self.body, UnknownBody):
            return self.body.what in ("record", "results")
        if isinstance(self.body, UnreadableBody):
            return not self.body.writing
        # Above the last compaction it harms nobody: the model is not sent it any more.
        return isinstance(self.body, OrphanBody) and not self.body.unread and not self.dim

    @property
    def is_failure(self) -> bool:
        """Whether it is a call that failed."""
        return isinstance(self.body, ToolBody) and self.body.state is ToolState.FAILED


@dataclass(frozen=True, slots=True)
class Transcript:
    """A branch to read."""

    blocks: tuple[Block, ...]
    steps: int
    """Records in it: the positions of a replay."""
    turns: int
    """Turns in it; 0 while that is not known."""

    def block_of(self, entry_id: EntryId, call_id: str | None = None) -> Block | None:
        """Return the block to show for an entry; for a record of results that of its first call.

        Args:
            entry_id: The entry.
            call_id: A call that the entry holds or answers; None for the entry's first block.
        """
        return next((each for each in self.blocks if shows(each, entry_id, call_id)), None)


def shows(block: Block, entry_id: EntryId, call_id: str | None = None) -> bool:
    """Return whether a block is one to show for an entry, or for a call that it holds or answers.

    Args:
        block: The block.
        entry_id: The entry.
        call_id: The call; None for the entry as a whole.
    """
    body = block.body
    if isinstance(body, ToolBody):
        mine = entry_id in (block.entry_id, body.result_entry)
        return mine and call_id in (None, body.call.call_id)
    return block.entry_id == entry_id and call_id is None and not isinstance(body, TurnBody)


EMPTY = Transcript((), 0, 0)


def visible_at(blocks: tuple[Block, ...], position: int) -> tuple[Block, ...]:
    """Return what a replay has reached: blocks up to a record, results not reached taken out.

    Args:
        blocks: The whole transcript.
        position: How many records have been reached.
    """
    shown: list[Block] = []
    for block in blocks:
        if block.step > position:
            break
        shown.append(reached(block, position))
    return tuple(shown)


def reached(block: Block, position: int) -> Block:
    """Return a block without a result that a replay has not reached.

    Args:
        block: The block.
        position: How many records have been reached.
    """
    body = block.body
    if not isinstance(body, ToolBody) or (body.result_step or 0) <= position:
        return block
    hidden = replace(
        body,
        result=None,
        state=ToolState.NOT_REACHED,
        duration_ms=None,
        result_step=None,
        result_entry=None,
        result_span=None,
    )
    return replace(block, body=hidden)


def with_stars(transcript: Transcript, starred: Collection[EntryId]) -> Transcript:
    """Return a transcript with a star on the first block of each of some records.

    Args:
        transcript: The blocks without stars.
        starred: Ids of the records.
    """
    if not starred:
        return transcript
    left = set(starred)
    blocks: list[Block] = []
    for block in transcript.blocks:
        if block.entry_id is not None and block.entry_id in left:
            left.remove(block.entry_id)
            block = replace(block, starred=True)
        blocks.append(block)
    return replace(transcript, blocks=tuple(blocks))


def as_live(transcript: Transcript) -> Transcript:
    """Return a transcript as it is while its agent is alive: open calls run, the tail is written.

    Whether an agent is alive follows from locks and processes, not from the file.
    """
    found: list[tuple[int, Block]] = []
    for at, block in enumerate(transcript.blocks):
        body = block.body  # of very many blocks: `isinstance` takes twice as long
        if type(body) is ToolBody and body.state is ToolState.OPEN:
            found.append((at, replace(block, body=replace(body, state=ToolState.RUNNING))))
        elif type(body) is UnreadableBody and body.tail:
            found.append((at, replace(block, body=replace(body, writing=True))))
    if not found:
        return transcript
    blocks = list(transcript.blocks)
    for at, block in found:
        blocks[at] = block
    return replace(transcript, blocks=tuple(blocks))


def result_state(result: ToolResult) -> ToolState:
    """Return what a saved result says of its call."""
    if result.badge is not None:
        return _BADGE_STATES[result.badge]
    if result.is_error or exit_code(result) not in (None, 0):
        return ToolState.FAILED
    return ToolState.OK
