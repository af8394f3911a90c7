"""Writes records to many session files in turn, as many agents do; ends when stdin is closed.

Prints how many records it wrote, as JSON.
"""

from __future__ import annotations

import json
import os
import select
import sys
import time


def main(pause_ms: float, paths: list[str]) -> None:
    """Append a record to one file after another.

    Args:
        pause_ms: Time between two records.
        paths: The files.
    """
    written, following = 0, time.monotonic()
    descriptors = [os.open(path, os.O_WRONLY | os.O_APPEND) for path in paths]
    while True:
        following += pause_ms / 1000
        if select.select([0], [], [], max(0.0, following - time.monotonic()))[0]:
            break
        record = {
            "type": "message",
            "id": f"busy{written:012x}",
            "parentId": None,
            "timestamp": "2026-05-01T00:00:00.000Z",
            "message": {"role": "user", "content": f"busy {written}"},
        }
        line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
        os.write(descriptors[written % len(descriptors)], line)
        written += 1
    print(json.dumps({"records": written}))


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2:])
