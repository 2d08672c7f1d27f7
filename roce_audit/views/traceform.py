"""Traces for programs, schema `roce-audit/trace/1` (docs/trace.schema.json)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from roce_audit import __version__
from roce_audit.engine.findings import Finding
from roce_audit.fabric.traffic.chain import Break, Owner, Unseen, owner_of
from roce_audit.fabric.traffic.paths import Row, TracedPath
from roce_audit.text.secrets.redact import redact
from roce_audit.values import Cell, Cited, Place
from roce_audit.views.cellwords import Quote, value
from roce_audit.views.tracecells import ShownCell, cells_of
from roce_audit.views.tracetext import outer_words
from roce_audit.views.tracing import Trace, outer_dscp, tunnels


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid")


class LineForm(_Form):
    """A line of a file."""

    path: str
    line: int
    text: str


class CellForm(_Form):
    """One value of a hop, and where it is written."""

    name: str = Field(description="`traffic_class`, `queue.ecn.min_bytes`, ...")
    value: bool | int | float | str | list[int] | None = Field(description="null where there is none, or none is known")
    why: str | None = Field(
        description="why there is no value: `absent`, or why it is unknown; null where there is one"
    )
    text: str
    lines: list[LineForm]
    default: str | None = Field(description="the document that says so, where no line does")


class BreakForm(_Form):
    """Why the chain breaks at a hop."""

    text: str
    owner: Owner
    lines: list[LineForm]


class UnseenForm(_Form):
    """What is not known of a hop and must be, before anybody can say that the chain holds."""

    text: str
    lines: list[LineForm]


class HopForm(_Form):
    """One class at equal ports of one step."""

    step: int = Field(description="from 1; hops of equal ways have the same")
    direction: Literal["in", "out"]
    ports: list[str]
    platform: str
    owner: Owner
    mark: str = Field(description="how packets are marked when they come to the port")
    cells: list[CellForm] = Field(description="of the first of the ports")
    breaks: list[BreakForm]
    unseen: list[UnseenForm]


class TunnelForm(_Form):
    """VXLAN on the switches of a way; whether it carries these packets is nowhere read."""

    text: str
    lines: list[LineForm] = Field(description="what sets the tunnels up")
    outer_dscp: CellForm | None = Field(
        description="at the first switch with a tunnel: the DSCP of all outer headers, or what it is made from (`packet`, `class`);"
        " null where nothing says it: it is taken to be that of the packet"
    )


class WayForm(_Form):
    """All equal ways of a class from one place to another."""

    assumed: str = Field(description="why these ways are taken, as far as neither routing table nor path file says it")
    routes: list[LineForm] = Field(description="the routes that say it; empty where no routing table was given")
    without_table: list[str] = Field(description="where there are routes: switches whose way is assumed all the same")
    given: list[LineForm] = Field(description="the lines of the path file that say it where no routing table does")
    not_cabled: list[LineForm] = Field(
        description="the lines of the path file that say another way, which no cables lead"
    )
    tunnel: TunnelForm | None = Field(description="null where no switch on the way is seen to have VXLAN tunnels")
    hops: list[HopForm]


class SentForm(_Form):
    """With which mark packets are sent, and who says so."""

    mark: str
    because: str
    assumed: bool = Field(description="nothing that was read says what is sent")
    lines: list[LineForm]
    wrong: BreakForm | None


class CnpForm(_Form):
    """The CNPs that go back."""

    mark: str
    because: str
    lines: list[LineForm]
    way: WayForm | None = Field(description="null where no cable is known that leads there")


class TraceForm(_Form):
    """One class from one port to another."""

    source: str
    target: str
    class_name: str | None = Field(description="null for a DSCP of no class")
    holds: bool | None = Field(description="null where not all of the chain was seen")
    sent: SentForm
    way: WayForm | None = Field(description="null where no cable is known that leads there")
    cnps: CnpForm | None = Field(description="null where nothing says their DSCP")


class FindingForm(_Form):
    """A finding about a port on the way."""

    rule: str
    severity: str
    device: str | None
    subject: str
    message: str
    fingerprint: str


class TracesForm(_Form):
    """Everything that `trace -f json` writes."""

    model_config = ConfigDict(extra="forbid", title="roce-audit trace")

    schema_: Literal["roce-audit/trace/1"] = Field(alias="schema")
    version: str
    traces: list[TraceForm]
    findings: list[FindingForm]


def schema() -> str:
    """The JSON schema of what this version writes."""
    return json.dumps(TracesForm.model_json_schema(mode="serialization"), indent=2, sort_keys=True) + "\n"


def json_text(found: Sequence[Trace], findings: Sequence[Finding], quote: Quote) -> str:
    """All traces as JSON, plain ASCII."""
    form = TracesForm(
        schema="roce-audit/trace/1",
        version=__version__,
        traces=[_trace(trace, quote) for trace in found],
        findings=[
            FindingForm(
                rule=one.rule,
                severity=one.severity,
                device=one.device,
                subject=one.subject,
                message=one.message,
                fingerprint=one.fingerprint,
            )
            for one in findings
        ],
    )
    return json.dumps(form.model_dump(by_alias=True), indent=2)


def _trace(trace: Trace, quote: Quote) -> TraceForm:
    sent, cnps = trace.sent, trace.cnps
    return TraceForm(
        source=trace.source.id,
        target=trace.target.id,
        class_name=sent.cls.name if sent.cls is not None else None,
        holds=False if trace.breaks else None if trace.unseen else True,
        sent=SentForm(
            mark=str(sent.mark),
            because=sent.because,
            assumed=sent.assumed,
            lines=_lines(sent.places, quote),
            wrong=_break(sent.wrong, quote) if sent.wrong is not None else None,
        ),
        way=_way(trace.path, quote),
        cnps=None
        if cnps is None
        else CnpForm(
            mark=str(cnps.mark), because=cnps.because, lines=_lines(cnps.places, quote), way=_way(cnps.path, quote)
        ),
    )


def _way(path: TracedPath | None, quote: Quote) -> WayForm | None:
    if path is None:
        return None
    return WayForm(
        assumed=path.route.assumed,
        routes=_lines(path.route.tables, quote),
        without_table=list(path.route.without_table),
        given=_lines(path.route.given, quote),
        not_cabled=_lines(path.route.not_cabled, quote),
        tunnel=_tunnel(path, quote),
        hops=[_hop(row, quote) for row in path.rows],
    )


def _tunnel(path: TracedPath, quote: Quote) -> TunnelForm | None:
    lines = tunnels(path)
    if not lines:
        return None
    outer = outer_dscp(path)
    words = outer_words(outer)
    shown = ShownCell("outer_dscp", words, outer)
    return TunnelForm(
        text=f"where VXLAN carries these packets, each is 50 bytes larger (70 with IPv6), and {words}",
        lines=_lines(lines, quote),
        outer_dscp=_cell(shown, outer.at, quote) if outer.is_known else None,
    )


def _hop(row: Row, quote: Quote) -> HopForm:
    port = row.crossing.port
    return HopForm(
        step=row.number,
        direction="in" if row.crossing.entering else "out",
        ports=[one.id for one in row.ports],
        platform=port.device.platform,
        owner=owner_of(port),
        mark=str(row.crossing.mark),
        cells=[_cell(cell, [port.place(at) for at in cell.cell.at], quote) for cell in cells_of(row.crossing)],
        breaks=[_break(one, quote) for one in row.breaks],
        unseen=[_unseen(one, quote) for one in row.unseen],
    )


def _cell(shown: ShownCell, said: Iterable[object], quote: Quote) -> CellForm:
    """`said` are the places and documents of the cell, good outside of its port."""
    cell, at = shown.cell, dict.fromkeys(said)
    return CellForm(
        name=shown.name,
        value=_plain(cell),
        why=cell.why,
        text=shown.text,
        lines=_lines((place for place in at if isinstance(place, Place)), quote),
        default=next((place.source for place in at if isinstance(place, Cited)), None),
    )


def _plain(cell: Cell[object]) -> bool | int | float | str | list[int] | None:
    if cell.why is not None:
        return None
    if isinstance(cell.value, frozenset):
        return sorted(cell.value)
    if isinstance(cell.value, bool | int | float | str):
        return cell.value
    number = getattr(cell.value, "number", None)
    return number if isinstance(number, int) else value(cell)


def _break(one: Break, quote: Quote) -> BreakForm:
    return BreakForm(text=one.text, owner=one.owner, lines=_lines(one.places, quote))


def _unseen(one: Unseen, quote: Quote) -> UnseenForm:
    return UnseenForm(text=one.text, lines=_lines(one.places, quote))


def _lines(places: Iterable[Place], quote: Quote) -> list[LineForm]:
    return [LineForm(path=place.path, line=place.line, text=redact(quote(place)).strip()) for place in places]
