"""The reference of every listing, F: names and sizes of all files, the first line of each decoded.

Prints how many files and bytes there are, as JSON.
"""

from __future__ import annotations

import json
import os
import sys

import orjson


def main(root: str) -> None:
    """Look at every session file below a root."""
    files = size = 0
    waiting = [root]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif entry.name.endswith(".jsonl"):
                    size += entry.stat(follow_symlinks=False).st_size
                    descriptor = os.open(entry.path, os.O_RDONLY)
                    head = os.read(descriptor, 4096)
                    os.close(descriptor)
                    files += orjson.loads(head[: head.index(b"\n")])["type"] == "session"
    print(json.dumps({"files": files, "bytes": size}))


if __name__ == "__main__":
    main(sys.argv[1])
