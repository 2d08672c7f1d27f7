"""How a NIC is set up at boot: the programs that scripts call, and what follows for settings that nobody makes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import Note
from roce_audit.values import Why, known

PFC = "nic.persisted.pfc.priorities"
BY_TOOLS = (PFC, "nic.persisted.trust", "nic.persisted.dscp", "nic.persisted.nic.forced_traffic_class")
"""What NIC tools set at boot."""
DSCP = "nic.persisted.dscp"
MTU = "nic.persisted.ip_mtu_bytes"
ROCE = "nic.persisted.nic.roce"
CMA = "nic.persisted.nic.cma_"
CNP = "nic.persisted.nic.cnp_dscp"
CNP_PRIORITY = "nic.persisted.nic.cnp_priority"
PFC_SENT = Note[bool]("whether it sends the pauses of PFC")
PFC_OBEYED = Note[bool]("whether it obeys the pauses of PFC")
RDMA = Note[bool]("whether RDMA is to run over the NIC")
ROCE_PRIORITY = Note[int]("the priority that the driver is told to send RoCE in")
ROCE_DSCP = Note[int]("the DSCP that the driver is told to send RoCE with")
ROCE_PORT = Note[int]("the priority that an application entry gives to RoCEv2 by its UDP port")
TAGS = Note[frozenset[int]]("the priorities of the VLAN tags with which packets leave by an interface above it")
UDP_PORT = "4791"
"""Of RoCEv2 (IANA)."""
UDP_SELECTORS = ("3", "4")
"""Of IEEE 802.1Qaz, table D-9: a port of UDP, and one of TCP or UDP."""
WILLING = Note[bool]("whether it takes over the PFC that its peer offers by DCBX")
FIRMWARE_DCBX = Note[bool]("whether its firmware is left to run DCBX")
SOMEWHERE = Note[bool]("a call whose NIC could not be told")
"""By the path that it sets."""
PLACES = Note[bool]("whether every place of boot files was read whole")
MANAGER = Note[bool]("whether a service runs that may set up NICs after the boot files")
SINGLE = Note[bool]("PFC at boot of priority")
"""As tools set it that leave the other priorities as they are."""
DCQCN = {
    "np": Note[bool]("whether CNPs are sent at boot for priority"),
    "rp": Note[bool]("whether CNPs are obeyed at boot for priority"),
}
"""By the role of the NIC: notification point, reaction point."""
QUEUES: Mapping[str, Note[Any]] = {
    "tc-of": Note[int]("the traffic class that it is set up to use: priority"),
    "tsa": Note[str]("the scheduling that is set up for traffic class"),
    "share": Note[int]("the share that is set up for traffic class"),
    "buffer-of": Note[int]("the receive buffer that is set up for priority"),
    "bytes": Note[int]("the bytes that are set up for receive buffer"),
}
"""What tools set up for the eight priorities, traffic classes or receive buffers of a NIC, by the word of the statement."""
EIGHTHS = Note[bool]("whether a DSCP without an entry is in the priority of its upper three bits")
"""As drivers map where nobody says otherwise."""


FLUSHED = "flush dscp"
"""A call that takes all entries for code points out of the application table."""
MISSPELT = "misspelt"
REJECTED = "rejected"
"""`rejected pfc 0,0,0,1: it takes eight values`: a call that its own tool refuses, and why; what it is for stays as it was."""
MISREAD = "misread"
"""`misread pfc-list 0,0,0,1: it takes numbers`: a call that its tool takes, and otherwise than it reads; what it sets is said beside it."""
CONTRADICTS = "contradicts"
"""`contradicts CNP_DSCP_P2=26: the other port gets 48`: a call that says two things of what is one; what it sets is said beside it."""
SLIPS = (MISSPELT, REJECTED, MISREAD, CONTRADICTS)
"""How a statement begins that says what is wrong with a call."""


@dataclass(frozen=True)
class Program:
    """A program that scripts call to set NICs up, and what its options mean."""

    name: str
    settings: Callable[[str], Iterable[str]]
    """(options without the one that names the NIC) -> statements of boot files, such as `pfc-bit 3 on`; raises ValueError.
    A value is handed over as written: whether it can be understood is the statement's business."""
    nic: str = r"(?:^|\s)-i\s*(?P<net>\S+)"
    """Pattern of the option that names the NIC, with a group net, rdma or card."""
    family: str = ""
    """A call that names none is for all NICs of this family."""
    only_for: str = ""
    """The family of the NICs that it can set up: where a script names every NIC, it is nothing to the others."""
    of_ports: bool = False
    """It sets up what only ports of hardware have: interfaces that are made above them refuse it."""
    words: tuple[str, ...] = ()
    """Its commands and options by which a misspelt one is known, with those that set nothing that is read here."""


@dataclass(frozen=True)
class KernelFile:
    """A file of the kernel that scripts write to: `echo 0 > /sys/class/net/X/ecn/roce_rp/enable/3`."""

    path: str
    """Pattern of its path, with the group net for the network device, rdma for the RDMA device, or card for its PCI address."""
    statement: str
    """The statement of boot files that writing to it makes, before the value; groups of the pattern stand in braces. Several stand
    behind each other with `;` between them."""
    only_for: str
    """The family of the NICs whose driver has the file."""


@dataclass(frozen=True)
class FamilyFile:
    """A file that sets all NICs of a family up at boot."""

    path: str
    """Pattern of its path."""
    family: str
    settings: Callable[[Sequence[str]], Iterable[tuple[int, str]]]
    """(its lines) -> (which line, statement of boot files); raises ValueError for a file that nobody can make sense of."""
    of_platform: str = ""
    """The platform that reads it, where the family is called otherwise: that of NICs of which it reads no answers."""


def misspelt(statements: Iterable[str], text: str) -> str:
    """The statement of boot files that means: this text was to say these, and does not. Without any the call sets what is not read."""
    leads = ",".join(dict.fromkeys(one.partition(" ")[0] for one in statements))
    return f"{MISSPELT} {leads or 'nothing'} {text}"


def options(words: list[str]) -> Iterator[tuple[str, str]]:
    """(option, value) of `--priority 3 --no-drop=enable`; a word that no option asks for is an option with an empty value."""
    index = 0
    while index < len(words):
        name, equals, value = words[index].partition("=")
        index += 1
        if not equals and name.startswith("-") and index < len(words) and not words[index].startswith("--"):
            value = words[index]
            index += 1
        yield name, value


def conclude(nic: NicSettings, *, keeps: bool = False) -> None:
    """Settle what no boot file was seen to set; `keeps`: the NIC has a memory of its own for its settings.

    Without any sign of boot files all of it stays not visible. Else nobody was seen to set it, which is absent: rules do not
    ask. Only PFC is certain to be off where every place was read and no other service sets up NICs: without a setting a NIC
    comes up without PFC, while trust and MTU are its driver's choice, or DHCP's.
    """
    _single_priorities(nic)
    for name in ("tos", "mode"):  # the kernel shows them only to who asks for them, and forgets that somebody did
        boots = nic.cell(f"{CMA}{name}")
        if boots is not None and nic.cell(f"nic.cma_{name}") is None:
            nic.conclude(f"nic.cma_{name}", boots)
    _congestion_control(nic)
    places, manager = nic.cell(PLACES), nic.cell(MANAGER)
    if places is None and not nic.has_below("nic.persisted"):
        return
    mapped = any(nic.cell(f"{DSCP}.{code}") is not None for code in range(64))
    codes = [f"{DSCP}.{code}" for code in range(64)] if mapped else [DSCP]
    if not nic.has_below("nic.persisted.nic.dcqcn"):
        nic.set_absent("nic.persisted.nic.dcqcn")
    for path in (*(path for path in BY_TOOLS if path != DSCP), *codes, MTU, ROCE):
        if nic.cell(path) is not None:
            continue
        somewhere = nic.cell(SOMEWHERE[DSCP if path in codes else path])
        unclear = next((cell for cell in (places, manager) if cell is not None and cell.is_unknown), None)
        if unclear is not None and path == PFC:
            nic.conclude(path, unclear)
        elif somewhere is not None:
            nic.set_unknown(path, Why.NOT_VISIBLE, *somewhere.at)
        elif path == PFC and not keeps and places is not None and manager is not None and manager.value is False:
            nic.set(path, frozenset(), *places.at)
        else:
            nic.set_absent(path)


def _congestion_control(nic: NicSettings) -> None:
    """Roles of DCQCN that are switched for single priorities: the others come up as they run now."""
    for role, notes in DCQCN.items():
        bits = {int(n): nic.or_unknown(notes[n]) for n in nic.keys(notes)}
        running = nic.cell(f"nic.dcqcn.{role}_priorities")
        path = f"nic.persisted.nic.dcqcn.{role}_priorities"
        if not bits or running is None or not running.is_known or nic.cell(path) is not None:
            continue
        not_known = next((cell for cell in bits.values() if cell.is_unknown), None)
        if not_known is not None:
            nic.conclude(path, not_known)
            continue
        on = frozenset(n for n, cell in bits.items() if cell.get())
        changed = [n for n in bits if (n in on) != (n in running.get())]
        at = (where for n in changed or bits for where in bits[n].at)
        nic.conclude(path, known((running.get() | on) - (frozenset(bits) - on), *dict.fromkeys(at)))


def _single_priorities(nic: NicSettings) -> None:
    """Priorities that were set one by one: the others come up as they are, without PFC."""
    bits = {int(n): nic.or_unknown(SINGLE[n]) for n in nic.keys(SINGLE)}
    if not bits:
        return
    whole = nic.cell(PFC)
    cells = sorted(bits.values(), key=lambda cell: not cell.or_else(False))  # what is on decides
    not_known = next((cell for cell in (*cells, whole) if cell is not None and cell.is_unknown), None)
    if not_known is not None:
        nic.conclude(PFC, not_known)
        return
    base = whole.get() if whole is not None and whole.is_known else frozenset()
    on = frozenset(n for n, cell in bits.items() if cell.get())
    off = frozenset(bits) - on
    at = tuple(where for cell in (*cells, *((whole,) if whole is not None else ())) for where in cell.at)
    nic.conclude(PFC, known((base | on) - off, *dict.fromkeys(at)))
