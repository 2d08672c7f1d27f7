"""What the platform does with a CONFIG_DB and the answers beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from roce_audit.platforms.common import Common, written
from roce_audit.platforms.record import Parts
from roce_audit.platforms.shared import routing
from roce_audit.platforms.shared.documentation import documented
from roce_audit.platforms.sonic import defaults, running
from roce_audit.platforms.sonic.lldp import neighbours
from roce_audit.platforms.sonic.patched import may_be_patch
from roce_audit.platforms.sonic.reader import read
from roce_audit.platforms.sonic.table import TABLE
from roce_audit.platforms.sonic.typed import is_typed
from roce_audit.text.document import DeviceInput, Document

if TYPE_CHECKING:
    from roce_audit.model.counts import Count, Gauge
    from roce_audit.platforms.repair import Repairs

_HOSTNAME = re.compile(r'"hostname"[ \t\n]*:[ \t\n]*"([^"\\\n]{1,253})"')


def _hostname(document: Document) -> str | None:
    """`hostname` of DEVICE_METADATA."""
    at = document.text.find('"DEVICE_METADATA')
    found = _HOSTNAME.search(document.text, at) if at >= 0 else None
    return found.group(1) if found else None


def _changes_another(document: Document) -> bool:
    """Commands of the shell, and patches: they change the fields of a CONFIG_DB that is there."""
    return document.command is None and (is_typed(document.text) or may_be_patch(document.text))


def _is_answer(document: Document) -> bool:
    """Dumps of the other databases."""
    return running.is_dump(document.text) and '"DEVICE_METADATA' not in document.text


def _repairs() -> Repairs:
    from roce_audit.platforms.sonic.repair import REPAIRS

    return REPAIRS


def _counters(device: DeviceInput) -> Iterator[Count]:
    from roce_audit.platforms.sonic.counters import read

    return read(device)


def _gauges(device: DeviceInput) -> Iterator[Gauge]:
    from roce_audit.platforms.sonic.gauges import read

    return read(device)


COMMON = (
    Common(
        "VNI of VLAN {}",
        "VXLAN_TUNNEL_MAP",
        *written(r"^ *\"[^\"\n|]{1,64}\|map_(?P<is>\d{1,8})_Vlan(?P<of>\d{1,4})\""),
        scope="network",
    ),
)


PARTS = Parts(
    read=read,
    hostname=_hostname,
    documentation=documented(TABLE, defaults),
    repairs=_repairs,
    counters=_counters,
    gauges=_gauges,
    neighbours=neighbours,
    is_answer=_is_answer,
    changes_another=_changes_another,
    routes=routing.either(routing.by_prefix, routing.by_kernel),
    common=COMMON,
)
