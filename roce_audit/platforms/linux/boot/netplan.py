"""Files of netplan, of cloud-init's network and of nmstate: which NICs a stanza is for, its MTU and, of nmstate, link pause.

Sources: netplan reference, YAML configuration (`match`, `set-name`, `mtu`); netplan-generate(8) for the order of files;
cloud-init, Networking Config Version 1 (`config`, `type`, `name`, `mtu`); nmstate, Network State (`interfaces`,
`mtu`, `ethtool.pause`). Merge keys are not netplan's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from roce_audit.platforms.linux.boot.stanzas import NAMES, Line, Stanza, nobody
from roce_audit.platforms.shared.host.boot import misspelt
from roce_audit.platforms.shared.shell.values import HIDDEN
from roce_audit.text.statements.misspelling import meant
from roce_audit.text.structured.yamltext import YamlError, YamlText, documents

Way = tuple[str | int, ...]
KINDS = ("ethernets", "bonds", "vlans")
_PLANNED = ("id", "link", "addresses", "interfaces", "mtu")
_TYPES = ("physical", "bond", "vlan")
_MTU = re.compile(r"\bmtu\b")
_PAUSE = {"rx": "RxFlowControl", "tx": "TxFlowControl"}


def read(lines: Sequence[Line]) -> Iterator[tuple[str, Stanza]]:
    """(key, stanza) of a file, from its lines; what cannot be read is told. What `host-probe` has hidden is no setting of a NIC."""
    lines = [line for line in lines if not line[2].endswith(HIDDEN)]
    try:
        found = documents("\n".join(text for _, _, text in lines), merge_keys=False)
    except YamlError as error:
        answer, number, text = lines[min(error.line, len(lines)) - 1]
        if any(_MTU.search(one) for _, _, one in lines):
            nobody(answer, number, f"{text.strip()}: {error.message}")
        return
    for document in found:
        yield from _of_document(document, lines)


def _of_document(document: YamlText, lines: Sequence[Line]) -> Iterator[tuple[str, Stanza]]:
    top = document.value if isinstance(document.value, dict) else {}
    way: Way = ("network",) if isinstance(top.get("network"), dict) else ()
    network = top["network"] if way else top
    if not way:
        _slips(document, lines, top, (), ("network",))
    _slips(document, lines, network, way, KINDS)
    named: dict[str, Stanza] = {}
    for kind in KINDS:
        those = network.get(kind)
        for key, one in those.items() if isinstance(those, dict) else ():
            if isinstance(one, dict):
                stanza = named[str(key)] = _stanza(document, lines, one, (*way, kind, key))
                yield str(key), stanza
                if kind == "bonds":
                    yield from _of_members(one, stanza, named)
    states = top.get("interfaces")
    for index, one in enumerate(states if isinstance(states, list) else ()):
        if isinstance(one, dict) and isinstance(one.get("type"), str) and NAMES.fullmatch(str(one.get("name", ""))):
            yield str(one["name"]), _of_nmstate(document, lines, one, ("interfaces", index))
    listed = network.get("config")
    for index, one in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(one, dict) and one.get("type") in _TYPES and isinstance(one.get("name"), str):
            yield one["name"], _stanza(document, lines, one, (*way, "config", index))


def _of_members(bond: dict[str | int, Any], said: Stanza, named: Mapping[str, Stanza]) -> Iterator[tuple[str, Stanza]]:
    """The MTU of a bond becomes that of its members (Linux, drivers/net/bonding: bond_enslave, bond_change_mtu).

    Where a member's own is smaller, which of the two is set last decides, and it is left.
    """
    members = bond.get("interfaces")
    for key in map(str, members if isinstance(members, list) and said.settings else ()):
        member = named.get(key)
        if member is not None and not member.is_open and not _is_smaller(member, said):
            stanza = Stanza(member.names)
            stanza.settings += said.settings
            yield key, stanza


def _is_smaller(one: Stanza, other: Stanza) -> bool:
    sizes = [[text.partition(" ")[2] for _, _, text in stanza.settings] for stanza in (one, other)]
    return all(len(its) == 1 and its[0].isdecimal() and len(its[0]) < 8 for its in sizes) and int(sizes[0][0]) < int(
        sizes[1][0]
    )


def _stanza(document: YamlText, lines: Sequence[Line], one: dict[str | int, Any], way: Way) -> Stanza:
    _slips(document, lines, one, way, ("match", "set-name"))
    match = one.get("match")
    match = match if isinstance(match, dict) else {}
    key = str(one.get("name", way[-1]))
    called = one.get("set-name", match.get("name", key))
    stanza = Stanza(called if isinstance(called, str) and NAMES.fullmatch(called) else key)
    stanza.is_open = bool(match) and stanza.names == key
    for name, value in one.items():
        answer, number, text = lines[document.line_of((*way, name)) - 1]
        if name in _PLANNED:
            stanza.planned[name] = value, (answer, number, text)
        if name == "mtu":
            stanza.settings.append((answer, number, f"mtu {'' if value is None else value}"))
        elif name == "parameters" and isinstance(value, dict) and "mode" in value:
            answer, number, text = lines[document.line_of((*way, name, "mode")) - 1]
            stanza.planned["mode"] = value["mode"], (answer, number, text)
        elif meant(str(name), ("mtu",)) is not None:
            stanza.settings.append((answer, number, misspelt(["mtu"], text.strip())))
    return stanza


def _of_nmstate(document: YamlText, lines: Sequence[Line], one: dict[str | int, Any], way: Way) -> Stanza:
    stanza = Stanza(str(one["name"]))
    if one.get("state") in ("absent", "ignore"):
        return stanza
    for where, statement in of_nmstate(one):
        answer, number, _ = lines[document.nearest_line_of((*way, *where)) - 1]
        stanza.settings.append((answer, number, statement))
    return stanza


def of_nmstate(one: Mapping[str | int, Any]) -> Iterator[tuple[Way, str]]:
    """(key, statement) of what an interface of nmstate says of its MTU and of link pause."""
    if one.get("mtu") is not None:
        yield ("mtu",), f"mtu {one['mtu']}"
    features = one.get("ethtool")
    pause = features.get("pause") if isinstance(features, dict) else None
    for key, name in _PAUSE.items() if isinstance(pause, dict) else ():
        if isinstance(pause, dict) and isinstance(pause.get(key), bool):
            yield ("ethtool", "pause", key), f"{name} {'on' if pause[key] else 'off'}"


def _slips(document: YamlText, lines: Sequence[Line], value: Any, way: Way, words: Collection[str]) -> None:
    for key in value if isinstance(value, dict) else ():
        if meant(str(key), words) is not None:
            nobody(*lines[document.line_of((*way, key)) - 1])
