"""Plans: every failure that a proved change fixes, the changes in the order in which they are to be made, and the rest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import field, replace
from itertools import islice

from roce_audit import platforms
from roce_audit.audit import Checked, JudgedSite, Request, check, join_site
from roce_audit.engine.findings import Finding
from roce_audit.engine.fingerprints import identity
from roce_audit.engine.rules.selecting import selected
from roce_audit.fixing.proposals import Failure, Proposal, Proposer
from roce_audit.fixing.proving import Brought, better
from roce_audit.fixing.trying import UNLIMITED, FileTexts, Kept, Limits, Proved, State, by_path
from roce_audit.patterns import lazy
from roce_audit.platforms.repair import Change, Edit, applied
from roce_audit.records import dataclass
from roce_audit.sources.files import STDIN, misnamed

_TAKES_BACK = lazy(r"\s{0,80}(?:no|undo|delete|deactivate|inactive:|nv unset)\s")
"""A line that says no more than that another one does not hold."""
_QUEUES = frozenset({"buffer", "ecn", "ets", "cnp", "marking"})


@dataclass(frozen=True, slots=True)
class Fixed:
    """Findings, and the change that was proved to fix them without harm."""

    findings: tuple[Finding, ...]
    proposal: Proposal
    stage: int
    """0 buffers and queues of switches, 1 what switches accept and pause, 2 hosts: what sends comes last."""
    edits: tuple[Edit, ...]
    """Its edits as lines of the files as they were read; none where it rests on lines that an earlier change wrote."""
    brings: tuple[Brought, ...] = ()
    """Milder failures that it leaves, which none of the changes fixes."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to change, in order, and what has no proved change."""

    fixed: tuple[Fixed, ...]
    left: tuple[tuple[Finding, str], ...]
    """A finding and why nothing is proposed for it."""
    before: Mapping[str, str]
    after: Mapping[str, str]
    """Path -> text, of the files that change."""
    rendered_from: Mapping[str, str]
    answers: frozenset[str]
    """Files that show changes and are no place to make them."""
    platforms: Mapping[str, str]
    """Device -> its platform."""
    tries: int
    spared: int
    """Findings left for which the limits ended the search."""
    problems: tuple[str, ...] = ()
    """What crashed, before any change."""


def plan(request: Request, limits: Limits = UNLIMITED, checked: Checked | None = None) -> Plan:
    """Find a proved change for every failure that the request selects, within the limits. Standard input cannot be changed.

    `checked` is what `check` said of the same request, where that is known already.
    """
    whole = replace(request, select=(), ignore=(), narrow=False)
    first = checked if checked is not None and whole == request else check(whole)
    whole = replace(whole, progress=None, readers=Kept())
    state = State(first, limits, FileTexts({path: text.split("\n") for path, text in request.instead.items()}))
    wanted = {rule.id for rule in selected(first.rules, request.select, request.ignore)}
    search = _Search(first, state, whole, list(_targets(first, wanted)))
    for number, finding in enumerate(search.targets, 1):
        request.step("trying changes for finding", number, len(search.targets))
        search.take_on(finding, is_within=number <= limits.findings and len(finding.members) <= limits.members)
    request.step("")
    return search.ended()


@dataclass(slots=True)
class _Search:
    """The search for changes, finding by finding; each starts from what those before it changed."""

    first: Checked
    """The run before any change."""
    state: State
    request: Request
    targets: Sequence[Finding]
    fixed: list[Fixed] = field(default_factory=list)
    left: list[tuple[Finding, str]] = field(default_factory=list)
    spared: list[Finding] = field(default_factory=list)
    original: dict[str, str] = field(default_factory=dict)

    def take_on(self, finding: Finding, *, is_within: bool) -> None:
        """Find a change for one finding, where `is_within` the limits; without any where it is fixed with another one already."""
        alike = {new.fingerprint for one in self.fixed for new in one.brings if new.rule == finding.rule}
        still = frozenset(alike.union(m.fingerprint for m in finding.members)) & self.state.standing.fails.keys()
        if not still:
            return
        if self.state.spent or not is_within:
            self.spared.append(finding)
            self.left.append((finding, "no change was tried"))
            return
        tries = self.state.tries
        found = self._change_for(finding, still)
        if found is None:
            self.spared += [finding] if self.state.spent else []
            tried = self.state.tries > tries or self.state.spent
            why = self._written_on_one_line(finding) or _why_left(finding, self.first, tried=tried)
            self.left.append((finding, why))
            return
        self._accept(finding, found)

    def _change_for(self, finding: Finding, still: frozenset[str]) -> Proved | None:
        findings = self.first.report.findings
        cause = next((one for one in findings if one.fingerprint == finding.because_of), None)
        takes = cause is None or not _fails_in(self.state, cause)
        follows = {m.fingerprint for one in findings if one.because_of == finding.fingerprint for m in one.members}
        return _fix_one(finding, still, self.state, self.request, takes=takes, follows=follows)

    def _written_on_one_line(self, finding: Finding) -> str:
        """What to do first where all that decided stands in JSON without line ends, of which no part can be changed alone."""
        path = finding.members[0].path if finding.members else ""
        if (
            not path.endswith(".json")
            or path in self.first.answers
            or len(list(filter(None, self.state.texts[path]))) != 1
        ):
            return ""
        return f"{path} holds everything on one line: write it line by line first (python3 -m json.tool)"

    def _accept(self, finding: Finding, found: Proved) -> None:
        """Make the change, and say which other findings it ends as well."""
        state = self.state
        for path in found.texts:
            self.original.setdefault(path, "\n".join(state.texts[path]))
        failed = state.standing.fails
        edits = state.accept(found)
        gone = found.gone | (failed.keys() - state.standing.fails.keys())
        others = [one for one in self.targets if one is not finding and any(m.fingerprint in gone for m in one.members)]
        fixed = Fixed((finding, *others), found.proposal, _stage(finding, self.first), edits, found.brings)
        _add(self.fixed, fixed)

    def ended(self) -> Plan:
        """What came of it, in the order in which the changes are to be made."""
        state, first = self.state, self.first
        fixed = [replace(one, brings=tuple(new for new in one.brings if _stays(state, new))) for one in self.fixed]
        fixed.sort(key=lambda one: one.stage)
        return Plan(
            tuple(fixed),
            tuple((finding, why) for finding, why in self.left if _fails_in(state, finding)),
            self.original,
            state.changed,
            first.rendered_from,
            first.answers | {edit.path for one in fixed for edit in _volatile(one.proposal)},
            {device.name: device.platform for device in first.devices},
            state.tries,
            sum(_fails_in(state, finding) for finding in self.spared),
            first.report.problems,
        )


def _why_left(finding: Finding, checked: Checked, *, tried: bool) -> str:
    """Why nothing is proposed: nothing that was tried is any good, or there is nothing to try."""
    unopened = next(filter(None, (misnamed(member.path) for member in finding.members)), "")
    if unopened:
        return unopened
    if tried:
        return "no change was found that fixes it and harms nothing"
    its = {member.device for member in finding.members}
    its_platforms = sorted({device.platform for device in checked.devices if device.name in its})
    if its_platforms and all(platforms.repairs(name) is None for name in its_platforms):
        return f"no changes are written for {', '.join(its_platforms)}: `roce-audit explain {finding.rule}` says what to look at"
    return f"no change is known: `roce-audit explain {finding.rule}` says what to look at"


def _fails_in(state: State, finding: Finding) -> bool:
    """Whether any of it still fails: what a later change fixed on its way is not left."""
    return any(member.fingerprint in state.standing.fails for member in finding.members)


def _stays(state: State, new: Brought) -> bool:
    return new.fingerprint in state.standing.fails


def _add(fixed: list[Fixed], new: Fixed) -> None:
    """Add a change; one that writes the very lines of an earlier one once more takes its place."""
    lines = _written(new.proposal)
    for at, old in enumerate(fixed):
        if lines and lines == _written(old.proposal):
            both = zip(old.proposal.changes, new.proposal.changes, strict=True)
            changes = tuple((device, _in_one(earlier, later)) for (device, earlier), (_, later) in both)
            findings = tuple({f.fingerprint: f for f in (*old.findings, *new.findings)}.values())
            edits = tuple(replace(was, new=now.new) for was, now in zip(old.edits, new.proposal.edits, strict=False))
            brings = tuple(dict.fromkeys((*old.brings, *new.brings)))
            fixed[at] = Fixed(findings, replace(new.proposal, changes=changes), old.stage, edits, brings)
            return
    fixed.append(new)


def _in_one(earlier: Change, later: Change) -> Change:
    """Two changes of the same lines as one: what the later takes back of the earlier is not typed at all."""
    headers = {*earlier.do} & {*earlier.undo} & {*later.do} & {*later.undo}

    def typed(lines: Sequence[str], unless: Sequence[str]) -> list[str]:
        kept = [line for line in lines if line in headers or line not in unless]
        return [] if headers.issuperset(kept) else kept

    do = (*typed(earlier.do, later.undo), *typed(later.do, earlier.undo))
    undo = (*typed(later.undo, earlier.do), *typed(earlier.undo, later.do))
    return replace(later, do=do, undo=undo)


def _written(proposal: Proposal) -> list[tuple[str, int]]:
    """The lines that a proposal rewrites; none where it adds or takes away lines."""
    edits = proposal.edits
    return [] if any(edit.old is None or edit.new is None for edit in edits) else [(e.path, e.line) for e in edits]


def _volatile(proposal: Proposal) -> Iterator[Edit]:
    """Edits of what the next boot undoes."""
    for _, change in proposal.changes:
        yield from () if change.lasts else change.edits


def _targets(checked: Checked, wanted: set[str]) -> Iterator[Finding]:
    """What fails and is not suppressed: causes first, then what looked like their consequences."""
    failing = [f for f in checked.report.findings if f.verdict == "fails" and f.suppressed is None and f.rule in wanted]
    yield from (finding for finding in failing if finding.because_of is None)
    yield from (finding for finding in failing if finding.because_of is not None)


def _fix_one(
    finding: Finding, still: frozenset[str], state: State, request: Request, *, takes: bool, follows: Set[str]
) -> Proved | None:
    """A change at the ports of the finding, else one at the far ends that fail alike as well: changed alone, one end of a
    link may only disagree with the other. It may take lines away where `takes` says so, and rather ends what `follows` as well.
    """
    of_rule = {
        identity(outcome.rule, subject): Failure(outcome.rule, outcome, subject)
        for subject, outcome in state.checked.judged.each(fails=True)
        if outcome.rule.id == finding.rule
    }
    if not still <= of_rule.keys() or any(_is_elsewhere(of_rule[mine]) for mine in still):
        return None
    found = _proved(of_rule, still, state, request, takes, follows)
    if found is None:
        linked = _with_far_ends(of_rule, still)
        found = _proved(of_rule, linked, state, request, takes, follows) if linked > still else None
    return found


def _is_elsewhere(failure: Failure) -> bool:
    """Whether it is about no port, no name and no value of a host's file: nothing is known that could be changed for it."""
    subject, written = failure.subject, failure.rule.fix
    in_files = subject.device is not None and written is not None and written.path is not None
    return not subject.ports and not in_files and (subject.seen is None or not subject.seen.meant)


def _with_far_ends(of_rule: Mapping[str, Failure], still: frozenset[str]) -> frozenset[str]:
    """These failures and those of the same rule at the other ends of their links, and so on."""
    by_seat: dict[str, list[str]] = defaultdict(list)
    for mine, failure in of_rule.items():
        for port in failure.subject.ports:
            by_seat[port.id].append(mine)
    reached: set[str] = set()
    ahead = sorted(still)
    while ahead:
        mine = ahead.pop()
        if mine not in reached:
            reached.add(mine)
            peers = [port.peer for port in of_rule[mine].subject.ports if port.peer is not None]
            ahead += [other for peer in peers for other in by_seat[peer.id]]
    return frozenset(reached)


def _proved(
    of_rule: Mapping[str, Failure],
    still: frozenset[str],
    state: State,
    request: Request,
    takes: bool,
    follows: Set[str],
) -> Proved | None:
    """The first proposal for all these failures at once that fixes them and harms nothing; rather one that brings nothing new, and
    where it takes lines away one that ends what `follows`: a fault whose consequences stay may only be hidden.

    What follows from a fault that is left would go away with the half that is right of what is broken: without `takes`, no
    line is taken away.
    """
    rule = next(iter(of_rule.values())).rule.id
    failing = frozenset(port.id for failure in of_rule.values() for port in failure.subject.ports)
    parameters = {entry.rule: entry.params for entry in request.policy.rules}
    proposer = Proposer(state.checked.site, state.texts, parameters, _unapplied(state.checked))
    failures = [failure for mine, failure in of_rule.items() if mine in still]
    failures.sort(key=lambda failure: -(failure.outcome.how_bad or 0.0))
    tried: set[tuple[Edit, ...]] = set()
    second_best: Proved | None = None
    for proposal in islice(proposer.of(failures, failing), state.limits.each):
        if state.spent:
            break
        edits = proposal.edits
        if not edits or edits in tried or any(edit.path == STDIN for edit in edits):
            continue
        tried.add(edits)
        if not takes and any(edit.new is None for edit in edits):
            continue
        try:
            texts = {path: applied(state.texts[path], its) for path, its in by_path(proposal).items()}
        except ValueError:
            continue
        state.tried(texts)
        trial = {**state.changed, **{path: "\n".join(lines) for path, lines in texts.items()}}
        joined = join_site(replace(request, instead={**request.instead, **trial}))
        takes_away = any(edit.new is None and not _TAKES_BACK.match(edit.old or "") for edit in edits)
        after = better(joined, state.standing, still, rule, takes_away=takes_away)
        if after is not None:
            proved = Proved(proposal, still, after.standing, after.brings, texts)
            hides = takes_away and not follows.isdisjoint(after.standing.fails)
            if not after.brings and not hides:
                return proved
            second_best = second_best or proved
    return second_best


def _unapplied(checked: JudgedSite) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for seen in checked.seen:
        if seen.observation.kind in ("unapplied", "unpaused"):
            found[seen.device].append(seen.quote)
    return found


def _stage(finding: Finding, checked: Checked) -> int:
    hosts = {device.name for device in checked.devices if device.kind == "host"}
    if finding.members and all(member.device in hosts for member in finding.members):
        return 2
    return 0 if finding.topic in _QUEUES else 1
