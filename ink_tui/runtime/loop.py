"""The loop of the built-in agent: a line is a message, or a tool that the user asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ink_tui.model.text import clean, one_line
from ink_tui.runtime.opening import help_rows, no_model
from ink_tui.runtime.stops import Ended
from ink_tui.runtime.terminal import LiveText
from ink_tui.runtime.tools import Outcome, read_file, run_command

if TYPE_CHECKING:
    from ink_tui.model.messages import ToolCall
    from ink_tui.runtime.conversation import Conversation
    from ink_tui.runtime.stops import Stops
    from ink_tui.runtime.terminal import Style, Terminal

_SHOWN_LINES = 20
"""Lines of a file that are shown; all of it is saved."""


class Loop:
    """Takes lines from a terminal and saves what comes of them."""

    def __init__(
        self, conversation: Conversation, terminal: Terminal, stops: Stops, style: Style
    ) -> None:
        self._conversation = conversation
        self._terminal = terminal
        self._stops = stops
        self._style = style

    def run(self) -> int:
        """Take lines until the user leaves or a signal asks for it; returns the exit status.

        Open calls are closed before a signal ends the loop.

        Raises:
            StoreError: A record could not be saved.
        """
        while True:
            try:
                line = self._terminal.ask(self._style.prompt)
                if line is None:
                    return self._leave()
                if not self._take(line):
                    return self._leave()
            except KeyboardInterrupt:
                self._say(self._style.dim("ctrl+d or /exit leaves"), before="\n")
            except Ended as ended:
                self._conversation.close_open_calls()
                return 128 + ended.number

    def _take(self, line: str) -> bool:
        """Act on one line; returns whether to go on."""
        text = line.strip()
        word, _, rest = text.partition(" ")
        rest = rest.strip()
        if not text:
            return True
        if text == "/exit":
            return False
        if text == "/help":
            self._say("\n".join([no_model(self._style), *help_rows(self._style)]))
        elif word == "/say" and rest:
            self._message(rest)
        elif text.startswith("/"):
            self._say(self._style.warning(f"! {one_line(word)} is not a command; /help lists them"))
        elif word in ("read", "run") and not rest:
            what = "PATH" if word == "read" else "COMMAND"
            self._say(self._style.warning(f"! {word} {what}: nothing was saved"))
        elif word == "read":
            self._tool(text, "read", {"path": rest})
        elif word == "run":
            self._tool(text, "bash", {"command": rest})
        else:
            self._message(text)
        return True

    def _message(self, text: str) -> None:
        self._conversation.say(text)
        self._say(self._style.dim("saved; no model is configured, so nobody answers"))

    def _tool(self, typed: str, tool: str, arguments: dict[str, str]) -> None:
        self._conversation.say(typed)
        call = self._conversation.call(tool, arguments)
        outcome = self._run(tool, arguments)
        if outcome.content is None:
            self._conversation.close_open_calls()
            saved = "saved as: unknown whether it ran"
            note = self._style.warning(f"! {outcome.note} {self._style.dot} {saved}")
            self._say(note, before="\n")
        else:
            self._answer(call, outcome)
        self._stops.take_interrupt()

    def _run(self, tool: str, arguments: dict[str, str]) -> Outcome:
        cwd = self._conversation.header.cwd
        if tool == "read":
            outcome = read_file(arguments["path"], cwd)
            if not outcome.is_error:
                self._show_file(outcome.content or "")
            return outcome
        streams = {"stdout": LiveText(), "stderr": LiveText()}
        last = ["\n"]

        def show(name: str, piece: bytes) -> None:
            self._write_live(streams[name].feed(piece), name, last)

        outcome = run_command(arguments["command"], cwd, show, lambda: self._stops.wanted)
        for name, stream in streams.items():
            self._write_live(stream.rest(), name, last)
        if not last[0].endswith("\n"):
            self._terminal.write("\n")
        return outcome

    def _write_live(self, text: str, name: str, last: list[str]) -> None:
        if text:
            self._terminal.write(self._style.dim(text) if name == "stderr" else text)
            last[0] = text

    def _show_file(self, content: str) -> None:
        lines = clean(content).split("\n")
        if lines and not lines[-1]:
            lines.pop()
        for line in lines[:_SHOWN_LINES]:
            self._terminal.write(f"{line}\n")
        if len(lines) > _SHOWN_LINES:
            more = len(lines) - _SHOWN_LINES
            self._say(self._style.dim(f"{self._style.cut} {more:,} more lines, saved whole"))

    def _answer(self, call: ToolCall, outcome: Outcome) -> None:
        assert outcome.content is not None
        self._conversation.answer(call, outcome.content, is_error=outcome.is_error)
        note = one_line(outcome.note).replace("·", self._style.dot)
        failed = outcome.is_error or (note.startswith("exit ") and not note.startswith("exit 0"))
        self._say(self._style.failed(note) if failed else self._style.dim(note))

    def _leave(self) -> int:
        number = self._conversation.saved
        records = "1 record" if number == 1 else f"{number} records"
        self._say(self._style.dim(f"{records} saved"))
        return 0

    def _say(self, text: str, before: str = "") -> None:
        self._terminal.say(f"{before}{text}\n")
