"""Sets of forwarding classes: the port is shared out among sets, and what a set gets among its queues."""

from __future__ import annotations

import pytest

from roce_audit.model import Port
from roce_audit.platforms.junos import PLATFORM
from roce_audit.text.document import DeviceInput, Document

BASE = """\
set version 21.4R3
set system host-name leaf1
set interfaces xe-0/0/1 speed 25g
set class-of-service forwarding-classes class FAST queue-num 3
set class-of-service forwarding-class-sets FASTS class FAST
set class-of-service scheduler-maps MAP forwarding-class FAST scheduler S
set class-of-service schedulers S transmit-rate percent 50
set class-of-service traffic-control-profiles T scheduler-map MAP
"""
OF_SET = "set class-of-service interfaces xe-0/0/1 forwarding-class-set FASTS output-traffic-control-profile T\n"
OF_PORT = "set class-of-service interfaces xe-0/0/1 output-traffic-control-profile T\n"
PROFILE = "set class-of-service traffic-control-profiles T "


def read(text: str) -> Port:
    device = DeviceInput("leaf1", "junos", (Document("leaf1.set", BASE + text),))
    return next(one for one in PLATFORM.read(device).ports if one.name == "xe-0/0/1").facts


@pytest.mark.parametrize(
    ("said", "share"),
    [
        (OF_SET + PROFILE + "guaranteed-rate percent 60\n", 30),
        (OF_SET + PROFILE + "guaranteed-rate 10g\n", 20),
        (OF_SET, None),
        (OF_PORT, 50),
    ],
)
def test_a_queue_gets_its_share_of_what_its_set_gets(said: str, share: int | None) -> None:
    assert read(said).queues.get()[3].share.value_or_none() == share


def test_a_set_is_shaped_with_all_its_queues() -> None:
    shaped = OF_SET + PROFILE + "shaping-rate 10g\n"
    assert read(shaped).queues.get()[3].max_rate_bps.value == 10**10
    assert (
        read(shaped + "set class-of-service schedulers S shaping-rate 5g\n").queues.get()[3].max_rate_bps.value
        == 5 * 10**9
    )


def test_a_port_that_is_shaped_bounds_its_queues() -> None:
    shaped = OF_PORT + "set class-of-service interfaces xe-0/0/1 shaping-rate 5g\n"
    assert read(shaped).queues.get()[3].max_rate_bps.value == 5 * 10**9
    queue = "set class-of-service schedulers S shaping-rate 1g\n"
    assert read(shaped + queue).queues.get()[3].max_rate_bps.value == 10**9


def test_a_class_that_a_set_schedules_is_one_of_it() -> None:
    def told(text: str) -> list[str]:
        reading = PLATFORM.read(DeviceInput("leaf1", "junos", (Document("leaf1.set", text),)))
        return [one.observation.text for one in reading.seen if one.observation.kind == "conflict"]

    assert not told(BASE + OF_SET)
    other = "set class-of-service forwarding-classes class SLOW queue-num 0\n"
    (text,) = told(BASE.replace("FASTS class FAST", "FASTS class SLOW") + OF_SET + other)
    assert text == "T schedules class FAST, which is in no set of the port (FASTS)"
    elsewhere = other + BASE.replace("FASTS class FAST", "SLOWS class FAST") + OF_SET
    elsewhere += "set class-of-service forwarding-class-sets FASTS class SLOW\n"
    elsewhere += OF_SET.replace("FASTS", "SLOWS").replace("profile T", "profile U")
    scheduled = "set class-of-service traffic-control-profiles U scheduler-map OTHER\n"
    scheduled += "set class-of-service scheduler-maps OTHER forwarding-class MEDIUM scheduler S\n"
    texts = told(elsewhere + scheduled)
    assert "T schedules class FAST, which is in set SLOWS, not in one of T" in texts
    assert "U schedules class MEDIUM, which is in no set of the port (FASTS, SLOWS)" in texts
    assert not told(elsewhere + "set class-of-service traffic-control-profiles U scheduler-map MAP\n")
    assert not told(BASE.replace("set class-of-service forwarding-class-sets FASTS class FAST\n", "") + OF_SET)
