"""S8: sessions that others can read are reported, by the mode bits of file and folders."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.access import Readers
from ink_tui.store.access import look_at_access
from ink_tui.store.reader import read_session
from tests.cases import run_json
from tests.sessions import simple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.reliability.ledger import Ledger, Row

_FILES = (0o600, 0o640, 0o604, 0o644, 0o666, 0o000)
_FOLDERS = (0o700, 0o710, 0o701, 0o711, 0o750, 0o755)
_GROUP, _STRANGER = 54_321, 65_534


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that everybody can reach: those of pytest are private."""
    folder = Path(tempfile.mkdtemp(prefix="ink-tui-readers-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def _can_read(path: Path, group: int) -> bool:
    """Ask the system itself, as another user who is in one group."""
    done = subprocess.run(
        ["/bin/cat", path],
        user=_STRANGER,
        group=group,
        extra_groups=(),
        cwd="/",
        capture_output=True,
        check=False,
    )
    return done.returncode == 0


def _really(path: Path) -> Readers:
    if _can_read(path, _STRANGER):
        return Readers.EVERYONE
    return Readers.GROUP if _can_read(path, _GROUP) else Readers.OWNER


def _by_rule(file_mode: int, folders: tuple[int, ...]) -> Readers:
    for digit, readers in ((0o7, Readers.EVERYONE), (0o70, Readers.GROUP)):
        if file_mode & digit & 0o044 and all(mode & digit & 0o011 for mode in folders):
            return readers
    return Readers.OWNER


def _try(row: Row, path: Path, modes: tuple[int, int, int], *, ask: bool) -> None:
    file_mode, inner, outer = modes
    store, folder = path.parent.parent, path.parent
    for item, mode in ((path, file_mode), (folder, inner), (store, outer)):
        item.chmod(mode)
    row.trial()
    found = look_at_access(str(path))
    words = tuple(f"{mode:o}" for mode in modes)
    row.check(found is not None, words, "cannot be told")
    if found is None:
        return
    for wanted in (_by_rule(file_mode, (inner, outer)), _really(path) if ask else found.readers):
        row.check(found.readers == wanted, words, found.readers, "is really", wanted)
    row.note(found.readers)
    kept = tuple(item.stat().st_mode & 0o7777 for item in (path, folder, store))
    row.check(kept == modes, words, "the rights were changed", kept)


def test_who_can_read_is_reported(ledger: Ledger, place: Path) -> None:
    """As root, another user and a member of the group are asked; else the rule is written anew."""
    ask = os.geteuid() == 0
    path = place / "store" / "folder" / "s.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(simple())
    if ask:
        for item in (path, path.parent, path.parent.parent):
            os.chown(item, 0, _GROUP)
    what = "sessions that others can read, by modes of file and folders: named as it is, kept"
    with ledger.row("S8 report", what, least=100) as row:
        for modes in itertools.product(_FILES, _FOLDERS, (0o700, 0o710, 0o755)):
            _try(row, path, modes, ask=ask)
        for item, mode in ((path, 0o644), (path.parent, 0o755), (path.parent.parent, 0o755)):
            item.chmod(mode)
        diagnosis, _state = read_session(str(path))
        (answer,) = run_json("check", "--json", str(path))
        row.check(answer["readable_by"] == "everyone", answer["readable_by"])
        row.check(answer["verdict"] == diagnosis.verdict == "clean", "it became a fault")
