"""Big files are read light: rows, appends and texts come out as if they were read whole."""

from __future__ import annotations

import gc
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ink_tui.formats.ink import parser as parsers
from ink_tui.model.transcript_build import build_transcript
from ink_tui.model.verdict import diagnose
from ink_tui.model.whole_blocks import is_light, wanted_spans, whole_block
from ink_tui.store import whole_records
from ink_tui.store.far_lines import FarLines, LineWanted, Refused, frame_of
from ink_tui.store.files import UnreadableError
from ink_tui.store.library import Library
from ink_tui.store.reader import SessionReader
from ink_tui.store.whole_records import read_records
from ink_tui.tui.widgets.whole_texts import KEPT_CHARS, WholeTexts
from tests.every_kind import every_kind
from tests.properties.test_light import FILLINGS, facts, lengthened, read_whole
from tests.sessions import answer, session, simple, user

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ink_tui.model.entries import Span
    from ink_tui.model.transcript import Block
    from ink_tui.store.library import OpenedSession

NEVER = 1 << 40


@pytest.fixture
def file(tmp_path: Path) -> Path:
    place = tmp_path / "root" / "home-u-demo"
    place.mkdir(parents=True)
    path = place / "a.jsonl"
    path.write_bytes(lengthened(every_kind(), list(FILLINGS)))
    return path


def opened(file: Path, above: int, patch: pytest.MonkeyPatch) -> OpenedSession:
    patch.setattr(whole_records, "LIGHT_ABOVE", above)
    return Library([str(file.parents[1])], clock=lambda: 0).open(str(file))


def test_a_light_session_has_the_row_of_a_whole_one(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, light = opened(file, NEVER, monkeypatch), opened(file, 0, monkeypatch)
    assert light.diagnosis != whole.diagnosis
    assert facts(light.diagnosis) == facts(whole.diagnosis)
    assert light.row == whole.row
    assert len(light.row.gist.last_request) > 400 or len(light.row.gist.last_answer) > 400


def test_a_light_row_follows_appends(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_records, "LIGHT_ABOVE", 0)
    file.write_bytes(lengthened(simple(), ["and so on " * 90]))
    library = Library([str(file.parents[1])])
    leaf = library.open(str(file)).diagnosis.leaf
    more = user("more", leaf, "go on " * 300), answer("done", "more", "yes " * 300)
    with file.open("ab") as out:
        out.write(b"".join(more))
    found = library.open(str(file))
    whole = read_whole(file.read_bytes())
    assert facts(found.diagnosis) == facts(whole)
    assert found.row.gist.last_request == "go on " * 300
    assert found.row.gist.last_answer == "yes " * 300


def test_a_file_that_grows_big_is_read_light_from_then_on(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(session(user("a", None, "x" * 2_000)))
    reader = SessionReader(str(path), light_above=5_000)
    found = reader.read()
    light = [reader.light]
    for name, parent in (("b", "a"), ("c", "b"), ("d", "c"), ("e", "d")):
        with path.open("ab") as out:
            out.write(user(name, parent, name * 3_000))
        found = reader.read()
        light.append(reader.light)
        assert facts(found) == facts(read_whole(path.read_bytes()))
    assert light == [False, False, False, True, True]
    assert reader.changed_at is None
    assert "e" * 1_000 not in repr(found.session)


def test_texts_are_read_again_from_the_file_alone_that_gave_their_starts(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    light = opened(file, 0, monkeypatch)
    blocks = [block for block in build_transcript(light.diagnosis).blocks if is_light(block)]
    spans = [span for block in blocks for span in wanted_spans(block)]
    far = FarLines(("/nowhere",))
    monkeypatch.setattr("ink_tui.store.whole_records.FAR_BYTES", 1_000)
    for records in (read_records(str(file), spans), read_records(str(file), spans, far)):
        made = {block.key: whole_block(block, records) for block in blocks}
        whole = build_transcript(read_whole(file.read_bytes())).blocks
        assert made == {block.key: block for block in whole if block.key in made}
    assert blocks


def test_a_line_that_cannot_be_read_elsewhere_is_read_the_next_time(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parsers, "FAR_BYTES", 10)
    far = FarLines(("/nowhere",))
    reader = SessionReader(str(file), far=far)
    real = FarLines.of
    asked: list[Span] = []

    def fails_once(self: FarLines, path: str) -> Callable[[Span, object], object]:
        def line(span: Span, reading: object) -> object:
            asked.append(span)
            if len(asked) == 3:
                raise UnreadableError(path, "io-error", "it hiccuped")
            return real(self, path)(span, reading)

        return line

    monkeypatch.setattr(FarLines, "of", fails_once)
    with pytest.raises(UnreadableError):
        reader.read()
    assert reader.read() == read_whole(file.read_bytes())


def test_what_is_read_of_a_big_file_is_never_searched_for_rings(file: Path) -> None:
    reader = SessionReader(str(file), light_above=0, far=FarLines(("/nowhere",)))
    assert gc.isenabled()
    before = gc.get_freeze_count()
    try:
        reader.read()
        assert gc.get_freeze_count() > before
    finally:
        gc.unfreeze()
    assert gc.isenabled()
    SessionReader(str(file), light_above=0).read()  # a command's, which ends soon
    assert gc.get_freeze_count() == 0
    try:
        SessionReader(str(file), skimming=True).read()  # one of many, maybe
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()


def test_frames_hold_what_they_were_given() -> None:
    assert frame_of(Refused("a", "b"))[:8] == (len(frame_of(Refused("a", "b"))) - 8).to_bytes(
        8, "little"
    )
    assert frame_of(LineWanted("p", read_whole(every_kind()).session.records[0].span))


# What a transcript keeps of whole blocks


def light_blocks() -> list[Block]:
    data = lengthened(every_kind(), ["word " * 300])
    parser = parsers.InkParser(light=True)
    parser.feed(data)
    return [each for each in build_transcript(diagnose(parser.session())).blocks if is_light(each)]


def test_each_light_block_is_asked_for_once() -> None:
    texts, blocks = WholeTexts(), light_blocks()
    for _ in range(3):
        assert [texts.of(block) for block in blocks] == blocks
    assert list(texts.take_missing()) == blocks
    assert [texts.of(block) for block in blocks] == blocks
    assert texts.take_missing() == ()
    texts.put({block.key: (block, None) for block in blocks})
    assert [texts.of(block) for block in blocks] == blocks
    assert texts.take_missing() == ()


def test_a_block_that_changed_is_asked_for_again() -> None:
    texts, block = WholeTexts(), light_blocks()[0]
    texts.of(block)
    texts.take_missing()
    whole = replace(block, starred=True)
    texts.put({block.key: (block, whole)})
    assert texts.of(block) is whole
    changed = replace(block, dim=not block.dim)
    assert texts.of(changed) is changed
    assert texts.take_missing() == (changed,)


def test_whole_blocks_are_dropped_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ink_tui.tui.widgets.whole_texts.KEPT_CHARS", 3_000)
    assert KEPT_CHARS > 1_000_000
    data = lengthened(every_kind(), ["word " * 300])
    wholes = {each.key: each for each in build_transcript(read_whole(data)).blocks}
    texts, blocks = WholeTexts(), light_blocks()
    for block in blocks:
        texts.put({block.key: (block, wholes[block.key])})
    kept = [block for block in blocks if texts.of(block) is not block]
    assert kept[-1] is blocks[-1]
    assert 1 <= len(kept) <= 4 < len(blocks)
