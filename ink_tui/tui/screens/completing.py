"""Going through what can be typed next in a query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.query_complete import complete

if TYPE_CHECKING:
    from ink_tui.model.query_complete import Completion, Offers


@dataclass(frozen=True, slots=True)
class Typed:
    """A query, and before which of its characters the cursor stands."""

    text: str
    cursor: int


class Completing:
    """Puts one candidate after the other in the place of what was typed."""

    def __init__(self) -> None:
        self.completion: Completion | None = None
        """What fits while candidates are gone through; `None` when they are not."""
        self.number = 0
        """Which candidate stands in the query, 0-based."""
        self._before = self._after = Typed("", 0)

    def go(self, typed: Typed, step: int, offers: Offers) -> Typed | None:
        """Return the query with the next candidate in it; `None` when nothing fits.

        Args:
            typed: What stands in the field.
            step: 1 to go on, -1 to go back.
            offers: Values that the sessions tell.
        """
        completion = self.completion
        if completion is None or typed != self._after:
            completion = complete(typed.text, typed.cursor, offers)
            if not completion.candidates:
                self.stop()
                return None
            self._before, self.number = typed, -1 if step > 0 else 0
        self.number = (self.number + step) % len(completion.candidates)
        self._after = Typed(*completion.applied(self._before.text, self.number))
        # The only one is taken: the next press completes what follows it.
        self.completion = completion if len(completion.candidates) > 1 else None
        return self._after

    def typed(self, text: str) -> None:
        """Take note of what stands in the field now."""
        if text != self._after.text:
            self.stop()

    def stop(self) -> None:
        """No longer go through candidates."""
        self.completion = None

    def taken_back(self) -> Typed | None:
        """Return what was typed before candidates were gone through; `None` when they were not."""
        before = self._before if self.completion is not None else None
        self.stop()
        return before
