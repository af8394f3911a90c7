"""Making and removing the folder of the demo.

The folder is a home of its own: it holds `.ink/sessions` and the working folders, so that `~` in
front of a path is short for it when `HOME` names it. Everything is created anew with mode 0700, and
everything is removed at the end; nothing outside is touched.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ink_tui.errors import StoreError
from ink_tui.formats.ink.constants import CHILDREN_FOLDER
from ink_tui.formats.ink.layout import ink_dir_name, session_file_name
from ink_tui.store.demo import sessions
from ink_tui.store.demo.interrupted import interrupted
from ink_tui.store.demo.working_folders import API_FILES, DEMO_FILES, JAPANESE_FILES

if TYPE_CHECKING:
    from types import TracebackType

    from ink_tui.store.demo.script import Script

DEMO_MARKER = ".ink-tui-demo"
"""Name of the file in a root of sessions that marks it as a demo's."""

_MARKER_TEXT = "A private copy made by ink-tui --demo. It is removed when the program ends.\n"


@dataclass(frozen=True, slots=True)
class Demo:
    """A demo on disk; as a context manager it removes itself at the end."""

    home: Path
    """The private folder; give it to programs as `HOME`."""
    root: Path
    """The root of sessions below it."""
    cwd: Path
    """Working folder of the session that the demo opens on."""
    cwds: tuple[Path, ...]
    """All working folders that exist."""
    first: Path
    """File of the session that the demo opens on."""

    @property
    def state_dir(self) -> Path:
        """Where backups, journal and locks of the demo go: inside it, like everything else."""
        return demo_state_dir(self.root)

    def remove(self) -> None:
        """Remove the whole folder; does nothing when it is gone.

        Raises:
            StoreError: The folder does not look like a demo, or cannot be removed.
        """
        if not self.home.exists():
            return
        if not is_demo(self.root):
            raise StoreError(f"{self.home} is no longer a demo folder; it was left as it is.")
        try:
            shutil.rmtree(self.home)
        except OSError:
            # A process that was just stopped may have made a last file meanwhile.
            shutil.rmtree(self.home, ignore_errors=True)
        if self.home.exists():
            raise StoreError(f"{self.home} cannot be removed whole; remove it by hand.")

    def __enter__(self) -> Demo:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.remove()


def is_demo(root: Path | str) -> bool:
    """Return whether a root of sessions belongs to a demo: it holds the marker, as a real file."""
    try:
        return stat.S_ISREG(os.lstat(Path(root) / DEMO_MARKER).st_mode)
    except OSError:
        return False


def demo_state_dir(root: Path | str) -> Path:
    """Return the folder for our own state that belongs to a demo's root of sessions."""
    return Path(root).parent.parent / ".local" / "state" / "ink-tui"


def create_demo(now_ms: int, directory: Path | None = None) -> Demo:
    """Make a demo.

    Args:
        now_ms: The present in milliseconds since 1970; all times in the demo are before it.
        directory: Where to make it, for pictures that must come out the same; must not exist.
            A new temporary folder if not given.

    Raises:
        StoreError: The folder cannot be made or written.
    """
    try:
        if directory is None:
            home = Path(tempfile.mkdtemp(prefix="ink-tui-demo-")).resolve()
        else:
            directory.mkdir(mode=0o700)
            home = directory.resolve()
    except OSError as error:
        raise StoreError(f"The demo folder cannot be made: {error}") from error
    try:
        return _fill(home, now_ms)
    except BaseException as error:
        shutil.rmtree(home, ignore_errors=True)
        if isinstance(error, OSError):
            raise StoreError(f"The demo cannot be written: {error}") from error
        raise


def _fill(home: Path, now_ms: int) -> Demo:
    root = home / ".ink" / "sessions"
    _make_folder(root, home)
    (root / DEMO_MARKER).write_text(_MARKER_TEXT, encoding="utf-8")
    demo, api = home / "work" / "demo", home / "work" / "api"
    project = home / "src" / "日本語プロジェクト"
    main, reviewer = interrupted(str(demo), now_ms)
    first = _write(root, main)
    _write(root, reviewer, child=True)
    renamed, fork = sessions.renamed_and_fork(str(demo), now_ms)
    made = [sessions.wide_title(str(demo), now_ms), renamed, fork]
    made.append(sessions.empty(str(demo), now_ms))
    made.extend(make(str(api), now_ms) for make in sessions.IN_API)
    made.extend(make(str(project), now_ms) for make in sessions.IN_JAPANESE)
    made.append(sessions.missing_folder(str(home / "old" / "website"), now_ms))
    for item in made:
        _write(root, item.script)
        for child in item.children:
            _write(root, child, child=True)
    long_ago = now_ms - 30 * 86_400_000
    for folder, files in ((demo, DEMO_FILES), (api, API_FILES), (project, JAPANESE_FILES)):
        for name, content in files:
            _make_folder((folder / name).parent, home)
            _write_file(folder / name, content.encode(), long_ago)
    # What the interrupted calls did: the edit was made, the tests had begun.
    _set_time(demo / "src" / "sum.ts", main.now_ms)
    _set_time(demo / "coverage" / "lcov.info", main.now_ms + 2_000)
    return Demo(home, root, demo, (demo, api, project), first)


def _write(root: Path, script: Script, *, child: bool = False) -> Path:
    folder = root / ink_dir_name(script.cwd)
    if child:
        folder /= CHILDREN_FOLDER
    _make_folder(folder, root)
    path = folder / session_file_name(script.start_ms, script.file_id)
    _write_file(path, script.content, script.now_ms)
    return path


def _make_folder(folder: Path, below: Path) -> None:
    """Make a folder and those above it down to `below`, each readable by its owner alone."""
    for part in reversed([folder, *folder.parents]):
        if part.is_relative_to(below) and not part.exists():
            part.mkdir(mode=0o700)


def _write_file(path: Path, content: bytes, time_ms: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(content)
    _set_time(path, time_ms)


def _set_time(path: Path, time_ms: int) -> None:
    os.utime(path, ns=(time_ms * 1_000_000, time_ms * 1_000_000))
