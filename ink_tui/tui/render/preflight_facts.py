"""The facts of a preflight as rows: reason, folder, agent, command, calls, writes. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.agent.preflight import OptionId
from ink_tui.model.text import one_line
from ink_tui.model.verdict import Verdict
from ink_tui.model.words import counted
from ink_tui.store.in_place import marker_of
from ink_tui.store.repair_plan import CloseCalls, CutTail
from ink_tui.tui.render.cells import cut_path, pad, width, wrap
from ink_tui.tui.render.dialog_rows import (
    BODY_COLUMNS,
    LABEL_CELLS,
    RAISED_BLANK,
    key_name,
    own_words,
    paragraph,
    raised,
)
from ink_tui.tui.render.rows import Cut, Piece, Role, line_width

if TYPE_CHECKING:
    from ink_tui.agent.preflight import (
        Preflight,
        PreflightCall,
        PreflightFact,
        PreflightWrite,
    )
    from ink_tui.keymap import Keymap
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.render.rows import Row

_TOOL_CELLS = 16
"""Widest column of tool names; a longer name is cut."""
_TOOL_GAP = 2
_NOTE_GAP = BODY_COLUMNS.gap
_ARGUMENT_CELLS = 12
"""Least cells of a call's argument beside the whole words of what was seen."""
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


class PreflightFacts:
    """The body of a preflight in sections, each a run of rows."""

    def __init__(
        self, preflight: Preflight, cells: int, glyphs: Glyphs, keymap: Keymap, *, details: bool
    ) -> None:
        """Prepare the facts for a width.

        Args:
            preflight: All facts and choices.
            cells: Width inside the dialog.
            glyphs: The set to draw with.
            keymap: The table with the user's keys.
            details: Cut nothing, and add every byte, the backup and whole names.
        """
        self._preflight = preflight
        self._cells = cells
        self._details = details
        self._glyphs = glyphs
        self._keymap = keymap
        self._room = max(1, cells - LABEL_CELLS)
        self.writes_end = 0
        """Line of the body behind the last one that says what is written."""

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
        writes = self._writes()
        sections = [
            facts,
            self._calls(seconds=seconds or self._details),
            writes,
            self._more_details(),
        ]
        if writes_first:
            sections.insert(0, sections.pop(2))
        rows = [*self._reason()]
        for index, section in enumerate(sections):
            if section and (blanks or (lead and index == 0)):
                rows.append(RAISED_BLANK)
            rows += section
            if section is writes:
                self.writes_end = len(rows) if writes else 0
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

    def _second(self, text: str, indent: int = LABEL_CELLS) -> list[Row]:
        if self._details:
            return list(paragraph(self._own(text), self._cells, Role.MUTED, indent=indent))
        return [raised(Piece(self._own(text), Role.MUTED), indent=indent)]

    def _calls(self, *, seconds: bool) -> list[Row]:
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
            if call.second and seconds:
                rows += self._second(call.second, LABEL_CELLS + tools + _TOOL_GAP)
        return rows

    def _call(self, call: PreflightCall, tools: int) -> list[Row]:
        tool = Piece(
            pad(one_line(call.tool), tools, self._glyphs.ellipsis), Role.WARNING, bold=True
        )
        gap = Piece(" " * _TOOL_GAP)
        argument = one_line(call.argument)
        room = max(1, self._room - tools - _TOOL_GAP)
        note = self._evidence(call, room)
        beside = max(1, room - line_width(note) - _NOTE_GAP if note else room)
        if not self._details:
            if call.is_path:
                argument = cut_path(argument, beside, self._glyphs.ellipsis)
            return [raised(tool, gap, Piece(argument), note=note, indent=LABEL_CELLS)]
        left = LABEL_CELLS + tools + _TOOL_GAP
        first, *rest = wrap(argument, beside) or [""]
        rows = [raised(tool, gap, Piece(first), note=note, indent=LABEL_CELLS)]
        rows += [raised(Piece(line), indent=left) for line in rest]
        said = f"call id {one_line(call.call_id)}"
        return rows + list(paragraph(said, self._cells, Role.MUTED, indent=left))

    def _evidence(self, call: PreflightCall, room: int) -> tuple[Piece, ...]:
        """Return what was seen of a call, in fewer words where they leave too little room."""
        words = call.evidence
        if room - width(words) - _NOTE_GAP < min(_ARGUMENT_CELLS, width(one_line(call.argument))):
            words = call.strong or words
        before, strong, after = words.partition(call.strong) if call.strong else (words, "", "")
        pieces = (
            Piece(before, Role.MUTED),
            Piece(strong, bold=True),
            Piece(after, Role.MUTED),
        )
        return tuple(piece for piece in pieces if piece.text)

    def _writes(self) -> list[Row]:
        preflight = self._preflight
        if not preflight.writes and not preflight.writes_name:
            return []
        note = self._keyed(preflight.writes_note, "preflight-undo") if preflight.writes_note else ()
        name = self._own(preflight.writes_name)
        beside = line_width((Piece(one_line(name)), *note)) + 2 <= self._room
        rows = [
            raised(Piece(name), kind=(Piece("Writes", Role.MUTED),), note=note if beside else ())
        ]
        if note and not beside:
            rows.append(raised(*note, indent=LABEL_CELLS))
        amounts = max((width(one_line(w.amount)) for w in preflight.writes), default=0)
        for write in preflight.writes:
            rows += self._write(write, amounts)
        return rows

    def _write(self, write: PreflightWrite, amounts: int) -> list[Row]:
        removed = write.sign.strip() in ("-", "−")  # noqa: RUF001  (either may be given)
        sign = self._glyphs.minus if removed else self._glyphs.plus
        role = Role.ERROR if removed else Role.SUCCESS
        preview = one_line(write.preview if removed else self._own(write.preview))
        amount = pad(one_line(write.amount), amounts, self._glyphs.ellipsis)
        pieces = [
            Piece(f"{sign} {amount}", role, cut=Cut.NEVER),
            Piece(f"  {self._own(write.place)}" if write.place else "", Role.MUTED),
            Piece(f"  {preview}" if preview else ""),
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
                where = f"byte {step.offset:,} to the end, {counted(step.count, 'byte')}"
                rows += self._detail("Cut", f"{where}: {step.preview}")
            elif isinstance(step, CloseCalls):
                rows += self._detail("Add", f"at byte {step.offset:,}: {escaped(step.line)}")
            else:
                rows += self._detail("Add", f"a newline at byte {step.offset:,}")
        option = preflight.option(OptionId.IN_PLACE)
        place = preflight.in_place
        if option is not None and option.enabled and place is not None and place.leaf is not None:
            rows += self._detail("Add", f"or in this session: {escaped(marker_of(place.leaf))}")
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
    r"""Return bytes as one line that hides nothing: UTF-8 where it is whole, else `\xNN`."""
    text = octets.decode("utf-8", "backslashreplace")
    return one_line(text.replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t"))
