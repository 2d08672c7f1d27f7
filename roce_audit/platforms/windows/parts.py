"""The readers of PowerShell's cmdlets, and what they mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roce_audit.platforms.record import Parts
from roce_audit.platforms.shared.host.parts import HostParts
from roce_audit.platforms.shared.host.reader import read_host
from roce_audit.platforms.windows import adapters, family, policies, scripts
from roce_audit.text.document import Document

if TYPE_CHECKING:
    from roce_audit.platforms.statement_docs import Documentation

TOOLS = (*adapters.TOOLS, *policies.TOOLS, *scripts.TOOLS)


def _hostname(document: Document) -> str | None:
    """The answer of `hostname`."""
    words = document.text[:500].split()
    return words[0] if document.command == "hostname" and words else None


def _documentation() -> Documentation:
    from roce_audit.platforms.statement_docs import Documentation, defaults_in
    from roce_audit.platforms.windows.statement_docs import statements

    return Documentation(tuple(statements()), defaults_in(family))


PARTS = Parts(
    read=read_host,
    hostname=_hostname,
    documentation=_documentation,
    host=HostParts(tools=TOOLS, families=(family.WINDOWS,)),
)
