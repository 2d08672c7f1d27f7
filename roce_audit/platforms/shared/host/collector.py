"""What is gathered while a host's answers are read: statements about NICs, who those NICs are, what is odd."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from roce_audit.model.device import ObservationKind
from roce_audit.patterns import lazy
from roce_audit.platforms.base import UNREAD_LINE, Neighbour, Seen, seen
from roce_audit.platforms.neighbour import mac
from roce_audit.platforms.portreading import NAMELESS
from roce_audit.platforms.shared.host.boot import CONTRADICTS, MISREAD, MISSPELT, REJECTED
from roce_audit.platforms.shared.host.listslips import (
    ROCE_VERSION,
    device_as_interface,
    first_version,
    interface_in_list,
    slips_of_list,
)
from roce_audit.platforms.shared.host.pcie import PcieTree
from roce_audit.platforms.shared.host.settings import LIBRARY_PREFIXES, OTHER_PREFIXES, WORDS, HostFacts, meant_variable
from roce_audit.text.block import Texts, block
from roce_audit.text.document import Document
from roce_audit.values import Place, known

Subject = tuple[Literal["net", "rdma", "pci", "card", "host"], str]
"""What a statement is about: a network device, an RDMA device, a PCI address, a card as its own tool calls it, or every NIC."""

HOST: Subject = ("host", "")
UNNAMED: Subject = ("net", NAMELESS)
"""The one NIC of a lone answer that does not say whose it is."""
QUOTE = 200
"""Characters of a statement that a report shows."""
_REJECTED_CALL = "the tool refuses this call and does not set it"
_VARIABLE_PREFIX = lazy(rf"(?:{LIBRARY_PREFIXES}|{OTHER_PREFIXES})_[A-Za-z0-9_]{{1,80}}")

_SAME_AS = {"NVME_TRANSPORT_TOS": "STORAGE_TCLASS"}
"""The byte that the initiators of Mayastor's io-engine send with (openebs/mayastor, NvmeBdevOpts: transport_tos of SPDK)."""


def full_address(text: str) -> str:
    """A PCI address with its domain, in lower case: `3B:00.0` is 0000:3b:00.0."""
    return text.lower() if text.count(":") > 1 else f"0000:{text.lower()}"


def noticed(
    kind: ObservationKind, place: Place, text: str, meaning: str, ports: tuple[str, ...] = (), *others: Place
) -> Seen:
    """An observation that is named by the statement it quotes; `others` are places that it is about as well."""
    quote = text[:QUOTE]
    return seen(kind, quote, meaning, place, quote, ports, *others)


def unread(statement: str) -> tuple[ObservationKind, str, str]:
    """What a statement is that was not understood: its kind, its words, and what it means. A call that its own tool refuses is none."""
    kind, _, call = statement.partition(" ")
    if kind == REJECTED:
        quoted, _, reason = call.partition(": ")
        return "rejected-call", quoted, f"{_REJECTED_CALL}: {reason}; what was set before stays"
    if kind == MISREAD:
        quoted, _, reason = call.partition(": ")
        return "misread-call", quoted, reason
    if kind == CONTRADICTS:
        quoted, _, reason = call.partition(": ")
        return "conflict", quoted, reason
    return "unread-line", call.partition(" ")[2] if kind == MISSPELT else statement, UNREAD_LINE


@dataclass
class Nic:
    """What is known of a network device's identity; no part of its facts."""

    rdma: str = ""
    pci: str = ""
    device_id: str = ""
    """PCI device id, four hexadecimal digits."""
    lag: str = ""
    bond_mode: str = ""
    mtu: int = 0
    representor: bool = False
    hidden: bool = False
    """A software device (loopback, bridge, container): no port unless some NIC tool speaks of it."""
    addresses: list[str] = field(default_factory=list)
    vlans: set[int] = field(default_factory=set)
    description: str = ""
    no_link: Place | None = None
    """Where an answer shows that it has no link."""


class Told:
    """Statements that one tool read in one answer, with their lines in it, counted from 1."""

    __slots__ = ("_outline", "is_shared", "lines")

    def __init__(self, lines: list[tuple[int, str]], is_shared: bool = False) -> None:
        """`is_shared`: the same answer of other hosts says it as well, so that nothing may be added."""
        self.lines = lines
        self.is_shared = is_shared
        self._outline: tuple[Texts, int, tuple[int, ...]] | None = None

    @property
    def outline(self) -> tuple[Texts, int, tuple[int, ...]]:
        """The statements, how many lines stand before the first of them, and their lines from that one on; asked when all are told."""
        if self._outline is None:
            numbers, statements = zip(*self.lines, strict=True)
            found = block("", min(numbers), statements, numbers)
            self._outline = found.texts, found.first - 1, found.offsets
        return self._outline


class Collector:
    """One host being read."""

    def __init__(self) -> None:
        self.statements: dict[tuple[Subject, str, int], Told] = {}
        """By whom they are about, the tool, and the document."""
        self.documents: dict[int, Document] = {}
        self.nics: dict[str, Nic] = {}
        self.rdma_netdev: dict[str, str] = {}
        self.cards: dict[str, Subject] = {}
        """A card as its vendor's tool numbers or names it -> who that is."""
        self.neighbours: list[Neighbour] = []
        """The far ends of network devices as LLDP tells them."""
        self.tagged: defaultdict[str, set[int]] = defaultdict(set)
        """Network device -> the VLANs of devices above it that are up."""
        self.macs: dict[str, set[str]] = {}
        """MAC address -> the network devices that have it; those of a bond share one."""
        self.at_macs: dict[str, str] = {}
        """RDMA device -> the MAC address that its GUID is made from."""
        self.host = HostFacts()
        self.seen: list[Seen] = []
        self.identified: set[str] = set()
        """RDMA devices that a file was seen of."""
        self.launched: Place | None = None
        """Where a job is launched: a batch script, a manifest."""
        self.set_up = False
        """A file was seen that sets NICs up and may be no host's own."""
        self.cut: set[str] = set()
        """Files of which only the beginning was gathered."""
        self.pcie = PcieTree()
        self.unlinked: list[tuple[Subject, Place]] = []
        """NICs without link, and where an answer shows it."""
        self.boot: Any = None
        """What the reader of boot files keeps: they come line by line, and some name their NIC late or by a pattern."""
        self.at_end: list[Callable[[], None]] = []
        """What is left to say when all answers were read and the NICs are known."""
        self.relevant = 0

    def add(self, about: Subject, tool: str, document: Document, line: int, statement: str) -> None:
        """A statement that tool `tool` read in a document."""
        self._own((about, tool, id(document)), document).lines.append((line - document.first_line + 1, statement))
        self.relevant += 1

    def add_all(self, about: Subject, tool: str, document: Document, told: Told) -> None:
        """The same for all statements of an answer that may be other hosts' as well."""
        key = (about, tool, id(document))
        if key in self.statements:
            self._own(key, document).lines += told.lines
        else:
            self.documents[key[2]] = document
            self.statements[key] = told
        self.relevant += len(told.lines)

    def _own(self, key: tuple[Subject, str, int], document: Document) -> Told:
        """The statements to which more may be added."""
        self.documents[key[2]] = document
        told = self.statements.get(key)
        if told is None or told.is_shared:
            told = self.statements[key] = Told([] if told is None else list(told.lines))
        return told

    def unread(self, document: Document, line: int, text: str) -> None:
        """A relevant line that was not understood and concerns no NIC that could be named."""
        self.relevant += 1
        self.tell(Place(document.path, line), text)

    def tell(self, place: Place, text: str) -> None:
        """What a statement is that was not understood, or that says what is wrong with a call."""
        kind, words, meaning = unread(text)
        self.seen.append(noticed(kind, place, words, meaning))

    def nic(self, name: str) -> Nic:
        """The identity of a network device."""
        return self.nics.setdefault(name, Nic())

    def note(self, netdev: str, name: str, value: str | bool) -> None:
        """Something of a network device's identity, by its name in `Nic`."""
        setattr(self.nic(netdev), name, value)

    def has_no_link(self, about: Subject, document: Document, line: int) -> None:
        """A NIC has no link; the first answer that shows it counts."""
        self.unlinked.append((about, Place(document.path, line)))
        if about[0] == "net":
            self.nic(about[1])

    def is_rdma(self, device: str, netdev: str) -> None:
        """An RDMA device belongs to a network device; the first answer counts."""
        self.rdma_netdev.setdefault(device, netdev)
        nic = self.nic(netdev)
        nic.rdma = nic.rdma or device

    def is_there(self, device: str, document: Document, line: int) -> None:
        """A file that an RDMA device surely has says that the device is there; the first one counts."""
        if device not in self.identified:
            self.identified.add(device)
            self.add(("rdma", device), "rdma device", document, line, f"device {device}")

    def is_card(self, card: str, about: Subject) -> None:
        """A card of a vendor's tool is this NIC; the first answer counts."""
        self.cards.setdefault(card, about)

    def at_pci(self, netdev: str, address: str) -> None:
        """A network device sits at a PCI address; the first answer counts."""
        nic = self.nic(netdev)
        nic.pci = nic.pci or address.lower()

    def has_mac(self, netdev: str, address: object) -> None:
        """A network device has this MAC address, now or burnt in."""
        digits = mac(address) if isinstance(address, str) else ""
        if digits.strip("0"):
            self.macs.setdefault(digits, set()).add(netdev)

    def is_at_mac(self, device: str, address: str) -> None:
        """The GUID of an RDMA device is made from this MAC address; "" for none."""
        if digits := mac(address).strip("0") and mac(address):
            self.at_macs.setdefault(device, digits)

    def place_in_tree(self) -> None:
        """Say of each NIC whether it shares a PCIe switch with a GPU; after all answers were read."""
        gpus = self.pcie.gpus
        for name, nic in self.nics.items():
            gpu = self.pcie.gpu_near(nic.pci, gpus)
            if self.pcie.unclear is not None and not gpu:
                self.add(("net", name), "pci tree", *self.pcie.unclear, "unclear")
            elif gpu is not None:
                statement = f"near {gpu}" if gpu else "apart"
                self.add(("net", name), "pci tree", *self.pcie.place(nic.pci), statement)

    def finish(self) -> None:
        """Say what is left to say, and let go of what was kept for that: it refers back to here, and would stay in memory."""
        for say in self.at_end:
            say()
        self.at_end.clear()
        self.boot = None

    def _beside_others(self, name: str, value: str, place: Place) -> None:
        """Say where a list of RDMA devices names a network interface, or RoCEv1 is asked for; what else the job sets shows whether it is
        a slip.
        """
        given = {one: cell.get() for one, (_, cell) in self.host.variables.items()}
        if meaning := interface_in_list(name, value, given) or first_version(name, value, given):
            self.seen.append(noticed("conflict", place, f"{name}={value}", meaning))

    def slip(self, name: str, place: Place, text: str) -> None:
        """What was to set an environment variable, and does not."""
        self.host.misspelt.setdefault(name, (place, text))

    def other(self, name: str, value: str, place: Place) -> None:
        """Another value of a variable, for other processes of the same job than those of the first one."""
        have = self.host.variables.get(name)
        if have is not None and have[1].get() != value and "$" not in value:
            self.host.elsewhere.setdefault(name, {}).setdefault(value, known(value, place))

    def variable(self, name: str, value: str, place: Place, rank: int) -> None:
        """An environment variable; a higher rank wins, then the first."""
        name = _SAME_AS.get(name, name)
        wanted = meant_variable(name)
        if wanted is not None:
            self.slip(wanted, place, f"{name}={value}")
        # the libraries take an empty one for none; a list that begins so is made by what follows
        if not _VARIABLE_PREFIX.fullmatch(name) or (not value and name not in WORDS.values()):
            return
        if odd := device_as_interface(name, value):
            self.seen.append(noticed("conflict", place, f"{name}={value}", odd))
        if name == ROCE_VERSION:
            self.at_end.append(lambda: self._beside_others(name, value, place))
        if name in WORDS.values():
            others = {one: cell.get() for one, (_, cell) in self.host.variables.items()}
            for meaning in slips_of_list(name, value, others):
                self.seen.append(noticed("conflict", place, f"{name}={value}", meaning))
            self.at_end.append(lambda: self._beside_others(name, value, place))
        have = self.host.variables.get(name)
        if have is None or rank > have[0]:
            self.host.variables[name] = (rank, known(value, place))
