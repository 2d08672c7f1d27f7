"""How loud a failure is: by what the rule says, by how sure the evidence is, and by what follows from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from roce_audit.engine.findings import Severity, worst
from roce_audit.engine.outcomes import Judged, Outcome
from roce_audit.engine.placing import Evidence, evidence, own
from roce_audit.engine.rules.rule import Rule
from roce_audit.engine.subjectgroups import SubjectGroup
from roce_audit.engine.subjects import Subject
from roce_audit.fabric.hosts.nics import has_rdma_device
from roce_audit.fabric.port import FabricPort

_COMPARING = "consistency"
"""The tag of rules that compare a subject with others of its kind."""
_DIFFERING = "value"
"""The field of a difference that holds what the subject has."""
_ANY_PORT_OF = "a port of fabric "


class Severities:
    """Which failure follows from which other one, and how severe each is; a cause is never milder than what follows from it."""

    def __init__(self, judged: Judged) -> None:
        self._judged = judged
        self._failed = _failures(judged)
        self._everywhere = judged.everywhere

    def cause(self, outcome: Outcome, subject: Subject) -> str | None:
        """The rule whose failure on the same subject, on its device, or on a port of its fabric explains this one.

        What fails everywhere does not explain why one differs from the others. A mere remark explains only what nothing else does,
        and of a difference only one in the very lines that it is about: it becomes as loud as that. What was noticed in the input
        follows from nothing milder: a name that nothing defines is graver than what the device lacks beside it.
        """
        rule = outcome.rule
        causes = [cause for cause in rule.after if cause in self._failed]
        if not causes:
            return None
        around, kind = _devices_of(subject), subject.device.kind if subject.device is not None else ""
        if subject.device is None and subject.seen is None:
            around.append(_ANY_PORT_OF + subject.fabric)
        keys = (*keys_of(subject), *around)
        mild = None
        for cause in causes:
            if is_comparing(rule) and (cause, subject.fabric, kind) in self._everywhere:
                continue
            failed = [self._failed[cause][key] for key in keys if key in self._failed[cause]]
            if failed and subject.seen is not None and worst(outcome.severity, *failed) != worst(*failed):
                continue
            if failed and worst(*failed) != "info":
                return cause
            if failed and mild is None and (not is_comparing(rule) or self._is_about(cause, outcome, subject)):
                mild = cause
        return mild

    def _is_about(self, remark: str, difference: Outcome, subject: Subject) -> bool:
        """Whether all lines in which a subject differs from others are lines of what a rule remarks on it."""
        differing = {line for item in evidence(subject, difference) if _DIFFERING in item.path for line in item.places}
        remarked = {
            line
            for key in keys_of(subject)
            for group, one, outcome in self._remarks.get((remark, key), ())
            for of_it in (group.subject(one),)
            for item in own(of_it, list(evidence(of_it, outcome)))
            for line in item.places
        }
        return bool(differing) and differing <= remarked

    @cached_property
    def _remarks(self) -> Mapping[tuple[str, str], Sequence[tuple[SubjectGroup, Subject | FabricPort, Outcome]]]:
        """Rule and what it failed on as a mere remark -> its failures there."""
        found: dict[tuple[str, str], list[tuple[SubjectGroup, Subject | FabricPort, Outcome]]] = defaultdict(list)
        for group, outcome in self._judged.outcomes:
            if outcome.fails and outcome.severity == "info":
                for one in group.ports or group.subjects():
                    for key in [one.id] if isinstance(one, FabricPort) else keys_of(one):
                        found[outcome.rule.id, key].append((group, one, outcome))
        return found

    def of(self, outcome: Outcome, subject: Subject, found: Iterable[Evidence]) -> Severity:
        """The severity of one failure."""
        told, following = _own(outcome, subject, found), self._consequences.get(outcome.rule.id)
        return worst(told, *(following.get(key, "none") for key in keys_of(subject))) if following else told

    @cached_property
    def _consequences(self) -> Mapping[str, Mapping[str, Severity]]:
        """Rule -> what it failed on -> the worst failure that follows from it there, over any number of steps."""
        following: list[tuple[Rule, Subject, str, Severity]] = []
        failing = [(group, outcome) for group, outcome in self._judged.outcomes if outcome.fails]
        later = [
            (group, outcome) for group, outcome in failing if any(map(self._failed.__contains__, outcome.rule.after))
        ]
        for subject, outcome in ((subject, outcome) for group, outcome in later for subject in group.each()):
            cause = self.cause(outcome, subject)
            if cause is not None:
                following.append((outcome.rule, subject, cause, _own(outcome, subject, evidence(subject, outcome))))
        found: dict[str, dict[str, Severity]] = defaultdict(dict)
        grown = True
        while grown:
            grown = False
            for rule, subject, cause, told in following:
                severity = worst(told, *(found[rule.id].get(key, "none") for key in keys_of(subject)))
                for key in (*keys_of(subject), *_devices_of(subject)):
                    before = found[cause].get(key, "none")
                    if key in self._failed[cause] and worst(before, severity) != before:
                        found[cause][key] = severity
                        grown = True
        return found


def is_comparing(rule: Rule) -> bool:
    """Whether the rule compares a subject with others of its kind."""
    return _COMPARING in rule.tags


def _own(outcome: Outcome, subject: Subject, found: Iterable[Evidence]) -> Severity:
    """What the rule says, or a warning where the error rests on evidence that is not certain."""
    if outcome.severity != "error":
        return outcome.severity
    seen = list(found)
    inferred = [port.roce for port in subject.ports if port.roce.is_inferred and not _is_ready(port)]
    likely = any(roce.elsewhere for roce in inferred) or any(item.places for item in seen)
    if inferred and likely and outcome.rule.asks == "absent":
        return "warning"
    if any(source.is_unverified for item in seen for source in item.cited):
        return "warning"  # it is based on what no document says
    beside = any(port.reading.labels.peer_link and port.crossed_by is None for port in subject.ports)
    return "warning" if beside else "error"


def _is_ready(port: FabricPort) -> bool:
    """A NIC with an RDMA device, or a port of a switch that is told a RoCE mode: RoCE is no guess there."""
    return has_rdma_device(port) or port.device.device.roce_mode.is_known


def _failures(judged: Judged) -> Mapping[str, Mapping[str, Severity]]:
    """Rule id -> ids of subjects (and of the ports behind them) it failed on -> the worst that the rule says of them."""
    failed: dict[str, dict[str, Severity]] = defaultdict(dict)
    for group, outcome in judged.outcomes:
        if outcome.fails:
            of_rule = failed[outcome.rule.id]
            for key in _keys_of_all(group):
                of_rule[key] = worst(outcome.severity, of_rule.get(key, "none"))
    return failed


def _keys_of_all(group: SubjectGroup) -> Iterator[str]:
    """Those of the subjects of a group, and the word for any port of their fabric."""
    for subject in group.made:
        yield from keys_of(subject)
    for port in group.ports:
        yield port.id
    for link in group.links:
        yield from (link.a.id, link.b.id)
    if group.example.ports:
        yield _ANY_PORT_OF + group.example.fabric


def keys_of(subject: Subject) -> Sequence[str]:
    """The ids of the ports behind a subject; its own where there are none."""
    if subject.ports:
        return [port.id for port in subject.ports]
    if subject.seen is not None:
        return [f"{subject.seen.device}:{name}" for name in subject.seen.ports]
    return [subject.id]


def _devices_of(subject: Subject) -> list[str]:
    return [port.device.name for port in subject.ports]
