"""Older ways to say the same of an interface: `/etc/network/interfaces` (ifupdown2) and `net add` (NCLU)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.platforms.cumulus.statements import Line
from roce_audit.text.document import Document
from roce_audit.values import Place

_STANZA = re.compile(r"(auto|allow-\S+|iface|mapping|source|source-directory|vlan|no-auto-down)\s+(\S+)")
_NET = re.compile(r"^[ \t]*(?:[\w.-]{1,64}@[^\s#$]{1,100}[#$] ?|\$ )?(?:sudo )?net (add|del) (.*)$", re.M)
_LINK = {"mtu": "mtu", "link-speed": "speed", "link-fec": "fec", "link-autoneg": "auto-negotiate"}

_BOND = {
    "bond-mode": "bond mode",
    "bond-lacp-rate": "bond lacp-rate",
    "bond-min-links": "bond min-links",
    "clag-id": "bond mlag id",
    "es-id": "evpn multihoming segment local-id",
    "es-sys-mac": "evpn multihoming segment mac-address",
}


def ifupdown_lines(document: Document) -> Iterator[Line]:
    """What the stanzas of `/etc/network/interfaces` say of ports."""
    interface = ""
    for number, raw in document.numbered():
        text = raw.strip()
        if not text or text.startswith("#"):
            continue
        place = Place(document.path, number)
        stanza = _STANZA.match(text)
        if stanza is not None:
            interface = stanza.group(2) if stanza.group(1) == "iface" else ""
            if interface:
                yield Line(("interface", interface), place, text)
            continue
        key, _, rest = text.partition(" ")
        if interface:
            for words in _attribute(key, rest.strip()):
                yield Line(("interface", interface, *words), place, text)


def _attribute(key: str, rest: str) -> Iterator[tuple[str, ...]]:
    value = "_".join(rest.split())[:200] or '""'
    if key in _LINK:
        yield ("link", _LINK[key], value)
    elif key in _BOND:
        yield (*_BOND[key].split(" "), value)
    elif key == "link-down":
        yield ("link", "state", {"yes": "down", "no": "up"}.get(value, value))
    elif key == "alias":
        yield ("description", value)
    elif key in ("bond-slaves", "bridge-ports"):
        for port in rest.split():
            if port != "glob" and not port.startswith("regex"):
                yield (*key.replace("-slaves", " member").replace("-ports", " member").split(), port)
    elif key in ("vrf", "address"):
        yield ("ip", key, value)
    elif key in ("bridge-access", "bridge-vids"):
        yield ("bridge", "vlan", value.replace("_", ","))


def net_lines(document: Document) -> Iterator[Line]:
    """What `net add` and `net del` commands say of ports, and the RoCE macros."""
    if document.command is not None:
        typed = _NET.match(document.command)
        if typed is not None:
            yield from _net(typed, Place(document.path, max(document.first_line - 1, 1)))
    line, counted = document.first_line, 0
    for found in _NET.finditer(document.text):
        line += document.text.count("\n", counted, found.start())
        counted = found.start()
        yield from _net(found, Place(document.path, line))


def _net(found: re.Match[str], place: Place) -> Iterator[Line]:
    quote = found.group().strip()
    for words in _net_words(found.group(2).split()):
        yield Line(words, place, quote, found.group(1) == "del")


def _net_words(words: list[str]) -> Iterator[tuple[str, ...]]:
    match words:
        case ["hostname", name]:
            yield ("system", "hostname", name)
        case ["roce"]:
            yield ("qos", "roce")
        case ["roce", *rest]:
            yield ("qos", "roce", "mode", "_".join(rest))
        case ["interface" | "bond", ports]:
            yield ("interface", ports)
        case ["interface" | "bond", ports, "storage-optimized", *_]:
            yield ("interface", ports, "qos", "storage-optimized")
        case ["interface" | "bond", ports, "mtu", *value]:
            yield ("interface", ports, "link", "mtu", "_".join(value))
        case ["interface" | "bond", ports, "alias", *text]:
            yield ("interface", ports, "description", "_".join(text))
        case ["interface", ports, "link", key, *value]:
            yield ("interface", ports, "link", {"autoneg": "auto-negotiate"}.get(key, key), "_".join(value))
        case ["bond", name, "bond", "slaves", members]:
            yield ("interface", name, "bond", "member", members)
        case ["bond", name, "bond", ("mode" | "lacp-rate" | "min-links") as key, value]:
            yield ("interface", name, "bond", key, value)
        case ["bond", name, "clag", "id", number]:
            yield ("interface", name, "bond", "mlag", "id", number)
        case ["interface", ports, "vrf", name]:
            yield ("interface", ports, "ip", "vrf", name)
        case ["interface" | "bond", ports, "ip", "address", address]:
            yield ("interface", ports, "ip", "address", address)
        case ["interface" | "bond", ports, "bridge", ("access" | "vids"), vlans]:
            yield ("interface", ports, "bridge", "vlan", vlans)
        case ["bridge", "bridge", "ports", ports]:
            yield ("interface", "bridge", "bridge", "member", ports)
