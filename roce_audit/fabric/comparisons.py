"""What only the devices of a site together show: addresses and names that two have, VLANs that end half-way, setups that differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from typing import TypeVarTuple

from roce_audit.fabric.cables.links import Wiring
from roce_audit.fabric.cables.unreadends import channels_of_two_hosts
from roce_audit.fabric.hosts import setupsbeside
from roce_audit.fabric.hosts.unlikesetups import partly_paused, unlike_setups
from roce_audit.fabric.lags.commonlines import unlike_lines
from roce_audit.fabric.lags.halves import unlike_halves
from roce_audit.fabric.observations import conflicting_ports, ports_down_by_default
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ports import FabricPorts
from roce_audit.fabric.site import FabricView
from roce_audit.fabric.vlans.defined import undefined_vlans
from roce_audit.fabric.vlans.hostsubnets import of_other_subnets
from roce_audit.fabric.vlans.odd import odd_vlans
from roce_audit.fabric.vlans.onhosts import uncarried
from roce_audit.fabric.vlans.sameaddress import had_twice, loopbacks_twice, router_ids_twice
from roce_audit.fabric.vlans.trunks import half_carried
from roce_audit.model import Observation
from roce_audit.platforms.base import DeviceReading
from roce_audit.records import dataclass

_Given = TypeVarTuple("_Given")


@dataclass(slots=True)
class Comparisons:
    """What comparisons told; one that crashes is a problem with its name, not the end of the run."""

    told: list[Observation] = field(default_factory=list)
    crashes: list[str] = field(default_factory=list)

    def ask(self, compare: Callable[[*_Given], Iterable[Observation]], *given: *_Given) -> Sequence[Observation]:
        """What one comparison tells."""
        try:
            found = list(compare(*given))
        except Exception as error:  # all else is still judged
            self.crashes.append(f"comparison {compare.__name__} crashed: {type(error).__name__}: {error}")
            return ()
        self.told += found
        return found


def compared(
    devices: Sequence[DeviceReading],
    ports: FabricPorts,
    data: Sequence[FabricPort],
    fabrics: Iterable[FabricView],
    wires: Wiring,
) -> Comparisons:
    """All comparisons, beside what was noticed of the cables; `data` are the ports that may carry RoCE."""
    classes = [cls for one in fabrics for cls in one.classes.roce]
    codes = {code for cls in classes for code in cls.dscp.or_else(frozenset())}
    priorities = {number for cls in classes for number in cls.priority.or_else(frozenset())}
    these = Comparisons()
    these.ask(conflicting_ports, data)
    of_vlans = (*these.ask(unlike_halves, ports, data), *these.ask(uncarried, ports, data))
    these.ask(half_carried, ports, data)
    these.ask(unlike_lines, ports, data)
    these.ask(undefined_vlans, devices, ports, data)
    these.ask(channels_of_two_hosts, wires.unread)
    these.ask(of_other_subnets, ports, data)
    these.ask(odd_vlans, ports, data, frozenset(one.name for one in of_vlans))
    loopbacks = these.ask(loopbacks_twice, ports, data)
    these.ask(router_ids_twice, data, {one.name.partition(":")[0] for one in loopbacks})
    these.ask(had_twice, ports, data, _addressed_otherwise(wires.observations))
    these.ask(unlike_setups, devices, codes, priorities)
    these.ask(partly_paused, devices)
    these.ask(ports_down_by_default, ports)
    these.ask(setupsbeside.contradictions, devices, bool(codes))
    return these


def _addressed_otherwise(observations: Iterable[Observation]) -> frozenset[str]:
    """The ids of the ports whose addresses do not fit their cables."""
    names = [one.name.split(" <-> ") for one in observations if one.kind == "addressed-otherwise"]
    return frozenset(id for ends in names for id in ends)
