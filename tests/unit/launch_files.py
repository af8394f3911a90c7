"""A scratch store and fake agents for the tests of launches."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from ink_tui.agent.agents import (
    Agent,
    known_agents,
)
from ink_tui.agent.launch import LaunchPlan, plan_launch
from ink_tui.config import Config
from ink_tui.formats.ink.layout import ink_dir_name
from ink_tui.model.liveness import Holder, HolderKind
from ink_tui.store.repair_plan import diagnosis_of
from tests.unit.case_files import case_bytes

if TYPE_CHECKING:
    from pathlib import Path

ID = "776f8464-57b4-5b9b-9aae-ccf9b8925ceb"

_FAKE = """#!/bin/sh
if [ "$1" = --help ]; then echo run >> "$0.helped"; echo "  -r, --resume <id>"; exit 0; fi
pwd -P > "$0.pwd"
for part; do printf '%s\\n' "$part"; done > "$0.argv"
"""


def fake_agent(folder: Path, name: str = "ink", script: str = _FAKE) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(script)
    path.chmod(0o755)
    return path


def put(root: Path, cwd: str, *, session_id: str = ID, name: str = "2026-x.jsonl") -> Path:
    lines = case_bytes("67-cwd-shell-characters").split(b"\n")
    header = {**json.loads(lines[0]), "cwd": cwd, "id": session_id}
    path = root / ink_dir_name(os.path.realpath(cwd)) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\n".join([json.dumps(header).encode(), *lines[1:]]))
    return path


def plan(
    path: Path,
    root: Path,
    *,
    agents: tuple[Agent, ...] | None = None,
    agent: str | None = None,
    holder: Holder | None = None,
    bin_dir: Path | None = None,
) -> LaunchPlan:
    return plan_launch(
        diagnosis_of(path.read_bytes()),
        path,
        root=root,
        agents=agents if agents is not None else known_agents(Config()),
        agent=agent,
        holder=holder or Holder(HolderKind.NONE),
        search_path=str(bin_dir) if bin_dir else "/nowhere",
    )
