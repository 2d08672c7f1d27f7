"""The text of OS10 configurations, made ready for cutting into stanzas: same lines, other indentation.

Some statements are global wherever they stand, and one is a stanza in one place and a binding in another.
"""

from __future__ import annotations

import re

from roce_audit.text.outline import Outline, Outliner

_GLOBAL = re.compile(
    r"^[ \t]+(?=(?:system qos|(?:no )?(?:dcbx|lldp) enable|vlt-domain \d+|trust (?:dot1p|dscp)-map \S+|wred \S+"
    r"|(?:class-map|policy-map) type (?:qos|queuing|network-qos)[ \t][^\n]*"
    r"|interface (?:range )?(?:ethernet|port-channel|vlan) ?\d[^\n]*)[ \t]*$)",
    re.M | re.I,
)
_SWITCHED = re.compile(r"^!(?=\n(?:no )?(?:dcbx|lldp) enable[ \t]*$)", re.M)
_QOS_MAP = re.compile(r"^qos-map traffic-class \S", re.M)
_MEMBER = re.compile(r"(?:no )?queue \d")
_HOLDS_A_BINDING = re.compile(r"interface |system qos\b")
_STANZA = re.compile(
    r"(?:interface|class-map|policy-map|trust (?:dot1p|dscp)-map|wred|vlt-domain|port-group|router) |system qos\b"
)


class Os10Outliner(Outliner):
    """Cuts OS10 texts, of which scripts are often written without regard to indentation."""

    def outline(self, text: str, path: str, first_line: int = 1) -> Outline:
        """Cut `text`; see Outliner."""
        margins = _GLOBAL.sub("", text)
        return super().outline(_bindings_indented(_SWITCHED.sub("end", margins)), path, first_line)


def _bindings_indented(text: str) -> str:
    """In a flat script, `qos-map traffic-class X` under an interface applies the map; with `queue` lines it defines it."""
    if not _QOS_MAP.search(text):
        return text
    lines = text.split("\n")
    holder = ""
    for index, line in enumerate(lines):
        if _QOS_MAP.match(line):
            if _HOLDS_A_BINDING.match(holder) and not _defines(lines, index):
                lines[index] = " " + line
            else:
                holder = line
        elif _STANZA.match(line):
            holder = line
    return "\n".join(lines)


def _defines(lines: list[str], index: int) -> bool:
    """Whether the next statement is a line of a map."""
    for line in lines[index + 1 : index + 8]:
        text = line.strip()
        if text and not text.startswith("!"):
            return _MEMBER.match(text) is not None
    return False
