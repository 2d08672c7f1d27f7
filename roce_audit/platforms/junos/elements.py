"""The answer of `show interfaces` as XML or JSON, told in the lines of its table: each element stands on the line where it stood.

Junos writes one element a line (`| display xml`), and one value a line below its name (`| display json`). The names are those of the
Junos XML API, interface-information.
"""

from __future__ import annotations

import re
from dataclasses import replace

from roce_audit.text.document import Document

_ROOT = re.compile(r"[<\"](?:\w{1,20}:)?interface-information[\s>\"]")
_REPLY = re.compile(
    r"\A\s*(?:<\?xml[^<>]{0,200}>\s*)?<rpc-reply[^<>]{0,300}>\s*<(?!(?:\w{1,20}:)?(?:configuration|data|ok|rpc-error|error)\b)[a-z]"
)
_CONFIGURATION = re.compile(r"<(?:\w{1,20}:)?(?:configuration|rpc-error)[\s>-]")
_STATEMENTS = re.compile(r"<configuration-(set|text|output)(?: [^<>]{0,300})?>")
"""Where `get-configuration format="set"`, `format="text"` and `show configuration` as a command put the statements."""
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}
_ANSWER = re.compile(
    r"\A\s*(?:<rpc-reply[^<>]{0,300}>\s*)?(?:<|\{\s*\")(?:\w{1,20}:)?([a-z][a-z0-9-]{1,60}-information)[\s>\"]"
)
_XML = re.compile(r"\s*<([a-z][a-z0-9_-]{1,60})(?: [^<>]{0,300})?>([^<>]{0,200})</\1>\s*")
_JSON_NAME = re.compile(r"\s*\"([a-z][a-z0-9_-]{1,60})\" ?: ?\[\s*")
_JSON_VALUE = re.compile(r"\s*\"data\" ?: ?\"?([^\"]{0,200}?)\"?,?\s*")
_TABLE = {
    "mtu": " Link-level type: Ethernet, MTU: {},",
    "speed": " Speed: {},",
    "if-flow-control": " Flow control: {},",
    "interface-flow-control": " Flow control: {},",
    "enabled_fec_mode": "  Ethernet FEC Mode  : {}",
    "fec_ccw_count": "    FEC Corrected Errors {}",
    "fec_nccw_count": "    FEC Uncorrected Errors {}",
    "input-crc-errors": "    CRC/Align errors {} 0",
    "interface-statistics-last-cleared": "  Statistics last cleared: {}",
    "statistics-cleared": "  Statistics last cleared: {}",
}
_STATES = {"up": "Enabled", "down": "Administratively down"}
_HEAD = 2_000


def is_answer(document: Document) -> bool:
    """Whether a document that names no command is an answer in XML or JSON, and no configuration."""
    head = document.text[:_HEAD]
    if document.command is not None or _ANSWER.match(head) is not None:
        return document.command is None
    return _REPLY.match(head) is not None and _CONFIGURATION.search(document.text) is None


def as_typed(document: Document) -> Document:
    """The document with the statements that a reply in XML holds as text, where it is such a reply; any other as it is."""
    begun = _STATEMENTS.search(document.text) if document.text.lstrip()[:1] == "<" else None
    end = document.text.find(f"</configuration-{begun[1]}>", begun.end()) if begun is not None else -1
    if begun is None or end < 0:
        return document
    text = document.text[begun.end() : end]
    for entity, character in _ENTITIES.items():
        text = text.replace(entity, character)
    row = document.text.count("\n", 0, begun.end())
    return replace(document, text=text, first_line=document.first_line + row, lines=document.lines[row:])


def as_table(document: Document) -> Document:
    """The document with its text as a table, where it is such an answer; any other as it is."""
    if document.text.lstrip()[:1] not in ("<", "{") or _ROOT.search(document.text[:_HEAD]) is None:
        return document
    told = _Told()
    text = "\n".join(map(told.line, document.text.split("\n")))
    return replace(document, text=text, command=document.command or "show interfaces extensive")


class _Told:
    """What the lines before have said of the port."""

    def __init__(self) -> None:
        self.key = self.name = self.queue = ""
        self.admin = "Enabled"
        self.is_logical = False

    def line(self, line: str) -> str:
        """The line of the table for one of the answer; an empty one where it holds nothing of the table."""
        element, named, value = _XML.fullmatch(line), _JSON_NAME.fullmatch(line), _JSON_VALUE.fullmatch(line)
        if element is not None:
            return self._said(element[1], element[2].strip())
        if named is not None:
            self.key = named[1]
        return self._said(self.key, value[1].strip()) if value is not None else ""

    def _said(self, name: str, value: str) -> str:
        if name == "name":
            self.is_logical = bool(self.name) and value.startswith(f"{self.name}.")
            self.name = self.name if self.is_logical else value
        elif name == "mtu" and self.is_logical:
            return ""  # that of a family of addresses
        elif name == "admin-status":
            self.admin = _STATES.get(value, self.admin)
        elif name == "oper-status":
            return f"Physical interface: {self.name}, {self.admin}, Physical link is {value.capitalize()}"
        elif name == "queue-number":
            self.queue = value
        elif name == "queue-counters-trans-packets":
            return "  Queue counters: Queued packets Transmitted packets Dropped packets"
        elif name == "queue-counters-total-drop-packets":
            return f"    {self.queue} 0 0 {value}"
        return _TABLE[name].format(value.capitalize() if "flow-control" in name else value) if name in _TABLE else ""
