"""READ and JOIN: all devices of the paths and the context, as one site, with the rules that are to be asked of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from roce_audit.audit import noticed, since
from roce_audit.audit.cabling import Cabling, as_on_devices, cabling, unfound
from roce_audit.audit.request import Request, hints, is_whole_site, planned_for, rules_of
from roce_audit.engine.rules.rule import Rule
from roce_audit.engine.rules.selecting import check_policy, selected
from roce_audit.fabric import observations
from roce_audit.fabric.facts import is_hostless
from roce_audit.fabric.join import join, with_counters
from roce_audit.fabric.site import Site
from roce_audit.platforms.base import DeviceReading, Seen
from roce_audit.policy.values import Policy
from roce_audit.readings.parcel import joined, opened
from roce_audit.records import dataclass
from roce_audit.sources.batches import Plan
from roce_audit.sources.designs import designs
from roce_audit.sources.loaded import Loaded
from roce_audit.sources.repository.ansible.idlelists import idle_lists, shorter_lists
from roce_audit.sources.repository.applied import Repository, Uses
from roce_audit.sources.repository.variablefiles import text_of
from roce_audit.sources.unanswered import beside_configurations, without_a_device


@dataclass(frozen=True, slots=True)
class JoinedSite:
    """A site that was read and joined, and the rules that are to be asked of it."""

    site: Site
    policy: Policy
    """By which it was joined, and is judged."""
    devices: tuple[DeviceReading, ...]
    rules: tuple[Rule, ...]
    seen: tuple[Seen, ...]
    """What was noticed while reading and joining: the subjects of rules about the input."""
    problems: tuple[str, ...]
    """What crashed."""


@dataclass(frozen=True, slots=True)
class Begun:
    """What a run began with, as far as the report tells of it."""

    loaded: Loaded
    pack: tuple[Rule, ...]
    """All rules there are; those that are asked may be fewer."""
    left_aside: Sequence[str]
    """A note for each topology file that is somebody else's."""
    told: Sequence[str]
    """Notes on the comparison with an earlier snapshot."""


def read(request: Request, plan: Plan | None = None) -> tuple[Loaded, tuple[DeviceReading, ...], list[Seen], list[str]]:
    """READ: all devices of the paths and the context. A platform that crashes is a problem with its name, not the end."""
    request.step("looking for configurations")
    plan = plan or planned_for(request)
    if request.readers is None or request.since is not None:  # texts are asked for once more
        parcels = [opened(batch, plan) for batch in plan.batches]
    else:
        parcels = list(request.readers(plan, request.step))
    loaded, outcomes = joined(plan, parcels)
    seen = [noticed.of_problem(problem) for problem in loaded.problems]
    crashes = list(dict.fromkeys(one.crash for one in parcels if one.crash))
    readings: list[DeviceReading] = []
    for number, found in enumerate(outcomes, 1):
        request.step("reading device", number, len(loaded.devices))
        if found.reading is None:
            crashes.append(found.crash)
            continue
        readings.append(found.reading)
        seen.extend(noticed.of_device(item, found.reading.name) for item in found.reading.seen)
    repository = Repository(
        plan.paths, plan.walk.files, lambda one: text_of(one, plan.instead), _of_hosts(loaded, plan)
    )
    told = noticed.in_no_file(seen, repository)
    if plan.variables.untaken and repository.texts():
        told += noticed.never_taken_in(plan.variables.untaken)
    told += noticed.left_out_by_name(plan.variables.played)
    told += noticed.not_here(plan.variables.played)
    if plan.variables.own or plan.variables.of_plays:
        ports = {port.name for one in readings for port in one.ports}
        told += idle_lists((*plan.variables.own, *plan.variables.of_plays), repository.texts, ports)
        told += shorter_lists(plan.variables.own, repository.texts)
    return loaded, tuple(readings), told, crashes


def join_site(request: Request) -> JoinedSite:
    """Read and join everything in the paths."""
    return begun(request)[0]


def begun(request: Request, plan: Plan | None = None) -> tuple[JoinedSite, Begun]:
    """Read and join everything in the paths, or what `plan` gives of them; and what the report tells of that."""
    policy = request.policy
    loaded, devices, seen, crashes = read(request, plan)
    topology = cabling(loaded, request.topology)
    request.step(f"joining devices: {len(devices):,}")
    cables = as_on_devices(topology.cables, devices)
    site = join(devices, policy, cables, topology.roles, _of_templates(loaded), designs(loaded))
    compared, told = since.compared(loaded, request.since, policy, hints(policy))
    site = with_counters(site, compared)
    grown = {name for name, one in compared.items() if one.is_whole}
    seen = [one for one in seen if one.observation.kind != "counted-once" or one.device not in grown]
    seen += _of_cabling(topology, loaded, site, devices)
    seen += _of_site(request, site, topology, loaded)
    pack = rules_of(policy) if request.rules is None else request.rules
    check_policy(pack, policy)
    rules = selected(pack, request.select, request.ignore)
    found = JoinedSite(site, policy, devices, rules, tuple(noticed.relied_on(seen, site)), (*crashes, *site.crashes))
    left_aside = (*topology.notes, *unfound(cables, site.links, {device.name for device in devices}))
    return found, Begun(loaded, pack, left_aside, told)


def _of_cabling(topology: Cabling, loaded: Loaded, site: Site, devices: Sequence[DeviceReading]) -> Iterator[Seen]:
    """What is wrong in topology files, and files without a configuration that are devices by their names.

    A lab makes its devices' files when it begins, and what a job prints may be nothing.
    """
    yield from map(noticed.of_problem, topology.problems)
    labs = {file.path for file in loaded.topology_files if file.is_lab}
    planned = {device for cable in topology.cables if cable.origin != "lab" for device, _ in (cable.a, cable.b)}
    missing = planned - {device.name for device in devices} | {
        end.device for end in site.unread if end.place.path not in labs
    }
    cabled = tuple(without_a_device(loaded.unrecognised, missing))
    of_jobs = {device.name for device in devices if is_hostless(device)}
    told = {problem.path for problem in cabled}
    beside = beside_configurations(loaded.unrecognised, loaded.devices, told, of_jobs)
    yield from map(noticed.of_problem, (*cabled, *beside))


def _of_site(request: Request, site: Site, topology: Cabling, loaded: Loaded) -> Iterator[Seen]:
    """What was noticed while the devices were joined, and what of the policy and of earlier majorities does not fit them."""
    yield from noticed.of_site(site)
    yield from noticed.of_fabrics(site)
    not_seen = loaded.unreached or any(problem.kind == "unreadable" for problem in loaded.problems)
    if is_whole_site(request) and not not_seen:  # what was not read may be what an entry speaks of
        hinted = [hint.glob for hint in loaded.unused_hints]
        yield from observations.unused_entries(request.policy, site, topology.roles, hinted)
    if request.remembered is not None:
        yield from observations.moved_values(site, request.remembered)


def _of_hosts(loaded: Loaded, plan: Plan) -> Callable[[], Uses]:
    """What hosts get of templates, and do not get of playbooks."""

    def uses() -> Uses:
        rendered: dict[str, set[int]] = defaultdict(set)
        everywhere: set[str] = set()
        given = loaded.devices if loaded.templates else ()
        for document in (one for device in given for one in device.documents if one.path in loaded.templates):
            rendered[document.path].update(document.lines)
            everywhere.update(() if document.lines else (document.path,))
        of_templates = {path: rendered[path] for path in rendered.keys() - everywhere}
        variables = plan.variables
        got = _got(loaded, plan)
        settled, unused = variables.settled_lines, variables.untaken
        return Uses(variables.idle_lines, of_templates, got, settled, variables.givers, unused)

    return uses


def _got(loaded: Loaded, plan: Plan) -> dict[str, dict[str, set[int]]]:
    """The lines that each device of a playbook gets of the files from which no other playbook writes."""
    roots = plan.variables.roots
    found: dict[str, dict[str, set[int]]] = {}
    for device in loaded.devices if roots else ():
        lines: dict[str, set[int]] = defaultdict(set)
        for document in device.documents:
            lines[document.path].update(document.lines)
        mine = {roots.get(path, "") for path in lines}
        if len(mine) == 1 and mine != {""}:
            its = (path for path, root in roots.items() if root in mine)
            found[device.name] = {path: lines[path] for path in (*its, *plan.variables.untaken)}
    return found


def _of_templates(loaded: Loaded) -> frozenset[str]:
    """Names of the devices of which a template was read; most sites have none, and hosts have hundreds of documents."""
    if not loaded.templates:
        return frozenset()
    return frozenset(d.name for d in loaded.devices if any(doc.path in loaded.templates for doc in d.documents))
