"""File systems that do not tell of all changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from ink_tui.store.mounts import Mount, is_silent, parse_mounts, silent_mount, why_silent

_TABLE = r"""22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 253:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 27 0:40 / /home/u rw,relatime master:1 - nfs4 server:/home/u rw,vers=4.2
31 30 253:1 / /home/u/local rw - xfs /dev/vdb rw
40 27 0:41 / /mnt/with\040blank rw - fuse.sshfs u@host:/ rw
41 27 8:1 / /mnt/disk rw - fuseblk /dev/sda1 rw
42 27 0:42 / /mnt/both rw - cifs //server/share rw
43 27 0:43 / /mnt/both rw - tmpfs tmpfs rw
50 27 0:44 / /net rw - autofs systemd-1 rw
51 50 0:45 / /net rw - nfs server:/net rw
bad line
52 27 0:46 / /nothing rw -"""


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/srv/sessions", ""),
        ("/home/u/.ink/sessions", "nfs4"),
        ("/home/u", "nfs4"),
        ("/home/u2", ""),
        ("/home/u/local/sessions", ""),
        ("/home/u/locals", "nfs4"),
        ("/mnt/with blank/x", "fuse.sshfs"),
        ("/mnt/disk/x", ""),
        ("/mnt/both/x", ""),
        ("/net/x", "nfs"),
        ("/home", "nfs4"),  # what is mounted below it counts as well
        ("/", "nfs4"),
    ],
)
def test_the_mount_that_holds_a_folder_decides(folder: str, kind: str) -> None:
    found = silent_mount(folder, parse_mounts(_TABLE))
    assert (found.kind if found is not None else "") == kind


def test_lines_that_are_none_are_left_out() -> None:
    points = [mount.point for mount in parse_mounts(_TABLE)]
    assert len(points) == 10
    assert Mount("/mnt/with blank", "fuse.sshfs") in parse_mounts(_TABLE)


@pytest.mark.parametrize("kind", ["nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "virtiofs"])
def test_network_file_systems_are_silent(kind: str) -> None:
    assert is_silent(kind)


@pytest.mark.parametrize("kind", ["ext4", "xfs", "btrfs", "tmpfs", "overlay", "fuseblk", "zfs"])
def test_file_systems_of_this_machine_are_not(kind: str) -> None:
    assert not is_silent(kind)


def test_links_lead_to_the_mount_of_what_they_point_at(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    (tmp_path / "link").symlink_to(there)
    table = f"1 0 0:1 / / rw - ext4 x rw\n2 1 0:2 / {there.resolve()} rw - nfs x rw\n"
    said = "the folder is on nfs, which does not tell what others change"
    assert why_silent(str(tmp_path / "link"), lambda: table) == said
    (tmp_path / "link").unlink()
    assert why_silent(str(tmp_path / "link"), lambda: table) == ""


def _no_table() -> str:
    raise PermissionError(13, "Permission denied")


def test_without_a_table_the_system_is_asked_for_the_one_type(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert why_silent(str(tmp_path), _no_table) == ""
    assert why_silent(str(tmp_path / "none"), _no_table) == ""
    if not Path("/proc/self/mountinfo").exists():
        pytest.skip("asked by a number that is known on Linux only")
    # The number of `proc`, taken for a type that is silent: the call itself is the system's.
    monkeypatch.setattr("ink_tui.store.mounts._MAGICS", {0x9FA0: "nfs"})
    assert "is on nfs" in why_silent("/proc", _no_table)


def test_the_table_of_this_system_can_be_read(tmp_path: Path) -> None:
    assert why_silent(str(tmp_path)) == ""
