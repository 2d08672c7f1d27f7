"""Cables that descriptions of ports tell: in a form that the policy names, because each end names the other, or because a port names
a host and its NIC, or a host of which one NIC shares its subnet for two. Where they name no other device, addresses tell cables.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from roce_audit.fabric.cables.addressed import by_subnets
from roce_audit.fabric.cables.exchangedends import exchanged
from roce_audit.fabric.cables.links import Cable
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ports import FabricPorts
from roce_audit.fabric.vlans.subnets import are_for_two, subnets_of
from roce_audit.model import Observation, Port
from roce_audit.patterns import lazy
from roce_audit.policy.farends import FarEndPolicy

_WORD = lazy(r"[^\s,;|<>()\[\]]{1,300}")
_JOINT = lazy(r"[_-]")
_SAYS_NO_PORT = lazy(r"to|from|host|server|node|link|uplink|downlink|bond[0-9]{0,3}|rdma|roce|gpu|storage")
_BOTH = 2
_MOST_JOINTS = 6
_MOST_WORDS = 24
_WORDS_OF_A_PORT = 2
"""`fortyGigE 1/53`, `ethernet 1/1/5`."""


class Descriptions:
    """The cables that descriptions tell, where the far end is a port that was read."""

    def __init__(self, ports: FabricPorts, forms: Sequence[FarEndPolicy]) -> None:
        self._ports = ports
        self._forms = forms
        self._named: dict[str, Mapping[str, FabricPort]] = {}
        self._naming: dict[str, bool] = {}
        """Descriptions of idle ports, which repeat, and whether they name a device."""

    @property
    def tell_cables(self) -> bool:
        """False where no description can tell a cable: the policy names no form, and one device was read."""
        return bool(self._forms) or len(self._ports.devices) > 1

    def cables(self, of: Collection[FabricPort]) -> list[Cable]:
        """The cables both ends of which are among these ports, and some with one end there.

        What says more of a cable than descriptions do is asked first: most ports are not looked at here.
        """
        return [*self._in_a_form(of), *self._each_naming_the_other(of), *self._to_hosts(of)]

    def cables_of_one_word(self, of: Collection[FabricPort]) -> list[Cable]:
        """The cables that one description tells, or addresses, where nothing says more: of these ports no cable is known otherwise."""
        return [*self._to_nics(of), *self._to_the_only_nics(of), *self._by_addresses(of)]

    def exchanged(self, of: Iterable[FabricPort]) -> Iterator[Observation]:
        """What descriptions of these ports, of which nothing tells a cable, contradict in each other."""
        return exchanged(of, self._named_by) if len(self._ports.devices) > 1 else iter(())

    def may_tell(self, device: str, port: Port, description: str) -> bool:
        """False where the description of a port of a device tells no cable, whatever other descriptions tell."""
        if self._forms and description and any(form.read(description) for form in self._forms):
            return True
        if not _is_ethernet(port) or not description:
            return False
        names_one = self._naming.get(description)
        if names_one is None:
            names_one = self._naming[description] = any(_ends("", description, self._devices))
        return names_one and any(_ends(device, description, self._devices))

    def naming(self, hosts: Collection[str], ports: Iterable[FabricPort]) -> Mapping[str, str]:
        """Host -> the switch of which most ports name it."""
        counted: dict[str, Counter[str]] = defaultdict(Counter)
        for port in ports:
            description = "" if port.is_nic or not _is_ethernet(port.reading.facts) else port.reading.labels.description
            for name in (
                {name for name, _ in _ends(port.device.name, description, self._devices)} if description else ()
            ):
                counted[name][port.device.name] += 1
        return {host: counted[host].most_common(1)[0][0] for host in hosts if host in counted}

    def _in_a_form(self, of: Collection[FabricPort]) -> Iterator[Cable]:
        for port in of if self._forms else ():
            text = port.reading.labels.description
            for end in filter(None, (form.read(text) for form in self._forms if text)):
                if self._ports.find(*end) is not None:
                    yield _cable(port, end)
                    break

    def _each_naming_the_other(self, of: Collection[FabricPort]) -> Iterator[Cable]:
        """One description may be old or mean something else; two ports that name each other, and no third one, are cabled."""
        for port in of if len(self._ports.devices) > 1 else ():
            if not (port.reading.labels.description and _is_ethernet(port.reading.facts) and self._named_by(port)):
                continue
            both = self._naming_each_other(port)
            if len(both) == 1 and port.id < both[0].id and self._naming_each_other(both[0]) == [port]:
                yield _cable(port, (both[0].device.name, both[0].reading.name))

    def _to_hosts(self, of: Collection[FabricPort]) -> Iterator[Cable]:
        """NICs have no description that could name the switch. An address of theirs beside that of the port which names their host, in
        a subnet that no third port shares, says as much.
        """
        if len(self._ports.devices) < 2 or not any(port.is_nic for port in of):
            return
        sharing: dict[tuple[int, int], list[FabricPort]] = defaultdict(list)
        for port in of:
            for subnet in subnets_of(port) if port.reading.labels.addresses else ():
                if are_for_two(frozenset({subnet})):
                    sharing[subnet].append(port)
        for ends in sharing.values():
            if len(ends) != _BOTH or ends[0].is_nic == ends[1].is_nic:
                continue
            port, nic = sorted(ends, key=lambda end: end.is_nic)
            named = (device for device, _ in _ends(port.device.name, port.reading.labels.description, self._devices))
            if nic.device.name in named:
                yield _cable(port, (nic.device.name, nic.reading.name))

    def _to_nics(self, of: Collection[FabricPort]) -> Iterator[Cable]:
        """A NIC that one port alone names, with its host, and that names no other."""
        if len(self._ports.devices) < 2 or not any(port.is_nic for port in of):
            return
        naming: dict[str, list[FabricPort]] = defaultdict(list)
        nics: dict[str, FabricPort] = {}
        for port in of:
            named = self._named_by(port) if port.reading.labels.description and not port.is_nic else {}
            if len(named) == 1:
                (nic,) = named.values()
                if nic.is_nic:
                    naming[nic.id].append(port)
                    nics[nic.id] = nic
        for id, those in naming.items():
            if len(those) == 1:
                yield _cable(those[0], (nics[id].device.name, nics[id].reading.name))

    def _to_the_only_nics(self, of: Collection[FabricPort]) -> Iterator[Cable]:
        """The NIC of a host, or the members of its only bond, where as many ports name the host and nothing else as it has NICs for RDMA.

        Which member of a bond leads to which of these ports is all the same.
        """
        nics: dict[str, list[FabricPort]] = defaultdict(list)
        for port in of:
            if port.is_nic and _is_for_rdma(port):
                nics[port.device.name].append(port)
        naming: dict[str, list[FabricPort]] = defaultdict(list)
        for port in of if nics else ():
            host = "" if port.is_nic else self._host_alone(port)
            if host in nics:
                naming[host].append(port)
        for host, ports in naming.items():
            its = nics[host]
            is_bond = its[0].reading.labels.lag and len({nic.reading.labels.lag for nic in its}) == 1
            if len(ports) == len(its) and (len(its) == 1 or is_bond):
                yield from (_cable(port, (host, nic.reading.name)) for port, nic in zip(ports, its, strict=True))

    def _host_alone(self, port: FabricPort) -> str:
        """The one device that the description names, where it says nothing else of the far end."""
        description = port.reading.labels.description
        if not description or not _is_ethernet(port.reading.facts):
            return ""
        named = [name for name, _ in _ends(port.device.name, description, self._devices)]
        others = [word for word in _WORD.findall(description.lower()) if not _SAYS_NO_PORT.fullmatch(word)]
        return named[0] if len(named) == len(others) == 1 else ""

    def _by_addresses(self, of: Collection[FabricPort]) -> Iterator[Cable]:
        if len(self._ports.devices) > 1:
            ethernet = (port for port in of if port.reading.labels.addresses and _is_ethernet(port.reading.facts))
            for one, other in by_subnets(ethernet, self._may_be_cabled):
                yield _cable(one, (other.device.name, other.reading.name))

    def _may_be_cabled(self, one: FabricPort, other: FabricPort) -> bool:
        """Whether neither of two ports names other devices in its description than that of the other port."""
        for port, far in ((one, other), (other, one)):
            named = {name for name, _ in _ends(port.device.name, port.reading.labels.description, self._devices)}
            if named and far.device.name not in named:
                return False
        return True

    def _naming_each_other(self, port: FabricPort) -> list[FabricPort]:
        return [far for far in self._named_by(port).values() if port.id in self._named_by(far)]

    def _named_by(self, port: FabricPort) -> Mapping[str, FabricPort]:
        """The data ports of other devices that its description names, by id."""
        found = self._named.get(port.id)
        if found is None:
            found = self._named[port.id] = {far.id: far for far in self._look_up(port)}
        return found

    def _look_up(self, port: FabricPort) -> Iterator[FabricPort]:
        description = port.reading.labels.description if _is_ethernet(port.reading.facts) else ""
        for device, names in _ends(port.device.name, description, self._devices):
            found = (self._ports.find(device, name) or self._ports.find_last(device, name) for name in names)
            far = next((one for one in found if one is not None and _is_ethernet(one.reading.facts)), None)
            if far is not None:
                yield far

    @cached_property
    def _devices(self) -> Mapping[str, set[str]]:
        """What devices are known as -> their names."""
        devices: dict[str, set[str]] = defaultdict(set)
        for name in self._ports.devices:
            for known_as in (name.lower(), name.lower().partition(".")[0]):
                devices[known_as].add(name)
        return devices


def _ends(own: str, description: str, devices: Mapping[str, set[str]]) -> Iterator[tuple[str, Sequence[str]]]:
    """The other devices that the description of a port of `own` names, each with what may name a port of it behind."""
    words = _WORD.findall(description.lower())[:_MOST_WORDS]
    joined = (word for word in words if "-" in word)
    may_be_joined = any(sign in description for sign in ":._")
    if not may_be_joined and devices.keys().isdisjoint([*words, *(_parted(word, devices)[0] for word in joined)]):
        return
    for at, word in enumerate(words):
        device, _, rest = word.partition(":")
        names = devices.get(device) or (devices.get(device.partition(".")[0]) if "." in device else None)
        if names is None and not rest:
            device, rest = _parted(word, devices)
            names = devices.get(device)
        if names is None and rest:
            names = next(filter(None, map(devices.get, _parts_behind(device))), None)
        if names is not None and len(names) == 1 and own not in names:
            following = [rest] if rest else []
            behind = (" ".join([*following, *words[at + 1 : at + 1 + n]]) for n in range(_WORDS_OF_A_PORT + 1))
            yield next(iter(names)), [name for name in behind if name]


def _parted(word: str, devices: Mapping[str, set[str]]) -> tuple[str, str]:
    """`leaf1_Ethernet2`, `to-sw-leaf-001-1/16`: the longest name of a device with which a word begins, and what is behind its joint."""
    head = word = word.removeprefix("to-").removeprefix("to_")
    for _ in range(_MOST_JOINTS):
        joint = max(head.rfind("-"), head.rfind("_"))
        if joint < 0:
            break
        head = head[:joint]
        if head in devices:
            return head, word[joint + 1 :]
    before, _, behind = word.rpartition("_")
    return before, behind


def _parts_behind(word: str) -> Iterator[str]:
    """`facing_leaf1:et-0/0/1`, `P2P_LINK_TO_LEAF1_Ethernet2`: what a name may be with words before it; the longest first."""
    for joint in itertools.islice(_JOINT.finditer(word), _MOST_JOINTS):
        yield word[joint.end() :]


def _is_ethernet(port: Port) -> bool:
    return port.kind.value == "ethernet"


def _is_for_rdma(nic: FabricPort) -> bool:
    """Whether it has an RDMA device, or pauses."""
    facts = nic.reading.facts
    pfc = facts.pfc.value_or_none()
    has_rdma_device = any(":" not in alias for alias in nic.reading.labels.aliases)  # others are addresses of slots
    return _is_ethernet(facts) and (has_rdma_device or (pfc is not None and bool(pfc.priorities.or_else(frozenset()))))


def _cable(port: FabricPort, end: tuple[str, str]) -> Cable:
    return Cable((port.device.name, port.reading.name), end, port.reading.header, origin="description")
