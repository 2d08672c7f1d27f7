"""Facts of a whole switch that its texts show as words: model, release, and the chip that the model is known to have."""

from __future__ import annotations

import re
from collections.abc import Iterable

from roce_audit.model import Device
from roce_audit.platforms.base import unseen_switch
from roce_audit.text.document import DeviceInput
from roce_audit.values import Cited, Place, known


def device_facts(
    device: DeviceInput,
    model: re.Pattern[str],
    version: re.Pattern[str],
    chips: Iterable[tuple[str, str, str]],
    pfc: str,
) -> Device:
    """The first group of each pattern is the value; `chips` gives (beginning of a model's name, chip, buffer architecture).

    `pfc` says where PFC is turned on, where no statement turns it off for the whole device.
    """
    values = unseen_switch()
    values["pfc_disabled_globally"] = known(False, Cited(pfc))
    for document in device.documents:
        for name, pattern in (("model_name", model), ("os_version", version)):
            found = pattern.search(document.text)
            if found is not None and not values[name].is_known:
                values[name] = known(found[1], Place(document.path, document.line_at(found.start())))
    shown = values["model_name"]
    for prefix, chip, architecture in chips if shown.is_known else ():
        if shown.get().startswith(prefix):
            cited = Cited("model name (source: unverified)")
            values["asic"] = known(chip, *shown.at, cited)
            values["buffer_architecture"] = known(architecture, *shown.at, cited)
            break
    return Device(**values)
