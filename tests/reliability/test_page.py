"""Hostile texts in every field of a session, exported as a page and opened in a real browser."""

from __future__ import annotations

import dataclasses
import re
import socketserver
import subprocess
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from ink_tui.model.export import html as page_module
from ink_tui.model.export import html_prose as prose_module
from tests.browser import Browser, Visit, find_browser
from tests.e2e.terminal import installed_command
from tests.exports import as_html, document_of, filled
from tests.page_audit import written
from tests.reliability.page_payloads import HOST, PAYLOADS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.reliability.ledger import Ledger, Row

_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>\n')
_NOTHING = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_MARKS = str.maketrans("", "", "`*#~|:\\-")
"""Signs of the talk that become elements, or go, when a text is read as prose."""


class _Proxy(socketserver.ThreadingTCPServer):
    """What a page asks a network for arrives here, and is only written down."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Connection)
        self.asked: list[str] = []
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,))
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def close(self) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()


class _Connection(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        first = self.rfile.readline(4_096).decode("latin-1")
        if HOST in first and isinstance(self.server, _Proxy):
            self.server.asked.append(first.strip())
        with suppress(OSError):
            self.wfile.write(_NOTHING)


class _Reader:
    """A browser behind the proxy, and a folder for its pages."""

    def __init__(self, program: str, folder: Path) -> None:
        self.proxy = _Proxy()
        self.browser = Browser(program, folder / "profile", self.proxy.port)
        self._page = folder / "page.html"

    def open(self, page: str) -> Visit:
        self._page.write_text(page, "utf-8", "replace")
        self.proxy.asked.clear()
        visit = self.browser.visit(self._page.as_uri())
        visit.deeds += [f"asked the network: {line}" for line in self.proxy.asked]
        return visit

    def close(self) -> None:
        self.browser.close()
        self.proxy.close()


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Reader]:
    reader = _Reader(find_browser(), tmp_path_factory.mktemp("reader"))
    yield reader
    reader.close()


@pytest.fixture
def unescaped(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exporter that writes foreign text as it is."""
    for module in (page_module, prose_module):
        monkeypatch.setattr(module, "escaped", lambda text: text)


def _page(payload: str) -> str:
    return as_html(filled(payload).data, redacted=False)


def _without_policy(page: str) -> str:
    """Return a page that may do all, so that only its escaping stands between it and the reader."""
    changed, found = _POLICY.subn("", page)
    assert found == 1
    return changed


def _texts(value: Any) -> Iterator[str]:
    """Yield every text of a document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _texts(item)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from _texts(getattr(value, field.name))


def _bare(text: str) -> str:
    return "".join(text.translate(_MARKS).split())


def _check(row: Row, payload: str, page: str, visit: Visit) -> None:
    """Hold what a page did and is against what it must be: nothing, and all of the text."""
    row.trial()
    row.check(not visit.acted and not visit.deeds, repr(payload), visit.deeds[:3])
    row.check(not visit.content.strangers, repr(payload), visit.content.strangers[:3])
    wanted = written(page)
    row.check(visit.content.elements == wanted.elements, repr(payload), "other elements")
    row.check(visit.content.attributes == wanted.attributes, repr(payload), "other attributes")
    row.check(visit.content.words == wanted.words, repr(payload), "another text")
    document = document_of(filled(payload).data, redacted=False)
    shown = _bare(visit.content.text)
    for text in _texts(document):
        row.check(_bare(text) in shown, repr(payload), "not shown:", text[:200])
    row.check(_bare(visit.title) == _bare(document.title), repr(payload), "title", visit.title)


def test_hostile_texts_are_only_text(ledger: Ledger, reader: _Reader) -> None:
    what = "hostile texts in every field of an exported page in Chromium: nothing runs or loads"
    with ledger.row("S1 page", what, least=230) as row:
        row.note("texts", len(PAYLOADS))
        for number, payload in enumerate(PAYLOADS):
            row.note("fields", filled(payload).fields)
            bare = _without_policy(_page(payload))
            _check(row, payload, bare, reader.open(bare))
            if number % 3 == 0:  # as it is written, with the policy that the others go without
                page = _page(payload)
                _check(row, payload, page, reader.open(page))


def test_the_installed_command_writes_such_a_page(reader: _Reader, tmp_path: Path) -> None:
    payload = "".join(PAYLOADS[::9])
    source, target = tmp_path / "session.jsonl", tmp_path / "page.html"
    source.write_bytes(filled(payload).data)
    subprocess.run(
        [installed_command(), "export", str(source), "--format", "html", "-o", str(target)],
        capture_output=True,
        timeout=30,
        check=True,
    )
    visit = reader.open(target.read_text("utf-8"))
    assert not visit.deeds
    assert visit.content.strangers == []
    assert visit.content.words == written(target.read_text("utf-8")).words


@pytest.mark.usefixtures("unescaped")
def test_control_of_the_page(ledger: Ledger, reader: _Reader) -> None:
    what = "control: foreign text is written unescaped into the page, caught"
    with ledger.row("C page", what, least=1) as row:
        row.trial()
        for payload in PAYLOADS[::5]:
            row.note("pages")
            visit = reader.open(_without_policy(_page(payload)))
            row.note("pages caught", bool(visit.deeds or visit.content.strangers))
            row.note("pages that ran", visit.acted)
            row.note("asked the network", any("the network" in deed for deed in visit.deeds))
        for word, least in (("pages caught", 25), ("pages that ran", 12), ("asked the network", 3)):
            row.check(row.notes[word] >= least, word, row.notes[word])


@pytest.mark.usefixtures("unescaped")
def test_the_policy_alone_lets_no_script_run(reader: _Reader) -> None:
    """The second wall, on trial without the first."""
    ran = [payload for payload in PAYLOADS[1::5] if reader.open(_page(payload)).acted]
    assert ran == []
