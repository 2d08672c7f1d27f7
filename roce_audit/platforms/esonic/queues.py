"""Egress queues of one port: scheduler, WRED/ECN curve, static limit."""

from __future__ import annotations

from collections.abc import Mapping

from roce_audit.platforms.esonic import statements as st
from roce_audit.platforms.esonic.defaults import OF_CURVES, OF_SCHEDULERS, ROCE_DESIGN, ROCE_SHARES, WRED_WEIGHT
from roce_audit.platforms.esonic.kinds import SCHEDULED
from roce_audit.platforms.esonic.port import EsonicPort
from roce_audit.platforms.esonic.profiles import Line, gathered
from roce_audit.platforms.shared.rates import tighter
from roce_audit.text.statements.rows import Set
from roce_audit.values import At, Cell, Cited, Why, absent, known, unknown

_KILO = 1000
_GREEN = "green"
_LAST = 7


def queues(port: EsonicPort) -> None:
    """All that `queue`, `scheduler-policy` and `buffer queue` say."""
    name, at = port.names.get(("scheduler", None), (None, None))
    if name is not None and at is not None:
        _schedulers(port, name, at)
    elif at is None and port.macro is not None:
        _roce_shares(port, port.macro)
    for number, (name, at) in port.named("wred").items():
        path = f"queues.{number}.ecn"
        if name is None:
            port.settings.set_absent(path, at)
        else:
            _curve(port, path, name, at)
    if port.macro is not None:  # its thresholds, and the queues they are bound to, differ by release
        for number in range(8):
            port.settings.forbid_default(f"queues.{number}.ecn", Why.NO_DEFAULT, port.macro)
    _limits(port)


def _roce_shares(port: EsonicPort, at: At) -> None:
    cited = Cited(ROCE_DESIGN)
    for number, weight in ROCE_SHARES.items():
        base = f"queues.{number}"
        if weight is None:
            port.settings.set(f"{base}.scheduling", "strict", at, cited)
            port.settings.set_absent(f"{base}.share", at, cited)
        else:
            port.settings.set(f"{base}.scheduling", "weighted", at, cited)
            port.settings.set(f"{base}.share", weight, at, cited)


def _schedulers(port: EsonicPort, name: str, at: At) -> None:
    lines = port.definitions.lines("scheduler", name)
    if lines is None:
        port.unknown_at(SCHEDULED.split(), port.lack.undefined, at)
        return
    by_queue: dict[int, list[Line]] = {}
    of_port: list[Line] = []
    for parsed, where in lines:
        around = (parsed.value, *(header.value for header in parsed.context))
        header = next((value for value in around if isinstance(value, st.QueueHeader)), None)
        if header is None and parsed.is_ours:  # which queue it is about cannot be told
            port.unknown_at(SCHEDULED.split(), Why.NOT_PARSED, where)
        if header is None:
            continue
        if header.number is None:
            of_port.append((parsed, where))
        elif header.number <= _LAST:
            by_queue.setdefault(header.number, []).append((parsed, where))
    for number, its in by_queue.items():
        _scheduler(port, f"queues.{number}", its, at)
    _port_rate(port, of_port, at)


def _port_rate(port: EsonicPort, lines: list[Line], at: At) -> None:
    """The shaper of the whole port bounds every queue."""
    rate = _peak(lines, at)
    for number in range(8):
        path = f"queues.{number}.max_rate_bps"
        for parsed, where in lines:
            if parsed.unread:
                port.settings.set_unknown(path, Why.NOT_PARSED, where)
        cell = tighter(port.settings.get(path), rate)
        if cell is not None:
            port.settings.set_cell(path, cell)


def _peak(lines: list[Line], at: At) -> Cell[int] | None:
    """The peak rate that the lines of a queue or of the port set; None where they set none."""
    rate: tuple[int, At] | None = None
    in_packets = False
    for parsed, where in lines:
        if isinstance(parsed.value, st.PeakRate):
            rate = (parsed.value.rate, where)
        elif isinstance(parsed.value, st.MeterType):
            in_packets = parsed.value.unit == "packets"
    if rate is None:
        return None
    if in_packets:
        return unknown(Why.NO_DEFAULT, rate[1], at)
    return known(rate[0], rate[1], at) if rate[0] else absent(rate[1], at)


def _scheduler(port: EsonicPort, base: str, lines: list[Line], at: At) -> None:
    settings = port.settings
    for parsed, where in lines:
        if parsed.unread:
            for leaf in parsed.paths or ():
                settings.set_unknown(f"{base}.{leaf}", Why.NOT_PARSED, where)
        elif isinstance(parsed.value, Set):
            settings.set(f"{base}.{parsed.value.paths[0]}", parsed.value.value, where, at)
    kind = settings.get(f"{base}.scheduling")
    if kind is None:
        settings.set_cell(f"{base}.scheduling", port.unsaid(OF_SCHEDULERS, f"{base}.scheduling", at))
    elif kind.get() == "strict":
        settings.set_absent(f"{base}.share", *kind.at)
        settings.set_absent(f"{base}.share_kind", *kind.at)
    else:
        settings.set(f"{base}.share_kind", "weight", *kind.at)
    if settings.get(f"{base}.share") is None:
        settings.set_cell(f"{base}.share", port.unsaid(OF_SCHEDULERS, f"{base}.share", at))
    rate = _peak(lines, at)
    if rate is not None:
        settings.set_cell(f"{base}.max_rate_bps", rate)


def _curve(port: EsonicPort, base: str, name: str, at: At) -> None:
    """Data is green unless something colours it: `ecn` names the marked colours, `green` gives its thresholds."""
    settings = port.settings
    lines = port.definitions.lines("wred", name)
    if lines is None:
        settings.set_unknown(base, port.lack.undefined, at)
        return
    green: dict[str, tuple[int, At]] = {}
    unit = "kbytes"
    ecn: tuple[st.Ecn, At] | None = None
    for parsed, where in lines:
        said = parsed.value
        if parsed.unread:
            for leaf in parsed.paths or ():
                settings.set_unknown(f"{base}.{leaf}", Why.NOT_PARSED, where)
        elif isinstance(said, st.Curve) and said.colour == _GREEN:
            given = {"on": said.on, "min": said.low, "max": said.high, "percent": said.percent}
            green |= {name: (value, where) for name, value in given.items() if value is not None}
            unit = "bytes" if said.unit == "bytes" else unit
        elif isinstance(said, st.Ecn):
            ecn = (said, where)
    _marking(port, base, green, ecn, at)
    if green.get("on", (True,))[0]:
        for end in ("min", "max"):
            if end in green:
                value, where = green[end]
                whole = value % _KILO == 0 and unit == "kbytes"
                settings.set(f"{base}.{end}_bytes", value, where, at)
                settings.set(f"{base}.{end}_value", value // _KILO if whole else value, where, at)
                settings.set(f"{base}.{end}_unit", "kbytes" if whole else "bytes", where, at)
        if "percent" in green:
            settings.set(f"{base}.max_probability_percent", green["percent"][0], green["percent"][1], at)
    settings.set(f"{base}.weight", 0, at, Cited(WRED_WEIGHT))


def _marking(
    port: EsonicPort, base: str, green: Mapping[str, tuple[int, At]], ecn: tuple[st.Ecn, At] | None, at: At
) -> None:
    settings = port.settings
    curve = tuple(dict.fromkeys(where for name, (_, where) in green.items() if name != "percent"))
    has_curve = bool(green.get("on", (False,))[0]) and "min" in green and "max" in green
    unsaid = bool(green) and "on" not in green  # thresholds of a curve that nobody turned on or off
    if ecn is not None and _GREEN in ecn[0].colours:
        if has_curve:
            settings.set(f"{base}.marks", True, ecn[1], *curve, at)
        else:  # without a curve for green what is marked is left to the chip
            settings.set_cell(f"{base}.marks", unknown(Why.NO_DEFAULT, ecn[1], at))
        settings.set(f"{base}.drops", False, ecn[1], at)
        return
    said = curve if ecn is None else (ecn[1], *curve)
    marks = port.unsaid(OF_CURVES, f"{base}.marks", *said, at) if ecn is None else known(False, *said, at)
    settings.set_cell(f"{base}.marks", marks)
    if unsaid:
        settings.set_cell(f"{base}.drops", unknown(Why.NO_DEFAULT, *curve, at))
    elif marks.is_known:
        settings.set(f"{base}.drops", has_curve, *(*reversed(said), at))


def _limits(port: EsonicPort) -> None:
    for number, (name, at) in port.named("queues").items():
        path = f"queues.{number}.limit_bytes"
        if number > _LAST or name is None:
            continue
        lines = port.definitions.lines("bufprofile", name)
        if lines is None:  # a profile of the platform, or an undefined one
            port.settings.set_unknown(path, Why.NO_DEFAULT, at)
            continue
        profile = gathered(lines)
        for _, where in profile.unread:
            port.settings.set_unknown(path, Why.NOT_PARSED, where)
        limit = profile.given.get("static")
        cell = absent(*profile.places, at) if limit is None else known(int(str(limit[0])), limit[1], at)
        port.settings.set_cell(path, cell)
