"""Everything that the screens are given from outside, so that tests can give something else."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING

from ink_tui.config import Config
from ink_tui.tui.render.glyphs import UNICODE, Glyphs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Future
    from pathlib import Path

    from ink_tui.agent.agents import Agent
    from ink_tui.agent.continuing import Surroundings
    from ink_tui.agent.engine_choice import EngineChoice
    from ink_tui.agent.launch import LaunchPlan
    from ink_tui.store.demo import Demo
    from ink_tui.store.library import Library
    from ink_tui.store.search.service import SearchService
    from ink_tui.tui.screens.first_look import FirstLook


def _search_beside() -> SearchService:
    # Loaded behind the first screen.
    from ink_tui.store.search.beside import SearchBeside

    return SearchBeside()


def _system_trash(path: str) -> None:
    from ink_tui.store.trash import system_trash  # only a clean-up needs it

    system_trash(path)


@dataclass(frozen=True, slots=True)
class Services:
    """The outside world of the program."""

    library: Library
    clock: Callable[[], int]
    """The present in milliseconds since 1970."""
    state_dir: Path
    """Our own folder for backups, journal and locks."""
    agents: tuple[Agent, ...]
    """Known agents in order of preference."""
    load_engine: Callable[[], EngineChoice]
    """Imports a terminal engine; raises `LaunchError` when there is none."""
    env: Mapping[str, str]
    """Environment of the agents that are started."""
    own_env: Mapping[str, str] = field(default_factory=dict)
    """Environment of this program: of the user's own editor, which gets this terminal."""
    home: str = ""
    """Home folder, shown as `~`."""
    cwd: str = ""
    """Current folder of the shell: its group comes first."""
    zone: tzinfo = UTC
    """Zone in which times are shown."""
    config: Config = field(default_factory=Config)
    glyphs: Glyphs = UNICODE
    demo: Demo | None = None
    wanted: str | None = None
    """Session file to open at the start."""
    watch: bool = True
    """Whether the roots are watched; tests that drive the clock by hand turn it off."""
    load_search: Callable[[], SearchService] = _search_beside
    """Makes what searches the contents of sessions; it is closed at the end."""
    ahead: Future[FirstLook] | None = None
    """What the first screen shows, if somebody looks for it already."""
    search_path: str | None = None
    """Folders to look for programs in; None takes `PATH`."""
    trash: Callable[[str], None] = _system_trash
    """Moves a file or folder to the trash; raises what the system raises."""

    @property
    def surroundings(self) -> Surroundings:
        """What a resume depends on beside the session."""
        from ink_tui.agent.continuing import Surroundings  # only a resume needs it

        return Surroundings(
            roots=self.library.roots,
            state_dir=self.state_dir,
            agents=self.agents,
            clock=self.clock,
            home=self.home,
            zone=self.zone,
            search_path=self.search_path,
        )

    def now(self) -> datetime:
        """Return the present as an aware moment."""
        return datetime.fromtimestamp(self.clock() / 1000, UTC)


@dataclass(frozen=True, slots=True)
class Leave:
    """How the program was left."""

    hand_over: LaunchPlan | None = None
    """Become this agent in the same terminal; None just ends."""
