"""One work on one session, with what may stand on the disk when it was disturbed."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from ink_tui.errors import InkTuiError
from ink_tui.model.verdict import Verdict
from ink_tui.store.cache import RowCache
from ink_tui.store.discover import find_session_files
from ink_tui.store.export import make_export
from ink_tui.store.journal import read_journal
from ink_tui.store.leftovers import clear_leftovers
from ink_tui.store.marks import change_marks, marks_path, read_marks
from ink_tui.store.repair import apply_repair, plan_repair, undo_last
from ink_tui.store.repair_plan import diagnosis_of
from tests.reliability.works import LABEL, MARKER, NAME, WORKS, export_target, finding, trash_folder
from tests.sessions import HEADER, line, user
from tests.unit.repair_files import NOW, OLD_NS, put, repair

if TYPE_CHECKING:
    from tests.reliability.ledger import Row

Ended: TypeAlias = Literal["done", "failed", "killed"]
"""How a work ended."""


_SIGNS = {
    "rename": f'"name":"{NAME}"'.encode(),
    "label": f'"label":"{LABEL}"'.encode(),
    "in place": MARKER[:-1],
}
"""What stands in the record that a note appends."""


class Trial:
    """A session in a folder of its own, and the work that is done on it."""

    def __init__(self, folder: Path, work: str, content: bytes) -> None:
        self.work = work
        self.folder = folder
        self.state = folder / "state"
        folder.mkdir()
        self.path = put(folder / "store", content)
        self.content = content
        self.old = content

    def check(self, row: Row, words: object, ended: Ended) -> None:
        """Hold what lies on the disk against the promise.

        Args:
            row: Where violations are counted.
            words: What happened, for the messages.
            ended: How the work ended.
        """
        raise NotImplementedError

    def check_next(self, row: Row, words: object) -> None:
        """Whatever happened, the next try brings it to an end and clears up."""
        raise NotImplementedError

    def again(self, row: Row, words: object) -> None:
        """Do the work once more, undisturbed."""
        try:
            WORKS[self.work](self.path, self.state)
        except InkTuiError as error:
            row.check(False, words, "the next try fails:", error)

    def close(self) -> None:
        """Remove everything."""
        shutil.rmtree(self.folder)


class EndTrial(Trial):
    """The end of the session is changed in place: a repair or an undo."""

    def __init__(self, folder: Path, work: str, content: bytes) -> None:
        super().__init__(folder, work, content)
        if work == "undo":
            repair(self.path, self.state)
        self.old = self.path.read_bytes()
        self.copies = sorted(self.state.glob("backups/*"))
        self.kept = content[: content.rfind(b"\n") + 1]

    def stands(self, content: bytes) -> str:
        """Name the state of the file: `old`, `new`, `between` or `WRONG`."""
        if content == self.old:
            return "old"
        if self.work == "undo":
            states = {self.content: "new", self.kept: "between"}
            return states.get(content, "WRONG")
        if content == self.kept:
            return "between"
        closed = content.startswith(self.kept) and not diagnosis_of(content).repair_needed
        return "new" if closed else "WRONG"

    def check(self, row: Row, words: object, ended: Ended) -> None:
        """The file is old, or new with a good copy; the journal names only what is there."""
        content = self.path.read_bytes()
        stands = self.stands(content)
        row.note(stands)
        row.check(stands != "WRONG", self.work, words, content[-80:])
        row.check(ended != "done" or stands == "new", self.work, words, "done, and not done")
        if stands in ("new", "between"):
            self.check_copies(row, words)
        beside = [item.name for item in self.path.parent.iterdir() if item != self.path]
        row.check(not beside, words, "left in the store", beside)

    def check_copies(self, row: Row, words: object) -> None:
        """Every copy that the journal names is good, and one is of the file before the change."""
        good = {item: item.read_bytes() for item in self.state.glob("backups/*")}
        made = [content for item, content in good.items() if item not in self.copies]
        row.check(self.old in made, self.work, words, "changed without a good copy")
        begun = [each for each in read_journal(self.state) if each.what == "begin"]
        row.check(bool(begun), self.work, words, "changed, and the journal does not know")
        for each in begun:
            copy = good.get(Path(each.backup), b"")
            right = hashlib.sha256(copy).hexdigest() == each.backup_digest
            row.check(right, self.work, words, "the journal names a copy that is not good")

    def check_next(self, row: Row, words: object) -> None:
        """The next repair brings it to an end and clears up."""
        os.utime(self.path, ns=(0, 0))
        plan = plan_repair(self.path, now_ms=NOW)
        row.check(plan.allowed, words, "the next repair is refused:", plan.sentence)
        if plan.allowed and plan.needed:
            apply_repair(plan, state_dir=self.state, now_ms=NOW)
        row.check(self.path.read_bytes().startswith(self.kept), words, "records were lost")
        row.check(not diagnosis_of(self.path.read_bytes()).repair_needed, words, "not repaired")


class NoteTrial(EndTrial):
    """One record is appended: a name, a label or a position marker."""

    def stands(self, content: bytes) -> str:
        """Name the state of the file: `old`, `new` or `WRONG`."""
        if content == self.old:
            return "old"
        added = content[len(self.old) :]
        one = added.count(b"\n") == 1 and added.endswith(b"\n") and _SIGNS[self.work] in added
        clean = diagnosis_of(content).verdict is Verdict.CLEAN
        return "new" if one and clean and content.startswith(self.old) else "WRONG"

    def check_next(self, row: Row, words: object) -> None:
        """What was written can be taken back; then it can be written again."""
        os.utime(self.path, ns=(0, 0))
        if self.stands(self.path.read_bytes()) == "new":
            try:
                undo_last(self.path, state_dir=self.state, now_ms=NOW)
            except InkTuiError as error:
                row.check(False, words, "cannot be undone:", error)
        row.check(self.path.read_bytes() == self.old, words, "not as it was before")
        self.again(row, words)
        row.check(self.stands(self.path.read_bytes()) == "new", words, "not written again")


class CopyTrial(Trial):
    """A copy is made beside the session: a fork or a salvage."""

    def check(self, row: Row, words: object, ended: Ended) -> None:
        """The original is as it was; what is listed is it and at most one whole copy."""
        row.check(self.path.read_bytes() == self.old, words, "the original was changed")
        copies = self._listed(row, words)
        row.check(len(copies) <= 1, words, "more than one copy", len(copies))
        row.check(ended != "done" or len(copies) == 1, words, "done, and no copy")
        row.check(ended != "failed" or not copies, words, "published, and called failed")
        row.note("published" if copies else "old")
        for copy in copies:
            sound = diagnosis_of(copy.read_bytes()).verdict is Verdict.CLEAN
            row.check(sound, words, "a part of a copy is taken for a session", copy.name)
            row.check(copy.stat().st_nlink == 1, words, "a copy with two names")

    def _listed(self, row: Row, words: object) -> list[Path]:
        """Return the copies that Ink lists by its rule, which are those that we list."""
        names = {item for item in self.path.parent.iterdir() if item.suffix == ".jsonl"}
        ours = {found.path for found in find_session_files([str(self.folder / "store")])}
        row.check(ours == set(map(str, names)), words, "we list others than the agent", ours)
        return sorted(names - {self.path})

    def check_next(self, row: Row, words: object) -> None:
        """The next copy is made, and nothing but sessions is left."""
        self.again(row, words)
        left = [item.name for item in self.path.parent.iterdir() if item.suffix != ".jsonl"]
        row.check(not left, words, "left behind", left)


class ExportTrial(Trial):
    """The session is exported to a file; `export over` replaces one that is there."""

    def __init__(self, folder: Path, work: str, content: bytes) -> None:
        super().__init__(folder, work, content)
        self.target = export_target(self.path, work)
        self.target.parent.mkdir()
        form = self.target.suffix[1:]
        self.whole = make_export(str(self.path), form, home=None).content
        self.before: bytes | None = None
        if work == "export over":
            self.before = b"mine\n"
            self.target.write_bytes(self.before)

    def check(self, row: Row, words: object, ended: Ended) -> None:
        """The file is whole, or as it was: absent, or what was to be replaced."""
        row.check(self.path.read_bytes() == self.old, words, "the session was changed")
        found = self.target.read_bytes() if self.target.exists() else None
        row.check(found in (self.before, self.whole), self.work, words, "half of it", found)
        row.check(ended != "done" or found == self.whole, self.work, words, "done, and not whole")
        row.note("new" if found == self.whole else "old")

    def check_next(self, row: Row, words: object) -> None:
        """The next export is made, and nothing is left beside it; a whole one is never replaced."""
        if self.work != "export over" and self.target.exists():
            self.target.unlink()
        self.again(row, words)
        left = {item.name: item.stat().st_nlink for item in self.target.parent.iterdir()}
        row.check(left == {self.target.name: 1}, words, "left behind", left)
        row.check(self.target.read_bytes() == self.whole, words, "not whole")


class StateTrial(Trial):
    """A file of our own is replaced: the marks."""

    def __init__(self, folder: Path, work: str, content: bytes) -> None:
        super().__init__(folder, work, content)
        self.file = marks_path(self.state)
        change_marks(self.state, "another", lambda marks: replace(marks, note="keep this"))
        WORKS[work](self.path, self.state)
        first = self.file.read_bytes()
        WORKS[work](self.path, self.state)
        self.before, self.after = self.file.read_bytes(), first
        assert self.before != self.after

    def check(self, row: Row, words: object, ended: Ended) -> None:
        """The file is the old one or the new one."""
        row.check(self.path.read_bytes() == self.old, words, "the session was changed")
        found = self.file.read_bytes() if self.file.exists() else None
        row.check(found in (self.before, self.after), words, "a third state", found)
        row.check(ended != "done" or found == self.after, words, "done, and not done")
        row.check(not read_marks(self.state).notice, words, "called damaged")
        row.note("new" if found == self.after else "old")

    def check_next(self, row: Row, words: object) -> None:
        """The next start clears up, and the next change is made."""
        clear_leftovers(self.state)
        left = sorted(item.name for item in self.state.iterdir())
        row.check(set(left) <= {self.file.name, ".marks.lock"}, words, "left behind", left)
        before = self.file.read_bytes()
        self.again(row, words)
        row.check(self.file.read_bytes() != before, words, "not changed")


class TrashTrial(Trial):
    """The session goes to the trash, after a sub-agent session of it."""

    def __init__(self, folder: Path, work: str, content: bytes) -> None:
        super().__init__(folder, work, content)
        self.child = self.path.parent / "children" / "child.jsonl"
        self.child.parent.mkdir()
        header = HEADER | {"id": "child", "parent": HEADER["id"]}
        self.child.write_bytes(line(header) + user("a", None, "go on"))
        os.utime(self.child, ns=(OLD_NS, OLD_NS))
        self.trash = trash_folder(self.path)
        self.whole = {path: path.read_bytes() for path in (self.path, self.child)}

    def went(self, path: Path) -> bool:
        """Whether a file is in the trash."""
        return (self.trash / path.name).exists()

    def check(self, row: Row, words: object, ended: Ended) -> None:
        """Every file is whole in exactly one place, and the session went last."""
        for path, content in self.whole.items():
            places = [each for each in (path, self.trash / path.name) if each.exists()]
            row.check(len(places) == 1, words, "in one place", places)
            whole = all(each.read_bytes() == content for each in places)
            row.check(whole, words, "is not what it was", path.name)
        gone = self.went(self.path)
        # A sub-agent session that we may not read is nobody's, and stays.
        last = self.went(self.child) or not gone or "EACCES" in str(words)
        row.check(last, words, "the session went first")
        row.check(ended != "done" or gone, words, "done, and still there")
        row.note("new" if gone else "between" if self.went(self.child) else "old")
        if self.went(self.child):
            journal = (self.state / "trash.jsonl").read_bytes().splitlines()
            known = bool(journal) and str(self.child) in json.loads(journal[0])["paths"]
            row.check(known, words, "moved, and the journal does not know")

    def check_next(self, row: Row, words: object) -> None:
        """What is left goes with the next try."""
        if not self.went(self.path):
            self.again(row, words)
        gone = self.went(self.path) and (self.went(self.child) or "EACCES" in str(words))
        row.check(gone, words, "did not go")


class CacheTrial(Trial):
    """What was read of a session is kept for the next start."""

    def __init__(self, folder: Path, work: str, content: bytes) -> None:
        super().__init__(folder, work, content)
        self.before = {"old": finding(Path("old"), "old"), str(self.path): finding(self.path, "")}
        RowCache(self.state).keep(self.before)
        self.after = self.before | {str(self.path): finding(self.path, NAME)}

    def check(self, row: Row, words: object, ended: Ended) -> None:
        """Whatever is found in it is right; it can always be read anew from the sessions."""
        found = RowCache(self.state).load()
        for path, cached in found.items():
            known = [each.row for each in (self.before[path], self.after[path])]
            row.check(cached.row in known, words, "a wrong row", cached.row)
        new = str(self.path) in found and found[str(self.path)].row.title == NAME
        row.check(ended != "done" or new, words, "done, and not kept")
        row.note("new" if new else "old")
        row.check(self.path.read_bytes() == self.old, words, "the session was changed")

    def check_next(self, row: Row, words: object) -> None:
        """The next one is kept, and nothing is left beside it."""
        self.again(row, words)
        rows = [each.row for each in RowCache(self.state).load().values()]
        row.check(self.after[str(self.path)].row in rows, words, "not kept")
        left = [item.name for item in self.state.iterdir() if item.name != "sessions.sqlite"]
        row.check(not left, words, "left behind", left)


_KINDS: dict[str, type[Trial]] = {
    **dict.fromkeys(("repair", "undo"), EndTrial),
    **dict.fromkeys(("rename", "label", "in place"), NoteTrial),
    **dict.fromkeys(("fork", "salvage"), CopyTrial),
    "state": StateTrial,
    "trash": TrashTrial,
    "cache": CacheTrial,
}


def trial_of(folder: Path, work: str, content: bytes) -> Trial:
    """Make the trial of a work.

    Args:
        folder: Where; it must not exist.
        work: Name of the work.
        content: The session.
    """
    return _KINDS.get(work, ExportTrial)(folder, work, content)
