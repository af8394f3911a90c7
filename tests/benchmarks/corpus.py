"""Made-up stores on disk: always the same bytes for the same plan, with the truth beside each."""

from __future__ import annotations

import json
import math
import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from ink_tui.formats.ink.layout import ink_dir_name, session_file_name
from tests.benchmarks.session_maker import FIRST_MS, SessionMaker, SessionPlan
from tests.benchmarks.texts import Draw, Texts
from tests.benchmarks.truth import SessionTruth, Truth

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MB = 1_000_000
_GAP_MS = 317_000
_MS_PER_BYTE = 3
"""More than a session lasts for each of its bytes: those after a big one begin when it is over."""
_SPREAD = 1.1
"""Width of the log-normal sizes, as a standard deviation of their logarithm."""
_STEMS = ("web-app", "api", "infra", "ml_pipeline", "工程", "cli tool", "my.lib")


@dataclass(frozen=True, slots=True)
class StorePlan:
    """How a store is to be. The same plan gives the same bytes."""

    name: str
    sessions: int = 0
    mean_bytes: int = 100_000
    folders: int = 1
    big: tuple[int, ...] = ()
    """Target bytes of single sessions that are older than all others."""
    long_line: int = 0
    """Bytes of one very long line in the first of the big sessions."""
    turns: int = 0
    """Of a store of one session that is long in records, not in bytes."""
    branches: int = 0
    wide: bool = False
    """Of such a store: all turns begin at the first record."""
    damage: bool = True
    """Whether some sessions end torn, or with calls without a result."""
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Store:
    """A store on disk."""

    plan: StorePlan
    root: Path
    truth: Truth

    def path_of(self, session: SessionTruth) -> Path:
        return self.root / session.path

    @property
    def biggest(self) -> SessionTruth:
        return max(self.truth.sessions, key=lambda each: each.size)


class Corpus:
    """All stores of one run below one folder; each is made when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._texts: dict[int, Texts] = {}
        self._stores: dict[str, Store] = {}

    def store(self, plan: StorePlan) -> Store:
        """Return a store, from disk if one of exactly this plan is there."""
        known = self._stores.get(plan.name)
        if known is not None and known.plan == plan:
            return known
        root = self.folder / plan.name / "sessions"
        truth_file = self.folder / plan.name / "truth.jsonl"
        plan_file = self.folder / plan.name / "plan.json"
        wanted = json.dumps(asdict(plan))
        if plan_file.exists() and plan_file.read_text("utf-8") == wanted:
            truth = Truth.load(truth_file)
        else:
            if (self.folder / plan.name).exists():
                raise FileExistsError(f"{self.folder / plan.name} holds a store of another plan")
            texts = self._texts.setdefault(plan.seed, Texts(plan.seed))
            root.mkdir(parents=True)
            truth = Truth(tuple(_write_store(plan, texts, root)))
            truth.save(truth_file)
            plan_file.write_text(wanted, "utf-8")  # last: a store without it is not whole
        self._stores[plan.name] = store = Store(plan, root, truth)
        return store


def _write_store(plan: StorePlan, texts: Texts, root: Path) -> Iterator[SessionTruth]:
    parents: dict[str, str] = {}
    for session in session_plans(plan):
        folder = root / ink_dir_name(session.cwd)
        wanted = session
        if session.parent_id is not None:
            parent = parents.get(session.cwd)
            folder = folder / "children" if parent is not None else folder
            wanted = _with_parent(session, parent)
        folder.mkdir(parents=True, exist_ok=True)
        draft = folder / f".{session.index}"
        with draft.open("wb", buffering=0) as out:
            maker = SessionMaker(wanted, texts, plan.seed, out.write)
            truth = maker.make()
        file = folder / session_file_name(session.start_ms, maker.file_uuid)
        draft.rename(file)
        os.utime(file, ns=(truth.last_ms * 1_000_000,) * 2)
        if not truth.child:
            parents[session.cwd] = truth.id
        truth.path = str(file.relative_to(root))
        yield truth


def _with_parent(session: SessionPlan, parent: str | None) -> SessionPlan:
    facts = asdict(session)
    facts["parent_id"] = parent
    return SessionPlan(**facts)


def session_plans(plan: StorePlan) -> Iterator[SessionPlan]:
    """Yield how each session of a store is to be, oldest first."""
    draw = Draw(f"store {plan.name} {plan.seed}")
    cwds = [f"/home/dev/{draw.pick(_STEMS)}-{number}" for number in range(plan.folders)]
    index = 0
    for size in plan.big:
        yield SessionPlan(
            index,
            "/home/dev/big",
            size,
            FIRST_MS + index * _GAP_MS,
            compactions=max(1, size // (4 * MB)),
            branches=2,
            planted=True,
            long_line=plan.long_line if index == 0 else 0,
        )
        index += 1
    if plan.turns:
        start = FIRST_MS + index * _GAP_MS
        yield SessionPlan(
            index, cwds[0], 0, start, branches=plan.branches, turns=plan.turns, wide=plan.wide
        )
        index += 1
    later = FIRST_MS + sum(plan.big) * _MS_PER_BYTE + index * _GAP_MS
    for number in range(plan.sessions):
        yield _usual(plan, draw, cwds, index, later + number * _GAP_MS)
        index += 1


def _usual(plan: StorePlan, draw: Draw, cwds: list[str], index: int, start_ms: int) -> SessionPlan:
    """Return a session as a person's are: most small, few folders with most of them."""
    spread = math.sqrt(-2 * math.log(1 - draw.fraction())) * math.cos(math.tau * draw.fraction())
    size = math.exp(math.log(plan.mean_bytes) - _SPREAD**2 / 2 + _SPREAD * spread)
    share = draw.fraction()
    cwd = cwds[int(share * math.sqrt(share) * len(cwds))]
    damage = draw.fraction() if plan.damage else 1.0
    return SessionPlan(
        index,
        cwd,
        int(min(max(size, 800), plan.mean_bytes * 40)),
        start_ms,
        torn=("half", "character", "newline")[draw.below(3)] if damage < 0.03 else None,
        dangling=0.03 <= damage < 0.08,
        compactions=draw.between(1, 3) if draw.chance(0.15) else 0,
        branches=draw.between(1, 3) if draw.chance(0.08) else 0,
        named=draw.chance(0.1),
        parent_id="wanted" if plan.damage and draw.chance(0.03) else None,
        planted=index % 97 == 11,
    )
