"""Dialogs as rows, at every size of the screen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ink_tui.keymap import Context
from ink_tui.model.verdict import Verdict
from ink_tui.tui.render.command_rows import (
    action_commands,
    find_commands,
    session_commands,
    theme_commands,
)
from ink_tui.tui.render.dialog_rows import BODY_COLUMNS, DialogRows, lines_of
from ink_tui.tui.render.glyphs import ASCII, UNICODE
from ink_tui.tui.render.help_rows import help_rows
from ink_tui.tui.render.preflight_facts import escaped
from ink_tui.tui.render.preflight_rows import PreflightView, preflight_choices, preflight_rows
from ink_tui.tui.render.question_rows import STAY, paste_question, question_rows, quit_question
from ink_tui.tui.render.rows import Columns, Row, lay_out, line_width
from tests.preflights import healthy, launch, preflight

if TYPE_CHECKING:
    from ink_tui.agent.preflight import Preflight

SCREENS = [(w, h) for w in (1, 12, 30, 40, 59, 60, 80, 99, 100, 120, 200) for h in range(12, 61, 3)]


def shown(rows: tuple[Row, ...], cells: int, columns: Columns = BODY_COLUMNS) -> list[str]:
    lines = [line for row in rows for line in lay_out(row, cells, columns)]
    assert {line_width(line) for line in lines} <= {cells}
    return ["".join(piece.text for piece in line) for line in lines]


def assert_fits(rows: DialogRows, screen: tuple[int, int]) -> None:
    assert rows.width <= screen[0]
    assert rows.height <= screen[1]
    assert 0 <= rows.body_lines <= lines_of(rows.body)
    for part, columns in ((rows.head, BODY_COLUMNS), (rows.foot, rows.foot_columns)):
        shown(part, max(1, rows.width - 2 * rows.side), columns)


@pytest.mark.parametrize("details", [False, True])
@pytest.mark.parametrize("given", [preflight(), healthy()], ids=["damaged", "healthy"])
def test_a_preflight_fits_every_screen_with_all_options(given: Preflight, details: bool) -> None:
    for screen in SCREENS:
        rows = preflight_rows(given, screen, given.default.value, PreflightView(details), UNICODE)
        assert_fits(rows, screen)
        keys = [row.key for row in rows.foot if row.key]
        assert keys == [option.id.value for option in given.options]


def test_blank_rows_and_second_lines_go_first_then_the_facts_scroll() -> None:
    def text(high: int) -> tuple[DialogRows, str]:
        rows = preflight_rows(preflight(), (80, high), "repair", PreflightView(), UNICODE)
        return rows, "\n".join(shown(rows.body, rows.width - 2 * rows.side))

    roomy, said = text(36)
    assert "a git work tree" in said
    assert "\n\n" in said.replace(" ", "")
    dense, said = text(29)
    assert "a git work tree" not in said
    assert said.replace(" ", "").count("\n\n") == 1
    tight, said = text(24)
    assert "\n\n" not in said.replace(" ", "")
    assert not roomy.scrolls
    assert not dense.scrolls
    assert not tight.scrolls
    low, said = text(16)
    assert low.scrolls
    assert said.index("Writes") < said.index("Folder")
    assert low.must_see <= low.body_lines


@pytest.mark.parametrize(
    ("verdict", "mark"),
    [
        (Verdict.CLEAN, "✓"),
        (Verdict.REPAIRABLE, "!"),
        (Verdict.INSPECT, "?"),
        (Verdict.REFUSE, "✗"),
    ],
)
def test_the_reason_carries_the_mark_of_the_verdict(verdict: Verdict, mark: str) -> None:
    rows = preflight_rows(preflight(verdict), (120, 36), "repair", PreflightView(), UNICODE)
    assert shown(rows.body, 92)[0].startswith(f"{mark} Can be repaired.")


def test_a_clean_session_that_no_agent_can_resume_carries_no_tick() -> None:
    value = replace(healthy(), headline="Cannot be resumed", launch=launch(allowed=False))
    rows = preflight_rows(value, (120, 36), "cancel", PreflightView(), UNICODE)
    assert shown(rows.body, 92)[0].startswith("✗ Cannot be resumed.")
    assert "copy" not in shown(rows.foot, 92, rows.foot_columns)[-1]


def test_a_changed_session_leaves_looking_again_and_cancelling() -> None:
    choices = preflight_choices(preflight(), UNICODE, changed=True)
    assert [choice.id for choice in choices if choice.enabled] == ["look-again", "cancel"]
    assert len(choices) == len(preflight().options)


def test_escaped_bytes_hide_nothing() -> None:
    assert escaped("给\t".encode() + b"\xff\r\n\x1b") == r"给\t\xff\r\n" + "␛"


@pytest.mark.parametrize("focus", list(Context))
def test_help_fits_every_screen(focus: Context) -> None:
    for screen in SCREENS:
        rows = help_rows(focus, screen, ASCII, watch_reason="x")
        assert_fits(rows, screen)
        shown(rows.body, max(1, rows.width - 2 * rows.side - 2))


def test_questions_fit_every_screen() -> None:
    title, choices = quit_question(1)
    assert title == "1 agent is running"
    _, sentences, _ = paste_question("long " * 900)
    for screen in SCREENS:
        if screen[0] >= 30:
            assert_fits(question_rows(title, sentences, choices, STAY, screen, UNICODE), screen)


def test_the_palette_puts_the_best_group_first_and_bounds_the_sessions() -> None:
    commands = (
        *action_commands(Context.TREE, UNICODE),
        *theme_commands(["ink", "nord"], "nord"),
        *session_commands((str(number), f"ink session {number}") for number in range(100)),
    )
    assert not any(f.command.id.startswith("open:") for f in find_commands(commands, "  "))
    found = find_commands(commands, "theme")
    assert [f.command.id for f in found][:2] == ["theme:ink", "theme:nord"]
    assert [f.command.note for f in found][:2] == ["", "in use"]
    sessions = [f for f in find_commands(commands, "INK session") if f.command.group == "sessions"]
    assert len(sessions) == 20
    assert find_commands(commands, "no such thing at all") == ()
    assert all(f.command.id != "commands" for f in find_commands(commands, ""))


def test_a_hostile_title_does_not_slow_the_palette() -> None:
    commands = session_commands([("x", "a b " * 1000), ("y", "İ" * 50 + "q")])
    assert find_commands(commands, "abababababab") == ()
    (found,) = find_commands(commands, "q")
    assert found.offsets == frozenset()
