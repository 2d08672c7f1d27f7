"""What runs counts before what is written: dumps of the databases, rows asked of redis, profiles that commands list."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from sonic_readings import at, kinds, whole

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.sonic import PLATFORM
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Why

LOSSLESS = {"pool": "ingress_lossless_pool", "size": "1248", "xon": "1248", "xoff": "70000", "dynamic_th": "0"}
CURVE = {"ecn": "ecn_all", "wred_green_enable": "true", "green_min_threshold": "1000", "green_max_threshold": "2000"}
TABLES = {
    "BUFFER_PG": {"Ethernet0|3-4": {"profile": "lossless"}},
    "BUFFER_PROFILE": {
        "lossless": LOSSLESS,
        "lossy": {"pool": "ingress_lossless_pool", "size": "0", "dynamic_th": "3"},
    },
    "PORT": {"Ethernet0": {"admin_status": "up", "mtu": "9100", "speed": "100000"}},
    "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3"}},
    "QUEUE": {"Ethernet0|3": {"wred_profile": "CURVE"}},
    "WRED_PROFILE": {"CURVE": CURVE},
}


def read(*more: Document, **tables: Any) -> DeviceReading:
    given = Document("leaf/config_db.json", json.dumps(whole(**{**TABLES, **tables}), indent=1))
    return PLATFORM.read(DeviceInput("leaf", "sonic", (given, *more)))


def dump(name: str, rows: dict[str, dict[str, str]], *, bare: bool = False) -> Document:
    value = rows if bare else {key: {"type": "hash", "value": fields} for key, fields in rows.items()}
    return Document(f"leaf/{name}.json", json.dumps(value, indent=1))


def told(reading: DeviceReading) -> list[str]:
    return [s.observation.text for s in reading.seen if s.observation.kind in ("conflict", "not-in-force")]


APPLIED = {
    "BUFFER_PG_TABLE:Ethernet0:3-4": {"profile": "lossless"},
    "PORT_TABLE:Ethernet0": {"mtu": "9100", "admin_status": "up", "oper_status": "up"},
}


@pytest.mark.parametrize("bare", [True, False])
def test_what_is_applied_as_it_is_written_changes_nothing(bare: bool) -> None:
    reading = read(dump("APPL_DB", APPLIED, bare=bare))
    assert told(reading) == []
    assert at(reading, "groups.4.headroom_bytes").get() == 70_000


def test_a_group_that_runs_with_another_profile() -> None:
    group = "BUFFER_PG_TABLE:Ethernet0"
    applied = {f"{group}:3": {"profile": "lossless"}, f"{group}:4": {"profile": "[BUFFER_PROFILE_TABLE:lossy]"}}
    reading = read(dump("APPL_DB", applied))
    assert told(reading) == ["profile of Ethernet0|4 is lossless in BUFFER_PG, and lossy runs"]
    assert [at(reading, f"groups.{number}.lossless").get() for number in (3, 4)] == [True, False]


def test_a_group_that_is_not_programmed_and_one_that_nobody_wrote() -> None:
    applied = {**APPLIED, "BUFFER_PG_TABLE:Ethernet0:3-4": {}, "BUFFER_PG_TABLE:Ethernet0:3": {"profile": "lossless"}}
    del applied["BUFFER_PG_TABLE:Ethernet0:3-4"]
    assert told(read(dump("APPL_DB", applied))) == [
        "BUFFER_PG|Ethernet0|4 is configured, and APPL_DB has no such row: the group is not programmed"
    ]
    lossy = {"Ethernet0|0": {"profile": "lossy"}, "Ethernet0|3-4": {"profile": "lossless"}}
    beside = read(dump("APPL_DB", APPLIED), BUFFER_PG=lossy)
    kinds = [one.observation.kind for one in beside.seen if "not programmed" in one.observation.text]
    assert kinds == ["conflict"]  # a group that drops protects nothing
    down = {**applied, "PORT_TABLE:Ethernet0": {"admin_status": "up", "oper_status": "down"}}
    assert told(read(dump("APPL_DB", down))) == []  # a port without a link may have none
    reading = read(dump("APPL_DB", APPLIED), BUFFER_PG={"Ethernet0|0": {"profile": "lossy"}})
    assert at(reading, "groups.3.lossless").get() is True


def test_pfc_of_the_chip_by_the_names_of_its_ports() -> None:
    port = "ASIC_STATE:SAI_OBJECT_TYPE_PORT:oid:0x1000000000003"
    chip = dump("ASIC_DB", {port: {"SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL": "24"}})
    names = dump("COUNTERS_DB", {"COUNTERS_PORT_NAME_MAP": {"Ethernet0": "oid:0x1000000000003"}})
    assert at(read(chip, names), "pfc.priorities").get() == frozenset({3, 4})
    nameless = read(chip)
    assert at(nameless, "pfc.priorities").get() == frozenset({3})
    assert [path for path, why in nameless.unrecognised if "not read" in why] == ["leaf/ASIC_DB.json"]


def test_wred_of_the_chip_is_that_of_the_profile_with_its_thresholds() -> None:
    curve = {"SAI_WRED_ATTR_GREEN_MIN_THRESHOLD": "1000", "SAI_WRED_ATTR_GREEN_MAX_THRESHOLD": "2000"}
    row = {
        "ASIC_STATE:SAI_OBJECT_TYPE_WRED:oid:0x13": {**curve, "SAI_WRED_ATTR_ECN_MARK_MODE": "SAI_ECN_MARK_MODE_NONE"}
    }
    assert told(read(dump("ASIC_DB", row))) == ["ecn of CURVE is ecn_all in WRED_PROFILE, and ecn_none runs"]
    other = {**row["ASIC_STATE:SAI_OBJECT_TYPE_WRED:oid:0x13"], "SAI_WRED_ATTR_GREEN_MAX_THRESHOLD": "3000"}
    assert told(read(dump("ASIC_DB", {"ASIC_STATE:SAI_OBJECT_TYPE_WRED:oid:0x13": other}))) == []


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ('redis-cli -n 4 HGETALL "PORT_QOS_MAP|Ethernet0"', '1) "pfc_enable"\n2) "4"\n'),
        ("redis-cli -n 4 hgetall PORT_QOS_MAP|Ethernet0", "pfc_enable\n4\n"),
        ("sonic-db-cli CONFIG_DB HGETALL 'PORT_QOS_MAP|Ethernet0'", "{'pfc_enable': '4'}\n"),
    ],
)
def test_a_row_that_was_asked_for(command: str, answer: str) -> None:
    reading = read(Document("leaf/log.txt", answer, command, first_line=9))
    assert told(reading) == ["pfc_enable of Ethernet0 is 3 in PORT_QOS_MAP, and 4 runs"]
    assert at(reading, "pfc.priorities").get() == frozenset({4})


@pytest.mark.parametrize("command", ["ecnconfig -l", "show ecn"])
def test_the_curves_that_run(command: str) -> None:
    text = "Profile: CURVE\n-------  ----\necn  ecn_none\ngreen_min_threshold  1000\n"
    reading = read(Document("leaf/ecn.txt", text, command))
    assert told(reading) == ["ecn of CURVE is ecn_all in WRED_PROFILE, and ecn_none runs"]
    assert "unreadable" not in kinds(reading)


@pytest.mark.parametrize("command", ["mmuconfig -l", "show buffer configuration", "show buffer information"])
def test_the_profiles_that_run(command: str) -> None:
    reading = read(Document("leaf/buffers.txt", "Profile: lossless\n----  -----\nxoff  18432\n", command))
    assert at(reading, "groups.3.headroom_bytes").get() == 18_432
    assert told(reading) == ["xoff of lossless is 70000 in BUFFER_PROFILE, and 18432 runs"]


def test_answers_alone_are_a_switch_of_which_little_is_known() -> None:
    table = "Interface    Lossless priorities\n-----------  ---------------------\nEthernet0    3\nEthernet8    N/A\n"
    reading = PLATFORM.read(DeviceInput("leaf", "sonic", (Document("leaf.log", table, "show pfc priority"),)))
    assert [port.name for port in reading.ports] == ["Ethernet0", "Ethernet8"]
    assert [port.facts.pfc.get().priorities.get() for port in reading.ports] == [frozenset({3}), frozenset()]
    assert reading.ports[0].facts.ip_mtu_bytes.why is Why.NOT_VISIBLE


def test_a_damaged_dump_says_nothing() -> None:
    text = '{"BUFFER_PG_TABLE:Ethernet0:3": {"value": {"profile": "lossy"'
    reading = read(Document("leaf/APPL_DB.json", text))
    assert told(reading) == []
    assert "unreadable" in kinds(reading)


@pytest.mark.parametrize(
    "row", ['"PORT_TABLE:Ethernet0": {', '"PORT_TABLE:Ethernet0": {}, ', '"BUFFER_PG_TABLE:Ethernet0:3": {"a": {']
)
def test_hostile_dumps_take_no_long(row: str) -> None:
    begun = time.process_time()
    read(Document("leaf/APPL_DB.json", "{" + row * 30_000))
    assert time.process_time() - begun < 5


def test_what_the_dynamic_model_made_fills_in() -> None:
    tables = {
        "DEVICE_METADATA": {"localhost": {"buffer_model": "dynamic"}},
        "BUFFER_PG": {"Ethernet0|3-4": {"profile": "NULL"}},
        "BUFFER_PROFILE": {},
    }
    applied = {**APPLIED, "BUFFER_PROFILE_TABLE:lossless": LOSSLESS, "BUFFER_PROFILE_TABLE:idle": LOSSLESS}
    reading = read(dump("APPL_DB", {**applied, "PORT_TABLE:PortInitDone": {"lanes": "0"}}), **tables)
    assert at(reading, "groups.3.headroom_bytes").get() == 70_000
    assert [port.name for port in reading.ports] == ["Ethernet0"]
    assert told(reading) == []
    assert not {"idle", "lossless"} & {one.observation.name for one in reading.seen}


@pytest.mark.parametrize(("shown", "obeyed"), [("off", set()), ("on", {0, 1, 2, 4, 5, 6, 7})])
def test_asymmetric_pfc_that_runs(shown: str, obeyed: set[int]) -> None:
    table = f"Interface    Asymmetric\n-----------  ------------\nEthernet0    {shown}\n"
    reading = read(Document("leaf/asymmetric.txt", table, "show pfc asymmetric"))
    assert at(reading, "pfc.receive_only").get() == obeyed
    assert told(reading) == ["pfc_asym of Ethernet0 is off in PORT, and on runs"] * bool(obeyed)


@pytest.mark.parametrize(("shown", "is_on"), [("off", False), ("on", True), ("N/A", False), (" on  100G", True)])
def test_asymmetric_pfc_in_the_status_of_interfaces(shown: str, is_on: bool) -> None:
    head = "Interface    Lanes    Speed    MTU    FEC    Alias    Vlan    Oper    Admin    Type    Asym PFC"
    rule = "---------  -------  -------  -----  -----  -------  ------  ------  -------  ------  ----------"
    row = f"Ethernet0  0,1,2,3     100G   9100     rs  etp1     routed      up       up  QSFP28  {shown:>10}"
    reading = read(Document("leaf/status.txt", "\n".join((head, rule, row, "")), "show interfaces status"))
    assert ("pfc_asym of Ethernet0 is off in PORT, and on runs" in told(reading)) is is_on
    assert bool(at(reading, "pfc.receive_only").or_else(())) is is_on


def test_a_port_without_link_may_have_less_and_a_member_has_the_mtu_of_its_channel() -> None:
    down = {"PORT_TABLE:Ethernet0": {"mtu": "9100", "admin_status": "down", "oper_status": "down"}}
    assert told(read(dump("APPL_DB", {**down, "BUFFER_PG_TABLE:Ethernet0:3-4": {"profile": "lossy"}}))) == [
        "admin_status of Ethernet0 is up in PORT, and down runs"
    ]
    applied = {**APPLIED, "PORT_TABLE:Ethernet0": {"mtu": "1500"}}
    channel = {"PORTCHANNEL": {"PortChannel1": {"mtu": "1500"}}, "PORTCHANNEL_MEMBER": {"PortChannel1|Ethernet0": {}}}
    assert told(read(dump("APPL_DB", applied), **channel)) == []
    assert told(read(dump("APPL_DB", applied))) == ["mtu of Ethernet0 is 9100 in PORT, and 1500 runs"]


@pytest.mark.parametrize(
    ("state", "oper", "mtu", "said"),
    [
        ({"mtu": "1500"}, "up", 1500, ["mtu of Ethernet0 is 9100 in PORT, and 1500 runs"]),
        ({"mtu": "1500"}, "down", 9100, []),
        ({"mtu": "9100", "speed": "N/A", "fec": "N/A"}, "up", 9100, []),
        ({"speed": "40000"}, "up", 9100, ["speed of Ethernet0 is 100000 in PORT, and 40000 runs"]),
    ],
)
def test_what_state_db_says_of_a_port_that_is_up(state: dict[str, str], oper: str, mtu: int, said: list[str]) -> None:
    reading = read(dump("STATE_DB", {"PORT_TABLE|Ethernet0": {"netdev_oper_status": oper, **state}}))
    assert told(reading) == said
    (port,) = reading.ports
    assert port.facts.ip_mtu_bytes.value == mtu
