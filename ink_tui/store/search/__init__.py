"""Searching the contents of many session files."""
