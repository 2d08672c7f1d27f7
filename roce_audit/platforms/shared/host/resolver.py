"""Which NIC a statement is about: RDMA devices, PCI addresses and answers without a name are laid to network devices."""

from __future__ import annotations

import re
from collections import defaultdict

from roce_audit.platforms.shared.host.collector import UNNAMED, Collector, Subject
from roce_audit.platforms.shared.host.tools import by_name


class Resolver:
    """Which network device a statement's subject is."""

    def __init__(self, collector: Collector) -> None:
        self.collector = collector
        self.by_pci: dict[str, str] = {}
        for name, nic in collector.nics.items():
            if not nic.pci:
                nic.pci = _pci_of_name(name)
            if nic.pci and not nic.representor and not nic.hidden:
                self.by_pci.setdefault(nic.pci, name)
        self._place_at_macs()
        self._place_at_members()
        self._place_lonely_card()
        self._place_lonely_number()
        self._place_lonely_device()

    def _place_at_macs(self) -> None:
        """An RDMA device of which no answer names the network device is that of the only one whose MAC address its GUID is made from."""
        nics = self.collector.nics
        for device, address in self.collector.at_macs.items():
            found = [
                name
                for name in self.collector.macs.get(address, ())
                if name in nics and not (nics[name].hidden or nics[name].representor or nics[name].rdma)
            ]
            if device not in self.collector.rdma_netdev and len(found) == 1:
                self.collector.is_rdma(device, found[0])

    def _place_at_members(self) -> None:
        """The only RDMA device of a bond is that of its first member, as `rdma link show` has it: members are judged, bonds are not."""
        nics = self.collector.nics
        first: dict[str, str] = {}
        for name, nic in nics.items():
            if nic.lag and not (nic.hidden or nic.representor):
                first.setdefault(nic.lag, name)
        named: dict[str, list[str]] = defaultdict(list)
        for device, netdev in self.collector.rdma_netdev.items():
            if netdev in first:
                named[netdev].append(device)
        for bond, devices in named.items():
            member = nics[first[bond]]
            if len(devices) == 1 and not member.rdma:
                self.collector.rdma_netdev[devices[0]] = first[bond]
                member.rdma, nics[bond].rdma = devices[0], ""

    def _place_lonely_device(self) -> None:
        """The only RDMA device of a host is that of its only RDMA NIC; an answer without a name is that NIC's as well."""
        tools = by_name()
        told = {
            about[1] for about, tool, _ in self.collector.statements if about[0] == "net" and tools[tool].of_rdma_nic
        }
        devices = {about[1] for about, _, _ in self.collector.statements if about[0] == "rdma"}
        if len(told) == 1 and len(devices) == 1 and not self.collector.rdma_netdev:
            self.collector.is_rdma(devices.pop(), told.pop())
        named = [n for n, nic in self.collector.nics.items() if n != UNNAMED[1] and not (nic.hidden or nic.representor)]
        self.nameless = named[0] if len(named) == 1 else UNNAMED[1]

    def _place_lonely_card(self) -> None:
        """Firmware settings of the only card of a host are those of its only NICs, function by function."""
        wanted = {about[1] for about, _, _ in self.collector.statements if about[0] == "pci"} - set(self.by_pci)
        homeless = [
            n for n, nic in self.collector.nics.items() if not nic.pci and not nic.hidden and not nic.representor
        ]
        bases = {address.rpartition(".")[0] for address in wanted}
        stems = {re.sub(r"(?:f\d+)?(?:np\d+)?$", "", name) for name in homeless}
        if len(bases) != 1 or len(stems) != 1 or self.by_pci:
            return
        base = bases.pop()
        for name in homeless:
            found = re.search(r"np?(\d+)$", name) or re.search(r"f(\d+)$", name)
            function = int(found.group(1)) if found else 0
            if len(homeless) == 1 or found:
                address = f"{base}.{function if len(homeless) > 1 else _lowest(wanted)}"
                self.collector.nics[name].pci = address
                self.by_pci[address] = name

    def _place_lonely_number(self) -> None:
        """The only card that a vendor's tool speaks of is the host's only RDMA NIC, or its only NIC."""
        wanted = {about[1] for about, _, _ in self.collector.statements if about[0] == "card"}
        nics = {n: nic for n, nic in self.collector.nics.items() if not (nic.hidden or nic.representor)}
        homes = [n for n, nic in nics.items() if nic.rdma] or list(nics)
        if len(wanted) == len(homes) == 1 and not wanted & set(self.collector.cards):
            self.collector.is_card(wanted.pop(), ("net", homes[0]))

    def name(self, about: Subject) -> str:
        """The name of the port that a subject is."""
        kind, name = about
        if kind == "card":
            known = self.collector.cards.get(name)
            return self.name(known) if known is not None else name
        if kind == "rdma":
            return self.collector.rdma_netdev.get(name, name)
        if kind == "pci":
            return self.by_pci.get(name, name)
        return self.nameless if about == UNNAMED else name


def _pci_of_name(name: str) -> str:
    """`enp59s0f1np1` sits at 0000:3b:00.1 (systemd.net-naming-scheme: bus and slot are decimal in the name)."""
    found = re.fullmatch(r"en(?:P(\d+))?p(\d+)s(\d+)(?:f(\d+))?(?:np\d+)?", name)
    if found is None:
        return ""
    domain, bus, slot, function = (int(g or 0) for g in found.groups())
    return f"{domain:04x}:{bus:02x}:{slot:02x}.{function:x}"


def _lowest(addresses: set[str]) -> str:
    return min(address.rpartition(".")[2] for address in addresses)
