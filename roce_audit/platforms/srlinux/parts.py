"""What the platform does with texts of SR Linux."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from roce_audit.platforms.record import Parts
from roce_audit.platforms.shared.documentation import documented
from roce_audit.platforms.srlinux import defaults
from roce_audit.platforms.srlinux.lldp import neighbours
from roce_audit.platforms.srlinux.reader import read
from roce_audit.platforms.srlinux.table import TABLE
from roce_audit.text.document import DeviceInput, Document

if TYPE_CHECKING:
    from collections.abc import Iterable

    from roce_audit.model.counts import Count
    from roce_audit.platforms.repair import Repairs

_HOSTNAME = re.compile(
    r'"(?:srl_nokia-system-name:)?host-name" *: *"([^"\\\n]{1,253})"|^[^#\n]{0,80}\bhost-name "?([^\s"]{1,253})"?', re.M
)


def _hostname(document: Document) -> str | None:
    """`host-name` of the system."""
    found = _HOSTNAME.search(document.text)
    return (found[1] or found[2]) if found else None


def _repairs() -> Repairs:
    from roce_audit.platforms.srlinux.repair import REPAIRS

    return REPAIRS


def _counters(device: DeviceInput) -> Iterable[Count]:
    from roce_audit.platforms.srlinux.counters import read

    return read(device)


PARTS = Parts(
    read=read,
    hostname=_hostname,
    documentation=documented(TABLE, defaults),
    repairs=_repairs,
    neighbours=neighbours,
    counters=_counters,
)
