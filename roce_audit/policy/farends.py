"""Naming rules: how the descriptions of ports name what is at their far end."""

from __future__ import annotations

import re
from functools import cache

from roce_audit.records import dataclass
from roce_audit.values import Place

_DEVICE, _PORT = "{device}", "{port}"
_PARTS = {_DEVICE: r"([A-Za-z0-9][\w.-]{0,252}?)", _PORT: r"([A-Za-z0-9][\w./:-]{0,60})"}


@dataclass(frozen=True, slots=True)
class FarEndPolicy:
    """One form of description: `{device}` and `{port}` stand for the far end, everything else for itself.

    What stands behind it in the description, after a blank or a bracket, says something else.
    """

    form: str
    at: Place

    def read(self, description: str) -> tuple[str, str] | None:
        """(device, port) of the far end; None where the description has another form."""
        found = _compiled(self.form).match(description.strip())
        if found is None:
            return None
        first, second = found.groups()
        return (first, second) if self.form.index(_DEVICE) < self.form.index(_PORT) else (second, first)


def checked(form: str) -> str:
    """The form itself. Raises ValueError for one that does not name device and port once, or runs them into each other."""
    if form.count(_DEVICE) != 1 or form.count(_PORT) != 1 or len(form) > 200:
        raise ValueError(f"must hold {_DEVICE} and {_PORT} once each, like '{_DEVICE} {_PORT}'")
    if f"{_DEVICE}{_PORT}" in form or f"{_PORT}{_DEVICE}" in form:
        raise ValueError(f"something must stand between {_DEVICE} and {_PORT}")
    return form


@cache
def _compiled(form: str) -> re.Pattern[str]:
    parts = re.split(r"(\{device\}|\{port\})", form.strip())
    return re.compile("".join(_PARTS.get(part, re.escape(part)) for part in parts) + r"(?=$|[\s,;()\[\]])")
