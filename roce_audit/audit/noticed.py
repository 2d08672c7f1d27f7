"""What was noticed while devices were read and joined: the subjects of rules about the input."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace

from roce_audit.fabric import observations
from roce_audit.fabric.carrying.portconfig import hint_for
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.site import FabricView, Site
from roce_audit.fabric.traffic.hops import mapped
from roce_audit.model import Observation
from roce_audit.model.device import ObservationKind
from roce_audit.patterns import lazy
from roce_audit.platforms.base import Seen
from roce_audit.sources.files import YAML
from roce_audit.sources.loaded import Problem
from roce_audit.sources.names import undated
from roce_audit.sources.repository.ansible.playbooks import Played
from roce_audit.sources.repository.applied import Repository
from roce_audit.text.sentences import listed
from roce_audit.values import Place, known

_MOST_NAMES = 6
_NUMBERED = lazy(r"[0-9]")
_FOR_LATER = lazy(
    r"(?<![a-z])(?:spare|unused|not[ _-]used|free|empty|future|reserved?|planned|available|unassigned|tbd|do[ _-]not[ _-]use)(?![a-z])",
    re.I,
)
"""Words in descriptions of ports that wait for somebody."""

_APART: ObservationKind = "undefined-apart"
"""A name of which the part says nothing else: it is told where tasks define it that other hosts get."""
_OF_PARTS: Mapping[str, ObservationKind] = {
    "unapplied-here": "unapplied",
    "undefined-here": "undefined",
    _APART: "undefined",
    "unapplied-once-here": "unapplied",
}
"""What is seen in a part, and what it is where no other file says more."""
_SEEN_ANYWAY = "unapplied-once-here"
"""What is told of a part whatever other files say; what hangs on it is not."""


def of_device(item: Seen, device: str) -> Seen:
    """What was seen while a device was read; where it is about a whole file, it is the same in the folder of every night."""
    if item.observation.name == item.place.path:
        item = replace(item, observation=replace(item.observation, name=undated(item.place.path)))
    return replace(item, device=device)


def of_problem(problem: Problem) -> Seen:
    """A problem with a file."""
    place = Place(problem.path, problem.line)
    about = problem.device or undated(problem.path)
    observation = Observation(problem.kind, about, problem.text, known(False, place), known(problem.path, place))
    return Seen(observation, place, "", devices=problem.judged)


def of_site(site: Site) -> Iterator[Seen]:
    """What was noticed while the devices were joined."""
    for observation in site.observations:
        place = next(at for at in observation.at.at if isinstance(at, Place))
        yield Seen(observation, place, str(observation.at.value))


def of_fabrics(site: Site) -> Iterator[Seen]:
    """What of each fabric is not judged, and why: ports that are unclear, devices left out, NICs that speak iWARP."""
    for fabric in site.fabrics:
        yield from observations.unclear_ports(fabric)
        yield from observations.left_out_devices(fabric)
        yield from observations.left_out_ports(fabric)
        yield from observations.iwarp_nodes(fabric)


def _is_lossless(fabric: FabricView) -> bool:
    return fabric.facts.lossless_intended.value is not False


def _is_cabled(port: FabricPort) -> bool:
    if port.peer is None:
        return port.has_neighbour or _names_far_end(port)
    return port.peer.reading.facts.admin_up.or_else(True)


def _names_far_end(port: FabricPort) -> bool:
    """Whether a description names what is to be at the far end (`gpu host7`), and not the port itself, nor what will be there one day."""
    labels = port.reading.labels
    description = labels.description
    if description.lower() in {name.lower() for name in (port.reading.name, *labels.aliases)}:
        return False
    return _NUMBERED.search(description) is not None and _FOR_LATER.search(description) is None


def in_no_file(seen: Iterable[Seen], repository: Repository) -> list[Seen]:
    """Of the names that parts of configurations define and do not apply, or apply and do not define, those of which no other file says
    more.
    """
    found = []
    for item in seen:
        kind = _OF_PARTS.get(item.observation.kind)
        if kind is not None:
            if item.observation.kind == _APART and not repository.gives_others(item.device, item.observation.name):
                continue
            if not repository.says_no_more_of(
                item.device, item.observation.name, item.place, item.quote, item.namesakes
            ):
                if item.observation.kind != _SEEN_ANYWAY:
                    continue
                item = replace(item, makes=())
            item = replace(item, observation=replace(item.observation, kind=kind))
        found.append(item)
    return found


def never_taken_in(paths: Iterable[str]) -> Iterator[Seen]:
    """Files of tasks and templates for switches that no file takes in."""
    for path in paths:
        place, name = Place(path, 1), path.rpartition("/")[2]
        is_tasks = path.endswith(YAML)
        those = "these tasks in, so what they set" if is_tasks else "this template in, so what it sets"
        text = f"no other file takes {those} has no effect"
        yield Seen(Observation("unapplied", name, text, known(True, place), known(path, place)), place, path)


def not_here(played: Iterable[Played]) -> Iterator[Seen]:
    """Files of tasks that a playbook takes in for switches and that the repository does not have."""
    for path, line, named in dict.fromkeys(those for one in played for those in one.missing):
        place, name = Place(path, line), named.rpartition("/")[2]
        text = f"there is no file {name}: the playbook stops here, and what it would set is not judged"
        yield Seen(Observation("undefined", name, text, known(False, place), known(named, place)), place, named)


def left_out_by_name(played: Iterable[Played]) -> Iterator[Seen]:
    """Hosts whose ports a playbook does not make lossless, as a condition or the hosts of a play leave them out by their names."""
    found: dict[tuple[str, int], dict[str, None]] = defaultdict(dict)
    for one in played:
        for piece in one.pieces:
            for line in piece.by_name:
                found[piece.path, line][one.host] = None
        for host, path, line in one.passed_over:
            found[path, line][host] = None
    for (path, line), hosts in found.items():
        names, place = listed(list(hosts), _MOST_NAMES), Place(path, line)
        text = (
            f"{names} {'is' if len(hosts) == 1 else 'are'} left out by name here, where other hosts get what makes their ports lossless:"
            " nothing in the repository shows what stands on those ports"
        )
        observation = Observation("unapplied", names, text, known(True, place), known(names, place))
        yield Seen(observation, place, names)


def relied_on(seen: Iterable[Seen], site: Site) -> list[Seen]:
    """Say of each observation whether a port that carries RoCE leans on it; in a fabric that is lossy on purpose none needs pause.

    That a port has no link is told only where somebody says that it has a cable, and its far end is not shut: what is not in use yet
    has none either. That PFC is off for the class is told by itself.
    """
    leaning = _Leaning(site)
    return [leaning.said_of(item) for item in seen if leaning.is_told(item)]


class _Leaning:
    """The ports of a site that lean on what was observed, by their ids."""

    def __init__(self, site: Site) -> None:
        self._hops = site.hops
        self._classes = {port.id: fabric.classes.roce for fabric in site.fabrics for port in fabric.in_use}
        in_use = [port for fabric in site.fabrics for port in fabric.in_use]
        lossless = {p.id for one in site.fabrics if one.facts.lossless_priorities.value for p in one.in_use}
        self._carrying = {port.id: port for port in in_use if port.roce.carries}
        self._undecided = {port.id for port in in_use if port.roce.carries is None}
        self._lossy = {port.id for one in site.fabrics if not _is_lossless(one) for port in one.in_use}
        self._needing = self._carrying.keys() - self._lossy
        self._of_roce = {port.device.name for port in in_use if port.roce.carries or hint_for(port)}
        self._of_roce |= {one.name for fabric in site.fabrics for one in fabric.devices if one.kind == "host"}
        self._judged, self._elsewhere = lossless & self._carrying.keys(), lossless - self._carrying.keys()

    def is_told(self, item: Seen) -> bool:
        """Whether an observation is worth saying of its ports."""
        if item.observation.kind == "pfc-taken-off-port":
            return not _ids(item, item.ports) <= self._judged
        if item.observation.kind == "no-link":
            return any(_is_cabled(self._carrying[id]) for id in _ids(item, item.ports) & self._carrying.keys())
        return True

    def said_of(self, item: Seen) -> Seen:
        """The observation, with whether any port leans on it or needs what it makes."""
        if item.observation.kind == "same-device-twice":
            relied = known(not self._of_roce.isdisjoint(item.devices), item.place)
            return replace(item, observation=replace(item.observation, relied_on=relied))
        ids = _ids(item, item.ports)
        would_pause, is_needed = "pause" in item.makes, bool(ids - self._lossy - self._elsewhere)
        if item.ports and item.observation.kind != "unapplied":
            relied = known((would_pause and is_needed) or self._is_relied_on(item, ids), item.place)
            return replace(item, observation=replace(item.observation, relied_on=relied))
        carrying = ids & self._carrying.keys()
        if not would_pause and "classes" in item.makes and carrying and all(map(self._is_led_by_lines, carrying)):
            off = known(False, *item.observation.relied_on.at)
            return replace(item, observation=replace(item.observation, relied_on=off))
        if would_pause or ("classes" in item.makes and carrying):
            return replace(item, observation=replace(item.observation, is_needed=is_needed))
        return item

    def _is_led_by_lines(self, id: str) -> bool:
        """Whether maps that are written lead all code points of the class where it is paused: nothing else need classify it there."""
        facts = self._carrying[id].reading.facts
        written: Set[int] = mapped(facts.dscp.get()) if facts.dscp.is_known else frozenset()
        led = [(one.dscp, self._hops.of(facts, one).mapped_to_it) for one in self._classes[id]]
        return bool(led) and all(
            marks.is_known and to_it.is_known and marks.get() <= to_it.get() & written for marks, to_it in led
        )

    def _is_relied_on(self, item: Seen, ids: Set[str]) -> bool:
        """Whether one of the ports carries RoCE, or nobody knows and the ports do that lean on the name that is meant, or that name,
        which nothing applies, would pause."""
        leaning: Set[str] = self._needing if item.observation.kind == "unpaused" else self._carrying.keys()
        is_lacking = "pause" in item.makes or bool(_ids(item, item.meant_ports) & leaning)
        return bool(ids & leaning) or (is_lacking and bool(ids & self._undecided))


def _ids(item: Seen, ports: Iterable[str]) -> set[str]:
    return {f"{item.device}:{name}" for name in ports}
