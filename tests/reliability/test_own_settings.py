"""R18: a config file that is cut short, has flipped bits or holds strange values.

It is the user's own file, so it is never ignored, and never written: what cannot be read of it ends
the start with status 2 and a sentence that names the file, and the line or the key. What needs no
settings works whatever it holds, and `--config` names another file.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

from ink_tui.config import load_config, session_roots
from ink_tui.errors import ConfigError
from ink_tui.model.text import clean
from ink_tui.store.discover import find_session_files
from tests.cases import run_cli
from tests.sessions import simple

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.reliability.ledger import Ledger, Row

_GOOD = """# settings of Zoë
[roots]
paths = ["~/.ink/sessions", "/srv/sessions"]

[ui]
theme = "ink"
glyphs = "auto"
motion = "full"
leave_chord = "ctrl+g"
output_colours = false

[agents.mine]
resume = ["mine", "--resume={id}"]
fork = ["mine", "--fork", "{id}"]
match = ["mine", "mein"]

[keys]
filter = ["/", "f3"]
resume = "R"
""".encode()
_PLACES = (r"at line \d+, column \d+", r"at end of document", r": line \d+: byte \d+", r"“.*”")
"""How a sentence says where: by the parser, by the decoder, or with the key or the value."""
_STRANGE: list[Any] = [
    *(
        True,
        -1,
        10**30,
        1.5,
        "",
        "\0",
        "a\0b",
        "/",
        ".",
        "..",
        "/dev/null",
        "~",
        "~root",
        "\x1b]0;x",
    ),
    *(
        [],
        [[]],
        {},
        [""],
        ["\0"],
        ["a\0b"],
        ["/dev/null"],
        ["x" * 5_000],
        ["~"],
        ["\u202e"],
        "ctrl+",
    ),
]


def _load(row: Row, file: Path, env: dict[str, str], what: object) -> ConfigError | None:
    """Read the settings and look for sessions by them; return the error of ours, if any."""
    row.trial()
    try:
        config = load_config(None, env)
        find_session_files(map(str, session_roots(config, env)))
    except ConfigError as error:
        said = str(error)
        row.check(said.startswith(f"{file}: "), what, "does not name the file:", said)
        row.check(said.endswith((".", "?")), what, "not a sentence:", said)
        where = said.removeprefix(f"{file}: ")
        placed = any(re.search(place, f": {where}") for place in _PLACES)
        row.check(placed, what, "does not say where:", said)
        row.note("refused")
        return error
    except Exception as error:  # noqa: BLE001 - the violation that is looked for
        row.check(False, what, repr(error))
    row.note("read")
    return None


def test_damaged_settings(ledger: Ledger, tmp_path: Path) -> None:
    what = "config cut at every byte, every bit flipped: read, or a sentence with its place"
    file = tmp_path / "config.toml"
    env = {"HOME": str(tmp_path), "INK_TUI_CONFIG_DIR": str(tmp_path)}
    with ledger.row("R18 settings", what, least=2_800) as row:
        file.write_bytes(_GOOD)
        row.check(_load(row, file, env, "whole") is None, "the whole file is refused")
        for cut in range(len(_GOOD)):
            file.write_bytes(_GOOD[:cut])
            _load(row, file, env, ("cut", cut))
        for bit in range(8 * len(_GOOD)):
            changed = bytearray(_GOOD)
            changed[bit >> 3] ^= 1 << (bit & 7)
            file.write_bytes(changed)
            _load(row, file, env, ("bit", bit))


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value)


def _strange() -> list[bytes]:
    """Return files with a strange value for each key, and files that no editor would write."""
    keys = {
        "roots": ("paths",),
        "ui": ("theme", "glyphs", "motion", "leave_chord", "output_colours"),
        "agents.x": ("resume", "fork", "match"),
        "keys": ("filter", "resume"),
    }
    files = [
        f"[{table}]\n{key} = {_toml(value)}\n".encode()
        for table, names in keys.items()
        for key in names
        for value in _STRANGE
    ]
    files += [f"{table} = {_toml(value)}\n".encode() for table in keys for value in _STRANGE]
    deep = b"[" * 20_000
    files += [b"x = " + deep, b"x = " + b"9" * 10_000, b"\0" * 4_096, b"\xff\xfe[\0u\0i\0", deep]
    files += [b"x = 1979-99-99", b"[ui]\n" * 2, b'"\\u001b]0;x\\u0007" = 1', b'[agents."\\u0000"]']
    return files


def test_strange_settings(ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    what = "strange values in every setting, by the command: status 0 or 2, a sentence, no change"
    file = tmp_path / "config.toml"
    session = tmp_path / "session.jsonl"
    session.write_bytes(simple())
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("INK_TUI_CONFIG_DIR", str(tmp_path))
    with ledger.row("R18 settings values", what, least=300) as row:
        for number, content in enumerate(_strange()):
            row.trial()
            file.write_bytes(content)
            status, out, err = run_cli("list")
            words = (content[:60], status, err)
            row.check(status in (0, 2), words)
            row.note(f"status {status}")
            if status:
                row.check(not out, words, "printed", out)
                row.check(err.startswith(f"ink-tui: {file}: "), words, "does not name the file")
                row.check(err.count("\n") == 1, words, "more than a sentence")
                row.check(clean(err[:-1]) == err[:-1], words, "acts on a terminal")
            row.check(file.read_bytes() == content, words, "the config was changed")
            if number % 8 == 0:
                row.check(run_cli("check", str(session))[0] == 0, words, "check needs it")
        row.check(run_cli("list", "--config", os.devnull)[0] == 0, "no way around it")
        row.check(run_cli("--demo")[0] == 2, "the demo ignores the settings")
