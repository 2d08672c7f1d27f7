"""Egress queues of one port: scheduler, WRED/ECN curve, static limit."""

from __future__ import annotations

from collections.abc import Mapping

from roce_audit.platforms.esonic import statements as st
from roce_audit.platforms.esonic.defaults import (
    ROCE_DESIGN,
    ROCE_SHARES,
    SCHEDULER_TYPE,
    SCHEDULER_WEIGHT,
    WRED_WEIGHT,
)
from roce_audit.platforms.esonic.fold import Fold
from roce_audit.platforms.esonic.profiles import gathered
from roce_audit.platforms.esonic.said import Line
from roce_audit.platforms.shared.rates import tighter
from roce_audit.values import At, Cell, Cited, Why, absent, known, unknown

_SCHEDULED = ("scheduling", "share", "share_kind", "max_rate_bps")
_KILO = 1000
_GREEN = "green"
_LAST = 7


def queues(fold: Fold) -> None:
    """All that `queue`, `scheduler-policy` and `buffer queue` say."""
    if fold.said.scheduler is not None and fold.said.scheduler[0] is not None:
        _schedulers(fold, *fold.said.scheduler)
    elif fold.said.scheduler is None and fold.macro is not None:
        _roce_shares(fold, fold.macro)
    for number, (name, at) in fold.said.wred.items():
        path = f"queues.{number}.ecn"
        if name is None:
            fold.settings.set_cell(path, absent(at))
        else:
            _curve(fold, path, name, at)
    if fold.macro is not None:  # its thresholds, and the queues they are bound to, differ by release
        for number in range(8):
            fold.settings.forbid_default(f"queues.{number}.ecn", Why.NO_DEFAULT, fold.macro)
    _limits(fold)


def _roce_shares(fold: Fold, at: At) -> None:
    cited = Cited(ROCE_DESIGN)
    for number, weight in ROCE_SHARES.items():
        base = f"queues.{number}"
        if weight is None:
            fold.settings.set(f"{base}.scheduling", "strict", at, cited)
            fold.settings.set_cell(f"{base}.share", absent(at, cited))
        else:
            fold.settings.set(f"{base}.scheduling", "weighted", at, cited)
            fold.settings.set(f"{base}.share", weight, at, cited)


def _schedulers(fold: Fold, name: str | None, at: At) -> None:
    lines = fold.definitions.lines("scheduler", name or "")
    if lines is None:
        for number in range(8):
            for leaf in _SCHEDULED:
                fold.settings.set_unknown(f"queues.{number}.{leaf}", fold.undefined, at)
        return
    by_queue: dict[int, list[Line]] = {}
    of_port: list[Line] = []
    for parsed, where in lines:
        header = parsed.context[0].value if parsed.context else parsed.value
        if header is None:  # which queue it is about cannot be told
            for number in range(8):
                for leaf in _SCHEDULED:
                    fold.settings.set_unknown(f"queues.{number}.{leaf}", Why.NOT_PARSED, where)
        elif isinstance(header, st.QueueHeader) and header.number is not None and header.number <= _LAST:
            by_queue.setdefault(header.number, []).append((parsed, where))
        elif isinstance(header, st.QueueHeader) and header.number is None:
            of_port.append((parsed, where))
    for number, its in by_queue.items():
        _scheduler(fold, f"queues.{number}", its, at)
    _port_rate(fold, of_port, at)


def _port_rate(fold: Fold, lines: list[Line], at: At) -> None:
    """The shaper of the whole port bounds every queue."""
    rate = _peak(lines, at)
    for number in range(8):
        path = f"queues.{number}.max_rate_bps"
        for parsed, where in lines:
            if parsed.unread:
                fold.settings.set_unknown(path, Why.NOT_PARSED, where)
        cell = tighter(fold.settings.get(path), rate)
        if cell is not None:
            fold.settings.set_cell(path, cell)


def _peak(lines: list[Line], at: At) -> Cell[int] | None:
    """The peak rate that the lines of a queue or of the port set; None where they set none."""
    rate: tuple[float, At] | None = None
    in_packets = False
    for parsed, where in lines:
        if isinstance(parsed.value, st.PeakRate):
            rate = (parsed.value.rate, where)
        elif isinstance(parsed.value, st.MeterType):
            in_packets = parsed.value.packets
    if rate is None:
        return None
    if in_packets:
        return unknown(Why.NO_DEFAULT, rate[1], at)
    return known(round(rate[0] * _KILO), rate[1], at) if rate[0] else absent(rate[1], at)


def _scheduler(fold: Fold, base: str, lines: list[Line], at: At) -> None:
    settings = fold.settings
    kind: tuple[bool, At] | None = None
    weight: tuple[int, At] | None = None
    for parsed, where in lines:
        value = parsed.value
        if parsed.unread:
            for leaf in (parsed.topic or " ".join(_SCHEDULED)).split():
                settings.set_unknown(f"{base}.{leaf}", Why.NOT_PARSED, where)
        elif isinstance(value, st.Type):
            kind = (value.strict, where)
        elif isinstance(value, st.Weight):
            weight = (value.weight, where)
    if kind is not None and kind[0]:
        settings.set(f"{base}.scheduling", "strict", kind[1], at)
        settings.set_cell(f"{base}.share", absent(kind[1], at))
        settings.set_cell(f"{base}.share_kind", absent(kind[1], at))
    elif kind is not None:
        settings.set(f"{base}.scheduling", "weighted", kind[1], at)
        settings.set(f"{base}.share_kind", "weight", kind[1], at)
    elif fold.context.complete:
        settings.set(f"{base}.scheduling", SCHEDULER_TYPE.value, at, Cited(SCHEDULER_TYPE.source))
    if (kind is None or not kind[0]) and weight is not None:
        settings.set(f"{base}.share", weight[0], weight[1], at)
    elif (kind is None or not kind[0]) and fold.context.complete:
        settings.set(f"{base}.share", SCHEDULER_WEIGHT.value, at, Cited(SCHEDULER_WEIGHT.source))
    rate = _peak(lines, at)
    if rate is not None:
        settings.set_cell(f"{base}.max_rate_bps", rate)


def _curve(fold: Fold, base: str, name: str, at: At) -> None:
    """Data is green unless something colours it: `ecn` names the marked colours, `green` gives its thresholds."""
    settings = fold.settings
    lines = fold.definitions.lines("wred", name)
    if lines is None:
        settings.set_unknown(base, fold.undefined, at)
        return
    green: dict[str, tuple[int, At]] = {}
    ecn: tuple[st.Ecn, At] | None = None
    for parsed, where in lines:
        if parsed.unread:
            for leaf in (parsed.topic or "").split() or [""]:
                settings.set_unknown(f"{base}.{leaf}".rstrip("."), Why.NOT_PARSED, where)
        elif isinstance(parsed.value, st.Curve) and parsed.value.colour == _GREEN:
            green |= {name: (value, where) for name, value in parsed.value.given}
        elif isinstance(parsed.value, st.Ecn):
            ecn = (parsed.value, where)
    _marking(fold, base, green, ecn, at)
    if green.get("on", (True,))[0]:
        for end in ("min", "max"):
            if end in green:
                value, where = green[end]
                whole = value % _KILO == 0 and "in bytes" not in green
                settings.set(f"{base}.{end}_bytes", value, where, at)
                settings.set(f"{base}.{end}_value", value // _KILO if whole else value, where, at)
                settings.set(f"{base}.{end}_unit", "kbytes" if whole else "bytes", where, at)
        if "percent" in green:
            settings.set(f"{base}.max_probability_percent", green["percent"][0], green["percent"][1], at)
    settings.set(f"{base}.weight", WRED_WEIGHT.value, at, Cited(WRED_WEIGHT.source))


def _marking(fold: Fold, base: str, green: Mapping[str, tuple[int, At]], ecn: tuple[st.Ecn, At] | None, at: At) -> None:
    settings = fold.settings
    curve = tuple(dict.fromkeys(where for name, (_, where) in green.items() if name != "percent"))
    has_curve = bool(green.get("on", (False,))[0]) and "min" in green and "max" in green
    unsaid = bool(green) and "on" not in green  # thresholds of a curve that nobody turned on or off
    if ecn is not None and _GREEN in ecn[0].colours:
        if has_curve:
            settings.set(f"{base}.marks", True, ecn[1], *curve, at)
        else:  # without a curve for green what is marked is left to the chip
            settings.set_cell(f"{base}.marks", unknown(Why.NO_DEFAULT, ecn[1], at))
        settings.set(f"{base}.drops", False, ecn[1], at)
    elif ecn is not None or fold.context.complete:
        said = curve if ecn is None else (ecn[1], *curve)
        settings.set(f"{base}.marks", False, *said, at)
        if unsaid:
            settings.set_cell(f"{base}.drops", unknown(Why.NO_DEFAULT, *curve, at))
        else:
            settings.set(f"{base}.drops", has_curve, *(*reversed(said), at))


def _limits(fold: Fold) -> None:
    for number, (name, at) in fold.said.queue_profiles.items():
        path = f"queues.{number}.limit_bytes"
        if number > _LAST or name is None:
            continue
        lines = fold.definitions.lines("bufprofile", name)
        if lines is None:  # a profile of the platform, or an undefined one
            fold.settings.set_unknown(path, Why.NO_DEFAULT, at)
            continue
        profile = gathered(lines)
        for where in profile.unread:
            fold.settings.set_unknown(path, Why.NOT_PARSED, where)
        limit = profile.given.get("static")
        cell = absent(*profile.lines, at) if limit is None else known(int(str(limit[0])), limit[1], at)
        fold.settings.set_cell(path, cell)
