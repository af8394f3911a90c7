"""Roles to styles, by the variables of the theme that is in use (`ui.md` 2.1).

The own themes hold their floors of contrast. Under any other theme a colour that would be too
faint on its ground is drawn nearer to the text's colour, so that every theme can be read. Under
`NO_COLOR`, and in the terminal's own colours, the selection is reverse where the focus is and bold
elsewhere; marks and words say the rest.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rich.style import Style
from rich.terminal_theme import MONOKAI
from textual.color import Color

from ink_tui.tui.render.contrast import contrast
from ink_tui.tui.render.rows import Ground, Piece, Role

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.terminal_theme import TerminalTheme
    from textual.app import App

_VARIABLES: dict[Role | Ground, str] = {
    Role.TEXT: "foreground",
    Role.MUTED: "foreground-muted",
    Role.DIM: "foreground-disabled",
    Role.ACCENT: "accent",
    Role.WARNING: "warning",
    Role.ERROR: "error",
    Role.SUCCESS: "success",
    Role.HAIR: "border",
    Ground.PLAIN: "background",
    Ground.RAISED: "surface",
    Ground.HOVER: "block-hover-background",
    Ground.SELECTED: "block-cursor-background",
    Ground.SELECTED_BLURRED: "block-cursor-blurred-background",
}
_TINTS = {
    Ground.BAND: (Role.TEXT, 0.06),
    Ground.ADDED: (Role.SUCCESS, 0.13),
    Ground.REMOVED: (Role.ERROR, 0.13),
}
_FLOORS = {Role.TEXT: 4.5, Role.MUTED: 4.5, Role.DIM: 3.0, Role.HAIR: 1.0}
_STATE_FLOOR = 3.0
_SELECTION_SHARE = 0.25
"""Share of the accent in a selection ground that replaces one on which text cannot be read."""
_BLURRED_SHARE = 0.1
"""Share of the text's colour in the ground that replaces the other pane's."""
_HAIR_CEILING = 2.0
_HAIR_SHARE = 0.2
_ANSI_NAMES = tuple(
    f"ansi_{bright}{name}"
    for bright in ("", "bright_")
    for name in ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
)
"""Names of a terminal's sixteen colours in their order."""


class Palette:
    """Styles of one theme; made by `palette_of`, compared by identity."""

    def __init__(
        self,
        variables: Mapping[str, str],
        *,
        monochrome: bool,
        terminal: TerminalTheme | None = None,
    ) -> None:
        """Resolve the variables of a theme.

        Args:
            variables: Theme variables as Textual generates them.
            monochrome: Whether `NO_COLOR` is set.
            terminal: The sixteen colours of a terminal in this theme.
        """
        self._terminal = terminal or MONOKAI
        found = _found(variables)
        self._ground: Color = found[Ground.PLAIN]
        self._colours: dict[Role, Color] = {role: self._over(found[role]) for role in Role}
        self._colours[Role.HAIR] = self._quiet_hair()
        self._grounds = {ground: self._resolve_ground(ground, found) for ground in Ground}
        self._keep_selections_apart()
        self._monochrome = monochrome
        self._reverse = monochrome or self._ground.ansi is not None
        self._styles: dict[tuple[Role, Ground, bool, bool, bool, int | None], Style] = {}

    def colour(self, role: Role, ground: Ground = Ground.PLAIN) -> Color:
        """Return the colour of a role on a ground."""
        return self._readable(self._colours[role], ground, _FLOORS.get(role, _STATE_FLOOR))

    def terminal_colour(self, number: int, ground: Ground = Ground.PLAIN) -> Color:
        """Return one of a terminal's sixteen colours, as readable on a ground as any text."""
        if self._ground.ansi is not None:
            return Color.parse(_ANSI_NAMES[number])
        wanted = Color(*self._terminal.ansi_colors[number])
        return self._readable(wanted, ground, _FLOORS[Role.MUTED])

    def _readable(self, wanted: Color, ground: Ground, floor: float) -> Color:
        """Return a colour, nearer to that of text where it were too faint on its ground."""
        below = self._grounds[ground]
        if wanted.ansi is not None or below.ansi is not None:
            return wanted
        text = self._colours[Role.TEXT]
        for share in (0.0, 0.25, 0.5, 0.75):
            mixed = wanted.blend(text, share)
            if contrast(mixed, below) >= floor:
                return mixed
        if contrast(text, below) >= floor:
            return text
        return below.get_contrast_text(1.0)

    def ground(self, ground: Ground) -> Color:
        """Return the colour of a ground."""
        return self._grounds[ground]

    def style(self, piece: Piece, ground: Ground = Ground.PLAIN) -> Style:
        """Return how a piece is drawn on the ground of its row."""
        if piece.ground is not None and ground not in _SELECTIONS:
            ground = piece.ground
        return self.look(
            piece.role,
            ground,
            bold=piece.bold,
            italic=piece.italic,
            underline=piece.underline,
            ansi=piece.ansi,
        )

    def look(
        self,
        role: Role,
        ground: Ground = Ground.PLAIN,
        *,
        bold: bool = False,
        italic: bool = False,
        underline: bool = False,
        ansi: int | None = None,
    ) -> Style:
        """Return the style of a role on a ground, or of one of a terminal's sixteen colours."""
        key = (role, ground, bold, italic, underline, ansi)
        style = self._styles.get(key)
        if style is None:
            style = self._styles[key] = self._make(*key)
        return style

    def _make(
        self,
        role: Role,
        ground: Ground,
        bold: bool,
        italic: bool,
        underline: bool,
        ansi: int | None,
    ) -> Style:
        reverse = self._reverse and ground is Ground.SELECTED
        if reverse:
            # One ground for the whole row: reversed, the colours of its words would be grounds.
            role, ansi = Role.TEXT, None
        bold = bold or (self._reverse and ground is Ground.SELECTED_BLURRED)
        below = Ground.PLAIN if self._reverse and ground in _SELECTIONS else ground
        back = self._grounds[below]
        own = ansi is not None and not self._monochrome
        colour = self.terminal_colour(ansi, below) if own and ansi is not None else None
        colour = colour or self.colour(role, below)
        return Style(
            color=colour.rich_color,
            bgcolor=back.rich_color,
            bold=bold,
            italic=italic,
            underline=underline,
            # Native ANSI colours cannot be mixed; the terminal's own faint stands for the greys.
            dim=colour.ansi is not None and role in (Role.DIM, Role.MUTED) and not own,
            reverse=reverse,
        )

    def _over(self, colour: Color) -> Color:
        """Return a colour without transparency, as it looks on the ground."""
        if colour.ansi is not None or self._ground.ansi is not None or colour.a >= 1:
            return colour
        return self._ground.blend(colour, colour.a, 1.0)

    def _resolve_ground(self, ground: Ground, found: Mapping[Role | Ground, Color]) -> Color:
        text = self._colours[Role.TEXT]
        native = self._ground.ansi is not None or text.ansi is not None
        if ground in _TINTS:
            role, share = _TINTS[ground]
            return self._ground if native else self._ground.blend(self._colours[role], share, 1.0)
        colour = self._over(found[ground])
        if ground is Ground.PLAIN or native:
            return colour if colour.a >= 1 or colour.ansi is not None else self._ground
        return colour

    def _keep_selections_apart(self) -> None:
        """Replace selection grounds on which words could not keep their own colours."""
        text = self._colours[Role.TEXT]
        if self._ground.ansi is not None or text.ansi is not None:
            return
        if all(contrast(self._grounds[each], text) >= _FLOORS[Role.TEXT] for each in _SELECTIONS):
            return
        accent = self._colours[Role.ACCENT]
        self._grounds[Ground.SELECTED] = self._ground.blend(accent, _SELECTION_SHARE, 1.0)
        self._grounds[Ground.SELECTED_BLURRED] = self._ground.blend(text, _BLURRED_SHARE, 1.0)

    def _quiet_hair(self) -> Color:
        """Return the colour of hair lines; many themes draw borders in their loudest colour."""
        hair, text = self._colours[Role.HAIR], self._colours[Role.TEXT]
        native = self._ground.ansi is not None or text.ansi is not None or hair.ansi is not None
        if native or contrast(hair, self._ground) <= _HAIR_CEILING:
            return hair
        return self._ground.blend(text, _HAIR_SHARE, 1.0)


_SELECTIONS = (Ground.SELECTED, Ground.SELECTED_BLURRED)


def palette_of(app: App[Any]) -> Palette:
    """Return the styles of the theme that an app uses now."""
    variables = app.theme_variables
    values = tuple(variables.get(name, "") for name in _VARIABLES.values())
    return _palette(values, app.no_color, app.ansi_theme)


@lru_cache(maxsize=16)
def _palette(values: tuple[str, ...], monochrome: bool, terminal: TerminalTheme) -> Palette:
    variables = dict(zip(_VARIABLES.values(), values, strict=True))
    return Palette(variables, monochrome=monochrome, terminal=terminal)


def _found(variables: Mapping[str, str]) -> dict[Role | Ground, Color]:
    """Return the colour of each role and ground; what a theme leaves out is its neighbour's."""
    found: dict[Role | Ground, Color] = {}
    for key, name in _VARIABLES.items():
        colour = _parse(variables.get(name, ""))
        if colour is None:
            other = Role.MUTED if key is Role.DIM else Role.TEXT
            colour = found[other if isinstance(key, Role) else Ground.PLAIN]
        found[key] = colour
    return found


def _parse(text: str) -> Color | None:
    """Return the colour of a variable's value, such as `ansi_default 50%`; None if it has none."""
    if not text or text.startswith("auto"):
        return None
    name, _, share = text.partition(" ")
    colour = Color.parse(name)
    if share.endswith("%") and colour.ansi is None:
        return colour.multiply_alpha(float(share[:-1]) / 100)
    return colour
