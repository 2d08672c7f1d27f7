"""Which switch ports carry RoCE: the ranks in their order, and what happens where they contradict each other."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, NicText, cables, host, switch

GPU = NicText("ens1f0np0", "mlx5_0", pfc=(3,), trust="dscp")
IDLE = NicText("ens1f0np0", "mlx5_0")


def leaf(**ports: list[str]) -> dict[str, str]:
    return switch("leaf1", {name.replace("e", "Ethernet1/"): lines for name, lines in ports.items()})


def test_own_words(tmp_path: Path) -> None:
    found = Network(tmp_path, leaf(e1=[ROCE], e2=[], e3=["no priority-flow-control on"]))
    assert found.answer("leaf1:Ethernet1/1") == (True, "port_config")
    assert found.answer("leaf1:Ethernet1/2") == (None, "none")
    assert found.answer("leaf1:Ethernet1/3") == (False, "port_config")


def test_a_binding_counts_for_what_is_in_it(tmp_path: Path) -> None:
    top = "qos profile PLAIN\n   qos trust dscp\n!\n"
    found = Network(tmp_path, switch("leaf1", {"Ethernet1/1": ["service-profile PLAIN"]}, top))
    assert found.answer("leaf1:Ethernet1/1") == (None, "none")


@pytest.mark.parametrize(("direction", "answer"), [("rx", True), ("tx", True), ("", None)])
def test_pause_in_one_direction_is_evidence(tmp_path: Path, direction: str, answer: bool | None) -> None:
    said = f"    flow-control priority {direction} 3\n" if direction else ""
    text = f"!Version AOS-CX GL.10.15.1020\nhostname leaf1\ninterface 1/1/1\n    no shutdown\n{said}"
    assert Network(tmp_path, {"leaf1.cfg": text}).answer("leaf1:1/1/1")[0] is answer


def test_not_data_ports_are_not_asked(tmp_path: Path) -> None:
    found = Network(
        tmp_path, switch("leaf1", {"Management1": [ROCE], "Ethernet1/1": [ROCE, "shutdown"], "Loopback0": []})
    )
    assert {
        port: found.answer(f"leaf1:{port}")[1] for port in ("Management1", "Ethernet1/1", "Loopback0")
    } == dict.fromkeys(("Management1", "Ethernet1/1", "Loopback0"), "not_data")


def test_breakout_parent_with_children_is_no_port(tmp_path: Path) -> None:
    found = Network(tmp_path, switch("leaf1", {"Ethernet1": [ROCE], "Ethernet1/1": [ROCE]}))
    assert found.answer("leaf1:Ethernet1") == (None, "not_data")
    assert found.answer("leaf1:Ethernet1/1") == (True, "port_config")


def test_member_speaks_with_its_channels_words(tmp_path: Path) -> None:
    ports = {
        "Port-Channel50": [ROCE],
        "Ethernet1/1": ["channel-group 50 mode active"],
        "Ethernet1/2": ["channel-group 51 mode active"],
    }
    found = Network(tmp_path, switch("leaf1", ports))
    assert found.answer("leaf1:Ethernet1/1") == (True, "port_config")
    assert found.answer("leaf1:Ethernet1/2") == (None, "none")
    assert found.answer("leaf1:Port-Channel50") == (None, "not_data")


@pytest.mark.parametrize("description", ["oob", "BMCMgmt_Ethernet", "TORtoBMC", "to border-rtr1", "iLO rack 7"])
def test_hint_against_decides_where_nothing_else_speaks(tmp_path: Path, description: str) -> None:
    found = Network(tmp_path, leaf(e1=[f"description {description}"], e2=["description gpu7"]))
    assert found.answer("leaf1:Ethernet1/1") == (False, "hint")
    assert found.answer("leaf1:Ethernet1/2") == (None, "none")


def test_words_against_hint_are_a_conflict_with_both_lines(tmp_path: Path) -> None:
    found = Network(tmp_path, leaf(e1=["description oob uplink", ROCE]))
    port = found.port("leaf1:Ethernet1/1")
    assert found.answer("leaf1:Ethernet1/1") == (None, "conflict")
    assert "oob" in port.roce.because
    assert "PFC" in port.roce.because
    assert any(o.kind == "scope-conflict" and "Ethernet1/1" in o.name for o in found.site.observations)


def test_the_name_of_a_policy_that_is_bound_does_not_outweigh_what_the_port_says(tmp_path: Path) -> None:
    """A policy for management traffic on a RoCE port is named after that traffic, not after the port."""
    top = "policy-map type quality-of-service LIMIT-MGMT\n!\n"
    bound = "service-policy type qos input LIMIT-MGMT"
    found = Network(tmp_path, switch("leaf1", {"Ethernet1/1": [ROCE, bound], "Ethernet1/2": [bound]}, top))
    assert found.answer("leaf1:Ethernet1/1") == (True, "port_config")
    assert found.answer("leaf1:Ethernet1/2") == (False, "hint")


def test_hint_is_no_conflict_with_the_policy(tmp_path: Path) -> None:
    found = Network(
        tmp_path, leaf(e1=["description oob", ROCE]), policy="ports:\n  - {match: 'leaf*:Ethernet*', roce: true}\n"
    )
    assert found.answer("leaf1:Ethernet1/1") == (True, "policy")


def test_last_entry_of_the_policy_wins(tmp_path: Path) -> None:
    policy = "ports:\n  - {match: 'leaf*:Ethernet*', roce: true}\n  - {match: 'leaf1:Ethernet1/2', roce: false}\n"
    found = Network(tmp_path, leaf(e1=[], e2=[ROCE]), policy=policy)
    assert found.answer("leaf1:Ethernet1/1") == (True, "policy")
    assert found.answer("leaf1:Ethernet1/2") == (False, "policy")


def test_topology_says_it(tmp_path: Path) -> None:
    found = Network(tmp_path, leaf(e1=[]), host("gpu1", IDLE), cables("leaf1:Ethernet1/1 gpu1:mlx5_0 roce: true"))
    assert found.answer("leaf1:Ethernet1/1") == (True, "policy")
    assert found.answer("gpu1:ens1f0np0") == (True, "policy")


def test_far_end_that_carries_roce(tmp_path: Path) -> None:
    found = Network(tmp_path, leaf(e1=[]), host("gpu1", GPU), cables("leaf1:Ethernet1/1 gpu1:ens1f0np0"))
    assert found.answer("leaf1:Ethernet1/1") == (True, "cabling")


def test_far_end_yes_against_explicit_off_is_yes(tmp_path: Path) -> None:
    """The rule about missing PFC then fires, and points at the line that turns it off."""
    found = Network(
        tmp_path,
        leaf(e1=["no priority-flow-control on"]),
        host("gpu1", GPU),
        cables("leaf1:Ethernet1/1 gpu1:ens1f0np0"),
    )
    assert found.answer("leaf1:Ethernet1/1") == (True, "cabling")


def test_far_end_no_against_own_words_is_no(tmp_path: Path) -> None:
    policy = "ports:\n  - {match: 'gpu1:*', roce: false}\n"
    found = Network(
        tmp_path, leaf(e1=[ROCE]), host("gpu1", IDLE), cables("leaf1:Ethernet1/1 gpu1:ens1f0np0"), policy=policy
    )
    assert found.answer("leaf1:Ethernet1/1") == (False, "cabling")


def test_switch_port_without_pfc_says_nothing_about_its_far_end(tmp_path: Path) -> None:
    spine = switch("spine1", {"Ethernet1/1": ["no priority-flow-control on"]})
    found = Network(tmp_path, leaf(e1=[]), spine, cables("leaf1:Ethernet1/1 spine1:Ethernet1/1"))
    assert found.answer("leaf1:Ethernet1/1") == (None, "none")


def test_hint_at_the_nic_is_a_hint_at_the_switch_port(tmp_path: Path) -> None:
    front = NicText("eno1np0", "mlx5_2", default_route=True)
    found = Network(tmp_path, leaf(e1=[], e2=[]), host("gpu1", GPU, front), cables("leaf1:Ethernet1/2 gpu1:eno1np0"))
    assert found.answer("leaf1:Ethernet1/2") == (False, "hint")


def test_a_switch_that_is_half_empty_was_not_half_forgotten(tmp_path: Path) -> None:
    used, spare = {f"Ethernet1/{n}": [ROCE] for n in range(1, 5)}, {f"Ethernet1/{n}": [] for n in range(5, 11)}
    found = Network(tmp_path / "half", switch("leaf1", {**used, **spare}))
    assert found.answer("leaf1:Ethernet1/9") == (None, "none")
    found = Network(tmp_path / "full", switch("leaf1", {**used, "Ethernet1/9": []}))
    assert found.answer("leaf1:Ethernet1/9") == (True, "similar_ports")
    named = {port: [*lines, f"description gpu{port[-1]}"] for port, lines in {**used, **spare}.items()}
    found = Network(tmp_path / "named", switch("leaf1", named))
    assert found.answer("leaf1:Ethernet1/9") == (True, "similar_ports")


def test_a_port_that_is_only_named_is_not_in_use(tmp_path: Path) -> None:
    """NX-OS lists all ports of a switch; of those that nobody uses it says nothing but the name."""
    used = "interface Ethernet1/{}\n  mtu 9216\n  priority-flow-control mode on\n"
    text = "!Command: show running-config\nhostname leaf1\n" + "".join(used.format(n) for n in range(1, 6))
    text += (
        "policy-map type network-qos NQ\n  class type network-qos c-8q-nq3\n    pause pfc-cos 3\n"
        "system qos\n  service-policy type network-qos NQ\n"
    )
    found = Network(tmp_path, {"leaf1.cfg": f"{text}interface Ethernet1/8\ninterface Ethernet1/9\n  mtu 9216\n"})
    assert found.answer("leaf1:Ethernet1/8") == (None, "none")
    assert found.answer("leaf1:Ethernet1/9") == (True, "similar_ports")


def test_similar_ports_need_three_that_agree(tmp_path: Path) -> None:
    three = {f"e{i}": [f"description gpu{i}", ROCE] for i in range(1, 4)}
    assert Network(tmp_path / "a", leaf(**three, e9=["description gpu9"])).answer("leaf1:Ethernet1/9") == (
        True,
        "similar_ports",
    )
    two = {f"e{i}": [f"description gpu{i}", ROCE] for i in range(1, 3)}
    assert Network(tmp_path / "b", leaf(**two, e9=["description gpu9"])).answer("leaf1:Ethernet1/9") == (None, "none")
    split = leaf(**three, e4=["description gpu4", "no priority-flow-control on"], e9=["description gpu9"])
    assert Network(tmp_path / "c", split).answer("leaf1:Ethernet1/9") == (None, "none")


OFF = "no priority-flow-control on"


@pytest.mark.parametrize(
    ("others", "text", "answer"),
    [
        pytest.param([ROCE] * 3, ["description gpu4", OFF], (True, "similar_ports"), id="one of four, for GPUs"),
        pytest.param(
            [ROCE] * 3, ["description server4", OFF], (None, "conflict"), id="one of four, for who knows whom"
        ),
        pytest.param([ROCE] * 2, ["description gpu4", OFF], (False, "port_config"), id="one of three"),
        pytest.param([ROCE] * 3 + [OFF], ["description gpu4", OFF], (False, "port_config"), id="two of five"),
        pytest.param([ROCE] * 3, [OFF], (False, "port_config"), id="no label"),
    ],
)
def test_a_single_off_among_similar_ports_is_in_doubt(
    tmp_path: Path, others: list[str], text: list[str], answer: tuple[bool | None, str]
) -> None:
    word = text[0].rstrip("4") if len(text) > 1 else ""
    ports = {f"e{i}": [*([f"{word}{i}"] if word else []), said] for i, said in enumerate(others, 11)}
    assert Network(tmp_path, leaf(**ports, e4=text)).answer("leaf1:Ethernet1/4") == answer


def test_other_words_other_speed_not_similar(tmp_path: Path) -> None:
    three = {f"e{i}": [f"description gpu{i}", "speed 400g-8", ROCE] for i in range(1, 4)}
    found = Network(
        tmp_path, leaf(**three, e8=["description cpu8", "speed 400g-8"], e9=["description gpu9", "speed 200g-4"])
    )
    assert found.answer("leaf1:Ethernet1/8") == (None, "none")
    assert found.answer("leaf1:Ethernet1/9") == (None, "none")


def test_the_way_from_a_leaf_with_hosts(tmp_path: Path) -> None:
    spine = switch("spine1", {"Ethernet1/1": [], "Ethernet1/2": []})
    found = Network(tmp_path, leaf(e1=[ROCE], e9=[]), spine, cables("leaf1:Ethernet1/9 spine1:Ethernet1/1"))
    assert found.answer("leaf1:Ethernet1/9") == (True, "path")
    assert found.answer("spine1:Ethernet1/1") == (True, "path")
    assert found.answer("spine1:Ethernet1/2") == (None, "none")


def test_no_way_over_a_peer_link(tmp_path: Path) -> None:
    text = (
        "!Command: show running-config\nhostname {name}\n\nclass-map type network-qos NQ3\n  match qos-group 3\n"
        "policy-map type network-qos NQ\n  class type network-qos NQ3\n    pause pfc-cos 3\n"
        "system qos\n  service-policy type network-qos NQ\n\ninterface port-channel9\n  switchport mode trunk\n  vpc peer-link\n"
        "\ninterface Ethernet1/1\n  no switchport\n  priority-flow-control mode on\n"
        "\ninterface Ethernet1/9\n  switchport mode trunk\n  channel-group 9 mode active\n"
    )
    pair = [{f"{name}.cfg": text.format(name=name)} for name in ("leaf1", "leaf2")]
    found = Network(tmp_path, *pair, cables("leaf1:Ethernet1/9 leaf2:Ethernet1/9"))
    assert found.answer("leaf1:Ethernet1/1") == (True, "port_config")
    assert found.answer("leaf1:Ethernet1/9") == (False, "hint")
    assert found.port("leaf1:Ethernet1/9").roce.because == "peer link of a switch pair"


def test_fabric_without_roce(tmp_path: Path) -> None:
    policy = "fabrics:\n  front: {devices: ['leaf*'], roce: none}\n"
    found = Network(tmp_path, leaf(e1=[ROCE]), policy=policy)
    assert found.answer("leaf1:Ethernet1/1") == (False, "policy")


def test_far_below_the_speed_of_the_roce_ports(tmp_path: Path) -> None:
    found = Network(tmp_path, leaf(e1=["speed 400g-8", ROCE], e2=["speed 25g"], e3=["speed 100g"]))
    assert found.answer("leaf1:Ethernet1/2") == (False, "hint")
    assert found.answer("leaf1:Ethernet1/3") == (None, "none")


def _of_a_mode(odd: str, watched: int = 3) -> dict[str, str]:
    """A switch in RoCE mode: ports with a watchdog of their own, and swp9 as `odd` says."""
    own = "        description: rail\n        link: {mtu: 9216}\n        qos: {pfc-watchdog: {state: enable}}\n        type: swp\n"
    ports = "".join(f"      swp{number}:\n{own}" for number in range(1, watched + 1))
    mode = "    qos:\n      roce: {enable: on, mode: lossless}\n"
    odd = f"      swp9:\n        description: printer\n        link: {{{odd}}}\n        type: swp\n"
    return {"leaf1.yaml": f"- set:\n    interface:\n{ports}{odd}{mode}    system: {{hostname: leaf1}}\n"}


@pytest.mark.parametrize(
    ("odd", "watched", "answer"),
    [
        ("mtu: 1500", 3, (None, "none")),
        ("mtu: 9216", 3, (True, "device_wide")),
        ("auto-negotiate: off", 3, (True, "device_wide")),
        ("mtu: 1500", 2, (True, "device_wide")),
    ],
)
def test_port_set_apart_on_a_switch_in_roce_mode(
    tmp_path: Path, odd: str, watched: int, answer: tuple[bool | None, str]
) -> None:
    assert Network(tmp_path, _of_a_mode(odd, watched)).answer("leaf1:swp9") == answer


@pytest.mark.parametrize(("hosts", "label", "wanted"), [(3, "printer", None), (0, "printer", True), (3, "gpu9", True)])
def test_cables_to_hosts_tell_which_port_was_set_apart(
    tmp_path: Path, hosts: int, label: str, wanted: bool | None
) -> None:
    """Cables to switches alone do not: ports to hosts have smaller packets by right."""
    plain = "        link: {mtu: 9216}\n        type: swp\n"
    ports = "".join(f"      swp{number}:\n{plain}" for number in range(1, 4))
    odd = f"      swp9:\n        description: {label}\n        link: {{mtu: 1500}}\n        type: swp\n"
    mode = "    qos:\n      roce: {enable: on, mode: lossless}\n"
    leaf = {"leaf1.yaml": f"- set:\n    interface:\n{ports}{odd}{mode}    system: {{hostname: leaf1}}\n"}
    spine = switch("spine1", {f"Ethernet{number}": [ROCE] for number in range(1, 4)})
    names = [f"gpu{number}" for number in range(1, hosts + 1)]
    far = [f"{name}:ens1f0np0" for name in names] or [f"spine1:Ethernet{number}" for number in range(1, 4)]
    wires = cables(*(f"leaf1:swp{number} {end}" for number, end in enumerate(far, 1)))
    found = Network(tmp_path, leaf, spine, *(host(name, GPU, env="NCCL_IB_HCA=mlx5_0\n") for name in names), wires)
    assert found.answer("leaf1:swp9")[0] is wanted


NEXUS = """hostname tor1
class-map type qos match-all RDMA
  match cos 3
policy-map type qos IN
  class RDMA
    set qos-group 3
class-map type queuing RDMA
  match qos-group 3
policy-map type queuing BUFFER
  class type queuing RDMA
    pause buffer-size 101920 pause-threshold 46800 resume-threshold 34320
class-map type network-qos RDMA
  match qos-group 3
policy-map type network-qos NQ
  class type network-qos RDMA
    pause {pause}
system qos
  service-policy type network-qos NQ
""" + "".join(
    f"interface Ethernet1/{n}\n  service-policy type {{bound}}\n  priority-flow-control mode {mode}\n  no shutdown\n"
    for n, mode in enumerate(("on", "on", "on", "off"), 1)
)


@pytest.mark.parametrize(
    ("pause", "bound"),
    [("pfc-cos 3", "qos input IN"), ("no-drop", "queuing input BUFFER")],
    ids=["tags lead into the lossless group", "headroom for a group that is no-drop everywhere"],
)
def test_pfc_that_is_off_beside_lossless_settings_of_the_port_is_a_fault(
    tmp_path: Path, pause: str, bound: str
) -> None:
    network = Network(tmp_path, {"tor1.cfg": NEXUS.format(pause=pause, bound=bound)})
    assert [network.answer(f"tor1:Ethernet1/{n}") for n in (1, 4)] == [(True, "port_config")] * 2


def test_a_port_that_trusts_its_tags_says_nothing_of_roce(tmp_path: Path) -> None:
    """The map of the factory leads a tag to the no-drop queue of the switch, on the ports of tenants as well."""
    text = (Path(__file__).parents[2] / "fixtures/comware/leaf/leaf.cfg").read_text(encoding="utf-8")
    assert "tenant with a limit" in text
    assert Network(tmp_path, {"leaf.cfg": text}).answer("row4-leaf2:HundredGigE1/0/2")[0] is not True


QUEUED = """\
!Software Version V200R019C10SPC800
#
sysname leaf1
#
dcb pfc
 priority 4
 undo priority 3
#
drop-profile early
 color green low-limit 20 high-limit 60 discard-percentage 20
#
{ports}#
return
"""
FOURTH = "interface 100GE1/0/4\n undo portswitch\n trust dscp\n{served} undo dcb pfc enable\n"
SERVED = " qos drr 0 to 5\n qos queue 4 drr weight 60\n qos queue 4 wred early\n qos queue 4 ecn\n"


@pytest.mark.parametrize(
    ("served", "answer"),
    [
        (SERVED, (True, "similar_ports")),
        ("", (False, "port_config")),
        (SERVED.replace("60", "6"), (False, "port_config")),
    ],
    ids=["theirs", "none", "others"],
)
def test_a_single_off_with_the_queues_of_the_others_carries_roce(
    tmp_path: Path, served: str, answer: tuple[bool | None, str]
) -> None:
    ports = "".join(
        f"interface 100GE1/0/{n}\n undo portswitch\n trust dscp\n{SERVED} dcb pfc enable mode manual\n#\n"
        for n in (1, 2, 3)
    )
    text = QUEUED.format(ports=ports + FOURTH.format(served=served))
    assert Network(tmp_path, {"leaf1.cfg": text}).answer("leaf1:100GE1/0/4") == answer
