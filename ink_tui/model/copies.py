"""What of one block of a transcript can be copied, the most likely first. Pure.

The texts are those of the record, cleaned (`trust.md` 2.7), never what was wrapped or cut to be
drawn. Colours that the output of a tool asks for are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.code_blocks import code_blocks
from ink_tui.model.messages import TextBlock
from ink_tui.model.sgr import has_sgr, styled_runs
from ink_tui.model.text import first_line, one_line
from ink_tui.model.tool_facts import (
    COMMAND_KEYS,
    PATH_KEYS,
    PATTERN_KEYS,
    PROMPT_KEYS,
    ToolKind,
    tool_facts,
)
from ink_tui.model.transcript import (
    Block,
    CompactionBody,
    NoteBody,
    OrphanBody,
    SummaryBody,
    TextBody,
    ThinkingBody,
    ToolBody,
    ToolState,
    TurnBody,
    UnknownBody,
    UnreadableBody,
    UserBody,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ink_tui.model.messages import ContentBlock
    from ink_tui.model.tool_facts import ToolFacts

LISTED_CODE = 3
"""Code blocks of a message that are offered beside it; of more, all are offered as one."""
_FIRST_CHARS = 400
"""Where the words that tell one text from another are looked for."""


@dataclass(frozen=True, slots=True)
class Copyable:
    """One text that can be copied."""

    id: str
    name: str
    """What it is, in a word or two: `message`, `code block 2`."""
    text: str
    parts: tuple[Copyable, ...] = ()
    """What it is made of, where each can be copied alone."""

    @property
    def lines(self) -> int:
        """How many lines it has; a newline at its end starts none."""
        return self.text.count("\n") + (not self.text.endswith("\n"))

    @property
    def words(self) -> str:
        """Its first words, on one line."""
        return one_line(first_line(self.text[:_FIRST_CHARS]))


def copies_of(block: Block, files: Sequence[str] = ()) -> tuple[Copyable, ...]:
    """Return what of a block can be copied, the most likely first; empty texts are left out.

    Args:
        block: The block, whole.
        files: Files that it mentions, as they are to be copied.
    """
    body = block.body
    if isinstance(body, ToolBody):
        found = _of_call(body)
    elif isinstance(body, UserBody):
        found = _said(_text(body.content))
    elif isinstance(body, TextBody):
        found = _said(body.text)
    elif isinstance(body, OrphanBody):
        found = [Copyable("result", "result", _plain(_text(body.result.content)))]
    else:
        found = _of_other(body)
    known = {each.text for each in found}
    others = [path for path in files if path not in known]
    if others:
        name = "path" if len(others) == 1 else f"{len(others)} paths"
        found.append(Copyable("paths", name, "\n".join(others)))
    return tuple(each for each in found if each.text)


def _of_other(body: object) -> list[Copyable]:
    if isinstance(body, ThinkingBody):
        return [Copyable("message", "thinking", body.text)]
    if isinstance(body, CompactionBody):
        return [Copyable("message", "summary", body.summary)]
    if isinstance(body, SummaryBody):
        return [Copyable("message", "summary", body.text)]
    if isinstance(body, TurnBody):
        return [Copyable("message", "first line", body.title)]
    if isinstance(body, NoteBody):
        return [Copyable("message", body.kind, body.text)]
    if isinstance(body, UnknownBody):
        return [Copyable("message", body.what, body.preview)]
    return [Copyable("message", "fault", body.detail)] if isinstance(body, UnreadableBody) else []


def _said(text: str) -> list[Copyable]:
    """Return a message and the code in it."""
    found = [Copyable("message", "message", text)]
    code = [
        Copyable(f"code-{number}", f"code block {number}", each.text)
        for number, each in enumerate(code_blocks(text), 1)
        if each.text
    ]
    if len(code) == 1:
        found.append(Copyable("code", "code block", code[0].text))
    elif len(code) <= LISTED_CODE:
        found += code
    else:
        whole = "\n\n".join(each.text for each in code)
        found.append(Copyable("code", f"{len(code)} code blocks", whole, tuple(code)))
    return found


def _of_call(body: ToolBody) -> list[Copyable]:
    facts = tool_facts(body.call)
    asked = _asked(body, facts)
    content = body.result.content if body.result is not None else ()
    result = Copyable("result", "result", _plain(_text(content)))
    return [result, *asked] if body.state is ToolState.FAILED else [*asked, result]


def _asked(body: ToolBody, facts: ToolFacts) -> list[Copyable]:
    """Return what a call asks for."""
    arguments = body.call.arguments
    if not isinstance(arguments, Mapping):
        return [Copyable("argument", "path" if facts.is_path else "argument", facts.what)]
    named = (
        ("command", COMMAND_KEYS),
        ("path", PATH_KEYS),
        ("pattern", PATTERN_KEYS),
        ("prompt", PROMPT_KEYS),
    )
    texts = {name: _first(arguments, keys) for name, keys in named}
    if facts.kind is ToolKind.BASH or facts.kind is ToolKind.OTHER:
        order = ("command", "path", "pattern", "prompt")
    else:
        order = ("path", "command", "pattern", "prompt")
    found = [Copyable(name, name, texts[name]) for name in order if texts[name]]
    if not found:
        found.append(Copyable("argument", "argument", _first(arguments, tuple(arguments))))
    if facts.content is not None:
        found.append(Copyable("content", "content", facts.content))
    elif facts.edits:
        found.append(Copyable("content", "new text", "\n".join(e.new for e in facts.edits)))
        changes = (f"{line.sign}{line.text}" for lines in facts.changes for line in lines)
        found.append(Copyable("change", "change", "\n".join(changes)))
    return found


def _first(arguments: Mapping[str, object], keys: Iterable[str]) -> str:
    found = (arguments.get(key) for key in keys)
    return next((value for value in found if isinstance(value, str) and value), "")


def _text(content: Iterable[ContentBlock]) -> str:
    return "\n".join(block.text for block in content if isinstance(block, TextBlock))


def _plain(text: str) -> str:
    """Return an output without the sequences that set its colours."""
    return "".join(run.text for run in styled_runs(text)) if has_sgr(text) else text
