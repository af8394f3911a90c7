"""Salvage: a clean copy of all that can be read, an exact account, the original untouched."""

from __future__ import annotations

import json
import os
import random
import tempfile
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ink_tui.errors import RefusedError
from ink_tui.formats.ink.raw import with_escaped_breaks
from ink_tui.model.entries import EntryId
from ink_tui.model.fork_points import NO_SUCH_ENTRY
from ink_tui.model.recovery import with_recovered
from ink_tui.model.salvage import SalvagePlan, copy_plan, is_damaged, salvage_plan
from ink_tui.model.salvage_account import Reason
from ink_tui.model.verdict import Diagnosis, Verdict
from ink_tui.store.fork import ForkOutcome, write_fork
from ink_tui.store.repair_plan import diagnosis_of
from tests.cases import CASES_DIR, REAL_DIR, run_cli, run_json
from tests.sessions import HEADER, answer, entry, line, results, session, user

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOW = 1_772_453_040_000
HEAD = line(HEADER)
FILES = sorted([*CASES_DIR.glob("**/*.jsonl"), *REAL_DIR.glob("**/*.jsonl")])


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where there is one: thousands of copies wait for a disk each time."""
    shared = Path("/dev/shm")
    if not os.access(shared, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=shared) as folder:
        yield Path(folder)


def save(data: bytes, folder: Path, tip: str | None = None) -> tuple[SalvagePlan, bytes | None]:
    """Salvage some bytes and check everything that must hold; return plan and copy."""
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "source.jsonl"
    source.write_bytes(data)
    diagnosis = diagnosis_of(data)
    plan = salvage_plan(diagnosis, EntryId(tip) if tip else None)
    if not plan.allowed:
        assert plan.sentence
        assert plan.entries == ()
        return plan, None
    outcome = write_fork(
        source,
        plan,
        root=folder,
        now_ms=NOW,
        folder=folder / "copies",
        cwd=str(folder) if plan.needs_folder else None,
    )
    copy = outcome.path.read_bytes()
    outcome.path.unlink()
    assert source.read_bytes() == data
    check_copy(data, diagnosis, plan, outcome, copy)
    return plan, copy


def check_copy(
    data: bytes, diagnosis: Diagnosis, plan: SalvagePlan, outcome: ForkOutcome, copy: bytes
) -> None:
    after = diagnosis_of(copy)
    assert after.verdict is Verdict.CLEAN
    assert after.session.bad_lines == ()
    lines = copy.removesuffix(b"\n").split(b"\n")[1:]
    records = [*plan.entries, *plan.labels]
    assert len(lines) == len(records) + bool(plan.closing)
    assert outcome.records == len(plan.entries)
    changes = {change.span: change for change in plan.changes}
    del lines[len(plan.entries) : len(lines) - len(plan.labels)]
    for record, copied in zip(records, lines, strict=True):
        span, change = record.span, changes.get(record.span)
        raw = data[span.offset : span.offset + span.length].removesuffix(b"\n")
        if change is None:
            assert copied == raw
            continue
        assert change.breaks == raw.count(b"\n")
        old = json.loads(with_escaped_breaks(raw).decode("utf-8", "replace"))
        new = json.loads(copied.decode("utf-8", "replace"))
        if change.reparented:
            assert new["parentId"] == change.parent
            assert new["parentId"] != old["parentId"]
        assert new | {"parentId": 0} == old | {"parentId": 0}
    check_account(diagnosis, plan)


def check_account(diagnosis: Diagnosis, plan: SalvagePlan) -> None:
    """Every record and every byte is either in the copy or in the account of what stays behind."""
    whole = with_recovered(diagnosis.session)
    holes = (Reason.UNREADABLE, Reason.HEADER)
    behind = sum(out.count for out in plan.left_out if out.reason not in holes)
    assert len(plan.entries) + len(plan.labels) + behind == len(whole.records)
    octets = sum(record.span.length for record in (*plan.entries, *plan.labels))
    octets += sum(out.octets for out in plan.left_out)
    if diagnosis.session.header is not None and diagnosis.session.error_kind != "bad-header":
        octets += diagnosis.session.header.span.length
        slack = len(diagnosis.session.bad_lines)  # a newline of a line that is recovered whole
        blank = diagnosis.session.lines - 1
        assert octets <= diagnosis.session.size <= octets + slack + 64 * blank
    said = " ".join(plan.account)
    for change in plan.changes:
        assert f"line {change.span.line:,}" in said
    for out in plan.left_out:
        assert f"{out.octets:,} byte" in said
    assert plan.account[-1] == "The original stays as it is."


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path)[-60:])
def test_every_sample_file(path: Path, tmp_path: Path) -> None:
    data = path.read_bytes()
    plan, _copy = save(data, tmp_path)
    diagnosis = diagnosis_of(data)
    session_ = diagnosis.session
    if session_.nodes and session_.error_kind not in ("unsupported-version", "empty-file"):
        assert plan.allowed or not any(hasattr(r, "message") for r in session_.records)
    for end in plan.other_ends[:5]:
        other, copy = save(data, tmp_path, end.entry_id)
        assert copy is not None
        assert len(other.entries) == end.records


def chain(draw: random.Random, length: int) -> list[bytes]:
    """A sound conversation: users, answers with and without calls, results."""
    made: list[bytes] = []
    parent: str | None = None
    while len(made) < length:
        n = f"{len(made):03d}"
        made.append(user(f"u{n}", parent, f"ask\nagain {n}"))
        parent = f"u{n}"
        if draw.random() < 0.6:
            calls = (("c" + n, "ls", {"path": "."}),)
            made.append(answer(f"a{n}", parent, "", calls))
            made.append(results(f"r{n}", f"a{n}", ("c" + n, "ls", "x\ny")))
            parent = f"r{n}"
        made.append(answer(f"b{n}", parent, f"done\n{n}"))
        parent = f"b{n}"
    return made


def changed(record: bytes, **fields: Any) -> bytes:
    return line(json.loads(record) | fields)


def glue(made: list[bytes], at: int, draw: random.Random) -> None:
    made[at] = made[at - 1][: draw.randrange(1, len(made[at - 1]) - 1)] + made[at]


def share(made: list[bytes], at: int, _draw: random.Random) -> None:
    made[at - 1] = made[at - 1][:-1]


def zeros(made: list[bytes], at: int, draw: random.Random) -> None:
    made[at] = made[at][:-1] + b"\0" * draw.randrange(1, 600) + b"\n"


def split(made: list[bytes], at: int, _draw: random.Random) -> None:
    made[at] = made[at].replace(b"\\n", b"\n")


def tear(made: list[bytes], at: int, draw: random.Random) -> None:
    made[at] = made[at][: draw.randrange(1, len(made[at]) - 1)] + b"\n"


def lose(made: list[bytes], at: int, _draw: random.Random) -> None:
    del made[at]


def ring(made: list[bytes], at: int, _draw: random.Random) -> None:
    made[at - 1] = changed(made[at - 1], parentId=json.loads(made[at])["id"])


def double(made: list[bytes], at: int, _draw: random.Random) -> None:
    made.insert(at, made[at])


def reuse(made: list[bytes], at: int, _draw: random.Random) -> None:
    made.insert(at, changed(made[at], id=json.loads(made[at - 1])["id"]))


def orphan(made: list[bytes], at: int, _draw: random.Random) -> None:
    made.insert(at, results(f"x{at}", json.loads(made[at - 1])["id"], ("nowhere", "ls", "x")))
    made[at + 1] = changed(made[at + 1], parentId=f"x{at}")


def unknown(made: list[bytes], at: int, _draw: random.Random) -> None:
    record = json.loads(made[at])
    made[at] = entry("checkpoint", record["id"], record["parentId"])


def compact(made: list[bytes], at: int, _draw: random.Random) -> None:
    record = json.loads(made[at])
    made.insert(at, entry("compaction", f"k{at}", record["parentId"], summary="s"))
    made[at + 1] = changed(made[at + 1], parentId=f"k{at}")


DAMAGE: tuple[Callable[[list[bytes], int, random.Random], None], ...] = (
    glue, share, zeros, split, tear, lose, ring, double, reuse, orphan, unknown, compact,
)  # fmt: skip
WHOLE = {glue, share, zeros, split}
"""Damage that loses no record at all, but what the fragment took."""


def test_generated_damage_of_every_class(memory: Path) -> None:
    """Prints its figures; trust.md 2.9, R7 and R8."""
    trials: Counter[str] = Counter()
    refused = 0
    for damage in DAMAGE:
        for seed in range(200):
            draw = random.Random(f"{damage.__name__}{seed}")
            made = chain(draw, draw.randrange(4, 14))
            total = len(made)
            damage(made, draw.randrange(1, len(made)), draw)
            plan, copy = save(HEAD + b"".join(made), memory)
            trials[damage.__name__] += 1
            refused += copy is None
            if damage in WHOLE:
                assert copy is not None
                assert len(plan.entries) == total
    print(f"R8 salvage: {dict(trials)}, {trials.total():,} files, {refused} refused, 0 violations")
    assert trials.total() == 200 * len(DAMAGE)
    assert refused == 0


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    seed=st.integers(0, 10_000),
    damage=st.lists(st.tuples(st.sampled_from(DAMAGE), st.integers(0, 10_000)), max_size=6),
    end=st.integers(0, 400),
)
def test_any_mixture_of_damage(
    memory: Path,
    seed: int,
    damage: list[tuple[Callable[[list[bytes], int, random.Random], None], int]],
    end: int,
) -> None:
    draw = random.Random(seed)
    made = chain(draw, 12)
    for change, place in damage:
        try:
            change(made, place % (len(made) - 1) + 1, draw)
        except (ValueError, IndexError, KeyError):
            continue  # the record to be changed is damaged already
    data = HEAD + b"".join(made)
    data = data[: len(data) - end] if end < len(data) - len(HEAD) else data
    plan, _copy = save(data, memory)
    for other in plan.other_ends[:2]:
        save(data, memory, other.entry_id)


def test_any_cut_of_the_file(memory: Path) -> None:
    data = HEAD + b"".join(chain(random.Random(3), 5))
    cuts = range(len(HEAD) + 1, len(data), 7)
    for cut in cuts:
        save(data[:cut], memory)
    print(f"salvage of cut files: {len(cuts)} cuts")
    assert len(cuts) > 100


def test_an_orphan_branch_starts_at_its_first_record_and_says_so(tmp_path: Path) -> None:
    data = session(
        user("m1", None, "a"),
        answer("m2", "m1", "b"),
        results("m4", "lost", ("c1", "ls", "x")),
        answer("m5", "m4", "c"),
        user("m6", "m5", "d"),
    )
    plan, copy = save(data, tmp_path)
    assert [node.id for node in plan.entries] == ["m1", "m2"]
    assert [(end.entry_id, end.records) for end in plan.other_ends] == [("m6", 2)]
    plan, copy = save(data, tmp_path, "m6")
    assert copy is not None
    assert [node.id for node in plan.entries] == ["m5", "m6"]
    assert json.loads(copy.split(b"\n")[1])["parentId"] is None
    reasons = {out.reason: out.count for out in plan.left_out}
    assert reasons == {Reason.LOST_CALLS: 1, Reason.OTHER_BRANCH: 2}
    assert any("parentId is null" in sentence for sentence in plan.account)


def test_a_duplicate_that_makes_a_ring_is_taken_once(tmp_path: Path) -> None:
    data = session(user("a1", None, "x"), answer("a2", "a1", "y"), user("a1", "a2", "z"))
    plan, _copy = save(data, tmp_path)
    assert [(node.id, node.span.line) for node in plan.entries] == [("a1", 2), ("a2", 3)]
    assert [(out.reason, out.lines) for out in plan.left_out] == [(Reason.DUPLICATE, (4,))]


def test_an_unknown_record_inside_is_bridged(tmp_path: Path) -> None:
    data = (CASES_DIR / "24-unknown-type-inside" / "session.jsonl").read_bytes()
    plan, copy = save(data, tmp_path)
    assert copy is not None
    for before, after in pairwise(copy.removesuffix(b"\n").split(b"\n")[1:]):
        assert json.loads(after)["parentId"] == json.loads(before)["id"]
    assert [out.reason for out in plan.left_out] == [Reason.UNKNOWN]


def test_open_calls_are_closed_only_at_the_end(tmp_path: Path) -> None:
    calls: tuple[tuple[str, str, dict[str, Any]], ...] = (("c1", "ls", {}),)
    open_end = session(user("m1", None, "a"), answer("m2", "m1", "", calls)) + b'{"type":"mess'
    plan, copy = save(open_end + b"\n" + b"x\n", tmp_path)
    assert [call.call_id for call in plan.closing] == ["c1"]
    assert copy is not None
    assert b"No result was saved" in copy
    gap = session(user("m1", None, "a"), answer("m2", "m1", "", calls), user("m3", "m2", "b"))
    plan, _copy = save(gap, tmp_path)
    assert [node.id for node in plan.entries] == ["m1"]
    assert plan.moved
    assert plan.left_out[0].reason is Reason.AFTER


def test_without_a_header_a_folder_must_be_named(tmp_path: Path) -> None:
    data = user("m1", None, "a") + answer("m2", "m1", "b")
    plan, copy = save(data, tmp_path)
    assert plan.needs_folder
    assert copy is not None
    assert "forkedFrom" not in json.loads(copy.split(b"\n")[0])
    source = tmp_path / "source.jsonl"
    with pytest.raises(RefusedError) as refused:
        write_fork(source, plan, root=tmp_path, now_ms=NOW)
    assert refused.value.kind == "cwd-missing"
    glued, copy = save(HEAD[:-1] + data, tmp_path)
    assert not glued.needs_folder
    assert copy is not None
    assert json.loads(copy.split(b"\n")[0])["forkedFrom"]["id"] == HEADER["id"]


def test_what_is_never_salvaged(tmp_path: Path) -> None:
    for data, kind in (
        (b"", "empty-file"),
        (line(HEADER | {"version": 2}) + user("m1", None, "a"), "unsupported-version"),
        (HEAD, "nothing-to-copy"),
        (HEAD + b"garbage\n" * 30, "nothing-to-copy"),
    ):
        plan, _copy = save(data, tmp_path)
        assert plan.refusal == kind
    plan, _copy = save(session(user("m1", None, "a")), tmp_path, "nowhere")
    assert plan.refusal == NO_SUCH_ENTRY


def test_a_session_that_changed_meanwhile_is_refused(tmp_path: Path) -> None:
    data = HEAD + user("m1", None, "a") + b'{"type":"me' + user("m2", "m1", "b")
    source = tmp_path / "s.jsonl"
    source.write_bytes(data.replace(b'"b"', b'"c"'))
    plan = salvage_plan(diagnosis_of(data), None)
    assert len(plan.entries) == 2
    with pytest.raises(RefusedError) as refused:
        write_fork(source, plan, root=tmp_path, now_ms=NOW)
    assert refused.value.kind == "changed-since"


def test_a_damaged_session_is_forked_by_its_salvage() -> None:
    damaged = diagnosis_of((CASES_DIR / "09-glued-records-inside/session.jsonl").read_bytes())
    assert is_damaged(damaged)
    plan = copy_plan(damaged, None)
    assert isinstance(plan, SalvagePlan)
    assert [node.id for node in plan.entries] == ["e1", "e2", "e3", "e4"]
    at_user = copy_plan(damaged, EntryId("e3"))
    assert isinstance(at_user, SalvagePlan)
    assert [node.id for node in at_user.entries] == ["e1", "e2"]
    assert at_user.prompt == "Start with tide-io."
    sound = diagnosis_of((CASES_DIR / "32-position-then-append/session.jsonl").read_bytes())
    assert not isinstance(copy_plan(sound, None), SalvagePlan)


def test_the_command_prints_the_account_and_writes_on_yes(tmp_path: Path) -> None:
    path = tmp_path / "w" / "s.jsonl"
    path.parent.mkdir()
    data = (CASES_DIR / "26-missing-parent/session.jsonl").read_bytes()
    path.write_bytes(data)
    options = ("fork", str(path), "--sessions-dir", str(tmp_path))
    status, out, _err = run_cli(*options, "--salvage")
    assert status == 0
    assert "Left out: 2 records on other branches (lines 4 to 5, 405 bytes)." in out
    assert "--tip e5" in out
    assert list(path.parent.iterdir()) == [path]
    assert "--salvage" in run_cli(*options)[1]
    (done,) = run_json(*options, "--salvage", "--tip", "e5", "--yes", "--json")
    assert done["records"] == 2
    assert done["account"][1].startswith("Changed: line 4: parentId is null")
    assert diagnosis_of(Path(done["path"]).read_bytes()).verdict is Verdict.CLEAN
    assert path.read_bytes() == data
    assert run_cli(*options, "--at", "e1", "--salvage")[0] == 2
    assert run_cli(*options, "--salvage", "--tip", "none")[0] == 1
