"""`nicctl show card|lif|port`: which card is which network device, its firmware, and its Ethernet port.

A card goes by an id; the PCI address that the text form prints beside it is the card's own and not that of the network device.
The device is found over the LIF (`nicctl show lif --json`), the card's Ethernet function (`nicctl show card --json`) or the RDMA
device (`nicctl show dcqcn`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from roce_audit.platforms.shared.host.answers import Answer, Line, Tool, sets
from roce_audit.platforms.shared.host.collector import HOST, Subject
from roce_audit.platforms.shared.host.notes import ACTIVE_FEC, Note
from roce_audit.platforms.shared.host.words import choice, integer, matched, one_of, shape, whole
from roce_audit.text.structured.jsontext import JsonText

PAUSE_TYPE = Note[str]("the pause type")
PORT_MTU = Note[int]("the MTU of the card's Ethernet port")
PAUSE = Note[bool]("whether pause is allowed in direction")
CARD = r"[0-9A-Za-z]{4,16}(?:-[0-9A-Za-z]{4,16}){2,5}"
HEADER = re.compile(rf"NIC *: *({CARD}) *\((?:[0-9a-fA-F:.]+)\).*")
ONE = rf"(?: (?:-c|--card) (?P<card>{CARD}))?"
JSON = r"(?: (?:-j|--json))?"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,14}")
_VIRTUAL = re.compile(r".+v[0-9]{1,3}")
"""systemd.net-naming-scheme: names of virtual functions end in v and their number."""


def listed(answer: Answer, key: str) -> Iterator[tuple[JsonText, tuple[str | int, ...], str, Mapping[str, Any]]]:
    """(the answer, path, card id, object) of each object below `key` of each card; of each card where `key` is empty."""
    found = answer.json()
    cards = found.value.get("nic") if found is not None and isinstance(found.value, dict) else None
    if found is None or not isinstance(cards, list):
        return
    for index, card in enumerate(cards):
        name = card.get("id") if isinstance(card, dict) else None
        if not isinstance(name, str) or not re.fullmatch(CARD, name):
            answer.unread(found.line_of(("nic", index)), "a card without an id")
            continue
        if not key:
            yield found, ("nic", index), name, card
            continue
        inner = card.get(key)
        for number, one in enumerate(inner if isinstance(inner, list) else []):
            if isinstance(one, dict):
                yield found, ("nic", index, key, number), name, one


def _cards(answer: Answer) -> None:
    if not answer.document.text.lstrip().startswith("{"):
        return  # the addresses of the text form are not those of the network devices
    for found, path, name, card in listed(answer, ""):
        about: Subject = ("card", name)
        address = card.get("eth_bdf")
        if isinstance(address, str) and re.fullmatch(r"[0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]", address):
            answer.collector.is_card(name, ("pci", address.lower()))
        for key in ("product_name", "firmware_version"):
            if key in card:
                answer.say(f"{key} {card[key]}", found.line_of((*path, key)), about)


CARDS = Tool(
    name="nicctl card",
    split=_cards,
    commands=rf"nicctl show card{ONE}{JSON}",
    signature=r'"fru_mac_address":|^Id +PCIe BDF +ASIC ',
    lines=(
        sets("product_name", "nic.model_name", shape(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,60}"), fallback=True),
        sets("firmware_version", "nic.firmware", shape(r"[0-9][A-Za-z0-9._-]{0,40}"), fallback=True),
    ),
)


def _lifs(answer: Answer) -> None:
    if not answer.document.text.lstrip().startswith("{"):
        return  # no public sample of the text form was found
    for found, path, card, lif in listed(answer, "lif"):
        spec, status = lif.get("spec"), lif.get("status")
        name = status.get("name") if isinstance(status, dict) else None
        if not isinstance(name, str) or not _NAME.fullmatch(name) or not isinstance(spec, dict):
            continue
        about: Subject = ("net", name)
        if _VIRTUAL.fullmatch(name):
            answer.say("virtual function", found.line_of((*path, "status", "name")), about)
        else:
            answer.collector.is_card(card, about)
        if "rdma_mtu" in spec:
            answer.say(f"rdma_mtu {spec['rdma_mtu']}", found.line_of((*path, "spec", "rdma_mtu")), about)


_PATH_MTUS = {str(mtu): mtu for mtu in (256, 512, 1024, 2048, 4096)}
"""The largest that the interface allows; the active one may be lower."""


LIFS = Tool(
    name="nicctl lif",
    split=_lifs,
    commands=rf"nicctl show lif{ONE}(?: (?:-l|--lif) \S+)?{JSON}",
    signature=r'"rdma_mtu":',
    lines=(
        sets("virtual function", "kind", choice({"": "virtual-function"})),
        sets("rdma_mtu", "nic.rdma_mtu_bytes", choice(_PATH_MTUS), fallback=True),
    ),
)

_KEYS = {
    "pause_type": "pause_type",
    "tx_pause": "tx_pause",
    "rx_pause": "rx_pause",
    "speed": "port_speed",
    "port_speed": "port_speed",
    "fec_type": "fec_type",
    "auto_negotiation": "auto_negotiation",
    "admin_state": "admin_state",
    "type": "port_type",
    "port_type": "port_type",
    "mtu": "port_mtu",
}


def _ports(answer: Answer) -> None:
    if answer.document.text.lstrip().startswith("{"):
        for found, path, card, port in listed(answer, "port"):
            spec, status = port.get("spec"), port.get("status")
            for key, value in spec.items() if isinstance(spec, dict) else ():
                if key in _KEYS:
                    answer.say(f"{_KEYS[key]} {value}", found.line_of((*path, "spec", key)), ("card", card))
            state = status if isinstance(status, dict) else {}
            for key, value in state.items():
                if key == "operational_status" and str(value).upper() == "DOWN":
                    line = found.line_of((*path, "status", key))
                    answer.collector.has_no_link(("card", card), answer.document, line)
                elif key == "fec_type" and str(state.get("operational_status")).upper() == "UP":
                    answer.say(f"running_fec {value}", found.line_of((*path, "status", key)), ("card", card))
        return
    about: Subject | None = answer.subject
    section = ""
    for number, raw in answer.lines():
        text = " ".join(raw.split())
        header = HEADER.fullmatch(text)
        name, colon, value = (part.strip() for part in text.partition(":"))
        key = name.lower().replace(" ", "_")
        if header is not None:
            about = ("card", header.group(1))
        elif name.startswith("NIC") and colon:
            answer.say("not understood", number, HOST)
            about = None
        elif text in ("Spec:", "Status:"):
            section = text
        elif section == "Status:" and key == "operational_status" and value.upper() == "DOWN" and about is not None:
            answer.collector.has_no_link(about, answer.document, number)
        elif section == "Spec:" and key in _KEYS and about is not None:
            answer.say(f"{_KEYS[key]} {value}", number, about)


_SWITCH = {"enabled": True, "disabled": False}


def _word(words: Mapping[str, Any]) -> Callable[[str], Any]:
    """Words in either case."""
    return lambda text: one_of(text.lower(), words)


def _switch(side: str) -> Line:
    return sets(f"{side}_pause", PAUSE[side], _word(_SWITCH), "pfc", f"link_pause_{side}")


def _speed(text: str) -> int:
    return whole(matched(r"([0-9]{1,4})G", text).group(1), 1, 6400) * 10**9


_CODES = {"rs": "rs", "fc": "fc", "none": "none"}
PORTS = Tool(
    name="nicctl port",
    split=_ports,
    commands=rf"nicctl show port{ONE}(?: (?:-p|--port) \S+)?{JSON}",
    signature=r"^[ \t]*(?:Pause type +: |\"pause_type\":)",
    lines=(
        sets(
            "pause_type",
            PAUSE_TYPE,
            _word({"pfc": "pfc", "link": "link", "none": "none"}),
            "pfc",
            "link_pause_rx",
            "link_pause_tx",
        ),
        _switch("rx"),
        _switch("tx"),
        sets(
            "port_speed",
            "speed_bps",
            _speed,
            fallback=True,
            nothing=("NONE", "None", "none", "UNKNOWN", "Unknown", "unknown"),
        ),
        sets("fec_type", "fec", _word(_CODES | {"auto": "auto"}), fallback=True),
        sets("running_fec", ACTIVE_FEC, _word(_CODES), "nic.fec_running"),
        sets("auto_negotiation", "autoneg", _word(_SWITCH), fallback=True),
        sets("admin_state", "admin_up", _word({"up": True, "down": False}), fallback=True),
        sets("port_type", "kind", _word({"eth": "ethernet"}), fallback=True),
        sets("port_mtu", PORT_MTU, integer(68, 65_536)),
    ),
    covers=("link_pause_rx", "link_pause_tx"),
)


def _nothing(answer: Answer) -> None:
    """Nothing in it concerns the class."""


OTHERS = Tool(
    name="nicctl others",
    split=_nothing,
    commands=rf"nicctl show (?:environment|pcie ats|version \S{{1,40}}|rdma \S{{1,40}}|port statistics|lif statistics){ONE}{JSON}",
)

TOOLS = (CARDS, LIFS, PORTS, OTHERS)
