"""The works that faults are tried on: each writes one session, copy, export or file of ours.

A work is a name; `WORKS` does it and `content_for` makes the session that it is done on.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING

from ink_tui.errors import StoreError
from ink_tui.formats.ink.encode import encode_position
from ink_tui.model.entries import EntryId
from ink_tui.model.fork_points import fork_plan, fork_plan_at
from ink_tui.model.in_place import in_place
from ink_tui.model.listing import SessionRow
from ink_tui.model.liveness import NOBODY, Freshness
from ink_tui.model.salvage import salvage_plan
from ink_tui.store.annotate import Annotatable, look_to_annotate, write_label, write_name
from ink_tui.store.cache import RowCache
from ink_tui.store.export import make_export, save_export
from ink_tui.store.files import Fingerprint
from ink_tui.store.findings import Finding
from ink_tui.store.fork import write_fork
from ink_tui.store.in_place import continue_in_place
from ink_tui.store.marks import change_marks
from ink_tui.store.repair import apply_repair, plan_repair, undo_last
from ink_tui.store.repair_plan import read_diagnosis
from ink_tui.store.trash import folder_as_trash, move_to_trash, plan_trash
from tests.reliability.samples import plain
from tests.sessions import HEADER, answer, user
from tests.unit.repair_files import NOW

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ink_tui.model.marks import SessionMarks

TORN = b'{"type":"message","id":"torn","parentId":"z2","timestamp":"2026-03'
EXPORT_FOLDER = "exports"
"""Beside the folder of the session."""
NAME, LABEL = "a new name", "a label"
TARGET = EntryId("b0")
"""The record that is labelled."""
LEAF = EntryId("d0")
"""The record that a session goes on from in place: the end of its first turn."""
MARKER = encode_position(LEAF)
_CALL = (("c1", "bash", {"command": "x"}),)


def torn(size: int = 2_000) -> bytes:
    """A session that needs both steps of a repair: an open call behind a record, and a torn end."""
    return plain(size) + user("z1", "last", "go") + answer("z2", "z1", calls=_CALL) + TORN


def damaged(size: int = 2_000) -> bytes:
    """A session that only a salvage helps: a record glued to a part of one, and a torn end."""
    lines = plain(size).splitlines(keepends=True)
    middle = len(lines) // 2
    glued = lines[middle - 1][:40] + lines[middle]
    return b"".join([*lines[: middle - 1], glued, *lines[middle + 1 :], TORN])


_CONTENT: dict[str, Callable[[int], bytes]] = {
    "repair": torn,
    "undo": torn,
    "fork": torn,
    "salvage": damaged,
}


@cache
def content_for(work: str, size: int = 2_000) -> bytes:
    """Return a session that a work can be done on: torn, damaged or sound.

    Args:
        work: Name of the work.
        size: Bytes of its sound part.
    """
    return _CONTENT.get(work, plain)(size)


def export_target(path: Path, work: str) -> Path:
    """Return the file that an export of a session goes to."""
    form = work.removeprefix("export ")
    return path.parent.parent / EXPORT_FOLDER / f"out.{'md' if form == 'over' else form}"


def _repair(path: Path, state: Path) -> None:
    apply_repair(plan_repair(path, now_ms=NOW), state_dir=state, now_ms=NOW)


def _undo(path: Path, state: Path) -> None:
    undo_last(path, state_dir=state, now_ms=NOW)


def _fork(path: Path, _state: Path) -> None:
    plan = fork_plan(read_diagnosis(path)[0])
    write_fork(path, plan, root=path.parent.parent, now_ms=NOW)


def _salvage(path: Path, _state: Path) -> None:
    plan = salvage_plan(read_diagnosis(path)[0], None)
    write_fork(path, plan, root=path.parent.parent, now_ms=NOW)


def _look(path: Path) -> Annotatable:
    return look_to_annotate(path, now_ms=NOW, holder_of=lambda _: NOBODY)


def _rename(path: Path, state: Path) -> None:
    write_name(_look(path), NAME, state_dir=state, now_ms=NOW, holder=NOBODY)


def _label(path: Path, state: Path) -> None:
    write_label(_look(path), TARGET, LABEL, state_dir=state, now_ms=NOW, holder=NOBODY)


def _in_place(path: Path, state: Path) -> None:
    diagnosis, before = read_diagnosis(path)
    wanted = in_place(diagnosis, fork_plan_at(diagnosis, LEAF))
    assert wanted is not None
    continue_in_place(
        path, before, wanted, state_dir=state, now_ms=NOW, fresh=Freshness.COLD, holder=NOBODY
    )


def _export(form: str, path: Path, _state: Path) -> None:
    export = make_export(str(path), "md" if form == "over" else form, home=None)
    target = export_target(path, f"export {form}")
    save_export(export, target, [path.parent], force=form == "over")


def flip_pin(marks: SessionMarks) -> SessionMarks:
    """Return the marks of a session with its pin put on or taken off."""
    return replace(marks, pinned=not marks.pinned)


def _state(_path: Path, state: Path) -> None:
    change_marks(state, str(HEADER["id"]), flip_pin)


def finding(path: Path, title: str) -> Finding:
    """Return what reading a session whole may have brought."""
    row = SessionRow(path=str(path), session_id="id", title=title)
    return Finding(Fingerprint(1, 2, 3, 4), row, b"digests")


def _cache(path: Path, state: Path) -> None:
    cache = RowCache(state)
    cache.keep({str(path): finding(path, NAME)})
    if cache.notice:
        raise StoreError(cache.notice)


def trash_folder(path: Path) -> Path:
    """Return the folder that takes the place of the desktop's trash."""
    return path.parent.parent / "trash"


def _trash(path: Path, state: Path) -> None:
    plan = plan_trash(str(path), now_ms=NOW, holder_of=lambda _: NOBODY)
    move_to_trash(
        plan,
        state_dir=state,
        now_ms=NOW,
        holder_of=lambda _: NOBODY,
        trash=folder_as_trash(trash_folder(path)),
    )


WORKS: dict[str, Callable[[Path, Path], None]] = {
    "repair": _repair,
    "undo": _undo,
    "fork": _fork,
    "salvage": _salvage,
    "rename": _rename,
    "label": _label,
    "in place": _in_place,
    **{f"export {form}": partial(_export, form) for form in ("md", "html", "jsonl", "over")},
    "state": _state,
    "trash": _trash,
    "cache": _cache,
}
"""Each is given the session file and our own state folder, and raises what it raises."""

ROWS: dict[str, tuple[str, ...]] = {
    "repair": ("repair",),
    "undo": ("undo",),
    "fork": ("fork",),
    "salvage": ("salvage",),
    "annotate": ("rename", "label"),
    "in place": ("in place",),
    "export": ("export md", "export html", "export jsonl", "export over"),
    "state": ("state",),
    "trash": ("trash",),
    "cache": ("cache",),
}
"""The works that are counted in one row."""
HOLDS = {
    **dict.fromkeys(("repair", "undo", "annotate", "in place"), "old, or new with a good copy"),
    **dict.fromkeys(("fork", "salvage"), "the copy whole or absent, the original untouched"),
    "export": "the file whole or as it was",
    "state": "our file old or new",
    "trash": "every session whole, here or in the trash",
    "cache": "every row old, new or read again",
}
"""What must hold of a row, whatever happens."""
