"""What programs polled of the ports of switches, in the forms in which they keep it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from roce_audit.platforms import platform
from roce_audit.sources.devices import load
from roce_audit.sources.splitting.polled import split

_P = "Ethernet1/1"
_GNMI = [
    {
        "source": "leaf1:6030",
        "updates": [
            {
                "Path": f"interfaces/interface[name={_P}]/state",
                "values": {
                    "interfaces/interface/state": {
                        "openconfig-interfaces:mtu": 1500,
                        "openconfig-interfaces:oper-status": "UP",
                    }
                },
            }
        ],
    }
]
_FORMS: dict[str, tuple[Any, str]] = {
    "NAPALM": ({"leaf1": {"get_interfaces": {_P: {"is_up": True, "is_enabled": True, "mtu": 1500, "speed": 400000.0}}}}, "leaf1"),
    "SuzieQ": ([{"hostname": "leaf1", "ifname": _P, "state": "up", "adminState": "up", "mtu": 1500}], "leaf1"),
    "gnmic": (_GNMI, "leaf1"),
    "OpenConfig": (
        {"oc:interfaces": {"interface": [{"name": _P, "config": {"mtu": 9214}, "state": {"mtu": 1500, "oper-status": "UP"}}]}},
        "",
    ),
    "Genie": ({_P: {"oper_status": "up", "enabled": True, "mtu": 1500, "bandwidth": 400000000}}, ""),
    "Ansible": (
        {"ansible_facts": {"ansible_net_hostname": "leaf1", "ansible_net_interfaces": {_P: {"operstatus": "connected", "mtu": 1500}}}},
        "leaf1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", _FORMS)
def test_each_form_tells_the_mtu(form: str) -> None:
    value, host = _FORMS[form]
    text = json.dumps(value, indent=1)
    (found,) = [one for name, one in split(text).items() if name == host]
    assert found.text == f"{_P} mtu 1500"
    assert "1500" in text.split("\n")[found.lines[0] - 1]


def test_metrics_of_exporters() -> None:
    text = (
        "# TYPE ifMtu gauge\n"
        'ifMtu{ifName="Ethernet1/1",instance="leaf1:9116"} 1500\n'
        'ifMtu{ifName="Ethernet1/1",instance="192.0.2.1"} 9.214e+03 1772600000000\n'
        'node_network_speed_bytes{device="swp2"} 1.25e+10\n'
    )
    found = {host: (one.text, one.lines) for host, one in split(text).items()}
    assert found == {"leaf1": ("Ethernet1/1 mtu 1500", (2,)), "": ("Ethernet1/1 mtu 9214\nswp2 speed 100000", (3, 4))}


@pytest.mark.parametrize(
    ("record", "rows"),
    [
        ({"port": "Et1/1", "status": "connected", "speed": "100G"}, ["Et1/1 speed 100000"]),
        ({"port": "Et1/1", "status": "errdisabled", "speed": "100G"}, ["Et1/1 link down"]),
        ({"ifname": "Et1/1", "state": "down", "adminState": "down", "mtu": 1500}, []),
        ({"ifname": "Et1/1", "state": "down", "adminState": "up", "mtu": 1500}, ["Et1/1 link down"]),
        ({"name": "Et1/1", "mtu": 1500, "enabled": True}, []),
        ({"ifname": "Et1/1", "state": "up", "mtu": "many"}, []),
    ],
    ids=["table", "shut by the switch", "switched off", "without link", "what is meant to be", "no number"],
)
def test_a_record_counts_where_it_says_whether_the_port_is_up(record: dict[str, Any], rows: list[str]) -> None:
    assert [line for one in split(json.dumps([record])).values() for line in one.text.split("\n")] == rows


_CONFIGURATION = """! Command: show running-config
! device: leaf1 (DCS-7060DX5-64S, EOS-4.31.2F)
hostname leaf1
interface Ethernet1/1
   mtu {mtu}
   no switchport
   ip address 10.0.0.1/31
   priority-flow-control on
end
"""


@pytest.mark.parametrize(
    ("configured", "polled", "mtu"), [(9214, 1500, 1500), (9214, 9232, 9214), (9214, 0, 9214), (1500, 1514, 1500)]
)
def test_an_mtu_that_may_count_the_header_tells_only_what_it_must(
    tmp_path: Path, configured: int, polled: int, mtu: int
) -> None:
    (tmp_path / "leaf1.cfg").write_text(_CONFIGURATION.format(mtu=configured))
    (tmp_path / "facts-leaf1.json").write_text(json.dumps({"Et1/1": {"is_up": True, "mtu": polled}}))
    (device,) = load([str(tmp_path)]).devices
    (port,) = platform("eos").read(device).ports
    assert port.facts.ip_mtu_bytes.get() == mtu


def test_the_state_of_other_ports_is_told(tmp_path: Path) -> None:
    (tmp_path / "leaf1.cfg").write_text(_CONFIGURATION.format(mtu=9214))
    (tmp_path / "facts-leaf1.json").write_text(json.dumps({"swp1": {"is_up": True, "mtu": 1500}}))
    (device,) = load([str(tmp_path)]).devices
    assert [path.rpartition("/")[2] for path, _ in platform("eos").read(device).unrecognised] == ["facts-leaf1.json"]
