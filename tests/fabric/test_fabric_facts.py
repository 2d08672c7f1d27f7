"""Facts of the fabric that rules of several topics lean on: intended classes, votes, unclear ports, missing objects."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import PROFILE, ROCE, Network, cables, switch

from roce_audit.audit import Request, check
from roce_audit.fabric import observations
from roce_audit.policy import Policy, load


def leaf(name: str, priority: int = 3) -> dict[str, str]:
    files = switch(name, {f"Ethernet{i}": [ROCE] for i in range(1, 5)})
    return {path: text.replace("priority 3 no-drop", f"priority {priority} no-drop") for path, text in files.items()}


def test_the_lossless_priorities_of_all_classes(tmp_path: Path) -> None:
    policy = "classes: [{name: a, dscp: [26], priority: 3}, {name: b, dscp: [34], priority: 4, lossless: false}]\n"
    (fabric,) = Network(tmp_path, leaf("leaf1"), policy=policy).site.fabrics
    assert fabric.facts.lossless_priorities.value == {3}
    assert fabric.facts.lossless_intended.value is True
    assert fabric.facts.any_lossless.value is True


def test_a_fabric_that_is_meant_to_be_lossy(tmp_path: Path) -> None:
    (fabric,) = Network(tmp_path, leaf("leaf1"), policy="lossless: false\n").site.fabrics
    assert fabric.facts.lossless_intended.value is False


def test_what_two_camps_disagree_on_and_where(tmp_path: Path) -> None:
    wire = cables("leaf1:Ethernet1 leaf2:Ethernet1")
    (fabric,) = Network(tmp_path, leaf("leaf1"), leaf("leaf2", 4), wire).site.fabrics
    disagreed = fabric.facts.disagreed_priorities
    assert fabric.facts.priority_votes == 2
    assert disagreed.value == {3, 4}
    assert {Path(place.path).name for place in disagreed.at} == {"leaf1.cfg", "leaf2.cfg"}  # type: ignore[union-attr]
    assert fabric.facts.lossless_priorities.value == frozenset()


def test_ports_that_are_like_no_other_are_one_question(tmp_path: Path) -> None:
    strangers = {f"Ethernet{i}": [f"description {'x' * i}"] for i in range(10, 30)}
    found = Network(tmp_path, switch("leaf1", {"Ethernet1": [ROCE], **strangers}))
    seen = list(observations.unclear_ports(found.site.fabrics[0]))
    assert 1 < len(seen) < 10
    assert sorted(port for one in seen for port in one.ports) == sorted(strangers)


def test_an_object_that_only_one_similar_port_lacks_is_odd(tmp_path: Path) -> None:
    without_ecn = "qos profile PLAIN\n" + "".join(
        f"{line}\n" for line in PROFILE.splitlines()[1:] if "queue" not in line and "random" not in line
    )
    ports = {f"Ethernet{i}": [ROCE] for i in range(1, 6)} | {"Ethernet6": ["service-profile PLAIN"]}
    found = Network(tmp_path, switch("leaf1", ports, without_ecn))
    joined = found.port("leaf1:Ethernet6").joined
    assert joined is not None
    odd = {setting.path: (setting.value.value, setting.usual.value) for setting in joined.odd_settings.get()}
    assert odd["queues.3.ecn"] == ("none", "set")


def test_the_length_of_a_cable_whose_far_end_was_not_read(tmp_path: Path) -> None:
    found = Network(tmp_path, leaf("leaf1"), cables("leaf1:Ethernet1 host9:nic1 length_m: 7"))
    length = found.port("leaf1:Ethernet1").length
    assert length is not None
    assert length.value == 7


def test_ports_that_the_policy_names_are_lossless_by_a_statement_for_the_whole_device(tmp_path: Path) -> None:
    commands = (
        "nv set system hostname leaf1",
        "nv set interface swp1-4 type swp",
        "nv set qos roce mode lossless",
        "nv set qos roce enable on",
    )
    (tmp_path / "leaf1.txt").write_text("".join(f"{command}\n" for command in commands))
    policy = 'paths: {"*.txt": {complete: true}}\nports: [{match: "leaf1:swp*", roce: true}]\n'
    (tmp_path / "roce-audit.yaml").write_text(policy)
    site = check(Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"))).site
    assert site.fabrics[0].facts.any_lossless.value is True


def _unmarked(texts: dict[str, str]) -> dict[str, str]:
    """The same switch as a file that looks whole and proves it by nothing."""
    return {path: text.split("\n", 2)[2] for path, text in texts.items()}


def test_what_a_file_that_looks_whole_says_of_all_similar_ports_but_one_is_odd(tmp_path: Path) -> None:
    ports = {f"Ethernet{i}": [ROCE, "mtu 9214"] for i in range(1, 6)} | {"Ethernet6": [ROCE]}
    found = Network(tmp_path / "a", _unmarked(switch("leaf1", ports)))
    joined = found.port("leaf1:Ethernet6").joined
    assert joined is not None
    (odd,) = joined.odd_settings.get()
    assert (odd.path, odd.value.value, odd.usual.value, odd.agreeing) == ("ip_mtu_bytes", "1500", "9214", 5)
    port = found.port("leaf1:Ethernet6")
    assert port.absolute(odd.value.at) == (port.reading.header,)


def test_a_setting_that_two_of_few_similar_ports_leave_out_is_no_slip(tmp_path: Path) -> None:
    ports = {f"Ethernet{i}": [ROCE, "mtu 9214"] for i in range(1, 5)} | {"Ethernet6": [ROCE], "Ethernet7": [ROCE]}
    found = Network(tmp_path, _unmarked(switch("leaf1", ports)))
    joined = found.port("leaf1:Ethernet6").joined
    assert joined is not None
    assert joined.odd_settings.get() == ()


def test_a_name_that_nobody_defines_is_something_said(tmp_path: Path) -> None:
    ports = {f"Ethernet{i}": [ROCE] for i in range(1, 6)} | {"Ethernet6": ["service-profile ROCEV2"]}
    joined = Network(tmp_path, _unmarked(switch("leaf1", ports))).port("leaf1:Ethernet6").joined
    assert joined is not None
    assert joined.odd_settings.is_unknown


@pytest.mark.parametrize(("pfc", "lossless"), [("", None), ("0   0   0   0", False), ("0   0   0   1", True)])
def test_hosts_alone_lack_a_lossless_class_only_where_pfc_was_seen(
    pfc: str, lossless: bool | None, tmp_path: Path
) -> None:
    (tmp_path / "env.txt").write_text("NCCL_IB_HCA==mlx5_0\n")
    (tmp_path / "hostname.txt").write_text("gpu1\n")
    (tmp_path / "ibdev2netdev.txt").write_text("mlx5_0 port 1 ==> ens1 (Up)\n")
    table = f"\tpriority    0   1   2   3   4   5   6   7\n\tenabled     {pfc}   0   0   0   0\n"
    if pfc:
        (tmp_path / "mlnx_qos_-i_ens1.txt").write_text(f"DCBX mode: OS controlled\nPFC configuration:\n{table}")
    (fabric,) = check(Request((str(tmp_path),), Policy.empty())).site.fabrics
    assert fabric.facts.roce_ports == 1
    assert fabric.facts.any_lossless.value is lossless


@pytest.mark.parametrize(("lossless", "asked"), [("true", True), ("false", False)])
def test_a_fabric_whose_classes_are_meant_to_be_lossy_is_not_asked_for_a_lossless_one(
    lossless: str, asked: bool, tmp_path: Path
) -> None:
    policy = f"classes:\n  - {{name: train, dscp: [26], priority: 3, lossless: {lossless}}}\n"
    Network(tmp_path, switch("leaf1", {f"Ethernet{n}": ["description gpu1"] for n in range(4)}), policy=policy)
    found = check(Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"))).report.findings
    assert [f.rule for f in found if f.rule == "pfc/no-lossless-class-anywhere" and f.verdict == "fails"] == (
        ["pfc/no-lossless-class-anywhere"] if asked else []
    )
