"""What holds for any session, however strange, in transcript, context, health and replay."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ink_tui.model.context_table import build_table, folded
from ink_tui.model.diff import change_counts, counts, line_diff
from ink_tui.model.health import HexWindow, build_health
from ink_tui.model.plain import transcript_text
from ink_tui.model.replay import Playback, build_schedule
from ink_tui.model.text import clean, one_line
from ink_tui.model.transcript import visible_at
from ink_tui.model.transcript_build import build_transcript
from ink_tui.tui.render.context_rows import columns_of, context_rows
from ink_tui.tui.render.glyphs import UNICODE
from ink_tui.tui.render.heights import Heights
from ink_tui.tui.render.hex_rows import hex_rows, text_of
from ink_tui.tui.render.lines import wrap_pieces
from ink_tui.tui.render.markdown import markdown_lines
from ink_tui.tui.render.rows import Piece, Role, lay_out, line_width
from ink_tui.tui.render.timeline import Timeline, bar_place, position_at, timeline
from ink_tui.tui.render.timeline_legend import SeenSize
from ink_tui.tui.render.transcript_look import Depth, Fold, Look
from ink_tui.tui.render.transcript_rows import lay_out_block
from tests.transcript_samples import diagnosed

TEXT = st.text(max_size=60) | st.sampled_from(
    [
        "a\nb\n\nc",
        "世界 " * 20,
        "\x1b[31mred",
        "[bold]x[/]",
        "# h\n- a\n  - b",
        "Exit code: 2",
        "\u202ex",
    ]
)
CALL_ID = st.sampled_from(["c1", "c2", "c3"])
TOOL = st.sampled_from(["bash", "edit", "read", "write", "mcp__x", ""])
ARGUMENTS = st.one_of(
    st.none(),
    TEXT,
    st.fixed_dictionaries({"path": TEXT, "oldText": TEXT, "newText": TEXT}),
    st.fixed_dictionaries({"command": TEXT}),
    st.dictionaries(st.sampled_from(["path", "edits", "content"]), TEXT | st.integers()),
)
BLOCK = st.one_of(
    st.fixed_dictionaries({"type": st.just("text"), "text": TEXT}),
    st.fixed_dictionaries({"type": st.just("thinking"), "thinking": TEXT}),
    st.fixed_dictionaries(
        {"type": st.just("toolCall"), "id": CALL_ID, "name": TOOL, "arguments": ARGUMENTS}
    ),
    st.fixed_dictionaries({"type": st.just("odd")}),
)
RESULT = st.fixed_dictionaries(
    {"toolCallId": CALL_ID, "toolName": TOOL, "content": TEXT, "isError": st.booleans()}
)
MESSAGE = st.one_of(
    st.fixed_dictionaries({"role": st.just("user"), "content": TEXT}),
    st.fixed_dictionaries({"role": st.just("assistant"), "blocks": st.lists(BLOCK, max_size=3)}),
    st.fixed_dictionaries({"role": st.just("toolResult"), "results": st.lists(RESULT, max_size=2)}),
    st.fixed_dictionaries({"role": st.just("stranger")}),
)
RECORD = st.one_of(
    st.fixed_dictionaries({"type": st.just("message"), "message": MESSAGE}),
    st.fixed_dictionaries(
        {
            "type": st.just("compaction"),
            "summary": TEXT,
            "retainedTail": st.lists(MESSAGE, max_size=2),
        }
    ),
    st.fixed_dictionaries({"type": st.just("branchSummary"), "summary": TEXT}),
    st.fixed_dictionaries({"type": st.just("session_info"), "name": TEXT}),
    st.fixed_dictionaries({"type": st.just("unheard-of")}),
)  # fmt: skip


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """A session file: mostly one chain, some lines broken, sometimes a torn end."""
    lines = [
        '{"type":"session","version":1,"id":"s","timestamp":"2026-03-02T08:00:00.000Z","cwd":"/w"}'
    ]
    for number, record in enumerate(draw(st.lists(RECORD, max_size=8)), 1):
        entry: dict[str, Any] = {
            "id": f"e{number}",
            "parentId": f"e{number - 1}" if number > 1 else None,
            "timestamp": draw(
                st.sampled_from(["2026-03-02T08:00:01.000Z", "soon", "9999-12-31T00:00:00Z"])
            ),
        }
        lines.append(json.dumps({**entry, **record}))
        if draw(st.integers(0, 9)) == 0:
            lines.append('{"torn":')
    data = "\n".join(lines).encode("utf-8", "replace") + b"\n"
    return data[: len(data) - draw(st.integers(0, 30))]


@settings(max_examples=80, deadline=None)
@given(files(), st.sampled_from([24, 78]))
def test_any_file_can_be_read_replayed_and_printed(data: bytes, cells: int) -> None:
    diagnosis = diagnosed(data)
    transcript = build_transcript(diagnosis)
    keys = [block.key for block in transcript.blocks]
    assert len(set(keys)) == len(keys)
    steps = [block.step for block in transcript.blocks]
    assert steps == sorted(steps)
    schedule = build_schedule(transcript)
    assert schedule.last == transcript.steps
    assert all(0 <= step.wait <= 2 for step in schedule.steps)
    for position in range(transcript.steps + 1):
        shown = visible_at(transcript.blocks, position)
        assert [b.key for b in shown] == keys[: len(shown)]
        assert all(block.step <= position for block in shown)
    look = Look(cells)
    for block in transcript.blocks:
        for depth in Depth:
            for line in lay_out_block(block, Fold(depth), look):
                assert line_width(line.pieces) == cells
                assert all(one_line(piece.text) == piece.text for piece in line.pieces)
    for text in transcript_text(diagnosis):
        assert "\n" not in text
        assert clean(text) == text


@settings(max_examples=80, deadline=None)
@given(files(), st.sampled_from([24, 60, 120]))
def test_any_file_has_a_context_and_a_health(data: bytes, cells: int) -> None:
    diagnosis = diagnosed(data)
    table = build_table(diagnosis)
    rows = context_rows(table, Look(cells), room=5, unfolded=False)
    for row in rows:
        assert all(line_width(line) == cells for line in lay_out(row, cells, columns_of(row)))
    kept = folded(table.rows, 5)
    assert sum(getattr(item, "open_call", False) for item in kept) == sum(
        row.open_call for row in table.rows
    )
    health = build_health(diagnosis)
    assert len(health.faults) == len(diagnosis.faults)
    for fault in health.faults:
        windows = [HexWindow(at, data[at : at + n]) for at, n in fault.wanted]
        assert all(0 <= at <= len(data) and n < 1_000 for at, n in fault.wanted)
        for row in hex_rows(fault, windows, len(data), cells, UNICODE):
            assert all(line_width(line) == cells for line in lay_out(row, cells))


@given(st.lists(st.integers(0, 50), max_size=60), st.data())
def test_heights_agree_with_plain_sums(heights: list[int], data: st.DataObject) -> None:
    found = Heights(heights)
    for _ in range(5):
        if heights:
            at = data.draw(st.integers(0, len(heights) - 1))
            heights[at] = data.draw(st.integers(0, 50))
            found.set(at, heights[at])
    assert found.total == sum(heights)
    for at in range(len(heights) + 1):
        assert found.top(at) == sum(heights[:at])
    for line in range(sum(heights)):
        index, inside = found.find(line)
        assert sum(heights[:index]) + inside == line
        assert inside < heights[index]


LINES = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=8).map("\n".join)


@given(LINES | st.text(max_size=30), LINES | st.text(max_size=30))
def test_lines_are_counted_as_the_difference_shows_them(old: str, new: str) -> None:
    assert change_counts(old, new) == counts(line_diff(old, new))


@given(st.text(max_size=80), st.text(max_size=80))
def test_a_difference_holds_every_line_that_changed(old: str, new: str) -> None:
    lines = line_diff(old, new)
    before, after = old.split("\n"), new.split("\n")
    for line in lines:
        assert line.text == (before if line.sign == "-" else after)[line.number - 1]
    if old == new:
        assert all(line.sign == " " for line in lines)


@given(st.lists(st.text(max_size=20), min_size=1, max_size=4), st.integers(4, 30))
def test_wrapping_loses_only_blanks(texts: list[str], cells: int) -> None:
    cleaned = [clean(text).replace("\t", " ") for text in texts]
    roles = [Role.TEXT, Role.ACCENT, Role.MUTED, Role.DIM]
    pieces = [Piece(text, role) for text, role in zip(cleaned, roles, strict=False)]
    lines = wrap_pieces(pieces, cells)
    assert all(line_width(line) <= cells for line in lines)
    for role, text in zip(roles, cleaned, strict=False):
        drawn = "".join(p.text for line in lines for p in line if p.role is role)
        assert [c for c in drawn if c != " "] == [c for c in text if c not in " \n"]


@settings(deadline=None)
@given(TEXT, st.integers(8, 50))
def test_markdown_of_any_text_ends_and_is_clean(text: str, cells: int) -> None:
    for line in markdown_lines(clean(text), cells, UNICODE):
        assert all(one_line(piece.text) == piece.text for piece in line.pieces)


@given(st.binary(max_size=64), st.sampled_from([8, 16]))
def test_the_text_column_shows_every_byte_once(data: bytes, per: int) -> None:
    rows = []
    for at in range(0, len(data), per):
        behind, ahead = data[max(0, at - 3) : at], data[at + per : at + per + 3]
        rows.append(text_of(data[at : at + per], behind, ahead, UNICODE))
    assert all(one_line(row) == row for row in rows)
    if data.isascii() and all(32 <= byte < 127 for byte in data):
        assert "".join(rows) == data.decode()


@settings(max_examples=40, deadline=None)
@given(files(), st.sampled_from([20, 60, 120]), st.integers(0, 20))
def test_a_timeline_of_any_session_fits(data: bytes, cells: int, position: int) -> None:
    schedule = build_schedule(build_transcript(diagnosed(data)))
    playback, look = Playback().at(position, schedule), Look(cells)
    hover = min(position, schedule.last) or None
    plain, pointed = Timeline(schedule, playback), Timeline(schedule, playback, hover)
    seen = Timeline(schedule, playback, seen=SeenSize(21_400, window=200_000), in_file=7)
    for shown in (plain, pointed, seen):
        assert [line_width(row) for row in timeline(shown, look)] == [cells] * 3
        start, room = bar_place(shown, look)
        for cell in range(start, start + room):
            found = position_at(cell, shown, look)
            assert found is None or 1 <= found <= schedule.last
        assert position_at(-1, shown, look) is None
        assert position_at(-1, shown, look, beyond=True) in (None, 1, schedule.last)
