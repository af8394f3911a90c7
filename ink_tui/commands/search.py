"""`ink-tui search`: anything that was said or run, in any session, newest session first."""

from __future__ import annotations

import os
import sys
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.commands.output import NEGATIVE, OK, USAGE, complain, print_json, print_line
from ink_tui.config import session_roots
from ink_tui.errors import ConfigError
from ink_tui.model.marks import NO_MARKS
from ink_tui.model.passages import Kind
from ink_tui.model.query import parse
from ink_tui.model.query_filters import Filter
from ink_tui.model.query_sessions import Surroundings
from ink_tui.model.row_words import file_name, title_words
from ink_tui.model.snippets import cluster_cells, clusters
from ink_tui.model.text import clean, one_line, short_path
from ink_tui.paths import cache_dir, home_dir, state_dir
from ink_tui.store.clock import system_clock
from ink_tui.store.discover import FoundFile, root_exists
from ink_tui.store.files import UnreadableError
from ink_tui.store.rows import recalled
from ink_tui.store.search.engine import Search, SearchOptions
from ink_tui.store.search.ripgrep import find_ripgrep
from ink_tui.store.search.sessions import newest_first
from ink_tui.store.search.values import FoundIn, Hit, SearchTarget, Trouble, TroubleKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ink_tui.config import Config
    from ink_tui.model.listing import SessionRow
    from ink_tui.model.liveness import Holder
    from ink_tui.model.query import Problem, Query
    from ink_tui.model.snippets import Snippet

_MARK, _PLAIN = "\x1b[1;4m", "\x1b[0m"
_KIND_CELLS = 10
_NAMED = 3
"""Files that a summary names."""


def search_sessions(
    given: Sequence[str], config: Config, text: str, *, as_json: bool, limit: int | None = None
) -> int:
    """Print every hit of a query; nothing is ever written.

    What a search seldom needs is loaded where it is needed: the first hit waits for all the rest.

    Args:
        given: Folders of sessions that the command line names.
        config: The user's settings.
        text: The query.
        as_json: Print one object a hit.
        limit: How many hits are wanted; `None` wants all.

    Returns:
        0 when something was found, 1 when nothing was, 2 for a query that is not understood.
    """
    query = parse(text)
    if query.problem is not None:
        _show_problem(text, query.problem)
        return USAGE
    if not query.terms:
        complain("the query is empty. A word finds every text that holds it.")
        return USAGE
    roots = [str(root) for root in session_roots(config, os.environ, [Path(one) for one in given])]
    for root in roots:
        if not root_exists(root):
            complain(f"{root} does not exist: no sessions there.")
    ordered = newest_first(roots)
    for item in ordered.unreadable:
        complain(f"{one_line(item.path)} cannot be read: {item.reason}.")
    found = {item.path: item for item in ordered.files}
    rows = _known_rows(found.values()) if query.session_filters else {}
    targets = [
        SearchTarget(path, rows.get(path), child_by_place=item.child_by_place)
        for path, item in found.items()
    ]
    options = SearchOptions(most_hits=None, ripgrep=find_ripgrep())
    search = Search(query, _surroundings(query), options=options, holder_of=_holder_of)
    printer = _Printer(as_json=as_json, limit=limit, files=found)
    troubles: list[Trouble] = []
    with closing(search.run(targets)) as events:
        for event in events:
            if isinstance(event, FoundIn):
                printer.show(event)
                if printer.full:
                    break
            elif isinstance(event, Trouble):
                troubles.append(event)
    _tell(troubles)
    return OK if printer.shown else NEGATIVE


def _known_rows(found: Iterable[FoundFile]) -> dict[str, SessionRow]:
    """Return the rows of sessions that were read whole before and have not changed since.

    What is asked about sessions is answered by them; other files are read for it.
    """
    from ink_tui.model.listing import at_moment
    from ink_tui.model.liveness import freshness
    from ink_tui.store.cache import RowCache

    cached = RowCache(cache_dir(os.environ)).load()
    now_ms = system_clock()
    rows: dict[str, SessionRow] = {}
    for item in found:
        known = cached.get(item.path)
        if known is not None and known.state == item.state:
            row = recalled(known, known.state, child=item.child_by_place)
            fresh = freshness(now_ms, known.state.changed_ms)
            rows[item.path] = at_moment(row, fresh, cwd_missing=False)
    return rows


def _holder_of(row: SessionRow) -> Holder:
    from ink_tui.commands.stores import holder_of

    return holder_of(row)


def _surroundings(query: Query) -> Surroundings:
    home = ""
    with suppress(ConfigError):  # no home folder is known: then `~` means nothing
        home = str(home_dir(os.environ))
    try:
        cwd = str(Path.cwd())
    except OSError:
        cwd = ""
    marks = NO_MARKS
    if any(term.filter is Filter.IS for term in query.session_filters):
        from ink_tui.store.marks import read_marks

        marks = read_marks(state_dir(os.environ)).marks
    return Surroundings(
        now_ms=time.time_ns() // 1_000_000,
        zone=datetime.now().astimezone().tzinfo or UTC,
        home=home,
        cwd=cwd,
        marks=marks,
    )


@dataclass(slots=True)
class _Printer:
    """Prints hits, up to a number of them."""

    as_json: bool
    limit: int | None
    files: dict[str, FoundFile]
    shown: int = 0

    @property
    def full(self) -> bool:
        return self.limit is not None and self.shown >= self.limit

    def show(self, event: FoundIn) -> None:
        """Print the hits of one session."""
        left = len(event.hits) if self.limit is None else self.limit - self.shown
        hits = event.hits[:left]
        if not self.as_json:
            if self.shown:
                print_line("")
            print_line(self._heading(event))
        for hit in hits:
            if self.as_json:
                print_json(_fields(event, hit))
            else:
                _print_hit(hit)
        self.shown += len(hits)
        sys.stdout.flush()
        if not self.as_json and len(hits) < len(event.hits):
            print_line(f"  {len(event.hits) - len(hits):,} more here")

    def _heading(self, event: FoundIn) -> str:
        from ink_tui.store.quick import quick_row

        title = file_name(event.path)
        with suppress(UnreadableError):  # gone meanwhile
            title = title_words(quick_row(self.files[event.path]))
        identity = one_line(event.session_id or "-")[:8]
        home = os.environ.get("HOME", "")
        return f"{identity:<8}  {one_line(title)}  ({short_path(event.cwd, home) or '-'})"


def _fields(event: FoundIn, hit: Hit) -> dict[str, object]:
    return {
        "path": event.path,
        "id": event.session_id,
        "entry_id": hit.entry_id,
        "line": hit.line,
        "kind": hit.kind,
        "snippet": hit.snippet.text,
        "spans": hit.snippet.spans,
        "tool": hit.tool or None,
        "time": _iso(hit.time_ms),
        "count": hit.count,
        "kept": hit.kept,
    }


def _print_hit(hit: Hit) -> None:
    kind = hit.tool if hit.kind is Kind.CALL and hit.tool else hit.kind.value
    cut = "".join(clusters(kind)[: _KIND_CELLS - 1])
    padding = " " * (_KIND_CELLS - sum(map(cluster_cells, clusters(cut))))
    when = (_iso(hit.time_ms) or "-")[:16].replace("T", " ")
    head = f"  {when:<16}  {cut}{padding}"
    marked = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    if not marked:
        print_line(head + hit.snippet.text)
        return
    encoding = sys.stdout.encoding or "utf-8"
    pieces = [clean(head), *_marked(hit.snippet)]
    print("".join(pieces).encode(encoding, "backslashreplace").decode(encoding))


def _marked(snippet: Snippet) -> list[str]:
    """Return a snippet in pieces, its hits between our own two sequences."""
    pieces: list[str] = []
    at = 0
    for start, end in snippet.spans:
        pieces += [clean(snippet.text[at:start]), _MARK, clean(snippet.text[start:end]), _PLAIN]
        at = end
    return [*pieces, clean(snippet.text[at:])]


def _show_problem(text: str, problem: Problem) -> None:
    """Print what is wrong with a query, and a caret row under it."""
    complain(one_line(problem.sentence))
    end = problem.column + problem.length
    before, at = one_line(text[: problem.column]), one_line(text[problem.column : end])
    complain(f"  {one_line(text)}")
    complain(f"  {' ' * _cells(before)}{'^' * max(1, _cells(at))}")


def _cells(text: str) -> int:
    return sum(map(cluster_cells, clusters(text)))


def _tell(troubles: Sequence[Trouble]) -> None:
    """Print which sessions were not, or not wholly, searched."""
    for trouble in troubles:
        if trouble.kind is TroubleKind.UNREADABLE:
            complain(f"{one_line(trouble.path)} cannot be read: {trouble.reason}.")
        elif trouble.kind not in (TroubleKind.SLOW_PATTERN, TroubleKind.NO_TIME_LEFT):
            complain(f"{one_line(trouble.path)} was not searched whole: {trouble.reason}.")
    slow = [each.path for each in troubles if each.kind is TroubleKind.SLOW_PATTERN]
    if slow:
        complain(f"the pattern took too long in {_files(slow)}.")
    left = [each.path for each in troubles if each.kind is TroubleKind.NO_TIME_LEFT]
    if left:
        complain(f"the time for patterns was over before {_files(left)}.")


def _files(paths: Sequence[str]) -> str:
    names = ", ".join(one_line(file_name(path)) for path in paths[:_NAMED])
    more = f" and {len(paths) - _NAMED:,} more" if len(paths) > _NAMED else ""
    return f"{len(paths):,} {'file' if len(paths) == 1 else 'files'}: {names}{more}"


def _iso(moment_ms: int | None) -> str | None:
    if moment_ms is None:
        return None
    try:
        return datetime.fromtimestamp(moment_ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return None  # a year that no calendar has
