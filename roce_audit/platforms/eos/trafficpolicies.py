"""Traffic policies (`traffic-policies`, `traffic-policy input X`): what they do to RoCEv2 packets.

EOS manual, Traffic Policies: the matches of a policy are asked in their order, and what one without conditions takes is everything of
its address family. Only IPv4 is asked: of packets that a policy tells apart by addresses it takes some, and which is not known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, cast

from roce_audit.model import Port
from roce_audit.patterns import lazy
from roce_audit.platforms.base import UNREAD_LINE, DeviceReading, Seen, seen
from roce_audit.platforms.eos import profiles
from roce_audit.platforms.eos.statements import TrafficPolicy
from roce_audit.platforms.eos.table import TABLE
from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.shared.cli.gathering import is_configuration
from roce_audit.platforms.shared.leaves import numbers
from roce_audit.platforms.shared.numbers import DSCP_NAMES
from roce_audit.records import dataclass
from roce_audit.text.acl import ROCE_UDP_PORT
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import At, Cell, Place, Why, known, unknown

_POLICIES, _BINDS = "traffic-policies", "traffic-policy input "
_POLICY = lazy(r"traffic-policy (\S{1,64})")
_MATCH = lazy(r"match \S{1,64} (ipv4|ipv6)")
_PROTOCOL = lazy(r"protocol ([a-z0-9, -]{1,80}?)(?: destination port ([0-9, -]{1,200}))?")
_DSCP = lazy(r"dscp ([a-z0-9, -]{1,200})")
_GROUP = lazy(r"set traffic[- ]class ([0-7])")
_MARK = lazy(r"set dscp ([a-z0-9]{1,4})")
_UDP = frozenset({"udp", "17"})
_code_points = cast("Callable[[str], tuple[int, ...]]", numbers(63, DSCP_NAMES))


@dataclass
class _Match:
    """One match: its address family, conditions and actions with their lines."""

    family: str
    conditions: list[str] = field(default_factory=list)
    actions: list[tuple[str, Place]] = field(default_factory=list)

    @property
    def drops(self) -> Place | None:
        return next((at for text, at in self.actions if text == "drop"), None)

    @property
    def group(self) -> Cell[int] | None:
        """The traffic class that it sets; None where it leaves packets to what the port trusts."""
        found = [(hit, at) for text, at in self.actions if (hit := _GROUP.fullmatch(text)) is not None]
        return known(int(found[-1][0][1]), found[-1][1]) if found else None


def _policies(document: Document) -> Iterator[tuple[str, _Match]]:
    """The matches of the policies of a document, in order."""
    policy, is_within, match, is_acting = "", False, None, False
    for index, raw in enumerate(document.text.split("\n")):
        text = " ".join(raw.split())
        if raw[:1] not in ("", " ", "\t", "!"):
            is_within, policy, match = text == _POLICIES, "", None
        if not is_within or text in ("", "!"):
            continue
        head, begins = _POLICY.fullmatch(text), _MATCH.fullmatch(text)
        if head is not None:
            policy, match = head[1], None
        elif begins is not None and policy:
            match, is_acting = _Match(begins[1]), False
            yield policy, match
        elif match is not None and text == "actions":
            is_acting = True
        elif match is not None and is_acting:
            match.actions.append((text, Place(document.path, document.line(index))))
        elif match is not None:
            match.conditions.append(text)


def _takes(match: _Match, dscp: int | None = None) -> bool | None:
    """Whether a match takes all RoCEv2 packets over IPv4 with this DSCP (with whichever, where none is given), none, or some."""
    if match.family != "ipv4":
        return False
    protocols = [hit for one in match.conditions if (hit := _PROTOCOL.fullmatch(one)) is not None]
    marks = [_has_mark(hit[1], dscp) for one in match.conditions if (hit := _DSCP.fullmatch(one)) is not None]
    of_roce = [one for one in protocols if _UDP & set(one[1].replace(",", " ").split()) and _holds_roce(one[2])]
    if (protocols and not of_roce) or (marks and all(answer is False for answer in marks)):
        return False  # whatever else it asks
    is_read = len(protocols) + len(marks) == len(match.conditions)
    return True if is_read and (not marks or True in marks) else None


def _has_mark(said: str, dscp: int | None) -> bool | None:
    try:
        return None if dscp is None else dscp in _code_points(said)
    except ValueError:
        return None


def _holds_roce(ports: str | None) -> bool:
    """Whether these destination ports, or all where none are named, hold that of RoCE."""
    if ports is None:
        return True
    for piece in ports.replace(",", " ").split():
        low, _, high = piece.partition("-")
        if low.isdecimal() and (not high or high.isdecimal()) and int(low) <= ROCE_UDP_PORT <= int(high or low):
            return True
    return False


def _dropping(matches: Sequence[_Match]) -> Place | None:
    """The line that drops every RoCEv2 packet; None where none does for certain."""
    for match in matches:
        takes = _takes(match)
        if takes is None and match.drops is None:
            return None  # some of RoCE is let through
        if takes:
            return match.drops
    return None


def _led(matches: Iterable[_Match], dscp: int | None, trusted: Cell[int]) -> Cell[int]:
    """The traffic class of RoCEv2 packets with a DSCP: what the first match that takes them sets, else what their mark leads to."""
    perhaps: list[Cell[int]] = []
    answer = trusted
    for match in matches:
        takes = _takes(match, dscp)
        group = match.group
        if takes:
            answer = trusted if group is None else group
            break
        if takes is None:
            perhaps.append(trusted if group is None else group)
    doubt = next((one for one in perhaps if one.value != answer.value), None)  # it may take some, or all
    return answer if doubt is None else unknown(Why.NOT_VISIBLE, *doubt.at)


def _takes_unmarked(match: _Match) -> bool:
    """Whether it takes packets without a mark whose port is not asked for: more than RoCE."""
    protocols = [hit for one in match.conditions if (hit := _PROTOCOL.fullmatch(one)) is not None]
    return not any(one[2] for one in protocols) and _takes(match, 0) is True


def _treated(facts: Port, matches: Sequence[_Match], bound: At) -> Port:
    """The same facts with what a policy does to the RoCEv2 packets that enter."""
    dscp, pcp = facts.dscp.or_else(()), facts.pcp.or_else(())
    led = {
        "dscp": replace(facts.dscp, value=tuple([_led(matches, mark, cell) for mark, cell in enumerate(dscp)])),
        "pcp": replace(facts.pcp, value=tuple([_led(matches, None, cell) for cell in pcp])),
    }
    others = next((match.group for match in matches if _takes_unmarked(match)), None)
    is_shared = bool(dscp) and others is not None and others.value == led["dscp"].get()[0].value
    if others is not None and is_shared:
        led["dscp"] = replace(led["dscp"], value=(others, *led["dscp"].get()[1:]))
    changed: dict[str, Any] = {name: cell for name, cell in led.items() if getattr(facts, name).is_known}
    met = [match for match in matches if _takes(match) is not False]
    first = next((match for match in met if _takes(match)), None)
    if first is not None and first.conditions and first.group is not None and not is_shared:
        changed["trust"] = known("acl", *first.group.at)  # it picks RoCE out by its port
    actions = [(text, at, match.group) for match in met for text, at in match.actions]
    for text, at, group in actions:
        if text.startswith("police "):
            changed["policed"] = known(True, at)
        if (said := _MARK.fullmatch(text)) is not None:
            changed |= _remarked(facts, said[1], at, group)
    if (drops := _dropping(matches)) is not None:
        changed["drops_roce"] = known(True, drops, bound)
    return replace(facts, **changed)


def _remarked(facts: Port, mark: str, at: Place, group: Cell[int] | None) -> dict[str, Any]:
    """What a new mark makes of the facts; which packets get it is known where their traffic class is."""
    classes = facts.classes.or_else(())
    if group is None or not classes or not facts.rewrites_dscp.is_known:
        return {"rewrites_dscp": unknown(Why.NO_DEFAULT, at)}
    (written, *_) = _code_points(mark)
    its = classes[group.get()]
    new = (*classes[: its.number], replace(its, new_dscp=known(written, at)), *classes[its.number + 1 :])
    rewrites = known(facts.rewrites_dscp.get() | {its.number}, at)
    return {"rewrites_dscp": rewrites, "classes": replace(facts.classes, value=new)}


def filtered(device: DeviceInput, reading: DeviceReading) -> DeviceReading:
    """The same reading with what traffic policies do at the ports that apply them, and those told of which nothing is known."""
    documents = [d for d in device.documents if is_configuration(d) and _BINDS in d.text]
    if not documents and not any("traffic_policy" in d.text for d in device.documents):  # most switches have none
        return reading
    matches: dict[str, list[_Match]] = defaultdict(list)
    for document in documents:
        for name, match in _policies(document):
            matches[name].append(match)
    changed: dict[tuple[int, str, At], Port] = {}
    unknown_ones: dict[tuple[str, Place], list[str]] = defaultdict(list)

    def treated(port: PortReading) -> PortReading:
        bound = _bound(port)
        if bound is None:
            return port
        name, at = bound
        key = id(port.facts), name, at
        if key not in changed:
            changed[key] = _treated(port.facts, matches[name], at) if name in matches else _doubted(port.facts, at)
        if name not in matches or _is_in_doubt(changed[key], port.facts):
            unknown_ones[name, port.parts[at.part].block.place(at.index)].append(port.name)
        return replace(port, facts=changed[key])

    ports = tuple(map(treated, reading.ports))
    if documents and all(d.path in reading.complete_because for d in documents):
        undefined = {name for name, _ in unknown_ones} - matches.keys()
    else:
        undefined = set()
    return replace(reading, ports=ports, seen=(*reading.seen, *_told(unknown_ones, undefined)))


def _is_in_doubt(now: Port, before: Port) -> bool:
    """Whether matches by address, of which nobody knows what they take, decide about RoCE."""
    asked = zip(now.dscp.or_else(()), before.dscp.or_else(()), strict=True)
    return any(cell.is_unknown and cell is not its for cell, its in asked)


def _doubted(facts: Port, at: At) -> Port:
    nobody_knows: Cell[Any] = unknown(Why.NOT_PARSED, at)
    return replace(facts, dscp=nobody_knows, pcp=nobody_knows, policed=nobody_knows)


def _told(unknown_ones: Mapping[tuple[str, Place], Sequence[str]], undefined: Collection[str]) -> Iterator[Seen]:
    for (name, at), ports in unknown_ones.items():
        quote = f"{_BINDS}{name}"
        if name in undefined:
            text = f"traffic policy {name} is used here and defined nowhere"
            yield seen("undefined", name, text, at, quote, tuple(ports))
        else:
            yield seen("unread-line", quote, UNREAD_LINE, at, quote, tuple(ports))


def _bound(port: PortReading) -> tuple[str, At] | None:
    """The policy that is applied to a port, and where; the port's own line counts before that of its channel."""
    found: tuple[str, At] | None = None
    for number, part in reversed(tuple(enumerate(port.parts))):
        for index, text in enumerate(part.block.texts.statements if part.kind in ("port", profiles.KIND) else ()):
            if _BINDS.rstrip() in text:
                said = TABLE.parse(part.kind, text).value
                if isinstance(said, TrafficPolicy):
                    found = None if said.name is None else (said.name, At(number, index))
    return found
