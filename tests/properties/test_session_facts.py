"""The facts of any session equal a plain recount of what its transcript shows."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings

from ink_tui.model.entries import CompactionEntry, MessageEntry
from ink_tui.model.facts_words import fact_sections
from ink_tui.model.messages import AssistantMessage
from ink_tui.model.session_facts import session_facts
from ink_tui.model.text import one_line
from ink_tui.model.tool_facts import tool_kind
from ink_tui.model.transcript import CompactionBody, ToolBody, ToolState, TurnBody
from ink_tui.model.transcript_build import build_transcript
from ink_tui.tui.render.dialog_rows import BODY_COLUMNS
from ink_tui.tui.render.facts_rows import facts_rows
from ink_tui.tui.render.glyphs import UNICODE
from ink_tui.tui.render.rows import lay_out, line_width
from tests.properties.test_transcript_properties import files
from tests.transcript_samples import diagnosed


@settings(max_examples=120, deadline=None)
@given(files())
def test_counts_equal_a_recount(data: bytes) -> None:
    diagnosis = diagnosed(data)
    facts = session_facts(diagnosis)
    branch = facts.branch
    bodies = [block.body for block in build_transcript(diagnosis).blocks]
    calls = [body for body in bodies if isinstance(body, ToolBody)]
    names = Counter(one_line(body.call.tool) or "(no name)" for body in calls)
    assert {use.tool: use.calls for use in branch.tools} == names
    failed = sum(body.state is ToolState.FAILED for body in calls)
    unknown = sum(body.state not in (ToolState.OK, ToolState.FAILED) for body in calls)
    assert sum(use.failed for use in branch.tools) == failed
    assert sum(use.unknown for use in branch.tools) == unknown
    assert len(branch.commands) == sum(tool_kind(body.call.tool) == "bash" for body in calls)
    assert branch.turns == len(facts.turns) == sum(isinstance(body, TurnBody) for body in bodies)
    assert branch.compactions == len(facts.compactions)
    assert branch.compactions == sum(isinstance(body, CompactionBody) for body in bodies)
    assert branch.tokens.answers == sum(span.answers for span in facts.models)
    touched = sum(file.reads + file.changes + file.failed for file in branch.files)
    assert touched <= len(calls)


@settings(max_examples=120, deadline=None)
@given(files())
def test_the_whole_file_is_counted_over_all_its_records(data: bytes) -> None:
    diagnosis = diagnosed(data)
    nodes = list(diagnosis.session.nodes.values())
    if diagnosis.session.recovered:
        return
    facts = session_facts(diagnosis)
    whole = facts.whole if facts.whole is not None else facts.branch
    answers = [
        node.message
        for node in nodes
        if isinstance(node, MessageEntry) and isinstance(node.message, AssistantMessage)
    ]
    if facts.whole is not None:
        assert whole.tokens.answers == len(answers)
        assert sum(use.calls for use in whole.tools) == sum(len(each.calls) for each in answers)
        assert whole.compactions == sum(isinstance(node, CompactionEntry) for node in nodes)
    assert whole.turns >= facts.branch.turns
    assert whole.tokens.answers >= facts.branch.tokens.answers


@settings(max_examples=60, deadline=None)
@given(files())
def test_any_facts_fit_any_screen(data: bytes) -> None:
    diagnosis = diagnosed(data)
    sections = fact_sections(session_facts(diagnosis))
    assert all(section.lines for section in sections)
    shares = [line.share for section in sections for line in section.lines]
    assert all(share is None or 0 <= share <= 1 for share in shares)
    for screen in ((24, 8), (60, 20), (80, 24), (120, 36), (200, 60)):
        rows = facts_rows("x" * 90, sections, screen, UNICODE)
        assert rows.height <= screen[1]
        cells = rows.width - 2 * rows.side
        for row in (*rows.head, *rows.body, *rows.foot):
            for drawn in lay_out(row, cells, BODY_COLUMNS):
                assert line_width(drawn) == cells
