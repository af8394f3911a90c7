"""A tree that was shown before its sub-agent sessions were read whole catches up with them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tests.pilot.app import LARGE, app_on_demo, demo_in, running, settled
from tests.pilot.run import Run

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from ink_tui.tui.render.session_views import SessionViews


async def test_records_of_sub_agents_are_said_as_soon_as_they_are_known(tmp_path: Path) -> None:
    with demo_in(tmp_path) as demo:
        async with running(app_on_demo(demo), LARGE) as pilot:
            run = Run(pilot, demo)
            browser = run.browser
            known = browser.feed.listing
            assert known is not None
            glanced = [replace(row, records=None) if row.child else row for row in known.rows]
            browser.feed.listing = replace(known, rows=tuple(glanced))
            browser.open_session(str(demo.first))
            await settled(pilot)
            assert "18 records" not in run.text
            reads = browser.session.views
            browser.viewing.listing_changed()
            await settled(pilot)
            assert browser.session.views is reads
            browser.feed.listing = known
            browser.viewing.listing_changed()
            await settled(pilot)
            assert "18 records" in run.text
            reads = browser.session.views
            browser.viewing.listing_changed()
            await settled(pilot)
            assert browser.session.views is reads


async def test_what_comes_while_a_session_is_read_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with demo_in(tmp_path) as demo:
        async with running(app_on_demo(demo), LARGE) as pilot:
            run = Run(pilot, demo)
            browser = run.browser
            known = browser.feed.listing
            assert known is not None
            glanced = [replace(row, records=None) if row.child else row for row in known.rows]
            browser.feed.listing = replace(known, rows=tuple(glanced))
            load = browser.viewing._load_views

            def slowly(*given: Any, **named: Any) -> SessionViews:
                views = load(*given, **named)
                browser.feed.listing = known  # told of before there is a session to compare
                return views

            monkeypatch.setattr(browser.viewing, "_load_views", slowly)
            browser.open_session(str(demo.first))
            await settled(pilot)
            assert "18 records" in run.text
