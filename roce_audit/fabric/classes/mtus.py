"""The MTUs of a fabric: the largest and smallest that its ports and classes take, and that of the path where only switches say one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from roce_audit.fabric.classes.decided import Classes
from roce_audit.fabric.hosts.nics import nic_of
from roce_audit.fabric.port import FabricPort
from roce_audit.values import Cell, Cited, DefaultLocation, absent, known


def largest_mtu(carrying: Sequence[FabricPort]) -> Cell[int]:
    """The largest IP MTU of the ports; absent where there are none, one is not known, or a class has a larger one of its own and lines
    do not say that of each port."""
    sizes = [(port.reading.facts, port.reading.facts.ip_mtu_bytes) for port in carrying]
    if not all(_is_said(size) for _, size in sizes) and any(
        one.mtu_bytes.is_unknown or (one.mtu_bytes.is_known and one.mtu_bytes.get() > size.or_else(0))
        for facts, size in sizes
        for one in facts.classes.or_else(())
    ):
        return absent()
    return _chosen_mtu(max, carrying)


def largest_sent(carrying: Iterable[FabricPort]) -> Cell[int]:
    """The largest IP MTU of the NICs, with its line, where that of most is known: one host that contradicts itself hides no other."""
    nics = [port for port in carrying if port.is_nic]
    known_ones = [port for port in nics if port.reading.facts.ip_mtu_bytes.is_known]
    return _chosen_mtu(max, known_ones if len(known_ones) * 2 >= len(nics) else nics)


def smallest_taken(carrying: Iterable[FabricPort]) -> Cell[int]:
    """The smallest IP MTU of the switch ports, with its line, where that of each is known."""
    return _chosen_mtu(min, [port for port in carrying if not port.is_nic])


def smallest_class(carrying: Iterable[FabricPort]) -> Cell[int]:
    """The smallest IP MTU of a traffic class that a switch port keeps lossless, with its line, where the class has one of its own."""
    found: list[tuple[int, Cell[int]]] = []
    for port in carrying:
        facts = port.reading.facts
        lossless = {group.number for group in facts.groups.or_else(()) if group.lossless.or_else(False)}
        for one in () if port.is_nic else facts.classes.or_else(()):
            if one.mtu_bytes.is_known and one.group.or_else(-1) in lossless:
                found.append((one.mtu_bytes.get(), known(one.mtu_bytes.get(), port.first_line(one.mtu_bytes.at))))
    return min(found, key=lambda one: one[0])[1] if found else absent()


def counted_mtu(found: Classes, carrying: Iterable[FabricPort]) -> Cell[int]:
    """The path MTU of the fabric where nobody but the switch ports says one."""
    if any(nic.rdma_mtu_bytes.is_known for port in carrying if (nic := nic_of(port)) is not None):
        return absent()
    return next((cls.mtu_bytes for cls in found.roce if any(one.key == "mtu.roce" for one in found.inferred)), absent())


def _is_said(cell: Cell[int]) -> bool:
    """Whether a line says the value: a documented default says it of none."""
    return cell.is_known and any(not isinstance(at, Cited | DefaultLocation) for at in cell.at)


def _chosen_mtu(choose: Callable[..., tuple[FabricPort, Cell[int]]], ports: Sequence[FabricPort]) -> Cell[int]:
    """The IP MTU that `choose` (`min`, `max`) takes from those of the ports; absent where there are none, or one is not known."""
    cells = [(port, port.reading.facts.ip_mtu_bytes) for port in ports]
    if not cells or not all(cell.is_known for _, cell in cells):
        return absent()
    port, cell = choose(cells, key=lambda one: one[1].get())
    return known(cell.get(), port.first_line(cell.at))
