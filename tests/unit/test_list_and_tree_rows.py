"""List, tree and details as they are laid out: columns, widths, ASCII, and without colour."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC

import pytest
from rich.cells import cell_len

from ink_tui.model.groups import Arrangement, ListQuery, arrange
from ink_tui.model.outline import build_outline
from ink_tui.model.outline_rows import HEADING_KEY
from ink_tui.model.outline_view import visible_rows
from ink_tui.model.text import short_path
from ink_tui.tui.render.detail_rows import entry_detail
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.render.lines import brought_to
from ink_tui.tui.render.list_rows import SESSION_COLUMNS, list_rows, nothing_rows
from ink_tui.tui.render.rows import PLAIN_COLUMNS, Ground, Role, lay_out
from ink_tui.tui.render.session_detail import session_detail
from ink_tui.tui.render.transcript_look import Look
from ink_tui.tui.render.tree_rows import tree_columns, tree_outlines, tree_row
from tests.cases import CASES_DIR
from tests.conftest import NOON
from tests.every_kind import TORN, every_kind
from tests.session_rows import ACTIVITIES, DAY, MISSING, NOON_MS, PLAIN, ROWS
from tests.session_rows import TORN as TORN_ROW
from tests.sessions import answer, read, session, user

WIDTHS = [30, 42, 50, 60, 80, 120]


def look(cells: int, glyphs: Glyphs = UNICODE) -> Look:
    return Look(cells, glyphs, NOON, UTC)


def tree_text(
    data: bytes, cells: int, glyphs: Glyphs = UNICODE, *, unfold: bool = False
) -> list[str]:
    outline = build_outline(read(data), child_records={"child-1": 18})
    opened = [row.key for row in outline.rows if row.foldable] if unfold else []
    seen = visible_rows(outline, opened)
    drawn = {row.key: tree_row(row, look(cells, glyphs)) for row in seen}
    columns = tree_columns(seen, look(cells, glyphs))
    return [
        "".join(piece.text for piece in line)
        for row in tree_outlines(seen)
        for line in lay_out(
            drawn.get(row.key, row),
            cells,
            PLAIN_COLUMNS if row.key.startswith(HEADING_KEY) else columns,
            glyphs.ellipsis,
        )
    ]


def list_text(cells: int, glyphs: Glyphs = UNICODE, **query: object) -> list[str]:
    asked = replace(
        ListQuery(now_ms=NOON_MS, today_ms=NOON_MS - DAY // 2, activities=ACTIVITIES),
        **query,  # type: ignore[arg-type]  # fields of a query, given by name
    )
    rows = list_rows(arrange(ROWS, asked), look(cells, glyphs), home="/home/u")
    return [
        "".join(piece.text for piece in line)
        for row in rows
        for line in lay_out(row, cells, SESSION_COLUMNS, glyphs.ellipsis)
    ]


def detail_text(data: bytes, word: str, cells: int = 78, height: int = 7) -> list[str]:
    diagnosis = read(data)
    outline = build_outline(diagnosis, child_records={"child-1": 18})
    row = next(row for row in outline.rows if word in (row.word, row.text))
    lines = entry_detail(row, diagnosis, look(cells), height, hint="full record")
    return ["".join(p.text for p in brought_to(line, cells)).strip() for line in lines]


def test_the_tree_at_eighty() -> None:
    assert tree_text(every_kind(), 80) == [
        " ╎ model     zai/glm-5.3                                                        ",
        " ╎ user      fix sum(), keep the interface                                08:00 ",
        " ╎ ▸ 12 more summarised away, no longer in the context                          ",
        " ╎ user      也要处理空数组和 NaN 的情况                            kept  08:01 ",
        " ╎ assistant 空数组返回 0                                           kept  08:01 ",
        " ╌╌ compacted  118k → ~106 tokens, 2 messages kept ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌  08:02 ",
        " ┃ assistant Next the whole suite                                         08:02 ",
        " ┃ task      check it                                ↳ 18 records · 29 s  08:02 ",
        " ┃ user      what about -0?                             #before-refactor  08:02 ",
        " ┃ ├╴▸ user  try a lookup table                                2 records  08:02 ",
        " ┃ └╴  user  用 reduce 重写                                     1 record  08:02 ",
        " ┃ level     thinking high                                                08:02 ",
        " ┃ name      the sum                                                      08:02 ",
        " ┃ summary   tables were tried                                            08:02 ",
        " ┃ thinking  Math.sign keeps the zero sign                                08:02 ",
        " ! edit      src/sum.ts  +2 −1           ! no result saved; may have run  08:02 ",
        " ! bash      npm test                    ! no result saved; may have run  08:02 ",
        " ┗ resume point  the next turn is attached here                                 ",
        " ! torn tail 34 bytes, not a complete record        byte 8,116 · line 38        ",
        "                                                                                ",
        " not connected   1 record whose parent was never written                        ",
        " ? user      and update the changelog  parent 7f3a91c2 missing · line 36  08:02 ",
    ]


def test_a_narrow_tree_keeps_marks_times_and_short_notes() -> None:
    lines = tree_text(every_kind(), 60)
    said = "\n".join(lines)
    assert "#before-refactor" not in said
    for part in ("↳ 18  08:02", "! no result saved  08:02", "table", " 2  08:02", "kept  08:01"):
        assert part in said, part


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("cells", WIDTHS)
def test_no_line_is_wider_than_the_pane(cells: int, glyphs: Glyphs) -> None:
    everything = tree_text(every_kind(), cells, glyphs, unfold=True)
    for path in sorted(CASES_DIR.glob("*/session.jsonl")):
        everything += tree_text(path.read_bytes(), cells, glyphs, unfold=True)
    everything += list_text(cells, glyphs)
    everything += list_text(cells, glyphs, arrangement=Arrangement.URGENCY)
    assert len(everything) > 200
    assert {cell_len(line) for line in everything} == {cells}


def test_ascii_rows_hold_nothing_of_ours_beyond_ascii() -> None:
    foreign = ("也要处理空数组和", "的情况", "空数组返回", "用", "重写")
    for line in tree_text(every_kind(), 80, ASCII, unfold=True):
        for text in foreign:
            line = line.replace(text, "")
        assert line.isascii(), line
    for line in list_text(60, ASCII):
        for text in ("给解析器加上", "支持", "🚀", "迁移到", "日本語プロジェクト"):
            line = line.replace(text, "")
        assert line.isascii(), line


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_every_state_can_be_named_without_colour(glyphs: Glyphs) -> None:
    """What the text alone says, marks and words, on list and tree."""
    listed = "\n".join(list_text(60, glyphs))
    dot = glyphs.separator
    for mark, words in (
        (glyphs.decide, f"torn tail {dot} 2 calls without result"),
        (glyphs.live, f"live {dot} bash npm test, 14 s"),
        (glyphs.damaged, f"line 212 unreadable {dot} byte 190,112"),
        (glyphs.failed, "written by a newer Ink, version 2"),
        (glyphs.decide, "call without result, later messages exist"),
        (glyphs.failed, "cannot be read: permission denied"),
    ):
        at = listed.index(words)
        before = listed[:at].rsplit("\n", 2)[-2]
        assert before.startswith(f" {mark} "), words
    assert "folder missing" in listed
    quote = '"' if glyphs.ascii else "“"
    assert f"forked from {quote}rename the module" in listed
    tree = tree_text(every_kind(), 80, glyphs)
    for start, words in (
        (f" {glyphs.decide} edit", "no result saved; may have run"),
        (f" {glyphs.gone} {glyphs.folded} 12 more", "no longer in the context"),
        (f" {glyphs.resume_point} resume point", "the next turn is attached here"),
        (f" {glyphs.decide} torn tail", "not a complete record"),
        (f" {glyphs.damaged} user", "parent 7f3a91c2 missing"),
        (f" {glyphs.gone} user", "kept"),
    ):
        assert any(line.startswith(start) and words in line for line in tree), words


def test_the_list_at_forty_two() -> None:
    lines = list_text(42)
    assert lines[:9] == [
        " ▾ ~/work/demo                          4 ",
        " ◉ 给解析器加上 CRLF 支持 🚀 with te… now ",
        "   live · bash npm test, 14 s             ",
        " ! fix the sum function, keep the int… 2m ",
        "   torn tail · 2 calls without result     ",
        "   rename the module                   3h ",
        "   fork: rename the module, keep old … 3h ",
        "   forked from “rename the module”        ",
        " " * 42,
    ]
    assert "   ↳ task: read the OpenAPI spec       1d " in lines
    assert any("folder missing" in line and "~/old/website" in line for line in lines)


def test_by_urgency_has_a_folder_column() -> None:
    lines = list_text(60, arrangement=Arrangement.URGENCY)
    column = {cell_len(line[: line.index(" demo ")]) for line in lines if " demo " in line}
    assert len(column) == 1
    assert lines[0].startswith(" ▾ needs you")
    narrow = list_text(42, arrangement=Arrangement.URGENCY)
    assert not any(" demo " in line for line in narrow)


def test_an_empty_list_says_why() -> None:
    nothing = arrange(ROWS, ListQuery(filter="crlf tool:bash"))
    said = [row.text[0].text for row in nothing_rows(nothing, "crlf tool:bash", look(40))]
    assert said == [
        "Nothing matches “crlf tool:bash”.",
        "esc clears the filter",
        "ctrl+f searches inside sessions",
    ]
    assert nothing_rows(arrange([], ListQuery()), "", look(40)) == []


def test_paths_are_written_from_home() -> None:
    assert short_path("/home/u/x", "/home/u/") == "~/x"
    assert short_path("/home/user/x", "/home/u") == "/home/user/x"
    assert short_path("/a\nb\x1b", "") == "/a b␛"


def test_detail_of_an_open_edit() -> None:
    assert detail_text(every_kind(), "edit") == [
        "edit  08:02:50 · line 35 · byte 7,441 · 482 bytes          enter full record",
        "src/sum.ts    replace 1 line by 2",
        "− return a",
        "+ let s = -0",
        "+ return s",
        "No result was saved for this call. It may have run, fully or in part.",
    ]


def test_detail_keeps_what_is_known_where_there_is_little_room() -> None:
    for height in (2, 3, 4, 5):
        lines = detail_text(every_kind(), "edit", height=height)
        assert len(lines) <= height
        assert lines[-1] == "No result was saved for this call. It may have run, fully or in part."
    five = detail_text(every_kind(), "edit", height=5)
    assert (five[2][0], five[3][0]) == ("−", "+")


def test_details_say_what_is_known_and_nothing_about_files() -> None:
    tail = detail_text(every_kind(), "torn tail")
    assert (
        tail[-2]
        == f"The last {len(TORN)} bytes are not a complete record. They were probably being"
    )
    orphan = detail_text(every_kind(), "and update the changelog")
    assert "Its parent was never written." in orphan
    resume = detail_text(every_kind(), "resume point")
    assert resume[1].startswith("A resume from here sends")
    gone = detail_text(every_kind(), "fix sum(), keep the interface")
    assert gone[-1] == "Summarised away: no longer in the context."
    kept = detail_text(every_kind(), "空数组返回 0")
    assert kept[-1] == "Kept: copied word for word past the compaction."
    task = detail_text(every_kind(), "task")
    assert task[-1] == "sub-agent session child-1, 18 records"
    compacted = detail_text(every_kind(), "compacted")
    assert compacted[1].startswith("118k → ~106 tokens  2 messages kept")
    forced = session(
        user("u1", None, "go"),
        answer("a1", "u1", calls=(("c1", "bash", {"command": "make\x1b[2J"}),)),
        b'{"type":"message","id":"r1","parentId":"a1","timestamp":"2026-03-02T08:00:09.000Z",'
        b'"message":{"role":"toolResult","results":[{"toolCallId":"c1","toolName":"bash",'
        b'"content":"(force quit before this tool ran)","isError":true}]}}\n',
    )
    said = detail_text(forced, "bash")
    assert said[1] == "$ make␛[2J"
    assert said[-1].endswith("Outcome unknown.")


@pytest.mark.parametrize("cells", [20, 40, 78, 140])
@pytest.mark.parametrize("height", [1, 5, 7])
def test_details_of_everything_fit(cells: int, height: int) -> None:
    for path in [*sorted(CASES_DIR.glob("*/session.jsonl"))]:
        diagnosis = read(path.read_bytes())
        for row in build_outline(diagnosis).rows:
            lines = entry_detail(row, diagnosis, look(cells), height)
            assert 1 <= len(lines) <= height
            for line in lines:
                assert cell_len("".join(p.text for p in brought_to(line, cells))) == cells
    for session_row in ROWS:
        assert 1 <= len(session_detail(session_row, look(cells), height)) <= height


def test_detail_of_a_session() -> None:
    lines = session_detail(TORN_ROW, look(78), 7, home="/home/u")
    texts = ["".join(p.text for p in line.pieces) for line in lines]
    assert texts[0].startswith("fix the sum function, keep the interface  fix the ")
    assert texts[1] == "~/work/demo · 4 messages · 1 branch · 2m"
    assert texts[2] == "torn tail · 2 calls without result"
    said = [text[:15].strip() for text in texts if not text.startswith(" ")][3:]
    assert said == ["first request", "last request", "last answer"]
    roles = {piece.role for line in lines for piece in line.pieces}
    assert Role.WARNING in roles
    tall = session_detail(TORN_ROW, look(78), 12, home="/home/u")
    assert tall[2].pieces[0].text.startswith("The last 213 bytes are not a complete record.")
    missing = session_detail(MISSING, look(78), 7, home="/home/u")
    sentence = "".join(piece.text for line in missing for piece in line.pieces)
    assert "no longer exists" in sentence
    assert len(session_detail(PLAIN, look(78), 7)) == 2


def test_changed_lines_have_their_grounds() -> None:
    diagnosis = read(every_kind())
    row = next(row for row in build_outline(diagnosis).rows if row.word == "edit")
    lines = entry_detail(row, diagnosis, look(78), 7)
    assert [line.ground for line in lines[2:5]] == [Ground.REMOVED, Ground.ADDED, Ground.ADDED]
