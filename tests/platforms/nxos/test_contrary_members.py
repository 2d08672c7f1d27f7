"""A member whose own PFC mode is not that of its port channel."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document

TEXT = """!Command: show running-config
version 10.4(3)
hostname leaf
interface port-channel10
  priority-flow-control mode {channel}
interface Ethernet1/1
  {own}
  channel-group 10 mode active
interface Ethernet1/2
  priority-flow-control mode off
"""


@pytest.mark.parametrize(
    ("channel", "own", "lines"),
    [
        ("on", "priority-flow-control mode off", [7]),
        ("on", "priority-flow-control mode on", []),
        ("on", "mtu 9216", []),
        ("off", "priority-flow-control mode auto", [7]),
        ("on", "no priority-flow-control mode", []),
    ],
)
def test_the_members_line_is_told(channel: str, own: str, lines: list[int]) -> None:
    document = Document("leaf.cfg", TEXT.format(channel=channel, own=own))
    reading = platform("nxos").read(DeviceInput("leaf", "nxos", (document,)))
    assert [one.place.line for one in reading.seen if one.observation.kind in ("conflict", "unprotected")] == lines


@pytest.mark.parametrize(("own", "kind"), [("off", "unprotected"), ("auto", "conflict")])
def test_a_member_without_pfc_loses_the_class(own: str, kind: str) -> None:
    document = Document("leaf.cfg", TEXT.format(channel="on", own=f"priority-flow-control mode {own}"))
    reading = platform("nxos").read(DeviceInput("leaf", "nxos", (document,)))
    assert [one.observation.kind for one in reading.seen if one.place.line == 7] == [kind]
