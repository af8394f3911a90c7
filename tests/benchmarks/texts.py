"""Texts for made-up sessions: prose in four scripts, code, coloured output, paths, commands.

Everything is built once per seed as escaped JSON fragments, so that a session is put together by
picking and joining bytes. Draws use `Random.random` alone, which gives the same numbers on every
version of Python.
"""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")

RARE_WORD = "zqxjkvbrare"
"""Planted in few tool outputs, in two spellings of its case; no other text holds it."""
RARE_CHINESE = "鏡花水月"
"""Planted likewise; its characters stand in no other text, nor does any part of it."""

_ONSETS = [*"bcdfghklmnprstv", "br", "cl", "dr", "fl", "gr", "pl", "st", "tr"]
_VOWELS = [*"aeiou", "ai", "ea", "ou"]
_ENDS = ["", "", "n", "r", "s", "t", "ck", "ng", "ld"]
_CHINESE = (
    "修复函数并运行测试用例读取写入文件会话记录压缩摘要工具调用结果退出继续任务模型用户输入"
    "错误提示路径目录解析校验末行损坏追加时间标识循环分支当前位置索引内存磁盘确认状态重试"
)
_JAPANESE = "テストを実行しました。ファイルの読み込みに失敗しました。結果を確認してください。"
_KOREAN = "테스트를 실행했습니다. 파일을 읽지 못했습니다. 결과를 확인해 주세요."
_SYMBOLS = ["✅", "❌", "🚀", "👩‍💻", "🇯🇵", "👍🏽", "é"]
_SUFFIXES = ["py", "ts", "rs", "go", "md", "json", "sh"]
_COLOURS = ["31", "32", "33", "1;34", "38;5;208"]
_SHELL = ["pytest -q", "npm test", "cargo build", "git diff --stat", "ls -la", "go vet"]


class Draw:
    """Random choices that are the same everywhere for the same seed."""

    def __init__(self, seed: str) -> None:
        self._next = Random(seed).random

    def below(self, limit: int) -> int:
        """Return a number from 0 to `limit` - 1."""
        return int(self._next() * limit)

    def between(self, least: int, most: int) -> int:
        return least + int(self._next() * (most - least + 1))

    def chance(self, part: float) -> bool:
        return self._next() < part

    def fraction(self) -> float:
        return self._next()

    def pick(self, things: Sequence[T]) -> T:
        return things[int(self._next() * len(things))]

    def hexadecimal(self, digits: int) -> str:
        return "".join("0123456789abcdef"[int(self._next() * 16)] for _ in range(digits))


def escaped(text: str) -> bytes:
    """Return a text as it stands between the quotes of a JSON string, not ASCII only."""
    return json.dumps(text, ensure_ascii=False)[1:-1].encode()


class Texts:
    """Pools of escaped fragments."""

    def __init__(self, seed: int) -> None:
        """Build the pools, which takes about half a second."""
        self._draw = draw = Draw(f"texts {seed}")
        self._words = ["the", "of", "to", "in", "file", "test", "result", "change", "line", "error"]
        self._words += [
            "".join(
                draw.pick(_ONSETS) + draw.pick(_VOWELS) + draw.pick(_ENDS)
                for _ in range(draw.between(1, 3))
            )
            for _ in range(4000)
        ]
        self.titles = [self._sentence() for _ in range(400)]
        """Not escaped: a title is also a truth."""
        self.paragraphs = [escaped(self._paragraph()) for _ in range(500)]
        kinds = (self._code, self._coloured, self._found, self._chinese, self._sentence)
        self.lines = [[escaped(kind()) for _ in range(120)] for kind in kinds]
        self.blocks = [[escaped(self._block(kind)) for _ in range(120)] for kind in kinds]
        """About 1 KB each; one list for each kind of output."""
        self.paths = [escaped(self._path()) for _ in range(600)]
        self.commands = [escaped(f"{draw.pick(_SHELL)} {self._path()}") for _ in range(400)]

    def _word(self) -> str:
        # Common words come first and more often.
        share = self._draw.fraction()
        return self._words[int(share * share * len(self._words))]

    def _name(self) -> str:
        return f"{self._word()}_{self._word()}"

    def _path(self) -> str:
        return f"src/{self._word()}/{self._name()}.{self._draw.pick(_SUFFIXES)}"

    def _sentence(self) -> str:
        text = " ".join(self._word() for _ in range(self._draw.between(4, 16)))
        return text[0].upper() + text[1:] + self._draw.pick([".", ".", ":", "?"])

    def _chinese(self) -> str:
        draw = self._draw
        first, second = draw.below(40), draw.below(40)
        left = _CHINESE[first : first + draw.between(4, 18)]
        return f"{left}，{_CHINESE[second : second + draw.between(3, 12)]}。"

    def _paragraph(self) -> str:
        draw = self._draw
        if draw.chance(0.3):
            text = "".join(self._chinese() for _ in range(draw.between(1, 4)))
        elif draw.chance(0.06):
            text = f"{_JAPANESE} {_KOREAN} {draw.pick(_SYMBOLS)}"
        else:
            text = " ".join(self._sentence() for _ in range(draw.between(1, 5)))
        if draw.chance(0.1):
            code = "\n".join(self._code() for _ in range(draw.between(3, 12)))
            text += f"\n\n```{draw.pick(_SUFFIXES)}\n{code}\n```"
        if draw.chance(0.1):
            text += "".join(
                f"\n- `{self._name()}` {self._word()}" for _ in range(draw.between(2, 5))
            )
        return text

    def _code(self) -> str:
        draw = self._draw
        indent = "    " * draw.below(4)
        shapes = (
            f'{indent}{self._name()} = {self._name()}("{self._word()}", {draw.below(999)})',
            f"{indent}if {self._name()} != {draw.below(999)}:",
            f"{indent}return {self._name()}[{self._word()}]",
            f"{indent}# {self._sentence()}",
        )
        return draw.pick(shapes)

    def _coloured(self) -> str:
        draw = self._draw
        word = draw.pick(["PASS", "FAIL", "INFO"])
        colour = draw.pick(_COLOURS)
        return f"\x1b[{colour}m{word}\x1b[0m {self._path()} \x1b[2m({draw.below(5000)} ms)\x1b[22m"

    def _found(self) -> str:
        return f"{self._path()}:{self._draw.between(1, 2000)}:  {self._name()}({self._word()})"

    def _block(self, kind: Callable[[], str]) -> str:
        text = ""
        while len(text) < 900:
            text += kind() + "\n"
        return text
