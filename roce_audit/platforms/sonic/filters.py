"""Access lists of ACL_TABLE and ACL_RULE: those that drop every RoCEv2 packet of their ports, or every one with some DSCP.

Fields: sonic-buildimage, src/sonic-yang-models/yang-models, sonic-acl.yang; the rule of the highest priority decides first.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from roce_audit.platforms.sonic.database import Row
from roce_audit.text.acl import drops_roce
from roce_audit.values import Place

_OF_PACKETS = frozenset({"L3", "L3V4V6"})
"""Types of tables whose rules meet packets of IPv4 on their way through."""
_SAYS_NOTHING = frozenset({"PRIORITY", "PACKET_ACTION", "RULE_DESCRIPTION", "NULL"})
_ANY = {
    "ETHER_TYPE": frozenset({"2048", "0x800", "0x0800"}),
    "IP_TYPE": frozenset({"ANY", "IP", "IPV4ANY"}),
    "SRC_IP": frozenset({"0.0.0.0/0"}),
    "DST_IP": frozenset({"0.0.0.0/0"}),
}
"""What a field says that leaves no RoCEv2 packet of IPv4 out."""
_NUMBER = re.compile(r"[0-9]{1,2}|0x[0-9a-f]{1,2}")
_UDP = "17"
_ACTIONS = {"DROP": "deny", "FORWARD": "permit", "ACCEPT": "permit", "REDIRECT": "permit"}
"""What a packet goes elsewhere for is not dropped."""


def dropping(tables: Sequence[Row], rules: Sequence[Row]) -> Iterator[tuple[str, Place, int | None]]:
    """(port or channel, the rule's action, None or the DSCP) of each list that is bound and drops every RoCEv2 packet, or all with that."""
    if not rules:
        return
    of_table: dict[str, list[Row]] = defaultdict(list)
    for rule in rules:
        of_table[rule.key.partition("|")[0]].append(rule)
    for table in tables:
        if str(table.fields.get("type", "")).upper() not in _OF_PACKETS:
            continue
        its = sorted(of_table[table.key], key=_priority, reverse=True)
        for dscp in (None, *sorted({d for rule in its if (d := _dscp(rule.fields)) is not None})):
            drops, number = drops_roce([_in_words(rule.fields, dscp) for rule in its], drops_rest=False)
            if drops:
                yield from ((name, its[number].place("PACKET_ACTION"), dscp) for name in _ports(table.fields))
            if drops and dscp is None:
                break


def _ports(fields: Mapping[str, Any]) -> Sequence[str]:
    ports = fields.get("ports", fields.get("ports@", ()))
    return ports.split(",") if isinstance(ports, str) else [str(port) for port in ports or ()]


def _priority(rule: Row) -> int:
    written = str(rule.fields.get("PRIORITY", "0"))
    return int(written) if written.isascii() and written.isdigit() and len(written) < 10 else 0


def _dscp(fields: Mapping[str, Any]) -> int | None:
    """The one code point that a rule asks for; None where it asks for none, or in words that are not read."""
    written = str(fields.get("DSCP", "")).lower()
    number = int(written, 16 if written.startswith("0x") else 10) if _NUMBER.fullmatch(written) else 64
    return number if number < 64 else None


def _in_words(fields: Mapping[str, Any], dscp: int | None) -> str:
    """A rule in the words of the common reader of access lists, as packets with this DSCP meet it, or with any.

    One that asks for more than it knows is no line of its own.
    """
    action = _ACTIONS.get(str(fields.get("PACKET_ACTION", "")).upper().partition(":")[0])
    asked = _dscp(fields)
    if action is None or (dscp is not None and asked not in (None, dscp)):
        return "remark"
    ports, protocol = "", "ip"
    for name, value in fields.items():
        said = str(value)
        if (
            name in _SAYS_NOTHING
            or said.upper() in _ANY.get(name, ())
            or (name == "DSCP" and asked == dscp is not None)
        ):
            continue
        if name == "L4_DST_PORT":
            ports, protocol = f" eq {said}", "udp"
        elif name == "L4_DST_PORT_RANGE":
            ports, protocol = f" range {said.replace('-', ' ')}", "udp"
        elif name == "IP_PROTOCOL":
            if said != _UDP:
                return f"{action} tcp any any"
            protocol = "udp"
        else:
            return f"{action} {protocol} some any{ports}"
    return f"{action} {protocol} any any{ports}"
