"""`show interfaces | json`: link, speed, MTU and what else runs on a port, as the text form tells it."""

from __future__ import annotations

import json
from typing import Any

from roce_audit import platforms
from roce_audit.model import Port
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document

EOS = """! device: a (DCS-7060DX5-64S, EOS-4.31.2F)
hostname a
interface Ethernet6/1
   mtu 9214
   no switchport
   ip address 10.0.0.0/31
   priority-flow-control on
end
"""
NXOS = """version 10.3(4a)
hostname a
interface Ethernet1/8
  mtu 9216
  priority-flow-control mode on
  no shutdown
"""


def read(platform: str, configuration: str, command: str, answer: Any) -> tuple[Port, DeviceReading]:
    documents = (
        Document("a.cfg", configuration, "show running-config"),
        Document("b.json", json.dumps(answer, indent=1), command),
    )
    reading = platforms.platform(platform).read(DeviceInput("a", platform, documents))
    (port,) = reading.ports
    return port.facts, reading


def _eos(**changed: object) -> tuple[Port, DeviceReading]:
    entry = {"forwardingModel": "routed", "interfaceStatus": "connected", "mtu": 9214, "bandwidth": 400_000_000_000}
    return read("eos", EOS, "show interfaces | json", {"interfaces": {"Ethernet6/1": entry | changed}})


def test_eos() -> None:
    port, reading = _eos()
    assert (port.link_up.value, port.speed_bps.value, port.ip_mtu_bytes.value) == (True, 400 * 10**9, 9214)
    assert not reading.seen
    assert _eos(mtu=1500)[0].ip_mtu_bytes.value == 1500
    assert {one.observation.kind for one in _eos(interfaceStatus="errdisabled")[1].seen} == {"error-disabled"}
    assert {one.observation.kind for one in _eos(interfaceStatus="notconnect")[1].seen} == {"no-link"}
    assert _eos(forwardingModel="bridged", mtu=1500)[0].ip_mtu_bytes.value == 9214
    assert not _eos(bandwidth=0)[1].seen
    assert _eos(mtu="much")[0].ip_mtu_bytes.is_unknown


def _nxos(**changed: object) -> tuple[Port, DeviceReading]:
    entry = {"interface": "Ethernet1/8", "state": "up", "admin_state": "up", "eth_mtu": "9216", "eth_speed": "400 Gb/s"}
    entry |= {"eth_in_flowctrl": "off", "eth_out_flowctrl": "off", "eth_oper_fec_state": "Rs-fec"}
    answer = {"TABLE_interface": {"ROW_interface": [{"interface": "mgmt0", "state": "up"}, entry | changed]}}
    return read("nxos", NXOS, "show interface | json", answer)


def test_nxos() -> None:
    port, reading = _nxos()
    assert (port.link_up.value, port.speed_bps.value, port.fec.value) == (True, 400 * 10**9, "rs")
    assert not reading.seen
    assert port.ip_mtu_bytes.value == 9216
    assert _nxos(eth_mtu="1500")[0].ip_mtu_bytes.value == 1500
    assert _nxos(eth_in_flowctrl="on")[0].link_pause_rx.value is True
    assert _nxos(eth_oper_fec_state="Kp-fec")[0].fec.value == "rs"
    down = _nxos(state="down", state_rsn_desc="Link not connected")
    assert {one.observation.kind for one in down[1].seen} == {"no-link"}
    assert down[0].link_up.is_absent
    shut = _nxos(state="down", state_rsn_desc="linkFlapErrDisabled")
    assert {one.observation.kind for one in shut[1].seen} == {"error-disabled"}
    assert _nxos(eth_speed="fast b/s")[0].speed_bps.is_unknown
