"""What a session is and what is true of it: pure values and pure functions."""
