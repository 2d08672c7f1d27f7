"""Facts of the whole switch: model, chip and release, where the input shows them."""

from __future__ import annotations

import re

from roce_audit.model import Device
from roce_audit.platforms.junos.defaults import CHIP_OF_MODEL
from roce_audit.platforms.shared import hardware
from roce_audit.text.document import DeviceInput

_MODEL = re.compile(r"^Model: ([a-z]{2,4}\d[\w-]{1,40})", re.M)
_VERSION = re.compile(
    r'^(?:(?:set )?version "?|Junos: |[ \t]{0,8}"version"[ \t]?:[ \t]?"|[ \t]{0,8}<version>)'
    r'(\d\d\.\d[^\s;"<]{1,60})(?:"?;?|",?|</version>)[ \t]*$',
    re.M,
)


def device_facts(device: DeviceInput) -> Device:
    """Model, chip family and release of one switch."""
    return hardware.device_facts(
        device, _MODEL, _VERSION, CHIP_OF_MODEL, "Junos turns PFC on by profiles of interfaces"
    )
