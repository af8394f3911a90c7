"""Screens: they compose widgets, bind keys and forward messages."""
