"""What a Linux host is read and changed with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from roce_audit.platforms.linux.boot import dcb as bootdcb
from roce_audit.platforms.linux.tables import HOSTLESS
from roce_audit.platforms.linux.tools import TOOLS
from roce_audit.platforms.record import Parts
from roce_audit.platforms.shared.host.parts import HostParts
from roce_audit.platforms.shared.host.reader import read_host
from roce_audit.platforms.shared.host.tools import by_command, by_text
from roce_audit.text.document import DeviceInput, Document

if TYPE_CHECKING:
    from roce_audit.model.counts import Count, Gauge
    from roce_audit.platforms.repair import Repairs
    from roce_audit.platforms.statement_docs import Documentation

_HOSTNAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,252}")
_ANSIBLE = re.compile(r"\"ansible_hostname\": *\"([A-Za-z0-9_.-]{1,253})\"")
_PROC = re.compile(r"^/proc/sys/kernel/hostname:([A-Za-z0-9_.-]{1,253})[ \t]*$", re.M)

_OF_ANY_HOST = HOSTLESS | {"env"}


def _hostname(document: Document) -> str | None:
    """The name in `hostname`, `uname -a` or /proc."""
    words = document.text[:500].split()
    if document.command == "hostname":
        found = words[0] if words else ""
    elif document.command is not None and document.command.startswith("uname"):
        found = words[1] if len(words) > 1 and words[0] == "Linux" else ""
    else:
        match = _PROC.search(document.text) or _ANSIBLE.search(document.text)
        found = match.group(1) if match else ""
    return found if _HOSTNAME.fullmatch(found) else None


def _is_of_no_device(document: Document) -> bool:
    """Whether it is a script, manifest, playbook or file of variables by itself: sets up or uses NICs of any host."""
    found = by_text(document) if by_command(document) is None else None
    return found is not None and found[0].name in _OF_ANY_HOST


def _repairs() -> Repairs:
    from roce_audit.platforms.linux.repair import repairs

    return repairs()


def _counters(device: DeviceInput) -> Iterator[Count]:
    from roce_audit.platforms.linux.commands.counters import read

    return read(device)


def _documentation() -> Documentation:
    from roce_audit.platforms.linux.statement_docs import statements
    from roce_audit.platforms.statement_docs import Documentation

    return Documentation(tuple(statements()), {})


def _gauges(device: DeviceInput) -> Iterator[Gauge]:
    from roce_audit.platforms.shared.host.tools import host_parts

    for part in host_parts():
        if part.gauges is not None:
            for document in device.documents:
                if document.exit_status in (None, 0):
                    yield from part.gauges(document)


def _of_modules(document: Document) -> Iterable[Gauge]:
    from roce_audit.platforms.linux.commands import kernellog, optics

    return (*optics.gauges(document), *kernellog.gauges(document))


PARTS = Parts(
    read=read_host,
    hostname=_hostname,
    documentation=_documentation,
    repairs=_repairs,
    counters=_counters,
    gauges=_gauges,
    is_of_no_device=_is_of_no_device,
    host=HostParts(
        tools=TOOLS,
        gauges=_of_modules,
        programs=bootdcb.PROGRAMS,
        names_every_device=r"rdma(?: -[a-z]+){0,4} link(?: show)?|ibv_devinfo(?: -v)?|ibv_devices",
    ),
)
