"""Every constant of Ink's file format in one place (`formats/ink.md`), ready for a correction."""

from __future__ import annotations

from ink_tui.formats.file_names import CHILDREN_FOLDER as CHILDREN_FOLDER
from ink_tui.formats.file_names import FILE_SUFFIX as FILE_SUFFIX
from ink_tui.formats.file_names import LEASE_SUFFIX as LEASE_SUFFIX
from ink_tui.model.messages import Badge

FORMAT_VERSION = 1
"""The only header version that this build of Ink writes and opens (section 2)."""

LAUNCH_VERSION = 1
"""The only version of a sub-agent's launch record (2.1)."""

KNOWN_PROVIDERS = frozenset(
    {"anthropic", "openai", "openai-codex", "zai", "deepseek", "moonshotai", "moonshotai-cn"}
)
"""Providers that a `session_model` record may name (3.8); the set depends on Ink's build."""

RESULT_BADGES: tuple[tuple[str, Badge], ...] = (
    ("(force quit before this tool ran)", Badge.FORCE_QUIT),
    ("(interrupted before this tool ran)", Badge.INTERRUPTED),
    ("(not executed: reached max turns)", Badge.MAX_TURNS),
    ("[imp] this tool call was interrupted", Badge.CLOSED_UNKNOWN),
    ("[ink] this tool call was interrupted", Badge.CLOSED_UNKNOWN),
    ("[ink-tui] No result was saved for this call.", Badge.CLOSED_UNKNOWN),
)
"""Beginnings of result texts that Ink, or a repair, invents (4.5)."""

NO_RESPONSE_PREFIX, NO_RESPONSE_PART = "Tool ", " did not respond to the interrupt"
BLOCKED_PREFIX, BLOCKED_PART = 'Tool "', '" blocked by an extension:'

BADGE_STARTS = frozenset(
    start[0] for start in (*dict(RESULT_BADGES), NO_RESPONSE_PREFIX, BLOCKED_PREFIX)
)
"""First characters of all these beginnings."""

UNKNOWN_OUTCOME = (
    "[ink-tui] No result was saved for this call. Whether it ran, and how far, is unknown; "
    "check the actual state before relying on it or running it again."
)
"""The error result that closes an open call (8.5)."""

FAR_BYTES = 4 << 20
"""Lines longer than this hold up every key of a program that decodes them beside a screen."""
