"""How the evidence about open calls is drawn: preflight, detail of the tree, health."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ink_tui.model.evidence import Evidence, Seen
from ink_tui.model.health import build_health, with_evidence
from ink_tui.model.outline import build_outline
from ink_tui.tui.render.detail_rows import entry_detail
from ink_tui.tui.render.dialog_rows import BODY_COLUMNS
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.render.health_rows import health_rows
from ink_tui.tui.render.lines import brought_to
from ink_tui.tui.render.preflight_rows import PreflightView, preflight_rows
from ink_tui.tui.render.rows import Piece, Role, lay_out, line_width
from ink_tui.tui.render.transcript_look import Look
from tests.conftest import NOON
from tests.preflights import CALLS, preflight
from tests.sessions import answer, read, results, session, user

WIDE_SECOND = "old text not found · new text found once, line 11 · changed 09:45:59"


def body(
    screen: tuple[int, int], argument: str = "", *, details: bool = False, glyphs: Glyphs = UNICODE
) -> list[tuple[Piece, ...]]:
    """Return the drawn lines of a preflight's body."""
    value = preflight()
    if argument:
        value = replace(value, calls=(replace(CALLS[0], argument=argument), CALLS[1]))
    rows = preflight_rows(value, screen, "repair", PreflightView(details), glyphs)
    cells = max(1, rows.width - 2 * rows.side)
    lines = [
        line for row in rows.body for line in lay_out(row, cells, BODY_COLUMNS, glyphs.ellipsis)
    ]
    assert {line_width(line) for line in lines} == {cells}
    return lines


def text_of(lines: list[tuple[Piece, ...]]) -> list[str]:
    return ["".join(piece.text for piece in line).rstrip() for line in lines]


def test_a_roomy_preflight_reads_like_the_picture() -> None:
    lines = text_of(body((120, 36)))
    at = next(number for number, line in enumerate(lines) if line.startswith("Calls"))
    assert lines[at : at + 5] == [
        "Calls      2 have no saved result. Each may have run.",
        "           edit  src/sum.ts" + "the file holds the new text".rjust(65),
        f"                 {WIDE_SECOND}",
        "           bash  npm test -- --runInBand" + "cannot be checked".rjust(52),
        "                 3 files under ~/work/demo changed after 09:45: coverage/…",
    ]


def test_what_was_seen_is_emphasised() -> None:
    line = next(line for line in body((120, 36)) if "src/sum.ts" in "".join(p.text for p in line))
    assert [(p.text, p.role, p.bold) for p in line[-2:]] == [
        ("the file holds the ", Role.MUTED, False),
        ("new text", Role.TEXT, True),
    ]


def test_second_lines_go_first_and_the_words_stay() -> None:
    lines = text_of(body((80, 24)))
    assert not any("line 11" in line or "3 files" in line for line in lines)
    assert any(line.endswith("the file holds the new text") for line in lines)
    assert any(line.endswith("cannot be checked") for line in lines)


def test_details_show_second_lines_on_every_screen() -> None:
    for width in (60, 80, 120):
        said = " ".join(" ".join(text_of(body((width, 24), details=True))).split())
        assert WIDE_SECOND in said
        assert "the file holds the new text" in said or "new text" in said


@pytest.mark.parametrize("width", [30, 40, 60, 80, 120])
def test_a_long_path_does_not_push_the_words_out(width: int) -> None:
    lines = text_of(body((width, 24), "packages/" * 20 + "sum.ts"))
    line = next(line for line in lines if line.lstrip().startswith("edit"))
    assert line.endswith("new text")
    if width >= 60:
        assert "sum.ts" in line
    assert ("the file holds the new text" in line) == (width >= 80)


def test_short_paths_leave_room_for_all_words() -> None:
    assert any("the file holds the new text" in line for line in text_of(body((64, 20))))


def test_ascii_has_no_other_character() -> None:
    assert all(line.isascii() for line in text_of(body((120, 36), glyphs=ASCII)))


OPEN = session(
    user("u1", None, "go"),
    answer(
        "a1",
        "u1",
        calls=(
            ("c1", "edit", {"path": "a.ts", "oldText": "x", "newText": "y"}),
            ("c2", "bash", {"command": "make"}),
        ),
    ),
)


@pytest.mark.parametrize(
    ("seen", "last", "strong"),
    [
        (Seen.NEW, "The file now holds the new text.", "new"),
        (Seen.GONE, "The file is gone.", "gone"),
        (Seen.UNKNOWN, "No result was saved for this call. It may have run, fully or in part.", ""),
    ],
)
def test_the_detail_of_an_open_call_ends_with_what_was_seen(
    seen: Seen, last: str, strong: str
) -> None:
    diagnosis = read(OPEN)
    row = next(row for row in build_outline(diagnosis).rows if row.word == "edit")
    look = Look(80, UNICODE, NOON)
    lines = entry_detail(row, diagnosis, look, 7, evidence=Evidence(seen))
    assert "".join(p.text for p in brought_to(lines[-1], 80)).strip() == last
    assert "".join(p.text for p in lines[-1].pieces if p.bold) == strong
    assert len(entry_detail(row, diagnosis, look, 3, evidence=Evidence(seen))) <= 3


def test_a_call_that_is_answered_or_runs_tells_of_no_file() -> None:
    evidence = Evidence(Seen.NEW)
    answered = read(OPEN + results("r1", "a1", ("c1", "edit", "ok"), ("c2", "bash", "ok")))
    for diagnosis, running in ((answered, False), (read(OPEN), True)):
        outline = build_outline(diagnosis, running=running)
        row = next(row for row in outline.rows if row.word == "edit")
        lines = entry_detail(row, diagnosis, Look(80, UNICODE, NOON), 7, evidence=evidence)
        assert not any("holds" in piece.text for line in lines for piece in line.pieces)


@pytest.mark.parametrize(
    ("more", "fault"),
    [(b"", "2 calls without a saved result"), (user("u2", "a1", "and?"), "the chat went on")],
)
def test_health_has_one_line_under_the_fault(more: bytes, fault: str) -> None:
    diagnosis = read(OPEN + more)
    evidence = {"c1": Evidence(Seen.OLD), "c2": Evidence(Seen.UNKNOWN)}
    health = with_evidence(build_health(diagnosis), diagnosis, evidence)
    rows = health_rows(health, None, None, (), 80, UNICODE)
    texts = ["".join(piece.text for piece in row.text) for row in rows]
    at = next(number for number, text in enumerate(texts) if fault in text and number > 1)
    assert texts[at + 1] == "edit a.ts: the file holds the old text"
    assert not rows[at + 1].selectable
    assert with_evidence(build_health(diagnosis), diagnosis, {}) == build_health(diagnosis)
