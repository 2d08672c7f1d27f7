"""The statements of the toy, and what they say of a port."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from roce_audit.platforms.shared.cli.fold import PortFold

from roce_audit.model import Device, Port
from roce_audit.platforms.base import Labels, unseen_device
from roce_audit.platforms.shared.cli.syntax import Interfaces, PortContext, Syntax
from roce_audit.text.block import Part
from roce_audit.text.dialect import Dialect
from roce_audit.text.document import Document
from roce_audit.text.fill import Default
from roce_audit.text.outline import Outliner
from roce_audit.values import At

DEFAULTS = {
    "ip_mtu_bytes": Default(1500, "Toy manual: MTU 1500"),
    "admin_up": Default(True, "Toy manual: ports are up"),
    "nic": Default(None, "a switch port"),
}
_HOSTNAME = re.compile(r"^hostname (\S{1,63})$", re.M)
_GRAMMAR = """
port: "interface" NAME -> nothing
    | "mtu" INT -> mtu
    | "lossless" "priority" INT -> lossless
INT: /[0-9]{1,5}/
NAME: /\\S+/
_BLANK: " "+
%ignore _BLANK
"""


class Said(NamedTuple):
    """A statement: the path that it sets, and the value."""

    path: str
    value: object


_RULES = {
    "nothing": lambda name: (),
    "mtu": lambda text: Said("ip_mtu_bytes", int(text)),
    "lossless": lambda text: Said("pfc.priorities", frozenset({int(text)})),
}
_DIALECT = Dialect(
    name="toyos",
    grammar=lambda: _GRAMMAR,
    rules=_RULES,
    topics={"top": {}, "port": {"interface": "", "mtu": "ip_mtu_bytes", "lossless": "pfc.priorities"}},
    openers={"top": {"interface": "port"}},
    labels={"port": frozenset({"description"})},
)


def hostname(document: Document) -> str | None:
    """The configured host name."""
    found = _HOSTNAME.search(document.text)
    return found.group(1) if found is not None else None


def _labels(lines: Sequence[str], kind: str) -> Labels:
    return Labels(description=" ".join(line.partition(" ")[2] for line in lines))


class _Fold(PortFold):
    dialect = _DIALECT
    order = ("port",)

    def on_said(self, said: Said, role: str, at: At) -> None:
        """What a statement sets."""
        self.settings.set(said.path, said.value, at)

    handlers = {Said: on_said}


def _read_port(parts: tuple[Part, ...], context: PortContext) -> Port:
    fold = _Fold(parts, context)
    fold.fold()
    return fold.filled(DEFAULTS)


SYNTAX = Syntax(
    name="toyos",
    dialect=_DIALECT,
    outliner=Outliner(_DIALECT, lambda header, text, end: None),
    interfaces=Interfaces({"brick": "ethernet"}, {"brick": "brick"}),
    words={},
    builtin=frozenset(),
    device_modes=frozenset(),
    named_by=lambda value, mode: (),
    labels=_labels,
    lag_of=lambda value: "",
    complete_because=lambda document: "end mark" if document.text.rstrip().endswith("\nend") else "",
    looks_complete=lambda document: False,
    read_port=_read_port,
    device_facts=lambda device: Device(**unseen_device()),
)
