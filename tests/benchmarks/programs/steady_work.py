"""A fixed amount of work, to see how steady the machine is."""

from __future__ import annotations

if __name__ == "__main__":
    total = 0
    for number in range(1_500_000):
        total += number & 3
    print(total)
