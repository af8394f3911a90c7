"""Every action of the key table by its key, at three sizes; after each, every row fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ink_tui.keymap import DEFAULT_KEYMAP
from tests.pilot.app import (
    LARGE,
    SIZES,
    app_on_demo,
    demo_in,
    fake_agent,
    rows_fit,
    running,
    settled,
    until,
)
from tests.pilot.key_proofs import PROOFS
from tests.pilot.run import Run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.pilot.key_places import Proof


def _tries() -> Iterator[tuple[str, int, str, tuple[int, int]]]:
    """Each action by its first key at all sizes where it is at home, and once for what is left."""
    for action in DEFAULT_KEYMAP.actions:
        for size in SIZES:
            yield action.id, 0, action.keys[0], size
        for key in action.keys[1:]:
            yield action.id, 0, key, LARGE
        for number in range(1, len(PROOFS.get(action.id, ()))):
            yield action.id, number, action.keys[0], SIZES[number % len(SIZES)]


TRIES = [
    pytest.param(*each, id=f"{each[0]}-{each[2]}-{each[1]}-{each[3][0]}x{each[3][1]}")
    for each in _tries()
]


def test_every_action_of_the_table_has_a_proof() -> None:
    assert set(PROOFS) == {action.id for action in DEFAULT_KEYMAP.actions}


@pytest.mark.parametrize(("action", "number", "key", "size"), TRIES)
async def test_a_key_does_what_the_table_says(
    action: str, number: int, key: str, size: tuple[int, int], tmp_path: Path
) -> None:
    await _see(PROOFS[action][number], key, size, tmp_path)


async def _see(proof: Proof, key: str, size: tuple[int, int], folder: Path) -> None:
    with demo_in(folder) as demo:
        agents = [fake_agent(demo.home), fake_agent(demo.home, "other")]
        async with running(app_on_demo(demo, agents=agents), size) as pilot:
            run = Run(pilot, demo)
            await proof.there(run)
            rows_fit(pilot)
            before = proof.look(run)
            await pilot.press(key)
            await until(pilot, lambda: proof.true(before, proof.look(run)), f"from {before!r}")
            if not pilot.app._exit:
                await settled(pilot)
                rows_fit(pilot)
                assert proof.true(before, proof.look(run))
