"""The half of the main screen that finds inside the session that is shown."""

from __future__ import annotations

import asyncio
from functools import cached_property
from typing import TYPE_CHECKING

from ink_tui.keymap import Context
from ink_tui.tui.render.layout import Place
from ink_tui.tui.screens.keeping import KeepingScreen

if TYPE_CHECKING:
    from ink_tui.store.search.service import SearchService
    from ink_tui.tui.screens.find_inside import FindInside
    from ink_tui.tui.services import Services
    from ink_tui.tui.widgets.find_field import FindField

_OF_A_SESSION = frozenset({"find", "next_hit", "previous_hit"})


class InsideScreen(KeepingScreen):
    """Opens the field of a find and goes from hit to hit."""

    def __init__(self, services: Services) -> None:
        """Make the screen.

        Args:
            services: The outside world.
        """
        super().__init__(services)
        self._service: SearchService | None = None

    async def on_unmount(self) -> None:
        """End what searches; its process is waited for in a thread."""
        if self._service is not None:
            await asyncio.to_thread(self._service.close)

    @cached_property
    def inside(self) -> FindInside:
        """The find in the session; loaded and made when it is first used."""
        from ink_tui.tui.screens.find_inside import FindInside

        return FindInside(self)

    @property
    def finds_inside(self) -> bool:
        """Whether the field of a find stands in the session."""
        return "inside" in self.__dict__ and self.session.find.display

    @property
    def search_service(self) -> SearchService:
        """What searches files; made when it is first used."""
        if self._service is None:
            self._service = self.services.load_search()
        return self._service

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Find in a session only where one is looked at."""
        if action in _OF_A_SESSION:
            return self.place is Place.SESSION and self.session.path is not None
        return super().check_action(action, parameters)

    @property
    def key_context(self) -> Context:
        """Where a key goes now."""
        if self.has_session_pane and self.session.find.has_focus_within:
            return Context.FIND
        return super().key_context

    def draw_footer(self) -> None:
        """Offer what acts now: the next hit first, while there are marks."""
        super().draw_footer()
        if self.place is Place.SESSION and self.finds_inside and self.key_context != Context.FIND:
            lead = ("next-hit", "back")
            self.footer.show(self.keymap, self.key_context, lead)

    def _session_shown(self) -> None:
        super()._session_shown()
        if "inside" in self.__dict__:
            self.inside.session_shown()

    # Actions

    def action_find(self) -> None:
        """Find text in this session."""
        self.inside.open()

    def action_next_hit(self) -> None:
        """Go to the next place that was found; asks what to find where nothing was yet."""
        self.inside.step(1)

    def action_previous_hit(self) -> None:
        """Go to the place before that was found."""
        self.inside.step(-1)

    def leave_find(self) -> bool:
        """Take the marks of a find away; return whether there were any."""
        if self.place is not Place.SESSION or not self.finds_inside:
            return False
        self.inside.leave()
        return True

    # From the field

    def on_find_field_typed(self, message: FindField.Typed) -> None:
        """Look for what stands in the field now."""
        message.stop()
        self.inside.take(message.text)

    def on_find_field_kept(self, message: FindField.Kept) -> None:
        """Go to the rows; an empty field is closed."""
        message.stop()
        if self.session.find.input.value:
            self.session.focus_view()
        else:
            self.inside.leave()

    def on_find_field_cleared(self, message: FindField.Cleared) -> None:
        """Find nothing any more."""
        message.stop()
        self.inside.leave()

    def on_find_field_next_wanted(self, message: FindField.NextWanted) -> None:
        """Go to the next hit."""
        message.stop()
        self.inside.step(1)
