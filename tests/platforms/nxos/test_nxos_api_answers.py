"""Answers of NX-OS as JSON: known by what stands in them, whatever wraps them and whatever their file is called."""

from __future__ import annotations

import json
from typing import Any

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.counting import counts_of
from roce_audit.text.document import DeviceInput, Document

CONFIGURATION = (
    "!Command: show running-config\nversion 10.3(4a)\nhostname leaf1\n"
    "interface Ethernet1/2\n  no switchport\n  priority-flow-control mode on\n"
)
ROWS = {"if_name_str": "Ethernet1/2", "admin": "On", "oper": "Off", "vl_bmap": "(0)", "rx-stats": "7", "tx-stats": "12"}
BODY = {"TABLE_module": {"ROW_module": {"TABLE_pfc_interface": {"ROW_pfc_interface": ROWS}}}}
WRAPPED: dict[str, dict[str, Any]] = {
    "plain": BODY,
    "JSON-RPC": {"jsonrpc": "2.0", "result": {"body": BODY}, "id": 1},
    "NX-API": {"ins_api": {"sid": "eoc", "outputs": {"output": {"input": "show", "body": BODY, "code": "200"}}}},
}
COMMANDS = ("show interface priority-flow-control", "show interface priority-flow-control json")


@pytest.mark.parametrize("wrapped", WRAPPED.values(), ids=WRAPPED)
@pytest.mark.parametrize("command", [*COMMANDS, "show interface priority-flow-control | json"])
def test_pfc_as_json(wrapped: dict[str, Any], command: str) -> None:
    answer = Document("pfc.json", json.dumps(wrapped, indent=1), command)
    assert platform("nxos").recognise(answer) >= 90
    device = DeviceInput("leaf1", "nxos", (Document("leaf1.cfg", CONFIGURATION), answer))
    (port,) = platform("nxos").read(device).ports
    assert port.facts.pfc.get().operational.value == frozenset()
    counts = counts_of(device).by_port["ethernet1/2"].values()
    assert {one.name: one.value for one in counts} == {"pause_received": 7, "pause_sent": 12}


def test_another_answer_in_a_file_of_that_name_is_not_taken_for_it() -> None:
    assert platform("nxos").recognise(Document("pfc.json", '{"ports": {"Ethernet1/2": {}}}', COMMANDS[0])) < 90
