"""Browse, inspect, repair, resume and fork coding-agent sessions in the terminal."""

__version__ = "0.1.0"
