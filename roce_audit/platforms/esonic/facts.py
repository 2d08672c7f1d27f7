"""From the statements that concern one port of Enterprise SONiC to its facts: a pure function, memoised over the fleet."""

from __future__ import annotations

from collections.abc import Sequence

from roce_audit.model import Port
from roce_audit.platforms.esonic import statements as st
from roce_audit.platforms.esonic.defaults import OF_MAPS, ROCE_DESIGN, ROCE_MAPS, ROCE_NAME
from roce_audit.platforms.esonic.groups import groups
from roce_audit.platforms.esonic.kinds import MAPS, POLICING
from roce_audit.platforms.esonic.port import EsonicPort
from roce_audit.platforms.esonic.profiles import Line
from roce_audit.platforms.esonic.queues import queues
from roce_audit.platforms.shared.cli.syntax import PortContext
from roce_audit.platforms.shared.memo import memoised
from roce_audit.platforms.shared.policy import lists
from roce_audit.platforms.shared.policy import statements as ps
from roce_audit.text.block import Part
from roce_audit.values import At, Cell, Cited, Why, unknown

_ALL = frozenset(range(8))
_MARKS = frozenset(range(64))
_PATHS = {its.mode: its.path for its in MAPS.values()}
_TRUST = {(True, True): "both", (True, False): "dscp", (False, True): "pcp"}
"""(a map of DSCP is bound, a map of PCP is bound) -> which mark is believed."""


@memoised
def read_port(parts: tuple[Part, ...], context: PortContext) -> Port:
    """The facts of a port; equal statements give the same object."""
    port = EsonicPort(parts, context)
    _channel(port)
    _flow_control(port)
    _watchdog(port)
    _classification(port)
    for kind in ("tcqueue", "tcpg", "pfcqueue", "pfcpg"):
        _map(port, kind, 8)
    _rewriting(port)
    queues(port)
    groups(port)
    _negotiation(port)
    return port.filled()


def _channel(port: EsonicPort) -> None:
    """The channels of a pair have one name on both switches (SONiC MCLAG enhancements HLD, MCLAG_INTERFACE)."""
    member, shared = port.last(st.ChannelGroup), port.last(st.Shared)
    if shared is not None and shared[0].on and member is not None and member[0].number is not None:
        port.settings.set("shared_channel", f"mclag PortChannel{member[0].number}", shared[1])


def _flow_control(port: EsonicPort) -> None:
    settings, macro = port.settings, port.macro
    if port.pfc:
        settings.set("pfc.mode", "on", *port.pfc.values())
        settings.set("pfc.priorities", frozenset(port.pfc), *port.pfc.values())
    elif port.pfc_removed is not None:
        settings.set("pfc.mode", "off", port.pfc_removed)
        settings.set("pfc.priorities", frozenset(), port.pfc_removed)
    elif macro is not None:
        settings.set("pfc.mode", "on", macro, Cited(ROCE_DESIGN))
        settings.set("pfc.priorities", port.lossless_priorities, macro, Cited(ROCE_DESIGN))
    on, asymmetric = settings.get("pfc.priorities"), port.last(st.Asymmetric)
    if asymmetric is None:
        return
    said, at = asymmetric
    if not said.on:
        settings.set("pfc.receive_only", frozenset(), at)
    elif on is not None and on.is_known:
        settings.set("pfc.receive_only", _ALL - on.get(), at, *on.at)
    else:
        settings.set_cell("pfc.receive_only", unknown(Why.NOT_VISIBLE, at))


def _watchdog(port: EsonicPort) -> None:
    if port.macro is not None:
        port.settings.forbid_default("pfc.watchdog", Why.NO_DEFAULT, port.macro)
    counters = port.last(st.CounterPoll)
    if counters is not None and not counters[0].on:
        # it watches by these counters; what is left of it without them is nowhere documented
        port.settings.set_cell("pfc.watchdog.on", unknown(Why.NO_DEFAULT, counters[1]))


def _classification(port: EsonicPort) -> None:
    """DSCP decides where both marks are mapped; a policy of type qos may overrule either."""
    dscp, pcp = port.map_bound("dscptc"), port.map_bound("dot1ptc")
    ats = tuple(given[1] for given in (dscp, pcp) if given is not None)
    for kind, given in (("dscptc", dscp), ("dot1ptc", pcp)):
        if given is not None and not _is_defined(port, kind, *given):
            port.settings.set_unknown("trust", port.lack.undefined, given[1])
    if ats:
        port.settings.set("trust", _TRUST[dscp is not None, pcp is not None], *ats)
    _map(port, "dscptc", 64)
    if dscp is None:
        _map(port, "dot1ptc", 8)
    else:
        for number in range(8):  # tagged, but classified by its DSCP: the DSCP question answers it
            port.settings.set_cell(f"pcp.{number}", unknown(Why.NOT_VISIBLE, *ats))
    _policy(port)


def _policy(port: EsonicPort) -> None:
    name, at = port.names.get(("policy", None), (None, None))
    if name is None or at is None:
        return
    lines = port.definitions.lines("policy", name)
    if lines is None:
        port.unknown_at(POLICING.split(), port.lack.undefined, at)
        return
    led: set[int] = set()
    policed: set[int] = set()
    limits: list[At] = []
    for parsed, where in lines:
        if parsed.unread:
            port.unknown_at(parsed.paths or (), Why.NOT_PARSED, where)
        elif isinstance(parsed.value, st.SetClass):
            taken = _taken(port, [one.value for one in parsed.context], at)
            if taken is None or taken & led or parsed.value.number is None:
                port.unknown_at(("dscp", "pcp"), Why.NOT_VISIBLE, where, at)
                taken = _MARKS  # of none anything is known any more
            else:
                for dscp in taken:
                    port.settings.set(f"dscp.{dscp}", parsed.value.number, where, at)
            led |= taken
        elif isinstance(parsed.value, ps.SetDscp):
            port.unknown_at(("rewrites_dscp",), Why.NOT_VISIBLE, where, at)
        elif isinstance(parsed.value, ps.Police):
            asked = _asked(port, [one.value for one in parsed.context], at)
            policed.update(*[_MARKS if one is None else one for one in asked] or [_MARKS])
            port.settings.set("policed", True, where, at)
            limits += where, at
    if limits and policed != _MARKS:
        port.settings.set("policed_dscps", frozenset(policed), *dict.fromkeys(limits))


def _taken(port: EsonicPort, around: Sequence[object], at: At) -> frozenset[int] | None:
    """The code points whose RoCE packets the class map of a policy's class takes; None where it asks for anything else, or for none."""
    taken = _MARKS
    asked = _asked(port, around, at)
    for one in asked:
        if one is None:
            return None
        taken &= one
    return taken if asked else None


def _asked(port: EsonicPort, around: Sequence[object], at: At) -> list[frozenset[int] | None]:
    """The code points whose RoCE packets meet each line of that class map; None of one that asks for anything else."""
    names = [one.name for one in around if isinstance(one, st.PolicyClass)]
    return [
        _meeting(port, said.value, at) for name in names for said, _ in port.definitions.lines("classmap", name) or ()
    ]


def _meeting(port: EsonicPort, asked: object, at: At) -> frozenset[int] | None:
    match asked:
        case st.MatchDscp():
            return frozenset({asked.number})
        case st.MatchRoce():
            return _MARKS if asked.every else frozenset()
        case st.MatchList():
            entries = port.definitions.raw("acl", asked.name)
            answers = [lists.takes(entries, dscp, port.lack.undefined, at) for dscp in sorted(_MARKS)]
            known_ = not any(isinstance(answer, Cell) for answer in answers)
            return frozenset(dscp for dscp, answer in enumerate(answers) if answer) if known_ else None
        case _:
            return None


def _map(port: EsonicPort, kind: str, count: int) -> None:
    """The entries of the map of this kind that the port binds, or that `roce enable` made."""
    bound = port.map_bound(kind)
    if bound is None:
        return
    name, at = bound
    path = _PATHS[kind]
    lines = port.definitions.lines(kind, name)
    if lines is None and _is_defined(port, kind, name, at):
        cited = Cited(ROCE_DESIGN)
        for number in range(count):
            port.settings.set(path.replace("#", str(number)), ROCE_MAPS[kind].get(number, 0), at, cited)
        return
    if lines is None:
        for number in range(count):
            port.unknown_at((path,), port.lack.undefined, at, number=number)
        return
    entries, doubt = _entries(lines)
    for number in range(count):
        one = path.replace("#", str(number))
        if doubt is not None:
            port.settings.set_unknown(one, Why.NOT_PARSED, doubt)
        elif number in entries:
            value, said_at = entries[number]
            port.settings.set(one, value, said_at, at)
        else:
            port.settings.set_cell(one, port.unsaid(OF_MAPS, one, at))


def _is_defined(port: EsonicPort, kind: str, name: str, at: At) -> bool:
    """Whether a stanza defines the map, or `roce enable` makes it: also one of the several that a text leaves to it."""
    is_left = name == ROCE_NAME and port.has_macro and kind in port.context.unmentioned
    made = kind in ROCE_MAPS and (at == port.macro or is_left)
    return made or port.definitions.lines(kind, name) is not None


def _entries(lines: list[Line]) -> tuple[dict[int, tuple[int, At]], At | None]:
    """Key -> value of a map's lines, the last wins; and a line that was not understood: it might be about any key."""
    entries: dict[int, tuple[int, At]] = {}
    doubt: At | None = None
    for parsed, at in lines:
        if isinstance(parsed.value, st.Entry):
            entries |= dict.fromkeys(parsed.value.keys, (parsed.value.value, at))
        elif parsed.unread:
            doubt = at
    return entries, doubt


def _rewriting(port: EsonicPort) -> None:
    bound = port.map_bound("tcdscp")
    if bound is None:
        return
    name, at = bound
    paths = MAPS["tc-dscp"].bound
    lines = port.definitions.lines("tcdscp", name)
    if lines is None:
        port.unknown_at(paths.split(), port.lack.undefined, at)
        return
    entries, doubt = _entries(lines)
    if doubt is not None:
        port.unknown_at(paths.split(), Why.NOT_PARSED, doubt)
    port.settings.set("rewrites_dscp", frozenset(entries), *[where for _, where in entries.values()], at)
    for number, (value, where) in entries.items():
        port.settings.set(f"classes.{number}.new_dscp", value, where, at)


def _negotiation(port: EsonicPort) -> None:
    """DCBX is off unless the device turns it on; a port may stay out of it. Only the IEEE version is spoken."""
    device, own = port.dcbx.get("device"), port.dcbx.get("own")
    off = next((given for given in (device, own) if given is not None and not given[0]), None)
    if off is not None:
        port.settings.set("dcbx.mode", "off", off[1])
        port.settings.set("dcbx.willing", False, off[1])
    elif device is not None:
        port.settings.set("dcbx.mode", "ieee", device[1])
        port.settings.set_cell("dcbx.willing", unknown(Why.NO_DEFAULT, device[1]))
