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
from ink_tui.model.verdict import Verdict
from ink_tui.store.repair_plan import CloseCalls, CutTail
from ink_tui.tui.render.cells import pad, width, wrap
from ink_tui.tui.render.dialog_rows import (
    LABEL_CELLS,
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
    option_budget,
    own_words,
    paragraph,
    raised,
    side_pad,
    title_row,
)
from ink_tui.tui.render.rows import Cut, Piece, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ink_tui.agent.preflight import (
        Preflight,
        PreflightCall,
        PreflightFact,
        PreflightOption,
        PreflightWrite,
    )
    from ink_tui.keymap import Keymap
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.render.rows import Row

LOOK_AGAIN = "look-again"
"""Id of the option that stands first when the session has changed."""
_HINTS = ("preflight-hand-over", "preflight-agent", "preflight-details", "preflight-copy")
_TOOL_CELLS = 16
"""Widest column of tool names; a longer name is cut."""
_NO_HINTS_BELOW = 14
"""Screens lower than this leave the key hints out."""


@dataclass(frozen=True, slots=True)
class PreflightView:
    """What the screen adds to the preflight itself."""

    selected: str
    """Id of the selected option: an `OptionId` or `LOOK_AGAIN`."""
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
    """Whether an option can be done: a repair only if what it writes is listed."""
    return option.enabled and (option.id is not OptionId.REPAIR or bool(preflight.writes))


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
    view: PreflightView,
    glyphs: Glyphs,
    keymap: Keymap = DEFAULT_KEYMAP,
) -> DialogRows:
    """Return the preflight laid out for a screen.

    Args:
        preflight: All facts and choices.
        screen: Width and height of the screen in cells.
        view: What is selected, asked and folded out.
        glyphs: The set to draw with.
        keymap: The table with the user's keys.
    """
    over_all, high = dialog_width(screen[0]), screen[1]
    side = side_pad(screen[0])
    cells = max(1, over_all - 2 * side)
    facts = _Facts(preflight, cells, view, glyphs, keymap)
    hints = (_hints(preflight, cells, glyphs, keymap),) if high >= _NO_HINTS_BELOW else ()
    choices = preflight_choices(preflight, glyphs, keymap, changed=view.changed)
    enter = key_name(keymap, "choose-option", glyphs)
    notes = _note(preflight, view, cells, glyphs, enter)
    head = (title_row(f"{preflight.verb} {preflight.title}", preflight.session_id[:8]),)
    others = lines_of((*head, *notes, *hints))
    options, columns = foot_rows(
        choices,
        view.selected,
        cells,
        glyphs,
        enter=enter,
        lines=option_budget(high, others, len(choices)),
    )

    def at(body: Sequence[Row], *, lines: int | None = None, blanks: bool, pad: int) -> DialogRows:
        above_hints = (RAISED_BLANK,) if blanks and hints else ()
        foot = (*notes, *options, *above_hints, *hints)
        seen = lines_of(body) if lines is None else lines
        return DialogRows(over_all, pad, side, head, tuple(body), seen, foot, columns)

    if high >= ROOMY_FROM:
        roomy = at(facts.body(blanks=True, seconds=True), blanks=True, pad=1)
        if roomy.height <= high - 2:
            return roomy
    dense = at(facts.body(blanks=False, seconds=False, lead=True), blanks=True, pad=1)
    if dense.height <= high:
        return dense
    tight = at(facts.body(blanks=False, seconds=False), blanks=False, pad=0)
    if tight.height <= high:
        return tight
    if not view.note and not view.asking and not view.changed:
        notes = (more_row(keymap, glyphs),)
    body = facts.body(blanks=False, seconds=False, writes_first=True)
    tight = at(body, lines=0, blanks=False, pad=0)
    return replace(tight, body_lines=max(1, min(lines_of(body), high - tight.height)))


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
    return paragraph(own_words(text, glyphs), cells, role)


def _hints(preflight: Preflight, cells: int, glyphs: Glyphs, keymap: Keymap) -> Row:
    ids = [i for i in _HINTS if i != "preflight-copy" or preflight.launch.copy_command]
    acting = {action.id: action for action in keymap.acting(Context.PREFLIGHT)}
    return hint_row([acting[i] for i in ids if i in acting], cells, glyphs)


_MARKS = {"good": Role.SUCCESS, "warn": Role.WARNING, "bad": Role.ERROR}
_STATES = {
    Verdict.CLEAN: "good",
    Verdict.REPAIRABLE: "warn",
    Verdict.INSPECT: "look",
    Verdict.REFUSE: "bad",
}


def _mark(state: str, glyphs: Glyphs) -> tuple[Piece, ...]:
    glyph = {
        "good": glyphs.done,
        "warn": glyphs.decide,
        "look": glyphs.damaged,
        "bad": glyphs.failed,
    }.get(state, "")
    role = _MARKS.get(state, Role.WARNING)
    return (Piece(f"{glyph} ", role, bold=True, cut=Cut.NEVER),) if glyph else ()


class _Facts:
    """The body of a preflight in sections, each a run of rows."""

    def __init__(
        self,
        preflight: Preflight,
        cells: int,
        view: PreflightView,
        glyphs: Glyphs,
        keymap: Keymap,
    ) -> None:
        self._preflight = preflight
        self._cells = cells
        self._details = view.details
        self._glyphs = glyphs
        self._keymap = keymap
        self._room = max(1, cells - LABEL_CELLS)

    def body(
        self, *, blanks: bool, seconds: bool, lead: bool = False, writes_first: bool = False
    ) -> tuple[Row, ...]:
        """Return the rows between the title and the options.

        Args:
            blanks: Put a blank row between the sections.
            seconds: Show the second lines.
            lead: Put a blank row below the reason even without the others.
            writes_first: Put what is written directly below the reason.
        """
        facts: list[Row] = []
        for fact in self._preflight.facts:
            facts += self._fact(fact, seconds=seconds or self._details)
        sections = [facts, self._calls(), self._writes(), self._more_details()]
        if writes_first:
            sections.insert(0, sections.pop(2))
        rows = [*self._reason()]
        for index, section in enumerate(sections):
            if section and (blanks or (lead and index == 0)):
                rows.append(RAISED_BLANK)
            rows += section
        return tuple(rows)

    def _own(self, text: str) -> str:
        return own_words(text, self._glyphs)

    def _reason(self) -> list[Row]:
        preflight = self._preflight
        state = _STATES[preflight.verdict]
        if state == "good" and not preflight.launch.allowed:
            state = "bad"
        role = _MARKS.get(state, Role.WARNING)
        headline = one_line(self._own(preflight.headline)).rstrip(".")
        reason = one_line(self._own(preflight.reason))
        mark = _mark(state, self._glyphs)
        lines = wrap(f"{headline}. {reason}".strip(), max(1, self._cells - 2))
        rows: list[Row] = []
        left = len(headline) + 1
        for number, line in enumerate(lines):
            first, rest = line[:left], line[left:]
            left = max(0, left - len(line) - 1)
            pieces = (Piece(first, role), Piece(rest))
            if number == 0:
                rows.append(raised(*mark, *pieces))
            else:
                rows.append(raised(*pieces, indent=2))
        return rows

    def _keyed(self, text: str, action_id: str) -> tuple[Piece, ...]:
        """Return a note whose key is drawn as a key and can be clicked, where the note names it."""
        key = key_name(self._keymap, action_id, self._glyphs)
        words = self._own(text).split(" ")
        if key not in words:
            return (Piece(self._own(text), Role.MUTED),)
        at = words.index(key)
        before, after = " ".join([*words[:at], ""]), " ".join(["", *words[at + 1 :]])
        return (
            Piece(before, Role.MUTED),
            Piece(key, Role.ACCENT, part=action_id),
            Piece(after, Role.MUTED, part=action_id),
        )

    def _fact_note(self, fact: PreflightFact) -> tuple[Piece, ...]:
        note = _mark(fact.state, self._glyphs) if fact.note else ()
        if fact.label != "Agent":
            return (*note, Piece(self._own(fact.note), Role.MUTED)) if fact.note else ()
        key = key_name(self._keymap, "preflight-agent", self._glyphs)
        change = self._keyed(f"{key} change agent", "preflight-agent")
        if not fact.note or "change agent" in fact.note:
            return change
        return (*note, Piece(self._own(fact.note) + "  ", Role.MUTED), *change)

    def _fact(self, fact: PreflightFact, *, seconds: bool) -> list[Row]:
        label = (Piece(fact.label, Role.MUTED),)
        text = one_line(fact.text)
        note = self._fact_note(fact)
        whole = fact.label == "Command" or self._details
        taken = sum(width(one_line(piece.text)) for piece in note) + 2 if note else 0
        if whole and width(text) + taken > self._room:
            first, *rest = wrap(text, self._room - taken if taken < self._room // 2 else self._room)
            below_note = taken >= self._room // 2
            rows = [raised(Piece(first), kind=label, note=() if below_note else note)]
            rows += [raised(Piece(line), indent=LABEL_CELLS) for line in rest]
            if below_note and note:
                rows.append(raised(*note, indent=LABEL_CELLS))
        else:
            cut = Cut.PATH if fact.label == "Folder" else Cut.END
            rows = [raised(Piece(text, cut=cut), kind=label, note=note)]
        if fact.second and seconds:
            rows += self._second(fact.second)
        return rows

    def _second(self, text: str) -> list[Row]:
        if self._details:
            return list(paragraph(self._own(text), self._cells, Role.MUTED, indent=LABEL_CELLS))
        return [raised(Piece(self._own(text), Role.MUTED), indent=LABEL_CELLS)]

    def _calls(self) -> list[Row]:
        calls = self._preflight.calls
        if not calls:
            return []
        says = (
            "1 has no saved result. It may have run."
            if len(calls) == 1
            else f"{len(calls):,} have no saved result. Each may have run."
        )
        tools = min(_TOOL_CELLS, max(width(one_line(call.tool)) for call in calls), self._room // 2)
        rows = [raised(Piece(says), kind=(Piece("Calls", Role.MUTED),))]
        for call in calls:
            rows += self._call(call, tools)
        return rows

    def _call(self, call: PreflightCall, tools: int) -> list[Row]:
        tool = Piece(
            pad(one_line(call.tool), tools, self._glyphs.ellipsis), Role.WARNING, bold=True
        )
        argument = one_line(call.argument)
        if not self._details:
            return [raised(tool, Piece("  "), Piece(argument), indent=LABEL_CELLS)]
        first, *rest = wrap(argument, max(1, self._room - tools - 2)) or [""]
        rows = [raised(tool, Piece("  "), Piece(first), indent=LABEL_CELLS)]
        rows += [raised(Piece(line), indent=LABEL_CELLS + tools + 2) for line in rest]
        said = f"call id {one_line(call.call_id)}"
        return rows + list(paragraph(said, self._cells, Role.MUTED, indent=LABEL_CELLS + tools + 2))

    def _writes(self) -> list[Row]:
        preflight = self._preflight
        if not preflight.writes and not preflight.writes_name:
            return []
        note = self._keyed(preflight.writes_note, "preflight-undo") if preflight.writes_note else ()
        name = Piece(preflight.writes_name, cut=Cut.MIDDLE)
        rows = [raised(name, kind=(Piece("Writes", Role.MUTED),), note=note)]
        amounts = max((width(one_line(w.amount)) for w in preflight.writes), default=0)
        for write in preflight.writes:
            rows += self._write(write, amounts)
        return rows

    def _write(self, write: PreflightWrite, amounts: int) -> list[Row]:
        removed = write.sign.strip() in ("-", "−")  # noqa: RUF001  (either may be given)
        sign = self._glyphs.minus if removed else self._glyphs.plus
        role = Role.ERROR if removed else Role.SUCCESS
        amount = pad(one_line(write.amount), amounts, self._glyphs.ellipsis)
        pieces = [
            Piece(f"{sign} {amount}", role, cut=Cut.NEVER),
            Piece(f"  {self._own(write.place)}" if write.place else "", Role.MUTED),
            Piece(f"  {one_line(write.preview)}" if write.preview else ""),
        ]
        return [raised(*pieces, indent=LABEL_CELLS)]

    def _more_details(self) -> list[Row]:
        """Return what is shown only on demand: every byte, the backup, whole names and reasons."""
        if not self._details:
            return []
        preflight = self._preflight
        repair = preflight.repair
        rows: list[Row] = []
        for step in repair.steps:
            if isinstance(step, CutTail):
                rows += self._detail(f"Byte {step.offset:,}", step.preview)
            elif isinstance(step, CloseCalls):
                rows += self._detail(f"Byte {step.offset:,}", escaped(step.line))
        if repair.backup_name:
            rows += self._detail("Backup", repair.backup_name)
        rows += self._detail("File", str(preflight.path))
        rows += self._detail("Session", preflight.session_id)
        for option in preflight.options:
            rows += self._detail("Option", f"{option.name}: {option.consequence}")
        return rows

    def _detail(self, label: str, text: str) -> list[Row]:
        first, *rest = wrap(one_line(text), self._room) or [""]
        rows = [raised(Piece(first), kind=(Piece(label, Role.MUTED),))]
        return rows + [raised(Piece(line), indent=LABEL_CELLS) for line in rest]


def escaped(octets: bytes) -> str:
    """Return bytes as text that hides nothing: UTF-8 where it is whole, else `\\xNN`; no newline."""
    text = octets.decode("utf-8", "backslashreplace")
    return one_line(text.replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t"))
