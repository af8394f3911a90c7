"""The questions before a file is opened in an editor. Pure."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from ink_tui.model.text import one_line, short_path
from ink_tui.tui.render.cells import cut_path
from ink_tui.tui.render.dialog_rows import Choice
from ink_tui.tui.render.question_rows import STAY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.store.mentioned import MentionedFile

OPEN, RECORD = "open", "record"
"""Ids of the answers that open a file: the only one, and the session's own at its record."""
_PATH_CELLS = 44


def which_question(
    editor: str, files: Sequence[MentionedFile], record_line: int | None, missing: str
) -> tuple[str, tuple[str, ...], tuple[Choice, ...]]:
    """Return title, sentences and answers of the question which file is meant.

    The answer for a file is its place among the files; `RECORD` and `STAY` are the others.

    Args:
        editor: Name of the editor.
        files: The files that are there.
        record_line: Line of the record in the session's file; `None` where it is not known.
        missing: Why the file that a call names cannot be opened.
    """
    title = f"Open which file in {one_line(editor)}?"
    sentences = (missing,) if missing else ()
    if not files:
        title = "There is no file to open"
        sentences = sentences or ("Nothing in this record names a file that is there.",)
    choices = [
        Choice(str(at), _named(file), "" if file.inside else "outside the session's folder", key)
        for at, (file, key) in enumerate(zip(files, "123456789", strict=False))
    ]
    if record_line is not None:
        words = "the session file itself; look, do not write"
        choices.append(Choice(RECORD, f"this record, line {record_line}", words, "s"))
    return title, sentences, (*choices, Choice(STAY, "Cancel", "nothing is opened"))


def outside_question(
    argv: Sequence[str], path: str, why: str, home: str
) -> tuple[str, tuple[str, ...], tuple[Choice, ...]]:
    """Return title, sentences and answers of the question before a file that is not a plain one.

    Args:
        argv: What would be run.
        path: The file.
        why: What is not plain about it, in a sentence.
        home: The user's home folder, written `~`.
    """
    return (
        f"Open {one_line(short_path(path, home))}?",
        (why, f"Runs: {one_line(shlex.join(argv))}"),
        (
            Choice(OPEN, "Open", "nothing is written by that alone"),
            Choice(STAY, "Cancel", "nothing is opened"),
        ),
    )


def _named(file: MentionedFile) -> str:
    line = f":{file.line}" if file.line is not None else ""
    return cut_path(one_line(file.shown), _PATH_CELLS) + line
