"""Advanced properties in a table without keywords: by the names and words that drivers show."""

from __future__ import annotations

import pytest

from roce_audit.model import Port
from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Why

TABLE = """
Name     DisplayName                   DisplayValue
----     -----------                   ------------
Storage1 Jumbo Packet                  {frame}
Storage1 Flow Control                  {pause}
Storage1 NetworkDirect Technology      {technology}
Storage1 Interrupt Moderation          Adaptive
"""


def read(frame: str = "9014 Bytes", pause: str = "Disabled", technology: str = "RoCEv2") -> DeviceReading:
    text = TABLE.format(frame=frame, pause=pause, technology=technology)
    command = "Get-NetAdapterAdvancedProperty -Name Storage* | ft Name,DisplayName,DisplayValue"
    return platform("windows").read(DeviceInput("node1", "windows", (Document("a.txt", text, command),)))


def facts(**values: str) -> Port:
    return read(**values).ports[0].facts


def test_words_are_those_of_the_keywords() -> None:
    found = facts()
    assert not read().seen
    assert found.ip_mtu_bytes.get() == 9000
    assert found.link_pause_rx.get() is False
    assert found.nic.get().cma_mode.get() == "roce-v2"
    assert facts(pause="Rx & Tx Enabled").link_pause_tx.get() is True
    assert facts(technology="iWARP").kind.get() == "iwarp"
    assert facts(frame="Disabled").ip_mtu_bytes.get() == 1500


@pytest.mark.parametrize("shown", ["Perhaps", "7"])
def test_a_word_that_no_driver_shows_is_not_known(shown: str) -> None:
    reading = read(pause=shown)
    assert reading.ports[0].facts.link_pause_rx.why is Why.NOT_PARSED
    assert [one.observation.kind for one in reading.seen] == ["unread-line"]
