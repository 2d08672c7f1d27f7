"""Tiers: devices that people would configure alike, by platform, hardware model and role."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from roce_audit.fabric.words import HINTS_AGAINST, tokens_of, words_of
from roce_audit.platforms.base import DeviceReading
from roce_audit.records import dataclass

_ROLES = frozenset(
    {"leaf", "tor", "spine", "superspine", "core", "agg", "aggregation", "access", "edge", "backbone"}
) | {
    *("fe", "front", "frontend", "be", "back", "backend", "storage", "compute", "gpu"),
}


@dataclass(frozen=True, slots=True)
class Tier:
    """Platform, model ("" where it is not known) and role of a device."""

    platform: str
    model: str = ""
    role: frozenset[str] = frozenset()
    """The role that the topology gives, else the words of the name that name one, or that speak against RoCE."""
    given: bool = False
    """The topology gives the role."""

    @property
    def against(self) -> bool:
        """The role speaks against RoCE: out-of-band, border, ..."""
        return bool(self.role & HINTS_AGAINST)


UNKNOWN_TIER = Tier("")


def tiers(devices: Iterable[DeviceReading], fabrics: Mapping[str, str], roles: Mapping[str, str]) -> Mapping[str, Tier]:
    """Device name -> tier, one object for equal ones.

    A device that does not tell its model has that of its platform's others, where they have one.
    `fabrics` are the fabrics of all devices and `roles` the roles that the topology gives, by device name.
    """
    read = tuple(devices)
    models: dict[tuple[str, str], set[str]] = defaultdict(set)
    for device in read:
        name = device.device.model_name
        if name.is_known:
            models[fabrics[device.name], device.platform].add(name.get())
    found: dict[str, Tier] = {}
    shared: dict[Tier, Tier] = {}
    for device in read:
        known = models[fabrics[device.name], device.platform]
        sole = next(iter(known)) if len(known) == 1 else ""
        given = roles.get(device.name)
        words = words_of(given or device.name) | tokens_of(given or device.name)
        role = words if given else words & (_ROLES | HINTS_AGAINST)
        tier = Tier(device.platform, device.device.model_name.or_else(sole), role, given is not None)
        found[device.name] = shared.setdefault(tier, tier)
    return found
