"""An audit: read, join, judge, place; `check` does all of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import field, replace
from datetime import date
from pathlib import Path

from roce_audit import __version__, notes, noticed, platforms, since
from roce_audit.asked import Asked, files
from roce_audit.cabling import cabling, unfound
from roce_audit.engine import assembling, counterevidence, narrowing, rulepack
from roce_audit.engine.assumedwhole import AssumedWhole
from roce_audit.engine.baseline import NONE, Baseline
from roce_audit.engine.findings import Coverage, Report
from roce_audit.engine.grouping import Grouping
from roce_audit.engine.judging import Judge
from roce_audit.engine.needs import Needs
from roce_audit.engine.outcomes import Judged
from roce_audit.engine.placing import with_texts
from roce_audit.engine.rule import Rule
from roce_audit.engine.selecting import check_policy, selected
from roce_audit.engine.subjectgroups import SubjectGroup
from roce_audit.engine.subjects import Subjects
from roce_audit.engine.suppressing import Suppressions
from roce_audit.fabric import observations
from roce_audit.fabric.join import join, with_counters
from roce_audit.fabric.radius import Radius
from roce_audit.fabric.site import Site
from roce_audit.platforms.base import DeviceReading, Seen
from roce_audit.policy.load import PolicyError
from roce_audit.policy.load import Problem as PolicyProblem
from roce_audit.policy.values import Policy
from roce_audit.readings.parcel import Parcel, joined, opened
from roce_audit.records import dataclass
from roce_audit.sources.batches import Plan
from roce_audit.sources.devices import planned
from roce_audit.sources.files import shown
from roce_audit.sources.hints import PathHint
from roce_audit.sources.lines import Quoted, SourceLines, standard_input
from roce_audit.sources.loaded import Loaded
from roce_audit.sources.unanswered import empty_files

Step = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Request:
    """What to check, and how."""

    paths: tuple[str, ...]
    policy: Policy
    topology: str | None = None
    context: tuple[str, ...] = ()
    """Read and used for links, majority and similar ports; findings are shown only where they touch `paths`."""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    honour_suppressions: bool = True
    today: date | None = None
    rules: tuple[Rule, ...] | None = None
    """Rules to judge by; None: those of the tool and of the policy's `rules_path`."""
    baseline: Baseline = NONE
    since: str | None = None
    """An earlier snapshot of the same devices: their counters then are compared with those in `paths` and `context`."""
    remembered: Mapping[str, str] | None = None
    """What a majority decided when the site was judged last, as text; None: nothing is remembered."""
    instead: Mapping[str, str] = field(default_factory=dict)
    """Path as shown -> text to judge in place of what the file holds: a change that is tried before anybody makes it."""
    readers: Callable[[Plan, Step], Iterable[Parcel]] | None = None
    """Who loads and reads the batches of a plan, in their order; None: this process, one after the other."""
    blocks: bool = True
    """Findings say which stanzas are around their lines: finding these takes as long as the lines themselves."""
    narrow: bool = False
    """What only the context holds is not judged, as far as nothing in `paths` depends on it: neither told nor counted."""
    progress: Step | None = None
    """Called at each step: what is done, how many of how many (0: nobody knows); "" at the end."""

    def step(self, doing: str, done: int = 0, total: int = 0) -> None:
        """One step further."""
        if self.progress is not None:
            self.progress(doing, done, total)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSite(JoinedSite):
    """The same, judged; nothing of it is placed or told yet."""

    judged: Judged


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked(JudgedSite):
    """A run: the report, and the site behind it for `show` and `explain`."""

    report: Report
    lines: SourceLines
    rendered_from: Mapping[str, str]
    """Path of a document -> the template that it was rendered from."""
    answers: frozenset[str]
    """Paths of files that hold what commands printed on hosts: they show settings, and are no place to change them."""


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
    return loaded, tuple(readings), seen, crashes


def planned_for(request: Request) -> Plan:
    """What is to be opened for a request."""
    policy = request.policy
    return planned(
        request.paths,
        beside=request.context,
        hints=hints(policy),
        exclude=[entry.text for entry in (*policy.exclude, *([policy.path_file] if policy.path_file else ()))],
        base=policy.folder or ".",
        instead=request.instead,
        apart=request.since,
    )


def hints(policy: Policy) -> list[PathHint]:
    """What the policy says of files."""
    return [
        PathHint(p.pattern, p.platform, p.complete, p.state, p.device, p.rendered_from or None) for p in policy.paths
    ]


@dataclass(frozen=True, slots=True)
class _Input:
    """What a run began with, as far as the report tells of it."""

    loaded: Loaded
    pack: tuple[Rule, ...]
    """All rules there are; those that are asked may be fewer."""
    left_aside: Sequence[str]
    """A note for each topology file that is somebody else's."""
    told: Sequence[str]
    """Notes on the comparison with an earlier snapshot."""


def join_site(request: Request) -> JoinedSite:
    """Read and join everything in the paths."""
    return _join(request)[0]


def judge(found: JoinedSite, rules: Sequence[Rule] | None = None) -> JudgedSite:
    """Ask `rules` of a site, or those that are to be asked of it."""
    judged = Judge(found.rules if rules is None else rules, found.policy).run(Subjects(found.site, found.seen))
    problems = (*found.problems, *judged.crashes)
    return JudgedSite(found.site, found.policy, found.devices, found.rules, found.seen, problems, judged=judged)


def held(found: JoinedSite, rules: Set[str]) -> Sequence[tuple[SubjectGroup, Rule]]:
    """Of which subjects these rules hold. They are asked once more: what fails is few, and what holds is much to remember."""
    holding: list[tuple[SubjectGroup, Rule]] = []
    asked = [rule for rule in found.rules if rule.id in rules]
    Judge(asked, found.policy, holding).run(Subjects(found.site, found.seen))
    return holding


def _of_templates(loaded: Loaded) -> frozenset[str]:
    """Names of the devices of which a template was read; most sites have none, and hosts have hundreds of documents."""
    if not loaded.templates:
        return frozenset()
    return frozenset(d.name for d in loaded.devices if any(doc.path in loaded.templates for doc in d.documents))


def _join(request: Request, plan: Plan | None = None) -> tuple[JoinedSite, _Input]:
    policy = request.policy
    loaded, devices, seen, crashes = read(request, plan)
    topology = cabling(loaded, request.topology)
    request.step(f"joining devices: {len(devices):,}")
    site = join(devices, policy, topology.cables, topology.roles, _of_templates(loaded))
    compared, told = since.compared(loaded, request.since, policy, hints(policy))
    site = with_counters(site, compared)
    seen = [one for one in seen if one.observation.kind != "counted-once" or one.device not in compared]
    cabled = {device for cable in topology.cables for device, _ in (cable.a, cable.b)}
    missing = cabled - {device.name for device in devices}
    seen += map(noticed.of_problem, topology.problems)
    seen += [*noticed.of_site(site), *map(noticed.of_problem, empty_files(loaded.unrecognised, missing))]
    seen += noticed.of_fabrics(site)
    if _whole_site(request):
        seen.extend(
            observations.unused_entries(policy, site, topology.roles, [hint.glob for hint in loaded.unused_hints])
        )
    if request.remembered is not None:
        seen.extend(observations.moved_values(site, request.remembered))
    pack = rules_of(policy) if request.rules is None else request.rules
    check_policy(pack, policy)
    rules = selected(pack, request.select, request.ignore)
    found = JoinedSite(site, policy, devices, rules, tuple(noticed.relied_on(seen, site)), tuple(crashes))
    left_aside = (*topology.notes, *unfound(topology.cables, site.links, {device.name for device in devices}))
    return found, _Input(loaded, pack, left_aside, told)


def check(request: Request, plan: Plan | None = None, quoted: Quoted | None = None) -> Checked:
    """Read, join, judge and place everything in the paths; `plan` is what `planned_for` gave, where that was asked already.

    `quoted`: lines of files that are known already.
    """
    policy = request.policy
    found, begun = _join(request, plan)
    loaded, site, devices, rules, relied = begun.loaded, found.site, found.devices, found.rules, found.seen
    request.step(f"judging rules: {len(rules):,}")
    today = request.today or date.today()
    suppressions = Suppressions.of(
        policy if request.honour_suppressions else Policy.empty(),
        _commented(request, devices),
        today,
        [rule.id for rule in begun.pack],
    )
    given = standard_input(document for device in loaded.devices for document in device.documents)
    lines = SourceLines({**given, **request.instead}, quoted)
    asked = Asked(request.paths, request.context, policy.file, loaded.filled_from)
    names = asked.devices(loaded.devices)
    read_names = frozenset(device.name for device in devices)
    is_narrow = request.narrow and bool(request.context) and not _concern_all(asked, request, loaded)
    judged_names = read_names & names if is_narrow else read_names
    narrow = narrowing.Asked(judged_names, frozenset(filter(asked.holds, files(loaded.devices))))
    judged, told = narrowing.judge(site, relied, rules, policy, narrow, suppressions)
    problems = (*found.problems, *judged.crashes)
    needs = Needs({name: platforms.needs(name) for name in platforms.names()}, platforms.configurations())
    assumed, radius = AssumedWhole.of(site), Radius(site)
    grouping = Grouping(told, suppressions, needs, lines, request.baseline, assumed, radius, site.maintenance)
    findings = grouping.findings()
    findings = counterevidence.attached(findings, site, {rule.id for rule in rules if counterevidence.TAG in rule.tags})
    leftovers = tuple(suppressions.leftovers())
    if leftovers:
        late = Judge(rules, policy).run(Subjects(replace(site, fabrics=(), links=()), leftovers))
        findings = (*findings, *Grouping(late, Suppressions.of(Policy.empty(), (), today), needs, lines).findings())
    request.step("")
    report = Report(
        version=__version__,
        profile=policy.profile.or_else("base"),
        policy_file=policy.file,
        inferred=assembling.inferred(site),
        fabrics=assembling.fabric_summaries(site),
        coverage=_coverage(
            found, begun, judged, needs, asked, notes.fixed(request.baseline, findings, judged_names, rules)
        ),
        checks=assembling.checks(judged),
        findings=with_texts(asked.findings(findings), lines, blocks=request.blocks),
        problems=problems,
        nothing_to_judge=assembling.nothing_to_judge(judged, findings),
    )
    return Checked(
        site,
        policy,
        devices,
        rules,
        relied,
        problems,
        judged=judged,
        report=report,
        lines=lines,
        rendered_from=loaded.rendered_from,
        answers=_answers(loaded),
    )


def _coverage(
    found: JoinedSite, begun: _Input, judged: Judged, needs: Needs, asked: Asked, fixed: Sequence[str]
) -> Coverage:
    """What was read and judged of what was asked for; `fixed` are the notes on accepted findings."""
    loaded, policy = begun.loaded, found.policy
    return assembling.coverage(
        found.site,
        found.devices,
        judged,
        [item for item in found.seen if asked.holds(item.place.path)],
        needs.listed(),
        asked=asked.devices(loaded.devices),
        documents=asked.files(loaded.devices),
        context=asked.context(loaded.devices),
        unrecognised=tuple(row for row in loaded.unrecognised if asked.holds(row[0])),
        excluded=loaded.excluded,
        notes=(
            *notes.other_policies(loaded, policy),
            *loaded.notes,
            *begun.left_aside,
            *notes.in_maintenance(loaded, policy),
            *begun.told,
            *fixed,
        ),
        unreached=tuple(f"{name}: {why}" for name, why in notes.unreached(loaded, policy).items()),
        incomplete=loaded.incomplete,
    )


def _answers(loaded: Loaded) -> frozenset[str]:
    return frozenset(
        document.path
        for device in loaded.devices
        if platforms.platform(device.platform).kind == "host"
        for document in device.documents
        if document.command is not None
    )


def _concern_all(asked: Asked, request: Request, loaded: Loaded) -> bool:
    """Whether the paths hold what every device is judged by: the policy, a topology, rules."""
    policy = request.policy
    base = policy.folder or "."
    named = (*policy.rules_paths, *([policy.path_file] if policy.path_file else ()))
    beside = [os.path.join(base, entry.text) for entry in named]
    given = [policy.file, request.topology, *(file.path for file in loaded.topology_files), *map(shown, beside)]
    return any(asked.holds(path) for path in given if path is not None)


def rules_of(policy: Policy) -> tuple[Rule, ...]:
    """The rules that come with the tool and those of the policy's `rules_path`. Raises RuleError."""
    base = Path(policy.folder or ".")
    for entry in policy.rules_paths:
        if not os.path.lexists(base / entry.text):
            missing = PolicyProblem(entry.at.path, entry.at.line, f"rules_path: no such folder of rules: {entry.text}")
            raise PolicyError((missing,))
    return rulepack.load([rulepack.builtin_folder(), *(base / entry.text for entry in policy.rules_paths)])


def _whole_site(request: Request) -> bool:
    """Whether everything that the policy speaks of was read, so that an entry which matches nothing is wrong."""
    folder = request.policy.folder
    given = [os.path.realpath(path) for path in (*request.paths, *request.context)]
    return folder is not None and any(f"{os.path.realpath(folder)}/".startswith(f"{path}/") for path in given)


def _commented(request: Request, devices: Sequence[DeviceReading]) -> Sequence[DeviceReading]:
    return devices if request.honour_suppressions else ()
