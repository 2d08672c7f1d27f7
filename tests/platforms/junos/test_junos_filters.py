"""A filter on the way in chooses the forwarding class of what its terms match, before any classifier."""

from __future__ import annotations

import pytest

from roce_audit.model import Port
from roce_audit.platforms.junos import PLATFORM
from roce_audit.text.document import DeviceInput, Document

BASE = """\
set version 23.4X100-D20.9-EVO
set system host-name leaf1
set interfaces et-0/0/1 unit 0 family inet filter input IN
set class-of-service classifiers dscp C forwarding-class RDMA loss-priority low code-points 011010
set class-of-service forwarding-classes class RDMA queue-num 4
set class-of-service forwarding-classes class RDMA no-loss
set class-of-service forwarding-classes class SLOW queue-num 2
set class-of-service interfaces et-0/0/1 unit 0 classifiers dscp C
"""
TERM = "set firewall family inet filter IN term {} {}\n"


def entered(*terms: tuple[str, str]) -> Port:
    text = BASE + "".join(TERM.format(*term) for term in terms)
    device = DeviceInput("leaf1", "junos", (Document("leaf1.set", text),))
    return next(one for one in PLATFORM.read(device).ports if one.name == "et-0/0/1").facts


SLOW = ("roce", "then forwarding-class SLOW")
UDP, ROCE = ("roce", "from protocol udp"), ("roce", "from destination-port 4791")


@pytest.mark.parametrize(
    ("terms", "queue"),
    [
        ((SLOW,), 2),
        ((UDP, ROCE, SLOW), 2),
        ((UDP, ("roce", "from destination-port 4000-5000"), SLOW), 2),
        ((("roce", "from destination-port [ 80 4791 ]"), SLOW), 2),
        ((("roce", "from dscp af31"), SLOW), 2),
        ((("roce", "from dscp 011100"), SLOW), 4),
        ((("roce", "from protocol tcp"), SLOW), 4),
        ((UDP, ("roce", "from destination-port 53"), SLOW), 4),
        ((("roce", "from source-address 10.0.0.0/8"), SLOW), None),
        ((("roce", "from source-prefix-list HOSTS except"), SLOW), None),
        ((("roce", "from is-fragment"), SLOW), None),
        ((("all", "then accept"), SLOW), 4),
        ((("all", "then count seen"), ("all", "then next term"), SLOW), 2),
        ((("some", "from source-address 10.0.0.0/8"), ("some", "then accept"), SLOW), None),
        ((SLOW, ("roce", "then next term"), ("more", "then forwarding-class RDMA")), 4),
        ((SLOW, ("more", "then forwarding-class RDMA")), 2),
    ],
)
def test_the_first_term_that_matches_decides(terms: tuple[tuple[str, str], ...], queue: int | None) -> None:
    assert entered(*terms).dscp.get()[26].value_or_none() == queue


def test_a_filter_that_asks_for_the_port_speaks_of_roce_alone() -> None:
    assert entered(UDP, ROCE, SLOW).trust.value == "acl"
    assert entered(UDP, SLOW).trust.value == "dscp"
    assert entered(ROCE, ("roce", "then count seen"), ("more", "then forwarding-class SLOW")).trust.value == "dscp"


BY_TAG = """\
set version 21.4R3
set system host-name leaf1
set interfaces xe-0/0/1 unit 0 family ethernet-switching filter input IN
set class-of-service classifiers ieee-802.1 C forwarding-class RDMA loss-priority low code-points 011
set class-of-service forwarding-classes class RDMA queue-num 3
set class-of-service forwarding-classes class SLOW queue-num 2
set class-of-service interfaces xe-0/0/1 unit 0 classifiers ieee-802.1 C
"""


@pytest.mark.parametrize(
    ("terms", "queue"),
    [
        ((SLOW,), 2),
        ((UDP, SLOW), 2),
        ((("roce", "from dscp af31"), SLOW), 3),
        ((("roce", "from protocol tcp"), SLOW), 3),
        ((("roce", "from user-vlan-1p-priority 3"), SLOW), None),
    ],
)
def test_a_filter_has_the_word_before_a_classifier_of_tags(
    terms: tuple[tuple[str, str], ...], queue: int | None
) -> None:
    lines = "".join(TERM.format(*term) for term in terms).replace("family inet ", "family ethernet-switching ")
    device = DeviceInput("leaf1", "junos", (Document("leaf1.set", BY_TAG + lines),))
    (port,) = PLATFORM.read(device).ports
    assert port.facts.pcp.get()[3].value_or_none() == queue


@pytest.mark.parametrize(("is_bound", "group"), [(True, None), (False, 8)])
def test_what_a_filter_leads_to_a_class_may_pause_by_its_tag(is_bound: bool, group: int | None) -> None:
    text = BY_TAG.replace("RDMA queue-num 3", "RDMA queue-num 3 no-loss").replace(
        "unit 0 classifiers ieee-802.1 C", "congestion-notification-profile P"
    )
    text += "set class-of-service congestion-notification-profile P input ieee-802.1 code-point 011 pfc\n"
    text += "set firewall family ethernet-switching filter IN term t from user-vlan-1p-priority 3\n"
    text += "set firewall family ethernet-switching filter IN term t then forwarding-class RDMA\n"
    lines = text if is_bound else text.replace("filter input IN", "interface-mode trunk")
    (port,) = PLATFORM.read(DeviceInput("leaf1", "junos", (Document("leaf1.set", lines),))).ports
    assert port.facts.classes.get()[3].group.value_or_none() == group
