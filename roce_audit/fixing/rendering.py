"""A plan as text: device by device in the order in which to act, the way back beside it; or as a patch of the files."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from roce_audit import platforms
from roce_audit.engine.findings import Finding, Severity
from roce_audit.fixing.planning import Fixed, Plan
from roce_audit.fixing.writing import line_end
from roce_audit.platforms.repair import Change
from roce_audit.text.decode import printable
from roce_audit.text.sentences import listed

_NAMED = 3
"""Subjects of a rule that are named."""

_STAGES = (
    "buffers, queues and marking of switches",
    "what switches accept and pause",
    "hosts: what sends comes last",
)

_DISTURBS = {
    "buffer": "the class may lose packets while its buffers are set anew",
    "ecn": "the queue may be emptied while its profile is exchanged",
    "ets": "the scheduler of the port is set anew",
    "marking": "packets under way change their queue, so some are out of order",
    "cnp": "packets under way change their queue, so some are out of order",
    "pfc": "pause stops or starts in the middle of traffic: the class may lose packets",
    "dcbx": "what was negotiated with the far end is negotiated anew",
    "mtu": "the port may go down and up",
    "link": "the port goes down and up",
    "dcqcn": "flows under way may keep the old parameters, or stop",
    "app": "it holds for jobs that start afterwards",
    "fleet": "it depends on the setting: look at the statements",
}
"""Topic of a finding -> what its change may disturb, as engineers know it (source: unverified, so said only as a caution)."""


def text(plan: Plan) -> Iterator[str]:
    """Lines for people."""
    for stage, title in enumerate(_STAGES):
        of_stage = [one for one in plan.fixed if one.stage == stage]
        if of_stage:
            yield from [""] if any(one.stage < stage for one in plan.fixed) else []
            yield f"== {stage + 1}. {title}"
        for device in dict.fromkeys(name for one in of_stage for name, _ in one.proposal.changes):
            yield from _device(device, of_stage, plan)
    if plan.fixed:
        yield ""
    if plan.left:
        yield "== no proved change"
        yield from (f"   {line}" for line in _left(plan))
        yield ""
    fixed, follow = _causes(finding for one in plan.fixed for finding in one.findings)
    left, _ = _causes(finding for finding, _ in plan.left)
    follows = (
        f", and {follow} that {'follows' if follow == 1 else 'follow'} from {'it' if len(fixed) == 1 else 'them'}"
        if follow
        else ""
    )
    tries = f"{plan.tries} {'try' if plan.tries == 1 else 'tries'}"
    yield (
        f"{len(fixed)} finding{'' if len(fixed) == 1 else 's'} fixed{follows}, each proved by judging the changed texts ({tries}); "
        f"{len(left)} left. Nothing was sent to a device."
    )


def _causes(findings: Iterable[Finding]) -> tuple[list[Finding], int]:
    """Those that follow from no other of these, and how many others there are."""
    found = {finding.fingerprint: finding for finding in findings}
    causes = [finding for finding in found.values() if finding.because_of not in found]
    return causes, len(found) - len(causes)


def _device(device: str, of_stage: Sequence[Fixed], plan: Plan) -> Iterator[str]:
    platform = plan.platforms[device]
    mine = [change for one in of_stage for change in _changes(device, one)]
    yield ""
    yield f"{device} ({platform})"
    for one in of_stage:
        yield from _reasons(device, one, platform)
    for path in dict.fromkeys(edit.path for change in mine for edit in change.edits):
        if path in plan.rendered_from:
            yield f"   # {path} is rendered: change the template {plan.rendered_from[path]}"
    yield from (f"   {line}" for line in _typed(mine, platform))
    if not all(change.lasts for change in mine):
        yield "   # until the next boot only: say it where the host sets itself up as well"
    yield "   # the way back"
    undo = _run((line for change in reversed(mine) for line in change.undo), platform)
    yield from (f"   #   {line}" for line in undo)


def _typed(changes: Sequence[Change], platform: str) -> Iterator[str]:
    """What is typed on one device, from the first line to what keeps the change."""
    repairs = platforms.repairs(platform)
    typed = [line for change in changes if not change.in_file for line in change.do]
    if typed:
        yield from repairs.before if repairs is not None else ()
        yield from _run(iter(typed), platform)
        yield from repairs.after if repairs is not None else ()
    yield from dict.fromkeys(printable(line) for change in changes if change.in_file for line in change.do)


def commands(one: Fixed, platform_of: Mapping[str, str]) -> Iterator[str]:
    """What is typed for one change; where it concerns several devices, the name of each stands before its lines."""
    names = list(dict.fromkeys(name for name, _ in one.proposal.changes))
    for name in names:
        if len(names) > 1:
            yield f"# on {name}"
        yield from _typed(_changes(name, one), platform_of[name])


def _reasons(device: str, one: Fixed, platform: str) -> Iterator[str]:
    """What the changes on this device are for, and what else belongs to them; nothing where none of them is here."""
    mine = _changes(device, one)
    if not mine:
        return
    causes, follow = _causes(one.findings)
    for finding in causes:
        where = finding.subject if finding.device == device else _where(finding.device, finding.subject)
        yield f"   # {finding.rule}: {where}, {one.proposal.how}"
    if follow:
        yield f"   #   also ends {follow} {'finding that follows' if follow == 1 else 'findings that follow'} from this"
    yield from (f"   #   {words}" for words in brought(one))
    yield f"   #   {_mark(one, mine)}"
    yield from (f"   #   {words}" for words in _cautions(mine, platform))
    others = sorted({name for name, _ in one.proposal.changes} - {device})
    if others:
        yield f"   #   together with {', '.join(others)}"


def brought(one: Fixed) -> Iterator[str]:
    """What a change leaves that is milder than what it fixes, a line a rule."""
    by_rule: dict[tuple[Severity, str], list[str]] = {}
    for new in one.brings:
        by_rule.setdefault((new.severity, new.rule), []).append(new.subject)
    for (severity, rule), subjects in by_rule.items():
        alike = "" if severity == "info" else ", as on all similar ports"
        yield f"leaves {severity}[{rule}] on {listed(subjects, _NAMED)}{alike}"


def _cautions(changes: Sequence[Change], platform: str) -> list[str]:
    """Whom else the commands concern."""
    repairs = platforms.repairs(platform)
    lines = [line for change in changes for line in change.do]
    known = repairs.cautions.items() if repairs is not None else ()
    return [words for about, words in known if any(about in line for line in lines)]


def _changes(device: str, one: Fixed) -> list[Change]:
    return [change for name, change in one.proposal.changes if name == device]


def _mark(one: Fixed, changes: Sequence[Change]) -> str:
    """Whether a source calls these statements non-disruptive; else what to be prepared for."""
    sources = dict.fromkeys(change.safe for change in changes)
    if "" not in sources:
        return f"safe: {'; '.join(sources)}"
    return f"disruptive: no source says that it is not; {'; '.join(_disturbs(one)) or 'assume a short loss'}"


def _disturbs(one: Fixed) -> list[str]:
    """What a change that no source calls safe may disturb."""
    return list(dict.fromkeys(_DISTURBS[finding.topic] for finding in one.findings if finding.topic in _DISTURBS))


def is_safe(one: Fixed) -> bool:
    """Whether a source calls every statement of the change non-disruptive."""
    return all(change.safe for _, change in one.proposal.changes)


def _listed(lines: list[str], begins: str, ends: str) -> list[str]:
    """Commands that are one item of a list each as one command, an item a line: they come into force together."""
    items = [line.removeprefix(begins).removesuffix(ends) for line in lines]
    if not begins or len(items) < 2:
        return lines
    return [f"{begins}{items[0]},", *(f"{item}," for item in items[1:-1]), f"{items[-1]}{ends}"]


def _run(lines: Iterator[str], platform: str) -> list[str]:
    """Commands without a stanza header that was entered just before; none twice where each says everything by itself."""
    repairs = platforms.repairs(platform)
    if repairs is not None and repairs.whole_lines:
        return _listed([printable(line) for line in dict.fromkeys(lines)], *repairs.listing)
    found: list[str] = []
    header = ""
    for line in lines:
        if line == header:
            continue
        if line.startswith("interface "):
            header = line
        found.append(printable(line))
    return found


def _left(plan: Plan) -> Iterator[str]:
    """What no change fixes, and why; what follows from it goes without saying."""
    reasons = {finding.fingerprint: reason for finding, reason in plan.left}
    for finding in _causes(finding for finding, _ in plan.left)[0]:
        where = _where(finding.device, finding.subject)
        yield f"{finding.severity}[{finding.rule}] {where}: {reasons[finding.fingerprint]}"


def _where(device: str | None, subject: str) -> str:
    """What a finding is about; a link names the devices of its ends itself."""
    return f"{device} {subject}" if device and not subject.startswith(f"{device}:") else subject


def patch(plan: Plan) -> Iterator[str]:
    """A unified diff of the configuration files; rendered files and answers of commands are named, not patched."""
    for path, after in sorted(plan.after.items()):
        if path in plan.answers:
            yield f"# {path}: shows the change, and is no place to make it: see the commands of `roce-audit fix`"
        elif path in plan.rendered_from:
            yield f"# {path} is rendered: change the template {plan.rendered_from[path]}"
        else:
            yield from _unified(path, plan.before[path], after)
    yield from (f"# {line}" for line in _left(plan))


def _unified(path: str, before: str, after: str) -> Iterator[str]:
    """The lines of a diff that applies to the file as it is: with its line ends, and with or without one at its end."""
    end = line_end(path, before)
    for line in difflib.unified_diff(_lines(before, end), _lines(after, end), f"a/{path}", f"b/{path}"):
        yield line.removesuffix("\n")
        if not line.endswith("\n"):
            yield "\\ No newline at end of file"


def _lines(text: str, end: str) -> list[str]:
    *whole, last = text.split("\n")
    return [f"{line}{end}" for line in whole] + [last] * bool(last)


def plain(plan: Plan) -> dict[str, object]:
    """For programs."""
    return {
        "schema": "roce-audit/fix/1",
        "fixed": [
            {
                "findings": [
                    {"rule": finding.rule, "fingerprint": finding.fingerprint, "subject": finding.subject}
                    for finding in one.findings
                ],
                "brings": [
                    {"rule": new.rule, "fingerprint": new.fingerprint, "severity": new.severity, "subject": new.subject}
                    for new in one.brings
                ],
                "stage": one.stage,
                "how": one.proposal.how,
                "disturbs": [] if is_safe(one) else _disturbs(one),
                "safe": is_safe(one),
                "changes": [
                    {
                        "device": name,
                        "do": list(change.do),
                        "undo": list(change.undo),
                        "safe": change.safe or None,
                        "lasts": change.lasts,
                        "files": sorted({e.path for e in change.edits}),
                    }
                    for name, change in one.proposal.changes
                ],
            }
            for one in plan.fixed
        ],
        "left": [
            {"rule": f.rule, "fingerprint": f.fingerprint, "subject": f.subject, "reason": why} for f, why in plan.left
        ],
        "tries": plan.tries,
    }
