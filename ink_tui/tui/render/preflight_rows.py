"""The preflight as rows: what a resume or a fork would do, before it is done (`ui.md` 4). Pure.

Under 30 lines the second lines and the blank rows go first; then the facts scroll, with the writes
first so that what enter writes is on the screen. The options never scroll, and the command is never
cut: it wraps.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ink_tui.agent.preflight import OptionId
from ink_tui.keymap import DEFAULT_KEYMAP, Context
from ink_tui.model.liveness import Freshness, HolderKind
from ink_tui.model.text import one_line
from ink_tui.tui.render.dialog_rows import (
    MARK_CELLS,
    RAISED_BLANK,
    ROOMY_FROM,
    Choice,
    DialogRows,
    dialog_width,
    foot_rows,
    hint_row,
    key_name,
    lines_of,
    more_row,
    own_words,
    paragraph,
    side_pad,
    title_row,
)
from ink_tui.tui.render.preflight_facts import PreflightFacts
from ink_tui.tui.render.rows import Role

if TYPE_CHECKING:
    from ink_tui.agent.preflight import (
        Preflight,
        PreflightOption,
    )
    from ink_tui.keymap import Keymap
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.render.rows import Row

LOOK_AGAIN = "look-again"
"""Id of the option that stands first when the session has changed."""
CHANGES = frozenset({OptionId.REPAIR, OptionId.IN_PLACE})
"""Options that write to the session file itself."""
_HINTS = ("preflight-hand-over", "preflight-details", "preflight-undo", "preflight-copy")
_LEAST_BODY = 3
"""Lines of facts for which consequences are cut rather than given a second line."""
_NO_HINTS_BELOW = 14
"""Screens lower than this leave the key hints out."""


@dataclass(frozen=True, slots=True)
class PreflightView:
    """What the screen adds to the preflight itself."""

    details: bool = False
    """Show every byte, the backup's path and the whole reasons."""
    asking: str = ""
    """Id of the option that waits for its second confirmation, empty for none."""
    changed: bool = False
    """The file is no longer as the preflight says."""
    note: str = ""
    """One sentence about what was just done or refused."""


def preflight_choices(
    preflight: Preflight, glyphs: Glyphs, keymap: Keymap = DEFAULT_KEYMAP, *, changed: bool = False
) -> tuple[Choice, ...]:
    """Return the options in their order, with the keys that act.

    When the session has changed, the first one is to look again and only cancelling is left.
    """
    actions = {
        OptionId.FORK: "preflight-fork",
        OptionId.RESUME: "preflight-as-is",
        OptionId.CANCEL: "cancel",
    }
    found = [
        Choice(
            option.id.value,
            option.name,
            option.consequence,
            key_name(keymap, actions[option.id], glyphs) if option.id in actions else "",
            can_choose(preflight, option),
        )
        for option in preflight.options
    ]
    if not changed:
        return tuple(found)
    again = Choice(LOOK_AGAIN, "Look again", "read the session as it is now")
    return (
        again,
        *(
            choice
            if choice.id == OptionId.CANCEL.value
            else replace(choice, consequence="the session has changed", key="", enabled=False)
            for choice in (found if found[:1] == [] else found[1:])
        ),
    )


def can_choose(preflight: Preflight, option: PreflightOption) -> bool:
    """Whether an option can be done: a change of the file only if what it writes is listed."""
    return option.enabled and (option.id not in CHANGES or bool(preflight.writes))


def second_question(preflight: Preflight, option: PreflightOption, enter: str) -> str:
    """Return what is asked before an option that needs it is done: the facts, then the key.

    Args:
        preflight: The session and who may be using it.
        option: What was chosen.
        enter: The key that confirms, as people write it.
    """
    holder = preflight.holder
    who = one_line(holder.who) or "an agent"
    facts = []
    if preflight.freshness is Freshness.WRITING:
        facts.append("The file changed under 2 s ago.")
    elif preflight.freshness is Freshness.RECENT:
        facts.append("The file changed under a minute ago.")
    if holder.kind is HolderKind.CERTAIN:
        facts.append(f"In use by {who}.")
    elif holder.kind is HolderKind.POSSIBLE:
        facts.append(f"Perhaps in use by {who}.")
    deeds = {
        OptionId.REPAIR: "write",
        OptionId.FORK: "copy",
        OptionId.RESUME: "resume without a repair",
        OptionId.RELOCATE: "resume in the other folder",
    }
    deed = deeds.get(option.id, "do it")
    return " ".join([*facts, f"Press {enter} again to {deed} all the same."])


def preflight_rows(
    preflight: Preflight,
    screen: tuple[int, int],
    selected: str,
    view: PreflightView,
    glyphs: Glyphs,
    keymap: Keymap = DEFAULT_KEYMAP,
) -> DialogRows:
    """Return the preflight laid out for a screen.

    Args:
        preflight: All facts and choices.
        screen: Width and height of the screen in cells.
        selected: Id of the selected option: an `OptionId` or `LOOK_AGAIN`.
        view: What is asked and folded out.
        glyphs: The set to draw with.
        keymap: The table with the user's keys.
    """
    return _Layout(preflight, screen, selected, view, glyphs, keymap).best()


class _Layout:
    """The preflight at one size of the screen, in forms that take less and less room."""

    def __init__(
        self,
        preflight: Preflight,
        screen: tuple[int, int],
        selected: str,
        view: PreflightView,
        glyphs: Glyphs,
        keymap: Keymap,
    ) -> None:
        self._preflight, self._view = preflight, view
        self._selected, self._glyphs, self._keymap = selected, glyphs, keymap
        self._width, self._high = dialog_width(screen[0]), screen[1]
        self._side = side_pad(screen[0])
        self._cells = max(1, self._width - 2 * self._side)
        self._enter = key_name(keymap, "choose-option", glyphs)
        self._choices = preflight_choices(preflight, glyphs, keymap, changed=view.changed)
        self._hints: tuple[Row, ...] = ()
        if self._high >= _NO_HINTS_BELOW:
            self._hints = (_hints(preflight, self._cells, glyphs, keymap),)
        self._notes = _note(preflight, view, self._cells, glyphs, self._enter)

    def best(self) -> DialogRows:
        """Return the form with the most in it that fits."""
        facts = self._facts(self._cells)
        if self._high >= ROOMY_FROM:
            body = facts.body(blanks=True, seconds=True)
            roomy = self._form(body, self._notes, blanks=True, pad=1)
            if roomy.height <= self._high - 2:
                return roomy
        body = facts.body(blanks=False, seconds=False, lead=True)
        dense = self._form(body, self._notes, blanks=True, pad=1)
        if dense.height <= self._high:
            return dense
        body = facts.body(blanks=False, seconds=False)
        for below in ("all", "selected"):
            tight = self._form(body, self._notes, below=below)
            if tight.height <= self._high:
                return tight
        return self._scrolling()

    def _scrolling(self) -> DialogRows:
        notes = self._notes
        if notes == (RAISED_BLANK,):
            notes = (more_row(self._keymap, self._glyphs),)
        # The scroll bar takes a cell; one more parts it from the text.
        facts = self._facts(max(1, self._cells - 2))
        body = facts.body(blanks=False, seconds=False, writes_first=True)
        for below in ("selected", "none"):
            form = self._form(body, notes, below=below)
            room = self._high - (form.height - lines_of(body))
            if room >= _LEAST_BODY:
                break
        return replace(form, body_lines=max(1, room), must_see=facts.writes_end)

    def _facts(self, cells: int) -> PreflightFacts:
        return PreflightFacts(
            self._preflight, cells, self._glyphs, self._keymap, details=self._view.details
        )

    def _form(
        self,
        body: tuple[Row, ...],
        notes: tuple[Row, ...],
        *,
        blanks: bool = False,
        pad: int = 0,
        below: str = "all",
    ) -> DialogRows:
        """Return one form.

        Args:
            body: The facts.
            notes: What stands above the options.
            blanks: Put a blank row above the key hints.
            pad: Blank lines above and below.
            below: Whose consequence may take a second line: `all`, `selected`, `none`.
        """
        preflight = self._preflight
        options, columns = foot_rows(
            self._choices,
            self._selected,
            self._cells,
            self._glyphs,
            enter=self._enter,
            below=below,
        )
        above_hints = (RAISED_BLANK,) if blanks and self._hints else ()
        return DialogRows(
            width=self._width,
            pad=pad,
            side=self._side,
            head=(title_row(f"{preflight.verb} {preflight.title}", preflight.session_id[:8]),),
            body=body,
            body_lines=lines_of(body),
            foot=(*notes, *options, *above_hints, *self._hints),
            foot_columns=columns,
        )


def _note(
    preflight: Preflight, view: PreflightView, cells: int, glyphs: Glyphs, enter: str
) -> tuple[Row, ...]:
    """Return what stands above the options: a question, a change, a sentence, or nothing."""
    option = next((o for o in preflight.options if o.id.value == view.asking), None)
    if view.changed:
        text = "The session has changed since it was read. Nothing has been written."
    elif option is not None:
        text = second_question(preflight, option, enter)
    else:
        text = view.note
    if not text:
        return (RAISED_BLANK,)
    role = Role.WARNING if view.changed or option is not None else Role.MUTED
    return paragraph(own_words(text, glyphs), cells - MARK_CELLS, role)


def _hints(preflight: Preflight, cells: int, glyphs: Glyphs, keymap: Keymap) -> Row:
    acting = {action.id: action for action in keymap.acting(Context.PREFLIGHT)}
    if not preflight.launch.copy_command:
        acting.pop("preflight-copy", None)
    undo = acting.pop("preflight-undo", None)
    if undo is not None and preflight.undo is not None:
        acting[undo.id] = replace(undo, label=f"undo {preflight.undo.words}")
    return hint_row([acting[i] for i in _HINTS if i in acting], cells - MARK_CELLS, glyphs)
