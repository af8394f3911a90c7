"""What the first screen does not need: loaded behind it, so that the first key finds it there."""

from __future__ import annotations

from importlib import import_module

LATER = (
    "ink_tui.tui.render.session_views",
    "ink_tui.model.list_walk",
    "ink_tui.tui.screens.commands",
    "ink_tui.tui.screens.help",
    "ink_tui.tui.screens.search",
    "ink_tui.store.search.beside",
    "ink_tui.tui.screens.find_inside",
    "ink_tui.tui.screens.question",
    "ink_tui.tui.screens.resuming",
    "ink_tui.tui.screens.copying",
    "ink_tui.tui.screens.editing",
    "ink_tui.tui.screens.naming",
    "ink_tui.tui.screens.trashing",
    "ink_tui.tui.screens.cleaning",
    "ink_tui.tui.screens.exporting",
    "ink_tui.tui.screens.facts",
    "ink_tui.tui.screens.comparing",
    "ink_tui.tui.screens.lensing",
    "ink_tui.tui.screens.unfolding",
    "ink_tui.tui.widgets.terminal_pane",
    "ink_tui.agent.pty_process",
    "ink_tui.agent.engine_choice",
)
"""Modules in the order in which they are most likely needed; each brings what it imports."""


PACKAGES = (
    "ink_tui.agent",
    "ink_tui.formats.ink",
    "ink_tui.model.export",
    "ink_tui.store.search",
    "ink_tui.tui.render",
    "ink_tui.tui.screens",
    "ink_tui.tui.widgets",
)
"""What holds the modules that threads import."""


def load_packages() -> None:
    """Import the packages alone, before there are threads.

    A package is taken out of `sys.modules` and put back when its import ends: a thread that imports
    a module of it at that moment would not find it. The packages themselves import nothing.
    """
    for name in PACKAGES:
        import_module(name)


def load_session_pane() -> None:
    """Import what shows a session, which is wanted first; blocks, call it from a thread."""
    import_module("ink_tui.tui.widgets.session_pane")


def load_later() -> None:
    """Import all of them; blocks, call it from a thread."""
    for name in LATER:
        import_module(name)
