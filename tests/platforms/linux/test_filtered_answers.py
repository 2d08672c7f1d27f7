"""Answers of which people pasted a part: what is there counts, and what is not is not known to be missing."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document

LINKS = '[{"ifindex": 4, "ifname": "mlx5_1", "port": 1, "state": "ACTIVE", "netdev": "ens2"}]'


def read(command: str, text: str) -> DeviceReading:
    documents = (
        Document("a.log", LINKS, "rdma -j link show"),
        Document("a.log", "driver: mlx5_core\n", "ethtool -i ens2", first_line=3),
        Document("a.log", text, command, first_line=10),
    )
    return platform("linux").read(DeviceInput("a", "linux", documents))


@pytest.mark.parametrize(
    ("command", "text", "line"),
    [
        ("ethtool ens2 | grep -i -e speed -e detected", "\tSpeed: Unknown!\n\tLink detected: no\n", 11),
        ("rdma link | grep mlx5_1", "link mlx5_1/1 state DOWN physical_state DISABLED netdev ens2\n", 10),
        ('ibstat | egrep "CA \'|State"', "CA 'mlx5_1'\n\t\tState: Down\n", 11),
        ("ibstat mlx5_1 | grep State", "\t\tState: Down\n", 10),
        ("mlxlink -d mlx5_1 | head -5", "State                  : Polling\n", 10),
        ("cat /sys/class/infiniband/mlx5_1/ports/1/state", "1: DOWN\n", 10),
    ],
)
def test_a_nic_without_link(command: str, text: str, line: int) -> None:
    found = read(command, text)
    assert [(one.observation.kind, one.place.line) for one in found.seen] == [("no-link", line)]
    assert not read(
        command,
        text.replace("DOWN", "ACTIVE").replace("no\n", "yes\n").replace("Down", "Active").replace("Polling", "Active"),
    ).seen


def test_what_is_left_out_is_not_known_to_be_missing() -> None:
    (port,) = read("ethtool ens2 | grep Speed", "\tSpeed: 400000Mb/s\n").ports
    assert port.facts.speed_bps.value == 400 * 10**9
    assert port.facts.autoneg.is_unknown
    only = Document(
        "a.log", "link mlx5_1/1 state ACTIVE physical_state LINK_UP netdev ens2\n", "rdma link | grep mlx5_1"
    )
    other = Document("a.log", "driver: mlx5_core\n", "ethtool -i ens9", first_line=3)
    found = platform("linux").read(DeviceInput("a", "linux", (only, other)))
    (port,) = (one for one in found.ports if one.name == "ens9")
    assert port.facts.nic.get().rdma_device.is_unknown


@pytest.mark.parametrize(
    ("command", "told"),
    [("mlnx_qos -i ens2 | grep -A3 PFC", True), ("tc -s qdisc show dev ens2", False), ("docker ps", False)],
)
def test_what_nothing_reads_is_told_where_it_is_about_what_is_judged(command: str, told: bool) -> None:
    found = read(command, "PFC configuration:\n\tenabled     0   0   0   0   1   0   0   0\n")
    assert bool(found.unrecognised) is told
