"""Counters as the platforms read them: what is shown, where, and nothing of what looks alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roce_audit import platforms
from roce_audit.model import Counters
from roce_audit.model.base import fact_types
from roce_audit.platforms.counting import counts_of, nic_names, nic_path
from roce_audit.text.document import DeviceInput, Document

COUNTED = ("sonic", "nxos", "eos", "linux", "vrp", "comware", "junos")
COMMANDS = (
    "show pfc counters",
    "show queue counters",
    "show priority-group drop counters",
    "show pfcwd stats",
    "show interfaces counters fec-stats",
    "show interface priority-flow-control",
    "show queuing interface",
    "show priority-flow-control counters",
    "show priority-flow-control counters watchdog | json",
    "display dcb pfc",
    "display qos queue statistics interface 100GE1/0/1",
    "display priority-flow-control interface",
    "display packet-drop interface",
    "show interfaces extensive",
    "ethtool -S eth0",
    "ethtool -I --show-fec eth0",
    "rdma -j statistic show",
    "sysfs",
)


def read(platform: str, command: str | None, text: str) -> dict[str, dict[str, int | None]]:
    counts = counts_of(DeviceInput("x", platform, (Document("x.txt", text, command),)))
    return {port: {c.name: c.value for c in found.values()} for port, found in counts.by_port.items()}


PFC = """\
Last cached time was 2026-01-01T10:00:00.1
  Port Rx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7
---------  ------  ------  ------  ------  ------  ------  ------  ------
Ethernet0       0       1       0   1,204     N/A       0       0       0

  Port Tx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7
---------  ------  ------  ------  ------  ------  ------  ------  ------
Ethernet0       0       0       0       9       0       0       0       0
"""


def test_sonic_pfc() -> None:
    found = read("sonic", "show pfc counters", PFC)["ethernet0"]
    assert found["priorities.3.pause_received"] == 1204
    assert found["priorities.3.pause_sent"] == 9
    assert "priorities.4.pause_received" not in found  # the chip has no such counter
    assert len(found) == 15


def test_sonic_tells_when_its_counters_were_cleared() -> None:
    counts = counts_of(DeviceInput("x", "sonic", (Document("x.txt", PFC, "show pfc counters"),)))
    assert {c.epoch for c in counts.by_port["ethernet0"].values()} == {"2026-01-01T10:00:00.1"}


def test_sonic_queues_of_virtual_outputs_are_others() -> None:
    text = """\
     Port    TxQ    Counter/pkts    Counter/bytes    Drop/pkts    Drop/bytes    EcnMarked/pkts
---------  -----  --------------  ---------------  -----------  ------------  ----------------
Ethernet0    UC3               5              600            7           800                11
Ethernet0    MC8               5              600            7           800                11
"""
    assert read("sonic", "show queue counters", text) == {"ethernet0": {"queues.3.drops": 7, "queues.3.marked": 11}}
    assert read("sonic", "show queue counters --voq", text) == {}


def test_nxos_pfc_table() -> None:
    text = """\
============================================================
Port               Mode Oper(VL bmap)  RxPPP      TxPPP
============================================================

Ethernet1/32       On   On  (8)        0          22145
Eth1/33            Auto Off            3          0
"""
    found = read("nxos", "show interface priority-flow-control", text)
    assert found == {
        "ethernet1/32": {"pause_received": 0, "pause_sent": 22145},
        "ethernet1/33": {"pause_received": 3, "pause_sent": 0},
    }


QUEUING = """\
Egress Queuing for Ethernet1/1 [System]
|                              QOS GROUP 3                    |
|                           |  Unicast       |Multicast       |
|                   Tx Pkts |        98221331|               5|
{drops}
|       WD & Tail Drop Pkts |               7|               0|
Port Egress Statistics
| WRED/AFD & Tail Drop Pkts |               9|               0|
Ingress Queuing for Ethernet1/1
| WRED/AFD & Tail Drop Pkts |               9|               0|
"""


@pytest.mark.parametrize("words", ["WRED/AFD & Tail Drop Pkts", "        Tail Drop Pkts"])
def test_nxos_drops_of_a_queue(words: str) -> None:
    text = QUEUING.format(drops=f"| {words} |             812|               0|")
    assert read("nxos", "show queuing interface", text)["ethernet1/1"] == {"queues.3.drops": 812}


def test_eos_stuck_queues() -> None:
    text = '{"interfaces": {"Ethernet1/1": {"txQueues": {"3": {"stuckCount": 4, "recoveryCount": 3}, "x": 1}}, "Ethernet2": []}}'
    found = read("eos", "show priority-flow-control counters watchdog | json", text)
    assert found == {"ethernet1/1": {"queues.3.storms": 4}}


def test_comware_drops_for_want_of_buffer() -> None:
    text = """HundredGigE1/0/1:
  Packets dropped due to full GBP or insufficient bandwidth: 301
  Packets dropped due to insufficient data buffer. Input dropped: 4411 Output dropped:2
  Packets of ECN marked: 12
"""
    assert read("comware", "display packet-drop interface", text) == {"hundredgige1/0/1": {"discards": 4411}}


def test_nxos_drops_of_a_slice_are_of_no_port() -> None:
    text = """\
Ingress Queuing for Ethernet1/51
Per Port Ingress Statistics
Ingress Overflow Drop Pkts                       19490
Per Slice Ingress Statistics
Ingress Overflow Drop Pkts                       71206
"""
    assert read("nxos", "show queuing interface ethernet1/51", text) == {"ethernet1/51": {"discards": 19490}}


def test_eos_pfc_table() -> None:
    text = """\
Port            RxPfc          TxPfc
Et1/1              12              0
Ethernet2/1         0           3400
"""
    found = read("eos", "show priority-flow-control counters", text)
    assert found["ethernet1/1"] == {"pause_received": 12, "pause_sent": 0}
    assert found["ethernet2/1"]["pause_sent"] == 3400
    assert read("eos", "show priority-flow-control", text) == {}


def test_vrp_pfc_table() -> None:
    text = """\
-----------------------------------------------------------------------------------------
Interface         Queue         Received(Frames)        ReceivedRate(pps)     DeadlockNum
                             Transmitted(Frames)     TransmittedRate(pps)     RecoveryNum
-----------------------------------------------------------------------------------------
100GE1/0/1             3                      11                        0               1
                                              12                        0               1
                       4                      13                        0               0
                                              14                        0               0
100GE1/0/2             4                      15                        0               0
                                              16                        0               0
-----------------------------------------------------------------------------------------
"""
    found = read("vrp", "display dcb pfc", text)
    assert found["100ge1/0/1"] == {
        "priorities.3.pause_received": 11,
        "queues.3.storms": 1,
        "priorities.3.pause_sent": 12,
        "priorities.4.pause_received": 13,
        "queues.4.storms": 0,
        "priorities.4.pause_sent": 14,
    }
    assert found["100ge1/0/2"]["priorities.4.pause_sent"] == 16
    assert read("vrp", "display dcb pfc-profile", text) == {}


def test_vrp_drops_of_queues() -> None:
    table = """\
 ----------------------------------------------------------------------------------------------
 Queue   CIR/PIR              Passed     Pass Rate             Dropped     Drop Rate  Drop Time
     (% or kbps)     (Packets/Bytes)     (pps/bps)     (Packets/Bytes)     (pps/bps)
 ----------------------------------------------------------------------------------------------
     3         0                1330             0                  17             0          -
       100000000              195356           152                9000             0
     4         0                   0             0                   0             0  2026-01-02 10:00:00
       100000000                   0             0                   0             0
"""
    drops = {"queues.3.drops": 17, "queues.4.drops": 0}
    assert read("vrp", "display qos queue statistics interface 100GE 1/0/2", table) == {"100ge1/0/2": drops}
    of_slot = f" Queue statistics info: interface 10GE1/0/1\n{table}"
    assert read("vrp", "display qos queue statistics slot 1", of_slot) == {"10ge1/0/1": drops}
    assert read("vrp", "display qos queue statistics", table) == {}


def test_hosts() -> None:
    statistics = (
        "NIC statistics:\n     rx_prio3_pause: 4\n     rx_prio3_pause_duration: 99\n     tx_queue_0_packets: 1\n"
    )
    assert read("linux", "ethtool -S eth0", statistics) == {
        "eth0": {"priorities.3.pause_received": 4, "priorities.3.paused_us": 99}
    }
    pasted = "     tx_prio3_pause: 7\n     tx_pause_storm_error_events: 12\n"
    assert (
        read("linux", "ethtool -S eth0 | egrep 'prio3|storm'", pasted) == read("linux", "ethtool -S eth0", pasted) != {}
    )
    files = "/sys/class/infiniband/mlx5_0/ports/1/hw_counters/out_of_sequence:7\n/sys/class/net/eth0/mtu:9000\n"
    assert read("linux", "sysfs", files) == {"mlx5_0": {"out_of_sequence": 7}}
    json = (
        '[{"ifname": "mlx5_0", "port": 1, "np_cnp_sent": 5}, {"ifname": 3, "port": 1}, {"ifname": "a", "port": 2}, 7]'
    )
    assert read("linux", "rdma -j statistic show", json) == {"mlx5_0": {"cnps_sent": 5}}
    assert read("linux", "rdma -j statistic show", "{") == {}


@pytest.mark.parametrize("name", ["rx_global_pause_duration", "rx_pause_ctrl_phy", "rx_prio8_pause", "rx_prio3_pause_transition", "lifespan"])
def test_names_that_only_look_alike(name: str) -> None:
    assert nic_path(name) is None


def test_every_name_of_a_nic_leads_into_the_model() -> None:
    plain = fact_types(Counters)
    for _, path in nic_names():
        row, _, rest = path.partition(".")
        assert row in plain, path
        if rest:
            assert path.startswith("priorities.{n}."), path


@given(st.sampled_from(COUNTED), st.sampled_from(COMMANDS), st.text(max_size=400))
def test_nothing_that_a_device_prints_breaks_the_reader(platform: str, command: str, text: str) -> None:
    for counters in read(platform, command, PFC + text).values():
        assert all(value is None or value >= 0 for value in counters.values())


def test_platforms_without_counters_read_none() -> None:
    for name in set(platforms.names()) - set(COUNTED):
        assert read(name, "show pfc counters", PFC) == {}
