"""Decoded JSON to header and records, by the checks that Ink itself makes (sections 2 and 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ink_tui.formats.ink import constants
from ink_tui.formats.ink.messages import read_message, read_usage
from ink_tui.formats.ink.values import count_or_none, preview, text_or_none, time_ms
from ink_tui.model.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    EntryId,
    InfoEntry,
    LabelEntry,
    MessageEntry,
    ModelMarker,
    PositionMarker,
    Record,
    SessionId,
    Span,
    ThinkingLevelEntry,
    UnknownEntry,
)
from ink_tui.model.faults import FaultCode
from ink_tui.model.session import Header
from ink_tui.model.text import clean

if TYPE_CHECKING:
    from collections.abc import Callable

    from ink_tui.model.messages import Message
    from ink_tui.model.recovered import RecoveredRecord


@dataclass(frozen=True, slots=True)
class BadHeader:
    """The first record is not a header that Ink opens."""

    code: FaultCode
    reason: str
    span: Span
    header: Header | None
    """What can be read all the same, for instance in a header of another version."""
    recovered: tuple[RecoveredRecord, ...] = ()
    """Whole records that stand on the first line."""
    recovered_header: Header | None = None
    """A whole header that stands on the first line beside something else."""


@dataclass(frozen=True, slots=True)
class BadRecord:
    """Whole JSON that Ink's checks refuse."""

    code: FaultCode
    reason: str
    foreign: bool
    """A record of a kind, or a provider, that a newer build may have written."""
    shown: UnknownEntry
    """The record as it is shown."""


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that Ink's parser refuses."""

    span: Span
    code: FaultCode
    reason: str
    record: BadRecord | None
    """The whole JSON that the line holds, if it is JSON."""
    fatal_when_last: bool = False
    """The literal `null`: Ink fails on it even at the end of the file (7.3)."""
    holds_record: bool = False
    """Not JSON as a whole, but a whole record stands in it: before zero bytes, or glued on."""
    recovered: tuple[RecoveredRecord, ...] = ()
    """The whole records that stand in it."""


def read_header(value: Any, span: Span) -> Header | BadHeader:
    """Return the header of a session file (section 2).

    Args:
        value: The decoded first line that is not blank.
        span: Where it stands.
    """
    if not isinstance(value, dict) or value.get("type") != "session":
        return BadHeader(FaultCode.BAD_HEADER, "the first line is not a session header", span, None)
    if not isinstance(value.get("id"), str):
        return BadHeader(FaultCode.BAD_HEADER, "the header has no session id", span, None)
    header = _header(value, span)
    version = value.get("version")
    if isinstance(version, bool) or not isinstance(version, int | float):
        return BadHeader(FaultCode.BAD_HEADER, "the header has no version number", span, header)
    if version != constants.FORMAT_VERSION:
        return BadHeader(FaultCode.UNSUPPORTED_VERSION, f"version {version}", span, header)
    if "model" in value and not _valid_model(value["model"]):
        return BadHeader(FaultCode.BAD_HEADER, "the header names an invalid model", span, header)
    return header


def _header(value: dict[str, Any], span: Span) -> Header:
    version = value.get("version")
    parent, cwd = value.get("parent"), value.get("cwd")
    model = value.get("model")
    model = model if isinstance(model, dict) else {}
    fork = value.get("forkedFrom")
    forked_from = None
    if isinstance(fork, dict) and isinstance(fork.get("id"), str):
        entry = fork.get("entry")
        forked_from = (fork["id"], entry if isinstance(entry, str) else None)
    return Header(
        id=SessionId(value["id"]),
        version=version if isinstance(version, int | str) else None,
        timestamp=text_or_none(value.get("timestamp")) or "",
        time_ms=time_ms(value.get("timestamp")),
        cwd=cwd if isinstance(cwd, str) else "",
        parent_id=SessionId(parent) if isinstance(parent, str) else None,
        has_launch=isinstance(value.get("launch"), dict),
        provider=text_or_none(model.get("provider")),
        model_id=text_or_none(model.get("modelId")),
        forked_from=forked_from,
        span=span,
        launch_parent_id=_launch_parent(value.get("launch")),
    )


def _launch_parent(launch: Any) -> SessionId | None:
    """Return the parent that a launch record names; an invalid record counts as none (2.1)."""
    if not isinstance(launch, dict) or "impVersion" in launch:
        return None
    version, parent = launch.get("version"), launch.get("parentSessionId")
    if isinstance(version, bool) or version != constants.LAUNCH_VERSION:
        return None
    return SessionId(parent) if isinstance(parent, str) and parent else None


def _valid_model(model: Any) -> bool:
    return (
        isinstance(model, dict)
        and model.get("provider") in constants.KNOWN_PROVIDERS
        and isinstance(model.get("modelId"), str)
        and bool(model["modelId"].strip())
    )


def read_record(
    value: Any, span: Span, message: Callable[[Any], Message] = read_message
) -> Record | BadRecord:
    """Return the record a line holds, by Ink's checks in Ink's order (3.0); never raises.

    Args:
        value: The decoded line.
        span: Where it stands.
        message: How the messages in it are read.
    """
    if not isinstance(value, dict):
        return _bad(value, span, "not a JSON object")
    kind = value.get("type")
    if kind == "message" and (found := _sound_message(value, span, message)) is not None:
        return found
    if not isinstance(kind, str):
        return _bad(value, span, "the record has no type")
    if kind == "position":
        leaf = value.get("leafId")
        valid = "leafId" in value and (leaf is None or isinstance(leaf, str))
        return PositionMarker(span, EntryId(leaf) if isinstance(leaf, str) else None, valid)
    if kind == "session_model":
        return _model_marker(value, span)
    entry_id, parent = value.get("id"), value.get("parentId")
    if not isinstance(entry_id, str) or not entry_id:
        return _bad(value, span, "the record has no id")
    if "parentId" not in value or not (parent is None or isinstance(parent, str)):
        return _bad(value, span, "the record's parentId is neither text nor null")
    if not isinstance(value.get("timestamp"), str):
        return _bad(value, span, "the record has no timestamp")
    return _entry(kind, value, span, message)


def _sound_message(
    value: dict[str, Any], span: Span, read: Callable[[Any], Message]
) -> MessageEntry | None:
    """Return a message that passes all checks at once, as nearly all records do."""
    entry_id, parent = value.get("id"), value.get("parentId", 0)
    stamp, message = value.get("timestamp"), value.get("message")
    if (
        type(entry_id) is not str
        or not entry_id
        or (parent is not None and type(parent) is not str)
        or type(stamp) is not str
        or type(message) is not dict
        or type(message.get("role")) is not str
    ):
        return None
    return MessageEntry(
        EntryId(entry_id),
        None if parent is None else EntryId(parent),
        clean(stamp),
        time_ms(stamp),
        span,
        read(message),
    )


_KINDS = frozenset(
    {"message", "compaction", "branchSummary", "thinkingLevelChange", "session_info", "label"}
)


def _entry(
    kind: str, value: dict[str, Any], span: Span, read: Callable[[Any], Message]
) -> Record | BadRecord:
    if kind not in _KINDS:
        return _bad(value, span, f"unknown type “{clean(kind)}”", FaultCode.UNKNOWN_ENTRY_TYPE)
    parent = value["parentId"]
    base: tuple[EntryId, EntryId | None, str, int | None, Span] = (
        EntryId(value["id"]),
        None if parent is None else EntryId(parent),
        clean(value["timestamp"]),
        time_ms(value["timestamp"]),
        span,
    )
    if kind == "message":
        message = value.get("message")
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            return _bad(value, span, "the message has no role")
        return MessageEntry(*base, read(message))
    if kind == "compaction":
        return _compaction(value, base, read)
    if kind == "label":
        target, label = value.get("targetId"), value.get("label")
        if not isinstance(target, str) or not isinstance(label, str):
            return _bad(value, span, "the label has no target or no text")
        return LabelEntry(*base, EntryId(target), clean(label))
    field = {"branchSummary": "summary", "thinkingLevelChange": "thinkingLevel"}.get(kind, "name")
    text = value.get(field)
    if not isinstance(text, str):
        return _bad(value, span, f"the record has no {field}")
    if kind == "branchSummary":
        return BranchSummaryEntry(*base, clean(text))
    if kind == "thinkingLevelChange":
        return ThinkingLevelEntry(*base, clean(text))
    return InfoEntry(*base, clean(text))


def _compaction(
    value: dict[str, Any],
    base: tuple[EntryId, EntryId | None, str, int | None, Span],
    read: Callable[[Any], Message],
) -> Record | BadRecord:
    summary = value.get("summary")
    if not isinstance(summary, str):
        return _bad(value, base[4], "the compaction has no summary")
    tail = value.get("retainedTail")
    return CompactionEntry(
        *base,
        summary=clean(summary),
        retained_tail=tuple(read(item) for item in tail) if isinstance(tail, list) else None,
        tokens_before=count_or_none(value.get("tokensBefore")),
        usage=read_usage(value.get("usage")),
        model=text_or_none(value.get("model")),
    )


def _model_marker(value: dict[str, Any], span: Span) -> Record | BadRecord:
    provider, model_id, explicit = (
        value.get("provider"),
        value.get("modelId"),
        value.get("explicit"),
    )
    if not isinstance(provider, str) or not isinstance(model_id, str) or not model_id.strip():
        return _bad(value, span, "the model record has no provider or no model")
    if not isinstance(explicit, bool):
        return _bad(value, span, "the model record does not say whether it is explicit")
    if provider not in constants.KNOWN_PROVIDERS:
        return _bad(value, span, f"unknown provider “{clean(provider)}”", foreign=True)
    return ModelMarker(span, clean(provider), clean(model_id), explicit)


def _bad(
    value: Any,
    span: Span,
    reason: str,
    code: FaultCode = FaultCode.INVALID_RECORD,
    *,
    foreign: bool | None = None,
) -> BadRecord:
    fields = value if isinstance(value, dict) else {}
    kind = fields.get("type")
    if foreign is None:
        foreign = (
            isinstance(kind, str)
            and kind not in _KINDS
            and kind not in ("position", "session_model")
        )
    entry_id, parent = fields.get("id"), fields.get("parentId")
    shown = UnknownEntry(
        id=EntryId(entry_id) if isinstance(entry_id, str) and entry_id else None,
        parent_id=EntryId(parent) if isinstance(parent, str) else None,
        timestamp=text_or_none(fields.get("timestamp")) or "",
        time_ms=time_ms(fields.get("timestamp")),
        span=span,
        type_name=text_or_none(kind) or "",
        preview=preview(value),
    )
    return BadRecord(code, reason, foreign, shown)
