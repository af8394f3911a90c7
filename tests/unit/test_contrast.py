"""The floors of contrast that both own themes hold, and that every theme can be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

import ink_tui.tui
from ink_tui.tui.render.contrast import contrast
from ink_tui.tui.render.palette import Palette
from ink_tui.tui.render.rows import Ground, Piece, Role
from ink_tui.tui.themes import INK, INK_LIGHT, THEMES

FLOORS = {
    Role.TEXT: (7.0, 7.0),
    Role.MUTED: (4.5, 3.0),
    Role.DIM: (3.0, 2.5),
    Role.ACCENT: (4.5, 4.0),
    Role.WARNING: (4.5, 4.0),
    Role.ERROR: (4.5, 4.0),
    Role.SUCCESS: (4.5, 4.0),
}
"""Least contrast on the ground and on the selection that has the focus."""
NATIVE = {name for name, theme in BUILTIN_THEMES.items() if theme.ansi}


def variables(theme: Theme) -> dict[str, str]:
    return theme.to_color_system().generate()


def colour(theme: Theme, name: str) -> Color:
    return Color.parse(variables(theme)[name])


def test_black_on_white_is_twenty_one() -> None:
    black, white = Color.parse("black"), Color.parse("white")
    assert contrast(black, white) == contrast(white, black) == pytest.approx(21)
    assert contrast(white, white) == 1
    assert contrast(Color.parse("#777777"), white) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
@pytest.mark.parametrize("role", list(FLOORS))
def test_own_themes_hold_the_floors(theme: Theme, role: Role) -> None:
    names = {Role.TEXT: "foreground", Role.MUTED: "foreground-muted"}
    names[Role.DIM] = "foreground-disabled"
    text = colour(theme, names.get(role, role.value))
    on_ground, on_selection = FLOORS[role]
    assert contrast(text, colour(theme, "background")) >= on_ground
    assert contrast(text, colour(theme, "block-cursor-background")) >= on_selection
    blurred = contrast(text, colour(theme, "block-cursor-blurred-background"))
    assert blurred >= on_selection


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_own_themes_are_drawn_as_they_are_written(theme: Theme) -> None:
    palette = Palette(variables(theme), monochrome=False)
    assert palette.colour(Role.TEXT) == colour(theme, "foreground")
    assert palette.colour(Role.DIM) == colour(theme, "foreground-disabled")
    assert palette.colour(Role.ACCENT) == colour(theme, "accent") == colour(theme, "primary")
    for role in (Role.ACCENT, Role.WARNING, Role.ERROR, Role.SUCCESS):
        assert palette.colour(role, Ground.SELECTED) == colour(theme, role.value)
    assert palette.ground(Ground.SELECTED) == colour(theme, "block-cursor-background")


@pytest.mark.parametrize("name", sorted({*BUILTIN_THEMES} - NATIVE))
def test_every_theme_of_textual_can_be_read(name: str) -> None:
    palette = Palette(variables(BUILTIN_THEMES[name]), monochrome=False)
    for ground in Ground:
        for role in FLOORS:
            shown = contrast(palette.colour(role, ground), palette.ground(ground))
            assert shown >= (4.5 if role in (Role.TEXT, Role.MUTED) else 3.0)
    grounds = (Ground.PLAIN, Ground.SELECTED, Ground.SELECTED_BLURRED)
    assert len({palette.ground(ground) for ground in grounds}) == 3
    assert 1.05 < contrast(palette.colour(Role.HAIR), palette.ground(Ground.PLAIN)) < 3


@pytest.mark.parametrize("name", sorted(NATIVE))
def test_the_terminals_own_colours_select_by_reverse(name: str) -> None:
    palette = Palette(variables(BUILTIN_THEMES[name]), monochrome=False)
    style = palette.style(Piece("x"), Ground.SELECTED)
    assert style.reverse
    assert not palette.style(Piece("x")).reverse
    assert palette.style(Piece("x"), Ground.SELECTED_BLURRED).bold
    assert palette.look(Role.DIM).dim


def test_without_colour_selection_is_reverse_and_bold() -> None:
    palette = Palette(variables(INK), monochrome=True)
    assert len({palette.look(role, Ground.SELECTED) for role in Role}) == 1
    assert palette.style(Piece("x"), Ground.SELECTED).reverse
    assert palette.style(Piece("x"), Ground.SELECTED_BLURRED).bold
    assert not palette.style(Piece("x"), Ground.HOVER).reverse


def test_a_selected_row_hides_the_ground_of_a_piece() -> None:
    palette = Palette(variables(INK_LIGHT), monochrome=False)
    added = Piece("+ line", ground=Ground.ADDED)
    assert palette.style(added).bgcolor == palette.ground(Ground.ADDED).rich_color
    assert palette.style(added, Ground.SELECTED).bgcolor == (
        palette.ground(Ground.SELECTED).rich_color
    )


def test_colours_are_numbers_in_one_file_only() -> None:
    folder = Path(ink_tui.tui.__file__).parent
    number = re.compile(r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b|\brgba?\(")
    found = {
        path.relative_to(folder).as_posix()
        for path in [*folder.rglob("*.py"), *folder.rglob("*.tcss")]
        if number.search(path.read_text(encoding="utf-8"))
    }
    assert found == {"themes.py"}
