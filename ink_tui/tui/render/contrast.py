"""Contrast of two colours, after the Web Content Accessibility Guidelines 2.1."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.color import Color


def luminance(colour: Color) -> float:
    """Return the relative luminance of an opaque colour, 0 for black to 1 for white."""

    def linear(channel: int) -> float:
        share = channel / 255
        return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)

    red, green, blue = colour.r, colour.g, colour.b
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)


def contrast(one: Color, other: Color) -> float:
    """Return the contrast ratio of two opaque colours, 1 for equal ones to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
