"""Windows hosts: a folder of PowerShell answers, each through `ConvertTo-Json`; and scripts that set hosts up."""

from __future__ import annotations

from roce_audit.platforms.record import Parts, Platform
from roce_audit.platforms.shared.host.signature import answers
from roce_audit.platforms.signature import ANYTHING, Form
from roce_audit.text.document import Document

_JSON = " | ConvertTo-Json -Depth 4"
_CMDLETS = (
    "Get-NetAdapter",
    "Get-NetAdapterRdma",
    "Get-NetAdapterQos",
    "Get-NetAdapterAdvancedProperty",
    "Get-NetQosFlowControl",
    "Get-NetQosTrafficClass",
    "Get-NetQosPolicy",
    "Get-NetQosDcbxSetting",
)
"""Run once a host: each answers for all adapters."""
_CALLED = (
    "-NetQosFlowControl",
    "-NetQosPolicy",
    "-netqosflowcontrol",
    "-netqospolicy",
    "-Netqos",
    "-NETQOS",
    "-NetIntent ",
)
"""What a script that sets hosts up calls; PowerShell asks for no capitals, and people write these or none."""
_SURE = 95


def _is_script(document: Document) -> bool:
    from roce_audit.platforms.windows.scripts import is_script

    return is_script(document)


def _load() -> Parts:
    from roce_audit.platforms.windows.parts import PARTS

    return PARTS


PLATFORM = Platform(
    name="windows",
    kind="host",
    load=_load,
    signature=(
        *answers("powershell", frozenset(_CMDLETS), _SURE),
        Form(commands=r"\A\Z", words=_CALLED, marks={ANYTHING: _SURE}, confirm=_is_script),
        # what every host has: it counts once one of the cmdlets is there
        Form(commands=r"\A(?:hostname|env)(?: |\Z)", marks={ANYTHING: _SURE}),
    ),
    commands=tuple(name + _JSON for name in _CMDLETS),
    needs={
        "pfc": f"Get-NetAdapterQos{_JSON}, Get-NetQosFlowControl{_JSON}",
        "queues": f"Get-NetAdapterQos{_JSON}, Get-NetQosTrafficClass{_JSON}",
        "classes": f"Get-NetAdapterQos{_JSON}, Get-NetQosTrafficClass{_JSON}",
        "priorities": f"Get-NetAdapterQos{_JSON}, Get-NetQosTrafficClass{_JSON}",
        "priorities.*.group": "nothing: Windows shows no buffers of a NIC",
        "queues.*.max_rate_bps": "nothing: Windows shows no rate of a traffic class",
        "pcp": f"Get-NetAdapterQos{_JSON}",
        "dcbx.owner": "nothing: Windows shows no agent of the NIC's firmware",
        "dcbx": f"Get-NetQosDcbxSetting{_JSON}",
        "speed_bps": f"Get-NetAdapter{_JSON}",
        "admin_up": f"Get-NetAdapter{_JSON}",
        "ip_mtu_bytes": f"Get-NetAdapterAdvancedProperty{_JSON} (*JumboPacket)",
        "link_pause_rx": f"Get-NetAdapterAdvancedProperty{_JSON} (*FlowControl)",
        "link_pause_tx": f"Get-NetAdapterAdvancedProperty{_JSON} (*FlowControl)",
        "kind": f"Get-NetAdapterAdvancedProperty{_JSON} (*NetworkDirectTechnology)",
        "nic.rdma_device": f"Get-NetAdapterRdma{_JSON}",
    },
    programs=_CMDLETS,
    bare_programs=_CMDLETS,
    unread_forms={
        r"\bqosPolicyOverrides\b": "intents of Network ATC with settings of QoS: check what the hosts have",
    },
)
