"""The recording of a session: its header, what comes when, and in which look."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from ink_tui.model.cells import cell_width
from ink_tui.model.export.cast import DEFAULT_SIZE, LOOKS, CastSize, cast, cast_size
from ink_tui.model.plain import transcript_text
from tests.every_kind import every_kind
from tests.sessions import session, user
from tests.transcript_samples import CASES, Script, call, diagnosed, result, thinking

LOOK = re.compile("\x1b\\[([0-9;]*)m")
HEAD = (
    "session: list the files\nid: 7d0f2c1e-0000-4000-8000-000000000001\nfolder: /srv/work/demo\n"
    "state: Ready to resume: nothing to settle\nRedacted: no secret."
)


def recorded(data: bytes, size: CastSize = DEFAULT_SIZE) -> list[Any]:
    return [json.loads(line) for line in cast(diagnosed(data), "Redacted: no secret.", size)]


def shown(events: list[Any]) -> list[tuple[float, str]]:
    """Return what comes when, without looks and without blank rows before it."""
    texts = ((time, LOOK.sub("", text).replace("\r\n", "\n")) for time, _kind, text in events)
    return [(time, text.lstrip("\n")) for time, text in texts]


def chat() -> Script:
    return (
        Script()
        .user("list the files", seconds=0)
        .answer(call("c1", "bash", command="ls"), call("c2", "bash", command="false"), seconds=1)
        .results(result("c1", "bash", "a.py\nb.py\n\n"), result("c2", "bash", "Exit code: 1"))
        .answer(thinking("hm"), "Two files.", seconds=7_200)
    )


def test_header() -> None:
    head, *_events = recorded(chat().data(), CastSize(80, 24))
    assert head == {
        "version": 2,
        "width": 80,
        "height": 24,
        "timestamp": 1_772_438_400,
        "title": "list the files",
    }


def test_what_comes_when() -> None:
    _head, *events = recorded(chat().data())
    assert {kind for _time, kind, _text in events} == {"o"}
    assert shown(events) == [
        (0.0, HEAD),
        (0.5, "--- turn 1 of 1, 2026-03-02 08:00:00 UTC ---\n\nuser:\n  list the files"),
        (1.5, "call: bash ls\n\ncall: bash false"),
        (
            3.5,
            "(1m later)\n\nresult of bash ls\n  a.py\n  b.py\n\n"
            "result of bash false [exit 1]\n  Exit code: 1",
        ),
        (5.5, "(2h later)\n\nthinking:\n  hm\n\nassistant:\n  Two files."),
    ]


def test_looks() -> None:
    text = "".join(event[2] for event in recorded(chat().data())[1:])
    assert "\x1b[1;36muser:\x1b[0m" in text
    assert "\x1b[31mresult of bash false [exit 1]\x1b[0m" in text
    assert "\x1b[2m  hm\x1b[0m" in text
    edit = call("c3", "edit", path="a.py", oldText="x = 1", newText="x = 2")
    text = "".join(event[2] for event in recorded(Script().answer(edit).data())[1:])
    assert "\x1b[1;33mcall: edit a.py [no result saved; may have run]\x1b[0m" in text
    assert "\x1b[31m  - x = 1\x1b[0m\r\n\x1b[32m  + x = 2\x1b[0m" in text
    assert "\x1b[1;33mneeds a decision: 1 call without result\x1b[0m" in text


def test_the_gap_over_records_that_show_nothing_is_said_whole() -> None:
    script = chat()
    script.results(seconds=3_600).user("go on", seconds=3_600)
    time, text = shown(recorded(script.data())[1:])[-1]
    assert text.startswith("(2h later)\n\n--- turn 2 of 2")
    assert time == 8.0  # the time of a record without anything is not known: it takes half a second


def test_a_session_without_a_message() -> None:
    assert shown(recorded(session())[1:])[-1] == (0.5, "This session has no message yet.")


def test_a_long_command_is_not_told_twice() -> None:
    command = "echo " + "数" * 60
    script = Script().answer(call("c1", "bash", command=command))
    script.results(result("c1", "bash", "ok"))
    text = "".join(event[2] for event in recorded(script.data(), CastSize(200, 30))[1:])
    assert f"call: bash {command}\x1b[0m" in text
    assert f"result of bash echo {'数' * 25}…\x1b[0m" in text


def test_hostile_text_is_seen_and_cannot_act() -> None:
    hostile = "\x1b[2J\x1b]0;title\x07\u202ered\x9b31m␛[31m"
    lines = list(cast(diagnosed(session(user("a1", None, hostile))), hostile))
    raw = "\n".join(lines)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", raw)
    played = "".join(json.loads(line)[2] for line in lines[1:])
    assert "␛[2J␛]0;title␇<U+202E>red<U+009B>31m␛[31m" in played
    assert set(LOOK.findall(played)) <= {*LOOKS, "0"}
    assert "\x1b" not in LOOK.sub("", played)


@pytest.mark.parametrize("columns", [20, 60, 100])
def test_every_kind_of_record_at_any_width(columns: int) -> None:
    for data in (every_kind(), *(path.read_bytes() for path in CASES.glob("*/session.jsonl"))):
        _head, *events = recorded(data, CastSize(columns, 30))
        text = LOOK.sub("", "".join(event[2] for event in events))
        assert all(cell_width(row) <= columns for row in text.split("\r\n"))
        found = "".join(text.split())
        for line in transcript_text(diagnosed(data)):
            if line == "result:":
                line = "result of"  # it names its call, since it may come long after it
            elif line.startswith("call: "):
                line = re.sub(r" \[[^\]]*\]$", "", line)  # what became of it comes later
            assert "".join(line.split()) in found


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("100x30", CastSize(100, 30)),
        ("20x5", CastSize(20, 5)),
        ("400x200", CastSize(400, 200)),
        ("19x5", None),
        ("20x4", None),
        ("401x30", None),
        ("100x", None),
        ("100x30x2", None),
        ("", None),
        ("-100x30", None),
        ("１００x30", None),
    ],
)
def test_sizes(text: str, size: CastSize | None) -> None:
    assert cast_size(text) == size
