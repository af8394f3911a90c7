"""A session that holds a text in every field, looked at in every way: what the places draw."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING

from ink_tui.agent.agents import Agent
from ink_tui.agent.preflight import build_preflight
from ink_tui.model.row_making import row_of
from ink_tui.tui.render.glyphs import UNICODE
from ink_tui.tui.render.transcript_look import Look
from tests.conftest import NOON
from tests.reliability.foreign import diagnosed, everywhere, repairable
from tests.unit.repair_files import NOW, OLD_NS

if TYPE_CHECKING:
    from pathlib import Path

    from ink_tui.agent.preflight import Preflight
    from ink_tui.model.listing import SessionRow
    from ink_tui.model.verdict import Diagnosis


@dataclass(frozen=True, slots=True)
class Subject:
    """A session that holds a text in every field, and what is asked about it."""

    text: str
    path: Path
    content: bytes
    diagnosis: Diagnosis
    item: SessionRow
    dialogs: tuple[Preflight, ...]
    """The preflights of a resume and of a fork, of this session and of one that can be repaired."""
    cells: int = 60

    @property
    def look(self) -> Look:
        """How it is drawn."""
        return Look(self.cells, UNICODE, NOON, UTC, cwd="/srv/work")


def subject_of(text: str, folder: Path, *, cells: int = 60, whole: bool = True) -> Subject:
    """Write the sessions of a text below a folder, in a folder of that name, and look at them.

    Args:
        text: What stands in every field.
        folder: A folder of its own for them.
        cells: Width of the panes.
        whole: The session holds records of every kind, and damage; else one short conversation.
    """
    name = as_name(text)
    place = folder / "store" / f"s{name}"
    place.mkdir(parents=True)
    path, torn = place / f"x{name}.jsonl", place / f"y{name}.jsonl"
    short = repairable(text, str(place))
    content = everywhere(text) if whole else short
    for file, octets in ((path, content), (torn, short)) if whole else ((path, short),):
        file.write_bytes(octets)
        os.utime(file, ns=(OLD_NS, OLD_NS))
    diagnosis = diagnosed(content)
    resume, fork = (_looked_at(path, folder, forking=forking) for forking in (False, True))
    dialogs = (resume, fork, _looked_at(torn, folder, forking=False) if whole else resume)
    item = row_of(diagnosis, str(path), child_by_place=False)
    return Subject(text, path, content, diagnosis, item, dialogs, cells)


def as_name(text: str) -> str:
    """Return what of a text can be a name of a file."""
    kept = text.replace("/", "|").replace("\0", "").encode("utf-8", "ignore")[:120]
    return kept.decode("utf-8", "ignore")


def _looked_at(path: Path, folder: Path, *, forking: bool) -> Preflight:
    return build_preflight(
        path,
        root=folder / "store",
        agents=(Agent(f"ink {path.stem}", ("sh", "{id}", path.stem), match=("no such agent",)),),
        state_dir=folder / "state",
        now_ms=NOW,
        forking=forking,
        home="/home/u",
    )
