"""NVIDIA Cumulus Linux: NVUE (`startup.yaml`, `nv config show`, `nv set`), the datapath files before it, ifupdown2 and NCLU."""

from __future__ import annotations

import re
from typing import Literal

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.cumulus import forms
from roce_audit.platforms.lazy import Later
from roce_audit.text.document import DeviceInput, Document


class Cumulus:
    """The platform."""

    name = "cumulus"
    kind: Literal["switch", "host"] = "switch"
    comment = "#"
    commands = Later("roce_audit.platforms.cumulus.tables", "COMMANDS")
    needs = Later("roce_audit.platforms.cumulus.tables", "NEEDS")
    siblings = re.compile(r"(?:traffic|datapath|qos_features|qos_infra|switchd)\.conf|interfaces|startup\.ya?ml")
    inside = re.compile(r"etc/(?:network|nvue\.d|cumulus(?:/datapath(?:/qos)?)?|mlx/datapath(?:/qos)?)")

    def recognise(self, document: Document) -> int:
        """By the head of an NVUE tree, by commands of NVUE or NCLU, by keys of the datapath files, by stanzas of swp ports."""
        return forms.score(document)

    def hostname(self, document: Document) -> str | None:
        """The configured host name."""
        return forms.hostname(document)

    def read(self, device: DeviceInput) -> DeviceReading:
        """Read all documents of one switch."""
        from roce_audit.platforms.cumulus.reader import read

        return read(device)


PLATFORM = Cumulus()
