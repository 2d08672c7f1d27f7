"""What the platform does with texts of NX-OS."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.common import Common, written
from roce_audit.platforms.nxos import defaults
from roce_audit.platforms.nxos.classmtu import short_classes
from roce_audit.platforms.nxos.lldp import neighbours
from roce_audit.platforms.nxos.members import contrary_members
from roce_audit.platforms.nxos.portless import unled_pause
from roce_audit.platforms.nxos.profiles import idle_profiles
from roce_audit.platforms.nxos.reader import SYNTAX, hostname
from roce_audit.platforms.nxos.table import TABLE
from roce_audit.platforms.nxos.vlanfilters import filtered
from roce_audit.platforms.record import Parts
from roce_audit.platforms.shared import routing
from roce_audit.platforms.shared.cli.reader import CommandLineReader
from roce_audit.platforms.shared.documentation import documented
from roce_audit.text.document import DeviceInput

if TYPE_CHECKING:
    from roce_audit.model.counts import Count, Gauge
    from roce_audit.platforms.repair import Repairs


def _read(device: DeviceInput) -> DeviceReading:
    reader = CommandLineReader(SYNTAX, device)
    reading = filtered(device, reader.read())
    told = (
        *idle_profiles(reading, reader.named),
        *contrary_members(reading),
        *short_classes(reading),
        *unled_pause(reading, reader.named, reader.globals),
    )
    return replace(reading, seen=(*reading.seen, *told))


def _repairs() -> Repairs:
    from roce_audit.platforms.nxos.repair import REPAIRS

    return REPAIRS


def _counters(device: DeviceInput) -> Iterator[Count]:
    from roce_audit.platforms.nxos.counters import read

    return read(device)


def _gauges(device: DeviceInput) -> Iterator[Gauge]:
    from roce_audit.platforms.nxos.gauges import read

    return read(device)


COMMON = (
    Common(
        "virtual address of VLAN {}",
        "hsrp",
        *written(r"^ +ip (?P<is>\d[0-9.]{6,14})$", r"interface Vlan(?P<of>\d{1,4})"),
        scope="gateway",
    ),
    Common("vPC domain", "vpc domain", *written(r"^vpc domain (?P<is>\d{1,4})")),
    Common("vPC system MAC", "system-mac", *written(r"^ +system-mac (?P<is>\S{1,32})", r"vpc domain \d")),
    Common(
        "VNI of VLAN {}",
        "vn-segment",
        *written(r"^ +vn-segment (?P<is>\d{1,8})", r"vlan (?P<of>\d{1,4})\n"),
        scope="network",
    ),
    Common(
        "interface of tunnels",
        "source-interface",
        *written(r"^ +source-interface (?P<is>loopback\d{1,4})$", r"interface nve1"),
        scope="tunnel",
    ),
    Common(
        "VLANs in tunnels {}",
        "vn-segment",
        *written(r"^ +vn-segment \d", r"vlan (?P<of>(?P<is>\d{1,4}))\n"),
        scope="tunnelled",
    ),
    Common(
        "{} router ID",
        "router-id",
        *written(r"^ {2}router-id (?P<is>\d[0-9.]{6,14})$", r"router (?P<of>bgp|ospf) "),
        scope="own",
    ),
    Common("VLANs {}", "vlan ", *written(r"^vlan (?P<of>(?P<is>\d[0-9,-]{0,250}))$"), scope="vlans"),
)


PARTS = Parts(
    read=_read,
    hostname=hostname,
    documentation=documented(TABLE, defaults),
    repairs=_repairs,
    counters=_counters,
    gauges=_gauges,
    neighbours=neighbours,
    routes=routing.by_row,
    common=COMMON,
)
