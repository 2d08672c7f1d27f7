"""What a PowerShell script says twice and otherwise: seen while it is read, whatever the fabric's class is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from roce_audit.model.device import ObservationKind
from roce_audit.platforms.shared.host.answers import Answer
from roce_audit.platforms.shared.host.collector import noticed
from roce_audit.platforms.windows.adapters import priorities
from roce_audit.platforms.windows.calls import NUMBERS, Call, value_of
from roce_audit.platforms.windows.policies import other_port
from roce_audit.values import Place

_RUNS = re.compile(
    r"(?<!\w)(?:function|switch|Test-|Start-(?!Sleep)|Invoke-(?!Command\b)|Read-Host|pause\b|return\b|exit\b)|\.(?:exe|ps1)\b",
    re.IGNORECASE,
)
"""What may part two calls, or be a test between them."""


def taken_back(answer: Answer, calls: list[Call], literals: Mapping[str, str], text: str) -> None:
    """Say where a call turns PFC off for a priority that an earlier one turns on; `text` is the script."""
    lines = ["" if line.lstrip().startswith("#") else line for line in text.split("\n")]
    begins = answer.document.first_line
    enabled: dict[int, int] = {}
    left: set[int] = set()
    told: list[tuple[Call, int, str]] = []
    is_open = False
    for call in calls:
        value = value_of(call.option("Priority") or call.options.get("", ""), literals)
        if "flowcontrol" not in call.cmdlet:
            continue
        if value is None or not NUMBERS.fullmatch(value):
            is_open = True
            continue
        if call.cmdlet.startswith("enable"):
            enabled |= dict.fromkeys(priorities(value), call.line)
            left |= priorities(value)
            continue
        left -= priorities(value)
        if taken := sorted(enabled.keys() & priorities(value)):
            meaning = (
                f"line {enabled[taken[0]]} of this script turns PFC on for priority {taken[0]}, and this later line, "
                "which holds, turns it off"
            )
            told.append((call, enabled[taken[0]], meaning))
    for call, first, meaning in told:
        place = Place(answer.document.path, call.line)
        is_undone = not left and not is_open and _follows("\n".join(lines[first - begins : call.line - begins + 1]))
        kind: ObservationKind = "pfc-taken-back" if is_undone else "conflict"
        if is_undone:
            meaning += ": no priority is paused in the end"
        answer.collector.seen.append(noticed(kind, place, call.quote, meaning))


def _follows(text: str) -> bool:
    """Whether the last line of a part of a script is run after the first, and nothing in between that might need what was set."""
    depth = 0
    for sign in text:
        depth += (sign == "{") - (sign == "}")
        if depth < 0:
            return False
    return depth == 0 and _RUNS.search(text) is None


def left_out(answer: Answer, enabling: list[Call], calls: list[Call]) -> bool:
    """Say, and return, whether an adapter is set up for RDMA by its name, and QoS is enabled for others by theirs.

    Of a call that switches RDMA on, those count that it names beside an adapter with QoS: virtual ones have none of their own.
    """
    names = {name.lower(): name for call in enabling for name in _adapters(call)}
    if not enabling or not all(_adapters(call) for call in enabling):
        return False
    for call in calls:
        others = [name for name in _adapters(call) if name.lower() not in names]
        is_switch = call.cmdlet == "enable-netadapterrdma"
        if others and (len(others) == len(_adapters(call))) != is_switch:
            enabled = ", ".join(sorted(names.values()))
            meaning = f"line {call.line} sets {others[0]} up for RDMA, and this script enables QoS only for {enabled}"
            place = Place(answer.document.path, enabling[-1].line)
            answer.collector.seen.append(noticed("conflict", place, enabling[-1].quote, meaning))
            return True
    return False


def switched_off(answer: Answer, disabling: list[Call], enabling: list[Call], of_rdma: list[Call]) -> None:
    """Say where QoS, and with it PFC, is switched off for good on an adapter that is set up for RDMA."""
    for call in disabling:
        names = {name.lower() for name in _adapters(call)}
        again = any(one.line > call.line and names & {n.lower() for n in _adapters(one)} for one in enabling)
        open_again = any(one.line > call.line and not _adapters(one) for one in enabling)
        rdma = next((one for one in of_rdma if names & {name.lower() for name in _adapters(one)}), None)
        if rdma is not None and not again and not open_again:
            meaning = (
                f"it switches QoS off, and PFC with it, on an adapter that line {rdma.line} of this script sets up for RDMA: no priority "
                "is paused there"
            )
            place = Place(answer.document.path, call.line)
            answer.collector.seen.append(noticed("pfc-taken-back", place, call.quote, meaning))
            return


_ENABLES = re.compile(
    r"NetAdapterQos|\*QOS\b|Quality ?Of ?Service|Net(?:Adapter)?Intent\b|-AllProperties", re.IGNORECASE
)


def never_enabled(answer: Answer, policies: list[Call], pausing: list[Call], of_rdma: list[Call], text: str) -> None:
    """Say where a script sets all of DCB up and prepares adapters for RDMA, and enables QoS on none of them.

    It leaves that to what their driver comes with. Source: Microsoft, Windows Server documentation, "Manage Data Center
    Bridging": settings of DCB act on adapters with QoS enabled.
    """
    named = next((name for call in of_rdma for name in _adapters(call)), "")
    if policies and pausing and named and _ENABLES.search(text) is None:
        meaning = (
            "it turns PFC on, and no line of this script enables QoS on the adapters that it prepares for RDMA "
            "(Enable-NetAdapterQos): where their driver does not come with it, nothing is paused"
        )
        place = Place(answer.document.path, pausing[0].line)
        answer.collector.seen.append(noticed("conflict", place, pausing[0].quote, meaning))


def two_versions(answer: Answer, technologies: Iterable[tuple[int, Call]]) -> None:
    """Say where adapters of one script are set to two versions of RoCE, each call for adapters that it names."""
    said = {version: call for version, call in technologies if _adapters(call)}
    if len(said) > 1 and not {*_adapters(said[1])} & {*_adapters(said[2])}:
        meaning = (
            f"line {said[2].line} of this script sets {_adapters(said[2])[0]} to RoCEv2, and this one {_adapters(said[1])[0]} to RoCEv1: "
            "an adapter of one version does not understand the other"
        )
        place = Place(answer.document.path, said[1].line)
        answer.collector.seen.append(noticed("conflict", place, said[1].quote, meaning))


def _adapters(call: Call) -> list[str]:
    """The adapters that a call names, as written; none for a pattern, or for what a pipe hands over."""
    named = call.option("Name") or call.option("InterfaceAlias") or call.options.get("", "")
    names = [name.strip(" \t\"'@()") for name in named.split(",")]
    return [] if any("*" in name or not name for name in names) else names


def unmatched(answer: Answer, policies: list[Call], calls: list[Call], literals: Mapping[str, str]) -> None:
    """Say where a traffic class is for a priority that no policy writes, and what a policy writes has no class."""
    written = _numbered(policies, "PriorityValue8021Action", literals)
    served = _numbered([call for call in calls if call.cmdlet == "new-netqostrafficclass"], "Priority", literals)
    if not written or not served:
        return
    stray = sorted(served.keys() - written.keys())
    # the default class takes what has no priority; what becomes of SMB Direct the rules about its priority tell
    told = {n for n, call in written.items() if call.option("NetDirectPortMatchCondition") is not None}
    bare = sorted(written.keys() - served.keys() - told - {0})
    if stray and bare:
        meaning = (
            f"this traffic class is for priority {stray[0]}, which no policy of this script writes; line {written[bare[0]].line} "
            f"writes priority {bare[0]}, which has no class"
        )
        call = served[stray[0]]
        answer.collector.seen.append(noticed("conflict", Place(answer.document.path, call.line), call.quote, meaning))


def misnamed(answer: Answer, call: Call, literals: Mapping[str, str]) -> None:
    """Say where a policy is named for SMB Direct and matches another port."""
    name, port = call.option("Name") or call.options.get("", ""), call.option("NetDirectPortMatchCondition")
    said = other_port(value_of(name, literals) or "", value_of(port or "", literals) or "")
    if said:
        answer.collector.seen.append(noticed("conflict", Place(answer.document.path, call.line), call.quote, said))


_PORTS = ("IPDstPortMatchCondition", "IPPortMatchCondition", "IPPort")
_OF_SMB = "445"
_OF_ALL_OTHERS = ("Default", "Cluster")
"""Templates of New-NetQosPolicy for what no other policy matches, and for the heartbeat."""


def by_tcp_alone(answer: Answer, policies: list[Call], calls: list[Call], literals: Mapping[str, str]) -> None:
    """Say where the only policy for SMB matches a port of TCP and UDP, which SMB Direct over RoCE has not, and PFC pauses its priority."""
    if any(call.option("NetDirectPortMatchCondition") or call.option("SMB") is not None for call in policies):
        return
    paused = _numbered([call for call in calls if call.cmdlet == "enable-netqosflowcontrol"], "Priority", literals)
    for call in policies:
        ports = {value_of(call.option(name) or "", literals) for name in _PORTS}
        if _OF_SMB in ports and _numbered([call], "PriorityValue8021Action", literals).keys() & paused.keys():
            meaning = (
                "it matches port 445 of TCP and UDP, which packets of SMB Direct over RoCE do not have: they leave without this priority, "
                "which alone is paused (NetDirectPortMatchCondition)"
            )
            answer.collector.seen.append(
                noticed("conflict", Place(answer.document.path, call.line), call.quote, meaning)
            )


def unmarked_storage(answer: Answer, policies: list[Call], calls: list[Call], literals: Mapping[str, str]) -> None:
    """Say where a script writes the policies of its host, and none of them the priority that it pauses and has RDMA for.

    A script whose policies are for the cluster's heartbeat or all other traffic leaves nothing that another file would add.
    """
    whole = any(call.option(name) is not None for call in policies for name in _OF_ALL_OTHERS)
    written = _numbered(policies, "PriorityValue8021Action", literals)
    enabling = [call for call in calls if call.cmdlet == "enable-netqosflowcontrol"]
    paused = _numbered(enabling, "Priority", literals, or_first=True)
    by_port = any(value_of(call.option(name) or "", literals) == _OF_SMB for call in policies for name in _PORTS)
    if not whole or not written or not paused or by_port or written.keys() & paused.keys():
        return
    if any(call.option("NetDirectPortMatchCondition") or call.option("SMB") is not None for call in policies):
        return
    priority, call = next(iter(sorted(paused.items())))
    meaning = (
        f"priority {priority} is paused, and none of the {len(policies)} policies of this script writes it: SMB Direct leaves with "
        "another priority (New-NetQosPolicy -NetDirectPortMatchCondition 445)"
    )
    answer.collector.seen.append(noticed("conflict", Place(answer.document.path, call.line), call.quote, meaning))


def _numbered(
    calls: list[Call], option: str, literals: Mapping[str, str], *, or_first: bool = False
) -> Mapping[int, Call]:
    """Priority -> the call that names it, by an option or as what stands first; none where one of the calls computes it."""
    found: dict[int, Call] = {}
    for call in calls:
        value = value_of(call.option(option) or (call.options.get("", "") if or_first else ""), literals)
        if value is None or not NUMBERS.fullmatch(value):
            return {}
        found |= dict.fromkeys(priorities(value), call)
    return found
