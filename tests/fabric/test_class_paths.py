"""Paths: what each port does with the class, where the chain breaks first, and what must change."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import PROFILE, Network, NicText, cables, host

from roce_audit.fabric.traffic.chain import Break
from roce_audit.fabric.traffic.paths import TracedPath
from roce_audit.views.tracing import Trace, traces

GPU = NicText("ens1f0np0", "mlx5_0", pfc=(3,), trust="dscp", sysfs=("/sys/class/net/ens1f0np0/mtu:9000",))
LINKS = cables(
    "leaf1:Ethernet1/1 gpu1:ens1f0np0",
    "leaf2:Ethernet1/1 gpu2:ens1f0np0",
    "leaf1:Ethernet2/1 spine1:Ethernet1/1",
    "leaf1:Ethernet3/1 spine2:Ethernet1/1",
    "leaf2:Ethernet2/1 spine1:Ethernet2/1",
    "leaf2:Ethernet3/1 spine2:Ethernet2/1",
)
POLICY = "roce: {dscp: [26], priority: [3]}\ncnp: {dscp: [48], priority: [6]}\nmtu: {roce: 4096}\n"


def switch(name: str) -> dict[str, str]:
    """A switch whose ports are all set up for RoCE, with numbers one can find again."""
    port = "interface Ethernet{}/1\n   no switchport\n   mtu 9214\n   service-profile ROCE\n!\n"
    ports = "".join(port.format(number) for number in (1, 2, 3))
    text = f"! Command: show running-config\n! device: {name} (DCS-7060DX5-64S, EOS-4.31.2F)\n!\nhostname {name}\n!\n"
    return {f"{name}.cfg": f"{text}{PROFILE}{ports}end\n"}


def traced(
    tmp_path: Path, changes: dict[str, tuple[str, str]] | None = None, gpu: NicText = GPU, env: str = ""
) -> Trace:
    """The path from gpu1 to gpu2; `changes`: device -> what is replaced in its text, by what."""
    parts = {name: switch(name) for name in ("leaf1", "leaf2", "spine1", "spine2")}
    for name, (old, new) in (changes or {}).items():
        text = parts[name][f"{name}.cfg"]
        assert old in text
        parts[name] = {f"{name}.cfg": text.replace(old, new, 1)}
    hosts = [host("gpu1", gpu, env=env), host("gpu2", GPU)]
    site = Network(tmp_path, *parts.values(), *hosts, LINKS, policy=POLICY).site
    devices = [device for fabric in site.fabrics for device in fabric.devices]
    (found,) = traces(site, devices, "gpu1", "gpu2", None, None)
    return found


def path_of(trace: Trace) -> TracedPath:
    assert trace.path is not None
    return trace.path


def breaks(trace: Trace) -> list[tuple[int, str, Break]]:
    rows = path_of(trace).rows
    return [(row.number, row.ports[0].device.name, one) for row in rows for one in row.breaks]


def lines(tmp_path: Path, one: Break) -> list[str]:
    return [Path(place.path).read_text().splitlines()[place.line - 1].strip() for place in one.places]


def test_a_good_path_holds(tmp_path: Path) -> None:
    found = traced(tmp_path)
    path = path_of(found)
    assert [(row.number, [port.id for port in row.ports]) for row in path.rows] == [
        (1, ["gpu1:ens1f0np0"]),
        (2, ["leaf1:Ethernet1/1"]),
        (3, ["leaf1:Ethernet2/1", "leaf1:Ethernet3/1"]),
        (4, ["spine1:Ethernet1/1", "spine2:Ethernet1/1"]),
        (5, ["spine1:Ethernet2/1", "spine2:Ethernet2/1"]),
        (6, ["leaf2:Ethernet2/1", "leaf2:Ethernet3/1"]),
        (7, ["leaf2:Ethernet1/1"]),
        (8, ["gpu2:ens1f0np0"]),
    ]
    assert (found.breaks, found.unseen) == (False, False)
    queues = [row.crossing.queue.get().number for row in path.rows if not row.crossing.entering]
    assert queues == [3, 3, 3, 3]


def test_pfc_off_in_the_middle(tmp_path: Path) -> None:
    off = (
        "interface Ethernet1/1\n   no switchport\n   mtu 9214\n   service-profile ROCE\n",
        "interface Ethernet1/1\n   no switchport\n   mtu 9214\n   no priority-flow-control\n",
    )
    found = traced(tmp_path, {"spine2": off})
    ((number, device, one),) = breaks(found)
    assert (number, device, one.owner) == (4, "spine2", "network")
    assert "PFC is off for priority 3" in one.text


def test_a_map_that_leads_elsewhere(tmp_path: Path) -> None:
    found = traced(tmp_path, {"leaf2": ("hostname leaf2\n", "hostname leaf2\nqos map dscp 26 to traffic-class 1\n")})
    ((number, device, one),) = breaks(found)
    assert (number, device) == (6, "leaf2")
    assert one.text.startswith("DSCP 26 enters traffic class 1 and priority group 1, which no pause protects")
    assert lines(tmp_path, one)[0] == "qos map dscp 26 to traffic-class 1"


def test_another_priority_is_paused_than_obeyed(tmp_path: Path) -> None:
    found = traced(
        tmp_path, {"leaf1": ("priority-flow-control priority 3 no-drop", "priority-flow-control priority 4 no-drop")}
    )
    assert {(number, device) for number, device, _ in breaks(found)} == {(2, "leaf1"), (3, "leaf1")}


def test_a_small_mtu(tmp_path: Path) -> None:
    found = traced(
        tmp_path,
        {
            "spine1": (
                "interface Ethernet2/1\n   no switchport\n   mtu 9214",
                "interface Ethernet2/1\n   no switchport\n   mtu 1500",
            )
        },
    )
    ((number, _, one),) = breaks(found)
    assert number == 5
    assert one.text == "MTU 1,500 drops RoCE packets of path MTU 4,096"
    assert lines(tmp_path, one) == ["mtu 1500"]


REWRITE = (
    "hostname spine1\n",
    "hostname spine1\nqos rewrite dscp\nqos map traffic-class 3 to dscp 10\n",
)


def test_what_a_rewrite_causes_is_told_at_the_rewrite(tmp_path: Path) -> None:
    found = traced(tmp_path, {"spine1": REWRITE})
    ((number, device, one),) = breaks(found)
    assert (number, device) == (5, "spine1")
    assert one.text == "writes DSCP 10 into packets of the class, which the next hop knows by DSCP 26"
    marks = {str(row.crossing.mark) for row in path_of(found).rows if row.number > 5}
    assert marks == {"DSCP 26", "DSCP 10"}, "over the other spine it stays what it was"


def test_a_job_that_sends_another_class(tmp_path: Path) -> None:
    found = traced(tmp_path, env="NCCL_IB_TC=26\nNCCL_IB_HCA==mlx5_0\n")
    assert found.sent.wrong is not None
    assert found.sent.wrong.owner == "application"
    assert "sends DSCP 6 (ToS byte 26, NCCL_IB_TC)" in found.sent.wrong.text
    assert breaks(found) == [], "what follows from it is not told again"
    right = traced(tmp_path / "right", env="NCCL_IB_TC=106\nNCCL_IB_HCA==mlx5_0\n")
    assert (right.sent.wrong, str(right.sent.mark)) == (None, "DSCP 26")


def test_both_causes_are_told_where_the_job_is_wrong_and_pfc_off(tmp_path: Path) -> None:
    change = {
        "leaf2": (
            "interface Ethernet2/1\n   no switchport\n   mtu 9214\n   service-profile ROCE",
            "interface Ethernet2/1\n   no switchport\n   mtu 9214\n   no priority-flow-control",
        )
    }
    found = traced(tmp_path, change, env="NCCL_IB_TC=26\nNCCL_IB_HCA==mlx5_0\n")
    assert found.sent.wrong is not None
    assert [(number, device) for number, device, _ in breaks(found)] == [(6, "leaf2")]


def test_a_line_that_is_not_understood_is_no_pass(tmp_path: Path) -> None:
    found = traced(
        tmp_path, {"spine1": ("priority-flow-control priority 3 no-drop", "priority-flow-control priority 3 no-dropp")}
    )
    assert breaks(found) == []
    assert found.unseen


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ("qos map dscp 48 to traffic-class 3\n", "wait in queue 3 with the data"),
        ("qos map dscp 0 48 to traffic-class 1\n", "travel in the class of unmarked traffic"),
    ],
)
def test_cnps(tmp_path: Path, change: str, text: str) -> None:
    good = traced(tmp_path / "good")
    assert good.cnps is not None
    assert (str(good.cnps.mark), good.cnps.breaks) == ("DSCP 48", False)
    bad = traced(tmp_path / "bad", {"leaf2": ("hostname leaf2\n", f"hostname leaf2\n{change}")})
    assert bad.cnps is not None
    assert bad.cnps.path is not None
    first = bad.cnps.path.first_break
    assert first is not None
    assert (first.ports[0].device.name, text in first.breaks[0].text) == ("leaf2", True)


def test_a_bond_is_traced_by_one_of_its_members(tmp_path: Path) -> None:
    bonded = NicText("ens1f0np0", "mlx5_bond_0", pfc=(3,), trust="dscp", lag="bond0")
    parts = [switch(name) for name in ("leaf1", "leaf2", "spine1", "spine2")]
    site = Network(tmp_path, *parts, host("gpu1", bonded), host("gpu2", GPU), LINKS, policy=POLICY).site
    devices = [device for fabric in site.fabrics for device in fabric.devices]
    (found,) = traces(site, devices, "gpu1:bond0", "gpu2:ens1f0np0", None, None)
    assert (found.source.id, found.breaks) == ("gpu1:ens1f0np0", False)
    assert path_of(found).rows[0].ports[0].id == "gpu1:ens1f0np0"
