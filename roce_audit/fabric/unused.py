"""Policy entries that match nothing: each is a finding, for it says something that is not so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from roce_audit.fabric.site import Site
from roce_audit.model import Observation
from roce_audit.platforms.base import Seen
from roce_audit.policy.values import Policy
from roce_audit.values import Place, known


def observations(policy: Policy, site: Site, unused_paths: Iterable[str]) -> Iterator[Seen]:
    """One observation per entry of ports, fabrics, maintenance, cables and paths that matches nothing."""
    ports = [port for fabric in site.fabrics for port in fabric.ports]
    devices = {port.device.name for port in ports} | {d.name for fabric in site.fabrics for d in fabric.devices}
    for entry in policy.ports:
        named = (
            (s.device.name, (s.reading.name, *s.reading.labels.aliases), s.reading.labels.description) for s in ports
        )
        if not any(entry.covers(*one) for one in named):
            yield _seen(entry.at, "this ports: entry matches no port")
    for fabric in policy.fabrics:
        if not any(fabric.has(name) for name in devices):
            yield _seen(fabric.at, f"fabric {fabric.name} has no device in these files")
    for place in policy.maintenance:
        if not any(policy.in_maintenance(name) is place for name in devices):
            yield _seen(place.at, "this maintenance: entry matches no device")
    unused = set(unused_paths)
    for path in policy.paths:
        if path.pattern in unused:
            yield _seen(path.at, "this paths: entry matches no file")


def _seen(place: Place, text: str) -> Seen:
    name = f"{place.path}:{place.line}"
    return Seen(Observation("policy-entry-unused", name, text, known(False, place), known(name, place)), place, "")
