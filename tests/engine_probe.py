"""A terminal engine with everything it says kept, for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.agent.engine import PLAIN, CellStyle, EngineEvents

if TYPE_CHECKING:
    from ink_tui.agent.engine import EngineFactory, Row

ENGINES = ("ghostty", "bittty")


def engine_factory(name: str) -> EngineFactory:
    """Return what makes engines of a name."""
    if name == "ghostty":
        from ink_tui.agent.engine_ghostty import GhosttyEngine

        return GhosttyEngine
    from ink_tui.agent.engine_bittty import BitttyEngine

    return BitttyEngine


class EngineProbe:
    """Feeds an engine and reads it back; replies, bells, titles and holds are recorded."""

    def __init__(self, factory: EngineFactory, columns: int = 20, rows: int = 6) -> None:
        self.replies = b""
        self.bells = 0
        self.titles = 0
        self.holds: list[bool] = []
        self._rows: dict[int, Row] = {}
        self.engine = factory(
            columns, rows, EngineEvents(self._reply, self._bell, self._title, self.holds.append)
        )

    def _reply(self, data: bytes) -> None:
        self.replies += data

    def _bell(self) -> None:
        self.bells += 1

    def _title(self) -> None:
        self.titles += 1

    def feed(self, data: bytes | str) -> None:
        self.engine.feed(data.encode() if isinstance(data, str) else data)

    def row(self, y: int) -> Row:
        self._rows.update(self.engine.dirty_rows())
        return self._rows[y]

    def line(self, y: int) -> str:
        return "".join(run.text for run in self.row(y)).rstrip()

    def lines(self) -> list[str]:
        return [self.line(y) for y in range(self.engine.rows)]

    def cursor(self) -> tuple[int, int]:
        self._rows.update(self.engine.dirty_rows())
        found = self.engine.cursor()
        assert found is not None
        return found.column, found.row

    def style(self, x: int, y: int) -> CellStyle:
        start = 0
        for run in self.row(y):
            if x < start + run.columns:
                return run.style
            start += run.columns
        return PLAIN
