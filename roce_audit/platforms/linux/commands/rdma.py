"""`rdma link show`, `ibv_devinfo`, `ibstat`: RDMA devices, their network device, whether they have a link, link layer and path MTU."""

from __future__ import annotations

import re

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.host import gids
from roce_audit.platforms.shared.host.answers import Answer, Line, Tool, sets
from roce_audit.platforms.shared.host.collector import HOST, Subject
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import ALL_RDMA_LISTED
from roce_audit.platforms.shared.host.own import Own
from roce_audit.platforms.shared.host.words import (
    FILTERED,
    PLAIN,
    choice,
    matched,
    not_understood,
    one_of,
    shape,
    whole,
)
from roce_audit.text.document import Document
from roce_audit.values import At, known


def rdma_subject(device: str, port: int) -> Subject:
    """An RDMA port; the first port of a device goes by the device's name."""
    return ("rdma", device if port == 1 else f"{device}:{port}")


_LINK_LINE = lazy(
    r"link (\S+)/(\d{1,3})(?: subnet_prefix [0-9a-f:]{1,40} lid \d{1,5} sm_lid \d{1,5} lmc \d{1,3})?"
    r" state (\S+) physical_state \S+(?: netdev (\S+))?"
)
"""A port of InfiniBand has numbers of its subnet (iproute2, rdma/link.c)."""


def _links(answer: Answer) -> None:
    if answer.document.text.lstrip().startswith("["):
        found = answer.json()
        if found is None or not isinstance(found.value, list):
            return
        for index, item in enumerate(found.value):
            if not isinstance(item, dict):
                continue
            device, port, netdev = item.get("ifname"), item.get("port", 1), item.get("netdev")
            if isinstance(device, str) and isinstance(port, int):
                state, where = str(item.get("state")), found.line_of((index,))
                _link(answer, device, port, netdev if isinstance(netdev, str) else "", where, state)
    else:
        for number, line in answer.lines():
            match = _LINK_LINE.fullmatch(line.strip())
            if match is None:
                answer.say("not understood", number, HOST)
            else:
                _link(answer, match.group(1), int(match.group(2)), match.group(4) or "", number, match.group(3))
    if not answer.document.truncated:
        answer.say("all links", answer.document.first_line, HOST)


def _some_links(answer: Answer) -> None:
    for number, line in answer.lines():
        match = _LINK_LINE.fullmatch(line.strip())
        if match is not None:
            _link(answer, match.group(1), int(match.group(2)), match.group(4) or "", number, match.group(3))


def _link(answer: Answer, device: str, port: int, netdev: str, line: int, state: str) -> None:
    about = rdma_subject(device, port)
    if netdev:
        answer.collector.is_rdma(about[1], netdev)
    if netdev and state == "DOWN":
        answer.collector.has_no_link(("net", netdev), answer.document, line)
    answer.say(f"device {about[1]}", line, about)


DEVICE = sets("device", "nic.rdma_device", shape(r"[A-Za-z0-9_.:-]{1,64}"))
LINK_LAYER = choice({"Ethernet": "ethernet", "InfiniBand": "infiniband"})
FIRMWARE = shape(r"[0-9]{1,5}(?:\.[0-9]{1,6}){1,4}(?:-[A-Za-z0-9-]{1,20})?")
"""`28.39.2048`. Some vendors count it apart from the firmware that ethtool shows, which is the one that people know."""
LINK = Tool(
    name="rdma link",
    introduces=2,
    split=_links,
    commands=r"rdma (?:-\S+ )*link(?: show)?",
    signature=r'\A\s*\[\s*\{\s*"ifindex":[^\n]{0,80}"ifname":[^\n]{0,80}"port":',
    lines=(
        DEVICE,
        sets("all links", ALL_RDMA_LISTED, PLAIN),
        Line("not understood", ("nic.rdma_device",), not_understood),
    ),
    covers=("nic.rdma_device",),
)


SOME_LINKS = Tool(
    name="rdma link filtered",
    split=_some_links,
    commands=rf"rdma (?:-\S+ )*link(?: show)?{FILTERED}",
    lines=(DEVICE,),
    complete=False,
)


def _devinfo(answer: Answer) -> None:
    about: Subject | None = answer.subject
    name, vendor = about[1] if about is not None else "", ""
    for number, line in answer.lines():
        key, colon, value = line.strip().partition(":")
        value = value.strip()
        if key == "hca_id" and colon:
            vendor = ""
            name = value if re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", value) else ""
            about = ("rdma", name) if name else None
            if about is None:
                answer.unread(number, line)
                if answer.subject is not None:
                    answer.say(f"device {value}", number)
            else:
                answer.say(f"device {name}", number, about)
        elif key == "port" and colon:
            if not re.fullmatch(r"[0-9]{1,3}", value):
                answer.unread(number, line)
                about = None
            elif name:
                about = rdma_subject(name, int(value))
        elif about is None:
            continue
        elif key == "node_guid":
            answer.collector.is_at_mac(name, _mac_of(value))
        elif key == "state" and value.startswith("PORT_DOWN"):
            answer.collector.has_no_link(about, answer.document, number)
        elif key == "vendor_id":
            vendor = value
        elif key in ("fw_ver", "active_mtu", "link_layer", "transport") or (
            key == "vendor_part_id" and vendor == _NAMED_BY_PART
        ):
            answer.say(f"{key}: {value}", number, about)
        elif (entry := _ENTRY.fullmatch(line)) is not None:
            for statement in (gids.address(entry[1], entry[2]), gids.kind(entry[1], entry[3])):
                answer.say(statement, number, about, gids.TOOL)


_ENTRY = re.compile(r"\s*GID\[ {0,3}([0-9]{1,4})\]:\s*([0-9a-fA-F:.]{2,45}), (IB|(?:IB/)?RoCE v[12])\s*")
"""An entry of the GID table with its type, as `-v` prints it; releases that print none do not say which version of RoCE it is of."""
_ADDRESS = re.compile(r"^([ \t]{0,40}GID\[ {0,3}[0-9]{1,4}\]:[ \t]{0,40})([0-9a-fA-F:.]{2,45})(?=, )", re.M)
_GUID = re.compile(r"^([ \t]*(?:node|sys_image)_guid:[ \t]*)([0-9a-f]{4}(?::[0-9a-f]{4}){3})$", re.M)


def _mac_of(guid: str) -> str:
    """The MAC address that a GUID is made from: with 0300 between its halves (mlx5), or as an EUI-64 (RFC 4291, appendix A); "" for others,
    which are written down as they are.
    """
    digits = guid.replace(":", "")
    if len(digits) != 16:
        return guid
    first, between, last = digits[:6], digits[6:10], digits[10:]
    if between == "fffe":
        first = f"{int(first[:2], 16) ^ 2:02x}{first[2:]}"
    elif between != "0300":
        return ""
    return ":".join(re.findall("..", first + last))


def _without_guid(document: Document, own: Own) -> str:
    """With what stands for the MAC address that the GUID of a device is made from: no two cards have one GUID, and nobody reads more.

    Of the address of a GID its sort counts.
    """

    def stands(found: re.Match[str]) -> str:
        address = _mac_of(found[2]) if "node" in found[1] else ""
        return f"{found[1]}{own.mac(address) if address else '0000:0000:0000:0000'}"

    text = _ADDRESS.sub(gids.plain, document.text) if "GID[" in document.text else document.text
    return _GUID.sub(stands, text)


def _path_mtu(text: str) -> int:
    return int(matched(r"(256|512|1024|2048|4096) \([1-5]\)", text).group(1))


_NAMED_BY_PART = "0x02c9"
"""The vendor whose devices have their PCI device number for a name (`hca_type`: Linux, drivers/infiniband/hw/mlx5/main.c)."""


def _model(text: str) -> str:
    return f"MT{matched(r'([0-9]{1,5})', text).group(1)}"


_TRANSPORTS = {"InfiniBand (0)": False, "iWARP (1)": True}


def _transport(nic: NicSettings, text: str, at: At) -> None:
    """iWARP runs over TCP: such a port carries no RoCE. RoCE and InfiniBand are one transport."""
    if one_of(text, _TRANSPORTS):
        nic.conclude("kind", known("iwarp", at))


def node_type(nic: NicSettings, text: str, at: At) -> None:
    """`1: CA`, or `4: RNIC` for iWARP (linux/include/rdma/ib_verbs.h, rdma_node_get_transport)."""
    if one_of(text.partition(":")[0], {"1": False, "4": True}):
        matched(r"4(?:: RNIC)?", text)
        nic.conclude("kind", known("iwarp", at))
    else:
        matched(r"1(?:: CA)?", text)


DEVINFO = Tool(
    name="ibv_devinfo",
    split=_devinfo,
    plain=_without_guid,
    commands=r"ibv_devinfo(?: -v)?(?: -d (?P<rdma>\S+))?(?: -v)?",
    signature=r"\A\s*hca_id:\s",
    lines=(
        DEVICE,
        sets("active_mtu:", "nic.rdma_mtu_bytes", _path_mtu),
        sets("link_layer:", "nic.link_layer", LINK_LAYER),
        sets("fw_ver:", "nic.firmware", FIRMWARE, fallback=True),
        sets("vendor_part_id:", "nic.model_name", _model, fallback=True),
        Line("transport:", ("kind",), _transport),
    ),
    covers=("nic.rdma_mtu_bytes", "nic.link_layer", "nic.firmware"),
    asks=True,
)
SOME_DEVINFO = Tool(
    name="ibv_devinfo filtered",
    split=_devinfo,
    commands=rf"ibv_devinfo(?: -v)? -d (?P<rdma>\S+)(?: -v)?{FILTERED}",
    lines=DEVINFO.lines,
    complete=False,
    asks=True,
)


_CARD = re.compile(r"CA '([A-Za-z0-9_.-]{1,64})'")
_PORT = re.compile(r"Port ([0-9]{1,3}):")


def _status(answer: Answer) -> None:
    """The fields of a port stand below it; one that is down shows a rate that it does not have."""
    device, about, is_up = "", answer.subject, False
    for number, line in answer.lines():
        text = line.strip()
        card, port, (key, _, value) = _CARD.fullmatch(text), _PORT.fullmatch(text), text.partition(": ")
        if card is not None:
            device, about = card[1], ("rdma", card[1])
            answer.say(f"device {device}", number, about)
        elif port is not None and device:
            about, is_up = rdma_subject(device, int(port[1])), False
        elif about is not None and key == "State":
            is_up = value == "Active"
            if value == "Down":
                answer.collector.has_no_link(about, answer.document, number)
        elif about is not None and key == "Rate" and is_up:
            answer.say(f"rate {value}", number, about)
        elif about is not None and key == "Link layer":
            answer.say(f"link_layer: {value}", number, about)


def _rate(text: str) -> int:
    return whole(matched(r"([0-9]{1,4})", text).group(1), 1, 9_999) * 10**9


STATUS = Tool(
    name="ibstat",
    split=_status,
    commands=rf"ibstat(?: (?P<rdma>[A-Za-z][A-Za-z0-9_.-]{{0,63}}))?(?:{FILTERED})?",
    signature=r"\A\s*CA '[^'\n]{1,64}'\n\s+CA type:",
    lines=(DEVICE, sets("rate", "speed_bps", _rate, fallback=True), sets("link_layer:", "nic.link_layer", LINK_LAYER)),
)

_DEVICE_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")


def _listed(answer: Answer) -> None:
    """A host without RDMA devices: none of its network devices has one. Names alone do not say whose they are."""
    names = [text.strip() for _, text in answer.lines()]
    if not names and not answer.document.truncated:
        answer.say("none", answer.document.first_line, HOST)
    for number, text in answer.lines():
        if _DEVICE_NAME.fullmatch(text.strip()) is None:
            answer.unread(number, text)


DEVICES = Tool(
    name="rdma devices",
    split=_listed,
    commands=r"rdma-devices",
    lines=(sets("none", ALL_RDMA_LISTED, PLAIN, "nic.rdma_device"),),
)

TOOLS = (DEVICES, LINK, SOME_LINKS, DEVINFO, SOME_DEVINFO, STATUS)
