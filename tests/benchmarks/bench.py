"""What every measurement needs: the stores, the commands, and how often to run them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.benchmarks.pairs import NotBuiltError, NoToolError, RefusedError, TooSlowError
from tests.benchmarks.programs.bare_app import WORD as BARE_WORD
from tests.benchmarks.pty_driver import PtyProgram
from tests.benchmarks.truth import DEEP, EXACT, differences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.benchmarks.corpus import Corpus, Store
    from tests.benchmarks.sizes import Sizes

PROGRAMS = Path(__file__).parent / "programs"
START_S = 120.0
"""Longest that a first screen may take before it is called a miss."""


@dataclass(slots=True)
class Done:
    """A command that ended well."""

    seconds: float
    out: bytes
    err: bytes = b""

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The objects that it printed, one a line.

        Raises:
            RefusedError: It printed something else.
        """
        try:
            return [json.loads(line) for line in self.out.splitlines()]
        except ValueError as error:
            raise RefusedError(f"printed what is not JSON: {error}") from error


@dataclass(slots=True)
class Bench:
    """One run of the benchmarks."""

    corpus: Corpus
    scratch: Path
    """A private folder; homes, caches and copies go there."""
    sizes: Sizes
    python: Path = field(default_factory=lambda: Path(sys.executable))
    program: str = field(default_factory=lambda: str(Path(sys.executable).parent / "ink-tui"))
    """The installed program, as users run it."""
    _homes: int = 0

    def environment(self, *, home: Path | None = None) -> dict[str, str]:
        """Return an environment with empty folders of its own.

        Args:
            home: A home made before, to keep its caches; None for a new one.
        """
        home = home or self.new_home()
        return {
            "HOME": str(home),
            "PATH": f"{self.python.parent}:{os.environ.get('PATH', os.defpath)}",
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "INK_TUI_STATE_DIR": str(home / "state"),
            "INK_TUI_CACHE_DIR": str(home / "cache"),
            "INK_TUI_CONFIG_DIR": str(home / "config"),
        }

    def new_home(self) -> Path:
        self._homes += 1
        home = self.scratch / f"home-{self._homes}"
        home.mkdir()
        return home

    # Commands

    def run(self, argv: Sequence[str], *, home: Path | None = None, good: int = 0) -> Done:
        """Run a command to its end.

        Args:
            argv: Program and arguments.
            home: Its home; None for a new one.
            good: The exit status that it must have.

        Raises:
            RefusedError: It ended with another status.
            TooSlowError: It took too long.
        """
        env = self.environment(home=home)
        begun = time.perf_counter()
        try:
            done = subprocess.run(
                argv, env=env, cwd=self.scratch, capture_output=True, check=False,
                stdin=subprocess.DEVNULL, timeout=self.sizes.patience_s,
            )  # fmt: skip
        except subprocess.TimeoutExpired as error:
            raise TooSlowError(f"more than {self.sizes.patience_s:g} s") from error
        seconds = time.perf_counter() - begun
        if done.returncode != good:
            said = done.stderr.decode("utf-8", "replace").strip()[-200:]
            raise RefusedError(f"{Path(argv[0]).name} exited with {done.returncode}: {said}")
        return Done(seconds, done.stdout, done.stderr)

    def reference(self, name: str, *arguments: str) -> Done:
        """Run one of our own reference programs."""
        return self.run([str(self.python), str(PROGRAMS / f"{name}.py"), *arguments])

    def tool(self, name: str) -> str:
        """Return the path of another program.

        Raises:
            NoToolError: It is not installed.
        """
        found = shutil.which(name)
        if found is None:
            raise NoToolError(f"{name} not found")
        return found

    def gauge(self) -> float:
        """Return how long a fixed amount of work takes now, in seconds."""
        return self.reference("steady_work").seconds

    def needs_command(self, name: str) -> None:
        """Check that the program has a subcommand.

        Raises:
            NotBuiltError: It has not.
        """
        usage = self.run([self.program, "--help"]).out.decode()
        if not any(line.split()[:1] == [name] for line in usage.splitlines()):
            raise NotBuiltError(f"ink-tui has no command “{name}” yet")

    # What is compared

    def floor_listing(self, store: Store) -> float:
        """Run F on a store and return its seconds."""
        done = self.reference("floor_listing", str(store.root))
        truth = store.truth
        counted({"files": len(truth.sessions), "bytes": truth.size}, done)
        return done.seconds

    def floor_decode(self, store: Store) -> float:
        """Run O on a store and return its seconds."""
        done = self.reference("floor_decode", str(store.root))
        truth = store.truth
        counted({"lines": truth.whole_lines, "bytes": truth.size}, done)
        return done.seconds

    def count_lines(self, store: Store) -> float:
        """Run `wc -l` on a store of one file and return its seconds."""
        file = str(store.path_of(store.biggest))
        done = self.run([self.tool("wc"), "-l", file])
        if int(done.out.split()[0]) != store.truth.newlines:
            raise RefusedError("wc -l counts other lines than the store has")
        return done.seconds

    def list_rows(self, store: Store, *, quick: bool, home: Path | None = None) -> Done:
        """List a store as JSON; the rows must be true.

        Raises:
            RefusedError: They are not.
        """
        argv = [self.program, "list", "--json", "--all", "--sessions-dir", str(store.root)]
        done = self.run([*argv, *(["--quick"] if quick else [])], home=home)
        facts = EXACT if quick else (*EXACT, *DEEP)
        wrong = differences(done.rows, store.truth, store.root, facts)
        if wrong:
            raise RefusedError(f"{len(wrong)} differences from the truth, first: {wrong[0]}")
        return done

    def bare_start(self) -> float:
        """Start the bare application and return the seconds to its word."""
        with self.bare() as program:
            return program.wait_for(BARE_WORD, START_S) - program.started

    def bare(self) -> PtyProgram:
        """Start the bare application."""
        argv = [str(self.python), str(PROGRAMS / "bare_app.py")]
        return PtyProgram(argv, self.environment(), self.scratch)

    def browse(self, root: Path, *arguments: str, home: Path | None = None) -> PtyProgram:
        """Start the browser on a store."""
        argv = [self.program, "--sessions-dir", str(root), *arguments]
        return PtyProgram(argv, self.environment(home=home), self.scratch)

    def open(self, store: Store, path: Path | None = None) -> PtyProgram:
        """Start the browser with the biggest session of a store, or with another file."""
        return self.browse(store.root, str(path or store.path_of(store.biggest)))

    def copy_of(self, store: Store) -> tuple[Path, Path]:
        """Return root and file of a private copy of a store's biggest session, to write to."""
        source = store.path_of(store.biggest)
        root = self.scratch / f"copy-{store.plan.name}"
        shutil.rmtree(root, ignore_errors=True)
        file = root / source.parent.name / source.name
        file.parent.mkdir(parents=True)
        shutil.copyfile(source, file)
        return root, file


def counted(wanted: dict[str, int], done: Done) -> None:
    """Check the counts that a reference printed.

    Raises:
        RefusedError: They are not what is true.
    """
    told = json.loads(done.out)
    if told != wanted:
        raise RefusedError(f"the reference counted {told}, true is {wanted}")
