"""The tree of a session as rows: one trunk, branches as stubs at their branch point.

The branch that will be continued never indents. Every record and every line that cannot be read
has its row, merged results stand with their call. Iterative throughout: depth and number of
branches are limited by memory alone. `outline_view` chooses which rows are seen.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from ink_tui.model.entries import EntryId, MessageEntry
from ink_tui.model.faults import FaultCode, Severity
from ink_tui.model.lineage import fork_rows
from ink_tui.model.outline_entries import (
    Hanging,
    row_key,
    snippet,
    without_result,
)
from ink_tui.model.outline_facts import LineFacts, id_of, trunk_facts
from ink_tui.model.outline_folds import fold_summarised, is_band
from ink_tui.model.outline_lines import line_rows
from ink_tui.model.outline_loose import (
    Loose,
    heading,
    loose_rows,
    resume_row,
    shadowed,
    tail_row,
)
from ink_tui.model.outline_rows import (
    CallLook,
    Outline,
    OutlineRow,
    Rail,
    RowKind,
)
from ink_tui.model.recovery import as_read, recovered_notes
from ink_tui.model.text import one_line
from ink_tui.model.tool_calls import CallState
from ink_tui.model.tool_facts import tool_facts
from ink_tui.model.words import Mark, counted, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ink_tui.model.entries import Node
    from ink_tui.model.lineage import ForkLink
    from ink_tui.model.tool_calls import PairedCall
    from ink_tui.model.verdict import Diagnosis


def build_outline(
    diagnosis: Diagnosis,
    *,
    child_records: Mapping[str, int] | None = None,
    running: bool = False,
    writing: bool = False,
    forks: Mapping[EntryId, Sequence[ForkLink]] | None = None,
) -> Outline:
    """Return all rows of a session's tree, everything unfolded.

    Args:
        diagnosis: The session and its state.
        child_records: Records of sub-agent sessions by header id, as far as they are known.
        running: An agent is known to hold the session: open calls are running.
        writing: The file changed a moment ago: an unfinished last line is being written.
        forks: Copies of the session, by the record that they end with.
    """
    builder = _Builder(diagnosis, child_records or {}, running=running, writing=writing)
    builder.forks = forks or {}
    return builder.build()


@dataclass(slots=True)
class _Line:
    """A line of entries that is being put out."""

    nodes: Sequence[Node]
    rows: list[list[OutlineRow]]
    depth: int
    inside: str | None
    """Key of the stub that it belongs to."""
    rail: Rail
    trunk: bool = False
    at: int = 0
    pending: deque[EntryId] = field(default_factory=deque)
    """Branches that hang from the entry put out last."""
    last_key: str = ""


class _Builder:
    """Puts the rows of one session in order."""

    def __init__(
        self,
        diagnosis: Diagnosis,
        child_records: Mapping[str, int],
        *,
        running: bool,
        writing: bool,
    ) -> None:
        diagnosis = as_read(diagnosis)
        self.forks: Mapping[EntryId, Sequence[ForkLink]] = {}
        self._diagnosis = diagnosis
        self._session = diagnosis.session
        self._tree = diagnosis.tree
        self._trunk = diagnosis.branch.entries
        self._on_trunk = frozenset(node.id for node in self._trunk)
        self._running, self._writing = running, writing
        self._rows: list[OutlineRow] = []
        self._done: set[EntryId] = set()
        self._sizes: dict[EntryId, int] = {}
        self._points: set[str] = set()
        self._rail = Rail.TRUNK
        bad = {
            fault.span.offset: fault
            for fault in self._session.faults
            if fault.severity is Severity.DAMAGE and fault.span is not None
        }
        self._branch_facts = LineFacts(
            self._session.labels,
            child_records,
            bad,
            trunk=False,
            recovered=recovered_notes(self._session),
        )
        self._loose: deque[Loose] = deque(loose_rows(self._session, bad))

    def build(self) -> Outline:
        """Return the outline."""
        facts = trunk_facts(self._diagnosis, self._branch_facts, running=self._running)
        self._rail = Rail.GONE if facts.last_compaction > 0 else Rail.TRUNK
        self._put_other_starts()
        start = len(self._rows)
        rows = line_rows(self._trunk, facts)
        trunk = _Line(self._trunk, rows, 0, None, self._rail, trunk=True)
        self._mark_broken_start(trunk)
        self._put(trunk)
        self._put_kept_calls(facts)
        if facts.last_compaction > 0:
            fold_summarised(self._rows, start)
        self._put_end()
        self._put_not_connected()
        self._put_shadowed()
        return self._finished()

    # Lines and their branches

    def _put(self, first: _Line) -> None:
        """Put out a line with everything that hangs from it."""
        stack = [first]
        while stack:
            line = stack[-1]
            if line.pending:
                stub = self._stub(line.pending.popleft(), line, last=not line.pending)
                if stub is not None:
                    stack.append(stub)
            elif line.at == len(line.nodes):
                stack.pop()
            else:
                self._put_node(line)

    def _put_node(self, line: _Line) -> None:
        node = line.nodes[line.at]
        following = line.nodes[line.at + 1].id if line.at + 1 < len(line.nodes) else None
        entry = id_of(node)
        self._done.add(entry)
        if line.trunk:
            self._put_loose_before(node.span.offset)
        for row in line.rows[line.at]:
            self._rows.append(row)
            line.last_key, line.rail = row.key, row.rail
        if line.trunk:
            self._rail = line.rail
        copies = self.forks.get(entry, ())
        self._rows += fork_rows(entry, copies, rail=line.rail, depth=line.depth, inside=line.inside)
        line.at += 1
        line.pending.extend(
            child
            for child in self._tree.children.get(entry, ())
            if child != following and child not in self._on_trunk and child not in self._done
        )
        if line.pending:
            self._points.add(line.last_key)

    def _stub(self, head: EntryId, parent: _Line, *, last: bool) -> _Line | None:
        if head in self._done:
            return None
        nodes = self._line_from(head)
        # The first entry has a row: what it holds can answer no call of its own line.
        depth, key = parent.depth + 1, row_key(nodes[0], 0)
        rows = line_rows(nodes, self._branch_facts, Hanging(parent.rail, depth, key))
        records = self._size(head)
        rows[0][0] = replace(
            rows[0][0],
            stub=True,
            last_stub=last,
            foldable=records > 1
            or sum(len(own) for own in rows) > 1
            or any(id_of(node) in self.forks for node in nodes),
            count=records,
            inside=parent.inside,
            bold=False,
        )
        return _Line(nodes, rows, depth, key, parent.rail)

    def _line_from(self, head: EntryId) -> list[Node]:
        """Return a branch along its newest children."""
        nodes = self._session.nodes
        line = [nodes[head]]
        seen = {head}
        while True:
            free = [
                child
                for child in self._tree.children.get(id_of(line[-1]), ())
                if child not in self._on_trunk and child not in self._done and child not in seen
            ]
            if not free:
                return line
            seen.add(free[-1])
            line.append(nodes[free[-1]])

    def _size(self, head: EntryId) -> int:
        """Return how many entries a branch holds with all that hangs from it."""
        stack = [head]
        order: list[EntryId] = []
        seen: set[EntryId] = set()
        while stack:
            entry = stack.pop()
            if entry in seen or entry in self._sizes or entry in self._on_trunk:
                continue
            seen.add(entry)
            order.append(entry)
            stack.extend(self._tree.children.get(entry, ()))
        for entry in reversed(order):
            below = self._tree.children.get(entry, ())
            self._sizes[entry] = 1 + sum(self._sizes.get(child, 0) for child in below)
        return self._sizes.get(head, 1)

    # Sections

    def _put_other_starts(self) -> None:
        """Put out roots that the trunk does not start from, as stubs at the very start."""
        first = self._trunk[0].id if self._trunk else None
        starts = [
            root
            for root in self._tree.roots
            if root != first
            and root not in self._tree.missing_parents
            and root not in self._on_trunk
        ]
        start = _Line((), [], 0, None, self._rail)
        start.pending.extend(starts)
        self._put(start)

    def _mark_broken_start(self, trunk: _Line) -> None:
        branch = self._diagnosis.branch
        if branch.error is None or not trunk.rows or not trunk.rows[0]:
            return
        row = trunk.rows[0][0]
        if branch.error is FaultCode.CYCLE:
            notes: tuple[str, ...] = (words(FaultCode.CYCLE).tree,)
        else:
            notes = _missing_notes(self._trunk[0])
        trunk.rows[0][0] = replace(row, mark=Mark.DAMAGED, notes=(*notes, *row.notes))

    def _put_loose_before(self, offset: int) -> None:
        while self._loose and self._loose[0].offset <= offset:
            self._put_loose(self._loose.popleft())

    def _put_loose(self, loose: Loose) -> None:
        dim = loose.row.dim or (loose.marker and self._rail is Rail.GONE)
        self._rows.append(replace(loose.row, rail=self._rail, dim=dim))

    def _put_kept_calls(self, facts: LineFacts) -> None:
        """Show open calls of the kept tail whose own records cannot be found before it."""
        pairing = self._diagnosis.pairing
        if pairing is None or not facts.kept_open:
            return
        shown = {row.call.call_id for row in self._rows if row.kept and row.call is not None}
        missing = [
            paired
            for paired in pairing.dangling
            if paired.call.call_id in facts.kept_open and paired.call.call_id not in shown
        ]
        at = next((n for n in range(len(self._rows) - 1, -1, -1) if is_band(self._rows[n])), None)
        if at is None:
            return
        band = self._rows[at]
        extra = [
            _kept_call_row(paired, band, number, running=self._running)
            for number, paired in enumerate(missing)
        ]
        self._rows[at + 1 : at + 1] = extra

    def _put_end(self) -> None:
        """Put out the resume point and what stands after it in the file."""
        for loose in [item for item in self._loose if item.marker]:
            self._put_loose(loose)
            self._loose.remove(loose)
        row = resume_row(self._diagnosis, running=self._running)
        if row is not None:
            self._rows.append(row)
        self._rail = Rail.NONE
        while self._loose:
            self._put_loose(self._loose.popleft())
        tail = tail_row(self._session, self._branch_facts.bad, writing=self._writing)
        if tail is not None:
            self._rows.append(tail)

    def _put_not_connected(self) -> None:
        nodes = self._session.nodes
        orphans = [entry for entry in self._tree.missing_parents if entry not in self._on_trunk]
        at = len(self._rows)
        for entry in orphans:
            line_nodes = self._line_from(entry)
            rows = line_rows(line_nodes, self._branch_facts)
            line = _Line(line_nodes, rows, 0, None, Rail.NONE)
            first = next(number for number, own in enumerate(line.rows) if own)
            row = line.rows[first][0]
            notes = (*_missing_notes(nodes[entry]), *row.notes)
            line.rows[first][0] = replace(row, mark=Mark.DAMAGED, notes=notes)
            self._put(line)
        # Everything that the orphans lead to is counted by now.
        connected = sum(self._size(entry) for entry in orphans)
        ring = [entry for entry in self._tree.unreachable if entry not in self._done]
        for own in line_rows([nodes[entry] for entry in ring], self._branch_facts):
            note = words(FaultCode.CYCLE).tree
            self._rows.extend(
                replace(row, mark=Mark.DAMAGED, notes=(note, *row.notes)) for row in own
            )
        self._done.update(ring)
        said = []
        if orphans:
            whose = "parent was" if len(orphans) == 1 else "parents were"
            said.append(f"{counted(connected, 'record')} whose {whose} never written")
        if ring:
            said.append(f"{counted(len(ring), 'record')} in a ring")
        if said:
            self._rows.insert(at, heading("not connected", ", ".join(said)))

    def _put_shadowed(self) -> None:
        records = shadowed(self._session)
        if not records:
            return
        text = f"{counted(len(records), 'record')} with an id that is used again later"
        self._rows.append(heading("replaced", text))
        note = words(FaultCode.DUPLICATE_ID).tree
        for own in line_rows(records, self._branch_facts):
            self._rows.extend(replace(row, dim=True, notes=(note, *row.notes)) for row in own)

    def _finished(self) -> Outline:
        by_entry: dict[EntryId, str] = {}
        for row in self._rows:
            for entry in (row.entry_id, row.result_id):
                if entry is not None:
                    by_entry.setdefault(entry, row.key)
        resume = next((row.key for row in self._rows if row.kind is RowKind.RESUME), None)
        return Outline(
            rows=tuple(self._rows),
            places=MappingProxyType({row.key: at for at, row in enumerate(self._rows)}),
            by_entry=MappingProxyType(by_entry),
            branch_points=frozenset(self._points),
            resume_key=resume,
            empty=not any(isinstance(node, MessageEntry) for node in self._session.records),
        )


def _missing_notes(node: Node) -> tuple[str, ...]:
    parent = one_line(node.parent_id or "")[:8]
    return f"parent {parent} missing", f"line {node.span.line:,}"


def _kept_call_row(
    paired: PairedCall, band: OutlineRow, number: int, *, running: bool
) -> OutlineRow:
    row = OutlineRow(
        f"{band.key}:kept{number}",
        RowKind.CALL,
        snippet(paired.call.tool) or "call",
        tool_facts(paired.call).what,
        entry_id=band.entry_id,
        time_ms=band.time_ms,
        span=band.span,
        rail=Rail.TRUNK,
        call=paired.call,
    )
    look = CallLook.GAP
    if paired.state is CallState.OPEN:
        look = CallLook.RUNNING if running else CallLook.OPEN
    return without_result(row, look)
