"""The filters of the query language, what they mean and which values they take."""

from __future__ import annotations

from enum import StrEnum


class Filter(StrEnum):
    """What a filter is about."""

    DIR = "dir"
    DATE = "date"
    MODEL = "model"
    VERDICT = "verdict"
    IS = "is"
    HAS = "has"
    NAME = "name"
    ID = "id"
    TOOL = "tool"
    ROLE = "role"
    FILE = "file"


RECORD_FILTERS = (Filter.TOOL, Filter.ROLE, Filter.FILE)
"""Filters that judge a record; all others judge a session."""

NARROWING = (Filter.DATE, Filter.IS, Filter.HAS)
"""Filters of which each one given must hold; of others, one of those given."""

MEANINGS = {
    Filter.DIR: "part of the working folder; dir:. is this one",
    Filter.DATE: "last activity: <2d, >1w, 2026-11, 2026-11-03, today",
    Filter.MODEL: "part of the model's name",
    Filter.TOOL: "calls and results of a tool; mcp* stands for all that begin so",
    Filter.ROLE: "who speaks: user, assistant, thinking, tool, call, result, ...",
    Filter.FILE: "calls about a file, and their results",
    Filter.VERDICT: "clean, repairable, inspect, refuse",
    Filter.IS: "live, torn, starred, pinned, archived, fork, child, empty",
    Filter.HAS: "compaction, open calls, branches",
    Filter.NAME: "part of the title",
    Filter.ID: "beginning of the session's id",
}
"""What each filter means, in the order in which they are offered."""

VALUES: dict[Filter, dict[str, str]] = {
    Filter.VERDICT: {
        "clean": "ready to resume",
        "repairable": "can be repaired",
        "inspect": "look first",
        "refuse": "cannot be resumed",
    },
    Filter.IS: {
        "live": "somebody writes to it now",
        "torn": "its end is not whole",
        "starred": "you gave it a star",
        "pinned": "pinned to the top of its folder",
        "archived": "put away",
        "fork": "copied from another session",
        "child": "a sub-agent's session",
        "empty": "without a message",
    },
    Filter.HAS: {
        "compaction": "older messages were replaced by a summary",
        "open": "calls without a saved result",
        "branches": "more than one branch",
    },
    Filter.ROLE: {
        "user": "what you said",
        "assistant": "what the model said",
        "thinking": "what the model thought",
        "tool": "calls and results",
        "call": "arguments of calls",
        "result": "output of tools",
        "summary": "summaries of compactions and branches",
        "label": "labels",
        "name": "names",
        "unknown": "records of a kind not known",
    },
}
"""The values that a filter takes, where they are few, with what they mean."""
