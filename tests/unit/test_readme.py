"""README opens with a sentence, a picture and two commands, and says nothing that is not there."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from ink_tui.commands.keys import markdown_table
from ink_tui.config import load_config
from ink_tui.keymap import DEFAULT_KEYMAP
from tests.e2e.readme_commands import README, command, commands, opening
from tests.e2e.terminal import installed_command

if TYPE_CHECKING:
    from pathlib import Path

TEXT = README.read_text("utf-8")


def test_opening_has_exactly_two_commands() -> None:
    assert len(commands(TEXT)) == 2


@pytest.mark.parametrize("name", ["demo", "tests"])
def test_each_makes_its_own_environment_and_is_whole(name: str) -> None:
    """A newcomer pastes one line; it must not lean on the other one or on an active venv."""
    line = command(name)
    assert line.startswith("python3 -m venv .venv && ")
    programs = [part.split()[0] for part in line.split(" && ")[1:]]
    assert all(program.startswith(".venv/bin/") for program in programs)
    assert subprocess.run(["bash", "-n", "-c", line], check=False).returncode == 0


def test_first_starts_the_demo_with_the_pane_and_second_runs_the_tests() -> None:
    assert ".[pane]" in command("demo")
    assert command("demo").endswith(".venv/bin/ink-tui --demo")
    assert "--group dev" in command("tests")
    assert ".venv/bin/pytest" in command("tests").split(" && ")[-1]


def test_opening_has_one_sentence_and_one_picture() -> None:
    top = opening(TEXT)
    assert re.findall(r"!\[[^\]]*\]\(([^)]*)\)", top) == ["screenshots/browser.png"]
    paragraphs = [part for part in top.split("\n\n") if part.strip()]
    assert paragraphs[0].startswith("# ink-tui")
    sentence = paragraphs[1].replace("\n", " ").strip()
    assert sentence.endswith(".")
    assert ". " not in sentence


def test_commands_are_found_only_in_the_opening() -> None:
    text = "# x\n\n```sh\none \\\n  more\n```\n\n```sh\ntwo\n```\n\n## Later\n\n```sh\nthree\n```\n"
    assert [" ".join(line.split()) for line in commands(text)] == ["one more", "two"]


def test_what_is_linked_exists() -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", TEXT)
    assert "screenshots/browser.png" in targets
    assert [target for target in targets if not (README.parent / target).exists()] == []


def test_config_example_is_a_valid_config(tmp_path: Path) -> None:
    (example,) = re.findall(r"^```toml\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    file = tmp_path / "config.toml"
    file.write_text(example, "utf-8")
    config = load_config(file, {"HOME": str(tmp_path)})
    assert config.agents["mine"].resume == ("mine", "--resume={id}")
    assert config.roots.paths == (tmp_path / ".ink" / "sessions",)


def test_commands_named_exist() -> None:
    named = set(re.findall(r"`ink-tui ([a-z]+)", TEXT))
    usage = subprocess.run(
        [installed_command(), "--help"], capture_output=True, text=True, check=True
    ).stdout
    assert len(named) > 5
    assert [name for name in named if not re.search(rf"^  {name}\s", usage, re.MULTILINE)] == []


def test_the_key_table_is_the_programs_own() -> None:
    text = README.read_text("utf-8")
    between = text.split("<!-- keys: begin -->\n")[1].split("<!-- keys: end -->")[0]
    assert between.splitlines() == markdown_table(DEFAULT_KEYMAP)
