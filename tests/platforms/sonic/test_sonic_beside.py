"""What stands beside a CONFIG_DB: the table of headrooms, answers of commands, pieces, the databases of single chips."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sonic_readings import at, kinds, lines, whole

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.sonic import PLATFORM
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Why

TABLE = """# PG lossless profiles.
# speed cable size xon  xoff   threshold xon_offset
 100000  5m   1248 1248 54080  1         2496
 100000  40m  1248 1248 59696  1         2496
"""
STATUS = """  Interface    Lanes    Speed    MTU    FEC    Alias    Vlan    Oper    Admin    Type    Asym PFC
-----------  -------  -------  -----  -----  -------  ------  ------  -------  ------  ----------
  Ethernet0        1     100G   9100     rs     etp1  routed    down       up     N/A         off
"""
PRIORITY = """Interface    Lossless priorities
-----------  ---------------------
Ethernet0    3
"""
INTERFACES, PFC = "show interfaces status", "show pfc priority"


def beside(database: dict[str, Any], *more: Document) -> DeviceReading:
    text = json.dumps(database, indent=1)
    return PLATFORM.read(DeviceInput("leaf", "sonic", (Document("leaf/config_db.json", text), *more)))


def table(text: str = TABLE) -> Document:
    return Document("leaf/pg_profile_lookup.ini", text)


def shown(command: str, text: str) -> Document:
    return Document(f"leaf/{command.replace(' ', '_')}.txt", text, command=command)


def lossless(cable: str = "40m", **tables: Any) -> dict[str, Any]:
    return whole(
        PORT_QOS_MAP={"Ethernet0": {"pfc_enable": "3"}},
        CABLE_LENGTH={"AZURE": {"Ethernet0": cable}},
        BUFFER_POOL={"ingress_lossless_pool": {"mode": "dynamic", "size": "1000000", "xoff": "9"}},
        **tables,
    )


def test_the_table_gives_the_headroom_of_a_speed_and_a_cable_and_its_row_is_the_evidence() -> None:
    reading = beside(lossless(), table())
    assert at(reading, "groups.3.headroom_bytes").get() == 59_696
    assert at(reading, "groups.3.alpha").get() == 2.0
    assert at(reading, "groups.3.lossless").get() is True
    assert 4 in lines(reading, "groups.3.headroom_bytes")


def test_without_the_table_nothing_is_known_of_a_profile_that_the_device_makes() -> None:
    reading = beside(lossless())
    assert at(reading, "groups.3.headroom_bytes").why is Why.NOT_VISIBLE
    assert at(reading, "groups.3.lossless").why is Why.NOT_VISIBLE


def test_no_row_for_the_cable_is_no_profile_and_so_no_lossless_group() -> None:
    assert at(beside(lossless("300m"), table()), "groups.3.lossless").get() is False


def test_a_port_may_be_told_to_make_no_profile_of_its_own() -> None:
    database = lossless()
    database["PORT"]["Ethernet0"]["default_lossless_buffer_profile"] = "false"
    reading = beside(database, table())
    assert at(reading, "groups.3.headroom_bytes").why is Why.NOT_VISIBLE
    assert not reading.seen


def test_a_line_that_is_no_row_may_be_the_one_that_is_missing() -> None:
    reading = beside(lossless("300m"), table(TABLE + " 100000  300m 1248 1248 x 1\n"))
    assert at(reading, "groups.3.lossless").value is None
    assert "unread-line" in kinds(reading)


def test_the_dynamic_model_does_not_use_the_table() -> None:
    database = lossless(DEVICE_METADATA={"localhost": {"buffer_model": "dynamic"}})
    assert at(beside(database, table()), "groups.3.headroom_bytes").value is None


def test_a_row_of_the_database_holds_against_the_table() -> None:
    name = "pg_lossless_100000_40m_profile"
    profile = {"pool": "ingress_lossless_pool", "size": "1248", "xon": "1248", "xoff": "70000", "dynamic_th": "1"}
    reading = beside(lossless(BUFFER_PROFILE={name: profile}, BUFFER_PG={"Ethernet0|3": {"profile": name}}), table())
    assert at(reading, "groups.3.headroom_bytes").get() == 70_000
    assert "conflict" in kinds(reading)


def test_a_command_fills_what_no_row_says_and_its_mtu_counts_before_that_of_a_row() -> None:
    database = whole(PORT={"Ethernet0": {"admin_status": "up", "mtu": "1500"}})
    reading = beside(database, shown(INTERFACES, STATUS))
    assert at(reading, "speed_bps").get() == 100_000_000_000
    assert at(reading, "ip_mtu_bytes").get() == 9100
    assert at(reading, "fec").get() == "rs"


@pytest.mark.parametrize(
    ("configured", "state", "speed", "fec", "told"),
    [
        ({"speed": "100000", "fec": "rs"}, "up   ", 100_000_000_000, "rs", []),
        (
            {"speed": "200000", "fec": "rs"},
            "up   ",
            100_000_000_000,
            "rs",
            ["speed: 200000 Mbit/s is configured, and 100000 Mbit/s runs"],
        ),
        ({"speed": "100000", "fec": "none"}, "up   ", 100_000_000_000, "rs", ["fec: none is configured, and rs runs"]),
        ({"speed": "200000", "fec": "none"}, "down ", 200_000_000_000, "none", []),
        ({"speed": "200000", "autoneg": "on", "fec": "auto"}, "up   ", 200_000_000_000, "auto", []),
    ],
)
def test_a_port_that_is_up_runs_what_it_shows(
    configured: dict[str, str], state: str, speed: int, fec: str, told: list[str]
) -> None:
    database = whole(PORT={"Ethernet0": {"admin_status": "up", "mtu": "9100", **configured}})
    reading = beside(database, shown(INTERFACES, STATUS.replace("down ", state)))
    assert (at(reading, "speed_bps").get(), at(reading, "fec").get()) == (speed, fec)
    conflicts = [s.observation for s in reading.seen if s.observation.kind != "no-link"]
    assert [(one.name, one.text) for one in conflicts] == [("Ethernet0", text) for text in told]


def test_a_port_that_is_down_runs_nothing() -> None:
    database = lossless()
    down = beside(database, shown(PFC, PRIORITY), shown(INTERFACES, STATUS))
    up = beside(database, shown(PFC, PRIORITY), shown(INTERFACES, STATUS.replace("down ", "up   ")))
    assert at(up, "pfc.operational").get() == frozenset({3})
    assert at(down, "pfc.operational").value is None


@pytest.mark.parametrize("answer", ["Traceback (most recent call last):\n  File x\n", PRIORITY.replace("  3", "  3;")])
def test_an_answer_that_nobody_understands_is_no_state_and_is_said(answer: str) -> None:
    reading = beside(lossless(), shown(PFC, answer))
    assert at(reading, "pfc.operational").why is Why.NOT_PARSED
    assert "unread-line" in kinds(reading)
    assert at(reading, "pfc.priorities").get() == frozenset({3})


@pytest.mark.parametrize(
    ("rows", "up"), [({"Ethernet0": {}}, None), ({"Ethernet0": {}, "Ethernet4": {"admin_status": "up"}}, False)]
)
def test_a_database_that_states_no_admin_status_at_all_says_nothing_of_it(
    rows: dict[str, Any], up: bool | None
) -> None:
    assert at(beside(whole(PORT=rows)), "admin_up").value is up


def test_pieces_fill_the_tables_that_the_database_does_not_have() -> None:
    piece = {
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "4"}},
        "DSCP_TO_TC_MAP": {"M": {"26": "3"}},
    }
    text = json.dumps(piece)
    beside_it = Document("leaf/qos.json", text)
    assert at(beside(whole(), beside_it), "pfc.priorities").get() == frozenset({4})
    has = whole(PORT_QOS_MAP={"Ethernet0": {"pfc_enable": "3"}})
    assert at(beside(has, beside_it), "pfc.priorities").get() == frozenset({3})


def test_each_chip_has_its_database_and_the_ports_are_those_of_all() -> None:
    first = whole(PORT={"Ethernet0": {"admin_status": "up"}}, PORT_QOS_MAP={"Ethernet0": {"pfc_enable": "3"}})
    second = whole(PORT={"Ethernet8": {"admin_status": "up"}}, PORT_QOS_MAP={"Ethernet8": {"pfc_enable": "4"}})
    documents = [Document(f"leaf/config_db{n}.json", json.dumps(d)) for n, d in enumerate((first, second))]
    reading = PLATFORM.read(DeviceInput("leaf", "sonic", tuple(documents)))
    found = {p.name for p in reading.ports}
    assert len(found) == 2
    assert {at(reading, "pfc.priorities", name).get() for name in found} == {frozenset({3}), frozenset({4})}


def test_a_neighbour_that_was_shown_is_its_port_s() -> None:
    answer = """Capability codes: (R) Router, (B) Bridge, (O) Other
LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr
-----------  --------------  --------------  ------------  -----------------
Ethernet0    leaf2           Ethernet32      BR            to leaf
--------------------------------------------------
Total entries displayed:  1
"""
    (heard,) = beside(whole(), shown("show lldp table", answer)).neighbours
    assert (heard.port, heard.text, heard.description, heard.place.line) == (
        "Ethernet0",
        "leaf2:Ethernet32",
        "to leaf",
        4,
    )


WATCHDOGS = """Changed polling interval to 200ms
     PORT    ACTION    DETECTION TIME    RESTORATION TIME    HISTORY
---------  --------  ----------------  ------------------  ---------
Ethernet0{action:>10}{time:>18}                 400    disable
"""


def watched(text: str, row: dict[str, str] | None) -> DeviceReading:
    tables = {} if row is None else {"PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "200"}, "Ethernet0": row}}
    given = Document("leaf/config_db.json", json.dumps(whole(**tables), indent=1))
    return PLATFORM.read(DeviceInput("leaf", "sonic", (given, Document("leaf/wd.txt", text, "show pfcwd config"))))


ROW = {"action": "drop", "detection_time": "200", "restoration_time": "400"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (WATCHDOGS.format(action="drop", time="200"), ""),
        (
            WATCHDOGS.format(action="alert", time="200"),
            "action of the PFC watchdog of Ethernet0 is drop in PFC_WD, and alert",
        ),
        (
            WATCHDOGS.format(action="drop", time="300"),
            "detection_time of the PFC watchdog of Ethernet0 is 200 in PFC_WD, and 300",
        ),
        (WATCHDOGS.format(action="drop", time="x00"), ""),  # listed, and not understood
        (
            WATCHDOGS.format(action="drop", time="200").replace("Ethernet0", "Ethernet4"),
            "no watchdog runs on that port",
        ),
        ("permission denied\n", ""),
    ],
)
def test_the_watchdog_that_runs_is_held_against_its_row(text: str, told: str) -> None:
    found = [s.observation.text for s in watched(text, ROW).seen if s.observation.kind == "conflict"]
    assert len(found) == bool(told)
    assert all(told in one for one in found)


def test_watchdogs_that_do_not_run_are_told_once() -> None:
    port = {"speed": "100000", "admin_status": "up"}
    tables = {"PORT": {f"Ethernet{n}": port for n in range(4)}, "PFC_WD": {f"Ethernet{n}": ROW for n in range(4)}}
    given = Document("leaf/config_db.json", json.dumps(whole(**tables), indent=1))
    text = WATCHDOGS.format(action="drop", time="200")
    reading = PLATFORM.read(DeviceInput("leaf", "sonic", (given, Document("leaf/wd.txt", text, "show pfcwd config"))))
    (found,) = [s for s in reading.seen if s.observation.kind == "conflict"]
    assert "Ethernet1, Ethernet2, Ethernet3, and show pfcwd config does not list them" in found.observation.text


def test_the_watchdog_that_is_shown_fills_a_gap() -> None:
    reading = watched(WATCHDOGS.format(action="forward", time="300"), None)
    assert [at(reading, f"pfc.watchdog.{leaf}").value for leaf in ("on", "action", "detect_ms", "restore_ms")] == [
        True,
        "forward",
        300,
        400,
    ]


STORMS = """      QUEUE       STATUS    STORM DETECTED/RESTORED    TX OK/DROP    RX OK/DROP
-----------  -----------  -------------------------  ------------  ------------
Ethernet0:3  {0:<11}                        3/2       100/300       100/300
Ethernet0:4  {1:<11}                        1/0       100/300       100/300
Ethernet9:3  stormed                            1/0       100/300       100/300
"""


@pytest.mark.parametrize(
    ("states", "queues"),
    [
        (("operational", "operational"), []),
        (("stormed", "operational"), ["queue 3 of Ethernet0"]),
        (("stormed", "stormed"), ["queue 3 and 4 of Ethernet0"]),
    ],
)
def test_a_queue_that_is_stuck_now_is_told(states: tuple[str, str], queues: list[str]) -> None:
    given = Document("leaf/config_db.json", json.dumps(whole(), indent=1))
    answer = Document("leaf/storms.txt", STORMS.format(*states), "show pfcwd stats")
    reading = PLATFORM.read(DeviceInput("leaf", "sonic", (given, answer)))
    told = [s.observation.text for s in reading.seen if s.observation.kind == "stuck"]
    assert [f"the watchdog holds {one} for stuck at this moment" for one in queues] == told


def test_a_queue_that_is_stuck_now_is_told_without_a_configuration() -> None:
    answer = Document("leaf/storms.txt", STORMS.format("stormed", "operational"), "show pfcwd stats")
    reading = PLATFORM.read(DeviceInput("leaf", "sonic", (answer,)))
    assert [s.observation.name for s in reading.seen if s.observation.kind == "stuck"] == ["Ethernet0", "Ethernet9"]


@pytest.mark.parametrize(
    ("tables", "told"),
    [
        (
            {"PORT": {"Ethernet0": {"speed": "100000", "mtu": "1500"}}},
            ["mtu: 1500 B is configured, and 9100 B runs"],
        ),
        ({"PORT": {"Ethernet0": {"speed": "100000", "mtu": "9100"}}}, []),
        ({"PORT": {"Ethernet0": {"speed": "100000"}}}, []),
        (
            {
                "PORT": {"Ethernet0": {"speed": "100000", "mtu": "1500"}},
                "PORTCHANNEL": {"PortChannel1": {"mtu": "9100"}},
                "PORTCHANNEL_MEMBER": {"PortChannel1|Ethernet0": {}},
            },
            [],
        ),
    ],
)
def test_an_mtu_that_runs_and_is_not_the_written_one(tables: dict[str, Any], told: list[str]) -> None:
    given = Document("leaf/config_db.json", json.dumps(whole(**tables), indent=1))
    reading = PLATFORM.read(DeviceInput("leaf", "sonic", (given, Document("leaf/status.txt", STATUS, INTERFACES))))
    assert [s.observation.text for s in reading.seen if s.observation.kind == "conflict"] == told


def test_rules_about_patches_are_no_datastore() -> None:
    fields = '{"fields": ["xoff"], "operations": ["replace"], "platforms": {"th": "20221100"}}'
    tables = ", ".join(f'"{table}": {{"validator_data": {fields}}}' for table in ("BUFFER_PROFILE", "PFC_WD", "QUEUE"))
    text = f'{{"tables": {{{tables}, "PORT": {{"field_operation_validators": ["rdma_config_update_validator"]}}}}}}'
    assert PLATFORM.recognise(Document("gcu_field_operation_validators.conf.json", text)) == 0
    assert PLATFORM.recognise(Document("a.json", text.replace("field_operation_validators", "mtu"))) > 0
