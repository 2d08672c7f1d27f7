"""Tables of Windows hosts."""

from __future__ import annotations

_JSON = " | ConvertTo-Json -Depth 4"
COMMANDS = tuple(
    name + _JSON
    for name in (
        "Get-NetAdapter",
        "Get-NetAdapterRdma",
        "Get-NetAdapterQos",
        "Get-NetAdapterAdvancedProperty",
        "Get-NetQosFlowControl",
        "Get-NetQosTrafficClass",
        "Get-NetQosPolicy",
        "Get-NetQosDcbxSetting",
    )
)
"""Run once a host: each answers for all adapters."""

NEEDS = {
    "pfc": f"Get-NetAdapterQos{_JSON}, Get-NetQosFlowControl{_JSON}",
    "queues": f"Get-NetAdapterQos{_JSON}, Get-NetQosTrafficClass{_JSON}",
    "classes": f"Get-NetAdapterQos{_JSON}, Get-NetQosTrafficClass{_JSON}",
    "priorities": f"Get-NetAdapterQos{_JSON}, Get-NetQosTrafficClass{_JSON}",
    "pcp": f"Get-NetAdapterQos{_JSON}",
    "dcbx": f"Get-NetQosDcbxSetting{_JSON}",
    "speed_bps": f"Get-NetAdapter{_JSON}",
    "admin_up": f"Get-NetAdapter{_JSON}",
    "ip_mtu_bytes": f"Get-NetAdapterAdvancedProperty{_JSON} (*JumboPacket)",
    "link_pause_rx": f"Get-NetAdapterAdvancedProperty{_JSON} (*FlowControl)",
    "link_pause_tx": f"Get-NetAdapterAdvancedProperty{_JSON} (*FlowControl)",
    "kind": f"Get-NetAdapterAdvancedProperty{_JSON} (*NetworkDirectTechnology)",
    "nic.rdma_device": f"Get-NetAdapterRdma{_JSON}",
}

OWN_TOOLS = frozenset(
    {
        "Get-NetAdapter",
        "Get-NetAdapterRdma",
        "Get-NetAdapterQos",
        "Get-NetAdapterAdvancedProperty",
        "Get-NetQosFlowControl",
        "Get-NetQosTrafficClass",
        "Get-NetQosPolicy",
        "Get-NetQosDcbxSetting",
    }
)
"""Tools whose lone answers, without a command's name, this platform takes."""
