"""Where keys lead in the list of sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.row_words import needs_attention

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ink_tui.model.groups import Listing
    from ink_tui.model.row_words import Activity


def next_needing(
    listing: Listing, here: str | None, step: int, activities: Mapping[str, Activity]
) -> str | None:
    """Return the path of the next session that needs a person, round at the end.

    Args:
        listing: The list.
        here: Path to start from; it is not returned.
        step: 1 to look down, -1 to look up.
        activities: What agents do, by path.
    """
    found = [(item.row, item.rests) for item in listing.items if item.row is not None]
    paths = [row.path for row, _ in found]
    at = paths.index(here) if here in paths else -1 if step > 0 else 0
    for distance in range(1, len(found) + 1):
        row, rests = found[(at + step * distance) % len(found)]
        if row.path != here and not rests and needs_attention(row, activities.get(row.path)):
            return row.path
    return None
