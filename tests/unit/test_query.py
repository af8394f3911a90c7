"""The query language: terms and their places, what is wrong and where, dates, completion."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from ink_tui.model.query import (
    FilterTerm,
    PatternTerm,
    Place,
    ProblemKind,
    WordTerm,
    format_query,
    parse,
)
from ink_tui.model.query_complete import Offers, complete
from ink_tui.model.query_dates import read_date
from ink_tui.model.query_filters import MEANINGS, VALUES, Filter

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
DAY_MS = 86_400_000


def ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


TERMS = {
    "crlf": WordTerm("crlf"),
    "-crlf": WordTerm("crlf", negated=True),
    '"two words"': WordTerm("two words"),
    '-"two words"': WordTerm("two words", negated=True),
    '"a \\" and \\\\ here"': WordTerm('a " and \\ here'),
    "修": WordTerm("修"),
    "-": WordTerm("-"),
    'it"s': WordTerm('it"s'),
    "12:04": WordTerm("12:04"),
    "http://a.b": WordTerm("http://a.b"),
    "file://a.b": WordTerm("file://a.b"),
    "std::vector": WordTerm("std::vector"),
    "C:\\new": WordTerm("C:\\new"),
    "TypeError:x": WordTerm("TypeError:x"),
    "error:": WordTerm("error:"),
    "re:a+b": PatternTerm("a+b"),
    "-re:a+b": PatternTerm("a+b", negated=True),
    're:"a b\\" \\d"': PatternTerm('a b" \\d'),
    "dir:/work": FilterTerm(Filter.DIR, "/work"),
    'dir:"my work"': FilterTerm(Filter.DIR, "my work"),
    "-tool:bash": FilterTerm(Filter.TOOL, "bash", negated=True),
    "date:<2d": FilterTerm(Filter.DATE, "<2d"),
    "date:2026-11": FilterTerm(Filter.DATE, "2026-11"),
    "is:live": FilterTerm(Filter.IS, "live"),
    "has:compaction": FilterTerm(Filter.HAS, "compaction"),
    "verdict:repairable": FilterTerm(Filter.VERDICT, "repairable"),
}


@pytest.mark.parametrize("text", TERMS)
def test_one_term(text: str) -> None:
    query = parse(text)
    assert query.problem is None
    assert query.terms == (TERMS[text],)
    assert query.terms[0].place == Place(0, len(text))
    assert parse(format_query(query)) == query


def test_places_of_several_terms() -> None:
    query = parse('  crlf -"a b"  tool:bash')
    assert [term.place for term in query.terms] == [Place(2, 6), Place(7, 13), Place(15, 24)]


PROBLEMS = {
    "x toll:bash": (ProblemKind.UNKNOWN_FILTER, 2, 5, "The nearest is tool:"),
    "is:liv": (ProblemKind.UNKNOWN_VALUE, 3, 3, "The nearest is is:live"),
    "role:robot": (ProblemKind.UNKNOWN_VALUE, 5, 5, "It takes user"),
    "a tool:": (ProblemKind.NO_VALUE, 2, 5, "tool: needs a value"),
    "tool: bash": (ProblemKind.NO_VALUE, 0, 5, "tool: needs a value"),
    "re:": (ProblemKind.NO_VALUE, 0, 3, "needs a pattern"),
    "date:2026-13": (ProblemKind.BAD_DATE, 5, 7, "“2026-13” is no date"),
    "date:2026-02-30": (ProblemKind.BAD_DATE, 5, 10, "is no date"),
    "x re:a(b": (ProblemKind.BAD_PATTERN, 6, 1, "missing )"),
    're:"a [b"': (ProblemKind.BAD_PATTERN, 6, 1, "unterminated character set"),
    "re:a**": (ProblemKind.BAD_PATTERN, 5, 1, "multiple repeat"),
    "re:" + "(" * 400: (ProblemKind.BAD_PATTERN, 3, 1, "pattern"),
    "re:a{99999999999}": (ProblemKind.BAD_PATTERN, 3, 1, "pattern"),
    "re:" + "a" * 501: (ProblemKind.BAD_PATTERN, 503, 1, "longer than 500"),
    'x "open': (ProblemKind.OPEN_QUOTE, 2, 1, "not closed"),
}


@pytest.mark.parametrize("text", PROBLEMS)
def test_what_is_wrong_and_where(text: str) -> None:
    kind, column, length, words = PROBLEMS[text]
    problem = parse(text).problem
    assert problem is not None
    assert (problem.kind, problem.length) == (kind, length)
    assert words in problem.sentence
    if "(((" not in text:
        assert problem.column == column


def test_the_other_terms_are_kept_beside_a_problem() -> None:
    query = parse("crlf toll:bash is:live")
    assert query.problem is not None
    assert query.terms == (WordTerm("crlf"), FilterTerm(Filter.IS, "live"))


def test_a_doubtful_pattern_prints_no_warning(recwarn: pytest.WarningsRecorder) -> None:
    assert parse("re:[[a]").problem is None
    assert not recwarn.list


@pytest.mark.parametrize(
    ("pattern", "exact"),
    [("abc", False), ("Abc", True), (r"\S+\W", False), ("(?P<x>a)", False), (r"\\A", True)],
)
def test_case_counts_where_a_pattern_has_a_capital(pattern: str, exact: bool) -> None:
    assert PatternTerm(pattern).exact is exact


DATES = [
    ("<2d", -1, True),
    ("<2d", -2 * 24 - 1, False),
    (">2d", -2 * 24 - 1, True),
    (">2d", -1, False),
    ("3h", -2, True),
    ("3h", -4, False),
    ("90min", -1, True),
    ("90min", -2, False),
    ("<1w", -6 * 24, True),
    (">1y", -400 * 24, True),
    ("today", -11, True),
    ("today", -13, False),
    ("yesterday", -13, True),
    ("yesterday", -11, False),
    ("2026", -24 * 300, True),
    ("2025", 0, False),
    ("2026-11", -29 * 24, True),
    ("2026-11", -31 * 24, False),
    ("2026-11-30", 0, True),
    ("2026-11-29", 0, False),
    ("<2026-11", -30 * 24, True),
    ("<2026-11", 0, False),
    ("<=2026-11", 0, True),
    (">2026-11-29", 0, True),
    (">2026-11-30", 0, False),
    (">=2026-11-30", 0, True),
    ("2026-10..2026-11", -45 * 24, True),
    ("2026-09..2026-10", 0, False),
    ("2026-12", 24, True),
]


@pytest.mark.parametrize(("value", "hours", "holds"), DATES)
def test_dates(value: str, hours: int, holds: bool) -> None:
    date = read_date(value)
    assert date is not None
    assert date.holds(ms(NOON) + hours * 3_600_000, ms(NOON), UTC) is holds


def test_days_begin_in_the_zone_of_the_user() -> None:
    date = read_date("2026-11-30")
    assert date is not None
    late = ms(datetime(2026, 11, 30, 23, 0, tzinfo=UTC))
    assert date.holds(late, late, UTC)
    assert not date.holds(late, late, timezone(timedelta(hours=9)))


@pytest.mark.parametrize("value", ["", "2d2", "x", "2026-", "2026-1-1-1", "<", "<today..x", "9999"])
def test_no_dates(value: str) -> None:
    assert read_date(value) is None


OFFERS = Offers(dirs=("/work/parser", "/my work"), models=("gpt-coder",), tools=("bash", "edit"))


def offered(text: str, cursor: int | None = None) -> list[str]:
    at = len(text) if cursor is None else cursor
    return [each.text for each in complete(text, at, OFFERS).candidates]


def test_names_of_filters_are_offered() -> None:
    assert offered("")[: len(MEANINGS)] == [f"{name.value}:" for name in MEANINGS]
    assert offered("crlf to") == ["tool:"]
    assert offered("-to") == ["tool:"]
    assert offered("r") == ["role:", "re:"]
    assert offered("xyz") == []
    assert all(each.meaning for each in complete("", 0, OFFERS).candidates)


def test_values_are_offered() -> None:
    assert offered("is:") == [f"is:{value}" for value in VALUES[Filter.IS]]
    assert offered("is:st") == ["is:starred"]
    assert offered("tool:") == ["tool:bash", "tool:edit"]
    assert offered("dir:work") == ["dir:/work/parser", 'dir:"/my work"']
    assert offered('dir:"my wo') == ['dir:"/my work"']
    assert offered("model:GPT") == []
    assert "date:today" in offered("date:")
    assert offered("file:") == []


def test_nothing_is_offered_inside_a_phrase_or_a_pattern() -> None:
    assert offered('"is') == []
    assert offered('"a is:') == []
    assert offered('"a b" is:li') == ["is:live"]
    assert offered('re:"a to') == []
    assert offered("http:") == []


@pytest.mark.parametrize(
    ("text", "cursor", "wanted"),
    [
        ("to", 2, ("tool:", 5)),
        ("a -to b", 5, ("a -tool: b", 8)),
        ("is:li", 5, ("is:live ", 8)),
        ("is:li b", 5, ("is:live b", 7)),
        ("dir:my", 6, ('dir:"/my work" ', 15)),
    ],
)
def test_a_candidate_is_put_in(text: str, cursor: int, wanted: tuple[str, int]) -> None:
    assert complete(text, cursor, OFFERS).applied(text, 0) == wanted


def test_every_offer_is_understood() -> None:
    for name in Filter:
        for candidate in complete(f"{name.value}:", len(name.value) + 1, OFFERS).candidates:
            query = parse(candidate.text)
            assert query.problem is None
            assert isinstance(query.terms[0], FilterTerm)
