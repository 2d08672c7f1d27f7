"""PCIe: the tree of `ls -l /sys/bus/pci/devices`, class and vendor of each function; what `lspci -vv` and the kernel's log say of links.

`lspci -vv` shows the link of a NIC as it is trained (LnkSta; pciutils, ls-caps.c); drivers print what the slowest link on the way takes
when they start (Linux, drivers/pci/pci.c, pcie_print_link_status).
"""

from __future__ import annotations

import re

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.host.answers import Answer, Line, Tool, sets
from roce_audit.platforms.shared.host.collector import full_address, noticed
from roce_audit.platforms.shared.host.notes import PCIE_AVAILABLE, PCIE_SPEED, PCIE_WIDTH
from roce_audit.platforms.shared.host.words import choice, integer, matched, not_understood
from roce_audit.values import Place

_LINK = lazy(r"\S{10,11}\s.{0,120}\s([0-9a-fA-F:.]{7,18}) -> (?:\.\./)*devices/(\S{1,400})")
_FILE = lazy(r"/sys/bus/pci/devices/([0-9a-f:.]{7,18})/(class|vendor)")


def _tree(answer: Answer) -> None:
    for number, text in answer.lines():
        if text.startswith("total "):
            continue
        found = _LINK.fullmatch(text)
        if found is None or not found.group(2).endswith(f"/{found.group(1)}"):
            _unclear(answer, number, text)
        else:  # functions behind a hub of another kind (VMD) have no place in the tree of root ports
            answer.collector.pcie.add(found.group(2), answer.document, number)


def _unclear(answer: Answer, number: int, text: str) -> None:
    answer.unread(number, text)
    answer.collector.pcie.unclear = (answer.document, number)


def _function(answer: Answer, path: str, number: int, value: str) -> None:
    found = _FILE.fullmatch(path)
    if found is None or re.fullmatch(r"0x[0-9a-f]{4,6}", value) is None:
        _unclear(answer, number, f"{path}:{value}")
        return
    tree = answer.collector.pcie
    (tree.classes if found.group(2) == "class" else tree.vendors)[found.group(1)] = value


TREE = Tool(
    name="pci tree",
    split=_tree,
    commands=r"ls -l\S* /\S*sys/bus/pci/devices/?",
    lines=(
        Line("unclear", ("nic.near_gpu",), not_understood),
        sets("near", "nic.near_gpu", lambda text: bool(matched(r"[0-9a-f:.]{7,18}", text))),
        sets("apart", "nic.near_gpu", choice({"": False})),
    ),
    covers=("nic.near_gpu",),
    complete=False,
)
FUNCTIONS = Tool(name="pci functions", files=_FILE.pattern.replace("(", "(?:"), read_file=_function)

_NETWORK = lazy(r"((?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]) (?:Ethernet|Infiniband|Network) controller\b.*")
_OTHER = lazy(r"(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7] .*")
_TRAINED = lazy(r"[ \t]+LnkSta:[ \t]+Speed ([0-9.]{1,4})GT/s(?: \(\w{1,12}\))?, Width x([0-9]{1,2})\b.*")
_DOWNSTREAM = lazy(r"[ \t]+Capabilities: \[\w{1,4}\] Express \(v\d\) Downstream Port\b.*")
_REDIRECTS = lazy(r"[ \t]+ACSCtl:[ \t]+SrcValid[+-] TransBlk[+-] ReqRedir\+ .*")
_GPU = lazy(
    r"\S{7,12} (?:3D controller|Display controller|Processing accelerators|VGA compatible controller): (?:NVIDIA|Advanced Micro).*"
)
_REDIRECTED = "ports of PCIe switches redirect what devices send each other (ACS): GPUs and NICs exchange all through the root complex"
_AVAILABLE = lazy(
    r"\b([0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]): ([0-9]{1,4})\.[0-9]{3} Gb/s available PCIe bandwidth\b"
)
_RATES = {rate.removesuffix(".0"): rate for rate in ("2.5", "5.0", "8.0", "16.0", "32.0", "64.0")}


def _trained(answer: Answer) -> None:
    """A card in a bus without lanes, and one whose capabilities only root may see, have no such line."""
    address, is_downstream, redirects, gpu = "", False, 0, False
    for number, text in answer.lines():
        found, link = _NETWORK.fullmatch(text), _TRAINED.fullmatch(text)
        if found is not None or _OTHER.fullmatch(text):
            address, is_downstream = found.group(1) if found is not None else "", False
            gpu = gpu or _GPU.fullmatch(text) is not None
        elif _DOWNSTREAM.fullmatch(text):
            is_downstream = True
        elif is_downstream and not redirects and _REDIRECTS.fullmatch(text):
            redirects = number
        elif address and link is not None and int(link.group(2)):
            _say_of_nic(answer, full_address(address), number, f"speed {link.group(1)}", f"width {link.group(2)}")
    if gpu and redirects:
        _redirected(answer, redirects)


def _redirected(answer: Answer, line: int) -> None:
    """Told of the RDMA NICs of the host; which of them sit below those switches only the tree of PCIe says."""
    collector, place = answer.collector, Place(answer.document.path, line)

    def say() -> None:
        names = tuple(name for name, nic in collector.nics.items() if nic.rdma)
        collector.seen.append(noticed("peers-redirected", place, "ACSCtl: ReqRedir+", _REDIRECTED, names))

    collector.at_end.append(say)


def _available(answer: Answer) -> None:
    """What was printed last: a driver that is loaded again prints it again."""
    last = {
        found.group(1): (number, found.group(2))
        for number, text in answer.lines()
        if (found := _AVAILABLE.search(text))
    }
    for address, (number, rate) in last.items():
        _say_of_nic(answer, address, number, f"available {rate}")


def _say_of_nic(answer: Answer, address: str, line: int, *statements: str) -> None:
    """What an answer about all devices of a host says of the one at an address, where that is a NIC of which others tell."""
    collector = answer.collector

    def say() -> None:
        for name in [name for name, nic in collector.nics.items() if nic.pci == address]:
            for statement in statements:
                answer.say(statement, line, ("net", name))

    collector.at_end.append(say)


TRAINED = Tool(
    name="lspci",
    split=_trained,
    commands=r"lspci(?: -\S{1,8}(?: [0-9a-fA-F:.]{4,12})?){0,4}",
    lines=(
        sets("speed", PCIE_SPEED, choice(_RATES), "nic.pcie_gbps"),
        sets("width", PCIE_WIDTH, integer(1, 32), "nic.pcie_gbps"),
    ),
    complete=False,
    asks=True,
)
LOG = Tool(
    name="kernel log",
    split=_available,
    commands=r"(?:dmesg|journalctl -k)(?: .*)?",
    lines=(sets("available", PCIE_AVAILABLE, integer(0, 9_999), "nic.pcie_gbps"),),
    complete=False,
    asks=True,
)

TOOLS = (TREE, FUNCTIONS, TRAINED, LOG)
