"""LLDP neighbours of SR Linux: `show system lldp neighbor`, and the state of `system lldp` as text or JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from roce_audit.platforms.base import Neighbour
from roce_audit.platforms.neighbour import neighbour
from roce_audit.platforms.shared.neighbours.columns import Boxes
from roce_audit.platforms.shared.neighbours.commands import by_command, either
from roce_audit.platforms.shared.neighbours.structured import Answer, items
from roce_audit.text.document import Document
from roce_audit.text.structured.positions import Path
from roce_audit.values import Place

_SHOWN = Boxes(
    {
        "name": "port",
        "neighbor system name": "system",
        "neighbor chassis id": "chassis",
        "neighbor port": "port_id",
    }
)
_LEAVES = {
    "system-name": "system",
    "chassis-id": "chassis",
    "port-id": "port_id",
    "port-id-type": "kind",
    "port-description": "description",
}
_OPENS = re.compile(r"[ \t]*(interface|neighbor) \"?([^\s\"]{1,60})\"? \{[ \t]*")
_LEAF = re.compile(r"[ \t]*([a-z-]{2,30}) (\"[^\"]{0,253}\"|\S{1,253})[ \t]*")


def _text(document: Document) -> Iterator[Neighbour]:
    """`interface X { neighbor Y { leaf value ... } }`."""
    port = ""
    said: dict[str, str] = {}
    place = Place(document.path, document.first_line)
    for number, line in document.numbered():
        opened, leaf = _OPENS.fullmatch(line), _LEAF.fullmatch(line)
        if opened is not None:
            said, place = {}, Place(document.path, number)
            port = opened.group(2) if opened.group(1) == "interface" else port
        elif leaf is not None and leaf.group(1) in _LEAVES:
            said.setdefault(_LEAVES[leaf.group(1)], leaf.group(2))
        elif line.strip() == "}" and said:
            found = neighbour(port, place, **said)
            said = {}
            if found is not None:
                yield found


def _member(value: Any, name: str, path: Path) -> tuple[Path, Any]:
    """(path, value) of a member, with or without its module's name."""
    for key in value if isinstance(value, dict) else ():
        if key.rpartition(":")[2] == name:
            return (*path, key), value[key]
    return path, None


def _json(document: Document) -> Iterator[Neighbour]:
    answer = Answer(document)
    path: Path = ()
    value = answer.value
    for name in ("system", "lldp"):
        deeper, inner = _member(value, name, path)
        path, value = (path, value) if inner is None else (deeper, inner)
    path, value = _member(value, "interface", path)
    for port_path, interface in items(value, path):
        far_path, far = _member(interface, "neighbor", port_path)
        for one_path, one in items(far, far_path):
            said = {name: _member(one, leaf, ())[1] for leaf, name in _LEAVES.items()}
            yield from answer.neighbour(interface.get("name"), one_path, **said)


neighbours = by_command(
    {
        r"show /?\s?system lldp neighbor(?: .*)?": either(_json, _SHOWN.read),
        r"info (?:flat )?(?:detail )?from state /?\s?system lldp(?: .*)?": either(_json, _text),
    }
)
