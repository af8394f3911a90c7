"""What names a record."""

from __future__ import annotations

from typing import NewType

EntryId = NewType("EntryId", str)
"""Identity of an entry inside one file, exactly as it stands there (not cleaned)."""
