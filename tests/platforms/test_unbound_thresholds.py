"""Thresholds that are written the wrong way round in a definition that reaches no port are told, once."""

from __future__ import annotations

import json

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.base import Seen
from roce_audit.text.document import DeviceInput, Document

LOW, HIGH = "@LOW@", "@HIGH@"
TEXTS = {
    "nxos": (
        (
            "hostname tor9\npolicy-map type queuing NEXT\n  class type queuing c-out-8q-q3\n"
            "    random-detect minimum-threshold @LOW@ kbytes maximum-threshold @HIGH@ kbytes drop-probability 10 ecn\n"
        ),
        4,
    ),
    "eos": (
        (
            "hostname tor9\nqos profile NEXT\n   uc-tx-queue 3\n"
            "      random-detect ecn minimum-threshold @LOW@ kbytes maximum-threshold @HIGH@ kbytes max-mark-probability 20\n"
        ),
        4,
    ),
    "vrp": ("sysname tor9\n#\ndrop-profile next\n ecn low-limit @LOW@ high-limit @HIGH@ discard-percentage 10\n#\n", 4),
    "comware": (
        "sysname tor9\n#\nqos wred queue table NEXT\n queue 3 drop-level 0 low-limit @LOW@ high-limit @HIGH@\n#\n",
        4,
    ),
    "os10": (
        (
            "hostname tor9\nwred next\n random-detect color green minimum-threshold @LOW@ maximum-threshold @HIGH@"
            " drop-probability 20\n"
        ),
        3,
    ),
    "os9": ("hostname tor9\nwred-profile next\n threshold min @LOW@ max @HIGH@\n", 3),
    "aoscx": (
        (
            "hostname tor9\nqos threshold-profile NEXT\n"
            "    queue 3 action ecn all min-threshold @LOW@ kbytes max-threshold @HIGH@ kbytes\n"
        ),
        3,
    ),
    "esonic": (
        "hostname tor9\nqos wred-policy next\n green minimum-threshold @LOW@ maximum-threshold @HIGH@ drop-probability 10\n",
        3,
    ),
    "srlinux": (
        (
            "set / system name host-name tor9\n"
            "set / qos buffer-management queue-management-profile next wred wred-slope all drop-probability all enable-ecn true"
            " min-threshold-percent @LOW@\n"
            "set / qos buffer-management queue-management-profile next wred wred-slope all drop-probability all enable-ecn true"
            " max-threshold-percent @HIGH@\n"
        ),
        3,
    ),
    "junos": (
        "set version 23.4R2-EVO\nset system host-name tor9\n"
        "set class-of-service drop-profiles NEXT interpolate fill-level @LOW@\n"
        "set class-of-service drop-profiles NEXT interpolate fill-level @HIGH@\n"
        "set class-of-service drop-profiles NEXT interpolate drop-probability [ 0 100 ]\n"
        + "".join(f"set interfaces et-0/0/{n} mtu 9216\n" for n in range(4)),
        4,
    ),
    "sonic": (
        json.dumps(
            {"WRED_PROFILE": {"NEXT": {"green_min_threshold": "@LOW@", "green_max_threshold": "@HIGH@"}}}, indent=1
        ),
        5,
    ),
    "cumulus": (
        (
            "nv set system hostname tor9\nnv set qos congestion-control NEXT traffic-class 3 min-threshold @LOW@\n"
            "nv set qos congestion-control NEXT traffic-class 3 max-threshold @HIGH@\n"
        ),
        3,
    ),
}
PAUSES = {
    "nxos": "hostname tor9\npolicy-map type queuing NEXT\n  class type queuing c-in-q3\n"
    "    pause buffer-size 101920 pause-threshold @HIGH@ resume-threshold @LOW@\n",
    "os10": "hostname tor9\nclass-map type network-qos C3\n match qos-group 3\npolicy-map type network-qos NEXT\n class C3\n"
    "  pause buffer-size 120 pause-threshold @HIGH@ resume-threshold @LOW@\n",
}


def told(name: str, text: str, low: int, high: int) -> list[Seen]:
    text = text.replace(LOW, str(low)).replace(HIGH, str(high))
    command = {"srlinux": "info flat", "junos": "show configuration | display set"}.get(name)
    path = "config_db.json" if name == "sonic" else "tor9.cfg"
    seen = platform(name).read(DeviceInput("tor9", name, (Document(path, text, command),))).seen
    assert not any(one.observation.kind == "unread-line" for one in seen)
    return [one for one in seen if one.observation.kind in ("conflict", "unapplied")]


@pytest.mark.parametrize("name", TEXTS)
def test_marking_that_begins_above_its_end_is_told_where_no_port_has_it(name: str) -> None:
    text, line = TEXTS[name]
    (found,) = [one for one in told(name, text, 90, 40) if one.observation.kind == "conflict" or not one.ports]
    assert found.observation.kind == "conflict"
    assert found.place.line == line
    assert "90" in found.observation.text
    assert "40" in found.observation.text
    assert not any(one.observation.kind == "conflict" for one in told(name, text, 40, 90))


@pytest.mark.parametrize("name", PAUSES)
def test_pause_that_ends_above_its_beginning_is_told_where_no_port_has_it(name: str) -> None:
    (found,) = told(name, PAUSES[name], 90, 40)
    assert "ends only at 90" in found.observation.text
    assert told(name, PAUSES[name], 40, 90) == []


def test_units_that_nothing_makes_comparable_are_not_compared() -> None:
    text = TEXTS["eos"][0].replace("@HIGH@ kbytes", "@HIGH@ segments")
    assert told("eos", text, 90, 40) == []
    assert told("eos", TEXTS["eos"][0].replace("@HIGH@ kbytes", "@HIGH@ mbytes"), 90, 40) == []


def test_what_the_whole_device_applies_is_told_where_no_port_is_in_sight() -> None:
    text = TEXTS["nxos"][0].replace(LOW, "3000").replace(HIGH, "150")
    text += "system qos\n  service-policy type queuing output NEXT\n"

    def told(more: str) -> list[str]:
        documents = (Document("tor9.cfg", text + more),)
        seen = platform("nxos").read(DeviceInput("tor9", "nxos", documents)).seen
        return [one.observation.name for one in seen if one.observation.kind == "conflict"]

    assert told("") == told("interface mgmt0\n  ip address 10.0.0.1/24\n") == ["NEXT"]
    assert told("interface Ethernet1/1\n  mtu 9216\n") == []
