"""A filter is blamed where it drops every RoCEv2 packet, and is doubted or passed over otherwise."""

from __future__ import annotations

import pytest

from roce_audit.platforms.junos.filters import drops_roce as junos_drops
from roce_audit.platforms.junos.table import TABLE
from roce_audit.platforms.shared.path.builder import Leaves
from roce_audit.platforms.shared.policy.rulelines import neutral
from roce_audit.platforms.sonic.database import rows
from roce_audit.platforms.sonic.filters import dropping
from roce_audit.text.acl import drops_roce
from roce_audit.text.document import Document
from roce_audit.text.structured.jsontext import parse
from roce_audit.values import At, Why, unknown


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["10 deny udp any any eq 4791", "20 permit ip any any"], (True, 0)),
        (["seq 5 deny udp any any range 4000 5000", "seq 10 permit ip any any"], (True, 0)),
        (["10 permit tcp any any", "20 deny ip any any log"], (True, 1)),
        (["remark nothing of ours", "10 permit tcp any any"], (True, -1)),
        (["10 permit udp any any eq 4791", "20 deny udp any any eq 4791"], (False, 0)),
        (["10 permit ip 10.0.0.0/8 any", "20 deny ip any any"], (False, 0)),
        (["10 deny ip 10.9.0.0/16 any", "20 permit ip any any"], (False, 1)),
        (["10 deny udp 10.9.0.0/16 any eq 4791", "20 permit ip any any"], (None, 0)),
        (["10 deny udp 10.9.0.0/16 any eq 4791", "20 deny udp any any eq 4791"], (True, 1)),
        (["10 deny udp any eq 4791 any", "20 permit ip any any"], (None, 0)),
        (["10 permit any any any"], (False, 0)),
        (["10 permit tcp any any", "20 permit udp any any eq bfd bootps 3784"], (True, -1)),
        (["10 permit udp 10.0.0.0/8 any eq domain", "20 permit udp host 10.1.1.1 eq 53 any gt 5000"], (True, -1)),
        (["10 deny udp any any gt 1023", "20 permit ip any any"], (True, 0)),
        (["10 deny udp any any neq snmp log", "20 permit ip any any"], (True, 0)),
        (["10 deny udp any any lt 1024", "20 deny udp any any range 5000 6000", "30 permit ip any any"], (False, 2)),
        (["10 permit udp any any eq 4789 4791", "20 deny ip any any"], (False, 0)),
        (["10 deny udp any any eq 4791 dscp 0", "20 permit ip any any"], (None, 0)),
        (["10 permit udp any 10.0.0.0 0.255.255.255 eq 4791", "20 deny ip any any"], (False, 0)),
        (["10 deny udp any any gt ntp", "20 permit ip any any"], (False, 1)),
        (["10 permit udp"], (False, 0)),
        ([], (False, -1)),
        (["feature bgp", "vdc leaf1 id 1"], (False, -1)),
    ],
)
def test_the_first_line_that_meets_all_roce_packets_decides(lines: list[str], answer: tuple[bool | None, int]) -> None:
    assert drops_roce(lines, drops_rest=True) == answer


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("rule 5 deny udp destination-port eq 4791", "deny udp any any eq 4791"),
        ("rule 10 permit ip", "permit ip any any"),
        ("rule 15 deny udp source 10.0.0.0 0.0.0.255", "15 deny udp source 10.0.0.0 0.0.0.255"),
    ],
)
def test_rules_by_number_are_read_as_lines(line: str, same: str) -> None:
    assert neutral(line) == same


def test_what_no_rule_meets_is_let_through_where_that_is_so() -> None:
    assert drops_roce(["permit tcp any any"], drops_rest=False) == (False, -1)


_NO_RDMA = ("term A from protocol udp", "term A from destination-port 4791", "term A then discard")


@pytest.mark.parametrize(
    ("statements", "decides"),
    [
        ((*_NO_RDMA, "term B then accept"), 2),
        (("term A from protocol tcp", "term A then discard", "term B then accept"), None),
        (("term A from source-address 10.0.0.0/8 except", "term A then discard", "term B then accept"), None),
        (("term A from source-address 10.0.0.0/8", "term A then accept", "term B then discard"), None),
        (("term A then next term", *(said.replace(" A ", " C ") for said in _NO_RDMA)), 3),
        (("term A from protocol tcp", "term A then accept"), 0),
    ],
)
def test_terms_of_a_filter_are_tried_in_order(statements: tuple[str, ...], decides: int | None) -> None:
    found = Leaves()
    for index, text in enumerate(statements):
        found.take(TABLE.parse("filter", text), At(0, index))
    dropped = junos_drops(found, At(1, 0), lambda text: unknown(Why.NOT_PARSED), is_whole=True)
    assert (dropped[0].index if dropped else None) == decides


_RULES = """{"PORT": {"Ethernet0": {"speed": "400000"}},
 "ACL_TABLE": {"GUARD": {"type": "%s", "ports": ["Ethernet0", "PortChannel1"]}}, "ACL_RULE": {
 "GUARD|R1": {"PRIORITY": "20", "IP_PROTOCOL": "17", "L4_DST_PORT": "4791", "PACKET_ACTION": "DROP"},
 "GUARD|R2": {"PRIORITY": "%s", "L4_DST_PORT_RANGE": "4791-4791", "PACKET_ACTION": "%s"}}}"""


@pytest.mark.parametrize(
    ("kind", "priority", "action", "ports"),
    [
        ("L3", "10", "FORWARD", ["Ethernet0", "PortChannel1"]),
        ("L3", "30", "FORWARD", []),
        ("L3", "30", "DROP", ["Ethernet0", "PortChannel1"]),
        ("MIRROR", "10", "FORWARD", []),
        ("CTRLPLANE", "10", "FORWARD", []),
    ],
)
def test_the_rule_of_the_highest_priority_decides(kind: str, priority: str, action: str, ports: list[str]) -> None:
    text = _RULES % (kind, priority, action)
    found = rows(Document("config_db.json", text), parse(text))
    of = {name: [row for row in found if row.table == name] for name in ("ACL_TABLE", "ACL_RULE")}
    assert [name for name, _, _ in dropping(of["ACL_TABLE"], of["ACL_RULE"])] == ports


_BY_DSCP = """{"PORT": {"Ethernet0": {"speed": "400000"}}, "ACL_TABLE": {"GUARD": {"type": "L3", "ports": ["Ethernet0"]}}, "ACL_RULE": {
 "GUARD|R1": {"PRIORITY": "20", %s, "PACKET_ACTION": "DROP"},
 "GUARD|R2": {"PRIORITY": "%s", %s, "PACKET_ACTION": "%s"}}}"""


@pytest.mark.parametrize(
    ("drops", "priority", "other", "action", "dscps"),
    [
        ('"DSCP": "26"', "10", '"DSCP": "48"', "DROP", [26, 48]),
        ('"DSCP": "0x1a"', "10", '"DSCP": "46"', "FORWARD", [26]),
        ('"DSCP": "26", "IP_PROTOCOL": "17"', "30", '"DSCP": "26"', "FORWARD", []),
        ('"DSCP": "26"', "30", '"L4_DST_PORT": "4791"', "REDIRECT:Ethernet8", []),
        ('"DSCP": "26", "SRC_IP": "10.0.0.0/8"', "10", '"DSCP": "64"', "DROP", []),
        ('"DSCP": "26"', "30", '"IP_PROTOCOL": "17"', "DROP", [None]),
    ],
)
def test_rules_drop_what_has_one_code_point(
    drops: str, priority: str, other: str, action: str, dscps: list[int | None]
) -> None:
    text = _BY_DSCP % (drops, priority, other, action)
    found = rows(Document("config_db.json", text), parse(text))
    of = {name: [row for row in found if row.table == name] for name in ("ACL_TABLE", "ACL_RULE")}
    assert [dscp for _, _, dscp in dropping(of["ACL_TABLE"], of["ACL_RULE"])] == dscps
