"""The fields of the file of marks: JSON values to marks and back, what is unknown kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from ink_tui.model.ids import EntryId
from ink_tui.model.marks import NO_RECORD_MARKS, Marks, RecordMarks, SessionMarks

if TYPE_CHECKING:
    from collections.abc import Mapping

Fields: TypeAlias = "dict[str, Any]"
_FLAGS = ("pinned", "starred", "archived")
_SESSION = frozenset({*_FLAGS, "note", "hidden", "records"})
_RECORD = frozenset({"starred", "note"})


class NotMarksError(Exception):
    """The value is not that of a file of marks at all."""


def read_fields(value: object) -> tuple[Fields, Marks, int]:
    """Return the fields of a file, the marks in them, and how many of its values are not marks.

    Args:
        value: What the JSON text of the file says.

    Raises:
        NotMarksError: It has no sessions.
    """
    if not isinstance(value, dict) or not isinstance(value.get("sessions"), dict):
        raise NotMarksError
    strange = 0
    found: dict[str, SessionMarks] = {}
    for session_id, fields in value["sessions"].items():
        if not isinstance(fields, dict):
            strange += 1
            continue
        own, wrong = _session(fields)
        strange += wrong
        if own != SessionMarks():
            found[session_id] = own
    return value, Marks(found), strange


def with_fields(before: Fields, marks: Marks, changed: str, *, all_anew: bool) -> Fields:
    """Return the fields of the file with the marks of a session put in.

    Args:
        before: The fields that the file holds.
        marks: All marks.
        changed: Id of the session whose marks are others now.
        all_anew: Write those of all sessions, to leave out what could not be read.
    """
    old = before.get("sessions")
    sessions: Fields = dict(old) if isinstance(old, dict) else {}
    for session_id in {changed, *(sessions if all_anew else ())}:
        known = sessions.pop(session_id, None)
        fields = _session_fields(known if isinstance(known, dict) else {}, marks.of(session_id))
        if fields:
            sessions[session_id] = fields
    return {**before, "sessions": dict(sorted(sessions.items()))}


def _session(fields: Mapping[str, Any]) -> tuple[SessionMarks, int]:
    """Return the marks of a session and how many values are none."""
    strange = 0
    flags = {name: fields.get(name, False) for name in _FLAGS}
    strange += sum(not isinstance(flag, bool) for flag in flags.values())
    note = fields.get("note", "")
    hidden = fields.get("hidden", [])
    records = fields.get("records", {})
    strange += (not isinstance(note, str)) + (not isinstance(hidden, list))
    strange += not isinstance(records, dict)
    heads = hidden if isinstance(hidden, list) else []
    strange += sum(not isinstance(head, str) for head in heads)
    found: dict[EntryId, RecordMarks] = {}
    for entry_id, own in (records if isinstance(records, dict) else {}).items():
        marks, wrong = _record(own)
        strange += wrong
        if marks != NO_RECORD_MARKS:
            found[EntryId(entry_id)] = marks
    marks_of_session = SessionMarks(
        pinned=flags["pinned"] is True,
        starred=flags["starred"] is True,
        archived=flags["archived"] is True,
        note=note if isinstance(note, str) else "",
        hidden=frozenset(EntryId(head) for head in heads if isinstance(head, str)),
        records=found,
    )
    return marks_of_session, strange


def _record(fields: object) -> tuple[RecordMarks, int]:
    if not isinstance(fields, dict):
        return NO_RECORD_MARKS, 1
    starred, note = fields.get("starred", False), fields.get("note", "")
    strange = (not isinstance(starred, bool)) + (not isinstance(note, str))
    return RecordMarks(starred is True, note if isinstance(note, str) else ""), strange


def _session_fields(before: Mapping[str, Any], marks: SessionMarks) -> Fields:
    fields: Fields = {name: each for name, each in before.items() if name not in _SESSION}
    fields |= dict.fromkeys(marks.words, True)
    if marks.note:
        fields["note"] = marks.note
    if marks.hidden:
        fields["hidden"] = sorted(marks.hidden)
    old = before.get("records")
    known: Mapping[str, Any] = old if isinstance(old, dict) else {}
    records = {
        entry_id: own
        for entry_id in sorted({*known, *marks.records})
        if (own := _record_fields(known.get(entry_id), marks.record(EntryId(entry_id))))
    }
    if records:
        fields["records"] = records
    return fields


def _record_fields(before: object, marks: RecordMarks) -> Fields:
    known = before if isinstance(before, dict) else {}
    fields: Fields = {name: each for name, each in known.items() if name not in _RECORD}
    if marks.starred:
        fields["starred"] = True
    if marks.note:
        fields["note"] = marks.note
    return fields
