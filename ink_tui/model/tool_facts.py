"""What a tool call is about, read from its arguments by their known spellings.

The spellings are those of `formats/ink.md` 4.6 and of the agents beside it. A tool that is not in
the table shows its first text argument; nothing here decides whether a call may be run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from ink_tui.model.diff import DiffLine, change_counts, line_diff
from ink_tui.model.messages import TextBlock
from ink_tui.model.text import first_line, one_line

if TYPE_CHECKING:
    from ink_tui.model.messages import CallBrief, JsonValue, ToolCall, ToolResult


class ToolKind(StrEnum):
    """What a tool does, as far as its name tells."""

    READ = "read"
    EDIT = "edit"
    WRITE = "write"
    BASH = "bash"
    SEARCH = "search"
    TASK = "task"
    OTHER = "other"


_KINDS = {
    **dict.fromkeys(("read", "read_file", "view", "cat"), ToolKind.READ),
    **dict.fromkeys(
        ("edit", "multiedit", "multi_edit", "edit_file", "str_replace", "replace"), ToolKind.EDIT
    ),
    **dict.fromkeys(("write", "write_file", "create", "create_file"), ToolKind.WRITE),
    **dict.fromkeys(("bash", "shell", "exec", "run", "run_command", "terminal"), ToolKind.BASH),
    **dict.fromkeys(("grep", "find", "ls", "glob", "search", "list"), ToolKind.SEARCH),
    **dict.fromkeys(("task", "agent", "delegate"), ToolKind.TASK),
}
CHANGES_NOTHING = frozenset(("read", "read_file", "view", "grep", "find", "ls", "glob"))
"""Names of tools that only look; names that may mean anything, such as `search`, are not here."""
PATH_KEYS = ("path", "file_path", "filePath", "filename", "file")
COMMAND_KEYS = ("command", "cmd", "script")
PATTERN_KEYS = ("pattern", "query", "regex", "glob")
PROMPT_KEYS = ("prompt", "description", "task")
CONTENT_KEYS = ("content", "contents", "file_text", "text")
OLD_KEYS = ("oldText", "old_string", "oldString", "old_str", "old_text")
NEW_KEYS = ("newText", "new_string", "newString", "new_str", "new_text")
_ORDER = {
    ToolKind.READ: PATH_KEYS,
    ToolKind.EDIT: PATH_KEYS,
    ToolKind.WRITE: PATH_KEYS,
    ToolKind.BASH: COMMAND_KEYS,
    ToolKind.SEARCH: PATTERN_KEYS + PATH_KEYS,
    ToolKind.TASK: PROMPT_KEYS,
    ToolKind.OTHER: COMMAND_KEYS + PATH_KEYS + PATTERN_KEYS + PROMPT_KEYS,
}
_EXIT_CODE = re.compile(r"^Exit code: (-?\d{1,9})\s*$", re.MULTILINE)
_EDIT_LINE = re.compile(r"^@@ line (\d{1,9}) @@", re.MULTILINE)
_TAIL_CHARS = 400
"""Where in a result the exit code is looked for, from its end."""
_WHAT_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement that a call asks for."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a call asks to be done to one file."""

    path: str
    """As the call writes it."""
    edits: tuple[Edit, ...] = ()
    """Replacements, all or nothing; empty for a call that gives the whole file."""
    content: str | None = None
    """The whole file; `None` for a call that gives replacements."""


@dataclass(frozen=True, slots=True)
class ToolFacts:
    """What a call is about."""

    kind: ToolKind
    what: str
    """Path, command or pattern in one line; the whole path or command, not shortened."""
    is_path: bool = False
    edits: tuple[Edit, ...] = ()
    content: str | None = None
    """The whole file that a write call gives."""
    brief: CallBrief | None = None
    """What is known where the arguments are not kept; then there are neither edits nor content."""

    @property
    def writes(self) -> bool:
        """Whether the call gives a whole file."""
        return self.brief.writes if self.brief is not None else self.content is not None

    @property
    def changes(self) -> tuple[tuple[DiffLine, ...], ...]:
        """The line differences of its edits, one for each; a written file is all added."""
        if self.content is not None:
            return (line_diff("", self.content),)
        return tuple(line_diff(edit.old, edit.new) for edit in self.edits)

    @property
    def counts(self) -> tuple[int, int] | None:
        """Lines added and removed, as its arguments say; `None` for tools that change nothing."""
        if self.brief is not None:
            return self.brief.counts
        if self.content is None and not self.edits:
            return None
        if self.content is not None:
            return change_counts("", self.content)
        both = [change_counts(edit.old, edit.new) for edit in self.edits]
        return sum(added for added, _ in both), sum(removed for _, removed in both)


def tool_kind(name: str) -> ToolKind:
    """Return what a tool of this name does."""
    kind = _KINDS.get(name)
    return kind if kind is not None else _KINDS.get(name.strip().lower(), ToolKind.OTHER)


def tool_facts(call: ToolCall) -> ToolFacts:
    """Return what a call is about; never raises, whatever its arguments are."""
    kind = tool_kind(call.tool)
    if call.brief is not None:
        return ToolFacts(kind, call.brief.what, call.brief.is_path, brief=call.brief)
    arguments = call.arguments
    if type(arguments) is not MappingProxyType and not isinstance(arguments, Mapping):
        return ToolFacts(kind, _in_one_line(arguments))
    key, found = _first(arguments, _ORDER[kind])
    if found is None:
        found = next((each for each in arguments.values() if isinstance(each, str)), None)
    what = one_line(found[:_WHAT_CHARS]).strip() if found is not None else _in_one_line(arguments)
    return ToolFacts(
        kind,
        what,
        is_path=key in PATH_KEYS,
        edits=_edits(arguments),
        content=_first(arguments, CONTENT_KEYS)[1] if kind is ToolKind.WRITE else None,
    )


def only_looks(name: str) -> bool:
    """Return whether a tool of this name changes nothing."""
    return name.strip().lower() in CHANGES_NOTHING


def file_change(name: str, arguments: JsonValue) -> FileChange | None:
    """Return what an edit or a write asks for, or `None` when any part has an unknown shape.

    Args:
        name: The tool's name.
        arguments: The call's arguments; give them as they stand in the file, not cleaned, when
            the texts are to be compared.
    """
    kind = tool_kind(name)
    if kind not in (ToolKind.EDIT, ToolKind.WRITE) or not isinstance(arguments, Mapping):
        return None
    path = _first(arguments, PATH_KEYS)[1]
    if path is None:
        return None
    if kind is ToolKind.WRITE:
        content = _text(arguments, CONTENT_KEYS)
        return FileChange(path, content=content) if content is not None else None
    listed = arguments.get("edits")
    asked = len(listed) if isinstance(listed, tuple) else 1
    edits = _edits(arguments)
    return FileChange(path, edits) if edits and len(edits) == asked else None


def exit_code(result: ToolResult) -> int | None:
    """Return the exit code that a shell's result names at its end; `None` when it names none."""
    if result.brief is not None:
        return result.brief.exit_code
    if tool_kind(result.tool) is not ToolKind.BASH:
        return None
    last = next((b for b in reversed(result.content) if isinstance(b, TextBlock)), None)
    found = _EXIT_CODE.findall(last.text[-_TAIL_CHARS:]) if last is not None else []
    return int(found[-1]) if found else None


def edit_starts(result: ToolResult | None) -> tuple[int, ...]:
    """Return the 1-based line at which each edit was applied, as the result says."""
    if result is None or tool_kind(result.tool) is not ToolKind.EDIT:
        return ()
    if result.brief is not None:
        return result.brief.edit_starts
    return tuple(int(number) for number in _EDIT_LINE.findall(result.text))


def _first(arguments: Mapping[str, JsonValue], keys: tuple[str, ...]) -> tuple[str, str | None]:
    for key in keys:
        value = arguments.get(key)
        if isinstance(value, str) and value:
            return key, value
    return "", None


def _edits(arguments: Mapping[str, JsonValue]) -> tuple[Edit, ...]:
    listed = arguments.get("edits")
    if not isinstance(listed, tuple) and arguments.keys().isdisjoint(OLD_KEYS):
        return ()
    items = listed if isinstance(listed, tuple) else (arguments,)
    found: list[Edit] = []
    for item in items:
        if isinstance(item, Mapping):
            old, new = _text(item, OLD_KEYS), _text(item, NEW_KEYS)
            if old is not None and new is not None:
                found.append(Edit(old, new))
    return tuple(found)


def _text(item: Mapping[str, JsonValue], keys: tuple[str, ...]) -> str | None:
    for key in keys:
        value = item.get(key)
        if isinstance(value, str):
            return value
    return None


def _in_one_line(value: JsonValue) -> str:
    """Return any value as a short text; containers show their keys or their number."""
    if isinstance(value, str):
        return one_line(first_line(value[:_WHAT_CHARS]))
    if isinstance(value, Mapping):
        return one_line(" ".join(list(value)[:8]))[:200]
    if isinstance(value, tuple):
        return f"{len(value)} arguments"
    return "" if value is None else str(value)[:200]
