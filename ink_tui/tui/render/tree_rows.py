"""The tree of a session as rows (`ui.md` section 4, "Tree row")."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ink_tui.model.outline_rows import CallLook, Rail, RowKind
from ink_tui.model.tool_facts import ToolKind, tool_kind
from ink_tui.model.words import Facts, Mark, StateCode, counted, words
from ink_tui.tui.render import figures
from ink_tui.tui.render.cells import width
from ink_tui.tui.render.list_rows import age_of
from ink_tui.tui.render.rows import BLANK, TREE_COLUMNS, Cut, Ground, Piece, Role, Row
from ink_tui.tui.render.state_pieces import (
    MARK_ROLES,
    mark_glyph,
    mark_piece,
    own_words,
    star_piece,
)
from ink_tui.tui.render.transcript_look import time_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ink_tui.model.outline_rows import OutlineRow, Sizes
    from ink_tui.tui.render.glyphs import Glyphs
    from ink_tui.tui.render.rows import Columns
    from ink_tui.tui.render.transcript_look import Look

FOLD = "fold"
"""Part of a row that folds and unfolds it."""

_LEAST_SECONDS = 1.0
_QUARTER_MS = 15 * 60 * 1000
_STUB_KIND = 6
"""Cells of the kind on a stub, so that its text stands under the other texts."""
_PATH_KINDS = (ToolKind.READ, ToolKind.EDIT, ToolKind.WRITE)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def tree_outlines(rows: Iterable[OutlineRow], known: Mapping[str, Row] | None = None) -> list[Row]:
    """Return rows without content for the rows of a tree, a blank one before each section.

    They say where each row stands and whether it can be selected; `tree_row` gives what is drawn
    for the few that are on the screen.

    Args:
        rows: The rows that are seen.
        known: What was returned before, by key; such rows are not made again.
    """
    known = known or {}
    found: list[Row] = []
    for row in rows:
        if row.kind is RowKind.HEADING and found:
            found.append(BLANK)
        ground = Ground.BAND if _is_band(row) else Ground.PLAIN
        old = known.get(row.key)
        if old is None or old.ground is not ground:
            old = Row(row.key, selectable=row.kind is not RowKind.HEADING, ground=ground)
        found.append(old)
    return found


def _is_band(row: OutlineRow) -> bool:
    return row.kind is RowKind.COMPACTION and not row.thin and not row.stub


def tree_columns(rows: Iterable[OutlineRow], look: Look) -> Columns:
    """Return the columns that fit the widest time, so that all notes end in one column."""
    # Times of one quarter of an hour are equally wide, whatever the zone.
    moments = {row.time_ms // _QUARTER_MS: row.time_ms for row in rows if row.time_ms is not None}
    widest = max((len(time_of(moment, look)) for moment in moments.values()), default=0)
    return replace(TREE_COLUMNS, time=max(TREE_COLUMNS.time, widest))


def tree_row(row: OutlineRow, look: Look) -> Row:
    """Return what is drawn for one row of a tree."""
    glyphs = look.glyphs
    if row.kind is RowKind.HEADING:
        text = (Piece(row.word, Role.MUTED, bold=True), Piece(f"   {row.text}", Role.DIM))
        return Row(row.key, text=text, selectable=False)
    if row.kind is RowKind.COMPACTION:
        return _compaction_row(row, look)
    if row.kind is RowKind.RESUME:
        return _resume_row(row, look)
    if row.kind is RowKind.FOLD:
        said = f"{row.count:,} {'' if row.opened else 'more '}summarised away, "
        text = (_triangle(row, glyphs), Piece(f"{said}no longer in the context", Role.DIM))
        return Row(row.key, mark=_rail(row, glyphs), text=text)
    if row.kind is RowKind.HIDDEN:
        return _hidden_row(row, glyphs)
    if row.kind is RowKind.FORK:
        return _fork_row(row, look)
    note, short = _notes(row, look)
    drawn = Row(
        row.key,
        mark=_rail(row, glyphs),
        text=_text(row, glyphs),
        note=note,
        note_short=short,
        time=_time(row, look),
        indent=row.indent,
    )
    if row.stub:
        return replace(drawn, text=_stub_text(row, glyphs), indent=max(0, row.indent - 2))
    return replace(drawn, kind=_kind(row, glyphs))


def size_words(sizes: Sizes) -> str:
    """Return what a compaction did to the context: `118k → ~9k tokens`; the second is estimated."""
    before = figures.tokens(sizes.before) if sizes.before is not None else ""
    after = f"~{figures.tokens(sizes.after)}" if sizes.after is not None else ""
    joined = " → ".join(part for part in (before, after) if part)
    return f"{joined} tokens" if joined else ""


def _rail(row: OutlineRow, glyphs: Glyphs) -> tuple[Piece, ...]:
    """Return the mark of a row, else its rail."""
    if row.mark is not Mark.NONE:
        return mark_piece(row.mark, glyphs)
    if row.rail is Rail.TRUNK:
        return (Piece(glyphs.trunk, Role.ACCENT),)
    if row.rail is Rail.GONE:
        return (Piece(glyphs.gone, Role.DIM),)
    if row.rail is Rail.RESUME:
        return (Piece(glyphs.resume_point, Role.ACCENT),)
    return ()


def _role(row: OutlineRow) -> Role:
    """Return the colour of a row's text."""
    if row.dim:
        return Role.DIM
    if row.kept or row.depth or row.kind in (RowKind.THINKING, RowKind.SUMMARY):
        return Role.MUTED
    return Role.TEXT


def _kind(row: OutlineRow, glyphs: Glyphs) -> tuple[Piece, ...]:
    word = f"{glyphs.ellipsis} {row.word}" if row.deeper else row.word
    if row.mark is not Mark.NONE:
        role, bold = MARK_ROLES[row.mark], True
    elif row.kind is RowKind.USER:
        role, bold = _role(row), row.bold
    else:
        role, bold = Role.DIM if row.dim else Role.MUTED, False
    room = TREE_COLUMNS.kind - 1
    if width(word) > room:
        return (Piece(word[: room - 1] + glyphs.ellipsis, role, bold=bold), Piece(" "))
    return (Piece(word, role, bold=bold),)


def _text(row: OutlineRow, glyphs: Glyphs) -> tuple[Piece, ...]:
    role = _role(row)
    cut = Cut.END
    if row.call is not None and tool_kind(row.call.tool) in _PATH_KINDS:
        cut = Cut.PATH
    bold = row.bold and row.kind in (RowKind.USER, RowKind.CALL)
    main = Piece(row.text, role, bold=bold, italic=row.kind is RowKind.THINKING, cut=cut)
    star = (star_piece(glyphs),) if row.starred else ()
    if row.changes is None or row.changes == (0, 0):
        return (*star, main)
    added, removed = row.changes
    figures_said = "  " + " ".join(
        part
        for part in (
            f"+{added}" if added else "",
            f"{glyphs.minus}{removed}" if removed else "",
        )
        if part
    )
    return (*star, main, Piece(figures_said, role, bold=bold, cut=Cut.NEVER))


def _stub_text(row: OutlineRow, glyphs: Glyphs) -> tuple[Piece, ...]:
    branch = glyphs.last_stub if row.last_stub else glyphs.stub
    word = row.word if width(row.word) < 10 else row.word[:9] + glyphs.ellipsis
    lead = f"{glyphs.ellipsis} " if row.deeper else ""
    kind = lead + word + " " * max(1, _STUB_KIND - width(word))
    role = MARK_ROLES[row.mark] if row.mark is not Mark.NONE else Role.MUTED
    triangle = _triangle(row, glyphs) if row.foldable else Piece("  ")
    return (
        Piece(branch, Role.MUTED, cut=Cut.NEVER),
        replace(triangle, cut=Cut.NEVER),
        Piece(kind, role, cut=Cut.NEVER),
        *_text(replace(row, bold=False), glyphs),
    )


def _triangle(row: OutlineRow, glyphs: Glyphs) -> Piece:
    glyph = glyphs.opened if row.opened else glyphs.folded
    return Piece(f"{glyph} ", Role.DIM if row.dim else Role.MUTED, part=FOLD)


def _time(row: OutlineRow, look: Look) -> tuple[Piece, ...]:
    text = time_of(row.time_ms, look)
    return (Piece(text, Role.DIM),) if text else ()


def _notes(row: OutlineRow, look: Look) -> tuple[tuple[Piece, ...], tuple[Piece, ...] | None]:
    """Return the note and its short form."""
    glyphs = look.glyphs
    if row.stub and not row.problem:
        role = Role.DIM if row.dim else Role.MUTED
        label = tuple(Piece(f"{mark}  ", Role.ACCENT) for mark in _own_marks(row, glyphs))
        said = f"{row.notes[0]} · " if row.look is not CallLook.NONE else ""
        records = own_words(said + counted(row.count, "record"), glyphs)
        return (
            (*label, Piece(records, role)),
            (Piece(figures.count(row.count), role),),
        )
    parts: list[Piece] = []
    role = _note_role(row)
    glyph = mark_glyph(row.mark, glyphs)
    for number, note in enumerate(row.notes):
        said = _running(row, look) if row.look is CallLook.RUNNING and not number else note
        lead = f"{glyph} " if number == 0 and row.look in (CallLook.OPEN, CallLook.GAP) else ""
        parts.append(Piece(own_words(lead + said, glyphs), role))
    if row.child_id is not None:
        known = row.child_records is not None
        said = counted(row.child_records or 0, "record") if known else "sub-agent"
        parts.append(Piece(f"{glyphs.child} {said}", role))
    if row.duration_ms is not None:
        took = figures.duration(row.duration_ms / 1000, _LEAST_SECONDS)
        if took:
            parts.append(Piece(took, role))
    if row.kept:
        parts.append(Piece("kept", Role.MUTED))
    parts += [Piece(mark, Role.ACCENT) for mark in _own_marks(row, glyphs)]
    return _joined(parts, glyphs), _short(row, parts, role, glyphs)


def _own_marks(row: OutlineRow, glyphs: Glyphs) -> list[str]:
    """Return what people have put on a record: its label, and that there is a note of theirs."""
    label = [f"{glyphs.label}{row.label}"] if row.label else []
    return [*label, "note"] if row.user_note else label


def _short(
    row: OutlineRow, parts: list[Piece], role: Role, glyphs: Glyphs
) -> tuple[Piece, ...] | None:
    """Return the note of a narrow pane: labels dropped, one word or figure kept."""
    if row.look in (CallLook.OPEN, CallLook.GAP):
        return (Piece(f"{mark_glyph(row.mark, glyphs)} no result saved", role),)
    if row.look in (CallLook.BEFORE, CallLook.LEFT):
        return (Piece("no result", role),)
    if row.kind in (RowKind.TAIL, RowKind.BAD_LINE):
        return tuple(parts[:1])
    if row.problem and row.notes:
        return (parts[len(row.notes) - 1],)
    if row.child_records is not None and not row.notes:
        return (Piece(f"{glyphs.child} {row.child_records:,}", role),)
    kept = [part for part in parts if part.role is not Role.ACCENT]
    return _joined(kept[:2], glyphs)


def _joined(parts: list[Piece], glyphs: Glyphs) -> tuple[Piece, ...]:
    found: list[Piece] = []
    for part in parts:
        if found:
            found.append(Piece(f" {glyphs.separator} ", Role.DIM))
        found.append(part)
    return tuple(found)


def _note_role(row: OutlineRow) -> Role:
    if row.mark is not Mark.NONE:
        return MARK_ROLES[row.mark]
    if row.dim:
        return Role.DIM
    return Role.ERROR if row.failed and not row.depth and not row.kept else Role.MUTED


def _running(row: OutlineRow, look: Look) -> str:
    seconds = None
    if row.time_ms is not None:
        now_ms = look.now.timestamp() * 1000
        seconds = max(0.0, (now_ms - row.time_ms) / 1000)
    return words(StateCode.LIVE, Facts(seconds=seconds)).tree


def _compaction_row(row: OutlineRow, look: Look) -> Row:
    glyphs = look.glyphs
    sizes = own_words(size_words(row.sizes), glyphs) if row.sizes is not None else ""
    said = f"{row.word}  {sizes}".rstrip()
    role = Role.DIM if row.thin else Role.TEXT
    if row.sizes is not None and row.sizes.kept and not row.thin:
        said += f", {counted(row.sizes.kept, 'message')} kept"
    note: tuple[Piece, ...] = ()
    if row.mark is not Mark.NONE and row.notes:
        note = (Piece(row.notes[0], MARK_ROLES[row.mark]),)
    else:
        note = _joined([Piece(mark, Role.ACCENT) for mark in _own_marks(row, glyphs)], glyphs)
    star = (star_piece(glyphs),) if row.starred else ()
    drawn = Row(
        row.key,
        mark=_rail(row, glyphs),
        text=(*star, Piece(said, role, bold=not row.thin)),
        note=note,
        note_short=note if row.problem else (),
        time=_time(row, look),
        fill=Piece(glyphs.compaction, role if row.thin else Role.MUTED),
        indent=row.indent,
    )
    if row.stub:
        return replace(drawn, text=_stub_text(row, glyphs), fill=None, indent=row.indent - 2)
    if row.thin:
        return drawn
    lead = drawn.mark if row.problem else (Piece(glyphs.compaction * 2, Role.MUTED),)
    return replace(
        drawn,
        mark=lead,
        text=(Piece(" "), *drawn.text) if not row.problem else drawn.text,
        ground=Ground.BAND,
    )


def _hidden_row(row: OutlineRow, glyphs: Glyphs) -> Row:
    """Return `└╴▸ 2 hidden`: the branches of a branch point that the user has hidden."""
    text = (
        Piece(glyphs.last_stub, Role.MUTED, cut=Cut.NEVER),
        replace(_triangle(row, glyphs), cut=Cut.NEVER),
        Piece(f"{row.count:,} hidden", Role.DIM if row.dim else Role.MUTED),
    )
    return Row(row.key, mark=_rail(row, glyphs), text=text, indent=max(0, row.indent - 2))


def _fork_row(row: OutlineRow, look: Look) -> Row:
    """Return `↳ fork: TITLE, 3h`: a session that was copied up to the record above."""
    role = Role.DIM if row.dim else Role.MUTED
    lead = f"{look.glyphs.child} "
    if not row.opens:
        text: tuple[Piece, ...] = (Piece(f"{lead}{row.text}", role),)
    else:
        age = age_of(row.time_ms, look)
        said = "" if row.text.casefold().startswith("fork:") else "fork: "
        text = (
            Piece(f"{lead}{said}", role, cut=Cut.NEVER),
            Piece(row.text, role),
            Piece(f", {age}" if age else "", role, cut=Cut.NEVER),
        )
    return Row(row.key, mark=_rail(row, look.glyphs), text=text, indent=row.indent)


def _resume_row(row: OutlineRow, look: Look) -> Row:
    glyphs = look.glyphs
    if row.mark is Mark.NONE:
        word, role, said = Piece(row.word, Role.ACCENT), Role.DIM, row.text
    else:
        word, role = Piece(row.word, MARK_ROLES[row.mark], bold=True), Role.TEXT
        at = time_of(row.time_ms, look)
        place = " ".join(part for part in (at, row.text) if part)
        said = f"Ink will continue here, not at {place}"
    text = (replace(word, cut=Cut.NEVER), Piece(f"  {said}", role))
    return Row(row.key, mark=_rail(row, glyphs), text=text)
