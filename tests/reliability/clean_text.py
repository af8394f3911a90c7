"""Text of many kinds without any secret, the same for the same seed: what redaction must leave."""

from __future__ import annotations

import base64
import json
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from tests.cases import REAL_DIR

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEX = "0123456789abcdef"
_ROOT = Path(__file__).parents[2]
_SUFFIXES = ("py", "ts", "tsx", "rs", "md", "json", "test.ts", "module.css", "lock", "tar.gz")


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)


@cache
def transcripts() -> tuple[str, ...]:
    """Return every string of the real sessions."""
    return tuple(
        text
        for path in sorted(REAL_DIR.glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
        for text in _strings(json.loads(line))
    )


@cache
def _words() -> tuple[str, ...]:
    found = {word for text in transcripts() for word in text.split() if word.isalpha()}
    return tuple(sorted(found))


def _hex(draw: Random, length: int) -> str:
    return "".join(draw.choices(_HEX, k=length))


def _base64(draw: Random, octets: int) -> str:
    return base64.b64encode(draw.randbytes(octets)).decode()


def _prose(draw: Random) -> list[str]:
    return [" ".join(draw.choices(_words(), k=12)) for _ in range(6_000)]


def _code(_draw: Random) -> list[str]:
    paths = sorted((_ROOT / "ink_tui").rglob("*.py"))
    return [path.read_text("utf-8") for path in paths]


def _paths(draw: Random) -> list[str]:
    made = []
    for _ in range(5_000):
        parts = [word.lower()[:16] for word in draw.choices(_words(), k=draw.randrange(2, 7))]
        name = f"{'/'.join(parts)}.{draw.choice(_SUFFIXES)}"
        root = draw.choice(("/home/u/", "./", "", "/srv/work/", "C:\\Users\\u\\", "file:///tmp/"))
        made.append(f"{root}{name}:{draw.randrange(900)}:{draw.randrange(80)}")
    return made


def _hashes(draw: Random) -> list[str]:
    """What git, package locks and checksum files hold."""
    made = []
    for _ in range(1_000):
        made += [
            f"commit {_hex(draw, 40)}",
            f"index {_hex(draw, 7)}..{_hex(draw, 10)} 100644",
            f"{_hex(draw, 64)}  dist/{draw.choice(_words()).lower()}-1.2.3.tar.gz",
            f'      "integrity": "sha512-{_base64(draw, 64)}",',
            f'"resolved": "https://registry.npmjs.org/{draw.choice(_words()).lower()}-1.0.tgz#'
            f'{_hex(draw, 40)}",',
            f"--hash=sha256:{_hex(draw, 64)} \\",
            f"{_hex(draw, 32)}",
        ]
    return made


def _ids(draw: Random) -> list[str]:
    """Identifiers of sessions, calls, requests and containers."""
    made = []
    letters = "".join(map(chr, range(97, 123))) + "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    for _ in range(1_000):
        uuid = "-".join(_hex(draw, length) for length in (8, 4, 4, 4, 12))
        some = "".join(draw.choices(letters, k=24))
        made += [
            f'{{"type":"message","id":"{uuid}","parentId":"{_hex(draw, 8)}"}}',
            f"2026-03-02T08-15-00-000Z-{uuid}.jsonl",
            f'"toolCallId":"toolu_01{some[:22]}","tool_call_id":"call_{some}"',
            f"x-request-id: req_{some}",
            f"docker run {_hex(draw, 12)} # sha256:{_hex(draw, 64)}",
            f'{{"tokens":{draw.randrange(10**6)},"maxTokens":200000,"cache_key":"v1-{uuid}"}}',
        ]
    return made


def _images(draw: Random) -> list[str]:
    made = [f"data:image/png;base64,{_base64(draw, 3_000)}" for _ in range(60)]
    return made + [f'{{"type":"image","data":"{_base64(draw, 6_000)}"}}' for _ in range(60)]


def clean_texts(seed: int) -> dict[str, list[str]]:
    """Return texts of each kind, at least 100 lines of each, some MB in all."""
    draw = Random(seed)
    made = {"transcripts": list(transcripts())}
    kinds = {"prose": _prose, "code": _code, "paths": _paths, "hashes": _hashes}
    kinds |= {"ids": _ids, "images": _images}
    return made | {name: make(draw) for name, make in kinds.items()}
