"""Which panes stand at which width (`ui.md` section 3)."""

from __future__ import annotations

import pytest

from ink_tui.tui.render.layout import Place, pane_widths, too_small, tree_beside
from ink_tui.tui.render.list_rows import SESSION_COLUMNS


@pytest.mark.parametrize("columns", [*range(40, 100, 7), 99])
@pytest.mark.parametrize("place", Place)
def test_one_pane_at_a_time_below_100(columns: int, place: Place) -> None:
    widths = pane_widths(columns, place, has_agent=True)
    assert widths.shown == (place,)
    assert max(widths.list, widths.session, widths.agent) == columns


USUAL = {100: 42, 120: 42, 159: 42, 160: 48, 200: 48}
WITH_FOLDERS = {100: 55, 105: 60, 120: 60, 160: 60, 200: 60}


@pytest.mark.parametrize(
    ("columns", "folders", "wanted"),
    [(columns, at is WITH_FOLDERS, at[columns]) for at in (USUAL, WITH_FOLDERS) for columns in at],
)
def test_the_list_is_wider_with_a_column_of_folders(
    columns: int, folders: bool, wanted: int
) -> None:
    widths = pane_widths(columns, Place.LIST, has_agent=False, folders=folders)
    assert widths.list == wanted
    assert widths.list + 1 + widths.session == columns
    if folders:
        assert widths.list >= SESSION_COLUMNS.short_below


def test_an_agent_takes_the_place_of_the_list() -> None:
    for folders in (False, True):
        beside = pane_widths(120, Place.AGENT, has_agent=True, folders=folders)
        assert (beside.list, beside.session, beside.agent) == (0, 50, 69)
        wide = pane_widths(200, Place.AGENT, has_agent=True, folders=folders)
        assert (wide.list, wide.session) == (42, 78)


def test_the_edge_moves_between_its_limits() -> None:
    for moved in (-100, -2, 0, 2, 100):
        widths = pane_widths(120, Place.LIST, has_agent=False, moved=moved)
        assert 30 <= widths.list <= 60
        assert widths.list + 1 + widths.session == 120


@pytest.mark.parametrize(
    ("columns", "tree"), [(77, 0), (110, 0), (111, 60), (120, 69), (131, 80), (151, 80), (300, 80)]
)
def test_a_wide_session_has_room_beside_the_tree(columns: int, tree: int) -> None:
    assert tree_beside(columns) == tree
    widths = pane_widths(160, Place.SESSION, has_agent=False)
    assert tree_beside(widths.session) == 60


def test_too_small() -> None:
    assert too_small(39, 10)
    assert too_small(40, 9)
    assert not too_small(40, 10)
