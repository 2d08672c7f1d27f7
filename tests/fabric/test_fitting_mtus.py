"""MTUs and cable lengths of two switches that differ: what nothing on the wire notices, and what a line really states."""

from __future__ import annotations

from pathlib import Path

from fabric_samples import ROCE, Network, NicText, cables, host, switch

from roce_audit.audit import Request, check
from roce_audit.policy import load
from roce_audit.policy.values import Policy

NIC = NicText("ens1f0np0", rdma="mlx5_0", pfc=(3,), trust="dscp")
CX = """hostname {name}
qos pool 1 lossless size 50.00 percent headroom 3000 kbytes priorities 3
qos trust dscp
interface 1/1/1
    description {peer} 1/1/1
    no shutdown
    mtu 9198
    flow-control priority rxtx 3
{length}    ip mtu 9198
interface 1/1/2
    description gpu
    no shutdown
    mtu 9198
    flow-control priority rxtx 3
    ip mtu 9198
"""


def told(folder: Path, rule: str, policy: str = "") -> list[str]:
    """How severely the rule is told of the files in the folder."""
    report = check(
        Request((str(folder),), load(folder / policy) if policy else Policy.empty(), select=(rule,), context=())
    ).report
    return [finding.severity for finding in report.findings if finding.verdict == "fails"]


def network(folder: Path, leaf: int, spine: int, nics: int = 1) -> Path:
    up = ["mtu 9214", ROCE]
    parts = [
        switch("leaf1", {"Ethernet1/1": up, "Ethernet33/1": [f"mtu {leaf}", ROCE]}),
        switch("spine1", {"Ethernet1/1": [f"mtu {spine}", ROCE]}),
        cables("leaf1:Ethernet33/1 spine1:Ethernet1/1", "leaf1:Ethernet1/1 host1:ens1f0np0"),
    ]
    if nics:
        parts.append(host("host1", NIC))
    Network(folder, *parts)
    return folder


def test_switches_that_both_take_what_every_nic_sends_differ_in_nothing_that_is_lost(tmp_path: Path) -> None:
    assert told(network(tmp_path / "a", 9100, 9214), "mtu/receiver-below-sender") == ["info"]


def test_a_switch_that_takes_less_than_a_nic_sends_is_told(tmp_path: Path) -> None:
    assert told(network(tmp_path / "a", 8900, 9214), "mtu/receiver-below-sender") == ["warning"]


def test_a_host_of_which_the_mtu_is_in_doubt_leaves_what_others_send(tmp_path: Path) -> None:
    """Its own files contradict each other; that is told, and says nothing of two switches elsewhere."""
    folder = network(tmp_path / "a", 9100, 9214)
    sysfs = folder / "host1" / "sysfs.txt"
    for name, mtu in (("host1", ""), ("host2", ""), ("host3", "/sys/class/net/ens1f0np0/mtu:1500\n")):
        (folder / name).mkdir(exist_ok=True)
        for file in list((folder / "host1").iterdir()):
            (folder / name / file.name).write_text(file.read_text().replace("host1", name))
        other = folder / name / sysfs.name
        other.write_text((other.read_text() if other.exists() else "") + mtu)
    assert told(folder, "mtu/receiver-below-sender") == ["info"]


def test_where_no_nic_is_seen_nobody_knows_what_is_sent(tmp_path: Path) -> None:
    assert told(network(tmp_path / "a", 9100, 9214, nics=0), "mtu/receiver-below-sender") == ["warning"]


def switches(folder: Path, *lengths: str) -> Path:
    folder.mkdir()
    for number, length in enumerate(lengths, 1):
        line = f"    flow-control buffer cable-length {length}\n" if length else ""
        text = CX.format(name=f"leaf{number}", peer=f"leaf{3 - number}", length=line)
        (folder / f"leaf{number}.cfg").write_text(text)
    (folder / "topology.yaml").write_text('links:\n  - ["leaf1:1/1/1", "leaf2:1/1/1"]\n')
    return folder


def test_two_lines_that_state_different_lengths_of_one_cable_are_told(tmp_path: Path) -> None:
    assert told(switches(tmp_path / "a", "40", "50"), "link/cable-length-mismatch") == ["warning"]


def test_what_a_system_assumes_without_a_line_contradicts_no_stated_length(tmp_path: Path) -> None:
    assert told(switches(tmp_path / "a", "40", ""), "link/cable-length-mismatch") == []


def allowances(folder: Path, leaf: str, spine: str) -> Path:
    """A cable between switches that allow for lengths by one line for all their ports."""
    for name, length, far in (("leaf1", leaf, "spine1 swp1"), ("spine1", spine, "leaf1 swp1")):
        lines = [f"system hostname {name}", "qos roce mode lossless", f"qos roce cable-length {length}"]
        lines += [f"interface swp1 description '{far}'", "interface swp1-4 link mtu 9216"]
        (folder / name).mkdir(parents=True)
        (folder / name / "nv_config_show_-o_commands.txt").write_text("".join(f"nv set {line}\n" for line in lines))
    (folder / "topology.yaml").write_text("links:\n  - [leaf1:swp1, spine1:swp1]\n")
    return folder


def test_what_a_switch_allows_for_on_all_its_ports_states_the_length_of_no_cable(tmp_path: Path) -> None:
    assert told(allowances(tmp_path / "a", "50", "100"), "link/cable-length-mismatch") == []


def defaults(folder: Path, *uplinks: str) -> Path:
    """Arista leaves whose switched ports say nothing of an MTU, and whose two routed ones say what is asked for."""
    down = {f"Ethernet{port}/1": "switchport access vlan 10" for port in range(1, 7)}
    up = {f"Ethernet{31 + number}/1": f"no switchport\n   {said}" for number, said in enumerate(uplinks)}
    folder.mkdir()
    for number in range(1, 4):
        text = next(iter(switch(f"leaf{number}", {}).values())).removesuffix("end\n")
        text += "".join(f"interface {port}\n   {said}\n   {ROCE}\n!\n" for port, said in (down | up).items())
        (folder / f"leaf{number}.cfg").write_text(text + "end\n")
    return folder


def test_defaults_of_switched_and_routed_ports_that_differ_tell_of_no_path_mtu(tmp_path: Path) -> None:
    assert told(defaults(tmp_path / "a", "description spine", "description spine"), "mtu/below-roce") == []


def test_a_routed_port_without_the_mtu_that_the_others_have_is_told(tmp_path: Path) -> None:
    assert told(defaults(tmp_path / "a", "mtu 9214", "description spine"), "mtu/below-roce") == ["error"]
