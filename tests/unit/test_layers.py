"""The layers hold: in the import graph, in a running interpreter, and the check itself can fail."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "ink_tui"
LINT_IMPORTS = Path(sys.executable).parent / "lint-imports"
WITH_SCREEN = ("ink_tui.tui", "ink_tui.cli", "ink_tui.__main__")
"""Only these may bring in Textual; all others are headless."""

MOST_LINES_OF_FILE = 600
MOST_LINES_OF_FUNCTION = 100

FORBIDDEN = {
    "textual in model": ("model/entries.py", "import textual", "Only the screens know Textual"),
    "rich in commands": ("commands/__init__.py", "import rich", "Only the screens know Textual"),
    "tui in formats": ("formats/base.py", "import ink_tui.tui", "One way through the house"),
    "os in model": ("model/text.py", "import os", "The model is pure"),
    "orjson in model": ("model/tree.py", "import orjson", "The model is pure"),
    "agent in runtime": (
        "runtime/__init__.py",
        "import ink_tui.agent",
        "The built-in agent does not know how it is launched",
    ),
    "runtime in tui": (
        "tui/themes.py",
        "import ink_tui.runtime",
        "The screens start the built-in agent only as a process",
    ),
    "widgets in render": (
        "tui/render/__init__.py",
        "import ink_tui.tui.widgets",
        "Inside the screens",
    ),
    "a module that no layer names": ("stray.py", "", "One way through the house"),
}
"""Title: file of the package, line added to it, contract that must break."""


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the contracts of the package that lies in a folder."""
    return subprocess.run(
        [LINT_IMPORTS, "--no-cache"],
        cwd=folder,
        env={**os.environ, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def modules() -> list[str]:
    """Every module of the package, found in its folder."""
    names = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        names.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return names


def is_headless(module: str) -> bool:
    return not any(module == name or module.startswith(f"{name}.") for name in WITH_SCREEN)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package and its contracts, to be spoilt."""
    shutil.copytree(PACKAGE, tmp_path / "ink_tui", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


class TestContracts:
    def test_package_keeps_them(self) -> None:
        run = lint_imports(ROOT)
        assert run.returncode == 0, run.stdout
        assert "0 broken" in run.stdout

    def test_unspoilt_copy_keeps_them(self, copy: Path) -> None:
        run = lint_imports(copy)
        assert run.returncode == 0, run.stdout

    @pytest.mark.parametrize("title", FORBIDDEN)
    def test_forbidden_import_breaks_its_contract(self, copy: Path, title: str) -> None:
        file, line, contract = FORBIDDEN[title]
        spoilt = copy / "ink_tui" / file
        assert spoilt.exists() or not line, f"{file} is gone: choose another file to spoil"
        with spoilt.open("a", encoding="utf-8") as module:
            module.write(f"\n{line}\n")
        run = lint_imports(copy)
        assert run.returncode == 1, run.stdout
        assert f"{contract} BROKEN" in run.stdout


class TestRuntimeTwin:
    PROBE = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
    loaded = sorted({"textual", "rich"} & sys.modules.keys())
    if loaded:
        sys.exit(f"{name} loads {', '.join(loaded)}")
print(len(sys.argv) - 1)
"""

    def probe(self, names: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", self.PROBE, *names],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def test_headless_modules_do_not_load_textual(self) -> None:
        """All in one interpreter: nothing unloads a module, so the first offender is named."""
        names = [name for name in modules() if is_headless(name)]
        assert len(names) > 20
        run = self.probe(names)
        assert run.returncode == 0, run.stderr
        assert run.stdout.split() == [str(len(names))]

    def test_each_headless_folder_can_be_imported_first(self) -> None:
        """In an interpreter of its own, so that no import only works after another."""
        folders = sorted({name for name in modules() if is_headless(name) and name.count(".") == 1})
        running = [
            (name, subprocess.run([sys.executable, "-c", f"import {name}"], cwd=ROOT, check=False))
            for name in folders
        ]
        assert [name for name, run in running if run.returncode != 0] == []

    def test_a_module_with_a_screen_is_noticed(self) -> None:
        run = self.probe(["ink_tui.model", "ink_tui.tui.themes"])
        assert run.returncode == 1
        assert "ink_tui.tui.themes loads rich, textual" in run.stderr


class TestSize:
    FILES = [
        path
        for folder in ("ink_tui", "tests", "screenshots")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not path.is_relative_to(ROOT / "tests" / "data")
    ]

    def test_files(self) -> None:
        long = {
            str(path.relative_to(ROOT)): count
            for path in self.FILES
            if (count := len(path.read_text("utf-8").splitlines())) > MOST_LINES_OF_FILE
        }
        assert long == {}

    def test_functions(self) -> None:
        long = {}
        for path in self.FILES:
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    count = (node.end_lineno or node.lineno) - node.lineno + 1
                    if count > MOST_LINES_OF_FUNCTION:
                        long[f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"] = count
        assert long == {}
