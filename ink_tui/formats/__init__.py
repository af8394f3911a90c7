"""Bytes to sessions and back, one module or package per on-disk format; no file is opened here."""
