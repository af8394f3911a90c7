"""What a page of HTML is made of: its elements and attributes, and its text."""

from __future__ import annotations

from html.parser import HTMLParser

OWN_ELEMENTS = frozenset(
    {"html", "head", "meta", "title", "style", "body", "header", "h1", "dl", "dt", "dd", "p", "ul"}
    | {"li", "main", "h2", "b", "span", "small", "section", "div", "code", "pre", "details"}
    | {"summary"}
)
OWN_ATTRIBUTES = frozenset({"lang", "charset", "http-equiv", "content", "name", "class"})
OWN_CLASSES = frozenset(
    {"remark", "problems", "turn", "dim", "said", "user", "assistant", "who", "label", "heading"}
    | {"call", "problem", "head", "what", "state", "diff", "add", "del", "same", "fold", "long"}
    | {"boundary", "note"}
)


class Page(HTMLParser):
    """Takes a page apart, as a browser's own serialisation or as it was written."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: set[str] = set()
        self.counts: dict[str, int] = {}
        self.attributes: set[tuple[str, str]] = set()
        """Names with values; a value of `content` or `lang` is the page's own."""
        self.text = ""
        self.comments: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.counts[tag] = self.counts.get(tag, 0) + 1
        self.attributes |= {(name, value or "") for name, value in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    @property
    def strangers(self) -> list[str]:
        """Elements, attributes and classes that the program never writes."""
        found = sorted(self.elements - OWN_ELEMENTS)
        for name, value in sorted(self.attributes):
            if name not in OWN_ATTRIBUTES:
                found.append(f"{name}={value}")
            elif name == "class":
                found += [f".{each}" for each in value.split() if each not in OWN_CLASSES]
        return found + self.comments
