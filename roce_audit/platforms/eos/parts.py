"""What the platform does with texts of EOS."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.common import Common, written
from roce_audit.platforms.eos import defaults
from roce_audit.platforms.eos.avd import is_structured
from roce_audit.platforms.eos.contradictions import contradictions
from roce_audit.platforms.eos.lldp import neighbours
from roce_audit.platforms.eos.portless import unled_pause
from roce_audit.platforms.eos.reader import SYNTAX, hostname
from roce_audit.platforms.eos.table import TABLE
from roce_audit.platforms.eos.trafficpolicies import filtered
from roce_audit.platforms.record import Parts
from roce_audit.platforms.shared import routing
from roce_audit.platforms.shared.cli.reader import CommandLineReader
from roce_audit.platforms.shared.documentation import documented
from roce_audit.text.document import DeviceInput, Document

if TYPE_CHECKING:
    from roce_audit.model.counts import Count, Gauge
    from roce_audit.platforms.repair import Repairs


def _read(device: DeviceInput) -> DeviceReading:
    reader = CommandLineReader(SYNTAX, device)
    reading = filtered(device, reader.read())
    odd = (*contradictions(device, reading), *unled_pause(reading, reader.named, reader.globals))
    return replace(reading, seen=(*reading.seen, *odd)) if odd else reading


def _is_source(document: Document) -> bool:
    """A structured configuration of AVD: where the configuration that it becomes is given as well, that one counts."""
    return is_structured(document.text)


def _repairs() -> Repairs:
    from roce_audit.platforms.eos.repair import REPAIRS

    return REPAIRS


def _counters(device: DeviceInput) -> Iterator[Count]:
    from roce_audit.platforms.eos.counters import read

    return read(device)


def _gauges(device: DeviceInput) -> Iterator[Gauge]:
    from roce_audit.platforms.eos.gauges import read

    return read(device)


COMMON = (
    Common("MLAG domain", "domain-id", *written(r"^ +domain-id (?P<is>\S{1,64})", r"mlag configuration")),
    Common(
        "LACP system ID of {}",
        "lacp system-id",
        *written(r"^ +lacp system-id (?P<is>\S{1,32})", r"interface (?P<of>Port-Channel\d{1,7})"),
        scope="channel",
    ),
    Common(
        "virtual address of VLAN {}",
        "virtual",
        *written(
            r"^ +ip (?:virtual-router address|address virtual) (?P<is>\d[0-9.]{6,14})(?:/\d{1,2})?$",
            r"interface Vlan(?P<of>\d{1,4})",
        ),
        scope="gateway",
    ),
    Common(
        "VNI of VLAN {}", "vxlan vlan", *written(r"^ +vxlan vlan (?P<of>\d{1,4}) vni (?P<is>\d{1,8})"), scope="network"
    ),
    Common(
        "interface of tunnels",
        "source-interface",
        *written(r"^ +vxlan (?:mlag )?source-interface (?P<is>Loopback\d{1,4})$"),
        scope="tunnel",
    ),
    Common(
        "VLANs in tunnels {}",
        "vxlan vlan",
        *written(r"^ +vxlan vlan (?P<of>(?P<is>\d[0-9,-]{0,250})) vni \d"),
        scope="tunnelled",
    ),
    Common(
        "{} router ID",
        "router-id",
        *written(r"^ {3}router-id (?P<is>\d[0-9.]{6,14})$", r"router (?P<of>bgp|ospf) "),
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
    is_source_of_another=_is_source,
    neighbours=neighbours,
    routes=routing.by_vrf,
    common=COMMON,
)
