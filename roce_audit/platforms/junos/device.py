"""Facts of the whole switch: model, chip and release, where the input shows them."""

from __future__ import annotations

import re

from roce_audit.model import Device
from roce_audit.platforms.base import unseen_device
from roce_audit.platforms.junos.defaults import CHIP_OF_MODEL
from roce_audit.text.document import DeviceInput
from roce_audit.values import Cited, Place, absent, known

_MODEL = re.compile(r"^Model: ([a-z]{2,4}\d[\w-]{1,40})", re.M)
_VERSION = re.compile(r'^(?:(?:set )?version "?|Junos: )(\d\d\.\d[^\s;"]{1,60})"?;?[ \t]*$', re.M)


def device_facts(device: DeviceInput) -> Device:
    """Model, chip family and release of one switch."""
    values = unseen_device()
    values |= dict.fromkeys(("buffer_model", "calculation_mtu_bytes"), absent(Cited("a setting of SONiC")))
    values["pfc_disabled_globally"] = known(False, Cited("Junos turns PFC on by profiles of interfaces"))
    for document in device.documents:
        for name, pattern in (("model_name", _MODEL), ("os_version", _VERSION)):
            found = pattern.search(document.text)
            if found is not None and not values[name].is_known:
                values[name] = known(found[1], Place(document.path, document.line_at(found.start())))
    model = values["model_name"]
    for prefix, chip, architecture in CHIP_OF_MODEL if model.is_known else ():
        if model.get().startswith(prefix):
            cited = Cited("model name (source: unverified)")
            values["asic"] = known(chip, *model.at, cited)
            values["buffer_architecture"] = known(architecture, *model.at, cited)
            break
    return Device(**values)
