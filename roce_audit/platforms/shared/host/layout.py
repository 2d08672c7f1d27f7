"""Which statements of a host are about which of its NICs: worked out once for all hosts whose tools say the same, line by line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

from roce_audit.platforms.shared.host import gids
from roce_audit.platforms.shared.host.answers import UNREADABLE, Tool
from roce_audit.platforms.shared.host.facts import NicReading, read_nic
from roce_audit.platforms.shared.host.tools import by_name
from roce_audit.records import dataclass
from roce_audit.text.block import PartShape, Texts

Said = tuple[str | None, str, Texts, tuple[int, ...]]
"""Whom statements are about (None: every NIC), the tool, the statements, and their lines from the first one on."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A port, and what was said of it, by the numbers of what was said on the host."""

    name: str
    said: tuple[int, ...]
    """Those that are about the port; each is a part of it, of the shape at the same place."""
    shapes: tuple[PartShape, ...]
    header: int
    """The part that introduces the port best."""
    reading: NicReading

    @property
    def is_odd(self) -> bool:
        """Whether something in it was not understood, or is said in two ways."""
        reading = self.reading
        return bool(reading.unread or reading.conflicts) or any(unreadable(shape.texts) for shape in self.shapes)


@lru_cache(maxsize=65_536)
def unreadable(texts: Texts) -> tuple[tuple[int, str], ...]:
    """Index and words of the statements that say that an answer could not be read."""
    found = [(i, text) for i, text in enumerate(texts.statements) if text.startswith(UNREADABLE)]
    return tuple([(index, text.removeprefix(UNREADABLE)) for index, text in found])


@lru_cache(maxsize=128)
def layouts(said: tuple[Said, ...], netdevs: tuple[tuple[str, bool], ...]) -> tuple[tuple[Layout, bool], ...]:
    """The ports of a host, each with whether it is odd. `netdevs` are its network devices, each with whether it is hidden."""
    hidden = dict(netdevs)
    of_all: list[int] = []
    own: dict[str, list[int]] = defaultdict(list)
    for number, (name, *_) in enumerate(said):
        (of_all if name is None else own[name]).append(number)
    has_netdevs = any(name in own for name in hidden)
    found = []
    for name, mine in own.items():
        tools = {said[number][1] for number in mine}
        kinds = {tool for tool in tools if not tool.startswith("boot ")}
        if kinds <= _WEAK:
            continue  # a boot file or a route alone makes no NIC
        if hidden.get(name) and kinds <= _WEAK | {"ip link", "net files"}:
            continue
        if has_netdevs and name not in hidden and all(map(_of_spare_ports, tools)) and _is_spare(name, own):
            continue
        general = of_all if name in hidden else [n for n in of_all if not _lists_by_name(said[n][1])]
        ordered = sorted((*general, *mine), key=lambda number: said[number][1] == gids.TOOL)
        layout = _layout(name, ordered, min(mine, key=lambda number: _rank(said[number][1])), said)
        found.append((layout, layout.is_odd))
    return tuple(found)


def _layout(name: str, ordered: Sequence[int], header: int, said: Sequence[Said]) -> Layout:
    shapes = []
    for number in ordered:
        about, tool, texts, offsets = said[number]
        shapes.append(PartShape("device" if about is None else "own", texts, offsets, tool, "", ()))
    key = tuple([(shape.role, shape.kind, shape.name, shape.texts, shape.unknown) for shape in shapes])
    return Layout(name, tuple(ordered), tuple(shapes), ordered.index(header), read_nic(key))


_WEAK = frozenset({"ip route"})


def _rank(name: str) -> int:
    """Which part introduces a port best: an absence is shown at its first line."""
    tool = by_name().get(name)
    return tool.introduces if tool is not None else Tool.introduces


def _of_spare_ports(name: str) -> bool:
    tool = by_name().get(name)
    return tool is not None and tool.of_spare_ports


def _lists_by_name(name: str) -> bool:
    """Whether it lists RDMA devices by their network devices: of a NIC that only its vendor's tool numbers it says nothing."""
    tool = by_name().get(name)
    return tool is not None and "nic.rdma_device" in tool.covers


def _is_spare(address: str, own: Mapping[str, object]) -> bool:
    """The second port that firmware settings mention on a card whose first port is no NIC of this host either."""
    return not address.endswith(".0") and any(name == f"{address[:-1]}0" for name in own)
