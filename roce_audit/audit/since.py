"""`--since SNAPSHOT`: the counters of an earlier snapshot, compared device by device with those that are judged."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from roce_audit.fabric.counters import Compared, Snapshot, compare
from roce_audit.platforms.counting import counts_of
from roce_audit.policy.values import Policy
from roce_audit.sources.capturetime import capture_time
from roce_audit.sources.devices import load
from roce_audit.sources.hints import PathHint
from roce_audit.sources.loaded import Loaded
from roce_audit.text.document import DeviceInput
from roce_audit.text.sentences import listed

_SHOWN = 5


def compared(
    loaded: Loaded, since: str | None, policy: Policy, hints: list[PathHint]
) -> tuple[Mapping[str, Compared], tuple[str, ...]]:
    """(device -> what its counters grew by, one-line facts for the report). Nothing where no snapshot was named.

    The configurations of the earlier snapshot are not read; they only tell which device its answers are of.
    """
    if since is None:
        return {}, ()
    before = load([since], hints=hints, base=policy.folder or ".")
    earlier = {(device.name, device.platform): device for device in before.devices}
    found: dict[str, Compared] = {}
    gone: dict[str, list[str]] = defaultdict(list)
    for device in loaded.devices:
        old = earlier.get((device.name, device.platform))
        if old is not None:
            then, now = _snapshot(old), _snapshot(device)
            found[device.name] = compare(then, now)
            for source in _sources(then) - _sources(now):
                gone[source].append(device.name)
    return found, (*_notes(since, before, loaded, found), *_gone(since, before, found, gone))


def _sources(snapshot: Snapshot) -> frozenset[str]:
    """The answers whose counters a snapshot has."""
    return frozenset(count.source for counts in snapshot.counts.by_port.values() for count in counts.values())


def _gone(since: str, before: Loaded, found: Mapping[str, Compared], gone: Mapping[str, list[str]]) -> Iterator[str]:
    """What only the earlier snapshot holds. Where most of its devices are not here, only some of them were asked for."""
    devices = [device.name for device in before.devices if device.name not in found]
    if len(devices) <= len(found):
        if devices:
            yield f"{since} holds {_listed(devices)} as well: nothing here says how they are now"
        for source, names in sorted(gone.items()):
            yield f"counters of `{source}` of {_listed(names)} stand in {since} alone: they were not compared"


def _snapshot(device: DeviceInput) -> Snapshot:
    counts, time = counts_of(device), capture_time(device)
    if time is None:
        return Snapshot(counts)
    return Snapshot(counts, time.moment, time.source, time.source != "file times", time.words)


def _notes(since: str, before: Loaded, loaded: Loaded, found: Mapping[str, Compared]) -> Iterator[str]:
    if not before.devices:
        yield f"{since}: no device was recognised there, so no counter was compared"
        return
    missing = [device.name for device in loaded.devices if device.name not in found]
    if missing:
        yield f"{since} does not hold {_listed(missing)}: their counters were not compared"
    counted = {name: one for name, one in found.items() if one.growths}
    silent = [name for name in found if name not in counted]
    if silent:
        yield f"no counter of {_listed(silent)} stands in both snapshots"
    times = Counter(one.since for one in counted.values())
    for words, devices in times.most_common(_SHOWN):
        yield f"counters of {devices} {'device' if devices == 1 else 'devices'} were compared with those of {words}"
    restarted = [name for name, one in counted.items() if one.restarted]
    if restarted:
        yield f"{_listed(restarted)} restarted in between, or the snapshots are swapped: nothing they counted is compared"
    reset = [name for name, one in counted.items() if one.reset_ports and not one.restarted]
    if reset:
        yield f"counters of {_listed(reset)} were reset or wrapped in between; those are not compared"


def _listed(names: list[str]) -> str:
    return listed(names, _SHOWN, spare_one=False)
