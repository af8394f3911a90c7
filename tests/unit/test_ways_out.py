"""The few ways by which text could leave the drawn screen, and the one place that may use each.

`trust.md` 2.7: no hyperlinks from content, no window title, notes that are never markup, a
clipboard that only a person's key fills. Each rule has a control that must be found.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "ink_tui"

_NEVER = frozenset(
    {"bell", "deliver_binary", "deliver_screenshot", "deliver_text", "open_url", "set_icon_name"}
    | {"set_title", "set_window_title"}
)
"""Functions that reach past the drawn screen: a browser, a download, a title, a sound."""
_ONLY_IN = {
    "notify": {
        "tui/screens/panes.py:tell",
        "tui/screens/search.py:notify_order",
        "tui/screens/compaction.py:_step",
    },
    "copy_to_clipboard": {
        "tui/screens/preflight.py:action_preflight_copy",  # the key `y`
        "tui/screens/copying.py:_put",  # the key `y`, and what was chosen after it
        "tui/screens/resuming.py:_copy_command",  # the key `y`
        "tui/screens/resuming.py:_do",  # a fork that was chosen: the message goes into the prompt
    },
}
"""Functions that may be called in these places alone."""
_READERS = frozenset({"agent/engine_bittty.py"})
"""Modules that tell the commands of an agent's terminal apart, to leave them out."""


def offences(source: str, name: str) -> list[str]:
    """Return what a module does that only another one may do, or none."""
    found: list[str] = []
    for where, node in _walk(ast.parse(source), ""):
        place = f"{name}:{where}"
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            called = node.func.id if isinstance(node.func, ast.Name) else called
            allowed = _ONLY_IN.get(called)
            if called in _NEVER or (allowed is not None and place not in allowed):
                found.append(f"{place} calls {called}")
            if called == "notify" and not _is_without_markup(node):
                found.append(f"{place} shows a note that may be markup")
            if any(keyword.arg in ("link", "link_id") for keyword in node.keywords):
                found.append(f"{place} makes a hyperlink")
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names = {alias.name for alias in node.names} | {getattr(node, "module", "")}
            if "webbrowser" in names:
                found.append(f"{place} imports webbrowser")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
            if ("\x1b]" in text or "\x9d" in text) and name not in _READERS:
                found.append(f"{place} writes a command of a terminal")
    return found


def _walk(node: ast.AST, where: str) -> list[tuple[str, ast.AST]]:
    """Return all nodes, each with the name of the function that it stands in."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        where = node.name
    found = [(where, node)]
    for child in ast.iter_child_nodes(node):
        found += _walk(child, where)
    return found


def _is_without_markup(call: ast.Call) -> bool:
    return any(
        keyword.arg == "markup"
        and isinstance(keyword.value, ast.Constant)
        and keyword.value.value is False
        for keyword in call.keywords
    )


def test_each_way_out_is_used_in_its_places_alone() -> None:
    found: list[str] = []
    for path in sorted(ROOT.rglob("*.py")):
        found += offences(path.read_text("utf-8"), str(path.relative_to(ROOT)))
    assert found == []


def test_the_places_are_still_there() -> None:
    for called, places in _ONLY_IN.items():
        for place in places:
            name, _, function = place.partition(":")
            nodes = _walk(ast.parse((ROOT / name).read_text("utf-8")), "")
            assert any(
                where == function
                and isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == called
                for where, node in nodes
            ), place


@pytest.mark.parametrize(
    "source",
    [
        "import webbrowser",
        "from webbrowser import open",
        "self.app.open_url(url)",
        "app.bell()",
        "self.app.deliver_text(path)",
        "def other(self):\n    self.app.copy_to_clipboard(text)",
        "def tell(self):\n    self.notify(sentence)",
        "def tell(self):\n    self.notify(sentence, markup=True)",
        "def other(self):\n    self.notify(sentence, markup=False)",
        "Style(link=url)",
        "driver.write('\\x1b]0;title\\x07')",
        "out.write(b'\\x1b]8;;' + url)",
        "print('\\x9d2;title')",
    ],
)
def test_a_control_is_found(source: str) -> None:
    assert offences(source, "tui/screens/panes.py") != []
