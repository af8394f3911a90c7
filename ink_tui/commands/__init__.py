"""The headless face: one module per subcommand, the same core and the same answers as the screens.

Data goes to stdout, diagnostics to stderr. Exit status: 0 fine, 1 the answer is "damaged, not
allowed or nothing found", 2 wrong usage, 3 an internal error (`design.md` section 5).
"""
