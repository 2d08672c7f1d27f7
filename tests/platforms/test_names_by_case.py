"""A name that nothing defines and that differs from a defined one by upper and lower case alone is told with that one."""

from __future__ import annotations

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document

TEXT = (
    "qos profile ROCE\n   priority-flow-control on\n!\n"
    "interface Ethernet1\n   service-profile ROCE\n!\ninterface Ethernet2\n   service-profile {name}\n!\n"
)


def told(name: str) -> list[str]:
    document = Document("x.cfg", TEXT.format(name=name), declared_complete=True)
    return [one.observation.text for one in platform("eos").read(DeviceInput("x", "eos", (document,))).seen]


def test_the_name_in_another_case_is_told() -> None:
    (text,) = told("RoCE")
    assert text == (
        "qos profile RoCE is used here and defined nowhere; ROCE is defined, and upper and lower case are told apart"
    )
    assert told("ROCE") == []


def test_another_name_brings_no_guess() -> None:
    assert told("OTHER") == ["qos profile OTHER is used here and defined nowhere"]
