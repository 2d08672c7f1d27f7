"""What runs and what is saved, rolled back or typed and not committed are never mixed, on the platforms that show both."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.states import read
from roce_audit.text.document import DeviceInput, Document

VRP = "!Software Version V300R023C00SPC500\n#\nsysname x\n#\ninterface 100GE1/0/1\n portswitch\n{}#\nreturn\n"
COMWARE = "#\n version 7.1.070, Release 6710\n#\n sysname x\n#\ninterface HundredGigE1/0/1\n{}#\nreturn\n"
AOSCX = "!Version AOS-CX GL.10.15.1020\nhostname x\ninterface 1/1/1\n    no shutdown\n{}"
JUNOS = (
    "version 23.4R2;\nsystem {{\n    host-name x;\n}}\ninterfaces {{\n    et-0/0/1 {{\n{}        unit 0;\n    }}\n}}\n"
)
PAIRS = {
    "vrp": (
        ("display current-configuration", VRP.format(" jumboframe enable 9216\n")),
        ("display saved-configuration", VRP.format(" jumboframe enable 1600\n")),
    ),
    "comware": (
        ("display current-configuration", COMWARE.format(" jumboframe enable 9416\n")),
        ("display saved-configuration", COMWARE.format(" jumboframe enable 1600\n")),
    ),
    "aoscx": (
        ("show running-config", AOSCX.format("    mtu 9198\n    no routing\n")),
        ("show startup-config", AOSCX.format("    mtu 1600\n    no routing\n")),
    ),
    "junos": (
        ("show configuration | no-more", JUNOS.format("        mtu 9216;\n")),
        ("show system rollback 1", JUNOS.format("        mtu 1600;\n")),
    ),
}
SAVED = ("vrp", "comware", "aoscx")


def reading(name: str, *which: int) -> DeviceReading:
    documents = tuple(Document(f"{number}.txt", PAIRS[name][number][1], PAIRS[name][number][0]) for number in which)
    return read(platform(name), DeviceInput("x", name, documents))


def mtu(found: DeviceReading) -> int:
    size = found.ports[0].facts.ip_mtu_bytes.value
    assert size is not None
    return size


@pytest.mark.parametrize("name", PAIRS)
def test_what_runs_is_in_force_whatever_comes_last(name: str) -> None:
    assert mtu(reading(name, 0, 1)) == mtu(reading(name, 1, 0)) == mtu(reading(name, 0)) > 9000


@pytest.mark.parametrize("name", SAVED)
def test_what_is_saved_is_a_state_of_its_own(name: str) -> None:
    saved = reading(name, 0, 1).saved
    assert saved is not None
    assert mtu(saved) == mtu(reading(name, 1)) < 1700


def test_an_older_configuration_of_junos_is_left_aside_and_said_so() -> None:
    found = reading("junos", 0, 1)
    assert found.saved is None
    assert [path for path, _ in found.unrecognised] == ["1.txt"]


def test_a_comparison_of_configurations_is_none() -> None:
    text = "[edit interfaces et-0/0/1]\n-   mtu 9216;\n+   mtu 1600;\n"
    documents = (
        Document("0.txt", PAIRS["junos"][0][1], "show configuration | no-more"),
        Document("1.txt", text, "show configuration | compare rollback 1"),
    )
    assert mtu(read(platform("junos"), DeviceInput("x", "junos", documents))) == 9202
