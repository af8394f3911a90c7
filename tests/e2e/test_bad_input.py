"""Bad input: each a clear sentence with the next step, and an exit status (`design.md` 5)."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from tests.cases import CASES_DIR
from tests.e2e.terminal import Terminal, default_environment, installed_command
from tests.sessions import HEADER, answer, line, user

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.e2e

OTHER_ID = "11111111-2222-4111-8111-111111111111"
HELD_BACK = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
"""Words before a command that let file permissions hold for the superuser, too."""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    home = tmp_path / "home"
    home.mkdir()
    env = {k: v for k, v in default_environment().items() if not k.startswith("XDG_")}
    return {**env, "HOME": str(home)}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A store with one clean session of a folder that exists, an hour old."""
    work = tmp_path / "work"
    work.mkdir()
    store = tmp_path / "store"
    put(store, "one", HEADER["id"], str(work))
    return store


def put(store: Path, name: str, session_id: str, cwd: str) -> Path:
    path = store / "folder" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    header = line({**HEADER, "id": session_id, "cwd": cwd})
    path.write_bytes(header + user("a1", None, "count the files") + answer("a2", "a1", "three"))
    an_hour_ago = time.time() - 3_600
    os.utime(path, (an_hour_ago, an_hour_ago))
    return path


def run(env: dict[str, str], *arguments: str) -> tuple[int, str, str]:
    """Run the installed command without a terminal."""
    done = subprocess.run(
        [installed_command(), *arguments],
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


def opened(env: dict[str, str], *arguments: str, before: tuple[str, ...] = ()) -> Terminal:
    return Terminal.start([*before, installed_command(), *arguments], env=env, size=(100, 30))


def flat(terminal: Terminal) -> str:
    """The screen without its line breaks, for sentences that were wrapped."""
    return " ".join(terminal.text.replace("│", " ").split())


class TestTheStore:
    @pytest.fixture
    def locked(self, tmp_path: Path) -> Iterator[Path]:
        store = tmp_path / "locked"
        store.mkdir()
        store.chmod(0)
        yield store
        store.chmod(0o700)

    def test_a_folder_that_may_not_be_read(self, environment: dict[str, str], locked: Path) -> None:
        before = tuple(HELD_BACK) if os.geteuid() == 0 else ()
        with opened(environment, "--sessions-dir", str(locked), before=before) as terminal:
            terminal.wait_for(re.compile(r"✗ .*locked"))
            terminal.wait_for("permission denied")
            terminal.send("q")
            assert terminal.wait_exit() == 0

    def test_no_sessions_at_all(self, environment: dict[str, str], tmp_path: Path) -> None:
        empty = tmp_path / "empty"
        empty.mkdir()
        for folder in (empty, tmp_path / "none"):
            with opened(environment, "--sessions-dir", str(folder)) as terminal:
                terminal.wait_for("No sessions here yet").wait_for("ink-tui --demo")
                assert str(folder).rsplit("/", 1)[-1] in terminal.text
                terminal.send("q")
                assert terminal.wait_exit() == 0
            status, out, err = run(environment, "list", "--sessions-dir", str(folder))
            assert (status, out) == (0, "")
            assert str(folder) in err
            assert "ink-tui --demo" in err

    def test_a_store_that_appears_is_shown(
        self, environment: dict[str, str], tmp_path: Path
    ) -> None:
        store = tmp_path / "later"
        with opened(environment, "--sessions-dir", str(store)) as terminal:
            terminal.wait_for("No sessions here yet")
            put(store, "one", HEADER["id"], "/nowhere")
            terminal.wait_for("count the files")


class TestWhichSession:
    @pytest.mark.parametrize("command", ["show", "locate", "resume", "repair", "undo", "fork"])
    def test_unknown(self, environment: dict[str, str], root: Path, command: str) -> None:
        status, _out, err = run(environment, command, "beef", "--sessions-dir", str(root))
        assert status == 1
        assert "“beef”" in err
        assert str(root) in err
        assert "ink-tui list --all" in err

    @pytest.mark.parametrize("command", ["show", "locate", "resume", "repair", "undo", "fork"])
    def test_ambiguous(self, environment: dict[str, str], root: Path, command: str) -> None:
        put(root, "two", OTHER_ID, "/nowhere")
        status, _out, err = run(environment, command, "1111", "--sessions-dir", str(root))
        assert status == 1
        assert "fits several sessions (" in err
        assert "one.jsonl" in err
        assert "two.jsonl" in err
        assert "Type more of the id" in err

    def test_in_the_browser(self, environment: dict[str, str], root: Path) -> None:
        put(root, "two", OTHER_ID, "/nowhere")
        for wanted, said in (("beef", "ink-tui list --all"), ("1111", "Type more of the id")):
            with opened(environment, wanted, "--sessions-dir", str(root)) as terminal:
                terminal.wait_for(f"“{wanted}”")
                assert terminal.wait_exit() == 1
                assert said in "".join(terminal.screen)
                assert terminal.left_on() == []

    def test_a_file_that_is_gone(self, environment: dict[str, str], root: Path) -> None:
        path = str(root / "folder" / "gone.jsonl")
        status, _out, err = run(environment, "check", path)
        assert status == 1
        assert f"{path} cannot be read: it is no longer there" in err


class TestTheLaunch:
    def test_a_missing_folder(self, environment: dict[str, str], tmp_path: Path) -> None:
        store, other = tmp_path / "store", tmp_path / "other"
        other.mkdir()
        path = put(store, "one", HEADER["id"], str(tmp_path / "gone"))
        before = path.read_bytes()
        status, _out, err = run(environment, "resume", HEADER["id"], "--sessions-dir", str(store))
        assert status == 1
        assert f"{tmp_path / 'gone'} no longer exists" in err
        assert f"ink-tui fork --into FOLDER --yes {path}" in err
        with opened(environment, "--sessions-dir", str(store)) as terminal:
            terminal.wait_for("folder missing").wait_for("three").send("r")
            terminal.wait_for("Cannot be resumed").wait_for("› Resume in another folder")
            terminal.send("enter").wait_for("The session is copied")
            terminal.write("/no").wait_for(re.compile(r"\n +/no *\n"))  # replaces what it suggests
            terminal.send("enter").wait_for("There is no such folder")
            terminal.send(*["backspace"] * 3).wait_for(
                lambda t: not re.search(r"\n +/n?o? *\n", t.text)
            )
            terminal.write(str(other)).wait_for(re.compile(rf"\n +{tmp_path}/othe"))
            terminal.send("enter").wait_for("waiting for you")
        made = [json.loads(p.read_bytes().split(b"\n")[0]) for p in store.rglob("*.jsonl")]
        assert sorted(header["cwd"] for header in made) == sorted([str(other), before_cwd(before)])
        assert path.read_bytes() == before

    def test_an_agent_that_is_not_there(
        self, environment: dict[str, str], root: Path, tmp_path: Path
    ) -> None:
        config = tmp_path / "config.toml"
        config.write_text('[agents.mine]\nresume = ["no-such-program", "{id}"]\n')
        options = ["--config", str(config), "--sessions-dir", str(root)]
        status, _out, err = run(environment, "resume", HEADER["id"], "--agent", "mine", *options)
        assert status == 1
        assert "no-such-program" in err
        assert "Install" in err
        status, _out, err = run(environment, "resume", HEADER["id"], "--agent", "your", *options)
        assert status == 1
        assert "your" in err
        assert "mine" in err
        with opened(environment, *options) as terminal:
            terminal.wait_for("three").send("r").wait_for("› Resume")
            terminal.send("a").wait_for("Cannot be resumed. ink was not").send("a").wait_for(
                "no-such-program"
            )
            terminal.wait_for("› Cancel")  # nothing that writes is offered for a missing program
            assert "Install" in flat(terminal)

    def test_no_terminal_engine(
        self, environment: dict[str, str], root: Path, tmp_path: Path
    ) -> None:
        blocker = tmp_path / "blocker"
        blocker.mkdir()
        code = "import sys\nsys.modules['pyghostty'] = sys.modules['bittty'] = None\n"
        (blocker / "sitecustomize.py").write_text(code)
        paths = [str(blocker), *filter(None, [environment.get("PYTHONPATH")])]
        env = {**environment, "PYTHONPATH": os.pathsep.join(paths)}
        path = next(root.rglob("*.jsonl"))
        before = path.read_bytes()
        with opened(env, "--sessions-dir", str(root)) as terminal:
            terminal.wait_for("three").send("r").wait_for("› Resume").send("enter")
            terminal.wait_for("The agent cannot run beside its session here")
            assert "pip install 'ink-tui[pane]'" in flat(terminal)
            terminal.send("escape").wait_gone("cannot run beside")
            terminal.send("f").wait_for("› Fork and resume").send("enter")
            terminal.wait_for("› Run it in this terminal")
            assert list(root.rglob("*.jsonl")) == [path]  # asked before anything is written
            terminal.send("enter").wait_for("ctrl+d leaves").wait_for("\n›").send("ctrl+d")
            assert terminal.wait_exit() == 0
            assert terminal.left_on() == []
        assert len(list(root.rglob("*.jsonl"))) == 2
        assert path.read_bytes() == before


def before_cwd(data: bytes) -> str:
    return str(json.loads(data.split(b"\n")[0])["cwd"])


class TestSettings:
    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ('[ui]\nthem = "ink"', "[ui] has no key “them”; did you mean “theme”?"),
            ("[ui\n", "this is not valid TOML: Expected ']'"),
            ("[root]\n", "there is no table or key “root”; did you mean “roots”?"),
            ('[keys]\nresum = "x"', "Did you mean “resume”?"),
            ('[ui]\nglyphs = "latin"', "must be one of auto, unicode, ascii, not “latin”"),
            ("[agents.x]\nmatch = 'x'", 'is missing; write resume = ["program", "{id}"]'),
        ],
    )
    def test_config(
        self, environment: dict[str, str], tmp_path: Path, text: str, said: str
    ) -> None:
        config = tmp_path / "config.toml"
        config.write_text(text)
        status, out, err = run(environment, "list", "--config", str(config))
        assert (status, out) == (2, "")
        assert f"ink-tui: {config}: " in err
        assert said in err

    def test_a_config_that_is_not_there(self, environment: dict[str, str]) -> None:
        status, _out, err = run(environment, "list", "--config", "/nowhere/config.toml")
        assert status == 2
        assert "/nowhere/config.toml: there is no such config file" in err

    def test_themes(self, environment: dict[str, str], root: Path, tmp_path: Path) -> None:
        with opened(environment, "--theme", "inc", "--sessions-dir", str(root)) as terminal:
            terminal.wait_for("--theme: there is no theme “inc”; did you mean “ink”?")
            assert terminal.wait_exit() == 2
        config = tmp_path / "config.toml"
        config.write_text('[ui]\ntheme = "norrd"\n')
        with opened(environment, "--config", str(config)) as terminal:
            terminal.wait_for("did you mean “nord”?")
            assert f"{config}: [ui] “theme”" in flat(terminal)
            assert terminal.wait_exit() == 2
        options = ["--theme", "nord", "--sessions-dir", str(root)]
        with opened(environment, *options) as terminal:
            terminal.wait_for("three").send("q")
            assert terminal.wait_exit() == 0


class TestUsage:
    def test_no_terminal(self, environment: dict[str, str]) -> None:
        status, out, err = run(environment)
        assert (status, out) == (2, "")
        assert "no terminal" in err
        assert "ink-tui list" in err

    @pytest.mark.parametrize(
        "arguments", [["--frob"], ["list", "--frob"], ["check"], ["a", "b"], ["resume"]]
    )
    def test_wrong_usage(self, environment: dict[str, str], arguments: list[str]) -> None:
        status, out, err = run(environment, *arguments)
        assert (status, out) == (2, "")
        assert err.startswith("ink-tui: ")
        assert "--help" in err or "ink-tui list" in err


class TestFaultsOfOurOwn:
    """A fault is put into the program; what it says must hold no text of a session."""

    @staticmethod
    def broken(tmp_path: Path, environment: dict[str, str], target: str) -> dict[str, str]:
        folder = tmp_path / "broken"
        folder.mkdir()
        module, _, name = target.rpartition(":")
        code = f"""
        import {module} as module
        def fail(*arguments, **named):
            raise RuntimeError("count the files \\x1b]0;boom\\x07")
        module.{name} = fail
        """
        lines = [text.strip() if "raise" not in text else "    raise" + text.split("raise", 1)[1]
                 for text in code.splitlines()]  # fmt: skip
        (folder / "sitecustomize.py").write_text("\n".join(lines))
        paths = [str(folder), *filter(None, [environment.get("PYTHONPATH")])]
        return {**environment, "PYTHONPATH": os.pathsep.join(paths)}

    def test_without_a_screen(
        self, environment: dict[str, str], root: Path, tmp_path: Path
    ) -> None:
        env = self.broken(tmp_path, environment, "ink_tui.model.lookup:locate")
        env["PYTHONPATH"] += os.pathsep + str(tmp_path)
        status, out, err = run(env, "show", "beef", "--sessions-dir", str(root))
        assert (status, out) == (3, "")
        assert "something went wrong inside ink-tui: RuntimeError" in err
        assert "count the files" not in err

    def test_on_the_screen(self, environment: dict[str, str], root: Path, tmp_path: Path) -> None:
        env = self.broken(tmp_path, environment, "ink_tui.tui.screens.help:HelpScreen")
        with opened(env, "--sessions-dir", str(root)) as terminal:
            terminal.wait_for("three").send("?").wait_for("something went wrong inside ink-tui")
            assert terminal.wait_exit() == 3
            assert terminal.left_on() == []
            assert terminal.processes() == []
            assert "RuntimeError" in terminal.text
            assert "count the files" not in terminal.text
            assert b"\x1b]0;boom" not in terminal.raw


def test_the_samples_of_bad_files_are_rows(environment: dict[str, str], tmp_path: Path) -> None:
    store = tmp_path / "store"
    for name in ("12-empty-file", "15-newer-version", "06-tail-zero-bytes"):
        shutil.copytree(CASES_DIR / name, store / name)
    with opened(environment, "--sessions-dir", str(store)) as terminal:
        terminal.wait_for("written by a newer Ink, version")
        assert terminal.text.count("✗") >= 1
        terminal.send("q")
        assert terminal.wait_exit() == 0
