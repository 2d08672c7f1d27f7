"""Classes of a fabric: what the policy says, else what most devices do, one vote a device."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fabric_samples import Network, NicText, cables, host, switch

from roce_audit.fabric.classes import agreement
from roce_audit.fabric.classes.votes import Marks, Vote
from roce_audit.fabric.site import FabricView
from roce_audit.values import Cited, Why


def leaf(name: str, *priorities: int, ports: int = 1, dscp_map: str = "", mtu: int = 9214) -> dict[str, str]:
    """A switch whose ports all have PFC on for these priorities, by their own lines."""
    lines = [f"mtu {mtu}", "qos trust dscp", "priority-flow-control on"]
    lines += [f"priority-flow-control priority {p} no-drop" for p in priorities]
    return switch(name, {f"Ethernet{i}/1": lines for i in range(1, ports + 1)}, dscp_map)


def fabric(network: Network, name: str = "") -> FabricView:
    found = {view.name: view for view in network.site.fabrics}
    return found[name] if name else next(iter(found.values()))


def priorities(view: FabricView) -> list[int]:
    return sorted(p for cls in view.classes.roce for p in cls.priority.get())


def test_one_vote_a_device(tmp_path: Path) -> None:
    """A chassis of forty ports does not outvote four leaves."""
    leaves = [leaf(f"leaf{i}", 3) for i in range(1, 5)]
    found = fabric(Network(tmp_path, *leaves, leaf("chassis1", 4, ports=40)))
    assert priorities(found) == [3]
    (support,) = (s for s in found.classes.inferred if s.key == "roce.priority")
    assert (support.value, support.support, support.of, support.weak, support.unit) == ([3], 0.8, 5, False, "device")


def test_the_odd_device_is_named_and_the_class_is_that_of_the_others(tmp_path: Path) -> None:
    found = fabric(Network(tmp_path, leaf("leaf1", 3), leaf("leaf2", 3), leaf("leaf8", 4)))
    assert priorities(found) == [3]
    rests = found.classes.agreements["roce"]
    assert (rests.agreeing, rests.of, rests.against) == (2, 3, ("leaf8",))


def test_a_tie_of_two_camps_infers_nothing_and_tells_both(tmp_path: Path) -> None:
    leaves = [leaf(f"leaf{i}", 3 if i < 3 else 4) for i in range(1, 5)]
    found = fabric(Network(tmp_path, *leaves))
    assert priorities(found) == []
    assert found.facts.priority_votes == 2
    assert found.facts.disagreed_priorities.get() == {3, 4}


def test_two_devices_must_agree_and_the_result_is_weak(tmp_path: Path) -> None:
    agreeing = fabric(Network(tmp_path / "a", leaf("leaf1", 3), leaf("leaf2", 3)))
    assert priorities(agreeing) == [3]
    assert all(s.weak for s in agreeing.classes.inferred if s.key == "roce.priority")
    assert priorities(fabric(Network(tmp_path / "b", leaf("leaf1", 3), leaf("leaf2", 4)))) == []


def test_hosts_whose_policy_for_smb_direct_alone_is_seen_decide_between_two_switches(tmp_path: Path) -> None:
    """Nobody saw what their adapters pause; what they send in is the class."""
    nodes = [_smb_node(f"node{i}", 3) for i in (1, 2)]
    switches = [leaf("leaf1", 3, ports=2), leaf("leaf2", 4, ports=2)]
    between = "leaf1:Ethernet2/1 leaf2:Ethernet2/1"
    wired = cables("leaf1:Ethernet1/1 node1:NIC", "leaf2:Ethernet1/1 node2:NIC", between)
    found = fabric(Network(tmp_path / "a", *switches, *nodes, wired))
    assert priorities(found) == [3]
    assert found.classes.agreements["roce"].against == ("leaf2",)
    assert priorities(fabric(Network(tmp_path / "b", *switches, cables(between)))) == []


def _smb_node(name: str, priority: int) -> dict[str, str]:
    """A Windows node with RDMA and a policy for SMB Direct, of which no answer shows flow control."""
    answers = {
        "Get-NetAdapter": {"Name": "NIC", "InterfaceDescription": "Mellanox ConnectX-6 Lx Adapter", "Status": "Up"},
        "Get-NetAdapterRdma": {"Name": "NIC", "Enabled": True},
        "Get-NetQosPolicy": {"Name": "SMB", "NetDirectPort": 445, "PriorityValue": priority},
    }
    files = {f"{name}/{command}.json": json.dumps(answer) for command, answer in answers.items()}
    return {f"{name}/hostname.txt": f"{name}\n", **files}


def test_a_host_that_tags_smb_direct_and_pauses_nothing_has_that_class(tmp_path: Path) -> None:
    off = [{"Priority": priority, "Enabled": False} for priority in range(8)]
    node = _smb_node("node1", 3) | {"node1/Get-NetQosFlowControl.json": json.dumps(off)}
    assert priorities(fabric(Network(tmp_path, node))) == [3]


def test_several_classes_may_win(tmp_path: Path) -> None:
    leaves = [leaf(f"leaf{i}", 3, 4) for i in range(1, 4)]
    found = fabric(Network(tmp_path, *leaves))
    assert priorities(found) == [3, 4]
    assert [cls.name for cls in found.classes.roce] == ["roce-3", "roce-4"]
    assert found.facts.roce_dscps.get() == frozenset(range(24, 40))


@pytest.mark.parametrize(("said", "meant"), [("4", [4]), ("3 4", [3, 4]), ("3", [3])])
def test_a_priority_that_a_system_pauses_beside_those_it_is_told_is_no_class(
    tmp_path: Path, said: str, meant: list[int]
) -> None:
    """A PFC profile of VRP begins with priority 3, whatever else it names."""
    text = f"!Software Version V300R023C00\n#\nsysname leaf1\n#\ndcb pfc\n priority {said}\n#\n"
    text += "interface 100GE1/0/1\n trust dscp\n dcb pfc enable mode manual\n#\nreturn\n"
    found = fabric(Network(tmp_path, {"leaf1.cfg": text}))
    assert priorities(found) == meant


def test_one_odd_device_does_not_add_a_class(tmp_path: Path) -> None:
    leaves = [leaf(f"leaf{i}", 3) for i in range(1, 6)]
    assert priorities(fabric(Network(tmp_path, *leaves, leaf("leaf9", 3, 4)))) == [3]


def test_default_map_gives_eight_code_points_and_a_line_narrows_them(tmp_path: Path) -> None:
    plain = [leaf(f"leaf{i}", 3) for i in range(1, 4)]
    assert fabric(Network(tmp_path / "a", *plain)).classes.roce[0].dscp.get() == frozenset(range(24, 32))
    said = [leaf(f"leaf{i}", 3, dscp_map="qos map dscp 26 to traffic-class 3\n") for i in range(1, 4)]
    dscp = fabric(Network(tmp_path / "b", *said)).classes.roce[0].dscp
    assert dscp.get() == {26}
    assert all(isinstance(at, Cited) for at in dscp.at)


def test_code_points_on_which_devices_differ_are_a_conflict(tmp_path: Path) -> None:
    maps = ["qos map dscp 24 25 26 27 28 29 30 31 to traffic-class 0\nqos map dscp 34 to traffic-class 3\n", ""]
    found = fabric(Network(tmp_path, leaf("leaf1", 3, dscp_map=maps[0]), leaf("leaf2", 3, dscp_map=maps[1])))
    assert found.classes.roce[0].dscp.why is Why.CONFLICT


def test_a_code_point_that_one_device_alone_names_is_its_own_fault(tmp_path: Path) -> None:
    """It lies in the default row of the others, so all have it; only the odd one says it."""
    said = [leaf(f"leaf{i}", 3, dscp_map="qos map dscp 26 to traffic-class 3\n") for i in range(1, 5)]
    odd = leaf("leaf9", 3, dscp_map="qos map dscp 24 to traffic-class 3\nqos map dscp 26 to traffic-class 1\n")
    assert fabric(Network(tmp_path, *said, odd)).classes.roce[0].dscp.get() == {26}


def test_unmarked_traffic_is_no_mark_of_a_class_that_has_another(tmp_path: Path) -> None:
    maps = "qos map dscp 0 26 to traffic-class 3\n"
    found = fabric(Network(tmp_path, *[leaf(f"leaf{i}", 3, dscp_map=maps) for i in range(1, 4)]))
    assert found.classes.roce[0].dscp.get() == {26}


def test_front_end_does_not_outvote_the_back_end(tmp_path: Path) -> None:
    front = [leaf(f"fe{i}", 4) for i in range(1, 21)]
    back = [leaf(f"leaf-b{i}", 3) for i in range(1, 5)]
    policy = "fabrics:\n  backend: {devices: ['leaf-b*']}\n  frontend: {devices: ['fe*']}\n"
    found = Network(tmp_path, *front, *back, policy=policy)
    assert priorities(fabric(found, "backend")) == [3]
    assert priorities(fabric(found, "frontend")) == [4]


def test_folders_separate_fabrics_and_links_join_them(tmp_path: Path) -> None:
    def below(folder: str, files: dict[str, str]) -> dict[str, str]:
        return {f"{folder}/{name}": text for name, text in files.items()}

    parts = [below("front", leaf(f"fe{i}", 4)) for i in (1, 2)] + [below("back", leaf(f"be{i}", 3)) for i in (1, 2)]
    apart = Network(tmp_path / "a", *parts)
    assert {view.name: priorities(view) for view in apart.site.fabrics} == {"front": [4], "back": [3]}
    joined = Network(tmp_path / "b", *parts, cables("fe1:Ethernet1/1 be1:Ethernet1/1"))
    assert len(joined.site.fabrics) == 1


def test_hosts_in_folders_of_their_own_are_one_fabric(tmp_path: Path) -> None:
    nic = NicText("ens1f0np0", "mlx5_0", pfc=(5,), trust="dscp")
    found = Network(tmp_path, *[host(f"gpu{i}", nic) for i in range(1, 5)])
    assert len(found.site.fabrics) == 1
    assert priorities(fabric(found)) == [5]


@pytest.mark.parametrize("folders", [("10.0.0.1", "10.0.0.2"), ("leaf1.dc1.example.com", "leaf2.dc1.example.com")])
def test_switches_in_folders_of_their_own_are_one_fabric(folders: tuple[str, ...], tmp_path: Path) -> None:
    """Named after their address, or their name with the domain: what holds of one is no other network's."""
    parts = [
        {f"{folder}/{name}": text for name, text in leaf(f"leaf{i}", 3).items()} for i, folder in enumerate(folders, 1)
    ]
    assert len(Network(tmp_path / "a", *parts).site.fabrics) == 1
    designs = [
        {name.replace(folder, design): text for name, text in part.items()}
        for part, folder, design in zip(parts, folders, "ab", strict=True)
    ]
    assert len(Network(tmp_path / "b", *designs).site.fabrics) == 2


def test_device_in_maintenance_has_no_vote(tmp_path: Path) -> None:
    leaves = [leaf(f"leaf{i}", 3) for i in range(1, 4)]
    found = Network(tmp_path, *leaves, leaf("leaf9", 4), policy="maintenance: ['leaf9']\n")
    assert priorities(fabric(found)) == [3]


def test_policy_wins_over_the_majority_and_the_rest_is_completed_from_it(tmp_path: Path) -> None:
    leaves = [leaf(f"leaf{i}", 3, dscp_map="qos map dscp 26 to traffic-class 3\n") for i in range(1, 4)]
    (cls,) = fabric(Network(tmp_path, *leaves, policy="roce: {priority: [3]}\n")).classes.roce
    assert cls.dscp.get() == {26}
    other = fabric(Network(tmp_path / "b", *leaves, policy="roce: {dscp: [34], priority: [4]}\n"))
    assert [(c.dscp.get(), c.priority.get()) for c in other.classes.roce] == [({34}, {4})]
    assert other.facts.roce_dscps.get() == {34}


def test_cnp_class_of_the_hosts(tmp_path: Path) -> None:
    def gpu(i: int, cnp: int) -> dict[str, str]:
        return host(f"gpu{i}", NicText("ens1f0np0", "mlx5_0", pfc=(3,), trust="dscp", cnp_dscp=cnp))

    found = fabric(Network(tmp_path / "a", *[gpu(i, 46) for i in range(1, 5)], gpu(5, 48)))
    assert found.classes.cnp is not None
    assert found.classes.cnp.dscp.get() == {46}
    assert found.facts.cnp_dscps.get() == {46, 48}
    assert fabric(Network(tmp_path / "b", gpu(1, 46), gpu(2, 48))).classes.cnp is None


def test_cnp_class_of_the_switches_where_no_host_tells_it(tmp_path: Path) -> None:
    """One code point that a line leads alone into a strict queue, beside the lossless class; not one of two, and not a weighted one."""

    def strict(name: str, *marks: int, queue: str = "priority strict") -> dict[str, str]:
        queues = [line for number in {mark // 8 for mark in marks} for line in (f"tx-queue {number}", f"   {queue}")]
        lines = ["mtu 9214", "qos trust dscp", "priority-flow-control on", "priority-flow-control priority 3 no-drop"]
        maps = "".join(f"qos map dscp {mark} to traffic-class {mark // 8}\n" for mark in (26, *marks))
        return switch(name, {f"Ethernet{i}/1": [*lines, *queues] for i in range(1, 4)}, maps)

    found = fabric(Network(tmp_path / "a", strict("leaf1", 48), strict("leaf2", 48), leaf("leaf3", 3)))
    assert found.classes.cnp is not None
    assert found.classes.cnp.dscp.get() == {48}
    (support,) = (s for s in found.classes.inferred if s.key == "cnp.dscp")
    assert (support.value, support.support, support.of, support.unit) == ([48], 2 / 3, 3, "device")
    others = [leaf(f"leaf{n}", 3) for n in range(3, 6)]
    assert fabric(Network(tmp_path / "few", strict("leaf1", 48), strict("leaf2", 48), *others)).classes.cnp is None
    for name, odd in {"b": strict("leaf1", 46, 48), "c": strict("leaf1", 48, queue="bandwidth percent 5")}.items():
        assert fabric(Network(tmp_path / name, odd)).classes.cnp is None


def test_a_host_that_disagrees_with_itself_has_no_vote_on_cnps(tmp_path: Path) -> None:
    def nics(i: int, *dscps: int) -> dict[str, str]:
        return host(
            f"gpu{i}",
            *(NicText(f"ens{n}f0np0", f"mlx5_{n}", pfc=(3,), trust="dscp", cnp_dscp=d) for n, d in enumerate(dscps, 1)),
        )

    found = fabric(Network(tmp_path, nics(1, 48, 48), nics(2, 26, 48), nics(3, 48, 48), nics(4, 48, 48)))
    assert found.classes.cnp is not None
    assert found.classes.cnp.dscp.get() == {48}


def with_rdma_mtu(i: int, *mtus: int) -> dict[str, str]:
    """A host whose NICs run these path MTUs."""
    nics = [NicText(f"ens{n}f0np0", f"mlx5_{n}", pfc=(3,), trust="dscp") for n in range(1, len(mtus) + 1)]
    files = host(f"gpu{i}", *nics)
    for n, mtu in enumerate(mtus, 1):
        code = {1024: 3, 2048: 4, 4096: 5}[mtu]
        files[f"gpu{i}/ibv_devinfo_-d_mlx5_{n}.txt"] = (
            f"hca_id:\tmlx5_{n}\n\ttransport:\tInfiniBand (0)\n\t\tport:\t1\n\t\t\tactive_mtu:\t\t{mtu} ({code})\n"
            "\t\t\tlink_layer:\t\tEthernet\n"
        )
    return files


def test_one_odd_nic_does_not_make_the_path_mtu_unknown(tmp_path: Path) -> None:
    hosts = [with_rdma_mtu(1, 1024, 4096), *(with_rdma_mtu(i, 4096, 4096) for i in range(2, 5))]
    assert fabric(Network(tmp_path, *hosts)).classes.roce[0].mtu_bytes.get() == 4096


def test_ports_of_switches_help_where_few_hosts_tell_the_path_mtu(tmp_path: Path) -> None:
    jumbo = [switch(f"leaf{i}", {"Ethernet1/1": ["mtu 9214", "service-profile ROCE"]}) for i in (1, 2)]
    wires = cables(*(f"leaf{i % 2 + 1}:Ethernet1/1 gpu{i}:ens1f0np0" for i in (1, 2)))
    hosts = [with_rdma_mtu(1, 1024), *(with_rdma_mtu(i, 4096) for i in range(2, 5))]
    together = "fabrics: {all: {devices: ['*']}}\n"
    assert (
        fabric(Network(tmp_path / "a", *jumbo, *hosts, wires, policy=together)).classes.roce[0].mtu_bytes.get() == 4096
    )
    alone = fabric(Network(tmp_path / "b", *hosts))
    assert alone.classes.roce[0].mtu_bytes.why is Why.CONFLICT
    halves = Network(tmp_path / "c", *jumbo, with_rdma_mtu(1, 1024), with_rdma_mtu(2, 4096), wires, policy=together)
    assert fabric(halves).classes.roce[0].mtu_bytes.why is Why.CONFLICT


def test_priorities_of_a_nic_that_share_a_buffer_keep_their_code_points_apart(tmp_path: Path) -> None:
    found = fabric(Network(tmp_path, host("gpu1", NicText("ens1f0np0", "mlx5_0", pfc=(3, 4), trust="dscp"))))
    assert [sorted(cls.dscp.get()) for cls in found.classes.roce] == [list(range(24, 32)), list(range(32, 40))]


def test_code_points_of_a_nic_follow_its_map(tmp_path: Path) -> None:
    nic = NicText("ens1f0np0", "mlx5_0", pfc=(5,), trust="dscp", dscp_to={26: 5, 40: 0})
    (cls,) = fabric(Network(tmp_path, host("gpu1", nic))).classes.roce
    assert sorted(cls.dscp.get()) == [26, *range(41, 48)]


def test_devices_that_single_out_different_code_points_agree_on_none(tmp_path: Path) -> None:
    """What their default maps have in common nobody meant."""
    one = "qos map dscp 26 to traffic-class 3\n"
    other = "qos map dscp 24 to traffic-class 3\nqos map dscp 26 to traffic-class 0\n"
    wire = cables("leaf1:Ethernet1/1 leaf2:Ethernet1/1")
    found = fabric(Network(tmp_path / "a", leaf("leaf1", 3, dscp_map=one), leaf("leaf2", 3, dscp_map=other), wire))
    assert found.classes.roce[0].dscp.why is Why.CONFLICT
    assert found.facts.disagreed_dscps.get() == {24, 26}
    assert {Path(place.path).name for place in found.facts.disagreed_dscps.at} == {"leaf1.cfg", "leaf2.cfg"}  # type: ignore[union-attr]
    alike = fabric(Network(tmp_path / "b", leaf("leaf1", 3, dscp_map=one), leaf("leaf2", 3, dscp_map=one), wire))
    assert alike.facts.disagreed_dscps.get() == frozenset()


def test_a_hole_in_a_block_of_code_points_singles_nothing_out(tmp_path: Path) -> None:
    """Seven lines of eight are a block in which one went missing, whatever the other devices say by default."""
    block = "".join(f"qos map dscp {n} to traffic-class 3\n" for n in range(24, 32))
    whole = [leaf(f"leaf{i}", 3, dscp_map=block) for i in range(1, 6)]
    holed = leaf("leaf9", 3, dscp_map=block.replace("dscp 26 to traffic-class 3", "dscp 26 to traffic-class 0"))
    assert fabric(Network(tmp_path, *whole, holed)).classes.roce[0].dscp.get() == frozenset(range(24, 32))


def test_ports_of_two_leaves_that_fit_different_path_mtus_are_told_with_a_line_of_each(tmp_path: Path) -> None:
    wire = cables("leaf1:Ethernet1/1 leaf2:Ethernet1/1")
    apart = fabric(Network(tmp_path / "a", leaf("leaf1", 3, mtu=1500), leaf("leaf2", 3, mtu=9214), wire))
    assert apart.classes.roce[0].mtu_bytes.why is Why.CONFLICT
    assert apart.facts.disagreed_mtus.get() == {1500, 9214}
    assert [Path(place.path).name for place in apart.facts.disagreed_mtus.at] == ["leaf1.cfg", "leaf2.cfg"]  # type: ignore[union-attr]
    alike = fabric(Network(tmp_path / "b", leaf("leaf1", 3, mtu=9000), leaf("leaf2", 3, mtu=9214), wire))
    assert alike.facts.disagreed_mtus.get() == frozenset()


def test_a_code_point_that_one_leaf_of_two_takes_out_of_the_block_is_disagreed_on(tmp_path: Path) -> None:
    wire = cables("leaf1:Ethernet1/1 leaf2:Ethernet1/1")
    block = "".join(f"qos map dscp {n} to traffic-class 3\n" for n in range(24, 32))
    holed = leaf("leaf1", 3, dscp_map=block.replace("dscp 26 to traffic-class 3", "dscp 26 to traffic-class 0"))
    found = fabric(Network(tmp_path, holed, leaf("leaf2", 3, dscp_map=block), wire))
    assert found.classes.roce[0].dscp.get() == frozenset(range(24, 32)) - {26}
    assert found.facts.disagreed_dscps.get() == {26}
    assert Path(found.facts.disagreed_dscps.at[0].path).name == "leaf1.cfg"  # type: ignore[union-attr]


def test_one_of_two_devices_takes_a_code_point_out_that_the_other_singles_out(tmp_path: Path) -> None:
    """The default block that both have besides was meant by nobody."""
    good = leaf("leaf1", 3, dscp_map="qos map dscp 34 to traffic-class 3\n")
    bad = leaf("leaf2", 3, dscp_map="qos map dscp 34 to traffic-class 1\n")
    found = fabric(Network(tmp_path / "apart", good, bad))
    assert found.facts.disagreed_dscps.get() == {34}
    assert [place.line for place in found.facts.disagreed_dscps.at] == [6, 6]  # type: ignore[union-attr]
    mended = leaf("leaf2", 3, dscp_map="qos map dscp 34 to traffic-class 3\n")
    assert fabric(Network(tmp_path / "alike", good, mended)).facts.disagreed_dscps.get() == frozenset()


def test_of_two_tags_without_a_majority_the_class_has_the_one_that_its_pause_names() -> None:
    """On a tagged link the number in a PFC frame is the number in the tag."""
    votes = [
        Vote(frozenset({3}), {3: Marks(pcp=frozenset({tag}))}, is_host=False, unmapped_tos=frozenset())
        for tag in (3, 4)
    ]
    assert agreement.marks(votes, 3) == agreement.AgreedMarks(pcp=frozenset({3}))


def test_hosts_that_tell_no_priority_of_their_cnps_agree_with_those_that_do(tmp_path: Path) -> None:
    """NICs of two vendors send their CNPs with one DSCP; only one vendor's tools show the priority."""

    def gpu(i: int, cnp: int, priority: str) -> dict[str, str]:
        sysfs = (f"/sys/class/net/ens1f0np0/ecn/roce_np/cnp_802p_prio:{priority}",) if priority else ()
        return host(f"gpu{i}", NicText("ens1f0np0", "mlx5_0", pfc=(3,), trust="dscp", cnp_dscp=cnp, sysfs=sysfs))

    cnp = fabric(Network(tmp_path / "a", gpu(1, 46, "6"), gpu(2, 46, "6"), gpu(3, 46, ""), gpu(4, 46, ""))).classes.cnp
    assert cnp is not None
    assert (cnp.dscp.get(), cnp.priority.get()) == ({46}, {6})
    two = fabric(Network(tmp_path / "b", gpu(1, 46, "6"), gpu(2, 46, "7"), gpu(3, 46, ""))).classes.cnp
    assert two is not None
    assert two.dscp.get() == {46}
    assert not two.priority.is_known


def of_policy(root: Path, policy: str, *devices: dict[str, str]) -> dict[str, tuple[list[int], list[int]]]:
    """Class name -> its DSCPs and its priorities."""
    found = fabric(Network(root, *devices, policy=policy)).classes.roce
    return {cls.name: (sorted(cls.dscp.or_else(frozenset())), sorted(cls.priority.get())) for cls in found}


def test_an_entry_with_two_priorities_is_a_class_for_each(tmp_path: Path) -> None:
    policy = "roce: {dscp: [26, 34], priority: [3, 4]}\n"
    leaves = [leaf(f"leaf{i}", 3, 4) for i in range(1, 4)]
    parted = {"roce-3": ([26], [3]), "roce-4": ([34], [4])}
    assert of_policy(tmp_path / "all", policy, *leaves) == parted
    odd = leaf("leaf4", 3, 4, dscp_map="qos map dscp 34 to traffic-class 1\n")
    assert of_policy(tmp_path / "odd", policy, *leaves, odd) == parted
    assert of_policy(tmp_path / "one", policy, odd) == parted, "what leads nowhere belongs to the priority that is left"
    unmarked = of_policy(tmp_path / "unmarked", "roce: {priority: [3, 4]}\n", *leaves)
    assert {name: priority for name, (_, priority) in unmarked.items()} == {"roce-3": [3], "roce-4": [4]}


def test_an_entry_whose_marks_nobody_tells_apart_stays_one_class(tmp_path: Path) -> None:
    leaves = [leaf(f"leaf{i}", 3, 4) for i in range(1, 4)]
    for number, marks in enumerate(("[26]", "[26, 34, 46]", "[0, 46]")):
        found = of_policy(tmp_path / str(number), f"roce: {{dscp: {marks}, priority: [3, 4]}}\n", *leaves)
        assert list(found) == ["roce"], marks
