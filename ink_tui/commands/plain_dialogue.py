"""`ink-tui --plain`: the program as a line dialogue, for screen readers (`ui.md` 5.6).

Linear order, one fact a line, words in place of marks; nothing is drawn, moved or coloured. The
full screen cannot be read by a screen reader, and this says so by being there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.agent.continuing import Continuing, Decision, Ready, Request
from ink_tui.agent.preflight import OptionId
from ink_tui.errors import InkTuiError
from ink_tui.model.groups import ItemKind, ListQuery, arrange
from ink_tui.model.plain import transcript_text
from ink_tui.model.sections import group_of
from ink_tui.model.text import one_line
from ink_tui.model.words import MARK_WORDS, Mark, counted, duration_words
from ink_tui.store.marks import read_marks

if TYPE_CHECKING:
    from collections.abc import Callable

    from ink_tui.agent.preflight import Preflight
    from ink_tui.model.groups import ListItem
    from ink_tui.store.library import Library

PAGE = 10
"""Sessions that are read out at once."""

HELP = (
    "NUMBER reads a session, r NUMBER resumes it, f NUMBER forks it, m says more sessions, "
    "/ WORDS filters, q quits."
)


class PlainDialogue:
    """Says lines and takes lines, until an agent is to be started or the user quits."""

    def __init__(
        self,
        library: Library,
        steps: Continuing,
        *,
        ask: Callable[[str], str],
        say: Callable[[str], None],
    ) -> None:
        """Make the dialogue.

        Args:
            library: The store.
            steps: What a resume or a fork takes.
            ask: Shows a prompt and returns a line; raises EOFError at the end of input.
            say: Prints a line.
        """
        self._library = library
        self._steps = steps
        self._ask = ask
        self._say = say
        self._filter = ""
        self._items: list[ListItem] = []
        self._said = 0

    def run(self) -> Ready | None:
        """Hold the dialogue; return what is to be started, or `None`."""
        self._list()
        while True:
            try:
                line = self._ask("> ").strip()
            except EOFError:
                return None
            if line == "q":
                return None
            ready = self._answer(line)
            if ready is not None:
                return ready

    def _answer(self, line: str) -> Ready | None:
        verb, _, rest = line.partition(" ")
        if line.startswith("/"):
            self._filter = line[1:].strip()
            self._list()
        elif verb == "m":
            self._more()
        elif verb in ("r", "f") and rest.strip().isdigit():
            return self._continue(int(rest), forking=verb == "f")
        elif line.isdigit():
            self._read(int(line))
        else:
            self._say(HELP)
        return None

    # The list

    def _list(self) -> None:
        rows = self._library.scan(quick=False).rows
        kept = read_marks(self._steps.around.state_dir)
        if kept.notice:
            self._say(kept.notice)
        query = ListQuery(
            filter=self._filter,
            now_ms=self._steps.around.clock(),
            opened=frozenset(group_of(row) for row in rows),
            marks=kept.marks,
        )
        listing = arrange(rows, query)
        self._items = [item for item in listing.items if item.kind is ItemKind.SESSION]
        self._said = 0
        found = counted(sum(1 for item in self._items if not item.depth), "session")
        away = listing.archived
        more = f" {away} archived: / archived says them." if away else ""
        self._say(f"{found}, {listing.attention} in need of a decision.{more} {HELP}")
        self._more()

    def _more(self) -> None:
        for number in range(self._said + 1, min(self._said + PAGE, len(self._items)) + 1):
            self._say(self._line(number))
        self._said = min(self._said + PAGE, len(self._items))
        if self._said < len(self._items):
            self._say(f"{len(self._items) - self._said} more: m says them.")

    def _line(self, number: int) -> str:
        item = self._items[number - 1]
        parts = [f"{number}. {item.title}"]
        row = item.row
        if row is not None and row.cwd:
            parts.append(f"in {self._short(row.cwd)}")
        if row is not None and row.last_ms is not None:
            seconds = (self._steps.around.clock() - row.last_ms) / 1000
            parts.append(f"{duration_words(seconds)} ago")
        if item.depth:
            parts.append("sub-agent")
        parts += item.marks.words
        if item.mark is not Mark.NONE or item.line is not None:
            words = item.line.words if item.line is not None else ""
            state = MARK_WORDS[item.mark]
            parts.append(": ".join(part for part in (state, words) if part))
        return ", ".join(parts)

    def _short(self, path: str) -> str:
        home = self._steps.around.home.rstrip("/")
        if home and (path == home or path.startswith(f"{home}/")):
            path = f"~{path[len(home) :]}"
        return one_line(path)

    def _path(self, number: int) -> str | None:
        if 1 <= number <= len(self._items) and self._items[number - 1].row is not None:
            row = self._items[number - 1].row
            return row.path if row is not None else None
        self._say(f"There is no session {number}. m says more of them.")
        return None

    def _read(self, number: int) -> None:
        path = self._path(number)
        if path is None:
            return
        try:
            opened = self._library.open(path)
        except InkTuiError as error:
            self._say(one_line(str(error)))
            return
        for line in transcript_text(opened.diagnosis):
            self._say(line)
        self._say(f"End of session {number}. r {number} resumes it.")

    # Resume and fork

    def _continue(self, number: int, *, forking: bool) -> Ready | None:
        path = self._path(number)
        if path is None:
            return None
        try:
            preflight = self._steps.look(Request(path, forking=forking))
            self._describe(preflight)
            decision = self._choose(preflight)
            return self._steps.do(preflight, decision) if decision is not None else None
        except InkTuiError as error:
            self._say(one_line(str(error)))
            return None

    def _describe(self, preflight: Preflight) -> None:
        self._say(f"{preflight.verb} {one_line(preflight.title)}. {preflight.headline}.")
        self._say(one_line(preflight.reason))
        for fact in preflight.facts:
            note = ", ".join(part for part in (fact.text, fact.note, fact.second) if part)
            self._say(f"{fact.label}: {one_line(note)}")
        for call in preflight.calls:
            what = f"{one_line(call.tool)}, {one_line(call.argument)}"
            self._say(f"Call without a saved result, may have run: {what}")
            seen = ", ".join(part for part in (call.evidence, call.second) if part)
            if seen:
                self._say(f"Seen now: {one_line(seen)}.")
        signs = {"-": "removes", "+": "adds"}
        for write in preflight.writes:
            sign = signs.get(write.sign, signs["-"])
            what = " ".join(part for part in (write.amount, write.place, write.preview) if part)
            self._say(f"Writes: {sign} {one_line(what)}")

    def _choose(self, preflight: Preflight) -> Decision | None:
        options = [option for option in preflight.options if option.id is not OptionId.RELOCATE]
        for number, option in enumerate(options, 1):
            state = "" if option.enabled else " Cannot be chosen:"
            self._say(f"{number}. {option.name}.{state} {one_line(option.consequence)}.")
        typed = self._ask("Option number, or nothing to cancel: ").strip()
        if not typed.isdigit() or not 1 <= int(typed) <= len(options):
            self._say("Cancelled. Nothing has been changed.")
            return None
        option = options[int(typed) - 1]
        if option.id is OptionId.CANCEL or not option.enabled:
            self._say("Cancelled. Nothing has been changed.")
            return None
        if option.needs_second_confirmation:
            answer = self._ask("Somebody may be writing to it. Type yes to do it all the same: ")
            if answer.strip() != "yes":
                self._say("Cancelled. Nothing has been changed.")
                return None
        return Decision(option.id, option.needs_second_confirmation, preflight.launch.agent or None)
