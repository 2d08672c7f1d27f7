"""Profiles of whole ports: each port that pauses has one of the lossless pool, and lossless profiles lie in that pool."""

from __future__ import annotations

import json
from typing import Any

import pytest

from roce_audit.platforms.sonic import PLATFORM
from roce_audit.text.document import DeviceInput, Document

INGRESS, EGRESS = "BUFFER_PORT_INGRESS_PROFILE_LIST", "BUFFER_PORT_EGRESS_PROFILE_LIST"
PORTS = [f"Ethernet{4 * number}" for number in range(5)]


def database(count: int = 5) -> dict[str, Any]:
    ports = PORTS[:count]
    return {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf1", "buffer_model": "dynamic"}},
        "PORT": {port: {"speed": "100000", "lanes": "1", "admin_status": "up"} for port in ports},
        "PORT_QOS_MAP": {port: {"pfc_enable": "3"} for port in ports},
        "BUFFER_POOL": {
            f"{way}_{kind}_pool": {"type": way} for way in ("ingress", "egress") for kind in ("lossless", "lossy")
        },
        "BUFFER_PROFILE": {
            f"{way}_{kind}_profile": {"pool": f"{way}_{kind}_pool", "size": "0", "dynamic_th": "7"}
            for way in ("ingress", "egress")
            for kind in ("lossless", "lossy")
        },
        INGRESS: {port: {"profile_list": "ingress_lossless_profile,ingress_lossy_profile"} for port in ports},
        EGRESS: {port: {"profile_list": ["egress_lossless_profile", "egress_lossy_profile"]} for port in ports},
    }


def told(tables: dict[str, Any]) -> list[str]:
    document = Document("config_db.json", json.dumps(tables, indent=1))
    reading = PLATFORM.read(DeviceInput("leaf1", "sonic", (document,)))
    return [one.observation.text for one in reading.seen if one.observation.kind == "conflict"]


def test_lists_that_agree_are_quiet() -> None:
    assert not told(database())


@pytest.mark.parametrize("table", [INGRESS, EGRESS])
@pytest.mark.parametrize(("count", "found"), [(5, 1), (3, 0)])
def test_a_port_without_its_list(table: str, count: int, found: int) -> None:
    tables = database(count)
    del tables[table]["Ethernet8"]
    assert len([text for text in told(tables) if f"{table} of Ethernet8 is missing" in text]) == found


def test_a_list_without_the_lossless_profile() -> None:
    tables = database()
    tables[INGRESS]["Ethernet8"] = {"profile_list": "[BUFFER_PROFILE|ingress_lossy_profile]"}
    (text,) = told(tables)
    assert "Ethernet8 names no profile of ingress_lossless_pool" in text


def test_lists_of_several_ports_and_ports_that_are_down() -> None:
    tables = database()
    row = tables[INGRESS]["Ethernet0"]
    tables[INGRESS] = {",".join(PORTS[:4]): row}
    assert len(told(tables)) == 1
    tables["PORT"][PORTS[4]]["admin_status"] = "down"
    assert not told(tables)


def test_a_share_of_nothing() -> None:
    tables = database()
    tables["BUFFER_PROFILE"]["ingress_lossless_profile"]["dynamic_th"] = "-8"
    (text,) = told(tables)
    assert "the port gets nothing of ingress_lossless_pool" in text


def test_a_lossless_profile_among_the_lossy_ones() -> None:
    tables = database()
    tables["BUFFER_PROFILE"]["egress_lossless_profile"]["pool"] = "egress_lossy_pool"
    assert any("lies in egress_lossy_pool" in text for text in told(tables))
    del tables["BUFFER_POOL"]["egress_lossless_pool"]
    assert not any("lies in egress_lossy_pool" in text for text in told(tables))
