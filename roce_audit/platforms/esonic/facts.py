"""From the statements that concern one port of Enterprise SONiC to its facts: a pure function, memoised over the fleet."""

from __future__ import annotations

from roce_audit.model import Port
from roce_audit.platforms.esonic import statements as st
from roce_audit.platforms.esonic.defaults import DEFAULTS, NO_CLASSIFIER, ROCE_DESIGN, ROCE_MAPS, UNLISTED
from roce_audit.platforms.esonic.fold import Fold
from roce_audit.platforms.esonic.groups import groups
from roce_audit.platforms.esonic.queues import queues
from roce_audit.platforms.esonic.said import Line
from roce_audit.platforms.shared.cli.builder import filled
from roce_audit.platforms.shared.cli.syntax import PortContext
from roce_audit.platforms.shared.memo import memoised
from roce_audit.text.block import Part
from roce_audit.values import At, Cell, Cited, Why, known, unknown

_ALL = frozenset(range(8))


@memoised
def read_port(parts: tuple[Part, ...], context: PortContext) -> Port:
    """The facts of a port; equal statements give the same object."""
    fold = Fold(parts, context)
    fold.settings.set("kind", context.kind, *[At(i, 0) for i, p in enumerate(parts) if p.role == "own"][:1])
    _flow_control(fold)
    _watchdog(fold)
    _classification(fold)
    for kind, path in (
        ("tcqueue", "classes.{}.queue"),
        ("tcpg", "classes.{}.group"),
        ("pfcqueue", "priorities.{}.queue"),
        ("pfcpg", "priorities.{}.group"),
    ):
        _map(fold, kind, path, 8)
    _rewriting(fold)
    queues(fold)
    groups(fold)
    _negotiation(fold)
    return filled(fold.settings, context.complete, DEFAULTS)


def _flow_control(fold: Fold) -> None:
    said, settings = fold.said, fold.settings
    macro = fold.macro
    if said.pfc:
        settings.set("pfc.mode", "on", *said.pfc.values())
        settings.set("pfc.priorities", frozenset(said.pfc), *said.pfc.values())
    elif said.pfc_removed is not None:
        settings.set("pfc.mode", "off", said.pfc_removed)
        settings.set("pfc.priorities", frozenset(), said.pfc_removed)
    elif macro is not None:
        settings.set("pfc.mode", "on", macro, Cited(ROCE_DESIGN))
        settings.set("pfc.priorities", fold.lossless_priorities, macro, Cited(ROCE_DESIGN))
    on = settings.get("pfc.priorities")
    if said.asymmetric is not None:
        asymmetric, at = said.asymmetric
        if not asymmetric:
            settings.set("pfc.receive_only", frozenset(), at)
        elif on is not None and on.is_known:
            settings.set("pfc.receive_only", _ALL - on.get(), at, *on.at)
        else:
            settings.set_cell("pfc.receive_only", unknown(Why.NOT_VISIBLE, at))


def _watchdog(fold: Fold) -> None:
    if fold.macro is not None:
        fold.settings.forbid_default("pfc.watchdog", Why.NO_DEFAULT, fold.macro)
    if fold.said.no_counters is not None:
        # it watches by these counters; what is left of it without them is nowhere documented
        fold.settings.set_cell("pfc.watchdog.on", unknown(Why.NO_DEFAULT, fold.said.no_counters))


def _classification(fold: Fold) -> None:
    """DSCP decides where both marks are mapped; a policy of type qos may overrule either."""
    settings = fold.settings
    dscp, pcp = fold.bound("dscptc"), fold.bound("dot1ptc")
    trust = {(True, True): "both", (True, False): "dscp", (False, True): "pcp", (False, False): "none"}
    ats = tuple(given[1] for given in (dscp, pcp) if given is not None)
    for kind, given in (("dscptc", dscp), ("dot1ptc", pcp)):
        if given is not None and not _is_defined(fold, kind, *given):
            settings.set_unknown("trust", fold.undefined, given[1])
    if ats:
        settings.set("trust", trust[dscp is not None, pcp is not None], *ats)
    elif fold.context.complete:
        settings.set("trust", "none", Cited(NO_CLASSIFIER.source))
    for kind, given, name, count in (("dscptc", dscp, "dscp", 64), ("dot1ptc", pcp, "pcp", 8)):
        if given is not None and not (name == "pcp" and dscp is not None):
            _map(fold, kind, name + ".{}", count)
        elif name == "pcp" and dscp is not None:
            for number in range(count):  # tagged, but classified by its DSCP: the DSCP question answers it
                settings.set_cell(f"pcp.{number}", unknown(Why.NOT_VISIBLE, *ats))
        elif fold.context.complete:
            cell = known(NO_CLASSIFIER.value, Cited(NO_CLASSIFIER.source))
            for number in range(count):
                settings.set_cell(f"{name}.{number}", cell)
    _policy(fold)


def _policy(fold: Fold) -> None:
    if fold.said.policy is None or fold.said.policy[0] is None:
        return
    name, at = fold.said.policy
    lines = fold.definitions.lines("policy", name or "")
    if lines is None:
        for path in ("dscp", "pcp", "policed", "rewrites_dscp"):
            fold.settings.set_unknown(path, fold.undefined, at)
        return
    for parsed, where in lines:
        if parsed.unread:
            for path in ("dscp", "pcp", "policed", "rewrites_dscp"):
                fold.settings.set_unknown(path, Why.NOT_PARSED, where)
        elif isinstance(parsed.value, st.SetClass):
            # which packets its class map matches is not read
            fold.settings.set_unknown("dscp", Why.NOT_VISIBLE, where, at)
            fold.settings.set_unknown("pcp", Why.NOT_VISIBLE, where, at)
        elif isinstance(parsed.value, st.SetDscp):
            fold.settings.set_unknown("rewrites_dscp", Why.NOT_VISIBLE, where, at)
        elif isinstance(parsed.value, st.Police):
            fold.settings.set("policed", True, where, at)


def _map(fold: Fold, kind: str, path: str, count: int) -> None:
    """The entries of the map of this kind that the port binds, or that `roce enable` made."""
    bound = fold.bound(kind)
    if bound is None:
        return
    name, at = bound
    lines = fold.definitions.lines(kind, name or "")
    if lines is None and _is_defined(fold, kind, name, at):
        cited = Cited(ROCE_DESIGN)
        for number in range(count):
            fold.settings.set(path.format(number), ROCE_MAPS[kind].get(number, 0), at, cited)
        return
    if lines is None:
        for number in range(count):
            fold.settings.set_unknown(path.format(number), fold.undefined, at)
        return
    entries, doubts = _entries(lines)
    everything = doubts.pop(None, None)
    for number in range(count):
        where = doubts.get(number) or everything
        if where is not None:
            fold.settings.set_unknown(path.format(number), Why.NOT_PARSED, where)
        elif number in entries:
            value, said_at = entries[number]
            fold.settings.set(path.format(number), value, said_at, at)
        elif kind not in ("pfcqueue", "pfcpg"):
            fold.settings.set_cell(path.format(number), _not_listed(fold, at))
        elif not fold.context.complete:
            fold.settings.set_cell(path.format(number), unknown(Why.NOT_VISIBLE, at))


def _is_defined(fold: Fold, kind: str, name: str, at: At) -> bool:
    """Whether a stanza defines the map, or `roce enable` makes it."""
    made = at == fold.macro and kind in ROCE_MAPS
    return made or fold.definitions.lines(kind, name) is not None


def _not_listed(fold: Fold, at: At) -> Cell[int]:
    return known(0, at, Cited(UNLISTED)) if fold.context.complete else unknown(Why.NOT_VISIBLE, at)


def _entries(lines: list[Line]) -> tuple[dict[int, tuple[int, At]], dict[int | None, At]]:
    """Key -> value of a map's lines, the last wins; key -> the line that makes it doubtful, None = any key."""
    entries: dict[int, tuple[int, At]] = {}
    doubts: dict[int | None, At] = {}
    for parsed, at in lines:
        if isinstance(parsed.value, st.Entry):
            for key in parsed.value.keys:
                entries[key] = (parsed.value.value, at)
                doubts.pop(key, None)
        elif parsed.unread:
            doubts[None] = at
    return entries, doubts


def _rewriting(fold: Fold) -> None:
    bound = fold.bound("tcdscp")
    if bound is None:
        return
    name, at = bound
    lines = fold.definitions.lines("tcdscp", name or "")
    entries, doubts = _entries(lines or [])
    doubt = (fold.undefined, at) if lines is None else next(((Why.NOT_PARSED, w) for w in doubts.values()), None)
    if doubt is not None:
        for path in ("rewrites_dscp", *(f"classes.{number}.new_dscp" for number in range(8))):
            fold.settings.set_unknown(path, *doubt)
    fold.settings.set("rewrites_dscp", frozenset(entries), *[where for _, where in entries.values()], at)
    for number, (value, where) in entries.items():
        fold.settings.set(f"classes.{number}.new_dscp", value, where, at)


def _negotiation(fold: Fold) -> None:
    """DCBX is off unless the device turns it on; a port may stay out of it. Only the IEEE version is spoken."""
    device, port = fold.said.dcbx.get("device"), fold.said.dcbx.get("own")
    off = next((given for given in (device, port) if given is not None and not given[0]), None)
    if off is not None:
        fold.settings.set("dcbx.mode", "off", off[1])
        fold.settings.set("dcbx.willing", False, off[1])
    elif device is not None:
        fold.settings.set("dcbx.mode", "ieee", device[1])
        fold.settings.set_cell("dcbx.willing", unknown(Why.NO_DEFAULT, device[1]))
