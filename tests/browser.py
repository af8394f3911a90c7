"""A headless Chromium that opens pages and tells all that they did.

Driven by the DevTools protocol over a pipe: requests, dialogs, frames, downloads, the console and
refusals of a page's own policy are all told, and the document is read as the browser has it.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import time
import warnings
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from tests.page_audit import Content, shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ACTED = "acted"
"""Name of the function that a hostile text calls when it runs."""
_PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
_PATIENCE = 30.0
"""Seconds that the browser may be silent."""
_FLAGS = (
    "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--disable-gpu", "--no-first-run",
    "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--disable-default-apps", "--disable-extensions", "--disable-quic",
    "--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)  # fmt: skip
_DOMAINS = ("Page", "Runtime", "Network", "Log", "DOM")
_DEEDS = {
    "Runtime.bindingCalled": "ran a script",
    "Runtime.consoleAPICalled": "wrote to the console",
    "Runtime.exceptionThrown": "ran a script that failed",
    "Network.webSocketCreated": "opened a socket",
    "Page.javascriptDialogOpening": "opened a dialog",
    "Page.frameAttached": "made a frame",
    "Page.windowOpen": "opened a window",
    "Page.downloadWillBegin": "began a download",
    "Page.frameRequestedNavigation": "went to another page",
    "Log.entryAdded": "was refused something",
}
"""Events that no page of ours causes, and what each means."""
_STIR = """(async () => {
  const kinds = ['mouseover', 'mouseenter', 'pointerdown', 'click', 'focus', 'input', 'toggle'];
  for (const each of document.querySelectorAll('details')) each.open = true;
  for (const each of document.querySelectorAll('*')) {
    for (const kind of kinds) each.dispatchEvent(new Event(kind, {cancelable: true}));
    if (each.hasAttribute('href') && each.click) each.click();
  }
  await new Promise(done => setTimeout(done, 5));
})()"""
"""What a reader may do to a page: unfold, point at and press everything."""


@dataclass(slots=True)
class Visit:
    """What one page did, and what it is."""

    deeds: list[str] = field(default_factory=list)
    """What no page of ours does, in words."""
    acted: bool = False
    """Whether one of its scripts reached `ACTED`."""
    title: str = ""
    content: Content = field(default_factory=Content)


class Browser:
    """One Chromium for many pages, one after another."""

    def __init__(self, program: str, profile: Path, proxy: int) -> None:
        """Start it.

        Args:
            program: Path of Chromium.
            profile: A new folder for all that it keeps.
            proxy: Port of this machine that gets every request to a network.
        """
        orders, self._orders = (_moved(end) for end in os.pipe())
        self._answers, answers = (_moved(end) for end in os.pipe())
        silence = _moved(os.open(os.devnull, os.O_RDWR))
        ends = {0: silence, 1: silence, 2: silence, 3: orders, 4: answers}
        proxied = f"--proxy-server=http://127.0.0.1:{proxy}"
        self._pid = os.posix_spawn(
            program,
            [program, *_FLAGS, proxied, f"--user-data-dir={profile}", "about:blank"],
            {**os.environ, "HOME": str(profile)},
            file_actions=[(os.POSIX_SPAWN_DUP2, old, new) for new, old in ends.items()],
            setpgroup=0,
        )
        for descriptor in (orders, answers, silence):
            os.close(descriptor)
        self._unread = b""
        self._number = 0
        self._events: list[dict[str, Any]] = []
        self._page: str | None = None
        target = self.order("Target.createTarget", url="about:blank")["targetId"]
        self._page = self.order("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in _DOMAINS:
            self.order(f"{domain}.enable")
        self.order("Runtime.addBinding", name=ACTED)

    def order(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send one order and return its answer; what is told before it is kept.

        Raises:
            RuntimeError: The browser refuses.
            TimeoutError: It does not answer.
        """
        number = self._send(method, parameters)
        for told in self._told():
            if told.get("id") == number:
                if "error" in told:
                    raise RuntimeError(f"{method}: {told['error']['message']}")
                result: dict[str, Any] = told["result"]
                return result
        raise TimeoutError(method)

    def visit(self, address: str) -> Visit:
        """Open a page, do to it what a reader may do, and return what it did."""
        self._open(address)
        found = Visit()
        try:
            root = self.order("DOM.getDocument", depth=-1, pierce=True)["root"]
            found.content = shown(root)
            self._evaluate(_STIR)
            found.title = str(self._evaluate("document.title"))
        except RuntimeError as error:
            found.deeds.append(f"went away: {error}")
        for event in self._events:
            what = _deed(event, address)
            found.deeds += [what] if what else []
            found.acted |= event["method"] == "Runtime.bindingCalled"
        return found

    def picture(self, address: str, target: Path, *, width: int, dark: bool) -> None:
        """Write a picture of a whole page.

        Args:
            address: The page.
            target: A file for the picture, as PNG.
            width: In CSS pixels.
            dark: Whether the reader prefers dark pages.
        """
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.order("Emulation.setEmulatedMedia", features=[scheme])
        size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
        self.order("Emulation.setDeviceMetricsOverride", **size)
        self._open(address)
        picture = self.order("Page.captureScreenshot", captureBeyondViewport=True)
        target.write_bytes(base64.b64decode(picture["data"]))

    def close(self) -> None:
        """End the browser with all of its processes."""
        os.close(self._orders)
        os.close(self._answers)
        with suppress(ProcessLookupError):
            os.killpg(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)

    def _open(self, address: str) -> None:
        self._events.clear()
        self.order("Page.navigate", url=address)
        if not any(event["method"] == "Page.loadEventFired" for event in self._events):
            for told in self._told():
                if told.get("method") == "Page.loadEventFired":
                    return
            raise TimeoutError(address)

    def _evaluate(self, script: str) -> Any:
        how = {"awaitPromise": True, "returnByValue": True, "userGesture": True}
        return self.order("Runtime.evaluate", expression=script, **how)["result"].get("value")

    def _send(self, method: str, parameters: dict[str, Any]) -> int:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._page is not None:
            message["sessionId"] = self._page
        os.write(self._orders, json.dumps(message).encode() + b"\0")
        return self._number

    def _told(self) -> Iterator[dict[str, Any]]:
        """Yield what is told; events are kept, and a dialog is closed, since it stops the page."""
        until = time.monotonic() + _PATIENCE
        while True:
            while b"\0" in self._unread:
                message, self._unread = self._unread.split(b"\0", 1)
                told: dict[str, Any] = json.loads(message)
                if "method" in told and told.get("sessionId") == self._page:
                    self._events.append(told)
                    if told["method"] == "Page.javascriptDialogOpening":
                        self._send("Page.handleJavaScriptDialog", {"accept": False})
                yield told
            left = max(0.0, until - time.monotonic())
            if not select.select([self._answers], [], [], left)[0]:
                return
            more = os.read(self._answers, 1 << 20)
            if not more:
                return
            self._unread += more


def find_browser() -> str:
    """Return the path of a Chromium; where there is none, fail in CI and skip loudly elsewhere."""
    for name in _PROGRAMS:
        found = shutil.which(name)
        if found is not None:
            return found
    if os.environ.get("CI") == "true":
        pytest.fail("chromium is missing; in CI it is required")
    warnings.warn("chromium is missing: no page was opened", stacklevel=2)
    pytest.skip("chromium is missing: apt-get install chromium")


def _deed(event: dict[str, Any], address: str) -> str:
    """Return in words what an event tells of a page; empty for what every page does."""
    about = json.dumps(event["params"])[:300]
    if event["method"] == "Network.requestWillBeSent":
        wanted = event["params"]["request"]["url"]
        return "" if wanted == address else f"asked for {wanted[:200]}"
    what = _DEEDS.get(event["method"])
    return f"{what}: {about}" if what else ""


def _moved(descriptor: int) -> int:
    """Return a descriptor that is none of those that the browser gets."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return moved
