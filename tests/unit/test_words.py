"""The words of states: as agreed, complete, and filled with clean facts only."""

from __future__ import annotations

import pytest

from ink_tui.model.faults import Fault, FaultCode, Severity
from ink_tui.model.words import Facts, Mark, StateCode, counted, fault_words, words

AGREED: list[tuple[str, Facts, str, str, str]] = [
    (
        FaultCode.TORN_FRAGMENT,
        Facts(octets=213),
        "torn tail",
        "Torn tail: the last record is not complete",
        "The last 213 bytes are not a complete record. They were probably being written when the"
        " agent stopped.",
    ),
    (
        FaultCode.UNTERMINATED,
        Facts(octets=1),
        "last newline missing",
        "The last record is complete; only its newline is missing",
        "Ink would glue its next record to it and lose both. One byte fixes this.",
    ),
    (
        FaultCode.FOREIGN_TAIL,
        Facts(),
        "last record not understood",
        "The last record is complete but of a kind we do not know",
        "A newer Ink may have written it. It is kept unless you decide otherwise.",
    ),
    (
        FaultCode.INVALID_TAIL,
        Facts(octets=213),
        "last record not understood",
        "The last line holds something whole, but is no record that Ink accepts",
        "Ink itself sets it aside and would cut 213 bytes. It is kept unless you decide otherwise.",
    ),
    (
        FaultCode.OPEN_CALLS,
        Facts(count=1),
        "1 call without result",
        "no result saved; may have run",
        "No result was saved for this call. It may have run, fully or in part.",
    ),
    (
        FaultCode.INVALID_JSON,
        Facts(line=212, others=1204),
        "line 212 unreadable",
        "line 212 cannot be read",
        "Ink itself refuses this session. 1,204 other records can be read.",
    ),
    (
        FaultCode.UNSUPPORTED_VERSION,
        Facts(version="2"),
        "written by a newer Ink, version 2",
        "written by a newer Ink, version 2",
        "Shown as far as it can be read. We do not write to it.",
    ),
    (
        StateCode.WRITING,
        Facts(seconds=0.8),
        "writing",
        "being written",
        "The last line is not finished yet; it is 0.8 s old.",
    ),
    (
        StateCode.LIVE,
        Facts(doing="bash npm test", seconds=14.9),
        "live · bash npm test, 14 s",
        "running 14 s",
        "The result is saved when the call ends.",
    ),
    (
        StateCode.FOLDER_MISSING,
        Facts(cwd="~/old/website"),
        "folder missing",
        "folder missing",
        "~/old/website no longer exists. Fork this session into another folder?",
    ),
]


@pytest.mark.parametrize(("code", "facts", "listed", "tree", "longer"), AGREED)
def test_the_words_agreed_upon(
    code: str, facts: Facts, listed: str, tree: str, longer: str
) -> None:
    found = words(code, facts)
    assert (found.list, found.tree, found.longer) == (listed, tree, longer)


@pytest.mark.parametrize("code", [*FaultCode, *StateCode])
@pytest.mark.parametrize("count", [1, 2, 1204])
def test_every_state_has_all_its_words(code: str, count: int) -> None:
    found = words(code, Facts(count=count, octets=count, line=3, reason="why"))
    for text in (found.list, found.tree, found.longer):
        assert text
        assert "{" not in text
        assert "!" not in text
        assert "not run" not in text
    assert found.longer.endswith((".", "?"))


def test_facts_are_cleaned_and_braces_in_them_are_text() -> None:
    found = words("permission-denied", Facts(reason="{line}\x1b[2J\nnext"))
    assert found.list == "cannot be read: {line}␛[2J next"
    assert found.mark is Mark.FAILED
    assert words("not-regular").list == "cannot be read: not regular"


def test_several_calls_are_said_as_several() -> None:
    found = words(FaultCode.OPEN_CALLS, Facts(count=2))
    assert found.list == "2 calls without result"
    assert found.longer == ("No result was saved for 2 calls. They may have run, fully or in part.")
    assert counted(1, "branch", "branches") == "1 branch"
    assert counted(1204, "branch", "branches") == "1,204 branches"


def test_a_fault_brings_its_own_facts() -> None:
    fault = Fault(FaultCode.OPEN_CALLS, Severity.DECIDE, None, "bash, edit", 2)
    assert fault_words(fault).list == "2 calls without result"
