"""`[ui] output_colours` in the running program, and `NO_COLOR` before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ink_tui.agent.engine_choice import load_engine
from ink_tui.config import Config, UiConfig
from ink_tui.store.library import Library
from ink_tui.tui.app import InkTuiApp, build_app
from ink_tui.tui.services import Services
from tests.pilot.app import LARGE, NOW_MS, browser_of, rows_fit, running, screen_text, settled
from tests.sessions import answer, results, session, user

if TYPE_CHECKING:
    from pathlib import Path


def _app(home: Path, *, colours: bool) -> InkTuiApp:
    root = home / "sessions"
    path = root / "one" / "session.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(
        session(
            user("a1", None, "run the tests"),
            answer("a2", "a1", calls=(("c1", "bash", {"command": "npm test"}),)),
            results("a3", "a2", ("c1", "bash", "\x1b[31mRED\x1b[0m done\x1b[2J")),
            answer("a4", "a3", "one failed", second=4),
        )
    )
    return build_app(
        Services(
            library=Library([str(root)], clock=lambda: NOW_MS),
            clock=lambda: NOW_MS,
            state_dir=home / "state",
            agents=(),
            load_engine=load_engine,
            env={"HOME": str(home)},
            home=str(home),
            cwd="",
            config=Config(ui=UiConfig(output_colours=colours)),
            watch=False,
        )
    )


@pytest.mark.parametrize(
    ("colours", "no_color", "drawn"),
    [(True, False, True), (False, False, False), (True, True, False)],
)
async def test_outputs_are_drawn_in_their_colours(
    colours: bool, no_color: bool, drawn: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if no_color:
        monkeypatch.setenv("NO_COLOR", "1")
    else:
        monkeypatch.delenv("NO_COLOR", raising=False)
    async with running(_app(tmp_path, colours=colours), LARGE) as pilot:
        await pilot.press("enter", "2")
        await settled(pilot)
        text = screen_text(pilot)
        assert ("RED done␛[2J" in text) is drawn
        assert ("␛[31mRED␛[0m done␛[2J" in text) is not drawn
        rows_fit(pilot)
        view = browser_of(pilot).session.transcript.view
        looks = {
            segment.text: segment.style
            for strip in view.screen._compositor.render_strips()
            for segment in strip
        }
        if drawn:
            red, usual = looks["RED"], looks.get(" done␛[2J")
            assert red is not None
            assert red.color is not None
            assert usual is None or usual.color != red.color
