"""Ports that are labelled as uplinks, or their channel is: what hosts with RoCE send elsewhere leaves there."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from roce_audit.fabric.port import UNDECIDED, FabricPort, RoceEvidence
from roce_audit.fabric.ports import FabricPorts
from roce_audit.patterns import lazy
from roce_audit.text.sentences import listed, runs

_FEWEST = 2
_FACTORY = frozenset({1})
_MOST_OF_ROCE = 2
"""More VLANs on a port are those of a host that does everything over it: which of them are for RoCE nobody says."""
_MOST_VLANS = 32
_UP = lazy(r"(?i)(?<![a-z])(?:up-?link|(?:super-?)?spine)s?(?![a-z])")
_SPINE = lazy(r"(?i)(?<![a-z])(?:super-?)?spines?(?![a-z])")
"""Uplinks lead to routers of other networks as well; spines do not."""
_OUT = lazy(r"(?i)(?<![a-z])(?:core|border|wan|internet|campus|office|firewall|fw|router)s?(?![a-z])")
"""Where a bridged uplink leads out of the rooms of RoCE: its VLANs are there for what else the hosts do."""


def decide_uplinks(ports: Sequence[FabricPort], every: FabricPorts) -> None:
    """Rank 4 once more, of open ports of switches without a known far end.

    A bridged uplink that names the one or two VLANs in which two ports of the switch carry RoCE by what is known of themselves, and that
    no port has which is known to carry none; it names others as well only where it leads to a spine: else all leave by it. A routed port
    to a spine, where all others of the switch that lead to spines carry RoCE.
    """
    asked = [
        (port, through)
        for port in ports
        if port.roce is UNDECIDED and port.hint is None and port.peer is None and not port.is_nic
        for through in (_channel(every, port),)
        if _says(_UP, port, through)
    ]
    if not asked:
        return
    devices = {port.device.name: _Decided() for port, _ in asked}
    for port in ports:
        decided = devices.get(port.device.name)
        if decided is not None and port.roce.carries is not None:
            decided.take(port, _channel(every, port))
    for port, through in asked:
        decided = devices[port.device.name]
        if through.reading.labels.routed:
            found, said = decided.to_spines(port, through)
        else:
            found, said = decided.bridging(port, through)
        if found is not None:
            at = (port.reading.header, found.reading.header)
            port.roce = RoceEvidence(True, "similar_ports", at, said, elsewhere=True)


class _Decided:
    """The ports of a switch of which it is known whether they carry RoCE."""

    def __init__(self) -> None:
        self._of_roce: dict[frozenset[int], list[FabricPort]] = defaultdict(list)
        self._others = set[int]()
        self._to_spines: list[FabricPort] = []
        self._spines_differ = False

    def take(self, port: FabricPort, through: FabricPort) -> None:
        """Count a port in; `through` is its channel, or the port itself."""
        is_sure, vlans = bool(port.roce.carries) and not port.roce.is_inferred, _bridged(through)
        if not port.roce.carries:
            self._others |= vlans
        elif is_sure and 0 < len(vlans) <= _MOST_OF_ROCE:
            self._of_roce[vlans].append(port)
        if _says(_SPINE, port, through):
            self._to_spines.append(port)
            self._spines_differ |= not is_sure

    def bridging(self, port: FabricPort, through: FabricPort) -> tuple[FabricPort | None, str]:
        """A port that carries RoCE in VLANs that the uplink bridges as well, and what that says."""
        vlans, to_spine = _bridged(through), _says(_SPINE, port, through)
        for wanted, found in self._of_roce.items() if not _says(_OUT, port, through) else ():
            is_its_way = wanted == vlans or (to_spine and wanted < vlans and len(vlans) <= _MOST_VLANS)
            if is_its_way and len(found) >= _FEWEST and not wanted & self._others:
                numbers = listed(runs(wanted), 4)
                return found[0], (
                    f"leads up, and bridges VLAN {numbers} of {len(found)} ports that carry RoCE, such as {found[0].id}"
                )
        return None, ""

    def to_spines(self, port: FabricPort, through: FabricPort) -> tuple[FabricPort | None, str]:
        """Another port of the switch to a spine that carries RoCE, as all of them do, and what that says."""
        alike = self._to_spines
        if not _says(_SPINE, port, through) or len(alike) < _FEWEST or self._spines_differ:
            return None, ""
        return alike[0], f"leads to a spine, as {len(alike)} ports that carry RoCE do, such as {alike[0].id}"


def _says(words: re.Pattern[str], port: FabricPort, through: FabricPort) -> bool:
    """Whether the description of a port or of its channel has one of these words."""
    return any(words.search(one.reading.labels.description) is not None for one in (port, through))


def _channel(every: FabricPorts, port: FabricPort) -> FabricPort:
    """The port, or the channel that it is a member of."""
    return every.find(port.device.name, port.reading.labels.lag) or port if port.reading.labels.lag else port


def _bridged(port: FabricPort) -> frozenset[int]:
    labels = port.reading.labels
    return frozenset() if port.is_nic or labels.routed or labels.peer_link else labels.vlans - _FACTORY
