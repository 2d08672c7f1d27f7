"""`lldptool -t -i DEV -V TLV -c`: what lldpad is set to is read as the TLV that it sends."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.portreading import PortReading
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Why

ETS = """willing=no
tsa=0:ets,1:ets,2:strict
up2tc=0:0,1:0,2:0,3:1,4:0,5:0,6:0,7:0
tcbw=30,70,0
"""
APP = """app=(prio,sel,proto)
0:(3,5,26) local hw (set)
1:(4,5,34) peer hw (set)
2:(3,3,4791) local hw (set)
"""
PFC = """willing=yes
enabled=3,4
delay=0
"""


def read(**answers: str) -> PortReading:
    documents = tuple(
        Document(f"{tlv}.txt", text, f"lldptool -t -i ens1f0 -V {tlv.replace('_', '-')} -c")
        for tlv, text in answers.items()
    )
    return platform("linux").read(DeviceInput("node1", "linux", documents)).ports[0]


def test_settings_are_those_of_the_tlv() -> None:
    facts = read(ETS_CFG=ETS, APP=APP, PFC=PFC).facts
    assert facts.pfc.get().priorities.get() == {3, 4}
    assert facts.dcbx.get().willing.get() is True
    assert facts.dcbx.get().roce_priority.get() == 3
    assert [facts.queues.get()[number].share.get() for number in (0, 1)] == [30, 70]
    assert facts.classes.get()[3].queue.get() == 1
    assert facts.dscp.get()[26].get() == 3
    assert not facts.dscp.get()[34].is_known


@pytest.mark.parametrize("text", ["enabled=3,9", "enabled=three", "enabled=3 4 x"])
def test_a_damaged_setting_is_not_known(text: str) -> None:
    pfc = read(PFC=text).facts.pfc
    assert pfc.is_unknown
    assert pfc.why is Why.NOT_PARSED


@pytest.mark.parametrize("text", ["0:(3,5,106) local hw (set)", "0:(3,5,2", "0;(3,5,26) local hw (set)"])
def test_an_application_that_is_none_is_told(text: str) -> None:
    documents = (Document("a.txt", f"app=(prio,sel,proto)\n{text}\n", "lldptool -t -i ens1f0 -V APP -c app"),)
    reading = platform("linux").read(DeviceInput("node1", "linux", documents))
    assert [(one.observation.kind, one.place.line) for one in reading.seen] == [("unread-line", 2)]
