r"""The query language: one for the list, the search screen and `ink-tui search`.

    word            the word, anywhere in a text: `pars` finds `parser`
    "two words"     exactly this text; \" stands for a quotation mark, \\ for a backslash
    re:PATTERN      a regular expression; re:"with blanks"
    -word           records without it; also -"two words", -re:PATTERN, -tool:bash
    name:value      a filter; name:"with blanks"

A word in small letters is found in any case, one with a capital letter only as it is written. All
words must stand in one record. Filters about a session (`dir date model verdict is has name id`)
judge the session; filters about a record (`tool role file`) judge the text of the record in which
the words must stand. The same filter given twice finds either; `date`, `is` and `has` narrow.

Parsing never raises: what is wrong is a value with its place.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import StrEnum
from typing import TypeAlias

from ink_tui.model.query_dates import DateTest, read_date
from ink_tui.model.query_filters import MEANINGS, RECORD_FILTERS, VALUES, Filter

MOST_PATTERN_CHARS = 500
"""Longest pattern that is taken."""


class ProblemKind(StrEnum):
    """What is wrong with a query."""

    UNKNOWN_FILTER = "unknown-filter"
    UNKNOWN_VALUE = "unknown-value"
    NO_VALUE = "no-value"
    BAD_DATE = "bad-date"
    BAD_PATTERN = "bad-pattern"
    OPEN_QUOTE = "open-quote"


@dataclass(frozen=True, slots=True)
class Problem:
    """The first thing that is wrong with a query."""

    kind: ProblemKind
    column: int
    """Character of the query that it is about, 0-based."""
    length: int
    """Characters that it is about, at least 1."""
    sentence: str
    """What is wrong and what would be right; holds text of the query, not cleaned."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a term stands in the query: first character and the one after the last, 0-based."""

    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class WordTerm:
    """Text to be found; one word or several."""

    text: str
    negated: bool = False
    place: Place = field(default=Place(), compare=False)


@dataclass(frozen=True, slots=True)
class PatternTerm:
    """A regular expression to be found, by the rules of Python's `re`; `^` and `$` mean lines."""

    pattern: str
    negated: bool = False
    place: Place = field(default=Place(), compare=False)

    @property
    def exact(self) -> bool:
        """Whether case counts: the pattern holds a capital letter of its own."""
        letters = re.sub(r"\\.|\(\?P[<=>]", "", self.pattern, flags=re.DOTALL)
        return any(char.isupper() or char.istitle() for char in letters)


@dataclass(frozen=True, slots=True)
class FilterTerm:
    """A condition on the session, or on the record."""

    filter: Filter
    value: str
    negated: bool = False
    place: Place = field(default=Place(), compare=False)

    @property
    def date(self) -> DateTest | None:
        """The value as a test of dates; `None` for other filters."""
        return read_date(self.value) if self.filter is Filter.DATE else None


Term: TypeAlias = WordTerm | PatternTerm | FilterTerm


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query; with a problem, `terms` are those that could be understood."""

    terms: tuple[Term, ...] = ()
    problem: Problem | None = None

    @property
    def words(self) -> tuple[WordTerm, ...]:
        """Texts that must be found."""
        return tuple(t for t in self.terms if isinstance(t, WordTerm) and not t.negated)

    @property
    def patterns(self) -> tuple[PatternTerm, ...]:
        """All patterns, negated ones too."""
        return tuple(t for t in self.terms if isinstance(t, PatternTerm))

    @property
    def session_filters(self) -> tuple[FilterTerm, ...]:
        """Filters that judge a session."""
        return tuple(f for f in self._filters() if f.filter not in RECORD_FILTERS)

    @property
    def record_filters(self) -> tuple[FilterTerm, ...]:
        """Filters that judge a record."""
        return tuple(f for f in self._filters() if f.filter in RECORD_FILTERS)

    @property
    def asks_for_text(self) -> bool:
        """Whether it asks anything of the records, and not of the sessions alone."""
        return any(not isinstance(t, FilterTerm) or t.filter in RECORD_FILTERS for t in self.terms)

    def _filters(self) -> tuple[FilterTerm, ...]:
        return tuple(t for t in self.terms if isinstance(t, FilterTerm))


def parse(text: str) -> Query:
    """Return the query that a text means; never raises."""
    reader = _Reader(text)
    return reader.query()


def format_query(query: Query) -> str:
    """Return a text that parses to the same terms."""
    return " ".join(_written(term) for term in query.terms)


def quoted(value: str) -> str:
    """Return a text between quotation marks, as the language reads it."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def nearest(wanted: str, known: tuple[str, ...]) -> str | None:
    """Return the known word that is most like another one, or `None` when none is."""
    close = get_close_matches(wanted.casefold(), known, n=1, cutoff=0.5)
    if close:
        return close[0]
    return next((each for each in known if wanted and each.startswith(wanted[0])), None)


_FILTER = re.compile(r"([A-Za-z][A-Za-z_]*):(?!//)")
_PATTERN = "re:"


class _Reader:
    """Reads one query from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._terms: list[Term] = []
        self._problem: Problem | None = None

    def query(self) -> Query:
        """Return what the text means."""
        while self._skip_blanks():
            self._term()
        return Query(tuple(self._terms), self._problem)

    def _skip_blanks(self) -> bool:
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1
        return self._at < len(self._text)

    def _term(self) -> None:
        text, start = self._text, self._at
        after = text[start + 1 : start + 2]
        negated = text[start] == "-" and bool(after) and not after.isspace()
        self._at += negated
        if text[self._at] == '"':
            word = self._phrase()
            if word:
                self._terms.append(WordTerm(word, negated, Place(start, self._at)))
            return
        if text.startswith(_PATTERN, self._at):
            self._at += len(_PATTERN)
            self._pattern(start, negated)
            return
        match = _FILTER.match(text, self._at)
        if match is not None and self._filter(match, start, negated):
            return
        word = self._bare()
        self._terms.append(WordTerm(word, negated, Place(start, self._at)))

    def _filter(self, match: re.Match[str], start: int, negated: bool) -> bool:
        """Read a filter; return whether it is one at all, or a word with a colon in it."""
        name, bare_end = match.group(1), self._bare_end(match.end())
        known = next((each for each in Filter if each.value == name), None)
        if known is None:
            follows = self._text[match.end() : bare_end]
            if not follows or follows[0] in ":/\\" or not name.islower():
                return False
            self._at = match.end()
            self._value()
            near = nearest(name, (*(each.value for each in Filter), "re"))
            hint = f" The nearest is {near}:." if near else ""
            self._complain(
                ProblemKind.UNKNOWN_FILTER,
                (match.start(1), match.end()),
                f"There is no filter “{name}:”.{hint} Text with a colon stands in quotes.",
            )
            return True
        self._at = match.end()
        value = self._value()
        place = (match.start(1), self._at)
        if not value:
            self._complain(
                ProblemKind.NO_VALUE, place, f"{name}: needs a value: {MEANINGS[known]}."
            )
        elif self._takes(known, value, (match.end(), self._at)):
            self._terms.append(FilterTerm(known, value, negated, Place(start, self._at)))
        return True

    def _takes(self, name: Filter, value: str, place: tuple[int, int]) -> bool:
        """Whether a filter takes a value; if not, the problem is noted."""
        if name is Filter.DATE:
            if read_date(value) is not None:
                return True
            sentence = f"“{value}” is no date. {MEANINGS[name][0].upper()}{MEANINGS[name][1:]}."
            self._complain(ProblemKind.BAD_DATE, place, sentence)
            return False
        known = VALUES.get(name)
        if known is None or value in known:
            return True
        near = nearest(value, tuple(known))
        sentence = f"{name.value}: does not know “{value}”."
        sentence += f" The nearest is {name.value}:{near}." if near else ""
        sentence += f" It takes {', '.join(known)}."
        self._complain(ProblemKind.UNKNOWN_VALUE, place, sentence)
        return False

    def _pattern(self, start: int, negated: bool) -> None:
        begins = self._at
        if self._text[begins : begins + 1] == '"':
            pattern = self._quoted(keep_escapes=True)
            begins += 1
        else:
            pattern = self._bare()
        if not pattern:
            self._complain(
                ProblemKind.NO_VALUE, (start + negated, self._at), "re: needs a pattern."
            )
            return
        wrong = _wrong_pattern(pattern)
        if wrong is None:
            self._terms.append(PatternTerm(pattern, negated, Place(start, self._at)))
            return
        reason, place = wrong
        column = min(begins + place, max(begins, self._at - 1))
        self._complain(
            ProblemKind.BAD_PATTERN, (column, column + 1), f"This is no pattern: {reason}."
        )

    def _value(self) -> str:
        return self._phrase() if self._text[self._at : self._at + 1] == '"' else self._bare()

    def _bare_end(self, at: int) -> int:
        while at < len(self._text) and not self._text[at].isspace():
            at += 1
        return at

    def _bare(self) -> str:
        start = self._at
        self._at = self._bare_end(start)
        return self._text[start : self._at]

    def _phrase(self) -> str:
        return self._quoted(keep_escapes=False)

    def _quoted(self, *, keep_escapes: bool) -> str:
        """Read a text between quotation marks.

        Args:
            keep_escapes: Backslashes belong to the text, but for one before a quotation mark.
        """
        start = self._at
        at = start + 1
        found: list[str] = []
        while at < len(self._text):
            char, after = self._text[at], self._text[at + 1 : at + 2]
            if char == '"':
                self._at = at + 1
                return "".join(found)
            if char == "\\" and after == '"':
                found.append(after)
                at += 2
            elif char == "\\" and (after == "\\" or (keep_escapes and after)):
                found.append(char + after if keep_escapes else after)
                at += 2
            else:
                found.append(char)
                at += 1
        self._at = at
        self._complain(
            ProblemKind.OPEN_QUOTE, (start, start + 1), "The quotation mark is not closed."
        )
        return "".join(found)

    def _complain(self, kind: ProblemKind, place: tuple[int, int], sentence: str) -> None:
        if self._problem is None:
            length = max(1, place[1] - place[0])
            self._problem = Problem(kind, place[0], length, sentence)


def _wrong_pattern(pattern: str) -> tuple[str, int] | None:
    """Return what is wrong with a pattern and at which of its characters, or `None`."""
    if len(pattern) > MOST_PATTERN_CHARS:
        return f"it is longer than {MOST_PATTERN_CHARS} characters", MOST_PATTERN_CHARS
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # Without regard to case, a wide range of characters would take long to compile.
            re.compile(pattern)
    except re.error as error:
        return error.msg, error.pos or 0
    except (RecursionError, OverflowError, MemoryError):
        return "it is nested too deep or repeats too often", 0
    return None


def _written(term: Term) -> str:
    sign = "-" if term.negated else ""
    if isinstance(term, PatternTerm):
        return f"{sign}{_PATTERN}{_written_pattern(term.pattern)}"
    if isinstance(term, FilterTerm):
        value = term.value
        plain = value[:1] not in ('"', "") and not any(map(str.isspace, value))
        return f"{sign}{term.filter.value}:{value if plain else quoted(value)}"
    return sign + (term.text if parse(sign + term.text) == Query((term,)) else quoted(term.text))


def _written_pattern(pattern: str) -> str:
    if not pattern.startswith('"') and not any(map(str.isspace, pattern)):
        return pattern
    # A quotation mark means itself with a backslash before it and without one.
    pieces = re.findall(r"\\.|.", pattern, re.DOTALL)
    return '"' + "".join('\\"' if piece[-1] == '"' else piece for piece in pieces) + '"'
