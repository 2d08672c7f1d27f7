"""How platforms of paths write a change: lists of commands, YAML, blocks in braces."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roce_audit.audit import Request, check
from roce_audit.platforms import repairs
from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.repair import Change, Edit, applied, between
from roce_audit.platforms.shared.cli.negation import negated
from roce_audit.platforms.shared.path.yaml_paths import YamlPaths, plain_block
from roce_audit.policy import Policy
from roce_audit.text.structured.yamltext import parse

Ports = dict[str, PortReading]
Lines = dict[str, list[str]]

COMMANDS = """nv set system hostname leaf1
nv set interface swp1-2 link mtu 9216
nv set interface swp3 link mtu 1500
nv set qos pfc ROCE switch-priority 3
"""
TREE = """- header:
    model: SN5600
    nvue-api-version: nvue_v1
- set:
    system:
      hostname: leaf2
    interface:
      # the rails
      swp1:
        link:
          mtu: 9216  # jumbo
        type: swp
      swp2:
        type: swp
    qos:
      roce:
        enable: on
"""
BLOCKS = """interface ethernet-1/1 {
    mtu 9412
    subinterface 0 {
        ip-mtu 9000
    }
}
interface ethernet-1/2 {
    subinterface 0 {
        ip-mtu 1500
    }
}
system {
    name {
        host-name leaf3
    }
}
"""
ONYX = """##
## Hostname: leaf4
##
   hostname leaf4
   interface ethernet 1/1-1/2 mtu 9216 force
   interface ethernet 1/1-1/2 pfc-wd
   interface ethernet 1/1 ip address 10.0.0.0/31 primary
"""


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)

    def one(name: str, text: str) -> tuple[Ports, Lines]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
        (device,) = check(Request((name,), Policy.empty())).devices
        return {port.name: port for port in device.ports}, {name: text.split("\n")}

    return one


def after(texts: Lines, change: Change) -> list[str]:
    (lines,) = texts.values()
    return applied(lines, change.edits)


def place(texts: Lines, text: str):  # type: ignore[no-untyped-def]
    from roce_audit.values import Place

    ((path, lines),) = texts.items()
    return Place(path, next(n for n, line in enumerate(lines, 1) if text in line))


def test_a_command_of_one_port_is_replaced(read) -> None:  # type: ignore[no-untyped-def]
    ports, texts = read("leaf1.txt", COMMANDS)
    (change,) = repairs("cumulus").say("port.ip_mtu_bytes", 9000, (place(texts, "1500"),), ports["swp3"], texts)
    assert after(texts, change)[2] == "nv set interface swp3 link mtu 9000"
    assert change.do == ("nv set interface swp3 link mtu 9000",)
    assert change.undo == ("nv set interface swp3 link mtu 1500",)


def test_a_command_of_several_ports_is_overridden_behind_it_or_changed_for_all(read) -> None:  # type: ignore[no-untyped-def]
    ports, texts = read("leaf1.txt", COMMANDS)
    one, all_ = repairs("cumulus").say("port.ip_mtu_bytes", 9000, (place(texts, "swp1-2"),), ports["swp2"], texts)
    lines = after(texts, one)
    assert lines.index("nv set interface swp2 link mtu 9000") > lines.index("nv set interface swp1-2 link mtu 9216")
    assert one.undo == ("nv set interface swp2 link mtu 9216",)
    assert after(texts, all_)[1] == "nv set interface swp1-2 link mtu 9000"


def test_a_range_that_a_port_begins_with_is_changed_for_all(read) -> None:  # type: ignore[no-untyped-def]
    ports, texts = read("leaf4.txt", ONYX)
    of_one, of_all = repairs("onyx").say("port.ip_mtu_bytes", 9000, (), ports["Eth1/2"], texts)
    assert after(texts, of_all) == ONYX.replace("9216", "9000").split("\n")
    assert of_all.reaches == {"Eth1/1", "Eth1/2"}
    assert not of_one.reaches


def test_a_list_loses_what_is_no_longer_in_it(read) -> None:  # type: ignore[no-untyped-def]
    ports, texts = read("leaf1.txt", COMMANDS)
    where = (place(texts, "switch-priority"),)
    (change,) = repairs("cumulus").say("port.pfc.priorities", frozenset({4}), where, ports["swp3"], texts)
    assert change.do == ("nv unset qos pfc ROCE switch-priority 3", "nv set qos pfc ROCE switch-priority 4")


@pytest.mark.parametrize(
    ("stands", "becomes"),
    [
        ("nv set qos roce mode lossy", "nv set qos roce mode lossless"),
        ("nv set qos roce enable off", "nv set qos roce enable on"),
        ("nv set qos pfc ROCE tx disable", "nv set qos pfc ROCE tx enable"),
        ("nv set qos pfc ROCE rx disable", "nv set qos pfc ROCE rx enable"),
    ],
)
def test_pfc_is_turned_on_where_it_was_turned_off(read, stands: str, becomes: str) -> None:  # type: ignore[no-untyped-def]
    ports, texts = read("nv_config_show_-o_commands.txt", f"{COMMANDS}{stands}\n")
    where = (place(texts, stands),)
    (change,) = repairs("cumulus").say("port.pfc.priorities", frozenset({3}), where, ports["swp3"], texts)
    assert (change.do, change.undo) == ((becomes,), (stands,))


def test_taking_back_names_no_value(read) -> None:  # type: ignore[no-untyped-def]
    ports, texts = read("leaf1.txt", COMMANDS)
    (change,) = repairs("cumulus").drop(ports["swp3"], place(texts, "1500"), texts)
    assert change.do == ("nv unset interface swp3 link mtu",)
    assert change.undo == ("nv set interface swp3 link mtu 1500",)


def test_yaml_keeps_comments_and_order(read) -> None:  # type: ignore[no-untyped-def]
    ports, texts = read("leaf2.yaml", TREE)
    (change,) = repairs("cumulus").say("port.ip_mtu_bytes", 9000, (place(texts, "9216"),), ports["swp1"], texts)
    assert after(texts, change) == TREE.replace("9216", "9000").split("\n")


def test_yaml_blocks_are_added_where_they_are_missing(read) -> None:  # type: ignore[no-untyped-def]
    ports, texts = read("leaf2.yaml", TREE)
    (change,) = repairs("cumulus").say("port.ip_mtu_bytes", 9216, (), ports["swp2"], texts)
    assert after(texts, change)[12:17] == [
        "      swp2:",
        "        type: swp",
        "        link:",
        "          mtu: 9216",
        "    qos:",
    ]
    assert change.undo == ("nv unset interface swp2 link mtu",)


def test_an_empty_yaml_block_goes_with_its_last_leaf(read) -> None:  # type: ignore[no-untyped-def]
    ports, texts = read("leaf2.yaml", TREE)
    (change,) = repairs("cumulus").drop(ports["swp1"], place(texts, "9216"), texts)
    assert "        link:" not in after(texts, change)


FLOW = TREE.replace("        type: swp\n    qos", "        link: {mtu: 1500}  # the old host\n    qos").replace(
    "        enable: on",
    "        enable: 'on'\n      pfc:\n        P:\n          switch-priority:\n            3: {}  # RoCE",
)


def test_yaml_that_is_no_plain_block_keeps_its_style(read) -> None:  # type: ignore[no-untyped-def]
    ports, texts = read("leaf2.yaml", FLOW)
    (change,) = repairs("cumulus").say("port.ip_mtu_bytes", 9216, (), ports["swp2"], texts)
    assert after(texts, change) == FLOW.replace("1500", "9216").split("\n")
    (change,) = repairs("cumulus").drop(ports["swp2"], place(texts, "1500"), texts)
    assert after(texts, change) == [line for line in FLOW.split("\n") if "1500" not in line and "swp2" not in line]


def test_a_key_that_is_a_value_is_renamed_in_its_line(read) -> None:  # type: ignore[no-untyped-def]
    ports, texts = read("leaf2.yaml", FLOW)
    (change,) = repairs("cumulus").say(
        "port.pfc.priorities", frozenset({4}), (place(texts, "3: {}"),), ports["swp1"], texts
    )
    assert after(texts, change) == FLOW.replace("3: {}", "4: {}").split("\n")
    assert change.do == ("nv unset qos pfc P switch-priority 3", "nv set qos pfc P switch-priority 4")


@pytest.mark.parametrize("quote", ["'", '"'])
def test_a_new_key_stands_in_the_quotes_of_its_like(read, quote: str) -> None:  # type: ignore[no-untyped-def]
    quoted = FLOW.replace("3: {}", f"{quote}3{quote}: {{}}")
    ports, texts = read("leaf2.yaml", quoted)
    at = place(texts, f"{quote}3{quote}: {{}}")
    (change,) = repairs("cumulus").say("port.pfc.priorities", frozenset({4}), (at,), ports["swp1"], texts)
    assert after(texts, change) == quoted.replace("3", "4").split("\n")


@pytest.mark.parametrize("quote", ["", "'"])
def test_so_it_does_in_lines_of_a_plain_block(quote: str) -> None:
    def key(number: int) -> str:
        return f"            {quote}{number}{quote}:\n              switch-priority: {number}\n"

    begin = TREE.partition("    qos:\n")[0] + "    qos:\n      mapping:\n        P:\n          dscp:\n"
    lines = (begin + key(26)).split("\n")
    text = repairs("cumulus").text("a.yaml", lines)
    assert text is not None
    words = ("qos", "mapping", "P", "dscp", "48", "switch-priority", "48")
    assert "\n".join(applied(lines, text.write(words, None))) == begin + key(26) + key(48)


def test_yaml_that_would_not_come_back_as_it_was_is_left_alone(read) -> None:  # type: ignore[no-untyped-def]
    ports, texts = read("leaf2.yaml", FLOW.replace("{mtu: 1500}", "{ mtu:  1500 }"))
    assert repairs("cumulus").say("port.ip_mtu_bytes", 9216, (), ports["swp2"], texts) == []


def test_a_leaf_in_braces_is_changed_in_its_line(read) -> None:  # type: ignore[no-untyped-def]
    ports, texts = read("leaf3.txt", BLOCKS)
    where = (place(texts, "ip-mtu 1500"),)
    (change,) = repairs("srlinux").say("port.ip_mtu_bytes", 9000, where, ports["ethernet-1/2"], texts)
    assert after(texts, change) == BLOCKS.replace("1500", "9000").split("\n")
    assert change.do == ("set / interface ethernet-1/2 subinterface 0 ip-mtu 9000",)


def test_what_a_similar_port_has_more_is_written_into_the_block(read) -> None:  # type: ignore[no-untyped-def]
    ports, texts = read("leaf3.txt", BLOCKS)
    one, other = ports["ethernet-1/2"], ports["ethernet-1/1"]
    (change,) = repairs("srlinux").like(one, other, (), (place(texts, "mtu 9412"),), texts)
    assert after(texts, change)[10:12] == ["    mtu 9412", "}"]
    assert change.undo == ("delete / interface ethernet-1/2 mtu",)


@pytest.mark.parametrize(
    "block",
    [
        "subinterface 0 { ip-mtu 1500\n    }",
        "subinterface 0 {\n        ip-mtu 1500 }",
        "subinterface 0 {\n        ip-mtu 1500; admin-state enable\n    }",
        "subinterface 0 {\n        ip-mtu 1500\n    } admin-state enable",
    ],
)
def test_braces_that_share_a_line_are_left_alone(read, block: str) -> None:  # type: ignore[no-untyped-def]
    text = BLOCKS.replace("subinterface 0 {\n        ip-mtu 1500\n    }", block)
    assert text != BLOCKS
    ports, texts = read("leaf3.txt", text)
    where = (place(texts, "ip-mtu 1500"),)
    assert repairs("srlinux").say("port.ip_mtu_bytes", 9000, where, ports["ethernet-1/2"], texts) == []


def test_a_statement_of_several_lines_goes_as_a_whole(read) -> None:  # type: ignore[no-untyped-def]
    ports, texts = read("leaf3.txt", BLOCKS.replace("    mtu 9412\n", '    description "a\n  b"\n    mtu 9412\n'))
    (change,) = repairs("srlinux").drop(ports["ethernet-1/1"], place(texts, '"a'), texts)
    assert after(texts, change) == BLOCKS.split("\n")
    assert change.undo == ('set / interface ethernet-1/1 description "a\n  b"',)


def test_addresses_and_names_are_nobody_elses(read) -> None:  # type: ignore[no-untyped-def]
    flat = """set / interface ethernet-1/1 mtu 9412
set / interface ethernet-1/1 subinterface 0 ipv6 address 2001:db8::1/127
set / interface ethernet-1/1 subinterface 0 vlan encap single-tagged vlan-id 7
set / interface ethernet-1/2 admin-state enable
set / system name host-name leaf7
"""
    ports, texts = read("leaf7.txt", flat)
    found = repairs("srlinux").like(ports["ethernet-1/2"], ports["ethernet-1/1"], (), (), texts)
    assert [change.do for change in found] == [("set / interface ethernet-1/2 mtu 9412",)]


def test_a_line_is_taken_back_for_one_port_of_a_range(read) -> None:  # type: ignore[no-untyped-def]
    ports, texts = read("leaf4.cfg", ONYX)
    one, all_ = repairs("onyx").drop(ports["Eth1/1"], place(texts, "pfc-wd"), texts)
    lines = after(texts, one)
    assert lines.index("   no interface ethernet 1/1 pfc-wd") > lines.index("   interface ethernet 1/1-1/2 pfc-wd")
    assert all_.do == ("no interface ethernet 1/1-1/2 pfc-wd",)


def test_no_takes_what_names_the_setting() -> None:
    assert negated("mtu 9216", ("mtu",)) == "no mtu"
    assert negated("queue 3 wred-policy ROCE", ("queue *", "queue * wred-policy")) == "no queue 3 wred-policy"
    assert negated("pause", ("mtu",)) == "no pause"
    assert negated("no shutdown", ()) == "shutdown"


def test_edits_between_two_texts_make_the_one_of_the_other() -> None:
    before, wanted = ["a", "b", "c", "d"], ["x", "a", "B", "c", "e", "f"]
    assert applied(before, between("t", before, wanted)) == wanted


@given(st.lists(st.sampled_from("abc"), max_size=8), st.lists(st.sampled_from("abc"), max_size=8))
def test_edits_between_any_two_texts_leave_what_is_the_same(before: list[str], wanted: list[str]) -> None:
    edits = between("t", before, wanted)
    assert applied(before, edits) == wanted
    assert (edits == []) == (before == wanted)
    same = next((n for n, (old, new) in enumerate(zip(before, wanted, strict=False)) if old != new), None)
    assert same is None or all(edit.line >= same for edit in edits)


def test_an_edit_adds_several_lines_and_the_same_ones_twice() -> None:
    edits = [Edit("t", 1, None, "x: {\n}"), Edit("t", 1, None, "y: {\n}")]
    assert applied(["a", "b"], edits) == ["a", "x: {", "}", "y: {", "}", "b"]


JSON = """{
  "interface": [
    {
      "name": "ethernet-1/1",
      "mtu": 9412,
      "subinterface": [
        {
          "index": 0,
          "admin-state": "enable",
          "ip-mtu": 1500
        }
      ]
    },
    {
      "name": "ethernet-1/2",
      "admin-state": "enable"
    }
  ],
  "system": {
    "name": {
      "host-name": "leaf5"
    }
  }
}"""


def test_a_leaf_in_json_is_changed_in_its_line(read) -> None:  # type: ignore[no-untyped-def]
    ports, texts = read("leaf5.json", JSON)
    where = (place(texts, "1500"),)
    (change,) = repairs("srlinux").say("port.ip_mtu_bytes", 9000, where, ports["ethernet-1/1"], texts)
    assert after(texts, change) == JSON.replace("1500", "9000").split("\n")
    assert change.do == ("set / interface ethernet-1/1 subinterface 0 ip-mtu 9000",)


def test_the_last_leaf_of_an_object_takes_its_comma_along(read) -> None:  # type: ignore[no-untyped-def]
    ports, texts = read("leaf5.json", JSON)
    (change,) = repairs("srlinux").drop(ports["ethernet-1/1"], place(texts, "1500"), texts)
    lines = after(texts, change)
    assert lines[6:10] == ["        {", '          "index": 0,', '          "admin-state": "enable"', "        }"]
    json.loads("\n".join(lines))


def test_a_leaf_is_added_to_the_object_in_json(read) -> None:  # type: ignore[no-untyped-def]
    ports, texts = read("leaf5.json", JSON)
    one, other = ports["ethernet-1/2"], ports["ethernet-1/1"]
    (change,) = repairs("srlinux").like(one, other, (), (place(texts, '"mtu": 9412'),), texts)
    assert json.loads("\n".join(after(texts, change)))["interface"][1] == {
        "name": "ethernet-1/2",
        "admin-state": "enable",
        "mtu": 9412,
    }


def test_nvue_in_json_is_changed_as_in_yaml(read) -> None:  # type: ignore[no-untyped-def]
    text = json.dumps(
        [{"header": {"nvue-api-version": "nvue_v1"}}, {"set": {"interface": {"swp1": {"link": {"mtu": 1500}}}}}],
        indent=2,
    )
    ports, texts = read("leaf6.json", text)
    (change,) = repairs("cumulus").say("port.ip_mtu_bytes", 9000, (place(texts, "1500"),), ports["swp1"], texts)
    assert "\n".join(after(texts, change)) == text.replace("1500", "9000")
    assert change.do == ("nv set interface swp1 link mtu 9000",)


@pytest.mark.parametrize(
    "block", ["{a: 1}", "[a]", "\n  - a", "|\n  a\n", "\n  b", "&b\n  c: 1", "{a:\n  1}"], ids=repr
)
def test_only_plain_yaml_is_changed_line_by_line(block: str) -> None:
    lines = f"a: {block}\nz: 1".split("\n")
    assert plain_block(parse("\n".join(lines)), (), lines, str) is None


def test_plain_yaml_is_a_tree_of_lines() -> None:
    lines = ["a:", '  "b": {}', "", "  c: # d", "    1: x # y", "  e:", "f: []"]
    root = plain_block(parse("\n".join(lines)), (), lines, str)
    assert root is not None
    found = [(words, node.line, node.last, node.is_block) for words, node in root.walk()]
    assert found == [
        (("a",), 1, 6, True),
        (("a", "b"), 2, 2, False),
        (("a", "c"), 4, 5, True),
        (("a", "c", "1", "x"), 5, 5, False),
        (("a", "e"), 6, 6, True),
        (("f",), 7, 7, False),
    ]


NVUE = [file for file in sorted((Path(__file__).parents[2] / "fixtures").rglob("*.yaml")) if "nvue" in file.read_text()]


@pytest.mark.parametrize("file", NVUE, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_lines_are_changed_as_a_round_trip_of_the_yaml_would(file: Path) -> None:
    lines = file.read_text().split("\n")
    text = repairs("cumulus").text(file.name, lines)
    assert isinstance(text, YamlPaths)
    tree = YamlPaths(file.name, lines, text.said, root=text.root, word=text.word, names=text.names, plain=None)
    compared = 0
    for said in text.said[::7]:
        wanted = [tree.write((*said.words[:-1], "77"), said), tree.erase(said)]
        for edits, by_tree in zip([text.write((*said.words[:-1], "77"), said), text.erase(said)], wanted, strict=True):
            if by_tree:
                assert applied(lines, edits) == applied(lines, by_tree), said
                compared += 1
    assert compared > 1
