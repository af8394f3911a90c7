"""The search through the contents of many session files, as a stream of values.

Files are taken in the order given, in batches that grow: the first answers come at once, and where
ripgrep is there it says of a whole batch which files may hold the words. The search reads and never
writes; it ends when its iterator is closed or when `stop` says that nobody waits any more.
"""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, TypeAlias

from ink_tui.errors import StoreError
from ink_tui.model.folding import holds_word
from ink_tui.model.liveness import HolderKind
from ink_tui.model.matching import matches, select
from ink_tui.model.passages import LEAST_OF_ID, Kind
from ink_tui.model.query_filters import Filter
from ink_tui.model.query_sessions import Surroundings, session_passes
from ink_tui.model.snippets import snippet
from ink_tui.model.text import one_line
from ink_tui.store.files import UnreadableError, open_for_reading
from ink_tui.store.search.anchor import Anchor, literal_anchor, word_anchor
from ink_tui.store.search.first_look import FirstLooks
from ink_tui.store.search.literals import literal_of
from ink_tui.store.search.patterns import (
    Budget,
    PatternProcess,
    PatternsStoppedError,
    SlowPatternError,
)
from ink_tui.store.search.places import LEAST_BYTES, find_places
from ink_tui.store.search.records import (
    NeedsParserError,
    SearchedFile,
    line_records,
    parsed_records,
    placed_records,
)
from ink_tui.store.search.sessions import header_of, light_row, whole_row
from ink_tui.store.search.spellings import FileState, Spellings
from ink_tui.store.search.values import (
    FoundIn,
    Hit,
    Progress,
    SearchEvent,
    SearchTarget,
    Trouble,
    TroubleKind,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    from ink_tui.model.listing import SessionRow
    from ink_tui.model.liveness import Holder
    from ink_tui.model.matching import Match
    from ink_tui.model.passages import Passage, RecordTexts
    from ink_tui.model.query import Query
    from ink_tui.store.files import Fingerprint
    from ink_tui.store.search.first_look import Seen
    from ink_tui.store.search.places import Place

    _Waiting: TypeAlias = tuple[RecordTexts, tuple[Passage, ...]]

SNIPPET_CELLS = 160
MOST_HITS = 1_000
"""Hits of one session that are kept; the rest is counted."""

_PATTERN_CHARS = 1 << 18
"""Characters of texts that are given to the patterns in one go."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How a search is done."""

    cells: int = SNIPPET_CELLS
    """Width of snippets."""
    most_hits: int | None = MOST_HITS
    """Hits kept of one session; `None` keeps all."""
    budget: Budget = field(default_factory=Budget)
    ripgrep: str | None = None
    """Path of ripgrep; `None` does without it."""
    places: bool = False
    """Whether hits tell where in their texts something was found, and what."""


class Search:
    """One search for one query.

    What it learns of how files spell characters goes into `spellings`: keep that for the next one.
    """

    def __init__(
        self,
        query: Query,
        around: Surroundings,
        *,
        options: SearchOptions = SearchOptions(),
        stop: Callable[[], bool] = lambda: False,
        holder_of: Callable[[SessionRow], Holder] | None = None,
        spellings: Spellings | None = None,
    ) -> None:
        self._query = query
        self._spellings = spellings if spellings is not None else Spellings()
        self._around = around
        self._options = options
        self._stop = stop
        asks_live = any(term.value == "live" for term in query.session_filters)
        self._holder_of = holder_of if asks_live else None
        self._calls = any(term.filter is Filter.FILE for term in query.record_filters)
        of_words = [word_anchor(term.text) for term in query.words]
        self._of_patterns = _pattern_anchors(query)
        self._anchors = _rarest_first([*of_words, *self._of_patterns])
        self._patterns: PatternProcess | None = None
        if query.patterns:
            self._patterns = PatternProcess(query.patterns, budget=options.budget, stop=stop)

    def run(self, targets: Iterable[SearchTarget]) -> Generator[SearchEvent, None, None]:
        """Yield what is found, session by session in the order given.

        Files that cannot be read, or that a pattern takes too long for, are told; the rest goes on.
        """
        listed = tuple(targets)
        searched = 0
        anchor = self._anchors[0] if self._anchors else None
        looks = FirstLooks(self._options.ripgrep, anchor, self._spellings, self._stop)
        try:
            with closing(looks.batches(listed)) as batches:
                for batch in batches:
                    for target in batch.targets:
                        if self._stop():
                            return
                        skip = batch.may is not None and target.path not in batch.may
                        seen = batch.may.get(target.path) if batch.may is not None else None
                        yield from self._told(target, seen, skip=skip)
                    searched += len(batch.targets)
                    yield Progress(searched, len(listed))
        except PatternsStoppedError:
            return
        finally:
            if self._patterns is not None:
                self._patterns.close()

    def _told(
        self, target: SearchTarget, seen: Seen | None, *, skip: bool
    ) -> Iterator[SearchEvent]:
        """Yield what one session gives, errors as values."""
        try:
            yield from self._session(target, seen, skip=skip)
        except UnreadableError as error:
            yield Trouble(target.path, TroubleKind.UNREADABLE, error.reason)
        except StoreError as error:
            yield Trouble(target.path, TroubleKind.PATTERN_ENDED, str(error))

    def _session(
        self, target: SearchTarget, seen: Seen | None, *, skip: bool
    ) -> Iterator[SearchEvent]:
        query = self._query
        by_name = self._named(target.path)
        if skip and not by_name:
            return
        passes = self._passes(target)
        if passes is False:
            return
        if not query.asks_for_text:
            yield from self._session_alone(target)
            return
        found, trouble = self._hits(target, seen, by_name=by_name)
        if not found.kept and trouble is None:
            return
        if passes is None and self._whole(target) is None:
            return
        if found.kept:
            header = header_of(target.path)
            yield FoundIn(
                path=target.path,
                session_id=header.id if header is not None else None,
                cwd=header.cwd if header is not None else "",
                hits=tuple(found.kept),
                more=found.more,
            )
        if trouble is not None:
            yield trouble

    def _named(self, path: str) -> bool:
        """Whether the name of the file itself may answer, which its bytes do not tell."""
        name = _stem(path)
        if any(
            (len(term.text) >= LEAST_OF_ID or len(term.text) == len(name))
            and holds_word(name, term.text)
            for term in self._query.words
        ):
            return True
        octets = os.fsencode(name) if self._of_patterns else b""
        return any(anchor.may_stand_in(octets) for anchor in self._of_patterns)

    def _passes(self, target: SearchTarget) -> bool | None:
        """Whether a session passes the filters; `None` when only its whole file can tell."""
        filters = self._query.session_filters
        if not filters:
            return True
        row = target.row or light_row(target, now_ms=self._around.now_ms)
        if self._holder_of is not None and row.holder.kind is not HolderKind.CERTAIN:
            # Who holds a session takes a look at processes: only where nothing else refuses it.
            others = [term for term in filters if term.value != "live"]
            if session_passes(row, others, self._around) is False:
                return False
            row = replace(row, holder=self._holder_of(row))
        return session_passes(row, filters, self._around)

    def _whole(self, target: SearchTarget) -> SessionRow | None:
        """Return the whole row of a session if it passes; a known one is not read again."""
        row = target.row
        if row is None or not row.complete:
            row = whole_row(target, now_ms=self._around.now_ms, holder_of=self._holder_of)
        elif self._holder_of is not None and row.holder.kind is not HolderKind.CERTAIN:
            row = replace(row, holder=self._holder_of(row))
        passes = session_passes(row, self._query.session_filters, self._around)
        return row if passes is True else None

    def _session_alone(self, target: SearchTarget) -> Iterator[SearchEvent]:
        """Yield the session itself as its one hit: nothing in it was asked for."""
        row = self._whole(target)
        if row is None:
            return
        title = snippet(row.title or PurePath(row.path).name, (), self._options.cells)
        hit = Hit(None, 1, 0, Kind.SESSION, "", row.last_ms, title, 0)
        yield FoundIn(target.path, row.session_id, row.cwd, (hit,))

    def _hits(
        self, target: SearchTarget, seen: Seen | None, *, by_name: bool
    ) -> tuple[_Found, Trouble | None]:
        """Return the hits of one session, and why they may not be all."""
        found = _Found(self._options.most_hits)
        if self._patterns is not None:
            if not self._patterns.time_left:
                reason = "the pattern's time was over before"
                return found, Trouble(target.path, TroubleKind.NO_TIME_LEFT, reason)
            self._patterns.begin_file()
        with open_for_reading(target.path) as (descriptor, state):
            file = SearchedFile(descriptor, state.size, _stem(target.path))
            places = None if by_name else self._places(target.path, state, seen)
            if places is None and not by_name and not self._may_answer(file):
                return found, None
            try:
                self._match_file(file, places, found, by_name=by_name)
            except SlowPatternError:
                reason = "the pattern took too long in it"
                return found, Trouble(target.path, TroubleKind.SLOW_PATTERN, reason)
        if file.long_lines:
            reason = f"{file.long_lines} of its lines are too long to be searched"
            return found, Trouble(target.path, TroubleKind.LONG_LINE, reason)
        return found, None

    def _places(self, path: str, state: Fingerprint, seen: Seen | None) -> Sequence[Place] | None:
        """Return where in a file to look; `None` when all of it must be looked at."""
        if self._calls:
            return None
        now = FileState(state.inode, state.size, state.mtime_ns)
        if seen is not None and seen.state == now:
            return seen.places
        program = self._options.ripgrep
        if program is None or not self._anchors or state.size < LEAST_BYTES:
            return None
        raw = self._spellings.spells(path, now) is False
        anchor = self._anchors[0]
        source = anchor.raw_source if raw else anchor.source
        return find_places(program, source, path, self._stop)

    def _match_file(
        self, file: SearchedFile, places: Sequence[Place] | None, found: _Found, *, by_name: bool
    ) -> None:
        anchor = self._anchors[0] if self._anchors else None
        try:
            if places is not None:
                self._match(placed_records(file, places, stop=self._stop), found)
                return
            lines = line_records(
                file, anchor, with_header=by_name, calls=self._calls, stop=self._stop
            )
            self._match(lines, found)
        except NeedsParserError:
            found.clear()
            file.forget_lines()
            self._match(parsed_records(file, calls=self._calls), found)

    def _may_answer(self, file: SearchedFile) -> bool:
        """Whether every word may stand somewhere in a file; asked only where there are several."""
        missing = list(self._anchors)
        if len(missing) < 2:
            return True
        for _offset, block in file.blocks():
            missing = [anchor for anchor in missing if not anchor.may_stand_in(block)]
            if not missing:
                break
            if self._stop():
                return False
        return not missing

    def _match(self, records: Iterator[RecordTexts], found: _Found) -> None:
        """Add the hits in some records, patterns in batches."""
        waiting: list[_Waiting] = []
        chars = 0
        for record in records:
            selected = select(record.passages, self._query)
            if not selected:
                continue
            if self._patterns is None:
                self._add(record, matches(selected, self._query), found)
                continue
            waiting.append((record, selected))
            chars += sum(len(passage.text) for passage in selected)
            if chars >= _PATTERN_CHARS:
                self._match_patterns(waiting, found)
                waiting, chars = [], 0
        if waiting:
            self._match_patterns(waiting, found)

    def _match_patterns(self, waiting: Sequence[_Waiting], found: _Found) -> None:
        assert self._patterns is not None
        texts = [passage.text for _record, selected in waiting for passage in selected]
        spans = self._patterns.find(texts)
        at = 0
        for record, selected in waiting:
            own = spans[at : at + len(selected)]
            at += len(selected)
            self._add(record, matches(selected, self._query, own), found)

    def _add(self, record: RecordTexts, matched: Sequence[Match], found: _Found) -> None:
        for match in matched:
            if found.full:
                found.more += 1
                continue
            passage = match.passage
            found.kept.append(
                Hit(
                    entry_id=record.entry_id,
                    line=record.line,
                    offset=record.offset,
                    kind=passage.kind,
                    tool=one_line(passage.tool),
                    time_ms=record.time_ms,
                    snippet=snippet(passage.text, match.places, self._options.cells),
                    count=len(match.places),
                    call_id=passage.call_id,
                    kept=passage.kept,
                    starts=match.starts if self._options.places else (),
                    words=match.words if self._options.places else (),
                )
            )


class _Found:
    """The hits of one session, up to a number; the rest is counted."""

    def __init__(self, most: int | None) -> None:
        self.kept: list[Hit] = []
        self.more = 0
        self._most = most

    @property
    def full(self) -> bool:
        return self._most is not None and len(self.kept) >= self._most

    def clear(self) -> None:
        self.kept.clear()
        self.more = 0


def _stem(path: str) -> str:
    """Return the name of a file without its ending; asked of every file of a store."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name


def _pattern_anchors(query: Query) -> list[Anchor]:
    """Return what must stand wherever a pattern of the query is found."""
    found = [
        literal_anchor(literal, exact=term.exact)
        for term in query.patterns
        if not term.negated and (literal := literal_of(term.pattern))
    ]
    return [anchor for anchor in found if anchor is not None]


def _rarest_first(anchors: Sequence[Anchor | None]) -> list[Anchor]:
    """Return what every answer must hold, the rarest first as far as can be guessed."""
    known = [anchor for anchor in anchors if anchor is not None]
    return sorted(known, key=lambda anchor: -len(anchor.needle))
