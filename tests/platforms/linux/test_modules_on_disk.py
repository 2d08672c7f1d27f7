"""Versions of drivers on disk, of `modinfo` about one driver and about all that are loaded."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document

RUNS = "driver: mlx5_core\nversion: 24.10-1.1.4\nfirmware-version: 28.43.2026 (MT_0000000834)\nbus-info: 0000:17:00.0\n"
ALL = """name:           tpm_tis
filename:       (builtin)
version:        2.0
filename:       /lib/modules/5.4.0-99-generic/kernel/fs/aufs/aufs.ko.xz
version:        5.4.3-20200302
name:           aufs
filename:       /lib/modules/5.4.0-99-generic/updates/mlx5-core.ko
version:        24.10-2.1.8
name:           mlx5_core
"""


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("modinfo mlx5 core", "version:        24.10-2.1.8\n"),
        ("modinfo ALL MODULES", ALL),
        ("modinfo ALL MODULES", ALL.replace("name:           mlx5_core\n", "")),
    ],
    ids=["one", "all", "all, by the names of their files"],
)
def test_each_version_is_of_its_driver(command: str, text: str) -> None:
    documents = (Document("a.txt", RUNS, "ethtool -i eth0"), Document("b.txt", text, command))
    reading = platform("linux").read(DeviceInput("gpu1", "linux", documents))
    (port,) = reading.ports
    assert port.facts.nic.get().driver_on_disk.value_or_none() == "24.10-2.1.8"
    assert not [one for one in reading.seen if one.observation.kind == "conflict"]
