"""JUDGE and PLACE: `check` does all of an audit, with a report at its end."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from datetime import date

from roce_audit import __version__, platforms
from roce_audit.audit import notes
from roce_audit.audit.asked import Asked, files
from roce_audit.audit.joining import Begun, JoinedSite, begun
from roce_audit.audit.request import Request
from roce_audit.engine import assembling, counterevidence, narrowing
from roce_audit.engine.assumedwhole import AssumedWhole
from roce_audit.engine.findings import Coverage, Finding, Report
from roce_audit.engine.grouping import Grouping
from roce_audit.engine.judging import Judge
from roce_audit.engine.needs import Needs
from roce_audit.engine.outcomes import Judged
from roce_audit.engine.placing import with_texts
from roce_audit.engine.rules.rule import Rule
from roce_audit.engine.subjectgroups import SubjectGroup
from roce_audit.engine.subjects import Subjects
from roce_audit.engine.suppressing import Suppressions
from roce_audit.fabric.traffic.radius import Radius
from roce_audit.platforms.base import DeviceReading
from roce_audit.policy.values import Policy
from roce_audit.records import dataclass
from roce_audit.sources.batches import Plan
from roce_audit.sources.files import shown, shown_below, shown_name
from roce_audit.sources.lines import Quoted, SourceLines, standard_input
from roce_audit.sources.loaded import Loaded


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


def check(request: Request, plan: Plan | None = None, quoted: Quoted | None = None) -> Checked:
    """Read, join, judge and place everything in the paths; `plan` is what `planned_for` gave, where that was asked already.

    `quoted`: lines of files that are known already.
    """
    found, start = begun(request, plan)
    loaded, policy, rules = start.loaded, found.policy, found.rules
    request.step(f"judging rules: {len(rules):,}")
    suppressions = _suppressions(request, found, start)
    given = standard_input(document for device in loaded.devices for document in device.documents)
    lines = SourceLines({**given, **request.instead}, quoted)
    plans = (file.path for file in loaded.topology_files if _lies_around(file.path, request.paths))
    asked = Asked(request.paths, request.context, (policy.file, request.topology, *plans), loaded.filled_from)
    narrow = _narrow(request, asked, loaded, found.devices)
    judged, told = narrowing.judge(found.site, found.seen, rules, policy, narrow, suppressions)
    needs = Needs({name: platforms.needs(name) for name in platforms.names()}, platforms.configurations())
    findings = _findings(request, found, told, suppressions, needs, lines)
    request.step("")
    fixed = notes.fixed(request.baseline, findings, narrow.devices, rules)
    problems = (*found.problems, *judged.crashes)
    report = Report(
        version=__version__,
        profile=policy.profile.or_else("base"),
        policy_file=None if policy.file is None else shown_name(policy.file),
        inferred=assembling.inferred(found.site),
        fabrics=assembling.fabric_summaries(found.site),
        coverage=_coverage(found, start, judged, needs, asked, fixed),
        checks=assembling.checks(judged),
        findings=with_texts(asked.findings(findings), lines, blocks=request.blocks),
        problems=problems,
        nothing_to_judge=assembling.nothing_to_judge(judged, findings),
    )
    return Checked(
        found.site,
        policy,
        found.devices,
        rules,
        found.seen,
        problems,
        judged=judged,
        report=report,
        lines=lines,
        rendered_from=loaded.rendered_from,
        answers=_answers(loaded),
    )


def _suppressions(request: Request, found: JoinedSite, start: Begun) -> Suppressions:
    """What the policy and comments in the configurations suppress, where the request honours it."""
    policy, devices = (found.policy, found.devices) if request.honour_suppressions else (Policy.empty(), ())
    return Suppressions.of(policy, devices, request.today or date.today(), [rule.id for rule in start.pack])


def _lies_around(plan: str, paths: Sequence[str]) -> bool:
    """Whether a plan of cables lies in a folder that a path lies in as well: what it says is said of what is asked for."""
    folder = plan.rpartition("/")[0] or "."
    return any(shown_below(shown(path), folder) for path in paths)


def _narrow(request: Request, asked: Asked, loaded: Loaded, devices: Sequence[DeviceReading]) -> narrowing.Asked:
    """Which devices are judged for themselves: all that were read, or those of the paths where the request is narrow."""
    names = frozenset(device.name for device in devices)
    if request.narrow and request.context and not _concern_all(asked, request, loaded):
        names &= asked.devices(loaded.devices)
    return narrowing.Asked(names, frozenset(filter(asked.holds, files(loaded.devices))))


def _findings(
    request: Request, found: JoinedSite, told: Judged, suppressions: Suppressions, needs: Needs, lines: SourceLines
) -> tuple[Finding, ...]:
    """Findings of what was judged, with counter evidence; and those about suppressions that suppressed nothing."""
    site, rules = found.site, found.rules
    assumed, radius = AssumedWhole.of(site), Radius(site)
    grouping = Grouping(told, suppressions, needs, lines, request.baseline, assumed, radius, site.maintenance)
    counting = {rule.id for rule in rules if counterevidence.TAG in rule.tags}
    findings = counterevidence.attached(grouping.findings(), site, counting)
    leftovers = tuple(suppressions.leftovers())
    if not leftovers:
        return findings
    late = Judge(rules, found.policy).run(Subjects(replace(site, fabrics=(), links=()), leftovers))
    none = Suppressions.of(Policy.empty(), (), request.today or date.today())
    return (*findings, *Grouping(late, none, needs, lines).findings())


def _coverage(
    found: JoinedSite, start: Begun, judged: Judged, needs: Needs, asked: Asked, fixed: Sequence[str]
) -> Coverage:
    """What was read and judged of what was asked for; `fixed` are the notes on accepted findings."""
    loaded, policy = start.loaded, found.policy
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
            *start.left_aside,
            *notes.in_maintenance(loaded, policy),
            *start.told,
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
