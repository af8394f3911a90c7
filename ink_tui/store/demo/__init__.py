"""A private copy of sample sessions to try everything on (`ui.md` section 7)."""

from __future__ import annotations

from ink_tui.store.demo.folder import DEMO_MARKER, Demo, create_demo, demo_state_dir, is_demo

__all__ = ["DEMO_MARKER", "Demo", "create_demo", "demo_state_dir", "is_demo"]
