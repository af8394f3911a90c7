"""What the built-in agent shows before its first prompt: who it is, and the end of the context."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ink_tui.model.messages import (
    AssistantMessage,
    Badge,
    Message,
    TextBlock,
    ThinkingBlock,
    ToolCall,
    ToolResult,
    ToolResultMessage,
    UserMessage,
)
from ink_tui.model.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ink_tui.model.verdict import Diagnosis
    from ink_tui.runtime.terminal import Style

LAST_MESSAGES = 8
"""Messages of the context that are shown."""

_LINES = 3
_CHARS = 160
_KIND = 10

HELP = (
    ("any text", "saved as your message; nobody answers"),
    ("read PATH", "the text of a file, saved as a tool call with its result"),
    ("run COMMAND", "run by bash in the session's folder, saved likewise; ctrl+c stops it"),
    ("/say TEXT", "a message that begins with read or run"),
    ("/help  /exit", "ctrl+d leaves, too"),
)


def opening(diagnosis: Diagnosis, folder: str, style: Style) -> str:
    """Return the first screen.

    Args:
        diagnosis: The session.
        folder: Its working folder as it is shown.
        style: Marks and colour.
    """
    title = one_line(diagnosis.title) or "session without a title"
    head = f"{style.bold('ink-tui built-in agent')}  {title}  {style.dim(one_line(folder))}"
    rows = [head, "", *context_end(diagnosis, style), "", no_model(style), *help_rows(style), ""]
    if diagnosis.tree.stale_position is not None:
        rows.insert(-1, style.warning("! The resume point is not where you left off: see ink-tui."))
    return "\n".join(rows) + "\n"


def no_model(style: Style) -> str:
    """Return the sentence that says what this agent is not."""
    return style.warning("No model is configured: this agent saves and runs, it does not think.")


def help_rows(style: Style) -> list[str]:
    """Return what can be typed."""
    return [f"  {style.accent(name.ljust(13))} {style.dim(what)}" for name, what in HELP]


def context_end(diagnosis: Diagnosis, style: Style) -> list[str]:
    """Return the last messages that a model would be sent, one block of rows each."""
    context = diagnosis.context
    if context is None or not context.messages:
        return [style.dim("The context is empty.")]
    number = len(context.messages)
    about = "measured" if context.measured else "estimated"
    count = f"{number} message" if number == 1 else f"{number} messages"
    shown = context.messages[-LAST_MESSAGES:]
    rows = [style.dim(f"Context: {count}, about {context.tokens:,} tokens ({about})")]
    if len(shown) < number:
        rows.append(style.dim(f"{style.cut} {number - len(shown)} earlier"))
    for item in shown:
        for kind, text in _parts(item.message, style):
            rows.extend(_block(kind, text, style))
    return rows


def _parts(message: Message, style: Style) -> Iterator[tuple[str, str]]:
    if isinstance(message, UserMessage):
        kind = "summary" if message.framed else "user"
        yield kind, message.text or "(no text)"
    elif isinstance(message, AssistantMessage):
        for block in message.blocks:
            if isinstance(block, TextBlock):
                yield "assistant", block.text
            elif isinstance(block, ThinkingBlock):
                yield "thinking", block.text
            elif isinstance(block, ToolCall):
                yield one_line(block.tool), _argument(block)
    elif isinstance(message, ToolResultMessage):
        for result in message.results or ():
            yield "result", _result(result, style)


def _argument(call: ToolCall) -> str:
    """Return the one argument that says most, or all of them."""
    arguments = call.arguments
    if isinstance(arguments, Mapping):
        for name in ("command", "pattern", "path", "prompt"):
            value = arguments.get(name)
            if isinstance(value, str):
                return value
    return str(arguments)


def _result(result: ToolResult, style: Style) -> str:
    if result.badge in (Badge.CLOSED_UNKNOWN, Badge.FORCE_QUIT):
        return style.warning("closed: unknown whether it ran")
    return result.text or "(no text)"


def _block(kind: str, text: str, style: Style) -> list[str]:
    lines = [line for line in text.split("\n") if line.strip()] or [""]
    cut = [
        line if len(line) <= _CHARS else line[: _CHARS - 1] + style.cut for line in lines[:_LINES]
    ]
    if len(lines) > _LINES:
        cut[-1] += style.dim(f"  {style.cut} {len(lines) - _LINES} more lines")
    name = kind[: _KIND - 1].ljust(_KIND)
    first = style.bold(name) if kind == "user" else style.dim(name)
    pad = " " * _KIND
    return [f"{first} {cut[0]}", *(f"{pad} {line}" for line in cut[1:])]
