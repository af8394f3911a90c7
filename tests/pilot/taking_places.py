"""Ways to what can be taken out of a session, and the proofs of the keys that do it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ink_tui.model.tool_facts import tool_facts
from ink_tui.model.transcript import ToolBody
from tests.pilot.app import settled
from tests.pilot.key_places import Proof, becomes, more

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.pilot.run import Run


@dataclass
class _Note:
    """Takes note of what is run."""

    argvs: list[tuple[str, ...]] = field(default_factory=list)

    def __call__(self, argv: tuple[str, ...], _env: Mapping[str, str], *, apart: bool) -> int:
        assert apart
        self.argvs.append(argv)
        return 0


def _set_editor(run: Run) -> None:
    """Let an editor be set that has a window and does nothing."""
    program = run.demo.home / ".local" / "bin" / "code"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700)
    editing = run.browser.editing
    editing.services = replace(editing.services, own_env={"EDITOR": str(program)})
    editing.run = _Note()


async def on_edit(run: Run) -> None:
    """A call that edits a file, in the transcript; an editor is set."""
    _set_editor(run)
    await run.press("2")
    block = next(
        block
        for block in run.transcript.blocks
        if isinstance(block.body, ToolBody) and tool_facts(block.body.call).edits
    )
    assert run.transcript.select(block.key, top=True)
    await settled(run.pilot)


async def on_edit_in_tree(run: Run) -> None:
    """The same call in the tree."""
    await on_edit(run)
    selected = run.transcript.selected
    assert selected is not None
    assert isinstance(selected.body, ToolBody)
    assert selected.entry_id is not None
    await run.press("1")
    assert run.browser.session.show_record(selected.entry_id, selected.body.call.call_id)
    await settled(run.pilot)


def edits(run: Run) -> int:
    """How often the editor was run on the file of the call."""
    note = run.browser.editing.run
    assert isinstance(note, _Note)
    assert all(".ts:" in argv[-1] or argv[-1].endswith(".ts") for argv in note.argvs)
    return len(note.argvs)


async def on_wide_tree(run: Run) -> None:
    """The tree in a window that has room for something beside it."""
    await run.pilot.resize_terminal(200, 60)
    await run.press("enter")


def beside(run: Run) -> str:
    """What stands beside the tree."""
    return run.browser.session.beside.shows


THIRD_COLUMN = (Proof(on_wide_tree, beside, becomes("Context")),)
OPEN_IN_EDITOR = (Proof(on_edit, edits, more), Proof(on_edit_in_tree, edits, more))
