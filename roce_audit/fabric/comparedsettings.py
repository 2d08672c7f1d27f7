"""Settings by which similar ports are compared, as one port has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import is_dataclass
from typing import Any

from roce_audit.fabric.port import FabricPort
from roce_audit.model import Port
from roce_audit.model.walk import Path, cells, follow
from roce_audit.text.block import Part
from roce_audit.values import At, Cell, Why, known

_OF_PORTS = frozenset(
    [
        "pfc",
        "ip_mtu_bytes",
        "trust",
        "link_pause_rx",
        "link_pause_tx",
        "dscp",
        "queues",
        "groups",
        "classes",
        "priorities",
        "fec",
        "policed",
        "rewrites_dscp",
    ]
)
_OWN_BY_NATURE = frozenset(["headroom_bytes", "reserved_bytes", "profile_cable_m", "operational"])
"""Settings that follow the cable or the traffic, and so differ between similar ports without a fault."""
_WHETHER_AT_ALL = "profile"
"""The name of a buffer profile follows the cable as well; that a port has none while similar ports have one is odd."""
UNSAID = "not said"
"""Nothing says it on this port, and no default is documented: odd where similar ports do say it."""
_CONGESTION_CONTROL = frozenset({("nic", "dcqcn"), ("nic", "cnp_dscp"), ("nic", "cnp_priority")})


def of_ports(path: Path) -> bool:
    """Settings that all similar ports should have alike."""
    return path[0] in _OF_PORTS and path[-1] not in _OWN_BY_NATURE


def of_congestion_control(path: Path) -> bool:
    """Settings of a NIC's congestion control."""
    return path[:2] in _CONGESTION_CONTROL


class ComparedSettings:
    """The compared settings of a port's facts, memoised."""

    def __init__(self, compared: Callable[[Path], bool]) -> None:
        self._compared = compared
        self._memo: dict[int, dict[Path, Cell[Any]]] = {}
        self._misread: dict[int, dict[Path, Cell[Any]]] = {}

    def of(self, port: FabricPort) -> dict[Path, Cell[Any]]:
        """Those that are known, or known to be absent."""
        facts = port.reading.facts
        found = self._memo.get(id(facts))
        if found is None:
            found = self._memo[id(facts)] = dict(self._read(facts, port.reading.parts))
        return found

    def misread(self, port: FabricPort) -> dict[Path, Cell[Any]]:
        """Those that are written somewhere and yet unknown."""
        facts = port.reading.facts
        found = self._misread.get(id(facts))
        if found is None:
            doubtful = [(p, c) for p, c in cells(facts) if c.is_unknown and c.at and c.why is not Why.NO_DEFAULT]
            not_known = ((path, cell) for path, cell in doubtful if self._compared(path))
            found = self._misread[id(facts)] = {_named(facts, path): cell for path, cell in not_known}
        return found

    def _read(self, facts: Port, parts: Sequence[Part]) -> Iterator[tuple[Path, Cell[Any]]]:
        """The values that are known, and of each object on the way to them that it is there at all."""
        there: set[Path] = set()  # objects that were looked at on the way
        for path, cell in cells(facts):
            if not self._compared(path):
                continue
            if cell.is_unknown:
                if cell.why is Why.NO_DEFAULT and _said_by_nobody(cell, parts):
                    yield _named(facts, path), known(UNSAID)
                continue
            for end in range(1, len(path)):
                if path[:end] in there:
                    continue
                there.add(path[:end])
                around = follow(facts, path[:end])
                if around is not None and is_dataclass(around.value):
                    yield path[:end], known("set", *around.at)
            whether = path[-1] == _WHETHER_AT_ALL and cell.is_known
            yield _named(facts, path), known("set", *cell.at) if whether else cell


def _said_by_nobody(cell: Cell[Any], parts: Sequence[Part]) -> bool:
    """Whether no line of the port or of what it binds has to do with it."""
    return all(isinstance(at, At) and parts[at.part].role == "device" for at in cell.at)


def _named(facts: Port, path: Path) -> Path:
    """The path with names for numbers in lists whose elements go by a name: their order means nothing."""
    if path[0] != "nic":
        return path  # the lists of a port itself have one place for each number
    steps: list[str | int] = []
    for end, step in enumerate(path, 1):
        around = follow(facts, path[: end - 1]) if isinstance(step, int) else None
        listed = around.value if around is not None and isinstance(around.value, tuple) else ()
        element: object = listed[step] if isinstance(step, int) and step < len(listed) else None
        steps.append(
            str(getattr(element, "name", step)) if isinstance(step, int) and hasattr(element, "name") else step
        )
    return tuple(steps)
