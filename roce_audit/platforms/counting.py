"""Counters as a device shows them at one time: what platforms read of the answers of counter commands.

Counters never enter the facts of a port: they are read from the same documents a second time, and only when two snapshots are
to be compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from roce_audit import platforms
from roce_audit.model.counts import Counts, Uptime
from roce_audit.patterns import lazy
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Place

MAX_COUNTS = 2_000_000
"""Counters read of one device at most: a chassis with 576 ports of 8 priorities, 8 groups and 8 queues has some 50,000."""
MAX_COUNTER = 2**64 - 1
_NUMBER = lazy(r"[0-9]{1,20}|[0-9]{1,3}(?:,[0-9]{3}){1,6}")


def number(text: str) -> int | None:
    """A counter as devices print it (`1204`, `1,204`); None for anything else, negative and larger than 64 bits included."""
    found = _NUMBER.fullmatch(text)
    value = int(found.group().replace(",", "")) if found is not None else None
    return value if value is not None and value <= MAX_COUNTER else None


_RATIO = lazy(r"[0-9]{1,6}(?:\.[0-9]{1,9})?(?:[eE][+-]?[0-9]{1,3})?")


def ratio(text: str) -> float | None:
    """A ratio as devices print it (`4.10e-04`, `15E-255`, `0.0`); None for anything else, and for more than one in one."""
    value = float(text) if _RATIO.fullmatch(text) else None
    return value if value is not None and value <= 1 else None


def counts_of(device: DeviceInput) -> Counts:
    """What the documents of a device show; nothing where its platform reads no counters."""
    found = Counts()
    reader = platforms.platform(device.platform).load().counters
    if reader is not None:
        for taken, count in enumerate(reader(device)):
            if taken >= MAX_COUNTS:
                break
            found.add(count)
    found.uptime = running_for(device)
    return found


def running_for(device: DeviceInput) -> Uptime | None:
    """How long a device has been up, by the first of its answers that says so."""
    return next((up for document in device.documents if (up := uptime(document)) is not None), None)


@cache
def nic_names() -> tuple[tuple[re.Pattern[str], str], ...]:
    """(pattern of a counter's name, path in the model) of all NIC families; `{n}` stands for the number in group `n`."""
    from roce_audit.platforms.shared.host.tools import host_parts  # the tools of all hosts: only where there are some

    found = {pattern: path for part in host_parts() for pattern, path in part.counters.items()}
    return tuple((re.compile(pattern), path) for pattern, path in found.items())


@lru_cache(maxsize=4_096)  # the hosts of a site count under the same names
def nic_path(name: str) -> str | None:
    """The path of a NIC's counter by the name that its driver gives it; None for one that is none of ours."""
    for pattern, path in nic_names():
        found = pattern.fullmatch(name)
        if found is not None:
            return path.format(**found.groupdict())
    return None


def lines(document: Document) -> Iterator[tuple[Place, str]]:
    """Every line with its place."""
    for line, text in document.numbered():
        yield Place(document.path, line), text


_PROC_FILE = lazy(r"^/proc/uptime:([0-9]{1,12})\.[0-9]", re.M)
_UPTIME_COMMANDS = lazy(r"cat /proc/uptime|(?:show|display) (?:version|uptime|system uptime)|uptime")
_PROC = lazy(r"\s*([0-9]{1,12})(?:\.[0-9]{1,6})?[ \t]+[0-9]{1,14}(?:\.[0-9]{1,6})?\s*")
_SAID = lazy(
    r"(?:[Uu]ptime is|[Uu]p ?[Tt]ime:(?: [0-9:]{5,8})?(?: up)?|\bup)[ \t]+"
    r"((?:[0-9]{1,6} ?[a-z]{1,8}(?:\(s\))?,?[ \t]*(?:and[ \t]+)?){0,6})(?:([0-9]{1,2}):([0-9]{2}))?"
)
_BOOTED = lazy(
    r"System booted: [^\n(]{10,40}\((?:(?P<week>[0-9]{1,4})w)?(?:(?P<day>[0-9]{1,4})d)? ?"
    r"(?P<hour>[0-9]{1,2}):(?P<min>[0-9]{2})(?::[0-9]{2})? ago\)"
)
_UNIT = lazy(r"([0-9]{1,6}) ?(year|week|day|hour|min|sec)")
_UNIT_SECONDS = {"year": 365 * 86_400, "week": 7 * 86_400, "day": 86_400, "hour": 3_600, "min": 60, "sec": 1}


def uptime(document: Document) -> Uptime | None:
    """How long a device has been up, from /proc/uptime or words like `2 days, 3 hours` and `up 3 days, 2:01`."""
    listed = _PROC_FILE.search(document.text) if "/proc/uptime:" in document.text else None
    if listed is not None:
        return Uptime(float(listed.group(1)), 1)
    if document.command is None or _UPTIME_COMMANDS.fullmatch(document.command) is None:
        return None
    head = document.text[:20_000]
    proc = _PROC.fullmatch(head)
    if proc is not None:
        return Uptime(float(proc.group(1)), 1)
    booted = _BOOTED.search(head)
    if booted is not None:
        seconds = sum(int(count or 0) * _UNIT_SECONDS[unit] for unit, count in booted.groupdict().items())
        return Uptime(float(seconds), _UNIT_SECONDS["min"])
    for said in _SAID.finditer(head):
        parts = [(int(count), _UNIT_SECONDS[unit]) for count, unit in _UNIT.findall(said.group(1))]
        if said.group(2) is not None:
            parts += [(int(said.group(2)), 3_600), (int(said.group(3)), 60)]
        if parts:
            return Uptime(float(sum(count * unit for count, unit in parts)), min(unit for _, unit in parts))
    return None
