"""`show queuing pfc-queue detail`: a queue that was shut more often than it was restored is shut now."""

from __future__ import annotations

import pytest

from roce_audit.platforms.nxos import gauges
from roce_audit.text.document import DeviceInput, Document

_TABLE = """+----------------------------------------------------+
Ethernet1/7 Interface PFC watchdog: [Enabled]
+----------------------------------------------------+
|   QOS GROUP 3 [Active] PFC [YES] PFC-COS [3]
|             Shutdown      |                         {shut}|
|              Restored     |                         {restored}|
|   QOS GROUP 4 [Active] PFC [YES] PFC-COS [4]
|             Shutdown      |                         0|
|              Restored     |                         1|
"""


@pytest.mark.parametrize(("shut", "restored", "stuck"), [(3, 0, True), (14, 13, True), (14, 14, False), (0, 1, False)])
def test_a_queue_that_was_not_restored(shut: int, restored: int, stuck: bool) -> None:
    text = _TABLE.format(shut=shut, restored=restored)
    device = DeviceInput("a", "nxos", (Document("a.txt", text, "show queuing pfc-queue detail"),))
    found = list(gauges.read(device))
    assert [(one.port, one.kind, one.said, one.place.line) for one in found] == [
        ("Ethernet1/7", "stuck", "queue 3", 5)
    ] * stuck
