"""The cmdlets of a Windows host as statements."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.platforms.described import Statement, of_tool
from roce_audit.platforms.windows.tools import TOOLS


def statements() -> Iterator[Statement]:
    """Cmdlet by cmdlet; QoS policies concern the host and not one adapter."""
    for tool in TOOLS:
        yield from of_tool(tool)
    yield Statement("Get-NetQosPolicy", "NetDirectPort, NetDirectPortMatchCondition", ("host.smb_direct_priority",))
    yield Statement("Get-NetQosPolicy", "Name and Template of the default policy", ("host.default_priority",))
