"""The one of several ports for hosts of one kind that lacks a VLAN which all the others carry."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from roce_audit.fabric.hostfacing import to_hosts
from roce_audit.fabric.hostvlans import with_vlans
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ports import FabricPorts
from roce_audit.fabric.words import label
from roce_audit.model import Observation
from roce_audit.text.sentences import listed, runs
from roce_audit.values import known

_FEWEST = 4


def odd_vlans(ports: FabricPorts, data: Iterable[FabricPort], told: Collection[str]) -> Iterator[Observation]:
    """One observation for each such port, but for those of whose VLANs something is `told`.

    It shares another VLAN with them: ports that have none in common belong to several networks.
    """
    kinds: dict[tuple[str, frozenset[str]], dict[str, tuple[FabricPort, FabricPort]]] = defaultdict(dict)
    for port in to_hosts(data):
        through = with_vlans(ports, port)
        words = label(port.reading.labels.description or through.reading.labels.description).kind
        if words and through.reading.labels.vlans and not through.reading.labels.routed:
            kinds[port.device.name, words].setdefault(through.id, (port, through))
    for its in kinds.values():
        if len(its) >= _FEWEST:
            yield from _of_a_kind(list(its.values()), told)


def _of_a_kind(its: Sequence[tuple[FabricPort, FabricPort]], told: Collection[str]) -> Iterator[Observation]:
    counted = Counter(through.reading.labels.vlans for _, through in its)
    (usual, most), *others = counted.most_common()
    if len(others) != 1 or most != len(its) - 1:
        return
    odd, other = others[0][0], next(through for _, through in its if through.reading.labels.vlans == usual)
    port, through = next(one for one in its if one[1].reading.labels.vlans == odd)
    missing = usual - odd
    if missing and odd & usual and port.id not in told:
        vlans = listed(runs(missing), 4)
        text = (
            f"{through.id} does not carry VLAN {vlans}, and {most} ports beside it that are described alike do, such as {other.id}: "
            "what its host sends there goes nowhere"
        )
        places = [one.reading.header for one in (through, other)]
        yield Observation("conflict", port.id, text, known(True, places[0]), known(vlans, *places))
