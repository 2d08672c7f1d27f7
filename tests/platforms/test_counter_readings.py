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

COUNTED = (
    *("sonic", "nxos", "eos", "linux", "vrp", "comware", "junos"),
    *("os10", "esonic", "onyx", "aoscx", "cumulus", "srlinux"),
)
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
    "show priority-flow-control counters watchdog",
    "show interfaces counters queue detail",
    "show interfaces counters errors",
    "show interface",
    "show interface priority-flow-control details",
    "show queuing statistics interface ethernet 1/1/1",
    "show qos interface Eth all priority-flow-control statistics",
    "show qos interface Eth all queue all priority-flow-control watchdog-statistics",
    "show interfaces ethernet counters pfc prio 3",
    "show interfaces ethernet",
    "show interface 1/1/1 queues",
    "nv show interface swp1 counters qos",
    "nv show interface swp1 qos roce counters",
    "info from state / qos interfaces interface * pfc | as json",
    "display qos queue-statistics interface outbound",
    "display interface",
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


@pytest.mark.parametrize("options", ["-d all", "-n asic0", "--namespace asic1", "--display all"])
def test_sonic_counts_on_several_chips(options: str) -> None:
    assert read("sonic", f"show pfc counters {options}", PFC) == read("sonic", "show pfc counters", PFC) != {}


def test_sonic_deltas_of_a_period_are_no_counters() -> None:
    text = "    IFACE    RX_OK    RX_ERR\n---------  -------  --------\nEthernet0        1     1,204\n"
    assert read("sonic", "portstat", text) == {"ethernet0": {"receive_errors": 1204}}
    assert read("sonic", "portstat -p 5", text) == {}


def test_sonic_counts_queues_as_json() -> None:
    text = """{"Ethernet0": {"UC3": {"dropbytes": "6400", "droppacket": "1,204", "totalpacket": "0"},
      "MC8": {"droppacket": "7"}, "UC4": {"droppacket": "N/A"}, "time": "2026-03-03T10:30:00"}, "x": 3}"""
    found = {"ethernet0": {"queues.3.drops": 1204}}
    for command in ("show queue counters --json", "queuestat -j", "sudo show queue counters Ethernet0 --json"):
        assert read("sonic", command, text) == found
    assert read("sonic", "show queue counters --voq --json", text) == {}
    assert read("sonic", "show queue counters --json", "{") == {}


def test_sonic_marks_and_drops_of_wred() -> None:
    text = """\
      Port    TxQ    WredDrp/pkts    WredDrp/bytes    EcnMarked/pkts    EcnMarked/bytes
----------  -----  --------------  ---------------  ----------------  -----------------
 Ethernet0    UC3               4              400           1,032,7                  9
 Ethernet8    UC3             N/A              N/A         1,032,731                  9
"""
    found = read("sonic", "show queue wredcounters", text)
    assert found["ethernet8"] == {"queues.3.marked": 1_032_731}
    assert found["ethernet0"] == {"queues.3.drops": 4, "queues.3.marked": None}


def test_sonic_time_in_pause_in_either_unit() -> None:
    text = """\
     Port    Priority    RX Pause Transitions    Total RX Pause Time {unit}    Recent RX Pause Time {unit}
---------  ----------  ----------------------  ------------------------  -------------------------
Ethernet0        PFC3                      12                    12,000                      1,200
Ethernet0        PFC4                     N/A                       N/A                        N/A
"""
    command = "show pfc counters --history"
    assert read("sonic", command, text.format(unit="MS")) == {"ethernet0": {"priorities.3.paused_us": 12_000_000}}
    assert read("sonic", command, text.format(unit="US")) == {"ethernet0": {"priorities.3.paused_us": 12_000}}


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
    for command in ("show queuing interface", "show queueing interface Ethernet1/1"):
        counts = counts_of(DeviceInput("x", "nxos", (Document("x.txt", text, command),))).by_port["ethernet1/1"]
        # what the watchdog threw away is counted on a line of its own
        assert {(one.name, one.called, one.value) for one in counts.values()} == {
            ("queues.3.drops", "", 812),
            ("queues.3.drops", "WD & ", 7),
        }


def test_onyx_drops_of_a_class() -> None:
    text = "Eth1/1\n  TC 3\n    12 packets\n    {} unicast no buffer discard\n    {} WRED discard\n"
    counts = counts_of(
        DeviceInput(
            "x", "onyx", (Document("x.txt", text.format(0, 771), "show interfaces ethernet 1/1 counters tc 3"),)
        )
    )
    found = {(one.name, one.called): one.value for one in counts.by_port["eth1/1"].values()}
    assert found == {("queues.3.drops", ""): 0, ("queues.3.drops", "WRED"): 771}


@pytest.mark.parametrize(
    ("command", "text", "lists"),
    [
        (
            "",
            "Port       TxQ    Total times      Total times\n                  stuck            recovered\n----\n",
            True,
        ),
        ("", "% Invalid input\n", False),
        (" | json", '{"interfaces": {}}', True),
        (" | json", '{"errors": ["..."]}', False),
    ],
)
def test_eos_leaves_out_queues_that_were_never_stuck(command: str, text: str, lists: bool) -> None:
    source = "show priority-flow-control counters watchdog"
    found = counts_of(DeviceInput("x", "eos", (Document("x.txt", text, f"{source}{command}"),)))
    assert list(found.nothing_else) == [source] * lists
    assert not found.by_port


@pytest.mark.parametrize(("pipe", "lists"), [(" | nz", True), ("", False)])
def test_eos_leaves_out_ports_without_errors_where_it_was_asked_to(pipe: str, lists: bool) -> None:
    source = "show interfaces counters errors"
    table = "Port          FCS    Align   Symbol       Rx    Runts   Giants       Tx\n"
    found = counts_of(DeviceInput("x", "eos", (Document("x.txt", table, f"{source}{pipe}"),)))
    assert list(found.nothing_else) == [source] * lists


def test_vrp_packets_dropped_for_want_of_ingress_buffer() -> None:
    table = """Interface                   Dropped        Drop Rate   Drop Time
                     (Packets/Bytes)        (pps/bps)
----------------------------------------------------------------
100GE1/0/1                  78600000            44800 2023-05-06
                         10060800000         45875200   20:01:37
100GE1/0/2                         0                0          -
                                   0                0
"""
    found = read("vrp", "display qos buffer ingress-statistics interface 100GE 1/0/1", table)
    assert found == {"100ge1/0/1": {"discards": 78_600_000}, "100ge1/0/2": {"discards": 0}}


def test_eos_drops_of_classes_as_json() -> None:
    level = '{"dropPrecedences": {"DP0": {"enqueuedPackets": 9, "droppedPackets": 12}}}'
    classes = f'{{"ucastQueues": {{"trafficClasses": {{"TC3": {level}, "x": 1}}}}}}'
    plain = f'{{"egressQueueCounters": {{"interfaces": {{"Ethernet1/1": {classes}}}}}}}'
    assert read("eos", "show interfaces counters queue | json", plain) == {"ethernet1/1": {"queues.3.drops": 12}}
    voq = '{"interfaces": {"Ethernet2": {"trafficClasses": {"TC4": {"ingressVoqCounters": {"countersSum": {"droppedPackets": 5}}}}}}}'
    assert read("eos", "show interfaces counters queue drops | json", voq) == {"ethernet2": {"queues.4.drops": 5}}
    marked = '{"intfQueueCounters": {"Ethernet1/1": {"queueCounters": {"2": "-", "3": "77"}}}}'
    assert read("eos", "show qos interfaces ecn counters queue | json", marked) == {
        "ethernet1/1": {"queues.3.marked": 77}
    }


def test_eos_drops_of_queues_without_detail() -> None:
    text = "Port TxQ Counter/pkts Counter/bytes Drop/pkts Drop/bytes\nEt1/1  UC3  10  1000  7  700\n"
    assert read("eos", "show interfaces Ethernet 1/1 counters queue", text) == {"ethernet1/1": {"queues.3.drops": 7}}


def test_eos_pfc_frames_of_ports_as_json() -> None:
    text = '{"interfaceCounters": {"Ethernet3/1/1": {"rxFrames": 3, "txFrames": 1}}}'
    assert read("eos", "show priority-flow-control counters | json", text) == {
        "ethernet3/1/1": {"pause_received": 3, "pause_sent": 1}
    }


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


QUEUES = """
Ethernet1/2

  Service-policy (queuing) output:   OUT

    Class-map (queuing):   c-out-8q-q3 (match-any)
      bandwidth remaining percent 80
      random-detect minimum-threshold 950 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0{}
      queue dropped pkts : 812
      queue depth in bytes : 0

    Class-map (queuing):   {} (match-any)
      bandwidth remaining percent 20
      queue dropped pkts : 17
"""


@pytest.mark.parametrize(
    ("name", "also"), [("c-out-8q-q-default", {"queues.0.drops": 17}), ("CM-REST", {}), ("c-in-q2", {})]
)
def test_nxos_drops_of_the_queues_of_a_policy(name: str, also: dict[str, int]) -> None:
    found = read("nxos", "show policy-map interface ethernet 1/2 type queuing", QUEUES.format(" ecn", name))
    assert found == {"ethernet1/2": {"queues.3.drops": 812, **also}}
    assert read("nxos", "show policy-map interface brief", QUEUES.format(" ecn", name)) == {}


def test_nxos_drops_as_earlier_releases_tell_them() -> None:
    text = """Egress Queuing for Ethernet2/1 [System]
|                              QOS GROUP 3                          |
|   Dropped Pkts |               6|               0|               2|
|                              QOS GROUP 4                          |
|        Tx Pkts |              50|   Dropped Pkts |               7|
Port Egress Statistics
WRED Drop Pkts                              9
Ingress Queuing for Ethernet2/1
Port Ingress Statistics
Ingress MMU Drop Pkts: 10
Ingress MMU Drop Bytes 1024
"""
    assert read("nxos", "show queuing interface ethernet 2/1", text) == {
        "ethernet2/1": {"queues.3.drops": 6, "queues.4.drops": 7, "discards": 10}
    }


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
    alone = "cat /sys/class/infiniband/mlx5_0/ports/1/hw_counters/out_of_sequence"
    assert read("linux", alone, "7\n") == {"mlx5_0": {"out_of_sequence": 7}}
    assert read("linux", alone.replace("ports/1", "ports/2"), "7\n") == {}
    json = (
        '[{"ifname": "mlx5_0", "port": 1, "np_cnp_sent": 5}, {"ifname": 3, "port": 1}, {"ifname": "a", "port": 2}, 7]'
    )
    assert read("linux", "rdma -j statistic show", json) == {"mlx5_0": {"cnps_sent": 5}}
    assert read("linux", "rdma -j statistic show", "{") == {}


STATISTIC = """\
link mlx5_0/1 rx_write_requests 18747 packet_seq_err 4 rp_cnp_ignored 3 np_cnp_sent 5
    Optional-set: cc_rx_ce_pkts 0
link mlx5_1/2 rx_write_requests 0 np_cnp_sent 9
"""


@pytest.mark.parametrize(
    "command",
    [
        "rdma statistic show",
        "rdma statistic",
        "rdma stat show",
        "/opt/mellanox/iproute2/sbin/rdma statistic show",
        "rdma statistic | grep mlx5_0",
    ],
)
def test_counters_of_rdma_devices_as_text(command: str) -> None:
    found = {"sequence_errors": 4, "cnps_ignored": 3, "cnps_sent": 5}
    assert read("linux", command, STATISTIC) == {"mlx5_0": found, "mlx5_1:2": {"cnps_sent": 9}}


def test_counters_of_an_rdma_device_one_a_line() -> None:
    text = "link mlx5_0/1\n    rx_write_requests 0\n    np_cnp_sent 5\n"
    for command in ("rdma statistic show link mlx5_0/1 -p", "rdma -p statistic show link mlx5_0/1"):
        assert read("linux", command, text) == {"mlx5_0": {"cnps_sent": 5}}


def test_frames_that_dcb_counts() -> None:
    text = "pfc-cap 8 macsec-bypass off delay 0\nprio-pfc 3:on\nrequests 0:0 3:7\nindications 0:0 3:x\n"
    assert read("linux", "dcb -s pfc show dev eth0", text)["eth0"] == {
        "priorities.0.pause_sent": 0,
        "priorities.3.pause_sent": 7,
    }


MLXLINK = """
Operational Info
----------------
State                              : Active
Physical state                     : LinkUp
FEC                                : Standard_RS-FEC - (544,514)

Physical Counters and BER Info
------------------------------
Effective Physical Errors          : 12
Raw Physical Errors Per Lane       : 1204,1100,977,1302
Link Down Counter                  : \x1b[31m3\x1b[0m
"""


@pytest.mark.parametrize(
    ("command", "port"),
    [
        ("mlxlink -d mlx5_0 -c", "mlx5_0"),
        ("mstlink -d 3B:00.0 -m -c -e", "0000:3b:00.0"),
        ("mlxlink -d mlx5_0 -cme", "mlx5_0"),
    ],
)
def test_counters_of_a_link(command: str, port: str) -> None:
    assert read("linux", command, MLXLINK) == {port: {"uncorrected_errors": 12, "link_downs": 3}}


def test_a_tool_that_sets_the_link_or_asks_of_pcie_counts_nothing() -> None:
    for command in ("mlxlink -d mlx5_0 --port_type PCIE -c", "mlxlink -d mlx5_0 -a TG", "mlxlink -d /dev/mst/x -c"):
        assert read("linux", command, MLXLINK) == {}


@pytest.mark.parametrize(
    "name", ["rx_global_pause_duration", "rx_pause_ctrl_phy", "rx_prio8_pause", "rx_prio3_pause_transition", "lifespan"]
)
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


def test_os10_counts_pause_by_cos() -> None:
    text = """\
ethernet1/1/1
 Admin Mode : true
 Operstatus: true
 PFC Priorities: 3
 Total Rx PFC Frames: 51
 Total Tx PFC frames: 7

 Cos      Rx       Tx
 -----------------------
 0        0         0
 3        51        7
"""
    found = read("os10", "show interface ethernet 1/1/1 priority-flow-control details", text)["ethernet1/1/1"]
    assert (found["priorities.3.pause_received"], found["priorities.3.pause_sent"]) == (51, 7)
    assert len(found) == 4  # the sums are no priorities


def test_os10_queues_and_checksums() -> None:
    text = """\
Interface ethernet1/1/1:2
Queue Packets    Bytes    Dropped-Packets    Dropped-Bytes
3     10         1000     7                  700
"""
    assert read("os10", "show queuing statistics interface ethernet 1/1/1:2", text) == {
        "ethernet1/1/1:2": {"queues.3.drops": 7}
    }
    text = "Ethernet 1/1/1 is up, line protocol is up\n  5 CRC, 0 overrun, 9 discarded\nEthernet 1/1/2 is down, line protocol is down\n"
    assert read("os10", "show interface", text) == {"ethernet1/1/1": {"crc_errors": 5}}


def test_enterprise_sonic_tells_received_from_sent() -> None:
    row = "Eth1/1  " + "  ".join("0" if n != 3 else "{}" for n in range(8)) + "\n"
    text = f"Flow Control frames received\n{row.format(8)}\nFlow Control frames transmitted\n{row.format(9)}"
    found = read("esonic", "show qos interface Eth all priority-flow-control statistics", text)["eth1/1"]
    assert (found["priorities.3.pause_received"], found["priorities.3.pause_sent"]) == (8, 9)
    assert read("esonic", "show qos interface Eth all priority-flow-control statistics", row.format(8)) == {}
    watched = "Eth1/1 3 stormed 4 3 0 0 0 0 0 0 0 0\n"
    asked = "show qos interface Eth all queue all priority-flow-control watchdog-statistics"
    assert read("esonic", asked, watched) == {"eth1/1": {"queues.3.storms": 4}}


def test_onyx_counts_below_the_priority_and_the_direction() -> None:
    text = """\
Eth1/1:
  PFC 3:
    Rx:
      12   pause packets
      40   pause duration
    Tx:
      7    pause packets
Eth1/2:
      99   pause packets
"""
    found = read("onyx", "show interfaces ethernet counters pfc prio 3", text)
    assert found == {"eth1/1": {"priorities.3.pause_received": 12, "priorities.3.pause_sent": 7}}
    text = "Eth1/1:\n  TC 3:\n    5 packets\n    6 unicast no buffer discard\n"
    assert read("onyx", "show interfaces ethernet counters tc 3", text) == {"eth1/1": {"queues.3.drops": 6}}


def test_aoscx_wants_the_head_of_the_column() -> None:
    row = "Interface 1/1/1 is up\n{}\n Q3  100  10  4\n"
    command = "show interface 1/1/1 queues"
    assert read("aoscx", command, row.format("  Tx Bytes  Tx Packets  Tx Errors")) == {"1/1/1": {"queues.3.drops": 4}}
    assert read("aoscx", command, row.format("")) == {}


def test_cumulus_takes_the_least_that_a_rounded_number_may_be() -> None:
    text = """\
Egress Queue Statistics
    traffic-class  tx-frames  tx-bytes  tx-uc-buffer-discards  wred-discards
    3              9          8.10 MB   9.10 MB                4
PFC Statistics
    switch-priority  rx-pause-frames  rx-pause-duration  tx-pause-frames  tx-pause-duration
    3                5                1                  6                2
"""
    found = read("cumulus", "nv show interface swp1 counters qos", text)["swp1"]
    dropped = {"queues.3.drops": 4, "queues.3.dropped_bytes": 9_095_000}
    assert found == dropped | {"priorities.3.pause_received": 5, "priorities.3.pause_sent": 6}
    assert read("cumulus", "nv show interface swp1 counters qos", text.replace("9.10 MB ", "0 Bytes"))["swp1"][
        "queues.3.dropped_bytes"
    ] == (0)


ROCE = """-------------------------------------
Interface: swp2
-------------------------------------
rx-stats
  rx-non-roce-stats
    no-buffer-discard          55                     Rx buffer discards for non-RoCE traffic
  rx-pfc-stats
    pause-packets              4                      Rx PFC pause packets for RoCE traffic
  rx-roce-stats
    no-buffer-discard          7                      Rx buffer discards for RoCE traffic
tx-stats
  tx-cnp-stats
    unicast-no-buffer-discard  9                      Tx buffer discards for CNP traffic
  tx-ecn-stats
    ecn-marked-packets         6937                   Tx ECN marked packets
  tx-pfc-stats
    pause-packets              3                      Tx PFC pause packets for RoCE traffic
  tx-roce-stats
    unicast-no-buffer-discard  8                      Tx buffer discards for RoCE traffic
"""
OF_ROCE = {
    "lossless_ingress_drops": 7,
    "lossless_egress_drops": 8,
    "pause_received": 4,
    "pause_sent": 3,
    "marked": 6937,
}


def test_cumulus_counts_roce_on_one_port_and_on_all() -> None:
    assert read("cumulus", "nv show interface qos-roce-counters", ROCE) == {"swp2": OF_ROCE}
    assert read("cumulus", "nv show interface swp2 qos roce counters", ROCE) == {"swp2": OF_ROCE}
    json = """{"rx-stats": {"rx-non-roce-stats": {"no-buffer-discard": 55}, "rx-pfc-stats": {"pause-packets": 4},
      "rx-roce-stats": {"no-buffer-discard": 7}}, "tx-stats": {"tx-cnp-stats": {"unicast-no-buffer-discard": 9}, "tx-ecn-stats":
      {"ecn-marked-packets": 6937}, "tx-pfc-stats": {"pause-packets": 3}, "tx-roce-stats": {"unicast-no-buffer-discard": 8}}}"""
    assert read("cumulus", "nv show interface swp2 qos roce counters -o json", json) == {"swp2": OF_ROCE}
    assert read("cumulus", "nv show interface qos-roce-counters -o json", f'{{"swp2": {json}}}') == {"swp2": OF_ROCE}
    assert read("cumulus", "nv show interface qos-roce-counters -o json", "[1]") == {}


def test_srlinux_counts_what_pfc_could_not_keep() -> None:
    text = """{"qos": {"interfaces": {"interface": [{"interface-id": "ethernet-1/1", "pfc": {"oper-state": "up", "statistics": {
      "last-clear": "2026-01-01T10:00:00.000Z (2 hours ago)", "total-packet-pfc-discards": "4", "pfc-priority": [
      {"index": 3, "pfc-pause-frames-received": "8", "pfc-pause-frames-generated": 9, "deadlock-recovery-occurrences": "1"},
      {"index": "x", "pfc-pause-frames-received": "8"}]}}}]}}}"""
    command = "info from state / qos interfaces interface * pfc | as json"
    assert read("srlinux", command, text) == {
        "ethernet-1/1": {
            "lossless_ingress_drops": 4,
            "priorities.3.pause_received": 8,
            "priorities.3.pause_sent": 9,
            "storms": 1,
        }
    }


def test_eos_watchdog_and_queues_as_text() -> None:
    text = "Port   TxQ   Total times   Total times\n             stuck         recovered\n----\nEt1/1  UC3   4             4\n"
    assert read("eos", "show priority-flow-control counters watchdog", text) == {"ethernet1/1": {"queues.3.storms": 4}}
    assert read("eos", "show priority-flow-control counters watchdog", "Et1/1  UC3   4   4\n") == {}
    assert read(
        "eos", "show interfaces counters queue detail", "Et1/1  UC3  10  1000  7  700\nEt1/1  MC0  1  1  1  1\n"
    ) == {"ethernet1/1": {"queues.3.drops": 7}}


def test_comware_drops_on_leaving_alone() -> None:
    text = """\
Interface: HundredGigE1/0/1
 Direction: {}
 Dropped: 9 packets, 900 bytes
 Queue 3
  Forwarded: 10 packets, 1000 bytes, 0 pps, 0 bps
  Dropped: 4 packets, 400 bytes
"""
    command = "display qos queue-statistics interface outbound"
    assert read("comware", command, text.format("outbound")) == {"hundredgige1/0/1": {"queues.3.drops": 4}}
    assert read("comware", command, text.format("inbound")) == {}


WATCHED = """\
Ethernet1/23 Interface PFC watchdog: [Enabled]
+----------------------------------------------------+
| QOS GROUP 3 [Active] PFC [YES] PFC-COS [3]
+----------------------------------------------------+
|                               |  Stats             |
|                       Shutdown|                   9|
|                       Restored|                   8|
|             Total pkts dropped|                4021|
"""


@pytest.mark.parametrize("command", ["show queuing pfc-queue detail", "show queuing pfc-queue interface e1/23 detail"])
def test_nxos_counts_how_often_its_watchdog_shut_a_queue(command: str) -> None:
    assert read("nxos", command, WATCHED) == {"ethernet1/23": {"queues.3.storms": 9}}
    assert read("nxos", command, WATCHED.replace("| QOS GROUP 3", "| GROUP 3")) == {}


def test_nxos_wrong_checksums() -> None:
    port = (
        "Ethernet1/2 is up\n  RX\n    7 runts  0 giants  5400 CRC  0 no buffer\n    5407 input error  0 short frame\n"
        "mgmt0 is up\n"
    )
    assert read("nxos", "show interface", port) == {"ethernet1/2": {"crc_errors": 5400}}
    assert read("nxos", "show interface brief", port) == {}
    table = "Port  Align-Err  FCS-Err  Xmit-Err  Rcv-Err  UnderSize  OutDiscards\nEth1/2  0  12  0  13  0  0\n"
    assert read("nxos", "show interface counters errors", table) == {"ethernet1/2": {"crc_errors": 12}}
    other = "Port  Single-Col  Multi-Col  Late-Col  Exces-Col  Carri-Sen  Runts\nEth1/2  0  12  0  13  0  0\n"
    assert read("nxos", "show interface counters errors", table + other) == {"ethernet1/2": {"crc_errors": 12}}
    assert read("nxos", "show interface counters errors", other) == {}


def test_eos_wrong_checksums_as_json() -> None:
    text = (
        '{"interfaceErrorCounters": {"Ethernet1/2": {"inErrors": 9, "fcsErrors": 7}, "Ethernet1/3": {"inErrors": 9}}}'
    )
    assert read("eos", "show interfaces counters errors | json", text) == {"Ethernet1/2".lower(): {"crc_errors": 7}}
    assert read("eos", "show interfaces counters errors | json", "[]") == {}


def test_eos_pauses_of_each_priority_as_json() -> None:
    text = (
        '{"interfaces": {"Ethernet1/2": {"rxPfc": 9, "priorities":'
        ' {"5": {"rxFrames": 9, "txFrames": 0}, "8": {"rxFrames": 1}, "3": 4}}, "Ethernet1/3": []}}'
    )
    for command in (
        "show priority-flow-control counters detail | json",
        "show interface Et1/2 priority-flow-control counters detail | json",
    ):
        found = read("eos", command, text)
        assert found == {"ethernet1/2": {"priorities.5.pause_received": 9, "priorities.5.pause_sent": 0}}


def test_eos_code_words_that_fec_lost() -> None:
    text = (
        "Ethernet1/2\n  PHY state   linkUp   3   12 days, 1:00:00 ago\n"
        "  FEC corrected codewords      9988    81    0:00:02 ago\n  FEC uncorrected codewords    44    2    0:00:05 ago\n"
    )
    wanted = {"ethernet1/2": {"fec_corrected": 9988, "fec_uncorrectable": 44}}
    assert read("eos", "show interfaces phy detail", text) == wanted
    assert read("eos", "show interfaces Ethernet1/2 phy detail", text) == wanted
    assert read("eos", "show interfaces phy", text) == {}


def test_counters_of_an_rdma_port_in_the_kernel() -> None:
    at = "/sys/class/infiniband/mlx5_1/ports/1/counters"
    text = f"{at}/link_downed:6\n{at}/port_rcv_errors:40\n{at}/port_xmit_wait:9\n"
    assert read("linux", "sysfs", text) == {"mlx5_1": {"link_downs": 6, "receive_errors": 40}}


def test_platforms_without_counters_read_none() -> None:
    for name in set(platforms.names()) - set(COUNTED):
        assert read(name, "show pfc counters", PFC) == {}
