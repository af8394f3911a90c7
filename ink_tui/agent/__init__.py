"""Running agents: launch plans, the guard around a child, its terminal, and the terminal engine."""
