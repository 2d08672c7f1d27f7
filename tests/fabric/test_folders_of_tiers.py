"""Folders that are named after tiers hold one network, where several of them lie side by side; other folders are networks."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, NicText, host, switch


def fabrics(folder: Path, *names: str) -> list[set[str]]:
    """The devices of each fabric: a switch in each folder, a host in those of hosts; no cable is known."""
    texts: dict[str, str] = {}
    for number, name in enumerate(names):
        is_host = name.rpartition("/")[2] in ("hosts", "servers")
        files = host(f"d{number}", NicText("ens1f0np0", "mlx5_0", pfc=(3,))) if is_host else switch(f"d{number}", PORTS)
        texts |= {f"{name}/{path}": text for path, text in files.items()}
        if not is_host:  # a folder with one device may be that of the device
            texts |= {f"{name}/{path}": text for path, text in switch(f"d{number}b", PORTS).items()}
    found = Network(folder, texts).site.fabrics
    return [{device.name for device in fabric.devices} for fabric in found]


PORTS = {"Ethernet1/1": [ROCE], "Ethernet2/1": [ROCE]}


@pytest.mark.parametrize(
    ("names", "count"),
    [
        (("leaf", "spine"), 1),
        (("Leaves", "Spines", "superspines", "hosts"), 1),
        (("switches", "hosts"), 1),
        (("dc/leafs", "dc/spines", "dc/servers"), 1),
        (("a/leaf", "a/spine", "b/leaf", "b/spine"), 2),
        (("leaf", "storage"), 2),
        (("a/leaf", "b/spine"), 2),
        (("backend", "frontend"), 2),
    ],
)
def test_folders_of_one_network(tmp_path: Path, names: tuple[str, ...], count: int) -> None:
    assert len(fabrics(tmp_path, *names)) == count
