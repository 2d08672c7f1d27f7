"""Ways: what says which cables traffic takes between two places: routing tables, then the path file, then the usual."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from roce_audit.fabric.cables.unreadends import UnreadSwitches
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.traffic.chain import Unseen
from roce_audit.fabric.traffic.givenpaths import GivenPaths
from roce_audit.fabric.traffic.routes import Route, Routes
from roce_audit.fabric.traffic.routingtables import RoutingTables
from roce_audit.records import dataclass


@dataclass(frozen=True, slots=True)
class Ways:
    """All that is known of the ways through a site."""

    routes: Routes
    tables: RoutingTables
    given: GivenPaths
    unread: UnreadSwitches

    def between(self, source: FabricPort, target: FabricPort) -> Route | None:
        """The route from a NIC, or from where packets enter a switch, to a NIC or to where they leave a switch.

        None where no cable leads there.
        """
        first, last = switch_port(source), switch_port(target)
        if first is None or last is None:
            return None
        given = None
        if first.device is not last.device:
            given = self.given.between(self.routes, _names(source, first), _names(target, last))
        told = self.tables.ways(self.routes, first, last, target, given)
        if told is not None:
            return told
        if given is not None and given.steps:
            return given
        assumed = self.routes.between(first.device.name, {last.device.name})
        return assumed if assumed is None or given is None else replace(assumed, not_cabled=given.given)

    def not_seen(self, route: Route) -> Mapping[tuple[int, str], Unseen]:
        """(number of the step, switch that is left by it) -> the switch that was not read, over which other packets of a route go.

        Only of what is assumed: where routing tables or a path file tell the way, packets take no other.
        """
        found: dict[tuple[int, str], Unseen] = {}
        if route.tables or route.given or not self.unread:
            return found
        behind: set[str] = set()
        for number in reversed(range(len(route.steps))):
            step = route.steps[number]
            behind |= {wire.entering.device.name for wire in step}
            reached = {end.device.lower() for name in behind for end in self.unread.get(name, ())}
            for name in {wire.leaving.device.name: None for wire in step}:
                ends = [
                    end for end in self.unread.get(name, ()) if end.device.lower() in reached and end.port.roce.carries
                ]
                if ends:
                    others = " and ".join(f"{end.device} as well, where {end.port.id} leads" for end in ends)
                    text = f"packets go over {others}, and no file of {'it' if len(ends) == 1 else 'them'} was read"
                    found[number, name] = Unseen(text, tuple(dict.fromkeys(end.place for end in ends)))
        return found


def switch_port(end: FabricPort) -> FabricPort | None:
    """The port of a switch by which packets of this end enter or leave the fabric."""
    port = end.peer if end.is_nic else end
    return None if port is None or port.is_nic else port


def _names(end: FabricPort, port: FabricPort) -> tuple[str, ...]:
    return tuple(dict.fromkeys((port.device.name, end.device.name)))
