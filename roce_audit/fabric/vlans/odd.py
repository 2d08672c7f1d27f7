"""The one of several ports for hosts of one kind that lacks a VLAN which all the others carry, or is in one where it is alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from roce_audit.fabric.cables.hostfacing import to_hosts
from roce_audit.fabric.lags.pairs import vlan_interfaces
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ports import FabricPorts
from roce_audit.fabric.vlans.leaving import is_routed_uplink
from roce_audit.fabric.vlans.onhosts import with_vlans
from roce_audit.fabric.words import label
from roce_audit.model import Observation
from roce_audit.text.sentences import listed, runs
from roce_audit.values import known

_FEWEST = 4


def odd_vlans(ports: FabricPorts, data: Sequence[FabricPort], told: Collection[str]) -> Iterator[Observation]:
    """One observation for each such port, but for those of whose VLANs something is `told`.

    It shares another VLAN with them, or has one that leads nowhere: other ports that have none in common belong to several networks.
    """
    kinds: dict[tuple[str, frozenset[str]], dict[str, tuple[FabricPort, FabricPort]]] = defaultdict(dict)
    for port in to_hosts(data):
        through = with_vlans(ports, port)
        words = label(port.reading.labels.description or through.reading.labels.description).kind
        if words and through.reading.labels.vlans and not through.reading.labels.routed:
            kinds[port.device.name, words].setdefault(through.id, (port, through))
    for its in kinds.values():
        if len(its) >= _FEWEST:
            yield from _of_a_kind(list(its.values()), told, lambda through: _is_alone(ports, data, through))


def _of_a_kind(
    its: Sequence[tuple[FabricPort, FabricPort]], told: Collection[str], is_alone: Callable[[FabricPort], bool]
) -> Iterator[Observation]:
    counted = Counter(through.reading.labels.vlans for _, through in its)
    (usual, most), *others = counted.most_common()
    if len(others) != 1 or most != len(its) - 1:
        return
    odd, other = others[0][0], next(through for _, through in its if through.reading.labels.vlans == usual)
    port, through = next(one for one in its if one[1].reading.labels.vlans == odd)
    missing = usual - odd
    if missing and port.id not in told and (odd & usual or is_alone(through)):
        vlans = listed(runs(missing), 4)
        beside = f"{most} ports beside it that are described alike"
        text = (
            f"{through.id} does not carry VLAN {vlans}, and {beside} do, such as {other.id}: what its host sends there goes nowhere"
            if odd & usual
            else f"{through.id} is in VLAN {listed(runs(odd), 4)}, which nothing routes and no other port with RoCE has, and {beside} are"
            f" in VLAN {vlans}, such as {other.id}: its host reaches none with RoCE"
        )
        places = [one.reading.header for one in (through, other)]
        yield Observation("conflict", port.id, text, known(True, places[0]), known(vlans, *places))


def _is_alone(ports: FabricPorts, data: Iterable[FabricPort], through: FabricPort) -> bool:
    """Whether the switch of a port routes to others, but none of its VLANs, and no other port with RoCE bridges one."""
    vlans, leads_out = through.reading.labels.vlans, False
    if any(vlan in vlans for (_, vlan), _ in vlan_interfaces(ports, {through.device.name})):
        return False
    for port in data:
        other = with_vlans(ports, port)
        if other is through or port.is_nic or not port.roce.carries or port.fabric != through.fabric:
            continue
        labels = other.reading.labels
        if labels.vlans & vlans if labels.vlans else labels.routed is not True:
            return False
        leads_out = leads_out or (port.device is through.device and is_routed_uplink(port))
    return leads_out
