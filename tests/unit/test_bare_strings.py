"""No text that is not written in the program reaches what would read it as markup.

Textual and rich read square brackets in many places where they take a `str`. Each rule below looks
for one of these places in the syntax tree of the screens; each has a control that must be found.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TUI = Path(__file__).parents[2] / "ink_tui" / "tui"

WITH_SWITCH = frozenset({"Label", "Static"})
"""Widgets that read markup unless they are made with `markup=False`."""
WITHOUT_SWITCH = frozenset(
    {"Button", "Checkbox", "Collapsible", "DataTable", "DirectoryTree", "Footer", "Header", "Link"}
    | {"ListView", "Log", "Markdown", "MarkdownViewer", "Option", "OptionList", "Placeholder"}
    | {"Pretty", "RadioButton", "RadioSet", "RichLog", "Select", "SelectionList", "Tab"}
    | {"TabbedContent", "TabPane", "Tabs", "Toast", "Tooltip", "Tree"}
)
"""Widgets that read the markup of what they are given, or draw it uncleaned; none is used."""
READ_AS_MARKUP = frozenset({"border_subtitle", "border_title", "tooltip"})
"""Attributes of every widget whose strings are markup."""
TITLES = frozenset({"sub_title", "title"})
"""Attributes of an application or a screen that leave our own drawing."""
READERS = frozenset({"escape", "from_ansi", "from_markup", "from_rich_text", "visualize"})
"""Functions that turn a string into styled text."""


def offences(source: str) -> list[str]:
    """Return what a module does that lets a text be read as markup, with its lines."""
    found = _Finder()
    tree = ast.parse(source)
    found.learn(tree)
    found.visit(tree)
    return found.offences


def _name(node: ast.expr | None) -> str:
    """Return the last name of an expression: `Static` of `widgets.Static[str]`."""
    if isinstance(node, ast.Subscript):
        return _name(node.value)
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value  # an annotation in quotes
    return node.id if isinstance(node, ast.Name) else ""


def _is_plain(node: ast.expr) -> bool:
    """Whether an expression is a literal without brackets, nothing, or text that is no markup."""
    if isinstance(node, ast.Constant):
        return not isinstance(node.value, str) or "[" not in node.value
    if isinstance(node, ast.IfExp):
        return _is_plain(node.body) and _is_plain(node.orelse)
    return isinstance(node, ast.Call) and _name(node.func) in {"Content", "Text"}


def _is_off(call: ast.Call) -> bool:
    return any(
        word.arg == "markup" and isinstance(word.value, ast.Constant) and word.value.value is False
        for word in call.keywords
    )


class _Finder(ast.NodeVisitor):
    """Goes through one module."""

    def __init__(self) -> None:
        self.offences: list[str] = []
        self.kinds: dict[str, str] = {}
        """What a name or an attribute holds, as far as the module says it."""
        self.bases: list[list[str]] = []

    def learn(self, tree: ast.AST) -> None:
        """Learn the kinds of names from annotations and from what is called to make them."""
        for node in ast.walk(tree):
            if isinstance(node, ast.arg) and node.annotation is not None:
                self.kinds[node.arg] = _name(node.annotation)
            elif isinstance(node, ast.AnnAssign):
                self.kinds[_name(node.target)] = _name(node.annotation)
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call | ast.Set):
                kind = _name(node.value.func) if isinstance(node.value, ast.Call) else "set"
                self.kinds.update((_name(target), kind) for target in node.targets)

    def report(self, node: ast.expr | ast.stmt, what: str) -> None:
        self.offences.append(f"{node.lineno}: {what}")

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.module is not None and node.module.partition(".")[0] in {"rich", "textual"}:
            for alias in node.names:
                if alias.name in WITHOUT_SWITCH or node.module in {"rich.markup", "rich.markdown"}:
                    self.report(node, f"{alias.name} reads markup")

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        bases = [_name(base) for base in node.bases]
        for base in WITH_SWITCH.intersection(bases):
            self.report(node, f"{node.name} is a {base}: make it one of our own lines")
        self.bases.append(bases)
        self.generic_visit(node)
        self.bases.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name == "render" and self.bases and _name(node.returns) not in {"Content", "Text"}:
            self.report(node, "render may return a string, which is read as markup")
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self.assigned(target, node.value)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.assigned(node.target, node)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assigned(node.target, node.value)
        self.generic_visit(node)

    def assigned(self, target: ast.expr, value: ast.expr | ast.stmt) -> None:
        plain = isinstance(value, ast.expr) and _is_plain(value)
        name = target.attr if isinstance(target, ast.Attribute) else ""
        if name in READ_AS_MARKUP and not plain:
            self.report(target, f"{name} reads markup")
        own = isinstance(target, ast.Attribute) and _name(target.value) == "self"
        bases = self.bases[-1] if self.bases else []
        drawn = any(base.endswith(("App", "Screen")) for base in bases)
        foreign = isinstance(target, ast.Attribute) and _name(target.value) in {"app", "screen"}
        if name in TITLES and not plain and ((own and drawn) or foreign):
            self.report(target, f"{name} leaves our own drawing")

    def visit_Call(self, node: ast.Call) -> None:
        name = _name(node.func)
        first = node.args[0] if node.args else None
        if name in WITH_SWITCH and not _is_off(node):
            self.report(node, f"{name} without markup=False")
        elif name == "notify" and not _is_off(node):
            said = first or next((w.value for w in node.keywords if w.arg == "message"), None)
            if said is None or not _is_plain(said):
                self.report(node, "notify without markup=False")
        elif name in READERS and not ast.unparse(node.func).endswith("Color.from_ansi"):
            self.report(node, f"{name} reads a string as styled text")
        elif name == "setattr" and len(node.args) > 1 and _name(node.args[1]) in READ_AS_MARKUP:
            self.report(node, f"{_name(node.args[1])} reads markup")
        elif name == "with_tooltip" and (first is None or not _is_plain(first)):
            self.report(node, "with_tooltip reads markup")
        elif name == "run_action" and isinstance(first, ast.JoinedStr | ast.BinOp):
            self.report(node, "run_action reads a string that was put together")
        elif name == "update" and isinstance(node.func, ast.Attribute):
            self.updated(node, node.func.value)
        for word in node.keywords:
            if word.arg in READ_AS_MARKUP and not _is_plain(word.value):
                self.report(node, f"{word.arg} reads markup")
        self.generic_visit(node)

    def updated(self, node: ast.Call, receiver: ast.expr) -> None:
        """Allow an update where the module says what it is done to.

        A `Static` or `Label` that a module makes has its markup off, by the rule for making one.
        """
        if all(_is_plain(argument) for argument in node.args):
            return
        if not self.kinds.get(_name(receiver)):
            self.report(node, f"update of {ast.unparse(receiver)}, which may read markup")


CONTROLS = {
    "static": "Static(title)",
    "static of a property": "Static(self.row.title, id='x')",
    "static with the switch on": "Static(title, markup=True)",
    "static with a switch from elsewhere": "Static(title, markup=switch)",
    "qualified static": "widgets.Static(title)",
    "static that is filled later": "self._name = Static()\nself._name.update(title)",
    "label": "Label(title)",
    "formatted label": "Label(f'[b]{title}[/b]')",
    "widget of one's own": "class Title(Static):\n    pass",
    "update": "self.query_one('#x').update(title)",
    "formatted update": "self.query_one('#x').update(f'[b]{title}')",
    "update of something unknown": "thing.update(title)",
    "notify": "self.notify(title)",
    "formatted notify": "self.app.notify(f'Opened [b]{title}[/b]')",
    "notify by name": "self.notify(message=title)",
    "notify with the switch on": "self.notify(title, markup=True)",
    "notify with markup of our own": "self.notify('[b]Saved[/b]')",
    "tooltip": "self.tooltip = title",
    "formatted tooltip": "self.tooltip = f'{title}'",
    "tooltip that is added to": "self.tooltip += title",
    "half a tooltip": "self.tooltip = None if title else title",
    "tooltip of an argument": "Lines(tooltip=title)",
    "tooltip in a chain": "Lines().with_tooltip(title)",
    "border title": "self.border_title = title",
    "border title of another": "self.list.border_title = str(title)",
    "border subtitle": "self.border_subtitle = 'a' + title",
    "attribute by name": "setattr(self, 'border_title', title)",
    "markup of rich": "Text.from_markup(title)",
    "markup of textual": "Content.from_markup(title)",
    "terminal sequences": "Text.from_ansi(title)",
    "rich's own reader": "from rich.markup import render",
    "title of the application": "class InkTuiApp(App[None]):\n"
    "    def f(self, title):\n        self.title = title",
    "title of a screen": "class Browser(ReadingScreen):\n"
    "    def f(self, title):\n        self.sub_title = title",
    "title of the application from afar": "self.app.title = title",
    "subtitle of the application from afar": "self.app.sub_title = f'{title}'",
    "rendering": "class Row(Widget):\n    def render(self) -> str:\n        return title",
    "rendering of anything": "class Row(Widget):\n    def render(self):\n        return title",
    "tree": "from textual.widgets import Input, Tree",
    "table": "from textual.widgets import DataTable",
    "option": "from textual.widgets.option_list import Option",
    "markdown": "from rich.markdown import Markdown",
    "action with a text in it": "self.run_action(f'open({title!r})')",
}
"""Title: source that the check must object to."""

ALLOWED = {
    "static": "Static(title, markup=False)",
    "static that is filled later": "self._name = Static('', markup=False)\n"
    "self._name.update(title)",
    "notify": "self.notify(title, markup=False)",
    "notify with words": "self.notify('Saved')",
    "tooltip": "self.tooltip = Content(title) if title else None",
    "title of a value": "class Titled(Message):\n"
    "    def __init__(self, title):\n        self.title = title",
    "set": "self._seen = set()\nself._seen.update(titles)",
    "dictionary": "places: dict[str, Row] = {}\nplaces.update(rows)",
    "parameter": "def f(dialog: PreflightScreen, new: Preflight):\n    dialog.update(new)",
    "rendering": "class Row(Widget):\n"
    "    def render(self) -> Content:\n        return Content(title)",
    "colour": "RichColor.from_ansi(number)",
}


@pytest.mark.parametrize("path", sorted(TUI.rglob("*.py")), ids=lambda p: str(p.relative_to(TUI)))
def test_no_string_is_read_as_markup(path: Path) -> None:
    assert offences(path.read_text("utf-8")) == []


def test_the_modules_are_found() -> None:
    assert len(list(TUI.rglob("*.py"))) > 60


@pytest.mark.parametrize("title", CONTROLS)
def test_a_bare_string_is_found(title: str) -> None:
    assert offences(CONTROLS[title])


@pytest.mark.parametrize("title", ALLOWED)
def test_what_is_no_markup_is_allowed(title: str) -> None:
    assert offences(ALLOWED[title]) == []
