"""`display qos map-table` against the maps of the configuration."""

from __future__ import annotations

from typing import Any

import pytest

from roce_audit.model.walk import follow
from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document

CONFIGURED = """#
 version 7.1.070, Release 6710
#
 sysname x
#
qos map-table dscp-dot1p
 import 26 export 3
 import 40 41 export 5
#
interface HundredGigE1/0/1
 port link-mode route
 qos trust dscp
#
return
"""
HEADING = "MAP-TABLE NAME: {}   TYPE: pre-define{}\n\nIMPORT  :  EXPORT\n"


def table(name: str, entries: dict[int, int], direction: str = "") -> str:
    """A table as the command prints it: its rows begin in the fourth line."""
    rows = "".join(f"  {mark:2}    :  {to:4}\n" for mark, to in entries.items())
    return HEADING.format(name, f"   DIRECTION: {direction}" if direction else "") + rows


def reading(answer: str, configured: str = CONFIGURED) -> DeviceReading:
    documents = [Document("maps.txt", answer, "display qos map-table")]
    if configured:
        documents.insert(0, Document("x.cfg", configured, "display current-configuration"))
    return platform("comware").read(DeviceInput("x", "comware", tuple(documents)))


def fact(found: DeviceReading, *path: Any) -> Any:
    port = next(one for one in found.ports if one.name == "HundredGigE1/0/1")
    cell = follow(port.facts, path)
    return cell.get() if cell is not None and cell.is_known else None


def told(found: DeviceReading) -> list[tuple[str, int]]:
    return [(one.observation.text, one.place.line) for one in found.seen if one.observation.kind == "conflict"]


def test_what_is_configured_or_the_default_runs() -> None:
    found = reading(table("dscp-dot1p", {0: 0, 26: 3, 39: 4, 40: 5}) + table("dot1p-lp", {0: 2, 3: 3}, "inbound"))
    assert told(found) == []
    assert not found.unrecognised
    assert (fact(found, "dscp", 26), fact(found, "dscp", 40)) == (3, 5)


def test_another_map_runs_than_is_configured() -> None:
    found = reading(table("dscp-dot1p", {26: 0, 30: 1}))
    assert told(found) == [("DSCP 26 -> priority 3 is configured, and DSCP 26 -> priority 0 runs", 4)]
    assert (fact(found, "dscp", 26), fact(found, "dscp", 30)) == (0, 1)


def test_a_priority_leads_to_another_queue() -> None:
    found = reading(table("dot1p-lp", {3: 1}, "inbound") + table("dot1p-lp", {3: 7}, "outbound"))
    assert told(found) == []
    assert fact(found, "classes", 3, "queue") == 1


@pytest.mark.parametrize("answer", ["% Unrecognized command found at '^' position.\n", table("up-lp", {3: 1})])
def test_an_answer_that_says_nothing_of_these_maps(answer: str) -> None:
    found = reading(answer)
    assert (fact(found, "dscp", 26), told(found)) == (3, [])
    assert [path for path, _ in found.unrecognised] == ["maps.txt"]
