"""Exceptions that cross layers; faults found in a session file are values, not exceptions.

Every message is a full sentence that a user can act on: what is wrong, where, and what to do next.
"""

from __future__ import annotations


class InkTuiError(Exception):
    """Base of every error that ink-tui raises on purpose."""


class ConfigError(InkTuiError):
    """The config file, the key map or the command line asks for something that cannot be."""


class FormatError(InkTuiError):
    """Bytes cannot be encoded or decoded as the format demands."""


class StoreError(InkTuiError):
    """A file of a session store or of our own state cannot be read or written."""


class RefusedError(StoreError):
    """A write was refused before anything was changed.

    Attributes:
        kind: The reason as a short stable word, for scripts and tests.
    """

    def __init__(self, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind


class LaunchError(InkTuiError):
    """An agent cannot be started.

    Attributes:
        kind: The reason as a short stable word, for scripts and tests.
    """

    def __init__(self, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind


class InternalError(InkTuiError):
    """An error of our own ended the screen; the message names places in the code, no values."""
