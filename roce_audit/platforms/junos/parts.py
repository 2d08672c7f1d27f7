"""What the platform does with texts of Junos."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from roce_audit.platforms.common import Common, written
from roce_audit.platforms.junos import counters, defaults, gauges
from roce_audit.platforms.junos.lldp import neighbours
from roce_audit.platforms.junos.reader import read
from roce_audit.platforms.junos.table import TABLE
from roce_audit.platforms.record import Parts
from roce_audit.platforms.shared.documentation import documented
from roce_audit.text.document import Document

if TYPE_CHECKING:
    from roce_audit.platforms.repair import Repairs

_HOSTNAME = re.compile(
    r'^(?:(?:[ \t]*set (?:groups (?:node0|re0|member0) )?system |[ \t]{1,16})host-name "?([A-Za-z0-9][\w.-]{0,252})"?;?[ \t]*(?:##?.*)?$'
    r'|[ \t]{0,64}"host-name"[ \t]?:[ \t]?"([A-Za-z0-9][\w.-]{0,252})"|[ \t]{0,64}<host-name>([A-Za-z0-9][\w.-]{0,252})</host-name>)',
    re.M,
)


def _hostname(document: Document) -> str | None:
    """`host-name` of the system."""
    found = _HOSTNAME.search(document.text)
    return next(filter(None, found.groups())) if found else None


def _repairs() -> Repairs:
    from roce_audit.platforms.junos.repair import REPAIRS

    return REPAIRS


COMMON = (
    Common(
        "LACP system ID of {}",
        "system-id",
        *written(r"^set interfaces (?P<of>ae\d{1,4}) aggregated-ether-options lacp system-id (?P<is>\S{1,32})"),
        scope="channel",
    ),
    Common(
        "LACP system ID of {}",
        "system-id",
        *written(r"^ +system-id (?P<is>[0-9a-fA-F:]{11,17});", r" +(?P<of>ae\d{1,4}) \{"),
        scope="channel",
    ),
    Common(
        "VNI of VLAN {}",
        "vni ",
        *written(r"^set (?:routing-instances \S{1,64} )?vlans (?P<of>\S{1,64}) vxlan vni (?P<is>\d{1,8})"),
        scope="network",
    ),
    Common(
        "VNI of VLAN {}",
        "vni ",
        *written(r"^ {12}(?: {8})?vni (?P<is>\d{1,8});", r" {4}(?: {8})?(?P<of>\S{1,64}) \{\n {8,16}vlan-id "),
        scope="network",
    ),
)


PARTS = Parts(
    read=read,
    hostname=_hostname,
    documentation=documented(TABLE, defaults),
    repairs=_repairs,
    counters=counters.read,
    gauges=gauges.read,
    neighbours=neighbours,
    common=COMMON,
)
