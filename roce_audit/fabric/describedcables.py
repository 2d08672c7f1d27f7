"""Cables that descriptions of ports tell: in a form that the policy names, or because each end names the other."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from roce_audit.fabric.links import Cable
from roce_audit.fabric.port import FabricPort, FabricPorts
from roce_audit.policy.farends import FarEndPolicy

_WORD = re.compile(r"[^\s,;|<>()\[\]]{1,300}")
_MOST_WORDS = 24
_WORDS_OF_A_PORT = 2
"""`fortyGigE 1/53`, `ethernet 1/1/5`."""


def described(ports: FabricPorts, forms: Sequence[FarEndPolicy]) -> list[Cable]:
    """The cables that descriptions tell, where the far end is a port that was read."""
    return [*_in_a_form(ports, forms), *_each_naming_the_other(ports)]


def _in_a_form(ports: FabricPorts, forms: Sequence[FarEndPolicy]) -> Iterator[Cable]:
    for port in ports.all if forms else ():
        text = port.reading.labels.description
        for end in filter(None, (form.read(text) for form in forms if text)):
            if ports.find(*end) is not None:
                yield _cable(port, end)
                break


def _each_naming_the_other(ports: FabricPorts) -> Iterator[Cable]:
    """One description may be old or mean something else; two ports that name each other, and no third one, are cabled."""
    devices: dict[str, set[str]] = defaultdict(set)
    for name in dict.fromkeys(port.device.name for port in ports.all):
        for known_as in (name.lower(), name.lower().partition(".")[0]):
            devices[known_as].add(name)
    cabled = [port for port in ports.all if port.reading.labels.description and _is_ethernet(port)]
    named = {port.id: _named(port, ports, devices) for port in cabled}
    for port in cabled:
        both = [far for far in named[port.id].values() if port.id in named.get(far.id, {})]
        if len(both) == 1 and port.id < both[0].id and _is_only(port, both[0], named):
            yield _cable(port, (both[0].device.name, both[0].reading.name))


def _is_only(port: FabricPort, far: FabricPort, named: Mapping[str, Mapping[str, FabricPort]]) -> bool:
    return [id for id in named[far.id] if far.id in named.get(id, {})] == [port.id]


def _named(port: FabricPort, ports: FabricPorts, devices: Mapping[str, set[str]]) -> dict[str, FabricPort]:
    """The data ports of other devices that the description names, by id."""
    words = _WORD.findall(port.reading.labels.description.lower())[:_MOST_WORDS]
    found: dict[str, FabricPort] = {}
    for at, word in enumerate(words):
        device, _, rest = word.partition(":")
        names = devices.get(device) or (devices.get(device.partition(".")[0]) if "." in device else None)
        if names is None or len(names) != 1 or port.device.name in names:
            continue
        following = [rest] if rest else []
        for count in range(_WORDS_OF_A_PORT + 1):
            name = " ".join([*following, *words[at + 1 : at + 1 + count]])
            far = ports.find(next(iter(names)), name) if name else None
            if far is not None and _is_ethernet(far):
                found[far.id] = far
                break
    return found


def _is_ethernet(port: FabricPort) -> bool:
    return port.reading.facts.kind.value == "ethernet"


def _cable(port: FabricPort, end: tuple[str, str]) -> Cable:
    return Cable((port.device.name, port.reading.name), end, port.reading.header, origin="description")
