"""The list row of a session that has been read whole.

Apart from the row itself: a list of rows that are known already needs nothing of this.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ink_tui.model.context import model_in_force
from ink_tui.model.entries import MessageEntry, UnknownEntry
from ink_tui.model.faults import Severity
from ink_tui.model.growth import appended_messages
from ink_tui.model.listing import SessionRow
from ink_tui.model.summary import compaction_count, gist_of, is_empty

if TYPE_CHECKING:
    from ink_tui.model.verdict import Diagnosis


def grown_row(last: SessionRow, old: Diagnosis, new: Diagnosis) -> SessionRow | None:
    """Return what `row_of` does of a session that has grown; `None` where it must look anew.

    Args:
        last: The row of the session as it was.
        old: That session.
        new: The session now.
    """
    appended = appended_messages(old.session, new.session)
    if not appended or old.branch.error is not None or new.branch.error is not None:
        return None
    if new.branch.entries[len(old.branch.entries) :] != appended or last.messages is None:
        return None
    return replace(
        last,
        title=new.title,
        last_ms=new.session.last_time_ms,
        size=new.session.size,
        empty=False,
        message_seen=True,
        verdict=new.verdict,
        open_calls=len(new.open_calls),
        refusal=new.refusal,
        not_connected=len(new.tree.unreachable) + len(new.tree.missing_parents),
        records=last.records + len(appended) if last.records is not None else None,
        messages=last.messages + len(appended),
        branches=len(new.tree.tips),
        gist=gist_of(new.branch.entries),
    )


def row_of(diagnosis: Diagnosis, path: str, *, child_by_place: bool = False) -> SessionRow:
    """Return the list row of a session that has been read whole.

    Args:
        diagnosis: The session and its state.
        path: Its file.
        child_by_place: Whether the file lies in a `children` folder.
    """
    session = diagnosis.session
    header = session.header
    bad = next((fault for fault in diagnosis.faults if fault.severity is Severity.DAMAGE), None)
    spoken = [node for node in diagnosis.branch.entries if isinstance(node, MessageEntry)]
    spot = next((fault for fault in session.faults if fault.code == session.error_kind), bad)
    return SessionRow(
        path=path,
        session_id=header.id if header else None,
        cwd=header.cwd if header else "",
        title=diagnosis.title,
        last_ms=session.last_time_ms,
        started_ms=header.time_ms if header else None,
        size=session.size,
        child=child_by_place or (header is not None and header.parent_id is not None),
        parent_id=header.parent_id if header else None,
        launch_parent_id=header.launch_parent_id if header else None,
        forked_from=header.forked_from[0] if header and header.forked_from else None,
        forked_at=header.forked_from[1] if header and header.forked_from else None,
        empty=is_empty(session),
        message_seen=not is_empty(session),
        verdict=diagnosis.verdict,
        error_kind=session.error_kind,
        reason=spot.detail if spot else "",
        error_line=session.error_line,
        error_offset=spot.span.offset if spot and spot.span else None,
        tail_state=session.tail.state,
        torn_bytes=session.tail.torn_bytes,
        open_calls=len(diagnosis.open_calls),
        refusal=diagnosis.refusal,
        not_connected=len(diagnosis.tree.unreachable) + len(diagnosis.tree.missing_parents),
        records=len([1 for record in session.records if not isinstance(record, UnknownEntry)]),
        messages=len(spoken) if diagnosis.branch.error is None else None,
        branches=len(diagnosis.tree.tips),
        compactions=compaction_count(session),
        model_id=model_in_force(session)[1],
        gist=gist_of(diagnosis.branch.entries),
    )
