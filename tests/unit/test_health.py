"""Verdict, faults, consequences and bytes of the health tab."""

from __future__ import annotations

import pytest

from ink_tui.model.health import HexWindow, build_health, quiet
from ink_tui.model.liveness import Freshness, Holder, HolderKind
from ink_tui.model.words import Mark
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.render.health_rows import health_rows
from ink_tui.tui.render.hex_rows import text_of
from ink_tui.tui.render.rows import Ground, Row, lay_out, line_width
from tests.transcript_samples import Script, case, case_bytes, diagnosed


def rows(data: bytes, cells: int = 78, glyphs: Glyphs = UNICODE) -> list[Row]:
    health = build_health(diagnosed(data))
    first = health.faults[0] if health.faults else None
    windows = [HexWindow(o, data[o : o + n]) for o, n in first.wanted] if first else []
    since = quiet(Freshness.COLD, 161)
    key = first.key if first else None
    found = health_rows(health, since, key, windows, cells, glyphs)
    for row in found:
        assert all(line_width(line) == cells for line in lay_out(row, cells))
    return found


def texts(found: list[Row]) -> list[str]:
    return ["".join(p.text for p in (*row.mark, *row.text, *row.note)) for row in found]


@pytest.mark.parametrize(
    ("name", "headline", "reason"),
    [
        ("01-", "Can be repaired", "1 thing to settle before resuming"),
        ("48-", "Can be repaired", "2 things to settle before resuming"),
        ("07-", "Cannot be resumed", "line 4 cannot be read"),
        ("42-", "Cannot be resumed", "1 call without a saved result, and the chat went on (bash)"),
        ("17-", "Ready to resume", "nothing to settle"),
        ("29-", "Ready to resume", "nothing to settle, 1 to know"),
    ],
)
def test_one_verdict_with_its_reason(name: str, headline: str, reason: str) -> None:
    health = build_health(case(name))
    assert (health.headline, health.reason) == (headline, reason)


def test_a_healthy_session_says_that_every_byte_is_accounted_for() -> None:
    health = build_health(case("17-"))
    assert health.healthy
    assert health.all_clear == ("Nothing to settle. 4 records, 5 lines, every byte accounted for.")
    assert texts(rows(case_bytes("17-")))[0] == f"✓ {health.all_clear}"


def test_the_cut_is_drawn_between_the_rows_and_removed_bytes_have_their_ground() -> None:
    found = rows(case_bytes("01-"))
    shown = texts(found)
    at = next(i for i, text in enumerate(shown) if "a repair cuts here, at byte 1,067" in text)
    assert found[at - 1].ground is Ground.PLAIN
    removed = [row for row in found if row.ground is Ground.REMOVED]
    assert removed[0] is found[at + 1]
    assert all(row.mark[0].text == "−" for row in removed)
    assert any("more bytes" in text for text in shown)
    assert any("end of file, no newline" in text for text in shown)


def test_a_tail_that_ends_inside_a_character_says_so() -> None:
    data = Script().user("x").data() + '{"type":"message","text":"空数组返回'.encode()[:-1]
    shown = texts(rows(data))
    assert any("inside a character" in text for text in shown)
    assert any("<E5>" in text or "<9B>" in text for text in shown)


def test_a_missing_newline_is_added_not_cut() -> None:
    shown = texts(rows(case_bytes("02-")))
    assert any("a repair adds a newline here, at byte 1,066" in text for text in shown)
    assert any("appends the missing newline, 1 byte" in text for text in shown)


def test_the_three_sentences_are_honest() -> None:
    torn, calls = build_health(case("48-")).faults
    assert "glues" in torn.follows.agent
    assert torn.follows.repair == "cuts 190 bytes; they are saved first and can be put back"
    assert "outcome is unknown" in calls.follows.repair
    gap = build_health(case("42-")).faults[0]
    assert gap.follows.repair.startswith("not possible")
    blocked = build_health(case("46-")).faults[1]
    assert blocked.follows.repair.startswith("not done")
    assert build_health(case("15-")).faults[0].follows.fork.startswith("not done")


def test_every_case_has_words_for_every_fault() -> None:
    from tests.transcript_samples import CASES

    for path in sorted(CASES.glob("*/session.jsonl")):
        for fault in build_health(diagnosed(path.read_bytes())).faults:
            assert fault.text
            assert "{" not in f"{fault.text}{fault.longer}{fault.follows}"


def test_who_wrote_last() -> None:
    assert quiet(Freshness.COLD, 161).text == "Nobody has written here for 2m 41s"
    assert quiet(Freshness.WRITING, 0.8).mark is Mark.LIVE
    assert quiet(Freshness.RECENT, 12).mark is Mark.DECIDE
    holder = Holder(HolderKind.CERTAIN, "node\x1b (pid 41)")
    assert quiet(Freshness.COLD, 161, holder).text == "In use: node␛ (pid 41)"


def test_narrow_panes_have_eight_bytes_in_a_row() -> None:
    wide = next(row for row in rows(case_bytes("01-"), 78) if row.key == "hex:1067")
    narrow = next(row for row in rows(case_bytes("01-"), 60) if row.key == "hex:1067")
    assert len(wide.text[1].text.split()) == 16
    assert len(narrow.text[1].text.split()) == 8


def test_text_column_decodes_whole_characters_across_rows() -> None:
    data = "ab空cd".encode()
    assert text_of(data[:3], b"", data[3:6], UNICODE) == "ab空"
    assert text_of(data[3:], data[:3], b"", UNICODE) == "cd"
    assert text_of(b"\xe8\x00\n\x1b", b"", b"", UNICODE) == "<E8>␀↵␛"
    assert text_of(b"a\n", b"", b"", ASCII) == "a\\n"


def test_ascii_has_no_other_character() -> None:
    for row in rows(case_bytes("48-"), glyphs=ASCII):
        assert all("".join(p.text for p in line).isascii() for line in lay_out(row, 78, mark="~"))
