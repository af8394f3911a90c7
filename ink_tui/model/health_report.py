"""What is known of a session's faults as a text to give to somebody; no message is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.health import VERDICT_WORDS
from ink_tui.model.text import one_line
from ink_tui.model.words import counted

if TYPE_CHECKING:
    from ink_tui.model.health import Health, HealthFault


def health_report(health: Health, path: str) -> str:
    """Return verdict, size and faults, a line each; cleaned.

    Args:
        health: What is said of the session.
        path: Its file.
    """
    head = VERDICT_WORDS[health.verdict]
    size = f"{counted(health.records, 'record')}, {counted(health.lines, 'line')}"
    lines = [
        one_line(path),
        f"{head}: {one_line(health.reason)}" if health.reason else head,
        f"{size}, {counted(health.size, 'byte')}",
        *(_fault(fault) for fault in health.faults),
    ]
    if not health.faults:
        lines.append("Nothing to settle.")
    return "\n".join(lines)


def _fault(fault: HealthFault) -> str:
    span = fault.fault.span
    where = ""
    if span is not None:
        place = f"{span.place}, " if span.place else ""
        where = f"{place}byte {span.offset:,}, {counted(span.length, 'byte')}: "
    return f"{where}{one_line(fault.text)} ({fault.fault.code})"
