"""The config file: what it sets, and the sentence for each mistake."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ink_tui.config import (
    Config,
    GlyphSetting,
    Motion,
    UiConfig,
    load_config,
    session_roots,
)
from ink_tui.errors import ConfigError
from ink_tui.keymap import DEFAULT_KEYMAP, Context

WHOLE = """
[roots]
paths = ["~/sessions", "/srv/sessions", "near"]

[agents.ink]
resume = ["ink", "--resume", "{id}"]

[agents.mine]
resume = ["/opt/my agent", "{path}"]
fork = ["/opt/my agent", "--fork", "{id}"]
match = "my-agent"

[keys]
resume = "R"
row-down = ["down", "n"]

[ui]
theme = "nord"
glyphs = "ascii"
motion = "reduced"
leave_chord = "ctrl+g"
"""


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path / "home"), "INK_TUI_CONFIG_DIR": str(tmp_path)}


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "config.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(("value", "wanted"), [("true", True), ("false", False)])
def test_output_colours(tmp_path: Path, env: dict[str, str], value: str, wanted: bool) -> None:
    file = written(tmp_path, f"[ui]\noutput_colours = {value}\n")
    assert load_config(file, env).ui.output_colours is wanted
    assert not Config().ui.output_colours


def test_a_missing_file_gives_the_defaults(env: dict[str, str]) -> None:
    assert load_config(None, env) == Config()
    assert Config().ui.theme == "ink"


def test_a_file_that_was_asked_for_must_exist(env: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no\.toml: there is no such config file"):
        load_config(tmp_path / "no.toml", env)


def test_every_key_is_read(env: dict[str, str], tmp_path: Path) -> None:
    written(tmp_path, WHOLE)
    config = load_config(None, env)
    assert config.source == tmp_path / "config.toml"
    assert config.roots.paths == (
        tmp_path / "home" / "sessions",
        Path("/srv/sessions"),
        tmp_path / "near",
    )
    assert list(config.agents) == ["ink", "mine"]
    assert config.agents["mine"].resume == ("/opt/my agent", "{path}")
    assert config.agents["mine"].fork == ("/opt/my agent", "--fork", "{id}")
    assert config.agents["mine"].match == ("my-agent",)
    assert config.agents["ink"].match == ()
    assert config.keymap.action("resume").keys == ("R",)
    assert config.keymap.action("row-down").keys == ("down", "n")
    assert config.ui == UiConfig("nord", GlyphSetting.ASCII, Motion.REDUCED, "ctrl+g")


def test_the_leave_chord_moves_both_ways_unless_keys_say_otherwise(
    env: dict[str, str], tmp_path: Path
) -> None:
    text = '[ui]\nleave_chord = "ctrl+g"\n[keys]\nto-agent = "f9"\n'
    keymap = load_config(written(tmp_path, text), env).keymap
    assert keymap.action("leave-agent").keys == ("ctrl+g",)
    assert keymap.action("to-agent").keys == ("f9",)
    assert keymap.bound(Context.AGENT_CAPTURED, "ctrl+right_square_bracket") is None


MISTAKES = [
    ("[ui", "not valid TOML"),
    ("[iu]\n", "there is no table or key “iu”; did you mean “ui”?"),
    ("[something]\n", "known are roots, agents, keys, ui."),
    ("ui = 3\n", "“ui” must be a table, not a number"),
    ('[ui]\nthemes = "ink"\n', "[ui] has no key “themes”; did you mean “theme”?"),
    ("[ui]\ntheme = true\n", "[ui] “theme” must be a text, not true or false"),
    ('[ui]\nglyphs = "asci"\n', "[ui] “glyphs” must be one of auto, unicode, ascii, not “asci”"),
    ("[ui]\noutput_colours = 1\n", "[ui] “output_colours” must be true or false, not a number"),
    ("[ui]\nmotion = []\n", "[ui] “motion” must be one of full, reduced"),
    ('[ui]\nleave_chord = "x"\n', "letters are typed there"),
    ('[roots]\npaths = "/srv"\n', "[roots] “paths” must be a list of texts, not a text"),
    ('[roots]\npaths = ["\\u0000"]\n', "[roots] “paths” holds a zero byte."),
    ('[agents.x]\nresume = ["a\\u0000"]\n', "[agents.x] “resume” holds a zero byte."),
    ("x = " + "9" * 10_000, "this is not valid TOML"),
    ("[roots]\npaths = [1]\n", "[roots] “paths” must be a list of texts, not a list of other"),
    ("[agents]\nink = 1979-05-27\n", "[agents] “ink” must be a table, not a date or time"),
    ("[agents.ink]\n", "[agents.ink] “resume” is missing"),
    ('[agents.ink]\nresume = "ink --resume"\n', "must be a list of texts, not a text"),
    ('[agents.ink]\nresume = [""]\n', "must start with the name or the path of a program"),
    ('[agents.ink]\nresum = ["ink"]\n', "[agents.ink] has no key “resum”; did you mean “resume”?"),
    ('[keys]\nresum = "x"\n', "[keys] has no action “resum”. Did you mean “resume”?"),
    ('[keys]\nresume = "entr"\n', "there is no key “entr”. Did you mean “enter”?"),
    ('[keys]\nresume = "f"\n', "“f” would mean both “resume” and “fork”"),
    ("[keys]\nresume = []\n", "“resume” has no key"),
    ("[keys]\nresume = 3\n", "[keys] “resume” must be a list of texts, not a number"),
]


@pytest.mark.parametrize(("text", "sentence"), MISTAKES, ids=[text for text, _ in MISTAKES])
def test_each_mistake_names_file_key_and_way_out(
    text: str, sentence: str, env: dict[str, str], tmp_path: Path
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load_config(None, env)
    assert sentence in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")


def test_bytes_that_are_no_text_are_named(env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes(b"[ui]\n\xff\n")
    with pytest.raises(ConfigError, match="line 2: byte 5 is not UTF-8"):
        load_config(None, env)


def test_a_folder_in_place_of_the_file_is_a_sentence(env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "config.toml").mkdir()
    with pytest.raises(ConfigError, match="cannot be read: Is a directory"):
        load_config(None, env)


def test_roots_command_line_before_environment_before_config(
    env: dict[str, str], tmp_path: Path
) -> None:
    config = load_config(written(tmp_path, '[roots]\npaths = ["/c"]\n'), env)
    assert session_roots(Config(), env) == (tmp_path / "home" / ".ink" / "sessions",)
    assert session_roots(config, env) == (Path("/c"),)
    env["INK_TUI_SESSIONS_DIR"] = os.pathsep.join(["/a", "", "/b", "/a"])
    assert session_roots(config, env) == (Path("/a"), Path("/b"))
    assert session_roots(config, env, [Path("/g")]) == (Path("/g"),)


def test_no_override_is_the_table_itself(env: dict[str, str], tmp_path: Path) -> None:
    assert load_config(written(tmp_path, "[ui]\n"), env).keymap is DEFAULT_KEYMAP
