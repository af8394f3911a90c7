"""Writing one made-up session of any size, and the truth about it (`formats/ink.md` 2 to 4)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ink_tui.formats.ink.encode import iso_stamp
from tests.benchmarks.texts import RARE_CHINESE, RARE_WORD, Draw, Texts, escaped
from tests.benchmarks.truth import SessionTruth

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST_MS = int(datetime(2026, 2, 2, 9, tzinfo=UTC).timestamp() * 1000)
"""When the first session of a store begins, in milliseconds since 1970."""

_FLUSH_BYTES = 4 << 20
_TOOLS = ("read", "bash", "edit", "grep", "write", "glob")
_MODELS = (("anthropic", "claude-sonnet-4-5"), ("zai", "glm-5.3"), ("openai", "gpt-coder"))
_SPREAD = 0x9E3779B97F4A7C15
_PLANTED = (2, 5)
"""Calls of a session, 1-based, whose output holds a rare word; one in each spelling."""
_RARELY = 4_999
"""Later calls between two such outputs: a hundred hits in a gigabyte."""


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """How one session is to be."""

    index: int
    cwd: str
    target: int
    """Bytes after which it ends, about."""
    start_ms: int
    torn: str | None = None
    """`half`: half a record at the end; `character`: cut inside one; `newline`: only that lacks."""
    dangling: bool = False
    """It ends with calls whose results were not all saved."""
    compactions: int = 0
    branches: int = 0
    named: bool = False
    parent_id: str | None = None
    planted: bool = False
    """Some outputs hold the rare words."""
    turns: int = 0
    """End after so many turns of two small records each, whatever the size; 0: by `target`."""
    long_line: int = 0
    """Bytes of one output that is far longer than others; 0: none."""
    wide: bool = False
    """Each of the small turns begins at the first record."""


class SessionMaker:
    """Writes one session; use it once."""

    def __init__(
        self, plan: SessionPlan, texts: Texts, seed: int, write: Callable[[bytes], object]
    ) -> None:
        """Prepare a session.

        Args:
            plan: How it is to be.
            texts: What is said in it.
            seed: Of the store.
            write: Takes the bytes in order.
        """
        self._plan, self._texts, self._write = plan, texts, write
        self._draw = draw = Draw(f"session {seed} {plan.index}")
        self.file_uuid = self._uuid()
        self._session_id = self._uuid()
        self._base = draw.below(1 << 47)
        self._provider, self._model = draw.pick(_MODELS)
        self._now = plan.start_ms
        self._buffer: list[bytes] = []
        self._size = self._flushed = 0
        self._records = self._lines = self._entries = 0
        self._messages = 0
        self._tips = 1
        self._compactions = 0
        self._calls = 0
        self._tokens = 900
        self._leaf: str | None = None
        self._turn_starts: list[tuple[str, int]] = []
        self._recent: list[bytes] = []
        self._planted: dict[str, list[int]] = {}
        self._dangling: list[str] = []
        self._end_word = f"endword{plan.index:05d}"
        self._title = f"s{plan.index:05d} {draw.pick(texts.titles)}"

    def make(self) -> SessionTruth:
        """Write the whole session and return what is true of it."""
        plan = self._plan
        self._header()
        if plan.named:
            self._entry(b"session_info", b'"name":"%b"' % escaped(f"named {self._title}"))
        if plan.turns:
            self._small_turns()
        else:
            self._turns()
        torn_bytes = self._tear(plan.torn) if plan.torn is not None else 0
        self._flush()
        settle = bool(self._dangling) or plan.torn is not None
        return SessionTruth(
            path="",
            id=self._session_id,
            cwd=plan.cwd,
            title=f"named {self._title}" if plan.named else self._title,
            child=plan.parent_id is not None,
            parent_id=plan.parent_id,
            verdict="repairable" if settle else "clean",
            size=self._size,
            lines=self._lines,
            records=self._records,
            messages=self._messages,
            branches=self._tips,
            compactions=self._compactions,
            open_calls=len(self._dangling),
            torn_bytes=torn_bytes,
            torn=plan.torn,
            dangling=self._dangling,
            leaf=self._leaf,
            last_ms=self._now,
            end_word=self._end_word,
            planted=self._planted,
        )

    # Records

    def _header(self) -> None:
        plan = self._plan
        parent = b',"parent":"%b"' % plan.parent_id.encode() if plan.parent_id else b""
        self._line(
            b'{"type":"session","version":1,"id":"%b","timestamp":"%b","cwd":"%b"%b,'
            b'"model":{"provider":"%b","modelId":"%b"}}'
            % (
                self._session_id.encode(),
                iso_stamp(self._now).encode(),
                escaped(plan.cwd),
                parent,
                self._provider.encode(),
                self._model.encode(),
            )
        )

    def _line(self, content: bytes) -> None:
        self._buffer.append(content + b"\n")
        self._size += len(content) + 1
        self._lines += 1
        if self._size - self._flushed > _FLUSH_BYTES:
            self._flush()

    def _flush(self) -> None:
        self._write(b"".join(self._buffer))
        self._buffer.clear()
        self._flushed = self._size

    def _entry(self, kind: bytes, body: bytes, *, leaf: bool = True) -> str:
        self._entries += 1
        entry_id = f"{((self._base + self._entries) * _SPREAD) & ((1 << 64) - 1):016x}"
        parent = b'"%b"' % self._leaf.encode() if self._leaf is not None else b"null"
        self._now += self._draw.between(200, 9000)
        self._line(
            b'{"type":"%b","id":"%b","parentId":%b,"timestamp":"%b",%b}'
            % (kind, entry_id.encode(), parent, iso_stamp(self._now).encode(), body)
        )
        self._records += 1
        if leaf:
            self._leaf = entry_id
        return entry_id

    def _message(self, message: bytes) -> str:
        self._messages += 1
        return self._entry(b"message", b'"message":' + message)

    def _user(self, text: bytes) -> None:
        message = b'{"role":"user","content":"%b"}' % text
        entry_id = self._message(message)
        self._turn_starts.append((entry_id, self._messages))
        self._recent = [message]

    def _assistant(self, blocks: list[bytes], *, calls: bool) -> bytes:
        self._tokens += 700
        message = (
            b'{"role":"assistant","blocks":[%b],"usage":{"inputTokens":%d,"outputTokens":%d},'
            b'"stopReason":"%b","model":"%b","modelReference":"%b/%b"}'
            % (
                b",".join(blocks),
                self._tokens,
                90,
                b"tool_use" if calls else b"end_turn",
                self._model.encode(),
                self._provider.encode(),
                self._model.encode(),
            )
        )
        self._message(message)
        return message

    def _answer(self, text: bytes) -> None:
        block = b'{"type":"text","text":"%b"}' % text
        self._recent.append(self._assistant([block], calls=False))

    # Turns

    def _turns(self) -> None:
        plan, draw, texts = self._plan, self._draw, self._texts
        compact_at = _steps(plan.target, plan.compactions)
        branch_at = _steps(plan.target, plan.branches)
        self._user(escaped(self._title))
        while True:
            self._rounds()
            if self._dangling:
                return
            ends = self._size >= plan.target and not plan.dangling
            word = self._end_word.encode() + b" " if ends else b""
            self._answer(word + draw.pick(texts.paragraphs))
            if ends:
                return
            if compact_at and self._size >= compact_at[0]:
                del compact_at[0]
                self._compact()
            if branch_at and self._size >= branch_at[0] and len(self._turn_starts) > 1:
                del branch_at[0]
                self._jump(draw.pick(self._turn_starts))
                if draw.chance(0.4):
                    self._entry(b"branchSummary", b'"summary":"%b"' % draw.pick(texts.paragraphs))
            elif draw.chance(0.02):
                target = draw.pick(self._turn_starts)[0].encode()
                body = b'"targetId":"%b","label":"mark %d"' % (target, self._entries)
                self._entry(b"label", body, leaf=False)
            self._user(draw.pick(texts.paragraphs))

    def _rounds(self) -> None:
        """Write some rounds of calls with their results; maybe stop inside the last one."""
        plan, draw = self._plan, self._draw
        for _ in range(draw.between(1, 5)):
            ids, blocks, results = self._calls_and_results(draw.pick((1, 1, 1, 2, 3)))
            if draw.chance(0.3):
                thinking = draw.pick(self._texts.paragraphs)
                blocks.insert(0, b'{"type":"thinking","thinking":"%b"}' % thinking)
            if draw.chance(0.5):
                text = draw.pick(self._texts.paragraphs)
                blocks.insert(0, b'{"type":"text","text":"%b"}' % text)
            self._assistant(blocks, calls=True)
            over = self._size >= plan.target
            if over and plan.dangling:
                # The process died here: of several results the first may have been saved.
                kept = 1 if len(ids) > 1 and draw.chance(0.5) else 0
                if kept:
                    self._results(results[:kept])
                self._dangling = ids[kept:]
                return
            self._results(results)
            if over:
                return

    def _results(self, results: list[bytes]) -> None:
        joined = b",".join(results)
        self._message(b'{"role":"toolResult","results":[%b]}' % joined)
        for word in (RARE_WORD, RARE_CHINESE):
            if word.encode() in joined.lower():
                self._planted.setdefault(word, []).append(self._lines)

    def _calls_and_results(self, number: int) -> tuple[list[str], list[bytes], list[bytes]]:
        draw, texts = self._draw, self._texts
        ids: list[str] = []
        blocks: list[bytes] = []
        results: list[bytes] = []
        for _ in range(number):
            self._calls += 1
            call_id = f"call_{self._session_id[:6]}_{self._calls}"
            tool = draw.pick(_TOOLS)
            path = draw.pick(texts.paths)
            given = b'"path":"%b"' % path
            if tool == "bash":
                given = b'"command":"%b"' % draw.pick(texts.commands)
            elif tool == "edit":
                old, new = draw.pick(texts.lines[0]), draw.pick(texts.lines[0])
                given += b',"oldText":"%b","newText":"%b"' % (old, new)
            ids.append(call_id)
            blocks.append(
                b'{"type":"toolCall","id":"%b","name":"%b","arguments":{%b}}'
                % (call_id.encode(), tool.encode(), given)
            )
            wrong = b"true" if draw.chance(0.05) else b"false"
            results.append(
                b'{"toolCallId":"%b","toolName":"%b","content":"%b","isError":%b}'
                % (call_id.encode(), tool.encode(), self._output(), wrong)
            )
        return ids, blocks, results

    def _output(self) -> bytes:
        """Return the text of a result: a line or two mostly, up to 50 KB sometimes."""
        draw, texts, plan = self._draw, self._texts, self._plan
        kind = draw.below(len(texts.blocks))
        start = b"%d-%d\\n" % (plan.index, self._calls)
        if plan.long_line and self._calls == 3:
            block = draw.pick(texts.blocks[kind])
            return start + block * (plan.long_line // len(block))
        if draw.chance(0.45):
            text = b"\\n".join(draw.pick(texts.lines[kind]) for _ in range(draw.between(1, 6)))
        else:
            share = draw.fraction()
            pieces = 1 + int(share * share * share * 16)
            text = b"".join(draw.pick(texts.blocks[kind]) for _ in range(pieces))
        if plan.planted and (self._calls in _PLANTED or self._calls % _RARELY == 0):
            spelled = RARE_WORD if self._calls % 2 else RARE_WORD.upper()
            text += escaped(f" {spelled} {RARE_CHINESE}")
        return start + text

    def _small_turns(self) -> None:
        """Write many turns of two small records, jumping back now and then."""
        plan, draw = self._plan, self._draw
        every = plan.turns // (plan.branches + 1) if plan.branches else 0
        jumps = 0
        for turn in range(plan.turns):
            text = self._title if turn == 0 else f"turn {turn}"
            if every and turn and turn % every == 0 and jumps < plan.branches:
                jumps += 1
                self._jump(draw.pick(self._turn_starts))
            elif turn and plan.wide:
                self._jump(self._turn_starts[0])
            self._user(escaped(text))
            last = turn == plan.turns - 1
            self._answer(escaped(f"{self._end_word if last else 'done'} {turn}"))

    def _jump(self, place: tuple[str, int]) -> None:
        self._leaf, self._messages = place
        self._line(b'{"type":"position","leafId":"%b"}' % place[0].encode())
        self._records += 1
        self._tips += 1

    def _compact(self) -> None:
        summary = self._draw.pick(self._texts.paragraphs)
        self._entry(
            b"compaction",
            b'"summary":"%b","retainedTail":[%b],"tokensBefore":%d'
            % (summary, b",".join(self._recent), self._tokens),
        )
        self._compactions += 1
        self._tokens = 3000

    # The end

    def _tear(self, how: str) -> int:
        """Damage the end; return how many bytes a repair would cut or add."""
        if how == "newline":
            self._buffer[-1] = self._buffer[-1][:-1]
            self._size -= 1
            return 1
        parent = (self._leaf or "").encode()
        record = (
            b'{"type":"message","id":"%b","parentId":"%b","timestamp":"%b","message":'
            b'{"role":"user","content":"%b'
            % (b"f" * 16, parent, iso_stamp(self._now).encode(), escaped("继续修复函数并运行测试"))
        )
        cut = self._draw.between(1, len(record))
        if how == "character":
            cut = len(record) - 1
        self._buffer.append(record[:cut])
        self._size += cut
        self._lines += 1
        return cut

    def _uuid(self) -> str:
        digits = self._draw.hexadecimal(30)
        return f"{digits[:8]}-{digits[8:12]}-4{digits[12:15]}-8{digits[15:18]}-{digits[18:]}"


def _steps(target: int, number: int) -> list[int]:
    """Return sizes, evenly spread, at which something happens."""
    return [target * step // (number + 1) for step in range(1, number + 1)]
