"""Widgets: one to a file, with the messages it sends."""
