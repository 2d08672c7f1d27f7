"""Switches and interfaces of ESXi that one script sets up: an interface for RDMA that carries less than RoCE needs, or more than its
switch.

Source: VMware, ESXCLI reference: `network vswitch standard set` (--mtu; 1500 without), `network vswitch standard portgroup add`,
`network ip interface add` (--mtu; 1500 without), `network ip interface tag add`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from roce_audit.platforms.linux.env import place
from roce_audit.platforms.shared.host.answers import Answer
from roce_audit.platforms.shared.host.collector import noticed

_CALL = re.compile(
    r"[ \t]{0,40}(?:/bin/)?(?:localcli|esxcli)[ \t]{1,9}network[ \t]{1,9}"
    r"(vswitch standard (?:add|set|portgroup add)|ip interface (?:add|set|tag add))[ \t]{1,9}([^\n;|&#]{1,400})"
)
_NAMES = {
    "-v": "vswitch",
    "--vswitch-name": "vswitch",
    "-m": "mtu",
    "--mtu": "mtu",
    "-p": "portgroup",
    "--portgroup-name": "portgroup",
    "-i": "interface",
    "--interface-name": "interface",
    "-t": "tag",
    "--tagname": "tag",
}
_USUAL = 1_500
_NEEDED_BYTES = 4_192
"""The MTU of an interface with which its RDMA path MTU is 4,096; what RoCEv2 adds to a packet has its place in it."""
_FOR_RDMA = "NVMeRDMA"


def tell(answer: Answer, said: Sequence[tuple[int, str]]) -> None:
    """Say where a script gives an interface for RDMA small packets, or larger ones than its switch has."""
    switches: dict[str, tuple[int, int]] = {}
    interfaces: dict[str, tuple[int, int]] = {}
    groups: dict[str, str] = {}
    placed: dict[str, str] = {}
    for_rdma: set[str] = set()
    for number, text in said:
        found = _CALL.match(text)
        given = _options(found[2]) if found is not None else {}
        mtu = int(given["mtu"]) if re.fullmatch(r"\d{3,5}", given.get("mtu", "")) else None
        if any("$" in value for value in given.values()) or (mtu is None and "mtu" in given):
            return
        if found is None:
            continue
        verb, switch, interface, group = (
            found[1],
            given.get("vswitch", ""),
            given.get("interface", ""),
            given.get("portgroup", ""),
        )
        if verb.endswith("portgroup add"):
            groups[group] = switch
        elif verb.endswith("tag add"):
            for_rdma |= {interface} if given.get("tag") == _FOR_RDMA else set()
        elif verb.startswith("vswitch"):
            if verb.endswith(" add") or mtu is not None:
                switches[switch] = (mtu or _USUAL, number)
        else:
            placed |= {interface: group} if group else {}
            if verb.endswith(" add") or mtu is not None:
                interfaces[interface] = (mtu or _USUAL, number)
    for interface, (mtu, number) in interfaces.items():
        switch = groups.get(placed.get(interface, ""), "")
        theirs, at = switches.get(switch, (mtu, number))
        if mtu > theirs:
            meaning = (
                f"{interface} is to carry {mtu:,} B (line {number}), and {switch}, which it is on, has {theirs:,} B"
            )
            answer.collector.seen.append(noticed("conflict", place(answer, at), f"mtu of {switch}", meaning))
        elif mtu < _NEEDED_BYTES and interface in for_rdma:
            meaning = f"{interface} is for NVMe over RDMA, and gets an MTU of {mtu:,} B: a path MTU of 4,096 needs {_NEEDED_BYTES:,} B"
            answer.collector.seen.append(noticed("conflict", place(answer, number), f"mtu of {interface}", meaning))


def _options(text: str) -> Mapping[str, str]:
    words = re.split(r"[ \t=]+", text.strip())
    return {_NAMES[name]: value.strip("\"'") for name, value in pairwise(words) if name in _NAMES}
