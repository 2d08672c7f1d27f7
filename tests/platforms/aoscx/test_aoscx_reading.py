"""What AOS-CX statements mean: directions of PFC, pools and series, trust and maps, profiles, MTUs, pairs, answers."""

from __future__ import annotations

from typing import Any

import pytest

from roce_audit.model.walk import follow
from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.names import expand
from roce_audit.values import Cell

HEADER = "!Version AOS-CX {series}.10.15.1020\nhostname leaf1\n"
POOL = "qos pool 1 lossless size 40 percent headroom 2048 kbytes priorities 3\n"
PORT = "interface 1/1/1\n    no shutdown\n    {line}\n"


def read(text: str, series: str = "GL", answers: dict[str, str] | None = None) -> DeviceReading:
    """The reading of a whole configuration, with the answers of other commands."""
    documents = [Document("leaf1.cfg", HEADER.format(series=series) + text if series else text)]
    for number, (command, answer) in enumerate((answers or {}).items()):
        documents.append(Document(f"answer{number}.txt", answer, command=command))
    return platform("aoscx").read(DeviceInput("leaf1", "aoscx", tuple(documents)))


def cell(reading: DeviceReading, path: str, port: str = "1/1/1") -> Cell[Any]:
    """The cell of a port by its dotted path."""
    facts = next(p for p in reading.ports if p.name == port).facts
    found = follow(facts, tuple(int(s) if s.isdigit() else s for s in path.split(".")))
    assert found is not None
    return found


def value(reading: DeviceReading, path: str, port: str = "1/1/1") -> Any:
    """The value of a cell that must be known."""
    found = cell(reading, path, port)
    assert found.is_known, (path, found)
    return found.get()


def told(reading: DeviceReading) -> list[tuple[str, int]]:
    """Kind and line of what was observed."""
    return [(seen.observation.kind, seen.place.line) for seen in reading.seen]


@pytest.mark.parametrize(
    ("lines", "both", "obeyed_only", "sent_only", "mode"),
    [
        (["flow-control priority rxtx 3"], {3}, set(), set(), "on"),
        (["flow-control priority 3"], {3}, set(), set(), "on"),
        (["flow-control priority rxtx 3,5-6"], {3, 5, 6}, set(), set(), "on"),
        (["flow-control priority rxtx 3 rx 4"], {3}, {4}, set(), "on"),
        (["flow-control priority tx 6 rx 5 rxtx 3"], {3}, {5}, {6}, "on"),
        (["flow-control priority rxtx 3", "flow-control priority rxtx 4"], {4}, set(), set(), "on"),
        (["flow-control priority tx 3"], set(), set(), {3}, "on"),
        (["flow-control priority rxtx 3", "flow-control priority rx 3"], set(), {3}, set(), "on"),
        (["flow-control priority rxtx 3", "no flow-control priority rxtx 3"], set(), set(), set(), "off"),
        (["flow-control priority rxtx 3", "no flow-control priority"], set(), set(), set(), "off"),
        (["flow-control rxtx"], set(), set(), set(), "off"),
    ],
)
def test_pause_goes_in_two_directions(
    lines: list[str], both: set[int], obeyed_only: set[int], sent_only: set[int], mode: str
) -> None:
    reading = read(POOL + PORT.format(line="\n    ".join(lines)))
    assert value(reading, "pfc.priorities") == both
    assert value(reading, "pfc.receive_only") == obeyed_only
    assert value(reading, "pfc.send_only") == sent_only
    assert value(reading, "pfc.mode") == mode


def test_a_priority_that_goes_one_way_has_no_other_end() -> None:
    reading = read(POOL + PORT.format(line="flow-control priority tx 3 rx 4"))
    assert value(reading, "priorities.3.group") == 3
    assert cell(reading, "priorities.3.queue").is_absent
    assert cell(reading, "priorities.4.group").is_absent
    assert value(reading, "priorities.4.queue") == 4


def test_the_pause_of_the_link_has_directions_too() -> None:
    for line, obeyed, sent in (("rx", True, False), ("rxtx", True, True)):
        reading = read(PORT.format(line=f"flow-control {line}"))
        assert (value(reading, "link_pause_rx"), value(reading, "link_pause_tx")) == (obeyed, sent)


@pytest.mark.parametrize(
    ("pool", "series", "lossless"),
    [
        (POOL, "GL", True),
        (POOL.replace("priorities 3", "priorities 4"), "GL", False),
        ("", "GL", False),
        ("", "LL", True),
        (POOL.replace("priorities 3", "priorities 4"), "ZZ", False),
    ],
)
def test_a_buffer_is_lossless_by_its_pool_or_by_the_series(pool: str, series: str, lossless: bool) -> None:
    reading = read(pool + PORT.format(line="flow-control priority rxtx 3"), series)
    assert value(reading, "groups.3.lossless") is lossless


def test_without_pool_and_series_nobody_knows_the_buffer() -> None:
    assert cell(read(PORT.format(line="flow-control priority rxtx 3"), "ZZ"), "groups.3.lossless").is_unknown
    assert cell(read(PORT.format(line="mtu 9198"), "FL"), "queues.3.share").is_unknown
    assert value(read(PORT.format(line="mtu 9198"), "GL"), "queues.3.share") == 1


def test_a_pool_of_the_factory_has_its_documented_headroom() -> None:
    text = "qos pool 2 lossless size factory-default percent headroom factory-default kbytes priorities 3,4\n"
    reading = read(text + PORT.format(line="flow-control priority rxtx 3"))
    assert value(reading, "groups.4.pool.shared_headroom_bytes") == 3072 * 1024


@pytest.mark.parametrize(
    ("text", "dscp", "pcp"),
    [
        ("", {0: 1, 8: 1, 26: 1}, {0: 1, 3: 1}),
        ("qos trust dscp\n", {0: 1, 8: 0, 26: 3, 63: 7}, {}),
        ("qos trust cos\n", {26: 1}, {0: 1, 1: 0, 3: 3}),
        ("qos trust dscp\nqos dscp-map 26,28-29 local-priority 5 color green name X\n", {26: 5, 27: 3, 29: 5}, {}),
        ("qos trust dscp\nqos dscp-map 26 local-priority 5\nno qos dscp-map 26\n", {26: 3}, {}),
        ("qos cos-map 0 local-priority 6\n", {26: 6}, {5: 6}),
    ],
)
def test_trust_and_maps_lead_to_a_local_priority(text: str, dscp: dict[int, int], pcp: dict[int, int]) -> None:
    reading = read(text + PORT.format(line="mtu 9198"))
    assert {mark: value(reading, f"dscp.{mark}") for mark in dscp} == dscp
    assert {mark: value(reading, f"pcp.{mark}") for mark in pcp} == pcp
    if "trust dscp" in text:
        assert cell(reading, "pcp.3").is_unknown


def test_the_trust_of_a_port_hides_that_of_the_switch() -> None:
    reading = read("qos trust dscp\n" + PORT.format(line="qos trust none local-priority 4 color green"))
    assert value(reading, "trust") == "none"
    assert value(reading, "dscp.26") == 4
    again = read("qos trust dscp\n" + PORT.format(line="qos trust none\n    no qos trust"))
    assert value(again, "trust") == "dscp"


def test_pfc_stops_what_the_cos_map_says() -> None:
    text = "qos cos-map 3 local-priority 5\n" + POOL + PORT.format(line="flow-control priority rxtx 3")
    reading = read(text)
    assert value(reading, "priorities.3.group") == 5
    assert value(reading, "groups.5.lossless") is True
    assert value(reading, "groups.3.lossless") is False


@pytest.mark.parametrize(
    ("lines", "mtu"),
    [
        ("mtu 9198\n    ip mtu 9000\n    ip address 10.0.0.0/31", 9000),
        ("mtu 9198\n    ip address 10.0.0.0/31", 1500),
        ("ip mtu 9198\n    ip address 10.0.0.0/31", 1500),
        ("mtu 9198\n    no routing\n    vlan access 4", 9198),
        ("mtu 9198\n    vrf attach blue", 1500),
        ("mtu 9198\n    no mtu\n    no routing", 1500),
    ],
)
def test_a_routed_port_carries_the_smaller_mtu(lines: str, mtu: int) -> None:
    assert value(read(PORT.format(line=lines)), "ip_mtu_bytes") == mtu


def test_the_interface_of_a_vlan_has_the_mtu_of_layer_3_alone() -> None:
    assert value(read("interface vlan 4\n    ip mtu 9198\n"), "ip_mtu_bytes", "vlan4") == 9198


def test_a_trunk_of_all_vlans_is_not_in_its_native_one_alone() -> None:
    trunk = read(PORT.format(line="no routing\n    vlan trunk native 1 tag\n    vlan trunk allowed all"))
    assert not next(port for port in trunk.ports if port.name == "1/1/1").labels.vlans


@pytest.mark.parametrize("pair", ["", " multi-chassis", " multi-chassis static"])
def test_a_member_of_a_lag_is_routed_like_it(pair: str) -> None:
    lag = f"interface lag 7{pair}\n    no shutdown\n    ip mtu 9100\n    ip address 10.0.0.0/31\n"
    reading = read(lag + PORT.format(line="mtu 9198\n    lag 7"))
    assert value(reading, "ip_mtu_bytes") == 9100
    assert next(port for port in reading.ports if port.name == "1/1/1").labels.lag == "lag7"


def test_both_ends_of_the_link_between_a_pair_are_peer_links() -> None:
    vsx = "vsx\n    inter-switch-link {link}\n    role primary\n"
    lag = "interface lag 256\n    no shutdown\n"
    reading = read(lag + PORT.format(line="lag 256") + vsx.format(link="lag 256"))
    assert {port.name: port.labels.peer_link for port in reading.ports} == {"lag256": True, "1/1/1": True}
    single = read(PORT.format(line="mtu 9198") + vsx.format(link="1/1/1"))
    assert single.ports[0].labels.peer_link


def test_the_link_between_a_pair_that_is_to_carry_all_vlans_carries_those_of_the_other_ports() -> None:
    """Of any other port that says nothing: what is everywhere tells nobody apart."""
    lag = (
        "interface lag {number}\n    no shutdown\n    no routing\n    vlan trunk native 1\n    vlan trunk allowed all\n"
    )
    host = "interface 1/1/2\n    no shutdown\n    no routing\n    vlan trunk native 7\n    vlan trunk allowed 711\n"
    text = lag.format(number=256) + lag.format(number=9) + host + PORT.format(line="lag 256")
    reading = read(text + "vsx\n    inter-switch-link lag 256\n    role primary\n")
    assert {port.name: set(port.labels.vlans) for port in reading.ports} == {
        "lag256": {7, 711},
        "lag9": set(),
        "1/1/2": {7, 711},
        "1/1/1": {7, 711},
    }


def test_an_unapplied_curve_is_none_and_a_step_is_one() -> None:
    profile = "qos threshold-profile T\n    queue 3 action ecn all threshold 40 kbytes\n"
    assert cell(read(profile + PORT.format(line="mtu 9198")), "queues.3.ecn").is_absent
    reading = read(f"{profile}apply qos threshold-profile T\n" + PORT.format(line="mtu 9198"))
    assert value(reading, "queues.3.ecn.min_bytes") == value(reading, "queues.3.ecn.max_bytes") == 40 * 1024
    assert value(reading, "queues.3.ecn.max_probability_percent") == 100


def test_a_schedule_for_other_queues_is_told_and_schedules_nothing() -> None:
    text = "qos schedule-profile S\n" + "".join(f"    dwrr queue {queue} weight 5\n" for queue in range(7))
    reading = read(text + "apply qos queue-profile factory-default schedule-profile S\n" + PORT.format(line="mtu 9198"))
    assert cell(reading, "queues.3.share").is_unknown
    assert ("conflict", 3) in told(reading)


def test_dcbx_of_a_port_needs_that_of_the_switch() -> None:
    assert value(read(PORT.format(line="lldp dcbx version cee")), "dcbx.mode") == "off"
    assert value(read("lldp dcbx\n" + PORT.format(line="lldp dcbx version cee")), "dcbx.mode") == "cee"
    assert value(read("lldp dcbx\n" + PORT.format(line="lldp dcbx disable")), "dcbx.mode") == "off"
    assert value(read("lldp dcbx version cee\n" + PORT.format(line="no lldp dcbx")), "dcbx.mode") == "cee"


def test_the_answers_say_what_configuration_leaves_open() -> None:
    answers = {
        "show interface": "Interface 1/1/1 is up\n Admin state is up\n MTU 9100\n Speed 100000 Mb/s\n"
        " Error-control: off\nInterface 1/1/2 is down\n Error-control: off\n",
        "show qos pool config": "  Lossless Pool 1   7910 (50.00%)   --\n  1/1/1-1/1/2 priority 3    Dynamic 2       49\n",
        "show dcbx interface 1/1/1": "PFC operational state      : active\nPriority Flow Control (PFC)\n"
        "          Priority 3:                True     True\n          Priority 4:                False    True\n",
        "show lldp neighbor-info detail": "Port    : 1/1/1\nNeighbor Entries   : 1\nNeighbor Chassis-Name : gpu7\n"
        "Neighbor Port-ID : eth2\n",
    }
    reading = read(POOL + PORT.format(line="flow-control priority rxtx 3"), answers=answers)
    assert value(reading, "speed_bps") == 100_000_000_000
    assert value(reading, "fec") == "none"
    assert value(reading, "groups.3.headroom_bytes") == 49 * 1024
    assert value(reading, "groups.3.pool.size_bytes") == 7910 * 1024
    assert value(reading, "pfc.operational") == {3}
    assert [(one.port, one.text) for one in reading.neighbours] == [("1/1/1", "gpu7:eth2")]


@pytest.mark.parametrize(("size", "runs"), [(9198, 9198), (1500, 1500)])
def test_the_ip_mtu_that_runs(size: int, runs: int) -> None:
    text = PORT.format(line="mtu 9198\n    ip mtu 9198\n    ip address 10.1.1.1/31")
    answers = {"show ip interface 1/1/1": f"Interface 1/1/1 is up\n Admin state is up\n IP MTU {size}\n"}
    assert value(read(text, answers=answers), "ip_mtu_bytes") == runs


@pytest.mark.parametrize(
    ("release", "alpha"), [("GL.10.11.0001", 2.0), ("GL.10.15.1020", None), ("CL.10.18.0001", 4.0)]
)
def test_what_a_port_may_fill_depends_on_the_release(release: str, alpha: float | None) -> None:
    text = HEADER.format(series="GL").replace("GL.10.15.1020", release) + POOL + PORT.format(line="mtu 9198")
    reading = platform("aoscx").read(DeviceInput("x", "aoscx", (Document("x.cfg", text),)))
    found = cell(reading, "groups.3.alpha")
    assert found.is_unknown if alpha is None else found.value == alpha


def test_the_buffers_of_a_port_are_set_by_priority() -> None:
    lines = [
        "flow-control buffer priority 3 headroom 120 kbytes",
        "flow-control buffer priority 3 xoff dynamic -1",
        "flow-control buffer priority 3 xon 24 kbytes",
        "flow-control buffer priority 3 xon 36 kbytes",
        "no flow-control buffer priority 3 xon 36 kbytes",
    ]
    reading = read(POOL + PORT.format(line="\n    ".join(lines)))
    assert value(reading, "groups.3.headroom_bytes") == 120 * 1024
    assert value(reading, "groups.3.alpha") == 0.5
    assert value(reading, "groups.3.xon_offset_bytes") == 12288
    static = read(POOL + PORT.format(line="flow-control buffer priority 3 xoff static 500 kbytes"))
    assert value(static, "groups.3.xoff_at_bytes") == 500 * 1024
    assert cell(static, "groups.3.alpha").is_absent


def test_the_watchdog_is_on_where_a_port_says_so_and_has_the_times_of_the_switch() -> None:
    times = "flow-control watchdog timeout 200 resume 300\n"
    reading = read(times + PORT.format(line="flow-control watchdog"))
    assert value(reading, "pfc.watchdog.on") is True
    assert (value(reading, "pfc.watchdog.detect_ms"), value(reading, "pfc.watchdog.restore_ms")) == (200, 300)
    assert value(read(PORT.format(line="mtu 9198")), "pfc.watchdog.on") is False
    assert cell(read(PORT.format(line="mtu 9198"), "LL"), "pfc.watchdog.on").is_unknown


def test_a_port_without_link_shows_no_speed() -> None:
    reading = read(PORT.format(line="mtu 9198"), answers={"show interface": "Interface 1/1/1 is down\n Speed 0 Mb/s\n"})
    assert cell(reading, "speed_bps").is_absent
    assert told(reading) == [("no-link", 1)]


def test_a_file_that_ends_within_a_line_is_a_fragment() -> None:
    assert not read("interface 1/1/1\n    mtu 9198").complete_because
    assert read("interface 1/1/1\n    mtu 9198\n").complete_because
    assert not read("interface 1/1/1\n    mtu 9198\n", series="").complete_because


def test_interfaces_are_numbers_alone() -> None:
    names = {"": "", "lag": "lag"}
    assert expand("1/1/1-1/1/3", names) == ("1/1/1", "1/1/2", "1/1/3")
    assert expand("lag 7", names) == ("lag7",)
    with pytest.raises(ValueError, match="not an interface name"):
        expand("1/1/1", {"eth": "Ethernet"})


POLICY = (
    "{lines}policy EDGE\n    10 class ip A action {action}\n    20 class ip B action dscp CS1 action local-priority 1\nqos trust dscp\n"
    "interface 1/1/1\n    apply policy EDGE in\n"
)
ALL = "class ip A\n    10 match udp any any eq 4791 count\nclass ip B\n    10 match any any any\n"
ONE = "class ip A\n    10 match any any any dscp AF31\nclass ip B\n    10 match tcp any any\n"
BUT = "class ip A\n    10 ignore udp any any eq 4791\n    20 match any any any\nclass ip B\n    10 match tcp any any\n"


@pytest.mark.parametrize(
    ("lines", "action", "path", "wanted"),
    [
        (ALL, "local-priority 3", "dscp.26", 3),
        (ALL, "local-priority 3", "dscp.0", 3),
        (ALL, "local-priority 3", "pcp.5", 3),
        (ALL, "local-priority 3", "trust", "acl"),
        (ONE, "local-priority 4", "dscp.26", 4),
        (ONE, "local-priority 4", "dscp.10", 0),
        (BUT, "local-priority 4", "dscp.26", 3),
        (ALL, "dscp AF11", "classes.3.new_dscp", 10),
        (ALL, "local-priority 3 action dscp AF11", "classes.3.new_dscp", 10),
        (ALL, "dscp AF11", "dscp.26", 3),
        (ALL, "pcp 1", "dscp.26", 3),
        (ALL, "cir kbps 1000 cbs 2000 exceed drop", "policed", True),
        (ALL, "drop", "drops_roce", True),
    ],
)
def test_what_a_classifier_policy_makes_of_roce(lines: str, action: str, path: str, wanted: object) -> None:
    assert value(read(POLICY.format(lines=lines, action=action)), path) == wanted


@pytest.mark.parametrize(
    ("lines", "action", "path"),
    [
        (ALL.replace("udp any", "udp 10.1.0.0/16"), "local-priority 3", "dscp.26"),
        (ALL, "colour blue", "dscp.26"),
        ("", "local-priority 3", "dscp.26"),
        (ONE, "dscp AF11", "classes.3.new_dscp"),  # another code point leads to this class as well
        (ONE, "drop", "drops_roce"),
    ],
)
def test_what_a_classifier_policy_leaves_open_is_unknown(lines: str, action: str, path: str) -> None:
    assert cell(read(POLICY.format(lines=lines, action=action)), path).is_unknown


@pytest.mark.parametrize(("applied", "told"), [("3", False), ("--", True), ("3,4", True)])
def test_a_pool_that_is_configured_and_not_applied_is_told(applied: str, told: bool) -> None:
    answer = f"  Lossless Pool 1     7546 (40.00%)         --     {applied}                3\n"
    reading = read(POOL + PORT.format(line="mtu 9198"), answers={"show qos pool config": answer})
    found = [one for one in reading.seen if one.observation.kind in ("conflict", "not-in-force")]
    assert bool(found) is told
    assert all(one.place.path == "answer0.txt" and one.ports == ("1/1/1",) for one in found)


@pytest.mark.parametrize(("name", "wanted"), [("class ip ", 5), ("class ip A", 1)], ids=["IPv6 alone", "beside IPv4"])
def test_entries_for_ipv6_count_where_none_is_for_ipv4(name: str, wanted: int) -> None:
    text = POLICY.format(lines=ALL, action="local-priority 5").replace(name, name.replace("ip", "ipv6"))
    assert value(read(text), "dscp.26") == wanted


@pytest.mark.parametrize(("ports", "whole"), [("1/1/1-1/1/8", True), ("1/1/1-1/1/3", False)])
def test_ports_that_are_set_up_as_a_range_are_as_many_as_it_names(ports: str, whole: bool) -> None:
    text = f"hostname leaf1\ninterface {ports}\n    no shutdown\n    flow-control priority rxtx 3\n"
    assert bool(read(text, series="").complete_because) is whole


@pytest.mark.parametrize(
    ("line", "alone"),
    [("mtu 9198", True), ("flow-control priority rxtx 3", False), ("flow-control priority rx 3", False)],
)
def test_a_lossless_pool_where_no_port_pauses(line: str, alone: bool) -> None:
    seen = [one for one in read(POOL + PORT.format(line=line)).seen if one.observation.kind == "unapplied"]
    assert [(one.place.line, one.makes, one.ports) for one in seen] == ([(3, ("pause",), ("1/1/1",))] if alone else [])
    shut = PORT.format(line=line).replace("no shutdown", "shutdown")
    assert not [one for one in read(POOL + shut).seen if one.observation.kind == "unapplied" and one.ports]


def test_a_speed_with_its_duplex_is_read() -> None:
    assert value(read(PORT.format(line="speed 1000-full")), "speed_bps") == 1_000_000_000
    assert cell(read(PORT.format(line="speed 1000-fulll")), "speed_bps").is_unknown
