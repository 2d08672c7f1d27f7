"""PFC that later commands take back is one finding, and not one more for each setting that makes no sense without it."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document


@pytest.mark.parametrize(("last", "kind", "line"), [("", "", 0), ("nv unset qos roce\n", "pfc-taken-back", 5)])
def test_pfc_that_is_taken_back_explains_a_pool_without_pause(last: str, kind: str, line: int) -> None:
    text = "nv set interface swp1-4 link mtu 9216\nnv set qos roce state enabled\nnv set qos roce mode lossless\n"
    text += f"nv set qos traffic-pool roce-lossless memory-percent 90\n{last}"
    reading = platform("cumulus").read(DeviceInput("leaf1", "cumulus", (Document("part.txt", text),)))
    told = [(one.observation.kind, one.place.line) for one in reading.seen]
    assert told == ([(kind, line)] if kind else [])
