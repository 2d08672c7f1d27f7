"""Answers that no platform recognises by themselves, beside the configuration of the switch that their prompt names."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.cli.main import main
from roce_audit.sources.devices import load

FIXTURES = Path(__file__).parents[2] / "fixtures"
CONFIGURATION = """! Version 10.5.4.3
hostname tor3
dcbx enable
policy-map type network-qos PFC
interface ethernet1/1/1
 flowcontrol transmit off
 priority-flow-control mode on
"""
QUEUES = "Queue Packets Bytes Dropped-Packets Dropped-Bytes\n3     98     4027     55     221\n"
LOG = f"tor3# show queuing statistics interface ethernet 1/1/1\nInterface ethernet1/1/1\n{QUEUES}tor3#\n"


@pytest.mark.parametrize(
    ("files", "joined"),
    [
        ({"tor3.cfg": CONFIGURATION, "tor3-show.log": LOG}, True),
        ({"tor3.cfg": CONFIGURATION.replace("tor3", '"tor3"'), "tor3-show.log": LOG}, True),
        ({"tor3.cfg": CONFIGURATION, "tor3-show.log": LOG.replace("tor3", "TOR3.dc1.example.net")}, True),
        ({"tor3.cfg": CONFIGURATION, "tor3-show.log": LOG.replace("tor3# show", "tor3(config)# do show")}, True),
        ({"tor3.cfg": CONFIGURATION, "tor4-show.log": LOG.replace("tor3", "tor4")}, False),
        ({"configs/tor3.cfg": CONFIGURATION, "logs/tor3-show.log": LOG}, True),
        ({"configs/tor3.cfg": CONFIGURATION, "old/tor3-show.log": LOG}, None),
        ({"configs/tor3.cfg": CONFIGURATION, "2026-01-02/tor3-show.log": LOG}, None),
    ],
    ids=[
        "beside",
        "name in quotes",
        "domain",
        "while configuring",
        "another device",
        "a folder of answers",
        "an archive",
        "another day",
    ],
)
def test_the_prompt_names_the_switch(tmp_path: Path, files: dict[str, str], joined: bool | None) -> None:
    """None: the answers are judged as a device of their own, for they are of another time."""
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    loaded = load([str(tmp_path)])
    device = next(one for one in loaded.devices if one.name == "tor3")
    assert (device.platform, len(loaded.devices)) == ("os10", 2 if joined is None else 1)
    assert [one.command for one in device.documents[1:]] == (
        ["show queuing statistics interface ethernet 1/1/1"] if joined else []
    )
    assert [word for _, word in loaded.unrecognised] == (
        [] if joined is not False else ["answers of commands that no platform recognised (1)"]
    )


def test_what_was_kept_of_an_earlier_run_says_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tor3.cfg").write_text(CONFIGURATION)
    (tmp_path / "tor3-show.log").write_text(LOG)
    said = []
    for more in (["--no-cache"], [], []):
        main(["check", str(tmp_path), *more])
        said.append(capsys.readouterr().out)
    assert len(set(said)) == 1
    assert "not recognised" not in said[0]


def test_an_answer_in_json_is_of_the_command_that_asks_for_it(tmp_path: Path) -> None:
    folder = tmp_path / "leaf1"
    folder.mkdir()
    (folder / "show_running-config.txt").write_text("! device: leaf1 (DCS-7060DX5-64S, EOS-4.31.2F)\nhostname leaf1\n")
    for name in ("show_qos_interfaces_ecn_counters_queue", "show_priority-flow-control_counters", "show_clock"):
        (folder / f"{name}.json").write_text("{}")
    (device,) = load([str(tmp_path)]).devices
    assert {one.command for one in device.documents} == {
        "show running-config",
        "show qos interfaces ecn counters queue | json",
        "show priority-flow-control counters | json",
        "show clock",
    }


@pytest.mark.parametrize(
    "answer",
    [
        "leaf1/show_priority-flow-control_counters_watchdog.json",
        "show/leaf1/show_priority-flow-control_counters_watchdog.txt",
        "leaf1_show_priority-flow-control_counters_watchdog.json",
    ],
)
def test_one_answer_in_json_in_a_folder_called_after_the_switch(tmp_path: Path, answer: str) -> None:
    (tmp_path / answer).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "leaf1.cfg").write_text("! device: leaf1 (DCS-7060DX5-64S, EOS-4.31.2F)\nhostname leaf1\n")
    (tmp_path / answer).write_text('{"interfaces": {"Ethernet1/1": {"txQueues": {"3": {"stuckCount": 12}}}}}\n')
    loaded = load([str(tmp_path)])
    (device,) = loaded.devices
    assert [one.command for one in device.documents] == [None, "show priority-flow-control counters watchdog | json"]
    assert not loaded.unrecognised


def test_json_that_breaks_off_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "leaf1"
    folder.mkdir()
    (folder / "show_running-config.txt").write_text(
        "! device: leaf1 (DCS-7060DX5-64S, EOS-4.31.2F)\nhostname leaf1\ninterface Ethernet1/1\n   priority-flow-control on\n"
    )
    (folder / "show_interfaces_counters_queue_detail.json").write_text(
        '{"egressQueueCounters": {"interfaces": {"Ethernet1/1":'
    )
    main(["check", str(tmp_path), "--no-cache"])
    assert "show interfaces counters queue detail | json" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    "configuration", ["configs/tor3.cfg", "answers/tor3.cfg", "configs/tor3/show_running-configuration.txt"]
)
def test_the_folder_names_the_switch(tmp_path: Path, configuration: str) -> None:
    folder = tmp_path / "answers/tor3"
    folder.mkdir(parents=True)
    (tmp_path / configuration).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / configuration).write_text(CONFIGURATION)
    for port in ("1-1-1", "1-1-2"):
        text = f"Interface ethernet{port.replace('-', '/')}\n{QUEUES}"
        (folder / f"show_queuing_statistics_interface_ethernet_{port}.txt").write_text(text)
    loaded = load([str(tmp_path)])
    assert [len(one.documents) for one in loaded.devices] == [3]
    assert not loaded.unrecognised


@pytest.mark.parametrize(
    ("name", "joined"),
    [
        ("tor3_show_queuing_statistics_interface_ethernet_1-1-1.txt", True),
        ("tor3-show_queuing_statistics_interface.log", True),
        ("tor3.show queuing statistics interface.txt", True),
        ("tor4_show_queuing_statistics_interface.txt", False),
    ],
)
def test_a_file_is_called_after_its_switch_and_its_command(tmp_path: Path, name: str, joined: bool) -> None:
    (tmp_path / "tor3.cfg").write_text(CONFIGURATION)
    (tmp_path / name).write_text(f"Interface ethernet1/1/1\n{QUEUES}")
    loaded = load([str(tmp_path)])
    (device,) = loaded.devices
    assert [(one.command or "")[:23] for one in device.documents[1:]] == (["show queuing statistics"] if joined else [])
    assert [path for path, _ in loaded.unrecognised] == ([] if joined else [f"{tmp_path}/{name}"])


def test_a_folder_of_another_site_is_none_of_answers(tmp_path: Path) -> None:
    for name, text in {
        "a/tor3.cfg": CONFIGURATION,
        "b/tor3-show.log": LOG,
        "b/tor4.cfg": CONFIGURATION.replace("tor3", "tor4"),
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    loaded = load([str(tmp_path)])
    assert [len(one.documents) for one in loaded.devices] == [1, 1]
    assert len(loaded.unrecognised) == 1


def test_config_db_in_a_folder_of_any_name_and_the_log_beside_it(tmp_path: Path) -> None:
    """The file is called after its folder, which may be that of a support case."""
    (tmp_path / "case-1234").mkdir()
    database = '{"DEVICE_METADATA": {"localhost": {"hostname": "sonic1"}}, "PORT": {"Ethernet0": {"lanes": "1", "mtu": "9100"}}}'
    (tmp_path / "case-1234/config_db.json").write_text(database)
    rows = "  Port Rx    PFC0    PFC1\n---------  ------  ------\nEthernet0       0       0\n"
    (tmp_path / "case-1234/pfc.txt").write_text(f"admin@sonic1:~$ show pfc counters\n{rows}admin@sonic1:~$ \n")
    loaded = load([str(tmp_path)])
    assert [(one.name, len(one.documents)) for one in loaded.devices] == [("sonic1", 2)]
    assert not loaded.problems


EOS = "! device: leaf1 (DCS-7060DX5-64S, EOS-4.32.3M)\n!\nhostname leaf1\n!\ninterface Ethernet1/1\n   priority-flow-control on\n!\nend\n"
CUMULUS = "nv set system hostname leaf1\nnv set interface swp1 link mtu 9216\nnv set qos roce mode lossless\n"
COMWARE = (FIXTURES / "comware" / "leaf" / "leaf.cfg").read_text()


@pytest.mark.parametrize(
    ("file", "text", "platform"),
    [
        ("show_running-config.txt", CUMULUS, "cumulus"),
        ("show_configuration.txt", EOS, "eos"),
        ("display_current-configuration.txt", EOS, "eos"),
        ("show_running-config.txt", COMWARE, "comware"),
        ("show_version.txt", CUMULUS, None),
        ("show_configuration.txt", "some words\nof nobody\n", None),
    ],
)
def test_collectors_name_all_configurations_after_the_command_of_one_vendor(
    tmp_path: Path, file: str, text: str, platform: str | None
) -> None:
    (tmp_path / "leaf1").mkdir()
    (tmp_path / "leaf1" / file).write_text(text)
    loaded = load([str(tmp_path)])
    assert [one.platform for one in loaded.devices] == ([] if platform is None else [platform])
    assert bool(loaded.unrecognised) is (platform is None)


_PFC = """The hardware supports PFC on priorities 0 1 2 3 4 5 6 7
Port   Status  Priorities
Et1    E A     3
"""


@pytest.mark.parametrize(
    ("configurations", "answers", "joined"),
    [
        (("leaf1/config.txt",), "leaf1/cmds", True),
        (("site/leaf1/config.txt", "site/leaf2/config.txt"), "site/leaf1/show", True),
        (("leaf1/flash/config.txt", "leaf1/etc/other.txt"), "leaf1/cmds", False),
        (("configs/leaf1.cfg", "configs/leaf2.cfg"), "show", False),
        (("leaf1/config.txt",), "leaf1/spine7", False),
    ],
    ids=["beside", "two devices", "two in one folder", "a site", "another device"],
)
def test_a_folder_of_answers_within_that_of_its_switch(
    tmp_path: Path, configurations: tuple[str, ...], answers: str, joined: bool
) -> None:
    for number, name in enumerate(configurations, 1):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        text = f"! device: leaf{number} (DCS-7060DX5-64S, EOS-4.31.2F)\nhostname leaf{number}\n"
        (tmp_path / name).write_text(text)
    (tmp_path / answers).mkdir(parents=True)
    for command in ("show_priority-flow-control", "show_priority-flow-control_status"):
        (tmp_path / answers / f"{command}.txt").write_text(_PFC)
    devices = {one.name: len(one.documents) for one in load([str(tmp_path)]).devices}
    own = {f"leaf{number}": 1 for number in range(1, len(configurations) + 1)}
    assert devices == (own | {"leaf1": 3} if joined else own | {answers.rpartition("/")[2]: 2})


def test_a_saved_configuration_alone_is_one_of_its_switch(tmp_path: Path) -> None:
    configuration = (
        "! Command: show startup-config\n! device: leaf1 (DCS-7060DX5-64S, EOS-4.31.2F)\nhostname leaf1\n!\nend\n"
    )
    (tmp_path / "leaf1.log").write_text(f"leaf1#show startup-config\n{configuration}leaf1#\n")
    (device,) = load([str(tmp_path)]).devices
    assert (device.name, device.platform) == ("leaf1", "eos")


def test_a_configuration_that_a_script_calls_as_another_system_would(tmp_path: Path) -> None:
    (tmp_path / "spine1").mkdir()
    (tmp_path / "spine1/display_current-configuration.txt").write_text(
        "!! IOS XR Configuration 24.2.1\nhostname spine1\ninterface HundredGigE0/0/0/0\n priority-flow-control mode on\n!\nend\n"
    )
    (device,) = load([str(tmp_path)]).devices
    assert (device.name, device.platform, device.documents[0].command) == ("spine1", "iosxr", "show running-config")
