"""Widgets: one to a file, with the messages it sends."""

from __future__ import annotations
