"""Which agents are known, and for which sessions they are offered."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ink_tui.agent import agents as agents_module
from ink_tui.agent.agents import (
    BUILT_IN,
    Agent,
    built_in_agent,
    fill,
    find_program,
    ink_agent,
    known_agents,
    names_resume,
    offer,
)
from ink_tui.config import AgentConfig, Config
from tests.processes import ends
from tests.unit.launch_files import ID, fake_agent, plan, put


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder of its own: Ink's store is found through it."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.fixture
def store(home: Path) -> Path:
    root = home / ".ink" / "sessions"
    root.mkdir(parents=True)
    return root


def test_the_built_in_agent_is_always_there(store: Path, tmp_path: Path) -> None:
    path = put(store, str(tmp_path))
    made = plan(path, store)
    assert made.agent == BUILT_IN
    assert Path(made.program).is_absolute()
    assert made.argv[-4:] == ("--resume", ID, "--sessions-dir", str(store))
    assert made.argv[-5] == "agent"


def test_without_the_command_python_does_not_look_in_the_sessions_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A folder may hold a module of any name; started by `-m` alone, Python would run it."""
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python3"))
    assert built_in_agent().resume[1:4] == ("-P", "-m", "ink_tui")
    (tmp_path / "ink_tui").mkdir()
    (tmp_path / "ink_tui" / "__main__.py").write_text("print('taken over')")
    monkeypatch.undo()
    run = subprocess.run(
        [sys.executable, "-P", "-m", "ink_tui", "--version"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "taken over" not in run.stdout + run.stderr


def test_ink_is_offered_only_for_files_that_it_would_find(
    store: Path, home: Path, tmp_path: Path
) -> None:
    program = fake_agent(tmp_path / "bin")
    search = str(program.parent)
    good = put(store, str(tmp_path))

    def offered(path: Path, root: Path, cwd: str) -> tuple[bool, str | None]:
        made = offer(ink_agent(), path=path, root=root, cwd=cwd, search_path=search)
        assert bool(made.reason) != made.offered
        return made.offered, made.refusal_kind

    assert offered(good, store, str(tmp_path)) == (True, None)
    assert offered(good, store, str(home)) == (False, "unreachable")
    elsewhere = put(tmp_path / "other", str(tmp_path))
    assert offered(elsewhere, tmp_path / "other", str(tmp_path)) == (False, "unreachable")
    link = tmp_path / "link"
    link.symlink_to(tmp_path)
    assert offered(good, store, str(link)) == (True, None)


def test_another_program_named_ink_is_not_taken(store: Path, tmp_path: Path) -> None:
    program = fake_agent(tmp_path / "bin", script="#!/bin/sh\necho 'ink: draws with ink'\n")
    path = put(store, str(tmp_path))
    made = plan(path, store, agent="ink", bin_dir=program.parent)
    assert made.refusal_reason_kind == "agent-missing"
    assert "does not name --resume" in made.sentence
    assert plan(path, store, bin_dir=program.parent).agent == BUILT_IN


def test_help_is_asked_once_for_each_state_of_the_program(tmp_path: Path) -> None:
    program = fake_agent(tmp_path / "bin")
    assert names_resume(str(program))
    assert names_resume(str(program))
    assert Path(f"{program}.helped").read_text().count("run") == 1
    os.utime(program, ns=(1, 1))
    assert names_resume(str(program))
    assert Path(f"{program}.helped").read_text().count("run") == 2


def test_a_program_that_hangs_is_stopped_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = '#!/bin/sh\nsleep 60 &\necho $! > "$0.child"\necho --resume\nwait\n'
    program = fake_agent(tmp_path / "bin", script=script)
    monkeypatch.setattr(agents_module, "HELP_SECONDS", 1)
    begun = time.monotonic()
    assert not names_resume(str(program))
    assert time.monotonic() - begun < 30
    child = int(Path(f"{program}.child").read_text())
    assert ends(child)


def test_agents_of_the_config_are_argument_lists(store: Path, tmp_path: Path) -> None:
    program = fake_agent(tmp_path / "bin", "my-agent")
    config = Config(
        agents={
            "mine": AgentConfig(
                "mine", ("my-agent", "--file={path}", "{cwd}", "{id}", "{entry}", "{x}", "$HOME")
            )
        }
    )
    agents = known_agents(config)
    assert [agent.name for agent in agents] == ["ink", "mine", "built-in"]
    assert agents[1].match == ("my-agent",)
    cwd = tmp_path / "{id} $(x)"
    cwd.mkdir()
    path = put(store, str(cwd))
    made = plan(path, store, agents=agents, bin_dir=program.parent)
    assert made.agent == "mine"
    assert made.argv == (
        str(program),
        f"--file={path}",
        str(cwd),
        ID,
        "e2",
        "{x}",
        "$HOME",
    )


def test_an_unsafe_record_id_is_no_argument(store: Path, tmp_path: Path) -> None:
    program = fake_agent(tmp_path / "bin", "my-agent")
    agents = (Agent("mine", ("my-agent", "{id}", "{entry}")),)
    path = put(store, str(tmp_path))
    path.write_bytes(path.read_bytes().replace(b'"e2"', b'"--e2"'))
    made = plan(path, store, agents=agents, bin_dir=program.parent)
    assert made.refusal_reason_kind == "unreachable"


def test_the_config_may_take_the_place_of_ink(store: Path, tmp_path: Path) -> None:
    program = fake_agent(tmp_path / "bin", "ink-nightly", "#!/bin/sh\n")
    config = Config(agents={"ink": AgentConfig("ink", ("ink-nightly", "-r", "{id}"))})
    path = put(store, str(tmp_path))
    made = plan(path, store, agents=known_agents(config), bin_dir=program.parent)
    assert made.agent == "ink"
    assert made.argv == (str(program), "-r", ID)


def test_unknown_and_missing_agents(store: Path, tmp_path: Path) -> None:
    path = put(store, str(tmp_path))
    made = plan(path, store, agent="nobody")
    assert made.refusal_reason_kind == "agent-missing"
    assert "Known are: ink, built-in" in made.sentence
    made = plan(path, store, agent="ink")
    assert made.refusal_reason_kind == "agent-missing"
    assert "ink was not found" in made.sentence
    assert plan(path, store, agents=()).refusal_reason_kind == "agent-missing"


def test_programs_are_found_by_full_paths_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = fake_agent(tmp_path / "bin", "thing")
    assert find_program(str(program)) == str(program)
    assert find_program("thing", str(program.parent)) == str(program)
    monkeypatch.chdir(program.parent)
    assert find_program("thing", ".") is None
    assert find_program("thing", "") is None
    assert find_program("./thing") is None
    assert find_program(str(program.parent)) is None
    program.chmod(0o644)
    assert find_program(str(program)) is None


def test_filled_in_text_is_not_looked_at_again() -> None:
    values = {"id": "{path}", "path": "P", "cwd": "{id}", "entry": "", "root": ""}
    assert fill(("{id}", "{cwd}", "a{path}{path}", "{}", "{ID}"), values) == (
        "{path}",
        "{id}",
        "aPP",
        "{}",
        "{ID}",
    )
