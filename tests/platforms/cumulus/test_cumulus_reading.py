"""Reading Cumulus Linux: what golden models do not show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from roce_audit.model.walk import follow
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.cumulus import PLATFORM
from roce_audit.platforms.cumulus.statements import spread
from roce_audit.platforms.cumulus.table import TABLE
from roce_audit.platforms.cumulus.values import interfaces, numbers, speed
from roce_audit.sources.devices import load
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.statements.forms import Capture, Word
from roce_audit.text.statements.rows import Row
from roce_audit.values import Cell, Why, absent, known

SHOW = "nv config show -o commands"


def read(*documents: Document) -> DeviceReading:
    return PLATFORM.read(DeviceInput("leaf", "cumulus", documents))


def commands(*lines: str, complete: bool = True) -> DeviceReading:
    text = "\n".join(f"nv set {line}" for line in lines)
    return read(Document("c.txt", text, SHOW if complete else None))


def kinds(reading: DeviceReading) -> list[str]:
    return [seen.observation.kind for seen in reading.seen]


def cell(reading: DeviceReading, port: str, path: str) -> Cell[Any]:
    facts = next(p.facts for p in reading.ports if p.name == port)
    found = follow(facts, tuple(int(step) if step.isdigit() else step for step in path.split(".")))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("swp1", ["swp1"]),
        ("swp1-3,swp5", ["swp1", "swp2", "swp3", "swp5"]),
        ("swp1-2,5", ["swp1", "swp2", "swp5"]),
        ("swp1,3-4,bond2,4", ["swp1", "swp3", "swp4", "bond2", "bond4"]),
        ("swp1s0-1", ["swp1s0", "swp1s1"]),
        ("swp1s0-1,2s0-1", ["swp1s0", "swp1s1", "swp2s0", "swp2s1"]),
        ("swp1-2s0-1", ["swp1s0", "swp1s1", "swp2s0", "swp2s1"]),
        ("swp50s0-swp50s1", ["swp50s0", "swp50s1"]),
        ("p0_if,pf0hpf_if", ["p0_if", "pf0hpf_if"]),
        ("swp1.100", ["swp1.100"]),
    ],
)
def test_names_of_interfaces(text: str, names: list[str]) -> None:
    assert list(interfaces(text)) == names


@pytest.mark.parametrize("text", ["", "swp4-1", "swp1-bond4", "1-4", "swp1-99999", "a b", "swp1-9999,bond1-9999"])
def test_no_names_of_interfaces(text: str) -> None:
    with pytest.raises(ValueError, match=r"name|range|more than"):
        interfaces(text)


def test_numbers_and_speeds() -> None:
    assert numbers("0-2,6") == (0, 1, 2, 6)
    assert (speed("400G"), speed("100000"), speed("auto")) == (400 * 10**9, 100 * 10**9, None)
    assert list(spread(("traffic-class", "0,3", "ecn", "enable"))) == [
        "traffic-class 0 ecn enable",
        "traffic-class 3 ecn enable",
    ]


@pytest.mark.parametrize("kind", TABLE.modes)
def test_every_form_of_a_statement_reads_back(kind: str) -> None:
    samples = ("1", "9000", "on", "rs", "400G", "up", "l3", "dwrr", "lossless", "alpha_2", "static", "copy")
    for row in (row for row in TABLE.modes[kind].rows if row.leaf):
        words = [e.words[0] if isinstance(e, Word) else "3" if ".." in e.type else "P" for e in _elements(row)[:-1]]
        last = _elements(row)[-1]
        texts = [" ".join([*words, value]) for value in ([last.words[0]] if isinstance(last, Word) else samples)]
        read_back = [parsed for parsed in (TABLE.parse(kind, text) for text in texts) if not parsed.unread]
        assert read_back, row.text
        assert all(parsed.value.name == row.leaf for parsed in read_back)


def _elements(row: Row) -> list[Word | Capture]:
    return [element for element in row.form if isinstance(element, Word | Capture)]


def test_the_tree_as_yaml_as_json_and_as_commands_is_one_model() -> None:
    tree = {
        "interface": {"swp1-2": {"link": {"mtu": 9000}, "qos": {"pfc": {"profile": "P"}}, "type": "swp"}},
        "qos": {"pfc": {"P": {"switch-priority": {"3": {}}, "tx": "enable"}}, "roce": {"mode": "lossy"}},
    }
    yaml = """\
- header:
    nvue-api-version: nvue_v1
- set:
    interface:
      swp1-2:
        link:
          mtu: 9000
        qos:
          pfc:
            profile: P
        type: swp
    qos:
      pfc:
        P:
          switch-priority:
            '3': {}
          tx: enable
      roce:
        mode: lossy
"""
    as_json = json.dumps([{"header": {"nvue-api-version": "nvue_v1"}}, {"set": tree}])
    readings = [
        read(Document("s.yaml", yaml)),
        read(Document("s.json", as_json)),
        commands(
            "interface swp1-2 type swp",
            "interface swp1,swp2 link mtu 9000",
            "interface swp1-2 qos pfc profile P",
            "qos roce mode lossy",
            "qos pfc P switch-priority 3",
            "qos pfc P tx enable",
        ),
    ]
    assert all([port.facts for port in r.ports] == [port.facts for port in readings[0].ports] for r in readings)
    assert all(r.complete_because for r in readings)
    assert cell(readings[0], "swp2", "pfc.priorities").value == {3}


def test_a_tree_that_is_cut_off_is_complete_for_nothing() -> None:
    head = "- header:\n    model: SN5600\n    nvue-api-version: nvue_v1\n- set:\n    interface:\n      swp1:\n        type: swp\n"
    assert read(Document("s.yaml", head)).complete_because
    cut = read(Document("s.yaml", head + "    qos:\n      roce:"))
    assert not cut.complete_because
    assert [s.observation.kind for s in cut.seen] == ["truncated"]
    assert not read(Document("s.yaml", head.replace("SN5600", "bluefield"))).complete_because


@pytest.mark.parametrize("state", ["enable off", "state disabled"])
def test_roce_can_be_off(state: str) -> None:
    reading = commands("interface swp1 type swp", "qos roce mode lossless", f"qos roce {state}")
    assert cell(reading, "swp1", "pfc.mode").value == "off"
    assert cell(reading, "swp1", "trust").value == "pcp"


def test_roce_without_a_mode_is_lossless_and_does_not_undo_one() -> None:
    assert cell(commands("interface swp1", "qos roce"), "swp1", "pfc.priorities").value == {3}
    assert (
        cell(commands("interface swp1", "qos roce mode lossy", "qos roce"), "swp1", "pfc.priorities").value
        == frozenset()
    )


def test_the_statements_for_all_ports_go_over_what_roce_sets() -> None:
    reading = commands(
        "interface swp1",
        "qos roce",
        "qos pfc default-global switch-priority 2",
        "qos egress-queue-mapping default-global switch-priority 2 traffic-class 3",
        "qos congestion-control default-global traffic-class 3 min-threshold 40000",
        "qos mapping default-global dscp 26 switch-priority 2",
    )
    assert cell(reading, "swp1", "pfc.priorities").value == {2}
    assert [cell(reading, "swp1", f"classes.{n}.queue").value for n in (2, 3, 6)] == [3, 3, 6]
    assert cell(reading, "swp1", "queues.3.ecn.min_bytes").value == 40_000
    assert cell(reading, "swp1", "queues.3.ecn.max_bytes").value == 1_500_000
    assert [cell(reading, "swp1", f"dscp.{n}").value for n in (26, 27)] == [2, 3]


def test_unset_takes_back_and_only_that() -> None:
    text = "\n".join(
        [
            "nv set interface swp1-2 qos pfc profile P",
            "nv set interface swp1-2 link mtu 9000",
            "nv set qos pfc P switch-priority 3,4",
            "nv unset qos pfc P switch-priority 4",
            "nv unset interface swp2 qos pfc",
            "nv unset interface swp2 link mtu",
        ]
    )
    reading = read(Document("c.txt", text, SHOW))
    assert cell(reading, "swp1", "pfc.priorities").value == {3}
    assert cell(reading, "swp2", "pfc.priorities").value == frozenset()
    assert [cell(reading, p, "ip_mtu_bytes").value for p in ("swp1", "swp2")] == [9000, 9216]


def test_what_a_tree_unsets_is_no_more_than_what_it_names() -> None:
    given = {"interface": {"swp1": {"link": {"mtu": 9000, "fec": "rs"}}}}
    tree = [{"set": given}, {"unset": {"interface": {"swp1": {"link": {"mtu": None}}}}}]
    reading = read(Document("s.json", json.dumps(tree), "nv config show -o json"))
    assert (cell(reading, "swp1", "ip_mtu_bytes").value, cell(reading, "swp1", "fec").value) == (9216, "rs")


@pytest.mark.parametrize(
    "line", ["interfaec swp1 link mtu 9000", "qso roce", "interface swp1 link mut 9000", "qos pcf P tx enable"]
)
def test_a_misspelt_word_is_told(line: str) -> None:
    assert [s.place.line for s in commands("interface swp1 link fec rs", line).seen] == [2]
    words = line.split()
    tree: Any = words[-1]
    for word in reversed(words[:-1]):
        tree = {word: tree}
    text = json.dumps([{"header": {}}, {"set": tree}], indent=1)
    assert [s.observation.kind for s in read(Document("s.json", text, "nv config show -o json")).seen] == [
        "unread-line"
    ]


@pytest.mark.parametrize("branch", ["qosq", "qo", "interfaces", "qos~"])
def test_a_branch_that_begins_like_ours_is_told(branch: str) -> None:
    text = json.dumps([{"header": {}}, {"set": {branch: {"roce": {}}}}], indent=1)
    assert [s.observation.kind for s in read(Document("s.json", text, "nv config show -o json")).seen] == [
        "unread-line"
    ]


@pytest.mark.parametrize(
    ("line", "unknown", "known_"),
    [
        ("interface swp1 link mtuu 9000", "ip_mtu_bytes", "fec"),
        ("interface swp1 link mt 9000", "ip_mtu_bytes", "pfc.mode"),
        ("interface swp1 qso pfc profile P", "pfc.mode", "ip_mtu_bytes"),
        ("qos pcf default-global switch-priority 3", "pfc.mode", "trust"),
        ("qos roec mode lossy", "pfc.mode", "ip_mtu_bytes"),
        (
            "qos advance-bufer-config default-global ingress-lossless-buffer shared-bytes 1",
            "groups.3.alpha",
            "pfc.mode",
        ),
        (
            "qos congestion-control default-global traffic-class 3 min-treshold 1",
            "queues.3.ecn.min_bytes",
            "queues.3.share",
        ),
        ("qos mapping default-global dscp 26 switch-prioriyt 3", "dscp.26", "dscp.27"),
        ("qos mapping default-global dscp x switch-priority 3", "dscp.26", "ip_mtu_bytes"),
    ],
)
def test_what_a_misspelt_statement_would_set_is_unknown_and_no_more(line: str, unknown: str, known_: str) -> None:
    reading = commands("interface swp1 link fec rs", "qos mapping default-global trust l3", line)
    assert [s.place.line for s in reading.seen] == [3]
    assert cell(reading, "swp1", unknown).why is Why.NOT_PARSED
    assert cell(reading, "swp1", known_).is_known


def test_a_misspelt_kind_of_block_is_about_the_profile_that_it_names() -> None:
    reading = commands(
        "interface swp1 qos pfc profile P", "interface swp2", "qos pcf P rx off", "qos pfc P switch-priority 3"
    )
    assert cell(reading, "swp1", "pfc.priorities").why is Why.NOT_PARSED
    assert cell(reading, "swp2", "pfc.mode").value == "off"


@pytest.mark.parametrize("ports", ["swp1", "allports"])
@pytest.mark.parametrize("setting", ["pcf.a.cos_list = [4]", "pfc.a.cos_lits = [4]", "pcf.a.port_set = swp1"])
def test_a_misspelt_setting_of_a_port_group_makes_unknown_what_it_would_set(setting: str, ports: str) -> None:
    text = f"pfc.port_group_list = [a]\npfc.a.port_set = {ports}\npfc.a.tx_enable = true\n{setting}\n"
    if "port_set" in setting:
        text = text.replace(f"pfc.a.port_set = {ports}\npfc", "pfc", 1)
    reading = read(Document("interfaces", "iface swp1\n"), Document("qos_features.conf", text))
    assert len([s for s in reading.seen if s.observation.kind == "unread-line"]) == 1
    assert cell(reading, "swp1", "pfc.priorities").why is Why.NOT_PARSED


def test_a_port_group_that_nothing_defines_leaves_open_what_it_would_set() -> None:
    text = "pfc.port_group_list = [a]\n"
    reading = read(Document("interfaces", "iface swp1\n"), Document("qos_features.conf", text))
    assert cell(reading, "swp1", "pfc.priorities").why is Why.UNDEFINED


def test_buffers_that_are_none_of_ours_are_passed_over() -> None:
    line = "qos advance-buffer-config default-global egress-lossless-buffer shared-alpha alpha_2"
    assert not commands("interface swp1", line).seen


@pytest.mark.parametrize(
    ("direction", "policed"), [("inbound", True), ("outbound", False), ("inbound control-plane", False)]
)
def test_only_an_access_list_on_entering_polices_data(direction: str, policed: bool) -> None:
    reading = commands("acl A rule 1 action police rate 100", f"interface swp1 acl A {direction}")
    assert cell(reading, "swp1", "policed").value is policed
    assert not reading.seen


def tree(lists: dict[str, Any]) -> DeviceReading:
    """A datastore of two ports, each with an access list of its own, and one whose list nobody defines."""
    ports = {f"swp{n}": {"acl": {name: {"inbound": {}}}} for n, name in enumerate(("LIMIT", "PASS", "LOST"), 1)}
    header = {"model": "SN5600", "version": "Cumulus Linux 5.13.0"}
    text = json.dumps([{"header": header}, {"set": {"acl": lists, "interface": ports}}], indent=1)
    return read(Document("startup.json", text))


@pytest.mark.parametrize(
    "limit", [{"rule": {"1": {"action": {"police": {"rate": 9}}}}}, {"police": None}, {"x": ["y", "police"]}]
)
def test_an_access_list_of_a_tree_polices_where_it_says_so(limit: dict[str, Any]) -> None:
    permit = {"rule": {"1": {"action": {"permit": {}}, "comment": "no policer"}}}
    found = tree({"LIMIT": limit, "PASS": permit})
    assert [cell(found, f"swp{n}", "policed").value_or_none() for n in (1, 2, 3)] == [True, False, None]
    assert cell(found, "swp3", "policed").why is Why.NOT_VISIBLE
    # the statements of the ports are the same, and the lists have changed places
    changed = tree({"LIMIT": permit, "PASS": limit, "LOST": permit})
    assert [cell(changed, f"swp{n}", "policed").value_or_none() for n in (1, 2, 3)] == [False, True, False]


def test_ports_share_their_facts_whatever_lists_nobody_names() -> None:
    first, second = (
        tree({"LIMIT": {}, "PASS": {}, "LOST": {}, f"other{n}": {"rule": {"1": {"action": {"police": {}}}}}})
        for n in (1, 2)
    )
    assert [port.facts for port in first.ports] == [port.facts for port in second.ports]
    assert all(one.facts is other.facts for one, other in zip(first.ports, second.ports, strict=True))


@pytest.mark.parametrize("names", ["swp1~x", "swp4-1", "~", "swp1-2~x"])
def test_a_name_that_is_none_puts_its_beginning_in_doubt(names: str) -> None:
    reading = commands("interface swp1-4 link mtu 9000", f"interface {names} link mtu 1500")
    assert [s.place.line for s in reading.seen] == [2]
    assert cell(reading, "swp1", "ip_mtu_bytes").is_unknown is names.startswith("swp1")


def test_in_a_fragment_absence_is_no_evidence() -> None:
    reading = commands("interface swp1 qos pfc profile P", "qos roce", complete=False)
    assert cell(reading, "swp1", "pfc.priorities").why is Why.NOT_VISIBLE
    assert cell(reading, "swp1", "ip_mtu_bytes").why is Why.NOT_VISIBLE
    assert not [s for s in reading.seen if s.observation.kind == "undefined"]


def test_a_name_that_nothing_defines_darkens_what_it_would_set() -> None:
    reading = commands("interface swp1 qos pfc profile P", "qos roce")
    assert cell(reading, "swp1", "pfc.priorities").why is Why.UNDEFINED
    assert [s.observation.kind for s in reading.seen] == ["undefined"]


@pytest.mark.parametrize(
    ("lines", "lossless"),
    [
        ([], False),
        (["qos traffic-pool default-lossless memory-percent 50"], True),
        (["qos traffic-pool default-lossless memory-percent 0"], False),
    ],
)
def test_pfc_needs_a_lossless_pool(lines: list[str], lossless: bool) -> None:
    reading = commands("interface swp1", "qos pfc default-global switch-priority 3", *lines)
    assert cell(reading, "swp1", "groups.3.lossless").value is lossless


def test_headroom_is_what_the_reserved_buffer_has_beyond_xoff() -> None:
    lines = [
        "interface swp1",
        "qos roce",
        "qos pfc default-global port-buffer 90000",
        "qos pfc default-global xoff-threshold 20000",
    ]
    assert cell(commands(*lines), "swp1", "groups.3.headroom_bytes").value == 70_000
    two = commands(*lines, "qos pfc default-global switch-priority 3,4")
    assert cell(two, "swp1", "groups.3.headroom_bytes").why is Why.NO_DEFAULT


def test_thresholds_that_are_shown_do_not_replace_those_that_are_configured() -> None:
    status = """\
                    operational    applied
congestion-control
  min-threshold     156.00 KB
pfc
  pfc-priority      3
  rx-enabled        yes
  tx-enabled        no
"""
    reading = read(
        Document("c.txt", "nv set interface swp1\nnv set qos roce", SHOW),
        Document("s.txt", status, "nv show interface swp1 qos roce status"),
    )
    assert cell(reading, "swp1", "queues.3.ecn.min_bytes").value == 150_000
    assert cell(reading, "swp1", "pfc.priorities").value == {3}
    assert cell(reading, "swp1", "pfc.operational") == known(frozenset())
    assert not reading.seen


def test_the_status_of_all_ports_is_told_apart() -> None:
    rule = "-" * 37
    section = (
        "{0}\nInterface: {1}\n{0}\npfc\n  pfc-priority      {2}\n  rx-enabled        yes\n  tx-enabled        yes\n"
    )
    status = section.format(rule, "swp1", "3") + section.format(rule, "swp2", "-")
    reading = read(
        Document("c.txt", "nv set interface swp1-2\nnv set qos roce", SHOW),
        Document("s.txt", status, "nv show interface qos-roce-status"),
    )
    assert [cell(reading, p, "pfc.operational").value for p in ("swp1", "swp2")] == [{3}, frozenset()]
    places = [port.parts[-1].block.place(0).line for port in reading.ports]
    assert places == [5, 12]


def test_commands_typed_at_a_prompt_are_read() -> None:
    reading = read(
        Document("log", "", "nv set interface swp1-2 link mtu 9000", 8),
        Document("log", "cumulus@leaf:mgmt:~$ nv set interface swp2 link mtu 1500\n", None, 9),
    )
    assert [cell(reading, p, "ip_mtu_bytes").value for p in ("swp1", "swp2")] == [9000, 1500]
    assert [port.header.line for port in reading.ports] == [7, 7]


def test_commands_behind_a_bare_prompt_are_read_and_remarks_are_not() -> None:
    reading = read(Document("guide", "$ nv set interface swp1 link mtu 9000\n# nv set interface swp1 link mtu 1500\n"))
    assert cell(reading, "swp1", "ip_mtu_bytes").value == 9000


def test_members_of_a_bond_carry_its_packets() -> None:
    reading = commands(
        "interface bond1 bond member swp1-2",
        "interface bond1 link mtu 9000",
        "interface swp1 link mtu 1500",
        "interface peerlink bond member swp3",
    )
    assert [cell(reading, p, "ip_mtu_bytes").value for p in ("swp1", "swp2", "bond1")] == [9000] * 3
    labels = {port.name: port.labels for port in reading.ports}
    assert labels["swp1"].lag == "bond1"
    assert (labels["swp1"].peer_link, labels["swp3"].peer_link) == (False, True)


def test_a_breakout_parent_is_no_port() -> None:
    reading = commands("interface swp1 link breakout 2x", "interface swp1s0-1 link mtu 9000")
    kinds = {port.name: port.facts.kind.value for port in reading.ports}
    assert kinds == {"swp1": "breakout-parent", "swp1s0": "ethernet", "swp1s1": "ethernet"}


def test_older_files_are_set_aside_where_nvue_speaks() -> None:
    reading = read(
        Document("c.txt", "nv set interface swp1 link mtu 9000", SHOW),
        Document("interfaces", "auto swp1\niface swp1\n    mtu 1500\n"),
        Document("qos_features.conf", "pfc.port_group_list = [p]\npfc.p.port_set = swp1\npfc.p.cos_list = [3]\n"),
    )
    assert cell(reading, "swp1", "ip_mtu_bytes").value == 9000
    assert cell(reading, "swp1", "pfc.mode").value == "off"


def test_a_group_of_all_ports_is_the_setting_of_every_port() -> None:
    text = "pfc.port_group_list = [all, two]\npfc.all.port_set = allports\npfc.all.cos_list = [3]\n"
    text += "pfc.two.port_set = [swp2]\npfc.two.cos_list = [4]\npfc.off.port_set = swp1\npfc.off.cos_list = [5]\n"
    reading = read(Document("interfaces", "iface swp1\niface swp2\n"), Document("qos_features.conf", text))
    assert [cell(reading, p, "pfc.priorities").value for p in ("swp1", "swp2")] == [{3}, {4}]


def test_the_storage_optimized_macro_of_nclu_is_not_guessed() -> None:
    reading = read(Document("n.txt", "net add interface swp1 storage-optimized pfc\nnet add interface swp1 mtu 9000\n"))
    assert cell(reading, "swp1", "pfc.mode").why is Why.NO_DEFAULT
    assert not reading.seen


def test_model_and_chip_by_the_header() -> None:
    yaml = "- header:\n    model: MSN4600C\n    nvue-api-version: nvue_v1\n    version: Cumulus Linux 5.9.1\n"
    yaml += "- set:\n    interface:\n      swp1: {}\n"
    device = read(Document("s.yaml", yaml)).device
    assert (device.asic.value, device.os_version.value) == ("spectrum3", "Cumulus Linux 5.9.1")
    assert read(Document("s.yaml", yaml.replace("MSN4600C", "VX"))).device.asic.is_unknown


def test_a_suppression_binds_to_what_stands_below_the_next_key() -> None:
    yaml = """\
- header:
    nvue-api-version: nvue_v1
- set:
    interface:
      # roce-audit: ignore[mtu/below-roce] reason="old host" until=2999-12-31
      swp1:
        link:
          mtu: 1500
      swp2:
        type: swp
"""
    (comment,) = read(Document("s.yaml", yaml)).inline_suppressions
    assert (comment.first, comment.last) == (6, 8)


@pytest.mark.parametrize(
    ("text", "command", "least"),
    [
        ("- header:\n    nvue-api-version: nvue_v1\n- set:\n    qos: {}\n", None, 95),
        ("- set:\n    qos:\n      roce: {}\n", None, 60),
        ("nv set qos roce\nnv set interface swp1 link mtu 9216\n", None, 85),
        ("  enable  on", "nv show qos roce", 85),
        ("iface swp1\n    mtu 9216\n", None, 80),
        ('{"interface": {"swp1-32": {"type": "swp"}}, "qos": {"roce": {"mode": "lossless"}}}', None, 85),
    ],
)
def test_recognised(text: str, command: str | None, least: int) -> None:
    assert PLATFORM.recognise(Document("x", text, command)) >= least


@pytest.mark.parametrize(
    "text",
    [
        "",
        "iface eth0 inet dhcp\n",
        "interface:\n  - a\n",
        "- set: 1\n",
        "pfc = on\n",
        "set interfaces ge-0/0/0 mtu 9000\n",
        "network add\n",
        '{"interface": {"eth0": {"mtu": 9000}}, "qos": {"limit": 3}}',
    ],
)
def test_not_recognised(text: str) -> None:
    assert PLATFORM.recognise(Document("x", text)) < 20


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("nv set system hostname 'leaf1'\n", "leaf1"),
        ("net add hostname leaf2\n", "leaf2"),
        ("- set:\n    system:\n      hostname: leaf3\n", "leaf3"),
        ('[{"set": {\n  "system": {\n    "hostname": "leaf4"\n}}}]', "leaf4"),
        ('[{"set":{"system":{"timezone":"UTC","hostname":"leaf5"}}}]', "leaf5"),
        ("nv set qos roce\n", None),
    ],
)
def test_host_name(text: str, name: str | None) -> None:
    assert PLATFORM.hostname(Document("x", text)) == name


def test_an_automatic_speed_is_absent() -> None:
    reading = commands("interface swp1 link speed auto", "interface swp1 link fec off")
    assert cell(reading, "swp1", "speed_bps") == absent()
    assert cell(reading, "swp1", "fec").value == "none"


OF_3X = """\
traffic.packet_priority_source_set = [dscp]
traffic.remark_packet_priority = none
traffic.cos_0.packet_priorities.dscp = [0,8]
traffic.cos_2.packet_priorities.dscp = [26]
pfc.port_group_list = [storage]
pfc.storage.cos_list = [2]
pfc.storage.port_set = swp1-swp6
pfc.storage.tx_enable = true
pfc.storage.rx_enable = true
ecn.port_group_list = [marking]
ecn.marking.cos_list = [2]
ecn.marking.port_set = swp1-swp4
ecn.marking.min_threshold_bytes = 120000
ecn.marking.max_threshold_bytes = 900000
ecn.marking.probability = 50
"""
HEADER = "#\n# /etc/cumulus/datapath/traffic.conf\n#\n"


def test_the_words_of_the_first_releases_for_what_a_switch_priority_takes_and_which_group_marks() -> None:
    reading = read(Document("leaf7.conf", OF_3X))
    assert not [s for s in reading.seen if s.kind == "unread"]
    assert cell(reading, "swp1", "dscp.26").get() == 2
    assert cell(reading, "swp1", "queues.2.ecn.marks").get() is True
    assert cell(reading, "swp1", "queues.2.ecn.min_bytes").get() == 120_000


def test_the_header_that_the_vendor_writes_shows_a_whole_file() -> None:
    whole = read(Document("leaf7.conf", HEADER + OF_3X))
    assert whole.complete_because
    assert cell(whole, "swp6", "queues.2.ecn").is_absent
    assert not read(Document("leaf7.conf", OF_3X)).complete_because
    assert not read(Document("leaf7.conf", OF_3X + HEADER)).complete_because


def test_a_list_of_every_port_of_a_switch_is_read_to_its_end() -> None:
    names = [f"swp{cage}s{lane}" for cage in range(1, 65) for lane in range(4)]
    reading = commands("qos roce mode lossless", f"interface {','.join(names)} link mtu 9216")
    assert [port.name for port in reading.ports] == names
    tree = f"- set:\n    interface:\n      ? {','.join(names)}\n      : link:\n          mtu: 9216\n"
    assert [port.name for port in read(Document("startup.yaml", tree)).ports] == names
    group = f"pfc.port_group_list = [roce]\npfc.roce.cos_list = [3]\npfc.roce.port_set = {','.join(names)}\n"
    assert [port.name for port in read(Document("qos_features.conf", group)).ports] == names


def test_an_endless_list_is_no_shorter_one() -> None:
    reading = commands(f"interface {'swp1s0,' * 20_000}swp2 link mtu 9216")
    assert [s.observation.kind for s in reading.seen] == ["unread-line"]
    assert all(port.facts.ip_mtu_bytes.is_unknown for port in reading.ports)


TREE = """- header:
    model: SN5600
- set:
    interface:
      swp1:
        qos:
          pfc-watchdog:
            state: enable
        type: swp
    qos:
      pfc:
        default-global:
          switch-priority:
            '3': {}
          tx: enable
          rx: enable
"""


@pytest.mark.parametrize(
    ("right", "wrong", "line"),
    [
        ("        qos:\n", "        qoss:\n", 6),
        ("          pfc-watchdog:", "          pfc-watchdgo:", 7),
        ("    qos:\n      pfc", "    qso:\n      pfc", 10),
        ("      pfc:", "      pcf:", 11),
        ("          switch-priority:", "          swich-priority:", 13),
        ("          tx: enable", "          tx: enabel", 15),
    ],
)
def test_a_misspelt_key_is_told_once_and_where_it_stands(right: str, wrong: str, line: int) -> None:
    assert right in TREE
    reading = read(Document("startup.yaml", TREE.replace(right, wrong, 1)))
    unread = [seen for seen in reading.seen if seen.observation.kind == "unread-line"]
    assert [seen.place.line for seen in unread] == [line]
    assert not unread[0].observation.name.endswith(":")
    if line >= 10:
        pfc = reading.ports[0].facts.pfc
        assert (pfc.get().mode if pfc.is_known else pfc).why is Why.NOT_PARSED


@pytest.mark.parametrize(
    ("mode", "kind"),
    [
        ("4x", "breakout-parent"),
        ("2x lanes-per-port 4", "breakout-parent"),
        ("4x25G", "breakout-parent"),
        ("1x", "ethernet"),
        ("disabled", "other"),
    ],
)
def test_a_port_that_is_broken_out_is_none_though_nothing_names_its_parts(mode: str, kind: str) -> None:
    reading = commands(
        "interface swp1-2 link state up", f"interface swp2 link breakout {mode}", "qos roce mode lossless"
    )
    assert cell(reading, "swp2", "kind").or_else(None) == kind
    assert cell(reading, "swp1", "kind").or_else(None) == "ethernet"


def test_a_breakout_that_is_taken_back_leaves_the_port() -> None:
    text = "nv set interface swp1 link breakout 4x\nnv unset interface swp1 link breakout\n"
    assert cell(read(Document("c.txt", text, SHOW)), "swp1", "kind").or_else(None) == "ethernet"


@pytest.mark.parametrize(
    "words",
    ["segment state enabled", "segment enable on", "segment df-preference 50000", "uplink on", "uplink enabled"],
)
def test_multihoming_is_understood(words: str) -> None:
    reading = commands(f"interface bond1,swp9 evpn multihoming {words}", "qos roce mode lossless")
    assert reading.seen == ()


@pytest.mark.parametrize("words", ["enable on", "enable off", "state enabled", "id auto"])
def test_a_bond_of_mlag_is_understood(words: str) -> None:
    """Up to 5.14 it is `enable on`, behind it `state enabled` (NVUE Command Reference, MLAG)."""
    reading = commands(f"interface bond1 bond mlag {words}", "qos roce mode lossless")
    assert [s.observation.kind for s in reading.seen] == []


OLD = """# /etc/cumulus/datapath/traffic.conf
traffic.packet_priority_source_set = [dscp]
traffic.cos_4.priority_source.dscp = [26]
traffic.priority_group_list = [service, bulk]
priority_group.service.cos_list = [4]
priority_group.service.weight = 32
priority_group.bulk.cos_list = [0,1]
priority_group.bulk.weight = 16
pfc.port_group_list = [roce]
pfc.roce.port_set = swp1
pfc.roce.cos_list = [4]
"""


def test_an_old_file_binds_queues_by_switch_priority() -> None:
    reading = read(Document("traffic.conf", OLD))
    assert cell(reading, "swp1", "classes.4.queue").get() == 4
    assert cell(reading, "swp1", "priorities.4.queue").get() == 4
    assert cell(reading, "swp1", "classes.7.queue").get() == 7  # as everywhere unless a file says otherwise


def test_a_lossless_pool_without_pfc_is_told_where_every_port_is_known_to_have_none() -> None:
    pool = "qos traffic-pool default-lossless memory-percent 40"
    port = "interface swp1 link mtu 9216"
    assert kinds(commands(pool, port)) == ["unpaused"]
    assert kinds(commands(pool, port, complete=False)) == []
    assert kinds(commands(pool, port, "qos pfc default-global switch-priority 3")) == []
    assert kinds(commands("qos traffic-pool default-lossless memory-percent 0", port)) == []


@pytest.mark.parametrize(
    ("lines", "untagged"),
    [
        (["interface swp1 ip address 10.0.1.0/31"], True),
        (["interface swp1 ip address 10.0.1.0/31", "interface swp1.100 ip address 10.0.2.0/31"], False),
        (["interface swp1 bridge domain br_default access 10"], True),
        (["interface swp1 bridge domain br_default vlan 10,20"], False),
        (["interface swp1 link mtu 9216"], False),
    ],
)
def test_routed_and_access_ports_get_packets_without_a_tag(lines: list[str], untagged: bool) -> None:
    reading = commands(*lines)
    assert next(port for port in reading.ports if port.name == "swp1").labels.untagged is untagged


def test_a_watchdog_without_pfc_on_any_port_is_told() -> None:
    lines = ["interface swp1-2 link mtu 9216", "interface swp1-2 qos pfc-watchdog state enable", "qos roce enable on"]
    found = commands(*lines, "qos roce mode lossy")
    assert [seen.observation.text for seen in found.seen if seen.observation.kind == "unpaused"] == [
        "the PFC watchdog is on for 2 ports, and PFC is on for no port"
    ]
    assert kinds(commands(*lines, "qos roce mode lossless")) == []
    assert kinds(commands(lines[0], lines[2], "qos roce mode lossy")) == []


def test_a_lossless_pool_for_another_priority_than_has_pfc_leaves_the_group_open() -> None:
    lines = ["qos traffic-pool default-lossless memory-percent 40", "interface swp1 link mtu 9216"]
    lines += ["qos pfc default-global switch-priority 3", "qos mapping default-global trust l3"]
    lines += ["qos mapping default-global dscp 26 switch-priority 3"]
    apart = commands(*lines, "qos traffic-pool default-lossless switch-priority 4")
    assert kinds(apart) == ["conflict"]
    assert cell(apart, "swp1", "groups.3.lossless").why is Why.CONFLICT
    assert kinds(commands(*lines, "qos traffic-pool default-lossless switch-priority 3")) == []


def test_a_map_that_nobody_trusts_is_told_by_its_ranges() -> None:
    lines = ["interface swp1 link mtu 9216", "qos mapping default-global trust l2"]
    reading = commands(*lines, "qos mapping default-global dscp 0-25,27,30-31 switch-priority 0")
    (text,) = [seen.observation.text for seen in reading.seen if seen.observation.kind == "map-without-trust"]
    assert "its map of DSCP 0-25, 27, 30-31 has no effect" in text


def test_settings_kept_at_their_own_path_that_map_without_trust_are_whole() -> None:
    path = "leaf1/etc/cumulus/datapath/qos/qos_features.conf"
    text = "traffic.cos_3.priority_source.dscp = [26]\npfc.port_group_list = [g]\npfc.g.port_set = swp1\npfc.g.cos_list = [3]\n"
    alone = PLATFORM.read(DeviceInput("leaf1", "cumulus", (Document(path, text),)))
    assert alone.complete_because == {path: "the whole file, kept at its own path"}
    assert cell(alone, "swp1", "trust").value == "pcp"
    part = PLATFORM.read(DeviceInput("leaf1", "cumulus", (Document(path, text.split("\n", 1)[1]),)))
    assert not part.complete_because


@pytest.mark.parametrize(("members", "devices"), [("ens1f0np0 ens1f1np1", 0), ("swp1 swp2", 1)])
def test_a_bond_of_a_host_is_none_of_a_switch(tmp_path: Path, members: str, devices: int) -> None:
    (tmp_path / "interfaces").write_text(
        f"auto bond0\niface bond0 inet static\n    mtu 9000\n    bond-slaves {members}\n    bond-mode 802.3ad\n"
    )
    assert len(load([str(tmp_path)]).devices) == devices


@pytest.mark.parametrize(
    ("rules", "met"),
    [
        (("rule 1 match ip protocol icmp", "rule 1 action police rate 100"), frozenset()),
        (("rule 1 match ip protocol tcp", "rule 1 action police rate 100", "rule 2 action permit"), frozenset()),
        (("rule 1 match ip protocol udp", "rule 1 action police rate 100"), None),
        (("rule 1 match ip protocol icmp", "rule 1 action police rate 100", "rule 2 action police rate 9"), None),
        (
            ("rule 1 match ip protocol udp", "rule 1 match ip udp dest-port 53", "rule 1 action police rate 9"),
            frozenset(),
        ),
        (("rule 1 match ip dscp 26", "rule 1 action police rate 100"), None),
    ],
)
def test_a_policer_of_other_protocols_meets_no_packet_of_roce(
    rules: tuple[str, ...], met: frozenset[int] | None
) -> None:
    reading = commands(*(f"acl A {rule}" for rule in rules), "interface swp1 acl A inbound")
    assert cell(reading, "swp1", "policed").value is True
    assert cell(reading, "swp1", "policed_dscps").value == met


def test_a_list_that_nobody_defines_may_police_roce_beside_one_that_does_not() -> None:
    rules = ("acl A rule 1 match ip protocol icmp", "acl A rule 1 action police rate 100")
    reading = commands(*rules, "interface swp1 acl A inbound", "interface swp1 acl B inbound")
    assert cell(reading, "swp1", "policed").is_unknown
    assert cell(reading, "swp1", "policed_dscps").is_unknown


def test_the_rules_of_a_tree_that_police_are_told_apart() -> None:
    rule = {"match": {"ip": {"protocol": "icmp"}}, "action": {"police": {"rate": 9}}}
    found = tree(
        {"LIMIT": {"rule": {"1": rule}}, "PASS": {}, "LOST": {"rule": {"1": {"action": {"police": {"rate": 9}}}}}}
    )
    assert [cell(found, f"swp{n}", "policed").value for n in (1, 2, 3)] == [True, False, True]
    assert [cell(found, f"swp{n}", "policed_dscps").value for n in (1, 3)] == [frozenset(), None]


@pytest.mark.parametrize(
    "mode", ["balance-rr", "active-backup", "balance-xor", "broadcast", "balance-tlb", "balance-alb"]
)
def test_bonds_without_lacp_and_links_without_negotiation(mode: str) -> None:
    text = f"auto swp1\niface swp1\n    link-autoneg no\nauto bond1\niface bond1\n    bond-slaves swp1\n    bond-mode {mode}\n"
    reading = read(Document("etc/network/interfaces", text))
    assert kinds(reading) == []
    assert (cell(reading, "swp1", "lacp").get(), cell(reading, "swp1", "autoneg").get()) == ("static", False)
