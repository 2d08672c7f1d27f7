"""A part of a configuration leaves names undefined that stand elsewhere; one that comes near an idle one is a slip."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document

PART = "nv set qos pfc my_pfc_ports switch-priority 3\nnv set interface swp1 qos pfc profile {name}\n"


@pytest.mark.parametrize(("name", "told"), [("my_pfc_prots", ["my_pfc_prots"]), ("my_pfc_ports", []), ("storage", [])])
def test_a_name_without_a_definition(name: str, told: list[str]) -> None:
    reading = platform("cumulus").read(DeviceInput("leaf1", "cumulus", (Document("part.txt", PART.format(name=name)),)))
    assert [one.observation.name for one in reading.seen if one.observation.kind == "undefined"] == told
