"""What a Cumulus switch does with marks as it unwraps VXLAN: read, and a slip in it is told."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document


@pytest.mark.parametrize(("action", "count"), [("preserve", 0), ("copy", 0), ("derive", 0), ("presreve", 1)])
def test_the_action_of_decapsulation(action: str, count: int) -> None:
    text = (
        f"nv set qos roce\nnv set interface swp1 link mtu 9216\nnv set nve vxlan decapsulation dscp action {action}\n"
    )
    reading = platform("cumulus").read(DeviceInput("x", "cumulus", (Document("x.txt", text),)))
    assert sum(one.observation.kind == "unread-line" for one in reading.seen) == count
