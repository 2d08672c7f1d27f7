"""What netplan makes of a host's network at the next boot, against what runs: VLANs and their MTU, addresses, bonds and their modes.

Asked of NICs with RDMA, the bonds that they are in and the VLANs above those. What runs besides may be set up elsewhere.
Source: netplan reference (`id`, `link`, `addresses`, `interfaces`, `parameters: mode`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from roce_audit.platforms.linux.boot.stanzas import Line, Stanza
from roce_audit.platforms.linux.env import place
from roce_audit.platforms.shared.host.collector import Collector, Nic, noticed
from roce_audit.text.sentences import listed, runs

_NAMED = 4


def tell(planned: Mapping[str, Stanza], collector: Collector) -> None:
    """One observation for the file of the first difference."""
    nics = collector.nics
    carrying = {name for name, nic in nics.items() if nic.rdma}
    bonds = {nics[name].lag for name in carrying} - {""} | carrying
    carrying = bonds | {name for name, nic in nics.items() if nic.lag in bonds}
    if not carrying:
        return
    found: list[tuple[str, Line]] = []
    for stanza in planned.values():
        nic = nics.get(stanza.names)
        below = planned.get(str(stanza.value("link")))
        if nic is not None and not stanza.is_open and (stanza.names in carrying or (below and below.names in carrying)):
            found += _differences(stanza, nic, planned, collector)
    if found:
        answer, number, text = found[0][1]
        meaning = "the next reboot changes this: " + "; ".join(words for words, _ in found[:_NAMED])
        collector.seen.append(noticed("conflict", place(answer, number), text.strip(), meaning))


def _differences(
    stanza: Stanza, nic: Nic, planned: Mapping[str, Stanza], collector: Collector
) -> Iterator[tuple[str, Line]]:
    name = stanza.names
    tag = stanza.value("id")
    if isinstance(tag, int) and nic.vlans and nic.vlans != {tag}:
        yield (
            f"netplan gives {name} VLAN {tag}, and VLAN {listed(runs(nic.vlans), _NAMED)} runs",
            stanza.planned["id"][1],
        )
    size = stanza.value("mtu")
    if nic.vlans and isinstance(size, int) and nic.mtu and size != nic.mtu:  # that of a NIC is a setting of its port
        yield f"netplan gives {name} an MTU of {size:,} B, and {nic.mtu:,} B runs", stanza.planned["mtu"][1]
    for address in _addresses(stanza):
        if nic.addresses and address not in nic.addresses:
            running = listed(nic.addresses, _NAMED)
            yield f"netplan gives {name} the address {address}, and {running} runs", stanza.planned["addresses"][1]
    members, run = _members(stanza, planned), {one for one, its in collector.nics.items() if its.lag == name}
    if members and run and members != run:
        named = [listed(sorted(these), _NAMED) for these in (members, run)]
        yield f"netplan makes {name} of {named[0]}, and {named[1]} run in it", stanza.planned["interfaces"][1]
    mode = stanza.value("mode")
    if mode and nic.bond_mode and mode != nic.bond_mode:
        yield f"netplan gives {name} the mode {mode}, and {nic.bond_mode} runs", stanza.planned["mode"][1]


def _addresses(stanza: Stanza) -> Iterator[str]:
    """Those of IPv4 that are written in full: IPv6 is written in many ways."""
    value = stanza.value("addresses")
    for one in value if isinstance(value, list) else ():
        address = next(iter(one), "") if isinstance(one, dict) else one
        if isinstance(address, str) and "/" in address and ":" not in address:
            yield address


def _members(stanza: Stanza, planned: Mapping[str, Stanza]) -> set[str]:
    """What netplan bundles; empty where a member is chosen by something that is not known here."""
    value = stanza.value("interfaces")
    keys = [str(key) for key in value] if isinstance(value, list) else []
    known = [planned[key] for key in keys if key in planned and not planned[key].is_open]
    return {one.names for one in known} if len(known) == len(keys) else set()
