"""Session rows as the list shows them: in sections, within a scope, filtered, folded.

Every session stands in exactly one section or is counted: as hidden, as archived, or as outside.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC
from enum import StrEnum
from typing import TYPE_CHECKING

from ink_tui.model.archive import resting, rows_by_id
from ink_tui.model.marks import NO_MARKS, NO_SESSION_MARKS, Marks, SessionMarks
from ink_tui.model.nesting import nest
from ink_tui.model.row_words import (
    Activity,
    SecondLine,
    file_name,
    is_live,
    mark_of,
    needs_attention,
    second_line,
    title_words,
)
from ink_tui.model.scope import NO_REPOSITORY, Reach, Repository, Scope, Split, outside_words, split
from ink_tui.model.sections import Clock, Section, by_day, by_folder, by_urgency, group_of, heading
from ink_tui.model.text import one_line
from ink_tui.model.words import Mark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo

    from ink_tui.model.listing import SessionRow
    from ink_tui.model.row_filter import RowFilter

MORE_KEY = "more:"
"""Start of the key of what stands for the rest of a group."""
ARCHIVED_KEY = "archived:"
"""Key of the item that stands for the archived sessions."""

OUTSIDE_KEY = "outside:"
"""Key of the item that stands for the sessions outside the scope."""

FIRST_ROWS = 5
"""Sessions shown of a folder that is not the selected or the current one."""

FIRST_CHILDREN = 3
"""Sub-agent sessions shown under their parent."""


class Arrangement(StrEnum):
    """By what the list is divided into sections; the value is what the list says of it."""

    FOLDER = "by folder"
    URGENCY = "by urgency"
    TIME = "by time"


class ItemKind(StrEnum):
    """What an item of the list is."""

    GROUP = "group"
    SESSION = "session"
    MORE = "more"
    """Stands for sessions of a group that are not shown."""
    MORE_CHILDREN = "more-children"
    ARCHIVED = "archived"
    """Stands for the archived sessions that are not shown."""
    OUTSIDE = "outside"
    """Stands for the sessions outside the scope."""


@dataclass(frozen=True, slots=True)
class ListItem:
    """One item of the list, drawn on one line or two."""

    key: str
    kind: ItemKind
    group: str
    """Key of its section."""
    title: str
    row: SessionRow | None = None
    mark: Mark = Mark.NONE
    line: SecondLine | None = None
    depth: int = 0
    """1 and more for sub-agent sessions under their parent."""
    count: int = 0
    """Sessions of a group, or sessions not shown."""
    attention: int = 0
    """Sessions of a group that need a person."""
    opened: bool = True
    folder_missing: bool = False
    folder: str = ""
    """Name of the working folder, where sections are not folders."""
    marks: SessionMarks = NO_SESSION_MARKS
    """What is marked on the session."""
    rests: bool = False
    """It is in the archive, itself or with the session that it stands under."""
    outside: bool = False
    """It lies outside the scope and is shown since it was asked for by name."""


@dataclass(frozen=True, slots=True)
class ListQuery:
    """How the list is to be shown."""

    filter: str = ""
    show_hidden: bool = False
    """Also archived sessions and those without a message."""
    arrangement: Arrangement = Arrangement.FOLDER
    scope: Scope = Scope.ALL
    current_cwd: str = ""
    """Working folder that the program was started in."""
    home: str = ""
    """The user's home folder, which `~` stands for in a filter; empty when it is not known."""
    repository: Repository = NO_REPOSITORY
    """The git repository around that folder."""
    selected: str | None = None
    """Path of the selected session; its folder is shown whole."""
    first_whole: bool = False
    """The first section is shown whole: nothing was selected yet, and its first session will be."""
    folded: frozenset[str] = frozenset()
    opened: frozenset[str] = frozenset()
    """Keys of groups shown whole, and of parents whose sub-agent sessions all are."""
    now_ms: int = 0
    today_ms: int = 0
    """When the present day began in the user's zone."""
    zone: tzinfo = UTC
    """The user's zone."""
    activities: Mapping[str, Activity] = field(default_factory=dict)
    """What agents do, by path of the session."""
    marks: Marks = NO_MARKS
    asked: frozenset[str] = frozenset()
    """Paths of archived sessions, and of some outside the scope, that are shown since they were
    asked for by name."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The list and its figures."""

    items: tuple[ListItem, ...]
    sessions: int
    """Sessions that can be shown, sub-agent sessions not counted."""
    folders: int
    attention: int
    """Sessions that need a person."""
    hidden: int
    """Sessions without a message that are not shown."""
    archived: int = 0
    """Archived sessions that are not shown, what stands under them not counted."""
    scope: Scope = Scope.ALL
    outside: int = 0
    """Sessions that the scope leaves out, sub-agent sessions not counted."""


def session_key(path: str) -> str:
    """Return the key of the item of a session file."""
    return f"session:{path}"


def arrange(rows: Sequence[SessionRow], query: ListQuery) -> Listing:
    """Return the list that rows make.

    Newest record first, ties by path; in a folder what is pinned stands before the rest. Sub-agent
    sessions stand under their parent, found by the id in their header; a session is within the
    scope with all that stands under it as soon as one of them is.
    """
    return _Arranger(rows, query).listing()


class _Arranger:
    """Holds what the steps of one arrangement share."""

    def __init__(self, rows: Sequence[SessionRow], query: ListQuery) -> None:
        self._query = query
        self._clock = Clock(query.now_ms, query.today_ms, query.zone)
        self._filter: RowFilter | None = None
        if query.filter:
            from ink_tui.model.row_filter import RowFilter  # most lists are not filtered

            self._filter = RowFilter(query)
        self._wanted = self._filter is not None and self._filter.asks
        ordered = sorted(rows, key=lambda row: (-(row.last_ms or 0), row.path))
        self._by_id = rows_by_id(ordered)
        self._resting = resting(ordered, self._by_id, query.marks, self._is_live)
        self._asked = {self._resting[path].path for path in query.asked if path in self._resting}
        self._split = self._split_by_scope(ordered)
        inside = self._split.inside
        in_list = [row for row in inside if not self._is_away(row)]
        away = {row.path: row for row in inside if self._is_away(row)}
        # A family counts once, also where the archived session it stands under lies outside.
        first = {self._resting[path].path: row for path, row in reversed(away.items())}
        self._away = [away.get(top, row) for top, row in first.items()]
        self._shown = [row for row in in_list if not self._hides(row)]
        self._hidden = len(in_list) - len(self._shown)
        self._nesting = nest(self._shown, self._by_id)
        self._selected_top = self._nesting.top_of(query.selected)

    def listing(self) -> Listing:
        """Return the arranged rows with their figures."""
        sections = self._sections()
        items = [item for section in sections for item in self._group(section, sections[0])]
        items += self._archived_item()
        items += self._outside_item()
        left_out = [row for family in self._split.outside for row in family]
        return Listing(
            items=tuple(items),
            sessions=sum(not row.child for row in self._shown),
            folders=len({group_of(row) for row in self._nesting.tops}),
            attention=sum(self._needs(row) for row in self._shown),
            hidden=self._hidden,
            archived=len(self._away),
            scope=self._query.scope,
            outside=sum(not row.child for row in left_out if self._is_listed(row)),
        )

    def _sections(self) -> list[Section]:
        """Return the sections of what passes the filter."""
        query = self._query
        tops = [row for row in self._nesting.tops if self._keeps(row)]
        if query.arrangement is Arrangement.FOLDER:
            return by_folder(tops, query.current_cwd, lambda row: self._marks(row).pinned)
        if query.arrangement is Arrangement.TIME:
            return by_day(tops, self._clock)
        return by_urgency(tops, self._clock, live=self._is_live, needs=self._needs)

    def _split_by_scope(self, ordered: list[SessionRow]) -> Split:
        query = self._query
        if query.scope is Scope.ALL:
            return Split(tuple(ordered))
        repository = query.scope is Scope.REPOSITORY
        reach = Reach(query.repository.roots if repository else (query.current_cwd,))
        return split(ordered, nest(ordered, self._by_id), reach, query.asked)

    def _is_listed(self, row: SessionRow) -> bool:
        return not self._is_away(row) and not self._hides(row)

    def _hides(self, row: SessionRow) -> bool:
        """Whether a session is hidden for having no message; a damaged or live one never is."""
        query = self._query
        if query.show_hidden or not row.empty or row.path == query.selected:
            return False
        return not self._marks(row).kept and mark_of(row, self._activity(row)) is Mark.NONE

    def _is_away(self, row: SessionRow) -> bool:
        """Whether a session is out of the list because it rests in the archive."""
        top = self._resting.get(row.path)
        if top is None or self._query.show_hidden:
            return False
        if self._filter is not None and self._filter.asks_for_archived:
            return False
        return top.path not in self._asked

    def _needs(self, row: SessionRow) -> bool:
        """Whether a session asks for a person; one in the archive does not."""
        return row.path not in self._resting and needs_attention(row, self._activity(row))

    def _marks(self, row: SessionRow) -> SessionMarks:
        return self._query.marks.of(row.session_id)

    def _is_live(self, row: SessionRow) -> bool:
        return is_live(row, self._activity(row))

    def _activity(self, row: SessionRow) -> Activity | None:
        return self._query.activities.get(row.path)

    def _keeps(self, top: SessionRow) -> bool:
        """Whether a session or a sub-agent session of it passes the filter."""
        return any(map(self._passes, self._nesting.family(top)))

    def _passes(self, row: SessionRow) -> bool:
        return self._filter is None or self._filter.keeps(row, self._activity(row))

    # Items

    def _group(self, section: Section, first: Section) -> list[ListItem]:
        query, key, members = self._query, section.key, section.rows
        selected = any(row.path == self._selected_top for row in members)
        folded = key in query.folded or (
            section.starts_folded and key not in query.opened and not selected
        )
        opened = not folded or bool(self._wanted)
        items = [
            ListItem(
                key=f"group:{key}",
                kind=ItemKind.GROUP,
                group=key,
                title=heading(key, self._clock),
                count=len(members),
                attention=sum(self._needs(row) for row in members),
                opened=opened,
                folder_missing=key.startswith("cwd:") and all(row.cwd_missing for row in members),
            )
        ]
        if not opened:
            return items
        selected = selected or (query.first_whole and section is first)
        whole = section.whole or selected or key in query.opened or bool(self._wanted)
        limit = len(members) if whole or len(members) == FIRST_ROWS + 1 else FIRST_ROWS
        for row in members[:limit]:
            items += self._session(row, key)
        if limit < len(members):
            left = len(members) - limit
            more = f"{left:,} more"
            items.append(ListItem(MORE_KEY + key, ItemKind.MORE, key, more, count=left))
        return items

    def _session(self, top: SessionRow, group: str) -> list[ListItem]:
        """Return the item of a session and those of its sub-agent sessions."""
        items: list[ListItem] = []
        waiting: list[tuple[SessionRow | ListItem, int]] = [(top, 0)]
        while waiting:
            one, depth = waiting.pop()
            if isinstance(one, ListItem):
                items.append(one)
                continue
            items.append(self._item(one, group, depth))
            children = self._nesting.children.get(one.path, ())
            limit = len(children)
            open_all = f"children:{one.path}" in self._query.opened or bool(self._wanted)
            chosen = any(child.path == self._query.selected for child in children)
            if not (open_all or chosen) and limit > FIRST_CHILDREN:
                limit = FIRST_CHILDREN
            if limit < len(children):
                left = len(children) - limit
                more = ListItem(
                    f"children:{one.path}",
                    ItemKind.MORE_CHILDREN,
                    group,
                    f"{left:,} more",
                    depth=depth + 1,
                    count=left,
                )
                waiting.append((more, depth + 1))
            waiting += [(child, depth + 1) for child in reversed(children[:limit])]
        return items

    def _item(self, row: SessionRow, group: str, depth: int) -> ListItem:
        query = self._query
        activity = self._activity(row)
        origin = self._by_id.get(row.forked_from) if row.forked_from is not None else None
        line = second_line(
            row,
            activity,
            now_ms=query.now_ms,
            heading_says_folder=query.arrangement is Arrangement.FOLDER,
            forked_title=title_words(origin) if origin is not None else "",
            parent_gone=row.path in self._nesting.orphans,
            note=self._marks(row).note,
        )
        by_folder = query.arrangement is Arrangement.FOLDER
        return ListItem(
            key=session_key(row.path),
            kind=ItemKind.SESSION,
            group=group,
            title=title_words(row),
            row=row,
            mark=mark_of(row, activity),
            line=line,
            depth=depth,
            folder="" if by_folder else one_line(file_name(row.cwd)) if row.cwd else "",
            marks=self._marks(row),
            rests=row.path in self._resting,
            outside=row.path in self._split.guests,
        )

    def _archived_item(self) -> list[ListItem]:
        """Return what stands for the archived sessions that the filter finds as well."""
        found = [row for row in self._away if self._passes(row)]
        if not found:
            return []
        title = f"{len(found):,} archived"
        return [ListItem(ARCHIVED_KEY, ItemKind.ARCHIVED, "", title, count=len(found))]

    def _outside_item(self) -> list[ListItem]:
        """Return what stands for the sessions outside the scope that the filter finds as well."""
        found = [each for each in self._split.outside if any(map(self._passes, each))]
        if not found:
            return []
        listed = sum(any(map(self._is_listed, family)) for family in found)
        title = outside_words(self._query.scope, listed, len(found) - listed)
        needs = sum(self._needs(row) for family in found for row in family)
        return [
            ListItem(OUTSIDE_KEY, ItemKind.OUTSIDE, "", title, count=len(found), attention=needs)
        ]
