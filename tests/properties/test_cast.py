"""What holds for the recording of any session, however strange, at any size."""

from __future__ import annotations

import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from ink_tui.model.cells import cell_width
from ink_tui.model.export.cast import LOOKS, CastSize, cast
from ink_tui.model.plain import transcript_text
from ink_tui.model.replay import LONGEST_WAIT
from ink_tui.model.text import clean
from tests.properties.test_transcript_properties import files
from tests.transcript_samples import diagnosed

_LOOK = re.compile("\x1b\\[(" + "|".join(re.escape(look) for look in (*LOOKS, "0")) + ")m")


@settings(max_examples=100, deadline=None)
@given(files(), st.sampled_from([20, 60, 100]))
def test_any_file_becomes_a_recording_of_all_its_texts(data: bytes, columns: int) -> None:
    diagnosis = diagnosed(data)
    head, *events = (json.loads(line) for line in cast(diagnosis, "", CastSize(columns, 24)))
    assert (head["version"], head["width"], head["height"]) == (2, columns, 24)
    assert type(head.get("timestamp", 0)) is int
    times = [time for time, kind, _text in events if kind == "o"]
    assert len(times) == len(events)
    assert times == sorted(times)
    assert times[0] == 0
    assert times[-1] <= (1 + len(diagnosis.session.records)) * (LONGEST_WAIT + 1)
    text = _LOOK.sub("", "".join(event[2] for event in events)).replace("\r\n", "\n")
    assert clean(text) == text
    assert all(cell_width(row) <= columns for row in text.split("\n"))
    found = "".join(text.split())
    for line in transcript_text(diagnosis):
        if line == "result:":
            line = "result of"
        elif line.startswith("call: "):
            line = re.sub(r" \[[^\]]*\]$", "", line)
        assert "".join(line.split()) in found
