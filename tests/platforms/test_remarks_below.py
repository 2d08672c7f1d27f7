"""A configuration that somebody pasted with a remark below it is whole: its end mark is the last line of its own."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document

WHOLE = {
    "eos": "! Command: show running-config\nhostname a\ninterface Ethernet1\n   mtu 9214\nend\n",
    "vrp": "!Software Version V200R022C10\n#\nsysname a\n#\ninterface 100GE1/0/1\n#\nreturn\n",
    "comware": "#\n version 7.1.070, Release 6710\n#\n sysname a\n#\ninterface HundredGigE1/0/1\n#\nreturn\n",
}


@pytest.mark.parametrize(
    "remark", ["", "\nDoes anybody see what is wrong here?\n", "We use it for storage.\nThanks a lot!\n"]
)
@pytest.mark.parametrize("name", WHOLE)
def test_a_remark_below_the_end_cuts_nothing_off(name: str, remark: str) -> None:
    reading = platform(name).read(DeviceInput("a", name, (Document("a.cfg", WHOLE[name] + remark),)))
    assert "truncated" not in {one.observation.kind for one in reading.seen}


@pytest.mark.parametrize("name", WHOLE)
def test_a_remark_in_place_of_the_end_is_none(name: str) -> None:
    text = WHOLE[name].rstrip().rpartition("\n")[0] + "\nDoes anybody see what is wrong here?\n"
    reading = platform(name).read(DeviceInput("a", name, (Document("a.cfg", text),)))
    assert "truncated" in {one.observation.kind for one in reading.seen}
