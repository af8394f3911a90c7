"""What `check` counts on a branch is what the timeline of its replay marks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from ink_tui.cli import main
from ink_tui.model.faults import FaultCode
from ink_tui.model.replay import build_schedule
from ink_tui.model.tally import Tally, tally_of
from ink_tui.model.transcript_build import build_transcript
from tests.properties.test_transcript_properties import files
from tests.sample_sessions import samples
from tests.transcript_samples import Script, call, diagnosed, result

if TYPE_CHECKING:
    from pathlib import Path

    from ink_tui.model.verdict import Diagnosis


def marked(diagnosis: Diagnosis) -> Tally:
    return build_schedule(build_transcript(diagnosis)).tally


@pytest.mark.parametrize("name", samples())
def test_check_counts_what_the_timeline_marks(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(samples()[name])
    main(["check", "--json", str(path)])
    answer = json.loads(capsys.readouterr().out)
    diagnosis = diagnosed(samples()[name])
    marks = marked(diagnosis)
    assert Tally(**answer["on_branch"]) == marks
    assert marks.compactions <= answer["compactions"]
    if answer["branches"] <= 1 and not answer["unreachable"] and answer["roots"] <= 1:
        assert marks.compactions == answer["compactions"], "one branch is the whole file"
    if answer["dangling"] is not None and not diagnosis.session.recovered:
        harmless = {FaultCode.OPEN_CALLS, FaultCode.GAP}
        others = [fault for fault in diagnosis.faults if fault.code not in harmless]
        if not others:
            assert marks.problems == len(answer["dangling"])


@settings(max_examples=150, deadline=None)
@given(files())
def test_the_figures_of_any_file_are_those_of_its_timeline(data: bytes) -> None:
    diagnosis = diagnosed(data)
    assert tally_of(diagnosis) == marked(diagnosis)


def test_figures_of_a_branch_and_of_its_file_are_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file holds a compaction and a turn on a branch that was left."""
    script = Script().user("go").answer(call("c", "bash", command="x"), call("d", "bash"))
    script.results(result("c", "bash", "Exit code: 1\n"), result("d", "bash", "ok"))
    script.compaction("sum", []).user("left")
    script.add({"type": "compaction", "parentId": "e3", "summary": "s", "retainedTail": []})
    script.answer(call("e", "bash"))
    path = tmp_path / "session.jsonl"
    path.write_bytes(script.data())
    main(["check", "--json", str(path)])
    answer = json.loads(capsys.readouterr().out)
    assert answer["compactions"] == 2
    assert answer["on_branch"] == {
        "turns": 1, "calls": 3, "failed": 1, "compactions": 1, "problems": 1,
    }  # fmt: skip
