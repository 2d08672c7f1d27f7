"""The statements of the toy, and what they set."""

from __future__ import annotations

import re
from collections.abc import Sequence

from roce_audit.model import Device, Port
from roce_audit.platforms.base import unseen_device
from roce_audit.platforms.portreading import Labels
from roce_audit.platforms.shared.cli.builder import PortBuilder
from roce_audit.platforms.shared.cli.syntax import Interfaces, PortContext, Syntax
from roce_audit.text.block import Part
from roce_audit.text.document import Document
from roce_audit.text.fill import Default
from roce_audit.text.outline import Outliner
from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.rows import row, sets
from roce_audit.text.statements.table import StatementTable

DEFAULTS = {
    "ip_mtu_bytes": Default(1500, "Toy manual: MTU 1500"),
    "admin_up": Default(True, "Toy manual: ports are up"),
    "nic": Default(None, "a switch port"),
}
_HOSTNAME = re.compile(r"^hostname (\S{1,63})$", re.M)
_TABLE = StatementTable(
    name="toyos",
    types={"priorities": lambda text: frozenset({int(text)})},
    modes={
        "top": Mode(opens={"interface": "port"}),
        "port": Mode(
            rows=(
                row("interface <...>", no=None),
                row("mtu <64..9216>", sets("ip_mtu_bytes")),
                row("lossless priority <value:priorities>", sets("pfc.priorities")),
            ),
            labels=frozenset({"description"}),
        ),
    },
)


def hostname(document: Document) -> str | None:
    """The configured host name."""
    found = _HOSTNAME.search(document.text)
    return found.group(1) if found is not None else None


def _labels(lines: Sequence[str], kind: str) -> Labels:
    return Labels(description=" ".join(line.partition(" ")[2] for line in lines))


class _Builder(PortBuilder):
    table = _TABLE
    defaults = DEFAULTS
    order = ("port",)
    handlers = {}


def _read_port(parts: tuple[Part, ...], context: PortContext) -> Port:
    builder = _Builder(parts, context)
    builder.take_in()
    return builder.filled()


SYNTAX = Syntax(
    name="toyos",
    table=_TABLE,
    outliner=Outliner(_TABLE, lambda header, text, end: None),
    interfaces=Interfaces({"brick": "ethernet"}, {"brick": "brick"}),
    words={},
    builtin=frozenset(),
    device_modes=frozenset(),
    named_by=lambda value, mode: (),
    labels=_labels,
    lag_of=lambda value: "",
    complete_because=lambda document: "end mark" if document.text.rstrip().endswith("\nend") else "",
    extent=lambda document: None,
    read_port=_read_port,
    device_facts=lambda device: Device(**unseen_device()),
)
