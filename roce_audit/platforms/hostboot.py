"""What follows from a host's boot files for settings that none of them makes."""

from __future__ import annotations

from roce_audit.platforms.hostclaims import Facts
from roce_audit.values import Why

BY_TOOLS = ("nic.persisted.pfc.priorities", "nic.persisted.trust")
"""What NIC tools set at boot."""
MTU = "nic.persisted.ip_mtu_bytes"
SOMEWHERE = "_boot_somewhere"
"""Note: a call was seen whose NIC could not be told."""
PLACES = "_boot_places"
"""Note: every place of boot files was read whole."""
MANAGER = "_boot_manager"
"""Note: whether a service runs that may set up NICs after the boot files."""


def conclude(facts: Facts) -> None:
    """Settle what no boot file was seen to set.

    Without any sign of boot files all of it stays not visible. Else nobody was seen to set it, which is absent: rules do not
    ask. Only PFC is certain to be off where every place was read and no other service sets up NICs: without a setting a NIC
    comes up without PFC, while trust and MTU are its driver's choice, or DHCP's.
    """
    places, manager = facts.cell(PLACES), facts.cell(MANAGER)
    if places is None and not any(True for _ in facts.below("nic.persisted")):
        return
    for path in (*BY_TOOLS, MTU):
        if facts.cell(path) is not None:
            continue
        somewhere = facts.cell(f"{SOMEWHERE}.{path}")
        unclear = next((cell for cell in (places, manager) if cell is not None and cell.is_unknown), None)
        if unclear is not None and path == BY_TOOLS[0]:
            facts.put(path, unclear)
        elif somewhere is not None:
            facts.doubt(path, Why.NOT_VISIBLE, *somewhere.at)
        elif path == BY_TOOLS[0] and places is not None and manager is not None and manager.value is False:
            facts.claim(path, frozenset(), *places.at)
        else:
            facts.claim_absent(path)
