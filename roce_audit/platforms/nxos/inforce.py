"""`show policy-map system [type network-qos]`: the classes that pause, as they run. `show queuing pfc-queue`: the watchdog of the switch.

The former prints the policy as it would be configured, with what its classes match beside it. Where it is the one that is configured,
that stands; where it is another one, or nothing that was read applies one, it counts, on its own lines. (Cisco Nexus 9000 Series NX-OS
Quality of Service Configuration Guide, Configuring Network QoS.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

from roce_audit.patterns import lazy
from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.shared.cli.gathering import is_configuration
from roce_audit.platforms.shared.cli.programmed import Line, Programmed, as_configured, lines_of
from roce_audit.records import dataclass
from roce_audit.text.document import Document
from roce_audit.values import Place

_COMMAND = lazy(r"show policy-map system(?: type network-qos)?(?: ?\| ?no-more)?\Z")
_APPLIED = lazy(r"\s*service-policy type network-qos (\S{1,64})")
_POLICY = lazy(r"\s{0,8}policy-map type network-qos (\S{1,64})\s*")
_CLASS = lazy(r"\s{0,12}class type network-qos (\S{1,64})\s*")
_SAID = lazy(r"\s{1,16}((pause|mtu) \S.{0,80}?)\s*")
_ANYTHING = lazy(r"\S.*")
_COS = lazy(r"pfc-cos ([0-7](?:[,-][0-7]){0,7})")
_OWN = "default-"
_WATCHDOG = lazy(r"sh(?:ow)? queuing pfc-queue\b")
_UNWATCHED = lazy(r"\s{0,8}Global watch-dog interval ?:? ?\[Disabled\]\s{0,8}")
_OF_PORT = "Interface PFC watchdog"


@dataclass
class _Policy:
    name: str
    line: int
    classes: dict[str, dict[str, Line]] = field(default_factory=dict)
    """Class -> `pause` or `mtu` -> what is said of it, and where."""
    lines: dict[str, int] = field(default_factory=dict)
    """Where the classes begin."""


def policies(lines: Iterable[Line]) -> dict[str, _Policy]:
    """The network-qos policies of these lines, by their names."""
    found: dict[str, _Policy] = {}
    policy: _Policy | None = None
    name = ""
    for text, line in lines:
        head, of_class, said = _POLICY.fullmatch(text), _CLASS.fullmatch(text), _SAID.fullmatch(text)
        if head is not None:
            policy, name = found.setdefault(head[1], _Policy(head[1], line)), ""
        elif policy is not None and of_class is not None:
            name = of_class[1]
            policy.classes.setdefault(name, {})
            policy.lines.setdefault(name, line)
        elif policy is not None and name and said is not None:
            policy.classes[name][said[2]] = said[1], line
        elif _ANYTHING.match(text) and not text.startswith("!"):
            policy = None
    return found


def programmed(answer: Document, documents: Iterable[Document]) -> Programmed | None:
    """What the answer makes of the configuration of its switch; None for the answers of other commands."""
    if not _COMMAND.match(answer.command or ""):
        return None
    shown = next(iter(policies(lines_of(answer)).values()), None)
    if shown is None:
        return Programmed(is_read=not answer.text.strip())
    applied = ""
    defined: dict[str, _Policy] = {}
    for document in documents:
        if is_configuration(document):
            found = [one[1] for text, _ in lines_of(document) if (one := _APPLIED.fullmatch(text)) is not None]
            applied = found[-1] if found else applied
            defined |= policies(lines_of(document))
    before = defined.get(applied)
    if applied == shown.name and before is not None:
        told = tuple(_differences(before, shown, answer.path))
        return Programmed(_as_configured(answer, shown, is_anew=True) if told else None, told)
    counts = _as_configured(answer, shown, is_anew=shown.name in defined)
    if not applied or applied == shown.name:
        return Programmed(counts)
    text = f"network-qos policy {applied} is applied, and {shown.name} runs"
    return Programmed(counts, (seen("conflict", shown.name, text, Place(answer.path, shown.line), shown.name, ()),))


def unwatched(answer: Document, documents: Iterable[Document]) -> Programmed | None:
    """A watchdog that is off for the whole switch, in an answer that lists no port; those of listed ports are read as their state."""
    if not _WATCHDOG.match(answer.command or "") or _OF_PORT in answer.text:
        return None
    off = next((number for text, number in lines_of(answer) if _UNWATCHED.fullmatch(text)), None)
    if off is None:
        return None
    return Programmed(as_configured(answer, [("no priority-flow-control watch-dog-interval on", off)]))


def _differences(before: _Policy, now: _Policy, path: str) -> Iterator[Seen]:
    """Classes that pause otherwise than configured, or have another MTU."""
    for name in dict.fromkeys((*before.classes, *now.classes)):
        one, other = before.classes.get(name, {}), now.classes.get(name, {})
        for what in ("pause", "mtu"):
            if not _is_one(what, one.get(what), other.get(what)):
                said, runs = (each.get(what, (f"no {what}", 0))[0] for each in (one, other))
                place = Place(path, other[what][1] if what in other else now.lines.get(name, now.line))
                text = f"class {name} of {now.name}: {said} is configured, and {runs} runs"
                yield seen("conflict", name, text, place, f"class type network-qos {name}", ())


def _is_one(what: str, before: Line | None, now: Line | None) -> bool:
    """Whether both say the same: of a pause its priorities, where both name some. An MTU that one of them leaves out is not compared."""
    if before is None or now is None:
        return what == "mtu" or before is now
    of_one, of_other = _COS.search(before[0]), _COS.search(now[0])
    if what == "pause":
        return of_one is None or of_other is None or of_one[1] == of_other[1]
    return before[0] == now[0]


def _as_configured(answer: Document, shown: _Policy, *, is_anew: bool) -> Document | None:
    """The answer as it would be configured, in place of what is."""
    lines: list[Line] = []
    if not shown.name.startswith(_OWN):
        lines += [(f"no policy-map type network-qos {shown.name}", shown.line)] if is_anew else []
        lines.append((f"policy-map type network-qos {shown.name}", shown.line))
        for name, said in shown.classes.items():
            lines.append((f"  class type network-qos {name}", shown.lines[name]))
            lines += [(f"    {text}", line) for text, line in said.values()]
    lines += [("system qos", shown.line), (f"  service-policy type network-qos {shown.name}", shown.line)]
    return as_configured(answer, lines)
