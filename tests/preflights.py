"""Preflight values built by hand, for the tests of the dialog."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.agent.launch import LaunchPlan
from ink_tui.agent.preflight import (
    OptionId,
    Preflight,
    PreflightCall,
    PreflightFact,
    PreflightOption,
    PreflightWrite,
)
from ink_tui.formats.registry import INK
from ink_tui.model.fork_points import ForkHow, ForkPlan
from ink_tui.model.liveness import NOBODY, Freshness
from ink_tui.model.verdict import Verdict, diagnose
from ink_tui.store.file_state import FileState
from ink_tui.store.repair_plan import CloseCalls, CutTail, RepairPlan

if TYPE_CHECKING:
    from collections.abc import Mapping

SESSION_ID = "a1b2c3d4-5e6f-4a7b-8c9d-0e1f2a3b4c5d"
PATH = Path("/home/ada/.ink/sessions/--work--/a1b2c3d4.jsonl")
COMMAND = f"/usr/local/bin/ink -r {SESSION_ID}"
CLOSING = b'{"type":"message","id":"e1","content":"No result was saved. \xff \xe7\xbb\x99"}\n'

OPTIONS = {
    OptionId.REPAIR: ("Repair and resume", "cut the fragment, close the calls as unknown", "enter"),
    OptionId.FORK: ("Fork and resume", "new session from the complete records", "f"),
    OptionId.RESUME: ("Resume as is", "the agent will lose its next record", "i"),
    OptionId.RELOCATE: ("Resume in another folder", "not possible yet", ""),
    OptionId.CANCEL: ("Cancel", "nothing has been changed", "esc"),
}
FACTS = (
    PreflightFact(
        "Folder",
        "~/work/demo",
        "exists, branch main",
        second="/home/ada/work/demo, a git work tree",
    ),
    PreflightFact("Agent", "ink 0.9.4"),
    PreflightFact("Command", COMMAND),
    PreflightFact("Context", "17 messages, about 21,400 tokens", "compacted once"),
    PreflightFact("Writers", "nobody for 2m 41s, no lock held", "safe to write", "good"),
)
CALLS = (
    PreflightCall(
        "edit",
        "src/sum.ts",
        "call_1",
        evidence="the file holds the new text",
        strong="new text",
        second="old text not found · new text found once, line 11 · changed 09:45:59",
        is_path=True,
    ),
    PreflightCall(
        "bash",
        "npm test -- --runInBand",
        "call_2",
        evidence="cannot be checked",
        second="3 files under ~/work/demo changed after 09:45: coverage/…",
    ),
)
WRITES = (
    PreflightWrite("-", "213 bytes", "byte 48,190 to the end", '{"type":"message","id":"d07a'),
    PreflightWrite(
        "+", "1 record", "", "2 error results: “No result was saved. Unknown whether it ran.”"
    ),
)


def options(
    disabled: Mapping[OptionId, str] | None = None, *, second: frozenset[OptionId] = frozenset()
) -> tuple[PreflightOption, ...]:
    """All options; those named are not possible, for the reason given."""
    reasons = disabled or {}
    return tuple(
        PreflightOption(
            option_id,
            name,
            reasons.get(option_id, consequence),
            key,
            option_id not in reasons,
            option_id in second,
        )
        for option_id, (name, consequence, key) in OPTIONS.items()
    )


def launch(*, allowed: bool = True, agent: str = "ink") -> LaunchPlan:
    return LaunchPlan(
        allowed=allowed,
        refusal_reason_kind=None if allowed else "agent-missing",
        sentence="Starts ink." if allowed else "ink is not installed.",
        agent=agent,
        program="/usr/local/bin/ink",
        argv=("/usr/local/bin/ink", "-r", SESSION_ID) if allowed else (),
        cwd="/home/ada/work/demo",
        resume_id=SESSION_ID,
        resume_argument=SESSION_ID,
        copy_command=f"cd /home/ada/work/demo && ink -r {SESSION_ID}" if allowed else "",
        writes=(),
    )


def preflight(
    verdict: Verdict = Verdict.REPAIRABLE, default: OptionId = OptionId.REPAIR
) -> Preflight:
    """The preflight of the pictures: a torn tail and two calls without result."""
    parser = INK.parser()
    parser.feed(b"")
    diagnosis = diagnose(parser.session())
    repair = RepairPlan(
        path=PATH,
        state=FileState(1, 2, 48_403, 0, ""),
        steps=(
            CutTail(48_190, 213, WRITES[0].preview),
            CloseCalls(48_190, CLOSING, ("call_1", "call_2"), ("edit", "bash")),
        ),
        backup_name="a1b2c3d4-20260302-120400.jsonl",
        allowed=True,
        refusal_kind=None,
        sentence="Cut 213 bytes, add one record.",
        needs_confirmation=False,
    )
    fork = ForkPlan(None, ForkHow.THROUGH, (), (), (), "", False, "Copies 46 records.", None)
    return Preflight(
        path=PATH,
        state=repair.state,
        verb="Resume",
        title="fix the sum function, keep the interface",
        session_id=SESSION_ID,
        verdict=verdict,
        headline="Can be repaired",
        reason="Torn tail and 2 calls without result. Repair first, so that nothing is lost.",
        facts=FACTS,
        calls=CALLS,
        writes_name="a1b2c3d4-….jsonl",
        writes_note="backed up first, u undoes it",
        writes=WRITES,
        options=options({OptionId.RELOCATE: "the folder exists"}),
        default=default,
        repair=repair,
        fork=fork,
        launch=launch(),
        diagnosis=diagnosis,
        freshness=Freshness.COLD,
        holder=NOBODY,
    )


def healthy() -> Preflight:
    """A session that is ready to resume: nothing to write, nothing to settle."""
    plain = preflight(Verdict.CLEAN, OptionId.RESUME)
    resume = PreflightOption(OptionId.RESUME, "Resume", "continue at the resume point", "i", True)
    others = [o for o in options() if o.id in (OptionId.FORK, OptionId.CANCEL)]
    return replace(
        plain,
        headline="Ready to resume",
        reason="Every record is complete.",
        calls=(),
        writes=(),
        writes_name="",
        writes_note="",
        options=(resume, *others),
        repair=replace(plain.repair, steps=(), backup_name=""),
    )
