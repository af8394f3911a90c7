"""The parts that dialogs share: title, options, hints, paragraphs (`ui.md` 1 and 4). Pure.

A dialog has a head that stays, a body that scrolls when there is no room for it, and a foot with
the options, which always stands on the screen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.keymap import display_key
from ink_tui.model.text import one_line
from ink_tui.tui.render.cells import width, wrap
from ink_tui.tui.render.rows import Columns, Cut, Ground, Piece, Role, Row, line_width

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ink_tui.keymap import KeyAction, Keymap
    from ink_tui.tui.render.glyphs import Glyphs

DIALOG_WIDTH = 96
"""Cells that a dialog takes where there is room for it."""
FULL_BELOW = 100
"""Screens narrower than this give a dialog their whole width."""
ROOMY_FROM = 30
"""Screens lower than this have no blank rows and no second lines in a dialog (`ui.md` 4)."""
LABEL_CELLS = 11
"""The label column of a dialog's facts."""
MARK_CELLS = 2
"""The mark before the options; what stands among them begins there."""
BODY_COLUMNS = Columns(mark=0, kind=LABEL_CELLS, pad=0, short_below=0)
"""Label, text, note."""
_HINT_GAP = 3
_NAME_GAP = 3
_SIDE_PAD = 2
_ASCII = str.maketrans(
    {
        "·": "-",
        "…": "~",
        "“": '"',
        "”": '"',
        "‘": "'",  # noqa: RUF001  (the characters meant)
        "’": "'",  # noqa: RUF001 - meant
        "−": "-",  # noqa: RUF001 - meant
        "→": ">",
        "›": ">",  # noqa: RUF001 - meant
        "‹": "<",  # noqa: RUF001 - meant
    }
)


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of a dialog."""

    id: str
    name: str
    consequence: str
    """What happens; the reason instead when it cannot be chosen."""
    key: str = ""
    """Its own key as people write it, empty for none."""
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class DialogRows:
    """A dialog at one size of the screen."""

    width: int
    """Cells over all."""
    pad: int
    """Blank lines above and below."""
    side: int
    """Blank cells at the left and the right."""
    head: tuple[Row, ...]
    body: tuple[Row, ...]
    body_lines: int
    """Lines of the body that are seen at once; fewer than it has when it scrolls."""
    foot: tuple[Row, ...]
    """A row for notes, the options, and hints."""
    foot_columns: Columns
    must_see: int = 0
    """Lines of the body that must have been on the screen before anything is written."""

    @property
    def height(self) -> int:
        """Lines over all."""
        return 2 * self.pad + lines_of(self.head) + self.body_lines + lines_of(self.foot)

    @property
    def scrolls(self) -> bool:
        """Whether not all of the body is seen at once."""
        return self.body_lines < lines_of(self.body)


def dialog_width(screen: int, wanted: int = DIALOG_WIDTH) -> int:
    """Return the cells that a dialog takes on a screen of a width."""
    return screen if screen < FULL_BELOW else min(wanted, screen)


def side_pad(screen: int) -> int:
    """Return the blank cells at each side of a dialog."""
    return _SIDE_PAD if screen >= 50 else 1 if screen > 20 else 0


def lines_of(rows: Iterable[Row]) -> int:
    """Return the height of rows in lines."""
    return sum(row.height for row in rows)


def own_words(text: str, glyphs: Glyphs) -> str:
    """Return a text of our own, its punctuation spelt in ASCII where the glyphs are."""
    return text.translate(_ASCII) if glyphs.ascii else text


def raised(
    *pieces: Piece,
    kind: tuple[Piece, ...] = (),
    note: tuple[Piece, ...] = (),
    indent: int = 0,
    key: str = "",
) -> Row:
    """Return a row of a dialog that cannot be selected."""
    return Row(
        key,
        text=pieces,
        kind=kind,
        note=note,
        indent=indent,
        selectable=False,
        ground=Ground.RAISED,
    )


RAISED_BLANK = raised()
"""A blank row of a dialog."""


def title_row(title: str, note: str = "") -> Row:
    """Return the first row of a dialog."""
    return raised(
        Piece(title, bold=True), note=(Piece(note, Role.MUTED, cut=Cut.NEVER),) if note else ()
    )


def paragraph(text: str, cells: int, role: Role = Role.TEXT, *, indent: int = 0) -> tuple[Row, ...]:
    """Return a text wrapped to a width, cleaned."""
    return tuple(
        raised(Piece(line, role), indent=indent) for line in wrap(one_line(text), cells - indent)
    )


def key_name(keymap: Keymap, action_id: str, glyphs: Glyphs) -> str:
    """Return the first key of an action as people write it."""
    return display_key(keymap.action(action_id).keys[0], ascii_only=glyphs.ascii)


def foot_rows(
    choices: Sequence[Choice],
    selected: str,
    cells: int,
    glyphs: Glyphs,
    *,
    enter: str,
    below: str = "all",
) -> tuple[tuple[Row, ...], Columns]:
    """Return the options as rows, and the columns to draw them in.

    A consequence that does not fit beside its name goes below it.

    Args:
        choices: The options in their order.
        selected: Id of the one that enter does.
        cells: Width inside the dialog.
        glyphs: The set to draw with.
        enter: The key that does the selected one, as people write it.
        below: Whose consequence may take a second line: `all`, `selected`, `none`.
    """
    names = max((width(one_line(choice.name)) for choice in choices), default=0) + _NAME_GAP
    names = min(names, max(0, cells - 2))
    keys = max((width(choice.key) for choice in choices), default=0)
    room = cells - 2 - names - 2 - max(width(enter), keys)
    allowed = {"all": {choice.id for choice in choices}, "selected": {selected}}.get(below, set())
    too_long = {
        choice.id
        for choice in choices
        if choice.id in allowed and width(one_line(choice.consequence)) > room
    }
    rows = tuple(
        _option_row(
            choice, glyphs, chosen=choice.id == selected, enter=enter, below=choice.id in too_long
        )
        for choice in choices
    )
    return rows, Columns(mark=2, kind=names, pad=0, short_below=0)


def _option_row(choice: Choice, glyphs: Glyphs, *, chosen: bool, enter: str, below: bool) -> Row:
    name_role = Role.TEXT if choice.enabled else Role.DIM
    key = enter if chosen else choice.key if choice.enabled else ""
    said = Piece(own_words(choice.consequence, glyphs), Role.MUTED if choice.enabled else Role.DIM)
    return Row(
        choice.id,
        mark=(Piece(glyphs.chosen, Role.ACCENT, bold=True),) if chosen else (),
        kind=(Piece(own_words(choice.name, glyphs), name_role, bold=chosen),),
        text=() if below else (said,),
        below=(said,) if below else None,
        note=(Piece(key, Role.ACCENT, cut=Cut.NEVER),) if key else (),
        selectable=choice.enabled,
        ground=Ground.RAISED,
    )


def hint_row(actions: Sequence[KeyAction], cells: int, glyphs: Glyphs) -> Row:
    """Return keys with their labels, whole ones only; each is a part that can be clicked."""
    pieces: list[Piece] = []
    for action in actions:
        key = display_key(action.keys[0], ascii_only=glyphs.ascii)
        entry = (
            Piece(" " * (_HINT_GAP if pieces else 0)),
            Piece(key, Role.ACCENT, part=action.id),
            Piece(f" {action.label}", Role.MUTED, part=action.id),
        )
        if line_width(pieces) + line_width(entry) <= cells:
            pieces += entry
    return raised(*pieces, indent=0)


def more_row(keymap: Keymap, glyphs: Glyphs) -> Row:
    """Return the row that says that the body goes on, with the key that scrolls it."""
    key = key_name(keymap, "dialog-page-down", glyphs)
    return raised(
        Piece(key, Role.ACCENT, part="dialog-page-down"),
        Piece(" shows more", Role.MUTED, part="dialog-page-down"),
    )
