"""What a terminal engine is to the rest of the program, and the choice of one at run time.

The values here are neutral: no type of a drawing library and none of an engine's own appears, so
that engines and screens can be replaced independently (`live-pane.md` section 8).
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_TITLE_CHARACTERS = 120

CELL_PIXELS = (8, 16)
"""Width and height of a cell in the pixels that an engine counts in; children may ask for them."""

Color: TypeAlias = int | tuple[int, int, int] | None
"""A palette index 0 to 255, red green blue 0 to 255 each, or None for the default."""


class Attribute(enum.IntFlag):
    """How a cell is drawn besides its colours."""

    NONE = 0
    BOLD = 1
    FAINT = 2
    ITALIC = 4
    UNDERLINE = 8
    BLINK = 16
    INVERSE = 32
    INVISIBLE = 64
    STRIKE = 128
    OVERLINE = 256


class CellStyle(NamedTuple):
    """Colours and attributes of a run of cells."""

    foreground: Color = None
    background: Color = None
    attributes: int = 0


PLAIN = CellStyle()


class Run(NamedTuple):
    """Neighbouring cells of one style; `columns` is their width in cells, text or not."""

    text: str
    columns: int
    style: CellStyle = PLAIN


Row: TypeAlias = tuple[Run, ...]
"""The runs of a whole row, left to right; their columns add up to the width of the screen."""


class Cursor(NamedTuple):
    """Where typing goes: cell of the view, both from 0, and how it is drawn."""

    column: int
    row: int
    visible: bool = True
    shape: Literal["block", "bar", "underline"] = "block"


class Modes(NamedTuple):
    """What the child asked of its terminal."""

    alternate_screen: bool = False
    bracketed_paste: bool = False
    focus_reports: bool = False
    mouse: bool = False
    synchronized: bool = False


class View(NamedTuple):
    """Which rows are shown: `offset` rows lie above the view, `total` exist, `rows` are shown."""

    total: int
    offset: int
    rows: int

    @property
    def below(self) -> int:
        """How many rows lie below the view."""
        return max(self.total - self.offset - self.rows, 0)


@dataclass(frozen=True, slots=True)
class KeyEvent:
    """One key press.

    Attributes:
        key: A single character as the key types it without Ctrl and Alt, or a name: `enter`, `tab`,
            `escape`, `backspace`, `space`, `insert`, `delete`, `home`, `end`, `page_up`,
            `page_down`, `arrow_up`, `arrow_down`, `arrow_left`, `arrow_right`, `f1` to `f24`.
    """

    key: str
    shift: bool = False
    ctrl: bool = False
    alt: bool = False
    meta: bool = False


@dataclass(frozen=True, slots=True)
class MouseEvent:
    """One mouse event in a cell of the view, both from 0.

    Attributes:
        held: Whether a button is held down, which makes a motion a drag.
    """

    action: Literal["press", "release", "motion"]
    button: Literal["none", "left", "middle", "right", "wheel_up", "wheel_down"]
    column: int
    row: int
    shift: bool = False
    ctrl: bool = False
    alt: bool = False
    held: bool = False


@dataclass(frozen=True, slots=True)
class EngineEvents:
    """What an engine tells while it is fed; called on the feeding thread.

    Attributes:
        reply: Bytes that must go back to the child.
        bell: The child rang the bell.
        title: The child changed its title.
        hold: True when the child begins a frame that must not be drawn yet, False at its end.
    """

    reply: Callable[[bytes], object]
    bell: Callable[[], object]
    title: Callable[[], object]
    hold: Callable[[bool], object]


class TermEngine(Protocol):
    """A terminal without a screen: bytes in, rows of styled text out.

    Touched from one thread only. Columns and rows count from 0; sizes are in cells.
    """

    name: str
    version: str
    columns: int
    rows: int

    def feed(self, data: bytes) -> None:
        """Take output of the child, cut anywhere."""

    def resize(self, columns: int, rows: int) -> None:
        """Change the size; the main screen is wrapped anew."""

    def set_colors(
        self, foreground: tuple[int, int, int], background: tuple[int, int, int]
    ) -> None:
        """Name the default colours of the screen, for children that ask (OSC 10 and 11)."""

    def dirty_rows(self) -> dict[int, Row]:
        """Return the rows of the view that have changed since the last call."""

    def cursor(self) -> Cursor | None:
        """Return the cursor, or None if it is outside the view."""

    def title(self) -> str:
        """Return the title that the child gave itself: cleaned, at most 120 characters."""

    def modes(self) -> Modes:
        """Return what the child asked of its terminal."""

    def view(self) -> View:
        """Return which rows of all are shown."""

    def scroll(self, rows: int) -> None:
        """Move the view by rows, negative towards the past."""

    def scroll_to_start(self) -> None:
        """Show the oldest rows."""

    def scroll_to_end(self) -> None:
        """Show the newest rows and follow them."""

    def encode_key(self, event: KeyEvent) -> bytes:
        """Return what a key sends in the child's present modes."""

    def encode_paste(self, text: str) -> bytes:
        """Return what a paste sends: bracketed if asked for, never able to end its own bracket."""

    def paste_is_safe(self, text: str) -> bool:
        """Whether a paste can do no more than insert text."""

    def encode_mouse(self, event: MouseEvent) -> bytes:
        """Return what a mouse event sends; empty if the child did not ask for it."""

    def encode_focus(self, focused: bool) -> bytes:
        """Return what a change of focus sends; empty if the child did not ask for it."""

    def close(self) -> None:
        """Free the engine; nothing else may be called afterwards."""


EngineFactory: TypeAlias = "Callable[[int, int, EngineEvents], TermEngine]"
"""Makes an engine of so many columns and rows."""
