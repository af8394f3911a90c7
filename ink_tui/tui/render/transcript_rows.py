"""Blocks of a transcript as lines at a width; called for what is on the screen, and a little more.

Pure: equal block, fold and look give equal lines. The view keeps what it was given in a bounded
cache (`performance.md` 2.3).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ink_tui.model.messages import TextBlock
from ink_tui.model.text import first_line, one_line
from ink_tui.model.transcript import (
    AwayBody,
    Block,
    CompactionBody,
    NoteBody,
    OrphanBody,
    SummaryBody,
    TextBody,
    ThinkingBody,
    ToolBody,
    TurnBody,
    UnknownBody,
    UnreadableBody,
    UserBody,
)
from ink_tui.model.whole_blocks import is_light
from ink_tui.tui.render import figures
from ink_tui.tui.render.cells import cut as cut_to
from ink_tui.tui.render.cells import width
from ink_tui.tui.render.find_marks import mark_block
from ink_tui.tui.render.lines import Line, brought_to, dimmed, indented
from ink_tui.tui.render.markdown import TEXT_WIDTH, markdown_lines, plain_lines
from ink_tui.tui.render.output_rows import (
    image_lines,
    key_hint,
    line_count,
    preview_lines,
    text_of,
)
from ink_tui.tui.render.rows import Columns, Ground, Piece, Role, Row, lay_out
from ink_tui.tui.render.state_pieces import star_piece
from ink_tui.tui.render.tool_rows import tool_head, tool_lines, tool_parts, usual_depth
from ink_tui.tui.render.transcript_look import (
    PART_CHARS,
    Depth,
    Fold,
    Look,
    part_of,
    parts_of,
    time_of,
    took,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

HEAD_COLUMNS = Columns()
TURN_COLUMNS = Columns(mark=0)
_WORDS = 400
"""Characters of a text that are looked at for the one row of its folded form."""


def usual_fold(block: Block) -> Fold:
    """Return how far a block is unfolded by itself."""
    body = block.body
    if isinstance(body, ToolBody):
        return Fold(usual_depth(body))
    if isinstance(body, UserBody | TextBody):
        return Fold(Depth.WHOLE)
    if isinstance(body, CompactionBody) and body.opens:
        return Fold(Depth.WHOLE)
    return Fold(Depth.PREVIEW if isinstance(body, OrphanBody) else Depth.HEAD)


def can_fold(block: Block) -> bool:
    """Whether folding changes anything of a block."""
    return not isinstance(block.body, TurnBody | NoteBody | UnreadableBody | AwayBody)


def block_parts(block: Block) -> int:
    """Return in how many parts a block is shown whole."""
    body = block.body
    if isinstance(body, ToolBody):
        return tool_parts(body)
    if isinstance(body, TextBody | ThinkingBody | SummaryBody):
        return parts_of(body.text)
    if isinstance(body, UserBody):
        return parts_of(text_of(body.content))
    return parts_of(body.summary) if isinstance(body, CompactionBody) else 1


def lay_out_block(block: Block, fold: Fold, look: Look) -> tuple[Line, ...]:
    """Return the lines of a block, each exactly as wide as the pane."""
    head, body = _head(block, fold, look), _body(block, fold, look)
    if is_light(block) and (head is None or fold.depth is not Depth.HEAD):
        body = [*body, start_only(block)]
    if block.dim and not isinstance(block.body, CompactionBody):
        body = dimmed(body, states=False)
    if look.found is not None:
        text, body = mark_block(head.text if head is not None else (), body, look.found)
        head = replace(head, text=text) if head is not None else None
    mark, cells = look.glyphs.ellipsis, look.cells
    found: list[Line] = []
    if head is not None:
        if block.starred and not isinstance(block.body, TurnBody):
            head = replace(head, text=(star_piece(look.glyphs), *head.text))
        columns = TURN_COLUMNS if isinstance(block.body, TurnBody) else HEAD_COLUMNS
        first = [Line(pieces, head.ground) for pieces in lay_out(head, cells, columns, mark)]
        found.extend(dimmed(first) if block.dim else first)
    return (*found, *lay_out_lines(body, look))


def start_only(block: Block) -> Line:
    """Return what is said under the start of a text that is not all at hand."""
    span = block.span
    words = "only the start is here; the rest is read from the file"
    if span is not None and span.oversized:
        words = f"oversized: {figures.size(span.length)}, of which only the start is shown"
    return Line((Piece(f"  {words}", Role.DIM),))


def lay_out_lines(lines: Sequence[Line], look: Look) -> tuple[Line, ...]:
    """Return lines of text exactly as wide as the pane."""
    mark = look.glyphs.ellipsis
    return tuple(Line(brought_to(line, look.cells, mark), line.ground) for line in lines)


def estimated_height(block: Block, fold: Fold, cells: int) -> int:
    """Return about how many lines a block has; cheap, looks at the first part of a text only."""
    body = block.body
    room = max(8, min(cells - 4, TEXT_WIDTH))
    if isinstance(body, UserBody | TextBody):
        if is_light(block):
            return _height_when_whole(body, room)
        text = text_of(body.content) if isinstance(body, UserBody) else body.text
        shown = part_of(text, fold.part)
        return max(1, shown.count("\n") + len(shown) // room + 1)
    if isinstance(body, ToolBody) and fold.depth is Depth.PREVIEW:
        return 5
    return 1


def _height_when_whole(body: UserBody | TextBody, room: int) -> int:
    """Return about how many lines the first part of a text has, of which the start is kept."""
    content = body.content if isinstance(body, UserBody) else (TextBlock(body.text, body.cut),)
    texts = [(each.text, each.cut) for each in content if isinstance(each, TextBlock)]
    chars = sum(cut.chars if cut is not None else len(text) for text, cut in texts)
    newlines = sum(cut.newlines if cut is not None else text.count("\n") for text, cut in texts)
    part = min(1.0, PART_CHARS / max(1, chars))
    return int(part * newlines) + int(part * chars) // room + 1


def _head(block: Block, fold: Fold, look: Look) -> Row | None:
    """Return the head row of a block; texts of user and assistant have none."""
    body = block.body
    if isinstance(body, TurnBody):
        return turn_head(block, body, look)
    if isinstance(body, ToolBody):
        return tool_head(block.key, body, fold, look)
    if isinstance(body, ThinkingBody):
        return _folding(block, fold, look, "thinking", body)
    if isinstance(body, SummaryBody):
        return _folding(block, fold, look, "summary of the branch that was left", body)
    if isinstance(body, CompactionBody):
        return _compaction(block, body, look)
    if isinstance(body, AwayBody):
        return _away(block, body, look)
    if isinstance(body, NoteBody):
        text = (Piece(f"{body.kind}  ", Role.DIM), Piece(body.text, Role.MUTED))
        return Row(block.key, text=text, time=(Piece(time_of(block.time_ms, look), Role.DIM),))
    return None if isinstance(body, UserBody | TextBody) else _damage(block, look)


def turn_head(block: Block, body: TurnBody, look: Look) -> Row:
    """Return the band that heads a turn; the view keeps it on top while the turn is read."""
    duration = took(body.duration_ms)
    when = [time_of(block.time_ms, look), duration]
    text = f" {look.glyphs.separator} ".join(part for part in when if part)
    number = f"turn {body.number:,} of {look.turns:,}" if body.number else "turn"
    return Row(
        key=block.key,
        text=(
            Piece(number, Role.ACCENT, bold=True),
            Piece("  "),
            *((star_piece(look.glyphs),) if block.starred else ()),
            Piece(body.title, bold=True),
        ),
        time=(Piece(text, Role.MUTED),),
        ground=Ground.BAND,
    )


def _folding(
    block: Block, fold: Fold, look: Look, name: str, body: ThinkingBody | SummaryBody
) -> Row:
    text, cut, italic = body.text, body.cut, isinstance(body, ThinkingBody)
    opened = fold.depth is not Depth.HEAD
    glyph = look.glyphs.opened if opened else look.glyphs.folded
    words = "" if opened else one_line(first_line(text[:_WORDS]))
    lines = line_count(text) if cut is None else cut.newlines + 1
    return Row(
        key=block.key,
        mark=(Piece(glyph, Role.DIM, part="fold"),),
        text=(Piece(f"{name}  ", Role.MUTED), Piece(words, Role.MUTED, italic=italic)),
        time=(Piece(f"{lines:,} {'line' if lines == 1 else 'lines'}", Role.DIM),),
    )


def _compaction(block: Block, body: CompactionBody, look: Look) -> Row:
    glyphs = look.glyphs
    before = "" if body.tokens_before is None else figures.tokens(body.tokens_before)
    after = "" if body.tokens_after is None else f"~{figures.tokens(body.tokens_after)}"
    joined = f" {glyphs.arrow} ".join(part for part in (before, after) if part)
    sizes = f"{joined} tokens" if joined else "size unknown"
    kept = "kept messages missing"
    if body.kept is not None:
        kept = f"{figures.counted(body.kept, 'message')} kept"
    return Row(
        key=block.key,
        mark=(Piece(glyphs.compaction, Role.DIM),),
        text=(Piece("compacted  ", bold=True), Piece(f"{sizes}, {kept}", bold=True)),
        fill=Piece(glyphs.compaction, Role.DIM),
        time=(Piece(time_of(block.time_ms, look), Role.DIM),),
        ground=Ground.BAND,
    )


def _away(block: Block, body: AwayBody, look: Look) -> Row:
    """Return the band that stands for what the model no longer had in its context."""
    words = figures.counted(body.records, "earlier record")
    return Row(
        key=block.key,
        mark=(Piece(look.glyphs.gone, Role.DIM),),
        text=(Piece(f"{words} summarised away", Role.DIM),),
        ground=Ground.BAND,
    )


def _damage(block: Block, look: Look) -> Row:
    body, glyphs, span = block.body, look.glyphs, block.span
    mark, role = glyphs.damaged, Role.WARNING
    places = [span.place] if span is not None else []
    if span is not None and isinstance(body, UnreadableBody):
        places.append(f"byte {span.offset:,}")
    place = f" {glyphs.separator} ".join(each for each in places if each)
    if isinstance(body, UnreadableBody):
        words, detail = "this line cannot be read", body.detail
        if body.tail:
            mark, words = glyphs.decide, "torn tail"
            detail = f"{span.length:,} bytes, not a complete record" if span else detail
        if body.writing:
            mark, role, words = glyphs.live, Role.SUCCESS, "being written"
    elif isinstance(body, OrphanBody):
        words, detail = "result without a call", one_line(body.result.tool)
        if body.unread:
            mark, role, words = glyphs.folded, Role.MUTED, "result"
    elif isinstance(body, UnknownBody):
        words, detail = f"unknown {body.what}", one_line(body.type_name)
        if body.what == "block":
            mark, role = look.glyphs.folded, Role.MUTED
    else:
        words, detail = "", ""
    return Row(
        key=block.key,
        mark=(Piece(mark, role, bold=True),),
        text=(Piece(f"{words}  ", role, bold=True), Piece(detail)),
        note=(Piece(place, Role.MUTED),),
    )


def _body(block: Block, fold: Fold, look: Look) -> Sequence[Line]:
    body = block.body
    if isinstance(body, ToolBody):
        return tool_lines(body, fold, look)
    if isinstance(body, UserBody):
        return _user(body, fold, look)
    if isinstance(body, TextBody):
        return _starred(_answer(body, fold, look), block, look)
    if fold.depth is Depth.HEAD:
        return []
    if isinstance(body, ThinkingBody):
        return _running(body.text, fold, look, Piece("", Role.MUTED, italic=True))
    if isinstance(body, SummaryBody):
        return _markdown(body.text, fold, look)
    if isinstance(body, CompactionBody):
        return _markdown(body.summary, fold, look)
    if isinstance(body, UnknownBody):
        return _running(body.preview, fold, look, Piece("", Role.MUTED))
    if isinstance(body, OrphanBody):
        text = text_of(body.result.content) if body.result.brief is None else ""
        lines = [*preview_lines(text, 3), *image_lines(body.result.content, look.glyphs.separator)]
        return indented(lines, Piece("     "))
    return []


def _starred(lines: list[Line], block: Block, look: Look) -> list[Line]:
    """Return the lines of a text, the star of its record in the margin of the first one."""
    if not block.starred or not lines:
        return lines
    star = star_piece(look.glyphs)
    return [replace(lines[0], pieces=(star, *lines[0].pieces[1:])), *lines[1:]]


def _user(body: UserBody, fold: Fold, look: Look) -> list[Line]:
    text = text_of(body.content)
    room = _room_beside(body.label, look)
    lines = plain_lines(part_of(text, fold.part), room, Piece("", bold=True))
    if fold.depth is not Depth.WHOLE and len(lines) > 3:
        lines = [*lines[:2], key_hint(f"{line_count(text):,} lines", "enter", "show all")]
    if not text:
        lines = []
    lines.extend(image_lines(body.content, look.glyphs.separator))
    lines.extend(_more(text, fold))
    if not lines:
        lines = [Line((Piece("(nothing)", Role.DIM),))]
    front = Piece(f"{look.glyphs.trunk} ", Role.ACCENT, bold=True)
    return indented(_labelled(lines, body.label, look), front)


def _room_beside(label: str, look: Look) -> int:
    """Return the cells that a text with a label at its right has, edges and mark left out."""
    return max(8, look.cells - 4 - (min(24, width(label)) + 3 if label else 0))


def _labelled(lines: list[Line], label: str, look: Look) -> list[Line]:
    """Return lines with the label of their record at the right of the first one."""
    if not label or not lines:
        return lines
    mark = look.glyphs.ellipsis
    text = cut_to(f"{look.glyphs.label}{one_line(label)}", min(24, width(label)) + 1, mark)
    head = brought_to(lines[0], max(8, look.cells - 6 - width(text)), mark, pad=0)
    first = replace(lines[0], pieces=(*head, Piece("  "), Piece(text, Role.ACCENT)))
    return [first, *lines[1:]]


def _answer(body: TextBody, fold: Fold, look: Look) -> list[Line]:
    if fold.depth is not Depth.WHOLE:
        words = one_line(first_line(body.text[:_WORDS]))
        return [Line((Piece("  "), Piece(words)))]
    return _markdown(body.text, fold, look, body.label)


def _markdown(text: str, fold: Fold, look: Look, label: str = "") -> list[Line]:
    room = _room_beside(label, look)
    lines = list(markdown_lines(part_of(text, fold.part), room, look.glyphs, wrap=look.wrap))
    return indented(_labelled([*lines, *_more(text, fold)], label, look), Piece("  "))


def _running(text: str, fold: Fold, look: Look, piece: Piece) -> list[Line]:
    lines = plain_lines(part_of(text, fold.part), max(8, look.cells - 4), piece)
    return indented([*lines, *_more(text, fold)], Piece("  "))


def _more(text: str, fold: Fold) -> list[Line]:
    """Return the row under one part of a text that is too long to be shown at once."""
    parts = parts_of(text)
    if parts == 1:
        return []
    place = f"part {fold.part + 1:,} of {parts:,}, {len(text):,} characters in all"
    last = fold.part + 1 == parts
    return [key_hint(place, "enter", "fold" if last else "show the next part")]
