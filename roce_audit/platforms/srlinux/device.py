"""Facts of the whole switch: model, chip and release, where a command has shown them."""

from __future__ import annotations

import re

from roce_audit.model import Device
from roce_audit.platforms.shared import hardware
from roce_audit.platforms.srlinux.defaults import CHIP_OF_MODEL
from roce_audit.text.document import DeviceInput

_MODEL = re.compile(
    r'(?:^Chassis Type +: +|"chassis-type" *: *"|^[ \t]*type +(?=7\d\d0 ))(7\d\d0 [A-Z]{3}-\w{1,8})', re.M
)
_VERSION = re.compile(r'(?:^Software Version +: +|"(?:software-)?version" *: *")(v\d[\w.-]{1,60})', re.M)


def device_facts(device: DeviceInput) -> Device:
    """Model, chip family and release of one switch."""
    return hardware.device_facts(device, _MODEL, _VERSION, CHIP_OF_MODEL, "SR Linux turns PFC on and off per interface")
