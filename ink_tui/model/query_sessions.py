"""Does a session answer the filters of a query that are about sessions, and a row its words?

A session is judged by its row. A row that is not complete leaves some questions open: the answer
is then `None`, and the file must be read whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING

from ink_tui.model.faults import TailState
from ink_tui.model.folding import holds_word
from ink_tui.model.marks import NO_MARKS, Marks
from ink_tui.model.query import FilterTerm, Query, WordTerm
from ink_tui.model.query_filters import NARROWING, Filter
from ink_tui.model.row_words import is_live, problems, title_words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from ink_tui.model.listing import SessionRow
    from ink_tui.model.row_words import Activity


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What filters refer to beyond the sessions themselves."""

    now_ms: int = 0
    zone: tzinfo = UTC
    home: str = ""
    """The user's home folder, which `~` stands for; empty when it is not known."""
    cwd: str = ""
    """The folder that `.` stands for."""
    marks: Marks = NO_MARKS
    """Pins, stars and the archive."""


def session_passes(
    row: SessionRow,
    filters: Sequence[FilterTerm],
    around: Surroundings,
    activity: Activity | None = None,
) -> bool | None:
    """Return whether a session passes; `None` when its row does not tell.

    Args:
        row: What is known of it.
        filters: The filters about sessions.
        around: What they refer to.
        activity: What an agent does in it.
    """
    open_question = False
    for name in {term.filter for term in filters}:
        given = [term for term in filters if term.filter is name]
        answers = [(term.negated, _fits(row, term, around, activity)) for term in given]
        refused = [_not(fits) for negated, fits in answers if negated]
        wanted = [fits for negated, fits in answers if not negated]
        if name in NARROWING:
            result = _all([*refused, *wanted])
        else:
            result = _all([*refused, _any(wanted)] if wanted else refused)
        if result is False:
            return False
        open_question = open_question or result is None
    return None if open_question else True


def row_answers(
    row: SessionRow, query: Query, around: Surroundings, activity: Activity | None = None
) -> bool:
    """Return whether a row of the list answers a query by what it knows itself.

    Words may stand in its title, folder, id, first and last requests, in what is wrong with it and
    in notes on it.
    What only the contents tell (patterns, filters about records) is never answered by a row.
    """
    if query.patterns or query.record_filters:
        return False
    if session_passes(row, query.session_filters, around, activity) is not True:
        return False
    texts = _row_texts(row, around.marks, activity)
    return all(
        any(holds_word(text, term.text) for text in texts) != term.negated
        for term in query.terms
        if isinstance(term, WordTerm)
    )


def _row_texts(row: SessionRow, marks: Marks, activity: Activity | None) -> tuple[str, ...]:
    """Return everything of a row that words are looked for in."""
    own, gist = marks.of(row.session_id), row.gist
    return (
        *(title_words(row), row.cwd, row.session_id or ""),
        *(gist.first_request, gist.last_request),
        *(each.list for each in problems(row, activity)),
        *(*own.words, own.note),
        *(record.note for record in own.records.values()),
    )


def _fits(
    row: SessionRow, term: FilterTerm, around: Surroundings, activity: Activity | None
) -> bool | None:
    name, value = term.filter, term.value
    if name is Filter.DIR:
        return _in_folder(row.cwd, value, around)
    if name is Filter.DATE:
        date, moment = term.date, row.last_ms if row.last_ms is not None else row.changed_ms
        if date is None or moment is None:
            return False
        return date.holds(moment, around.now_ms, around.zone)
    if name is Filter.ID:
        return bool(row.session_id) and (row.session_id or "").startswith(value)
    if name is Filter.NAME:
        return holds_word(row.title, value) if row.complete else None
    if name is Filter.MODEL:
        return _known(row, holds_word(row.model_id or "", value))
    if name is Filter.VERDICT:
        return None if row.verdict is None else row.verdict == value
    if name is Filter.HAS:
        figure = {"compaction": row.compactions, "branches": (row.branches or 1) - 1}
        return _known(row, bool(figure.get(value, row.open_calls)))
    return _is(row, value, around, activity)


def _is(
    row: SessionRow, value: str, around: Surroundings, activity: Activity | None
) -> bool | None:
    if value == "live":
        return is_live(row, activity)
    if value == "child":
        return row.child
    if value == "fork":
        return row.forked_from is not None
    if value == "torn":
        return _known(row, row.tail_state is not TailState.OK)
    if value == "empty":
        return _known(row, row.empty)
    return value in around.marks.of(row.session_id).words


def _known(row: SessionRow, fits: bool) -> bool | None:
    return fits if row.complete else None


def _in_folder(cwd: str, value: str, around: Surroundings) -> bool:
    """Whether a working folder is meant: by a part of it, or by `.` and what begins with `~`."""
    if value in (".", "./"):
        here = around.cwd.rstrip("/") or "/"
        return cwd.rstrip("/") == here.rstrip("/") or cwd.startswith(here.rstrip("/") + "/")
    if around.home and (value == "~" or value.startswith("~/")):
        value = around.home.rstrip("/") + value[1:]
    return holds_word(cwd, value)


def _not(fits: bool | None) -> bool | None:
    return None if fits is None else not fits


def _all(answers: Sequence[bool | None]) -> bool | None:
    if any(answer is False for answer in answers):
        return False
    return None if any(answer is None for answer in answers) else True


def _any(answers: Sequence[bool | None]) -> bool | None:
    if any(answer is True for answer in answers):
        return True
    return None if any(answer is None for answer in answers) else False
