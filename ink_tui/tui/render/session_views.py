"""Everything the four tabs show of one session, made ready in a worker. Blocks on file reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.context_table import ContextTable, build_table
from ink_tui.model.growth import growth_of
from ink_tui.model.health import Health, HexWindow, build_health, with_access, with_evidence
from ink_tui.model.health import as_live as as_live_health
from ink_tui.model.lineage import Forks, forks_of
from ink_tui.model.liveness import Freshness, HolderKind
from ink_tui.model.outline import build_outline
from ink_tui.model.outline_growth import grown_outline
from ink_tui.model.outline_view import with_closed
from ink_tui.model.text import one_line
from ink_tui.model.transcript import as_live
from ink_tui.model.transcript_build import build_transcript
from ink_tui.model.transcript_growth import grown_transcript
from ink_tui.model.words import counted
from ink_tui.store.access import look_at_access
from ink_tui.store.evidence import evidence_by_call, look_at_calls
from ink_tui.store.files import UnreadableError
from ink_tui.tui.render.head_lines import HeadFacts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ink_tui.model.evidence import Evidence
    from ink_tui.model.listing import SessionRow
    from ink_tui.model.outline_rows import Outline
    from ink_tui.model.transcript import Transcript
    from ink_tui.store.library import Library, OpenedSession
    from ink_tui.store.reader import Told

_WINDOWS = 40
"""Faults whose bytes are read ahead; later ones show theirs without the text around."""

_EVIDENCE_S = 0.3
"""Seconds that a session may be shown later for a look at the files of its open calls."""


@dataclass(frozen=True, slots=True)
class SessionViews:
    """One session, ready to be shown."""

    opened: OpenedSession
    outline: Outline
    transcript: Transcript
    table: ContextTable
    health: Health
    windows: Mapping[str, tuple[HexWindow, ...]]
    """Bytes around each fault, by its key."""
    head: HeadFacts
    size_words: str
    """What stands at the right of the tabs while health is shown."""
    evidence: Mapping[str, Evidence]
    """What was seen of the files of calls without a saved result, by call id."""
    forks: Forks
    """Its copies, by the record that they end with."""
    child_records: Mapping[str, int]
    """Records of sub-agent sessions by header id, as they were known."""


def load_views(
    library: Library,
    path: str,
    *,
    child_records: Mapping[str, int],
    running: bool = False,
    rows: Sequence[SessionRow] = (),
    last: SessionViews | None = None,
    told: Told | None = None,
) -> SessionViews:
    """Read a session and make all its views; call it from a worker.

    Where messages were appended to what was shown last, its views go on; they equal new ones.

    Args:
        library: Where it is read.
        path: Its file.
        child_records: Records of sub-agent sessions by header id.
        running: An agent of ours holds the session.
        rows: The rows of the list, among which its copies are found.
        last: What was shown last, of this session or of another one.
        told: Called now and then with the bytes that have been read and those there are; what it
            raises ends the reading.

    Raises:
        UnreadableError: It cannot be read and never was.
    """
    opened = library.open(path, told)
    told = told or _nobody
    diagnosis = opened.diagnosis
    writing = opened.row.freshness is Freshness.WRITING
    live = running or writing or opened.row.holder.kind is HolderKind.CERTAIN
    evidence: Mapping[str, Evidence] = {}
    if diagnosis.open_calls and not live and not opened.gone:
        found = look_at_calls(path, diagnosis, folders=False, budget_s=_EVIDENCE_S)
        evidence = evidence_by_call(diagnosis, found)
    health = with_evidence(build_health(diagnosis), diagnosis, evidence)
    health = as_live_health(health) if live else health
    health = with_access(health, look_at_access(path), path)
    forks = forks_of(opened.row.session_id, rows)
    known = last if last is not None and last.opened.path == path else None
    growth = growth_of(known.opened.diagnosis, diagnosis) if known is not None else None
    outline = None
    if known and growth and known.forks == forks and known.child_records == child_records:
        outline = grown_outline(
            known.outline, growth, child_records=child_records, running=live, forks=forks
        )
    if outline is None:
        made = build_outline(
            diagnosis, child_records=child_records, running=live, writing=writing, forks=forks
        )
        outline = with_closed(made)
    told(0, 0)
    transcript = grown_transcript(known.transcript, growth) if known and growth else None
    transcript = transcript or build_transcript(diagnosis)
    told(0, 0)
    return SessionViews(
        opened=opened,
        outline=outline,
        transcript=as_live(transcript) if live else transcript,
        table=build_table(
            diagnosis,
            last=(known.opened.diagnosis.context, known.table) if known else None,
            grown=growth is not None,
        ),
        health=health,
        windows={} if opened.gone else _windows(library, path, health),
        head=_head(opened, health.to_settle),
        size_words=f"{opened.row.size:,} bytes · {counted(diagnosis.session.lines, 'line')}",
        evidence=evidence,
        forks=forks,
        child_records=child_records,
    )


def _nobody(_done: int, _size: int) -> None:
    """Nobody waits to be told how far the reading is."""


def _windows(library: Library, path: str, health: Health) -> dict[str, tuple[HexWindow, ...]]:
    found: dict[str, tuple[HexWindow, ...]] = {}
    for fault in health.faults[:_WINDOWS]:
        try:
            found[fault.key] = tuple(
                HexWindow(offset, library.read_bytes(path, offset, length))
                for offset, length in fault.wanted
            )
        except UnreadableError:
            return found
    return found


def _head(opened: OpenedSession, to_settle: int) -> HeadFacts:
    row = opened.row
    facts = []
    if row.messages is not None:
        facts.append(counted(row.messages, "message"))
    if row.branches is not None and row.branches > 1:
        facts.append(counted(row.branches, "branch", "branches"))
    if row.model_id:
        facts.append(one_line(row.model_id))
    name = one_line(row.path.rsplit("/", 1)[-1])
    return HeadFacts(
        title=one_line(row.title) or name,
        short_id=one_line(row.session_id or "")[:8],
        to_settle=to_settle,
        facts=" · ".join(facts),
    )
