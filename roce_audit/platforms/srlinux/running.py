"""PFC of interfaces as the state datastore shows it: `info from state / qos interfaces interface * pfc | as json`.

Nokia, srl_nokia-qos.yang, container pfc: `oper-state` is read-only, and is up where PFC runs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from roce_audit.text.document import Document
from roce_audit.text.jsontext import JsonError
from roce_audit.text.jsontext import parse as parse_json
from roce_audit.text.positions import Path

_COMMAND = re.compile(r"info from state (?:/ ?)?qos interfaces interface \S{1,40}(?: pfc)?(?: statistics)? ?\| ?as json")
_ROOTS = ("qos", "srl_nokia-qos:qos")


def pfc_of_ports(document: Document) -> Iterator[tuple[str, Path, dict[str, Any], Callable[[Path], int]]]:
    """(port, where its `pfc` stands, what stands there, path -> line) of an answer; nothing for other documents."""
    if _COMMAND.fullmatch(document.command or "") is None or document.text.lstrip()[:1] != "{":
        return
    try:
        text = parse_json(document.text, first_line=document.first_line)
    except JsonError:
        return
    for root in _ROOTS:
        where: Path = (root, "interfaces", "interface")
        rows: Any = text.value
        for step in where:
            rows = rows.get(step) if isinstance(rows, dict) else None
        for at, row in enumerate(rows if isinstance(rows, list) else ()):
            pfc = row.get("pfc") if isinstance(row, dict) else None
            if isinstance(pfc, dict) and isinstance(row.get("interface-id"), str):
                yield row["interface-id"], (*where, at, "pfc"), pfc, text.line_of
