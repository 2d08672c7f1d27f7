"""Traffic policies (`traffic-policies`, `traffic-policy input X`): whether one drops every RoCEv2 packet. What else they do is not read.

EOS manual, Traffic Policies: the matches of a policy are asked in their order, and what one without conditions takes is everything of
its address family. Only IPv4 is asked: a policy that tells packets apart by addresses or marks is taken for one that lets RoCE through.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from roce_audit.patterns import lazy
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.shared.cli.gathering import is_configuration
from roce_audit.records import dataclass
from roce_audit.text.acl import ROCE_UDP_PORT
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Place, known

_BINDS = "traffic-policy input "
_POLICY = lazy(r"traffic-policy (\S{1,64})")
_MATCH = lazy(r"match \S{1,64} (ipv4|ipv6)")
_PROTOCOL = lazy(r"protocol ([a-z0-9, -]{1,80}?)(?: destination port ([0-9, -]{1,200}))?")
_UDP = frozenset({"udp", "17"})


@dataclass
class _Match:
    """One match: its address family, conditions, and the line that drops."""

    family: str
    conditions: list[str] = field(default_factory=list)
    drops: Place | None = None


def _policies(document: Document) -> Iterator[tuple[str, _Match]]:
    """The matches of the policies of a document, in order."""
    policy, is_within, match, is_acting = "", False, None, False
    for index, raw in enumerate(document.text.split("\n")):
        text = " ".join(raw.split())
        if raw[:1] not in ("", " ", "\t", "!"):
            is_within, policy, match = text == "traffic-policies", "", None
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
        elif match is not None and not is_acting:
            match.conditions.append(text)
        elif match is not None and text == "drop":
            match.drops = Place(document.path, document.line(index))


def _takes_roce(match: _Match) -> bool | None:
    """Whether a match takes all RoCEv2 packets over IPv4, none, or some."""
    if match.family != "ipv4":
        return False
    found = [_PROTOCOL.fullmatch(one) for one in match.conditions]
    read = [one for one in found if one is not None]
    of_roce = [one for one in read if _UDP & set(one[1].replace(",", " ").split()) and _holds_roce(one[2])]
    if read and not of_roce:
        return False  # whatever else it asks
    return True if len(read) == len(found) else None


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
        takes = _takes_roce(match)
        if takes is None and match.drops is None:
            return None  # some of RoCE is let through
        if takes:
            return match.drops
    return None


def filtered(device: DeviceInput, reading: DeviceReading) -> DeviceReading:
    """The same reading with what traffic policies drop at the ports that apply them."""
    documents = [d for d in device.documents if is_configuration(d) and "traffic-policies" in d.text]
    matches: dict[str, list[_Match]] = defaultdict(list)
    for document in documents:
        for name, match in _policies(document):
            matches[name].append(match)
    dropping = {name: at for name, those in matches.items() if (at := _dropping(those)) is not None}
    if not dropping:  # most switches have no such policy
        return reading
    return replace(reading, ports=tuple([_filtered(port, dropping) for port in reading.ports]))


def _filtered(port: PortReading, dropping: Mapping[str, Place]) -> PortReading:
    for part in port.parts:
        for index, text in enumerate(part.block.texts.statements if part.kind == "port" else ()):
            name = text.removeprefix(_BINDS)
            if name != text and name in dropping:
                drops = known(True, dropping[name], part.block.place(index))
                return replace(port, facts=replace(port.facts, drops_roce=drops))
    return port
