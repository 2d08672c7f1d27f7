"""The cmdlets of a Windows host as statements."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.platforms.statement_docs import Statement, of_tools
from roce_audit.platforms.windows.parts import TOOLS


def statements() -> Iterator[Statement]:
    """Cmdlet by cmdlet; QoS policies concern the host and not one adapter."""
    yield from of_tools(TOOLS)
    paths = ("host.smb_direct_priority", "host.smb_direct_untagged")
    yield Statement("Get-NetQosPolicy", "NetDirectPort, NetDirectPortMatchCondition", paths)
    yield Statement("Get-NetQosPolicy", "Name and Template of the default policy", ("host.default_priority",))
