"""From the command line to the running browser, and what comes after it."""

from __future__ import annotations

import gc
import locale
import os
import subprocess
import sys
from concurrent.futures import wait
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.agent.agents import known_agents
from ink_tui.agent.environment import child_environment
from ink_tui.config import session_roots
from ink_tui.errors import ConfigError, InternalError, StoreError
from ink_tui.paths import cache_dir, home_dir, state_dir
from ink_tui.store.cache import RowCache
from ink_tui.store.deep import ReaderProcess
from ink_tui.store.far_lines import FarLines
from ink_tui.store.leftovers import clear_leftovers
from ink_tui.store.library import Library, system_clock
from ink_tui.tui.app import build_app
from ink_tui.tui.ending import Ending
from ink_tui.tui.render.glyphs import choose_glyphs
from ink_tui.tui.screens.first_look import look_ahead
from ink_tui.tui.screens.later import load_packages
from ink_tui.tui.services import Services
from ink_tui.tui.themes import check_theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.agent.engine_choice import EngineChoice
    from ink_tui.agent.launch import LaunchPlan
    from ink_tui.config import Config
    from ink_tui.model.listing import SessionRow
    from ink_tui.model.liveness import Holder
    from ink_tui.store.demo import Demo

AHEAD_SECONDS = 0.25
"""How long the screen waits for its first rows before it is drawn without them."""

_COLLECT_AFTER = (10_000, 10, 20)
"""Containers, and collections of the younger ones, after which garbage in rings is looked for."""


def browse(
    *,
    config: Config,
    sessions_dirs: Sequence[str],
    wanted: str | None,
    demo: bool,
    ascii_only: bool,
    theme: str | None,
    use_cache: bool = True,
) -> int:
    """Run the browser and return the exit status.

    Args:
        config: The user's settings.
        sessions_dirs: Session roots from the command line.
        wanted: Id or path of the session to open.
        demo: Look around in a private sample store instead.
        ascii_only: Draw with ASCII characters only.
        theme: Name of a theme, before the config's.
        use_cache: Keep what is found out about sessions for the next start.

    Raises:
        ConfigError: There is no terminal, or the theme is not known.
        StoreError: The wanted session does not exist.
    """
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        raise ConfigError(
            "There is no terminal to draw on. ink-tui list shows the sessions without one."
        )
    setting = "ascii" if ascii_only else str(config.ui.glyphs)
    check_theme(config.ui.theme, f"{config.source}: [ui] “theme”")
    if theme is not None:
        check_theme(theme, "--theme")
        config = replace(config, ui=replace(config.ui, theme=theme))
    encoding = locale.getpreferredencoding(do_setlocale=False)
    glyphs = choose_glyphs(setting, encoding, os.environ.get("TERM", ""))
    if demo:
        from ink_tui.store.demo import create_demo

        with create_demo(system_clock()) as made:
            status = _run(replace(_demo_services(made, config), glyphs=glyphs))
        print("The demo copy was removed. The real thing: ink-tui")  # noqa: T201 - after the screen
        return status
    roots = tuple(
        str(root) for root in session_roots(config, os.environ, [*map(Path, sessions_dirs)])
    )
    cache = RowCache(cache_dir(os.environ)) if use_cache else None
    path = _path_of(Library(roots, cache=cache), wanted) if wanted is not None else None
    if path is not None and not any(Path(path).is_relative_to(root) for root in roots):
        # A file from elsewhere is a root of its own; the folder around it may hold anything.
        roots = (path, *roots)
    services = _services(_library(roots, state_dir(os.environ), config, cache), config)
    return _run(replace(services, glyphs=glyphs, wanted=path))


def _library(
    roots: Sequence[str], state: Path, config: Config, cache: RowCache | None = None
) -> Library:
    """Return a library that looks for who holds a session, and reads in a process beside us."""
    match = {name for agent in known_agents(config) for name in agent.match}

    def holder_of(row: SessionRow) -> Holder:
        from ink_tui.store.holders import find_holder  # only a session that is opened has one

        return find_holder(
            Path(row.path),
            session_id=row.session_id or "",
            cwd=row.cwd,
            state_dir=state,
            now_ms=system_clock(),
            match=match,
        )

    return Library(roots, holder_of=holder_of, cache=cache, whole=ReaderProcess(), far=FarLines())


def _services(library: Library, config: Config) -> Services:
    return Services(
        library=library,
        clock=system_clock,
        state_dir=state_dir(os.environ),
        agents=known_agents(config),
        load_engine=_load_engine,
        env=child_environment(os.environ),
        own_env=dict(os.environ),
        home=str(home_dir(os.environ)),
        cwd=_current_folder(),
        zone=datetime.now().astimezone().tzinfo or UTC,
        config=config,
    )


def _load_engine() -> EngineChoice:
    from ink_tui.agent.engine_choice import load_engine  # only a pane needs it

    return load_engine()


def _demo_services(demo: Demo, config: Config) -> Services:
    """Return services that touch nothing outside the demo's folder."""
    from ink_tui.store.trash import folder_as_trash

    services = _services(_library([str(demo.root)], demo.state_dir, config), config)
    return replace(
        services,
        state_dir=demo.state_dir,
        env=child_environment(os.environ, {"HOME": str(demo.home)}),
        home=str(demo.home),
        cwd=str(demo.cwd),
        demo=demo,
        trash=folder_as_trash(demo.home / ".local" / "share" / "Trash"),
    )


def _current_folder() -> str:
    try:
        return str(Path.cwd())
    except OSError:
        return ""


def _path_of(library: Library, wanted: str) -> str:
    if os.path.lexists(wanted):
        return str(Path(wanted).absolute())
    from ink_tui.model.lookup import locate

    located = locate(library.scan().rows, wanted)
    if located.path is not None:
        return located.path
    if located.reason == "ambiguous":
        raise StoreError(f"“{wanted}” fits several sessions. Type more of the id.")
    roots = ", ".join(library.roots)
    raise StoreError(
        f"No session fits “{wanted}” below {roots}. ink-tui list --all shows every id."
    )


def _run(services: Services) -> int:
    """Run the application, then become the agent it was left for, if any."""
    clear_leftovers(services.state_dir)
    collect_seldom()
    load_packages()
    ahead = look_ahead(services.library, services.state_dir)
    wait([ahead], timeout=AHEAD_SECONDS)
    services = replace(services, ahead=ahead)
    app = build_app(services)
    Ending(app, services.demo.remove if services.demo is not None else _nothing).watch()
    try:
        left = app.run()
    finally:
        services.library.close()
    if app.crash is not None:
        raise InternalError(app.crash)
    plan = left.hand_over if left is not None else None
    if plan is None:
        return app.return_code or 0
    return _become(plan, services)


def collect_seldom() -> None:
    """Look for garbage in rings more seldom than Python does by itself.

    A session is a million small values without a ring among them. Looking through all of them again
    and again while they are made takes a third of the time of opening it, and each time the whole
    program stands still. What the screen leaves behind in rings is little, and found early.
    """
    gc.set_threshold(*_COLLECT_AFTER)


def _nothing() -> None:
    """There is nothing to clear up beside a demo."""


def _become(plan: LaunchPlan, services: Services) -> int:
    """Run an agent in this terminal: in our place, or inside a demo that must still be removed.

    Raises:
        StoreError: The folder or the program is gone meanwhile.
    """
    environment = dict(os.environ)
    try:
        if services.demo is not None:
            environment["HOME"] = str(services.demo.home)
            done = subprocess.run(plan.argv, cwd=plan.cwd, env=environment, check=False)
            return done.returncode
        os.chdir(plan.cwd)
        os.execve(plan.program, plan.argv, environment)
    except OSError as error:
        raise StoreError(f"{plan.agent} cannot be started: {error.strerror}.") from error
