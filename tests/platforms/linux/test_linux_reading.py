"""What the answers of a Linux host mean, and what is not known when they are missing, refused or contradict each other."""

from __future__ import annotations

import json

import pytest
from host_answers import answer, folder, host, only_port

from roce_audit.platforms import platform
from roce_audit.values import Cell, Why

PFC = '{"pfc_cap":8,"macsec_bypass":false,"delay":7,"prio_pfc":[false,false,false,true,false,false,false,false]}'


def dcb(thing: str, text: str, status: int | None = 0):
    return answer(f"dcb -j {thing} show dev ens1", text, status)


def test_json_and_text_of_dcb_say_the_same() -> None:
    text = "pfc-cap 8 macsec-bypass off delay 7 \nprio-pfc 0:off 1:off 2:off 3:on 4:off 5:off 6:off 7:off \n"
    as_json = only_port(host(dcb("pfc", PFC))).facts
    as_text = only_port(host(answer("dcb pfc show dev ens1", text))).facts
    assert as_json == as_text
    assert as_json.pfc.get().priorities.get() == {3}


@pytest.mark.parametrize("pair", ["[26,3]", '[26,3," "]'], ids=["before 6.5", "since 6.5"])
def test_dscp_entries_with_and_without_the_third_element(pair: str) -> None:
    port = only_port(host(dcb("app", f'{{"dscp_prio":[{pair}]}}')))
    assert port.facts.dscp.get()[26].get() == 3
    assert port.facts.dscp.get()[27].is_unknown


@pytest.mark.parametrize(
    ("version", "bps"), [("6.1.0", 50_000_000_000), ("6.17.0", 50_000_000_000), ("6.18.0", 400_000_000)]
)
def test_unit_of_maxrate_depends_on_the_version(version: str, bps: int) -> None:
    rates = dcb("maxrate", '{"tc_maxrate":[0,0,0,50000000,0,0,0,0]}')
    reading = host(rates, answer("dcb -V", f"dcb utility, iproute2-{version}\n"))
    queues = only_port(reading).facts.queues.get()
    assert queues[3].max_rate_bps.get() == bps
    assert queues[0].max_rate_bps.is_absent


def test_maxrate_without_a_version_is_unknown_unless_zero() -> None:
    queues = only_port(host(dcb("maxrate", '{"tc_maxrate":[0,0,0,50000000,0,0,0,0]}'))).facts.queues.get()
    assert queues[3].max_rate_bps.is_unknown
    assert queues[0].max_rate_bps.is_absent


def test_four_states_of_a_buffer_are_told_apart() -> None:
    size = '{"prio_buffer":[0,0,0,1,0,0,0,0],"buffer_size":[65536,0,0,0,0,0,0,0],"total_size":262016}'
    shown = only_port(host(dcb("buffer", size), dcb("pfc", PFC))).facts.groups.get()
    refused = only_port(host(dcb("buffer", "Attribute read: Operation not supported\n", 1), dcb("pfc", PFC)))
    missing = only_port(host(dcb("buffer", "@@ S dcb ens1 no-tool:dcb", 127), dcb("pfc", PFC)))
    unseen = only_port(host(dcb("pfc", PFC)))
    assert (shown[0].reserved_bytes.get(), shown[1].reserved_bytes.get()) == (65536, 0)
    assert shown[1].lossless.get() is True
    assert refused.facts.groups.get()[0].reserved_bytes.why is Why.REFUSED
    assert missing.facts.groups.get()[0].reserved_bytes.why is Why.REFUSED
    assert unseen.facts.groups.why is Why.NOT_VISIBLE


def test_sizes_of_buffers_that_are_printed_in_units() -> None:
    sizes = "buffer-size 0:128Kb 1:1Mb 2:0b 3:0b 4:0b 5:0b 6:0b 7:0b\ntotal-size 1152Kb\n"
    reading = host(answer("dcb buffer show dev ens1", f"prio-buffer 0:0 1:0 2:0 3:1 4:0 5:0 6:0 7:0\n{sizes}"))
    groups = only_port(reading).facts.groups.get()
    assert [group.reserved_bytes.get() for group in groups[:3]] == [131_072, 1_048_576, 0]
    assert not reading.seen


def test_a_failed_command_darkens_only_its_own_paths() -> None:
    port = only_port(
        host(dcb("pfc", "", 1), answer("ethtool -a ens1", "Pause parameters for ens1:\nRX:\toff\nTX:\ton\n"))
    )
    assert port.facts.pfc.get().priorities.why is Why.REFUSED
    assert port.facts.link_pause_rx.get() is False
    assert port.facts.link_pause_tx.get() is True


def test_a_refused_tool_does_not_hide_what_another_one_shows() -> None:
    port = only_port(host(dcb("pfc", PFC), answer("mlnx_qos -i ens1", "", 127)))
    assert port.facts.pfc.get().priorities.get() == {3}


def test_two_tools_that_disagree_are_a_conflict_with_both_places() -> None:
    reading = host(
        answer("ip -j -d link show", '[{"ifname":"ens1","mtu":9000,"link_type":"ether","parentdev":"x"}]'),
        answer("sysfs", "/sys/class/net/ens1/mtu:1500\n"),
    )
    cell = only_port(reading).facts.ip_mtu_bytes
    assert cell.why is Why.CONFLICT
    assert len(cell.at) == 2
    assert [seen.observation.kind for seen in reading.seen] == ["conflict"]
    assert reading.seen[0].ports == ("ens1",)


def test_broken_json_of_a_host_wide_answer_darkens_it_for_every_nic() -> None:
    reading = host(answer("ip -j -d link show", '[{"ifname":"ens1","mtu":9000'), dcb("pfc", PFC))
    facts = only_port(reading).facts
    assert facts.ip_mtu_bytes.why is Why.NOT_PARSED
    assert facts.pfc.get().priorities.get() == {3}
    assert reading.seen


def test_equal_nics_share_one_object() -> None:
    links = [
        {"ifname": n, "mtu": 9000, "link_type": "ether", "parentdev": n, "parentbus": "pci"} for n in ("ens1", "ens2")
    ]
    documents = [answer(f"dcb -j pfc show dev {n}", PFC) for n in ("ens1", "ens2")]
    reading = host(answer("ip -j -d link show", json.dumps(links, indent=1)), *documents)
    one, two = reading.ports
    assert one.facts is two.facts
    assert one.header != two.header


def test_nics_that_differ_in_the_addresses_of_their_gids_share_one_object() -> None:
    text = "DEV PORT INDEX GID IPv4 VER DEV\nmlx5_0 1 0 {} v2 ens1\n"
    addresses = ("fe80:0:0:0:0:0:0:1", "fe80:0:0:0:0:0:0:2", "0:0:0:0:0:ffff:c000:201")
    one, like_it, routed = (only_port(host(answer("show_gids", text.format(address)))) for address in addresses)
    assert one.facts is like_it.facts
    assert one.facts.nic.get().gids.get()[0].link_local.get()
    assert not routed.facts.nic.get().gids.get()[0].link_local.get()


@pytest.mark.parametrize(
    ("item", "kind"),
    [
        ({"link_type": "ether", "parentdev": "0000:01:00.0"}, "ethernet"),
        ({"link_type": "infiniband", "parentdev": "0000:01:00.0"}, "infiniband"),
        ({"link_type": "ether", "linkinfo": {"info_kind": "bond"}}, "lag"),
        ({"link_type": "ether", "linkinfo": {"info_kind": "vlan", "info_data": {"id": 7}}}, "subinterface"),
        ({"link_type": "ether", "parentdev": "x", "phys_port_name": "pf0vf2"}, "virtual-function"),
    ],
)
def test_kinds_of_network_devices(item: dict[str, object], kind: str) -> None:
    text = json.dumps([{"ifname": "dev0", "mtu": 1500, **item}])
    assert only_port(host(answer("ip -j -d link show", text))).facts.kind.get() == kind


def test_software_devices_are_no_ports() -> None:
    items = [
        {"ifname": "lo", "mtu": 65536, "link_type": "loopback"},
        {"ifname": "docker0", "mtu": 1500, "link_type": "ether", "linkinfo": {"info_kind": "bridge"}},
    ]
    assert host(answer("ip -j -d link show", json.dumps(items))).ports == ()


def test_default_route_of_another_table_is_none() -> None:
    routes = [{"dst": "default", "dev": "ens1", "table": "108"}, {"dst": "default", "dev": "eno1"}]
    reading = host(answer("ip -j route show table all", json.dumps(routes)), dcb("pfc", PFC))
    assert only_port(reading).facts.nic.get().default_route.get() is False


def test_environment_wins_over_the_users_file_and_that_over_the_systems() -> None:
    files = "/etc/nccl.conf:NCCL_IB_TC=26\n/root/.nccl.conf:NCCL_IB_TC=96\n/etc/nccl.conf:NCCL_IB_TIMEOUT=20\n"
    without = host(answer("sysfs", files)).host
    with_environment = host(answer("sysfs", files), answer("env", "NCCL_IB_TC=106\n")).host
    assert without is not None
    assert with_environment is not None
    assert without.nccl_traffic_class.get() == 96
    assert with_environment.nccl_traffic_class.get() == 106
    assert without.nccl_gid_index.why is Why.NOT_VISIBLE
    assert with_environment.nccl_gid_index.is_absent
    assert without.nccl_timeout.get() == 20


def test_a_variable_that_is_no_number_is_unread() -> None:
    reading = host(answer("env", "NCCL_IB_TC=lots\nNCCL_IB_GID_INDEX=-1\n"))
    assert reading.host is not None
    assert reading.host.nccl_traffic_class.why is Why.NOT_PARSED
    assert reading.host.nccl_gid_index.is_absent
    assert [seen.quote for seen in reading.seen] == ["NCCL_IB_TC=lots"]


def test_boot_files_make_the_persisted_port_and_no_port_of_their_own() -> None:
    reading = host(*folder("linux/boot"))
    nic = only_port(reading).facts.nic.get()
    persisted = nic.persisted.get()
    assert persisted.ip_mtu_bytes.get() == 9000
    assert persisted.pfc.get().priorities.get() == {3}
    assert persisted.trust.get() == "dscp"
    assert persisted.dscp.why is Why.NOT_PARSED  # one of the two calls is refused by the tool
    assert persisted.queues.why is Why.NOT_VISIBLE


@pytest.mark.parametrize(
    ("speed", "width", "gbps"), [("32.0 GT/s PCIe", 16, 504), ("8.0 GT/s", 8, 63), ("5.0 GT/s", 8, 32)]
)
def test_usable_pcie_rate(speed: str, width: int, gbps: int) -> None:
    base = "/sys/class/net/ens1/device"
    text = f"{base}/current_link_speed:{speed}\n{base}/current_link_width:{width}\n"
    assert only_port(host(answer("sysfs", text))).facts.nic.get().pcie_gbps.get() == gbps


def test_a_forced_traffic_class_for_single_flows_is_no_single_value() -> None:
    base = "/sys/class/infiniband/mlx5_0/tc/1/traffic_class"
    rules = f"{base}:Global tclass=96\n{base}:src_ip=192.0.2.1/32,dst_ip=192.0.2.2/32,tclass=160\n"
    for text, expected in ((f"{base}:\n", Why.ABSENT), (rules, Why.CONFLICT), (f"{base}:Global tclass=96\n", None)):
        cell: Cell[int] = only_port(host(answer("sysfs", text))).facts.nic.get().forced_traffic_class
        assert cell.why is expected


def test_the_host_name_is_read_from_uname() -> None:
    linux = platform("linux")
    assert linux.hostname(answer("uname -a", "Linux gpu7 6.1.0 #1 SMP x86_64 GNU/Linux")) == "gpu7"
    assert linux.hostname(answer("dcb -V", "dcb utility, iproute2-6.1.0")) is None


def test_recognition() -> None:
    linux, mlnx = platform("linux"), platform("mlnx")
    qos = "DCBX mode: OS controlled\nPriority trust state: pcp\n"
    assert linux.recognise(answer("mlnx_qos -i ens1", qos)) > mlnx.recognise(answer("mlnx_qos -i ens1", qos))
    assert mlnx.recognise(answer(None, qos)) > 50 > linux.recognise(answer(None, qos))
    assert linux.recognise(answer(None, PFC)) > 50
    assert linux.recognise(answer(None, "#!/bin/bash\nexport NCCL_IB_TC=26\n")) > 50
    for text in (
        "#!/bin/bash\n# export NCCL_IB_TC=26\n",
        "#!/bin/bash\nexport PATH=/opt\n",
        "interface Ethernet1\n mtu 9214\n",
        "",
        "{}",
    ):
        assert linux.recognise(answer(None, text)) == mlnx.recognise(answer(None, text)) == 0


def test_an_empty_file_is_no_answer_but_an_empty_answer_is_one() -> None:
    unasked = only_port(host(answer("dcb app show dev ens1", "\n", None), dcb("pfc", PFC))).facts
    empty = only_port(
        host(answer("dcb app show dev ens1", "", 0), answer("ethtool -i ens1", "driver: mlx5_core"))
    ).facts
    assert unasked.trust.why is Why.REFUSED
    assert empty.trust.get() == "pcp"


def test_the_trust_that_is_shown_decides_over_entries_that_are_left_in_the_table() -> None:
    entries = dcb("app", '{"dscp_prio":[[26,3]]}')
    driver = answer("ethtool -i ens1", "driver: mlx5_core")
    qos = answer("mlnx_qos -i ens1", "DCBX mode: OS controlled\nPriority trust state: pcp\n")
    alone, beside = host(entries, driver), host(entries, qos, driver)
    assert only_port(alone).facts.trust.get() == "dscp"
    assert only_port(beside).facts.trust.get() == "pcp"
    assert only_port(beside).facts.dscp.get()[26].get() == 0
    assert not [seen for seen in beside.seen if seen.observation.kind == "conflict"]


def test_the_warning_of_mlnx_qos_names_the_agent() -> None:
    text = "****** WARNING: lldpad service is running and may overwrite your settings ******\n\nCable len: 7\n"
    reading = host(answer("mlnx_qos -i ens1", text))
    assert reading.host is not None
    assert reading.host.dcb_agents.get() == {"lldpad"}
    assert reading.seen == ()


@pytest.mark.parametrize(
    "text",
    [
        "Netlink error: Operation not supported. see dmesg.\n",
        "sudo: a password is required\n",
        'Traceback (most recent call last):\n  File "/usr/bin/mlnx_qos", line 11, in <module>\nImportError: dcbnetlink\n',
        "This tool must be run as root\n",
        "bash: line 1: mlnx_qos: command not found\n",
    ],
)
def test_what_a_tool_prints_instead_of_an_answer_is_a_refusal(text: str) -> None:
    reading = host(answer("mlnx_qos -i ens1", text, None))
    assert only_port(reading).facts.pfc.get().priorities.why is Why.REFUSED
    assert not reading.seen


def test_a_listing_of_boot_files_is_read_whatever_its_file_is_called() -> None:
    mtu = answer("sysfs", "/sys/class/net/ens1/mtu:9000\n")
    netplan = "network:\n  ethernets:\n    ens1:\n      mtu: 1500"
    listing = "".join(f"/etc/netplan/60.yaml:{line}\n" for line in netplan.split("\n"))
    reading = host(mtu, answer(None, listing, None, "boot.txt"))
    assert only_port(reading).facts.nic.get().persisted.get().ip_mtu_bytes.get() == 1500
    assert not reading.unrecognised


def test_a_file_that_no_tool_reads_is_named() -> None:
    reading = host(answer("dcb -j pfc show dev ens1", PFC), answer(None, "free text\n", None, "h/notes.txt"))
    assert [path for path, _ in reading.unrecognised] == ["h/notes.txt"]


@pytest.mark.parametrize(
    ("command", "text", "no_link"),
    [
        ("ethtool ens1", "Settings for ens1:\n\tSpeed: Unknown!\n\tLink detected: no\n", True),
        ("ethtool ens1", "Settings for ens1:\n\tSpeed: 100000Mb/s\n\tLink detected: yes\n", False),
        ("sysfs", "/sys/class/net/ens1/mtu:9000\n/sys/class/net/ens1/carrier:0\n", True),
        (
            "ip -j -d link show",
            '[{"ifindex":2,"ifname":"ens1","flags":["NO-CARRIER","UP"],"mtu":9000,"link_type":"ether","parentdev":"0000:3b:00.0"}]',
            True,
        ),
    ],
)
def test_whether_a_port_has_link(command: str, text: str, no_link: bool) -> None:
    assert only_port(host(answer(command, text))).labels.no_link is no_link


def test_two_snapshots_of_one_tool_are_one_conflict() -> None:
    head = "DCBX mode: OS controlled\nPriority trust state: {}\nCable len: {}\nPFC configuration:\n"
    rows = "\tpriority    0   1   2   3   4   5   6   7\n\tenabled     0   0   0   {}   0   0   0   0   \n"
    old, new = (head + rows).format("pcp", 7, 0), (head + rows).format("dscp", 30, 1)
    reading = host(answer("mlnx_qos -i ens1", old), answer("mlnx_qos -i ens1 -a", new))
    (seen,) = [s for s in reading.seen if s.observation.kind == "conflict"]
    assert seen.observation.text.startswith("PFC priorities: different values in 2 places, so it is taken as unknown")
    assert "the same tools disagree on 2 more settings" in seen.observation.text


@pytest.mark.parametrize(
    ("command", "text", "told"),
    [
        ("rdma link show", "link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev ens1\n", False),
        ("rdma link show", "link mlx5_0/1 state DOWN physical_state DISABLED netdev ens1\n", True),
        ("rdma -j link show", '[{"ifname": "mlx5_0", "port": 1, "state": "DOWN", "netdev": "ens1"}]', True),
        ("ibdev2netdev", "mlx5_0 port 1 ==> ens1 (Up)\n", False),
        ("ibdev2netdev", "mlx5_0 port 1 ==> ens1 (Down)\n", True),
    ],
)
def test_an_rdma_port_without_link(command: str, text: str, told: bool) -> None:
    assert ("no-link" in [one.observation.kind for one in host(answer(command, text)).seen]) is told
