"""A part of an NX-OS configuration whose `system qos` applies other policies than the network-qos policy that it defines."""

from __future__ import annotations

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document

POLICIES = (
    "policy-map type network-qos LOSSLESS\n  class type network-qos c-8q-nq3\n    pause pfc-cos 3\n    mtu 9216\n"
    "policy-map type queuing OUT\n  class type queuing c-out-8q-q3\n    bandwidth remaining percent 60\n"
)
PORT = "interface Ethernet1/1\n  priority-flow-control mode on\n"
QUEUES = "  service-policy type queuing output OUT\n"
APPLIED = "  service-policy type network-qos LOSSLESS\n"


def told(text: str) -> list[str]:
    document = Document("x.cfg", text, declared_complete=False)
    found = platform("nxos").read(DeviceInput("x", "nxos", (document,))).seen
    return [one.observation.text for one in found if one.observation.kind not in ("unapplied-here", "undefined-here")]


def test_a_policy_that_the_stanza_leaves_out_is_told() -> None:
    (text,) = told(f"{POLICIES}system qos\n{QUEUES}{PORT}")
    assert text == "policy-map type network-qos LOSSLESS is defined and never applied, so it has no effect"


def test_one_that_is_applied_or_whose_stanza_is_not_here_is_not() -> None:
    assert told(f"{POLICIES}system qos\n{APPLIED}{QUEUES}{PORT}") == []
    assert told(f"{POLICIES}{PORT}") == []
