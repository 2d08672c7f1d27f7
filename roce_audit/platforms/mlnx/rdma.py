"""`ibdev2netdev`, `show_gids` and the cma_roce scripts of mlnx-tools."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from roce_audit.platforms.shared.host import gids
from roce_audit.platforms.shared.host.answers import UNREADABLE, Answer, Line, Tool, sets
from roce_audit.platforms.shared.host.collector import HOST, full_address
from roce_audit.platforms.shared.host.notes import ALL_RDMA_LISTED
from roce_audit.platforms.shared.host.own import Own
from roce_audit.platforms.shared.host.words import CMA_MODE, CMA_TOS, PLAIN, not_understood
from roce_audit.text.document import Document

_NAME = r"[A-Za-z0-9_.-]{1,64}"
_PAIR = re.compile(rf"({_NAME}) port ([0-9]{{1,3}}) ==> ({_NAME}) \((Up|Down)\)")
_VERBOSE = re.compile(
    rf"(?P<pci>[0-9a-fA-F:.]{{7,16}}) ({_NAME}) \([^()]{{0,80}}\) .{{0,160}}? port ([0-9]{{1,3}}) \([A-Z]+ *\) ==> ({_NAME}) \((Up|Down)\)"
)
"""A line of `ibdev2netdev -v`."""


def _pairs(answer: Answer) -> None:
    for number, raw in answer.lines():
        text = " ".join(raw.split())
        found = _PAIR.fullmatch(text) or _VERBOSE.fullmatch(text)
        if found is None:
            answer.say("not understood", number, HOST)
            continue
        device, port, netdev, state = found.groups()[-4:]
        if found.re is _VERBOSE:
            answer.collector.at_pci(netdev, full_address(found["pci"]))
        if state == "Down":
            answer.collector.has_no_link(("net", netdev), answer.document, number)
        name = device if port == "1" else f"{device}:{port}"
        answer.collector.is_rdma(name, netdev)
        answer.say(f"device {name}", number, ("rdma", name))
    if not answer.document.truncated:
        answer.say("all links", answer.document.first_line, HOST)


NETDEVS = Tool(
    name="ibdev2netdev",
    split=_pairs,
    commands=r"ibdev2netdev(?: -v)?",
    signature=rf"^{_NAME} port [0-9] ==> {_NAME} \((?:Up|Down)\)$",
    lines=(
        sets("device", "nic.rdma_device", str),
        sets("all links", ALL_RDMA_LISTED, PLAIN),
        Line("not understood", ("nic.rdma_device",), not_understood),
    ),
    covers=("nic.rdma_device",),
)

_LONGEST_VLAN = 4
"""Digits of a VLAN's number."""
_ADDRESS = re.compile(r"[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){2,7}")
_IPV4 = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}")
_WORD = re.compile(_NAME)
_KERNELS_TYPE = re.compile(r"\b(?:IB/)?RoCE (?=v[12]\b)")


def _gids(answer: Answer) -> None:
    """`mlx5_0 1 3 0000:...:ffff:0a01:0101 10.1.1.1 v2 ens1f0np0`; the IPv4 and the last column may be missing. sysinfo-snapshot
    writes the type as the kernel does (`RoCE v2`).
    """
    told: set[str] = set()
    for number, text in answer.lines():
        words = _KERNELS_TYPE.sub("", text).split()
        if text.strip().startswith("n_gids_found="):
            break  # what stands below it, somebody pasted behind the answer
        if words[0] in ("DEV", "---"):
            continue
        usable = len(words) >= 5 and words[1].isdigit() and words[2].isdigit() and _ADDRESS.fullmatch(words[3])
        rest = words[4:]
        if usable and _IPV4.fullmatch(rest[0]):
            rest = rest[1:]
        named = all(map(_WORD.fullmatch, rest[1:]))
        if not usable or not rest or rest[0] not in ("v1", "v2") or len(rest) > 2 or not named:
            about = ("rdma", words[0]) if _WORD.fullmatch(words[0]) else HOST
            answer.say(UNREADABLE + text, number, about)  # type: ignore[arg-type]
            answer.unread(number, text)
            continue
        name = words[0] if words[1] == "1" else f"{words[0]}:{words[1]}"
        subject = ("rdma", name)
        if len(rest) > 1:
            # a VLAN device's entries follow those of the port itself, and the first answer counts
            below, _, vlan = rest[1].rpartition(".")
            is_vlan = bool(below) and vlan.isdigit() and len(vlan) <= _LONGEST_VLAN
            answer.collector.is_rdma(name, below if is_vlan else rest[1])
            if is_vlan:
                answer.collector.tagged[below].add(int(vlan))
        if name not in told:
            told.add(name)
            answer.say(f"device {name}", number, subject, "rdma device")  # type: ignore[arg-type]
        for statement in (gids.address(words[2], words[3]), gids.kind(words[2], rest[0])):
            answer.say(statement, number, subject, gids.TOOL)  # type: ignore[arg-type]


_ROW = re.compile(rf"^((?:{_NAME})\t[0-9]{{1,3}}\t[0-9]{{1,4}}\t){gids.PLAIN}(?=\t)", re.M)
_ROW_IPV4 = re.compile(r"(?<=\t)[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?= *\t(?:(?:IB/)?RoCE )?v[12]\t)")


def _plain(document: Document, _: Own) -> str:
    """Addresses are each NIC's own: their sort counts."""
    return _ROW_IPV4.sub("0.0.0.0", _ROW.sub(gids.plain, document.text))


GIDS = Tool(
    name="show_gids",
    split=_gids,
    plain=_plain,
    commands=r"show_gids(?: \S+)?|show_pretty_gids",
    signature=r"^DEV\s+PORT\s+INDEX\s+GID\s",
    covers=("nic.gids", "nic.rdma_device"),
    complete=False,
)


def _lines(answer: Answer) -> None:
    for number, text in answer.lines():
        answer.say(text.strip(), number)


def _cma(what: str, value: Callable[[str], Any]) -> Tool:
    """A script that prints one value of rdma_cm's configuration."""
    path = f"nic.cma_{what}"
    commands = rf"cma_roce_{what} -d (?P<rdma>\S+)(?: -p 1)?"
    return Tool(
        name=f"cma_roce_{what}", split=_lines, commands=commands, lines=(sets("", path, value),), covers=(path,)
    )


RELEASE = Tool(name="ofed_info", split=lambda answer: None, commands=r"ofed_info.*")

TOOLS = (NETDEVS, GIDS, _cma("tos", CMA_TOS), _cma("mode", CMA_MODE), RELEASE)
