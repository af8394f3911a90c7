"""The git repository around a folder: as git makes it, as it may be made, and hostile ones."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from ink_tui.model.scope import NO_REPOSITORY, Repository
from ink_tui.store.repository import find_repository

LONG = 9_000


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with its links followed, and no repository above it."""
    found = Path(os.path.realpath(tmp_path))
    assert find_repository(str(found)) == NO_REPOSITORY
    return found


def git_dir(folder: Path) -> Path:
    """Make the least that git takes for a repository."""
    (folder / "objects").mkdir(parents=True)
    (folder / "refs").mkdir()
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    return folder


def worktree(common: Path, name: str, top: Path, *, relative: bool = False) -> Path:
    """Add a worktree to a repository and return git's own folder of it."""
    admin = common / "worktrees" / name
    admin.mkdir(parents=True)
    (admin / "HEAD").write_text("ref: refs/heads/x\n")
    (admin / "commondir").write_text("../..\n")
    named = os.path.relpath(top / ".git", admin) if relative else str(top / ".git")
    (admin / "gitdir").write_text(f"{named}\n")
    top.mkdir(parents=True)
    back = os.path.relpath(admin, top) if relative else str(admin)
    (top / ".git").write_text(f"gitdir: {back}\n")
    return admin


def roots(folder: Path) -> set[str]:
    found = find_repository(str(folder))
    assert not found.trouble
    return set(found.roots)


def names(*folders: Path) -> set[str]:
    return {str(folder) for folder in folders}


def run_git(*words: str, at: Path) -> None:
    own = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    nobody = {"PATH": os.environ["PATH"], "HOME": str(at), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *own, *words], cwd=at, env=nobody, check=True, capture_output=True)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is missing: apt-get install git")
def test_a_repository_as_git_makes_it(place: Path) -> None:
    main, other, gone = place / "main repo", place / "wt" / "日本語", place / "gone"
    main.mkdir()
    run_git("init", at=main)
    run_git("commit", "--allow-empty", "-m", "x", at=main)
    for top in (other, gone):
        run_git("worktree", "add", str(top), at=main)
    shutil.rmtree(gone)
    (other / "deep" / "er").mkdir(parents=True)
    everything = names(main, other, gone)
    for start in (main, other, other / "deep" / "er"):
        assert roots(start) == everything
    assert roots(main / ".git") >= everything
    assert find_repository(str(place)) == NO_REPOSITORY
    bare = place / "bare.git"
    run_git("clone", "--bare", str(main), str(bare), at=place)
    run_git("worktree", "add", "-b", "x", str(place / "of bare"), at=bare)
    assert roots(place / "of bare") == names(place / "of bare")
    assert roots(bare) == names(bare, place / "of bare")
    run_git("clone", str(main), str(main / "nested"), at=place)
    assert roots(main / "nested") == names(main / "nested")


def test_worktrees_made_by_hand_with_whole_and_with_relative_paths(place: Path) -> None:
    common = git_dir(place / "main" / ".git")
    worktree(common, "a", place / "a")
    worktree(common, "b", place / "below" / "b", relative=True)
    everything = names(place / "main", place / "a", place / "below" / "b")
    for start in (place / "main", place / "a", place / "below" / "b"):
        assert roots(start) == everything


def test_a_sub_module_and_a_separate_folder_are_repositories_of_their_own(place: Path) -> None:
    module = git_dir(git_dir(place / "main" / ".git") / "modules" / "m")
    top = place / "main" / "m"
    top.mkdir()
    (top / ".git").write_text(f"gitdir: {os.path.relpath(module, top)}\n")
    assert roots(top) == names(top)
    assert roots(place / "main") == names(place / "main")


def test_links_are_followed_for_the_folder_not_for_what_git_keeps(place: Path) -> None:
    common = git_dir(place / "kept" / "repo.git")
    top = place / "top"
    top.mkdir()
    (top / ".git").symlink_to(common)
    assert roots(top) == names(top)
    (place / "loop").mkdir()
    (place / "loop" / ".git").symlink_to(place / "loop" / ".git")
    assert not find_repository(str(place / "loop")).roots
    admin = worktree(common, "a", place / "a")
    (admin / "gitdir").rename(place / "elsewhere")
    (admin / "gitdir").symlink_to(place / "elsewhere")
    assert find_repository(str(top)) == Repository((str(top),), unread=1)


def test_a_folder_that_only_has_the_name_is_passed_by(place: Path) -> None:
    git_dir(place / ".git")
    (place / "in" / ".git").mkdir(parents=True)
    assert roots(place / "in") == names(place)
    assert roots(place / "never" / "made") == names(place)


STRANGE = [
    b"",
    b"\n",
    b"gitdir:",
    b"gitdir: \n",
    b"nothing of ours",
    b"gitdir: /nowhere/at/all\n",
    b"gitdir: ../..\n",
    b"gitdir: \0\n",
    b"gitdir: " + b"x" * LONG,
    b"gitdir: " + b"/x" * 2_000,
    b"\xff\xfe\x00\x01",
    b"gitdir: \x1b[31m\xff\n",
]


@pytest.mark.parametrize("content", STRANGE, ids=[repr(each)[:24] for each in STRANGE])
def test_a_pointer_that_leads_nowhere_is_refused_with_a_reason(place: Path, content: bytes) -> None:
    (place / ".git").write_bytes(content)
    found = find_repository(str(place))
    assert not found.roots
    assert found.trouble
    assert "\x1b" not in found.trouble


@pytest.mark.parametrize("content", STRANGE, ids=[repr(each)[:24] for each in STRANGE])
def test_a_worktree_that_cannot_be_told_is_counted_and_takes_nothing_along(
    place: Path, content: bytes
) -> None:
    common = git_dir(place / "main" / ".git")
    admin = worktree(common, "a", place / "a")
    (admin / "gitdir").write_bytes(content.removeprefix(b"gitdir: "))
    found = find_repository(str(place / "main"))
    assert found.roots == (str(place / "main"),)
    # One of them names the repository itself: that is another's place, and can be told.
    assert found.unread == (0 if b"../.." in content else 1)
    # Another's file decides nothing, so its worktree still finds its way.
    (place / "a" / ".git").write_bytes(content)
    assert not find_repository(str(place / "a")).roots


def test_a_folder_that_exists_and_does_not_name_the_repository_is_not_believed(
    place: Path,
) -> None:
    common = git_dir(place / "main" / ".git")
    for number, pointer in enumerate(["/.git", f"{place}/.git", str(place / "other" / ".git")]):
        admin = common / "worktrees" / str(number)
        admin.mkdir(parents=True)
        (admin / "gitdir").write_text(f"{pointer}\n")
    git_dir(place / "other" / ".git")
    worktree(common, "taken", place / "taken")
    (place / "taken" / ".git").write_text(f"gitdir: {common / 'worktrees' / '0'}\n")
    assert find_repository(str(place / "main")) == Repository((str(place / "main"),))


def test_pipes_devices_and_folders_in_the_place_of_files_hang_nothing(place: Path) -> None:
    os.mkfifo(place / ".git")
    assert find_repository(str(place)).trouble
    (place / ".git").unlink()
    common = git_dir(place / ".git")
    admin = worktree(common, "a", place / "a")
    (admin / "gitdir").unlink()
    os.mkfifo(admin / "gitdir")
    (common / "worktrees" / "file").write_text("x")
    (common / "worktrees" / "link").symlink_to(admin)
    assert find_repository(str(place)) == Repository((str(place),), unread=1)
    (common / "commondir").mkdir()
    assert find_repository(str(place)).trouble


def test_of_too_many_worktrees_the_rest_is_said_to_be_unread(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    common = git_dir(place / "main" / ".git")
    for number in range(4):
        worktree(common, str(number), place / str(number))
    monkeypatch.setattr("ink_tui.store.repository._MOST_WORKTREES", 3)
    found = find_repository(str(place / "main"))
    assert (len(found.roots), found.unread) == (4, 1)


@pytest.mark.parametrize("folder", ["", "relative", "/" + "x" * LONG, "/a\0b", "/\udcff"])
def test_a_folder_that_is_none_has_no_repository(folder: str) -> None:
    assert not find_repository(folder).roots


def test_nothing_is_written_and_no_process_is_started(place: Path) -> None:
    common = git_dir(place / "main" / ".git")
    worktree(common, "a", place / "a")
    before = {path: path.stat() for path in place.rglob("*")}
    (common / "worktrees").chmod(0o500)
    assert len(roots(place / "main")) == 2
    after = {path: path.stat() for path in before}
    assert [stat.st_mtime_ns for stat in before.values()] == [
        stat.st_mtime_ns for stat in after.values()
    ]
