"""The text of OS10 configurations, made ready for cutting into stanzas: same lines, other indentation.

Some statements are global wherever they stand, and one is a stanza in one place and a binding in another.
"""

from __future__ import annotations

import re

from roce_audit.platforms.shared.path.flat_scripts import TwoMeanings
from roce_audit.text.outline import Outline, Outliner

_GLOBAL = re.compile(
    r"^[ \t]+(?=(?:system qos|(?:no )?(?:dcbx|lldp) enable|vlt-domain \d+|trust (?:dot1p|dscp)-map \S+|wred \S+"
    r"|(?:class-map|policy-map) type (?:qos|queuing|network-qos)[ \t][^\n]*"
    r"|interface (?:range )?(?:ethernet|port-channel|vlan) ?\d[^\n]*)[ \t]*$)",
    re.M | re.I,
)
_SWITCHED = re.compile(r"^!(?=\n(?:no )?(?:dcbx|lldp) enable[ \t]*$)", re.M)
_QOS_MAP = TwoMeanings(
    statement=re.compile(r"qos-map traffic-class \S"),
    member=re.compile(r"(?:no )?queue \d"),
    holder=re.compile(r"interface |system qos\b"),
    stanza=re.compile(
        r"(?:interface|class-map|policy-map|trust (?:dot1p|dscp)-map|wred|vlt-domain|port-group|router) |system qos\b"
    ),
)


class Os10Outliner(Outliner):
    """Cuts OS10 texts, of which scripts are often written without regard to indentation."""

    def outline(self, text: str, path: str, first_line: int = 1) -> Outline:
        """Cut `text`; see Outliner."""
        margins = _GLOBAL.sub("", text)
        return super().outline(_QOS_MAP.told_apart(_SWITCHED.sub("end", margins)), path, first_line)
