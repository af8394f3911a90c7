"""How the files and folders of a session store are named (`formats/ink.md` section 1).

Apart from the format itself: finding files needs nothing of what reads them.
"""

from __future__ import annotations

FILE_SUFFIX = ".jsonl"
CHILDREN_FOLDER = "children"
LEASE_SUFFIX = ".lease"
