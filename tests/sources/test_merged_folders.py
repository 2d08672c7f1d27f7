"""Files of a folder that are one to the device, though each would be recognised by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.sources.devices import load

ONE = "network:\n  ethernets:\n    rail0:\n      mtu: 1500\n"


def test_files_of_netplan_are_read_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for path in ("n1/etc/netplan/00-a.yaml", "n1/etc/netplan/50-b.yaml", "n2/etc/netplan/00-a.yaml"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(ONE)
    found = load(["."])
    paths = sorted(sorted(document.path for document in device.documents) for device in found.devices)
    assert paths == [["n1/etc/netplan/00-a.yaml", "n1/etc/netplan/50-b.yaml"], ["n2/etc/netplan/00-a.yaml"]]
