"""The two own themes (`ui.md` 2.1): the only place where a colour is a number.

Everything else names theme variables, so that every theme of Textual works too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.theme import BUILTIN_THEMES, Theme

from ink_tui.errors import ConfigError

if TYPE_CHECKING:
    from textual.app import App

INK = Theme(
    name="ink",
    dark=True,
    background="#12161d",
    surface="#181d26",
    panel="#252c38",
    foreground="#d6dbe4",
    primary="#86a9f5",
    secondary="#86a9f5",
    accent="#86a9f5",
    warning="#e2b25f",
    error="#ee7b80",
    success="#86c28b",
    variables={
        "border": "#2d3543",
        "border-blurred": "#252c38",
        "foreground-muted": "#9398a0",
        "foreground-disabled": "#70757d",
        "block-cursor-background": "#2c364d",
        "block-cursor-foreground": "#d6dbe4",
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": "#242930",
        "block-cursor-blurred-foreground": "#d6dbe4",
        "block-hover-background": "#1a202a",
        "scrollbar": "#2d3543",
        "scrollbar-hover": "#3b4557",
        "scrollbar-active": "#86a9f5",
        "scrollbar-background": "#12161d",
        "scrollbar-corner-color": "#12161d",
        "footer-background": "#181d26",
        "footer-key-foreground": "#86a9f5",
        "input-selection-background": "#2c364d",
        "screen-selection-background": "#2c364d",
    },
)
"""Dark, the default."""

INK_LIGHT = Theme(
    name="ink-light",
    dark=False,
    background="#faf9f5",
    surface="#f2f0ea",
    panel="#dfdcd3",
    foreground="#22262e",
    primary="#2b5bc4",
    secondary="#2b5bc4",
    accent="#2b5bc4",
    warning="#8a5800",
    error="#b02a2a",
    success="#2c7040",
    variables={
        "border": "#cfcbc0",
        "border-blurred": "#dfdcd3",
        "foreground-muted": "#56595e",
        "foreground-disabled": "#787a7e",
        "block-cursor-background": "#d7e0f2",
        "block-cursor-foreground": "#22262e",
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": "#e9e7e1",
        "block-cursor-blurred-foreground": "#22262e",
        "block-hover-background": "#f1efe8",
        "scrollbar": "#cfcbc0",
        "scrollbar-hover": "#b6b1a4",
        "scrollbar-active": "#2b5bc4",
        "scrollbar-background": "#faf9f5",
        "scrollbar-corner-color": "#faf9f5",
        "footer-background": "#f2f0ea",
        "footer-key-foreground": "#2b5bc4",
        "input-selection-background": "#d7e0f2",
        "screen-selection-background": "#d7e0f2",
    },
)
"""Light."""

THEMES = (INK, INK_LIGHT)
DEFAULT_THEME = INK.name


def check_theme(name: str, where: str) -> None:
    """See to it that a theme exists.

    Args:
        name: What the user wrote.
        where: Where it was written, as the start of a sentence.

    Raises:
        ConfigError: There is no such theme; the nearest name is told.
    """
    known = sorted({theme.name for theme in THEMES} | BUILTIN_THEMES.keys())
    if name not in known:
        from difflib import get_close_matches  # only a mistake needs it

        near = get_close_matches(name, known, n=1, cutoff=0.5)
        hint = f"did you mean “{near[0]}”?" if near else f"known are {', '.join(known)}."
        raise ConfigError(f"{where}: there is no theme “{name}”; {hint}")


def register_themes(app: App[Any]) -> None:
    """Make the own themes known to an app."""
    for theme in THEMES:
        app.register_theme(theme)
