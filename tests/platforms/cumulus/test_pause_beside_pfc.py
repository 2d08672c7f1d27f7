"""A profile of link pause beside one of PFC on one port: the switch takes only one, whatever the profile says."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document

PFC = "nv set qos pfc p3 switch-priority 3\nnv set interface swp1 qos pfc profile p3\n"
PAUSE = "nv set interface swp1 qos link-pause profile default-global\n"
OF_ALL = "nv set qos link-pause default-global tx enable\nnv set qos link-pause default-global rx enable\n"


@pytest.mark.parametrize(
    ("text", "told", "sends"),
    [(PFC + PAUSE, 1, None), (PFC + PAUSE + OF_ALL, 0, True), (PAUSE, 0, None), (PFC, 0, None)],
)
def test_link_pause_and_pfc(text: str, told: int, sends: bool | None) -> None:
    reading = platform("cumulus").read(DeviceInput("leaf1", "cumulus", (Document("part.txt", text),)))
    assert len([one for one in reading.seen if one.observation.kind == "conflict"]) == told
    assert reading.ports[0].facts.link_pause_tx.value_or_none() is sends
