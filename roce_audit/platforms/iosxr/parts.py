"""What the platform does with texts of IOS XR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roce_audit.platforms.iosxr import counters, defaults
from roce_audit.platforms.iosxr.lldp import neighbours
from roce_audit.platforms.iosxr.reader import hostname, read
from roce_audit.platforms.iosxr.table import TABLE
from roce_audit.platforms.record import Parts
from roce_audit.platforms.shared.documentation import documented

if TYPE_CHECKING:
    from collections.abc import Iterator

    from roce_audit.model.counts import Gauge
    from roce_audit.platforms.repair import Repairs
    from roce_audit.text.document import DeviceInput


def _repairs() -> Repairs:
    from roce_audit.platforms.iosxr.repair import REPAIRS

    return REPAIRS


def _gauges(device: DeviceInput) -> Iterator[Gauge]:
    from roce_audit.platforms.iosxr.gauges import read

    return read(device)


PARTS = Parts(
    read=read,
    hostname=hostname,
    documentation=documented(TABLE, defaults),
    repairs=_repairs,
    counters=counters.read,
    gauges=_gauges,
    neighbours=neighbours,
)
