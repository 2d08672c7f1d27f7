"""`show qos wred-policy`: each policy as the statements it comes to. Only what green packets get is taken: nothing else is judged.

Form: dellemc.enterprise_sonic, the examples of sonic_qos_wred. The thresholds are in the unit of the statements.
"""

from __future__ import annotations

from collections.abc import Sequence

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.cli.programmed import Programmed, as_configured
from roce_audit.text.document import Document

_COMMAND = lazy(r"show qos wred-policy(?: [^|]{1,80})?\Z")
_FIELD = lazy(
    r" *+(Policy|ecn|green-min-threshold|green-max-threshold|green-drop-probability) *+: *+(?:ecn_)?+(\S{1,64}+)(?: ++KBytes)?+ *+"
)
_CURVE = 3
"""Both thresholds and the probability."""


def programmed(answer: Document, documents: Sequence[Document]) -> Programmed | None:
    """The policies of this answer; None for another one."""
    if _COMMAND.match(answer.command or "") is None:
        return None
    lines: list[tuple[str, int]] = []
    curve: dict[str, str] = {}
    begins = 0
    for number, text in answer.numbered():
        found = _FIELD.fullmatch(text[:200])
        if found is None:
            continue
        name, value = found[1], found[2]
        if name == "Policy":
            lines.append((f"qos wred-policy {value}", number))
            curve.clear()
        elif name == "ecn":
            lines.append((f" ecn {value}", number))
        else:
            begins = begins if curve else number
            curve[name] = value
            if name == "green-drop-probability" and len(curve) == _CURVE:
                low, high = curve["green-min-threshold"], curve["green-max-threshold"]
                said = f" green minimum-threshold {low} maximum-threshold {high} drop-probability {value}"
                lines.append((said, begins))
    return Programmed(as_configured(answer, lines), is_read=bool(lines))
