"""`default interface`, `no interface` and `no policy-map X`: what stands above such a line holds no more."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document

BEFORE = {
    "eos": (
        "interface Ethernet5/1\n   no switchport\n   mtu 9214\n   priority-flow-control on\n",
        "interface Ethernet5/1",
    ),
    "nxos": ("interface Ethernet1/5\n  mtu 9216\n  priority-flow-control mode on\n", "interface Ethernet1/5"),
    "os10": ("interface ethernet1/1/5\n mtu 9216\n priority-flow-control mode on\n", "interface ethernet1/1/5"),
    "aoscx": ("interface 1/1/5\n    mtu 9198\n    flow-control priority rxtx 3\n", "interface 1/1/5"),
}


def read(name: str, text: str) -> DeviceReading:
    return platform(name).read(DeviceInput("x", name, (Document("x.cfg", text, declared_complete=True),)))


@pytest.mark.parametrize("name", BEFORE)
def test_default_takes_back_what_was_said_before(name: str) -> None:
    before, header = BEFORE[name]
    (kept,) = read(name, before).ports
    taken = read(name, f"{before}default {header}\n")
    assert taken.seen == ()
    (port,) = taken.ports
    assert kept.facts.ip_mtu_bytes.get() > 9000
    assert kept.facts.pfc.get() != port.facts.pfc.get()
    assert kept.facts.ip_mtu_bytes.at != port.facts.ip_mtu_bytes.at
    assert port.header.line == before.count("\n") + 1
    (again,) = read(name, f"default {header}\n{before}").ports
    assert again.facts is kept.facts


def test_what_comes_after_counts_and_is_where_something_is_missing() -> None:
    text = (
        "interface Ethernet1/1-2\n  description old\n  mtu 9216\n"
        "default interface Ethernet1/2\ninterface Ethernet1/2\n  description new\n"
    )
    reading = read("nxos", text)
    assert reading.seen == ()  # described anew, not twice
    first, second = reading.ports
    assert (first.facts.ip_mtu_bytes.get(), second.facts.ip_mtu_bytes.get()) == (9216, 1500)
    assert (second.labels.description, second.header.line) == ("new", 5)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "eos",
            "interface Port-Channel3\n   mtu 9214\ninterface Ethernet1\n   channel-group 3 mode active\nno interface Port-Channel3\n",
        ),
        (
            "vrp",
            "#\ninterface Eth-Trunk3\n mtu 9000\n#\ninterface 100GE1/0/1\n eth-trunk 3\n#\nundo interface Eth-Trunk3\n#\n",
        ),
    ],
)
def test_a_channel_that_is_taken_back_is_none(name: str, text: str) -> None:
    reading = read(name, text)
    assert [port.name for port in reading.ports] == [port.name for port in reading.ports if port.name[-1] == "1"]


def test_one_that_names_no_port_stays_unread() -> None:
    (told,) = read("eos", "interface Ethernet1\n   mtu 9214\ndefault interface Ether!\n").seen
    assert told.observation.kind == "unread-line"


DEFINED = {
    "eos": (
        "qos profile P\n   priority-flow-control on\n",
        "interface Ethernet1\n   service-profile P\n",
        "no qos profile P",
    ),
    "nxos": (
        "policy-map type network-qos P\n  class type network-qos c-8q-nq3\n    pause pfc-cos 3\n",
        "system qos\n  service-policy type network-qos P\n",
        "no policy-map type network-qos P",
    ),
    "os10": (
        "policy-map type queuing P\n",
        "interface ethernet1/1/1\n service-policy output type queuing P\n",
        "no policy-map type queuing P",
    ),
    "vrp": (
        "drop-profile P\n ecn buffer-size low-limit 1000 high-limit 2000 discard-percentage 10\n",
        "interface 100GE1/0/1\n qos queue 3 wred P\n",
        "undo drop-profile P",
    ),
}


@pytest.mark.parametrize("name", DEFINED)
def test_a_definition_that_is_taken_back_is_none_until_it_is_made_again(name: str) -> None:
    made, used, taken_back = DEFINED[name]
    assert [s.observation.kind for s in read(name, f"{made}{used}").seen] == []
    assert [s.observation.kind for s in read(name, f"{made}{used}{taken_back}\n").seen] == ["undefined"]
    assert [s.observation.kind for s in read(name, f"{taken_back}\n{made}{used}").seen] == []
