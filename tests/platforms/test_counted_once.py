"""Counters of one snapshot: losses in what is lossless are told, at a time that nobody knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.platforms import platform
from roce_audit.platforms.countedonce import _BY_THEMSELVES, _TELLING, _valued
from roce_audit.policy import load_text
from roce_audit.proof import examples
from roce_audit.text.document import DeviceInput, Document

GROUPS = """Ingress PG dropped packets:
     Port    PG0    PG1    PG2    PG3
---------  -----  -----  -----  -----
Ethernet0  {lossy:>5}      0      0  {lossless:>5}
"""
QUEUES = """Ethernet0:
     Port    TxQ    Counter/pkts    Counter/bytes    Drop/pkts    Drop/bytes
---------  -----  --------------  ---------------  -----------  ------------
Ethernet0    UC3             100            10000  {lossless:>11}             0
Ethernet0    UC1             100            10000  {lossy:>11}             0
"""
WATCHDOG = """      QUEUE       STATUS    STORM DETECTED/RESTORED    TX OK/DROP    RX OK/DROP
-----------  -----------  -------------------------  ------------  ------------
Ethernet0:3  operational  {lossless:>23}/0         100/0         100/0
"""


def told(folder: Path, tables: dict[str, str], since: dict[str, str] | None = None) -> list[str]:
    """The messages of the rule about a switch with these answers."""
    for root, answers in (("now", tables), ("before", since or {})):
        for name, text in {
            **examples.base("sonic"),
            **{f"leaf1/{name}.txt": text for name, text in answers.items()},
        }.items():
            path = folder / root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    policy = load_text("roce: {dscp: [26], priority: [3]}\n", "roce-audit.yaml")
    paths = (str(folder / "now"),)
    earlier = None if since is None else str(folder / "before")
    report = check(Request(paths, policy, since=earlier, select=("buffer/dropped-before",))).report
    return [f.message for f in report.findings if f.verdict == "fails" and f.severity == "info"]


@pytest.mark.parametrize(
    ("name", "table"),
    [("show_priority-group_drop_counters", GROUPS), ("show_queue_counters", QUEUES), ("show_pfcwd_stats", WATCHDOG)],
)
def test_what_is_lossless_lost_something(tmp_path: Path, name: str, table: str) -> None:
    (message,) = told(tmp_path, {name: table.format(lossy=0, lossless="1,211")})
    assert "Ethernet0 1,211" in message


def test_losses_of_what_is_lossy_are_none(tmp_path: Path) -> None:
    tables = {"show_priority-group_drop_counters": GROUPS, "show_queue_counters": QUEUES}
    assert not told(tmp_path, {name: table.format(lossy=99, lossless=0) for name, table in tables.items()})


def test_an_earlier_snapshot_decides(tmp_path: Path) -> None:
    table = {"show_priority-group_drop_counters": GROUPS.format(lossy=0, lossless=7)}
    assert not told(tmp_path, table, table)


@pytest.mark.parametrize(("lost", "severity"), [("1,211", "info"), ("99,000,000", "warning")])
def test_losses_by_the_second_ever_since_the_switch_runs(tmp_path: Path, lost: str, severity: str) -> None:
    tables = {
        "show_queue_counters": QUEUES.format(lossy=0, lossless=lost),
        "show_uptime": "up 41 days, 3 hours\n",
    }
    for name, text in {
        **examples.base("sonic"),
        **{f"leaf1/{name}.txt": text for name, text in tables.items()},
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    policy = load_text("roce: {dscp: [26], priority: [3]}\n", "roce-audit.yaml")
    report = check(Request((str(tmp_path),), policy, select=("buffer/dropped-before",))).report
    assert [f.severity for f in report.findings if f.verdict == "fails"] == [severity]


QOS = """DCBX mode: OS controlled
Priority trust state: dscp
PFC configuration:
\tpriority    0   1   2   3   4   5   6   7
\tenabled     0   0   0   1   0   0   0   0
"""
LINKS = '[{"ifname": "mlx5_0", "port": 1, "state": "ACTIVE", "physical_state": "LINK_UP", "netdev": "ens1"}]'


@pytest.mark.parametrize(
    ("counter", "value", "told"),
    [
        ("rx_prio3_discards", 7, "packets of paused priorities discarded on receipt; since"),
        ("rx_prio0_discards", 7, ""),
        ("rx_prio3_pause", 7, ""),
        ("rx_prio4_pause", 7, "PFC frames received for priorities that are not paused here"),
        ("rx_prio4_pause", 0, ""),
        ("tx_pause_storm_error_events", 2, "PFC storms; since"),
    ],
)
def test_what_a_host_counted(counter: str, value: int, told: str) -> None:
    answers = {
        "mlnx_qos -i ens1 -a": QOS,
        "rdma -j link show": LINKS,
        "ethtool -i ens1": "driver: mlx5_core\n",
        "ethtool -S ens1": f"NIC statistics:\n     rx_packets: 5\n     rx_prio3_pause: 5\n     {counter}: {value}\n",
    }
    documents = tuple(Document(f"gpu1/{n}.txt", text, command) for n, (command, text) in enumerate(answers.items()))
    reading = platform("linux").read(DeviceInput("gpu1", "linux", documents))
    texts = [one.observation.text for one in reading.seen if one.observation.kind == "counted-once"]
    assert [text.startswith(told) for text in texts] == [True] * bool(told)


def test_cnps_that_a_sender_ignored() -> None:
    row = '[{"ifname": "mlx5_0", "port": 1, "rp_cnp_handled": 0, "rp_cnp_ignored": 12}]'
    answers = {"rdma -j link show": LINKS, "ethtool -i ens1": "driver: mlx5_core\n", "rdma -j statistic show": row}
    documents = tuple(Document(f"gpu1/{n}.txt", text, command) for n, (command, text) in enumerate(answers.items()))
    reading = platform("linux").read(DeviceInput("gpu1", "linux", documents))
    assert [one.observation.text.partition(";")[0] for one in reading.seen] == ["CNPs that the sender did not obey"]


def test_every_counter_that_tells_something_is_found_by_how_it_begins() -> None:
    """An empty beginning would be found everywhere, for ever."""
    above_zero = _valued((*_TELLING, *_BY_THEMSELVES), "[1-9]")
    assert [stem for stem, pattern in above_zero if not pattern.pattern.startswith(rf"(?<![\w.])({stem}")] == []
    assert all(len(stem) > 3 for stem, _ in above_zero)


@pytest.mark.parametrize(
    ("marks", "answers", "told"), [(522_000, 0, True), (999, 0, False), (522_000, 1, False), (0, 0, False)]
)
def test_marks_that_no_cnp_ever_answered(marks: int, answers: int, told: bool) -> None:
    """Whenever the two began to count, both count on this NIC, and one is none."""
    row = f'[{{"ifname": "mlx5_0", "port": 1, "np_ecn_marked_roce_packets": {marks}, "np_cnp_sent": {answers}}}]'
    shown = {"rdma -j link show": LINKS, "ethtool -i ens1": "driver: mlx5_core\n", "rdma -j statistic show": row}
    documents = tuple(Document(f"gpu1/{n}.txt", text, command) for n, (command, text) in enumerate(shown.items()))
    seen = platform("linux").read(DeviceInput("gpu1", "linux", documents)).seen
    assert [one.observation.kind for one in seen] == ["counted-often"] * told


def test_hosts_that_show_the_same_say_the_same() -> None:
    """Findings that say the same are one: a site has thousands of hosts, and each counts something."""
    texts = set()
    for host, ignored in (("gpu1", 12), ("gpu2", 3_000_000)):
        row = f'[{{"ifname": "mlx5_0", "port": 1, "rp_cnp_ignored": {ignored}}}]'
        answers = {"rdma -j link show": LINKS, "ethtool -i ens1": "driver: mlx5_core\n", "rdma -j statistic show": row}
        documents = tuple(
            Document(f"{host}/{n}.txt", text, command) for n, (command, text) in enumerate(answers.items())
        )
        seen = platform("linux").read(DeviceInput(host, "linux", documents)).seen
        texts |= {one.observation.text for one in seen}
    assert len(texts) == 1


def test_hosts_that_lose_by_the_second_say_the_same() -> None:
    texts = set()
    for host, lost, uptime in (("gpu1", 9_000_000, "864000.12 1\n"), ("gpu2", 70_000_000, "164000.12 1\n")):
        answers = {
            "mlnx_qos -i ens1 -a": QOS,
            "ethtool -i ens1": "driver: mlx5_core\n",
            "ethtool -S ens1": f"NIC statistics:\n     rx_prio3_discards: {lost}\n",
            "cat /proc/uptime": uptime,
        }
        documents = tuple(
            Document(f"{host}/{n}.txt", text, command) for n, (command, text) in enumerate(answers.items())
        )
        seen = platform("linux").read(DeviceInput(host, "linux", documents)).seen
        assert [one.observation.kind for one in seen] == ["counted-often"]
        texts |= {one.observation.text for one in seen}
    assert len(texts) == 1


@pytest.mark.parametrize(
    "answer",
    [
        ("rdma -j statistic show", '[{{"ifname": "mlx5_0", "port": 1, "packet_seq_err": {}}}]'),
        ("ethtool -S ens1", "NIC statistics:\n     rx_crc_errors_phy: {}\n"),
    ],
    ids=["repeated", "wrong checksum"],
)
@pytest.mark.parametrize(
    ("pfc", "uptime", "counted", "told"),
    [
        ("1", "864000.12 1\n", 9_000_000, True),
        ("1", "864000.12 1\n", 9_000, False),
        ("1", "", 9_000_000, False),
        ("0", "864000.12 1\n", 9_000_000, False),
    ],
)
def test_packets_that_were_lost_by_the_second(
    answer: tuple[str, str], pfc: str, uptime: str, counted: int, told: bool
) -> None:
    command, text = answer
    answers = {
        "mlnx_qos -i ens1 -a": QOS.replace("0   0   0   1", f"0   0   0   {pfc}"),
        "rdma -j link show": LINKS,
        "ethtool -i ens1": "driver: mlx5_core\n",
        command: text.format(counted),
        "cat /proc/uptime": uptime,
    }
    documents = tuple(Document(f"gpu1/{n}.txt", text, command) for n, (command, text) in enumerate(answers.items()))
    reading = platform("linux").read(DeviceInput("gpu1", "linux", documents))
    kinds = [one.observation.kind for one in reading.seen if one.observation.kind.startswith("counted")]
    assert kinds == ["counted-often"] * told


@pytest.mark.parametrize(
    ("pfc", "carried", "vport", "cnps", "told"),
    [
        ("1", {"rx": 0, "tx": 0}, 90_000, 0, True),
        ("1", {"rx": 0, "tx": 0}, None, 1_333, True),  # people filter what they paste: RDMA counts elsewhere as well
        ("1", {"rx": 0, "tx": 7}, 90_000, 0, True),
        ("1", {"rx": 12, "tx": 9}, 90_000, 0, True),  # a trial went by it
        ("1", {"rx": 800, "tx": 9}, 60_000, 0, False),
        ("1", {"rx": 0, "tx": 0}, 12, 0, False),  # a trial
        ("1", {"rx": 0, "tx": 0}, None, 0, False),
        ("1", {"rx": 0}, 90_000, 0, False),  # half of it was not pasted
        ("1", {"rx": 0, "tx": 0}, 900_000_000, 0, False),  # the counters of priorities were cleared since
        ("0", {"rx": 0, "tx": 0}, 90_000, 0, False),
    ],
)
def test_roce_that_goes_by_a_priority_that_nothing_pauses(
    pfc: str, carried: dict[str, int], vport: int | None, cnps: int, told: bool
) -> None:
    rows = {f"{way}_prio0_packets": 5_000_000 for way in ("rx", "tx")}
    rows |= {f"{way}_prio3_packets": number for way, number in carried.items()}
    rows |= {} if vport is None else {"rx_vport_rdma_unicast_packets": vport}
    answers = {
        "mlnx_qos -i ens1 -a": QOS.replace("0   0   0   1", f"0   0   0   {pfc}"),
        "rdma -j link show": LINKS,
        "ethtool -i ens1": "driver: mlx5_core\n",
        "ethtool -S ens1": "NIC statistics:\n" + "".join(f"     {name}: {number}\n" for name, number in rows.items()),
        "rdma -j statistic show": f'[{{"ifname": "mlx5_0", "port": 1, "np_cnp_sent": {cnps}}}]',
    }
    documents = tuple(Document(f"gpu1/{n}.txt", text, command) for n, (command, text) in enumerate(answers.items()))
    reading = platform("linux").read(DeviceInput("gpu1", "linux", documents))
    seen = [one for one in reading.seen if one.observation.kind.startswith("counted")]
    assert [(one.observation.kind, one.place.path, one.place.line) for one in seen] == (
        [("counted-often", "gpu1/3.txt", 4)] * told
    )


def test_what_the_switch_itself_takes_for_roce_was_lost() -> None:
    """Counters of RoCE of Cumulus name no priority; where nothing is paused they lose on purpose."""
    answer = '{"rx-stats": {"rx-roce-stats": {"no-buffer-discard": 88122}}, "tx-stats": {}}'
    command = "nv show interface swp1 qos roce counters -o json"
    for mode, told in (("lossless", ["counted-once"]), ("lossy", [])):
        lines = f"nv set system hostname leaf1\nnv set interface swp1-2\nnv set qos roce\nnv set qos roce mode {mode}\n"
        documents = (Document("a.txt", lines), Document("b.txt", answer, command))
        seen = platform("cumulus").read(DeviceInput("leaf1", "cumulus", documents)).seen
        assert [one.observation.kind for one in seen if one.place.path == "b.txt"] == told


@pytest.mark.parametrize(("mode", "lost", "told"), [("on", 881_221, True), ("on", 0, False), ("off", 881_221, False)])
def test_losses_of_a_port_whose_class_nobody_counts(mode: str, lost: int, told: bool) -> None:
    configured = f"""version 10.3(4a)
hostname a
class-map type qos match-all R
  match dscp 26
policy-map type qos I
  class R
    set qos-group 3
policy-map type network-qos N
  class type network-qos c-8q-nq3
    pause pfc-cos 3
    mtu 9216
system qos
  service-policy type network-qos N
interface Ethernet1/2
  priority-flow-control mode {mode}
  service-policy type qos input I
"""
    answer = f"""Egress Queuing for Ethernet1/2 [System]
Per Port Ingress Statistics
--------------------------------------------------------
Ingress Overflow Drop Pkts                  {lost:>6}
"""
    documents = (Document("a.cfg", configured), Document("b.txt", answer, "show queuing interface"))
    seen = platform("nxos").read(DeviceInput("a", "nxos", documents)).seen
    assert [one.observation.kind for one in seen if one.place.path == "b.txt"] == ["counted-once"] * told


@pytest.mark.parametrize(("bitmap", "runs"), [("(8)", True), ("(10)", False), ("(0)", False)])
def test_losses_where_answers_alone_show_what_is_paused(bitmap: str, runs: bool) -> None:
    """Beside no configuration the priorities on which PFC runs are those that lose nothing."""
    paused = f"""============================================================
Port               Mode Oper(VL bmap)  RxPPP      TxPPP
============================================================
Ethernet1/1        On   On   {bitmap}       10231      88120
"""
    queues = """Egress Queuing for Ethernet1/1 [System]
|                              QOS GROUP 3                    |
|                           |  Unicast       |Multicast       |
|                   Tx Pkts |     88102318812|               0|
| WRED/AFD & Tail Drop Pkts |          190231|               0|
"""
    documents = (
        Document("a.txt", paused, "show interface priority-flow-control"),
        Document("b.txt", queues, "show queuing interface ethernet 1/1"),
    )
    seen = platform("nxos").read(DeviceInput("a", "nxos", documents)).seen
    assert [one.quote for one in seen if one.observation.kind == "counted-once"] == ["alike"] * runs


@pytest.mark.parametrize(("pauses", "is_told"), [(0, False), (21, True)])
def test_pauses_of_the_whole_link_on_a_port_with_pfc(pauses: int, is_told: bool) -> None:
    shown = (
        "Physical interface: et-0/0/1, Enabled, Physical link is Up\n"
        "  MAC statistics:                      Receive         Transmit\n"
        f"    MAC pause frames                  {pauses:>7}                9\n"
    )
    configured = examples.base("junos")["leaf1.set"]
    for text in (configured, configured.replace("congestion-notification-profile", "description")):
        documents = (Document("leaf1.set", text), Document("x.txt", shown, "show interfaces extensive"))
        seen = platform("junos").read(DeviceInput("leaf1", "junos", documents)).seen
        told = [(one.ports, one.place.line) for one in seen if one.observation.kind == "counted-once"]
        assert told == ([(("et-0/0/1",), 3)] if is_told and text is configured else [])
