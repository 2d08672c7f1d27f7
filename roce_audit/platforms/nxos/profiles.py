"""Port profiles: what a port says through `inherit port-profile`.

A port inherits what several profiles say, and a profile what others say. Cisco Nexus 7000 Series NX-OS Interfaces Configuration
Guide, About Port Profiles: what the port says itself wins, then the profile that was inherited first; a profile wins over those
that it inherits, four levels deep; and none is in force before it is enabled.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from roce_audit.platforms.base import DeviceReading, Seen, seen
from roce_audit.platforms.nxos import statements as st
from roce_audit.platforms.nxos.table import PROFILE, TABLE
from roce_audit.platforms.shared.cli.namedblocks import NamedBlocks
from roce_audit.text.block import HEADER, Block, Part
from roce_audit.values import At

_LEVELS = 4


class Profiles:
    """The port profiles among the parts of a port."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = parts
        self._of_name: dict[str, list[int]] = defaultdict(list)
        for index, part in enumerate(parts):
            if part.kind == "profile" and part.role == "bound":
                self._of_name[part.name].append(index)
        self.first = min((them[0] for them in self._of_name.values()), default=-1)
        """The number of the first part that is a profile; -1 where there is none."""
        self.undefined: list[At] = []
        """Where a profile is named that nobody defines."""
        self.unclear: list[At] = []
        """Where one is named of which it is not understood whether it is enabled."""
        self.in_force: Sequence[int] = ()
        """The parts of those that are in force, each with what it inherits before it; what comes later wins."""
        own, of_channel = ([i for i, p in enumerate(parts) if p.kind == "port" and p.role == r] for r in ("own", "lag"))
        found = dict.fromkeys((*self._taken(own, 0), *self._taken(of_channel, 0)))
        self.in_force = tuple(found)

    def _taken(self, within: Iterable[int], level: int) -> Iterator[int]:
        for name, at in reversed(self._inherited(within)):
            defining = self._of_name.get(name)
            if defining is None:
                self.undefined.append(at)
                continue
            enabled = is_enabled([self._parts[index].block for index in defining])
            if enabled is None:
                self.unclear.append(at)
            elif enabled and level < _LEVELS:
                yield from self._taken(defining, level + 1)
                yield from defining

    def _inherited(self, within: Iterable[int]) -> Sequence[tuple[str, At]]:
        """The profiles that these parts inherit, the one that was named first at the beginning."""
        found: dict[str, At] = {}
        for index in within:
            part = self._parts[index]
            for number, text in enumerate(part.block.texts.statements):
                value = TABLE.parse(part.kind, text).value
                if isinstance(value, st.Inherit):
                    if not value.is_taken_back:
                        found.setdefault(value.name, At(index, number))
                    elif value.name:
                        found.pop(value.name, None)
                    else:
                        found.clear()
        return list(found.items())


def is_enabled(profile: Iterable[Block]) -> bool | None:
    """Whether the blocks of a profile say that it is enabled; None where a line that may say it is not understood."""
    said = [TABLE.parse("profile", text) for block in profile for text in block.texts.statements]
    for parsed in reversed(said):
        if isinstance(parsed.value, st.Enabled):
            return parsed.value.on
        if parsed.unread and set(PROFILE.split()) <= set(parsed.paths or ()):
            return None
    return False


def idle_profiles(reading: DeviceReading, named: NamedBlocks) -> Iterator[Seen]:
    """The profiles that ports inherit and that nobody enabled, at their headers."""
    idle = [name for name in named.names() if name[0] == "profile" and is_enabled(named.defined(name)) is False]
    if not idle:
        return
    inherited = [(port.name, {(part.kind, part.name) for part in port.parts}) for port in reading.ports]
    for name in idle:
        ports = tuple(port for port, its in inherited if name in its)
        if ports:
            text = (
                f"port-profile {name[1]} is inherited and not enabled (`state enabled`), so nothing of it is in force"
            )
            place = named.defined(name)[0].place(HEADER)
            found = seen("unapplied", name[1], text, place, f"port-profile {name[1]}", ports)
            yield replace(found, makes=named.made_by(name))
