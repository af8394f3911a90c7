"""Screens: they compose widgets, bind keys and forward messages."""

from __future__ import annotations
