"""Everything the comparison shows, made ready in a worker. Blocks on file reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ink_tui.model.compare import compare
from ink_tui.model.compare_choices import OtherKind, session_ends
from ink_tui.model.compare_lines import compared_lines
from ink_tui.model.compare_words import compared_sections
from ink_tui.model.recovery import as_read
from ink_tui.model.text import one_line
from ink_tui.store.reader import read_session
from ink_tui.tui.render.compare_rows import column_rows

if TYPE_CHECKING:
    from collections.abc import Collection

    from ink_tui.model.compare import Comparison
    from ink_tui.model.compare_choices import Other
    from ink_tui.model.compare_words import ComparedSection
    from ink_tui.model.verdict import Diagnosis
    from ink_tui.tui.render.compare_rows import ColumnRows


@dataclass(frozen=True, slots=True)
class SideName:
    """What a side is called."""

    word: str
    """In our words: `current branch`."""
    text: str = ""
    """First words or title, cleaned, on one line."""


@dataclass(frozen=True, slots=True)
class CompareViews:
    """Two branches, ready to be shown."""

    comparison: Comparison
    columns: tuple[ColumnRows, ColumnRows]
    sections: tuple[ComparedSection, ...]
    title: str
    """Title of the session at hand."""
    names: tuple[SideName, SideName]
    paths: tuple[str, str]


def load_comparison(
    path: str, other: Other, live: Collection[str] = (), diagnosis: Diagnosis | None = None
) -> CompareViews:
    """Read what is to be compared and compare it; call it from a worker.

    Args:
        path: File of the session at hand; its branch stands left.
        other: What it is compared with.
        live: Files of sessions that an agent is known to hold.
        diagnosis: The session at hand, where it has been read.

    Raises:
        UnreadableError: One of the files cannot be read.
    """
    at_hand = diagnosis if diagnosis is not None else read_session(path)[0]
    if other.kind is OtherKind.BRANCH:
        beside, there = at_hand, path
        ends = as_read(at_hand).leaf, other.leaf
        names = SideName("current branch"), SideName("other branch", other.title)
    else:
        beside, there = read_session(other.path)[0], other.path
        ends = session_ends(at_hand, beside)
        copy = other.kind is OtherKind.PARENT
        words = ("this copy", "original") if copy else ("original", "copy")
        names = SideName(words[0]), SideName(words[1], other.title)
    found = compare((at_hand, ends[0]), (beside, ends[1]))
    lines = compared_lines(found, [at for at, file in enumerate((path, there)) if file in live])
    return CompareViews(
        comparison=found,
        columns=(column_rows(lines, 0), column_rows(lines, 1)),
        sections=compared_sections(found),
        title=one_line(at_hand.title) or "(no message yet)",
        names=names,
        paths=(path, there),
    )
