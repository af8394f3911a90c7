"""Everything that touches files: finding, reading, watching and writing sessions."""
