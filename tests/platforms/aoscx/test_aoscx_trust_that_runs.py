"""`show interface` says what a port trusts: it counts before what is configured, but where it may be about the switch as a whole."""

from __future__ import annotations

import pytest

from roce_audit.platforms.aoscx import PLATFORM
from roce_audit.text.document import DeviceInput, Document

CONFIGURED = """!Version ArubaOS-CX DL.10.13.1020
hostname leaf1
{device}interface 1/1/1
    no shutdown
{own}    flow-control priority 3
"""
SHOWN = """Interface 1/1/1 is up
 Admin state is up
 MTU 9198
 qos trust {}
 Speed 100000 Mb/s
"""
EVERYWHERE, HERE, CHANNEL = "qos trust dscp\n", "    qos trust dscp\n", "    lag 1\n"


@pytest.mark.parametrize(
    ("device", "own", "shown", "trust", "differs"),
    [
        (EVERYWHERE, HERE, "dscp", "dscp", False),
        (EVERYWHERE, HERE, "none", "none", True),
        (EVERYWHERE, HERE, "cos", "pcp", True),
        (EVERYWHERE, "", "cos", "pcp", True),
        (EVERYWHERE, "    qos trust none\n", "dscp", "none", True),  # what trusts more does not hide it
        (EVERYWHERE, "", "none", "dscp", True),  # of the port alone: told, and no more
        ("", "", "dscp", "none", False),
        ("interface lag 1\n    no shutdown\n    qos trust dscp\n", CHANNEL, "none", "dscp", False),
    ],
)
def test_the_trust_that_runs(device: str, own: str, shown: str, trust: str, differs: bool) -> None:
    documents = (
        Document("a.cfg", CONFIGURED.format(device=device, own=own), "show running-config"),
        Document("b.txt", SHOWN.format(shown), "show interface"),
    )
    found = PLATFORM.read(DeviceInput("leaf1", "aoscx", documents))
    (port,) = [one for one in found.ports if one.name == "1/1/1"]
    assert port.facts.trust.value_or_none() == trust
    assert any(one.observation.text.startswith("trust: ") for one in found.seen) == differs


def test_of_answers_alone_what_runs_is_the_trust() -> None:
    answer = Document("b.txt", SHOWN.format("dscp"), "show interface")
    (port,) = PLATFORM.read(DeviceInput("leaf1", "aoscx", (answer,))).ports
    assert port.facts.trust.value_or_none() == "dscp"
