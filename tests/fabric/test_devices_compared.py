"""Devices of one model, role and speed have one vote each: from three on, the one that differs is told, and a tie as two groups."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, NicText, cables, host, switch

from roce_audit.audit import Request, check
from roce_audit.engine.findings import Finding
from roce_audit.policy import load
from roce_audit.policy.values import Policy
from roce_audit.proof import examples

ODD, DCQCN = "fleet/odd-port-out", "dcqcn/parameters-differ"
ECN = ("minimum-threshold 500", "minimum-threshold 300")
OTHER_ECN = ("minimum-threshold 500", "minimum-threshold 400")
SHARE = ("   uc-tx-queue 3\n", "   uc-tx-queue 3\n      bandwidth percent 40\n")
CNP = ("qos map dscp 48 to traffic-class 6\n", "qos map dscp 48 to traffic-class 5\n")


def told(folder: Path, rule: str) -> list[Finding]:
    found = check(Request((str(folder),), Policy.empty())).report.findings
    return [f for f in found if f.rule == rule and f.verdict == "fails" and f.because_of is None]


def leaf(name: str, edit: tuple[str, str] = ("", ""), model: str = "DCS-7060DX5-64S") -> dict[str, str]:
    texts = switch(name, {f"Ethernet1/{n}": [f"description host{n}", ROCE] for n in range(1, 5)}, CNP[0])
    return {file: text.replace(*edit, 1).replace("DCS-7060DX5-64S", model) for file, text in texts.items()}


def gpu(name: str, ai_rate: int = 5, *lines: str) -> dict[str, str]:
    def nic(n: int) -> NicText:
        rates = [f"/sys/class/net/ens{n}f0np0/ecn/roce_{end}/enable/3:1" for end in ("rp", "np")]
        rates += [f"/sys/class/net/ens{n}f0np0/ecn/roce_rp/rpg_ai_rate:{ai_rate}"]
        return NicText(f"ens{n}f0np0", f"mlx5_{n}", pfc=(3,), trust="dscp", sysfs=(*rates, *lines))

    return host(name, nic(1), nic(2))


@pytest.mark.parametrize("of", [3, 4, 5, 9])
@pytest.mark.parametrize(("edit", "setting"), [(ECN, "ECN Kmin"), (SHARE, "queue 3"), (CNP, "DSCP 48")])
def test_one_switch_that_differs(tmp_path: Path, of: int, edit: tuple[str, str], setting: str) -> None:
    Network(tmp_path, *(leaf(f"leaf{n}") for n in range(of)))
    assert told(tmp_path, ODD) == []
    Network(tmp_path, leaf("leaf2", edit))
    (found,) = told(tmp_path, ODD)
    assert (found.severity, found.device, len(found.members)) == ("warning", "leaf2", 4)
    assert setting in found.message
    assert f"on {of - 1} of {of} similar switches (leaf0, leaf1" in found.message
    primary, *others = found.locations
    assert Path(primary.path).stem == "leaf2"
    assert any(Path(place.path).stem == "leaf0" and place.text.strip() for place in others)


@pytest.mark.parametrize(
    ("spines", "told_of"),
    [([("", "")], ["leaf1"]), ([("", ""), ("", "")], ["leaf1"]), ([], []), ([("", ""), ECN], []), ([OTHER_ECN], [])],
    ids=["one spine", "two spines", "none", "spines that differ", "a spine with a value of its own"],
)
def test_between_two_switches_another_tier_decides(
    tmp_path: Path, spines: list[tuple[str, str]], told_of: list[str]
) -> None:
    above = [leaf(f"spine{n}", edit) for n, edit in enumerate(spines)]
    Network(tmp_path, leaf("leaf0"), leaf("leaf1", ECN), *above)
    found = told(tmp_path, ODD)
    assert [finding.device for finding in found] == told_of
    assert all(f"on {1 + len(spines)} of {2 + len(spines)} similar switches (leaf0, " in f.message for f in found)


@pytest.mark.parametrize(
    ("own", "others", "expected"),
    [
        ("10000 kbytes", ("600 kbytes", "700 kbytes"), ["leaf1"]),
        ("40 kbytes", ("600 kbytes", "700 kbytes"), ["leaf1"]),
        ("2000 kbytes", ("600 kbytes", "700 kbytes"), []),  # another sound number
        ("10000 kbytes", ("600 kbytes", "6000 kbytes"), []),  # others are not of one mind
        ("10000 kbytes", ("600 kbytes",), []),  # one more switch decides nothing
    ],
)
def test_of_two_switches_the_one_whose_marking_is_many_times_off(
    tmp_path: Path, own: str, others: tuple[str, ...], expected: list[str]
) -> None:
    """No other tier has the number of either, and all of them are near to one."""
    start = "minimum-threshold 500 kbytes maximum-threshold 2000"

    def marks(number: str) -> tuple[str, str]:
        return start, f"minimum-threshold {number} maximum-threshold 20000"

    above = [leaf(f"spine{n}", marks(number), "DCS-7060X6-64PE") for n, number in enumerate(others)]
    Network(tmp_path, leaf("leaf0", marks("500 kbytes")), leaf("leaf1", marks(own)), *above)
    assert [f.device for f in told(tmp_path, ODD) if "Kmin" in f.message and f.device in ("leaf0", "leaf1")] == expected


WATCHDOG = "priority-flow-control pause watchdog default timeout 0.2\n"


@pytest.mark.parametrize(
    ("own", "around", "severities"),
    [
        ("2.0", 2, ["warning"]),
        ("0.5", 2, []),
        ("2.0", 0, ["info"]),
        ("0.5", 0, []),
        ("2.0", 1, []),  # one more switch decides nothing
    ],
)
def test_of_two_switches_the_one_whose_watchdog_is_many_times_slower(
    tmp_path: Path, own: str, around: int, severities: list[str]
) -> None:
    """Of two alone it is left open which is meant."""
    on = ("   priority-flow-control on\n", "   priority-flow-control on\n   priority-flow-control pause watchdog\n")
    alone = {"leaf0": "0.2", "leaf1": own}
    others = {f"spine{n}": "0.2" for n in range(around)}
    for name, seconds in (alone | others).items():
        for file, text in leaf(name, on, "DCS-7060DX5-64S" if name in alone else "DCS-7060X6-64PE").items():
            times = WATCHDOG.replace("0.2", seconds)
            Network(tmp_path, {file: text.replace(CNP[0], CNP[0] + times)})
    found = told(tmp_path, ODD)
    assert [f.severity for f in found] == severities
    assert all(f.device == "leaf1" and "watchdog detection time is '2000.0' here" in f.message for f in found)


def test_both_lines_hold_their_values(tmp_path: Path) -> None:
    Network(tmp_path, leaf("leaf0"), leaf("leaf1"), leaf("leaf2", ECN))
    (found,) = told(tmp_path, ODD)
    assert ["300 kbytes" in found.locations[0].text, "500 kbytes" in found.locations[1].text] == [True, True]


@pytest.mark.parametrize(("same", "other"), [(2, 2), (3, 2), (3, 3), (5, 3)])
def test_a_tie_is_two_groups(tmp_path: Path, same: int, other: int) -> None:
    Network(tmp_path, *(leaf(f"a{n}") for n in range(same)), *(leaf(f"b{n}", ECN) for n in range(other)))
    (found,) = told(tmp_path, ODD)
    assert (found.severity, len(found.members)) == ("info", 4 * other)
    assert f"on {same} of {same + other} similar switches (a0, a1" in found.message
    assert "two groups of switches" in found.message


def test_no_majority_and_no_groups(tmp_path: Path) -> None:
    Network(tmp_path, *(leaf(f"leaf{n}", (ECN[0], f"minimum-threshold {300 + n}")) for n in range(5)))
    assert told(tmp_path, ODD) == []


@pytest.mark.parametrize(
    "other", [leaf("leaf2", ECN, model="DCS-7050SX3-48YC8"), leaf("spine1", ECN)], ids=["model", "role"]
)
def test_other_models_and_roles_are_not_compared(tmp_path: Path, other: dict[str, str]) -> None:
    Network(tmp_path, leaf("leaf0"), leaf("leaf1"), other)
    assert told(tmp_path, ODD) == []


def test_two_devices_are_too_few(tmp_path: Path) -> None:
    Network(tmp_path, leaf("leaf0"), leaf("leaf1", ECN))
    assert told(tmp_path, ODD) == []


def test_a_device_without_a_model_has_that_of_the_others(tmp_path: Path) -> None:
    nameless = {f: t.replace(" (DCS-7060DX5-64S, EOS-4.31.2F)", "") for f, t in leaf("leaf2", ECN).items()}
    Network(tmp_path, leaf("leaf0"), leaf("leaf1"), nameless)
    assert [f.device for f in told(tmp_path, ODD)] == ["leaf2"]


@pytest.mark.parametrize("of", [3, 5])
def test_one_host_that_differs(tmp_path: Path, of: int) -> None:
    Network(tmp_path, *(gpu(f"gpu{n}") for n in range(of)))
    assert told(tmp_path, DCQCN) == []
    Network(tmp_path, gpu("gpu1", 50))
    (found,) = told(tmp_path, DCQCN)
    assert (found.severity, found.device, len(found.members)) == ("warning", "gpu1", 2)
    assert f"is 50 here and 5 on {of - 1} of {of} similar hosts (gpu0, gpu2" in found.message


def test_two_groups_of_hosts(tmp_path: Path) -> None:
    Network(tmp_path, *(gpu(f"gpu{n}", 50 if n > 1 else 5) for n in range(4)))
    (found,) = told(tmp_path, DCQCN)
    assert found.severity == "info"
    assert "two groups of hosts" in found.message


def test_a_driver_setting_of_one_host(tmp_path: Path) -> None:
    forced = [f"/sys/class/infiniband/mlx5_{n}/tc/1/traffic_class:Global tclass=106" for n in (1, 2)]
    Network(tmp_path, *(gpu(f"gpu{n}", 5, *forced) for n in range(5)))
    assert told(tmp_path, ODD) == []
    Network(tmp_path, gpu("gpu1", 5, *(line.replace("106", "104") for line in forced)))
    (found,) = told(tmp_path, ODD)
    assert (found.device, found.severity) == ("gpu1", "warning")
    assert "'104' here and '106' on 4 of 5 similar hosts" in found.message


@pytest.mark.parametrize(("other", "differs"), [("28.42.1000", False), ("28.36.1010", True)])
def test_firmware_as_another_tool_tells_it(tmp_path: Path, other: str, differs: bool) -> None:
    long = {
        f"gpu{n}/ethtool_-i_ens{nic}f0np0.txt": "driver: mlx5_core\nfirmware-version: 28.42.1000/pkg 29.1.2\n"
        for n in range(4)
        for nic in (1, 2)
    }
    short = (f"/sys/class/infiniband/mlx5_{nic}/fw_ver:{other}" for nic in (1, 2))
    Network(tmp_path, *(gpu(f"gpu{n}") for n in range(4)), long, gpu("gpu4", 5, *short))
    assert bool(told(tmp_path, "fleet/nic-versions-differ")) is differs


@pytest.mark.parametrize(("buffer", "setting"), [("BUFFER_PG", "alpha"), ("BUFFER_QUEUE", "")])
def test_a_port_whose_queue_may_grow_further_than_others_is_none_that_is_odd(
    tmp_path: Path, buffer: str, setting: str
) -> None:
    """Templates give uplinks other limits of queues than ports of hosts; what a group may take is the same on both."""
    tree = examples.base("sonic")
    tables = json.loads(tree["leaf1/config_db.json"])
    tables["BUFFER_PROFILE"]["wide"] = {"pool": "ingress_lossless_pool", "size": "0", "dynamic_th": "5"}
    tables[buffer]["Ethernet8|0-2"] = {"profile": "wide"}
    for name, text in {**tree, "leaf1/config_db.json": json.dumps(tables, indent=1)}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert [setting in found.message for found in told(tmp_path, ODD)] == [True] * bool(setting)


def nxos_leaf(name: str, group: int = 3, share: int = 70, cnp: int = 7) -> dict[str, str]:
    """A switch that keeps priority 3 in this group and queue; the numbers 3 and 4 change places."""
    other = 7 - group
    ecn = (
        "    random-detect minimum-threshold 600 kbytes maximum-threshold 2500 kbytes drop-probability 10 weight 0 ecn"
    )
    classes = [(group, f"bandwidth remaining percent {share}\n{ecn}"), (other, "bandwidth remaining percent 0")]
    return {
        f"{name}.cfg": "\n".join(
            [
                "!Command: show running-config\nversion 10.4(3) Bios:version",
                f"hostname {name}",
                "class-map type qos match-any RDMA\n  match dscp 26\nclass-map type qos match-any CNP\n  match dscp 48",
                f"policy-map type qos IN\n  class RDMA\n    set qos-group {group}\n  class CNP\n    set qos-group {cnp}",
                f"policy-map type network-qos NQ\n  class type network-qos c-8q-nq{group}\n    pause pfc-cos 3\n    mtu 9216",
                "policy-map type queuing OUT",
                *(f"  class type queuing c-out-8q-q{number}\n    {line}" for number, line in sorted(classes)),
                "  class type queuing c-out-8q-q-default\n    bandwidth remaining percent 30",
                "system qos\n  service-policy type queuing output OUT\n  service-policy type network-qos NQ\n",
                *(
                    f"interface Ethernet1/{n}\n  description host{n}\n  no switchport\n  priority-flow-control mode on\n"
                    "  priority-flow-control watch-dog-interval on\n  mtu 9216\n  service-policy type qos input IN\n"
                    for n in range(1, 5)
                ),
                "line console\n",
            ]
        )
    }


@pytest.mark.parametrize("of", [3, 12], ids=["by devices", "by ports as well"])
@pytest.mark.parametrize(
    ("odd", "words"),
    [
        ({"group": 4}, None),
        ({"group": 4, "cnp": 6}, "DSCP 48"),
        ({"group": 4, "share": 60}, "share"),
        ({"cnp": 6}, "DSCP 48"),
    ],
    ids=["numbers alone", "and another mark", "and another share", "a mark alone"],
)
def test_a_number_within_the_switch_is_no_difference(
    tmp_path: Path, of: int, odd: dict[str, int], words: str | None
) -> None:
    Network(tmp_path, *(nxos_leaf(f"leaf{n}") for n in range(of - 1)), nxos_leaf("leaf99", **odd))
    found = told(tmp_path, ODD)
    assert [(one.device, words is not None and words in one.message) for one in found] == (
        [] if words is None else [("leaf99", True)]
    )


@pytest.mark.parametrize(("names", "told_of"), [(("sw1", "sw2"), [1, 2]), (("leaf1", "spine1"), [])])
def test_lengths_for_roles_that_no_switch_is_known_to_have(
    tmp_path: Path, names: tuple[str, str], told_of: list[int]
) -> None:
    one, other = names
    policy = "cables: [{between: [leaf, spine], length_m: 300},\n  {between: [host, leaf], length_m: 5}]\n"
    plan = cables(f"{one}:Ethernet33/1 {other}:Ethernet1/1")
    parts = [
        switch(one, {"Ethernet33/1": [f"description {other} Ethernet1/1", ROCE]}),
        switch(other, {"Ethernet1/1": [f"description {one} Ethernet33/1", ROCE]}),
    ]
    Network(tmp_path, *parts, plan, policy=policy)
    found = check(Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"))).report.findings
    unused = [one for one in found if one.rule == "input/policy-entry-unused"]
    assert [one.locations[0].line for one in unused] == told_of
    assert all("nothing says which of sw1, sw2 is a leaf" in one.message for one in unused)


def test_a_port_is_not_odd_for_what_makes_the_others_count(tmp_path: Path) -> None:
    """Of four ports of one cage the first alone has the profile: the other three carry RoCE because of it."""
    ports = {
        f"Ethernet5/{n}": [f"description gpu-{'abcdefgh'[n]} rail0", "mtu 9214", "speed 200g-2"] for n in (1, 3, 5, 7)
    }
    ports["Ethernet5/1"].append(ROCE)
    ports |= {f"Ethernet{n}/1": [f"description gpu-{'abcdefgh'[n]} rail0", "mtu 9214", ROCE] for n in (1, 2, 3, 4)}
    Network(tmp_path, switch("leaf1", ports))
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    assert [one.subject for one in found if one.rule == ODD] == []
    assert len(told(tmp_path, "pfc/priority-off")) == 1


POOL = "qos pool 1 lossless size 50.00 percent headroom 5000 kbytes priorities 3\n"
CX = "hostname {name}\n{pool}qos trust dscp\n" + "".join(
    f"interface 1/1/{n}\n    description gpu{n}\n    no shutdown\n    mtu 9198\n    flow-control priority rxtx 3\n"
    for n in range(1, 5)
)


@pytest.mark.parametrize(("without", "count"), [(("leaf2",), 1), (("leaf2", "leaf3"), 0), ((), 0)])
def test_a_switch_that_lacks_a_statement_of_all_others(tmp_path: Path, without: tuple[str, ...], count: int) -> None:
    for name in ("leaf1", "leaf2", "leaf3", "leaf4"):
        pool = "" if name in without else POOL
        (tmp_path / f"{name}.cfg").write_text(CX.format(name=name, pool=pool))
    found = told(tmp_path, ODD)
    assert len(found) == count
    assert all("not said" in one.message and one.device == "leaf2" for one in found)
