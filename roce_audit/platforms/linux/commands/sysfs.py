"""Files of the host as `grep -r .` prints them (`/sys/class/net/ens1/mtu:9000`), and those of any NIC family among them."""

from __future__ import annotations

import re
from functools import lru_cache

from roce_audit import platforms
from roce_audit.platforms.linux.commands.rdma import DEVICE, FIRMWARE, LINK_LAYER, node_type, rdma_subject
from roce_audit.platforms.shared.host import gids
from roce_audit.platforms.shared.host.answers import UNREADABLE_FILE, Answer, Line, Tool, sets
from roce_audit.platforms.shared.host.collector import HOST, Subject
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import PCIE_SPEED, PCIE_WIDTH, VENDOR
from roce_audit.platforms.shared.host.own import Own
from roce_audit.platforms.shared.host.tools import file_tool
from roce_audit.platforms.shared.host.words import (
    CMA_MODE,
    CMA_TOS,
    LARGEST_MTU,
    choice,
    integer,
    matched,
    shape,
    whole,
)
from roce_audit.records import dataclass
from roce_audit.text.document import Document
from roce_audit.text.memo import of_text
from roce_audit.values import At, Why

_FOLDERS = r"/(?:sys|proc|etc|home|root|usr|run|var|opt|srv|lib)/[^\s:]{1,300}"
_PATH = re.compile(rf"({_FOLDERS}(?::[0-9a-fA-F]{{2}}:[0-9a-fA-F]{{2}}\.[0-7][^\s:]{{0,200}})?):(.*)")
_PORT = re.compile(r"(?:ports|tc)/([0-9]{1,3})/")
_GID = re.compile(r"(?:gids|gid_attrs/(types|ndevs))/([0-9]{1,4})")
_CAT = re.compile(r"cat (/\S+)")
_OF_PORT = r"^/sys/class/infiniband/[^\s:/]{1,64}/ports/[0-9]{1,3}"
_ADDRESSES = re.compile(rf"({_OF_PORT}/gids/[0-9]{{1,4}}:){gids.PLAIN}$", re.M)
_COUNTERS = re.compile(rf"{_OF_PORT}/(?:hw_)?counters/[a-z0-9_]{{1,64}}:[0-9]{{1,20}}$", re.M)
_KERNELS_OWN = ("/proc/sys/kernel/hostname:", "/proc/uptime:")
_KERNEL = re.compile(r"^(/proc/sys/kernel/hostname:|/proc/uptime:)[A-Za-z0-9_. -]{1,253}$", re.M)
_NETPLAN = re.compile(r"^(/(?:etc|run)/netplan/[^\s:]{1,200}: {0,20}addresses: )\[[0-9a-fA-F.:/, ]{0,300}\]$", re.M)
_A_COUNTER = "/sys/class/infiniband/x/ports/1/hw_counters/x:0"
_LEFT_OUT = "the rest is left out"
"""What `host-probe` says of a file that is too long."""


@dataclass(frozen=True, slots=True)
class _File:
    """All that the path of a file says: which tool reads it, of whom it is, and what it is called there."""

    tool: Tool
    subject: Subject | None
    """Of whom its name says it is."""
    about: Subject
    """The same, with the port of an RDMA device."""
    key: str
    gid: tuple[str | None, str] | None
    """Which list of GIDs it is of (none: the addresses), and its number there."""


def _split(answer: Answer) -> None:
    named = _CAT.fullmatch(answer.document.command or "")
    for number, text in answer.document.numbered():
        text = text.rstrip()
        refused = text.startswith("!")
        path, value = (named.group(1), text) if named is not None else _parted(text[1:] if refused else text)
        file = _file(path, named is not None) if text else None
        if file is None:
            continue
        if file.tool.read_file is not None:
            if not refused:
                file.tool.read_file(answer, path, number, value)
            elif value == _LEFT_OUT:
                answer.collector.cut.add(path)
        elif file.subject is not None:
            _statement(answer, file, number, value.strip(), refused)


def _plain(document: Document, _: Own) -> str:
    """Each host's own are the addresses of its GIDs, of which the sort counts, and counters, names and addresses that nobody reads."""
    is_one_file = _CAT.fullmatch(document.command or "") is not None
    return document.text if is_one_file else _plain_files(document.text)


@of_text
def _plain_files(text: str) -> str:
    if "/gids/" in text:
        text = _ADDRESSES.sub(gids.plain, text)
    if "counters/" in text:
        text = _COUNTERS.sub(_A_COUNTER, text)
    if text.startswith(_KERNELS_OWN) or "\n/proc/sys/kernel/hostname:" in text:
        text = _KERNEL.sub(r"\1x", text)
    return _NETPLAN.sub(r"\1[]", text) if "/netplan/" in text else text


def _parted(line: str) -> tuple[str, str]:
    """Path and value of a line, "" for a line that has none; PCI addresses in paths have colons of their own."""
    path, colon, value = line.partition(":")
    found = _PATH.match(line) if value[2:3] == ":" else None
    return (found.group(1), found.group(2)) if found is not None else (path if colon else "", value)


@lru_cache(maxsize=16_384)
def _file(path: str, is_path: bool) -> _File | None:
    """The file of a path that some tool reads; what begins a line may be no path but words."""
    if not is_path and _PATH.fullmatch(f"{path}:") is None:
        return None
    reader = file_tool(path)
    if reader is None:
        return None
    tool, subject, key = reader
    about = subject or HOST
    port = _PORT.match(key) if about[0] == "rdma" else None
    if port is not None:
        about = rdma_subject(about[1], int(port.group(1)))
        key = key[port.end() :] if key.startswith("ports/") else f"tc/{key[port.end() :]}"
    gid = _GID.fullmatch(key) if key.startswith("gid") else None
    return _File(tool, subject, about, key, (gid.group(1), gid.group(2)) if gid is not None else None)


def _statement(answer: Answer, file: _File, number: int, value: str, refused: bool) -> None:
    key, about = file.key, file.about
    if about[0] == "net":
        _identify_net(answer, about[1], number, key, value)
    elif about[0] == "rdma" and key == "state":  # `1: DOWN`, `4: ACTIVE` (linux/include/rdma/ib_verbs.h)
        if value == "1: DOWN" and not refused:
            answer.collector.has_no_link(about, answer.document, number)
        return
    elif about[0] == "rdma" and key in _IDENTIFYING and not refused:
        _identify(answer, about[1], number, key, value)
    if file.gid is not None:
        said = {None: gids.address, "types": gids.kind}.get(file.gid[0])
        if said is not None and not refused:
            answer.say(said(file.gid[1], value), number, about, gids.TOOL)
        return
    if key.startswith("device/physfn/"):
        key = "device/physfn"
    text = f"{key} unreadable" if refused else f"{key} {value}".rstrip()
    answer.say(text, number, about, file.tool.name)


_IDENTIFYING = {
    "gid_attrs/ndevs/0": re.compile(r"[A-Za-z0-9_.-]{1,15}"),
    "link_layer": re.compile(r"Ethernet|InfiniBand"),
    "fw_ver": re.compile(r"[0-9]{1,5}(?:\.[0-9]{1,6}){1,4}(?:-[A-Za-z0-9-]{1,20})?"),
    "tc/traffic_class": re.compile(r"|Global tclass=[0-9]{1,3}|\w+_ip=\S{1,200}"),
}
"""Files that an RDMA device surely has, and what they hold: the first of them says that the device is there."""


def _identify(answer: Answer, name: str, number: int, key: str, value: str) -> None:
    """The network device of the first GID is that of the RDMA port."""
    collector = answer.collector
    if _IDENTIFYING[key].fullmatch(value) is None:
        answer.say(f"device {name} of {value}", number, ("rdma", name), "rdma device")
        return
    if key == "gid_attrs/ndevs/0":
        collector.is_rdma(name, value)
    collector.is_there(name, answer.document, number)


def _identify_net(answer: Answer, name: str, number: int, key: str, value: str) -> None:
    collector = answer.collector
    if key == "device/uevent" and value.startswith("PCI_SLOT_NAME="):
        collector.at_pci(name, value.partition("=")[2])
    elif key == "device/device" and re.fullmatch(r"0x[0-9a-f]{4}", value):
        collector.note(name, "device_id", value.removeprefix("0x"))
    elif key == "phys_port_name" and re.fullmatch(r"(?:c\d+)?pf\d+(?:vf|sf)\d+", value):
        collector.note(name, "representor", True)
    elif key == "carrier" and value == "0":
        collector.has_no_link(("net", name), answer.document, number)
    elif key == "ifalias":
        collector.note(name, "description", value[:200])
    elif key.startswith("device/infiniband/"):
        collector.is_rdma(key.split("/")[2], name)


_OWN_TREES = tuple(tree for one in platforms.every() for tree in one.nics.trees)
SYSFS = Tool(
    name="sysfs",
    split=_split,
    plain=_plain,
    commands=r"sysfs|cat /\S+|grep .*/(?:sys|proc|etc)/.*|nccl_conf|app_env|persist",
    signature=rf"^/sys/(?:{'|'.join(('class/net', 'class/infiniband', *_OWN_TREES))})/\S+:\S"
    r"|^/(?:etc|run)/(?:netplan|systemd|udev|network|NetworkManager|sysconfig/network-scripts)/[^\s:]+:"
    r"|^/etc/(?:nccl\.conf|rc\.local):",
)


_NO_LINK = ("-1", "4294967295", UNREADABLE_FILE)
_RATES = {
    f"{rate} GT/s{tail}": rate for rate in ("2.5", "5.0", "8.0", "16.0", "32.0", "64.0") for tail in ("", " PCIe")
}


def _uevent(nic: NicSettings, text: str, at: At) -> None:
    if text.startswith("DRIVER="):
        driver = text.partition("=")[2]
        matched(r"[A-Za-z0-9_-]{1,40}", driver)
        nic.set("nic.driver", driver, at)


def _virtual(nic: NicSettings, text: str, at: At) -> None:
    matched(r"0x[0-9a-f]{4}", text)
    nic.set("kind", "virtual-function", at)


NET = Tool(
    name="net files",
    files=r"/sys/class/net/(?P<net>[^/]+)/(?P<key>mtu|speed|flags|carrier|phys_port_name|ifalias|device/(?:physfn/(?:vendor|device)|uevent|vendor|device"
    r"|current_link_speed|current_link_width|infiniband/\S+))",
    lines=(
        sets("mtu", "ip_mtu_bytes", integer(68, LARGEST_MTU)),
        sets("speed", "speed_bps", integer(0, 10_000_000, 1_000_000), nothing=_NO_LINK),
        sets("flags", "admin_up", lambda text: bool(int(matched(r"0x[0-9a-f]{1,8}", text).group(), 16) & 1)),
        sets(
            "device/current_link_speed",
            PCIE_SPEED,
            choice(_RATES),
            "nic.pcie_gbps",
            nothing=("Unknown", "Unknown speed", UNREADABLE_FILE),
        ),
        sets("device/current_link_width", PCIE_WIDTH, integer(0, 32), "nic.pcie_gbps", nothing=(UNREADABLE_FILE,)),
        Line("device/uevent", ("nic.driver", "kind"), _uevent),
        sets("device/vendor", VENDOR, shape(r"0x[0-9a-f]{4}")),
        Line("device/physfn", ("kind",), _virtual),
    ),
    ignored=r"carrier.*|phys_port_name.*|ifalias.*|device/infiniband/.*|device/device.*",
)


def _traffic_class(nic: NicSettings, text: str, at: At) -> None:
    """OFED tc/N/traffic_class: empty, `Global tclass=106`, and rules for single flows."""
    if text == "unreadable":
        nic.refuse("nic.forced_traffic_class", at)
    elif not text:
        nic.set_absent("nic.forced_traffic_class", at)
    elif text.startswith("Global tclass="):
        nic.set("nic.forced_traffic_class", whole(text.partition("=")[2], 0, 255), at)
    elif re.fullmatch(r"(?:(?:src|dst)_ip=[0-9A-Fa-f.:/]{1,60},){1,2}tclass=[0-9]{1,3}", text):
        nic.set_unknown("nic.forced_traffic_class", Why.CONFLICT, at)  # one value for all queue pairs there is not
    else:
        raise ValueError(text)


RDMA = Tool(
    name="rdma files",
    files=r"/sys/class/infiniband/(?P<rdma>[^/]+)/(?P<key>fw_ver|hca_type|node_type|ports/\d+/(?:link_layer|state|gids/\d+"
    r"|gid_attrs/(?:types|ndevs)/\d+)|tc/\d+/traffic_class)",
    lines=(
        sets("fw_ver", "nic.firmware", FIRMWARE, fallback=True),
        sets("hca_type", "nic.model_name", shape(r"[A-Za-z0-9_-]{1,60}")),
        Line("node_type", ("kind",), node_type),
        sets("link_layer", "nic.link_layer", LINK_LAYER),
        Line("tc/traffic_class", ("nic.forced_traffic_class",), _traffic_class),
    ),
)
CMA = Tool(
    name="rdma_cm files",
    files=r"/sys/kernel/config/rdma_cm/(?P<rdma>[^/]+)/(?P<key>ports/\d+/default_roce_(?:tos|mode))",
    lines=(
        sets("default_roce_tos", "nic.cma_tos", CMA_TOS),
        sets("default_roce_mode", "nic.cma_mode", CMA_MODE),
    ),
)
COUNTER = Tool(
    name="counter files",
    files=r"/sys/class/infiniband/[^/]+/ports/\d+/(?:hw_)?counters/\w+",
    read_file=lambda answer, path, number, value: None,  # `counters` reads them
)
RDMA_DEVICE = Tool(name="rdma device", lines=(DEVICE,))
GIDS = Tool(name=gids.TOOL)

TOOLS = (SYSFS, NET, RDMA, CMA, COUNTER, RDMA_DEVICE, GIDS)
