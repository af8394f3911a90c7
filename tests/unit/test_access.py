"""Who else can read a session: by mode bits alone, remarked and never changed."""

from __future__ import annotations

import itertools
import os
import shlex
import subprocess
from typing import TYPE_CHECKING

import pytest

from ink_tui.model.access import Access, Readers, Rights, access_of, shell_word
from ink_tui.model.health import Health, build_health, quiet, with_access
from ink_tui.model.liveness import Freshness
from ink_tui.store.access import look_at_access
from ink_tui.tui.render.glyphs import ASCII, UNICODE, Glyphs
from ink_tui.tui.render.health_rows import health_rows
from ink_tui.tui.render.rows import lay_out, line_width
from tests.cases import run_cli, run_json
from tests.sessions import simple
from tests.transcript_samples import case

if TYPE_CHECKING:
    from pathlib import Path

PATH = "/home/me/.ink/sessions/--home-me-work--/2026-03-02T12-04-00-000Z_1.jsonl"


def expected(file: Rights, folders: tuple[Rights, ...]) -> Readers:
    """The rule once more, user by user: an outsider, then a member of each set of the groups."""
    groups = sorted({rights.group for rights in (file, *folders)})
    for size in range(len(groups) + 1):
        for mine in itertools.combinations(groups, size):
            digits = [
                rights.mode >> 3 if rights.group in mine else rights.mode
                for rights in (file, *folders)
            ]
            if digits[0] & 0o4 and all(digit & 0o1 for digit in digits[1:]):
                return Readers.GROUP if mine else Readers.EVERYONE
    return Readers.OWNER


def test_every_combination_of_file_and_folder_modes() -> None:
    counts = dict.fromkeys(Readers, 0)
    rights = [group << 3 | others for group in range(8) for others in range(8)]
    for file_mode, folder, same in itertools.product(rights, rights, (True, False)):
        file = Rights(0o100600 | file_mode, 5)
        above = (
            Rights(0o040700 | folder, 5 if same else 6),
            Rights(0o040750, 6),
            Rights(0o041777, 0),
        )
        found = access_of(file, above)
        assert found == Access(expected(file, above), 0o600 | file_mode)
        counts[found.readers] += 1
    assert sum(counts.values()) == 8_192
    assert counts[Readers.GROUP]
    assert counts[Readers.OWNER]
    everyone = [access_of(Rights(m, 5), [Rights(f, 6)]) for m in rights for f in rights]
    assert sum(found.readers is Readers.EVERYONE for found in everyone) == 32 * 32


@pytest.mark.parametrize(
    ("file_mode", "folders", "readers"),
    [
        (0o644, (0o755, 0o755), Readers.EVERYONE),
        (0o644, (0o711, 0o755), Readers.EVERYONE),
        (0o644, (0o754, 0o755), Readers.GROUP),
        (0o644, (0o755, 0o700), Readers.OWNER),
        (0o644, (0o744, 0o755), Readers.OWNER),
        (0o640, (0o755, 0o755), Readers.GROUP),
        (0o640, (0o750, 0o755), Readers.GROUP),
        (0o640, (0o700, 0o755), Readers.OWNER),
        (0o604, (0o755, 0o755), Readers.EVERYONE),
        (0o600, (0o777, 0o777), Readers.OWNER),
        (0o622, (0o777, 0o777), Readers.OWNER),
        (0o000, (0o755, 0o755), Readers.OWNER),
        (0o644, (), Readers.EVERYONE),
    ],
)
def test_examples(file_mode: int, folders: tuple[int, ...], readers: Readers) -> None:
    above = [Rights(mode, 7) for mode in folders]
    assert access_of(Rights(file_mode, 7), above).readers is readers


def test_the_words_and_the_command() -> None:
    everyone, group = Access(Readers.EVERYONE, 0o644), Access(Readers.GROUP, 0o640)
    assert everyone.words == "readable by every user of this machine"
    assert everyone.mode_words == "mode 0644"
    assert everyone.command("/a b/c") == "chmod o= '/a b/c'"
    assert group.command("/a") == "chmod go= /a"
    assert Access(Readers.OWNER, 0o600).words == ""


@pytest.mark.parametrize(
    "path",
    [
        *("/a b", "/it's", '/$(x)`y`;"z"\\', "-rf", "/空", "/a\nb", "/a\tb", "/\x1b[31m'\\"),
        *("/\u202ex", "/\udcff\udc80", "/*?[a]~"),
    ],
)
def test_the_command_names_exactly_the_file_and_cannot_act(path: str) -> None:
    word = shell_word(path)
    assert all(char.isprintable() for char in word)
    assert not any("\u2028" <= char <= "\u202e" for char in word)
    script = f"printf %s {word}"
    done = subprocess.run(["/bin/bash", "-c", script], capture_output=True, check=True)
    wanted = os.fsencode(path)
    assert done.stdout == (b"./" + wanted if path.startswith("-") else wanted)


class TestLook:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        folder = tmp_path / "store" / "folder"
        folder.mkdir(parents=True)
        path = folder / "s.jsonl"
        path.write_bytes(simple())
        return path

    def test_a_private_folder_above_hides_an_open_file(self, path: Path, tmp_path: Path) -> None:
        path.chmod(0o644)
        tmp_path.chmod(0o700)
        assert look_at_access(str(path)) == Access(Readers.OWNER, 0o644)

    def test_links_above_are_resolved_and_the_file_is_none(
        self, path: Path, tmp_path: Path
    ) -> None:
        path.chmod(0o640)
        (tmp_path / "link").symlink_to(path.parent)
        assert look_at_access(str(tmp_path / "link" / path.name)) == look_at_access(str(path))
        (path.parent / "other.jsonl").symlink_to(path)
        assert look_at_access(str(path.parent / "other.jsonl")) is None

    def test_what_cannot_be_told(self, path: Path, tmp_path: Path) -> None:
        ring = tmp_path / "ring"
        ring.symlink_to(ring)
        for strange in (path / "x", path.with_name("none"), ring / "x", path.parent):
            assert look_at_access(str(strange)) is None
        assert look_at_access("a\0b") is None

    def test_nothing_is_changed(self, path: Path) -> None:
        before = path.stat()
        look_at_access(str(path))
        assert path.stat() == before


def _open_to_all(monkeypatch: pytest.MonkeyPatch, readers: Readers = Readers.EVERYONE) -> None:
    """Let a file look open: the folders of a test are private."""
    monkeypatch.setattr(
        "ink_tui.commands.check.look_at_access", lambda _path: Access(readers, 0o644)
    )


def test_check_says_who_can_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a b.jsonl"
    path.write_bytes(simple())
    tmp_path.chmod(0o700)
    (private,) = run_json("check", "--json", str(path))
    assert private["readable_by"] == "owner"
    assert "readable" not in run_cli("check", str(path))[1]
    (gone,) = run_json("check", "--json", str(tmp_path / "none.jsonl"))
    assert gone["readable_by"] is None
    _open_to_all(monkeypatch)
    status, out, err = run_cli("check", "--json", str(path))
    assert '"readable_by":"everyone"' in out
    assert (status, err) == (0, "")
    status, out, _err = run_cli("check", str(path))
    assert status == 0
    command = f"chmod o= {shlex.quote(str(path))}"
    assert out.splitlines()[1].endswith(
        f"! readable by every user of this machine, mode 0644: {command}"
    )
    _open_to_all(monkeypatch, Readers.GROUP)
    assert "readable by members of its group" in run_cli("check", str(path))[1]


class TestHealth:
    def drawn(self, health: Health, cells: int, glyphs: Glyphs = UNICODE) -> list[str]:
        rows = health_rows(health, quiet(Freshness.COLD, 161), None, (), cells, glyphs)
        lines = [line for row in rows for line in lay_out(row, cells)]
        assert all(line_width(line) == cells for line in lines)
        return ["".join(piece.text for piece in line).rstrip() for line in lines]

    @pytest.mark.parametrize("cells", [118, 78, 58])
    def test_a_remark_below_that_changes_neither_verdict_nor_counts(self, cells: int) -> None:
        for name in ("17-", "48-"):
            plain = build_health(case(name))
            health = with_access(plain, Access(Readers.EVERYONE, 0o644), PATH)
            assert (health.verdict, health.headline, health.reason, health.to_settle) == (
                plain.verdict,
                plain.headline,
                plain.reason,
                plain.to_settle,
            )
            assert health.healthy == plain.healthy
            before, after = self.drawn(plain, cells), self.drawn(health, cells)
            assert after[: len(before)] == before
            remark, *command = after[len(before) :]
            words = " ".join(remark.split())
            assert words == "! Readable by every user of this machine mode 0644"
            assert "".join(line.strip() for line in command).replace(" ", "") == f"chmodo={PATH}"

    def test_others_than_everyone_are_told_without_a_mark_that_asks(self) -> None:
        health = with_access(build_health(case("17-")), Access(Readers.GROUP, 0o640), PATH)
        lines = self.drawn(health, 78)
        assert any(line.startswith(" ·") and "members of its group" in line for line in lines)
        assert all(line.isascii() for line in self.drawn(health, 78, ASCII))

    def test_nothing_is_said_of_a_private_or_an_unknown_one(self) -> None:
        plain = build_health(case("17-"))
        assert with_access(plain, None, PATH) == plain
        assert with_access(plain, Access(Readers.OWNER, 0o600), PATH) == plain
