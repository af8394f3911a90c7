"""Where things are: our own folders and Ink's sessions. Nothing here creates or opens anything.

Our own folders come from platformdirs and can be moved one by one through the environment. Ink's
folder does not: Ink looks below the home folder as Node names it, and only there
(`formats/ink.md` 1.1).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platformdirs.api import PlatformDirsABC

APP_NAME = "ink-tui"
CONFIG_DIR_VARIABLE = "INK_TUI_CONFIG_DIR"
STATE_DIR_VARIABLE = "INK_TUI_STATE_DIR"
CACHE_DIR_VARIABLE = "INK_TUI_CACHE_DIR"


def config_dir(env: Mapping[str, str]) -> Path:
    """Return the folder of the config file."""
    return _moved(env, CONFIG_DIR_VARIABLE) or _usual().user_config_path


def config_file(env: Mapping[str, str]) -> Path:
    """Return the config file, whether it exists or not."""
    return config_dir(env) / "config.toml"


def state_dir(env: Mapping[str, str]) -> Path:
    """Return the folder of backups, journal and log."""
    return _moved(env, STATE_DIR_VARIABLE) or _usual().user_state_path


def cache_dir(env: Mapping[str, str]) -> Path:
    """Return the folder of what can be computed again."""
    return _moved(env, CACHE_DIR_VARIABLE) or _usual().user_cache_path


def home_dir(env: Mapping[str, str]) -> Path:
    """Return the home folder by the rule of Node's `os.homedir` (`formats/ink.md` 1.1).

    Raises:
        ConfigError: Neither the environment nor the password database names one.
    """
    variable = "USERPROFILE" if sys.platform == "win32" else "HOME"
    named = env.get(variable)
    if named is not None:
        return Path(named)
    if sys.platform != "win32":
        import pwd

        try:
            return Path(pwd.getpwuid(os.getuid()).pw_dir)
        except KeyError:
            pass
    raise ConfigError(f"Your home folder is not known. Set {variable}, or use --sessions-dir.")


def ink_sessions_dir(env: Mapping[str, str]) -> Path:
    """Return the one folder in which Ink itself looks for sessions."""
    return home_dir(env) / ".ink" / "sessions"


def legacy_sessions_dir(env: Mapping[str, str]) -> Path:
    """Return the folder of the agent's predecessor, read and copied from but never written."""
    return home_dir(env) / ".imp" / "sessions"


def ink_sessions_roots(env: Mapping[str, str]) -> tuple[Path, ...]:
    """Return Ink's folder, and its predecessor's if there is one (`formats/ink.md` 1.8)."""
    legacy = legacy_sessions_dir(env)
    return (ink_sessions_dir(env), legacy) if legacy.is_dir() else (ink_sessions_dir(env),)


def _moved(env: Mapping[str, str], variable: str) -> Path | None:
    named = env.get(variable)
    return Path(named).expanduser().absolute() if named else None


def _usual() -> PlatformDirsABC:
    import platformdirs  # not needed where the environment names the folders

    return platformdirs.PlatformDirs(APP_NAME, False)
