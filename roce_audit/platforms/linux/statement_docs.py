"""The answers that a Linux host gives, and the settings of its libraries and kernel, as statements."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.platforms.linux.env import SYSCTL_FIELDS
from roce_audit.platforms.linux.tools import TOOLS
from roce_audit.platforms.shared.host.settings import NUMBERS, TRANSPORTS, WORDS
from roce_audit.platforms.statement_docs import Statement, of_tools


def statements() -> Iterator[Statement]:
    """Tool by tool, then the variables and kernel parameters, which no tool has lines for."""
    yield from of_tools(TOOLS)
    transports = {field: variable for field, (variable, _) in TRANSPORTS.items()}
    for field, variable in {**NUMBERS, **WORDS, **transports}.items():
        yield Statement("environment", variable, (f"host.{field}",))
    for key, field in SYSCTL_FIELDS.items():
        yield Statement("sysctl", key.replace("/", "."), (f"host.{field}",))
