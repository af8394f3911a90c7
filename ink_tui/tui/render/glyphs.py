"""Every glyph of the screens by its meaning, with a complete ASCII set (`ui.md` 2.2).

One meaning has one glyph. State marks are one cell wide in every terminal and are followed by a
space, so that a fallback font that draws wider cannot touch the next word.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of glyphs."""

    live: str
    """An agent writes here."""
    decide: str
    """Needs a decision; a repair exists."""
    damaged: str
    """Readable but damaged."""
    failed: str
    """Failed or refused."""
    done: str
    """Done, checked: in transcript, health and preflight only."""
    folded: str
    opened: str
    child: str
    """A sub-agent, another file."""
    trunk: str
    """The trunk, in the context."""
    gone: str
    """The trunk, summarised away."""
    resume_point: str
    stub: str
    """A branch stub with others after it; two cells."""
    last_stub: str
    """The last branch stub of its branch point; two cells."""
    compaction: str
    """Fills a compaction row."""
    label: str
    star: str
    """A session or a record that the user has starred; never doubles, unlike the usual star."""
    chosen: str
    back: str
    playing: str
    paused: str
    turn: str
    """A user turn on the timeline."""
    compacted: str
    """A compaction on the timeline."""
    here: str
    """The place on the timeline."""
    bar_full: str
    bar_rest: str
    bar_summary: str
    bar_kept: str
    bar_since: str
    bar_limit: str
    ellipsis: str
    separator: str
    minus: str
    plus: str
    arrow: str
    """From one figure to another."""
    bullet: str
    times: str
    """Between columns and rows."""
    rule: str
    """A horizontal hair line."""
    rule_strong: str
    """The part of the tab rule under the active tab."""
    rule_focused: str
    """The same where colour is missing and the tab has the focus: a double rule."""
    divider: str
    """A vertical hair line."""
    scroll_thumb: str
    """A cell of the scroll bar's thumb; drawn reversed when it is a space."""
    scroll_track: str
    ascii: bool
    """Whether keys and quotes are spelt in ASCII as well."""


UNICODE = Glyphs(
    live="◉",
    decide="!",
    damaged="?",
    failed="✗",
    done="✓",
    folded="▸",
    opened="▾",
    child="↳",
    trunk="┃",
    gone="╎",
    resume_point="┗",
    stub="├╴",
    last_stub="└╴",
    compaction="╌",
    label="#",
    star="✭",
    chosen="›",  # noqa: RUF001  (the glyph meant)
    back="‹",  # noqa: RUF001 - the glyph meant
    playing="►",
    paused="▪",
    turn="╷",
    compacted="C",
    here="●",
    bar_full="━",
    bar_rest="╌",
    bar_summary="▒",
    bar_kept="░",
    bar_since="█",
    bar_limit="╎",
    ellipsis="…",
    separator="·",
    minus="−",  # noqa: RUF001 - the glyph meant
    plus="+",
    arrow="→",
    bullet="•",
    times="×",  # noqa: RUF001 - the glyph meant
    rule="─",
    rule_strong="━",
    rule_focused="═",
    divider="│",
    scroll_thumb=" ",
    scroll_track=" ",
    ascii=False,
)
"""The usual set."""

ASCII = Glyphs(
    live="@",
    decide="!",
    damaged="?",
    failed="x",
    done="+",
    folded=">",
    opened="v",
    child="\\",
    trunk="|",
    gone=":",
    resume_point="`",
    stub="|-",
    last_stub="`-",
    compaction="-",
    label="#",
    star="*",
    chosen=">",
    back="<",
    playing=">",
    paused="=",
    turn="'",
    compacted="C",
    here="o",
    bar_full="=",
    bar_rest="-",
    bar_summary="s",
    bar_kept="k",
    bar_since="#",
    bar_limit=":",
    ellipsis="~",
    separator="-",
    minus="-",
    plus="+",
    arrow=">",
    bullet="*",
    times="x",
    rule="-",
    rule_strong="=",
    rule_focused="=",
    divider="|",
    scroll_thumb="#",
    scroll_track="|",
    ascii=True,
)
"""The set for terminals that cannot draw more."""


def choose_glyphs(setting: str, encoding: str, term: str) -> Glyphs:
    """Return the set to draw with.

    Args:
        setting: `auto`, `unicode` or `ascii`, from the config or the command line.
        encoding: The locale's encoding.
        term: The value of `TERM`.
    """
    if setting == "auto":
        utf8 = encoding.lower().replace("-", "").replace("_", "") in ("utf8", "cp65001")
        return UNICODE if utf8 and term != "linux" else ASCII
    return ASCII if setting == "ascii" else UNICODE
