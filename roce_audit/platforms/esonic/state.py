"""What show commands tell of ports. `show qos interface`: the priorities for which a port has PFC (SONiC, QoS management framework HLD).
`show interface status`: the speed and the MTU of ports that are up, and which have no link. `show interface fec status`: what runs on ports
that are up; columns name, type, oper, admin, state.

Columns of the second, by release: name, description, admin, oper, negotiation, speed (Mbit/s), MTU, alternate name; or name, description,
oper, reason, negotiation, speed, MTU, alternate name (the module's examples in dellemc.enterprise_sonic). The configuration calls ports
by one of the two names.
"""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.cli.running import without_link
from roce_audit.platforms.shared.shown import Shown, rows
from roce_audit.text.document import Document

_COMMAND = lazy(r"show interface status(?: [^|]{1,40})?\Z")
_ROW = lazy(
    r"(Eth\S{1,20}) +.{0,60} up +(?:(?:up|oper-up) +)?(?:on|off|-) +([^\s-]\S{0,11}) +(\d{3,5})(?: +(Eth\S{1,20}))?"
)
_FEC = lazy(r"show interface fec status(?: [^|]{1,40})?\Z")
_FEC_ROW = lazy(r"(Eth\S{1,20}) .{0,60} (\S{1,12}) +(?:\S{1,12}) +up")
QOS = lazy(r"show qos interface (Eth(?:ernet)?) ?(all|\d[\d/.]{0,12})(?: queue all)?")
QOS_OF = lazy(r"(?:interface +)?(Eth(?:ernet)? ?\d[\d/]{0,12})(?: +(?:qos|configuration))?[ :]*")
_PFC = lazy(r"pfc-priority *: *(.{0,40}?) *")
_NO_PRIORITY = frozenset({"", "-", "none", "N/A", "n/a"})
_DOWN = lazy(r"(Eth\S{1,20}) +.{0,60} down +(\S{1,20}) .{0,80}?(?: +(Eth\S{1,20}))?")


def answers(document: Document) -> Iterator[Shown]:
    """(port as written, line, statement) of each port that is up, by both of its names; nothing for other answers."""
    if _FEC.match(document.command or ""):
        for row, number, odd in rows(document, _FEC_ROW):
            yield row[1], number, f"fec {row[2]}{odd}"
    qos = QOS.fullmatch(document.command or "")
    if qos is not None:
        yield from _with_pfc(document, "" if qos[2] == "all" else f"{qos[1]}{qos[2]}")
    if not _COMMAND.match(document.command or ""):
        return
    for row, number, odd in rows(document, _ROW):
        for port in dict.fromkeys((row[1], row[4] or row[1])):
            yield port, number, f"connected {row[2]}{odd}"
            yield port, number, f"mtu {row[3]}{odd}"
    for row, number, odd in rows(document, _DOWN):
        for port in dict.fromkeys((row[1], row[3] or row[1])):
            if not odd:
                yield port, number, without_link(row[2])


def _with_pfc(document: Document, port: str) -> Iterator[Shown]:
    """Of all ports each stands below its name."""
    for number, line in document.numbered():
        text = line.strip()[:200]
        heading, given = QOS_OF.fullmatch(text), _PFC.fullmatch(text)
        if heading is not None:
            port = heading[1]
        elif given is not None and port:
            yield port, number, "running" if given[1] in _NO_PRIORITY else f"running {given[1].replace(' ', '')}"
