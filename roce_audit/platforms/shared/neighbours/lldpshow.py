"""The table that `lldpshow` prints, with which SONiC and what grew from it show LLDP neighbours."""

from __future__ import annotations

from roce_audit.platforms.shared.neighbours.columns import Columns

TABLE = Columns(
    {
        "LocalPort": "port",
        "RemoteDevice": "system",
        "RemotePortID": "port_id",
        "Capability": "",
        "RemotePortDescr": "description",
    }
)
