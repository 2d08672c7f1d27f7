"""What the state datastore shows of interfaces beside their configuration: links that are down, and speed and FEC that run.

Nokia, srl_nokia-interfaces.yang: `oper-state` is read-only; `port-speed` and `forward-error-correction` hold in state what runs.
"""

from __future__ import annotations

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.linkstate import LinkState, Runs
from roce_audit.platforms.srlinux.lines import Line
from roce_audit.platforms.srlinux.table import TABLE
from roce_audit.text.document import Document
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import Place

_RUNNING = {
    "ethernet port-speed": "speed_bps",
    "transceiver forward-error-correction": "fec",
    "ethernet forward-error-correction fec-option": "fec",
}
"""Leaves that have in state the value that runs -> the field of a port that they are about."""
_SHOWN = lazy(r"show interface(?: (?:ethernet-|lag)\S{1,20})?(?: detail)?")
_LINK_DOWN = lazy(r"((?:ethernet-|lag)\S{1,20}) is down(?:, reason (\S.{0,60}?))?[ \t]*")
_BY_ADMIN = "port-admin-disabled"
_BY_ITSELF = "ethernet auto-negotiate"
"""A leaf that state shows whether it is configured or not: it is no setting."""


def links_down(links: LinkState, document: Document) -> None:
    """Take what `show interface` says of ports without link, but for those that are switched off."""
    if _SHOWN.fullmatch(document.command or "") is None:
        return
    for number, text in document.numbered():
        found = _LINK_DOWN.fullmatch(text)
        if found is not None and found[2] != _BY_ADMIN:
            links.without_link.setdefault(found[1], Place(document.path, number))


def takes(links: LinkState, path: str, line: Line) -> bool:
    """Whether a line of a state document, of which `links` takes what it shows of a link, is no setting."""
    if line.words[0] != "interface" or len(line.words) < 4:
        return False
    name, leaf, value = line.words[1], " ".join(line.words[2:-1]), line.words[-1]
    place = Place(path, line.lines[-1])
    if leaf == "oper-state" and value == "down":
        links.without_link.setdefault(name, place)
    elif leaf in _RUNNING:
        said = TABLE.parse("interface", f"{leaf} {value}").value
        if isinstance(said, Leaf) and said.value is not None:
            links.runs.setdefault((name, _RUNNING[leaf]), Runs(said.value, f"{leaf} {value}", place))
    return leaf == _BY_ITSELF
