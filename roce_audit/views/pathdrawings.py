"""Which paths the HTML report draws: one for each class of a fabric, and those that cross what findings of links and paths name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from roce_audit.audit import Checked
from roce_audit.engine.findings import Finding
from roce_audit.fabric.classes.sentmark import Sent, own_mark, sent_by
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.site import FabricView
from roce_audit.fabric.traffic.paths import Row, TracedPath
from roce_audit.model import Class
from roce_audit.report.causes import causes
from roce_audit.report.drawing import DrawnPath
from roce_audit.report.words import count
from roce_audit.views.tracepage import Noted, data_drawing
from roce_audit.views.tracetext import shape
from roce_audit.views.tracing import Trace, data_path

MOST = 12
"""Drawings of a report."""
FIRST = 4
"""Paths of classes that are drawn before those of findings."""
TRIES = 60
"""Paths that are walked for the findings of a report."""
HOSTS = 2
"""Hosts of a leaf that are remembered as ends."""
ENDS = 3
"""Far leaves that are tried for one port."""
ROWS = 4
"""Rows of one step; equal paths through more kinds of ports are cut, those without a break first, and the drawing says so."""


def path_drawings(checked: Checked) -> tuple[DrawnPath, ...]:
    """At most MOST drawings, each of another shape."""
    return _Album(checked).drawn()


@dataclass(slots=True)
class _Ends:
    """Where paths of a fabric begin and end: NICs of two hosts at each leaf, or a port towards hosts where no host was read."""

    fabric: FabricView
    of_leaf: dict[str, list[FabricPort]]

    @classmethod
    def of(cls, fabric: FabricView) -> _Ends:
        nics: dict[str, list[FabricPort]] = {}
        ports: dict[str, list[FabricPort]] = {}
        for port in fabric.ports:
            if not port.roce.carries:
                continue
            if port.is_nic and port.peer is not None and not port.peer.is_nic:
                there = nics.setdefault(port.peer.device.name, [])
                if len(there) < HOSTS and all(other.device is not port.device for other in there):
                    there.append(port)
            elif not port.is_nic and port.peer is None:
                there = ports.setdefault(port.device.name, [])
                if len(there) < HOSTS:
                    there.append(port)
        return cls(fabric, nics or ports)

    def pairs(self, through: Sequence[FabricPort]) -> Iterator[tuple[FabricPort, FabricPort]]:
        """Ends whose path may pass some ports: the NIC among them or one at their leaf, with ends at other leaves."""
        start = next((port for port in through if port.is_nic), None)
        if start is None:
            near = [self.of_leaf[port.device.name][0] for port in through if port.device.name in self.of_leaf]
            start = next(iter(near), None) or next((ends[0] for ends in self.of_leaf.values()), None)
        if start is None:
            return
        here = start.peer.device if start.is_nic and start.peer is not None else start.device
        far = [self._end(start, ends) for leaf, ends in self.of_leaf.items() if leaf != here.name]
        beside = [end for end in self.of_leaf.get(here.name, ()) if end is not start]
        for end in [*far[:ENDS], *far[ENDS:][-1:]] or beside[-1:]:
            yield start, end

    @staticmethod
    def _end(start: FabricPort, ends: Sequence[FabricPort]) -> FabricPort:
        """Another host than the one that sends, where the leaf has one."""
        return next((end for end in ends if end.device is not start.device), ends[0])


class _Album:
    """The drawings of a run as they are found."""

    def __init__(self, checked: Checked) -> None:
        self._lines = checked.lines
        self._site = checked.site
        scopes = {rule.id: rule.scope for rule in checked.rules}
        self._findings = [
            finding
            for cause in causes(checked.report)
            if not cause.accepted
            for finding in (cause.finding, *cause.consequences)
            if finding.verdict == "fails" and scopes.get(finding.rule) in ("link", "path")
        ]
        self._noted = _noted(self._findings)
        self._drawn: dict[object, DrawnPath] = {}
        self._named: set[str] = set()
        """Findings that a drawing names."""

    def drawn(self) -> tuple[DrawnPath, ...]:
        """Paths of the first classes, of findings, of the other classes."""
        ends = [_Ends.of(fabric) for fabric in self._site.fabrics]
        usual = [(here, cls) for here in ends for cls in here.fabric.classes.roce]
        for here, cls in usual[:FIRST]:
            self._usual(here, cls)
        self._of_findings(ends)
        for here, cls in usual[FIRST:]:
            self._usual(here, cls)
        return tuple(self._drawn.values())

    def _usual(self, ends: _Ends, cls: Class) -> None:
        pair = next(ends.pairs(()), None)
        mark = own_mark(cls)
        if pair is None or mark is None:
            return
        self._add(self._trace(*pair, Sent(mark, cls, "the mark of the class", False)), ends.fabric)

    def _of_findings(self, ends: Sequence[_Ends]) -> None:
        found_in = {port.id: (port, here) for here in ends for port in here.fabric.ports}
        tries = 0
        for finding in self._findings:
            if finding.fingerprint in self._named or not finding.members:
                continue
            known = [found_in[id] for id in finding.members[0].id.split(" <-> ") if id in found_in]
            through = [port for port, _ in known]
            for here in [here for _, here in known][:1]:
                for start, end in here.pairs(through):
                    tries += 1
                    if len(self._drawn) >= MOST or tries > TRIES:
                        return
                    sent = sent_by(start, here.fabric.classes)
                    trace = self._trace(start, end, sent) if sent is not None else None
                    if trace is not None and {port.id for port in through} <= _passed(trace):
                        self._add(trace, here.fabric)
                        break

    def _trace(self, start: FabricPort, end: FabricPort, sent: Sent) -> Trace:
        return Trace(start, end, sent, data_path(start, end, sent, self._site.ways), None)

    def _add(self, trace: Trace, fabric: FabricView) -> None:
        if trace.path is None or len(self._drawn) >= MOST:
            return
        passed = _passed(trace)
        there = {one.fingerprint: one for id in passed for one in self._noted.get(id, ())}
        named = {fingerprint for fingerprint, one in there.items() if _lies_on(one, passed)}
        noted = {id: [one for one in self._noted.get(id, ()) if one.fingerprint in named] for id in sorted(passed)}
        path = _shortened(trace.path, noted)
        kept = replace(trace, path=path)
        key = (shape(kept), frozenset(there[fingerprint].rule for fingerprint in named))
        self._named.update(named)
        if key in self._drawn:
            return
        several = f"{fabric.name}, " if len(self._site.fabrics) > 1 and fabric.name else ""
        cls = f"class {trace.sent.cls.name}, " if trace.sent.cls is not None else ""
        self._drawn[key] = DrawnPath(
            title=f"{several}{cls}{trace.source.id} → {trace.target.id}",
            broken=trace.breaks,
            findings=tuple(sorted(named)),
            markup="".join(data_drawing(kept, self._lines, noted)) + _left_out(trace.path, path),
        )


def _noted(findings: Sequence[Finding]) -> Mapping[str, list[Finding]]:
    noted: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        for member in finding.members:
            for id in member.id.split(" <-> "):
                noted[id].append(finding)
    return noted


def _lies_on(finding: Finding, passed: set[str]) -> bool:
    """Whether a path passes one of a finding's subjects, a link by both of its ends."""
    return any(passed.issuperset(member.id.split(" <-> ")) for member in finding.members)


def _passed(trace: Trace) -> set[str]:
    return {port.id for row in trace.path.rows for port in row.ports} if trace.path is not None else set()


def _shortened(path: TracedPath, noted: Noted) -> TracedPath:
    """The path with at most ROWS rows of a step: those with breaks first, then those in doubt and with findings.

    So the verdict on the kept rows is that on all of them.
    """
    steps: dict[int, list[Row]] = defaultdict(list)
    for row in path.rows:
        steps[row.number].append(row)
    kept: list[Row] = []
    for rows in steps.values():
        first = sorted(rows, key=lambda row: _rank(row, noted))[:ROWS]
        kept += [row for row in rows if any(row is one for one in first)]
    return replace(path, rows=tuple(kept))


def _rank(row: Row, noted: Noted) -> tuple[bool, bool, bool]:
    return (not row.breaks, not row.unseen, not any(noted.get(port.id) for port in row.ports))


def _left_out(whole: TracedPath, kept: TracedPath) -> str:
    """How many rows a drawing lacks; empty where it has all."""
    lacking = len(whole.rows) - len(kept.rows)
    return f'<p class="quiet">{count(lacking, "more kind")} of equal ports left out.</p>\n' if lacking else ""
