"""What the tests of the whole program share: its notes, and a machine without other runs."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

import pytest

from ink_tui.store.holder_search import HolderSearch
from ink_tui.store.holders import find_holder
from ink_tui.store.processes import Process, ancestors, list_processes
from ink_tui.tui.app import InkTuiApp


@dataclass
class Notes:
    """What the program says in its notes."""

    said: list[str] = field(default_factory=list)

    def notify(self, message: str, **_how: Any) -> None:
        self.said.append(message)

    def end_with(self, words: str) -> bool:
        return bool(self.said) and words in self.said[-1]


@pytest.fixture
def notes(monkeypatch: pytest.MonkeyPatch) -> Notes:
    found = Notes()
    monkeypatch.setattr(InkTuiApp, "notify", lambda _app, message, **how: found.notify(message))
    return found


def _own_processes() -> list[Process]:
    listed = list_processes()
    return [process for process in listed if os.getpid() in ancestors(process.pid, listed)]


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let only what this run has started hold a session: every demo has the same session ids."""
    for function in (find_holder, HolderSearch.__init__):
        defaults = function.__kwdefaults__
        assert defaults is not None
        monkeypatch.setitem(defaults, "processes", _own_processes)
