"""A screen that Textual exported as SVG, drawn as a PNG in which every letter stands in its column.

Rich writes one ``text`` element for each run of one style and asks the browser to stretch it to a
width counted in characters. Wide letters are then squeezed, and even with the right width they
share the error with their neighbours. So each run is set anew: what the terminal's own font draws
goes in runs that start at their cell; every wide character, and every one that another font will
have to draw, is set alone in the middle of its own cells. Headless Chromium then draws it.

Needs: chromium, fonts-firacode, fonts-dejavu-core, fonts-wqy-zenhei, fonts-noto-color-emoji;
``optipng``, where it is installed, makes the file smaller still.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from rich.cells import split_graphemes

from screenshots import png

if TYPE_CHECKING:
    from collections.abc import Iterator

CELL_WIDTH = 12.2
"""Width of a cell in the SVG, in pixels (Rich: 20 px letters, 0.61 of that wide)."""
LINE_HEIGHT = 24.4
_OVERLAP = 0.6
"""How far a row may be drawn over its neighbours, in pixels."""
_FRAME = (18, 50)
"""What Rich puts around the cells: margins, padding, and the title bar (width, height)."""
_FONT_SIZE = CELL_WIDTH * 1950 / 1200
"""Fira Code's letters are 1200 of 1950 units wide; at this size they fill their cells."""
_SVG = "{http://www.w3.org/2000/svg}"
_FONTS = "'Fira Code','DejaVu Sans Mono','WenQuanYi Zen Hei','Noto Color Emoji',monospace"
_REQUIRED_FONTS = ("Fira Code", "DejaVu Sans Mono", "WenQuanYi Zen Hei", "Noto Color Emoji")
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_WINDOW_EXTRA = 200
"""The browser's window counts its own bars, which are then missing below: pixels to add."""
_OWN = re.compile("[\u0020-\u007e\u00a0-\u00ff\u2500-\u259f]+")
"""Latin letters, line drawing and blocks: drawn by the first font, never by a fallback."""


class RenderError(RuntimeError):
    """A program or a font that is needed to draw pictures is missing, or failed."""


def render_png(svg_text: str, png_path: Path, columns: int, rows: int) -> None:
    """Draw an exported screen.

    Args:
        svg_text: What Textual's ``export_screenshot`` returned.
        png_path: File to write.
        columns: Width of the screen in cells.
        rows: Height of the screen in cells.

    Raises:
        RenderError: Chromium or a font is missing, or the SVG is not of that size.
    """
    png_path.write_bytes(png.encode(draw(svg_text, columns, rows)))
    if optimiser := shutil.which("optipng"):
        subprocess.run([optimiser, "-quiet", "-o2", "-strip", "all", png_path], check=True)


def draw(svg_text: str, columns: int, rows: int) -> png.Picture:
    """Draw an exported screen; arguments and errors as for `render_png`."""
    width, height = ceil(columns * CELL_WIDTH) + _FRAME[0], ceil(rows * LINE_HEIGHT + _FRAME[1])
    svg = align(svg_text)
    viewed = ET.fromstring(svg).get("viewBox", "").split()[2:]
    if [ceil(float(number)) for number in viewed] != [width, height]:
        raise RenderError(f"the picture is {viewed}, not {columns}x{rows} cells")
    return png.decode(_browse(svg, width, height)).cropped(width, height)


def align(svg_text: str) -> str:
    """Set every text of an exported screen cell by cell, with fonts of this machine alone."""
    ET.register_namespace("", _SVG[1:-1])
    root = ET.fromstring(svg_text)
    for style in root.iter(f"{_SVG}style"):
        style.text = _styles(style.text or "")
    for clip in root.iter(f"{_SVG}clipPath"):
        if "-line-" in clip.get("id", ""):
            for rect in clip:  # upright lines meet inside a pixel; without an overlap a seam shows
                rect.set("y", f"{float(rect.get('y', '0')) - _OVERLAP:.2f}")
                rect.set("height", f"{float(rect.get('height', '0')) + 2 * _OVERLAP:.2f}")
    for text in root.iter(f"{_SVG}text"):
        if text.get("textLength") is not None:
            _set_anew(text)
    return ET.tostring(root, encoding="unicode")


def _styles(css: str) -> str:
    """Rich's styles without fonts from the network, ligatures and stretched letters."""
    css = re.sub(r"@font-face\s*\{.*?\}", "", css, flags=re.DOTALL)
    css = re.sub(r"font-variant-east-asian:[^;]*;", "font-variant-ligatures: none;", css)
    css = re.sub(r"font-size: 20px", f"font-size: {_FONT_SIZE:.3f}px", css)
    css = css.replace("font-family: arial", "font-family: 'DejaVu Sans'")
    return css.replace("font-family: Fira Code, monospace", f"font-family: {_FONTS}")


def _set_anew(text: ET.Element) -> None:
    content, start = text.text or "", float(text.get("x", "0"))
    text.text = None
    for name in ("textLength", "x"):
        del text.attrib[name]
    text.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    for part, column, cells in place(content):
        left = start + column * CELL_WIDTH
        span = ET.SubElement(text, f"{_SVG}tspan")
        span.text = part
        if _OWN.fullmatch(part):
            span.set("x", f"{left:.2f}")
            span.set("textLength", f"{cells * CELL_WIDTH:.2f}")
        else:
            span.set("x", f"{left + cells * CELL_WIDTH / 2:.2f}")
            span.set("text-anchor", "middle")


def place(text: str) -> Iterator[tuple[str, int, int]]:
    """Cut a text into what is set together; yields the part, its first cell and its cells."""
    column, run, run_column = 0, "", 0
    for first, end, cells in split_graphemes(text)[0]:
        cluster = text[first:end]
        if _OWN.fullmatch(cluster):
            if not run:
                run_column = column
            run += cluster
        else:
            if run:
                yield run, run_column, column - run_column
                run = ""
            if cells:
                yield cluster, column, cells
        column += cells
    if run:
        yield run, run_column, column - run_column


def _browse(svg: str, width: int, height: int) -> bytes:
    """Draw an SVG in headless Chromium; the picture is at the upper left of what is returned."""
    program = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if program is None:
        raise RenderError("chromium is missing: apt install chromium")
    _demand_fonts()
    css = f"body{{margin:0;background:#fff}}svg{{display:block;width:{width}px;height:{height}px}}"
    page = f"<!doctype html><meta charset=utf-8><style>{css}</style>{svg}"
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "page.html"), Path(folder, "page.png")
        source.write_text(page, "utf-8")
        run = subprocess.run(
            [
                program,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-lcd-text",
                "--font-render-hinting=none",
                "--force-color-profile=srgb",
                "--force-device-scale-factor=1",
                "--hide-scrollbars",
                f"--user-data-dir={folder}/profile",
                f"--window-size={width},{height + _WINDOW_EXTRA}",
                f"--screenshot={target}",
                source.as_uri(),
            ],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        if not target.exists():
            raise RenderError(f"chromium drew nothing (status {run.returncode}): {run.stderr}")
        return target.read_bytes()


def _demand_fonts() -> None:
    listed = subprocess.run(
        ["fc-list", ":", "family"], capture_output=True, text=True, timeout=60, check=True
    ).stdout
    missing = [font for font in _REQUIRED_FONTS if font not in listed]
    if missing:
        raise RenderError(f"fonts are missing: {', '.join(missing)}")


if __name__ == "__main__":
    svg_file, png_file, size = sys.argv[1:]
    render_png(Path(svg_file).read_text("utf-8"), Path(png_file), *map(int, size.split("x")))
