"""The demo: every session is in the state that its title says, and nothing is left behind."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from ink_tui.errors import StoreError
from ink_tui.formats.ink.layout import ink_dir_name
from ink_tui.formats.registry import INK
from ink_tui.model.entries import CompactionEntry
from ink_tui.model.faults import FaultCode, Severity, TailState
from ink_tui.model.messages import AssistantMessage, ToolResult, ToolResultMessage
from ink_tui.model.text import clean
from ink_tui.model.tool_calls import CallState
from ink_tui.model.verdict import Diagnosis, Verdict, diagnose
from ink_tui.store.demo import DEMO_MARKER, Demo, create_demo, is_demo
from ink_tui.store.demo.working_folders import NEW_SUM, OLD_SUM
from tests.conftest import NOON

NOW_MS = int(NOON.timestamp() * 1_000)
HOUR_MS, DAY_MS = 3_600_000, 86_400_000


def judged(path: Path) -> Diagnosis:
    parser = INK.parser()
    parser.feed(path.read_bytes())
    return diagnose(parser.session())


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return create_demo(NOW_MS, tmp_path_factory.mktemp("demo") / "home")


@pytest.fixture(scope="module")
def sessions(demo: Demo) -> dict[str, Diagnosis]:
    """The top-level sessions by title, and the children by `child: ` and title."""
    found = {}
    for path in demo.root.rglob("*.jsonl"):
        diagnosis = judged(path)
        prefix = "child: " if path.parent.name == "children" else ""
        found[prefix + diagnosis.title] = diagnosis
    return found


def only(sessions: dict[str, Diagnosis], part: str) -> Diagnosis:
    (found,) = [value for title, value in sessions.items() if part in title]
    return found


def test_there_is_one_session_for_every_state(sessions: dict[str, Diagnosis]) -> None:
    states = {title: (value.verdict, value.refusal) for title, value in sessions.items()}
    clean_state = (Verdict.CLEAN, None)
    assert states == {
        "fix the sum function, keep the interface": (Verdict.REPAIRABLE, None),
        "给解析器加上 CRLF 支持 🚀 with tests": clean_state,
        "rename the module": clean_state,
        "fork: rename the module, keep the old name": clean_state,
        "": clean_state,
        "compacted twice, three branches: rate limits per tenant": clean_state,
        "a gap in the middle: why does the health check flap?": (Verdict.REFUSE, FaultCode.GAP),
        "an unreadable line: 迁移到 Postgres 16 之前先核对索引": (
            Verdict.REFUSE,
            FaultCode.INVALID_JSON,
        ),
        "READMEを書き直す": clean_state,
        "written by a newer Ink, version 2": (Verdict.REFUSE, FaultCode.UNSUPPORTED_VERSION),
        "the folder is gone: move the website to static pages": clean_state,
        "child: check every caller of sum()": clean_state,
        "child: read the OpenAPI spec": clean_state,
        "child: 检查分页与游标": clean_state,
    }


def test_the_interrupted_session(demo: Demo, sessions: dict[str, Diagnosis]) -> None:
    found = sessions["fix the sum function, keep the interface"]
    session = found.session
    assert judged(demo.first).title == found.title
    assert session.tail.state is TailState.TORN_FRAGMENT
    assert 200 < session.tail.torn_bytes < 260
    content = demo.first.read_bytes()
    with pytest.raises(UnicodeDecodeError, match="unexpected end of data"):
        content[session.tail.offset :].decode()
    assert [(call.call.tool, call.state) for call in found.open_calls] == [
        ("edit", CallState.OPEN),
        ("bash", CallState.OPEN),
    ]
    assert found.to_close == found.open_calls
    (orphan,) = found.tree.missing_parents
    assert orphan not in {node.id for node in found.branch.entries}
    compactions = [node for node in session.nodes.values() if isinstance(node, CompactionEntry)]
    assert [(c.tokens_before, len(c.retained_tail or ())) for c in compactions] == [(118_000, 2)]
    assert list(session.labels.values()) == ["before-refactor"]
    stubs = [children for children in found.tree.children.values() if len(children) > 1]
    assert [len(children) for children in stubs] == [3]
    assert found.context is not None
    assert found.context.measured
    assert 12_000 < found.context.tokens < 13_000
    assert len(found.branch.entries) > 30


def test_the_file_on_disk_holds_what_the_open_edit_wanted(demo: Demo) -> None:
    content = (demo.cwd / "src" / "sum.ts").read_text(encoding="utf-8")
    assert content.count(NEW_SUM) == 1
    assert OLD_SUM not in content
    arguments = judged(demo.first).open_calls[0].call.arguments
    assert isinstance(arguments, dict) or hasattr(arguments, "keys")
    assert NEW_SUM.rstrip("\n").split("\n")[0] in str(arguments)


def test_compacted_twice_with_three_branches_and_two_sub_agents(
    sessions: dict[str, Diagnosis],
) -> None:
    found = only(sessions, "compacted twice")
    session = found.session
    compactions = [node for node in session.nodes.values() if isinstance(node, CompactionEntry)]
    assert len(compactions) == 2
    assert len(found.tree.tips) == 3
    assert session.header is not None
    children = {
        value.session.header.id
        for title, value in sessions.items()
        if title.startswith("child: ")
        and value.session.header is not None
        and value.session.header.parent_id == session.header.id
    }
    assert len(children) == 2
    named = {
        result.child_id
        for node in session.nodes.values()
        for result in _results(getattr(node, "message", None))
        if result.child_id
    }
    assert named == children


def _results(message: object) -> tuple[ToolResult, ...]:
    return (message.results or ()) if isinstance(message, ToolResultMessage) else ()


def test_a_sub_agent_is_bound_to_its_parent_as_ink_binds_it(demo: Demo) -> None:
    import orjson

    paths = list(demo.root.rglob("children/*.jsonl"))
    assert len(paths) == 3
    for path in paths:
        header = orjson.loads(path.read_bytes().split(b"\n")[0])
        launch = header["launch"]
        assert launch["childId"] == header["id"]
        assert launch["parentSessionId"] == header["parent"]
        assert len(launch["system"]["sha256"]) == 64
        assert path.parent.parent.name == ink_dir_name(header["cwd"])
        parents = [judged(other).session.header for other in path.parent.parent.glob("*.jsonl")]
        assert header["parent"] in {parent.id for parent in parents if parent}


def test_the_fork_names_its_origin_and_copies_raw_bytes(
    demo: Demo, sessions: dict[str, Diagnosis]
) -> None:
    fork, origin = sessions["fork: rename the module, keep the old name"].session, None
    origin = sessions["rename the module"].session
    assert fork.header is not None
    assert origin.header is not None
    assert fork.header.forked_from is not None
    source, entry = fork.header.forked_from
    assert source == origin.header.id
    assert entry in origin.nodes
    files = {judged(p).title: p.read_bytes().split(b"\n") for p in demo.root.rglob("*.jsonl")}
    copied = files["fork: rename the module, keep the old name"][1:5]
    assert copied == files["rename the module"][1:5]


def test_every_answer_has_usage_and_every_call_that_is_over_its_result(
    sessions: dict[str, Diagnosis],
) -> None:
    answers = [
        node.message
        for found in sessions.values()
        for node in found.session.nodes.values()
        if hasattr(node, "message") and isinstance(node.message, AssistantMessage)
    ]
    assert len(answers) > 60
    assert all(answer.usage is not None for answer in answers)


def test_severities_are_the_ones_the_screens_count(sessions: dict[str, Diagnosis]) -> None:
    found = sessions["fix the sum function, keep the interface"]
    assert [fault.severity for fault in found.faults] == [
        Severity.DECIDE,
        Severity.DECIDE,
        Severity.DAMAGE,
    ]


AGES = {
    "fix the sum": (2 * 60_000, 3 * 60_000),
    "CRLF": (30 * 60_000, HOUR_MS),
    "fork: rename": (3 * HOUR_MS, 4 * HOUR_MS),
    "compacted twice": (DAY_MS, 2 * DAY_MS),
    "unreadable line": (4 * DAY_MS, 5 * DAY_MS),
    "a gap": (6 * DAY_MS, 7 * DAY_MS),
    "READMEを": (9 * DAY_MS, 10 * DAY_MS),
    "newer Ink": (12 * DAY_MS, 13 * DAY_MS),
}


@pytest.mark.parametrize("part", AGES)
def test_ages_read_like_the_picture(sessions: dict[str, Diagnosis], part: str) -> None:
    last = only(sessions, part).session.last_time_ms
    assert last is not None
    low, high = AGES[part]
    assert low <= NOW_MS - last < high


def test_the_interrupted_session_is_the_newest_and_nothing_is_in_the_future(
    sessions: dict[str, Diagnosis],
) -> None:
    newest = max(sessions.values(), key=lambda found: found.session.last_time_ms or 0)
    assert newest.title == "fix the sum function, keep the interface"
    for found in sessions.values():
        stamps = [getattr(record, "time_ms", None) for record in found.session.records]
        times = [stamp for stamp in stamps if stamp is not None]
        assert times == sorted(times), found.title
        assert all(time < NOW_MS for time in times)


def test_file_times_are_old_and_modes_private(demo: Demo) -> None:
    for path in demo.home.rglob("*"):
        mode = stat.S_IMODE(path.lstat().st_mode)
        assert mode & 0o077 == 0 or path.name == DEMO_MARKER, path
    for path in demo.root.rglob("*.jsonl"):
        assert path.stat().st_mtime < NOW_MS / 1_000 - 120
    assert stat.S_IMODE(demo.home.stat().st_mode) == 0o700


def test_titles_need_no_cleaning_and_three_folders_exist(
    demo: Demo, sessions: dict[str, Diagnosis]
) -> None:
    assert all(clean(title) == title for title in sessions)
    assert [cwd.relative_to(demo.home).as_posix() for cwd in demo.cwds] == [
        "work/demo",
        "work/api",
        "src/日本語プロジェクト",
    ]
    assert all(cwd.is_dir() for cwd in demo.cwds)
    gone = only(sessions, "the folder is gone").session.header
    assert gone is not None
    assert not Path(gone.cwd).exists()


def test_equal_moments_give_equal_bytes(tmp_path: Path) -> None:
    def everything(demo: Demo) -> dict[str, bytes]:
        return {
            str(path.relative_to(demo.home)): path.read_bytes()
            for path in demo.home.rglob("*")
            if path.is_file()
        }

    with create_demo(NOW_MS, tmp_path / "demo") as first:
        before = everything(first)
    with create_demo(NOW_MS, tmp_path / "demo") as second:
        assert everything(second) == before


def test_it_is_removed_whole_with_whatever_was_added(tmp_path: Path) -> None:
    with create_demo(NOW_MS, tmp_path / "demo") as demo:
        (demo.cwd / "new").mkdir()
        (demo.cwd / "new" / "link").symlink_to(tmp_path)
    assert list(tmp_path.iterdir()) == []
    demo.remove()


def test_a_folder_that_exists_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be made"):
        create_demo(NOW_MS, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_without_the_marker_is_not_removed(tmp_path: Path) -> None:
    demo = create_demo(NOW_MS, tmp_path / "demo")
    (demo.root / DEMO_MARKER).unlink()
    assert not is_demo(demo.root)
    with pytest.raises(StoreError, match="no longer a demo"):
        demo.remove()
    assert demo.first.exists()


def test_a_link_is_no_marker(tmp_path: Path) -> None:
    (tmp_path / "real").touch()
    (tmp_path / DEMO_MARKER).symlink_to(tmp_path / "real")
    assert not is_demo(tmp_path)


WATCHED = textwrap.dedent("""
    import os, sys, tempfile, time
    touched = []
    def hook(event, arguments):
        if event == "open" and not isinstance(arguments[0], int):
            if arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC):
                touched.append(os.fsdecode(arguments[0]))
        elif event in ("os.mkdir", "os.remove", "os.rmdir", "os.utime", "os.chmod", "os.rename"):
            name = arguments[0]
            if isinstance(name, int):
                name = os.readlink(f"/proc/self/fd/{name}")
            elif event in ("os.remove", "os.rmdir") and isinstance(arguments[1], int):
                if arguments[1] >= 0:
                    folder = os.readlink(f"/proc/self/fd/{arguments[1]}")
                    name = os.path.join(folder, os.fsdecode(name))
            touched.append(os.fsdecode(name))
    from ink_tui.store.demo import create_demo
    tempfile.gettempdir()  # tries the folder with a file of its own, once
    sys.addaudithook(hook)
    with create_demo(int(time.time() * 1000)) as demo:
        home = str(demo.home)
    outside = [name for name in touched if name != home and not name.startswith(home + os.sep)]
    print(len(touched), outside)
""")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc/self/fd")
def test_nothing_outside_the_folder_is_touched(tmp_path: Path) -> None:
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-B", "-c", WATCHED], env=env, capture_output=True, text=True, check=True
    )
    count, _, outside = done.stdout.strip().partition(" ")
    assert int(count) > 80
    assert outside == "[]"
    assert list(tmp_path.iterdir()) == []
