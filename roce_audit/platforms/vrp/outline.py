"""VRP texts, made ready for cutting into stanzas: same lines, without the remarks of printed scripts, the prompts
of pasted sessions, and `quit` and `commit` as a terminal takes them.
"""

from __future__ import annotations

import re

from roce_audit.platforms.shared.cli.prompts import without_prompts
from roce_audit.text.outline import Outline, Outliner

_REMARK = re.compile(r"(?<![ \t])[ \t]+//[^\n]*$", re.M)
_QUIT = re.compile(r"^([ \t]*)quit[ \t]*$", re.M)
_COMMIT = re.compile(r"^[ \t]*commit[ \t]*$", re.M)
_OF_LAYER_2 = " mode l2"
"""Behind the name of a subinterface whose packets are bridged (CloudEngine command reference, interface): no part of the name."""
_PROFILE_WORDS = 3
"""`dcb pfc NAME` opens a profile; what goes on is a statement of the switch."""


class VrpOutliner(Outliner):
    """Cuts VRP texts."""

    def outline(self, text: str, path: str, first_line: int = 1) -> Outline:
        """Cut `text`; see Outliner."""
        text = _COMMIT.sub("", _QUIT.sub(r"\1exit", without_prompts(_REMARK.sub("", text))))
        return super().outline(text, path, first_line)

    def _header(self, header: str) -> tuple[str, str | None, bool]:
        clean, mode, ours = super()._header(header)
        if mode == "pfcprofile" and clean.count(" ") >= _PROFILE_WORDS:
            return clean, None, self.table.paths("top", clean) is not None
        return clean.removesuffix(_OF_LAYER_2) if mode == "port" else clean, mode, ours
