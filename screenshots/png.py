"""Reading and writing PNG files without loss: eight bits a channel, small, standard library only.

Follows the PNG specification (third edition), sections 7, 9 and 11.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_COLOUR, _PALETTE, _COLOUR_ALPHA = 2, 3, 6
_CHANNELS = {_COLOUR: 3, _PALETTE: 1, _COLOUR_ALPHA: 4}


@dataclass(frozen=True, slots=True)
class Picture:
    """Rows of pixels from the top; each pixel is three bytes: red, green, blue."""

    width: int
    height: int
    pixels: bytes

    def row(self, number: int) -> bytes:
        start = number * self.width * 3
        return self.pixels[start : start + self.width * 3]

    def pixel(self, x: int, y: int) -> tuple[int, int, int]:
        start = (y * self.width + x) * 3
        red, green, blue = self.pixels[start : start + 3]
        return red, green, blue

    def cropped(self, width: int, height: int) -> Picture:
        """The part at the upper left.

        Raises:
            ValueError: The picture is smaller than that.
        """
        if width > self.width or height > self.height:
            raise ValueError(f"{self.width}x{self.height} is smaller than {width}x{height}")
        rows = (self.row(number)[: width * 3] for number in range(height))
        return Picture(width, height, b"".join(rows))


def decode(data: bytes) -> Picture:
    """Read a PNG with eight bits a channel or palette index, not interlaced.

    Raises:
        ValueError: It is another kind of PNG, not a PNG, or not wholly opaque.
    """
    if not data.startswith(_SIGNATURE):
        raise ValueError("not a PNG")
    header, packed, palette, position = b"", b"", b"", len(_SIGNATURE)
    while position < len(data):
        (length,) = struct.unpack_from(">I", data, position)
        kind = data[position + 4 : position + 8]
        body = data[position + 8 : position + 8 + length]
        position += length + 12
        if kind == b"IHDR":
            header = body
        elif kind == b"PLTE":
            palette = body
        elif kind == b"IDAT":
            packed += body
    width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", header)
    if depth != 8 or colour not in _CHANNELS or interlace:
        raise ValueError(f"cannot read depth {depth}, colour type {colour}, interlace {interlace}")
    channels = _CHANNELS[colour]
    pixels = _unfiltered(zlib.decompress(packed), width * channels, height, channels)
    if colour == _PALETTE:
        pixels = bytearray().join(palette[i * 3 : i * 3 + 3] for i in pixels)
    elif colour == _COLOUR_ALPHA:
        if set(pixels[3::4]) - {255}:
            raise ValueError("the picture is not opaque")
        opaque = bytearray(width * height * 3)
        for channel in range(3):
            opaque[channel::3] = pixels[channel::4]
        pixels = opaque
    return Picture(width, height, bytes(pixels))


def _unfiltered(data: bytes, stride: int, height: int, step: int) -> bytearray:
    """Undo the filters of all rows (section 9.2)."""
    pixels = bytearray()
    above = bytearray(stride)
    for number in range(height):
        start = number * (stride + 1)
        kind, row = data[start], bytearray(data[start + 1 : start + 1 + stride])
        if kind == 1:
            for i in range(step, stride):
                row[i] = (row[i] + row[i - step]) & 255
        elif kind == 2:
            row = bytearray((x + up) & 255 for x, up in zip(row, above, strict=True))
        elif kind == 3:
            for i in range(stride):
                left = row[i - step] if i >= step else 0
                row[i] = (row[i] + (left + above[i]) // 2) & 255
        elif kind == 4:
            for i in range(stride):
                left, corner = (row[i - step], above[i - step]) if i >= step else (0, 0)
                row[i] = (row[i] + _paeth(left, above[i], corner)) & 255
        pixels += row
        above = row
    return pixels


def _paeth(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    distances = (abs(guess - left), abs(guess - up), abs(guess - corner))
    return (left, up, corner)[distances.index(min(distances))]


def encode(picture: Picture) -> bytes:
    """Write a PNG: with a palette where 256 colours are enough, else in full colour."""
    triples = [picture.pixels[i : i + 3] for i in range(0, len(picture.pixels), 3)]
    colours = sorted(set(triples))
    if len(colours) <= 256:
        index = {colour: number for number, colour in enumerate(colours)}
        indexed = bytes(index[triple] for triple in triples)
        rows = [
            indexed[start : start + picture.width]
            for start in range(0, len(indexed), picture.width)
        ]
        return _file(picture, _PALETTE, [bytes(1) + row for row in rows], b"".join(colours))
    rows = [picture.row(number) for number in range(picture.height)]
    return _file(picture, _COLOUR, _filtered(rows))


def _filtered(rows: list[bytes]) -> list[bytes]:
    """Each row by "none" or "up" (section 9.2), whichever repeats more: screens are flat."""
    above = bytes(len(rows[0]))
    chosen = []
    for row in rows:
        up = bytes((x - y) & 255 for x, y in zip(row, above, strict=True))
        kinds = (b"\0" + row, b"\2" + up)
        chosen.append(min(kinds, key=lambda filtered: len(zlib.compress(filtered, 6))))
        above = row
    return chosen


def _file(picture: Picture, colour: int, rows: list[bytes], palette: bytes = b"") -> bytes:
    header = struct.pack(">IIBBBBB", picture.width, picture.height, 8, colour, 0, 0, 0)
    packer = zlib.compressobj(9, memLevel=9)
    packed = packer.compress(b"".join(rows)) + packer.flush()
    parts = [(b"IHDR", header), (b"PLTE", palette), (b"IDAT", packed), (b"IEND", b"")]
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in parts
        if body or kind == b"IEND"
    )
