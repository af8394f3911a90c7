"""The config file: read, never written; every mistake is told with file, key and nearest key.

Missing file or missing key: the default. Agents are argument lists, never a line for a shell.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from ink_tui.errors import ConfigError
from ink_tui.keymap import DEFAULT_KEYMAP, Keymap, build_keymap
from ink_tui.paths import config_file, home_dir, ink_sessions_roots

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SESSIONS_DIR_VARIABLE = "INK_TUI_SESSIONS_DIR"
"""Session roots from the environment, parted as in PATH."""

_Table: TypeAlias = "Mapping[str, object]"
_Choice = TypeVar("_Choice", bound=StrEnum)


class GlyphSetting(StrEnum):
    """Which glyphs are drawn."""

    AUTO = "auto"
    UNICODE = "unicode"
    ASCII = "ascii"


class Motion(StrEnum):
    """How much moves on the screen."""

    FULL = "full"
    REDUCED = "reduced"


@dataclass(frozen=True, slots=True)
class RootsConfig:
    """`[roots]`: where sessions are looked for."""

    paths: tuple[Path, ...] = ()
    """Folders of sessions in place of Ink's own; `~` is the home folder."""


@dataclass(frozen=True, slots=True)
class AgentConfig:
    """`[agents.NAME]`: a program that continues sessions."""

    name: str
    """What the preflight calls it."""
    resume: tuple[str, ...] = ()
    """Program and arguments of a resume; `{id}`, `{path}`, `{cwd}`, `{entry}` are put in."""
    fork: tuple[str, ...] = ()
    """Program and arguments that fork a session itself; empty lets ink-tui copy, then resume."""
    match: tuple[str, ...] = ()
    """Names of its processes, by which one that runs is recognised; empty takes the program's."""


@dataclass(frozen=True, slots=True)
class UiConfig:
    """`[ui]`: how it looks."""

    theme: str = "ink"
    """`ink`, `ink-light`, or a theme of Textual."""
    glyphs: GlyphSetting = GlyphSetting.AUTO
    """`auto` is ASCII where the locale is not UTF-8 or the terminal is the Linux console."""
    motion: Motion = Motion.FULL
    """`reduced` leaves out fading and updates times every 10 s."""
    leave_chord: str = "ctrl+]"
    """Key that leaves the agent's pane and goes back to it; `[keys]` goes before it."""
    output_colours: bool = False
    """Draw outputs of tools in their own colours, read from colour sequences alone."""


@dataclass(frozen=True, slots=True)
class Config:
    """The whole file."""

    source: Path | None = None
    """The file that was read, None if there was none."""
    roots: RootsConfig = RootsConfig()
    agents: Mapping[str, AgentConfig] = field(default_factory=lambda: MappingProxyType({}))
    """By name, in the order of the file."""
    keymap: Keymap = DEFAULT_KEYMAP
    """The table of keys with `[keys]` put in."""
    ui: UiConfig = UiConfig()


def load_config(path: Path | None, env: Mapping[str, str]) -> Config:
    """Return the config.

    Args:
        path: The file to read, which must then exist; None reads the usual one, if it exists.
        env: The environment.

    Raises:
        ConfigError: The file cannot be read or asks for something that cannot be.
    """
    file = path or config_file(env)
    try:
        content = file.read_bytes()
        text = content.decode("utf-8")
    except FileNotFoundError:
        if path is None:
            return Config()
        raise ConfigError(f"{file}: there is no such config file.") from None
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{file}: line {line}: byte {error.start} is not UTF-8 text.") from None
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}.") from None
    import tomllib  # only now: most people have no such file

    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # more than TOML's own: numbers of any length
        raise ConfigError(f"{file}: this is not valid TOML: {error}.") from None
    return _read(table, file, env)


def session_roots(
    config: Config, env: Mapping[str, str], given: Sequence[Path] = ()
) -> tuple[Path, ...]:
    """Return the session roots: those given, else the environment's, else the config's, else Ink's.

    Args:
        config: The config.
        env: The environment.
        given: Roots from the command line.
    """
    named = [Path(part) for part in env.get(SESSIONS_DIR_VARIABLE, "").split(os.pathsep) if part]
    chosen = tuple(given) or tuple(named) or config.roots.paths
    return tuple(dict.fromkeys(map(Path.absolute, chosen))) or ink_sessions_roots(env)


def _read(table: _Table, file: Path, env: Mapping[str, str]) -> Config:
    reader = _Reader(file)
    reader.check_keys(table, "", ("roots", "agents", "keys", "ui"))
    roots = reader.table(table, "", "roots")
    reader.check_keys(roots, "roots", ("paths",))
    ui = _read_ui(reader, reader.table(table, "", "ui"))
    agents = reader.table(table, "", "agents")
    return Config(
        source=file,
        roots=RootsConfig(
            tuple(_expand(path, file, env) for path in reader.strings(roots, "roots", "paths"))
        ),
        agents=MappingProxyType({name: _read_agent(reader, agents, name) for name in agents}),
        keymap=_read_keys(reader, reader.table(table, "", "keys"), ui.leave_chord),
        ui=ui,
    )


def _expand(written: str, file: Path, env: Mapping[str, str]) -> Path:
    """Return a path of the file: `~` is the home folder, other paths start at the file's folder."""
    if written == "~" or written.startswith("~/"):
        return home_dir(env) / written[2:]
    return (file.parent / written).absolute()


def _read_ui(reader: _Reader, table: _Table) -> UiConfig:
    usual = UiConfig()
    reader.check_keys(table, "ui", ("theme", "glyphs", "motion", "leave_chord", "output_colours"))
    return UiConfig(
        theme=reader.string(table, "ui", "theme", usual.theme),
        glyphs=reader.choice(table, "ui", "glyphs", usual.glyphs),
        motion=reader.choice(table, "ui", "motion", usual.motion),
        leave_chord=reader.string(table, "ui", "leave_chord", usual.leave_chord),
        output_colours=reader.flag(table, "ui", "output_colours", usual.output_colours),
    )


def _read_agent(reader: _Reader, agents: _Table, name: str) -> AgentConfig:
    table = reader.table(agents, "agents", name)
    where = f"agents.{name}"
    reader.check_keys(table, where, ("resume", "fork", "match"))
    agent = AgentConfig(
        name,
        resume=reader.strings(table, where, "resume"),
        fork=reader.strings(table, where, "fork"),
        match=reader.one_or_more(table, where, "match"),
    )
    for key, argv in (("resume", agent.resume), ("fork", agent.fork)):
        if argv and not argv[0]:
            raise reader.error(where, key, "must start with the name or the path of a program")
    if not agent.resume:
        raise reader.error(where, "resume", 'is missing; write resume = ["program", "{id}"]')
    return agent


def _read_keys(reader: _Reader, table: _Table, leave_chord: str) -> Keymap:
    overrides: dict[str, tuple[str, ...]] = {}
    if leave_chord != UiConfig().leave_chord:
        overrides = {"leave-agent": (leave_chord,), "to-agent": (leave_chord,)}
    for action_id in table:
        overrides[action_id] = reader.one_or_more(table, "keys", action_id)
    return build_keymap(overrides, str(reader.file)) if overrides else DEFAULT_KEYMAP


@dataclass(frozen=True, slots=True)
class _Reader:
    """Takes values of a known type out of tables, and says what is wrong with others."""

    file: Path

    def error(self, where: str, key: str, what: str) -> ConfigError:
        place = f"[{where}] “{key}”" if where else f"“{key}”"
        return ConfigError(f"{self.file}: {place} {what}.")

    def check_keys(self, table: _Table, where: str, known: Sequence[str]) -> None:
        for key in table:
            if key not in known:
                from difflib import get_close_matches  # only a mistake needs it

                near = get_close_matches(key, known, n=1, cutoff=0.5)
                hint = f"did you mean “{near[0]}”?" if near else f"known are {', '.join(known)}"
                place = f"[{where}] has no key" if where else "there is no table or key"
                end = "" if hint.endswith("?") else "."
                raise ConfigError(f"{self.file}: {place} “{key}”; {hint}{end}")

    def table(self, table: _Table, where: str, key: str) -> dict[str, object]:
        value = table.get(key, {})
        if not isinstance(value, dict):
            raise self.error(where, key, f"must be a table, not {_kind(value)}")
        return value

    def string(self, table: _Table, where: str, key: str, usual: str) -> str:
        value = table.get(key, usual)
        if not isinstance(value, str):
            raise self.error(where, key, f"must be a text, not {_kind(value)}")
        return value

    def strings(self, table: _Table, where: str, key: str) -> tuple[str, ...]:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.error(where, key, f"must be a list of texts, not {_kind(value)}")
        if any("\0" in item for item in value):
            # No path and no argument of a program can hold one.
            raise self.error(where, key, "holds a zero byte")
        return tuple(value)

    def one_or_more(self, table: _Table, where: str, key: str) -> tuple[str, ...]:
        value = table.get(key)
        return (value,) if isinstance(value, str) else self.strings(table, where, key)

    def flag(self, table: _Table, where: str, key: str, usual: bool) -> bool:
        value = table.get(key, usual)
        if not isinstance(value, bool):
            raise self.error(where, key, f"must be true or false, not {_kind(value)}")
        return value

    def choice(self, table: _Table, where: str, key: str, usual: _Choice) -> _Choice:
        value = table.get(key, usual.value)
        known = [member.value for member in type(usual)]
        if value not in known:
            raise self.error(where, key, f"must be one of {', '.join(known)}, not “{value}”")
        return type(usual)(value)


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, dict):
        return "a table"
    return "a list of other things" if isinstance(value, list) else "a date or time"
