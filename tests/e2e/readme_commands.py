"""The two commands with which README.md opens, taken from it word for word, and tried.

    python -m tests.e2e.readme_commands show demo|tests   prints one of them
    python -m tests.e2e.readme_commands demo FOLDER       runs the first one in FOLDER

The demo runs in a pseudo-terminal: the browser's screen must come, ``q`` must end it with status 0,
and nothing may be left behind, in the terminal or among the processes.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tests.e2e.terminal import ScreenError, Terminal

README = Path(__file__).parents[2] / "README.md"
BROWSER_SIGNS = ("nothing of yours is touched", "? help")
"""What the first screen of the demo shows at 120 columns: its header and the end of its footer."""

_SHELL_BLOCK = re.compile(r"^```(?:sh|bash|shell|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INSTALL_SECONDS = 300.0


def opening(text: str) -> str:
    """README's text before its first section."""
    return re.split(r"^## ", text, maxsplit=1, flags=re.MULTILINE)[0]


def commands(text: str) -> list[str]:
    """The commands of README's opening: one for each line of its shell blocks, joined at ``\\``."""
    lines = []
    for block in _SHELL_BLOCK.findall(opening(text)):
        joined = block.replace("\\\n", " ")
        lines += [line.strip() for line in joined.splitlines() if line.strip()]
    return lines


def command(name: str) -> str:
    """The command that starts the demo (``demo``) or the one that runs the tests (``tests``)."""
    first, second = commands(README.read_text("utf-8"))
    return {"demo": first, "tests": second}[name]


def try_demo(folder: Path) -> None:
    """Run the first command as a newcomer does.

    Raises:
        ScreenError: The browser did not come, did not leave, or left something behind.
    """
    with Terminal.start(["bash", "-c", command("demo")], cwd=folder) as terminal:
        for sign in BROWSER_SIGNS:
            terminal.wait_for(sign, timeout=_INSTALL_SECONDS)
        print(terminal.picture())
        status = terminal.send("q").wait_exit()
        faults = [*terminal.left_on(), *(f"process {pid} lives" for pid in terminal.processes())]
        if status != 0 or faults:
            raise ScreenError(f"status {status}; {faults}\n{terminal.picture()}")


def main(arguments: list[str]) -> int:
    match arguments:
        case ["show", ("demo" | "tests") as name]:
            print(command(name))
        case ["demo", folder]:
            try_demo(Path(folder))
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
