"""The built-in agent: a program of its own process that continues a session without a model."""
