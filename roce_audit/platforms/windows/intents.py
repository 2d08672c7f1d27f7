"""Intents of Network ATC, as the calls that they come to: storage gets DCB without a cmdlet of it being called.

Source: Microsoft, Deploy host networking with Network ATC (default Data Center Bridging configuration: SMB has priority 3 and is
paused, the cluster priority 7; overrides of QoS and of properties of adapters).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.host.answers import Answer
from roce_audit.platforms.shared.host.collector import QUOTE, noticed
from roce_audit.platforms.windows.calls import DASH, Call, codes_of
from roce_audit.records import dataclass
from roce_audit.values import Place

_INTENT = lazy(r"(?<![\w-])(?:Add|Set|Update)-NetIntent(?![\w-])", re.IGNORECASE)
_MADE = lazy(
    r"^[ \t]{0,80}\$(\w{1,60})[ \t]{0,20}=[ \t]{0,20}New-NetIntent(?:QosPolicyConfiguration|AdapterProperty)Overrides\b",
    re.IGNORECASE,
)
_SET = lazy(
    r"^[ \t]{0,80}\$(\w{1,60})\.(\w{1,60})[ \t]{0,20}=[ \t]{0,20}[\"']?([\w$]{1,40})[\"']?[ \t;]{0,20}$", re.IGNORECASE
)
_HANDED = lazy(rf"{DASH}(?:QosPolicy|AdapterProperty)Overrides[ \t:]{{1,9}}\$(\w{{1,60}})", re.IGNORECASE)
_STORAGE = lazy(rf"{DASH}Storage(?![\w])", re.IGNORECASE)
_ONE = r"(?:\"[^\"]{1,80}\"|'[^']{1,80}'|[\w$]{1,60})"
_ADAPTERS = lazy(
    rf"{DASH}AdapterName[ \t:]{{1,9}}(@?\(?{_ONE}(?:[ \t]{{0,9}},[ \t]{{0,9}}{_ONE}){{0,15}})", re.IGNORECASE
)
_SMB, _CLUSTER = "priorityvalue8021action_smb", "priorityvalue8021action_cluster"
_USUAL = {_SMB: "3", _CLUSTER: "7"}
_SHARES = {"bandwidthpercentage_smb": _SMB, "bandwidthpercentage_cluster": _CLUSTER}
_PROPERTIES = {"networkdirecttechnology": "*NetworkDirectTechnology", "jumbopacket": "*JumboPacket"}
_OFF = ("0", "$false")


@dataclass(frozen=True, slots=True)
class _Value:
    """What an override is given, and the line that says it."""

    text: str
    line: int
    quote: str


def calls(text: str, first: int) -> Iterator[Call]:
    """What the intents for storage in a script set up, as calls of the cmdlets for it."""
    given: dict[str, dict[str, _Value]] = {}
    for number, code, masked in codes_of(text, first):
        quote = code.strip()[:QUOTE]
        if (found := _SET.match(code)) is not None:
            given.setdefault(found[1].lower(), {})[found[2].lower()] = _Value(found[3], number, quote)
        elif _INTENT.search(masked) is not None and _STORAGE.search(masked) is not None:
            handed = [name.lower() for name in _HANDED.findall(code)]
            said = {key: value for name in handed for key, value in given.get(name, {}).items()}
            if _uses_rdma(said):
                yield from _set_up(said, _Value(code, number, quote))


def _uses_rdma(said: Mapping[str, _Value]) -> bool:
    """Whether storage is to use RDMA: it does without a word, and one that is switched off alone is for adapters that have none."""
    off = said.get("networkdirect")
    return off is None or off.text.lower() not in _OFF or bool(said.keys() - {"networkdirect", "jumbopacket"})


def _set_up(said: Mapping[str, _Value], intent: _Value) -> Iterator[Call]:
    named = _names(intent.text)
    usual = {key: _Value(value, intent.line, intent.quote) for key, value in _USUAL.items()}
    smb, cluster = (said.get(key, usual[key]) for key in (_SMB, _CLUSTER))
    of_smb = {"netdirectportmatchcondition": "445", "priorityvalue8021action": smb.text}
    yield Call("new-netqospolicy", of_smb, smb.line, smb.quote)
    yield Call("enable-netqosflowcontrol", {"priority": smb.text}, smb.line, smb.quote)
    yield Call(
        "new-netqospolicy", {"cluster": "", "priorityvalue8021action": cluster.text}, cluster.line, cluster.quote
    )
    for key, value in said.items():
        if key in _SHARES:
            of_class = {"priority": said.get(_SHARES[key], usual[_SHARES[key]]).text, "bandwidthpercentage": value.text}
            yield Call("new-netqostrafficclass", of_class, value.line, value.quote)
        elif key in _PROPERTIES:
            of_adapter = {"registrykeyword": _PROPERTIES[key], "registryvalue": value.text}
            yield Call("set-netadapteradvancedproperty", {**of_adapter, **named}, value.line, value.quote)
        elif key == "networkdirect" and value.text.lower() in _OFF:
            yield Call("disable-netadapterrdma", named, value.line, value.quote)


def _names(code: str) -> Mapping[str, str]:
    """The adapters of an intent, as the cmdlets of adapters take them."""
    found = _ADAPTERS.search(code)
    return {"name": ", ".join(re.findall(r"[\w][\w .$-]{0,60}", found[1]))} if found is not None else {}


def never_handed(answer: Answer, text: str) -> None:
    """Say where a script fills overrides of QoS or of adapters, and hands them to no intent: the usual values hold."""
    made: dict[str, tuple[int, str]] = {}
    changed: set[str] = set()
    intents = []
    for number, code, masked in codes_of(text, answer.document.first_line):
        if (found := _MADE.match(code)) is not None:
            made[found[1].lower()] = (number, code.strip()[:QUOTE])
        elif (found := _SET.match(code)) is not None:
            changed.add(found[1].lower())
        elif _INTENT.search(masked) is not None:
            intents.append((number, code))
    for name, (number, quote) in made.items():
        used = f"${name}"
        if intents and name in changed and not any(used in code.lower() or "@" in code for _, code in intents):
            meaning = f"no intent of this script is handed ${name}, so what it is filled with does not count"
            answer.collector.seen.append(noticed("conflict", Place(answer.document.path, number), quote, meaning))
