"""The report of a session's faults as a text to give away: places and codes, no message."""

from __future__ import annotations

from ink_tui.model.health import build_health
from ink_tui.model.health_report import health_report
from tests.every_kind import every_kind
from tests.transcript_samples import Script, diagnosed


def test_a_clean_session() -> None:
    report = health_report(build_health(Script().user("secret").diagnosis()), "/a/\x1b[2Jb.jsonl")
    lines = report.split("\n")
    assert lines[0] == "/a/␛[2Jb.jsonl"
    assert lines[-1] == "Nothing to settle."
    assert "secret" not in report


def test_every_fault_has_its_place_and_its_code() -> None:
    health = build_health(diagnosed(every_kind()))
    lines = health_report(health, "/s.jsonl").split("\n")
    assert len(lines) == 3 + len(health.faults)
    for fault, line in zip(health.faults, lines[3:], strict=True):
        assert line.endswith(f"{fault.text} ({fault.fault.code})")
        if fault.fault.span is not None:
            assert f"byte {fault.fault.span.offset:,}" in line
