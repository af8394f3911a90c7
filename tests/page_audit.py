"""What a page of HTML is made of: its elements and attributes, and its text."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

OWN_ELEMENTS = frozenset(
    {"html", "head", "meta", "title", "style", "body", "header", "h1", "dl", "dt", "dd", "p", "ul"}
    | {"li", "main", "h2", "b", "span", "small", "section", "div", "code", "pre", "details"}
    | {"summary", "nav", "ol", "a", "table", "thead", "tbody", "tr", "th", "td"}
)
OWN_ATTRIBUTES = frozenset({"lang", "charset", "http-equiv", "content", "name", "class"})
_OWN_PLACE = re.compile(r"turn-\d+")
OWN_CLASSES = frozenset(
    {"remark", "problems", "turn", "dim", "said", "user", "assistant", "who", "label", "heading"}
    | {"call", "problem", "head", "what", "state", "diff", "add", "del", "same", "fold", "long"}
    | {"boundary", "note", "hidden", "contents", "language", "wide", "item", "in0", "in1", "in2"}
    | {"in3"}
)
_TEXT, _COMMENT = 3, 8
"""Numbers of kinds of nodes in a document."""


@dataclass(slots=True)
class Content:
    """What a page is made of."""

    elements: Counter[str] = field(default_factory=Counter)
    attributes: set[tuple[str, str]] = field(default_factory=set)
    """Names with values; a value of `content` or `lang` is the page's own."""
    text: str = ""
    odd: list[str] = field(default_factory=list)
    """Comments, frames, and trees of their own inside of elements: the program writes none."""

    @property
    def strangers(self) -> list[str]:
        """Elements, attributes, classes and other nodes that the program never writes."""
        found = sorted(self.elements.keys() - OWN_ELEMENTS)
        for name, value in sorted(self.attributes):
            place = {"id": value, "href": value.removeprefix("#")}.get(name, "")
            if _OWN_PLACE.fullmatch(place):
                continue
            if name not in OWN_ATTRIBUTES:
                found.append(f"{name}={value}")
            elif name == "class":
                found += [f".{each}" for each in value.split() if each not in OWN_CLASSES]
        return found + self.odd

    @property
    def words(self) -> str:
        """The text without blanks, which two parsers need not have in common."""
        return "".join(self.text.split())


def written(page: str) -> Content:
    """Return what a page is made of by the parser of the standard library."""
    return _Written(page).content


def shown(root: dict[str, Any]) -> Content:
    """Return what a page is made of by a browser.

    Args:
        root: The node of the document, as the DevTools protocol tells it.
    """
    found = Content()
    pieces: list[str] = []
    nodes = [root]
    while nodes:
        node = nodes.pop()
        if node["nodeType"] == _TEXT:
            pieces.append(node["nodeValue"])
        elif node["nodeType"] == _COMMENT:
            found.odd.append(f"<!--{node['nodeValue']}-->")
        elif node["localName"]:
            found.elements[node["localName"]] += 1
            given = iter(node.get("attributes", []))
            found.attributes |= set(zip(given, given, strict=True))
        trees = [tree for tree in node.get("shadowRoots", []) if _is_foreign(tree)]
        trees += [node[key] for key in ("contentDocument", "templateContent") if key in node]
        found.odd += [f"a tree of its own in {node['nodeName']}" for _tree in trees]
        nodes += [*reversed(node.get("children", [])), *trees]
    found.text = "".join(pieces)
    return found


def _is_foreign(tree: dict[str, Any]) -> bool:
    """Whether a shadow tree is made by the page; the browser builds its own elements of some."""
    return bool(tree.get("shadowRootType") != "user-agent")


class _Written(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.content = Content()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.content.elements[tag] += 1
        self.content.attributes |= {(name, value or "") for name, value in attrs}

    def handle_data(self, data: str) -> None:
        self.content.text += data

    def handle_comment(self, data: str) -> None:
        self.content.odd.append(f"<!--{data}-->")
