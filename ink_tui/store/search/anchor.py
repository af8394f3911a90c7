r"""Bytes that a line must hold if a word stands in one of its texts.

The raw bytes of a file are looked through first, and only lines that may hold a word are decoded.
A first look may take too many lines and must never miss one, so it must know in how many ways
bytes can spell a word:

- as they are, in UTF-8;
- with any character as an escape, `\u0061` for `a`, in hexadecimal digits of either case;
- in another case, when case does not count: `\u017f` for `s`, too, and `\ufb01` for `fi`.

What has still more spellings (quotation marks, backslashes, slashes, control characters, and
U+FFFD, which stands for bytes that are no UTF-8) is left out: the longest part of the word without
them, its anchor, is what is looked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from ink_tui.model.folding import fold_sources, is_exact

_MANY_SPELLINGS = frozenset('"\\/\ufffd')
_LEAST_BYTES = 3
"""An anchor shorter than this gives way to a longer one that is slower to look for."""

_PATTERN_SOURCES = {"i": "\u0130\u0131", "k": "\u212a", "s": "\u017f"}
"""Characters beyond ASCII that `re` takes for an ASCII letter where case does not count."""

Finder = Callable[[int], int]
"""Returns the first place at or after one given, or -1."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """What to look for in raw bytes."""

    needle: bytes
    """Found as it stands, in bytes whose ASCII letters are small if `fold`; empty if `cases`."""
    fold: bool
    cases: re.Pattern[bytes] | None
    """Finds the anchor in all its cases, where it has letters of other scripts that have case."""
    spelled: re.Pattern[bytes]
    """Escapes that may spell a part of the anchor."""
    rare: re.Pattern[bytes] | None
    """Raw characters of other kinds that fold to a part of the anchor."""
    rare_starts: tuple[bytes, ...]
    """What those begin with; where none of these stands, `rare` need not look."""
    raw_source: str
    """One regular expression over bytes that finds all of it but the escapes, in ASCII, for
    another program."""
    source: str
    """The same with the escapes."""

    def finders(self, data: bytes) -> list[Finder]:
        """Return what finds every spelling of the anchor in some bytes."""
        found: list[Finder] = []
        if self.cases is None:
            lowered = data.lower() if self.fold else data
            found.append(lambda at: lowered.find(self.needle, at))
        else:
            found.append(_finder(self.cases, data))
        if b"\\u" in data:
            found.append(_finder(self.spelled, data))
        if self.rare is not None and any(start in data for start in self.rare_starts):
            found.append(_finder(self.rare, data))
        return found

    def may_stand_in(self, data: bytes) -> bool:
        """Whether the word may stand in some bytes."""
        return any(finder(0) >= 0 for finder in self.finders(data))


def candidate_lines(data: bytes, anchor: Anchor | None) -> Iterator[tuple[int, int]]:
    """Yield start and end of every line that may hold a word, in order; newlines left out.

    Args:
        data: Whole lines; the last one may lack its newline.
        anchor: What to look for; `None` yields all lines.
    """
    finders: list[Finder] = anchor.finders(data) if anchor is not None else [_everywhere(data)]
    nexts = [finder(0) for finder in finders]
    while True:
        found = min((place for place in nexts if place >= 0), default=-1)
        if found < 0:
            return
        start = data.rfind(b"\n", 0, found) + 1
        end = data.find(b"\n", found)
        end = len(data) if end < 0 else end
        yield start, end
        nexts = [
            place if place < 0 or place > end else finder(end + 1)
            for place, finder in zip(nexts, finders, strict=True)
        ]


@lru_cache(maxsize=64)
def word_anchor(word: str) -> Anchor | None:
    """Return the anchor of a word; `None` when no part of it is fit for one.

    Args:
        word: What is looked for: exactly if it has a capital letter, else by folded case.
    """
    if is_exact(word):
        runs = _runs(word, lambda char: True)
        return _exact(max(runs, key=_octets)) if runs else None
    folded = word.casefold()
    simple = max(_runs(folded, _is_simple), key=_octets, default="")
    whole = max(_runs(folded, lambda char: True), key=_octets, default="")
    if not whole:
        return None
    if simple == whole or len(simple.encode()) >= _LEAST_BYTES:
        return _folded(simple)
    return _cased(whole)


@lru_cache(maxsize=64)
def literal_anchor(literal: str, *, exact: bool) -> Anchor | None:
    """Return the anchor of a text that every match of a pattern holds, by the rules of `re`.

    Args:
        literal: The text.
        exact: Whether case counts; if not, only its ASCII characters are looked for.
    """
    if exact:
        runs = _runs(literal, lambda char: True)
        return _exact(max(runs, key=_octets)) if runs else None
    runs = _runs(literal.lower(), str.isascii)
    if not runs:
        return None
    run = max(runs, key=_octets)
    rare = {char for letter in run for char in _PATTERN_SOURCES.get(letter, "")}
    return _made(run.encode(), True, None, {*run, *run.upper()}, rare)


def _octets(run: str) -> int:
    return len(run.encode())


def _runs(text: str, wanted: Callable[[str], bool]) -> list[str]:
    """Return the longest parts of a text whose characters all have few spellings."""
    found = [""]
    for char in text:
        many = char in _MANY_SPELLINGS or char < " " or "\ud800" <= char <= "\udfff"
        if many or not wanted(char):
            found.append("")
        else:
            found[-1] += char
    return [run for run in found if run]


def _singles(char: str) -> tuple[str, ...]:
    """Return every character that folds to one alone."""
    own = (char,) if char.casefold() == char else ()
    return own + fold_sources().get(char, ())


def _is_simple(char: str) -> bool:
    return char.isascii() or _singles(char) == (char,)


def _exact(run: str) -> Anchor:
    return _made(run.encode(), False, None, set(run), set())


def _folded(run: str) -> Anchor:
    singles = {single for char in run for single in _singles(char)}
    rare = {single for single in singles if not single.isascii() and single not in run}
    return _made(run.encode(), True, None, singles, rare | _longer(run))


def _cased(run: str) -> Anchor:
    parts = [_either(_singles(char)) for char in run]
    singles = {single for char in run for single in _singles(char)}
    return _made(b"", False, "".join(parts), singles, _longer(run))


def _longer(run: str) -> set[str]:
    """Return the characters whose folded form of several may be a part of a run, or reach in."""
    return {
        char
        for folded, chars in fold_sources().items()
        if len(folded) > 1 and _overlap(folded, run)
        for char in chars
    }


def _overlap(one: str, other: str) -> bool:
    """Whether two texts can lie over each other so that they agree where both have letters."""
    for shift in range(1 - len(one), len(other)):
        shared = range(max(0, shift), min(len(other), shift + len(one)))
        if all(one[place - shift] == other[place] for place in shared):
            return True
    return False


def _made(
    needle: bytes, fold: bool, cases: str | None, spelled: set[str], rare: set[str]
) -> Anchor:
    units = sorted({_first_unit(char) for char in spelled | rare})
    escapes = rf"\\u(?:{'|'.join(_hexadecimal(unit) for unit in units)})"
    raw = _either(tuple(sorted(rare))) if rare else None
    main = cases if cases is not None else _bytes_pattern(needle)
    if cases is None and fold:
        main = f"(?i:{main})"
    return Anchor(
        needle=needle,
        fold=fold,
        cases=re.compile(cases.encode()) if cases is not None else None,
        spelled=re.compile(escapes.encode()),
        rare=re.compile(raw.encode()) if raw is not None else None,
        rare_starts=tuple(sorted({char.encode()[:2] for char in rare})),
        raw_source="|".join(part for part in (main, raw) if part),
        source="|".join(part for part in (main, escapes, raw) if part),
    )


def _first_unit(char: str) -> int:
    """Return the first UTF-16 unit of a character: what its escape begins with."""
    code = ord(char)
    return code if code < 0x10000 else 0xD800 + ((code - 0x10000) >> 10)


def _hexadecimal(unit: int) -> str:
    return "".join(
        f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in f"{unit:04x}"
    )


def _bytes_pattern(octets: bytes) -> str:
    return "".join(
        chr(octet) if chr(octet).isalnum() and octet < 0x80 else f"\\x{octet:02x}"
        for octet in octets
    )


def _either(chars: tuple[str, ...]) -> str:
    return f"(?:{'|'.join(_bytes_pattern(char.encode()) for char in chars)})"


def _finder(pattern: re.Pattern[bytes], data: bytes) -> Finder:
    def find(at: int) -> int:
        match = pattern.search(data, at)
        return match.start() if match is not None else -1

    return find


def _everywhere(data: bytes) -> Finder:
    return lambda at: at if at < len(data) else -1
