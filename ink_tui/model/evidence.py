"""What can be seen of a call without a saved result, from the files it may have changed.

Worded as what was seen, never as what happened: a file that holds the new text may have been
written by anybody. An edit is judged by the rule of `formats/ink.md` 4.6: line ends are compared as
a newline, and all of its replacements or none are made.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from ink_tui.model.dates import date_words
from ink_tui.model.places import MAX_FOUND, find_places
from ink_tui.model.text import one_line, short_path
from ink_tui.model.tool_facts import ToolKind, file_change, only_looks, tool_kind
from ink_tui.model.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import tzinfo

    from ink_tui.model.messages import JsonValue
    from ink_tui.model.places import Places
    from ink_tui.model.tool_facts import Edit

MAX_EDITS = 50
"""A call with more replacements is not compared."""
_MAX_SEARCHED = 1 << 28
"""Characters that are searched in all: the file's, once for each text."""
_NAMES = 3
"""Changed files or folders that are named."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_HALVES = re.compile("[\ud800-\udfff]")


class Seen(StrEnum):
    """What was seen."""

    NEW = "new"
    OLD = "old"
    NEITHER = "neither"
    BOTH = "both"
    PART_NEW = "part-new"
    """The new text of some replacements, and neither text of the others."""
    PART_OLD = "part-old"
    GONE = "gone"
    EQUAL = "equal"
    DIFFERENT = "different"
    ABSENT = "absent"
    HARMLESS = "harmless"
    UNKNOWN = "unknown"
    LATE = "late"


@dataclass(frozen=True, slots=True)
class _Words:
    words: str
    strong: str = ""
    sentence: str = ""
    sentence_strong: str = ""


_WORDS: Mapping[Seen, _Words] = {
    Seen.NEW: _Words(
        "the file holds the new text", "new text", "The file now holds the new text.", "new"
    ),
    Seen.OLD: _Words(
        "the file holds the old text", "old text", "The file now holds the old text.", "old"
    ),
    Seen.NEITHER: _Words(
        "the file holds neither text",
        "neither text",
        "The file now holds neither the old nor the new text.",
        "neither",
    ),
    Seen.BOTH: _Words(
        "the file holds both texts",
        "both texts",
        "The file now holds both the old and the new text.",
        "both",
    ),
    Seen.PART_NEW: _Words(
        "the file holds part of the new text",
        "part",
        "The file now holds part of the new text.",
        "part",
    ),
    Seen.PART_OLD: _Words(
        "the file holds part of the old text",
        "part",
        "The file now holds part of the old text.",
        "part",
    ),
    Seen.GONE: _Words("the file is gone", "gone", "The file is gone.", "gone"),
    Seen.EQUAL: _Words(
        "the file equals the content", "equals", "The file now equals this content.", "equals"
    ),
    Seen.DIFFERENT: _Words(
        "the file differs", "differs", "The file now differs from this content.", "differs"
    ),
    Seen.ABSENT: _Words(
        "the file does not exist", "does not exist", "The file does not exist now.", "not"
    ),
    Seen.HARMLESS: _Words("changes nothing"),
    Seen.UNKNOWN: _Words("cannot be checked"),
    Seen.LATE: _Words("not checked in time"),
}


@dataclass(frozen=True, slots=True)
class FileSeen:
    """A file as it was found."""

    content: bytes | None = None
    """`None` when it is not there or was not read."""
    changed_ms: int | None = None
    gone: bool = False
    problem: str = ""
    """Why it was not read although something is there, in words."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Files below a folder that changed after a moment."""

    folder: str
    """The folder as written in the session."""
    since_ms: int | None
    """The moment in milliseconds since 1970; `None` when it is not known."""
    count: int = 0
    names: tuple[str, ...] = ()
    """Where they are, newest first, bounded; cleaned."""
    whole: bool = True
    """Whether everything below the folder was looked at."""
    problem: str = ""
    """Why nothing was looked at, in words."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was seen of one call."""

    seen: Seen
    notes: tuple[str, ...] = ()
    """More about it, each a few words; cleaned."""
    changed_ms: int | None = None
    """Last change of the file, in milliseconds since 1970."""
    changes: Changes | None = None

    @property
    def words(self) -> str:
        """What was seen, in a few words."""
        return _WORDS[self.seen].words

    @property
    def strong(self) -> str:
        """The part of `words` that is emphasised; empty for none."""
        return _WORDS[self.seen].strong

    @property
    def sentence(self) -> str:
        """What was seen of the file, as a sentence; empty when no file tells anything."""
        return _WORDS[self.seen].sentence

    @property
    def sentence_strong(self) -> str:
        """The part of `sentence` that is emphasised."""
        return _WORDS[self.seen].sentence_strong

    def second_line(self, *, now_ms: int, zone: tzinfo, home: str = "") -> str:
        """Return more about it for a second line; empty when there is nothing more.

        Args:
            now_ms: The present in milliseconds since 1970.
            zone: The user's zone.
            home: Home folder, written `~`.
        """
        parts = list(self.notes)
        if self.changed_ms is not None:
            moment = _time_words(self.changed_ms, now_ms, zone, seconds=True)
            parts += [f"changed {moment}"] if moment else []
        if self.changes is not None:
            parts.append(_changes_words(self.changes, now_ms, zone, home))
        return " · ".join(parts)


LATE = Evidence(Seen.LATE)
"""Of a call that could not be looked at in the time there was."""


def judge(
    tool: str,
    arguments: JsonValue,
    file: FileSeen | None = None,
    changes: Changes | None = None,
) -> Evidence:
    """Return what was seen of a call; never raises, whatever its arguments are.

    Args:
        tool: The tool's name.
        arguments: The call's arguments as they stand in the record, not cleaned.
        file: The file that an edit or a write names; `None` when none was looked for.
        changes: What changed below the working folder, for a shell command.
    """
    if only_looks(tool):
        return Evidence(Seen.HARMLESS)
    kind = tool_kind(tool)
    if kind is ToolKind.BASH:
        return Evidence(Seen.UNKNOWN, changes=changes)
    if kind not in (ToolKind.EDIT, ToolKind.WRITE):
        return Evidence(Seen.UNKNOWN)
    change = file_change(tool, arguments)
    if change is None:
        return Evidence(Seen.UNKNOWN, ("its arguments have a shape that is not known",))
    if len(change.edits) > MAX_EDITS:
        return Evidence(Seen.UNKNOWN, (f"{len(change.edits):,} replacements",))
    if file is None:
        return Evidence(Seen.UNKNOWN)
    if file.gone:
        seen = Seen.ABSENT if change.content is not None else Seen.GONE
        return Evidence(seen, (file.problem,) if file.problem else ())
    if file.content is None:
        return Evidence(Seen.UNKNOWN, (file.problem,) if file.problem else ())
    if change.content is not None:
        return _written(change.content, file.content, file.changed_ms)
    return _edited(change.edits, file.content, file.changed_ms)


def changes_since(
    folder: str, files: Iterable[tuple[int, str]], since_ms: int | None, *, whole: bool
) -> Changes:
    """Return which files changed after a moment.

    Args:
        folder: The folder that was looked through.
        files: Last change in milliseconds since 1970, and path relative to the folder.
        since_ms: The moment.
        whole: Whether everything below the folder was looked at.
    """
    if since_ms is None:
        return Changes(folder, None)
    newer = sorted((-changed, path) for changed, path in files if changed > since_ms)
    if len(newer) == 1:
        names: list[str] = [one_line(newer[0][1])]
    else:
        tops = dict.fromkeys(_top(path) for _changed, path in newer)
        names = list(tops)[:_NAMES] + (["…"] if len(tops) > _NAMES else [])
    return Changes(folder, since_ms, len(newer), tuple(names), whole)


def _top(path: str) -> str:
    first, below, _rest = path.partition("/")
    return one_line(first) + ("/…" if below else "")


# A written file


def _written(content: str, found: bytes, changed_ms: int | None) -> Evidence:
    wanted = _as_saved(content).encode()
    if found == wanted:
        return Evidence(Seen.EQUAL, (), changed_ms)
    if found.replace(b"\r\n", b"\n") == wanted.replace(b"\r\n", b"\n"):
        return Evidence(Seen.DIFFERENT, ("only in its line ends",), changed_ms)
    sizes = f"{counted(len(found), 'byte')}, the content has {len(wanted):,}"
    return Evidence(Seen.DIFFERENT, (sizes,), changed_ms)


def _as_saved(text: str) -> str:
    """Return a text as a program of Node writes it: half surrogates become U+FFFD."""
    return text if text.isascii() else _HALVES.sub("\ufffd", text)


# An edit


def _edited(edits: Sequence[Edit], content: bytes, changed_ms: int | None) -> Evidence:
    try:
        whole = _newlines(content.decode())
    except UnicodeDecodeError:
        return Evidence(Seen.UNKNOWN, ("the file is not UTF-8 text",), changed_ms)
    if "\0" in whole:
        return Evidence(Seen.UNKNOWN, ("the file is not plain text",), changed_ms)
    if 2 * len(edits) * len(whole) > _MAX_SEARCHED:
        return Evidence(Seen.UNKNOWN, (f"{len(edits)} replacements in a large file",), changed_ms)
    pairs = [(_newlines(edit.old), _newlines(_as_saved(edit.new))) for edit in edits]
    places = find_places(whole, [text for pair in pairs for text in pair])
    states = [_pair_state(places[old], places[new]) for old, new in pairs]
    if len(pairs) == 1:
        (old, new), seen = pairs[0], states[0]
        if not old:
            seen = Seen.NEW if places[new].alone and new else Seen.UNKNOWN
        return Evidence(seen, _single_notes(whole, places[old], places[new]), changed_ms)
    olds = sum(1 for old, _ in pairs if places[old].alone)
    news = sum(1 for _, new in pairs if places[new].alone)
    notes = (
        f"{len(pairs)} replacements",
        f"old text of {olds or 'none'} found",
        f"new text of {news or 'none'} found",
    )
    return Evidence(_together(states), notes, changed_ms)


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _pair_state(old: Places, new: Places) -> Seen:
    if old.alone and new.alone:
        return Seen.BOTH
    if old.alone:
        return Seen.OLD
    return Seen.NEW if new.alone else Seen.NEITHER


def _together(states: Sequence[Seen]) -> Seen:
    found = set(states)
    if len(found) == 1:
        return states[0]
    old = bool(found & {Seen.OLD, Seen.BOTH})
    new = bool(found & {Seen.NEW, Seen.BOTH})
    if old and new:
        return Seen.BOTH
    return Seen.PART_OLD if old else Seen.PART_NEW


def _single_notes(whole: str, old: Places, new: Places) -> tuple[str, ...]:
    if old.text == new.text:
        return ("old and new text are the same", _found("text", whole, old))
    return (_found("old text", whole, old), _found("new text", whole, new))


def _found(name: str, whole: str, place: Places) -> str:
    if not place.text:
        return f"{name} is empty"
    if not place.starts:
        return f"{name} not found"
    if not place.alone:
        other = "new" if name.startswith("old") else "old"
        return f"{name} found only inside the {other} text"
    line = whole.count("\n", 0, place.starts[0]) + 1
    if len(place.starts) == 1:
        return f"{name} found once, line {line:,}"
    more = "or more " if len(place.starts) == MAX_FOUND else ""
    return f"{name} found {len(place.starts):,} {more}times, first on line {line:,}"


# Words


def _changes_words(changes: Changes, now_ms: int, zone: tzinfo, home: str) -> str:
    if changes.problem:
        return changes.problem
    folder = short_path(changes.folder, home)
    if changes.since_ms is None:
        return "when it was made is not known"
    moment = _time_words(changes.since_ms, now_ms, zone, seconds=False)
    after = f"after {moment}" if moment else "after it was made"
    if not changes.count:
        said = f"no file under {folder} changed {after}"
        return said if changes.whole else f"{said}, as far as was looked"
    least = "" if changes.whole else "at least "
    return f"{least}{counted(changes.count, 'file')} under {folder} changed {after}: " + ", ".join(
        changes.names
    )


def _time_words(time_ms: int, now_ms: int, zone: tzinfo, *, seconds: bool) -> str:
    """Return a time, with the date in front unless it is today; empty when no calendar holds it."""
    try:
        local = (_EPOCH + timedelta(milliseconds=time_ms)).astimezone(zone)
        today = (_EPOCH + timedelta(milliseconds=now_ms)).astimezone(zone)
    except (OverflowError, ValueError):
        return ""
    clock = f"{local:%H:%M:%S}" if seconds else f"{local:%H:%M}"
    return clock if local.date() == today.date() else f"{date_words(local, today)} {clock}"
