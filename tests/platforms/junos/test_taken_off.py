"""Profiles with PFC that commands apply to ports and delete there again."""

from __future__ import annotations

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document

SETS = """set class-of-service congestion-notification-profile PFC input dscp code-point 011010 pfc
set interfaces et-0/0/1 mtu 9216
set class-of-service interfaces et-0/0/1 congestion-notification-profile PFC
set class-of-service interfaces et-0/0/2 congestion-notification-profile PFC
"""
DELETES = "delete class-of-service interfaces et-0/0/1 congestion-notification-profile\n"


def told(text: str) -> list[tuple[str, int, tuple[str, ...]]]:
    document = Document("cos.set", text, declared_complete=False)
    found = platform("junos").read(DeviceInput("qfx", "junos", (document,))).seen
    return [(one.observation.text, one.place.line, one.ports) for one in found if one.observation.kind == "unapplied"]


def test_a_profile_that_is_deleted_at_a_port() -> None:
    text = "congestion-notification-profile PFC is applied and taken off again, so PFC is off there"
    assert told(SETS + DELETES) == [(text, 5, ("et-0/0/1",))]
    assert told(SETS + "delete class-of-service interfaces et-0/0/1\n") == [(text, 5, ("et-0/0/1",))]


def test_the_class_has_no_pause_there() -> None:
    document = Document("cos.set", SETS + DELETES, declared_complete=False)
    (found,) = platform("junos").read(DeviceInput("qfx", "junos", (document,))).seen
    assert found.makes == ("pause",)


def test_one_that_is_applied_anew_is_not() -> None:
    assert told(SETS) == []
    assert told(DELETES + SETS) == []
    again = "set class-of-service interfaces et-0/0/1 congestion-notification-profile PFC-400G\n"
    assert told(SETS + DELETES + again) == []
