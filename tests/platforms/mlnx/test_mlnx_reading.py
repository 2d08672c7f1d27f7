"""mlnx_qos, mlxconfig, show_gids, ibdev2netdev and the two congestion control trees."""

from __future__ import annotations

import pytest

from roce_audit.model import Port
from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Why

MAP = "".join(f"\tprio:{p} dscp:{','.join(f'{8 * p + i:02d}' for i in range(8))},\n" for p in range(8))
TABLE = (
    "PFC configuration:\n\tpriority    0   1   2   3   4   5   6   7\n"
    "\tenabled     0   0   0   1   0   0   0   0   \n\tbuffer      0   0   0   1   0   0   0   0   \n"
)
BUFFERS = "Receive buffer size (bytes): 130944,130944,0,0,0,0,0,0,max_buffer_size=262016\n"


def read(*answers: tuple[str | None, str]) -> DeviceReading:
    documents = tuple(Document(f"{i}.txt", text, command) for i, (command, text) in enumerate(answers))
    return platform("mlnx").read(DeviceInput("nic", "mlnx", documents))


def qos(text: str) -> Port:
    return read(("mlnx_qos -i ens1", text)).ports[0].facts


def test_trust_dscp_follows_the_map() -> None:
    dscp = qos(f"Priority trust state: dscp\ndscp2prio mapping:\n{MAP}").dscp.get()
    assert [cell.get() for cell in dscp] == [code >> 3 for code in range(64)]


def test_trust_pcp_puts_untagged_packets_in_priority_0_whatever_pfc_says() -> None:
    facts = qos(f"Priority trust state: pcp\n{TABLE}")
    assert {cell.get() for cell in facts.dscp.get()} == {0}
    assert [cell.get() for cell in facts.pcp.get()] == list(range(8))
    assert facts.pfc.get().priorities.get() == {3}


def test_default_priority_of_untagged_packets() -> None:
    facts = qos("Priority trust state: pcp\ndefault priority:\n\tprio:2\n")
    assert {cell.get() for cell in facts.dscp.get()} == {2}


def test_a_code_point_in_two_priorities_is_a_conflict() -> None:
    dscp = qos(f"Priority trust state: dscp\ndscp2prio mapping:\n{MAP}\tprio:4 dscp:26,\n").dscp.get()
    assert dscp[26].why is Why.CONFLICT
    assert dscp[27].get() == 3


def test_a_buffer_is_lossless_when_a_pfc_priority_maps_to_it() -> None:
    facts = qos(BUFFERS + TABLE)
    assert [group.lossless.get() for group in facts.groups.get()] == [False, True, *[False] * 6]
    assert facts.priorities.get()[3].group.get() == facts.classes.get()[3].group.get() == 1


@pytest.mark.parametrize(
    ("line", "scheduling", "share", "rate"),
    [
        ("tc: 3 ratelimit: unlimited, tsa: ets, bw: 50%", "weighted", 50, None),
        ("tc: 3 ratelimit: 100.0 Gbps, tsa: strict", "strict", None, 100_000_000_000),
        ("tc: 3 ratelimit: 200.0 Mbps, tsa: ets, bw: 0%", "weighted", 0, 200_000_000),
    ],
)
def test_traffic_classes(line: str, scheduling: str, share: int | None, rate: int | None) -> None:
    facts = qos(f"{line}\n\t priority:  5\n")
    queue = facts.queues.get()[3]
    assert queue.scheduling.get() == scheduling
    assert queue.share.value == share
    assert queue.max_rate_bps.value == rate
    assert facts.classes.get()[5].queue.get() == 3
    assert facts.classes.get()[3].queue.is_unknown


def test_vendor_scheduling_is_no_share() -> None:
    queue = qos("tc: 0 ratelimit: unlimited, tsa: vendor\n").queues.get()[0]
    assert queue.scheduling.why is Why.NO_DEFAULT
    assert queue.max_rate_bps.is_absent


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("Buffers commands are not supported on your system", "groups"),
        ("Priority trust state is not supported on your system", "trust"),
    ],
)
def test_unsupported_sections_are_refused(line: str, path: str) -> None:
    facts = qos(f"{line}\nPriority trust state: none\n{TABLE.replace('buffer', 'nothing') if path == 'trust' else ''}")
    cell = facts.trust if path == "trust" else facts.groups.get()[0].reserved_bytes
    assert cell.why is Why.REFUSED


def test_without_rate_limits_the_classes_have_no_numbers() -> None:
    facts = qos(
        f"Rate limit is not supported on your system!\n{TABLE}ets, bw: 50%\n\t priority:  1\nvendor\n\t priority:  0\n"
    )
    assert facts.classes.get()[1].queue.why is Why.REFUSED
    assert facts.queues.get()[0].share.why is Why.REFUSED


def test_an_unknown_section_is_seen() -> None:
    reading = read(("mlnx_qos -i ens1", "Cable len: 7\nTurbo mode: on\n"))
    assert [seen.quote for seen in reading.seen] == ["Turbo mode: on"]
    assert reading.ports[0].facts.cable_m.get() == 7


CONFIG = """Device type:    ConnectX6DX
Device:         0000:17:00.0

Configurations:                              Default         Current         Next Boot
*        ROCE_CC_PRIO_MASK_P1                255             8               8
*        ROCE_CC_PRIO_MASK_P2                255             255             0
*        CNP_DSCP_P1                         48              48              4
*        QOS_TRUST_STATE_P1                  TRUST_PCP(1)    TRUST_PCP(1)    TRUST_DSCP(2)
"""


def test_three_columns_tell_the_running_state_and_the_next_boot_of_each_port() -> None:
    reading = read(("mlxconfig -d 0000:17:00.0 -e query", CONFIG))
    first, second = (port.facts.nic.get() for port in sorted(reading.ports, key=lambda p: p.name))
    assert first.cnp_dscp.get() == 48
    assert first.next_boot.get().nic.get().cnp_dscp.get() == 4
    assert first.next_boot.get().trust.get() == "dscp"
    assert first.dcqcn.get().rp_priorities.get() == {3}
    assert second.dcqcn.get().rp_priorities.get() == set(range(8))
    assert second.next_boot.get().nic.get().dcqcn.get().np_priorities.get() == set()


def test_firmware_settings_do_not_show_the_running_trust() -> None:
    reading = read(("mlxconfig -d 0000:17:00.0 -e query", CONFIG))
    assert reading.ports[0].facts.trust.is_unknown


def test_the_plain_query_tells_only_the_next_boot() -> None:
    text = "Configurations:                              Next Boot\n         CNP_DSCP_P1                         48\n"
    nic = read(("mlxconfig -d 0000:17:00.0 query", text)).ports[0].facts.nic.get()
    assert nic.cnp_dscp.why is Why.NOT_VISIBLE
    assert nic.next_boot.get().nic.get().cnp_dscp.get() == 48


def test_running_values_win_over_firmware_settings_without_a_conflict() -> None:
    reading = read(
        ("ethtool -i ens1", "driver: mlx5_core\nbus-info: 0000:17:00.0\n"),
        ("mlxconfig -d 0000:17:00.0 -e query", CONFIG.replace("_P2", "_P1X")),
        ("sysfs", "/sys/class/net/ens1/ecn/roce_np/cnp_dscp:50\n"),
    )
    assert [port.name for port in reading.ports] == ["ens1"]
    assert reading.ports[0].facts.nic.get().cnp_dscp.get() == 50
    assert not reading.seen


def test_a_row_with_a_column_too_many_is_unread() -> None:
    reading = read(("mlxconfig -d 0000:17:00.0 -e query", CONFIG.replace("48              4", "48   48   4")))
    nic = next(port for port in reading.ports if port.name.endswith(".0")).facts.nic.get()
    assert nic.cnp_dscp.why is Why.NOT_PARSED
    assert nic.next_boot.get().nic.get().cnp_dscp.why is Why.NOT_PARSED


def test_debugfs_shows_parameters_but_not_who_reacts() -> None:
    base = "/sys/kernel/debug/mlx5/0000:17:00.0/cc_params"
    dcqcn = read(("sysfs", f"{base}/rp_ai_rate:5\n{base}/np_cnp_dscp:48\n")).ports[0].facts.nic.get().dcqcn.get()
    assert dcqcn.ai_rate_mbps.get() == 5
    assert dcqcn.np_priorities.is_unknown


def test_a_missing_switch_leaves_the_set_of_priorities_unknown() -> None:
    lines = [f"/sys/class/net/ens1/ecn/roce_rp/enable/{p}:1\n" for p in range(8)]
    whole = read(("sysfs", "".join(lines))).ports[0].facts.nic.get().dcqcn.get()
    part = read(("sysfs", "".join(lines[:7]))).ports[0].facts.nic.get().dcqcn.get()
    assert whole.rp_priorities.get() == set(range(8))
    assert part.rp_priorities.is_unknown


def test_gids_without_an_address_or_device() -> None:
    text = (
        "DEV\tPORT\tINDEX\tGID\tIPv4\tVER\tDEV\n---\t----\t-----\t---\t----\t---\t---\n"
        "mlx5_0\t1\t0\tfe80:0000:0000:0000:0000:0000:0000:0001\t\tv1\tens1\n"
        "mlx5_0\t1\t3\t0000:0000:0000:0000:0000:ffff:c000:0201\t192.0.2.1\tv2\tens1\n"
        "mlx5_1\t1\t0\tfe80:0000:0000:0000:0000:0000:0000:0002\t\tv1\nn_gids_found=3\n"
    )
    ports = {port.name: port.facts.nic.get().gids.get() for port in read(("show_gids", text)).ports}
    assert [(gid.index, gid.kind.get(), gid.link_local.get()) for gid in ports["ens1"]] == [
        (0, "roce-v1", True),
        (3, "roce-v2", False),
    ]
    assert [gid.index for gid in ports["mlx5_1"]] == [0]


@pytest.mark.parametrize("tail", ["", " extra"])
def test_rdma_devices_and_their_network_devices(tail: str) -> None:
    reading = read(("ibdev2netdev", f"mlx5_0 port 1 ==> ens1 (Up)\nmlx5_1 port 1 ==> ens2 (Down){tail}\n"))
    names = {port.name: port.facts.nic.get().rdma_device for port in reading.ports}
    if tail:
        assert names["ens1"].why is Why.NOT_PARSED
        assert reading.seen
    else:
        assert {name: cell.get() for name, cell in names.items()} == {"ens1": "mlx5_0", "ens2": "mlx5_1"}


def test_the_only_rdma_device_is_the_only_nics() -> None:
    sysfs = "/sys/class/infiniband/mlx5_0/tc/1/traffic_class:Global tclass=106\n"
    reading = read(("mlnx_qos -i ens1", "Cable len: 7\n"), ("sysfs", sysfs))
    assert [(port.name, port.labels.aliases) for port in reading.ports] == [("ens1", ("mlx5_0",))]
    assert reading.ports[0].facts.nic.get().forced_traffic_class.get() == 106
    two = read(("mlnx_qos -i ens1", "Cable len: 7\n"), ("mlnx_qos -i ens2", "Cable len: 7\n"), ("sysfs", sysfs))
    assert sorted(port.name for port in two.ports) == ["ens1", "ens2", "mlx5_0"]


def test_firmware_settings_of_the_only_card_are_its_nics() -> None:
    reading = read(
        ("mlnx_qos -i ens1f0np0", "Cable len: 7\n"),
        ("mlnx_qos -i ens1f1np1", "Cable len: 7\n"),
        ("mlxconfig -d 0000:17:00.0 -e query", CONFIG),
    )
    found = {port.name: port.facts.nic.get().dcqcn.get().np_priorities.get() for port in reading.ports}
    assert found == {"ens1f0np0": {3}, "ens1f1np1": set(range(8))}


def test_whether_a_port_is_willing_is_unknown_where_its_firmware_has_dcbx() -> None:
    """Unless the firmware's own settings were seen: they say whether it speaks, and whether it is willing."""
    assert qos(f"DCBX mode: Firmware controlled\n{TABLE}").dcbx.get().willing.why is Why.NOT_VISIBLE
    assert qos(f"DCBX mode: OS controlled\n{TABLE}").dcbx.get().willing.is_absent
    head = "Configurations:                 Default             Current             Next Boot\n"
    for setting, willing in (("LLDP_NB_DCBX_P1", None), ("DCBX_WILLING_P1", None)):
        stored = f"{head}        {setting}    False(0)     False(0)     False(0)\n"
        both = (
            ("mlnx_qos -i ens1", f"DCBX mode: Firmware controlled\n{TABLE}"),
            ("mlxconfig -d 0000:3b:00.0 -e q", stored),
        )
        (port,) = read(("ethtool -i ens1", "driver: mlx5_core\nbus-info: 0000:3b:00.0\n"), *both).ports
        assert port.facts.dcbx.get().willing.value is willing, setting
