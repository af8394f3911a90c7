"""Rows of the session list for tests: one session for every state, in several folders."""

from __future__ import annotations

from dataclasses import replace

from ink_tui.model.faults import FaultCode, TailState
from ink_tui.model.gist import Gist
from ink_tui.model.listing import SessionRow
from ink_tui.model.liveness import Freshness, Holder, HolderKind
from ink_tui.model.row_words import Activity
from ink_tui.model.verdict import Verdict

NOON_MS = 1_772_453_040_000
"""The moment of `tests.conftest.NOON`, in milliseconds."""

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def session_row(name: str, cwd: str, ago_ms: int, **fields: object) -> SessionRow:
    """Return a sound row; its id and its file are called by its name."""
    row = SessionRow(
        path=f"/store/{name}.jsonl",
        session_id=name,
        cwd=cwd,
        title=name,
        last_ms=NOON_MS - ago_ms,
        verdict=Verdict.CLEAN,
        records=4,
        messages=4,
        branches=1,
        compactions=0,
    )
    return replace(row, **fields)  # type: ignore[arg-type]  # fields of a row, given by name


DEMO, API, OLD = "/home/u/work/demo", "/home/u/work/api", "/home/u/old/website"

TORN = session_row(
    "fix the sum function, keep the interface",
    DEMO,
    2 * MINUTE,
    verdict=Verdict.REPAIRABLE,
    tail_state=TailState.TORN_FRAGMENT,
    torn_bytes=213,
    open_calls=2,
    gist=Gist("fix sum()", "run the tests", "I will"),
)
LIVE = session_row(
    "给解析器加上 CRLF 支持 🚀 with tests",
    DEMO,
    0,
    holder=Holder(HolderKind.CERTAIN, "ink"),
    open_calls=1,
    verdict=Verdict.REPAIRABLE,
)
PLAIN = session_row("rename the module", DEMO, 3 * HOUR)
FORK = session_row("fork: rename the module, keep old path", DEMO, 3 * HOUR + 1)
FORK = replace(FORK, forked_from=PLAIN.session_id)
SHAPED = session_row("rate limits", API, DAY, compactions=2, branches=3)
CHILD = session_row("read the OpenAPI spec", API, DAY + 1, child=True, parent_id="rate limits")
UNREADABLE = session_row(
    "迁移到 Postgres 16",
    API,
    4 * DAY,
    verdict=Verdict.REFUSE,
    error_kind="invalid-json",
    error_line=212,
    error_offset=190_112,
    title="迁移到 Postgres 16",
)
NEWER = session_row(
    "01933f1c",
    "/home/u/src/日本語プロジェクト",
    12 * DAY,
    verdict=Verdict.REFUSE,
    error_kind="unsupported-version",
    reason="version 2",
    title="",
)
GAP = session_row(
    "a gap",
    API,
    5 * DAY,
    verdict=Verdict.REFUSE,
    refusal=FaultCode.GAP,
    open_calls=1,
)
MISSING = session_row("the old site", OLD, 20 * DAY, cwd_missing=True)
EMPTY = session_row("nothing said", DEMO, HOUR, empty=True, title="")
NO_RIGHTS = SessionRow(
    path="/store/home-u-x/locked.jsonl",
    last_ms=NOON_MS - 30 * DAY,
    verdict=Verdict.REFUSE,
    error_kind="permission-denied",
)
WRITING = session_row(
    "half a line",
    API,
    0,
    freshness=Freshness.WRITING,
    tail_state=TailState.TORN_FRAGMENT,
    torn_bytes=9,
    verdict=Verdict.REPAIRABLE,
)

ROWS = (TORN, LIVE, PLAIN, FORK, SHAPED, CHILD, UNREADABLE, NEWER, GAP, MISSING, EMPTY, NO_RIGHTS)
ACTIVITIES = {LIVE.path: Activity("bash npm test", since_ms=NOON_MS - 14_000)}
