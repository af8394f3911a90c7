"""Messages as the agent and the model exchange them (`formats/ink.md` section 4).

All text is already cleaned (`ink_tui.model.text.clean`); identifiers and arguments' meaning are
untouched, so `call_id` and `tool` are compared as they stand in the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

JsonValue: TypeAlias = (
    "bool | int | float | str | tuple[JsonValue, ...] | Mapping[str, JsonValue] | None"
)
"""A decoded JSON value; arrays are tuples, objects are read-only mappings, strings are cleaned."""


class Badge(StrEnum):
    """Result texts that the agent itself invents (`formats/ink.md` 4.5)."""

    FORCE_QUIT = "force-quit"
    """Claims that the tool had not run, which is not known: shown as "outcome unknown"."""
    INTERRUPTED = "interrupted"
    MAX_TURNS = "max-turns"
    NO_RESPONSE = "no-response"
    BLOCKED = "blocked"
    CLOSED_UNKNOWN = "closed-unknown"
    """An error result written by a repair, the agent's or ours: outcome unknown."""


@dataclass(frozen=True, slots=True)
class Cut:
    """What is known of a text of which only the start is kept; the file holds the rest."""

    chars: int
    """Characters of the whole text, cleaned."""
    newlines: int
    """Newlines in it."""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A run of text."""

    text: str
    cut: Cut | None = None
    """Set where `text` is only the start."""


@dataclass(frozen=True, slots=True)
class ImageBlock:
    """An image that is never decoded: only its type and size are kept."""

    mime_type: str
    size: int
    """Length of the base64 text in characters."""


@dataclass(frozen=True, slots=True)
class ThinkingBlock:
    """The model's own reasoning text."""

    text: str
    cut: Cut | None = None
    """Set where `text` is only the start."""


@dataclass(frozen=True, slots=True)
class CallBrief:
    """What is known of a call whose arguments are not kept; the file holds them."""

    what: str
    """Path, command or pattern in one line, as `ink_tui.model.tool_facts` finds it."""
    is_path: bool
    counts: tuple[int, int] | None
    """Lines that it adds and removes; `None` for a call that changes nothing."""
    writes: bool
    """Whether it gives a whole file."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A request of the model to run a tool."""

    call_id: str
    tool: str
    arguments: JsonValue
    size: int = 0
    """Length of the arguments as JSON text in characters, for size estimates."""
    brief: CallBrief | None = None
    """Set where the arguments are not kept; they are `None` then."""


@dataclass(frozen=True, slots=True)
class UnknownBlock:
    """A content block of a type that is not known; kept and shown."""

    type_name: str
    preview: str
    """The block as JSON text, cut to a bounded length."""


ContentBlock: TypeAlias = TextBlock | ImageBlock | UnknownBlock
AssistantBlock: TypeAlias = TextBlock | ThinkingBlock | ToolCall | UnknownBlock


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that one model call used; `None` where the record does not say."""

    input_tokens: int | None
    output_tokens: int | None
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0


@dataclass(frozen=True, slots=True)
class ResultBrief:
    """What is known of a result of which some text is only the start."""

    lines: int
    """Lines of all its texts together."""
    places: int
    """Lines with two colons and more, as hits of a search have them."""
    exit_code: int | None
    edit_starts: tuple[int, ...]
    """Lines of the file at which edits were applied, 1-based."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What one tool call gave back."""

    call_id: str
    tool: str
    content: tuple[ContentBlock, ...]
    is_error: bool
    badge: Badge | None = None
    child_id: str | None = None
    """Header id of the sub-agent session that a `task` call ran in (`formats/ink.md` 4.4)."""
    brief: ResultBrief | None = None
    """Set where a text in `content` is only the start of what the file holds."""

    @property
    def text(self) -> str:
        """The text blocks joined by newlines; images and unknown blocks contribute nothing."""
        return joined_text(self.content)


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What the user said, or the framed summary that stands for older messages."""

    content: tuple[ContentBlock, ...]
    framed: str | None = None
    """`"compaction"` or `"branch"` when the message is a summary framed by the agent."""

    @property
    def text(self) -> str:
        """The text blocks joined by newlines."""
        return joined_text(self.content)


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """One complete answer of the model."""

    blocks: tuple[AssistantBlock, ...]
    usage: Usage | None
    """`None` when the record holds no usage figures at all."""
    usage_missing: bool = False
    """True when the agent itself marks the figures as not reported."""
    stop_reason: str | None = None
    model: str | None = None

    @property
    def text(self) -> str:
        """The text blocks joined by newlines, without thinking and calls."""
        return "\n".join(block.text for block in self.blocks if isinstance(block, TextBlock))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tool calls in block order."""
        return tuple(block for block in self.blocks if isinstance(block, ToolCall))


@dataclass(frozen=True, slots=True)
class ToolResultMessage:
    """The saved results of one batch of calls; `results` is `None` when the field is malformed."""

    results: tuple[ToolResult, ...] | None


@dataclass(frozen=True, slots=True)
class UnknownMessage:
    """A message with a role that is not known, or of an unusable shape; kept and shown."""

    role: str
    preview: str


Message: TypeAlias = UserMessage | AssistantMessage | ToolResultMessage | UnknownMessage


def joined_text(content: tuple[ContentBlock, ...]) -> str:
    """Return the text blocks of a content list joined by newlines."""
    return "\n".join(block.text for block in content if isinstance(block, TextBlock))
