"""A session's replay as an asciicast file, version 2, which players of terminal recordings play.

The first line is a JSON object, each further one `[seconds, "o", text]`: what a terminal of the
given size shows from then on. Nothing but cleaned text, line ends and the looks below is in it, so
it cannot act on the terminal that plays it; and the file itself holds no control character, since
JSON escapes them.

Rows are only ever added, as `show --plain` prints them, but for results: they come when their
record comes. Gaps are as long as those of the replay (`ink_tui.model.replay`), and the real ones
are said.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ink_tui.model.cells import broken
from ink_tui.model.plain import (
    NO_MESSAGE,
    block_text,
    call_state,
    called,
    content_lines,
    head_lines,
    open_calls_line,
)
from ink_tui.model.replay import UNKNOWN_WAIT, build_schedule, gap_text
from ink_tui.model.text import one_line
from ink_tui.model.transcript import (
    CompactionBody,
    NoteBody,
    SummaryBody,
    TextBody,
    ThinkingBody,
    ToolBody,
    ToolState,
    TurnBody,
    UserBody,
)
from ink_tui.model.transcript_build import build_transcript

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ink_tui.model.messages import ToolResult
    from ink_tui.model.transcript import Block, Transcript
    from ink_tui.model.verdict import Diagnosis

_TITLE = "1"
_USER = "1;36"
_CALL = "36"
_MUTED = "2"
_FAILED = "31"
_PROBLEM = "1;33"
_ADDED = "32"
_REMOVED = "31"
_BOUNDARY = "35"

_CALLED = 60
"""Cells of a call that its result names: the whole of it has been seen before."""

LOOKS = (_TITLE, _USER, _CALL, _MUTED, _FAILED, _PROBLEM, _ADDED, _BOUNDARY)
"""All looks: parameters of the sequence `ESC [ ... m`, in the colours that a terminal names."""


@dataclass(frozen=True, slots=True)
class CastSize:
    """The size of the terminal that a recording is made for, in cells."""

    columns: int = 100
    lines: int = 30


DEFAULT_SIZE = CastSize()
LEAST_SIZE = CastSize(20, 5)
MOST_SIZE = CastSize(400, 200)
_SIZE = re.compile("([0-9]{1,4})x([0-9]{1,4})")


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    look: str = ""


def cast_size(text: str) -> CastSize | None:
    """Return a size written `100x30`; `None` for what is none, or none of a terminal."""
    found = _SIZE.fullmatch(text)
    size = CastSize(int(found[1]), int(found[2])) if found else CastSize(0, 0)
    fits = (
        LEAST_SIZE.columns <= size.columns <= MOST_SIZE.columns
        and LEAST_SIZE.lines <= size.lines <= MOST_SIZE.lines
    )
    return size if fits else None


def cast(diagnosis: Diagnosis, remark: str, size: CastSize = DEFAULT_SIZE) -> Iterator[str]:
    """Yield the lines of the recording of the branch that a resume would continue; never raises.

    Args:
        diagnosis: The session, secrets already taken out.
        remark: What is said about what was taken out.
        size: The terminal that it is made for.
    """
    transcript = build_transcript(diagnosis)
    yield _json(_header(diagnosis, size))
    begun = False
    for seconds, lines in _events(diagnosis, transcript, remark):
        rows = "\r\n".join(_rows(lines, size.columns))
        # Behind the last row stands no line end, so that it is the last one of the screen.
        yield _json([round(seconds, 3), "o", f"\r\n{rows}" if begun else rows])
        begun = True


def _header(diagnosis: Diagnosis, size: CastSize) -> dict[str, Any]:
    session = diagnosis.session
    head: dict[str, Any] = {"version": 2, "width": size.columns, "height": size.lines}
    times = (session.header.time_ms if session.header is not None else None, session.last_time_ms)
    known = next((time for time in times if time is not None and time >= 0), None)
    if known is not None:
        head["timestamp"] = known // 1000
    title = one_line(diagnosis.title)
    return {**head, "title": title} if title else head


def _events(
    diagnosis: Diagnosis, transcript: Transcript, remark: str
) -> Iterator[tuple[float, list[_Line]]]:
    """Yield what comes when, in seconds from the start; times never go back."""
    first, *rest = head_lines(diagnosis)
    yield 0.0, [_Line(first, _TITLE), *(_Line(line) for line in rest), _Line(one_line(remark))]
    seconds = 0.0
    shown_ms: int | None = None
    gap = False
    news = _news(transcript)
    for number, step in enumerate(build_schedule(transcript).steps, 1):
        seconds += step.wait if number > 1 else UNKNOWN_WAIT
        gap = gap or bool(step.gap)
        lines = news.get(number)
        if lines is None:
            continue
        if gap and shown_ms is not None and (step.time_ms or 0) > shown_ms:
            # Records that show nothing may stand in the gap: its whole length is said.
            later = gap_text(((step.time_ms or 0) - shown_ms) / 1000)
            lines = [_Line(""), _Line(f"({later} later)", _MUTED), *lines]
        yield seconds, lines
        shown_ms, gap = step.time_ms, False
    if not transcript.blocks:
        yield seconds + UNKNOWN_WAIT, [_Line(""), _Line(NO_MESSAGE)]
    if diagnosis.open_calls:
        line = _Line(open_calls_line(diagnosis), _PROBLEM)
        yield seconds + UNKNOWN_WAIT, [_Line(""), line]


def _news(transcript: Transcript) -> dict[int, list[_Line]]:
    """Return what is new at each position of the replay."""
    found: dict[int, list[_Line]] = {}
    for block in transcript.blocks:
        body = block.body
        if isinstance(body, ToolBody) and body.result is not None:
            asked = replace(body, result=None, state=ToolState.NOT_REACHED)
            found.setdefault(block.step, []).extend(
                _block(replace(block, body=asked), transcript.turns)
            )
            step = max(body.result_step or 0, block.step)
            found.setdefault(step, []).extend(_result(body, body.result))
        else:
            found.setdefault(block.step, []).extend(_block(block, transcript.turns))
    return found


def _block(block: Block, turns: int) -> Iterator[_Line]:
    body = block.body
    # Blank lines at the end say nothing on a screen where another one follows.
    head, *rest = block_text(block, turns).rstrip("\n ").split("\n")
    yield _Line("")
    yield _Line(head, _head_look(block))
    if isinstance(body, ToolBody):
        yield from (_Line(line, _change_look(line)) for line in rest)
    else:
        muted = isinstance(body, ThinkingBody | SummaryBody | CompactionBody)
        yield from (_Line(line, _MUTED if muted else "") for line in rest)


def _result(body: ToolBody, result: ToolResult) -> Iterator[_Line]:
    yield _Line("")
    whole = called(body)
    what = next(broken(whole, _CALLED))
    more = "…" if len(what) < len(whole) else ""
    look = _MUTED if body.state is ToolState.OK else _FAILED
    yield _Line(f"result of {what}{more}{call_state(body)}", look)
    yield from map(_Line, "\n".join(content_lines(result.content)).rstrip("\n ").split("\n"))


def _head_look(block: Block) -> str:
    body = block.body
    if block.is_problem:
        return _PROBLEM
    if isinstance(body, UserBody):
        return _USER
    if isinstance(body, TurnBody | TextBody):
        return _TITLE
    if isinstance(body, ToolBody):
        return _CALL
    if isinstance(body, CompactionBody):
        return _BOUNDARY
    return _MUTED if isinstance(body, ThinkingBody | SummaryBody | NoteBody) else ""


def _change_look(line: str) -> str:
    """Return the look of a line under a call, where only changes of files begin with a sign."""
    return {"  + ": _ADDED, "  - ": _REMOVED}.get(line[:4], "")


def _rows(lines: Iterable[_Line], columns: int) -> Iterator[str]:
    for line in lines:
        for row in broken(line.text, columns):
            yield f"\x1b[{line.look}m{row}\x1b[0m" if line.look and row else row


def _json(value: dict[str, Any] | list[Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
