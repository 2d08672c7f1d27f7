"""Counter evidence: what was counted between two snapshots, laid beside a finding about the configuration it may have bitten.

Counter evidence changes neither verdict nor severity nor fingerprint: it is a related line with a note. Rules tagged `counters` are
about the counters themselves; there the note only says how many.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from roce_audit.engine.findings import Finding, Location
from roce_audit.fabric.counters import NOT_COMPARED, of_class
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.site import FabricView, Site
from roce_audit.model import Class
from roce_audit.records import dataclass
from roce_audit.values import Cell, Place

TAG = "counters"
MOST = 2
"""Notes at most for one finding about configuration."""
BOTH = 2
"""A growth that one line of each snapshot shows has two places; a sum has more."""

_WORDS = {
    "ingress_drops": ("packet dropped on entering", "packets dropped on entering"),
    "egress_drops": ("packet dropped at the egress queue", "packets dropped at the egress queue"),
    "pause_received": ("PFC frame received", "PFC frames received"),
    "pause_sent": ("PFC frame sent", "PFC frames sent"),
    "marked": ("packet marked CE", "packets marked CE"),
    "storms": ("PFC storm", "PFC storms"),
    "cnps_ignored": ("CNP ignored", "CNPs ignored"),
    "cnps_sent": ("CNP sent", "CNPs sent"),
    "cnps_handled": ("CNP handled", "CNPs handled"),
    "marked_received": ("packet received with CE", "packets received with CE"),
    "sequence_errors": ("sequence error", "sequence errors"),
    "out_of_sequence": ("packet out of sequence", "packets out of sequence"),
    "fec_uncorrectable": ("FEC code word not corrected", "FEC code words not corrected"),
    "fec_corrected": ("bit or code word corrected by FEC", "bits or code words corrected by FEC"),
    "paused_us": ("microsecond in pause", "microseconds in pause"),
    "ingress_drop_bytes": ("byte dropped on entering", "bytes dropped on entering"),
    "egress_drop_bytes": ("byte dropped at the egress queue", "bytes dropped at the egress queue"),
    "pausing_us": ("microsecond of pausing the far end", "microseconds of pausing the far end"),
    "packets": ("packet of the priority", "packets of the priority"),
    "rdma_packets": ("RDMA packet", "RDMA packets"),
    "uncorrected_errors": ("error that FEC did not correct", "errors that FEC did not correct"),
    "receive_errors": ("frame that came in wrong", "frames that came in wrong"),
    "ack_timeouts": ("acknowledgement that did not come in time", "acknowledgements that did not come in time"),
    "corrupt_packets": ("RoCE packet with a wrong ICRC", "RoCE packets with a wrong ICRC"),
    "roce_discards": ("RoCE packet discarded by the NIC", "RoCE packets discarded by the NIC"),
    "pcie_stalled_s": ("second of waiting for PCIe", "seconds of waiting for PCIe"),
    "link_downs": ("link going down", "times that the link went down"),
    "lossless_ingress_drops": ("packet dropped on entering", "packets dropped on entering"),
    "lossless_egress_drops": ("packet dropped at the egress queue", "packets dropped at the egress queue"),
    "link_pause_received": ("802.3x pause received", "802.3x pauses received"),
    "crc_errors": ("frame with a wrong checksum", "frames with a wrong checksum"),
    "discards": ("packet of any class dropped for want of buffer", "packets of any class dropped for want of buffer"),
}
_BY_TOPIC: Mapping[str, tuple[str, ...]] = {
    "buffer": ("ingress_drops", "egress_drops", "pause_sent"),
    "pfc": ("storms", "ingress_drops", "pause_received", "pause_sent"),
    "marking": ("ingress_drops", "egress_drops"),
    "ecn": ("marked", "egress_drops", "pause_sent"),
    "dcqcn": ("marked_received", "cnps_sent", "cnps_handled", "cnps_ignored"),
    "cnp": ("cnps_sent", "cnps_handled", "cnps_ignored"),
    "link": ("fec_uncorrectable", "crc_errors"),
}
"""Topic of a rule about configuration -> counters that can bear it out, the strongest first."""


@dataclass(frozen=True, slots=True)
class _Counted:
    """How far one counter of one port went."""

    name: str
    number: int
    port: str
    of_class: str
    seconds: float | None
    since: str
    place: Place
    before: Place | None


def attached(findings: Sequence[Finding], site: Site, about_counters: Collection[str]) -> tuple[Finding, ...]:
    """The findings with what was counted at their ports; `about_counters` are the ids of the rules that judge counters."""
    ports = {
        port.id: (port, fabric)
        for fabric in site.fabrics
        for port in fabric.in_use
        if port.counters is not None and port.counters is not NOT_COMPARED
    }
    if not ports:
        return tuple(findings)
    return tuple(
        _attached(finding, ports, site, finding.rule in about_counters) if finding.verdict == "fails" else finding
        for finding in findings
    )


def _attached(
    finding: Finding, ports: Mapping[str, tuple[FabricPort, FabricView]], site: Site, itself: bool
) -> Finding:
    names = tuple(_WORDS) if itself else _BY_TOPIC.get(finding.topic, ())
    mine = [ports[id] for member in finding.members for id in _ports_of(member.id) if id in ports]
    counted = [one for port, fabric in mine for one in _grown(port, fabric, site, names)]
    if not counted:
        return finding
    counted.sort(key=lambda one: (names.index(one.name), -one.number, one.port))
    notes = _own_notes(finding, counted) if itself else _notes(counted, len(mine))
    here = {(at.path, at.line) for at in finding.locations}
    told = [
        replace(at, note=notes[at.path, at.line]) if (at.path, at.line) in notes else at for at in finding.locations
    ]
    added = [
        Location(path, line, "", "related", note) for (path, line), note in notes.items() if (path, line) not in here
    ]
    primaries = [at for at in told if at.role == "primary"]
    return replace(finding, locations=(*primaries, *added, *(at for at in told if at.role != "primary")))


def _own_notes(finding: Finding, counted: Sequence[_Counted]) -> dict[tuple[str, int], str]:
    """For a finding about counters: how many, at each line that it points at."""
    here = {(at.path, at.line) for at in finding.locations}
    notes: dict[tuple[str, int], str] = {}
    for one in counted:
        place = one.place.path, one.place.line
        if place in here:
            words = _said([one])
            notes[place] = f"{notes[place]}; {words}" if place in notes else f"{TAG}: {words}"
        if one.before is not None and (one.before.path, one.before.line) in here:
            notes.setdefault((one.before.path, one.before.line), f"{TAG}: the earlier snapshot")
    return notes


def _notes(counted: Sequence[_Counted], ports: int) -> dict[tuple[str, int], str]:
    """For a finding about configuration: the strongest counters, each at the port that counted most."""
    best: dict[str, list[_Counted]] = {}
    for one in counted:
        best.setdefault(one.name, []).append(one)
    return {
        (those[0].place.path, those[0].place.line): f"{TAG}: {_said(those, ports)}"
        for those in list(best.values())[:MOST]
    }


def _ports_of(member: str) -> tuple[str, ...]:
    """The ports of a member: one, or the two ends of a link."""
    return tuple(member.split(" <-> "))


def _said(those: Sequence[_Counted], ports: int = 1) -> str:
    first = those[0]
    one, many = _WORDS[first.name]
    words = one if first.number == 1 else many
    others = len({other.port for other in those}) - 1
    more = f"; fewer on {others} more of these {ports} ports" if others else ""
    rate = f" ({first.number / first.seconds:,.3g} a second)" if first.seconds else ""
    return f"{first.port}: {first.number:,} {words}{first.of_class}{rate} since {first.since}{more}"


def _grown(port: FabricPort, fabric: FabricView, site: Site, names: Sequence[str]) -> Iterator[_Counted]:
    counters = port.counters or NOT_COMPARED
    since = counters.since.or_else("the earlier snapshot")
    seconds = counters.seconds.get() if counters.seconds.is_known else None
    of_classes: list[tuple[Class, object]] = [
        (cls, of_class(counters, site.hops.of(port.reading.facts, cls), port.is_nic)) for cls in fabric.classes.roce
    ]
    for name in names:
        told = [
            (f" for class {cls.name}", getattr(of_one, name)) for cls, of_one in of_classes if hasattr(of_one, name)
        ]
        cells: list[tuple[str, Cell[int]]] = told or [("", getattr(counters, name, Cell(None)))]
        for words, cell in cells:
            if cell.is_known and cell.value:
                places = [at for at in cell.at if isinstance(at, Place)]
                before = places[1] if len(places) == BOTH else None
                yield _Counted(name, cell.get(), port.id, words, seconds, since, places[0], before)
