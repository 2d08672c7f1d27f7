"""Between commands that are typed, one whose verb is misspelt is told: what it was to set is not set."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document

LISTS = {
    "junos": [
        "set system host-name leaf1",
        "VERB class-of-service classifiers dscp MARKS forwarding-class rdma loss-priority low code-points 011010",
        "set class-of-service forwarding-classes class rdma queue-num 4",
        "VERB class-of-service interfaces et-0/0/1 classifiers dscp MARKS",
    ],
    "srlinux": [
        "set / system name host-name leaf1",
        "VERB / qos classifiers dscp-policy roce dscp 26 forwarding-class fc3",
        "set / interface ethernet-1/1 admin-state enable",
        "VERB / qos queues queue roce-q queue-index 3",
    ],
    "picos": [
        "set system hostname leaf1",
        "VERB class-of-service classifier marks-in forwarding-class rdma code-point 26",
        'set class-of-service classifier marks-in trust-mode "dscp"',
        "VERB class-of-service forwarding-class rdma local-priority 3",
    ],
    "cumulus": [
        "nv set system hostname leaf1",
        "nv VERB qos mapping default-global dscp 26 switch-priority 3",
        "nv set interface swp1 link mtu 9216",
        "nv VERB qos pfc ROCE tx enable",
    ],
}


def told(name: str, verb: str) -> list[int]:
    text = "\n".join(LISTS[name]).replace("VERB", verb) + "\n"
    command = {"srlinux": "info flat", "junos": "show configuration | display set"}.get(name)
    seen = platform(name).read(DeviceInput("x", name, (Document("x", text, command),))).seen
    return [one.place.line for one in seen if one.observation.kind == "unread-line"]


@pytest.mark.parametrize("name", LISTS)
def test_a_misspelt_verb_is_told(name: str) -> None:
    assert told(name, "ste") == [2, 4]
    assert told(name, "set") == []
