"""PowerShell scripts that set up Data Center Bridging: which priorities they pause, and with which one storage leaves.

Alone, what a script sets is held against the class of the fabric and against itself. A value that is computed is not visible;
a variable that is given one literal value is that value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Literal, TypeVar

from roce_audit.model import NicSetup
from roce_audit.platforms.shared.host.answers import Answer, Tool
from roce_audit.platforms.shared.host.collector import QUOTE
from roce_audit.platforms.windows import cmdlets, guards, intents
from roce_audit.platforms.windows.adapters import priorities
from roce_audit.platforms.windows.calls import (
    DASH,
    NUMBERS,
    Call,
    calls_of,
    codes_of,
    literals_of,
    value_of,
    without_comments,
)
from roce_audit.platforms.windows.contradictions import (
    by_tcp_alone,
    left_out,
    misnamed,
    never_enabled,
    switched_off,
    taken_back,
    two_versions,
    unmarked_storage,
    unmatched,
)
from roce_audit.platforms.windows.passedover import passed_over
from roce_audit.platforms.windows.policies import SMB_DIRECT
from roce_audit.text.document import Document
from roce_audit.values import Cell, Place, Why, absent, known, unknown

T = TypeVar("T")
_OF_ADAPTERS = "-netadapter"
_EVERY_ADAPTER = ""
"""Whom a call is for that names no adapter (policy set Global): it holds for each that others name."""
_SAYS = re.compile(
    rf"-(?:NetQos|netqos|NETQOS|Netqos)(?:(?i:flowcontrol)[ \t]+(?:{DASH}[PpIi]|[$@0-7`])"
    rf"|(?i:policy)\b[^\n]{{1,300}}?{DASH}(?i:priorityvalue8021action))|-NetIntent[ \t]"
)
"""Begins with plain letters: the whole of a text is looked through at the speed of memory."""
_MOST = 64
_WHOLE = 100
_TEMPLATES = {"cluster": "cluster_priority", "default": "default_priority"}


def _split(answer: Answer) -> None:
    """What the script sets, as setups of adapters that nobody has seen."""
    text = without_comments(answer.document.text)
    literals = literals_of(text)
    flows: dict[str, list[Call]] = {}
    policies: list[Call] = []
    enabling: list[Call] = []
    disabling: list[Call] = []
    own = cmdlets.functions(text)
    for number, code, masked in codes_of(text, answer.document.first_line):
        for _ in cmdlets.slips(masked, own):
            answer.unread(number, code.strip()[:QUOTE])
    first_line = answer.document.first_line
    made = [*calls_of(text, first_line), *intents.calls(text, first_line)]
    for call in guards.made(made, text, first_line, literals):
        answer.collector.relevant += 1
        if any(map(cmdlets.is_no_option, call.options)) or any(map(cmdlets.is_no_switch, call.options.values())):
            answer.unread(call.line, call.quote)
            continue
        if call.cmdlet == "new-netqospolicy":
            policies.append(call)
            misnamed(answer, call, literals)
            _policy(answer, call, literals)
        elif call.cmdlet.endswith("-netadapterqos"):
            (enabling if call.cmdlet.startswith("enable") else disabling).append(call)
        elif call.cmdlet != "set-netadapteradvancedproperty" or _property(call) in _PROPERTIES:
            flows.setdefault(_adapter(call), []).append(call)
    answer.collector.set_up = True
    for calls in flows.values():
        taken_back(answer, calls, literals, text)
        unmatched(answer, policies, calls, literals)
        by_tcp_alone(answer, policies, calls, literals)
        unmarked_storage(answer, policies, calls, literals)
    of_rdma = [
        call for those in flows.values() for call in those if _of_rdma(call) or call.cmdlet == "enable-netadapterrdma"
    ]
    is_told = left_out(answer, enabling, of_rdma)
    switched_off(answer, disabling, enabling, of_rdma)
    pausing = [call for those in flows.values() for call in those if call.cmdlet == "enable-netqosflowcontrol"]
    never_enabled(answer, policies, pausing, of_rdma, text)
    intents.never_handed(answer, text)
    two_versions(answer, _technologies([call for those in flows.values() for call in those], literals))
    if not is_told:
        passed_over(answer, text, literals)
    taken = _enabled_again([call for those in flows.values() for call in those])
    flows = {name: kept for name, calls in flows.items() if (kept := [call for call in calls if call not in taken])}
    flows = _without_others(flows, enabling)
    everywhere = flows.get(_EVERY_ADAPTER, [])
    of_adapters = {
        name: calls if name == _EVERY_ADAPTER else sorted([*everywhere, *calls], key=lambda call: call.line)
        for name, calls in flows.items()
    }
    listed = sorted(of_adapters.items(), key=lambda group: group[0] != _EVERY_ADAPTER)[:_MOST]
    setups = [_setup(answer, number, *group, literals) for number, group in enumerate(listed)]
    if setups:
        first = next(iter(flows.values()))[0]
        place = Place(answer.document.path, first.line)
        answer.collector.host.values.setdefault("nic_setups", known(tuple(setups), place))


def _enabled_again(calls: list[Call]) -> list[Call]:
    """The calls that switch RDMA off for adapters that a later one switches it on for: a script that begins from nothing.

    One that names no adapter is for all; which of them are switched on again is said by those that name some.
    """
    switched = sorted((call for call in calls if call.cmdlet.endswith("-netadapterrdma")), key=lambda call: call.line)
    found = []
    for index, call in enumerate(switched):
        later = [_names(one) for one in switched[index + 1 :] if one.cmdlet.startswith("enable")]
        on = frozenset().union(*later)
        is_again = _EVERY_ADAPTER in on or (bool(on) if _names(call) == {_EVERY_ADAPTER} else _names(call) <= on)
        if call.cmdlet.startswith("disable") and is_again:
            found.append(call)
    return found


def _without_others(flows: dict[str, list[Call]], enabling: list[Call]) -> dict[str, list[Call]]:
    """Without the named adapters of which a script says no more than that they have no RDMA: those of management, or of VMs."""
    others = {name for name, calls in flows.items() if name and all(map(_is_rdma_off, calls))}
    wanted = [*enabling, *(call for name, calls in flows.items() if name not in others for call in calls)]
    named = frozenset().union(*map(_names, wanted)) - {_EVERY_ADAPTER}
    return {name: calls for name, calls in flows.items() if name not in others or _names(calls[0]) & named}


def _is_rdma_off(call: Call) -> bool:
    return call.cmdlet == "disable-netadapterrdma"


def _names(call: Call) -> frozenset[str]:
    """The adapters that a call is for, each by itself."""
    return frozenset(name.strip(" \t\"'*").lower() for name in _adapter(call).split(","))


def _of_rdma(call: Call) -> bool:
    """Whether a call sets a property that only an adapter with RDMA has."""
    return _property(call) in (_TECHNOLOGY_KEY, _OWNER_KEY)


def _adapter(call: Call) -> str:
    """The adapters that a call is for, as written; "" for all of them."""
    names = ("Name", "InterfaceDescription") if _OF_ADAPTERS in call.cmdlet else ("InterfaceAlias", "IfAlias")
    given = next((value for name in names if (value := call.option(name))), "")
    if not given and _OF_ADAPTERS in call.cmdlet:
        given = call.options.get("", "")
    return given.strip("\"'*")


def _setup(answer: Answer, number: int, alias: str, calls: list[Call], literals: Mapping[str, str]) -> NicSetup:
    shared, percent = _shares(answer, calls, literals)
    return NicSetup(
        number=number,
        name=alias or "every adapter",
        nics=frozenset(),
        rdma_devices=absent(),
        pfc_priorities=_paused(answer, [call for call in calls if "flowcontrol" in call.cmdlet], literals),
        pfc_sent=absent(),
        pfc_obeyed=absent(),
        trust=absent(),
        dscp=absent(),
        mapped_priorities=absent(),
        named_dscps=absent(),
        driver_priority=absent(),
        driver_dscp=absent(),
        port_priority=absent(),
        cnp_dscp=absent(),
        cnp_priority=absent(),
        cnps_sent=absent(),
        cnps_obeyed=absent(),
        cnps_off=absent(),
        cnps_ignored=absent(),
        tos=absent(),
        cma_tos=absent(),
        cma_mode=_last(
            answer,
            [call for _, call in _technologies(calls, literals)],
            literals,
            _TECHNOLOGY_KEY,
            lambda text: _MODES[_VERSIONS[text]],
        ),
        ip_mtu_bytes=_last(answer, calls, literals, "jumbopacket", _ip_mtu),
        link_pause_rx=_last(answer, calls, literals, "flowcontrol", lambda text: _PAUSES[text] in (_RECEIVES, _BOTH)),
        link_pause_tx=_last(answer, calls, literals, "flowcontrol", lambda text: _PAUSES[text] in (_SENDS, _BOTH)),
        rdma=absent(),
        roce=_roce(answer, calls, literals),
        willing=_willing(answer, calls, literals),
        maps_to_tag=absent(),
        tag_priorities=absent(),
        firmware_dcbx=_last(answer, calls, literals, _OWNER_KEY, lambda text: _OWNERS[text]),
        shared_priorities=shared,
        shares_percent=percent,
        strict_priorities=absent(),
        unserved_priorities=absent(),
        outweighed_priorities=_outweighed(answer, calls, literals),
        beside_unmarked=absent(),
        lossless_buffer_bytes=absent(),
        shared_buffer_priorities=absent(),
        started_after=absent(),
    )


def _paused(answer: Answer, calls: list[Call], literals: Mapping[str, str]) -> Cell[frozenset[int]]:
    on: set[int] = set()
    places: list[Place] = []
    paused: Cell[frozenset[int]] | None = None
    for call in calls:
        place = Place(answer.document.path, call.line)
        said = call.option("Priority") or call.options.get("", "")
        value = value_of(said, literals)
        if value is None or not NUMBERS.fullmatch(value):
            paused = unknown(Why.NOT_VISIBLE if value is None else Why.NOT_PARSED, place)
            if value is not None:
                answer.unread(call.line, call.quote)
        elif call.cmdlet.startswith("enable"):
            on |= priorities(value)
            places.insert(0, place)
        else:
            on -= priorities(value)
            places.append(place)
    if not calls:
        return absent()
    return paused if paused is not None else known(frozenset(on), *places)


_SWITCH = {"$true": True, "$false": False, "1": True, "0": False, "true": True, "false": False}


def _willing(answer: Answer, calls: list[Call], literals: Mapping[str, str]) -> Cell[bool]:
    """What the last `Set-NetQosDcbxSetting -Willing` says."""
    found: Cell[bool] = absent()
    for call in calls:
        written = call.option("Willing") if call.cmdlet == "set-netqosdcbxsetting" else None
        if written is not None:
            value = _SWITCH.get(written.lower(), _SWITCH.get((value_of(written, literals) or "").lower()))
            place = Place(answer.document.path, call.line)
            found = unknown(Why.NOT_VISIBLE, place) if value is None else known(value, place)
    return found


_TECHNOLOGY_KEY = "networkdirecttechnology"
_TECHNOLOGY = {
    "1": False,
    "iwarp": False,
    "2": False,
    "infiniband": False,
    "3": True,
    "roce": True,
    "4": True,
    "rocev2": True,
}
"""Values of NetworkDirect Technology (Windows driver kit, *NetworkDirectTechnology), and the words that drivers show for them."""


_VERSIONS = {"3": 1, "roce": 1, "4": 2, "rocev2": 2}
"""Those of them that are RoCE, and its version."""


_MODES: Mapping[int, Literal["roce-v1", "roce-v2"]] = {1: "roce-v1", 2: "roce-v2"}


def _technologies(calls: list[Call], literals: Mapping[str, str]) -> Iterator[tuple[int, Call]]:
    """(version of RoCE, call) of what sets adapters to one."""
    for call in calls:
        if _property(call) == _TECHNOLOGY_KEY:
            value = value_of(call.option("DisplayValue") or call.option("RegistryValue") or "", literals)
            version = _VERSIONS.get((value or "").lower())
            if version is not None:
                yield version, call


_OWNER_KEY = "dcbxmode"
_OWNERS = {"host in charge": False, "fw in charge": True, "firmware in charge": True, "0": False, "1": True}
"""Values of DcbxMode of NVIDIA's driver (WinOF-2 User Manual, DcbxMode): who runs DCBX."""
_DISPLAYED = {
    "flow control": "flowcontrol",
    "jumbo packet": "jumbopacket",
    "networkdirect technology": _TECHNOLOGY_KEY,
    "dcbxmode": _OWNER_KEY,
    "dcbx mode": _OWNER_KEY,
}
"""Property as drivers show it, lower case -> its keyword without the asterisk."""
_PROPERTIES = frozenset(_DISPLAYED.values())
_SENDS, _RECEIVES, _BOTH = 1, 2, 3
_PAUSES = {
    "0": 0,
    "disabled": 0,
    "1": _SENDS,
    "tx enabled": _SENDS,
    "2": _RECEIVES,
    "rx enabled": _RECEIVES,
    "3": _BOTH,
    "rx & tx enabled": _BOTH,
}
"""Values of *FlowControl (Windows driver kit, standardized keywords), and the words that drivers show for them."""
_ETHERNET_HEADER = 14
_FRAME = re.compile(r"([0-9]{3,5})(?: bytes)?")


def _property(call: Call) -> str:
    """The keyword of the property that a call sets, without the asterisk; "" where it is not written out."""
    named = (call.option("DisplayName") or call.option("RegistryKeyword") or "").strip("\"'*").lower()
    return _DISPLAYED.get(named, named) if call.cmdlet == "set-netadapteradvancedproperty" else ""


def _ip_mtu(text: str) -> int:
    """*JumboPacket counts the header of a frame: 9014 carries IP packets of 9000 bytes."""
    found = _FRAME.fullmatch(text)
    if found is None:
        raise KeyError(text)
    return int(found.group(1)) - _ETHERNET_HEADER


def _last(
    answer: Answer, calls: list[Call], literals: Mapping[str, str], keyword: str, meaning: Callable[[str], T]
) -> Cell[T]:
    """What the last call says that sets this property; unknown for a value that is computed, or that no driver shows."""
    found: Cell[T] = absent()
    for call in calls:
        if _property(call) != keyword:
            continue
        place = Place(answer.document.path, call.line)
        written = call.option("DisplayValue") or call.option("RegistryValue") or ""
        try:
            value = literals.get(written[1:].lower()) if written.startswith("$") else written
            found = known(meaning(value.strip("@()\"' ").lower()), place) if value else unknown(Why.NOT_VISIBLE, place)
        except KeyError:
            found = unknown(Why.NOT_PARSED, place)
    return found


def _roce(answer: Answer, calls: list[Call], literals: Mapping[str, str]) -> Cell[bool]:
    """Whether RDMA is left on, and is RoCE: the last word of each of the two counts."""
    rdma: Cell[bool] = absent()
    technology: Cell[bool] = absent()
    for call in calls:
        place = Place(answer.document.path, call.line)
        if call.cmdlet.endswith("-netadapterrdma"):
            rdma = known(call.cmdlet.startswith("enable"), place)
        elif _property(call) == _TECHNOLOGY_KEY:
            value = value_of(call.option("DisplayValue") or call.option("RegistryValue") or "", literals)
            meant = None if value is None else _TECHNOLOGY.get(value.lower())
            technology = unknown(Why.NOT_VISIBLE, place) if meant is None else known(meant, place)
    cells = [cell for cell in (rdma, technology) if not cell.is_absent]
    return next((cell for cell in cells if cell.is_known and not cell.get()), next(iter(cells), absent()))


def _shares(answer: Answer, calls: list[Call], literals: Mapping[str, str]) -> tuple[Cell[frozenset[int]], Cell[int]]:
    """(priorities with a traffic class, sum of the shares in percent) of `New-NetQosTrafficClass`.

    A script that gives a priority two classes has ways that exclude each other: there is a sum only where the smallest are too much.
    """
    served: set[int] = set()
    shares: dict[str, int] = {}
    has_ways = False
    places: list[Place] = []
    for call in calls:
        if call.cmdlet != "new-netqostrafficclass":
            continue
        place = Place(answer.document.path, call.line)
        listed = value_of(call.option("Priority") or "", literals)
        share = value_of(call.option("BandwidthPercentage") or "0", literals)
        if listed is None or share is None:
            return unknown(Why.NOT_VISIBLE, place), unknown(Why.NOT_VISIBLE, place)
        if not NUMBERS.fullmatch(listed) or not re.fullmatch(r"[0-9]{1,3}", share):
            answer.unread(call.line, call.quote)
            return unknown(Why.NOT_PARSED, place), unknown(Why.NOT_PARSED, place)
        has_ways = has_ways or bool(served & priorities(listed))
        served |= priorities(listed)
        shares[listed] = min(int(share), shares.get(listed, int(share)))
        places.append(place)
    if not places:
        return absent(), absent()
    total = sum(shares.values())
    is_open = has_ways and total <= _WHOLE
    return known(frozenset(served), *places), absent() if is_open or not total else known(total, *reversed(places))


_TIMES = 3
_UNMARKED = 0


def _outweighed(answer: Answer, calls: list[Call], literals: Mapping[str, str]) -> Cell[frozenset[int]]:
    """The priorities whose class gets less than a third of the share that unmarked traffic has: that of its own class, else what all
    classes leave the default one. Nothing is said where a script gives a priority two classes, or a class is strict."""
    shares: dict[int, tuple[int, Place]] = {}
    total = 0
    for call in calls:
        if call.cmdlet != "new-netqostrafficclass":
            continue
        listed = value_of(call.option("Priority") or "", literals) or ""
        share = value_of(call.option("BandwidthPercentage") or "", literals) or ""
        of_class = priorities(listed) if NUMBERS.fullmatch(listed) else frozenset()
        if not of_class or not re.fullmatch(r"[0-9]{1,3}", share) or of_class & shares.keys():
            return absent()
        total += int(share)
        shares |= dict.fromkeys(of_class, (int(share), Place(answer.document.path, call.line)))
    rest = shares[_UNMARKED][0] if _UNMARKED in shares else _WHOLE - total
    slow = {
        priority: at for priority, (share, at) in shares.items() if priority != _UNMARKED and 0 < _TIMES * share < rest
    }
    return known(frozenset(slow), *dict.fromkeys(slow.values())) if slow else absent()


def _policy(answer: Answer, call: Call, literals: Mapping[str, str]) -> None:
    """The priority that a policy writes: for SMB Direct, the cluster's heartbeat, or all that no other policy matches."""
    port = call.option("NetDirectPortMatchCondition")
    field = "smb_direct_priority" if port is not None and value_of(port, literals) == SMB_DIRECT else ""
    for switch, other in _TEMPLATES.items():
        if not field and switch in call.options:
            field = other
    written = call.option("PriorityValue8021Action")
    if not field or written is None:
        return
    place = Place(answer.document.path, call.line)
    value = value_of(written, literals)
    if value is None:
        answer.collector.host.values.setdefault(field, unknown(Why.NOT_VISIBLE, place))
    elif re.fullmatch(r"[0-7]", value):
        answer.collector.host.values.setdefault(field, known(int(value), place))
    elif value != "-1":
        answer.collector.host.values.setdefault(field, unknown(Why.NOT_PARSED, place))
        answer.unread(call.line, call.quote)


SCRIPT = Tool(name="PowerShell script", shell="powershell", split=_split, signature=_SAYS.pattern, anywhere=True)
_PROSE = re.compile(r"^[ \t]{0,8}(?:```|\|[^\n]{0,300}\|[ \t]{0,8}$)|^#{2,6} .*\n\n[A-Z]", re.MULTILINE)


def is_script(document: Document) -> bool:
    """Whether it calls what sets DCB up, and is no text about it: Markdown shows such calls in fences."""
    text = document.text
    if _SAYS.search(text) is None or _PROSE.search(text) is not None:
        return False
    code = without_comments(text)
    return next(calls_of(code, 1), None) is not None or next(intents.calls(code, 1), None) is not None


TOOLS = (SCRIPT,)
