"""LLDP neighbours of Cumulus Linux: NVUE's answers, those of NCLU, and lldpd's own."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.platforms.base import Neighbour
from roce_audit.platforms.shared.neighbours.columns import Columns
from roce_audit.platforms.shared.neighbours.commands import by_command, either
from roce_audit.platforms.shared.neighbours.lldpd import COMMANDS
from roce_audit.platforms.shared.neighbours.lldpd import read as lldpd
from roce_audit.platforms.shared.neighbours.structured import Answer, below, items, members
from roce_audit.text.document import Document

_NVUE = Columns({"Interface": "port", "Speed": "", "Type": "", "Remote Host": "system", "Remote Port": "port_id"})
_NCLU = Columns(
    {"LocalPort": "port", "Speed": "", "Mode": "", "RemoteHost": "system", "RemotePort": "port_id", "Summary": ""}
)


def _nclu_json(document: Document) -> Iterator[Neighbour]:
    """`{"swp1": {"iface_obj": {"lldp": [{"adj_hostname": ..., "adj_port": ...}]}}}`; older releases print what lldpd does."""
    answer = Answer(document)
    for port, path, interface in members(answer.value):
        for far_path, far in items(below(interface, "iface_obj", "lldp"), (*path, "iface_obj", "lldp")):
            yield from answer.neighbour(port, far_path, system=far.get("adj_hostname"), port_id=far.get("adj_port"))
    yield from lldpd(document)


def _nvue_json(document: Document) -> Iterator[Neighbour]:
    """`{"swp1": {"lldp": {"neighbor": {"leaf2": {"chassis": {...}, "port": {...}}}}}}`; of one interface without its name."""
    answer = Answer(document)
    asked = (document.command or "").partition(" lldp")[0].rpartition(" ")[2]
    found = list(members(answer.value))
    if isinstance(answer.value, dict) and "neighbor" in answer.value:
        found = [(asked, (), {"lldp": answer.value})]
    for port, path, interface in found:
        inner = (*path, "lldp") if path else ()
        for name, far_path, far in members(below(interface, "lldp", "neighbor"), (*inner, "neighbor")):
            yield from answer.neighbour(
                port,
                far_path,
                system=below(far, "chassis", "system-name") or name,
                chassis=below(far, "chassis", "chassis-id"),
                port_id=below(far, "port", "name"),
                kind=below(far, "port", "type"),
                description=below(far, "port", "description"),
            )


neighbours = by_command(
    {
        r"nv show interface(?: \S+)? lldp-detail(?: .*)?": either(_nvue_json, lldpd),
        r"nv show interface(?: \S+)? lldp(?: .*)?": either(_nvue_json, _NVUE.read),
        r"net show lldp(?: \S+)? json": _nclu_json,
        r"net show lldp(?: \S+)?": _NCLU.read,
        COMMANDS: lldpd,
    }
)
