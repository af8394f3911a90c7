"""What is shown before a resume or a fork: facts, options, and the one that enter does."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from ink_tui.agent.agents import built_in_agent, ink_agent
from ink_tui.agent.preflight import OptionId, Preflight, build_preflight, session_changed
from ink_tui.agent.preflight_words import duration
from ink_tui.model.entries import EntryId
from ink_tui.model.liveness import Freshness, Holder, HolderKind
from ink_tui.model.text import short_path
from ink_tui.model.verdict import Verdict
from ink_tui.store.fork import write_fork
from ink_tui.store.locks import session_lock
from ink_tui.store.repair import apply_repair
from tests.unit.case_files import CASES, case_bytes

if TYPE_CHECKING:
    from pathlib import Path

NOW = 1_772_453_040_000
HOUR = 3_600_000


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "sessions"
    folder.mkdir()
    return folder


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def put(root: Path, data: bytes, cwd: Path | None, *, age_ms: int = HOUR) -> Path:
    """Put a session below a root, in a working folder that exists."""
    first, _newline, rest = data.partition(b"\n")
    if cwd is not None:
        header = {**json.loads(first), "cwd": str(cwd)}
        data = json.dumps(header).encode() + b"\n" + rest
    path = root / "folder" / "session.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    stamp = (NOW - age_ms) * 1_000_000
    os.utime(path, ns=(stamp, stamp))
    return path


def look(
    path: Path,
    root: Path,
    *,
    entry: str | None = None,
    forking: bool = False,
    pane: Holder | None = None,
    pane_ended: bool = False,
    agent: str | None = None,
) -> Preflight:
    return build_preflight(
        path,
        root=root,
        agents=(ink_agent(), built_in_agent()),
        state_dir=root.parent / "state",
        now_ms=NOW,
        agent=agent,
        entry_id=EntryId(entry) if entry is not None else None,
        forking=forking,
        own_pane=pane or Holder(HolderKind.NONE),
        own_pane_ended=pane_ended,
        search_path="/nowhere",
    )


TORN = case_bytes("01-tail-fragment")
CLEAN = case_bytes("67-cwd-shell-characters")
OPEN_CALL = case_bytes("40-dangling-call")


@pytest.mark.parametrize(
    ("data", "age_ms", "default", "headline"),
    [
        (CLEAN, HOUR, OptionId.RESUME, "Ready to resume"),
        (TORN, HOUR, OptionId.REPAIR, "Can be repaired"),
        (OPEN_CALL, HOUR, OptionId.REPAIR, "Can be repaired"),
        (case_bytes("02-tail-unterminated"), HOUR, OptionId.REPAIR, "Can be repaired"),
        (CLEAN, 10_000, OptionId.FORK, "Look first"),
        (TORN, 10_000, OptionId.FORK, "Look first"),
        (TORN, 500, OptionId.FORK, "Look first"),
        (case_bytes("42-gap-in-middle"), HOUR, OptionId.FORK, "Cannot be resumed"),
        (case_bytes("09-glued-records-inside"), HOUR, OptionId.FORK, "Cannot be resumed"),
        (case_bytes("15-newer-version"), HOUR, OptionId.CANCEL, "Cannot be resumed"),
        (
            OPEN_CALL + b'{"type":"checkpoint","id":"z","parentId":"e3","timestamp":"x"}\n',
            HOUR,
            OptionId.FORK,
            "Look first",
        ),
    ],
)
def test_defaults(
    root: Path, work: Path, data: bytes, age_ms: int, default: OptionId, headline: str
) -> None:
    preflight = look(put(root, data, work, age_ms=age_ms), root)
    assert preflight.default is default
    assert preflight.headline == headline
    assert preflight.reason.endswith((".", "?"))
    chosen = preflight.option(default)
    assert chosen is not None
    assert chosen.enabled
    # Enter never picks a write that is not listed.
    assert bool(preflight.writes) == (default in (OptionId.REPAIR, OptionId.FORK))
    repair = preflight.option(OptionId.REPAIR)
    assert repair is None or not repair.enabled or preflight.writes


def test_order_and_exact_words(root: Path, work: Path) -> None:
    names = [option.name for option in look(put(root, TORN, work), root).options]
    assert names == [
        "Repair and resume",
        "Fork and resume",
        "Resume as is",
        "Resume in another folder",
        "Cancel",
    ]
    names = [option.name for option in look(put(root, CLEAN, work), root).options]
    assert names == ["Resume", "Fork and resume", "Resume in another folder", "Cancel"]


def test_the_rows_of_the_picture(root: Path, work: Path) -> None:
    path = put(root, case_bytes("48-torn-result"), work, age_ms=161_000)
    preflight = look(path, root)
    assert preflight.verb == "Resume"
    assert preflight.reason == (
        "Torn tail and 1 call without result. Repair first, so that nothing is lost."
    )
    facts = {fact.label: fact for fact in preflight.facts}
    assert list(facts) == ["Folder", "Agent", "Command", "Context", "Writers"]
    assert facts["Folder"].text == short_path(str(work), "")
    assert facts["Folder"].note == "exists"
    assert facts["Agent"].text == "built-in, no model"
    assert "ink was not found" in facts["Agent"].second
    assert preflight.session_id in facts["Command"].text
    assert facts["Context"].text.startswith("3 messages, about ")
    assert facts["Writers"].text == "nobody for 2m 41s, no lock held"
    assert (facts["Writers"].note, facts["Writers"].state) == ("safe to write", "good")
    (call,) = preflight.calls
    assert call.tool
    assert call.argument
    assert preflight.writes_name == "session.jsonl"
    assert preflight.writes_note == "backed up first, u undoes it"
    cut, added = preflight.writes
    size = path.stat().st_size
    assert cut.sign == "-"
    assert cut.place.startswith("byte ")
    assert cut.place.endswith(" to the end")
    assert int(cut.amount.split()[0]) == size - int(cut.place.split()[1].replace(",", ""))
    assert cut.preview.startswith('{"type":"message"')
    assert (added.sign, added.amount) == ("+", "1 record")
    assert added.preview == "1 error result: “No result was saved. Unknown whether it ran.”"
    repair = preflight.option(OptionId.REPAIR)
    assert repair is not None
    assert repair.consequence == "cut the fragment, close the call as unknown"
    as_is = preflight.option(OptionId.RESUME)
    assert as_is is not None
    assert as_is.consequence == "the agent will lose its next record"
    assert as_is.needs_second_confirmation
    cancel = preflight.option(OptionId.CANCEL)
    assert cancel is not None
    assert cancel.consequence == "nothing has been changed"


def test_compactions_are_told(root: Path, work: Path) -> None:
    facts = look(put(root, case_bytes("49-two-compactions"), work), root).facts
    assert facts[3].note == "compacted twice"


def test_a_missing_folder_offers_another_one(root: Path) -> None:
    preflight = look(put(root, case_bytes("64-cwd-gone"), None), root)
    assert preflight.default is OptionId.RELOCATE
    assert preflight.headline == "Cannot be resumed"
    assert "no longer exists" in preflight.reason
    for option_id in (OptionId.RESUME, OptionId.FORK):
        option = preflight.option(option_id)
        assert option is not None
        assert not option.enabled
        assert option.consequence == "the folder is missing"
    assert preflight.facts[0].note == "folder missing"
    assert preflight.writes


def test_a_sub_agent_session_can_only_be_forked(root: Path, work: Path) -> None:
    folder = CASES / "60-child-sessions" / "root" / "srv-work-tidepool" / "children"
    path = put(root, next(folder.glob("*.jsonl")).read_bytes(), work)
    preflight = look(path, root)
    assert preflight.default is OptionId.FORK
    assert "only from its parent" in preflight.reason
    outcome = write_fork(path, preflight.fork, root=root, now_ms=NOW)
    assert look(outcome.path, root).launch.allowed


def test_our_own_pane_leaves_the_copy(root: Path, work: Path) -> None:
    pane = Holder(HolderKind.CERTAIN, "the agent in pane 1", 3)
    preflight = look(put(root, TORN, work, age_ms=500), root, pane=pane)
    assert preflight.default is OptionId.FORK
    assert preflight.launch.refusal_reason_kind == "in-use"
    assert not preflight.repair.allowed
    for option_id in (OptionId.REPAIR, OptionId.RESUME):
        option = preflight.option(option_id)
        assert option is not None
        assert not option.enabled
        assert "pane 1" in option.consequence


def test_after_our_own_pane_has_ended_the_repair_is_the_default(root: Path, work: Path) -> None:
    path = put(root, OPEN_CALL, work, age_ms=300)
    preflight = look(path, root, pane_ended=True)
    assert preflight.freshness is Freshness.COLD
    assert preflight.default is OptionId.REPAIR
    assert not preflight.repair.needs_confirmation
    assert preflight.facts[4].text == "our own agent, which has ended"
    apply_repair(preflight.repair, state_dir=root.parent / "state", now_ms=NOW)


def test_a_recent_file_asks_twice(root: Path, work: Path) -> None:
    preflight = look(put(root, TORN, work, age_ms=12_000), root)
    repair = preflight.option(OptionId.REPAIR)
    assert repair is not None
    assert repair.enabled
    assert repair.needs_second_confirmation
    assert "12 s ago" in preflight.reason
    assert [write.sign for write in preflight.writes] == ["+", "-"]
    clean = look(put(root, CLEAN, work, age_ms=12_000), root).option(OptionId.RESUME)
    assert clean is not None
    assert clean.needs_second_confirmation


def test_reasons_beside_options_are_short(root: Path, work: Path) -> None:
    preflight = look(put(root, case_bytes("42-gap-in-middle"), work), root)
    for option_id in (OptionId.REPAIR, OptionId.RESUME):
        option = preflight.option(option_id)
        assert option is not None
        assert option.consequence == "a call without a saved result is followed by later messages"
    fork = preflight.option(OptionId.FORK)
    assert fork is not None
    assert fork.consequence == "new session, up to line 3 only"
    assert preflight.writes[0].preview.startswith("up to line 3 and no further: a call")


def test_a_hard_link_may_be_looked_at_and_forked(root: Path, work: Path) -> None:
    path = put(root, TORN, work)
    os.link(path, path.with_name("other.jsonl"))
    preflight = look(path, root)
    assert preflight.repair.refusal_kind == "hard-link"
    repair = preflight.option(OptionId.REPAIR)
    assert repair is not None
    assert not repair.enabled
    assert repair.consequence == "the file has several names"
    assert "2 names" in preflight.repair.sentence
    assert preflight.default is OptionId.FORK


def test_forking_says_what_is_copied(root: Path, work: Path) -> None:
    path = put(root, case_bytes("32-position-then-append"), work)
    preflight = look(path, root, entry="e3", forking=True)
    assert preflight.verb == "Fork"
    assert preflight.default is OptionId.FORK
    assert preflight.reason == preflight.fork.sentence
    assert "NEW-ID" in preflight.facts[2].text
    assert preflight.writes[0].amount == "2 records"
    assert preflight.writes[0].preview.startswith("everything before your message")
    assert preflight.writes_note == "the original stays as it is"
    fork = preflight.option(OptionId.FORK)
    assert fork is not None
    assert fork.consequence == "new session from the records before this message"


def test_nothing_precedes_the_first_message(root: Path, work: Path) -> None:
    path = put(root, CLEAN, work)
    preflight = look(path, root, entry="e1", forking=True)
    assert preflight.default is OptionId.CANCEL
    fork = preflight.option(OptionId.FORK)
    assert fork is not None
    assert not fork.enabled
    assert "Nothing precedes" in fork.consequence


def test_a_change_of_the_file_is_noticed(root: Path, work: Path) -> None:
    path = put(root, TORN, work)
    preflight = look(path, root)
    assert not session_changed(preflight)
    os.utime(path, ns=(1, 1))
    assert session_changed(preflight)
    preflight = look(path, root)
    path.unlink()
    assert session_changed(preflight)


def test_looking_writes_nothing(root: Path, work: Path) -> None:
    path = put(root, TORN, work)
    before = path.stat()
    look(path, root)
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert [item.name for item in path.parent.iterdir()] == ["session.jsonl"]
    assert not (root.parent / "state").exists()


def test_a_lock_of_another_program_of_ours(root: Path, work: Path) -> None:
    path = put(root, TORN, work)
    with session_lock(root.parent / "state", path, "agent"):
        lock = next((root.parent / "state" / "locks").glob("*.lock"))
        fields = json.loads(lock.read_bytes())
        lock.write_text(json.dumps({**fields, "pid": os.getppid(), "started": ""}))
        preflight = look(path, root)
    assert preflight.holder.kind is HolderKind.CERTAIN
    assert preflight.verdict is Verdict.REFUSE
    assert preflight.facts[4].note == "in use"


def test_hostile_text_is_cleaned(root: Path, work: Path) -> None:
    bad = work / "a\x1b]0;x\x07b\u202e"
    bad.mkdir()
    path = put(root, OPEN_CALL.replace(b"bash", b"ba\\u001bsh"), bad)
    preflight = look(path, root)
    texts = [preflight.title, preflight.session_id, preflight.reason, preflight.writes_name]
    for fact in preflight.facts:
        texts += [fact.text, fact.note, fact.second]
    for call in preflight.calls:
        texts += [call.tool, call.argument]
    for write in preflight.writes:
        texts += [write.place, write.preview, write.amount]
    texts += [option.consequence for option in preflight.options]
    for text in texts:
        assert not set(text) & {"\x1b", "\x07", "\n", "\u202e"}, text
    assert preflight.launch.copy_command == ""


@pytest.mark.parametrize(
    ("milliseconds", "words"),
    [
        (800, "0.8 s"),
        (12_400, "12 s"),
        (161_000, "2m 41s"),
        (7_500_000, "2h 5m"),
        (400_000_000, "4d"),
    ],
)
def test_durations(milliseconds: int, words: str) -> None:
    assert duration(milliseconds) == words
