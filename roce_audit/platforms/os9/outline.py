"""The text of OS9 configurations, made ready for cutting into stanzas."""

from __future__ import annotations

import re

from roce_audit.platforms.shared.path.flat_scripts import TwoMeanings
from roce_audit.text.outline import Outline, Outliner

_DCB_MAP = TwoMeanings(
    statement=re.compile(r"dcb-map \S"),
    member=re.compile(r"(?:no )?priority\b"),
    holder=re.compile(r"interface "),
    stanza=re.compile(
        r"(?:interface|class-map|policy-map\S*|qos-policy\S*|dcb-buffer-threshold|dcb-(?:in|out)put|wred-profile|protocol"
        r"|router) "
    ),
)
_NUMBERED_GROUP = re.compile(r"^(?=(?:no )?priority-group [0-9])", re.M)
"""A line of a DCB map; `priority-group NAME` is the header of a stanza."""


class Os9Outliner(Outliner):
    """Cuts OS9 texts; in flat scripts `dcb-map X` under an interface applies the map."""

    def outline(self, text: str, path: str, first_line: int = 1) -> Outline:
        """Cut `text`; see Outliner."""
        inside = _NUMBERED_GROUP.sub("\v", _DCB_MAP.told_apart(text))
        return super().outline(inside, path, first_line)
