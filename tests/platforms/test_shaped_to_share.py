"""A shaper in percent is below the speed of the port, whatever this is; without a speed that share is all that is known."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document

TEXTS = {
    "eos": "hostname leaf1\ninterface Ethernet1/1\n   shape rate @P@ percent\n",
    "junos": (
        "set class-of-service forwarding-classes class RDMA queue-num 3\n"
        "set class-of-service schedulers S shaping-rate percent @P@\n"
        "set class-of-service scheduler-maps M forwarding-class RDMA scheduler S\n"
        "set class-of-service interfaces et-0/0/1 scheduler-map M\nset interfaces et-0/0/1 mtu 9216\n"
    ),
    "srlinux": (
        "set / qos queues queue roce-q queue-index 3\n"
        "set / qos scheduler-policies scheduler-policy s scheduler 1 input roce queue-name roce-q\n"
        "set / qos scheduler-policies scheduler-policy s scheduler 1 input roce peak-rate-percent @P@\n"
        "set / qos interfaces interface e1 interface-ref interface ethernet-1/1\n"
        "set / qos interfaces interface e1 output scheduler scheduler-policy s\n"
        "set / interface ethernet-1/1 admin-state enable\n"
    ),
    "aoscx": "hostname leaf1\ninterface 1/1/1\n    qos shape @P@ percent\n",
}


@pytest.mark.parametrize("percent", [40, 100])
@pytest.mark.parametrize("name", TEXTS)
def test_a_share_is_kept_where_no_speed_is_known(name: str, percent: int) -> None:
    command = {"srlinux": "info flat", "junos": "show configuration | display set"}.get(name)
    text = TEXTS[name].replace("@P@", str(percent))
    (port, *_) = platform(name).read(DeviceInput("leaf1", name, (Document("leaf1", text, command),))).ports
    share = port.facts.queues.get()[3].max_rate_percent
    assert share.value == (percent if percent < 100 else None)
    assert share.is_known is (percent < 100)
