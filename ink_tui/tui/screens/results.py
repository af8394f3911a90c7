"""The seeing half of the search screen: what is asked, what was found, a look at the hit."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

from textual import on, work
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import Input

from ink_tui.errors import InkTuiError, StoreError
from ink_tui.keymap import Context
from ink_tui.model.query import Query, parse
from ink_tui.tui.render.hit_preview import load_preview
from ink_tui.tui.render.layout import TWO_PANES
from ink_tui.tui.render.search_lines import candidate_lines, hint_lines, problem_lines
from ink_tui.tui.render.search_results import HIT, MORE, Results, address
from ink_tui.tui.render.search_rows import count_words, last_rows
from ink_tui.tui.screens.completing import Completing
from ink_tui.tui.screens.search_values import HitWanted
from ink_tui.tui.screens.searching import REST_SECONDS, Searching
from ink_tui.tui.widgets.footer_bar import FooterBar
from ink_tui.tui.widgets.hair_line import HairLine
from ink_tui.tui.widgets.hits_view import HitsView
from ink_tui.tui.widgets.preview_pane import PreviewPane
from ink_tui.tui.widgets.rows_view import RowsView
from ink_tui.tui.widgets.search_field import SearchField
from ink_tui.tui.widgets.search_head import BelowField, SearchTop

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from ink_tui.store.search.service import SearchService
    from ink_tui.store.search.values import Hit
    from ink_tui.tui.screens.search_values import Kept, Known
    from ink_tui.tui.services import Services

PREVIEW_DELAY = 0.06
"""Seconds that a hit must stay selected before its surroundings are read."""


class ResultsScreen(Screen[HitWanted | str | None]):
    """Finds while one types; the result is a hit to open, an action of the browser, or None."""

    AUTO_FOCUS = "QueryInput"
    VERTICAL_BREAKPOINTS = [(0, "-low"), (16, "-middle"), (25, "-tall")]
    DEFAULT_CSS = """
    ResultsScreen {
        layout: vertical;
        background: $background;
        #search-top { margin-bottom: 1; }
        &.-low #search-top, &.-middle #search-top { margin-bottom: 0; }
        #search-body { height: 1fr; }
        #search-hits { width: 1fr; height: 1fr; }
    }
    """

    def __init__(
        self, services: Services, service: SearchService, known: Callable[[], Known], kept: Kept
    ) -> None:
        """Make the screen.

        Args:
            services: The outside world.
            service: What searches files.
            known: Tells what is known of the sessions now.
            kept: Query and order of the last look; this one's are put there.
        """
        super().__init__()
        self.services = services
        self.keymap = services.config.keymap
        self.query_text = kept.text
        self.results = Results(best_first=kept.best_first)
        self._kept = kept
        self._known = known
        self.service = service
        self.searching = Searching(services, service, known())
        glyphs = services.glyphs
        times = (services.now, services.zone)
        self.top = SearchTop(glyphs=glyphs, keymap=self.keymap)
        self.field = SearchField(kept.text, glyphs=glyphs)
        self.below = BelowField(glyphs=glyphs)
        self.hits = HitsView(now=times[0], zone=times[1], home=services.home, glyphs=glyphs)
        self.preview = PreviewPane(now=times[0], zone=times[1], glyphs=glyphs)
        self.footer = FooterBar(glyphs=glyphs)
        self._edge = HairLine(vertical=True, glyphs=glyphs)
        self._asked = Query()
        self.under_way = False
        """Whether a search runs."""
        self._took_ms: int | None = None
        self._error = ""
        self._moved = False
        """Whether the selection was moved by a person since the query changed."""
        self._looked_at: tuple[str, Hit] | None = None
        """The hit whose surroundings are shown, or being read."""
        self._completing = Completing()

    def compose(self) -> ComposeResult:
        """Title, field, what can be typed, results and preview, footer."""
        yield self.top
        yield self.field
        yield self.below
        with Horizontal(id="search-body"):
            yield self.hits
            yield self._edge
            yield self.preview
        yield self.footer

    def on_mount(self) -> None:
        """Ask again what was asked before."""
        self.footer.show(self.keymap, Context.SEARCH)
        self.run_worker(self.searching.prepare(), group="prepare")
        self.field.input.cursor_position = len(self.query_text)
        self._ask()

    def on_resize(self) -> None:
        """Show the preview where there is room for it."""
        two = self.size.width >= TWO_PANES
        self._edge.display = self.preview.display = two
        self.hits.styles.width = self.size.width // 2 - 1 if two else "1fr"
        self._draw()
        self._look_at_hit()

    # What is asked

    @on(Input.Changed)
    def _changed(self, message: Input.Changed) -> None:
        message.stop()
        if message.value != self.query_text:
            self.query_text = self._kept.text = message.value
            self._completing.typed(message.value)
            self._ask()

    def _ask(self) -> None:
        """Search for what stands in the field; what was searched before is broken off at once."""
        query = parse(self.query_text)
        self.workers.cancel_group(self, "search")
        self.under_way = False
        if query.problem is None or query.terms:
            # Where something is wrong, what is understood is searched all the same.
            self._asked = Query(query.terms)
            self._search(self._asked)
        else:
            self._draw()
        self._say_below()

    @work(group="search", exclusive=True)
    async def _search(self, query: Query) -> None:
        self.under_way, self._moved, self._took_ms, self._error = True, False, None, ""
        begun = self.services.clock()
        results = Results(self.searching.known.rows, best_first=self._kept.best_first)
        if query.terms:
            for row, match in await self.searching.rows(query):
                results.add_row(row, match)
        self.results = results
        self._draw()
        if query.terms:
            await self._search_files(query, results)
        self.under_way = False
        self._took_ms = self.services.clock() - begun
        self._draw()

    async def _search_files(self, query: Query, results: Results) -> None:
        await asyncio.sleep(REST_SECONDS)
        targets = await self.searching.targets(query)
        results.begin([target.path for target in targets])
        self._draw()
        try:
            async with aclosing(self.searching.contents(query, targets)) as found:
                async for events in found:
                    for event in events:
                        results.take(event)
                        if results.full:
                            return
                    self._draw()
        except StoreError as error:
            self._error = str(error)

    # What is shown

    def _draw(self) -> None:
        """Show what was found so far; the first hit is selected until a person moves."""
        if not self.is_mounted:
            return
        results, glyphs = self.results, self.services.glyphs
        last = last_rows(results, self._asked, glyphs, running=self.under_way, error=self._error)
        if not self._asked.terms:
            last = []
        self.hits.show(results, last)
        if not self._moved:
            self.hits.action_first_row()
            self.hits.scroll_to(y=0, animate=False, force=True)
        words = count_words(results, self._took_ms, self.size.width)
        self.field.say(words if self._asked.terms else ())
        self._follow_hit()

    def _say_below(self) -> None:
        """Say under the field what can be typed, what fits, or what is wrong."""
        cells, glyphs = self.size.width, self.services.glyphs
        problem = parse(self.query_text).problem
        fits = self._completing
        if fits.completion is not None:
            lines = candidate_lines(fits.completion, fits.number, cells, glyphs)
        elif problem is not None:
            scrolled = int(self.field.input.scroll_offset.x)
            lines = problem_lines(self.query_text, problem, scrolled, cells, glyphs)
        else:
            lines = hint_lines(cells, glyphs, self.keymap)
        self.below.show(lines)

    @property
    def selected(self) -> tuple[str, Hit] | None:
        """The session and the hit that are selected."""
        if self.hits.selected is None:
            return None
        what, number, path = address(self.hits.selected)
        if what not in (HIT, MORE):
            return None
        return path, self.results.found(path).hits[number if what == HIT else 0]

    @on(RowsView.Highlighted)
    def _highlighted(self, message: RowsView.Highlighted) -> None:
        message.stop()
        self._follow_hit()

    def _follow_hit(self) -> None:
        """Say in the preview which hit is selected, and show another one's surroundings."""
        selected = self.selected
        if selected != self._looked_at:
            self._looked_at = selected
            self._look_at_hit()
        if selected is not None and self.preview.display:
            number = address(self.hits.selected or "")[1]
            at = self.results.number_of(selected[0], number)
            self.preview.say(selected[1], at, self.results.hits)

    @work(group="preview", exclusive=True)
    async def _look_at_hit(self) -> None:
        """Show the surroundings of the selected hit where there is room for them."""
        selected = self.selected
        if selected is None:
            self.preview.clear()
        if selected is None or not self.preview.display:
            return
        path, hit = selected
        await asyncio.sleep(PREVIEW_DELAY)
        try:
            preview = await asyncio.to_thread(load_preview, path, hit)
        except InkTuiError:
            self.preview.clear()  # gone meanwhile; opening it says so
            return
        spans = (hit.snippet.text[start:end] for start, end in hit.snippet.spans)
        words = (term.text for term in self._asked.words)
        self.preview.show(preview, tuple(dict.fromkeys((*spans, *words))))
