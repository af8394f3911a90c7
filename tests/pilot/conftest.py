"""What the tests of the whole program share: its notes, as they are said."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

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
