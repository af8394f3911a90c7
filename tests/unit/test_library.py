"""The library: rows, small reads, and files that vanish, shrink or are replaced."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ink_tui.model.liveness import Freshness
from ink_tui.model.lookup import locate
from ink_tui.model.verdict import Verdict
from ink_tui.store.files import UnreadableError
from ink_tui.store.library import Library
from ink_tui.store.quick import EDGE_BYTES
from ink_tui.store.reader import CHECKED_BYTES, SessionReader, read_session
from tests.properties.test_light import facts
from tests.sessions import HEADER, answer, line, session, simple, user


def _store(root: Path, name: str = "a.jsonl", data: bytes | None = None) -> Path:
    folder = root / "home-u-demo"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(simple() if data is None else data)
    return path


def _big(size: int) -> bytes:
    records = [line(HEADER)]
    total, number, parent = len(records[0]), 0, None
    while total < size:
        number += 1
        record = user(f"e{number}", parent, f"{number} " + "words " * 400)
        parent = f"e{number}"
        records.append(record)
        total += len(record)
    return b"".join(records)


@pytest.mark.parametrize("megabytes", [1, 50])
def test_an_append_reads_what_was_appended_and_64_kb(tmp_path: Path, megabytes: int) -> None:
    path = _store(tmp_path, data=_big(megabytes << 20))
    library = Library([str(tmp_path)], clock=lambda: 0)
    opened = library.open(str(path))
    before = library.bytes_read
    assert before == path.stat().st_size
    leaf = opened.diagnosis.leaf
    appended = b"".join(answer(f"x{n}", f"x{n - 1}" if n else leaf, "more") for n in range(3))
    for record in appended.splitlines(keepends=True):
        with path.open("ab") as stream:
            stream.write(record)
        opened = library.open(str(path))
    assert opened.diagnosis.leaf == "x2"
    assert library.bytes_read - before <= len(appended) + 3 * CHECKED_BYTES
    assert opened.diagnosis == Library([str(tmp_path)]).open(str(path)).diagnosis
    assert facts(opened.diagnosis) == facts(read_session(str(path))[0])


def test_many_growing_files_do_not_cost_the_opened_one_its_parser(tmp_path: Path) -> None:
    path = _store(tmp_path, data=_big(1 << 20))
    others = [_store(tmp_path, f"other-{n}.jsonl") for n in range(20)]
    library = Library([str(tmp_path)], clock=lambda: 0)
    library.scan(quick=False)
    library.open(str(path))
    for other in others:
        with other.open("ab") as stream:
            stream.write(user("z1", "a4", "more"))
        library.refresh([str(other)])
    before = library.bytes_read
    record = user("z2", None, "more")
    with path.open("ab") as stream:
        stream.write(record)
    library.refresh([str(path)])
    assert library.open(str(path)).diagnosis.leaf == "z2"
    assert library.bytes_read - before <= len(record) + CHECKED_BYTES


def test_a_refresh_of_the_list_shares_the_small_read(tmp_path: Path) -> None:
    path = _store(tmp_path, data=_big(1 << 20))
    library = Library([str(tmp_path)], clock=lambda: 0)
    library.scan()
    library.open(str(path))
    before = library.bytes_read
    record = user("n1", "e1", "on another branch")
    with path.open("ab") as stream:
        stream.write(record)
    library.refresh([str(path)])
    library.open(str(path))
    assert library.bytes_read - before <= len(record) + CHECKED_BYTES


def test_shrunk_replaced_and_rewritten_files_are_read_anew(tmp_path: Path) -> None:
    path = _store(tmp_path)
    reader = SessionReader(str(path))
    assert reader.read().leaf == "a4"
    path.write_bytes(simple()[:-100])
    assert reader.read() == read_session(str(path))[0]
    other = _store(tmp_path, "b.new", session(user("z1", None, "another")))
    other.replace(path)
    assert reader.read().leaf == "z1"
    data = session(user("z2", None, "antoher"))
    path.write_bytes(data)
    os.utime(path, ns=(1, 1))
    assert reader.read().leaf == "z2"
    longer = session(user("y1", None, "no longer the same"), answer("y2", "y1", "at all"))
    with path.open("r+b") as stream:
        stream.write(longer)
    assert reader.read() == read_session(str(path))[0]


def test_a_deleted_file_keeps_its_last_state_and_comes_back(tmp_path: Path) -> None:
    path = _store(tmp_path)
    library = Library([str(tmp_path)], clock=lambda: 0)
    library.scan()
    library.open(str(path))
    path.unlink()
    gone = library.open(str(path))
    assert gone.gone
    assert gone.diagnosis.leaf == "a4"
    assert library.refresh([str(path)]).rows == ()
    path.write_bytes(session(user("b1", None, "back")))
    back = library.open(str(path))
    assert not back.gone
    assert back.diagnosis.leaf == "b1"
    assert [row.title for row in library.refresh([str(path)]).rows] == ["back"]


def test_a_file_that_never_could_be_read_says_why(tmp_path: Path) -> None:
    library = Library([str(tmp_path)], clock=lambda: 0)
    with pytest.raises(UnreadableError) as caught:
        library.open(str(tmp_path / "none.jsonl"))
    assert caught.value.kind == "vanished"
    os.mkfifo(tmp_path / "pipe.jsonl")
    with pytest.raises(UnreadableError) as caught:
        library.open(str(tmp_path / "pipe.jsonl"))
    assert caught.value.kind == "not-regular"
    (tmp_path / "link.jsonl").symlink_to(_store(tmp_path))
    with pytest.raises(UnreadableError) as caught:
        library.open(str(tmp_path / "link.jsonl"))
    assert caught.value.kind == "symlink"


def test_first_rows_come_from_the_ends_and_are_completed(tmp_path: Path) -> None:
    path = _store(tmp_path, data=_big(1 << 20))
    small = _store(tmp_path, "small.jsonl")
    library = Library([str(tmp_path)], clock=lambda: 0)
    first = library.scan(quick=True)
    rows = {row.path: row for row in first.rows}
    assert first.pending == 2
    assert not any(row.complete for row in first.rows)
    assert rows[str(path)].title.startswith("1 words")
    assert rows[str(path)].verdict is None
    assert rows[str(small)].title == read_session(str(small))[0].title
    whole = library.complete()
    assert whole.pending == 0
    assert {row.verdict for row in whole.rows} == {Verdict.CLEAN}
    assert path.stat().st_size > 2 * EDGE_BYTES


def test_freshness_follows_the_clock(tmp_path: Path) -> None:
    path = _store(tmp_path)
    os.utime(path, ns=(0, 1_000_000 * 1_000_000))
    now = 1_000_000
    library = Library([str(tmp_path)], clock=lambda: now)
    assert library.scan().rows[0].freshness is Freshness.WRITING
    now += 2_000
    assert library.listing().rows[0].freshness is Freshness.RECENT
    now += 60_000
    assert library.listing().rows[0].freshness is Freshness.COLD


def test_children_and_the_folder_of_that_name(tmp_path: Path) -> None:
    parent = _store(tmp_path)
    child = parent.parent / "children" / "c.jsonl"
    child.parent.mkdir()
    child.write_bytes(simple())
    top = tmp_path / "children" / "t.jsonl"
    top.parent.mkdir()
    top.write_bytes(simple())
    lease = parent.parent / "children" / "c.jsonl.lease"
    lease.mkdir()
    (lease / "x.jsonl").write_bytes(simple())
    rows = {row.path: row.child for row in Library([str(tmp_path)], clock=lambda: 0).scan().rows}
    assert rows == {str(parent): False, str(child): True, str(top): False}


def test_a_root_that_is_missing_and_one_that_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    listing = Library([str(tmp_path / "none"), str(file)], clock=lambda: 0).scan()
    assert listing.missing_roots == (str(tmp_path / "none"), str(file))
    assert [row.error_kind for row in listing.rows] == ["io-error"]


def test_lookup_prefers_whole_ids_and_never_guesses(tmp_path: Path) -> None:
    for number in range(3):
        data = line(HEADER | {"id": "ab" if number == 0 else f"ab{number}"}) + user("a", None, "x")
        _store(tmp_path, f"f{number}.jsonl", data)
    rows = Library([str(tmp_path)], clock=lambda: 0).scan().rows
    assert Path(locate(rows, "ab").path or "").name == "f0.jsonl"
    assert Path(locate(rows, "ab2").path or "").name == "f2.jsonl"
    assert Path(locate(rows, "f1").path or "").name == "f1.jsonl"
    assert locate(rows, "a").reason == "ambiguous"
    assert len(locate(rows, "a").candidates) == 3
    assert locate(rows, "../f1").reason == "none"
    assert locate(rows, "").reason == "none"


def test_a_single_file_is_a_root_of_its_own(tmp_path: Path) -> None:
    path = _store(tmp_path)
    _store(tmp_path, "other.jsonl")
    library = Library([str(path)], clock=lambda: 0)
    assert [row.path for row in library.scan().rows] == [str(path)]
    path.unlink()
    gone = library.scan()
    assert gone.rows == ()
    assert gone.missing_roots == (str(path),)


def test_a_file_that_was_away_for_a_moment_is_read_when_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _store(tmp_path)
    library = Library([str(tmp_path)], clock=lambda: 0)
    away = UnreadableError(str(path), "vanished", "it is no longer there")

    def gone(_reader: SessionReader) -> None:
        raise away

    with monkeypatch.context() as context:
        context.setattr(SessionReader, "read", gone)
        assert library.refresh([str(path)]).rows == ()
    assert str(path) in library.look()
    assert [row.verdict for row in library.refresh([str(path)]).rows] == [Verdict.CLEAN]
