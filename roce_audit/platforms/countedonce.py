"""Counters of one snapshot that say something by themselves: losses in what a device keeps lossless, PFC storms, pauses of other
priorities, CNPs that a sender does not obey.

Since when they count nobody says, so they are told and no more; whether they still grow takes an earlier snapshot. Only the device itself
bounds that time: packets lost by the second ever since it was started are no matter of the day of the installation.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cache

from roce_audit.model import Pfc, Port
from roce_audit.model.counts import Count, Uptime
from roce_audit.platforms.base import DeviceReading, Seen, seen
from roce_audit.platforms.counting import nic_names, nic_path
from roce_audit.platforms.idlepriorities import CARRIED, USED, idle_priorities
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.memo import of_text
from roce_audit.values import Place

_WORDS = {
    "ingress": "packets dropped on entering lossless priority groups",
    "egress": "packets dropped at the queues of paused priorities",
    "alike": "packets dropped at queues with the number of a paused priority",
    "storms": "PFC storms",
    "received": "packets of paused priorities discarded on receipt",
    "others": "PFC frames received for priorities that are not paused here, which the far end must take for lossless",
    "whole-link": "pauses for the whole link (802.3x) received on ports with PFC, which do not obey them",
    "ignored": "CNPs that the sender did not obey",
    "repeated": "packets that the far end missed and had repeated",
    "corrupt": "frames that came in with a wrong checksum on ports with PFC, and were thrown away",
    "unsorted": "packets dropped on entering ports with PFC for want of buffer, of which class is not counted",
    "unanswered": "packets with CE set that came in and were answered by no CNP at all",
    "idle": "RDMA was used, and next to none of its packets was counted in a priority that is paused",
}
_ALONE = {
    "unanswered": "the notification point of the NIC is off, or off for the priority of these packets",
    "idle": "RoCE of this NIC goes by a priority that is not paused",
}
"""What tells something at whatever time it was counted, and what."""
_LOSSES = frozenset({"ingress", "egress", "alike", "received", "repeated", "corrupt"})
_ONLY_OFTEN = frozenset({"repeated", "corrupt"})
"""What every host or link has counted some of: nothing is told of it but where it is much for the time."""
_MARKS, _ANSWERS, _ENOUGH_MARKS = "marked_received", "cnps_sent", 1_000
"""CNPs are paced: there are fewer of them than marks, but never none (the number as in the rule about two snapshots)."""
_MOST = 4
_OFTEN = 1.0
"""Packets a second on average from which losses are told as such (source: unverified)."""
_DAY = 86_400


def counted_once(counts: Iterable[Count], reading: DeviceReading, up: Uptime | None = None) -> Iterator[Seen]:
    """One observation for each kind of loss: the ports that show it, at the line of the one that shows most.

    `up`: how long the switch has been running.
    """
    for kind, by_port in _by_kind(tuple(counts), reading).items():
        most = sorted(by_port.items(), key=lambda item: -item[1][0])
        told = ", ".join(f"{name} {number:,}" for name, (number, _) in most[:_MOST])
        more = f" and fewer on {len(most) - _MOST} more ports" if len(most) > _MOST else ""
        rate = most[0][1][0] / (up.seconds + up.resolution_s) if up is not None and kind in _LOSSES else 0.0
        if kind in _ONLY_OFTEN and rate < _OFTEN:
            continue
        # hosts are many: without names and numbers those that show the same are one finding, which quotes the lines
        shown = "" if reading.kind == "host" else f": {told}{more}"
        text = f"{_WORDS[kind]}{shown}; {_ALONE.get(kind) or _when(reading.kind, rate, up)}"
        is_sure = rate >= _OFTEN or kind in _ALONE
        yield seen(
            "counted-often" if is_sure else "counted-once", most[0][0], text, most[0][1][1], kind, tuple(by_port)
        )


def _by_kind(counts: Sequence[Count], reading: DeviceReading) -> Mapping[str, Mapping[str, tuple[int, Place]]]:
    """Kind of loss -> port -> the most that was counted of it, and where."""
    ports: Mapping[str, tuple[str, Port]] = {
        name.lower(): (port.name, port.facts) for port in reading.ports for name in (port.name, *port.labels.aliases)
    }
    found: dict[str, dict[str, tuple[int, Place]]] = defaultdict(dict)
    answers: dict[str, dict[str, Count]] = defaultdict(dict)
    for count in counts:
        if count.name in (_MARKS, _ANSWERS):
            answers[count.port.lower()][count.name] = count
        name, facts = ports.get(count.port.lower(), ("", None))
        kind = _kind(count.name, facts) if count.value and facts is not None else ""
        if kind and (count.value or 0) > found[kind].get(name, (0, count.place))[0]:
            found[kind][name] = (count.value or 0, count.place)
    for port, those in answers.items():
        if port in ports and _is_unanswered(those) and not _is_off(ports[port][1]):
            found["unanswered"][ports[port][0]] = (those[_MARKS].value or 0, those[_MARKS].place)
    for name, number, place in idle_priorities(counts, ports) if reading.kind == "host" else ():
        found["idle"][name] = (number, place)
    return found


def _when(device: str, rate: float, up: Uptime | None) -> str:
    """What is known of the time in which it was counted; `rate` is per second."""
    if up is None or rate < _OFTEN:
        return "since when that is counted is not known: only an earlier snapshot (--since) tells whether it goes on"
    if device == "host":
        return "at least one a second was lost on average ever since the host was started"
    return f"the {device} runs for {up.seconds / _DAY:,.1f} days, so at least {rate:,.0f} a second were lost on average"


def _is_unanswered(those: Mapping[str, Count]) -> bool:
    """Whether a NIC counted packets with CE set and not one CNP, both in one answer."""
    marks, answers = those.get(_MARKS), those.get(_ANSWERS)
    if marks is None or answers is None or marks.place.path != answers.place.path:
        return False
    return answers.value == 0 and (marks.value or 0) >= _ENOUGH_MARKS


def _is_off(facts: Port) -> bool:
    """Whether a NIC is seen to answer no marks: that is told by itself."""
    dcqcn = facts.nic.get().dcqcn if facts.nic is not None and facts.nic.is_known else None
    return dcqcn is not None and dcqcn.is_known and dcqcn.get().np_priorities.or_else(frozenset({0})) == frozenset()


_BY_THEMSELVES = {
    "storms": "storms",
    "lossless_ingress_drops": "ingress",
    "lossless_egress_drops": "egress",
    "cnps_ignored": "ignored",
    "roce_discards": "received",
    "sequence_errors": "repeated",
    "link_pause_received": "whole-link",
    "crc_errors": "corrupt",
}
_WHERE_PAUSED = frozenset(_BY_THEMSELVES) - {"storms", "cnps_ignored", "roce_discards"}


def _paused(facts: Port) -> frozenset[int] | None:
    """The priorities that are paused, or that an answer shows paused where no configuration was seen; None where neither is known."""
    if not facts.pfc.is_known:
        return None
    pfc = facts.pfc.get()
    cell = pfc.priorities if pfc.priorities.is_known else pfc.operational
    return cell.get() if cell.is_known else None


def _pauses(facts: Port) -> bool:
    return bool(_paused(facts))


def _of_priority(leaf: str, number: int, pfc: Pfc, paused: frozenset[int]) -> str:
    if leaf == "discards" and number in paused:
        return "received"
    obeyed = paused | pfc.receive_only.or_else(frozenset())
    return "others" if leaf == "pause_received" and paused and number not in obeyed else ""


def of_host(
    device: DeviceInput, reading: DeviceReading, counters: Callable[[DeviceInput], Iterable[Count]]
) -> Iterator[Count]:
    """The counters of a host in those of its answers that may tell something: they have thousands, and hosts are many."""
    known = [port.facts.pfc.get().priorities for port in reading.ports if port.facts.pfc.is_known]
    sets = [priorities.get() for priorities in known if priorities.is_known]
    paused = frozenset.intersection(*sets) if sets else frozenset[int]()
    answers = [document for document in device.documents if document.command]
    is_idle = any(_is_idle(text, paused) for text in _counting(answers, paused))
    told = tuple(document for document in answers if _may_tell(document.text, paused, is_idle))
    return iter(counters(replace(device, documents=told))) if told else iter(())


def _may_tell(text: str, paused: frozenset[int], is_idle: bool) -> bool:
    if is_idle and (_is_idle(text, paused) or _uses_rdma(text)):
        return True
    paths, is_unanswered = _told(text)
    return is_unanswered or bool(paths and paths - {f"priorities.{number}.pause_received" for number in paused})


def _counting(answers: Sequence[Document], paused: frozenset[int]) -> list[str]:
    """The answers that name a counter of packets of the first of these priorities."""
    stems = [stem for stem, _ in _idle(min(paused))] if paused else []
    return [answer.text for stem in stems for answer in answers if stem in answer.text]


def _is_idle(text: str, paused: frozenset[int]) -> bool:
    """Whether an answer has a counter of packets of each priority that all ports pause, and it is small."""
    return bool(paused) and all(_has_any(text, _idle(number)) for number in paused)


@of_text
def _uses_rdma(text: str) -> bool:
    return _has_any(text, _patterns()[-1])


@of_text
def _told(text: str) -> tuple[Set[str | None], bool]:
    """The paths of counters that may tell something by themselves, and whether marks were counted and no CNP."""
    alone, *both, _ = _patterns()
    return _paths(text, alone), all(_has_any(text, patterns) for patterns in both)


def _paths(text: str, patterns: _Patterns) -> Set[str | None]:
    return {nic_path(name) for stem, pattern in patterns if stem in text for name in _names(text, stem, pattern)}


def _has_any(text: str, patterns: _Patterns) -> bool:
    return any(stem in text and next(_names(text, stem, pattern), None) is not None for stem, pattern in patterns)


def _names(text: str, stem: str, pattern: re.Pattern[str]) -> Iterator[str]:
    """The names in a text that begin so; to ask at each stem takes a tenth of a search through the text."""
    at = text.find(stem)
    while at >= 0:
        found = pattern.match(text, at)
        if found is not None:
            yield found.group(1)
        at = text.find(stem, at + len(stem))


_TELLING = ("priorities.{n}.discards", "priorities.{n}.pause_received")


_Patterns = tuple[tuple[str, re.Pattern[str]], ...]


@cache
def _patterns() -> tuple[_Patterns, ...]:
    """What tells something by itself; the two that do together, no CNP sent and many marks received; and what only RDMA counts."""
    return (
        _valued((*_TELLING, *_BY_THEMSELVES), "[1-9]"),
        _valued((_ANSWERS,), r"0(?!\d)"),
        _valued((_MARKS,), r"[1-9]\d{3}"),
        _valued(USED, "[1-9]"),
    )


@cache
def _idle(number: int) -> _Patterns:
    """Counters of packets of this priority that are 0, or of a trial alone."""
    return _valued((CARRIED,), r"\d{1,4}(?!\d)", number)


def _valued(told: Collection[str], value: str, number: int | None = None) -> _Patterns:
    """(how it begins, pattern) of counters of these paths, by their names (of one priority), with a number behind them that begins so."""
    any_number = "(?:[0-7])" if number is None else str(number)
    its = [re.sub(r"\(\?P<\w+>\[0-7\]\)", any_number, one.pattern) for one, path in nic_names() if path in told]
    its = [re.sub(r"\(\?P<\w+>", "(?:", name) for name in its]
    by_stem: dict[str, list[str]] = defaultdict(list)
    for name in its:
        by_stem[re.split(r"\W", name)[0]].append(name)
    return tuple(
        (stem, re.compile(rf'(?<![\w.])({"|".join(names)})"?[: ]{{1,4}}"?{value}')) for stem, names in by_stem.items()
    )


def _kind(path: str, facts: Port) -> str:
    """What a counter of a port counts; "" for one that by itself says nothing."""
    if path == "discards":
        return "unsorted" if _pauses(facts) and not facts.is_nic else ""
    table, _, leaf = path.rpartition(".")
    row, _, number = table.partition(".")
    if leaf in _BY_THEMSELVES:
        # where nothing is paused, packets are lost on purpose
        return "" if leaf in _WHERE_PAUSED and not _pauses(facts) else _BY_THEMSELVES[leaf]
    paused = _paused(facts)
    if row == "priorities" and paused is not None:
        return _of_priority(leaf, int(number), facts.pfc.get(), paused)
    if leaf != "drops" or not number.isdigit():
        return ""
    if row == "groups" and facts.groups.is_known:
        group = next((one for one in facts.groups.get() if one.number == int(number)), None)
        return "ingress" if group is not None and group.lossless.or_else(False) else ""
    if row == "queues" and paused is not None:
        if not facts.priorities.is_known:
            return "alike" if int(number) in paused else ""
        its = [one for one in facts.priorities.get() if one.number in paused]
        if any(one.queue.is_known and one.queue.value == int(number) for one in its):
            return "egress"
        return "alike" if any(one.queue.is_unknown and one.number == int(number) for one in its) else ""
    return ""
