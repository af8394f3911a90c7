"""The screens: the only package that knows Textual."""

from __future__ import annotations
