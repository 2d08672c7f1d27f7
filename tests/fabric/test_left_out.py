"""A device that differs from its like as a whole: forgotten, or something else. One question a switch, and a fault on an RDMA NIC."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, NicText, cables, host, switch

from roce_audit.audit import Request, check
from roce_audit.engine.findings import Finding
from roce_audit.policy.values import Policy

PREPARED = {"pfc": (3,), "trust": "dscp"}
FRONT = NicText("eno1np0", "mlx5_9", default_route=True, speed_mbps=25_000, model="MT4127")


def findings(folder: Path, rule: str) -> list[Finding]:
    found = check(Request((str(folder),), Policy.empty())).report.findings
    return [f for f in found if f.rule == rule and f.verdict == "fails" and f.because_of is None]


def eos(name: str, *lines: str, model: str = "DCS-7060DX5-64S") -> dict[str, str]:
    text = switch(name, {f"Ethernet1/{n}": [f"description host{n}", *lines] for n in range(1, 9)})
    return {file: said.replace("DCS-7060DX5-64S", model) for file, said in text.items()}


def cumulus(name: str, *statements: str) -> dict[str, str]:
    ports = [
        f"interface swp{n} {said}"
        for n in range(1, 9)
        for said in ("type swp", "link mtu 9216", "link speed 200G", f"description host{n}")
    ]
    return {f"{name}.nv": "".join(f"nv set {line}\n" for line in (f"system hostname {name}", *statements, *ports))}


def onyx(name: str, *statements: str) -> dict[str, str]:
    lines = ("## Running database", "## Generated at 2024/05/02", f"   hostname {name}", *statements)
    ports = [
        f"   interface ethernet 1/{n} {said}" for n in range(1, 9) for said in ("mtu 9216 force", "speed 100G force")
    ]
    return {f"{name}.cfg": "".join(f"{line}\n" for line in (*lines, *ports))}


@pytest.mark.parametrize(
    ("leaf", "statement"), [(cumulus, "qos roce"), (onyx, "   roce"), (eos, ROCE)], ids=["cumulus", "onyx", "eos"]
)
def test_a_leaf_without_the_others_settings_is_told_once(tmp_path: Path, leaf: object, statement: str) -> None:
    assert callable(leaf)
    Network(tmp_path, *(leaf(f"leaf{n:02}", statement) for n in range(1, 13)))
    assert findings(tmp_path, "fleet/device-left-out") == []
    Network(tmp_path, leaf("leaf07"))
    (found,) = findings(tmp_path, "fleet/device-left-out")
    assert (found.severity, found.device) == ("warning", "leaf07")
    assert "88 of 88 similar ports carry RoCE" in found.message
    places = {Path(place.path).stem for place in found.locations}
    assert {"leaf07", "leaf01"} <= places  # it, and what it is compared with
    assert findings(tmp_path, "pfc/priority-off") == []
    assert not any("leaf07" in f.subject for f in findings(tmp_path, "input/roce-ports-undecided"))


@pytest.mark.parametrize(
    ("statements", "shown"),
    [((), "nv set system hostname leaf9"), (("qos roce enable off",), "nv set qos roce enable off")],
    ids=["nothing said", "turned off"],
)
def test_where_a_line_turns_it_off_that_line_is_shown(tmp_path: Path, statements: tuple[str, ...], shown: str) -> None:
    Network(tmp_path, *(cumulus(f"leaf{n}", "qos roce") for n in range(4)), cumulus("leaf9", *statements))
    (found,) = findings(tmp_path, "fleet/device-left-out")
    assert found.locations[0].text == shown


def test_a_switch_of_another_model_is_asked_about_once_and_an_out_of_band_one_is_not(tmp_path: Path) -> None:
    backend = [eos(f"be{n}", ROCE) for n in range(3)]
    found = Network(tmp_path, *backend, eos("fe0", model="DCS-7050SX3-48YC8"), eos("oob0", model="DCS-7010TX-48"))
    (told,) = findings(tmp_path, "fleet/device-left-out")
    assert (told.device, told.severity) == ("fe0", "warning")
    assert "24 of 24 similar ports" in told.message
    assert not [f for f in check(Request((str(tmp_path),), Policy.empty())).report.findings if f.severity == "error"]
    assert found.answer("fe0:Ethernet1/1") == found.answer("oob0:Ethernet1/1") == (None, "none")


def test_a_fragment_proves_nothing_left_out(tmp_path: Path) -> None:
    text = "hostname leaf4\ninterface Ethernet1/1\n   description host1\n   no switchport\n"
    Network(tmp_path, *(eos(f"leaf{n}", ROCE) for n in range(3)), {"leaf4.cfg": text})
    assert findings(tmp_path, "fleet/device-left-out") == []


def test_the_policy_answers_it(tmp_path: Path) -> None:
    Network(tmp_path, *(eos(f"leaf{n}", ROCE) for n in range(4)), eos("leaf9"))
    assert len(findings(tmp_path, "fleet/device-left-out")) == 1
    policy = 'ports:\n  - {match: "leaf9:*", roce: false}\n'
    assert Network(tmp_path / "a", eos("leaf9"), policy=policy).answer("leaf9:Ethernet1/1") == (False, "policy")


def test_some_forgotten_ports_of_a_switch_are_a_warning_where_only_other_switches_speak(tmp_path: Path) -> None:
    half = {f"Ethernet1/{n}": [f"description host{n}"] for n in range(1, 5)} | {
        "Ethernet2/1": ["description san", ROCE]
    }
    found = Network(tmp_path, *(eos(f"leaf{n}", ROCE) for n in range(3)), switch("leaf9", half))
    assert found.answer("leaf9:Ethernet1/1") == (True, "similar_ports")
    (told,) = findings(tmp_path, "pfc/priority-off")
    assert (told.device, told.severity, len(told.members)) == ("leaf9", "warning", 4)
    other_model = {name: text.replace("7060DX5", "7050SX3") for name, text in switch("leaf9", half).items()}
    assert Network(tmp_path, other_model).answer("leaf9:Ethernet1/1") == (None, "none")


def test_links_to_a_switch_that_carries_roce_on_every_port(tmp_path: Path) -> None:
    pair = [cumulus("spine1", "qos roce"), cumulus("leaf1")]
    found = Network(tmp_path, *pair, cables("leaf1:swp8 spine1:swp1"))
    assert found.answer("leaf1:swp8") == (True, "path")
    assert found.answer("leaf1:swp1") == (None, "none")


@pytest.mark.parametrize("hosts", [1, 2, 3])
@pytest.mark.parametrize("forgotten", [(4,), (1, 2, 3, 4)])
def test_pfc_off_on_rdma_nics_is_an_error(tmp_path: Path, hosts: int, forgotten: tuple[int, ...]) -> None:
    def nics(name: str, off: tuple[int, ...]) -> dict[str, str]:
        several = (
            NicText(f"ens{i}f0np0", f"mlx5_{i}", **({} if i in off else PREPARED))  # type: ignore[arg-type]
            for i in range(1, 5)
        )
        return host(name, *several, FRONT)

    Network(tmp_path, *(nics(f"gpu{n}", ()) for n in range(hosts)))
    assert findings(tmp_path, "pfc/priority-off") == []
    Network(tmp_path, nics("gpu0", forgotten))
    found = findings(tmp_path, "pfc/priority-off")
    if hosts == 1 and len(forgotten) == 4:
        assert found == []  # nothing says that anything here is meant for RoCE
    else:
        assert [(f.severity, f.device, len(f.members)) for f in found] == [("error", "gpu0", len(forgotten))]


def test_the_way_out_of_a_host_is_no_rdma_nic_like_the_others(tmp_path: Path) -> None:
    gpu = host("gpu1", NicText("ens1f0np0", "mlx5_1", **PREPARED))  # type: ignore[arg-type]
    web = host("web1", NicText("ens1f0np0", "mlx5_1", default_route=True))
    assert Network(tmp_path, gpu, web).answer("web1:ens1f0np0") == (None, "none")


@pytest.mark.parametrize(
    ("file", "severities"), [("leaf2.cfg", ["error"]), ("notes.cfg", ["warning"]), ("notes.md", [])]
)
def test_an_empty_file_beside_those_of_devices_is_worst_where_a_device_of_the_topology_has_its_name(
    tmp_path: Path, file: str, severities: list[str]
) -> None:
    wired = cables("leaf1:Ethernet1/1 leaf2:Ethernet1/1")
    Network(tmp_path, switch("leaf1", {"Ethernet1/1": [ROCE]}), {file: ""}, wired)
    assert [f.severity for f in findings(tmp_path, "input/unreadable")] == severities


def test_a_device_whose_file_is_beside_an_empty_one_is_not_missing(tmp_path: Path) -> None:
    switches = [switch(name, {"Ethernet1/1": [ROCE]}) for name in ("leaf1", "leaf2")]
    Network(tmp_path, *switches, {"old/leaf2.cfg": ""}, cables("leaf1:Ethernet1/1 leaf2:Ethernet1/1"))
    assert findings(tmp_path, "input/unreadable") == []


@pytest.mark.parametrize(("plain", "told"), [(2, 2), (5, 0)])
def test_most_switches_of_a_folder_were_not_forgotten(tmp_path: Path, plain: int, told: int) -> None:
    """Another network in the same folder carries no RoCE; its ports stay unclear, and that is said."""
    prepared = [eos(f"leaf{n:02}", ROCE) for n in range(1, 5)]
    Network(tmp_path, *prepared, *(eos(f"leaf{n}") for n in range(21, 21 + plain)))
    assert len(findings(tmp_path, "fleet/device-left-out")) == told
    assert bool(findings(tmp_path, "input/roce-ports-undecided")) is not bool(told)


@pytest.mark.parametrize("to_firewall", [(), (ROCE,)], ids=["lossy", "by a slip lossless"])
@pytest.mark.parametrize(("at_the_spine", "told"), [((), 0), ((ROCE,), 1)], ids=["lossy", "lossless"])
def test_a_switch_is_not_forgotten_where_the_ports_that_lead_to_it_are_lossy_too(
    tmp_path: Path, at_the_spine: tuple[str, ...], told: int, to_firewall: tuple[str, ...]
) -> None:
    """A border leaf, say: whoever set the spine up left its ports to it out."""
    to_leaves = {f"Ethernet{n}/1": [ROCE, f"description leaf{n}"] for n in range(1, 5)}
    to_borders = {f"Ethernet{n}/1": [*at_the_spine, f"description border{n}"] for n in (9, 10)}
    leaves = [switch(f"leaf{n}", {"Ethernet1/1": [ROCE, "description spine"]}) for n in range(1, 5)]
    uplinks = {f"Ethernet{n}/1": ["description spine"] for n in (1, 2)}
    edge = switch("edge1", uplinks | {"Ethernet9/1": ["description firewall", *to_firewall]})
    plan = cables(
        *(f"spine1:Ethernet{n}/1 leaf{n}:Ethernet1/1" for n in range(1, 5)),
        *(f"spine1:Ethernet{n + 8}/1 edge1:Ethernet{n}/1" for n in (1, 2)),
    )
    Network(tmp_path, switch("spine1", to_leaves | to_borders), *leaves, edge, plan)
    assert sum("names firewall" in one.message for one in findings(tmp_path, "input/conflict")) == len(to_firewall)
    assert len(findings(tmp_path, "fleet/device-left-out")) + len(findings(tmp_path, "pfc/priority-off")) == told
    assert bool(findings(tmp_path, "input/roce-ports-undecided")) is not bool(told)


def test_nobody_forgot_in_one_design_what_stands_in_another(tmp_path: Path) -> None:
    """Folders that describe devices of the same names are the designs of one blueprint, and each is a fabric of its own."""

    def design(folder: str, first: int, *statements: str) -> dict[str, str]:
        leaves = [eos(f"leaf{n:02}", *statements) for n in range(first, first + 5)]
        return {f"{folder}/{name}": text for leaf in leaves for name, text in leaf.items()}

    Network(tmp_path, design("dc/lossless/conf", 1, ROCE), design("dc/plain/conf", 6), design("lab", 41))
    assert len(findings(tmp_path, "fleet/device-left-out")) == 5  # one network, whose devices have names of their own
    Network(tmp_path, design("dc/plain/conf", 5))
    assert findings(tmp_path, "fleet/device-left-out") == []
    report = check(Request((str(tmp_path),), Policy.empty())).report
    assert {fabric.name for fabric in report.fabrics} >= {"dc/lossless", "dc/plain"}
    Network(tmp_path, design("other/dc/conf", 8), design("lab", 8))
    report = check(Request((str(tmp_path),), Policy.empty())).report
    assert {fabric.name for fabric in report.fabrics} >= {"dc/lossless", "dc/plain", "other"}


QOS = """{
    "DSCP_TO_TC_MAP": {"AZURE": {"3": "%(three)s", "4": "%(four)s", "0": "0"}},
    "TC_TO_QUEUE_MAP": {"AZURE": {"0": "0", "3": "3", "4": "4"}},
    "TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {"0": "0", "3": "3", "4": "4"}},
    "PORT_QOS_MAP": {
{%% for port in PORT %%}
        "{{ port }}": {
            "dscp_to_tc_map": "AZURE",
%(pfc)s
            "tc_to_queue_map": "AZURE",
            "tc_to_pg_map": "AZURE"
        }{%% if not loop.last %%},{%% endif %%}
{%% endfor %%}
    }
}
"""


def test_a_template_is_judged_by_its_own_words(tmp_path: Path) -> None:
    """Templates beside each other are alternatives: one without PFC is not the forgotten one."""
    paused = QOS % {"three": "3", "four": "4", "pfc": '            "pfc_enable": "3,4",'}
    lossy = QOS % {"three": "0", "four": "0", "pfc": ""}
    for number in range(1, 5):
        (tmp_path / f"qos_defaults_t{number}.j2").write_text(paused)
    (tmp_path / "qos_defaults_lossy.j2").write_text(lossy)
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    told = {f.rule for f in found if f.verdict == "fails" and f.device == "qos_defaults_lossy.j2"}
    assert told == {"input/roce-ports-undecided"}


WATCHED = "interface HundredGigE1/0/{0}\n{1} priority-flow-control enable\n priority-flow-control no-drop dot1p 3\n qos trust dscp\n#\n"


@pytest.mark.parametrize(
    ("first", "second", "lines"),
    [
        (" priority-flow-control deadlock enable\n", "", [9]),
        ("", "", []),
        (*[" priority-flow-control deadlock enable\n"] * 2, []),
    ],
)
def test_a_port_of_a_part_without_the_watchdog_of_the_others(
    tmp_path: Path, first: str, second: str, lines: list[int]
) -> None:
    ports = WATCHED.format(1, first) + WATCHED.format(2, second)
    (tmp_path / "leaf1.txt").write_text(f"priority-flow-control deadlock cos 3 interval 10\n#\n{ports}")
    assert [one.locations[0].line for one in findings(tmp_path, "fleet/device-left-out")] == lines
